"""What exact contact may cost: a frame does so much work and no more, and says so where that is not enough."""

from __future__ import annotations

import numpy as np

import supple
from supple.collide.self_contact.self_contact import WORK, WORK_PER_TRIANGLE


def work_of(simulation):
    """Return the work of the last frame, in shares of what it may take."""
    contact = simulation.engine.contact
    return contact.neighbours.work / max(WORK, WORK_PER_TRIANGLE * len(contact.bvh.corners))


def test_a_sheet_that_a_hand_tears_to_strips_takes_no_longer_than_a_frame_may_and_goes_on_afterwards():
    """It took up to 28 s of processor time for a frame, in rounds over millions of pairs that might meet."""
    sheet = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=45, rows=45, self_contact="exact", at=(0, 1, 0), name="b"
    )
    simulation = supple.Simulation(
        supple.Scene(sheet, supple.Plane(), supple.Sphere(radius=0.25, at=(0, 0.3, 0)))
    )
    simulation.tear("b", 0.1)
    rng = np.random.default_rng(0)
    vertex = int(rng.integers(45 * 45))
    simulation.grab("b", vertex, tuple(simulation.positions("b")[vertex] + rng.uniform(-3.0, 3.0, 3)))
    reports = [simulation.step() for _ in range(3)]
    assert "held-back" in {report.status for report in reports}
    assert work_of(simulation) < 2.0  # the round in which it becomes too much is ended
    assert all(report.is_finite for report in reports)
    assert simulation.intersections() == 0
    simulation.tear("b", None)
    simulation.release_all()
    before = simulation.positions("b").copy()
    for _ in range(8):
        report = simulation.step()
        assert work_of(simulation) < 2.0
    assert report.status == "ok" and simulation.intersections() == 0
    assert np.abs(simulation.positions("b") - before).max() > 0.02


def test_cloth_that_is_crumpled_and_hung_stays_far_below_the_work_that_a_frame_may_do():
    sheet = supple.Cloth.rectangle(
        width=0.5, height=0.5, columns=16, rows=16, self_contact="exact", plane="xz", at=(0, 0.6, 0), name="b"
    )
    simulation = supple.Simulation(supple.Scene(sheet, supple.Plane(friction=0.5)))
    simulation.grab("b", 0, (0.3, 0.2, 0.3))
    for _ in range(30):
        report = simulation.step()
        assert work_of(simulation) < 0.2 and report.status == "ok"
