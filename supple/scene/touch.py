"""How surfaces of bodies meet: whether they notice each other, and what distance they keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from supple.scene.mistakes import Steps
from supple.scene.placement import FloatArray, IndexArray

ClothContact = Literal["exact", "points", "off"]
SoftContact = Literal["exact", "off"]

USUAL_THICKNESS = 1.0e-3
"""Distance that layers keep unless told otherwise [m]."""

THICKEST = 0.7
"""Largest thickness, in heights of the smallest triangle [-]: neighbours must not count as too close."""


def least_height(points: FloatArray, triangles: IndexArray) -> float:
    """Return the least height of any triangle [m]."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    double_areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    sides = [np.linalg.norm(d, axis=1) for d in (b - a, c - b, a - c)]
    return float((double_areas / np.max(sides, axis=0)).min())


def thickness_of(given: float | None, points: FloatArray, triangles: IndexArray) -> float:
    """Return the distance that a surface keeps [m]: less than its smallest triangles are high."""
    return given if given is not None else min(USUAL_THICKNESS, 0.5 * least_height(points, triangles))


def thickness_mistakes(
    given: float | None, points: FloatArray, triangles: IndexArray
) -> Iterator[tuple[Steps, str]]:
    """Yield a mistake if a thickness is too large for the triangles of a surface."""
    if given is None:
        return
    height = least_height(points, triangles)
    if given > THICKEST * height:
        yield (
            ("thickness",),
            f"is {given:g} m, but the smallest triangles are only {height:.2g} m high. "
            f"Make it at most {THICKEST * height:.2g}, or take fewer points.",
        )
