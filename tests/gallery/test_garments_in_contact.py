"""Small versions of the garments, with exact contact: made from start to end, and never through themselves."""

from __future__ import annotations

import numpy as np

import supple
from tests.collide.inside import deepest_place
from tests.collide.referee import Referee
from tests.gallery.test_edit_scenes import gaps


def small(name: str, size: float, cuffs: float | None = None) -> supple.Scene:
    """Return a scene with exact contact and triangles of another size [m].

    Points that start farther out than `cuffs` [m] are held instead of those that the scene pins.
    """
    scene = supple.find_scene(name)
    bodies = []
    for body in scene.bodies:
        body = body.changed(
            shape=body.shape.changed(size=size),
            self_contact="exact",
            pins=body.pins if cuffs is None else (),
        )
        outer = np.flatnonzero(np.abs(body.start_points()[:, 0]) > (cuffs or np.inf))
        bodies.append(body.pinned(outer.tolist()) if len(outer) else body)
    return scene.changed(bodies=tuple(bodies))


def played(simulation: supple.Simulation, seconds: float):
    """Yield the report of every frame, after the referee has looked at it."""
    for report in simulation.run(seconds):
        assert report.is_finite
        assert not Referee(simulation).sees_intersections(), f"frame {simulation.frame}"
        yield report


def test_a_skirt_is_wrapped_sewn_gathered_and_blown_at_without_passing_through_itself():
    simulation = supple.Simulation(small("skirt", 0.06))
    waist = simulation.scene.cloths["skirt"].edge_chain("waist").tolist()
    contacts = 0
    sewn_in_wind = 0.0
    for report in played(simulation, 9.0):
        contacts += report.self_contacts
        if simulation.time > 2.2:
            assert simulation.positions("skirt")[simulation.heirs("skirt", waist), 1].min() > 0.94
        if simulation.time > 6.8:
            sewn_in_wind = max(sewn_in_wind, *gaps(simulation))
    assert contacts > 0
    assert all(seam.is_welded for seam in simulation.engine.editor.seams)
    assert sewn_in_wind < 0.005


def test_a_tunic_is_sewn_on_without_passing_through_itself():
    """Its sleeves stand across front and back at the start, so they are moved apart first."""
    scene = small("tunic", 0.05, cuffs=0.43)
    simulation = supple.Simulation(scene, on_intersection="untangle", integrator="xpbd", substeps=10)
    contacts = 0
    for report in played(simulation, 2.8):
        contacts = max(contacts, report.self_contacts)
    assert contacts > 20
    # They began up to 208 mm apart. With points 5 cm apart the sleeves are too tight for the arms: stretched to their
    # limit, 8 to 16 mm are left at their seams, and 10 with points 3.5 cm apart. (3 mm when arms poked through, by 10 mm.)
    assert len(gaps(simulation)) == 10 and max(gaps(simulation)) < 0.02
    assert min(gaps(simulation)) == 0.0 and report.max_stretch > 1.09
    assert max(deepest_place(simulation, name) for name in simulation.body_names) < 1e-3
    for name in ("front", "back"):
        points = simulation.positions(f"tunic-{name}")
        assert points[:, 1].max() > 1.43
        assert 0.75 < points[:, 1].min() < 0.92
