"""Two simulations that must go on alike."""

from __future__ import annotations

import numpy as np

import supple


def assert_go_on_alike(one: supple.Simulation, other: supple.Simulation, frames: int) -> None:
    """Step both, and compare every point of every body, to the last bit."""
    for _ in range(frames):
        one.step()
        other.step()
    assert one.body_names == other.body_names
    for name in one.body_names:
        np.testing.assert_array_equal(one.positions(name), other.positions(name))
