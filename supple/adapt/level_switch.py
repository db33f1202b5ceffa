"""Level switches: new nodes start where the body is, and momentum and angular momentum are conserved.

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

NEWTON_STEPS = 4
"""Newton steps that new elements take to find their rotation, from that of the element they replace."""


@kernel
def is_region_finer(i, owners, is_split):
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
def fill_nodes(ranges, owners, is_split, is_merging, ghosts, children, child_weights, nodes):
    """Give nodes that are not in use the position and velocity of the body where they are.

    In finer regions they come from the finer nodes around them, elsewhere from the coarser ones. Nodes that are about
    to take their children's place are given these positions even if they were in use, as borders.

    Args:
        ranges: `LevelRanges`
        owners: (node_count,)
        is_split: (node_count,) so far
        is_merging: (node_count,) nodes that are split and will not be
        ghosts: `GhostWeights`
        children: (node_count, 4)
        child_weights: (node_count, 4)
        nodes: `Nodes`, whose positions and velocities are changed in place
    """
    roles, level_count = ghosts.roles, ranges.nodes.shape[0] - 1
    for level in range(1, level_count):
        for i in range(ranges.nodes[level], ranges.nodes[level + 1]):
            if roles[i] == UNUSED and not is_region_finer(i, owners, is_split):
                interpolate_node(i, ghosts.parents, ghosts.weights, nodes)
    for level in range(level_count - 2, -1, -1):
        for i in range(ranges.nodes[level], ranges.nodes[level + 1]):
            if is_region_finer(i, owners, is_split) and (roles[i] == UNUSED or is_merging[i]):
                interpolate_node(i, children, child_weights, nodes)


@kernel
def interpolate_node(i, others, weights, nodes):
    """Interpolate position and velocity of node `i` from the four nodes in row `i` of `others`."""
    for axis in range(3):
        x = v = 0.0
        for a in range(4):
            x += weights[i, a] * nodes.positions[others[i, a], axis]
            v += weights[i, a] * nodes.velocities[others[i, a], axis]
        nodes.positions[i, axis], nodes.velocities[i, axis] = x, v


@kernel
def inherit_rotations(was_used, weights, element_samples, old_levels, sample_elements, turns):
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
def sum_momenta(lists, nodes, sums):
    """Write mass, momentum (3), Σ m x (3), angular momentum (3) and inertia (6) of the free active nodes, (16,)."""
    positions, velocities = nodes.positions, nodes.velocities
    sums[:] = 0.0
    for n in range(lists.counts[0]):
        i = lists.active[n]
        if nodes.is_fixed[i]:
            continue
        m = nodes.masses[i]
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
    levels.store_rotations()
    levels.update_ghosts()
    before = momenta(levels)
    _fill(levels, levels.is_split & ~is_split)
    was_used, old_levels = levels.weights > 0.0, levels.samples.levels.copy()
    levels.is_split[:] = is_split
    levels.rebuild()
    inherit_rotations(
        was_used, levels.weights, levels.element_samples, old_levels, levels.samples.elements, levels.turns
    )
    levels.pack()
    levels.update_ghosts()
    for _ in range(NEWTON_STEPS):
        stored_energy(levels)
    restore_momentum([levels], before)
    levels.update_ghosts()


def fill_unused(levels: Levels) -> None:
    """Place all nodes where the body is, those that are not in use too, and give them its velocity."""
    levels.store_rotations()
    levels.update_ghosts()
    _fill(levels, np.zeros_like(levels.is_split))


def _fill(levels: Levels, is_merging: NDArray[np.bool_]) -> None:
    fill_nodes(
        levels.ranges, levels.owners, levels.is_split, is_merging, levels.ghosts, levels.children,
        levels.child_weights, levels.nodes,
    )  # fmt: skip


def momenta(*bodies: Levels) -> NDArray[np.float64]:
    """Return what `sum_momenta` sums up of the active nodes of some bodies, (16,)."""
    total, sums = np.zeros(16), np.zeros(16)
    for levels in bodies:
        sum_momenta(levels.lists, levels.nodes, sums)
        total += sums
    return total


def restore_momentum(bodies: Sequence[Levels], before: NDArray[np.float64]) -> None:
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
    energy, blocks = 0.0, levels.blocks
    work = levels.elements.work
    for level in range(levels.count):
        span = levels.padded_range(level)
        elements = ElementBlocks(
            blocks.corners[span], blocks.values[span.start * VALUES : span.stop * VALUES],
            blocks.rotations[span.start * 4 : span.stop * 4], blocks.compressions[span], work,
        )  # fmt: skip
        energy += elastic_energy(levels.positions, elements)
    tied = add_tie_forces(0, int(levels.ties.firsts[-1]), levels.ties, levels.positions, levels.forces)
    return energy + float(tied)


def kinetic_energy(levels: Levels) -> float:
    """Return the energy of motion of all active nodes [J]."""
    active = levels.active_nodes()
    return 0.5 * float(np.sum(levels.masses[active, None] * levels.velocities[active] ** 2))
