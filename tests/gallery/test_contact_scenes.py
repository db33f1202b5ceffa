"""Scenes of cloth against cloth and against thin things (Kang 2000, section 4)."""

from __future__ import annotations

import numpy as np


def test_the_scarf_of_pole_catch_hangs_over_the_pole_on_both_sides(play):
    played = play("pole-catch")
    simulation = played.simulation
    places = simulation.positions("scarf")
    # Edges, not points, lie on the pole: sampled along each, none comes nearer to the axis than half the radius.
    ends = places[simulation.edges("scarf")]
    t = np.linspace(0.0, 1.0, 21)[:, None, None]
    samples = (ends[:, 0] + t * (ends[:, 1] - ends[:, 0])).reshape(-1, 3)
    near = samples[np.abs(samples[:, 2]) < 0.35]
    assert np.hypot(near[:, 0], near[:, 1]).min() > 0.004
    assert places[:, 1].max() > 0.0
    rows = places.reshape(9, 25, 3)
    assert (
        rows[:, 0, 1].max() < -0.3 and rows[:, -1, 1].max() < -0.3
    )  # both ends hang, and neither has slid off
    speeds = np.linalg.norm(simulation.velocities("scarf"), axis=1)
    assert np.sqrt((speeds**2).mean()) < 0.02
    assert all(report.is_finite for report in played.reports)
