"""Second half of the broad phase: from pairs of leaves to the pairs of points, edges and triangles that may come near.

Theory: docs/theory/contact.md, eq. (K3). A pair is left out only with a proof: a direction along which it is
farther apart than the reach at both ends of the motion. Corners move on straight lines, so it
stays as far apart in between. The proof looks at differences of positions only: two layers that fly together
are as easy to tell apart as two at rest.

A pair is four points, (point, three corners) or (two ends, two ends), and a flag that says which.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.distance_bounds import (
    LANES,
    ROWS,
    bound_edge_gaps,
    bound_triangle_gaps,
    place_pair,
)
from supple.collide.broad_phase.indices import index
from supple.collide.broad_phase.swept_boxes import box_at, overlap, sweep_leaves, sweep_points
from supple.kernel import kernel

MOST_OVERLAPS = 25
"""Room for the pairs of two leaves, each with five edges at most."""


class PairQuery(NamedTuple):
    """What the broad phase looks for: pairs that come within a reach in a motion."""

    x0: NDArray[np.float64]
    """(point_count, 3) where the motion starts [m]."""

    x1: NDArray[np.float64]
    """(point_count, 3) where it ends [m]."""

    reach: float
    """Of a point and a triangle [m]."""

    edge_reach: float
    """Of two edges [m], no more than that."""

    marks: NDArray[np.int8]
    """(point_count,) bits of each point."""

    wanted: int
    """Bits that the points of a pair must have between them, 0 for all pairs."""


class Batches(NamedTuple):
    """Scratch memory of `list_pairs`: a batch of points and triangles, one of edges, and boxes in single precision."""

    vectors: NDArray[np.float32]
    """(2, ROWS * LANES) [m]."""

    bounds: NDArray[np.float32]
    """(2, LANES) [m]."""

    points: NDArray[np.int32]
    """(2, LANES, 4) points of the pairs that wait in each batch."""

    boxes: NDArray[np.float32]
    """(point_count, 6) around points in the motion [m]."""

    triangle_boxes: NDArray[np.float32]
    """(leaf_count, 2, 6) [m]."""

    edge_boxes: NDArray[np.float32]
    """(leaf_count, 5, 6) [m]."""

    overlaps: NDArray[np.int32]
    """(MOST_OVERLAPS,) what overlaps of two leaves."""


def make_batches(point_count: int, leaf_count: int) -> Batches:
    """Return scratch memory for some points and leaves."""
    return Batches(
        np.zeros((2, ROWS * LANES), dtype=np.float32),
        np.zeros((2, LANES), dtype=np.float32),
        np.zeros((2, LANES, 4), dtype=np.int32),
        np.zeros((point_count, 6), dtype=np.float32),
        np.zeros((leaf_count, 2, 6), dtype=np.float32),
        np.zeros((leaf_count, 5, 6), dtype=np.float32),
        np.zeros(MOST_OVERLAPS, dtype=np.int32),
    )


@kernel(counts_references=False)
def write_batch(query, is_edge_pairs, lanes, batches, count, found):
    """Measure a batch and write its pairs that come within reach after `count` others; return how many there are then."""
    kind = 1 if is_edge_pairs else 0
    reach = query.edge_reach if is_edge_pairs else query.reach
    points, vectors, bounds = batches.points[kind], batches.vectors[kind], batches.bounds[kind]
    for lane in range(lanes):
        i, j = index(points[lane, 0]), index(points[lane, 1])
        k, m = index(points[lane, 2]), index(points[lane, 3])
        place_pair(query.x0, query.x1, is_edge_pairs, lane, i, j, k, m, vectors)
    if is_edge_pairs:
        bound_edge_gaps(vectors, bounds)
    else:
        bound_triangle_gaps(vectors, bounds)
    for lane in range(lanes):
        gap = bounds[lane]
        if gap > reach:
            continue
        if count < found.points.shape[0]:
            for corner in range(4):
                found.points[count, corner] = points[lane, corner]
            found.is_edges[count] = is_edge_pairs
            # Written so that NaN is none.
            found.gaps[count] = gap if gap > 0.0 else 0.0
        count += 1
    return count


@kernel(counts_references=False, is_inlined=True)
def add_to_batch(query, is_edge_pairs, i, j, k, m, lanes, batches, count, found):
    """Let a pair wait in its batch, and measure the batch if it is full; return how many wait and were found then."""
    points = batches.points[1 if is_edge_pairs else 0]
    points[lanes, 0], points[lanes, 1], points[lanes, 2], points[lanes, 3] = i, j, k, m
    lanes += 1
    if lanes == LANES:
        return 0, write_batch(query, is_edge_pairs, lanes, batches, count, found)
    return lanes, count


@kernel(counts_references=False, is_inlined=True)
def is_wanted(query, i, j, k, m):
    """Return whether the points of a pair have all wanted marks between them."""
    marks, wanted = query.marks, query.wanted
    return not wanted or (marks[i] | marks[j] | marks[k] | marks[m]) & wanted == wanted


@kernel(counts_references=False, is_inlined=True)
def overlapping_points(one, other, bvh, batches):
    """Write which points of a leaf and triangles of another have boxes that overlap; return how many there are.

    What is written is 4 t + p for triangle t and point p. All are written, and those that overlap are counted: a branch
    for each would often be guessed wrong.
    """
    count = 0
    for t in range(2):
        if bvh.leaf_triangles[other, t, 0] < 0:
            break
        box = box_at(batches.triangle_boxes[other], t)
        for p in range(4):
            if bvh.leaf_points[one, p] < 0:
                break
            batches.overlaps[count] = 4 * t + p
            count += overlap(box, batches.boxes, index(bvh.corners[one, index(bvh.leaf_points[one, p])]))
    return count


@kernel(counts_references=False, is_inlined=True)
def overlapping_edges(a, b, bvh, batches):
    """Write which edges of two leaves have boxes that overlap; return how many there are.

    What is written is 8 p + q for edge p of the first and q of the second, counted as in `overlapping_points`.
    """
    count = 0
    for p in range(5):
        if bvh.leaf_edges[a, p, 0] < 0:
            break
        box = box_at(batches.edge_boxes[a], p)
        for q in range(p + 1 if a == b else 0, 5):
            if bvh.leaf_edges[b, q, 0] < 0:
                break
            batches.overlaps[count] = 8 * p + q
            count += overlap(box, batches.edge_boxes[b], q)
    return count


@kernel(counts_references=False, is_inlined=True)
def list_point_pairs(query, bvh, one, other, lanes, batches, count, found):
    """Collect the points that one leaf owns with the triangles of another; return how many wait and were found then."""
    corners, triangles = bvh.corners, bvh.leaf_triangles
    for n in range(overlapping_points(one, other, bvh, batches)):
        t = batches.overlaps[n] >> 2
        i = corners[one, bvh.leaf_points[one, batches.overlaps[n] & 3]]
        j, k = corners[other, triangles[other, t, 0]], corners[other, triangles[other, t, 1]]
        m = corners[other, triangles[other, t, 2]]
        if i == j or i == k or i == m:
            continue
        if is_wanted(query, i, j, k, m):
            lanes, count = add_to_batch(query, False, i, j, k, m, lanes, batches, count, found)
    return lanes, count


@kernel(counts_references=False, is_inlined=True)
def list_edge_pairs(query, bvh, a, b, lanes, batches, count, found):
    """Collect the edges that two leaves own; return how many wait and were found then."""
    corners, edges = bvh.corners, bvh.leaf_edges
    for n in range(overlapping_edges(a, b, bvh, batches)):
        p, q = batches.overlaps[n] >> 3, batches.overlaps[n] & 7
        i, j = corners[a, edges[a, p, 0]], corners[a, edges[a, p, 1]]
        k, m = corners[b, edges[b, q, 0]], corners[b, edges[b, q, 1]]
        if i == k or i == m or j == k or j == m:
            continue
        if is_wanted(query, i, j, k, m):
            lanes, count = add_to_batch(query, True, i, j, k, m, lanes, batches, count, found)
    return lanes, count


@kernel(counts_references=False, is_entry=True)
def list_pairs(query, bvh, leaf_pairs, batches, found):
    """Write every pair of primitives that comes within its reach in a motion, and return how many there are.

    Pairs that share a corner are left out: they always touch. If there are more pairs than room, the rest is only counted.
    Pairs whose boxes overlap are collected in two batches, which are measured whenever they are full (`distance_bounds`).

    Args:
        query: PairQuery
        bvh: BVH
        leaf_pairs: (leaf_pair_count, 2) leaves that may be near
        batches: Batches, scratch
        found: Pairs; points, kinds and gaps are overwritten: a gap is a lower bound on the distance during the motion [m]

    Returns:
        The number of pairs.
    """
    sweep_points(query.x0, query.x1, query.reach, batches.boxes)
    sweep_leaves(
        batches.boxes, bvh.corners, bvh.leaf_triangles, bvh.leaf_edges, batches.triangle_boxes, batches.edge_boxes
    )  # fmt: skip
    count = points = edges = 0
    for n in range(leaf_pairs.shape[0]):
        a, b = index(leaf_pairs[n, 0]), index(leaf_pairs[n, 1])
        points, count = list_point_pairs(query, bvh, a, b, points, batches, count, found)
        if a != b:
            points, count = list_point_pairs(query, bvh, b, a, points, batches, count, found)
        edges, count = list_edge_pairs(query, bvh, a, b, edges, batches, count, found)
    count = write_batch(query, False, points, batches, count, found)
    return write_batch(query, True, edges, batches, count, found)
