"""Rotations as matrices, quaternions and angles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NO_ROTATION: Floats = np.array([0.0, 0.0, 0.0, 1.0])
"""Quaternion x, y, z, w of no rotation."""


def quaternion_matrix(quaternion: npt.NDArray[Any]) -> Floats:
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


def rotated(vectors: Floats, quaternion: Floats) -> Floats:
    """Return vectors (n, 3) turned by a unit quaternion x, y, z, w."""
    axis, w = quaternion[:3], quaternion[3]
    twice = 2.0 * np.cross(axis, vectors)
    turned: Floats = vectors + w * twice + np.cross(axis, twice)
    return turned


def quaternion_product(a: Floats, b: Floats) -> Floats:
    """Return the quaternion of turning by `b`, then by `a`."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(vector, a[3] * b[3] - a[:3] @ b[:3])


def conjugate(quaternion: Floats) -> Floats:
    """Return the quaternion of turning back."""
    back: Floats = quaternion * (-1.0, -1.0, -1.0, 1.0)
    return back


def rotation_vector(quaternion: Floats) -> Floats:
    """Return axis times angle [rad] of a unit quaternion, the angle at most half a turn."""
    axis, w = quaternion[:3], float(quaternion[3])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return np.zeros(3)
    angle = 2.0 * math.atan2(sine, abs(w))
    vector: Floats = axis * (math.copysign(angle, w) / sine)
    return vector


def quaternion_of_vector(vector: Floats) -> Floats:
    """Return the quaternion x, y, z, w of a rotation given as axis times angle [rad]."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        return NO_ROTATION
    axis = vector / angle
    return np.append(axis * math.sin(0.5 * angle), math.cos(0.5 * angle))


def slerp(a: npt.NDArray[Any], b: npt.NDArray[Any], share: float) -> Floats:
    """Return the turn between two quaternions, evenly about one axis and the short way round."""
    start, end = np.asarray(a, np.float64), np.asarray(b, np.float64)
    start, end = start / np.linalg.norm(start), end / np.linalg.norm(end)
    cosine = float(start @ end)
    if cosine < 0.0:
        cosine, end = -cosine, -end
    angle = float(np.arccos(min(cosine, 1.0)))
    if angle < 1e-7:
        return start
    turned: Floats = (np.sin((1.0 - share) * angle) * start + np.sin(share * angle) * end) / np.sin(angle)
    return turned


def angles_of(turn: npt.NDArray[Any]) -> Floats:
    """Return the angles about the fixed x, then y, then z axis [rad] of a rotation matrix."""
    flat = float(np.hypot(turn[2, 1], turn[2, 2]))
    y = np.arctan2(-turn[2, 0], flat)
    if flat < 1e-9:  # x and z turn about the same axis
        return np.array([0.0, y, np.arctan2(-turn[0, 1], turn[1, 1])])
    return np.array([np.arctan2(turn[2, 1], turn[2, 2]), y, np.arctan2(turn[1, 0], turn[0, 0])])


def rigid_fit(before: Floats, after: Floats) -> tuple[Floats, Floats, float]:
    """Return the rotation (3, 3), the place of the centre (3,) and the largest distance left over [m].

    The rotation that takes the first points nearest to the second (Kabsch 1976).

    Args:
        before: (n, 3) [m]
        after: (n, 3) the same points later [m]
    """
    centre_a, centre_b = before.mean(axis=0), after.mean(axis=0)
    a, b = before - centre_a, after - centre_b
    u, _, v = np.linalg.svd(a.T @ b)
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v)) or 1.0])
    turn: Floats = (u @ flip @ v).T
    left = float(np.linalg.norm(a @ turn.T - b, axis=1).max(initial=0.0))
    return turn, centre_b, left
