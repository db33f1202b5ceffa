"""The inertia tensor's solver and the correction itself, compiled and as Python."""

import numpy as np
import pytest

from supple.constrain.momentum import restore_momentum, solve_inertia

SOLVERS = pytest.mark.parametrize("solve", [solve_inertia, solve_inertia.py_func], ids=["compiled", "python"])


@SOLVERS
def test_inertia_of_any_body_is_solved(solve):
    generator = np.random.default_rng(0)
    for _ in range(50):
        r = generator.standard_normal((5, 3)) * 10.0 ** generator.uniform(-3, 3)
        inertia = sum(p @ p * np.eye(3) - np.outer(p, p) for p in r)
        torque = generator.standard_normal(3)
        np.testing.assert_allclose(inertia @ solve(inertia, torque), torque, rtol=1e-9, atol=1e-12)


@SOLVERS
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.0, 0.8), (0.36, 0.48, 0.8)])
def test_points_on_a_line_do_not_turn_about_it(solve, axis):
    axis = np.array(axis)
    inertia = 2.5 * (np.eye(3) - np.outer(axis, axis))
    torque = np.cross(axis, [0.3, -0.7, 0.2])
    omega = np.array(solve(inertia, torque))
    np.testing.assert_allclose(inertia @ omega, torque, atol=1e-12)
    turned = np.cross(omega, axis)
    np.testing.assert_allclose(turned, np.cross(torque / 2.5, axis), atol=1e-12)


@SOLVERS
def test_a_single_point_does_not_turn(solve):
    assert solve(np.zeros((3, 3)), np.zeros(3)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("restore", [restore_momentum, restore_momentum.py_func], ids=["compiled", "python"])
def test_the_correction_takes_exactly_the_rigid_part_away(restore):
    generator = np.random.default_rng(1)
    starts, targets = generator.standard_normal((2, 6, 3))
    masses = generator.uniform(0.1, 3.0, 6)
    positions = targets + 0.1 * generator.standard_normal((6, 3))
    outside = positions[5].copy()
    members = np.arange(5)
    touched = np.array([-1, -1, -1, -1, -1, 0])
    scratch = np.zeros((3, 3)), np.zeros((3, 3))
    restore(starts, targets, masses, members, touched, True, *scratch, positions)
    moved = masses[:5, None] * (positions[:5] - targets[:5])
    centre = masses[:5] @ starts[:5] / masses[:5].sum()
    np.testing.assert_allclose(moved.sum(axis=0), 0.0, atol=1e-14)
    np.testing.assert_allclose(np.cross(starts[:5] - centre, moved).sum(axis=0), 0.0, atol=1e-13)
    np.testing.assert_array_equal(positions[5], outside)
    again = positions.copy()
    restore(starts, targets, masses, members, touched, True, *scratch, again)
    np.testing.assert_allclose(again, positions, atol=1e-14)
    touched[2] = 0  # a part that touches something is left alone
    positions[:5] += 1.0
    before = positions.copy()
    restore(starts, targets, masses, members, touched, True, *scratch, positions)
    np.testing.assert_array_equal(positions, before)
