"""The clock of a puppet: slower, faster, stopped, always without a jump."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.studio.panel.parameters import declare_parameters

CORNERS, SIDE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1]]), [[0, 1, 2]]


def lift():
    """A triangle that rises by a metre a second, for ten seconds."""
    samples = [CORNERS, CORNERS + np.array([0.0, 10.0, 0.0])]
    puppet = supple.Puppet(moments=[0, 10], samples=samples, triangles=SIDE, name="lift")
    return supple.Simulation(supple.Scene(puppet, supple.Chain(length=1.0, points=3, at=(5.0, 0.0, 0.0))))


def height(simulation):
    return float(simulation.positions("lift")[0, 1])


def frames(simulation, count):
    for _ in range(count):
        simulation.step()
    return height(simulation)


def test_an_animation_runs_at_its_tempo_and_never_jumps():
    moving = lift()
    assert frames(moving, 50) == pytest.approx(1.0)
    moving.set("lift", tempo=0.5)
    assert frames(moving, 1) == pytest.approx(1.01)
    assert frames(moving, 49) == pytest.approx(1.5)
    moving.set("lift", tempo=0.0)
    assert frames(moving, 25) == pytest.approx(1.5)
    moving.set("lift", tempo=2.0)
    assert frames(moving, 25) == pytest.approx(2.5)


def test_snapshots_files_and_scripts_keep_the_clock(tmp_path):
    moving = lift()
    frames(moving, 10)
    moving.set("lift", tempo=0.5)
    frames(moving, 10)
    snapshot = moving.snapshot()
    wanted = frames(moving, 10)
    moving.restore(snapshot)
    assert frames(moving, 10) == wanted
    other = lift()
    other.replay(moving.script)
    assert frames(other, 30) == wanted


def test_only_puppets_have_a_clock_and_the_panel_offers_it():
    moving = lift()
    with pytest.raises(supple.SuppleError, match="`tempo` does not apply to 'chain': it is no puppet"):
        moving.set("chain", tempo=0.5)
    tempo = declare_parameters(moving)["lift.tempo"]
    assert (tempo.low, tempo.value, tempo.high, tempo.label) == (0.0, 1.0, 2.0, "Tempo")
