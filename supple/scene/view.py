"""From where a scene is looked at when it opens."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import PlainValidator

from supple.scene.declared import Declared
from supple.scene.field_types import Length, Number


class View(Declared):
    """Direction and distance from which the studio, pictures and films first show a scene.

    What is in the middle follows from the scene: the centre of all there will be to see.

    Example:
        >>> View(azimuth_deg=-30.0).elevation_deg
        13.0
    """

    kind: ClassVar[str] = "view"

    azimuth_deg: Annotated[float, PlainValidator(Number(at_least=-360.0, at_most=360.0))] = 28.0
    """Direction to look from: 0 is from +z, 90 from +x [degrees]."""

    elevation_deg: Annotated[float, PlainValidator(Number(at_least=-20.0, at_most=89.0))] = 13.0
    """How far above the horizon to look from [degrees]."""

    distance: Length | None = None
    """From the middle of the scene [m], for a picture of 16 to 10: others are seen from where as much of it is seen. None is
    where all of it is seen."""
