"""How bodies look where the scene does not say: colours, fabrics, texture coordinates, thickness of ropes."""

from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import NDArray

from supple.scene.bodies.body import Body
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material, presets
from supple.scene.cloth_shapes.bezier import Bezier
from supple.scene.cloth_shapes.cushion import Cushion
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.scene import Scene

CLOTH_COLOURS = (
    ("#d2455c", "#ead9bd"),
    ("#3f8fb5", "#e4e2d2"),
    ("#dda23f", "#7a6350"),
    ("#5f9a70", "#ebe3cd"),
    ("#8a76c2", "#e0d8ea"),
)
"""Front and back of the first, second, ... cloth."""

FABRIC_WORDS = {
    "silk": ("silk", "satin", "chiffon", "organza", "voile", "taffeta"),
    "wool": ("wool", "felt", "tweed", "flannel", "fleece", "velvet"),
    "denim": ("denim", "jeans", "canvas", "sailcloth", "twill"),
    "knit": ("knit", "jersey", "interlock", "ponte", "rib"),
    "rubber": ("rubber", "latex", "vinyl", "leather", "foil", "film"),
    "mail": ("mail",),
    "cotton": ("cotton", "linen", "poplin", "napkin", "bunting", "calico"),
}
"""Words in the name of a material that tell how the fabric looks."""

UNDYED = "#e8e0d0"
"""Cloth before it is dyed."""

ROPE_COLOURS = ("#a8532f", "#2f6f94", "#7a8a2c", "#8a5a9e", "#b0842b")
"""Of the first, second, ... chain: they are thin, so they are darker than cloth to be seen."""

OTHER_COLOURS = {"network": "#7d8794", "lattice": "#c96f5a", "soft": "#c96f5a", "puppet": "#e0d3bf"}
"""Colours of other bodies that have no back."""

SOLID_COLOURS = ("#e0d3bf", "#b4bdc7", "#a9bf9c", "#c3a9c9", "#d6ac93")
"""Of the first, second, ... obstacle."""


def body_colours(number: int, kind: str, chosen: str | None) -> tuple[str, str]:
    """Return the colours of the front and the back of a body: those chosen, or by its place in the scene."""
    if chosen is not None:
        return chosen, back_colour(chosen) if kind == "cloth" else chosen
    if kind == "cloth":
        return CLOTH_COLOURS[number % len(CLOTH_COLOURS)]
    if kind == "chain":
        rope = ROPE_COLOURS[number % len(ROPE_COLOURS)]
        return rope, rope
    colour = OTHER_COLOURS.get(kind, "#8a8f98")
    return colour, colour


def fabric_of(body: Body, scene: Scene) -> str:
    """Return how the material of a body looks: one of `FABRIC_WORDS`.

    The name of the material decides; one without a telling name looks like the preset whose weight and bending
    stiffness are most like its own.

    Args:
        body: any body; only cloth has a fabric, others are smooth
        scene: the scene of that body
    """
    if not isinstance(body, Cloth):
        return "rubber"
    words = body.material.lower() if isinstance(body.material, str) else ""
    for fabric, names in FABRIC_WORDS.items():
        if any(re.search(rf"\b{name}", words) for name in names):
            return fabric
    material = scene.material_of(body)

    def difference(preset: Material) -> float:
        pairs = [
            (preset.area_density, material.area_density),
            (_mean(preset.bending_stiffness), _mean(material.bending_stiffness)),
        ]
        return sum(abs(math.log((a + 1e-9) / (b + 1e-9))) for a, b in pairs)

    return min(("silk", "cotton", "wool", "denim"), key=lambda name: difference(presets()[name]))


def _mean(stiffness: float | tuple[float, float]) -> float:
    return stiffness if isinstance(stiffness, float | int) else 0.5 * (stiffness[0] + stiffness[1])


def back_colour(front: str) -> str:
    """Return the colour of the back of a cloth whose front has this one: paler, as where a dye has not gone through."""
    if front in dict(CLOTH_COLOURS):
        return dict(CLOTH_COLOURS)[front]
    shades = zip(_channels(front), _channels(UNDYED), strict=True)
    return "#" + "".join(f"{round(0.35 * shade + 0.65 * plain):02x}" for shade, plain in shades)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


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
    if isinstance(body, Cloth) and isinstance(body.shape, Panel):
        return body.rest_points()[:, :2].copy()
    if isinstance(body, Cloth) and isinstance(body.shape, Cushion):
        return body.shape.flat_coordinates()
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred[:: max(1, len(centred) // 2000)], full_matrices=False)
    flat = np.zeros((len(points), 2))
    flat[:, : min(2, len(axes))] = centred @ axes[:2].T
    return flat


def grid_columns(body: Body, triangle_count: int) -> int:
    """Return how many points stand in a row of a cloth that is a whole grid, 0 for any other body."""
    if not (isinstance(body, Cloth) and isinstance(body.shape, Rectangle | Bezier)):
        return 0
    columns, rows = body.shape.columns, body.shape.rows
    return columns if triangle_count == 2 * (columns - 1) * (rows - 1) else 0


def tube_radius(rest_lengths: NDArray[np.float64], scene_radius: float) -> float:
    """Return the radius [m] to draw springs with: a part of their length, but not too thin to be seen.

    Args:
        rest_lengths: (spring_count,) [m]
        scene_radius: of a ball around the scene [m]
    """
    thinnest = 0.011 * scene_radius
    if len(rest_lengths) == 0:
        return thinnest
    return float(max(min(0.18 * np.median(rest_lengths), 1.5 * thinnest), thinnest))
