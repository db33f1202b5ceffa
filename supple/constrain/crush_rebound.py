"""Rebound: elements of bodies without damping bounce off the crush limit, and keep their energy.

Theory: docs/theory/soft-bodies.md, eq. (E12). The crush limiter (E7) stops an element as clay would: it moves its corners
apart and takes their energy. What is not damped should lose none, so there the velocities are thrown back instead.
"""

from __future__ import annotations

from supple.constrain.volume_gradients import find_slopes, lead_corners, six_volumes
from supple.kernel import kernel


@kernel
def find_half_kicks(begin, end, starts, positions, velocities, step, half_kicks):
    """Write half of what a substep changes the velocities of nodes `begin` to `end` by [m/s].

    Velocities are half a substep behind the positions: in the middle of its change each has the value that
    belongs to where the node was.
    """
    for i in range(begin, end):
        for axis in range(3):
            now = (positions[i, axis] - starts[i, axis]) / step
            half_kicks[i, axis] = 0.5 * (now - velocities[i, axis])


@kernel
def rebound(
    listed, listed_count, least, corners, volumes, masses, is_held, roles, parents, parent_weights, starts, half_kicks,
    step, nodes, shares, members, slopes, positions,
):  # fmt: skip
    """Turn round how elements below their least volume shrink; return how many were.

    Each is a reflection of the velocities in the metric of the masses, along the slope of the volume: it keeps
    the energy of motion, the momentum and, as the slope belongs to where the nodes are, the angular momentum.

    Args:
        listed: (element_count,) elements to look at
        listed_count: how many of them
        least: share of its volume at rest that an element keeps [-]
        corners: (element_count, 4) nodes
        volumes: (element_count,) at rest [m³]
        masses: (node_count,) [kg]
        is_held: (node_count,) nodes that do not move by themselves
        roles: (node_count,) see `Levels`, as `parents` and `parent_weights`
        parents: (node_count, 4)
        parent_weights: (node_count, 4)
        starts: (node_count, 3) at the start of the substep [m]
        half_kicks: (node_count, 3) by `find_half_kicks` [m/s]
        step: substep [s]
        nodes: (room,) scratch
        shares: (room,) scratch
        members: (4 · room,) scratch
        slopes: (4 · room, 3) scratch
        positions: (node_count, 3) at its end [m], moved in place
    """
    turned = 0
    for at in range(listed_count):
        e = listed[at]
        lead_corners(e, corners, roles, parents, parent_weights, nodes, shares, positions)
        if not six_volumes(e, corners, positions) < least * 6.0 * volumes[e]:
            continue
        count = find_slopes(
            e, corners, roles, parents, parent_weights, positions, nodes, shares, members, slopes
        )
        growing, give = 0.0, 0.0
        for k in range(count):
            i = members[k]
            for axis in range(3):
                speed = (positions[i, axis] - starts[i, axis]) / step - half_kicks[i, axis]
                growing += slopes[k, axis] * speed
                if not is_held[i]:
                    give += slopes[k, axis] ** 2 / masses[i]
        if not (growing < 0.0 and give > 0.0):
            continue
        push = -2.0 * growing / give
        for k in range(count):
            i = members[k]
            if not is_held[i]:
                for axis in range(3):
                    positions[i, axis] += step * push * slopes[k, axis] / masses[i]
        turned += 1
    return turned
