"""Sorting the pairs of a neighbour list by their gap, and picking those that may be as close as asked for."""

from __future__ import annotations

import math
from typing import NamedTuple

from supple.collide.broad_phase.indices import index
from supple.collide.narrow_phase.pair_geometry import closest_line, pair_vectors
from supple.collide.narrow_phase.primitive_distance import meet_inside
from supple.kernel import dot, kernel

BINS = 64
"""Pairs are kept in order of their gap, in this many bins."""


@kernel(counts_references=False)
def keep_closer(count, positions, reach, pairs):
    """Keep only the Pairs that are no farther apart than `reach`, and return how many there are."""
    kept = 0
    for n in range(count):
        i, j, k, m = pairs.points[n, 0], pairs.points[n, 1], pairs.points[n, 2], pairs.points[n, 3]
        is_edges = pairs.is_edges[n]
        line, _, _ = closest_line(is_edges, *pair_vectors(positions, is_edges, i, j, k, m))
        if dot(line, line) <= reach * reach:
            pairs.points[kept, 0], pairs.points[kept, 1], pairs.points[kept, 2], pairs.points[kept, 3] = (
                i,
                j,
                k,
                m,
            )
            pairs.is_edges[kept] = is_edges
            kept += 1
    return kept


@kernel(counts_references=False)
def strike_out(count, pairs, marks, unwanted):
    """Strike out the Pairs of which a point has an unwanted mark: their gap becomes infinite, so nothing picks them."""
    for n in range(count):
        i, j, k, m = pairs.points[n, 0], pairs.points[n, 1], pairs.points[n, 2], pairs.points[n, 3]
        if (marks[i] | marks[j] | marks[k] | marks[m]) & unwanted != 0:
            pairs.gaps[n] = math.inf


@kernel(counts_references=False, is_inlined=True)
def within(value, most):
    """Return the value, but no more than `most`, which NaN becomes too."""
    return value if value < most else most


class PickCriterion(NamedTuple):
    """How close pairs have to be to be picked from a neighbour list."""

    gap: float
    """Of a point and a triangle [m]."""

    edge_gap: float
    """Of two edges [m]."""

    skin: float
    """What the deviation of a point from its path counts at most [m]."""

    is_for_contacts: bool
    """Whether pairs with a contact are picked at any rate, since one with an impulse must not be lost, and new ones of two
    edges only if they meet inside of both: others touch with a point first."""


@kernel(counts_references=False)
def deviation_of_pair(is_edges, i, j, k, m, deviations, skin):
    """Return by how much a pair may be closer than its gap, because its points are off their paths [m].

    At most one point of each side counts.
    """
    di, dj = within(deviations[i], skin), within(deviations[j], skin)
    dk, dm = within(deviations[k], skin), within(deviations[m], skin)
    return max(di, dj) + max(dk, dm) if is_edges else di + max(dj, max(dk, dm))


@kernel(counts_references=False, is_entry=True)
def pick_pairs(near, sorted_count, count, pairs, deviations, criterion, starts, picked):
    """Write which pairs may be as close as asked for, and return how many there are.

    Args:
        near: how many of the sorted pairs come into question
        sorted_count: where those begin that are not sorted
        count: how many pairs there are
        pairs: Pairs
        deviations: (point_count,) how far points are from their paths [m]
        criterion: PickCriterion
        starts: (point_count, 3) [m], where edges have to meet
        picked: (capacity,) indices of pairs, overwritten
    """
    found = 0
    for step in range(near + count - sorted_count):
        n = index(step if step < near else step - near + sorted_count)
        is_edges = pairs.is_edges[n]
        more = pairs.gaps[n] - (criterion.edge_gap if is_edges else criterion.gap)
        if more > 2.0 * criterion.skin:
            continue
        if criterion.is_for_contacts and pairs.contacts[n] >= 0:
            picked[found] = n
            found += 1
            continue
        i, j = index(pairs.points[n, 0]), index(pairs.points[n, 1])
        k, m = index(pairs.points[n, 2]), index(pairs.points[n, 3])
        if more > 0.0 and more > deviation_of_pair(is_edges, i, j, k, m, deviations, criterion.skin):
            continue
        if criterion.is_for_contacts and is_edges:
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
def sort_pairs(count, pairs, reach, bin_ends, ordered):
    """Put Pairs in order of their gap, bin by bin; `bin_ends` counts the pairs up to the end of each bin."""
    bin_ends[:] = 0
    for n in range(count):
        bin_ends[min(int(BINS * pairs.gaps[n] / reach), BINS - 1)] += 1
    total = 0
    for b in range(BINS):
        total, bin_ends[b] = total + bin_ends[b], total
    for n in range(count):
        b = min(int(BINS * pairs.gaps[n] / reach), BINS - 1)
        place = bin_ends[b]
        bin_ends[b] += 1
        for corner in range(4):
            ordered.points[place, corner] = pairs.points[n, corner]
        ordered.is_edges[place] = pairs.is_edges[n]
        ordered.gaps[place] = pairs.gaps[n]
