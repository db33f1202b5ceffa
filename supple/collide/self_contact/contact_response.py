"""Contact response: the impulses that keep surfaces apart, with friction.

Theory: docs/theory/contact.md, eq. (K5) to (K7), after Kang 2000 §4.2 (Eq. 7 and 8). A contact acts on the two
closest points of a pair. Its impulse goes along the line between them and is shared by barycentric
weights, so it changes neither the linear nor the angular momentum, and an edge that is struck off its
middle turns: this is what Eq. 8 adds by hand.

Impulses are sought by projected Gauss-Seidel, such that every contact ends the substep no closer than it may, and none
pulls. Where contact is part of the solve (`descent`), they only mend what it has left undone.
"""

from __future__ import annotations

from supple.collide.broad_phase.indices import index
from supple.collide.coulomb import clamp_friction
from supple.collide.narrow_phase.pair_geometry import closest_line, pair_vectors, pair_weights
from supple.collide.self_contact.find_contacts import compliance, weighted_sum
from supple.kernel import add_scaled, dot, kernel, norm

LEVERAGE = 4.0
"""How far a corner may be moved to correct a contact, in multiples of the correction [-]; 1 if masses are alike and free."""

RECOVERY = 0.1
"""Share of a lack of thickness that is given back in a substep [-]."""

RECOVERY_SPEED = 0.25
"""Fastest recovery of the full thickness [m/s]."""


@kernel(counts_references=False, is_inlined=True)
def follow_points(contacts, n, positions):
    """Renew the geometry of contact n, whose points have moved on to positions (point_count, 3) [m]."""
    is_edges, points = contacts.is_edges[n], contacts.points
    i, j, k, m = index(points[n, 0]), index(points[n, 1]), index(points[n, 2]), index(points[n, 3])
    p, b, c = pair_vectors(positions, is_edges, i, j, k, m)
    line, u, v = closest_line(is_edges, p, b, c)
    weights, gap = pair_weights(is_edges, u, v), norm(line)
    for corner in range(4):
        contacts.weights[n, corner] = weights[corner]
    contacts.gaps[n] = gap
    for axis in range(3):
        contacts.lines[n, axis] = line[axis]
        if gap > 0.0:
            contacts.normals[n, axis] = line[axis] / gap


@kernel(counts_references=False, is_entry=True)
def begin_contacts(contact_count, contacts, positions):
    """Let contacts follow their points to where a substep starts, positions (particle_count, 3) [m]; none pushes yet."""
    for n in range(contact_count):
        follow_points(contacts, n, positions)
        contacts.impulses_before[n] = contacts.impulses[n]
        contacts.impulses[n] = 0.0
        for axis in range(3):
            contacts.friction_impulses[n, axis] = 0.0


@kernel(counts_references=False, is_inlined=True)
def add_friction(contacts, c, normal, line, stiffness, change):
    """Return the change of the impulse of contact c with that of its friction impulse, which is renewed.

    Friction takes away the tangential displacement of the substep with at most μ λ.

    Args:
        contacts: Contacts
        c: which
        normal: of the contact
        line: between the two points at the end of the substep so far [m]
        stiffness: impulse per displacement of the contact [kg]
        change: of the contact impulse [kg·m]
    """
    t = (line[0] - contacts.lines[c, 0], line[1] - contacts.lines[c, 1], line[2] - contacts.lines[c, 2])
    along = dot(t, normal)
    t = (t[0] - along * normal[0], t[1] - along * normal[1], t[2] - along * normal[2])
    friction = contacts.friction_impulses
    before = (friction[c, 0], friction[c, 1], friction[c, 2])
    sticking = (before[0] - t[0] * stiffness, before[1] - t[1] * stiffness, before[2] - t[2] * stiffness)
    after = clamp_friction(sticking, contacts.frictions[c] * contacts.impulses[c])
    friction[c, 0], friction[c, 1], friction[c, 2] = after
    return (
        change[0] + after[0] - before[0],
        change[1] + after[1] - before[1],
        change[2] + after[2] - before[2],
    )


@kernel(counts_references=False, is_entry=True)
def solve_contacts(contact_count, contacts, surface, is_backward, slight, travels, ends):
    """Do one Gauss-Seidel pass over the contacts: end each no closer than it may be, and hold back what slides.

        λ' = max(0, λ + (g* - g) / Σ w² / m),    g* = min(thickness, g at the start)

    A contact within the thickness may not come closer, but is not pushed away either. So all contacts can
    be satisfied at once, at the latest where the substep started: in a narrow fold, where there is no room
    for the thickness, impulses would otherwise grow without end and friction lock the fold. A contact without impulse and
    with room to spare is passed over until its points have moved as far as that room, one with an impulse until they have
    moved more than slightly: after two passes that is most of a calm fold.

    Args:
        contact_count: how many contacts there are
        contacts: Contacts; impulses and due travels are changed in place
        surface: ContactPoints; taking an impulse back must not lift points off obstacles
        is_backward: whether the last contact is visited first
        slight: a displacement that counts as none [m]
        travels: (point_count,) [m], length of all displacements of each point in this substep, added to
        ends: (point_count, 3) [m], moved in place

    Returns:
        The largest correction of a contact [m], and the sum of the squares of all of them [m²].
    """
    largest = squares = 0.0
    points, weights = contacts.points, contacts.weights
    for step in range(contact_count):
        c = index(contact_count - 1 - step if is_backward else step)
        i, j, k, m = index(points[c, 0]), index(points[c, 1]), index(points[c, 2]), index(points[c, 3])
        travel = travels[i] + travels[j] + travels[k] + travels[m]
        if travel < contacts.due_travels[c]:
            continue
        wi, wj, wk, wm = weights[c, 0], weights[c, 1], weights[c, 2], weights[c, 3]
        normal = (contacts.normals[c, 0], contacts.normals[c, 1], contacts.normals[c, 2])
        line = weighted_sum(ends, (wi, wj, wk, wm), i, j, k, m)
        lack = min(contacts.thicknesses[c], contacts.gaps[c]) - dot(normal, line)
        impulse = contacts.impulses[c]
        if lack <= 0.0 and impulse == 0.0:
            # No weight exceeds one, so no displacement of a point changes the gap by more than its length.
            contacts.due_travels[c] = travel - lack
            continue
        masses = surface.inverse_masses if lack > 0.0 else surface.free_inverse_masses
        mi, mj, mk, mm = wi * masses[i], wj * masses[j], wk * masses[k], wm * masses[m]
        give = wi * mi + wj * mj + wk * mk + wm * mm
        if not give > 0.0:
            continue
        # Where all but a far corner are held, that corner would have to fly off to make up for what they do.
        farthest = max(max(abs(mi), abs(mj)), max(abs(mk), abs(mm)))
        stiffness = 1.0 / max(give, farthest / LEVERAGE)
        change = max(lack * stiffness, -impulse)
        contacts.impulses[c] = impulse + change
        correction = abs(change) * give
        largest = max(largest, correction)
        squares += correction * correction
        g = (change * normal[0], change * normal[1], change * normal[2])
        if contacts.frictions[c] > 0.0:
            g = add_friction(contacts, c, normal, line, stiffness, g)
        add_scaled(ends, i, g, mi)
        add_scaled(ends, j, g, mj)
        add_scaled(ends, k, g, mk)
        add_scaled(ends, m, g, mm)
        size = norm(g)
        travels[i] += abs(mi) * size
        travels[j] += abs(mj) * size
        travels[k] += abs(mk) * size
        travels[m] += abs(mm) * size
        contacts.due_travels[c] = travels[i] + travels[j] + travels[k] + travels[m] + slight
    return largest, squares


@kernel(counts_references=False)
def take_over(positions, travels, ends):
    """Take over where obstacles have moved points after a pass.

    Args:
        positions: (point_count, 3) [m]
        travels: (point_count,) [m], length of all displacements of each point in this substep, added to
        ends: (point_count, 3) [m], overwritten
    """
    for i in range(positions.shape[0]):
        d = (positions[i, 0] - ends[i, 0], positions[i, 1] - ends[i, 1], positions[i, 2] - ends[i, 2])
        if d[0] != 0.0 or d[1] != 0.0 or d[2] != 0.0:
            travels[i] += norm(d)
            ends[i, 0], ends[i, 1], ends[i, 2] = positions[i, 0], positions[i, 1], positions[i, 2]


@kernel(counts_references=False, is_inlined=True)
def recovery_of(contacts, c, inverse_masses, starts, shifts, ends):
    """Return the compliance of contact c, the largest of its corners [1/kg], and its lines at end, at start, of shifts."""
    i, j = contacts.points[c, 0], contacts.points[c, 1]
    k, m = contacts.points[c, 2], contacts.points[c, 3]
    weights = (contacts.weights[c, 0], contacts.weights[c, 1], contacts.weights[c, 2], contacts.weights[c, 3])
    largest = 0.0
    for corner in range(4):
        largest = max(largest, abs(weights[corner]) * inverse_masses[contacts.points[c, corner]])
    return (
        compliance(weights, inverse_masses, i, j, k, m),
        largest,
        weighted_sum(ends, weights, i, j, k, m),
        weighted_sum(starts, weights, i, j, k, m),
        weighted_sum(shifts, weights, i, j, k, m),
    )


@kernel(counts_references=False, is_entry=True)
def recover_thickness(
    contact_count, contacts, inverse_masses, softness, most_yield, most, starts, shifts, ends
):
    """Move what is within the thickness a little apart, without a velocity.

    Theory: docs/theory/contact.md, eq. (K18). A contact may lack more, the larger its impulse is: what is bent too
    sharply for the thickness would otherwise be pushed apart and squeezed together again for ever. Contacts
    that ask for opposite displacements, in a narrow fold, are left with the difference. What slides past each other at a
    larger distance does so more slowly: so the angular momentum is kept.

    Args:
        contact_count: how many contacts there are
        contacts: Contacts
        inverse_masses: (point_count,) [1/kg], zero for those that may not move
        softness: how far a contact yields, over the displacement that its impulse gives to its points [-]
        most_yield: how far at most, in thicknesses [-]
        most: largest displacement [m]
        starts: (point_count, 3) [m], where the substep starts
        shifts: (point_count, 3) [m], by how much the starts have to move to give the right velocities, overwritten
        ends: (point_count, 3) [m], moved in place

    Returns:
        Whether anything moved.
    """
    shifts[:] = 0.0
    has_moved = False
    for c in range(contact_count):
        thickness = contacts.thicknesses[c]
        lack = thickness - contacts.gaps[c]
        if lack <= 0.0:
            continue
        give, largest, line, start, shift = recovery_of(contacts, c, inverse_masses, starts, shifts, ends)
        gap = norm(line)
        if gap <= 0.0 or give <= 0.0:
            continue
        lack -= min(softness * contacts.impulses[c] * give, most_yield * thickness)
        if lack <= 0.0:
            continue
        d = (line[0] - start[0] - shift[0], line[1] - start[1] - shift[1], line[2] - start[2] - shift[2])
        n = (line[0] / gap, line[1] / gap, line[2] / gap)
        length = min(RECOVERY * lack, most) - dot(n, shift)
        if length <= 0.0:
            continue
        has_moved = True
        # Where all but a corner of little weight are held, that corner would have to go far: it goes as far as allowed.
        length = min(length, length * give / largest)
        along = dot(d, n)
        slower = length / (gap + length)
        h = (
            length * n[0] + slower * (d[0] - along * n[0]),
            length * n[1] + slower * (d[1] - along * n[1]),
            length * n[2] + slower * (d[2] - along * n[2]),
        )
        for corner in range(4):
            i = contacts.points[c, corner]
            share = contacts.weights[c, corner] * inverse_masses[i] / give
            add_scaled(ends, i, n, share * length)
            add_scaled(shifts, i, h, share)
    return has_moved
