"""From leaves that may be near to the pairs of points, edges and triangles that are.

Theory: docs/theory/contact.md, eq. (K3). A pair is left out only with a proof: a direction along which it is
farther apart than the reach at both ends of the motion. Corners move on straight lines, so it
stays as far apart in between. The proof looks at differences of positions only: two layers that fly together
are as easy to tell apart as two at rest.

A pair is four points, (point, three corners) or (two ends, two ends), and a flag that says which.
"""

from __future__ import annotations

import math

from supple.collide.primitive_distance import edge_parameters, triangle_weights
from supple.kernel import cross, difference, dot, kernel

BINS = 64
"""Pairs are kept in order of their gap, in this many bins."""

TRIANGLES, EDGES, LEAF, SPANS = 4, 6, 11, 12
"""Where the spans of a leaf begin, after those of its points, and how many there are."""


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
def spread_leaves(x0, x1, corners, a, b, n, spread):
    """Write where the corners of two leaves lie in axes of leaf a, at both ends of a motion.

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        corners: (leaf_count, 4) points
        a: first leaf
        b: second leaf
        n: direction of the first axis, of any length
        spread: (8, 6) [m], corner of a and then of b, the three axes at the start and at the end; overwritten

    Returns:
        Whether the axes exist: a leaf without area has none.
    """
    side = difference(x0, corners[a, 1], corners[a, 0])
    square, length = dot(n, n), dot(side, side)
    if not (square > 0.0 and length > 0.0):
        return False
    scale = 1.0 / math.sqrt(square)
    w = (n[0] * scale, n[1] * scale, n[2] * scale)
    scale = 1.0 / math.sqrt(length)
    u = (side[0] * scale, side[1] * scale, side[2] * scale)
    v = cross(w, u)
    # Measured from a corner, so that no digits are lost far from the origin.
    first = corners[a, 0]
    for corner in range(8):
        i = corners[a, corner] if corner < 4 else corners[b, corner - 4]
        d = difference(x0, i, first)
        spread[corner, 0], spread[corner, 1], spread[corner, 2] = dot(d, w), dot(d, u), dot(d, v)
        d = difference(x1, i, first)
        spread[corner, 3], spread[corner, 4], spread[corner, 5] = dot(d, w), dot(d, u), dot(d, v)
    return True


@kernel(counts_references=False, is_inlined=True)
def write_span(spread, i, j, k, span):
    """Write the least and the largest of three corners along every axis, at both ends of the motion, (2, 6) [m]."""
    for column in range(6):
        a, b, c = spread[i, column], spread[j, column], spread[k, column]
        span[0, column] = min(a, min(b, c))
        span[1, column] = max(a, max(b, c))


@kernel(counts_references=False)
def write_spans(spread, shift, leaf, leaf_points, leaf_triangles, leaf_edges, spans):
    """Write the spans of all that a leaf owns, of its triangles, and of the leaf as a whole.

    Args:
        spread: of `spread_leaves`
        shift: number of the first corner of the leaf there, 0 or 4
        leaf: which leaf
        leaf_points: of `list_pairs`
        leaf_triangles: of `list_pairs`
        leaf_edges: of `list_pairs`
        spans: (12, 2, 6) [m] of four points, two triangles, five edges and the leaf, overwritten
    """
    for p in range(4):
        i = leaf_points[leaf, p]
        if i < 0:
            break
        write_span(spread, i + shift, i + shift, i + shift, spans[p])
    for t in range(2):
        i, j, k = leaf_triangles[leaf, t, 0], leaf_triangles[leaf, t, 1], leaf_triangles[leaf, t, 2]
        if i < 0:
            break
        write_span(spread, i + shift, j + shift, k + shift, spans[TRIANGLES + t])
    for p in range(5):
        i, j = leaf_edges[leaf, p, 0], leaf_edges[leaf, p, 1]
        if i < 0:
            break
        write_span(spread, i + shift, j + shift, j + shift, spans[EDGES + p])


@kernel(counts_references=False, is_inlined=True)
def write_leaf_span(spread, shift, span):
    """Write the span of all four corners of a leaf, (2, 6) [m]."""
    for column in range(6):
        a, b = spread[shift, column], spread[shift + 1, column]
        c, d = spread[shift + 2, column], spread[shift + 3, column]
        span[0, column] = min(min(a, b), min(c, d))
        span[1, column] = max(max(a, b), max(c, d))


@kernel(counts_references=False, is_inlined=True)
def spans_are_far(a, b, reach):
    """Return whether an axis tells two spans apart throughout the motion."""
    is_far = False
    for axis in range(3):
        above = min(a[0, axis] - b[1, axis], a[0, axis + 3] - b[1, axis + 3])
        below = min(b[0, axis] - a[1, axis], b[0, axis + 3] - a[1, axis + 3])
        is_far |= (above > reach) | (below > reach)
    return is_far


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


@kernel(counts_references=False)
def gap_of_motion(x0, x1, is_still, is_edges, i, j, k, m, reach):
    """Return a distance that a pair keeps throughout a motion, as far as a direction proves it [m].

    Directions tried: between the closest points at the start, and at the end.
    """
    p0, b0, c0 = pair_vectors(x0, is_edges, i, j, k, m)
    n, _, _ = closest_way(is_edges, p0, b0, c0)
    d = math.sqrt(dot(n, n))
    if is_still:
        return d
    p1, b1, c1 = pair_vectors(x1, is_edges, i, j, k, m)
    gap = 0.0
    if d > 0.0:
        gap = min(d, gap_along(is_edges, p1, b1, c1, n) / d)
    # What starts within the reach is listed at any rate.
    if gap <= reach and (d > reach or gap <= 0.0):
        n, _, _ = closest_way(is_edges, p1, b1, c1)
        d = math.sqrt(dot(n, n))
        if d > 0.0:
            gap = max(gap, min(d, gap_along(is_edges, p0, b0, c0, n) / d))
    return max(gap, 0.0)


@kernel(counts_references=False)
def list_pairs(
    x0, x1, is_still, leaf_pairs, leaf_pair_count, corners, leaf_points, leaf_triangles, leaf_edges,
    marks, wanted, reach, spread, spans, pairs, is_edges, gaps,
):  # fmt: skip
    """Write every pair of primitives that comes within `reach` in a motion, and return how many there are.

    Only pairs are written whose points have all wanted marks between them. Pairs that share a corner are left
    out: they always touch. If there are more pairs than room, the rest is only counted. What a leaf owns is
    given by the numbers of its corners, 0 to 3, or -1 for none.

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        is_still: whether x1 equals x0
        leaf_pairs: (n, 2) leaves that may be near
        leaf_pair_count: how many of them are given
        corners: (leaf_count, 4) points
        leaf_points: (leaf_count, 4) corners that a leaf owns
        leaf_triangles: (leaf_count, 2, 3) corners of its triangles
        leaf_edges: (leaf_count, 5, 2) corners of the edges that it owns
        marks: (point_count,) of each point
        wanted: marks that a pair must have, 0 for all pairs
        reach: [m]
        spread: (8, 6) scratch
        spans: (2, 12, 2, 6) scratch
        pairs: (capacity, 4) points, overwritten
        is_edges: (capacity,) whether a pair is two edges, overwritten
        gaps: (capacity,) [m], what is proved to stay free between the two, overwritten

    Returns:
        The number of pairs.
    """
    count = 0
    room = pairs.shape[0]
    for n in range(leaf_pair_count):
        a, b = leaf_pairs[n, 0], leaf_pairs[n, 1]
        has_axes = spread_leaves(x0, x1, corners, a, b, leaf_normal(x0, corners, a), spread)
        write_leaf_span(spread, 0, spans[0, LEAF])
        write_leaf_span(spread, 4, spans[1, LEAF])
        if a != b and (
            (has_axes and spans_are_far(spans[0, LEAF], spans[1, LEAF], reach))
            or leaves_far(x0, x1, corners, b, a, leaf_normal(x0, corners, b), reach)
        ):
            continue
        write_spans(spread, 0, a, leaf_points, leaf_triangles, leaf_edges, spans[0])
        write_spans(spread, 4, b, leaf_points, leaf_triangles, leaf_edges, spans[1])
        for side in range(1 if a == b else 2):
            one, other = (a, b) if side == 0 else (b, a)
            for p in range(4):
                own = leaf_points[one, p]
                if own < 0:
                    break
                if has_axes and spans_are_far(spans[side, p], spans[1 - side, LEAF], reach):
                    continue
                i = corners[one, own]
                for t in range(2):
                    first = leaf_triangles[other, t, 0]
                    if first < 0:
                        break
                    if has_axes and spans_are_far(spans[side, p], spans[1 - side, TRIANGLES + t], reach):
                        continue
                    j, k = corners[other, first], corners[other, leaf_triangles[other, t, 1]]
                    m = corners[other, leaf_triangles[other, t, 2]]
                    if i == j or i == k or i == m:
                        continue
                    if wanted and (marks[i] | marks[j] | marks[k] | marks[m]) & wanted != wanted:
                        continue
                    gap = gap_of_motion(x0, x1, is_still, False, i, j, k, m, reach)
                    if gap <= reach:
                        if count < room:
                            pairs[count, 0], pairs[count, 1] = i, j
                            pairs[count, 2], pairs[count, 3] = k, m
                            is_edges[count] = False
                            gaps[count] = gap
                        count += 1
        for p in range(5):
            start, end = leaf_edges[a, p, 0], leaf_edges[a, p, 1]
            if start < 0:
                break
            if has_axes and spans_are_far(spans[0, EDGES + p], spans[1, LEAF], reach):
                continue
            i, j = corners[a, start], corners[a, end]
            for q in range(p + 1 if a == b else 0, 5):
                first, second = leaf_edges[b, q, 0], leaf_edges[b, q, 1]
                if first < 0:
                    break
                if has_axes and spans_are_far(spans[0, EDGES + p], spans[1, EDGES + q], reach):
                    continue
                k, m = corners[b, first], corners[b, second]
                if i == k or i == m or j == k or j == m:
                    continue
                if wanted and (marks[i] | marks[j] | marks[k] | marks[m]) & wanted != wanted:
                    continue
                gap = gap_of_motion(x0, x1, is_still, True, i, j, k, m, reach)
                if gap <= reach:
                    if count < room:
                        pairs[count, 0], pairs[count, 1] = i, j
                        pairs[count, 2], pairs[count, 3] = k, m
                        is_edges[count] = True
                        gaps[count] = gap
                    count += 1
    return count


@kernel(counts_references=False)
def keep_pairs(count, pairs, is_edges, gaps, marks, unwanted, kept_pairs, kept_is_edges, kept_gaps):
    """Copy the pairs of which no point has an unwanted mark, and return how many there are."""
    kept = 0
    for n in range(count):
        i, j, k, m = pairs[n, 0], pairs[n, 1], pairs[n, 2], pairs[n, 3]
        if (marks[i] | marks[j] | marks[k] | marks[m]) & unwanted != 0:
            continue
        kept_pairs[kept, 0], kept_pairs[kept, 1] = i, j
        kept_pairs[kept, 2], kept_pairs[kept, 3] = k, m
        kept_is_edges[kept] = is_edges[n]
        kept_gaps[kept] = gaps[n]
        kept += 1
    return kept


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
