"""`pillow`: cloth under pressure."""

from __future__ import annotations

import numpy as np
import pytest

from supple import find_scene
from supple.scene.files.toml_reader import GALLERY

SIDE = 0.5


def test_scene_says_what_it_shows_and_in_which_units():
    scene = find_scene("pillow")
    assert 10 <= len(scene.title) <= 60 and not scene.title.endswith(".")
    assert len(scene.description.split()) >= 20
    assert "SI units" in (GALLERY / "pillow.toml").read_text(encoding="utf-8").splitlines()[0]


def test_pillow_fills_out_and_springs_back_from_the_fist(play):
    played = play("pillow")
    simulation = played.simulation
    assert all(report.is_finite and report.status == "ok" for report in played.reports)
    assert max(played.depths) < 1e-4
    # The air asked for is 0.18 of the cube of its side; a square bag holds at most 0.217 (Kepert).
    assert simulation.volume("pillow") / SIDE**3 == pytest.approx(0.18, rel=0.01)
    points = simulation.positions("pillow")
    height = np.ptp(points[:, 1])
    assert 0.3 * SIDE < height < 0.5 * SIDE
    assert played.reports[-1].kinetic_energy < 1e-4
    assert played.reports[-1].max_stretch < 1.04


def test_pillow_pushes_back_while_it_is_pressed():
    from supple import Simulation

    simulation = Simulation(find_scene("pillow"))
    pressures = {}
    for report in simulation.run(2.4):
        pressures[report.frame] = simulation.pressure("pillow")
    assert pressures[120] > 3.0 * pressures[70] > 0.0
