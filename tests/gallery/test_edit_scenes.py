"""The scenes that cut and tear do what their descriptions say."""

from __future__ import annotations

import numpy as np
import pytest

import supple


def played(name, seconds):
    simulation = supple.Simulation(supple.find_scene(name))
    mass = sum(simulation.masses(body).sum() for body in simulation.body_names)
    for report in simulation.run(seconds):
        assert report.is_finite
    assert sum(simulation.masses(body).sum() for body in simulation.body_names) == pytest.approx(
        mass, rel=1e-12
    )
    return simulation


def test_the_sheet_is_torn_from_border_to_border():
    simulation = played("tear", 2.0)
    left = [name for name in simulation.body_names if simulation.positions(name)[:, 0].min() < -0.49]
    right = [name for name in simulation.body_names if simulation.positions(name)[:, 0].max() > 0.7]
    assert len(left) == len(right) == 1 and left != right
    for name in (*left, *right):
        assert np.ptp(simulation.positions(name)[:, 1]) > 0.55
    # Both halves have sprung back: nothing is stretched by half of what tore it.
    assert simulation.step().max_stretch < 1.1


def test_the_banner_hangs_in_five_strips_after_four_cuts():
    simulation = played("banner-cut", 2.4)
    assert len(simulation.body_names) == 5
    assert all(len(simulation.pinned(name)) > 3 for name in simulation.body_names)
