"""Contacts between surfaces: who touches whom, and the pushes that keep them apart.

Theory: docs/theory/contact.md, eq. (K5) to (K8), after Kang 2000 §4.2 (Eq. 7 and 8). A contact acts on the two
closest points of a pair. Its push goes along the line between them and is shared by barycentric
weights, so it changes neither the linear nor the angular momentum, and an edge that is struck off its
middle turns: this is what Eq. 8 adds by hand.

Pushes are sought such that every contact ends the substep no closer than it may: none pulls, and
what a contact needed in the last substeps is given to the integrator before this one (`give_last_pushes`), where the
springs can answer to it. At rest it is exactly right, and nothing is left to correct: this is why
stacks lie still.

A push is a mass times a way [kg·m]: a force times the square of the substep.
"""

from __future__ import annotations

import math

from supple.collide.broad_phase.indices import index
from supple.collide.broad_phase.primitive_pairs import closest_way, pair_vectors
from supple.collide.coulomb import clamp_friction
from supple.collide.filter_contact.bearing import is_carried
from supple.collide.narrow_phase.primitive_distance import meet_inside
from supple.kernel import add_scaled, dot, kernel
from supple.model.particles import FREE, NEAR, PUSHED

MARGIN = 0.25
"""Contacts are kept ready from this share of the thickness outside of it [-]."""

EDGE_MARGIN = 0.01
"""The same for two edges at rest [-]; edges that move take as much more as they move."""

SAME_SIDE = 0.8
"""Two contacts of a point are on the same side if the cosine of their normals exceeds this [-]."""

EDGE_SHARE = 0.96
"""Two edges may come a little closer than a point and a triangle [-]: flat layers then rest on
points only, and edges take over where they cross in the open."""

BLOW_GAP = 0.2
"""Share of the thickness that a pair keeps if it would have hit within a substep [-]."""

WHIPPED = 1.0
"""Root mean square speed of its points above which a part is not expected to go on smoothly [m/s]."""

LEVERAGE = 4.0
"""How far a corner may be moved to correct a contact, in multiples of the correction [-]; 1 if masses are alike and free."""

RECOVERY = 0.1
"""Share of a lack of thickness that is given back in a substep [-]."""

RECOVERY_SPEED = 0.25
"""Fastest way back to the full thickness [m/s]."""


@kernel(counts_references=False)
def pair_weights(is_edges, u, v):
    """Return the weights of the four points of a pair, from those that `closest_way` returns."""
    if is_edges:
        return 1.0 - u, u, v - 1.0, -v
    return 1.0, u + v - 1.0, -u, -v


@kernel(counts_references=False)
def give_last_pushes(
    contact_count, points, is_edges, inverse_masses, leans, positions, scale, weights, normals, gaps, lines,
    pushes, pushes_before, rubs, moves, targets,
):  # fmt: skip
    """Let contacts follow their points, and add what they did in the last substeps to where inertia leads.

    A blow lasts one substep, a load lasts: no more goes on than twice the push before the last.

    Args:
        contact_count: how many contacts there are
        points: (capacity, 4) points of each
        is_edges: (capacity,) whether a contact is one of two edges
        inverse_masses: (point_count,) [1/kg], zero for what nothing moves
        leans: (point_count,) of `mark_leaning`
        positions: (point_count, 3) [m], where the substep starts
        scale: square of this substep over the last one
        weights: (capacity, 4) of the points, adding up to zero, overwritten
        normals: (capacity, 3) from the second to the first, overwritten
        gaps: (capacity,) [m], overwritten
        lines: (capacity, 3) [m], from the second to the first of the closest points, overwritten
        pushes: (capacity,) [kg·m], overwritten with what goes on
        pushes_before: (capacity,) [kg·m], those of the substep before the last
        rubs: (capacity, 3) [kg·m], friction, shortened like the push
        moves: (particle_count, 3) [m], by how much, overwritten
        targets: (particle_count, 3) [m], added to
    """
    particle_count = targets.shape[0]
    moves[:] = 0.0
    for n in range(contact_count):
        i, j, k, m = index(points[n, 0]), index(points[n, 1]), index(points[n, 2]), index(points[n, 3])
        p, b, c = pair_vectors(positions, is_edges[n], i, j, k, m)
        way, u, v = closest_way(is_edges[n], p, b, c)
        weights[n, 0], weights[n, 1], weights[n, 2], weights[n, 3] = pair_weights(is_edges[n], u, v)
        gap = math.sqrt(dot(way, way))
        gaps[n] = gap
        lines[n, 0], lines[n, 1], lines[n, 2] = way
        if gap > 0.0:
            normals[n, 0], normals[n, 1], normals[n, 2] = way[0] / gap, way[1] / gap, way[2] / gap
        push = pushes[n]
        kept = push if is_carried(points, n, leans) else min(push, 2.0 * pushes_before[n])
        pushes_before[n] = push
        share = scale * kept / push if kept > 0.0 else 0.0
        kept *= scale
        pushes[n] = kept
        for axis in range(3):
            rubs[n, axis] *= share
        if kept <= 0.0:
            continue
        g = (
            kept * normals[n, 0] + rubs[n, 0],
            kept * normals[n, 1] + rubs[n, 1],
            kept * normals[n, 2] + rubs[n, 2],
        )
        for corner in range(4):
            i = points[n, corner]
            if i < particle_count and inverse_masses[i] > 0.0:
                add_scaled(targets, i, g, weights[n, corner] * inverse_masses[i])
                add_scaled(moves, i, g, weights[n, corner] * inverse_masses[i])


@kernel(counts_references=False)
def choose_carried(moves, leans, chosen):
    """Write the moves (particle_count, 3) [m] of points that do not lean, and zero for all others."""
    for i in range(moves.shape[0]):
        for axis in range(3):
            chosen[i, axis] = 0.0 if leans[i] else moves[i, axis]


@kernel(counts_references=False)
def mark_loaded(contact_count, points, pushes, leans, leaders, sums, loads):
    """Tell of every point whether a contact pushes it, or the connected part that it belongs to.

    Args:
        contact_count: how many contacts there are
        points: (capacity, 4) points of each
        pushes: (capacity,) [kg·m], what each carries
        leans: (particle_count,) of `mark_leaning`: where no point leans, contacts are carried, and none is PUSHED
        leaders: (particle_count,) first particle of the part that each belongs to
        sums: (particle_count, 4) by leader, of `measure_parts`: points and the sum of their squared speeds [m²/s²] first
        loads: (particle_count,) PUSHED, NEAR or FREE, overwritten
    """
    loads[:] = FREE
    for n in range(contact_count):
        if pushes[n] > 0.0:
            load = NEAR if is_carried(points, n, leans) else PUSHED
            for corner in range(4):
                i = points[n, corner]
                if i < loads.shape[0]:
                    loads[i] = max(loads[i], load)
                    loads[leaders[i]] = max(loads[leaders[i]], NEAR)
    # The first particle of a part comes before all others of it.
    for i in range(loads.shape[0]):
        part = leaders[i]
        is_fast = sums[part, 1] > WHIPPED * WHIPPED * sums[part, 0]
        if loads[i] == FREE and loads[part] != FREE:
            loads[i] = NEAR
        if loads[i] == NEAR and is_fast:
            loads[i] = FREE


@kernel(counts_references=False)
def nearing(starts, ends, i, j, k, m):
    """Return how far two edges (i, j) and (k, m) may come closer in a substep, along the axis in which they do most [m].

    What both do together counts for nothing: a rope that turns has no more contacts than one that rests.
    """
    way = 0.0
    for axis in range(3):
        di, dj = ends[i, axis] - starts[i, axis], ends[j, axis] - starts[j, axis]
        dk, dm = ends[k, axis] - starts[k, axis], ends[m, axis] - starts[m, axis]
        way = max(way, max(max(di, dj) - min(dk, dm), max(dk, dm) - min(di, dj)))
    return way


@kernel(counts_references=False)
def find_contacts(
    starts, ends, pairs, is_edges, picked_count, picked, picked_contacts, radii, frictions, inverse_masses, pair_contacts,
    old_count, old_pushes, old_befores, old_rubs, last_contacts, next_contacts, sources, points, contact_is_edges,
    weights, normals, gaps, lines, thicknesses, grips, pushes, befores, rubs,
):  # fmt: skip
    """Write every pair that touches, or may within the substep, as a contact; return how many there are.

    Pairs that already carried a push stay, and keep it. Two edges whose closest points are not inside
    both are left to the pair of a point and a triangle that is as close.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        pairs: (capacity, 4) points
        is_edges: (capacity,) whether a pair is two edges
        picked_count: how many of the pairs may touch
        picked: (capacity,) which
        picked_contacts: (capacity,) the contact of each of these so far, -1 for none
        radii: (point_count,) [m], half of the thickness around each point
        frictions: (point_count,) [-]
        inverse_masses: (point_count,) [1/kg]
        pair_contacts: (capacity,) -1 for every pair; overwritten with the contacts that are found
        old_count: how many contacts there are so far
        old_pushes: (capacity,) [kg·m] of the contacts so far
        old_befores: (capacity,) [kg·m]
        old_rubs: (capacity, 3) [kg·m]
        last_contacts: (point_count,) scratch, the last contact of each point
        next_contacts: (capacity,) scratch, the one before
        sources: (capacity,) scratch, the pair of each contact
        points: (capacity, 4) overwritten, as are all that follow
        contact_is_edges: (capacity,)
        weights: (capacity, 4)
        normals: (capacity, 3) from the second to the first
        gaps: (capacity,) [m], at the start
        lines: (capacity, 3) [m], between the two points at the start
        thicknesses: (capacity,) [m], to be kept
        grips: (capacity,) [-], friction
        pushes: (capacity,) [kg·m], so far
        befores: (capacity,) [kg·m]
        rubs: (capacity, 3) [kg·m]

    Returns:
        The number of contacts; those beyond the room are only counted.
    """
    count = 0
    room = points.shape[0]
    last_contacts[:] = -1
    for number in range(picked_count):
        n, old = index(picked[number]), picked_contacts[number]
        i, j, k, m = index(pairs[n, 0]), index(pairs[n, 1]), index(pairs[n, 2]), index(pairs[n, 3])
        thickness = radii[i] + radii[m]
        p, b, c = pair_vectors(starts, is_edges[n], i, j, k, m)
        if is_edges[n] and not meet_inside(p, b, c):
            continue
        line, u, v = closest_way(is_edges[n], p, b, c)
        gap = math.sqrt(dot(line, line))
        if not gap > 0.0:
            continue
        if is_edges[n]:
            if u <= 0.0 or u >= 1.0 or v <= 0.0 or v >= 1.0:
                continue
            thickness *= EDGE_SHARE
        wi, wj, wk, wm = pair_weights(is_edges[n], u, v)
        nx, ny, nz = line[0] / gap, line[1] / gap, line[2] / gap
        end = (
            nx * (wi * ends[i, 0] + wj * ends[j, 0] + wk * ends[k, 0] + wm * ends[m, 0])
            + ny * (wi * ends[i, 1] + wj * ends[j, 1] + wk * ends[k, 1] + wm * ends[m, 1])
            + nz * (wi * ends[i, 2] + wj * ends[j, 2] + wk * ends[k, 2] + wm * ends[m, 2])
        )
        # One that carried something for the first time in the last substep has no push yet to go on with.
        is_loaded = old >= 0 and old < old_count and (old_pushes[old] > 0.0 or old_befores[old] > 0.0)
        margin = MARGIN * thickness
        if is_edges[n]:
            margin = min(margin, EDGE_MARGIN * thickness + nearing(starts, ends, i, j, k, m))
        if end > thickness + margin and not is_loaded:
            continue
        give = (
            wi * wi * inverse_masses[i] + wj * wj * inverse_masses[j]
            + wk * wk * inverse_masses[k] + wm * wm * inverse_masses[m]
        )  # fmt: skip
        if not give > 0.0:
            continue
        place = count
        if not is_edges[n]:
            # The closest triangle stands for its neighbours, and takes over what they carried.
            other = last_contacts[i]
            while other >= 0:
                if normals[other, 0] * nx + normals[other, 1] * ny + normals[other, 2] * nz > SAME_SIDE:
                    break
                other = next_contacts[other]
            if other >= 0:
                if gaps[other] <= gap:
                    if is_loaded:
                        pushes[other] += old_pushes[old]
                        befores[other] += old_befores[old]
                        for axis in range(3):
                            rubs[other, axis] += old_rubs[old, axis]
                    continue
                place = other
        if place < room:
            if place == count:
                pushes[place] = befores[place] = 0.0
                rubs[place, 0] = rubs[place, 1] = rubs[place, 2] = 0.0
                if not is_edges[n]:
                    next_contacts[place] = last_contacts[i]
                    last_contacts[i] = place
            else:
                pair_contacts[sources[place]] = -1
            sources[place] = n
            pair_contacts[n] = place
            contact_is_edges[place] = is_edges[n]
            points[place, 0], points[place, 1], points[place, 2], points[place, 3] = i, j, k, m
            weights[place, 0], weights[place, 1], weights[place, 2], weights[place, 3] = wi, wj, wk, wm
            normals[place, 0], normals[place, 1], normals[place, 2] = nx, ny, nz
            gaps[place] = gap
            lines[place, 0], lines[place, 1], lines[place, 2] = line
            thicknesses[place] = thickness
            grips[place] = math.sqrt(frictions[i] * frictions[m])
            if is_loaded:
                pushes[place] += old_pushes[old]
                befores[place] += old_befores[old]
                for axis in range(3):
                    rubs[place, axis] += old_rubs[old, axis]
        if place < count:
            continue
        count += 1
    return count


@kernel(counts_references=False)
def push_apart(
    contact_count, points, weights, normals, gaps, lines, thicknesses, grips, inverse_masses, free_masses,
    is_backward, slight, dues, pushes, rubs, travels, ends,
):  # fmt: skip
    """Visit every contact that may have changed: end it no closer than it may be, and hold back what slides.

        λ' = max(0, λ + (g* - g) / Σ w² / m),    g* = min(thickness, g at the start)

    A contact within the thickness may not come closer, but is not pushed away either. So all contacts can
    be content at once, at the latest where the substep started: in a narrow fold, where there is no room
    for the thickness, pushes would otherwise grow without end and friction lock the fold. Friction
    takes away the tangential way of the substep with at most μ λ. A contact that carries nothing and has room to spare is
    passed over until its points have moved as far as that room, one that carries something until they have moved
    more than slightly: after two passes that is most of a calm fold.

    Args:
        contact_count: how many contacts there are
        points: (capacity, 4) points of each
        weights: (capacity, 4)
        normals: (capacity, 3)
        gaps: (capacity,) [m], at the start
        lines: (capacity, 3) [m], between the two points at the start
        thicknesses: (capacity,) [m]
        grips: (capacity,) [-], μ
        inverse_masses: (point_count,) [1/kg]
        free_masses: (point_count,) [1/kg], zero for those that obstacles have stopped as well: taking a push
            back must not lift them off
        is_backward: whether the last contact is visited first
        slight: a way that counts as none [m]
        dues: (capacity,) travel of its four points together from which on a contact is visited [m], changed in place
        pushes: (capacity,) [kg·m], λ, changed in place
        rubs: (capacity, 3) [kg·m], friction so far, changed in place
        travels: (point_count,) [m], length of all ways that each point was moved by in this substep, added to
        ends: (point_count, 3) [m], moved in place

    Returns:
        The largest way that a contact was corrected by [m], and the sum of the squares of all of them [m²].
    """
    largest = squares = 0.0
    for step in range(contact_count):
        c = index(contact_count - 1 - step if is_backward else step)
        i, j, k, m = index(points[c, 0]), index(points[c, 1]), index(points[c, 2]), index(points[c, 3])
        travel = travels[i] + travels[j] + travels[k] + travels[m]
        if travel < dues[c]:
            continue
        wi, wj, wk, wm = weights[c, 0], weights[c, 1], weights[c, 2], weights[c, 3]
        nx, ny, nz = normals[c, 0], normals[c, 1], normals[c, 2]
        ex = wi * ends[i, 0] + wj * ends[j, 0] + wk * ends[k, 0] + wm * ends[m, 0]
        ey = wi * ends[i, 1] + wj * ends[j, 1] + wk * ends[k, 1] + wm * ends[m, 1]
        ez = wi * ends[i, 2] + wj * ends[j, 2] + wk * ends[k, 2] + wm * ends[m, 2]
        lack = min(thicknesses[c], gaps[c]) - (nx * ex + ny * ey + nz * ez)
        push = pushes[c]
        if lack <= 0.0 and push == 0.0:
            # No weight exceeds one, so no way of a point changes the gap by more than its length.
            dues[c] = travel - lack
            continue
        masses = inverse_masses if lack > 0.0 else free_masses
        mi, mj, mk, mm = wi * masses[i], wj * masses[j], wk * masses[k], wm * masses[m]
        give = wi * mi + wj * mj + wk * mk + wm * mm
        if not give > 0.0:
            continue
        # Where all but a far corner are held, that corner would have to fly off to make up for what they do.
        farthest = max(max(abs(mi), abs(mj)), max(abs(mk), abs(mm)))
        stiffness = 1.0 / max(give, farthest / LEVERAGE)
        change = max(lack * stiffness, -push)
        push += change
        pushes[c] = push
        way = abs(change) * give
        largest = max(largest, way)
        squares += way * way
        gx, gy, gz = change * nx, change * ny, change * nz
        if grips[c] > 0.0:
            tx, ty, tz = ex - lines[c, 0], ey - lines[c, 1], ez - lines[c, 2]
            normal = tx * nx + ty * ny + tz * nz
            tx, ty, tz = tx - normal * nx, ty - normal * ny, tz - normal * nz
            rx, ry, rz = rubs[c, 0], rubs[c, 1], rubs[c, 2]
            sticking = (rx - tx * stiffness, ry - ty * stiffness, rz - tz * stiffness)
            fx, fy, fz = clamp_friction(sticking, grips[c] * push)
            gx, gy, gz = gx + fx - rx, gy + fy - ry, gz + fz - rz
            rubs[c, 0], rubs[c, 1], rubs[c, 2] = fx, fy, fz
        g = (gx, gy, gz)
        add_scaled(ends, i, g, mi)
        add_scaled(ends, j, g, mj)
        add_scaled(ends, k, g, mk)
        add_scaled(ends, m, g, mm)
        size = math.sqrt(gx * gx + gy * gy + gz * gz)
        travels[i] += abs(mi) * size
        travels[j] += abs(mj) * size
        travels[k] += abs(mk) * size
        travels[m] += abs(mm) * size
        dues[c] = travels[i] + travels[j] + travels[k] + travels[m] + slight
    return largest, squares


@kernel(counts_references=False)
def take_back(positions, travels, ends):
    """Take over where obstacles have led points after a pass.

    Args:
        positions: (point_count, 3) [m]
        travels: (point_count,) [m], length of all ways that each point was moved by in this substep, added to
        ends: (point_count, 3) [m], overwritten
    """
    for i in range(positions.shape[0]):
        dx, dy, dz = positions[i, 0] - ends[i, 0], positions[i, 1] - ends[i, 1], positions[i, 2] - ends[i, 2]
        if dx != 0.0 or dy != 0.0 or dz != 0.0:
            travels[i] += math.sqrt(dx * dx + dy * dy + dz * dz)
            ends[i, 0], ends[i, 1], ends[i, 2] = positions[i, 0], positions[i, 1], positions[i, 2]


@kernel(counts_references=False)
def regain_thickness(
    contact_count,
    points,
    weights,
    gaps,
    thicknesses,
    pushes,
    softness,
    most_yield,
    masses,
    most,
    starts,
    shifts,
    ends,
):
    """Move what is within the thickness a little apart, without a velocity.

    Theory: docs/theory/contact.md, eq. (K18). A contact may lack more, the more it carries: what is bent too
    sharply for the thickness would otherwise be pushed apart and squeezed together again for ever. Contacts
    that ask for opposite ways, in a narrow fold, are left with the difference. What slides past each other at a
    larger distance does so more slowly: so the angular momentum is kept.

    Args:
        contact_count: how many contacts there are
        points: (capacity, 4)
        weights: (capacity, 4)
        gaps: (capacity,) [m], at the start
        thicknesses: (capacity,) [m]
        pushes: (capacity,) [kg·m], what each carries
        softness: how far a contact yields, over the way that its push moves its points [-]
        most_yield: how far at most, in thicknesses [-]
        masses: (point_count,) [1/kg], inverse masses of those that may move
        most: largest way [m]
        starts: (point_count, 3) [m], where the substep starts
        shifts: (point_count, 3) [m], by how much the starts have to move to give the right velocities, overwritten
        ends: (point_count, 3) [m], moved in place

    Returns:
        Whether anything moved.
    """
    shifts[:] = 0.0
    has_moved = False
    for c in range(contact_count):
        lack = thicknesses[c] - gaps[c]
        if lack <= 0.0:
            continue
        gx = gy = gz = dx = dy = dz = sx = sy = sz = give = 0.0
        for corner in range(4):
            i, w = points[c, corner], weights[c, corner]
            give += w * w * masses[i]
            gx, gy, gz = gx + w * ends[i, 0], gy + w * ends[i, 1], gz + w * ends[i, 2]
            sx, sy, sz = sx + w * shifts[i, 0], sy + w * shifts[i, 1], sz + w * shifts[i, 2]
            dx, dy, dz = dx + w * starts[i, 0], dy + w * starts[i, 1], dz + w * starts[i, 2]
        gap = math.sqrt(gx * gx + gy * gy + gz * gz)
        if gap <= 0.0 or give <= 0.0:
            continue
        lack -= min(softness * pushes[c] * give, most_yield * thicknesses[c])
        if lack <= 0.0:
            continue
        dx, dy, dz = gx - dx - sx, gy - dy - sy, gz - dz - sz
        gx, gy, gz = gx / gap, gy / gap, gz / gap
        way = min(RECOVERY * lack, most) - (gx * sx + gy * sy + gz * sz)
        if way <= 0.0:
            continue
        has_moved = True
        # Where all but a corner of little weight are held, that corner would have to go far: it goes as far as allowed.
        largest = 0.0
        for corner in range(4):
            largest = max(largest, abs(weights[c, corner]) * masses[points[c, corner]])
        way = min(way, way * give / largest)
        along = dx * gx + dy * gy + dz * gz
        slower = way / (gap + way)
        hx = way * gx + slower * (dx - along * gx)
        hy = way * gy + slower * (dy - along * gy)
        hz = way * gz + slower * (dz - along * gz)
        for corner in range(4):
            i = points[c, corner]
            share = weights[c, corner] * masses[i] / give
            add_scaled(ends, i, (gx, gy, gz), share * way)
            add_scaled(shifts, i, (hx, hy, hz), share)
    return has_moved


@kernel(counts_references=False)
def add_hit_contacts(
    hit_count, hits, times, pairs, is_edges, starts, ends, radii, frictions, inverse_masses, first, points, weights,
    normals, gaps, lines, thicknesses, grips, pushes, rubs,
):  # fmt: skip
    """Write a contact for every pair that would hit, with the closest points at the moment of the hit.

    Args:
        hit_count: how many hits there are
        hits: (capacity,) indices of pairs
        times: (capacity,) share of the substep until each hit
        pairs: (capacity, 4) points
        is_edges: (capacity,) whether a pair is two edges
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        radii: (point_count,) [m]
        frictions: (point_count,) [-]
        inverse_masses: (point_count,) [1/kg]
        first: contacts before this stay
        points: (capacity, 4) overwritten, as are all that follow
        weights: (capacity, 4)
        normals: (capacity, 3)
        gaps: (capacity,) [m]
        lines: (capacity, 3) [m], between the two points at the start
        thicknesses: (capacity,) [m]
        grips: (capacity,) [-]
        pushes: (capacity,) [kg·m]
        rubs: (capacity, 3) [kg·m]

    Returns:
        The number of contacts, the old ones included.
    """
    count = first
    for h in range(hit_count):
        if count >= points.shape[0]:
            break
        n = hits[h]
        i, j, k, m = pairs[n, 0], pairs[n, 1], pairs[n, 2], pairs[n, 3]
        t = times[h]
        p0, b0, c0 = pair_vectors(starts, is_edges[n], i, j, k, m)
        p1, b1, c1 = pair_vectors(ends, is_edges[n], i, j, k, m)
        p = (p0[0] + t * (p1[0] - p0[0]), p0[1] + t * (p1[1] - p0[1]), p0[2] + t * (p1[2] - p0[2]))
        b = (b0[0] + t * (b1[0] - b0[0]), b0[1] + t * (b1[1] - b0[1]), b0[2] + t * (b1[2] - b0[2]))
        c = (c0[0] + t * (c1[0] - c0[0]), c0[1] + t * (c1[1] - c0[1]), c0[2] + t * (c1[2] - c0[2]))
        way, u, v = closest_way(is_edges[n], p, b, c)
        gap = math.sqrt(dot(way, way))
        if not gap > 0.0:
            continue
        wi, wj, wk, wm = pair_weights(is_edges[n], u, v)
        give = (
            wi * wi * inverse_masses[i] + wj * wj * inverse_masses[j]
            + wk * wk * inverse_masses[k] + wm * wm * inverse_masses[m]
        )  # fmt: skip
        if not give > 0.0:
            continue
        points[count, 0], points[count, 1], points[count, 2], points[count, 3] = i, j, k, m
        weights[count, 0], weights[count, 1], weights[count, 2], weights[count, 3] = wi, wj, wk, wm
        normals[count, 0], normals[count, 1], normals[count, 2] = way[0] / gap, way[1] / gap, way[2] / gap
        thicknesses[count] = radii[i] + radii[m]
        # No more than there was: in a narrow fold there may be no room for it, and contacts would never be content.
        start = 0.0
        for axis in range(3):
            lines[count, axis] = (
                wi * starts[i, axis] + wj * starts[j, axis] + wk * starts[k, axis] + wm * starts[m, axis]
            )
            start += normals[count, axis] * lines[count, axis]
        gaps[count] = max(gap, min(BLOW_GAP * thicknesses[count], start))
        grips[count] = math.sqrt(frictions[i] * frictions[m])
        pushes[count] = 0.0
        rubs[count, 0] = rubs[count, 1] = rubs[count, 2] = 0.0
        count += 1
    return count
