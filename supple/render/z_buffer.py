"""Z-buffer: triangles and planes drawn by their nearness, each pixel telling what it shows and how it is lit.

Points are in the axes of the camera: x to the right, y up, z the depth in front of the eye. Nearness 1/z runs linearly over
the image, so depth is exact at the centre of every pixel.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

NEAR = 1.0e-3
"""Depth in front of which nothing is drawn [m]."""

NOTHING = 0
"""What pixels show where nothing is."""


class Buffers(NamedTuple):
    """What is known of every pixel."""

    nearness: NDArray[np.float64]
    """(height, width) 1 / depth [1/m]; 0 where nothing is."""

    ids: NDArray[np.int32]
    """(height, width) number of what is shown; NOTHING for none."""

    sides: NDArray[np.int8]
    """(height, width) 0 for the front of a surface, 1 for its back."""

    lights: NDArray[np.float64]
    """(height, width) how much light falls on it [-]."""

    focal: float
    """Pixels per unit of slope."""

    @classmethod
    def blank(cls, width: int, height: int, focal: float) -> Buffers:
        """Return buffers that show nothing."""
        return cls(
            np.zeros((height, width)),
            np.zeros((height, width), dtype=np.int32),
            np.zeros((height, width), dtype=np.int8),
            np.zeros((height, width)),
            focal,
        )


@kernel
def clip_near(corners, lights, t, polygon):
    """Write the part of triangle t that is in front of the eye as a polygon; return its number of corners, 0 to 4.

    Args:
        corners: (triangle_count, 3, 3) in the axes of the camera [m]
        lights: (triangle_count, 3, 2) at the corners, of the front and of the back
        t: triangle
        polygon: (4, 5) scratch: position and lights of the corners, overwritten
    """
    count = 0
    for a in range(3):
        b = (a + 1) % 3
        z_a, z_b = corners[t, a, 2], corners[t, b, 2]
        if z_a >= NEAR:
            for axis in range(3):
                polygon[count, axis] = corners[t, a, axis]
            polygon[count, 3], polygon[count, 4] = lights[t, a, 0], lights[t, a, 1]
            count += 1
        if (z_a >= NEAR) != (z_b >= NEAR):
            s = (NEAR - z_a) / (z_b - z_a)
            for axis in range(3):
                polygon[count, axis] = corners[t, a, axis] + s * (corners[t, b, axis] - corners[t, a, axis])
            for side in range(2):
                polygon[count, 3 + side] = lights[t, a, side] + s * (lights[t, b, side] - lights[t, a, side])
            count += 1
    return count


@kernel
def pixels_between(low, high, count):
    """Return the first pixel and the one after the last whose centre lies in [low, high]."""
    first = math.ceil(min(max(low - 0.5, 0.0), count * 1.0))
    last = math.floor(min(max(high - 0.5, -1.0), count - 1.0))
    return first, last + 1


@kernel
def draw_triangles(corners, lights, mark, buffers, polygon):
    """Draw triangles; the nearest surface wins in every pixel whose centre it covers, of equals the first one.

    Triangles with a corner that is not finite are left out. Symbols: b barycentric weights on the screen, q nearness.

    Args:
        corners: (triangle_count, 3, 3) in the axes of the camera [m], counter-clockwise seen from the front
        lights: (triangle_count, 3, 2) at the corners, of the front and of the back
        mark: number to write into `ids`
        buffers: `Buffers`, drawn into
        polygon: (4, 5) scratch
    """
    height, width = buffers.nearness.shape
    focal, middle_x, middle_y = buffers.focal, 0.5 * width, 0.5 * height
    for t in range(corners.shape[0]):
        total = 0.0
        for a in range(3):
            total += corners[t, a, 0] + corners[t, a, 1] + corners[t, a, 2]
        if not math.isfinite(total):
            continue
        count = clip_near(corners, lights, t, polygon)
        for fan in range(1, count - 1):
            qi, qj, qk = 1.0 / polygon[0, 2], 1.0 / polygon[fan, 2], 1.0 / polygon[fan + 1, 2]
            xi, yi = middle_x + focal * polygon[0, 0] * qi, middle_y - focal * polygon[0, 1] * qi
            xj, yj = middle_x + focal * polygon[fan, 0] * qj, middle_y - focal * polygon[fan, 1] * qj
            xk, yk = middle_x + focal * polygon[fan + 1, 0] * qk, middle_y - focal * polygon[fan + 1, 1] * qk
            area = (xj - xi) * (yk - yi) - (xk - xi) * (yj - yi)
            if area == 0.0:
                continue
            # y runs down, so a triangle that turns left in the world has a negative area here.
            side = 0 if area < 0.0 else 1
            light_i, light_j, light_k = (
                polygon[0, 3 + side],
                polygon[fan, 3 + side],
                polygon[fan + 1, 3 + side],
            )
            columns = pixels_between(min(xi, xj, xk), max(xi, xj, xk), width)
            rows = pixels_between(min(yi, yj, yk), max(yi, yj, yk), height)
            for row in range(rows[0], rows[1]):
                y = row + 0.5
                for column in range(columns[0], columns[1]):
                    x = column + 0.5
                    bi = ((xj - x) * (yk - y) - (xk - x) * (yj - y)) / area
                    bj = ((xk - x) * (yi - y) - (xi - x) * (yk - y)) / area
                    bk = 1.0 - bi - bj
                    if bi < 0.0 or bj < 0.0 or bk < 0.0:
                        continue
                    q = bi * qi + bj * qj + bk * qk
                    if q > buffers.nearness[row, column]:
                        buffers.nearness[row, column] = q
                        buffers.ids[row, column] = mark
                        buffers.sides[row, column] = side
                        buffers.lights[row, column] = (
                            bi * qi * light_i + bj * qj * light_j + bk * qk * light_k
                        ) / q


@kernel
def draw_plane(normal, offset, lights, mark, buffers):
    """Draw a plane without an end, n · x = offset in the axes of the camera.

    Args:
        normal: (3,) unit vector
        offset: distance of the plane from the eye along the normal [m]
        lights: (2,) of its front and its back
        mark: number to write into `ids`
        buffers: `Buffers`, drawn into
    """
    height, width = buffers.nearness.shape
    for row in range(height):
        for column in range(width):
            slope_x = (column + 0.5 - 0.5 * width) / buffers.focal
            slope_y = (0.5 * height - row - 0.5) / buffers.focal
            along = normal[0] * slope_x + normal[1] * slope_y + normal[2]
            if along * offset <= 0.0:
                continue
            q = along / offset
            if buffers.nearness[row, column] < q <= 1.0 / NEAR:
                side = 0 if offset < 0.0 else 1
                buffers.nearness[row, column] = q
                buffers.ids[row, column] = mark
                buffers.sides[row, column] = side
                buffers.lights[row, column] = lights[side]


@kernel
def paint(buffers, colours, background, table, rgb):
    """Turn what pixels show into colours.

    Args:
        buffers: `Buffers`
        colours: (mark_count + 1, 2, 3) linear light of the fronts and backs, by number
        background: (3,) sRGB bytes where nothing is
        table: (4096,) sRGB bytes of linear light from 0 to 1
        rgb: (height, width, 3) bytes, overwritten
    """
    height, width = buffers.ids.shape
    for row in range(height):
        for column in range(width):
            mark = buffers.ids[row, column]
            for channel in range(3):
                if mark == NOTHING:
                    rgb[row, column, channel] = background[channel]
                    continue
                light = colours[mark, buffers.sides[row, column], channel] * buffers.lights[row, column]
                rgb[row, column, channel] = table[int(min(max(light, 0.0), 1.0) * 4095.0 + 0.5)]
