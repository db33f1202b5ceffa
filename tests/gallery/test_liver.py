"""`liver` (Debunne 2000, Fig. 6): an organ of three meshes under a probe."""

from __future__ import annotations

import numpy as np
import pytest

from supple import Simulation, find_scene
from supple.scene.reader import GALLERY
from supple.scene.refine import Refine


def test_scene_says_what_it_shows_and_in_which_units():
    scene = find_scene("liver")
    assert 10 <= len(scene.title) <= 60 and not scene.title.endswith(".")
    assert len(scene.description.split()) >= 20
    assert "SI units" in (GALLERY / "liver.toml").read_text(encoding="utf-8").splitlines()[0]


@pytest.fixture(scope="module")
def pressed():
    """Return the reports of the first press, the forces on the probe [N], and where the organ is in the end."""
    simulation = Simulation(find_scene("liver"))
    reports, forces = [], []
    for report in simulation.run(1.2):
        reports.append(report)
        forces.append(float(simulation.tool_force("probe")[1]))
    return reports, forces, simulation.positions("liver").copy()


def test_the_organ_is_refined_within_its_budget(pressed):
    reports, _, _ = pressed
    assert all(report.is_finite and report.status in ("ok", "held-back") for report in reports)
    assert reports[2].level_nodes == (0, 574, 0)
    assert reports[-1].level_nodes[2] > 200
    assert max(report.node_updates for report in reports) <= 30_000
    assert max(report.budget_used for report in reports) > 0.6


def test_the_probe_feels_and_sees_what_the_finest_mesh_gives_for_a_fifth_of_its_node_updates(pressed):
    """`supple bench levels` does the same with 9,790 nodes: 4.0 % of the displacement with 15.9 % of the updates."""
    reports, forces, places = pressed
    scene = find_scene("liver")
    body = scene.bodies[0].changed(refine=Refine(floor=2))
    finest = Simulation(scene.changed(bodies=(body,)), budget_updates=None)
    for report in finest.run(1.2):
        assert report.is_finite
    assert forces[-1] == pytest.approx(float(finest.tool_force("probe")[1]), rel=0.05)
    ways = finest.positions("liver") - body.start_points()
    away = np.linalg.norm(places - finest.positions("liver"), axis=1).max()
    assert away < 0.07 * np.linalg.norm(ways, axis=1).max()
    assert np.mean([r.node_updates for r in reports[20:]]) < 0.2 * report.node_updates
