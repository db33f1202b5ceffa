"""Contacts and grabs of ghost nodes: what displaces a ghost node displaces the active nodes it is interpolated from.

Theory: docs/theory/levels.md, eq. (D6). Debunne 2000, §5, moves the nearest active node by the same displacement; here
the nodes around share it by weights over masses, so that the particle ends where it should and the tool feels the
momentum it really gave. Here every particle that is no active node is called a ghost node, also those without elements.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, dot, kernel
from supple.model.levels.level_fields import active_weights, write_particles
from supple.model.levels.level_weights import ACTIVE
from supple.model.levels.levels import MOST_GHOST_WEIGHTS

SWEEPS = 4
"""Gauss-Seidel sweeps over all displaced ghost nodes: several of them share active nodes."""

NEGLIGIBLE = 1e-14
"""A displacement shorter than this is rounding [m]."""


class GhostContacts(NamedTuple):
    """Particles that contacts and grabs have displaced although they are no active nodes."""

    particles: NDArray[np.int64]
    """(particle_count,) which particles, from the start."""

    displacements: NDArray[np.float64]
    """(particle_count, 3) of each of them [m]."""

    impulses: NDArray[np.float64]
    """(particle_count, 3) that each of them has passed on to active nodes, times the substep [kg·m]."""

    effective_masses: NDArray[np.float64]
    """(particle_count,) of every particle of the body: the mass that moves with it when it is pushed [kg]."""

    nodes: NDArray[np.int64]
    """(MOST_GHOST_WEIGHTS,) active nodes of the ghost node at hand."""

    weights: NDArray[np.float64]
    """(MOST_GHOST_WEIGHTS,) their weights [-]."""

    @classmethod
    def blank(cls, particle_count: int) -> GhostContacts:
        """Return room for every particle of a body."""
        return cls(
            particles=np.zeros(particle_count, dtype=np.int64),
            displacements=np.zeros((particle_count, 3)),
            impulses=np.zeros((particle_count, 3)),
            effective_masses=np.zeros(particle_count),
            nodes=np.zeros(MOST_GHOST_WEIGHTS, dtype=np.int64),
            weights=np.zeros(MOST_GHOST_WEIGHTS),
        )


@kernel(is_entry=True)
def finish_substep(step, first, targets, solids, particle_masses, lists, ghosts, nodes, contacts, reactions):
    """Move nodes as contacts and grabs have moved particles, then particles with their nodes, and update velocities.

    Args:
        step: substep [s]
        first: first of the finest nodes
        targets: (particle_count, 3) where the particles were put, overwritten with where they end [m]
        solids: (particle_count,) solid in contact, -1 for none
        particle_masses: (particle_count,) [kg]
        lists: `NodeLists`
        ghosts: `GhostWeights`
        nodes: `Nodes`, whose positions and velocities are changed in place
        contacts: `GhostContacts`, overwritten
        reactions: (solid_count, 6) [kg·m, kg·m²] what solids received, corrected in place
    """
    if displace_nodes(first, targets, solids, particle_masses, ghosts, nodes, contacts, reactions):
        write_particles(first, lists, ghosts, nodes, targets)
    update_coarse_velocities(first, step, lists, nodes)


@kernel
def displace_nodes(first, targets, solids, particle_masses, ghosts, nodes, contacts, reactions):
    """Move nodes to where contacts and grabs have put their particles; return how many of these are ghost nodes.

    For the arguments see `finish_substep`.
    """
    for n in range(targets.shape[0]):
        contacts.effective_masses[n] = particle_masses[n]
    count = list_displaced(first, targets, ghosts, nodes, contacts)
    for _ in range(SWEEPS if count else 0):
        for at in range(count):
            displace_ghost(at, first, targets, ghosts, nodes, contacts)
    for at in range(count):
        if solids[contacts.particles[at]] >= 0:
            correct_reaction(at, targets, solids, particle_masses, contacts, reactions)
    return count


@kernel
def list_displaced(first, targets, ghosts, nodes, contacts):
    """Place active nodes, and list the ghost nodes that were displaced; return how many. See `finish_substep`."""
    positions, is_fixed, displacements = nodes.positions, nodes.is_fixed, contacts.displacements
    count = 0
    for n in range(targets.shape[0]):
        i = first + n
        if ghosts.roles[i] == ACTIVE:
            for axis in range(3):
                positions[i, axis] = targets[n, axis]
            continue
        # Where coarser nodes are fixed too, they stand for the particles around them: to fix these as well would
        # stiffen whole elements.
        if is_fixed[i] and has_fixed_parent(i, ghosts, is_fixed):
            continue
        square = 0.0
        for axis in range(3):
            displacements[count, axis] = targets[n, axis] - positions[i, axis]
            contacts.impulses[count, axis] = 0.0
            square += displacements[count, axis] ** 2
        if square > NEGLIGIBLE * NEGLIGIBLE:
            contacts.particles[count] = n
            count += 1
    return count


@kernel
def has_fixed_parent(i, ghosts, is_fixed):
    """Tell whether a node that node `i` is interpolated from is fixed."""
    for a in range(4):
        if ghosts.weights[i, a] != 0.0 and is_fixed[ghosts.parents[i, a]]:
            return True
    return False


@kernel
def displace_ghost(at, first, targets, ghosts, nodes, contacts):
    """Move the active nodes of one displaced ghost node so that it ends where it should, eq. (D6).

    `at` is its place in `contacts`; for the other arguments see `finish_substep`.
    """
    positions, is_fixed, masses = nodes.positions, nodes.is_fixed, nodes.masses
    own, weights = contacts.nodes, contacts.weights
    n = contacts.particles[at]
    i = first + n
    count = active_weights(i, ghosts, own, weights)
    compliance = 0.0
    for k in range(count):
        if not is_fixed[own[k]]:
            compliance += weights[k] * weights[k] / masses[own[k]]
    if not compliance > 0.0:
        return
    along = 0.0
    for axis in range(3):
        x = 0.0
        for k in range(count):
            x += weights[k] * positions[own[k], axis]
        positions[i, axis] = x
        along += (targets[n, axis] - x) * contacts.displacements[at, axis]
    # A contact pushes and never pulls; a grab does both.
    if not is_fixed[i] and along <= 0.0:
        return
    for axis in range(3):
        impulse = (targets[n, axis] - positions[i, axis]) / compliance
        contacts.impulses[at, axis] += impulse
        for k in range(count):
            if not is_fixed[own[k]]:
                positions[own[k], axis] += weights[k] / masses[own[k]] * impulse


@kernel
def correct_reaction(at, targets, solids, particle_masses, contacts, reactions):
    """Write the effective mass of a ghost node in contact, and tell its solid the impulse it really gave.

    The solid was told of a particle of its own mass that moved all the way. `at` is the place of the ghost node in
    `contacts`; for the other arguments see `finish_substep`.
    """
    n = contacts.particles[at]
    solid, m = solids[n], particle_masses[n]
    d, p = contacts.displacements[at], contacts.impulses[at]
    square = d[0] ** 2 + d[1] ** 2 + d[2] ** 2
    contacts.effective_masses[n] = max(dot(p, d) / square, m)
    change = (m * d[0] - p[0], m * d[1] - p[1], m * d[2] - p[2])
    torque = cross(targets[n], change)
    for axis in range(3):
        reactions[solid, axis] += change[axis]
        reactions[solid, 3 + axis] += torque[axis]


@kernel
def update_coarse_velocities(first, step, lists, nodes):
    """Write v = (x₁ - x₀) / h of the active nodes of all levels but the finest, which are particles like others."""
    for n in range(lists.counts[0]):
        i = lists.active[n]
        if i < first:
            for axis in range(3):
                nodes.velocities[i, axis] = (nodes.positions[i, axis] - nodes.starts[i, axis]) / step


class ParticleMotion(NamedTuple):
    """How the particles of a body have moved in a substep."""

    step: float
    """Substep [s]."""

    starts: NDArray[np.float64]
    """(particle_count, 3) at its start [m]."""

    positions: NDArray[np.float64]
    """(particle_count, 3) at its end [m]."""

    velocities: NDArray[np.float64]
    """(particle_count, 3) at its end, with the recoil of solids [m/s]."""


@kernel
def pass_recoil_on(first, solids, motion, ghosts, nodes, contacts):
    """Pass the recoil of solids with a mass on from ghost nodes in contact to their active nodes.

    Args:
        first: first of the finest nodes
        solids: (particle_count,) solid in contact, -1 for none
        motion: `ParticleMotion`
        ghosts: `GhostWeights`
        nodes: `Nodes`, whose velocities are changed in place
        contacts: `GhostContacts`; effective masses are read
    """
    own, weights = contacts.nodes, contacts.weights
    for n in range(solids.shape[0]):
        i = first + n
        if solids[n] < 0 or ghosts.roles[i] == ACTIVE or nodes.is_fixed[i]:
            continue
        count = active_weights(i, ghosts, own, weights)
        for axis in range(3):
            velocity = (motion.positions[n, axis] - motion.starts[n, axis]) / motion.step
            impulse = contacts.effective_masses[n] * (motion.velocities[n, axis] - velocity)
            for k in range(count):
                if not nodes.is_fixed[own[k]]:
                    nodes.velocities[own[k], axis] += weights[k] / nodes.masses[own[k]] * impulse
