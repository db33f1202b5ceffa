"""Opening of cuts: the two banks of a fresh cut begin at the same place and have to come apart.

The CCD guard would not let points move that start in touch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

NARROWEST = 0.2
"""Farthest that a point of a cut moves into its triangles, over the size of these [-]."""

FRACTIONS = (1.0, 0.1, 0.01)
"""Fractions of the gap that are tried, the largest first [-]."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def coincident_points(points: Floats) -> Indices:
    """Return which of some points (point_count, 3) [m] are at the same place as others, ascending."""
    # Points at the same place have the same sum; few others do, and only those are compared one by one.
    sums = points[:, 0] + 0.7548776662466927 * points[:, 1] + 0.5698402909980532 * points[:, 2]
    order = np.argsort(sums, kind="stable")
    is_like_next = np.zeros(len(points) + 1, np.bool_)
    is_like_next[1:-1] = sums[order[1:]] == sums[order[:-1]]
    like = np.sort(order[is_like_next[1:] | is_like_next[:-1]])
    _, group, sizes = np.unique(points[like], axis=0, return_inverse=True, return_counts=True)
    return like[sizes[group.ravel()] > 1]


def open_cut(
    positions: Floats, triangles: Indices, banks: Indices, gap: float, is_free: Callable[[], bool]
) -> bool:
    """Move the banks of a cut apart, each into its own triangles, in the first direction that takes them through nothing.

    Where layers lie close, or the cloth is folded over the cut, not every direction will do. Returns whether one did; if
    not, all points are where they were.

    Args:
        positions: (point_count, 3) [m], those of the banks are changed
        triangles: (triangle_count, 3) all that have a bank point as a corner; others change nothing
        banks: (bank_count,) points that are at the same place as others
        gap: how far they are to move [m]
        is_free: tells whether nothing passes through anything, or touches it
    """
    together = positions[banks]
    for directions, rooms in _directions(positions.copy(), triangles, banks):
        lengths = np.linalg.norm(directions, axis=1)
        moves = (np.minimum(gap, rooms) / np.maximum(lengths, 1e-300))[:, None] * directions
        for fraction in FRACTIONS:
            positions[banks] = together + fraction * moves
            if is_free():
                return True
    positions[banks] = together
    return False


def _directions(positions: Floats, triangles: Indices, banks: Indices) -> Iterator[tuple[Floats, Floats]]:
    """Yield directions (bank_count, 3) that may do, and how far points may go in each (bank_count,) [m].

    First towards the middle of all triangles. Then into the triangles beside the border, at right angles to it: two banks
    open like a book then, however sharply the cloth is folded there; and the same beside fresh edges only. Last away from
    what is at the same place, alone and together with the first.
    """
    directions, counts = np.zeros_like(positions), np.zeros(len(positions))
    centres = positions[triangles].mean(axis=1)
    for corner in range(3):
        np.add.at(directions, triangles[:, corner], centres - positions[triangles[:, corner]])
        np.add.at(counts, triangles[:, corner], 1.0)
    directions = directions[banks] / counts[banks, None]
    widths = np.linalg.norm(directions, axis=1)
    yield directions, NARROWEST * widths

    edges_and_tips = triangles[:, [[1, 2, 0], [2, 0, 1], [0, 1, 2]]].reshape(-1, 3)
    ends = np.sort(edges_and_tips[:, :2], axis=1)
    _, first, uses = np.unique(ends, axis=0, return_index=True, return_counts=True)
    border = edges_and_tips[first[uses == 1]]
    is_bank = np.zeros(len(positions), np.bool_)
    is_bank[banks] = True
    fresh = border[is_bank[border[:, 0]] & is_bank[border[:, 1]]]
    for edges in (border, fresh):
        yield from _inward(positions, edges, banks)
    apart = _away_from_twins(positions, border, banks)
    yield apart, NARROWEST * widths
    both = directions / np.maximum(widths, 1e-300)[:, None] + apart
    yield both, NARROWEST * widths


def _away_from_twins(positions: Floats, border: Indices, banks: Indices) -> Floats:
    """Return directions (bank_count, 3) in which border edges leave those at the same place, however sharp the fold.

    Two triangles that lie on each other leave it at right angles to both, two in one plane leave it within that; a point
    of several such edges takes the shortest displacement that leads as far from each of them.
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
    directions: Floats = (np.linalg.pinv(squares[banks], rcond=1e-6) @ sums[banks, :, None])[:, :, 0]
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-300)
    return directions


def _inward_of(positions: Floats, edges: Indices) -> tuple[Floats, Floats]:
    """Return the unit vectors (edge_count, 3) into the triangles beside edges, and how far these reach (edge_count,) [m].

    Edges (edge_count, 3) are given by their ends and the third corner of the triangle; the vectors are at right angles.
    """
    a, b, tip = (positions[edges[:, corner]] for corner in range(3))
    along = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-300)
    inward = tip - a
    inward -= np.sum(inward * along, axis=1, keepdims=True) * along
    heights = np.linalg.norm(inward, axis=1)
    inward /= np.maximum(heights, 1e-300)[:, None]
    return inward, heights


def _inward(positions: Floats, edges: Indices, banks: Indices) -> Iterator[tuple[Floats, Floats]]:
    """Yield the directions into the triangles beside edges (edge_count, 3)."""
    inward, heights = _inward_of(positions, edges)
    directions, rooms = np.zeros_like(positions), np.full(len(positions), np.inf)
    for corner in range(2):
        np.add.at(directions, edges[:, corner], inward)
        np.minimum.at(rooms, edges[:, corner], NARROWEST * heights)
    yield directions[banks], rooms[banks]
