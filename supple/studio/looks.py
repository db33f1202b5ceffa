"""How bodies look where the scene does not say: colours, texture coordinates, thickness of ropes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.scene.bezier import Bezier
from supple.scene.body import Body
from supple.scene.cloth import Cloth
from supple.scene.rectangle import Rectangle

CLOTH_COLOURS = (
    ("#b8384c", "#e3c9a8"),
    ("#2f6f8f", "#d9dccf"),
    ("#c98a2b", "#5b4a3f"),
    ("#4f7d5b", "#e6ddc6"),
    ("#6d5a9c", "#d8cfe0"),
)
"""Front and back of the first, second, ... cloth."""

OTHER_COLOURS = {"chain": "#8d6b4a", "network": "#7d8794", "lattice": "#c96f5a", "soft body": "#c96f5a"}
"""Colours of bodies that have no back."""


def body_colours(number: int, kind: str) -> tuple[str, str]:
    """Return the colours of the front and the back of a body, by its place in the scene."""
    if kind == "cloth":
        return CLOTH_COLOURS[number % len(CLOTH_COLOURS)]
    colour = OTHER_COLOURS.get(kind, "#8a8f98")
    return colour, colour


def flat_coordinates(body: Body) -> NDArray[np.float64]:
    """Return where each point lies on the flat cloth, (point_count, 2) [m].

    A pattern laid out by these shows stretch: it is as large as the cloth was when it was cut.
    """
    points = body.local_points()
    if isinstance(body, Cloth) and isinstance(body.shape, Rectangle | Bezier):
        grid = points.reshape(body.shape.rows, body.shape.columns, 3)
        along = np.linalg.norm(np.diff(grid, axis=1), axis=2).mean(axis=0)
        down = np.linalg.norm(np.diff(grid, axis=0), axis=2).mean(axis=1)
        u, v = np.meshgrid(np.r_[0.0, np.cumsum(along)], -np.r_[0.0, np.cumsum(down)])
        return np.stack([u.ravel(), v.ravel()], axis=1)
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred[:: max(1, len(centred) // 2000)], full_matrices=False)
    flat = np.zeros((len(points), 2))
    flat[:, : min(2, len(axes))] = centred @ axes[:2].T
    return flat


def tube_radius(rest_lengths: NDArray[np.float64]) -> float:
    """Return the radius [m] to draw springs with: a part of their length, within reason."""
    if len(rest_lengths) == 0:
        return 0.005
    return float(np.clip(0.18 * np.median(rest_lengths), 0.002, 0.02))
