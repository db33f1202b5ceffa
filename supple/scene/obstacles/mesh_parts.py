"""Closed triangle meshes to build figures and furniture from: boxes, surfaces of revolution, tubes.

Every function returns vertices (n, 3) [m] and triangles (t, 3), counter-clockwise seen from
outside, without holes. Nothing here needs the compiler.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]
Field = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def is_closed(triangles: NDArray[np.int64]) -> bool:
    """Tell whether every side of every triangle is shared with just one other, which runs through it backwards."""
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    size = int(triangles.max()) + 1
    forwards, backwards = start * size + end, end * size + start
    return bool(np.array_equal(np.unique(forwards), np.sort(backwards)))


def joined(*meshes: Mesh) -> Mesh:
    """Return several meshes as one, without welding them."""
    shifts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    return (
        np.concatenate([vertices for vertices, _ in meshes]),
        np.concatenate([triangles + shift for (_, triangles), shift in zip(meshes, shifts, strict=False)]),
    )


def moved(mesh: Mesh, offset: ArrayLike, turn: tuple[int, float] | None = None) -> Mesh:
    """Return a mesh turned about an axis (0 x, 1 y, 2 z; angle [rad]) and then moved by `offset` [m]."""
    vertices, triangles = mesh
    if turn is not None:
        axis, angle = turn
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turned = vertices.copy()
        turned[:, i] = math.cos(angle) * vertices[:, i] - math.sin(angle) * vertices[:, j]
        turned[:, j] = math.sin(angle) * vertices[:, i] + math.cos(angle) * vertices[:, j]
        vertices = turned
    return vertices + np.asarray(offset, dtype=np.float64), triangles


def mirrored(mesh: Mesh) -> Mesh:
    """Return a mesh mirrored in the plane x = 0."""
    vertices, triangles = mesh
    return vertices * (-1.0, 1.0, 1.0), triangles[:, ::-1].copy()


def rounded_box(size: Sequence[float], rounding: float, spacing: float = 0.04, segments: int = 3) -> Mesh:
    """Return a box about the origin with round edges.

    Args:
        size: lengths along x, y, z [m]
        rounding: radius of the edges [m]
        spacing: largest side of the squares on its faces [m]
        segments: squares across a quarter of a rounded edge, twice
    """
    half = 0.5 * np.asarray(size, dtype=np.float64)
    bevel = np.tan(np.linspace(0.0, math.pi / 4, segments + 1)[1:]) * rounding
    lines = []
    for inner in half - rounding:
        flat = np.linspace(-inner, inner, max(2, math.ceil(2.0 * inner / spacing) + 1))
        lines.append(np.concatenate([-inner - bevel[::-1], flat, inner + bevel]))
    vertices, triangles = [], []
    count = 0
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        u, v = np.meshgrid(lines[i], lines[j], indexing="ij")
        for sign in (-1.0, 1.0):
            points = np.empty((u.size, 3))
            points[:, i], points[:, j], points[:, axis] = u.ravel(), v.ravel(), sign * half[axis]
            vertices.append(points)
            triangles.append(_grid(*u.shape, flipped=sign < 0.0) + count)
            count += u.size
    cube, faces = _welded(np.concatenate(vertices), np.concatenate(triangles))
    inner_points = np.clip(cube, rounding - half, half - rounding)
    outwards = cube - inner_points
    return inner_points + rounding * outwards / np.linalg.norm(outwards, axis=1, keepdims=True), faces


def turned_part(profile: ArrayLike, segments: int = 48) -> Mesh:
    """Return the solid swept by a profile about the y axis.

    Args:
        profile: (n, 2) radius and height [m], with the solid on its left. It is closed if its first and last
            point are off the axis (a ring), else both are on it.
        segments: steps round the axis
    """
    points = np.asarray(profile, dtype=np.float64)
    is_ring = points[0, 0] > 0.0
    if not is_ring:
        ends, points = points[[0, -1]], points[1:-1]
    angles = np.arange(segments) * (2.0 * math.pi / segments)
    radius, height = points[:, :1], points[:, 1:]
    circles = np.stack(
        [radius * np.cos(angles), np.broadcast_to(height, (len(points), segments)), -radius * np.sin(angles)],
        -1,
    )
    vertices = circles.reshape(-1, 3)
    faces = _grid(len(points), segments, flipped=True, wrap=(is_ring, True))
    if is_ring:
        return vertices, faces
    count = len(vertices)
    ring = np.arange(segments)
    after = (ring + 1) % segments
    last = (len(points) - 1) * segments
    first_cap = np.stack([np.full(segments, count), after, ring], axis=1)
    last_cap = np.stack([np.full(segments, count + 1), last + ring, last + after], axis=1)
    tips = np.array([[0.0, ends[0, 1], 0.0], [0.0, ends[1, 1], 0.0]])
    return np.concatenate([vertices, tips]), np.concatenate([faces, first_cap, last_cap])


def rod(
    start: ArrayLike, end: ArrayLike, radii: tuple[float, float], segments: int = 24, steps: int = 12
) -> Mesh:
    """Return a straight round bar with rounded ends, from `start` to `end` [m], of two end radii [m]."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    length = float(np.linalg.norm(b - a))
    edge = 0.3 * min(radii)
    turn = np.linspace(0.0, math.pi / 2, 5)
    low = np.stack([radii[0] - edge + edge * np.sin(turn), edge - edge * np.cos(turn)], 1)
    share = np.linspace(0.0, 1.0, steps + 1)[1:-1, None]
    top = np.stack([radii[1] - edge + edge * np.cos(turn), length - edge + edge * np.sin(turn)], 1)
    middle = low[-1] + share * (top[0] - low[-1])
    vertices, triangles = turned_part(
        np.concatenate([[[0.0, 0.0]], low, middle, top, [[0.0, length]]]), segments
    )
    y = (b - a) / length
    x = np.cross(y, (0.0, 0.0, 1.0) if abs(y[2]) < 0.9 else (1.0, 0.0, 0.0))
    x /= np.linalg.norm(x)
    return vertices @ np.stack([x, y, np.cross(x, y)]) + a, triangles


def rounded_profile(corners: Sequence[tuple[float, float, float]], steps: int = 4) -> NDArray[np.float64]:
    """Return a closed or open line through corners (radius, height, rounding) [m] with round corners, (n, 2).

    The first and the last corner stay sharp.
    """
    points = np.array([corner[:2] for corner in corners])
    line = [points[0]]
    for k in range(1, len(points) - 1):
        back, ahead = points[k - 1] - points[k], points[k + 1] - points[k]
        back_length, ahead_length = np.linalg.norm(back), np.linalg.norm(ahead)
        cut = min(corners[k][2], 0.45 * back_length, 0.45 * ahead_length)
        start, end = points[k] + cut * back / back_length, points[k] + cut * ahead / ahead_length
        for t in np.linspace(0.0, 1.0, steps + 1):
            line.append((1 - t) ** 2 * start + 2 * t * (1 - t) * points[k] + t * t * end)
    return np.array([*line, points[-1]])


def polygonised(field: Field, low: ArrayLike, high: ArrayLike, spacing: float, sharpening: int = 3) -> Mesh:
    """Return the surface where a function of place is zero; it must be negative inside.

    One vertex in every cell of a grid that the surface passes through, at the mean of the
    crossings of its edges; one square across every edge with a change of sign. Then the
    vertices move along the gradient onto the surface.

    Args:
        field: from points (n, 3) [m] to values (n,), about the distance [m]
        low: corner of the box to look in [m], outside the surface
        high: opposite corner [m]
        spacing: side of a cell [m]
        sharpening: steps onto the surface
    """
    low = np.asarray(low, dtype=np.float64)
    counts = np.ceil((np.asarray(high) - low) / spacing - 1.0e-9).astype(np.int64) + 1
    values = _sampled(field, low, counts, spacing)
    sums, hits, squares = _crossings(values)
    used = np.flatnonzero(hits)
    vertices = low + spacing * sums[used] / hits[used, None]
    number = np.zeros(hits.size, dtype=np.int64)
    number[used] = np.arange(len(used))
    quads = number[squares]
    for _ in range(sharpening):
        vertices = _stepped(field, vertices, spacing)
    return vertices, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def _crossings(
    values: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Find where the edges of a grid cross the surface, in units of its spacing.

    Args:
        values: at the nodes of the grid; negative inside

    Returns:
        For every cell the sum of the crossings of its edges, (cell_count, 3), and their number, (cell_count,); and
        the four cells around each edge that crosses, (crossing_count, 4), counter-clockwise seen from outside.
    """
    counts = np.array(values.shape)
    is_inside = values < 0.0
    sums = np.zeros((*(counts - 1), 3))
    hits = np.zeros(counts - 1)
    squares = []
    cell_number = np.arange(hits.size).reshape(hits.shape)
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        first = [slice(None)] * 3
        second = [slice(None)] * 3
        first[axis], second[axis] = slice(None, -1), slice(1, None)
        a, b = values[tuple(first)], values[tuple(second)]
        crossing = np.argwhere(is_inside[tuple(first)] != is_inside[tuple(second)])
        start, end = a[tuple(crossing.T)], b[tuple(crossing.T)]
        place = crossing.astype(np.float64)
        place[:, axis] += start / (start - end)
        around = []
        for di, dj in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
            cell = crossing.copy()
            cell[:, i] += di
            cell[:, j] += dj
            np.add.at(sums, tuple(cell.T), place)
            np.add.at(hits, tuple(cell.T), 1.0)
            around.append(cell_number[tuple(cell.T)])
        square = np.stack(around, axis=1)
        square[start > 0.0] = square[start > 0.0][:, ::-1]
        squares.append(square)
    return sums.reshape(-1, 3), hits.ravel(), np.concatenate(squares)


def _sampled(
    field: Field, low: NDArray[np.float64], counts: NDArray[np.int64], spacing: float
) -> NDArray[np.float64]:
    """Return the values at the nodes of a grid; those far from the surface have only their sign right.

    A grid four times as coarse tells where the surface may be.
    """
    coarse_counts = tuple(int(count) for count in -(-counts // 4) + 1)
    coarse = field(low + 4.0 * spacing * np.indices(coarse_counts).reshape(3, -1).T).reshape(coarse_counts)
    spread = np.repeat(np.repeat(np.repeat(coarse, 4, axis=0), 4, axis=1), 4, axis=2)
    # Each coarse node speaks for the nodes less than two steps from it.
    values = np.ascontiguousarray(spread[2 : 2 + counts[0], 2 : 2 + counts[1], 2 : 2 + counts[2]])
    near = np.argwhere(np.abs(values) < 6.0 * spacing)
    values[tuple(near.T)] = field(low + spacing * near)
    return values


def _stepped(field: Field, vertices: NDArray[np.float64], spacing: float) -> NDArray[np.float64]:
    """Return vertices after one Newton step onto the surface, of a third of a cell at most."""
    step = 1.0e-3 * spacing
    values = field(vertices)
    slope = np.stack([(field(vertices + step * unit) - values) / step for unit in np.eye(3)], axis=1)
    steep = np.maximum(np.sum(slope**2, axis=1), 0.25)
    move = -(values / steep)[:, None] * slope
    length = np.linalg.norm(move, axis=1, keepdims=True)
    stepped: NDArray[np.float64] = vertices + move * np.minimum(
        1.0, spacing / 3.0 / np.maximum(length, 1.0e-12)
    )
    return stepped


def _grid(
    rows: int, columns: int, *, flipped: bool = False, wrap: tuple[bool, bool] = (False, False)
) -> NDArray[np.int64]:
    """Return the triangles of a grid of points, row by row; `wrap` joins the last row or column to the first."""
    height, width = rows if wrap[0] else rows - 1, columns if wrap[1] else columns - 1
    i, j = np.repeat(np.arange(height), width), np.tile(np.arange(width), height)
    below, beside = (i + 1) % rows, (j + 1) % columns
    a, b, c, d = i * columns + j, below * columns + j, below * columns + beside, i * columns + beside
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return faces[:, ::-1].copy() if flipped else faces


def _welded(vertices: NDArray[np.float64], triangles: NDArray[np.int64]) -> Mesh:
    """Return a mesh with one vertex at each place, to the nanometre."""
    _, first, number = np.unique(
        np.rint(vertices * 1.0e9).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    return vertices[first], number.reshape(-1)[triangles]
