"""`liver` (Debunne 2000, Fig. 6): an organ of three meshes under a probe."""

from __future__ import annotations

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
    """Return the reports of the first press and the forces on the probe [N], at the end of which it is held."""
    simulation = Simulation(find_scene("liver"))
    reports, forces = [], []
    for report in simulation.run(1.2):
        reports.append(report)
        forces.append(float(simulation.tool_force("probe")[1]))
    return reports, forces


def test_the_organ_is_refined_within_its_budget(pressed):
    reports, _ = pressed
    assert all(report.is_finite and report.status in ("ok", "held-back") for report in reports)
    assert reports[2].level_nodes == (0, 574, 0)
    assert reports[-1].level_nodes[2] > 200
    assert max(report.node_updates for report in reports) <= 30_000
    assert max(report.budget_used for report in reports) > 0.6


def test_the_probe_feels_what_the_finest_mesh_gives(pressed):
    _, forces = pressed
    scene = find_scene("liver")
    body = scene.bodies[0].changed(refine=Refine(floor=2))
    finest = Simulation(scene.changed(bodies=(body,)), budget_updates=None)
    for report in finest.run(1.2):
        assert report.is_finite
    assert forces[-1] == pytest.approx(float(finest.tool_force("probe")[1]), rel=0.05)
