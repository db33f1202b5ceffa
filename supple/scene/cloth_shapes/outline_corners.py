"""Corners of an outline and the edges between them, as they are declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator, model_validator

from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, field_error, shown
from supple.scene.field_types import FARTHEST, Name, Number, numbers_of

Vec2 = tuple[float, float]


def as_place(value: Any) -> Vec2:
    """Return a point of the plane [m], or say what is wrong with it."""
    x, y = numbers_of(value, "two numbers [x, y]", 2)
    for axis, number in zip("xy", (x, y), strict=True):
        if abs(number) > FARTHEST:
            raise field_error(
                f"has {axis} = {number:g}, but no coordinate may be farther out than {FARTHEST / 1000:g} km."
            )
    return x, y


def as_curve(value: Any) -> tuple[Vec2, ...]:
    """Return the control points of an edge, or say how many there may be."""
    wanted = "one control point [[x, y]] for a quadratic edge or two for a cubic one"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        raise field_error(f"is {shown(value)}, but it must be {wanted}.")
    if value and not isinstance(value[0], list | tuple | np.ndarray):
        value = [value]  # one control point without its outer brackets
    if len(value) > 2:
        raise field_error(f"has {len(value)} control points, but it must be {wanted}.")
    return tuple(as_place(point) for point in value)


class Corner(Declared):
    """A corner of an outline, and the edge that leads from it to the next."""

    kind: ClassVar[str] = "corner"

    at: Annotated[Vec2, PlainValidator(as_place)]
    """Where it lies on the flat piece [m]."""

    edge: Name | None = None
    """What the edge from here is called; None gives edge-0, edge-1 and so on around the piece."""

    curve: Annotated[tuple[Vec2, ...], PlainValidator(as_curve)] = ()
    """Control points of the edge from here [m]: none if straight, one if quadratic, two if cubic."""

    arc: Annotated[float, PlainValidator(Number(at_least=-FARTHEST, at_most=FARTHEST))] = 0.0
    """How far the middle of the edge from here stands out to its left if it is an arc of a circle [m]."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.curve and self.arc:
            yield ("arc",), "stands beside a curve. An edge is one or the other."

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, values: Any) -> Any:
        return values if isinstance(values, Corner | Mapping) else {"at": values}
