"""The walk in a tunic: worn from the first frame, with closed seams, on the body and on itself."""

from __future__ import annotations

import numpy as np

import supple
from tests.collide.referee import Referee


def test_the_tunic_is_worn_on_a_walk():
    simulation = supple.Simulation(supple.find_scene("walk"))
    garment = [body for body in simulation.body_names if body != "walker"]
    assert all(simulation.scene.body(body).self_contact == "exact" for body in garment)
    feet = []
    for report in simulation.run(2.4):
        assert report.is_finite and report.status == "ok" and report.max_stretch < 1.2
        assert max(gap.largest for gap in simulation.seam_gaps()) < 0.003
        feet.append(simulation.positions("walker")[:, 2].max())
        if simulation.frame % 10 == 0:
            assert not Referee(simulation, garment).sees_intersections()
    assert np.ptp(feet) > 0.2  # it walks
    points = np.concatenate([simulation.positions(body) for body in garment])
    assert 1.43 < points[:, 1].max() < 1.53 and 0.55 < points[:, 1].min() < 0.75
