"""From leaves that may be near to the pairs of points, edges and triangles that are.

Theory: docs/theory/contact.md, eq. (K3). A pair is left out only with a proof: a direction along which it is
farther apart than the reach at both ends of the motion. Corners move on straight lines, so it
stays as far apart in between. The proof looks at differences of positions only: two layers that fly together
are as easy to tell apart as two at rest.

A pair is four points, (point, three corners) or (two ends, two ends), and a flag that says which.
"""

from __future__ import annotations

import math

import numpy as np

from supple.collide.broad_phase.distance_bounds import (
    LANES,
    ROWS,
    bound_edge_gaps,
    bound_triangle_gaps,
    place_pair,
)
from supple.collide.broad_phase.indices import index
from supple.collide.broad_phase.swept_boxes import box_at, overlap, sweep_leaves, sweep_points
from supple.collide.narrow_phase.primitive_distance import edge_parameters, meet_inside, triangle_weights
from supple.kernel import difference, dot, kernel

BINS = 64
"""Pairs are kept in order of their gap, in this many bins."""

FOUND = 25
"""Room for the pairs of two leaves, each with five edges at most."""


@kernel(counts_references=False)
def pair_vectors(x, is_edges, i, j, k, m):
    """Return what a pair looks like from one of its corners.

    For a point and a triangle, the point and two corners seen from the first corner; for two edges,
    the start of the first seen from the start of the second, and both edges.
    """
    if is_edges:
        return difference(x, i, k), difference(x, j, i), difference(x, m, k)
    return difference(x, i, j), difference(x, k, j), difference(x, m, j)


@kernel(counts_references=False)
def closest_way(is_edges, p, b, c):
    """Return the way between the closest points of a pair, from the second to the first, and two weights.

    The weights are those of the triangle's second and third corner, or the parameters along the edges.
    The pair comes as `pair_vectors`.
    """
    if is_edges:
        s, t = edge_parameters(p, b, c)
        return (p[0] + s * b[0] - t * c[0], p[1] + s * b[1] - t * c[1], p[2] + s * b[2] - t * c[2]), s, t
    u, v = triangle_weights(p, b, c)
    return (p[0] - u * b[0] - v * c[0], p[1] - u * b[1] - v * c[1], p[2] - u * b[2] - v * c[2]), u, v


@kernel(counts_references=False)
def gap_along(is_edges, p, b, c, n):
    """Return how far a pair is apart along n, times its length [m]; negative if n does not tell it apart."""
    if is_edges:
        start = dot(p, n)
        return min(start, start + dot(b, n)) - max(0.0, dot(c, n))
    return dot(p, n) - max(0.0, max(dot(b, n), dot(c, n)))


@kernel(counts_references=False, is_inlined=True)
def wait(lane, i, j, k, m, waiting):
    """Let a pair wait in its place in a batch, and return how many wait there then."""
    waiting[lane, 0], waiting[lane, 1], waiting[lane, 2], waiting[lane, 3] = i, j, k, m
    return lane + 1


@kernel(counts_references=False)
def write_near(
    x0, x1, is_edge_pairs, lanes, reach, vectors, bounds, waiting, count, pairs, is_edges, gaps
):  # fmt: skip
    """Measure a batch and write its pairs that come within `reach` after `count` others; return how many there are then."""
    for lane in range(lanes):
        i, j = index(waiting[lane, 0]), index(waiting[lane, 1])
        k, m = index(waiting[lane, 2]), index(waiting[lane, 3])
        place_pair(x0, x1, is_edge_pairs, lane, i, j, k, m, vectors)
    if is_edge_pairs:
        bound_edge_gaps(vectors, bounds)
    else:
        bound_triangle_gaps(vectors, bounds)
    for lane in range(lanes):
        gap = bounds[lane]
        if gap > reach:
            continue
        if count < pairs.shape[0]:
            for corner in range(4):
                pairs[count, corner] = waiting[lane, corner]
            is_edges[count] = is_edge_pairs
            # Written so that NaN is none.
            gaps[count] = gap if gap > 0.0 else 0.0
        count += 1
    return count


@kernel(counts_references=False, is_inlined=True)
def near_points(one, other, corners, leaf_points, leaf_triangles, boxes, triangle_boxes, found):
    """Write which points of a leaf and triangles of another have boxes that overlap; return how many there are.

    What is found is 4 t + p for triangle t and point p. All are written, and those that overlap are counted: a branch
    for each would often be guessed wrong.
    """
    count = 0
    for t in range(2):
        if leaf_triangles[other, t, 0] < 0:
            break
        box = box_at(triangle_boxes[other], t)
        for p in range(4):
            if leaf_points[one, p] < 0:
                break
            found[count] = 4 * t + p
            count += overlap(box, boxes, index(corners[one, index(leaf_points[one, p])]))
    return count


@kernel(counts_references=False, is_inlined=True)
def near_edges(a, b, leaf_edges, edge_boxes, found):
    """Write which edges of two leaves have boxes that overlap; return how many there are.

    What is found is 8 p + q for edge p of the first and q of the second, counted as in `near_points`.
    """
    count = 0
    for p in range(5):
        if leaf_edges[a, p, 0] < 0:
            break
        box = box_at(edge_boxes[a], p)
        for q in range(p + 1 if a == b else 0, 5):
            if leaf_edges[b, q, 0] < 0:
                break
            found[count] = 8 * p + q
            count += overlap(box, edge_boxes[b], q)
    return count


@kernel(counts_references=False)
def list_pairs(
    x0, x1, leaf_pairs, leaf_pair_count, corners, leaf_points, leaf_triangles, leaf_edges, marks, wanted, reach,
    edge_reach, vectors, bounds, waiting, boxes, triangle_boxes, edge_boxes, found, pairs, is_edges, gaps,
):  # fmt: skip
    """Write every pair of primitives that comes within its reach in a motion, and return how many there are.

    Only pairs are written whose points have all wanted marks between them. Pairs that share a corner are left
    out: they always touch. If there are more pairs than room, the rest is only counted. What a leaf owns is
    given by the numbers of its corners, 0 to 3, or -1 for none. Pairs whose boxes overlap are collected in two batches,
    which are measured whenever they are full (`gap_bounds`).

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        leaf_pairs: (n, 2) leaves that may be near
        leaf_pair_count: how many of them are given
        corners: (leaf_count, 4) points
        leaf_points: (leaf_count, 4) corners that a leaf owns
        leaf_triangles: (leaf_count, 2, 3) corners of its triangles
        leaf_edges: (leaf_count, 5, 2) corners of the edges that it owns
        marks: (point_count,) of each point
        wanted: marks that a pair must have, 0 for all pairs
        reach: of a point and a triangle [m]
        edge_reach: of two edges [m], no more than that
        vectors: (2, ROWS * LANES) single precision, scratch
        bounds: (2, LANES) single precision, scratch
        waiting: (2, LANES, 4) points, scratch
        boxes: (point_count, 6) single precision, scratch
        triangle_boxes: (leaf_count, 2, 6) single precision, scratch
        edge_boxes: (leaf_count, 5, 6) single precision, scratch
        found: (FOUND,) scratch
        pairs: (capacity, 4) points, overwritten
        is_edges: (capacity,) whether a pair is two edges, overwritten
        gaps: (capacity,) [m], what is proved to stay free between the two, overwritten

    Returns:
        The number of pairs.
    """
    sweep_points(x0, x1, reach, boxes)
    sweep_leaves(boxes, corners, leaf_triangles, leaf_edges, triangle_boxes, edge_boxes)
    count = points = edges = 0
    for n in range(leaf_pair_count):
        a, b = index(leaf_pairs[n, 0]), index(leaf_pairs[n, 1])
        for side in range(1 if a == b else 2):
            one, other = (a, b) if side == 0 else (b, a)
            near = near_points(one, other, corners, leaf_points, leaf_triangles, boxes, triangle_boxes, found)
            for place in range(near):
                t = found[place] >> 2
                i = corners[one, leaf_points[one, found[place] & 3]]
                j, k = (
                    corners[other, leaf_triangles[other, t, 0]],
                    corners[other, leaf_triangles[other, t, 1]],
                )
                m = corners[other, leaf_triangles[other, t, 2]]
                if i == j or i == k or i == m:
                    continue
                if wanted and (marks[i] | marks[j] | marks[k] | marks[m]) & wanted != wanted:
                    continue
                points = wait(points, i, j, k, m, waiting[0])
                if points == LANES:
                    count = write_near(
                        x0, x1, False, points, reach, vectors[0], bounds[0], waiting[0], count, pairs, is_edges, gaps
                    )  # fmt: skip
                    points = 0
        near = near_edges(a, b, leaf_edges, edge_boxes, found)
        for place in range(near):
            p, q = found[place] >> 3, found[place] & 7
            i, j = corners[a, leaf_edges[a, p, 0]], corners[a, leaf_edges[a, p, 1]]
            k, m = corners[b, leaf_edges[b, q, 0]], corners[b, leaf_edges[b, q, 1]]
            if i == k or i == m or j == k or j == m:
                continue
            if wanted and (marks[i] | marks[j] | marks[k] | marks[m]) & wanted != wanted:
                continue
            edges = wait(edges, i, j, k, m, waiting[1])
            if edges == LANES:
                count = write_near(
                    x0, x1, True, edges, edge_reach, vectors[1], bounds[1], waiting[1], count, pairs, is_edges, gaps
                )  # fmt: skip
                edges = 0
    count = write_near(
        x0, x1, False, points, reach, vectors[0], bounds[0], waiting[0], count, pairs, is_edges, gaps
    )  # fmt: skip
    return write_near(
        x0, x1, True, edges, edge_reach, vectors[1], bounds[1], waiting[1], count, pairs, is_edges, gaps
    )  # fmt: skip


@kernel(counts_references=False)
def keep_closer(count, positions, reach, pairs, is_edges):
    """Keep only the pairs that are no farther apart than `reach`, and return how many there are."""
    kept = 0
    for n in range(count):
        i, j, k, m = pairs[n, 0], pairs[n, 1], pairs[n, 2], pairs[n, 3]
        way, _, _ = closest_way(is_edges[n], *pair_vectors(positions, is_edges[n], i, j, k, m))
        if dot(way, way) <= reach * reach:
            pairs[kept, 0], pairs[kept, 1], pairs[kept, 2], pairs[kept, 3] = i, j, k, m
            is_edges[kept] = is_edges[n]
            kept += 1
    return kept


@kernel(counts_references=False)
def strike_out(count, pairs, marks, unwanted, gaps):
    """Strike out the pairs of which a point has an unwanted mark: nothing will find them near any more."""
    for n in range(count):
        i, j, k, m = pairs[n, 0], pairs[n, 1], pairs[n, 2], pairs[n, 3]
        if (marks[i] | marks[j] | marks[k] | marks[m]) & unwanted != 0:
            gaps[n] = math.inf


@kernel(counts_references=False, is_inlined=True)
def within(value, most):
    """Return the value, but no more than `most`, which NaN becomes too."""
    return value if value < most else most


@kernel(counts_references=False)
def pick_pairs(
    near,
    sorted_count,
    count,
    pairs,
    is_edges,
    gaps,
    contacts,
    deviations,
    skin,
    gap,
    edge_gap,
    is_for_contacts,
    starts,
    picked,
):
    """Write which pairs may be as close as asked for, and return how many there are.

    A pair keeps its gap but for how far its points have left their ways: at most one point of each side counts.

    Args:
        near: how many of the sorted pairs come into question
        sorted_count: where those begin that are not sorted
        count: how many pairs there are
        pairs: (capacity, 4) points
        is_edges: (capacity,) whether a pair is two edges
        gaps: (capacity,) [m], what is proved of the ways
        contacts: (capacity,) the contact of each pair, -1 for none
        deviations: (point_count,) how far points are from their ways [m]
        skin: what these count at most [m]
        gap: asked for of a point and a triangle [m]
        edge_gap: asked for of two edges [m]
        is_for_contacts: whether pairs with a contact are picked at any rate, since one that carries something must not be
            lost, and new ones of two edges only if they meet inside of both: others touch with a point first
        starts: (point_count, 3) [m], where they have to meet
        picked: (capacity,) indices of pairs, overwritten
    """
    found = 0
    for step in range(near + count - sorted_count):
        n = index(step if step < near else step - near + sorted_count)
        more = gaps[n] - (edge_gap if is_edges[n] else gap)
        if more > 2.0 * skin:
            continue
        if is_for_contacts and contacts[n] >= 0:
            picked[found] = n
            found += 1
            continue
        i, j, k, m = index(pairs[n, 0]), index(pairs[n, 1]), index(pairs[n, 2]), index(pairs[n, 3])
        if more > 0.0:
            di, dj = within(deviations[i], skin), within(deviations[j], skin)
            dk, dm = within(deviations[k], skin), within(deviations[m], skin)
            if more > (max(di, dj) + max(dk, dm) if is_edges[n] else di + max(dj, max(dk, dm))):
                continue
        if is_for_contacts and is_edges[n]:
            r, e, f = pair_vectors(starts, True, i, j, k, m)
            if not meet_inside(r, e, f):
                continue
        picked[found] = n
        found += 1
    return found


@kernel(counts_references=False)
def put_contacts_first(count, picked, contacts, contact_count, places, in_order):
    """Put picked pairs in the order of the contacts they have; those without one follow in the order they are in.

    Args:
        count: how many pairs are picked
        picked: (capacity,) which
        contacts: (capacity,) the contact of each pair, -1 for none
        contact_count: how many contacts there are
        places: (contact_count or more,) scratch
        in_order: (capacity,) which pairs, overwritten
    """
    for c in range(contact_count):
        places[c] = -1
    for n in range(count):
        c = contacts[picked[n]]
        if c >= 0:
            places[c] = picked[n]
    found = 0
    for c in range(contact_count):
        if places[c] >= 0:
            in_order[found] = places[c]
            found += 1
    for n in range(count):
        if contacts[picked[n]] < 0:
            in_order[found] = picked[n]
            found += 1
    return found


@kernel(counts_references=False)
def number_on(first, count, numbers):
    """Write `count` numbers from `first` on."""
    for n in range(count):
        numbers[n] = first + n


@kernel(counts_references=False)
def sort_pairs(count, pairs, is_edges, gaps, reach, bin_ends, sorted_pairs, sorted_is_edges, sorted_gaps):
    """Put pairs in order of their gap, bin by bin; `bin_ends` counts the pairs up to the end of each bin."""
    bin_ends[:] = 0
    for n in range(count):
        bin_ends[min(int(BINS * gaps[n] / reach), BINS - 1)] += 1
    total = 0
    for b in range(BINS):
        total, bin_ends[b] = total + bin_ends[b], total
    for n in range(count):
        b = min(int(BINS * gaps[n] / reach), BINS - 1)
        place = bin_ends[b]
        bin_ends[b] += 1
        for corner in range(4):
            sorted_pairs[place, corner] = pairs[n, corner]
        sorted_is_edges[place] = is_edges[n]
        sorted_gaps[place] = gaps[n]


class Batches:
    """Room for the pairs that `list_pairs` measures side by side."""

    def __init__(self, point_count: int, leaf_count: int) -> None:
        """Make room for a batch of points and triangles, one of edges, and the boxes of some points and leaves."""
        self.arrays = (
            np.zeros((2, ROWS * LANES), dtype=np.float32),
            np.zeros((2, LANES), dtype=np.float32),
            np.zeros((2, LANES, 4), dtype=np.int32),
            np.zeros((point_count, 6), dtype=np.float32),
            np.zeros((leaf_count, 2, 6), dtype=np.float32),
            np.zeros((leaf_count, 5, 6), dtype=np.float32),
            np.zeros(FOUND, dtype=np.int32),
        )
