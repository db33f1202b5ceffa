"""Bend a flat piece round an axis without stretching it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import PlainValidator

from supple.scene.declared import Declared
from supple.scene.error_messages import field_error, shown
from supple.scene.field_types import FARTHEST, WIDEST, Choice, Number, as_number
from supple.scene.placement import FloatArray


def as_radius(value: Any) -> float:
    """Return a radius other than 0 [m], or say what it may be."""
    radius = as_number(value)
    if not 1.0e-4 <= abs(radius) <= WIDEST:
        raise field_error(
            f"is {shown(value)}, but it must lie between 0.0001 and {WIDEST:g}, or be minus that."
        )
    return radius


class Wrap(Declared):
    """A bend round an axis, so that a piece starts curved although it is flat at rest.

    Theory: docs/theory/panels.md, eq. (P4). A point at the distance s from the line that stays in place goes to
    the angle s / radius.
    """

    kind: ClassVar[str] = "wrap"

    radius: Annotated[float, PlainValidator(as_radius)]
    """Distance of the axis behind the piece, or before it if negative [m]."""

    axis: Annotated[Literal["x", "y"], PlainValidator(Choice(("x", "y")))] = "y"
    """What the axis is parallel to: "y" bends the sides back, "x" the upper and the lower end."""

    centre: Annotated[float, PlainValidator(Number(at_least=-FARTHEST, at_most=FARTHEST))] = 0.0
    """Coordinate of the line that stays in place, across the axis [m]."""

    def bent(self, points: FloatArray) -> FloatArray:
        """Return (n, 3) flat points [m] laid round the axis."""
        across = 0 if self.axis == "y" else 1
        angle = (points[:, across] - self.centre) / self.radius
        bent = points.copy()
        bent[:, across] = self.centre + self.radius * np.sin(angle)
        # cos(angle) - 1 without losing digits where the piece is nearly flat
        bent[:, 2] = -2.0 * self.radius * np.sin(0.5 * angle) ** 2
        return bent
