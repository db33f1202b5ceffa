"""Springs one at a time: energy, pull, damping and the stretch that reports show."""

import numpy as np
import pytest

from supple.forces.springs import (
    add_coasting_damping,
    add_constant_spring_forces,
    add_spring_forces,
    largest_stretch,
    spring_energy,
)
from supple.model.springs import SpringArrays

ENDS = np.array([[0, 1]], dtype=np.uint32)
LENGTH, STIFFNESS, DAMPING = np.array([1.0]), np.array([10.0]), np.array([0.5])
SPRING = SpringArrays(ENDS, LENGTH, STIFFNESS, DAMPING)
BOTH = pytest.mark.parametrize("way", ["compiled", "python"])


def version(function, way):
    return function if way == "compiled" else function.py_func


def pair(distance):
    return np.array([[0.0, 0.0, 0.0], [distance, 0.0, 0.0]])


def pull(way, positions, velocities):
    forces = np.zeros((2, 3))
    version(add_spring_forces, way)(positions, velocities, SPRING, forces)
    return forces


@BOTH
def test_spring_at_rest_length_pulls_nothing(way):
    np.testing.assert_array_equal(pull(way, pair(1.0), np.zeros((2, 3))), 0.0)
    assert version(spring_energy, way)(pair(1.0), SPRING) == 0.0


@BOTH
def test_stretched_spring_pulls_its_ends_together(way):
    np.testing.assert_allclose(pull(way, pair(1.2), np.zeros((2, 3))), [[2.0, 0, 0], [-2.0, 0, 0]])
    assert version(spring_energy, way)(pair(1.2), SPRING) == pytest.approx(0.2)


@BOTH
def test_pressed_spring_pushes_its_ends_apart(way):
    np.testing.assert_allclose(pull(way, pair(0.7), np.zeros((2, 3))), [[-3.0, 0, 0], [3.0, 0, 0]])


@BOTH
def test_damping_acts_along_the_spring_only(way):
    along, across = np.array([[2.0, 0, 0], [0, 0, 0]]), np.array([[0, 2.0, 0], [0, 0, 0]])
    np.testing.assert_allclose(pull(way, pair(1.0), along), [[-1.0, 0, 0], [1.0, 0, 0]])
    np.testing.assert_array_equal(pull(way, pair(1.0), across), 0.0)


@BOTH
def test_spring_of_no_length_is_left_out(way):
    np.testing.assert_array_equal(pull(way, pair(0.0), np.ones((2, 3))), 0.0)


@BOTH
def test_constant_part_is_the_force_without_its_linear_part(way):
    forces = np.zeros((2, 3))
    version(add_constant_spring_forces, way)(pair(1.4), ENDS, STIFFNESS * LENGTH, 2.0, forces)
    linear = -10.0 * (pair(1.4) - pair(1.4)[::-1])
    np.testing.assert_allclose(0.5 * forces + linear, pull(way, pair(1.4), np.zeros((2, 3))))


@BOTH
def test_coasting_damping_is_free_for_a_turn_and_isotropic_beyond_the_directions(way):
    starts, turned = pair(1.0), np.array([[0.0, 0.0, 0.0], [1.0, 1e-9, 0.0]])
    forces = np.zeros((2, 3))
    version(add_coasting_damping, way)(turned, starts, turned, SPRING, 0.1, 1.0, forces)
    assert np.abs(forces).max() < 1e-16
    guess = np.array([[0.0, 0.0, 0.0], [1.0, 0.2, 0.0]])
    version(add_coasting_damping, way)(guess, starts, starts, SPRING, 0.1, 1.0, forces)
    np.testing.assert_allclose(forces, [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])


@BOTH
def test_largest_stretch_looks_at_stretch_springs_only_and_shows_nan(way):
    positions = np.array([[0.0, 0, 0], [1.3, 0, 0], [9.0, 0, 0]])
    ends = np.array([[0, 1], [1, 2]], dtype=np.uint32)
    lengths, kind = np.array([1.0, 1.0]), np.array([0, 1], dtype=np.int8)
    assert version(largest_stretch, way)(positions, ends, lengths, kind) == pytest.approx(1.3)
    positions[0, 0] = np.nan
    assert np.isnan(version(largest_stretch, way)(positions, ends, lengths, kind))
