"""`cube` (Debunne 2000, Fig. 4) and `jelly`: soft bodies of finite elements."""

from __future__ import annotations

import numpy as np
import pytest

from supple import Simulation, find_scene
from supple.scene.files.toml_reader import GALLERY

CUBES = ("coarse", "middle", "fine")


@pytest.mark.parametrize("name", ["cube", "jelly"])
def test_scene_says_what_it_shows_and_in_which_units(name):
    scene = find_scene(name)
    assert 10 <= len(scene.title) <= 60 and not scene.title.endswith(".")
    assert len(scene.description.split()) >= 20
    assert "SI units" in (GALLERY / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("name", ["cube", "jelly"])
def test_scene_stays_finite_and_no_element_is_inside_out(name, play):
    played = play(name)
    assert all(report.is_finite and report.status == "ok" for report in played.reports)
    assert played.simulation.engine.soft_measures.smallest_volume() > 0.4


def corner_of(scene, name):
    """Return the upper corner of a cube that is farthest from its pins."""
    body = scene.body(name)
    points = body.start_points()
    return int(np.argmax(points[:, 0] + 0.9 * points[:, 1] + 0.8 * points[:, 2]))


def test_three_resolutions_of_a_cube_sag_and_swing_alike():
    scene = find_scene("cube")
    simulation = Simulation(scene)
    corners = {name: corner_of(scene, name) for name in CUBES}
    heights = {name: [] for name in CUBES}
    for _ in simulation.run(14.0):
        for name in CUBES:
            heights[name].append(simulation.positions(name)[corners[name], 1] - 1.5)
    settled, periods = {}, {}
    for name in CUBES:
        away = np.array(heights[name])
        settled[name] = away[-100:].mean()
        swing = away - settled[name]
        crossings = np.flatnonzero(swing[:250] * swing[1:251] < 0.0)
        periods[name] = 2.0 * np.diff(crossings).mean() / simulation.frame_rate
    counts = [scene.body(name).point_count for name in CUBES]
    assert counts == [27, 57, 135]
    for name in CUBES:
        assert settled[name] == pytest.approx(settled["fine"], rel=0.25)
        assert periods[name] == pytest.approx(periods["fine"], rel=0.10)
    # The finer, the softer: each step towards the converged value is smaller than the one before.
    assert settled["coarse"] > settled["middle"] > settled["fine"]


def test_jellies_come_to_rest_on_the_table_and_the_plum_on_the_block(play):
    played = play("jelly")
    simulation = played.simulation
    assert simulation.depth() < 1e-6
    assert played.reports[-1].kinetic_energy < 1e-3
    for name in simulation.body_names:
        height = np.ptp(simulation.positions(name)[:, 1])
        assert 0.5 < height / np.ptp(played.scene.body(name).local_points()[:, 1]) < 1.05 or name == "ring"
    place, _ = simulation.obstacle_pose("plum")
    assert np.hypot(place[0], place[2]) < 0.06
    assert 0.08 < place[1] < 0.115


def test_the_stack_stands_and_nothing_passes_through_anything(play):
    simulation = play("jelly").simulation
    assert simulation.intersections() == 0
    low, high = simulation.positions("low")[:, 1], simulation.positions("high")[:, 1]
    assert high.min() == pytest.approx(low.max(), abs=0.003)
    assert 0.04 < np.ptp(high) < 0.052
