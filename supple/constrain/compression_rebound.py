"""Rebound: elements of bodies without damping bounce off the compression limit, and keep their energy.

Theory: docs/theory/soft-bodies.md, eq. (E12). The compression limiter (E7) stops an element as clay would: it moves its
corners apart and takes their energy. What is not damped should lose none, so there the velocities are reflected instead.
"""

from __future__ import annotations

from supple.constrain.volume_gradients import find_volume_gradients, place_followers, six_volumes
from supple.kernel import kernel


@kernel
def find_half_kicks(begin, end, starts, positions, velocities, step, half_kicks):
    """Write half of the change of velocity of nodes `begin` to `end` in a substep [m/s].

    Velocities are half a substep behind the positions: in the middle of its change each has the value that
    belongs to where the node was.
    """
    for i in range(begin, end):
        for axis in range(3):
            now = (positions[i, axis] - starts[i, axis]) / step
            half_kicks[i, axis] = 0.5 * (now - velocities[i, axis])


@kernel
def rebound(listed, least, mesh, starts, half_kicks, step, scratch, positions):
    """Reverse the shrinking of elements below their least volume; return how many were reversed.

    Each is a reflection of the velocities in the metric of the masses, along the gradient of the volume: it keeps
    the energy of motion, the momentum and, as the gradient belongs to where the nodes are, the angular momentum.

    Args:
        listed: (listed_count,) elements to look at
        least: share of its volume at rest that an element keeps [-]
        mesh: `ElementNodes`
        starts: (node_count, 3) at the start of the substep [m]
        half_kicks: (node_count, 3) by `find_half_kicks` [m/s]
        step: substep [s]
        scratch: `GradientScratch`
        positions: (node_count, 3) at its end [m], moved in place
    """
    members, gradients = scratch.members, scratch.gradients
    reversed_count = 0
    for at in range(listed.shape[0]):
        e = listed[at]
        place_followers(e, mesh, scratch, positions)
        if not six_volumes(e, mesh.corners, positions) < least * 6.0 * mesh.volumes[e]:
            continue
        count = find_volume_gradients(e, mesh, positions, scratch)
        growing, give = 0.0, 0.0
        for k in range(count):
            i = members[k]
            for axis in range(3):
                speed = (positions[i, axis] - starts[i, axis]) / step - half_kicks[i, axis]
                growing += gradients[k, axis] * speed
                if not mesh.is_held[i]:
                    give += gradients[k, axis] ** 2 / mesh.masses[i]
        if not (growing < 0.0 and give > 0.0):
            continue
        push = -2.0 * growing / give
        for k in range(count):
            i = members[k]
            if not mesh.is_held[i]:
                for axis in range(3):
                    positions[i, axis] += step * push * gradients[k, axis] / mesh.masses[i]
        reversed_count += 1
    return reversed_count
