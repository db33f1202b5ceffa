"""Make the triangles of an obstacle fit for a distance map, and say what was wrong with them.

Vertices at one place become one, triangles without area go, triangles turned the wrong way
are turned back. Holes stay: the inside test of the map tolerates them (see winding.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supple.collide.distance_map.winding import winding_numbers, winding_tree
from supple.errors import SuppleError
from supple.kernel import kernel

LARGEST_MESH = 5_000_000
"""Triangles an obstacle may have."""

LARGEST_EXTENT, SMALLEST_EXTENT = 1000.0, 0.001
"""Longest side of the bounding box an obstacle may have [m]; beyond, its units must be wrong."""

SAME_PLACE = 1.0e-7
"""Vertices closer than this share of the extent are one [-]."""

THINNEST = 1.0e-6
"""Height over longest side below which a triangle has no direction [-]."""

Corners = NDArray[np.float64]
Triangles = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class MeshReport:
    """What was found in a mesh and what was done about it."""

    vertex_count: int = 0
    """Vertices left."""

    triangle_count: int = 0
    """Triangles left."""

    merged_vertices: int = 0
    """Vertices that stood at the place of another one, or that no triangle used."""

    degenerate_triangles: int = 0
    """Triangles without area, left out."""

    repeated_triangles: int = 0
    """Triangles listed more than once, left out."""

    boundary_edges: int = 0
    """Edges with a triangle on one side only: the rims of holes."""

    nonmanifold_edges: int = 0
    """Edges with more than two triangles."""

    flipped_edges: int = 0
    """Edges whose two triangles face different ways."""

    flipped_triangles: int = 0
    """Triangles turned round so that all face outwards."""

    hidden_triangles: int = 0
    """Triangles inside the solid, where parts overlap; left out of the distance."""

    @property
    def is_watertight(self) -> bool:
        """Whether the surface has an inside without doubt."""
        return self.boundary_edges == 0 and self.nonmanifold_edges == 0

    def warnings(self) -> list[str]:
        """Return a line for everything a user should know; nothing for a clean mesh."""
        lines = []
        if self.boundary_edges:
            lines.append(
                f"the surface has holes: {self.boundary_edges:,} boundary edges. What is inside is guessed near them."
            )
        if self.nonmanifold_edges:
            lines.append(f"{self.nonmanifold_edges:,} edges belong to more than two triangles.")
        if self.flipped_edges or self.flipped_triangles:
            lines.append(
                f"the winding is bad: {self.flipped_edges:,} edges between triangles that face different ways; "
                f"{self.flipped_triangles:,} triangles were turned round."
            )
        if self.degenerate_triangles:
            lines.append(f"{self.degenerate_triangles:,} triangles without area were left out.")
        if self.repeated_triangles:
            lines.append(f"{self.repeated_triangles:,} triangles listed twice were left out.")
        return lines


def checked_mesh(vertices: ArrayLike, triangles: ArrayLike) -> tuple[Corners, Triangles]:
    """Return a mesh as contiguous arrays, or raise SuppleError if no map can be made of it.

    Args:
        vertices: (vertex_count, 3) [m]
        triangles: (triangle_count, 3) vertex indices
    """
    points = np.ascontiguousarray(vertices, dtype=np.float64)
    faces = np.ascontiguousarray(triangles, dtype=np.int64)
    if faces.size == 0 or points.size == 0:
        raise SuppleError("the mesh has no triangles, so there is nothing to collide with.")
    if points.ndim != 2 or points.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        raise SuppleError(
            f"the mesh has vertices of shape {points.shape} and triangles of shape {faces.shape}; "
            "both must have three columns."
        )
    if len(faces) > LARGEST_MESH:
        raise SuppleError(
            f"the mesh has {len(faces):,} triangles, but an obstacle may have {LARGEST_MESH:,} at most. "
            "Simplify it first; cloth does not feel details finer than its own spacing."
        )
    if faces.min() < 0 or faces.max() >= len(points):
        raise SuppleError(
            f"the triangles name vertices from {faces.min()} to {faces.max()}, "
            f"but the mesh has {len(points):,}: they run from 0 to {len(points) - 1}."
        )
    used = np.unique(faces)
    is_bad = ~np.isfinite(points[used]).all(axis=1)
    if is_bad.any():
        raise SuppleError(
            f"{np.count_nonzero(is_bad):,} vertices of the mesh are not finite numbers, the first at index "
            f"{used[is_bad][0]}. The file may be damaged."
        )
    extent = float(np.ptp(points[used], axis=0).max())
    if not SMALLEST_EXTENT <= extent <= LARGEST_EXTENT:
        guess = (
            "millimetres, so scale by 0.001" if extent > LARGEST_EXTENT else "kilometres, so scale by 1000"
        )
        raise SuppleError(
            f"the mesh is {extent:.3g} m long, but obstacles measure from {SMALLEST_EXTENT:g} m to "
            f"{LARGEST_EXTENT:g} m. Lengths are in metres; those of the mesh may be in {guess}."
        )
    return points, faces


def repaired(vertices: Corners, triangles: Triangles) -> tuple[Corners, Triangles, MeshReport]:
    """Return a checked mesh with its faults mended as far as possible, and what they were."""
    points, faces = _merged(vertices, triangles)
    faces, degenerate_count = _without_degenerate(points, faces)
    if len(faces) == 0:
        raise SuppleError(
            f"none of the {len(triangles):,} triangles of the mesh has any area, so there is no surface."
        )
    faces, repeated_count = _without_repeated(faces)
    edge_of, along, counts = directed_edges(faces)
    paired = np.zeros(len(counts), dtype=np.int64)
    np.add.at(paired, edge_of.ravel(), np.where(along.ravel(), 1, -1))
    flipped_edges = int(np.count_nonzero((counts == 2) & (paired != 0)))
    is_turned = turned_triangles(points, faces, edge_of, along, counts)
    faces[is_turned] = faces[is_turned][:, [0, 2, 1]]
    report = MeshReport(
        vertex_count=len(points),
        triangle_count=len(faces),
        merged_vertices=len(vertices) - len(points),
        degenerate_triangles=degenerate_count,
        repeated_triangles=repeated_count,
        boundary_edges=int(np.count_nonzero(counts == 1)),
        nonmanifold_edges=int(np.count_nonzero(counts > 2)),
        flipped_edges=flipped_edges,
        flipped_triangles=int(np.count_nonzero(is_turned)),
    )
    return points, faces, report


def _merged(vertices: Corners, triangles: Triangles) -> tuple[Corners, Triangles]:
    """Return the mesh with one vertex at each place, and only those in use."""
    used, faces = np.unique(triangles, return_inverse=True)
    points = vertices[used]
    low = points.min(axis=0)
    step = SAME_PLACE * float(np.ptp(points, axis=0).max())
    # One number holds three coordinates of ten million steps each only as bytes: sort rows.
    cells = np.rint((points - low) / step).astype(np.int64)
    order = np.lexsort(cells.T)
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = np.any(cells[order[1:]] != cells[order[:-1]], axis=1)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(is_new) - 1
    return np.ascontiguousarray(points[order[is_new]]), group[faces].reshape(-1, 3)


def _without_degenerate(points: Corners, faces: Triangles) -> tuple[Triangles, int]:
    a, b, c = (points[faces[:, corner]] for corner in range(3))
    longest = np.max(
        [np.sum((b - a) ** 2, axis=1), np.sum((c - b) ** 2, axis=1), np.sum((a - c) ** 2, axis=1)], 0
    )
    twice_area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    is_good = twice_area > THINNEST * longest
    return faces[is_good], int(np.count_nonzero(~is_good))


def _without_repeated(faces: Triangles) -> tuple[Triangles, int]:
    """Leave out triangles with the same vertices in the same sense as an earlier one."""
    first = np.argmin(faces, axis=1)
    rolled = np.take_along_axis(faces, (first[:, None] + np.arange(3)) % 3, axis=1)
    order = np.lexsort(rolled.T[::-1])
    is_again = np.zeros(len(faces), dtype=np.bool_)
    is_again[order[1:]] = np.all(rolled[order[1:]] == rolled[order[:-1]], axis=1)
    return np.ascontiguousarray(faces[~is_again]), int(np.count_nonzero(is_again))


def directed_edges(faces: Triangles) -> tuple[Triangles, NDArray[np.bool_], NDArray[np.int64]]:
    """Number the edges of a mesh.

    Returns:
        (triangle_count, 3) edge of the sides ab, bc, ca; whether the side runs from the lower
        to the higher vertex; (edge_count,) how many triangles have the edge.
    """
    start, end = faces, np.roll(faces, -1, axis=1)
    size = int(faces.max()) + 1
    keys = np.minimum(start, end) * size + np.maximum(start, end)
    _, edge_of, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return edge_of.reshape(-1, 3).astype(np.int64), start < end, counts.astype(np.int64)


def turned_triangles(
    points: Corners,
    faces: Triangles,
    edge_of: Triangles,
    along: NDArray[np.bool_],
    counts: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Tell which triangles must be turned round so that all face outwards, (triangle_count,).

    Within a part joined by edges of two triangles, neighbours are made to agree with the
    majority by area. Then every part must enclose a positive volume, unless it lies inside
    another part: it may be the wall of a cavity, which is right to face the other way.
    """
    sides = np.full((len(counts), 2), -1, dtype=np.int64)
    order = np.argsort(edge_of.ravel(), kind="stable")
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    is_pair = counts == 2
    sides[is_pair, 0] = order[starts[is_pair]]
    sides[is_pair, 1] = order[starts[is_pair] + 1]
    part = np.full(len(faces), -1, dtype=np.int64)
    is_turned = np.zeros(len(faces), dtype=np.bool_)
    part_count = label_parts(edge_of, along, sides, np.empty(len(faces), np.int64), part, is_turned)

    a, b, c = (points[faces[:, corner]] for corner in range(3))
    dipoles = 0.5 * np.cross(b - a, c - a)
    areas = np.linalg.norm(dipoles, axis=1)
    turned_area = np.bincount(part, np.where(is_turned, areas, 0.0), part_count)
    is_turned ^= (turned_area > 0.5 * np.bincount(part, areas, part_count))[part]

    sign = np.where(is_turned, -1.0, 1.0)
    centroids = (a + b + c) / 3.0
    total = np.bincount(part, areas, part_count)
    sums = np.stack([np.bincount(part, areas * centroids[:, k], part_count) for k in range(3)], 1)
    middle = sums / total[:, None]
    volume = np.bincount(part, sign * np.sum((centroids - middle[part]) * dipoles, axis=1), part_count) / 3.0
    # A sheet has no inside: its little volume says nothing about which way it should face.
    is_inverted = volume < -1.0e-3 * total**1.5
    if is_inverted.any():
        is_inverted &= ~_is_cavity(points, faces, part, is_turned, volume, is_inverted)
        is_turned ^= is_inverted[part]
    return is_turned


def _is_cavity(
    points: Corners,
    faces: Triangles,
    part: NDArray[np.int64],
    is_turned: NDArray[np.bool_],
    volume: NDArray[np.float64],
    is_inverted: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Tell which inverted parts lie inside the others, (part_count,)."""
    is_cavity = np.zeros(len(volume), dtype=np.bool_)
    is_outer = ~is_inverted[part]
    if not is_outer.any():
        return is_cavity
    outer = faces[is_outer].copy()
    turned = is_turned[is_outer]
    outer[turned] = outer[turned][:, [0, 2, 1]]
    tree = winding_tree(points[outer].reshape(-1, 9))
    _, first = np.unique(part, return_index=True)
    samples = np.ascontiguousarray(points[faces[first[is_inverted]]].mean(axis=1))
    numbers = np.empty(len(samples))
    winding_numbers(tree, samples, numbers)
    is_cavity[np.flatnonzero(is_inverted)] = numbers > 0.5
    return is_cavity


@kernel
def label_parts(edge_of, along, sides, queue, part, is_turned):
    """Number the parts of a mesh and turn triangles to agree with the first one of their part.

    Args:
        edge_of: (triangle_count, 3) edge of each side
        along: (triangle_count, 3) whether the side runs along its edge
        sides: (edge_count, 2) the two sides (3 times triangle plus number) of an edge, or -1
        queue: (triangle_count,) scratch
        part: (triangle_count,) all -1, becomes the number of the part
        is_turned: (triangle_count,) all False, becomes whether the triangle is to be turned

    Returns:
        The number of parts.
    """
    part_count = 0
    for seed in range(part.shape[0]):
        if part[seed] >= 0:
            continue
        part[seed] = part_count
        queue[0] = seed
        head, tail = 0, 1
        while head < tail:
            t = queue[head]
            head += 1
            for k in range(3):
                e = edge_of[t, k]
                if sides[e, 0] < 0:
                    continue
                other = sides[e, 1] if sides[e, 0] == 3 * t + k else sides[e, 0]
                n, j = other // 3, other % 3
                if part[n] >= 0:
                    continue
                part[n] = part_count
                # Neighbours agree if they run through their edge in opposite senses.
                is_turned[n] = is_turned[t] != (along[t, k] == along[n, j])
                queue[tail] = n
                tail += 1
        part_count += 1
    return part_count


def pseudonormals(points: Corners, faces: Triangles) -> NDArray[np.float32]:
    """Return the outward normals of the seven parts of every triangle, (triangle_count, 21).

    In the order of point_triangle.py: face, three sides, three corners. The normal of a side
    is that of its triangles together, the normal of a corner weighs them by their angle there:
    with these the side of the surface a point lies on follows from its closest point alone
    (Baerentzen 2005).
    """
    a, b, c = (points[faces[:, corner]] for corner in range(3))
    normals = unit_rows(np.cross(b - a, c - a))
    edge_of, _, counts = directed_edges(faces)
    at_edge = np.zeros((len(counts), 3))
    for k in range(3):
        np.add.at(at_edge, edge_of[:, k], normals)
    at_vertex = np.zeros((len(points), 3))
    for k, (corner, left, right) in enumerate(((a, b, c), (b, c, a), (c, a, b))):
        u, v = unit_rows(left - corner), unit_rows(right - corner)
        angle = np.arctan2(np.linalg.norm(np.cross(u, v), axis=1), np.sum(u * v, axis=1))
        np.add.at(at_vertex, faces[:, k], angle[:, None] * normals)
    at_edge, at_vertex = unit_rows(at_edge), unit_rows(at_vertex)
    parts = [
        normals,
        *(at_edge[edge_of[:, k]] for k in range(3)),
        *(at_vertex[faces[:, k]] for k in range(3)),
    ]
    return np.concatenate(parts, axis=1).astype(np.float32)


def unit_rows(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 3) vectors at length one; a vector of length zero stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: NDArray[np.float64] = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)
    return units


def side_samples(
    points: Corners, faces: Triangles, spacing: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return points just outside the triangles, and the triangle each belongs to.

    Small triangles get one over their middle, those larger than `spacing` [m] seven.
    """
    corners = points[faces]
    normals = unit_rows(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    longest = np.max(np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2), axis=1)
    middles = corners.mean(axis=1)
    rows = np.flatnonzero(longest > spacing)
    places: Sequence[tuple[float, float, float]] = (
        *((0.9, 0.05, 0.05), (0.05, 0.9, 0.05), (0.05, 0.05, 0.9)),
        *((0.48, 0.48, 0.04), (0.04, 0.48, 0.48), (0.48, 0.04, 0.48)),
    )
    samples = [middles, *(np.tensordot(corners[rows], place, axes=(1, 0)) for place in places)]
    owner = np.concatenate([np.arange(len(faces)), *([rows] * len(places))])
    return np.ascontiguousarray(np.concatenate(samples) + 2.5e-4 * spacing * normals[owner]), owner
