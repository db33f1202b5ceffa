"""Bodies give way where they are stretched too far, and the tear runs."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from tests.edit.judge import assert_kept, assert_proper, factor_error, moving, sheet, totals


def pulled(strain, frames, nick=True):
    """Return a sheet with a nick in its upper border after it has been pulled sideways."""
    cloth = supple.Cloth.rectangle(width=1.0, height=0.5, columns=25, rows=13).pinned("left", "right")
    simulation = supple.Simulation(supple.Scene(cloth, gravity=(0.0, 0.0, 0.0)), integrator="filter")
    if nick:
        simulation.cut("cloth", path=[(0.0, 0.3, 0.0), (0.0, 0.15, 0.0)])
    simulation.tear("cloth", strain)
    for _ in range(frames):
        for name in simulation.body_names:
            for vertex in simulation.pinned(name).tolist():
                place = simulation.positions(name)[vertex]
                if place[0] > 0.0:
                    simulation.move_pin(name, vertex, place + np.array([0.004, 0.0, 0.0]))
        report = simulation.step()
        assert report.is_finite
    return simulation


def test_a_tear_runs_from_a_nick_through_the_whole_sheet():
    simulation = pulled(0.12, 60)
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10
    # Whoever holds the left side no longer feels the right one.
    left = [name for name in simulation.body_names if simulation.positions(name)[:, 0].min() < -0.45]
    right = [name for name in simulation.body_names if simulation.positions(name)[:, 0].max() > 0.55]
    assert not set(left) & set(right)


def test_a_sheet_below_its_limit_holds():
    simulation = pulled(0.9, 25)
    assert simulation.body_names == ("cloth",)


def test_tearing_keeps_mass_and_momentum():
    simulation = moving(sheet(12), frames=1)
    simulation.engine.world.particles.positions[:] *= 1.1
    before = totals(simulation)
    simulation.tear("cloth", 0.05)
    count = simulation.particle_count
    simulation.engine.editor.advance(0.02)
    assert simulation.particle_count > count
    assert_kept(before, totals(simulation))
    assert_proper(simulation)


def test_a_chain_snaps_where_it_is_pulled_too_hard():
    rope = supple.Chain(length=1.0, points=11, stretch_stiffness=50.0, linear_density=1.0).pinned(0)
    simulation = supple.Simulation(supple.Scene(rope), integrator="filter")
    simulation.tear("chain", 0.1)
    for _ in range(60):
        report = simulation.step()
    assert report.is_finite
    assert len(simulation.body_names) >= 2
    assert sum(len(simulation.positions(name)) for name in simulation.body_names) == 11


def test_tearing_can_be_stopped():
    simulation = moving(sheet(8), frames=1)
    simulation.tear("cloth", 0.001)
    simulation.tear("cloth", None)
    simulation.step()
    assert simulation.particle_count == 64


@pytest.mark.parametrize("strain", [0.0, -1.0, np.nan, "much", True])
def test_bad_strains_are_refused(strain):
    simulation = supple.Simulation(supple.Scene(sheet(4)), integrator="filter")
    with pytest.raises(SuppleError, match="strain"):
        simulation.tear("cloth", strain)
