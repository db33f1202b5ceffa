"""Intersections of surfaces at one moment: edges that pass through triangles.

Used to look at a start and to count on demand, not while stepping.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import BVH, leaf_pairs_within
from supple.kernel import cross, difference, dot, kernel

FLAT = 1e-10
"""An edge lies in the plane of a triangle if its ends are this close to it, relative to their distance [-]."""


@kernel
def is_pierced(x, i, j, a, b, c):
    """Return whether the edge (i, j) passes through the triangle (a, b, c).

    The edge must have its ends on both sides of the plane, farther than rounding explains, and the
    triangle's sides must all pass the edge on the same side. What only touches does not count.
    """
    p, q = difference(x, i, a), difference(x, j, a)
    u, v = difference(x, b, a), difference(x, c, a)
    n = cross(u, v)
    start, end = dot(p, n), dot(q, n)
    size = dot(p, p) + dot(q, q) + dot(u, u) + dot(v, v)
    least = FLAT * math.sqrt(dot(n, n) * size)
    if not (min(start, end) < -least and max(start, end) > least):
        return False
    e = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    pb = (u[0] - p[0], u[1] - p[1], u[2] - p[2])
    pc = (v[0] - p[0], v[1] - p[1], v[2] - p[2])
    pa = (-p[0], -p[1], -p[2])
    first, second, third = dot(e, cross(pa, pb)), dot(e, cross(pb, pc)), dot(e, cross(pc, pa))
    return (first > 0.0 and second > 0.0 and third > 0.0) or (first < 0.0 and second < 0.0 and third < 0.0)


@kernel
def list_leaf_crossings(x, bvh, one, other, count, crossings):
    """Write the edges that one leaf owns and the triangles of another that they pass through, as `list_crossings` does."""
    corners, edges, triangles = bvh.corners, bvh.leaf_edges, bvh.leaf_triangles
    for e in range(5):
        if edges[one, e, 0] < 0:
            break
        i, j = corners[one, edges[one, e, 0]], corners[one, edges[one, e, 1]]
        for t in range(2):
            if triangles[other, t, 0] < 0:
                break
            a, b = corners[other, triangles[other, t, 0]], corners[other, triangles[other, t, 1]]
            c = corners[other, triangles[other, t, 2]]
            if i == a or i == b or i == c or j == a or j == b or j == c:
                continue
            if is_pierced(x, i, j, a, b, c):
                if count < crossings.shape[0]:
                    crossings[count, 0], crossings[count, 1] = i, j
                    crossings[count, 2], crossings[count, 3], crossings[count, 4] = a, b, c
                count += 1
    return count


@kernel
def list_crossings(x, bvh, leaf_pairs, crossings):
    """Write every edge and triangle that pass through each other, and return how many there are.

    Args:
        x: (point_count, 3) [m]
        bvh: BVH
        leaf_pairs: (leaf_pair_count, 2) leaves that may be near
        crossings: (capacity, 5) points of the edge, then of the triangle; overwritten

    Returns:
        The number of crossings; those beyond the room are only counted.
    """
    count = 0
    for n in range(leaf_pairs.shape[0]):
        for side in range(2):
            one, other = leaf_pairs[n, side], leaf_pairs[n, 1 - side]
            if side == 1 and one == other:
                break
            count = list_leaf_crossings(x, bvh, one, other, count, crossings)
    return count


def find_crossings(
    bvh: BVH,
    root_pairs: NDArray[np.int32],
    positions: NDArray[np.float64],
    marks: NDArray[np.int8] | None = None,
) -> NDArray[np.int32]:
    """Return every crossing as (crossing_count, 5) points: two of an edge, three of a triangle.

    If there are marks, (point_count,) 0 or 1, those of leaves with a marked point.
    """
    return crossings_of(bvh, positions, leaf_pairs_within(bvh, root_pairs, positions, 0.0, marks))


def crossings_of(
    bvh: BVH, positions: NDArray[np.float64], leaf_pairs: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return the crossings of some pairs of leaves (count, 2), as `find_crossings` does."""
    crossings = np.zeros((0, 5), dtype=np.int32)
    while True:
        found = list_crossings(positions, bvh, leaf_pairs, crossings)
        if found <= len(crossings):
            return crossings
        crossings = np.zeros((found, 5), dtype=np.int32)
