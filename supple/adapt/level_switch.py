"""Switching between levels: new nodes start where the body is, and its momentum is kept.

Theory: docs/theory/levels.md, eq. (D9).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from supple.forces.elasticity import elastic_energy
from supple.kernel import kernel
from supple.model.levels.level_fields import add_tie_forces
from supple.model.levels.level_weights import UNUSED
from supple.model.levels.levels import Levels
from supple.model.tetrahedra import VALUES, ElementBlocks

TURNS = 4
"""Newton steps that new elements take to find their rotation, from that of the element they replace."""


@kernel
def is_region_finer(i, node_firsts, owners, is_split):
    """Tell whether the surroundings of a node are computed at a finer level than its own."""
    if not is_split[i]:
        return False
    owner = owners[i]
    while owner >= 0:
        if not is_split[owner]:
            return False
        owner = owners[owner]
    return True


@kernel
def fill_nodes(
    node_firsts, roles, owners, is_split, is_merging, parents, parent_weights, children, child_weights, positions,
    velocities,
):  # fmt: skip
    """Give nodes that are not in use the place and velocity of the body where they are.

    In finer regions they come from the finer nodes around them, elsewhere from the coarser ones. Nodes that are about
    to take their children's place are given these places even if they were in use, as borders.

    Args:
        node_firsts: (level_count + 1,) see `Levels`
        roles: (node_count,)
        owners: (node_count,)
        is_split: (node_count,) so far
        is_merging: (node_count,) nodes that are split and will not be
        parents: (node_count, 4)
        parent_weights: (node_count, 4)
        children: (node_count, 4)
        child_weights: (node_count, 4)
        positions: (node_count, 3) changed in place [m]
        velocities: (node_count, 3) changed in place [m/s]
    """
    level_count = node_firsts.shape[0] - 1
    for level in range(1, level_count):
        for i in range(node_firsts[level], node_firsts[level + 1]):
            if roles[i] == UNUSED and not is_region_finer(i, node_firsts, owners, is_split):
                for axis in range(3):
                    x = v = 0.0
                    for a in range(4):
                        x += parent_weights[i, a] * positions[parents[i, a], axis]
                        v += parent_weights[i, a] * velocities[parents[i, a], axis]
                    positions[i, axis], velocities[i, axis] = x, v
    for level in range(level_count - 2, -1, -1):
        for i in range(node_firsts[level], node_firsts[level + 1]):
            if not is_region_finer(i, node_firsts, owners, is_split):
                continue
            if roles[i] == UNUSED or is_merging[i]:
                for axis in range(3):
                    x = v = 0.0
                    for a in range(4):
                        x += child_weights[i, a] * positions[children[i, a], axis]
                        v += child_weights[i, a] * velocities[children[i, a], axis]
                    positions[i, axis], velocities[i, axis] = x, v


@kernel
def inherit_turns(was_used, weights, element_samples, old_levels, sample_elements, turns):
    """Give elements that come into use the rotation of the element that was in use at the same place.

    Args:
        was_used: (element_count,)
        weights: (element_count,) now [-]
        element_samples: (element_count,) a sample in each element
        old_levels: (sample_count,) levels before the switch
        sample_elements: (sample_count, level_count)
        turns: (element_count, 4) changed in place
    """
    for e in range(weights.shape[0]):
        if weights[e] > 0.0 and not was_used[e]:
            s = element_samples[e]
            old = sample_elements[s, old_levels[s]]
            for a in range(4):
                turns[e, a] = turns[old, a]


@kernel
def sum_momenta(actives, count, is_fixed, masses, positions, velocities, sums):
    """Write mass, momentum (3), Σ m x (3), angular momentum (3) and inertia (6) of the free active nodes, (16,)."""
    sums[:] = 0.0
    for n in range(count):
        i = actives[n]
        if is_fixed[i]:
            continue
        m = masses[i]
        x, y, z = positions[i, 0], positions[i, 1], positions[i, 2]
        u, v, w = velocities[i, 0], velocities[i, 1], velocities[i, 2]
        sums[0] += m
        sums[1] += m * u
        sums[2] += m * v
        sums[3] += m * w
        sums[4] += m * x
        sums[5] += m * y
        sums[6] += m * z
        sums[7] += m * (y * w - z * v)
        sums[8] += m * (z * u - x * w)
        sums[9] += m * (x * v - y * u)
        sums[10] += m * (y * y + z * z)
        sums[11] += m * (x * x + z * z)
        sums[12] += m * (x * x + y * y)
        sums[13] -= m * x * y
        sums[14] -= m * x * z
        sums[15] -= m * y * z


def switch(levels: Levels, is_split: NDArray[np.bool_]) -> None:
    """Replace the nodes that are split by `is_split` (node_count,), without a pop."""
    levels.put_away()
    levels.lead_followers()
    before = momenta(levels)
    fill_nodes(
        levels.node_firsts, levels.roles, levels.owners, levels.is_split, levels.is_split & ~is_split, levels.parents,
        levels.parent_weights, levels.children, levels.child_weights, levels.positions, levels.velocities,
    )  # fmt: skip
    was_used, old_levels = levels.weights > 0.0, levels.sample_levels.copy()
    levels.is_split[:] = is_split
    levels.rebuild()
    inherit_turns(
        was_used, levels.weights, levels.element_samples, old_levels, levels.sample_elements, levels.turns
    )
    levels.pack()
    levels.lead_followers()
    for _ in range(TURNS):
        stored_energy(levels)
    give_momentum_back([levels], before)
    levels.lead_followers()


def settle_unused(levels: Levels) -> None:
    """Let all nodes be where the body is, those that are not in use too, and move with it."""
    levels.put_away()
    levels.lead_followers()
    nobody = np.zeros_like(levels.is_split)
    fill_nodes(
        levels.node_firsts, levels.roles, levels.owners, levels.is_split, nobody, levels.parents, levels.parent_weights,
        levels.children, levels.child_weights, levels.positions, levels.velocities,
    )  # fmt: skip


def momenta(*bodies: Levels) -> NDArray[np.float64]:
    """Return what `sum_momenta` sums up of the active nodes of some bodies, (16,)."""
    total, sums = np.zeros(16), np.zeros(16)
    for levels in bodies:
        sum_momenta(
            levels.actives,
            int(levels.counts[0]),
            levels.is_fixed,
            levels.masses,
            levels.positions,
            levels.velocities,
            sums,
        )
        total += sums
    return total


def give_momentum_back(bodies: Sequence[Levels], before: NDArray[np.float64]) -> None:
    """Give the free nodes of some bodies the momentum and the angular momentum that they had in sum before a switch."""
    free = [levels.active_nodes() for levels in bodies]
    free = [nodes[~levels.is_fixed[nodes]] for nodes, levels in zip(free, bodies, strict=True)]
    now = momenta(*bodies)
    if not now[0] > 0.0:
        return
    for levels, nodes in zip(bodies, free, strict=True):
        levels.velocities[nodes] += (before[1:4] - now[1:4]) / now[0]
    now = momenta(*bodies)
    centre = now[4:7] / now[0]
    a, b, c, d, e, f = now[10:16]
    inertia = np.array([[a, d, e], [d, b, f], [e, f, c]])
    x, y, z = centre
    inertia -= now[0] * np.array(
        [[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]]
    )
    spin = np.linalg.lstsq(inertia, before[7:10] - now[7:10], rcond=1e-9)[0]
    for levels, nodes in zip(bodies, free, strict=True):
        levels.velocities[nodes] += np.cross(spin, levels.positions[nodes] - centre)


def stored_energy(levels: Levels) -> float:
    """Return the elastic energy of all elements that count [J]; their rotations follow the positions first."""
    energy = 0.0
    work = levels.elements.work
    for level in range(levels.count):
        begin = int(levels.block_firsts[level])
        end = begin + int(levels.block_counts[level])
        elements = ElementBlocks(
            levels.block_corners[begin:end], levels.blocks[begin * VALUES : end * VALUES],
            levels.rotations[begin * 4 : end * 4], levels.compressions[begin:end], work,
        )  # fmt: skip
        energy += elastic_energy(levels.positions, elements)
    tied = add_tie_forces(
        levels.tied, 0, int(levels.tie_firsts[-1]), levels.tie_stiffness, levels.tie_nodes, levels.tie_weights,
        levels.positions, levels.forces,
    )  # fmt: skip
    return energy + float(tied)


def kinetic_energy(levels: Levels) -> float:
    """Return the energy of motion of all active nodes [J]."""
    active = levels.active_nodes()
    return 0.5 * float(np.sum(levels.masses[active, None] * levels.velocities[active] ** 2))
