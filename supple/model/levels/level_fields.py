"""Fields on several levels: what followers take from coarser nodes, and what they hand back."""

from __future__ import annotations

from supple.kernel import kernel
from supple.model.levels.level_weights import ACTIVE


@kernel
def follow(followers, begin, end, parents, parent_weights, field):
    """Give followers the value of a field where they are in the coarser mesh, Σ w f; from coarse to fine.

    Theory: docs/theory/levels.md, eq. (D2).

    Args:
        followers: (node_count,) nodes, coarser ones first
        begin: first of them to be led
        end: the one after the last
        parents: (node_count, 4)
        parent_weights: (node_count, 4) [-]
        field: (node_count, 3) changed in place
    """
    for n in range(begin, end):
        i = followers[n]
        p, q, r, s = parents[i, 0], parents[i, 1], parents[i, 2], parents[i, 3]
        a, b, c, d = parent_weights[i, 0], parent_weights[i, 1], parent_weights[i, 2], parent_weights[i, 3]
        for axis in range(3):
            field[i, axis] = a * field[p, axis] + b * field[q, axis] + c * field[r, axis] + d * field[s, axis]


@kernel
def hand_back(followers, begin, end, parents, parent_weights, impulses):
    """Hand what acts on followers over to those they follow, and clear it; from fine to coarse.

    The transpose of `follow`: no force and no torque is lost, and the work done is the same.

    Args:
        followers: (node_count,) nodes, coarser ones first
        begin: first of them
        end: the one after the last
        parents: (node_count, 4)
        parent_weights: (node_count, 4) [-]
        impulses: (node_count, 3) forces [N] or impulses, changed in place
    """
    for n in range(end - 1, begin - 1, -1):
        i = followers[n]
        for a in range(4):
            w = parent_weights[i, a]
            if w != 0.0:
                p = parents[i, a]
                for axis in range(3):
                    impulses[p, axis] += w * impulses[i, axis]
        for axis in range(3):
            impulses[i, axis] = 0.0


@kernel
def add_tie_forces(tied, begin, end, stiffness, tie_nodes, tie_weights, positions, forces):
    """Pull nodes at borders to where the finer field is, and the finer field to them; return the energy [J].

    Theory: docs/theory/levels.md, eq. (D4). A field that varies linearly is the same on all levels, so it pulls nothing.

    Args:
        tied: (node_count,) nodes
        begin: first of them
        end: the one after the last
        stiffness: (node_count,) of the springs [N/m]
        tie_nodes: (node_count, 4) finer nodes that each of them is tied to
        tie_weights: (node_count, 4) [-]
        positions: (node_count, 3) [m]
        forces: (node_count, 3) [N], added to in place
    """
    energy = 0.0
    for n in range(begin, end):
        i = tied[n]
        for axis in range(3):
            away = positions[i, axis]
            for a in range(4):
                away -= tie_weights[n, a] * positions[tie_nodes[n, a], axis]
            pull = stiffness[n] * away
            energy += 0.5 * pull * away
            forces[i, axis] -= pull
            for a in range(4):
                forces[tie_nodes[n, a], axis] += tie_weights[n, a] * pull
    return energy


@kernel
def write_places(first, is_fixed, positions, places):
    """Copy the positions of all nodes from `first` on into `places`, except of those that are held."""
    for n in range(places.shape[0]):
        if not is_fixed[first + n]:
            for axis in range(3):
                places[n, axis] = positions[first + n, axis]


@kernel
def composition(i, roles, parents, parent_weights, nodes, shares):
    """Write of which active nodes a follower is made up, and by what shares; return how many there are.

    Args:
        i: the follower
        roles: (node_count,)
        parents: (node_count, 4)
        parent_weights: (node_count, 4) [-]
        nodes: (room,) overwritten from the start
        shares: (room,) overwritten from the start [-]
    """
    nodes[0], shares[0] = i, 1.0
    count, at = 1, 0
    while at < count:
        node = nodes[at]
        if roles[node] == ACTIVE or parents[node, 0] < 0:
            at += 1
            continue
        share = shares[at]
        # The last entry takes this place; what the node is made of is added to the entries or at the end.
        count -= 1
        nodes[at], shares[at] = nodes[count], shares[count]
        for a in range(4):
            w = parent_weights[node, a]
            if w == 0.0:
                continue
            p = parents[node, a]
            place = 0
            while place < count and nodes[place] != p:
                place += 1
            if place == count:
                nodes[count], shares[count] = p, 0.0
                count += 1
            shares[place] += share * w
        at = 0
    return count
