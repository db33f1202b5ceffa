"""Size and pose of the mannequin, as a scene gives them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import PlainValidator

from supple.scene.declared import Declared
from supple.scene.error_messages import checked_part, field_error, shown
from supple.scene.field_types import Number

ARM = Number(at_least=15.0, at_most=100.0)


def as_arms(value: Any) -> tuple[float, float]:
    """Return the angles of the left and the right arm, or say what they may be [degrees]."""
    if isinstance(value, list | tuple):
        if len(value) != 2:
            raise field_error(f"is {shown(value)}, but it must be one angle, or two: [left, right].")
        return checked_part(0, ARM, value[0]), checked_part(1, ARM, value[1])
    return ARM(value), ARM(value)


class Mannequin(Declared):
    """How tall the mannequin is, how wide, and how it holds its arms and legs.

    Example:
        >>> Mannequin(height=1.6, arms_deg=30).arms_deg
        (30.0, 30.0)
    """

    kind: ClassVar[str] = "mannequin"

    height: Annotated[float, PlainValidator(Number(at_least=0.2, at_most=3.0))] = 1.75
    """From the soles to the top of the head [m]."""

    girth: Annotated[float, PlainValidator(Number(at_least=0.8, at_most=1.3))] = 1.0
    """Width and depth over those that go with the height [-]."""

    arms_deg: Annotated[tuple[float, float], PlainValidator(as_arms)] = (24.0, 24.0)
    """Angles of the left and the right arm away from hanging straight down, from 15 to 100 degrees; one for both will do."""

    stance_deg: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=15.0))] = 0.0
    """Angle of either leg away from the vertical [degrees]."""
