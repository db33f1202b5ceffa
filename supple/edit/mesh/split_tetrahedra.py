"""Split tetrahedra along a plane, so that a cut through them is flat.

Theory: docs/theory/soft-cuts.md, eq. (Q2). Edges that cross the plane get a vertex there. A crossing near the end of
an edge would leave slivers: that end is moved onto the plane instead where it may, and counts as lying on it in any
case. What is left of a tetrahedron on either side is a tetrahedron, a pyramid or a wedge, and is split by diagonals
that its neighbours choose alike: from the vertex with the smallest number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.model.tetrahedra import EDGES_OF_TETRAHEDRON
from supple.scene.soft_shapes.tetra_quality import volumes_of

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Cell = tuple[int, ...]

NEAR_END = 0.4
"""Fraction of an edge within which a crossing belongs to its end [-]."""

TANGENT = 0.3
"""Largest sine between a move of a vertex of the surface and the faces there [-]: the shape stays as it is."""

LEAST_VOLUME = 0.5
"""Fraction of its volume that a tetrahedron keeps when its vertices are moved onto the plane [-]."""


@dataclass(frozen=True)
class Split:
    """A mesh of tetrahedra split along a plane."""

    corners: Indices
    """(element_count, 4) vertices, volumes positive."""

    parents: Indices
    """(element_count,) the element before that each one is a part of."""

    is_above: Flags
    """(element_count,) whether it lies on the side of the normal."""

    interpolated: Indices
    """(interpolated_count,) vertices that are new or were moved."""

    ends: Indices
    """(interpolated_count, 2) vertices before that each of them lies between."""

    fractions: Floats
    """(interpolated_count,) how far it is from the first to the second [-]."""

    vertex_count: int
    """Number of vertices after it; those before come first."""


def split_by_plane(
    positions: Floats, rest: Floats, corners: Indices, boundary: Indices, normal: Floats, offset: float
) -> Split:
    """Split tetrahedra along the plane n · x = offset.

    The plane is where they are now. How good the parts are counts at rest, so that elements which are pressed flat
    or inside out at the moment do no harm.

    Args:
        positions: (vertex_count, 3) [m]
        rest: (vertex_count, 3) the same at rest [m]
        corners: (element_count, 4)
        boundary: (triangle_count, 3) outer faces
        normal: n, (3,) unit vector
        offset: [m]
    """
    heights = positions @ normal - offset
    edges = np.sort(corners[:, EDGES_OF_TETRAHEDRON].reshape(-1, 2), axis=1)
    edges = edges[heights[edges[:, 0]] * heights[edges[:, 1]] < 0.0]
    keys = np.unique(edges[:, 0] * len(positions) + edges[:, 1])
    edges = np.stack([keys // len(positions), keys % len(positions)], axis=1)
    fractions = heights[edges[:, 0]] / (heights[edges[:, 0]] - heights[edges[:, 1]])
    is_on, moved, moved_to, moves = _on_plane(rest, corners, boundary, heights, edges, fractions)
    sides = np.where(is_on, 0, np.where(heights > 0.0, 1, -1))
    is_cut = ~is_on[edges].any(axis=1)
    edges, fractions = edges[is_cut], fractions[is_cut]
    count = len(positions)
    middle_of = {(a, b): count + n for n, (a, b) in enumerate(edges.tolist())}
    is_whole = (sides[corners].max(axis=1) <= 0) | (sides[corners].min(axis=1) >= 0)
    sums = sides[corners[is_whole]].sum(axis=1)
    is_high = heights[corners[is_whole]].mean(axis=1) > 0.0
    side_of = sides.tolist()
    new = [corners[is_whole]]
    parents = [np.flatnonzero(is_whole)]
    above = [np.where(sums != 0, sums > 0, is_high)]
    for element in np.flatnonzero(~is_whole).tolist():
        parts = list(_parts(corners[element].tolist(), side_of, middle_of))
        new.append(np.array([cell for cell, _ in parts], dtype=np.int64))
        parents.append(np.full(len(parts), element))
        above.append(np.array([side > 0 for _, side in parts]))
    divided = np.concatenate(new)
    interpolated = np.concatenate([moved, count + np.arange(len(edges))])
    ends = np.concatenate([np.stack([moved, moved_to], axis=1), edges])
    all_fractions = np.concatenate([moves, fractions])
    points = np.concatenate([rest, np.zeros((len(edges), 3))])
    points[interpolated] = _between(rest, ends, all_fractions)
    is_inside_out = volumes_of(points, divided) < 0.0
    divided[is_inside_out] = divided[is_inside_out][:, [1, 0, 2, 3]]
    return Split(
        divided,
        np.concatenate(parents),
        np.concatenate(above),
        interpolated,
        ends,
        all_fractions,
        count + len(edges),
    )


def _between(positions: Floats, ends: Indices, fractions: Floats) -> Floats:
    first, second = positions[ends[:, 0]], positions[ends[:, 1]]
    between: Floats = (1.0 - fractions)[:, None] * first + fractions[:, None] * second
    return between


def _on_plane(
    rest: Floats, corners: Indices, boundary: Indices, heights: Floats, edges: Indices, fractions: Floats
) -> tuple[Flags, Indices, Indices, Floats]:
    """Return which vertices count as lying on the plane, and those to be moved: which, towards which, how far."""
    is_on = heights == 0.0
    normals = np.cross(
        rest[boundary[:, 1]] - rest[boundary[:, 0]],
        rest[boundary[:, 2]] - rest[boundary[:, 0]],
    )
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    faces_at: dict[int, list[int]] = {}
    for face in np.flatnonzero(np.isin(boundary, edges).any(axis=1)).tolist():
        for vertex in boundary[face].tolist():
            faces_at.setdefault(vertex, []).append(face)
    nearest = np.minimum(fractions, 1.0 - fractions)
    moves: dict[int, tuple[int, float]] = {}
    for n in np.argsort(nearest, kind="stable").tolist():
        if nearest[n] > NEAR_END:
            break
        is_first = bool(fractions[n] < 0.5)
        a, b = edges[n].tolist() if is_first else edges[n][::-1].tolist()
        if is_on[b]:
            continue
        is_on[a] = True
        if a not in moves:
            way = rest[b] - rest[a]
            out = normals[faces_at.get(a, [])] @ way
            if np.all(np.abs(out) <= TANGENT * np.linalg.norm(way)):
                moves[a] = b, float(nearest[n])
    volumes = volumes_of(rest, corners)
    while True:
        moved = np.array(sorted(moves), dtype=np.int64)
        targets = np.array([moves[v][0] for v in moved.tolist()], dtype=np.int64)
        ways = np.array([moves[v][1] for v in moved.tolist()])
        positions = rest.copy()
        positions[moved] = _between(rest, np.stack([moved, targets], axis=1), ways)
        is_crushed = volumes_of(positions, corners) < LEAST_VOLUME * volumes
        crushed = set(corners[is_crushed].ravel().tolist()) & moves.keys()
        if not crushed:
            return is_on, moved, targets, ways
        for vertex in crushed:
            del moves[vertex]


def _parts(
    cell: list[int], sides: list[int], middle_of: dict[tuple[int, int], int]
) -> Iterator[tuple[Cell, int]]:
    """Yield the tetrahedra that a plane makes of one, and the side of each."""
    high = [v for v in cell if sides[v] > 0]
    low = [v for v in cell if sides[v] < 0]
    on = [v for v in cell if sides[v] == 0]

    def middle(a: int, b: int) -> int:
        return middle_of[min(a, b), max(a, b)]

    for own, others, side in ((high, low, 1), (low, high, -1)):
        if len(own) == 1:
            yield (own[0], *on, *(middle(own[0], other) for other in others)), side
        elif len(own) == 2 and len(others) == 2:
            yield from _wedge([(v, middle(v, others[0]), middle(v, others[1])) for v in own], side)
        elif len(own) == 2:
            a, b = own
            yield from _pyramid(on[0], (a, b, middle(b, others[0]), middle(a, others[0])), side)
        else:
            yield from _wedge([tuple(own), tuple(middle(v, others[0]) for v in own)], side)


def _pyramid(apex: int, base: Sequence[int], side: int) -> Iterator[tuple[Cell, int]]:
    """Yield two tetrahedra that fill a pyramid; `base` goes round."""
    first = min(range(4), key=base.__getitem__)
    a, b, c, d = (base[(first + k) % 4] for k in range(4))
    yield (apex, a, b, c), side
    yield (apex, a, c, d), side


def _wedge(triangles: Sequence[Sequence[int]], side: int) -> Iterator[tuple[Cell, int]]:
    """Yield three tetrahedra that fill a wedge between two triangles, whose vertices stand opposite each other."""
    bottom, top = triangles if min(triangles[0]) < min(triangles[1]) else triangles[::-1]
    first = min(range(3), key=bottom.__getitem__)
    a, b, c = (bottom[(first + k) % 3] for k in range(3))
    d, e, f = (top[(first + k) % 3] for k in range(3))
    # All diagonals at the smallest vertex start there; the one across from it starts at the smallest of its own four.
    if min(b, f) < min(c, e):
        yield (a, b, c, f), side
        yield (a, b, f, e), side
    else:
        yield (a, b, c, e), side
        yield (a, e, c, f), side
    yield (a, d, e, f), side
