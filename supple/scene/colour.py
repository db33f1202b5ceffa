"""Colours of bodies and obstacles, as a scene names them."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import PlainValidator

from supple.scene.error_messages import field_error, listed, shown, suggestion

COLOURS = {
    "red": "#c8364b",
    "orange": "#d9803a",
    "yellow": "#dfb23f",
    "green": "#5f9a70",
    "blue": "#3f7fb5",
    "purple": "#8a76c2",
    "pink": "#d98aa4",
    "brown": "#7a5c46",
    "white": "#f0ece4",
    "grey": "#9aa0a6",
    "black": "#2b2d33",
    "skin": "#e0c3a8",
    "wood": "#a9825a",
    "steel": "#aab4c0",
    "plaster": "#e0d3bf",
}
"""sRGB of colours that have a name; they go together."""

DIGITS = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def as_colour(value: Any) -> str:
    """Return a colour as "#rrggbb", or say how one is written."""
    if isinstance(value, str) and value in COLOURS:
        return COLOURS[value]
    if isinstance(value, str) and DIGITS.fullmatch(value):
        digits = value[1:].lower()
        return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))
    near = suggestion(value, tuple(COLOURS))
    raise field_error(
        f'is {shown(value)}, but it must be "#rrggbb" or one of {listed(tuple(COLOURS))}.{near}'
    )


Colour = Annotated[str, PlainValidator(as_colour)]
"""sRGB as "#rrggbb", written so or by name."""
