"""Colours of what is drawn, from the scene's sRGB to linear light and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

COLOURS = ("#c8452f", "#2f7f86", "#d99a2b", "#4a5fa5", "#6f8f4e", "#8a4a78", "#b9704a", "#4d6a78")
"""Colours of the bodies, in turn, as sRGB."""

OBSTACLE_COLOUR, PLANE_COLOUR, BACKGROUND_COLOUR = "#9aa0a6", "#d3d1cb", "#eeede8"
"""sRGB of obstacles and planes for which the scene chooses none, and of pixels that show nothing."""


def linear_colour(colour: str) -> NDArray[np.float64]:
    """Return "#rrggbb" as linear light, (3,) from 0 to 1."""
    coded = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def front_and_back(colour: str) -> NDArray[np.float64]:
    """Return the linear colours of the two sides of a surface, (2, 3): the back is a little paler and darker."""
    front = linear_colour(colour)
    return np.stack([front, 0.72 * front + 0.06])


def srgb_table() -> NDArray[np.uint8]:
    """Return sRGB bytes of linear light from 0 to 1 in 4096 steps."""
    light = np.linspace(0.0, 1.0, 4096)
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(255.0 * coded).astype(np.uint8)
