"""`pile` (Kang 2000, section 4): six cloths on a ball and on each other."""

from __future__ import annotations

import pytest

from supple import Simulation, find_scene
from tests.collide.referee import Referee


@pytest.mark.slow
def test_no_cloth_of_the_pile_passes_through_another_in_any_frame():
    simulation = Simulation(find_scene("pile"))
    referee = Referee(simulation)
    for _ in range(45):
        report = simulation.step()
        assert report.is_finite
        assert not referee.sees_intersections()
    assert report.self_contacts > 500
    assert simulation.intersections() == 0
