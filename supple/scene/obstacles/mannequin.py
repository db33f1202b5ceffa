"""A mannequin: a standing figure of 1.75 m with smooth limbs, to hang clothes on.

The trunk is given by its cross-sections, the head by ellipsoids, limbs by a line with a radius that changes
along it. Each is a function that is negative inside; they flow into one another through a
smooth minimum, and the result becomes one closed surface.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.scene.obstacles.mesh_parts import Mesh, is_closed, polygonised

Floats = NDArray[np.float64]

HEIGHT = 1.75
"""Height of the figure as modelled [m]."""

TRUNK = np.array([
    # height, half width, half depth, forward shift [m]
    (0.790, 0.105, 0.080, -0.012),
    (0.825, 0.155, 0.106, -0.016),
    (0.880, 0.172, 0.117, -0.018),
    (0.940, 0.168, 0.112, -0.014),
    (1.000, 0.148, 0.099, -0.004),
    (1.065, 0.129, 0.088, 0.004),
    (1.130, 0.131, 0.090, 0.006),
    (1.200, 0.144, 0.101, 0.006),
    (1.270, 0.157, 0.114, 0.006),
    (1.330, 0.163, 0.110, 0.000),
    (1.385, 0.160, 0.090, -0.010),
    (1.425, 0.138, 0.070, -0.018),
    (1.455, 0.098, 0.058, -0.020),
])  # fmt: skip
"""Cross-sections from the crotch to the base of the neck."""

HEAD = np.array([
    # centre (x, y, z) and radii along x, y, z [m]
    (0.0, 1.642, -0.002, 0.075, 0.108, 0.095),
    (0.0, 1.588, 0.026, 0.058, 0.076, 0.068),
])  # fmt: skip
"""Two ellipsoids: skull and jaw."""

LEG = np.array([
    # x, y, z, radius [m]
    (0.088, 0.880, -0.014, 0.094),
    (0.092, 0.780, -0.008, 0.087),
    (0.093, 0.660, 0.002, 0.076),
    (0.090, 0.550, 0.006, 0.063),
    (0.087, 0.480, 0.006, 0.055),
    (0.086, 0.420, -0.004, 0.052),
    (0.086, 0.340, -0.014, 0.053),
    (0.086, 0.250, -0.016, 0.045),
    (0.086, 0.150, -0.014, 0.034),
    (0.086, 0.085, -0.014, 0.033),
])  # fmt: skip

FOOT = np.array([
    (0.086, 0.040, -0.046, 0.033),
    (0.090, 0.046, 0.020, 0.036),
    (0.098, 0.028, 0.085, 0.038),
    (0.103, 0.018, 0.145, 0.026),
])  # fmt: skip

ARM = np.array([
    # along the arm from the shoulder, forward, radius [m]
    (0.000, -0.016, 0.053),
    (0.070, -0.016, 0.050),
    (0.160, -0.016, 0.044),
    (0.270, -0.016, 0.037),
    (0.320, -0.012, 0.037),
    (0.400, -0.002, 0.034),
    (0.480, 0.010, 0.027),
    (0.530, 0.018, 0.023),
])  # fmt: skip

HAND = np.array([
    (0.545, 0.020, 0.022),
    (0.600, 0.026, 0.036),
    (0.650, 0.032, 0.032),
    (0.720, 0.043, 0.019),
])  # fmt: skip

NECK = np.array([(0.0, 1.430, -0.022, 0.060), (0.0, 1.560, 0.004, 0.050)])

GIRDLE = np.array(
    [(0.030, 1.430, -0.022, 0.048), (0.100, 1.408, -0.020, 0.048), (0.165, 1.385, -0.016, 0.048)]
)
"""From the neck to the shoulder."""

HIP = (0.088, 0.88)
"""Place of the left hip in x and y [m]."""

SHOULDER = (0.176, 1.378)
"""Place of the right shoulder in x and y [m]."""


def smooth_minimum(a: Floats, b: Floats, width: float) -> Floats:
    """Return the smaller of two values, rounded off where they differ by less than `width` [m]."""
    overlap = np.maximum(width - np.abs(a - b), 0.0) / width
    smallest: Floats = np.minimum(a, b) - overlap**3 * (width / 6.0)
    return smallest


def limb(points: Floats, line: Floats, flatness: float = 1.0) -> Floats:
    """Return the distance to a chain of round cones, about [m].

    Args:
        points: (n, 3) [m]
        line: (k, 4) places along the limb and the radius there [m]
        flatness: factor by which it is thinner across x than across z
    """
    # Coordinate by coordinate: rows of three numbers are slow to go through.
    x, y, z = np.ascontiguousarray(points.T)
    best = np.full(len(points), np.inf)
    for start, end in itertools.pairwise(line):
        along = end[:3] - start[:3]
        dx, dy, dz = x - start[0], y - start[1], z - start[2]
        share = np.clip((dx * along[0] + dy * along[1] + dz * along[2]) / (along @ along), 0.0, 1.0)
        dx, dy, dz = flatness * (dx - share * along[0]), dy - share * along[1], dz - share * along[2]
        radius = start[3] + share * (end[3] - start[3])
        best = np.minimum(best, np.sqrt(dx * dx + dy * dy + dz * dz) - radius)
    return best


def loft(points: Floats, sections: Floats) -> Floats:
    """Return the distance to a stack of elliptic cross-sections, about [m].

    Args:
        points: (n, 3) [m]
        sections: (k, 4) height, half width, half depth, forward shift [m]
    """
    height = np.clip(points[:, 1], sections[0, 0], sections[-1, 0])
    width, depth, shift = (_smoothly(height, sections[:, 0], sections[:, k]) for k in (1, 2, 3))
    radius = np.hypot(points[:, 0] / width, (points[:, 2] - shift) / depth)
    # Along the normal of the ellipse, not along the radius: else flat sides come out too near.
    slope = np.hypot(points[:, 0] / width**2, (points[:, 2] - shift) / depth**2)
    across = (radius - 1.0) * radius / np.maximum(slope, 1.0e-9)
    across = np.where(radius > 1.0e-6, across, -np.minimum(width, depth))
    middle, half = 0.5 * (sections[0, 0] + sections[-1, 0]), 0.5 * (sections[-1, 0] - sections[0, 0])
    beyond = np.abs(points[:, 1] - middle) - half
    distance: Floats = np.minimum(np.maximum(across, beyond), 0.0) + np.hypot(
        np.maximum(across, 0.0), np.maximum(beyond, 0.0)
    )
    return distance


def ellipsoid(points: Floats, shape: Floats) -> Floats:
    """Return the distance to an ellipsoid of given centre and radii (6,), about [m]."""
    apart = (points - shape[:3]) / shape[3:]
    radius = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    slope = np.sqrt(np.einsum("ij,ij->i", apart / shape[3:], apart / shape[3:]))
    distance: Floats = np.where(
        radius > 1.0e-6, (radius - 1.0) * radius / np.maximum(slope, 1.0e-9), -shape[3:].min()
    )
    return distance


def _smoothly(x: Floats, knots: Floats, values: Floats) -> Floats:
    """Interpolate by cubics with the slopes of the parabola through three knots."""
    rise = np.diff(values) / np.diff(knots)
    gaps = np.diff(knots)
    slopes = np.empty_like(values)
    slopes[1:-1] = (rise[:-1] * gaps[1:] + rise[1:] * gaps[:-1]) / (gaps[:-1] + gaps[1:])
    slopes[0], slopes[-1] = rise[0], rise[-1]
    k = np.clip(np.searchsorted(knots, x) - 1, 0, len(gaps) - 1)
    gap = gaps[k]
    t = (x - knots[k]) / gap
    return (
        values[k] * (1 + 2 * t) * (1 - t) ** 2
        + slopes[k] * gap * t * (1 - t) ** 2
        + values[k + 1] * t * t * (3 - 2 * t)
        + slopes[k + 1] * gap * t * t * (t - 1)
    )


def _placed(line: Floats, angle: float) -> Floats:
    """Return a line along the arm in space, for an arm `angle` [rad] away from hanging straight down."""
    x = SHOULDER[0] + math.sin(angle) * line[:, 0]
    y = SHOULDER[1] - math.cos(angle) * line[:, 0]
    return np.stack([x, y, line[:, 1], line[:, 2]], axis=1)


def _spread(line: Floats, angle: float) -> Floats:
    """Return a line along the leg turned outwards about the hip by `angle` [rad], its lower end as far down as before."""
    down = HIP[1] - line[:, 1]
    result = line.copy()
    result[:, 0] += np.maximum(down, 0.0) * math.tan(angle)
    return result


def figure(points: Floats, angles: Sequence[float], stance: float = 0.0) -> Floats:
    """Return the distance to the whole figure, about [m]: negative inside.

    Args:
        points: (n, 3) [m]
        angles: of the left and the right arm away from the body [rad]; the left is at x > 0
        stance: angle of either leg away from the vertical [rad]
    """
    legs, feet = _spread(LEG, stance), _spread(FOOT, stance)
    body = loft(points, TRUNK)
    body = smooth_minimum(body, limb(points, NECK), 0.05)
    skull, jaw = (ellipsoid(points, radii) for radii in HEAD)
    body = smooth_minimum(body, smooth_minimum(skull, jaw, 0.04), 0.025)
    halves = []
    for sign, angle in zip((1.0, -1.0), angles, strict=True):
        side = points * (sign, 1.0, 1.0)
        half = smooth_minimum(body, limb(side, GIRDLE), 0.05)
        arm = smooth_minimum(limb(side, _placed(ARM, angle)), limb(side, _placed(HAND, angle), 1.45), 0.02)
        half = smooth_minimum(half, arm, 0.045)
        leg = smooth_minimum(limb(side, legs), limb(side, feet), 0.04)
        halves.append(smooth_minimum(half, leg, 0.03))
    whole = smooth_minimum(halves[0], halves[1], 0.006)
    # Flat soles on the floor.
    return np.maximum(whole, -points[:, 1])


def mannequin(
    *,
    height: float = HEIGHT,
    girth: float = 1.0,
    arms_deg: float | tuple[float, float] = 24.0,
    stance_deg: float = 0.0,
    spacing: float = 0.015,
) -> Mesh:
    """Return the surface of a standing mannequin, Y up, facing +z, feet on y = 0.

    The same arguments give the same mesh, bit by bit.

    Args:
        height: [m]
        girth: width and depth over those that go with the height [-]; from 0.8 to 1.3
        arms_deg: angle of the arms away from hanging straight down, for both or left and right;
            from 15 to 100 degrees
        stance_deg: angle of either leg away from the vertical, from 0 to 15 degrees
        spacing: about the side of the triangles at 1.75 m height [m]; 0.015 gives some 20,000 triangles

    Returns:
        Vertices (n, 3) [m] and triangles (t, 3), without holes.
    """
    left, right = arms_deg if isinstance(arms_deg, tuple) else (arms_deg, arms_deg)
    for angle in (left, right):
        if not 15.0 <= angle <= 100.0:
            raise SuppleError(
                f"the mannequin's arms are at {angle:g} degrees, but they go from 15, along the body, to 100."
            )
    if not (height > 0.0 and math.isfinite(height)):
        raise SuppleError(f"the mannequin is {height:g} m tall, but its height must be above 0.")
    if not 0.003 <= spacing <= 0.02:
        raise SuppleError(f"the spacing of the mannequin is {spacing:g} m, but it goes from 0.003 to 0.02 m.")
    if not 0.0 <= stance_deg <= 15.0:
        raise SuppleError(f"the mannequin's legs are {stance_deg:g} degrees apart, but they go from 0 to 15.")
    if not 0.8 <= girth <= 1.3:
        raise SuppleError(f"the girth of the mannequin is {girth:g}, but it goes from 0.8 to 1.3.")
    vertices, triangles = _surface(math.radians(left), math.radians(right), math.radians(stance_deg), spacing)
    return vertices * (height / HEIGHT) * (girth, 1.0, girth), triangles.copy()


@functools.lru_cache(maxsize=4)
def _surface(left: float, right: float, stance: float, spacing: float) -> Mesh:
    reach = SHOULDER[0] + 0.76 * math.sin(min(max(left, right), math.pi / 2)) + 0.06
    top = max(HEIGHT, SHOULDER[1] - 0.75 * math.cos(max(left, right)) + 0.05)
    margin = 2.6 * spacing
    # Symmetric about x = 0, with no node on it.
    reach = spacing * (math.ceil(reach / spacing) + 0.5)
    for shift in (0.3, 0.0, 0.6, 0.15, 0.45):
        low = np.array([-reach, -margin - shift * spacing, -0.15 - shift * spacing])
        vertices, triangles = polygonised(
            lambda points: figure(points, (left, right), stance), low, (reach, top + margin, 0.20), spacing
        )
        # Where the surface bends sharply within a cell two sheets may meet in an edge: try another grid.
        if is_closed(triangles):
            break
    vertices[:, 1] -= vertices[:, 1].min()
    vertices *= (1.0, HEIGHT / vertices[:, 1].max() if top == HEIGHT else 1.0, 1.0)
    return vertices, triangles
