"""The guard: no substep ends, or passes through, an intersection.

Theory: docs/theory/contact.md, eq. (K9) and the proof beside it. Surfaces start free of each other. Their first
contact would be that of a point and a triangle, or of two edges; all such pairs that could meet in
this substep are listed, and each is tested in continuous time. What would hit is first pushed apart;
if that does not help in a few rounds, its points go only part of their way, and in the end none of it:
where the substep started was free.
"""

from __future__ import annotations

import math

from supple.collide.broad_phase.primitive_pairs import closest_way, gap_along, pair_vectors
from supple.collide.narrow_phase.ccd import contact_time
from supple.kernel import dot, kernel


@kernel(counts_references=False)
def largest_deviation(points, others):
    """Return how far points are from other places at most, (point_count, 3) [m] each."""
    largest = 0.0
    for i in range(points.shape[0]):
        dx, dy, dz = points[i, 0] - others[i, 0], points[i, 1] - others[i, 1], points[i, 2] - others[i, 2]
        square = dx * dx + dy * dy + dz * dz
        # Written so that NaN counts as far.
        if not square <= largest:
            largest = square
    return math.sqrt(largest)


@kernel(counts_references=False)
def measure_deviations(starts, before, ends, after, base, ways, deviations):
    """Write how far each point is from its expected way, at the start or the end of a substep; return the largest [m].

    Both the motion and the way are straight in between, so nowhere is it farther.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        before: time since the ways began, at the start of the substep [s]
        ends: (point_count, 3) [m], where it ends
        after: the same time at its end [s]
        base: (point_count, 3) [m], where each way began
        ways: (point_count, 3) [m/s]
        deviations: (point_count,) [m], overwritten
    """
    largest = 0.0
    for i in range(starts.shape[0]):
        at_start = at_end = 0.0
        for axis in range(3):
            d = starts[i, axis] - (base[i, axis] + before * ways[i, axis])
            at_start += d * d
            d = ends[i, axis] - (base[i, axis] + after * ways[i, axis])
            at_end += d * d
        # Written so that NaN counts as far.
        square = at_end if not at_end <= at_start else at_start
        deviations[i] = math.sqrt(square)
        if not square <= largest:
            largest = square
    return math.sqrt(largest)


@kernel(counts_references=False)
def expect_ways(starts, ends, velocities, step, skin, ways):
    """Write how far each point is expected to go in a substep: as far as in the last one.

    Where a substep ends before contacts have acted is a worse guess: in dense folds contacts take most of it
    back. It is used for points that something has seized: they end farther than `skin` from the first guess.
    """
    for i in range(starts.shape[0]):
        square = 0.0
        for axis in range(3):
            ways[i, axis] = step * velocities[i, axis]
            off = ends[i, axis] - starts[i, axis] - ways[i, axis]
            square += off * off
        if not square <= skin * skin:
            for axis in range(3):
                ways[i, axis] = ends[i, axis] - starts[i, axis]


STRAY, CHANGED = 1, 2
"""Marks of points: it has left its skin; it has moved since its pairs were last tested."""


@kernel(counts_references=False)
def redirect_strays(starts, ends, velocities, step, before, after, skin, farthest, base, ways, marks):
    """Give points that are not where they were expected a new way from where they are; return how many there are.

    A point is a stray if it starts the substep outside of its skin, or if springs lead it much farther than that. Its
    new way is that of `expect_ways`.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        velocities: (point_count, 3) [m/s]
        step: [s]
        before: time since the ways began, at the start of the substep [s]
        after: the same at its end [s]
        skin: [m]
        farthest: how far the end may be from where it was expected [m]
        base: (point_count, 3) [m], where each way began, changed in place
        ways: (point_count, 3) [m/s], changed in place
        marks: (point_count,) STRAY or 0, overwritten
    """
    count = 0
    for i in range(starts.shape[0]):
        at_start = at_end = off = 0.0
        for axis in range(3):
            d = starts[i, axis] - (base[i, axis] + before * ways[i, axis])
            at_start += d * d
            d = ends[i, axis] - (base[i, axis] + after * ways[i, axis])
            at_end += d * d
            d = ends[i, axis] - starts[i, axis] - step * velocities[i, axis]
            off += d * d
        # Written so that NaN is a stray.
        if at_start <= skin * skin and at_end <= farthest * farthest:
            marks[i] = 0
            continue
        marks[i] = STRAY
        count += 1
        for axis in range(3):
            way = (
                velocities[i, axis]
                if off <= farthest * farthest
                else (ends[i, axis] - starts[i, axis]) / step
            )
            ways[i, axis] = way
            base[i, axis] = starts[i, axis] - before * way
    return count


@kernel(counts_references=False)
def mark_points(points, deviations, skin, tested, marks):
    """Tell of every point whether it is a stray and whether it has changed, and remember where it is tested.

    Args:
        points: (point_count, 3) [m]
        deviations: (point_count,) how far each is from its way [m]
        skin: [m]
        tested: (point_count, 3) [m], where each was at the last test, overwritten
        marks: (point_count,) what is already marked as changed stays so; overwritten

    Returns:
        The number of strays.
    """
    count = 0
    for i in range(points.shape[0]):
        mark = marks[i] & CHANGED
        for axis in range(3):
            if points[i, axis] != tested[i, axis]:
                mark = CHANGED
            tested[i, axis] = points[i, axis]
        # Written so that NaN is a stray.
        if not deviations[i] <= skin:
            mark |= STRAY
            count += 1
        marks[i] = mark
    return count


@kernel(counts_references=False)
def mark_hits(hit_count, hits, pairs, marks):
    """Forget all marks but those of pairs that hit: these are tested again, moved or not."""
    marks[:] = 0
    for n in range(hit_count):
        for corner in range(4):
            marks[pairs[hits[n], corner]] = CHANGED


@kernel(counts_references=False)
def find_hits(starts, ends, pairs, is_edges, picked_count, picked, marks, separation, hits, times):
    """Write which pairs come closer than they may in a substep, and when; return how many there are.

    A pair keeps `separation`, or a share of its gap at the start if that is smaller. Most pairs are told
    apart by the direction between their closest points at the start; the others are followed in time.
    Pairs of which no point has changed are known to be free.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends
        pairs: (capacity, 4) points
        is_edges: (capacity,) whether a pair is two edges
        picked_count: how many pairs are to be tested
        picked: (capacity,) which
        marks: (point_count,) of `mark_points`
        separation: [m]
        hits: (capacity,) indices of pairs, overwritten
        times: (capacity,) share of the substep that is free, overwritten

    Returns:
        The number of hits; those beyond the room are only counted.
    """
    count = 0
    for place in range(picked_count):
        n = picked[place]
        i, j, k, m = pairs[n, 0], pairs[n, 1], pairs[n, 2], pairs[n, 3]
        if (marks[i] | marks[j] | marks[k] | marks[m]) & CHANGED == 0:
            continue
        p, b, c = pair_vectors(starts, is_edges[n], i, j, k, m)
        way, _, _ = closest_way(is_edges[n], p, b, c)
        square = dot(way, way)
        gap = math.sqrt(square)
        kept = min(separation, 0.9 * gap)
        p, b, c = pair_vectors(ends, is_edges[n], i, j, k, m)
        if gap_along(is_edges[n], p, b, c, way) > kept * gap and gap > 0.0:
            continue
        time = contact_time(starts, ends, is_edges[n], i, j, k, m, kept)
        if time <= 1.0:
            if count < hits.shape[0]:
                hits[count] = n
                times[count] = time
            count += 1
    return count


@kernel(counts_references=False)
def shorten_ways(hit_count, hits, times, pairs, is_last, particle_count, starts, ways, shares, ends):
    """Let the points of pairs that hit go only part of their way, or none of it if `is_last`.

    Args:
        hit_count: how many hits there are
        hits: (capacity,) indices of pairs
        times: (capacity,) share of the way that is free
        pairs: (capacity, 4) points
        is_last: whether to stop the points
        particle_count: points from here on follow nobody, and are not stopped
        starts: (point_count, 3) [m], where the substep starts
        ways: (point_count, 3) [m], the whole way of each point
        shares: (point_count,) share of the way that each point goes, changed in place
        ends: (point_count, 3) [m], changed in place
    """
    for n in range(hit_count):
        for corner in range(4):
            i = pairs[hits[n], corner]
            if i < particle_count:
                shares[i] = 0.0 if is_last else 0.8 * times[n] * shares[i]
    for i in range(particle_count):
        if shares[i] < 1.0:
            for axis in range(3):
                ends[i, axis] = starts[i, axis] + shares[i] * ways[i, axis]
