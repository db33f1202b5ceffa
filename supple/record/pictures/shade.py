"""Light: a soft key light with shadows, a sky, a floor that fades into the background."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.kernel import dot, kernel

Floats = npt.NDArray[np.float64]


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
def shade_pixels(
    depths, normals, paints, albedos, eye, axes, focal,
    light_axes, map_origin, map_scale, shadow_map, offset,
    floor, floor_origin, floor_scale, floor_shade, fade, backdrop, image,
):  # fmt: skip
    """Give every pixel its colour, in linear light.

    A cloth is lit from the side the eye sees (wrapped a little, as threads scatter light) and
    lets a part of the light through from the other. The sky is brighter above than below.
    A sheen at grazing angles makes it look woven rather than plastic. The result is bent
    towards white like film, so no fold burns out.

    Symbols: n normal, v towards the eye, l towards the light.

    Args:
        depths: (height, width) nearness [1/m]
        normals: (height, width, 3)
        paints: (height, width) rows of `albedos`; negative where there is no surface
        albedos: (paint_count, 3) linear colours
        eye: (3,) [m]
        axes: (3, 3) right, up and towards the eye
        focal: pixels per unit of slope
        light_axes: (3, 3) right, up and towards the light
        map_origin: (2,) light coordinates of the map's corner [m]
        map_scale: pixels per metre of the map [1/m]
        shadow_map: (rows, columns) see `lit_fraction`
        offset: how far to step off a surface before asking for its shadow [m]
        floor: height of the floor [m]
        floor_origin: (2,) x and z of the floor texture's corner [m]
        floor_scale: pixels per metre of that texture [1/m]
        floor_shade: (rows, columns) light left on the floor, 0 to 1
        fade: (4,) x and z the floor is seen around, and where it begins and ends to fade [m]
        backdrop: (3, 3) linear colours of the floor, the horizon and the zenith
        image: (height, width, 3) written
    """
    height, width = depths.shape
    light = (light_axes[2, 0], light_axes[2, 1], light_axes[2, 2])
    for row in range(height):
        for column in range(width):
            across, up = (column + 0.5 - width / 2) / focal, (height / 2 - row - 0.5) / focal
            rx = across * axes[0, 0] + up * axes[1, 0] - axes[2, 0]
            ry = across * axes[0, 1] + up * axes[1, 1] - axes[2, 1]
            rz = across * axes[0, 2] + up * axes[1, 2] - axes[2, 2]
            ray_length = math.sqrt(rx * rx + ry * ry + rz * rz)
            paint = paints[row, column]
            distance = 1.0 / depths[row, column] if paint >= 0 else math.inf
            floor_distance = (floor - eye[1]) / ry if ry < 0.0 and eye[1] > floor else math.inf
            if floor_distance < distance or paint < 0:
                sky = smooth_step(-0.02, 0.5, ry / ray_length)
                floor_part, shade = 0.0, 1.0
                if floor_distance < math.inf:
                    x, z = eye[0] + floor_distance * rx, eye[2] + floor_distance * rz
                    floor_part = 1.0 - smooth_step(
                        fade[2], fade[3], math.sqrt((x - fade[0]) ** 2 + (z - fade[1]) ** 2)
                    )
                    shade = sample(
                        floor_shade, (x - floor_origin[0]) * floor_scale, (z - floor_origin[1]) * floor_scale
                    )
                for c in range(3):
                    behind = (1.0 - sky) * backdrop[1, c] + sky * backdrop[2, c]
                    # Shadows are a little blue, as a sky would fill them.
                    left = shade ** (1.12 - 0.12 * c)
                    image[row, column, c] = behind + floor_part * (backdrop[0, c] * left - behind)
                continue

            nx, ny, nz = normals[row, column, 0], normals[row, column, 1], normals[row, column, 2]
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
            inverse = 1.0 / length if length > 0.0 else 0.0
            n = (nx * inverse, ny * inverse, nz * inverse)
            v = (-rx / ray_length, -ry / ray_length, -rz / ray_length)
            facing = min(max(dot(n, v), 0.0), 1.0)
            towards_light = dot(n, light)
            step = offset if towards_light >= 0.0 else -offset
            px = eye[0] + distance * rx + step * n[0]
            py = eye[1] + distance * ry + step * n[1]
            pz = eye[2] + distance * rz + step * n[2]
            x = px * light_axes[0, 0] + py * light_axes[0, 1] + pz * light_axes[0, 2]
            y = px * light_axes[1, 0] + py * light_axes[1, 1] + pz * light_axes[1, 2]
            lit = lit_fraction(
                shadow_map,
                (x - map_origin[0]) * map_scale,
                (y - map_origin[1]) * map_scale,
                px * light[0] + py * light[1] + pz * light[2],
            )
            # Where the light only grazes the surface, the map is too coarse to be asked.
            lit = 1.0 - (1.0 - lit) * smooth_step(0.0, 0.3, abs(towards_light))
            direct = lit * (max(0.0, (towards_light + 0.12) / 1.12) + 0.3 * max(0.0, -towards_light))
            around = 0.5 + 0.5 * n[1]
            h = (light[0] + v[0], light[1] + v[1], light[2] + v[2])
            gloss = max(0.0, dot(n, h)) / math.sqrt(dot(h, h) + 1e-30)
            shine = 0.05 * lit * gloss**24
            sheen = 0.25 * (1.0 - facing) ** 4 * (0.3 + 0.7 * around)
            for c in range(3):
                key, sky_light, bounce = 1.85 - 0.1 * c, 0.46 + 0.06 * c, 0.26 - 0.03 * c
                ambient = around * sky_light + (1.0 - around) * bounce
                albedo = albedos[paint, c]
                energy = albedo * (key * direct + ambient) + sheen * (0.5 * albedo + 0.1) + shine
                image[row, column, c] = 1.0 - math.exp(-energy)


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
