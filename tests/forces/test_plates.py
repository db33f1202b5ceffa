"""Plates one at a time: energy, force and rest curvature."""

import numpy as np
import pytest

from supple.forces.plates import add_plate_forces, add_rest_curvature, plate_energy, plate_rows
from supple.model.plates import PlateArrays

BOTH = pytest.mark.parametrize("way", ["compiled", "python"])

WEIGHTS = np.random.default_rng(0).standard_normal((1, 3, 6))
WEIGHTS -= WEIGHTS.mean(axis=2, keepdims=True)
PLATE = PlateArrays(np.arange(6)[None], WEIGHTS, np.array([[2.0, 3.0, 1.0]]), np.zeros((1, 3)))
CURVED = PLATE._replace(rest=np.array([[0.5, -0.2, 0.1]]))
POINTS = np.random.default_rng(1).standard_normal((6, 3))


def version(function, way):
    return function if way == "compiled" else function.py_func


def pushed(way, plate, positions=POINTS):
    forces = np.zeros((6, 3))
    version(add_plate_forces, way)(positions, plate, forces)
    return forces


@BOTH
def test_the_force_of_flat_cloth_is_minus_the_slope_of_its_energy(way):
    found = pushed(way, PLATE)
    for i in range(6):
        for axis in range(3):
            around = []
            for away in (-1e-6, 1e-6):
                moved = POINTS.copy()
                moved[i, axis] += away
                around.append(version(plate_energy, way)(moved, PLATE))
            assert found[i, axis] == pytest.approx((around[0] - around[1]) / 2e-6, rel=1e-5, abs=1e-6)


@BOTH
def test_rest_curvature_is_what_is_left_of_the_force_beside_the_constant_matrix(way):
    forces = pushed(way, PLATE)
    version(add_rest_curvature, way)(POINTS, CURVED, np.array([0]), forces)
    np.testing.assert_allclose(forces, pushed(way, CURVED), atol=1e-12)
    np.testing.assert_allclose(forces.sum(axis=0), 0.0, atol=1e-12)


@BOTH
def test_row_sums_bound_the_stiffest_motion(way):
    rows = np.zeros(6)
    version(plate_rows, way)(PLATE, rows)
    matrix = np.einsum("ka,k,kb->ab", WEIGHTS[0], PLATE.stiffness[0], WEIGHTS[0])
    assert np.linalg.eigvalsh(matrix).max() <= rows.max()
