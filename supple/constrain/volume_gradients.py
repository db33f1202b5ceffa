"""Volumes of tetrahedra and how they grow with the nodes that move them, also where corners follow coarser nodes."""

from __future__ import annotations

from supple.kernel import cross, difference, dot, kernel
from supple.model.levels.level_fields import composition
from supple.model.levels.level_weights import ACTIVE


@kernel
def six_volumes(e, corners, positions):
    """Return six times the volume of an element [m³], negative if it is inside out."""
    i = corners[e, 0]
    a = difference(positions, corners[e, 1], i)
    b = difference(positions, corners[e, 2], i)
    c = difference(positions, corners[e, 3], i)
    return dot(a, cross(b, c))


@kernel
def are_active(e, corners, roles):
    """Tell whether no corner of an element follows others."""
    for a in range(4):
        if roles[corners[e, a]] != ACTIVE:
            return False
    return True


@kernel
def lead_corners(e, corners, roles, parents, parent_weights, nodes, shares, positions):
    """Put the corners of an element that follow coarser nodes where these are."""
    for a in range(4):
        i = corners[e, a]
        if roles[i] == ACTIVE:
            continue
        size = composition(i, roles, parents, parent_weights, nodes, shares)
        for axis in range(3):
            place = 0.0
            for k in range(size):
                place += shares[k] * positions[nodes[k], axis]
            positions[i, axis] = place


@kernel
def add_slope(i, slope, found, roles, parents, parent_weights, nodes, shares, members, slopes):
    """Add the slope by a corner to those by the nodes it is made of; return how many nodes there are now."""
    size = composition(i, roles, parents, parent_weights, nodes, shares)
    for k in range(size):
        place = 0
        while place < found and members[place] != nodes[k]:
            place += 1
        if place == found:
            members[found] = nodes[k]
            slopes[found, 0] = slopes[found, 1] = slopes[found, 2] = 0.0
            found += 1
        for axis in range(3):
            slopes[place, axis] += shares[k] * slope[axis]
    return found


@kernel
def find_slopes(
    e, corners, roles, parents, parent_weights, positions, nodes, shares, members, slopes
):  # fmt: skip
    """Write how six volumes of an element grow with the places of the nodes that it hangs on; return how many there are.

    Corners that follow coarser nodes count for these, by the transpose of docs/theory/levels.md, eq. (D2).

    Args:
        e: the element
        corners: (element_count, 4) nodes
        roles: (node_count,) see `Levels`, as `parents` and `parent_weights`
        parents: (node_count, 4)
        parent_weights: (node_count, 4)
        positions: (node_count, 3) [m]
        nodes: (room,) scratch
        shares: (room,) scratch
        members: (4 · room,) overwritten from the start
        slopes: (4 · room, 3) overwritten from the start [m²]
    """
    i, j, k, n = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
    a, b, c = difference(positions, j, i), difference(positions, k, i), difference(positions, n, i)
    of_j, of_k, of_n = cross(b, c), cross(c, a), cross(a, b)
    of_i = (
        -of_j[0] - of_k[0] - of_n[0],
        -of_j[1] - of_k[1] - of_n[1],
        -of_j[2] - of_k[2] - of_n[2],
    )
    if are_active(e, corners, roles):
        members[0], members[1], members[2], members[3] = i, j, k, n
        for axis in range(3):
            slopes[0, axis], slopes[1, axis] = of_i[axis], of_j[axis]
            slopes[2, axis], slopes[3, axis] = of_k[axis], of_n[axis]
        return 4
    found = add_slope(i, of_i, 0, roles, parents, parent_weights, nodes, shares, members, slopes)
    found = add_slope(j, of_j, found, roles, parents, parent_weights, nodes, shares, members, slopes)
    found = add_slope(k, of_k, found, roles, parents, parent_weights, nodes, shares, members, slopes)
    return add_slope(n, of_n, found, roles, parents, parent_weights, nodes, shares, members, slopes)
