"""Bending elements one at a time."""

import numpy as np
import pytest

from supple.forces.bending import (
    add_bending_forces,
    add_constant_bending_forces,
    bending_energy,
    bending_vector,
)
from supple.model.bends import BendArrays

POINTS = np.array([[0, 1, 2, 2]], dtype=np.uint32)
WEIGHTS = np.array([[1.0, -2.0, 1.0, 0.0]])
FLAT = BendArrays(POINTS, WEIGHTS, rest_lengths=np.array([0.0]), stiffness=np.array([3.0]))
CURVED = FLAT._replace(rest_lengths=np.array([0.1]))
TENSIONS = CURVED.stiffness * CURVED.rest_lengths
BOTH = pytest.mark.parametrize("way", ["compiled", "python"])


def version(function, way):
    return function if way == "compiled" else function.py_func


def bent(height):
    return np.array([[-1.0, 0.0, 0.0], [0.0, height, 0.0], [1.0, 0.0, 0.0]])


@BOTH
def test_bending_vector_is_the_second_difference(way):
    assert version(bending_vector, way)(bent(0.2), POINTS, WEIGHTS, 0) == pytest.approx((0.0, -0.4, 0.0))


@BOTH
def test_straight_element_has_no_energy_and_no_force(way):
    forces = np.zeros((3, 3))
    version(add_bending_forces, way)(bent(0.0), FLAT, forces)
    np.testing.assert_array_equal(forces, 0.0)
    assert version(bending_energy, way)(bent(0.0), FLAT) == 0.0


@BOTH
def test_bent_element_straightens(way):
    forces = np.zeros((3, 3))
    version(add_bending_forces, way)(bent(0.2), FLAT, forces)
    np.testing.assert_allclose(forces[:, 1], [1.2, -2.4, 1.2])
    energy = version(bending_energy, way)(bent(0.2), FLAT)
    assert energy == pytest.approx(0.5 * 3.0 * 0.16)


@BOTH
def test_element_at_its_own_curvature_is_at_rest(way):
    forces = np.zeros((3, 3))
    version(add_bending_forces, way)(bent(0.05), CURVED, forces)
    assert np.abs(forces).max() < 1e-15


@BOTH
def test_curved_element_ironed_flat_has_no_direction_and_no_force(way):
    forces = np.zeros((3, 3))
    version(add_bending_forces, way)(bent(0.0), CURVED, forces)
    version(add_constant_bending_forces, way)(bent(0.0), CURVED, TENSIONS, np.array([0]), 1.0, forces)
    np.testing.assert_array_equal(forces, 0.0)


@BOTH
def test_constant_part_is_the_force_without_its_linear_part(way):
    full, linear, constant = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3))
    version(add_bending_forces, way)(bent(0.3), CURVED, full)
    version(add_bending_forces, way)(bent(0.3), FLAT, linear)
    version(add_constant_bending_forces, way)(bent(0.3), CURVED, TENSIONS, np.array([0]), 1.0, constant)
    np.testing.assert_allclose(linear + constant, full, atol=1e-15)
