"""Lips: the two sides of a fresh cut, which begin at the same place and have to open."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

NARROWEST = 0.2
"""Farthest that a lip moves into its triangles, over the size of these [-]."""

SHARES = (1.0, 0.1, 0.01)
"""Shares of the gap that are tried, the largest first [-]."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def at_same_place(points: Floats) -> Indices:
    """Return which of some points (point_count, 3) [m] are at the same place as others, ascending."""
    # Points at the same place have the same sum; few others do, and only those are compared one by one.
    sums = points[:, 0] + 0.7548776662466927 * points[:, 1] + 0.5698402909980532 * points[:, 2]
    order = np.argsort(sums, kind="stable")
    is_like_next = np.zeros(len(points) + 1, np.bool_)
    is_like_next[1:-1] = sums[order[1:]] == sums[order[:-1]]
    like = np.sort(order[is_like_next[1:] | is_like_next[:-1]])
    _, group, sizes = np.unique(points[like], axis=0, return_inverse=True, return_counts=True)
    return like[sizes[group.ravel()] > 1]


def open_lips(
    positions: Floats, triangles: Indices, lips: Indices, gap: float, is_free: Callable[[], bool]
) -> bool:
    """Move lips apart, each into its own triangles, in the first way that takes them through nothing.

    Where layers lie close, or the cloth is folded over the cut, not every way will do. Returns whether one did; if not,
    the lips are where they were.

    Args:
        positions: (point_count, 3) [m], those of the lips are changed
        triangles: (triangle_count, 3) all that have a lip as a corner; others change nothing
        lips: (lip_count,) points that are at the same place as others
        gap: how far they are to move [m]
        is_free: tells whether nothing passes through anything, or touches it
    """
    together = positions[lips]
    for ways, rooms in _directions(positions.copy(), triangles, lips):
        lengths = np.linalg.norm(ways, axis=1)
        moves = (np.minimum(gap, rooms) / np.maximum(lengths, 1e-300))[:, None] * ways
        for share in SHARES:
            positions[lips] = together + share * moves
            if is_free():
                return True
    positions[lips] = together
    return False


def _directions(positions: Floats, triangles: Indices, lips: Indices) -> Iterator[tuple[Floats, Floats]]:
    """Yield ways (lip_count, 3) that may do, and how far each may be gone (lip_count,) [m].

    First towards the middle of all triangles. Then into the triangles beside the border, at right angles to it: two lips
    open like a book then, however sharply the cloth is folded there; and the same beside fresh edges only. Last away from
    what is at the same place, alone and together with the first.
    """
    ways, counts = np.zeros_like(positions), np.zeros(len(positions))
    centres = positions[triangles].mean(axis=1)
    for corner in range(3):
        np.add.at(ways, triangles[:, corner], centres - positions[triangles[:, corner]])
        np.add.at(counts, triangles[:, corner], 1.0)
    ways = ways[lips] / counts[lips, None]
    widths = np.linalg.norm(ways, axis=1)
    yield ways, NARROWEST * widths

    sides = triangles[:, [[1, 2, 0], [2, 0, 1], [0, 1, 2]]].reshape(-1, 3)
    ends = np.sort(sides[:, :2], axis=1)
    _, first, uses = np.unique(ends, axis=0, return_index=True, return_counts=True)
    border = sides[first[uses == 1]]
    is_lip = np.zeros(len(positions), np.bool_)
    is_lip[lips] = True
    fresh = border[is_lip[border[:, 0]] & is_lip[border[:, 1]]]
    for edges in (border, fresh):
        yield from _inward(positions, edges, lips)
    apart = _from_twins(positions, border, lips)
    yield apart, NARROWEST * widths
    both = ways / np.maximum(widths, 1e-300)[:, None] + apart
    yield both, NARROWEST * widths


def _from_twins(positions: Floats, border: Indices, lips: Indices) -> Floats:
    """Return ways (lip_count, 3) on which border edges leave those at the same place, however sharp the fold.

    Two triangles that lie on each other leave it at right angles to both, two in one plane leave it within that; a point
    of several such edges takes the shortest way that leads as far from each of them.
    """
    points, ends = np.unique(border[:, :2], return_inverse=True)
    _, places = np.unique(positions[points], axis=0, return_inverse=True)
    ends = np.sort(places.ravel()[ends.reshape(-1, 2)], axis=1)
    order = np.lexsort(ends.T)
    is_pair = (ends[order[1:]] == ends[order[:-1]]).all(axis=1)
    one, other = border[order[1:][is_pair]], border[order[:-1][is_pair]]
    apart = _inward_of(positions, one)[0] - _inward_of(positions, other)[0]
    apart /= np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1e-300)
    squares, sums = np.zeros((len(positions), 3, 3)), np.zeros_like(positions)
    for edges, away in ((one, apart), (other, -apart)):
        for corner in range(2):
            np.add.at(squares, edges[:, corner], away[:, :, None] * away[:, None, :])
            np.add.at(sums, edges[:, corner], away)
    ways: Floats = (np.linalg.pinv(squares[lips], rcond=1e-6) @ sums[lips, :, None])[:, :, 0]
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-300)
    return ways


def _inward_of(positions: Floats, edges: Indices) -> tuple[Floats, Floats]:
    """Return the unit ways (edge_count, 3) into the triangles beside edges, and how far these reach (edge_count,) [m].

    Edges (edge_count, 3) are given by their ends and the third corner of the triangle; the ways are at right angles to them.
    """
    a, b, tip = (positions[edges[:, corner]] for corner in range(3))
    along = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-300)
    inward = tip - a
    inward -= np.sum(inward * along, axis=1, keepdims=True) * along
    heights = np.linalg.norm(inward, axis=1)
    inward /= np.maximum(heights, 1e-300)[:, None]
    return inward, heights


def _inward(positions: Floats, edges: Indices, lips: Indices) -> Iterator[tuple[Floats, Floats]]:
    """Yield the ways into the triangles beside edges (edge_count, 3)."""
    inward, heights = _inward_of(positions, edges)
    ways, rooms = np.zeros_like(positions), np.full(len(positions), np.inf)
    for corner in range(2):
        np.add.at(ways, edges[:, corner], inward)
        np.minimum.at(rooms, edges[:, corner], NARROWEST * heights)
    yield ways[lips], rooms[lips]
