"""Finding contacts: the pairs of the neighbour list that touch, or may within the substep, become contacts.

Theory: docs/theory/contact.md, eq. (K5), after Kang 2000 §4.2. A contact acts on the two closest points of a pair, with
their barycentric weights. The narrow phase is done here for pairs that are near at the start of a substep, and in
`ccd_guard` for those that would hit in between; the latter become contacts as well (`add_hit_contacts`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.indices import index
from supple.collide.narrow_phase.pair_geometry import closest_line, pair_vectors, pair_weights
from supple.collide.narrow_phase.primitive_distance import meet_inside
from supple.kernel import dot, kernel, norm

MARGIN = 0.25
"""Contacts are kept ready from this share of the thickness outside of it [-]."""

EDGE_MARGIN = 0.01
"""The same for two edges at rest [-]; edges that move take as much more as they move."""

SAME_SIDE = 0.8
"""Two contacts of a point are on the same side if the cosine of their normals exceeds this [-]."""

EDGE_SHARE = 0.96
"""Two edges may come a little closer than a point and a triangle [-]: flat layers then rest on
points only, and edges take over where they cross in the open."""

HIT_GAP = 0.2
"""Share of the thickness that a pair keeps if it would have hit within a substep [-]."""


class PickedPairs(NamedTuple):
    """The pairs of the neighbour list that may touch."""

    pairs: NDArray[np.int32]
    """(count,) indices of the pairs."""

    contacts: NDArray[np.int32]
    """(count,) number of the contact that each had in the last substep, -1 for none."""


class ContactChains(NamedTuple):
    """Scratch memory: the contacts of each point as a linked list, and the pair of each contact."""

    last: NDArray[np.int32]
    """(point_count,) last contact of each point, -1 for none."""

    following: NDArray[np.int32]
    """(capacity,) the contact of the same point before it, -1 for none."""

    pairs: NDArray[np.int32]
    """(capacity,) the pair of each contact."""


class Hits(NamedTuple):
    """Pairs that would hit within the substep."""

    pairs: NDArray[np.int32]
    """(capacity,) indices of pairs."""

    times: NDArray[np.float64]
    """(capacity,) share of the substep that is free [-]."""


@kernel(counts_references=False, is_inlined=True)
def weighted_sum(x, weights, i, j, k, m):
    """Return the sum of rows i, j, k and m of an (n, 3) array with four weights: the line between two closest points."""
    wi, wj, wk, wm = weights
    return (
        wi * x[i, 0] + wj * x[j, 0] + wk * x[k, 0] + wm * x[m, 0],
        wi * x[i, 1] + wj * x[j, 1] + wk * x[k, 1] + wm * x[m, 1],
        wi * x[i, 2] + wj * x[j, 2] + wk * x[k, 2] + wm * x[m, 2],
    )


@kernel(counts_references=False, is_inlined=True)
def compliance(weights, inverse_masses, i, j, k, m):
    """Return the displacement of a contact per impulse on it, Σ w² / m [1/kg]: its inverse effective mass."""
    wi, wj, wk, wm = weights
    return (
        wi * wi * inverse_masses[i] + wj * wj * inverse_masses[j]
        + wk * wk * inverse_masses[k] + wm * wm * inverse_masses[m]
    )  # fmt: skip


@kernel(counts_references=False)
def approach(starts, ends, i, j, k, m):
    """Return how far two edges (i, j) and (k, m) may come closer in a substep, along the axis in which they do most [m].

    What both do together counts for nothing: a rope that turns has no more contacts than one that rests.
    """
    most = 0.0
    for axis in range(3):
        di, dj = ends[i, axis] - starts[i, axis], ends[j, axis] - starts[j, axis]
        dk, dm = ends[k, axis] - starts[k, axis], ends[m, axis] - starts[m, axis]
        most = max(most, max(max(di, dj) - min(dk, dm), max(dk, dm) - min(di, dj)))
    return most


@kernel(counts_references=False, is_inlined=True)
def write_contact(contacts, c, is_edges, points, weights, normal, line, gap, thickness, friction):
    """Write contact c, but for its impulses."""
    contacts.is_edges[c] = is_edges
    all_points, all_weights = contacts.points, contacts.weights
    all_points[c, 0], all_points[c, 1], all_points[c, 2], all_points[c, 3] = points
    all_weights[c, 0], all_weights[c, 1], all_weights[c, 2], all_weights[c, 3] = weights
    contacts.normals[c, 0], contacts.normals[c, 1], contacts.normals[c, 2] = normal
    contacts.lines[c, 0], contacts.lines[c, 1], contacts.lines[c, 2] = line
    contacts.gaps[c] = gap
    contacts.thicknesses[c] = thickness
    contacts.frictions[c] = friction


@kernel(counts_references=False, is_inlined=True)
def clear_impulses(contacts, c):
    """Let contact c begin without impulses."""
    contacts.impulses[c] = contacts.impulses_before[c] = 0.0
    for axis in range(3):
        contacts.friction_impulses[c, axis] = 0.0


@kernel(counts_references=False, is_inlined=True)
def has_impulse(warm_start, old):
    """Return whether contact `old` of the last substep, -1 for none, had an impulse then or in the substep before."""
    # One that got its first impulse in the last substep has none of the substep before.
    return (
        old >= 0
        and old < warm_start.impulses.shape[0]
        and (warm_start.impulses[old] > 0.0 or warm_start.impulses_before[old] > 0.0)
    )


@kernel(counts_references=False, is_inlined=True)
def add_warm_start(contacts, c, warm_start, old):
    """Add the impulses of contact `old` of the last substep to those of contact c."""
    contacts.impulses[c] += warm_start.impulses[old]
    contacts.impulses_before[c] += warm_start.impulses_before[old]
    for axis in range(3):
        contacts.friction_impulses[c, axis] += warm_start.friction_impulses[old, axis]


@kernel(counts_references=False, is_inlined=True)
def contact_on_same_side(contacts, chains, i, normal):
    """Return the contact of point i whose normal points the same way, -1 if there is none."""
    other = chains.last[i]
    while other >= 0:
        n = (contacts.normals[other, 0], contacts.normals[other, 1], contacts.normals[other, 2])
        if dot(n, normal) > SAME_SIDE:
            break
        other = chains.following[other]
    return other


@kernel(counts_references=False, is_inlined=True)
def ends_within_margin(starts, ends, is_edges, points, weights, normal, thickness):
    """Return whether a pair ends the substep so far as close as its thickness, or a margin farther."""
    i, j, k, m = points
    margin = MARGIN * thickness
    if is_edges:
        margin = min(margin, EDGE_MARGIN * thickness + approach(starts, ends, i, j, k, m))
    return not dot(normal, weighted_sum(ends, weights, i, j, k, m)) > thickness + margin


@kernel(counts_references=False, is_inlined=True)
def line_between(starts, is_edges, i, j, k, m):
    """Return the line between the closest points of a pair, its two weights and its length [m].

    The length is zero for two edges whose closest points are not inside of both: such edges touch with a point first.
    """
    p, b, c = pair_vectors(starts, is_edges, i, j, k, m)
    if is_edges and not meet_inside(p, b, c):
        return p, 0.0, 0.0, 0.0
    line, u, v = closest_line(is_edges, p, b, c)
    if is_edges and (u <= 0.0 or u >= 1.0 or v <= 0.0 or v >= 1.0):
        return line, u, v, 0.0
    return line, u, v, norm(line)


@kernel(counts_references=False, is_inlined=True)
def link_contact(pairs, n, is_edges, i, place, is_new, chains, contacts):
    """Let contact `place` be that of pair n, whose first point is i; a new one begins without impulses."""
    if is_new:
        clear_impulses(contacts, place)
        if not is_edges:
            chains.following[place] = chains.last[i]
            chains.last[i] = place
    else:
        pairs.contacts[chains.pairs[place]] = -1
    chains.pairs[place] = n
    pairs.contacts[n] = place


@kernel(counts_references=False, is_entry=True)
def find_contacts(starts, ends, pairs, picked, surface, warm_start, chains, contacts):
    """Write every pair that touches, or may within the substep, as a contact; return how many there are.

    Pairs that already had an impulse stay, and begin with it: the warm start. Two edges whose closest points are not inside
    both are left to the pair of a point and a triangle that is as close. Of the triangles on one side of a point, the
    closest stands for its neighbours, and takes over their impulses.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        pairs: Pairs; all their contacts are -1, and overwritten with those that are found
        picked: PickedPairs
        surface: ContactPoints
        warm_start: WarmStart, of the contacts so far
        chains: ContactChains, scratch
        contacts: Contacts, overwritten

    Returns:
        The number of contacts; those beyond the room are only counted.
    """
    count, room = 0, contacts.points.shape[0]
    chains.last[:] = -1
    for number in range(picked.pairs.shape[0]):
        n, old = index(picked.pairs[number]), picked.contacts[number]
        is_edges = pairs.is_edges[n]
        i, j = index(pairs.points[n, 0]), index(pairs.points[n, 1])
        k, m = index(pairs.points[n, 2]), index(pairs.points[n, 3])
        line, u, v, gap = line_between(starts, is_edges, i, j, k, m)
        if not gap > 0.0:
            continue
        weights, normal = pair_weights(is_edges, u, v), (line[0] / gap, line[1] / gap, line[2] / gap)
        thickness = surface.radii[i] + surface.radii[m]
        if is_edges:
            thickness *= EDGE_SHARE
        is_loaded = has_impulse(warm_start, old)
        is_near = is_loaded or ends_within_margin(
            starts, ends, is_edges, (i, j, k, m), weights, normal, thickness
        )
        if not is_near or not compliance(weights, surface.inverse_masses, i, j, k, m) > 0.0:
            continue
        other = -1 if is_edges else contact_on_same_side(contacts, chains, i, normal)
        if other >= 0 and contacts.gaps[other] <= gap:
            if is_loaded:
                add_warm_start(contacts, other, warm_start, old)
            continue
        place = other if other >= 0 else count
        if place < room:
            link_contact(pairs, n, is_edges, i, place, other < 0, chains, contacts)
            friction = math.sqrt(surface.frictions[i] * surface.frictions[m])
            write_contact(
                contacts, place, is_edges, (i, j, k, m), weights, normal, line, gap, thickness, friction
            )
            if is_loaded:
                add_warm_start(contacts, place, warm_start, old)
        if other < 0:
            count += 1
    return count


@kernel(counts_references=False)
def interpolated(a, b, t):
    """Return the 3-tuple at share t of the way from a to b."""
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]))


@kernel(counts_references=False)
def add_hit_contacts(hit_count, hits, pairs, starts, ends, surface, first, contacts):
    """Write a contact for every pair that would hit, with the closest points at the moment of the hit.

    Args:
        hit_count: how many hits there are
        hits: Hits
        pairs: Pairs
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        surface: ContactPoints
        first: contacts before this stay
        contacts: Contacts, written from there on

    Returns:
        The number of contacts, the old ones included.
    """
    count = first
    for h in range(hit_count):
        if count >= contacts.points.shape[0]:
            break
        n, t = hits.pairs[h], hits.times[h]
        is_edges = pairs.is_edges[n]
        i, j, k, m = pairs.points[n, 0], pairs.points[n, 1], pairs.points[n, 2], pairs.points[n, 3]
        p0, b0, c0 = pair_vectors(starts, is_edges, i, j, k, m)
        p1, b1, c1 = pair_vectors(ends, is_edges, i, j, k, m)
        line, u, v = closest_line(
            is_edges, interpolated(p0, p1, t), interpolated(b0, b1, t), interpolated(c0, c1, t)
        )
        gap = norm(line)
        if not gap > 0.0:
            continue
        weights = pair_weights(is_edges, u, v)
        if not compliance(weights, surface.inverse_masses, i, j, k, m) > 0.0:
            continue
        normal = (line[0] / gap, line[1] / gap, line[2] / gap)
        thickness = surface.radii[i] + surface.radii[m]
        line_at_start = weighted_sum(starts, weights, i, j, k, m)
        # No more than there was: in a narrow fold there may be no room for it, and contacts would never be satisfied.
        gap = max(gap, min(HIT_GAP * thickness, dot(normal, line_at_start)))
        friction = math.sqrt(surface.frictions[i] * surface.frictions[m])
        write_contact(
            contacts, count, is_edges, (i, j, k, m), weights, normal, line_at_start, gap, thickness, friction
        )
        clear_impulses(contacts, count)
        count += 1
    return count
