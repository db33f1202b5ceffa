"""Volumes of tetrahedra and their gradients by the nodes that move them, also where corners follow coarser nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, difference, dot, kernel
from supple.model.levels.level_arrays import GhostWeights
from supple.model.levels.level_fields import active_weights
from supple.model.levels.level_weights import ACTIVE


class ElementNodes(NamedTuple):
    """Tetrahedra and the nodes that move them."""

    corners: NDArray[np.uint32]
    """(element_count, 4) nodes."""

    volumes: NDArray[np.float64]
    """(element_count,) at rest [m³]."""

    masses: NDArray[np.float64]
    """(node_count,) [kg]"""

    is_held: NDArray[np.bool_]
    """(node_count,) nodes that do not move by themselves."""

    roles: NDArray[np.int8]
    """(node_count,) whether nodes are ACTIVE or follow coarser ones; see `Levels`."""

    parents: NDArray[np.int64]
    """(node_count, 4) coarser nodes that a node follows."""

    parent_weights: NDArray[np.float64]
    """(node_count, 4) barycentric weights among them [-]."""


class GradientScratch(NamedTuple):
    """Room for the gradient of the volume of one element."""

    nodes: NDArray[np.int64]
    """(room,) active nodes that one corner is made of."""

    shares: NDArray[np.float64]
    """(room,) and by what shares [-]."""

    members: NDArray[np.int64]
    """(4 · room,) nodes that move the element."""

    gradients: NDArray[np.float64]
    """(4 · room, 3) gradient of six volumes by each of them [m²]."""


@kernel
def six_volumes(e, corners, positions):
    """Return six times the volume of an element [m³], negative if it is inverted."""
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
def place_followers(e, mesh, scratch, positions):
    """Put the corners of an element that follow coarser nodes where these are."""
    for a in range(4):
        i = mesh.corners[e, a]
        if mesh.roles[i] == ACTIVE:
            continue
        ghosts = GhostWeights(mesh.roles, mesh.parents, mesh.parent_weights)
        size = active_weights(i, ghosts, scratch.nodes, scratch.shares)
        for axis in range(3):
            place = 0.0
            for k in range(size):
                place += scratch.shares[k] * positions[scratch.nodes[k], axis]
            positions[i, axis] = place


@kernel
def add_gradient(i, gradient, found, mesh, scratch):
    """Add the gradient by a corner to those by the nodes it is made of; return how many nodes there are now."""
    ghosts = GhostWeights(mesh.roles, mesh.parents, mesh.parent_weights)
    size = active_weights(i, ghosts, scratch.nodes, scratch.shares)
    for k in range(size):
        place = 0
        while place < found and scratch.members[place] != scratch.nodes[k]:
            place += 1
        if place == found:
            scratch.members[found] = scratch.nodes[k]
            scratch.gradients[found, 0] = scratch.gradients[found, 1] = scratch.gradients[found, 2] = 0.0
            found += 1
        for axis in range(3):
            scratch.gradients[place, axis] += scratch.shares[k] * gradient[axis]
    return found


@kernel
def find_volume_gradients(e, mesh, positions, scratch):
    """Write the gradient of six volumes of an element by the nodes that it hangs on; return how many there are.

    Corners that follow coarser nodes count for these, by the transpose of docs/theory/levels.md, eq. (D2).

    Args:
        e: the element
        mesh: `ElementNodes`
        positions: (node_count, 3) [m]
        scratch: `GradientScratch`; members and gradients are overwritten from the start
    """
    members, gradients = scratch.members, scratch.gradients
    i, j, k, n = mesh.corners[e, 0], mesh.corners[e, 1], mesh.corners[e, 2], mesh.corners[e, 3]
    a, b, c = difference(positions, j, i), difference(positions, k, i), difference(positions, n, i)
    of_j, of_k, of_n = cross(b, c), cross(c, a), cross(a, b)
    of_i = (
        -of_j[0] - of_k[0] - of_n[0],
        -of_j[1] - of_k[1] - of_n[1],
        -of_j[2] - of_k[2] - of_n[2],
    )
    if are_active(e, mesh.corners, mesh.roles):
        members[0], members[1], members[2], members[3] = i, j, k, n
        for axis in range(3):
            gradients[0, axis], gradients[1, axis] = of_i[axis], of_j[axis]
            gradients[2, axis], gradients[3, axis] = of_k[axis], of_n[axis]
        return 4
    found = add_gradient(i, of_i, 0, mesh, scratch)
    found = add_gradient(j, of_j, found, mesh, scratch)
    found = add_gradient(k, of_k, found, mesh, scratch)
    return add_gradient(n, of_n, found, mesh, scratch)
