"""Deferred shading: a soft key light with shadows, a sky, a floor that fades into the background."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from supple.kernel import dot, kernel, norm

Floats = npt.NDArray[np.float64]


class View(NamedTuple):
    """Where the camera stands and how it looks."""

    eye: Floats
    """(3,) [m]"""

    axes: Floats
    """(3, 3) right, up and towards the eye as rows."""

    focal: float
    """Pixels per unit of slope."""


class ShadowMap(NamedTuple):
    """The scene as the key light sees it."""

    axes: Floats
    """(3, 3) right, up and towards the light as rows."""

    origin: Floats
    """(2,) light coordinates of the corner of the map [m]."""

    scale: float
    """Pixels per metre [1/m]."""

    heights: Floats
    """(rows, columns) height above which nothing stands, towards the light [m]."""

    offset: float
    """How far to step off a surface before asking for its shadow [m]."""


class Floor(NamedTuple):
    """The ground, with the shadows on it, and the sky around."""

    height: float
    """[m]"""

    origin: Floats
    """(2,) x and z of the corner of the texture [m]."""

    scale: float
    """Pixels per metre of the texture [1/m]."""

    shade: Floats
    """(rows, columns) light left on the floor, 0 to 1."""

    fade: Floats
    """(4,) x and z the floor is seen around, and where it begins and ends to fade [m]."""

    backdrop: Floats
    """(3, 3) linear colours of the floor, the horizon and the zenith."""


@kernel
def smooth_step(low, high, value):
    """Return 0 below `low`, 1 above `high` and a smooth ramp between."""
    s = min(max((value - low) / (high - low), 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@kernel
def sample(texture, x, y):
    """Return a texture between its pixels; outside, the value of its border."""
    rows, columns = texture.shape
    x = min(max(x - 0.5, 0.0), columns - 1.001)
    y = min(max(y - 0.5, 0.0), rows - 1.001)
    j, i = int(x), int(y)
    u, v = x - j, y - i
    return (1.0 - v) * ((1.0 - u) * texture[i, j] + u * texture[i, j + 1]) + v * (
        (1.0 - u) * texture[i + 1, j] + u * texture[i + 1, j + 1]
    )


@kernel
def lit_fraction(shadow_map, x, y, height):
    """Return how much of the key light reaches a point, as the mean over 7 x 7 map pixels.

    Args:
        shadow_map: (rows, columns) height above which nothing stands, towards the light [m]
        x: column of the point in the map [pixels]
        y: row of the point in the map [pixels]
        height: height of the point towards the light [m]
    """
    rows, columns = shadow_map.shape
    lit = 0.0
    for a in range(-3, 4):
        for b in range(-3, 4):
            i, j = math.floor(y + 1.6 * a), math.floor(x + 1.6 * b)
            if i < 0 or j < 0 or i >= rows or j >= columns or shadow_map[i, j] <= height:
                lit += 1.0
    return lit / 49.0


@kernel
def shade_pixels(view, canvas, albedos, shadows, floor, image):
    """Give every pixel its colour, in linear light.

    Args:
        view: `View`
        canvas: `Canvas`; nearness in 1/m, paints are rows of `albedos`
        albedos: (paint_count, 3) linear colours
        shadows: `ShadowMap`
        floor: `Floor`
        image: (height, width, 3) written
    """
    height, width = canvas.depths.shape
    eye, axes, focal = view
    for row in range(height):
        for column in range(width):
            across, up = (column + 0.5 - width / 2) / focal, (height / 2 - row - 0.5) / focal
            ray = (
                across * axes[0, 0] + up * axes[1, 0] - axes[2, 0],
                across * axes[0, 1] + up * axes[1, 1] - axes[2, 1],
                across * axes[0, 2] + up * axes[1, 2] - axes[2, 2],
            )
            is_above = ray[1] < 0.0 and eye[1] > floor.height
            floor_distance = (floor.height - eye[1]) / ray[1] if is_above else math.inf
            paint = canvas.paints[row, column]
            distance = 1.0 / canvas.depths[row, column] if paint >= 0 else math.inf
            if floor_distance < distance or paint < 0:
                shade_background(eye, ray, floor_distance, floor, image[row, column])
            else:
                shade_surface(
                    eye, ray, distance, canvas.normals[row, column], albedos[paint], shadows, image[row, column]
                )  # fmt: skip


@kernel
def shade_background(eye, ray, floor_distance, floor, colour):
    """Write the colour of the floor or the sky behind it, (3,).

    Args:
        eye: (3,) [m]
        ray: direction of view, of length 1 along the axis of the camera
        floor_distance: where the ray meets the floor, in lengths of the ray; inf if it does not
        floor: `Floor`
        colour: (3,) written
    """
    sky = smooth_step(-0.02, 0.5, ray[1] / norm(ray))
    floor_part, shade = 0.0, 1.0
    if floor_distance < math.inf:
        x, z = eye[0] + floor_distance * ray[0], eye[2] + floor_distance * ray[2]
        away = math.sqrt((x - floor.fade[0]) ** 2 + (z - floor.fade[1]) ** 2)
        floor_part = 1.0 - smooth_step(floor.fade[2], floor.fade[3], away)
        u, v = (x - floor.origin[0]) * floor.scale, (z - floor.origin[1]) * floor.scale
        shade = sample(floor.shade, u, v)
    for c in range(3):
        behind = (1.0 - sky) * floor.backdrop[1, c] + sky * floor.backdrop[2, c]
        # Shadows are a little blue, as a sky would fill them.
        left = shade ** (1.12 - 0.12 * c)
        colour[c] = behind + floor_part * (floor.backdrop[0, c] * left - behind)


@kernel
def shade_surface(eye, ray, distance, normal, albedo, shadows, colour):
    """Write the colour of a surface, (3,).

    A cloth is lit from the side the eye sees (wrapped a little, as threads scatter light) and
    lets a part of the light through from the other. The sky is brighter above than below.
    A sheen at grazing angles makes it look woven rather than plastic. The result is bent
    towards white like film, so no fold burns out.

    Symbols: n normal, v towards the eye, l towards the light, h halfway between v and l, p point in space.

    Args:
        eye: (3,) [m]
        ray: direction of view, of length 1 along the axis of the camera
        distance: of the surface, in lengths of the ray
        normal: (3,) of any length
        albedo: (3,) linear colour
        shadows: `ShadowMap`
        colour: (3,) written
    """
    axes = shadows.axes
    l = (axes[2, 0], axes[2, 1], axes[2, 2])  # noqa: E741
    length = norm(normal)
    inverse = 1.0 / length if length > 0.0 else 0.0
    n = (normal[0] * inverse, normal[1] * inverse, normal[2] * inverse)
    ray_length = norm(ray)
    v = (-ray[0] / ray_length, -ray[1] / ray_length, -ray[2] / ray_length)
    facing = min(max(dot(n, v), 0.0), 1.0)
    towards_light = dot(n, l)
    step = shadows.offset if towards_light >= 0.0 else -shadows.offset
    p = (
        eye[0] + distance * ray[0] + step * n[0],
        eye[1] + distance * ray[1] + step * n[1],
        eye[2] + distance * ray[2] + step * n[2],
    )
    x, y = dot(p, axes[0]) - shadows.origin[0], dot(p, axes[1]) - shadows.origin[1]
    lit = lit_fraction(shadows.heights, x * shadows.scale, y * shadows.scale, dot(p, l))
    # Where the light only grazes the surface, the map is too coarse to be asked.
    lit = 1.0 - (1.0 - lit) * smooth_step(0.0, 0.3, abs(towards_light))
    direct = lit * (max(0.0, (towards_light + 0.12) / 1.12) + 0.3 * max(0.0, -towards_light))
    around = 0.5 + 0.5 * n[1]
    h = (l[0] + v[0], l[1] + v[1], l[2] + v[2])
    gloss = max(0.0, dot(n, h)) / math.sqrt(dot(h, h) + 1e-30)
    shine = 0.05 * lit * gloss**24
    sheen = 0.25 * (1.0 - facing) ** 4 * (0.3 + 0.7 * around)
    for c in range(3):
        key, sky_light, bounce = 1.85 - 0.1 * c, 0.46 + 0.06 * c, 0.26 - 0.03 * c
        ambient = around * sky_light + (1.0 - around) * bounce
        energy = albedo[c] * (key * direct + ambient) + sheen * (0.5 * albedo[c] + 0.1) + shine
        colour[c] = 1.0 - math.exp(-energy)


@dataclass(frozen=True)
class Light:
    """The key light: parallel, from high over the eye's left shoulder."""

    axes: Floats
    """(3, 3) right, up and towards the light as rows."""

    @classmethod
    def over(cls, azimuth: float, *, elevation: float = 0.95) -> Light:
        """Return the light for a camera at `azimuth` [rad], standing at `elevation` [rad]."""
        angle = azimuth - 0.75
        run = math.cos(elevation)
        towards = np.array([run * math.sin(angle), math.sin(elevation), run * math.cos(angle)])
        right = np.cross((0.0, 1.0, 0.0), towards)
        right /= np.linalg.norm(right)
        return cls(np.array([right, np.cross(towards, right), towards]))

    @property
    def direction(self) -> Floats:
        """Unit vector towards the light."""
        direction: Floats = self.axes[2]
        return direction
