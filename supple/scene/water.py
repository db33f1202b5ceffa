"""Water: a region of the scene that carries, slows down and lifts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import PlainValidator

from supple.scene.bodies.selection import Corners
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import FARTHEST, Density, Name, Number, Velocity

NotNegative = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e4))]


class Water(Declared):
    """Everything below a level, or inside a box.

    Cloth is dragged along with the current, lifted by the weight of what it displaces and slowed by
    the water that it has to move. Whether it floats is a matter of its density: the mass per area over
    the thickness of its material. Soft bodies are dragged and lifted by their own density.

    Theory: docs/theory/water.md, eq. (H1), (H2), (H3).

    Example:
        >>> Water(box=((-1.0, -0.5, -1.0), (1.0, 0.2, 1.0))).surface_height
        0.2
    """

    kind: ClassVar[str] = "water"

    name: Name | None = None
    """What it is called; None takes "water", with a number if that is taken."""

    level: Annotated[float, PlainValidator(Number(at_least=-FARTHEST, at_most=FARTHEST))] | None = None
    """Height of the surface [m]; everything below is water. None is 0, or the top of the box."""

    box: Corners | None = None
    """Low and high corner of a basin [m], instead of everything below a level."""

    current: Velocity = (0.0, 0.0, 0.0)
    """Velocity of the water, in world axes [m/s]."""

    density: Density = 1000.0
    """Of the water [kg/m³]."""

    drag: NotNegative = 1.2
    """Drag coefficient of a plate face-on [-]."""

    skin: NotNegative = 0.02
    """Friction along a plate, both sides together [-]."""

    added_layer: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=10.0))] = 0.005
    """Thickness of the water that moves along when cloth moves face-on [m]: the added mass per area over the density."""

    @property
    def surface_height(self) -> float:
        """Height of the surface [m]."""
        if self.box is not None:
            return self.box[1][1]
        return 0.0 if self.level is None else self.level

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.box is None:
            return
        if self.level is not None:
            yield ("level",), "is given beside a box, whose top is the surface. Keep one of them."
        for axis, low, high in zip("xyz", *self.box, strict=True):
            if high - low <= 0.0:
                yield ("box",), f"has no extent along {axis}."
