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

from supple.collide.gap_bounds import LANES, ROWS, bound_edge_gaps, bound_triangle_gaps, place_pair
from supple.collide.primitive_distance import edge_parameters, triangle_weights
from supple.kernel import cross, difference, dot, kernel

BINS = 64
"""Pairs are kept in order of their gap, in this many bins."""


@kernel(counts_references=False, is_inlined=True)
def leaf_normal(x, corners, a):
    """Return the normal of a leaf, not of unit length: the cross product of its diagonals."""
    if corners[a, 3] == corners[a, 2]:
        return cross(difference(x, corners[a, 1], corners[a, 0]), difference(x, corners[a, 2], corners[a, 0]))
    return cross(difference(x, corners[a, 2], corners[a, 0]), difference(x, corners[a, 3], corners[a, 1]))


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
def span_along(x, corners, a, n, origin):
    """Return the least and the largest way of the corners of a leaf along n, seen from a point, times its length [m]."""
    low = high = dot(difference(x, corners[a, 0], origin), n)
    for corner in range(1, 4):
        way = dot(difference(x, corners[a, corner], origin), n)
        low, high = min(low, way), max(high, way)
    return low, high


@kernel(counts_references=False)
def leaves_far(x0, x1, corners, a, b, n, reach):
    """Return whether the direction n, of any length, tells two leaves apart throughout the motion."""
    square = dot(n, n)
    if not square > 0.0:
        return False
    # Measured from a corner, so that no digits are lost far from the origin.
    origin = corners[a, 0]
    far = reach * math.sqrt(square)
    low_a, high_a = span_along(x0, corners, a, n, origin)
    low_b, high_b = span_along(x0, corners, b, n, origin)
    is_above, is_below = low_b - high_a > far, low_a - high_b > far
    if not (is_above or is_below):
        return False
    low_a, high_a = span_along(x1, corners, a, n, origin)
    low_b, high_b = span_along(x1, corners, b, n, origin)
    return (is_above and low_b - high_a > far) or (is_below and low_a - high_b > far)


@kernel(counts_references=False, is_inlined=True)
def write_near(waiting, gaps, lanes, is_edge_pairs, reach, count, pairs, is_edges, found_gaps):
    """Write the pairs of a batch that come within `reach`, after `count` others, and return how many there are in all."""
    for lane in range(lanes):
        gap = gaps[lane]
        if gap > reach:
            continue
        if count < pairs.shape[0]:
            for corner in range(4):
                pairs[count, corner] = waiting[lane, corner]
            is_edges[count] = is_edge_pairs
            # Written so that NaN is none.
            found_gaps[count] = gap if gap > 0.0 else 0.0
        count += 1
    return count


@kernel(counts_references=False)
def list_pairs(
    x0, x1, leaf_pairs, leaf_pair_count, corners, leaf_points, leaf_triangles, leaf_edges, marks, wanted, reach,
    edge_reach, vectors, bounds, waiting, pairs, is_edges, gaps,
):  # fmt: skip
    """Write every pair of primitives that comes within its reach in a motion, and return how many there are.

    Only pairs are written whose points have all wanted marks between them. Pairs that share a corner are left
    out: they always touch. If there are more pairs than room, the rest is only counted. What a leaf owns is
    given by the numbers of its corners, 0 to 3, or -1 for none. Pairs are collected in two batches, which
    are measured whenever they are full (`gap_bounds`).

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
        pairs: (capacity, 4) points, overwritten
        is_edges: (capacity,) whether a pair is two edges, overwritten
        gaps: (capacity,) [m], what is proved to stay free between the two, overwritten

    Returns:
        The number of pairs.
    """
    count = points = edges = 0
    for n in range(leaf_pair_count):
        a, b = leaf_pairs[n, 0], leaf_pairs[n, 1]
        if a != b and (
            leaves_far(x0, x1, corners, a, b, leaf_normal(x0, corners, a), reach)
            or leaves_far(x0, x1, corners, b, a, leaf_normal(x0, corners, b), reach)
        ):
            continue
        for side in range(1 if a == b else 2):
            one, other = (a, b) if side == 0 else (b, a)
            for p in range(4):
                own = leaf_points[one, p]
                if own < 0:
                    break
                i = corners[one, own]
                for t in range(2):
                    first = leaf_triangles[other, t, 0]
                    if first < 0:
                        break
                    j, k = corners[other, first], corners[other, leaf_triangles[other, t, 1]]
                    m = corners[other, leaf_triangles[other, t, 2]]
                    if i == j or i == k or i == m:
                        continue
                    if wanted and (marks[i] | marks[j] | marks[k] | marks[m]) & wanted != wanted:
                        continue
                    place_pair(x0, x1, False, points, i, j, k, m, vectors[0])
                    waiting[0, points, 0], waiting[0, points, 1] = i, j
                    waiting[0, points, 2], waiting[0, points, 3] = k, m
                    points += 1
                    if points == LANES:
                        bound_triangle_gaps(vectors[0], bounds[0])
                        count = write_near(
                            waiting[0], bounds[0], points, False, reach, count, pairs, is_edges, gaps
                        )
                        points = 0
        for p in range(5):
            start, end = leaf_edges[a, p, 0], leaf_edges[a, p, 1]
            if start < 0:
                break
            i, j = corners[a, start], corners[a, end]
            for q in range(p + 1 if a == b else 0, 5):
                first, second = leaf_edges[b, q, 0], leaf_edges[b, q, 1]
                if first < 0:
                    break
                k, m = corners[b, first], corners[b, second]
                if i == k or i == m or j == k or j == m:
                    continue
                if wanted and (marks[i] | marks[j] | marks[k] | marks[m]) & wanted != wanted:
                    continue
                place_pair(x0, x1, True, edges, i, j, k, m, vectors[1])
                waiting[1, edges, 0], waiting[1, edges, 1] = i, j
                waiting[1, edges, 2], waiting[1, edges, 3] = k, m
                edges += 1
                if edges == LANES:
                    bound_edge_gaps(vectors[1], bounds[1])
                    count = write_near(
                        waiting[1], bounds[1], edges, True, edge_reach, count, pairs, is_edges, gaps
                    )
                    edges = 0
    bound_triangle_gaps(vectors[0], bounds[0])
    count = write_near(waiting[0], bounds[0], points, False, reach, count, pairs, is_edges, gaps)
    bound_edge_gaps(vectors[1], bounds[1])
    return write_near(waiting[1], bounds[1], edges, True, edge_reach, count, pairs, is_edges, gaps)


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
    keeps_contacts,
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
        keeps_contacts: whether pairs with a contact are picked at any rate: one that carries something must not be lost
        picked: (capacity,) indices of pairs, overwritten
    """
    found = 0
    for step in range(near + count - sorted_count):
        n = step if step < near else step - near + sorted_count
        more = gaps[n] - (edge_gap if is_edges[n] else gap)
        if more > 2.0 * skin:
            continue
        if more > 0.0 and not (keeps_contacts and contacts[n] >= 0):
            di, dj = within(deviations[pairs[n, 0]], skin), within(deviations[pairs[n, 1]], skin)
            dk, dm = within(deviations[pairs[n, 2]], skin), within(deviations[pairs[n, 3]], skin)
            if more > (max(di, dj) + max(dk, dm) if is_edges[n] else di + max(dj, max(dk, dm))):
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

    def __init__(self) -> None:
        """Make room for a batch of points and triangles and one of edges."""
        self.arrays = (
            np.zeros((2, ROWS * LANES), dtype=np.float32),
            np.zeros((2, LANES), dtype=np.float32),
            np.zeros((2, LANES, 4), dtype=np.int32),
        )
