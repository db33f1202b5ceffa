"""Rotations as matrices and quaternions, as files of others want them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def turn_matrix(quaternion: npt.NDArray[Any]) -> Floats:
    """Return the (3, 3) rotation of a quaternion x, y, z, w of any length but 0."""
    x, y, z, w = (np.asarray(quaternion, np.float64) / np.linalg.norm(quaternion)).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_of(turn: npt.NDArray[Any]) -> Floats:
    """Return the quaternion x, y, z, w of a (3, 3) rotation; its largest part is positive.

    Four times the squares of its parts stand on the diagonal. The largest is found first and divides the
    others, so none is lost to rounding, whatever the angle.
    """
    m = np.asarray(turn, np.float64)
    squares = np.array(
        [
            1 + m[0, 0] - m[1, 1] - m[2, 2],
            1 - m[0, 0] + m[1, 1] - m[2, 2],
            1 - m[0, 0] - m[1, 1] + m[2, 2],
            1 + m[0, 0] + m[1, 1] + m[2, 2],
        ]
    )
    products = np.array(
        [
            [squares[0], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]],
            [m[0, 1] + m[1, 0], squares[1], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]],
            [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[2], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]],
        ]
    )
    row: Floats = products[int(squares.argmax())]
    return row / np.linalg.norm(row)
