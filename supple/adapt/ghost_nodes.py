"""Contacts and holds of particles that follow coarser nodes: what moves them moves those they are made of.

Theory: docs/theory/levels.md, eq. (D6). Debunne 2000, §5, moves the nearest active node by the same way; here the
nodes around share it by weights over masses, so that the particle ends where it should and the tool feels the
momentum it really gave.
"""

from __future__ import annotations

from supple.kernel import kernel
from supple.model.levels.level_fields import composition
from supple.model.levels.level_weights import ACTIVE

SWEEPS = 4
"""Rounds over all particles that were moved: several of them hang on the same nodes."""

UNMOVED = 1e-14
"""A way shorter than this is rounding [m]."""


@kernel
def settle_followers(
    first, places, touched, reactions, particle_masses, roles, is_fixed, parents, parent_weights, masses, listed,
    ways, given, nodes, shares, carried, positions,
):  # fmt: skip
    """Take over where contacts and hands have put particles; return how many of them follow coarser nodes.

    Args:
        first: first of the finest nodes
        places: (particle_count, 3) where the particles were put [m]
        touched: (particle_count,) solid in contact, -1 for none
        reactions: (solid_count, 6) [kg·m, kg·m²] what solids received, corrected in place
        particle_masses: (particle_count,) [kg]
        roles: (node_count,) see `Levels`, as all arrays down to `masses`
        is_fixed: (node_count,)
        parents: (node_count, 4)
        parent_weights: (node_count, 4)
        masses: (node_count,) [kg]
        listed: (particle_count,) scratch
        ways: (particle_count, 3) scratch
        given: (particle_count, 3) scratch
        nodes: (room,) scratch
        shares: (room,) scratch
        carried: (particle_count,) overwritten: mass that moves with each particle [kg]
        positions: (node_count, 3) changed in place [m]
    """
    count = 0
    for n in range(places.shape[0]):
        i = first + n
        carried[n] = particle_masses[n]
        if roles[i] == ACTIVE:
            for axis in range(3):
                positions[i, axis] = places[n, axis]
            continue
        if is_fixed[i]:
            # Where coarser nodes are held too, they stand for the particles around them: to hold these as well would
            # stiffen whole elements.
            is_near_held = False
            for a in range(4):
                if parent_weights[i, a] != 0.0 and is_fixed[parents[i, a]]:
                    is_near_held = True
            if is_near_held:
                continue
        square = 0.0
        for axis in range(3):
            ways[count, axis] = places[n, axis] - positions[i, axis]
            given[count, axis] = 0.0
            square += ways[count, axis] ** 2
        if square > UNMOVED * UNMOVED:
            listed[count] = n
            count += 1
    for _ in range(SWEEPS if count else 0):
        for at in range(count):
            n = listed[at]
            i = first + n
            size = composition(i, roles, parents, parent_weights, nodes, shares)
            give = 0.0
            for k in range(size):
                if not is_fixed[nodes[k]]:
                    give += shares[k] * shares[k] / masses[nodes[k]]
            if not give > 0.0:
                continue
            along = 0.0
            for axis in range(3):
                place = 0.0
                for k in range(size):
                    place += shares[k] * positions[nodes[k], axis]
                positions[i, axis] = place
                along += (places[n, axis] - place) * ways[at, axis]
            # A contact pushes and never pulls; a hand does both.
            if not is_fixed[i] and along <= 0.0:
                continue
            for axis in range(3):
                push = (places[n, axis] - positions[i, axis]) / give
                given[at, axis] += push
                for k in range(size):
                    if not is_fixed[nodes[k]]:
                        positions[nodes[k], axis] += shares[k] / masses[nodes[k]] * push
    for at in range(count):
        n = listed[at]
        o = touched[n]
        if o < 0:
            continue
        square = ways[at, 0] ** 2 + ways[at, 1] ** 2 + ways[at, 2] ** 2
        along = given[at, 0] * ways[at, 0] + given[at, 1] * ways[at, 1] + given[at, 2] * ways[at, 2]
        carried[n] = max(along / square, particle_masses[n])
        # The solid was told of a particle of its own mass that moved all the way.
        m = particle_masses[n]
        x, y, z = places[n, 0], places[n, 1], places[n, 2]
        dx, dy, dz = (
            m * ways[at, 0] - given[at, 0],
            m * ways[at, 1] - given[at, 1],
            m * ways[at, 2] - given[at, 2],
        )
        reactions[o, 0] += dx
        reactions[o, 1] += dy
        reactions[o, 2] += dz
        reactions[o, 3] += y * dz - z * dy
        reactions[o, 4] += z * dx - x * dz
        reactions[o, 5] += x * dy - y * dx
    return count


@kernel
def coarse_velocities(actives, count, first, starts, step, positions, velocities):
    """Write v = (q - x) / h of the active nodes of all levels but the finest, which are particles like others."""
    for n in range(count):
        i = actives[n]
        if i < first:
            for axis in range(3):
                velocities[i, axis] = (positions[i, axis] - starts[i, axis]) / step


@kernel
def recoil_followers(
    first, touched, carried, particle_positions, particle_starts, particle_velocities, step, roles, is_fixed, parents,
    parent_weights, masses, nodes, shares, velocities,
):  # fmt: skip
    """Let nodes feel the recoil of solids with a mass, which takes particles in contact with it.

    Args:
        first: first of the finest nodes
        touched: (particle_count,) solid in contact, -1 for none
        carried: (particle_count,) mass that moves with each particle [kg]
        particle_positions: (particle_count, 3) at the end of the substep [m]
        particle_starts: (particle_count, 3) at its start [m]
        particle_velocities: (particle_count, 3) with the recoil [m/s]
        step: substep [s]
        roles: (node_count,) see `Levels`, as all arrays down to `masses`
        is_fixed: (node_count,)
        parents: (node_count, 4)
        parent_weights: (node_count, 4)
        masses: (node_count,) [kg]
        nodes: (room,) scratch
        shares: (room,) scratch
        velocities: (node_count, 3) changed in place [m/s]
    """
    for n in range(touched.shape[0]):
        i = first + n
        if touched[n] < 0 or roles[i] == ACTIVE or is_fixed[i]:
            continue
        size = composition(i, roles, parents, parent_weights, nodes, shares)
        for axis in range(3):
            own = (particle_positions[n, axis] - particle_starts[n, axis]) / step
            given = carried[n] * (particle_velocities[n, axis] - own)
            for k in range(size):
                if not is_fixed[nodes[k]]:
                    velocities[nodes[k], axis] += shares[k] / masses[nodes[k]] * given
