"""Poses of obstacles: bounds of the motion between two of them, and interpolation.

A pose is twelve numbers: the rotation by rows, then the position [m].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.obstacles.solids import Plane


class Poses(NamedTuple):
    """Poses of all solids in the current substep."""

    t0: NDArray[np.float64]
    """(solid_count, 12) at its start."""

    t1: NDArray[np.float64]
    """(solid_count, 12) at its end."""


def bounding_radius(obstacle: Obstacle) -> float:
    """Return how far from its own origin an obstacle reaches [m]; inf for planes."""
    if isinstance(obstacle, Plane):
        return float("inf")
    vertices, _ = obstacle.surface()
    return 1.01 * float(np.linalg.norm(vertices, axis=1).max())


@dataclass(frozen=True)
class Placement:
    """Position (3,) [m] and angles about the fixed axes (3,) [rad] of an obstacle."""

    at: NDArray[np.float64]
    rotation: NDArray[np.float64]


def box_at(obstacle: Obstacle, pose: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lowest and the highest corner of an obstacle in world axes, (6,) [m]; infinite for planes."""
    if isinstance(obstacle, Plane):
        return np.array([-np.inf] * 3 + [np.inf] * 3)
    vertices, _ = obstacle.surface()
    places = vertices @ pose[:9].reshape(3, 3).T + pose[9:]
    low, high = places.min(axis=0), places.max(axis=0)
    # What is drawn of a round shape is a little smaller than the shape.
    border = 0.02 * float((high - low).max())
    return np.concatenate([low - border, high + border])


def largest_move(before: NDArray[np.float64], after: NDArray[np.float64], radius: float) -> float:
    """Return how far any point of an obstacle moves between two poses, at most [m]."""
    change = (after - before).tolist()
    turn, shift = math.hypot(*change[:9]), math.hypot(*change[9:])
    return shift + (turn * radius if turn > 0.0 else 0.0)


def angles_of(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles about the fixed x, y and z axes of a rotation matrix [rad]."""
    y = np.arctan2(-turn[2, 0], np.hypot(turn[2, 1], turn[2, 2]))
    if np.hypot(turn[2, 1], turn[2, 2]) < 1e-9:
        return np.array([0.0, y, np.arctan2(-turn[0, 1], turn[1, 1])])
    return np.array([np.arctan2(turn[2, 1], turn[2, 2]), y, np.arctan2(turn[1, 0], turn[0, 0])])


def interpolated_rotation(
    start: NDArray[np.float64], end: NDArray[np.float64], fraction: float
) -> NDArray[np.float64]:
    """Return the rotation at a fraction of the turn from one to another, (3, 3), about the one axis between them.

    Angles about fixed axes would not do: near a quarter turn about y they whirl round while little turns.
    """
    change = end @ start.T
    axis = 0.5 * np.array(
        [change[2, 1] - change[1, 2], change[0, 2] - change[2, 0], change[1, 0] - change[0, 1]]
    )
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9:  # no turn at all, or half a turn, for which no axis is better than another
        return end if fraction >= 1.0 or change.trace() > 0.0 else start
    angle = fraction * math.atan2(sine, 0.5 * (float(change.trace()) - 1.0))
    if fraction >= 1.0:
        return end
    x, y, z = axis / sine
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn: NDArray[np.float64] = (
        np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * (cross @ cross)
    )
    return turn @ start


def triple(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the three numbers of a vector (3,)."""
    return float(vector[0]), float(vector[1]), float(vector[2])
