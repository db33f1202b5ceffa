"""The figures of a picture, the eye, the light and the floor, and how each sees the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from supple.record.pictures.camera import Camera
from supple.record.pictures.raster import Canvas, Projected
from supple.record.pictures.shade import Floor, Light, ShadowMap, View, shade_pixels
from supple.render.colours import COLOURS, linear_colour
from supple.render.corner_normals import corner_normals

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.integer]

PIN_COLOUR = "#23262b"
FLOOR_COLOUR, HORIZON_COLOUR, ZENITH_COLOUR = "#e4e2dc", "#eeede8", "#b9c7d6"

SHADOW_MAP_SIDE, FLOOR_SIDE = 1024, 384
STRAIGHT_UP = np.array([0.0, 1.0, 0.0])

SMALLEST_EXTENT = 0.05
"""Size taken for a scene that is a single point [m]."""


@dataclass(frozen=True)
class Figure:
    """One body as it is drawn."""

    positions: Floats
    """(n, 3) [m]"""

    triangles: Indices = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int64))
    """(m, 3) point indices, counter-clockwise seen from the front; drawn as a surface."""

    edges: Indices = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    """(e, 2) point indices, drawn as rods if there are no triangles."""

    pins: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """(p,) point indices, drawn as dots."""

    colour: str | None = None
    """sRGB as "#rrggbb"; None takes the next of `COLOURS`."""

    normals: Floats | None = None
    """(m, 3, 3) unit normals at the corners of every triangle; None takes those of its own triangles."""

    @property
    def corner_normals(self) -> Floats:
        """Unit normals at the corners of every triangle, (m, 3, 3); see `average_over_folds`."""
        return corner_normals(self.positions, self.triangles) if self.normals is None else self.normals


def all_points(figures: Sequence[Figure]) -> Floats:
    """Return every finite point of the figures, (n, 3) [m]; the origin if there is none."""
    points = np.concatenate([np.zeros((0, 3)), *(figure.positions for figure in figures)])
    points = points[np.isfinite(points).all(axis=1)]
    return points if len(points) else np.zeros((1, 3))


def default_floor(points: Floats) -> float:
    """Return a height a little under the lowest point [m]."""
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[1] - 0.02 * max(float(np.linalg.norm(high - low)), SMALLEST_EXTENT))


@dataclass(frozen=True)
class Stage:
    """Everything a picture is made of."""

    figures: Sequence[Figure]
    camera: Camera
    light: Light
    floor: float
    """Height of the floor [m]."""

    centre: Floats
    """(3,) middle of the box around everything [m]."""

    extent: float
    """Diagonal of that box [m]."""

    @classmethod
    def around(
        cls, figures: Sequence[Figure], size: tuple[int, int], camera: Camera | None, floor: float | None
    ) -> Stage:
        """Set the stage for the figures; see `render` for the arguments."""
        points = all_points(figures)
        low, high = points.min(axis=0), points.max(axis=0)
        extent = max(float(np.linalg.norm(high - low)), SMALLEST_EXTENT)
        camera = camera or Camera.framing(points, size)
        floor = default_floor(points) if floor is None else floor
        return cls(figures, camera, Light.over(camera.azimuth), floor, (low + high) / 2, extent)

    def shaded(self, size: tuple[int, int], *, thinnest: float) -> Floats:
        """Return the picture in linear light, (height, width, 3).

        Args:
            size: width and height [pixels]
            thinnest: smallest radius of a rod, so that none falls between the pixels [pixels]
        """
        view = View(np.array(self.camera.eye), self.camera.axes, self.camera.focal(size[1]))
        image = np.empty((size[1], size[0], 3))
        canvas = self.view(size, thinnest)
        shade_pixels(view, canvas, self.albedos(), self.shadow_map(), self.shaded_floor(), image)
        return image

    def albedos(self) -> Floats:
        """Return the linear colours of all paints: front and back of each figure, then pins."""
        rows = []
        for place, figure in enumerate(self.figures):
            front = linear_colour(figure.colour or COLOURS[place % len(COLOURS)])
            rows += [front, 0.72 * front + 0.06]
        return np.array([*rows, linear_colour(PIN_COLOUR)])

    def view(self, size: tuple[int, int], thinnest: float) -> Canvas:
        """Return what the camera sees."""
        canvas = Canvas.blank(*size)
        for place, figure in enumerate(self.figures):
            screen, nearness = self.camera.project(figure.positions, size)
            points = Projected(screen, nearness, self.camera.focal(size[1]) * nearness, nearness**2)
            self._draw(canvas, figure, 2 * place, points, self.camera.axes, thinnest)
        return canvas

    def shadow_map(self) -> ShadowMap:
        """Return the scene as the key light sees it."""
        points = all_points(self.figures) @ self.light.axes.T
        margin = 0.03 * self.extent
        origin = points[:, :2].min(axis=0) - margin
        scale = (SHADOW_MAP_SIDE - 1) / float((points[:, :2].max(axis=0) + margin - origin).max())
        canvas = Canvas.blank(SHADOW_MAP_SIDE, SHADOW_MAP_SIDE)
        for place, figure in enumerate(self.figures):
            local = figure.positions @ self.light.axes.T
            count = len(local)
            screen = (local[:, :2] - origin) * scale
            nearness = np.ascontiguousarray(local[:, 2])
            projected = Projected(screen, nearness, np.full(count, scale), np.zeros(count))
            self._draw(canvas, figure, 2 * place, projected, self.light.axes, 0.5)
        return ShadowMap(self.light.axes, origin, scale, canvas.depths, 6.0 / scale)

    def shaded_floor(self) -> Floor:
        """Return the floor with the shadows on it.

        The bodies are projected onto the floor twice, along the light and straight down, and the
        two silhouettes blurred: a shadow with soft borders, and the dimness under a body that
        hides the sky.
        """
        key = self.light.direction
        points = all_points(self.figures)
        ground = np.concatenate([self._projected(points, direction) for direction in (key, STRAIGHT_UP)])
        margin = 0.35 * self.extent
        origin = ground.min(axis=0) - margin
        scale = (FLOOR_SIDE - 1) / float((ground.max(axis=0) + margin - origin).max())
        shade = np.ones((FLOOR_SIDE, FLOOR_SIDE))
        for direction, softness, strength in ((key, 0.018, 0.42), (STRAIGHT_UP, 0.09, 0.22)):
            canvas = Canvas.blank(FLOOR_SIDE, FLOOR_SIDE)
            for figure in self.figures:
                count = len(figure.positions)
                screen = (self._projected(figure.positions, direction) - origin) * scale
                projected = Projected(screen, np.ones(count), np.full(count, scale), np.zeros(count))
                self._draw(canvas, figure, 0, projected, self.light.axes, 0.5)
            cover = Image.fromarray(np.where(canvas.paints >= 0, np.uint8(255), np.uint8(0)))
            blurred = cover.filter(ImageFilter.GaussianBlur(softness * self.extent * scale))
            shade *= 1.0 - strength / 255.0 * np.asarray(blurred, dtype=np.float64)
        fade = np.array([self.centre[0], self.centre[2], 0.9 * self.extent, 3.2 * self.extent])
        backdrop = np.array([linear_colour(c) for c in (FLOOR_COLOUR, HORIZON_COLOUR, ZENITH_COLOUR)])
        return Floor(self.floor, origin, scale, shade, fade, backdrop)

    def _projected(self, points: Floats, direction: Floats) -> Floats:
        """Return x and z of the shadows of points on the floor, (n, 2) [m]."""
        fall = (points[:, 1] - self.floor) / direction[1]
        projected: Floats = points[:, [0, 2]] - fall[:, None] * direction[[0, 2]]
        return projected

    def _draw(
        self, canvas: Canvas, figure: Figure, paint: int, points: Projected, axes: Floats, thinnest: float
    ) -> None:
        """Draw one figure as seen by an eye with these axes."""
        if len(figure.triangles):
            canvas.draw_triangles(points, figure.corner_normals, figure.triangles, paint)
        elif len(figure.edges):
            radius = self._rod_radius(figure)
            canvas.draw_rods(points, figure.edges, axes, paint, radius=radius, thinnest=thinnest)
        if len(figure.pins):
            dots = np.stack([figure.pins, figure.pins], axis=1)
            pin_paint, radius = 2 * len(self.figures), self._dot_radius()
            canvas.draw_rods(points, dots, axes, pin_paint, radius=radius, thinnest=1.5 * thinnest)

    def _dot_radius(self) -> float:
        """Return a radius for pins that shrinks when there are many [m]."""
        count = sum(len(figure.pins) for figure in self.figures)
        return 0.007 * self.extent * (1.0 if count <= 12 else 0.55)

    def _rod_radius(self, figure: Figure) -> float:
        """Return a radius that suits the scene and leaves room between dense rods [m]."""
        spans = figure.positions[figure.edges[:, 0]] - figure.positions[figure.edges[:, 1]]
        typical = float(np.median(np.linalg.norm(spans, axis=1)))
        return min(0.006 * self.extent, max(0.12 * typical, 0.002 * self.extent))
