"""Fields on several levels: prolongation to ghost nodes, restriction of forces, and ties at borders."""

from __future__ import annotations

from supple.kernel import kernel
from supple.model.levels.level_weights import ACTIVE


@kernel
def prolong(interpolated, begin, end, ghosts, field):
    """Interpolate a field at ghost nodes from the coarser mesh, Σ w f; from coarse to fine.

    Theory: docs/theory/levels.md, eq. (D2).

    Args:
        interpolated: (node_count,) nodes, coarser ones first
        begin: first of them to be interpolated
        end: the one after the last
        ghosts: `GhostWeights`
        field: (node_count, 3) changed in place
    """
    parents, weights = ghosts.parents, ghosts.weights
    for n in range(begin, end):
        i = interpolated[n]
        p, q, r, s = parents[i, 0], parents[i, 1], parents[i, 2], parents[i, 3]
        a, b, c, d = weights[i, 0], weights[i, 1], weights[i, 2], weights[i, 3]
        for axis in range(3):
            field[i, axis] = a * field[p, axis] + b * field[q, axis] + c * field[r, axis] + d * field[s, axis]


@kernel
def restrict(interpolated, begin, end, ghosts, impulses):
    """Pass what acts on ghost nodes on to their parents, and clear it; from fine to coarse.

    The transpose of `prolong`: no force and no torque is lost, and the work done is the same.

    Args:
        interpolated: (node_count,) nodes, coarser ones first
        begin: first of them
        end: the one after the last
        ghosts: `GhostWeights`
        impulses: (node_count, 3) forces [N] or impulses, changed in place
    """
    parents, weights = ghosts.parents, ghosts.weights
    for n in range(end - 1, begin - 1, -1):
        i = interpolated[n]
        for a in range(4):
            w = weights[i, a]
            if w != 0.0:
                p = parents[i, a]
                for axis in range(3):
                    impulses[p, axis] += w * impulses[i, axis]
        for axis in range(3):
            impulses[i, axis] = 0.0


@kernel
def add_tie_forces(begin, end, ties, positions, forces):
    """Pull nodes at borders to where the finer field is, and the finer field to them; return the energy [J].

    Theory: docs/theory/levels.md, eq. (D4). A field that varies linearly is the same on all levels, so it pulls nothing.

    Args:
        begin: first tie
        end: the one after the last
        ties: `Ties`
        positions: (node_count, 3) [m]
        forces: (node_count, 3) [N], added to in place
    """
    nodes, weights = ties.finer_nodes, ties.finer_weights
    energy = 0.0
    for n in range(begin, end):
        i = ties.nodes[n]
        for axis in range(3):
            gap = positions[i, axis]
            for a in range(4):
                gap -= weights[n, a] * positions[nodes[n, a], axis]
            pull = ties.stiffness[n] * gap
            energy += 0.5 * pull * gap
            forces[i, axis] -= pull
            for a in range(4):
                forces[nodes[n, a], axis] += weights[n, a] * pull
    return energy


@kernel
def write_particles(first, lists, ghosts, nodes, particle_positions):
    """Interpolate ghost nodes and write where the particles are; fixed ones stay.

    Args:
        first: first of the finest nodes, which are the particles
        lists: `NodeLists`
        ghosts: `GhostWeights`
        nodes: `Nodes`, whose positions are changed in place where they are interpolated
        particle_positions: (particle_count, 3) [m], overwritten
    """
    prolong(lists.interpolated, 0, lists.counts[2], ghosts, nodes.positions)
    for n in range(particle_positions.shape[0]):
        if not nodes.is_fixed[first + n]:
            for axis in range(3):
                particle_positions[n, axis] = nodes.positions[first + n, axis]


@kernel
def active_weights(i, ghosts, nodes, weights):
    """Write from which active nodes a ghost node is interpolated in the end, and by what weights; return how many.

    Parents of a ghost node may be ghost nodes themselves: these are replaced by their own parents, until none is left.

    Args:
        i: the ghost node
        ghosts: `GhostWeights`
        nodes: (room,) overwritten from the start
        weights: (room,) overwritten from the start [-]
    """
    nodes[0], weights[0] = i, 1.0
    count, at = 1, 0
    while at < count:
        node = nodes[at]
        if ghosts.roles[node] == ACTIVE or ghosts.parents[node, 0] < 0:
            at += 1
            continue
        weight = weights[at]
        # The last entry takes this place; the parents of the node are added to the entries or at the end.
        count -= 1
        nodes[at], weights[at] = nodes[count], weights[count]
        for a in range(4):
            w = ghosts.weights[node, a]
            if w == 0.0:
                continue
            p = ghosts.parents[node, a]
            entry = 0
            while entry < count and nodes[entry] != p:
                entry += 1
            if entry == count:
                nodes[count], weights[count] = p, 0.0
                count += 1
            weights[entry] += weight * w
        at = 0
    return count
