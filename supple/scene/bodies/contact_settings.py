"""Contact settings of bodies: whether their surfaces collide with each other, and what distance they keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import PlainValidator

from supple.scene.error_messages import Steps
from supple.scene.field_types import Choice
from supple.scene.placement import FloatArray, IndexArray

ClothContact = Literal["exact", "points", "off"]
SoftContact = Literal["exact", "off"]


def as_cloth_contact(value: Any) -> str:
    """Return how cloth meets cloth: a word, or true for "exact" and false for "off"."""
    return Choice(get_args(ClothContact))(switched(value))


def as_soft_contact(value: Any) -> str:
    """Return how a soft body meets others: a word, or true for "exact" and false for "off"."""
    return Choice(get_args(SoftContact))(switched(value))


def switched(value: Any) -> Any:
    """Return the word for a switch: whoever only says that bodies meet gets the guarantee."""
    return {True: "exact", False: "off"}[value] if isinstance(value, bool) else value


ClothContactField = Annotated[ClothContact, PlainValidator(as_cloth_contact)]
SoftContactField = Annotated[SoftContact, PlainValidator(as_soft_contact)]

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
