"""Images: what a camera sees, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from supple.render.colours import BACKGROUND_COLOUR, front_and_back, srgb_table
from supple.render.corner_normals import corner_normals
from supple.render.rods import rod_surfaces
from supple.render.view import View
from supple.render.z_buffer import Buffers, draw_plane, draw_triangles, paint
from supple.scene.camera import Camera

Floats = NDArray[np.float64]

LIGHT = np.array([0.45, 0.8, 0.4]) / np.linalg.norm([0.45, 0.8, 0.4])
"""Direction to the sun."""

AMBIENT, SKY, SUN = 0.2, 0.22, 0.72
"""Light from everywhere, more of it from above, and light of the sun on what faces it [-]."""

SRGB = srgb_table()

THINNEST = 0.7
"""Smallest radius with which a chain or a spring is drawn [pixels], so that none falls between pixels."""


@dataclass(frozen=True)
class Drawing:
    """A surface, rods or a plane to be drawn."""

    name: str
    """Of the body or obstacle."""

    colour: str
    """sRGB, "#rrggbb"."""

    points: Floats
    """(n, 3) [m]; of a plane a point of it and its normal, (2, 3)."""

    triangles: NDArray[np.integer]
    """(m, 3) point indices; empty for rods and planes."""

    edges: NDArray[np.integer]
    """(e, 2) point indices, drawn as rods if there are no triangles."""

    radius: float = 0.0
    """Of rods [m]."""

    is_plane: bool = False
    """Whether it has no end."""

    normals: Floats | None = None
    """(m, 3, 3) unit normals at the corners of the triangles if they are known."""


@dataclass(frozen=True, repr=False)
class Image:
    """What a camera saw at a moment."""

    rgb: NDArray[np.uint8]
    """(height, width, 3) sRGB."""

    depth: NDArray[np.float32]
    """(height, width) distance from the eye along the direction of view [m]; inf where nothing is."""

    ids: NDArray[np.int32]
    """(height, width) 0 where nothing is, else a number of `names`, counted from 1."""

    names: tuple[str, ...]
    """Bodies and obstacles: what has number n in `ids` is called `names[n - 1]`."""

    camera: Camera
    """Where it was taken from."""

    def __repr__(self) -> str:
        """Return size and contents in a line."""
        height, width = self.ids.shape
        return f"Image({width} x {height} of {', '.join(self.names)})"

    @cached_property
    def points(self) -> NDArray[np.float32]:
        """What every pixel shows, in world axes, (height, width, 3) [m]; NaN where nothing is."""
        height, width = self.depth.shape
        focal, view = self.camera.focal(height), View.of(self.camera)
        slopes_x = (np.arange(width) + 0.5 - 0.5 * width) / focal
        slopes_y = (0.5 * height - np.arange(height) - 0.5) / focal
        rays = slopes_x[None, :, None] * view.axes[0] + slopes_y[:, None, None] * view.axes[1] + view.axes[2]
        depths = np.where(self.ids > 0, self.depth, np.nan).astype(np.float64)
        points: NDArray[np.float32] = (view.eye + depths[:, :, None] * rays).astype(np.float32)
        return points

    def mask(self, name: str) -> NDArray[np.bool_]:
        """Return which pixels show a body or an obstacle, (height, width)."""
        shown: NDArray[np.bool_] = self.ids == self.names.index(name) + 1
        return shown


def lights_of(normals: Floats) -> Floats:
    """Return how much light falls on the two sides of surfaces with these unit normals (..., 3): (..., 2) [-]."""
    up, towards = normals[..., 1], normals @ LIGHT
    sides = [
        AMBIENT + SKY * 0.5 * (1.0 + sign * up) + SUN * np.maximum(sign * towards, 0.0)
        for sign in (1.0, -1.0)
    ]
    return np.stack(sides, axis=-1)


def depths_of(
    points: Floats, triangles: NDArray[np.int64], camera: Camera, size: tuple[int, int]
) -> NDArray[np.float32]:
    """Return how far a surface is in each pixel of an image, (height, width) [m]; inf where it is not seen."""
    width, height = size
    buffers = Buffers.blank(width, height, camera.focal(height))
    corners = np.ascontiguousarray(View.of(camera).into(points)[triangles])
    draw_triangles(corners, np.zeros((len(corners), 3, 2)), 1, buffers, np.zeros((4, 5)))
    with np.errstate(divide="ignore"):
        return (1.0 / buffers.nearness).astype(np.float32)


def draw(drawings: Sequence[Drawing], camera: Camera, size: tuple[int, int]) -> Image:
    """Return what a camera sees, `size` wide and high [pixels]."""
    width, height = size
    view, focal = View.of(camera), camera.focal(height)
    buffers, polygon = Buffers.blank(width, height, focal), np.zeros((4, 5))
    for mark, drawing in enumerate(drawings, start=1):
        if drawing.is_plane:
            normal = drawing.points[1]
            offset = float((drawing.points[0] - view.eye) @ normal)
            draw_plane(view.axes @ normal, offset, lights_of(normal), mark, buffers)
            continue
        if len(drawing.triangles):
            corners = view.into(drawing.points)[drawing.triangles]
            normals = drawing.normals
            if normals is None:
                normals = corner_normals(drawing.points, drawing.triangles)
        else:
            depths = view.into(drawing.points)[:, 2]
            radii = np.maximum(drawing.radius, THINNEST * np.maximum(depths, 0.0) / focal)
            corners, normals = rod_surfaces(drawing.points, drawing.edges, radii)
            corners = view.into(corners)
        draw_triangles(np.ascontiguousarray(corners), lights_of(normals), mark, buffers, polygon)
    colours = np.zeros((len(drawings) + 1, 2, 3))
    for mark, drawing in enumerate(drawings, start=1):
        colours[mark] = front_and_back(drawing.colour)
    rgb = np.zeros((height, width, 3), dtype=np.uint8)
    background = np.array([int(BACKGROUND_COLOUR[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.uint8)
    paint(buffers, colours, background, SRGB, rgb)
    with np.errstate(divide="ignore"):
        depth = (1.0 / buffers.nearness).astype(np.float32)
    return Image(rgb, depth, buffers.ids, tuple(drawing.name for drawing in drawings), camera)
