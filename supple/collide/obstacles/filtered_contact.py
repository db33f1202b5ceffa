"""Filtered contact: an integrator with one constant matrix filters what obstacles did to particles, as it filters forces.

Theory: docs/theory/obstacles.md, eq. (O14). Contact moves particles after the springs have been solved. With the filter,
whose matrix is much larger than the masses, moving them alone strains all springs around them anew in every substep.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.particle_contact import ParticleContacts, add_reaction
from supple.kernel import kernel
from supple.model.particles import ParticleArrays
from supple.model.world import World


class Filters(Protocol):
    """Replaces impulses at the end of a substep by the displacements they cause."""

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Turn pushes (particle_count, 3) [kg·m] into displacements [m], in place; `step` is the substep [s]."""


@kernel(counts_references=False, is_entry=True)
def take_back(particles, displacements, impulses):
    """Put particles where they were before contact moved them, and write the impulses that did so.

    Args:
        particles: see `ParticleArrays`; positions are moved in place
        displacements: (particle_count, 3) [m]
        impulses: (particle_count, 3) masses times these [kg·m], 0 where fixed, overwritten

    Returns:
        Whether any particle was moved.
    """
    has_moved = False
    for i in range(displacements.shape[0]):
        mass = 0.0 if particles.is_fixed[i] else particles.masses[i]
        for axis in range(3):
            d = displacements[i, axis]
            has_moved |= d != 0.0
            particles.positions[i, axis] -= d
            impulses[i, axis] = mass * d
    return has_moved


@kernel(counts_references=False, is_entry=True)
def apply_answers(leaders, answers, particles, wants_reaction, contacts, sums, reactions):
    """Move every connected component by its answer, so many times that the particles in contact end as near as possible.

        q ← q + α A⁻¹ M d,    α = d · A⁻¹ M d / |A⁻¹ M d|²    over the particles in contact

    Args:
        leaders: (particle_count,) first particle of the component that each belongs to
        answers: (particle_count, 3) A⁻¹ M d [m]
        particles: see `ParticleArrays`; positions are moved in place
        wants_reaction: (solid_count,) whether the reaction on the solid is summed up
        contacts: see `ParticleContacts`; displacements d are overwritten with α d, the impulse over the mass
        sums: (particle_count, 2) scratch, by leader
        reactions: (solid_count, 6) [kg·m, kg·m²], of d, brought up to α d
    """
    positions, masses = particles.positions, particles.masses
    moves, touched = contacts.displacements, contacts.touched
    sums[:] = 0.0
    for i in range(leaders.shape[0]):
        if moves[i, 0] != 0.0 or moves[i, 1] != 0.0 or moves[i, 2] != 0.0:
            for axis in range(3):
                sums[leaders[i], 0] += moves[i, axis] * answers[i, axis]
                sums[leaders[i], 1] += answers[i, axis] * answers[i, axis]
    for i in range(leaders.shape[0]):
        along, square = sums[leaders[i], 0], sums[leaders[i], 1]
        factor = along / square if along > 0.0 and square > 0.0 else 0.0
        for axis in range(3):
            positions[i, axis] += factor * answers[i, axis]
        o = touched[i]
        if o >= 0 and wants_reaction[o]:
            mass = (factor - 1.0) * masses[i]
            add_reaction(
                reactions, o, mass, positions[i, 0], positions[i, 1], positions[i, 2],
                moves[i, 0], moves[i, 1], moves[i, 2],
            )  # fmt: skip
        for axis in range(3):
            moves[i, axis] *= factor


class FilteredContact:
    """Owner of the arrays for it."""

    def __init__(self, world: World) -> None:
        """Look at the components of the world."""
        self._world = world
        self.reshape()

    def reshape(self) -> None:
        """Follow an edit of the world."""
        count = self._world.particles.count
        self._impulses, self._sums = np.zeros((count, 3)), np.zeros((count, 2))

    def answer(
        self,
        filters: Filters,
        step: float,
        wants_reaction: NDArray[np.bool_],
        contacts: ParticleContacts,
        reactions: NDArray[np.float64],
    ) -> None:
        """Replace what a first pass has done to particles by what the matrix makes of it; later passes do the rest.

        Args:
            filters: whose matrix it is
            step: substep [s]
            wants_reaction: (solid_count,) whether the reaction on the solid is summed up
            contacts: what the pass has done; displacements are overwritten
            reactions: (solid_count, 6) [kg·m, kg·m²], changed in place
        """
        particles: ParticleArrays = self._world.particles.arrays
        if take_back(particles, contacts.displacements, self._impulses):
            filters.respond(step, self._impulses)
            apply_answers(
                self._world.couplings.component_labels, self._impulses, particles, wants_reaction, contacts,
                self._sums, reactions,
            )  # fmt: skip
