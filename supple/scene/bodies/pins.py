"""Points that are held: exactly by a pin, softly by an anchor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import PlainValidator, model_validator

from supple.scene.bodies.selection import Selection
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import STIFFEST, Name, Number, Vec3
from supple.scene.timeline.keyframes import Path


class Pin(Declared):
    """Points held exactly, at rest, along a path, or on an obstacle or puppet that moves.

    Example:
        >>> Pin(where="top-left").path is None
        True
    """

    kind: ClassVar[str] = "pin"

    where: Selection
    """Which points are held."""

    path: Path | None = None
    """How they move; None is not at all."""

    to: Name | None = None
    """Obstacle that carries them, by its name: a gripper, or the bone of a character; or a puppet, whose nearest triangle
    carries each point. None is none."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.to is not None and self.path is not None:
            yield ("to",), "is given beside a path. Keep one of them."

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, values: Any) -> Any:
        if isinstance(values, Pin | Mapping) and not (isinstance(values, Mapping) and set(values) == {"box"}):
            return values
        return {"where": values}


class Anchor(Declared):
    """Points pulled towards a place by a spring of no length.

    Theory: Güdükbay, Özgüç and Tokad 1997, Eq. 8: f = k (p0 - x).
    """

    kind: ClassVar[str] = "anchor"

    where: Selection
    """Which points are held."""

    stiffness: Annotated[float, PlainValidator(Number(above=0.0, at_most=STIFFEST))]
    """Pull per distance, on each point [N/m]."""

    target: Vec3 | None = None
    """Where they are pulled to, in world axes [m]; None is where each point starts."""
