"""Boxes of water that the page draws."""

from __future__ import annotations

from supple.scene.water import Water
from supple.studio.connection.protocol import WaterShape

SIGHT = 6.0
"""Water without an end is drawn as far as so many radii of the scene [-]."""

DEPTH = 1.5
"""And as deep as so many [-]."""


def water_shapes(
    waters: tuple[Water, ...], centre: tuple[float, float, float], radius: float
) -> tuple[WaterShape, ...]:
    """Return the waters of a scene around a ball of `radius` about `centre` [m] as boxes with an end."""
    x, _, z = centre
    shapes = []
    for water in waters:
        top = water.surface_height
        low = (x - SIGHT * radius, top - DEPTH * radius, z - SIGHT * radius)
        high = (x + SIGHT * radius, top, z + SIGHT * radius)
        if water.box is not None:
            low, high = water.box
        shapes.append(WaterShape(name=water.name or water.kind, low=low, high=high, current=water.current))
    return tuple(shapes)
