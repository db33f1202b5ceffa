"""Cameras: where pictures of a running scene are taken from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import PlainValidator

from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Name, Number, Vec3


class Camera(Declared):
    """A pinhole camera without roll: what is up in the world is up in the image.

    One that looks straight down or up has -z at its upper border.

    Example:
        >>> Camera(at=(0.0, 0.0, 2.0), look_at=(0.0, 0.0, 0.0), fov_deg=90.0).focal(128)
        64.0
    """

    kind: ClassVar[str] = "camera"

    at: Vec3
    """Where the eye is, in world axes [m]."""

    look_at: Vec3 = (0.0, 0.0, 0.0)
    """What is in the middle of the image [m]."""

    fov_deg: Annotated[float, PlainValidator(Number(at_least=0.1, at_most=170.0))] = 40.0
    """Opening angle from the lower to the upper border [degrees]."""

    name: Name | None = None
    """What it is called; None takes "camera", with a number if that is taken."""

    def focal(self, height: int) -> float:
        """Return pixels per unit of slope in an image of that many rows; pixels are square."""
        return round(height / 2.0 / math.tan(math.radians(self.fov_deg) / 2.0), 12)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if math.dist(self.at, self.look_at) < 1e-9:
            yield ("look_at",), "is where the camera is, so it has no direction. Move one of them."
