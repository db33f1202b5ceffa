"""The small inertia solve, compiled and in plain Python."""

import numpy as np
import pytest

from supple.collide.inertia import solve_inertia_tensor


@pytest.mark.parametrize("solve", [solve_inertia_tensor, solve_inertia_tensor.py_func])
def test_the_angular_velocity_gives_the_momentum_back(solve):
    points = np.random.default_rng(2).normal(size=(5, 3))
    inertia = np.einsum("nk,nk->", points, points) * np.eye(3) - points.T @ points
    packed = (*np.diag(inertia), inertia[1, 2], inertia[0, 2], inertia[0, 1])
    momentum = (0.3, -1.2, 0.7)
    np.testing.assert_allclose(inertia @ solve(packed, momentum), momentum, rtol=1e-12)


@pytest.mark.parametrize("solve", [solve_inertia_tensor, solve_inertia_tensor.py_func])
def test_a_single_point_does_not_turn(solve):
    assert solve((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (1.0, 2.0, 3.0)) == (0.0, 0.0, 0.0)
