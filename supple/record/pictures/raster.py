"""Rasteriser with a z-buffer: triangles and rods drawn into arrays of depth, normal and paint.

Light is added later, pixel by pixel (`shade.py`), from what is stored here. Depth is kept as
nearness, a number that grows towards the eye and runs linearly across the screen: 1 / distance
for a perspective camera, the height for a parallel light. One routine so serves both.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.render.z_buffer import pixels_between

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.integer]

NO_PAINT = -1
"""Paint of a pixel where nothing was drawn."""


class Projected(NamedTuple):
    """Points as some eye sees them."""

    screen: Floats
    """(n, 2) [pixels], y down."""

    nearness: Floats
    """(n,) larger is nearer."""

    scale: Floats
    """(n,) pixels a metre at each point covers [1/m]."""

    lift: Floats
    """(n,) nearness gained by a metre towards the eye."""


@kernel
def fill_triangles(points, normals, triangles, paint, canvas):
    """Draw triangles, the nearest surface winning in every pixel whose centre they cover.

    A triangle seen from its back gets the next paint and its normal turned round, so that the
    two sides of a cloth can differ. Triangles with a point that is not finite (behind the eye,
    or a state that blew up) are left out.

    Symbols: b0, b1, b2 barycentric weights, q nearness.

    Args:
        points: `Projected`
        normals: (m, 3, 3) unit vectors at the corners of every triangle
        triangles: (m, 3) point indices
        paint: paint of the front; the back has the next one
        canvas: `Canvas`, drawn over
    """
    screen, nearness = points.screen, points.nearness
    depths, pixel_normals, paints = canvas
    height, width = depths.shape
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        xi, yi, xj, yj, xk, yk = (
            screen[i, 0], screen[i, 1], screen[j, 0], screen[j, 1], screen[k, 0], screen[k, 1]
        )  # fmt: skip
        area = (xj - xi) * (yk - yi) - (xk - xi) * (yj - yi)
        if not math.isfinite(area + nearness[i] + nearness[j] + nearness[k]) or area == 0.0:
            continue
        # y runs down, so a triangle that turns left in the world has a negative area here.
        side = 1.0 if area < 0.0 else -1.0
        used = paint if area < 0.0 else paint + 1
        columns = pixels_between(min(xi, xj, xk), max(xi, xj, xk), width)
        rows = pixels_between(min(yi, yj, yk), max(yi, yj, yk), height)
        for row in range(rows[0], rows[1]):
            y = row + 0.5
            for column in range(columns[0], columns[1]):
                x = column + 0.5
                b0 = ((xj - x) * (yk - y) - (xk - x) * (yj - y)) / area
                b1 = ((xk - x) * (yi - y) - (xi - x) * (yk - y)) / area
                b2 = 1.0 - b0 - b1
                if b0 < 0.0 or b1 < 0.0 or b2 < 0.0:
                    continue
                q = b0 * nearness[i] + b1 * nearness[j] + b2 * nearness[k]
                if q <= depths[row, column]:
                    continue
                depths[row, column] = q
                paints[row, column] = used
                b0, b1, b2 = b0 * nearness[i] / q, b1 * nearness[j] / q, b2 * nearness[k] / q
                for axis in range(3):
                    pixel_normals[row, column, axis] = side * (
                        b0 * normals[t, 0, axis] + b1 * normals[t, 1, axis] + b2 * normals[t, 2, axis]
                    )


@kernel
def fill_rods(points, radii, bulges, ends, axes, paint, canvas):
    """Draw round rods with round ends, flat towards the eye but shaded as cylinders.

    A rod whose two ends are the same point is a ball.

    Symbols: s place along the rod (0 to 1), e distance from its axis in radii.

    Args:
        points: `Projected`
        radii: (n,) radius at every point [pixels]
        bulges: (n,) how much nearer the middle of the rod is than its axis
        ends: (rod_count, 2) point indices
        axes: (3, 3) right, up and towards the eye as rows
        paint: paint of the rods
        canvas: `Canvas`, drawn over
    """
    screen, nearness = points.screen, points.nearness
    depths, pixel_normals, paints = canvas
    height, width = depths.shape
    for rod in range(ends.shape[0]):
        i, j = ends[rod, 0], ends[rod, 1]
        xi, yi = screen[i, 0], screen[i, 1]
        dx, dy = screen[j, 0] - xi, screen[j, 1] - yi
        reach = max(radii[i], radii[j])
        if not math.isfinite(xi + yi + dx + dy + nearness[i] + nearness[j] + radii[i] + radii[j]):
            continue
        length_squared = dx * dx + dy * dy
        columns = pixels_between(min(xi, xi + dx) - reach, max(xi, xi + dx) + reach, width)
        rows = pixels_between(min(yi, yi + dy) - reach, max(yi, yi + dy) + reach, height)
        for row in range(rows[0], rows[1]):
            for column in range(columns[0], columns[1]):
                x, y = column + 0.5 - xi, row + 0.5 - yi
                s = 0.0
                if length_squared > 0.0:
                    s = min(max((x * dx + y * dy) / length_squared, 0.0), 1.0)
                radius = (1.0 - s) * radii[i] + s * radii[j]
                ex, ey = (x - s * dx) / radius, (y - s * dy) / radius
                e_squared = ex * ex + ey * ey
                if e_squared > 1.0:
                    continue
                rise = math.sqrt(1.0 - e_squared)
                q = (1.0 - s) * nearness[i] + s * nearness[j]
                q += rise * ((1.0 - s) * bulges[i] + s * bulges[j])
                if q <= depths[row, column]:
                    continue
                depths[row, column] = q
                paints[row, column] = paint
                for axis in range(3):
                    pixel_normals[row, column, axis] = (
                        ex * axes[0, axis] - ey * axes[1, axis] + rise * axes[2, axis]
                    )


class Canvas(NamedTuple):
    """The buffers of a picture: depth, normal and paint of what every pixel shows."""

    depths: Floats
    """(height, width) nearness of the surface; -inf where there is none."""

    normals: Floats
    """(height, width, 3) normal of the surface, turned towards the eye."""

    paints: npt.NDArray[np.int32]
    """(height, width) paint of the surface; `NO_PAINT` where there is none."""

    @classmethod
    def blank(cls, width: int, height: int) -> Canvas:
        """Return a canvas of that many pixels with nothing on it."""
        return cls(
            np.full((height, width), -np.inf),
            np.zeros((height, width, 3)),
            np.full((height, width), NO_PAINT, dtype=np.int32),
        )

    def draw_triangles(self, points: Projected, normals: Floats, triangles: Indices, paint: int) -> None:
        """Draw triangles; see `fill_triangles`."""
        fill_triangles(points, normals, np.ascontiguousarray(triangles, dtype=np.int64), paint, self)

    def draw_rods(
        self, points: Projected, ends: Indices, axes: Floats, paint: int, *, radius: float, thinnest: float
    ) -> None:
        """Draw rods of `radius` [m], no thinner than `thinnest` [pixels]; see `fill_rods`."""
        radii = np.maximum(radius * points.scale, thinnest)
        bulges = radius * points.lift
        fill_rods(points, radii, bulges, np.ascontiguousarray(ends, dtype=np.int64), axes, paint, self)
