"""Triangles that show the surface of simple solids."""

from __future__ import annotations

import numpy as np

from supple.scene.placement import FloatArray, IndexArray

AROUND = 48
"""Points around a circle."""


def swept(
    profile: FloatArray, around: int = AROUND, is_closed: bool = False
) -> tuple[FloatArray, IndexArray]:
    """Return the surface that a profile makes turning about the y axis.

    Args:
        profile: (k, 2) radius and height [m], from the bottom up, so that triangles face outwards
        around: points around the axis
        is_closed: whether the last point of the profile joins the first, as in a torus
    """
    count = len(profile)
    angles = 2.0 * np.pi * np.arange(around) / around
    radius, height = profile[:, 0][:, None], profile[:, 1][:, None]
    vertices = np.stack(
        [radius * np.sin(angles), np.broadcast_to(height, (count, around)), radius * np.cos(angles)], axis=-1
    ).reshape(-1, 3)
    rows = np.arange(count if is_closed else count - 1)
    low = rows[:, None] * around + np.arange(around)
    low_next = rows[:, None] * around + (np.arange(around) + 1) % around
    up, up_next = low + around, low_next + around
    if is_closed:
        up, up_next = up % (count * around), up_next % (count * around)
    triangles = np.concatenate(
        [
            np.stack([low, low_next, up_next], -1).reshape(-1, 3),
            np.stack([low, up_next, up], -1).reshape(-1, 3),
        ]
    )
    corners = vertices[triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return vertices, triangles[areas > 0.0].astype(np.int64)


def ball(radii: tuple[float, float, float]) -> tuple[FloatArray, IndexArray]:
    """Return the surface of an ellipsoid."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, AROUND // 2 + 1)
    profile = np.stack([np.maximum(np.cos(angle), 0.0), np.sin(angle)], axis=1)
    profile[[0, -1], 0] = 0.0
    vertices, triangles = swept(profile)
    return vertices * np.array(radii), triangles


def rod(
    start: tuple[float, float, float], end: tuple[float, float, float], radius: float, has_caps: bool
) -> tuple[FloatArray, IndexArray]:
    """Return the surface of a capsule (`has_caps`) or of a cylinder with flat ends."""
    first, last = np.array(start), np.array(end)
    length = float(np.linalg.norm(last - first))
    if has_caps:
        angle = np.linspace(0.0, 0.5 * np.pi, AROUND // 4 + 1)
        top = np.stack([radius * np.cos(angle), length + radius * np.sin(angle)], axis=1)
        bottom = np.stack([radius * np.cos(angle[::-1]), -radius * np.sin(angle[::-1])], axis=1)
        profile = np.concatenate([bottom, top])
        profile[[0, -1], 0] = 0.0
    else:
        profile = np.array([[0.0, 0.0], [radius, 0.0], [radius, length], [0.0, length]])
    vertices, triangles = swept(profile)
    axis = (last - first) / length
    helper = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
    x = np.cross(axis, helper)
    x /= np.linalg.norm(x)
    frame = np.stack([x, axis, np.cross(x, axis)])
    return vertices @ frame + first, triangles


def block(size: tuple[float, float, float], rounding: float) -> tuple[FloatArray, IndexArray]:
    """Return the surface of a box with rounded edges."""
    half = 0.5 * np.array(size)
    steps = 1 if rounding == 0.0 else 5
    vertices, triangles, first = [], [], 0
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            lines = []
            for a in (u, v):
                inner = half[a] - rounding
                bevel = np.linspace(0.0, rounding, steps)[1:] if steps > 1 else np.zeros(0)
                lines.append(np.concatenate([-(inner + bevel)[::-1], [-inner, inner], inner + bevel]))
            grid_u, grid_v = np.meshgrid(*lines, indexing="ij")
            points = np.zeros((*grid_u.shape, 3))
            points[..., axis], points[..., u], points[..., v] = sign * half[axis], grid_u, grid_v
            core = np.clip(points, -(half - rounding), half - rounding)
            away = points - core
            length = np.linalg.norm(away, axis=-1, keepdims=True)
            if rounding > 0.0:
                points = core + rounding * away / np.maximum(length, 1e-300)
            index = first + np.arange(grid_u.size).reshape(grid_u.shape)
            p, q, r, s = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
            corners = [(p, q, r), (p, r, s)] if sign > 0 else [(p, r, q), (p, s, r)]
            triangles += [np.stack(t, -1).reshape(-1, 3) for t in corners]
            vertices.append(points.reshape(-1, 3))
            first += grid_u.size
    return np.concatenate(vertices), np.concatenate(triangles).astype(np.int64)


def ring(radius: float, tube: float) -> tuple[FloatArray, IndexArray]:
    """Return the surface of a torus about the y axis."""
    angle = 2.0 * np.pi * np.arange(AROUND // 2) / (AROUND // 2)
    return swept(np.stack([radius + tube * np.cos(angle), tube * np.sin(angle)], axis=1), is_closed=True)


def square(
    normal: tuple[float, float, float], offset: float, size: float = 4.0
) -> tuple[FloatArray, IndexArray]:
    """Return a square of a plane, centred on its point closest to the origin."""
    up = np.array(normal)
    helper = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
    x = np.cross(helper, up)
    x /= np.linalg.norm(x)
    y = np.cross(up, x)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    vertices = np.array([offset * up + 0.5 * size * (a * x + b * y) for a, b in corners])
    return vertices, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int64)
