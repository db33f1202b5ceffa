"""Placement of points given in a body's own axes: rotation and translation into the world."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def rotation_matrix(rotation: tuple[float, float, float]) -> FloatArray:
    """Return the (3, 3) matrix that turns about the fixed x axis, then y, then z.

    Args:
        rotation: angles [rad], right-handed

    Example:
        >>> (rotation_matrix((0.0, 0.0, math.pi / 2)) @ [1.0, 0.0, 0.0]).round(12).tolist()
        [0.0, 1.0, 0.0]
    """
    (cx, cy, cz), (sx, sy, sz) = map(math.cos, rotation), map(math.sin, rotation)
    # Written out: obstacles that move ask for it in every substep, and three products of arrays take ten times as long.
    return np.array(
        [
            [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
            [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
            [-sy, cy * sx, cy * cx],
        ]
    )


def placed(
    points: FloatArray, at: tuple[float, float, float], rotation: tuple[float, float, float]
) -> FloatArray:
    """Return (n, 3) points [m] turned by `rotation` [rad] about their own origin, then moved by `at` [m]."""
    turned: FloatArray = points @ rotation_matrix(rotation).T if any(rotation) else points
    moved: FloatArray = turned + np.array(at)
    return moved


def rotation_angles(matrix: FloatArray) -> tuple[float, float, float]:
    """Return angles [rad] for which `rotation_matrix` gives the (3, 3) matrix.

    Where y is turned by a quarter, x and z turn about the same line; all of it is then given to x.

    Example:
        >>> [round(angle, 12) for angle in rotation_angles(rotation_matrix((0.1, -0.2, 0.3)))]
        [0.1, -0.2, 0.3]
    """
    across = math.hypot(matrix[0, 0], matrix[1, 0])
    y = math.atan2(-matrix[2, 0], across)
    if across > 1.0e-9:
        return math.atan2(matrix[2, 1], matrix[2, 2]), y, math.atan2(matrix[1, 0], matrix[0, 0])
    return math.atan2(-matrix[1, 2], matrix[1, 1]), y, 0.0
