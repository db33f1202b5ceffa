"""Reaction forces: what contacts and pins do to bodies, as means of a frame.

Theory: docs/theory/reactions.md, eq. (R1) to (R3). What contact gives to a point is known from where it acts:
multipliers, or masses times displacements. What a pin gives is what the point lacks: its change of momentum less all
that acts on it. Both are estimates as good as the solve. What they miss of the momentum that the bodies have truly
gained in the frame is shared among them, so that the sum of all reactions is right to the last digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.forces.anchors import add_anchor_forces
from supple.forces.bending import add_bending_forces
from supple.forces.elasticity import add_elastic_forces, add_rate_forces
from supple.forces.gas import add_gas_forces
from supple.forces.springs import add_spring_forces
from supple.kernel import kernel
from supple.model.tetrahedra import VISCOUS
from supple.model.world import World


class FrameForces(NamedTuple):
    """Forces of the last frame, as means over it."""

    contacts: NDArray[np.float64]
    """(particle_count, 3) of obstacles and puppets on each particle [N]."""

    surfaces: NDArray[np.float64]
    """(particle_count, 3) of other surfaces on each particle [N]."""

    pins: NDArray[np.float64]
    """(particle_count, 3) of pins, hands and anchors on each particle [N]."""

    corrections: NDArray[np.float64]
    """(particle_count, 3) the part of `contacts` that closes the balance of momentum [N]."""


@kernel(is_entry=True)
def add_outer_impulses(particles, drag, step, has_air, impulses):
    """Add what air, water and the ambient drag gave to free particles in a substep.

    Args:
        particles: see `ParticleArrays`; velocities are those at the end of the substep
        drag: γ [1/s]
        step: h [s]
        has_air: whether `pushes` of the particles are those of this substep
        impulses: (particle_count, 3) [N·s], added to
    """
    for i in range(impulses.shape[0]):
        if particles.is_fixed[i]:
            continue
        mass = particles.masses[i]
        for axis in range(3):
            impulses[i, axis] -= step * drag * mass * particles.velocities[i, axis]
            if has_air:
                impulses[i, axis] += mass * (1.0 + step * drag) * particles.pushes[i, axis] / step


@kernel(is_entry=True)
def add_contact_sums(sums, rate, touched, impulses, solids):
    """Add what contact gave in a substep, and remember who touched what.

    Args:
        sums: (particle_count, 3) force times squared substep [kg·m]
        rate: one over the substep [1/s]
        touched: (particle_count,) solid in contact, -1 for none
        impulses: (particle_count, 3) [N·s], added to
        solids: (particle_count,) overwritten where something is touched
    """
    for i in range(touched.shape[0]):
        if touched[i] >= 0:
            solids[i] = touched[i]
        for axis in range(3):
            impulses[i, axis] += rate * sums[i, axis]


class ReactionForces:
    """Owner of the impulses of a frame, by what gave them."""

    def __init__(self, world: World) -> None:
        """Begin with no frame."""
        self._world = world
        self.reshape()

    def reshape(self) -> None:
        """Follow an edit: nothing is known until the next frame has ended."""
        count = self._world.particles.count
        self._begins, self._outer, self.contacts, self.surfaces = (np.zeros((count, 3)) for _ in range(4))
        self.links = np.arange(count)
        """(particle_count,) by label: another component that is in contact with it, itself if it is the last."""
        self.solids = np.full(count, -1, dtype=np.int64)
        """(particle_count,) solid that each particle touched last in the frame, -1 for none."""
        self.forget()

    def forget(self) -> None:
        """Let nothing be known of the last frame."""
        self._seconds = 0.0
        self._found: FrameForces | None = None

    def begin_frame(self) -> None:
        """Begin to sum up."""
        np.copyto(self._begins, self._world.particles.velocities)
        for impulses in (self._outer, self.contacts, self.surfaces):
            impulses[:] = 0.0
        self.links[:] = np.arange(len(self.links))
        self.solids[:] = -1
        self.forget()

    def add_outer(self, step: float, *, has_air: bool) -> None:
        """Count what acted from outside in a substep that has ended; weight is counted for the frame as a whole."""
        world = self._world
        if has_air or world.drag > 0.0:
            add_outer_impulses(world.particles.arrays, world.drag, step, has_air, self._outer)

    def add_contacts(self, sums: NDArray[np.float64], step: float, touched: NDArray[np.int64]) -> None:
        """Count `sums` (particle_count, 3) [kg·m] that obstacles gave in a substep, by the solids that are `touched`."""
        add_contact_sums(sums, 1.0 / step, touched, self.contacts, self.solids)

    def add_pushes(self, points: NDArray[np.int64], forces: NDArray[np.float64], seconds: float) -> None:
        """Count forces (point_count, 3) [N] that the caller put on particles for the frame."""
        is_free = ~self._world.particles.is_fixed[points]
        np.add.at(self._outer, points[is_free], seconds * forces[is_free])

    def end_frame(self, seconds: float) -> None:
        """End a frame that took so long."""
        self._seconds = seconds

    def forces(self) -> FrameForces:
        """Return the forces of the last frame; zeros if none is known."""
        if self._found is None:
            self._found = self._close() if self._seconds > 0.0 else self._nothing()
        return self._found

    def _nothing(self) -> FrameForces:
        contacts, surfaces, pins, corrections = (np.zeros_like(self._begins) for _ in range(4))
        return FrameForces(contacts, surfaces, pins, corrections)

    def _close(self) -> FrameForces:
        """Estimate pins, and share what is missing among pins and contacts (R3)."""
        world, particles, seconds = self._world, self._world.particles, self._seconds
        weight = particles.masses[:, None] * world.gravity
        gained = particles.masses[:, None] * (particles.velocities - self._begins) / seconds - weight
        reaction = gained - (self._outer + self.contacts + self.surfaces) / seconds
        pins = np.zeros_like(reaction)
        add_anchor_forces(particles.positions, world.anchors.arrays, 1.0, pins)
        held = np.flatnonzero(particles.is_fixed)
        if len(held):
            pins[held] = reaction[held] - self._internal_forces()[held]
        contacts = self.contacts / seconds
        missing = reaction - pins
        to_pins, to_contacts = self._shares(np.linalg.norm(pins, axis=1), np.linalg.norm(contacts, axis=1))
        lacks = self._sums(missing)
        corrections = to_contacts[:, None] * lacks
        return FrameForces(
            contacts + corrections, self.surfaces / seconds, pins + to_pins[:, None] * lacks, corrections
        )

    def _clusters(self) -> NDArray[np.int64]:
        """Return for every particle the label of the components in contact that it belongs to, (particle_count,)."""
        roots = self.links.copy()
        while not np.array_equal(roots, higher := roots[roots]):
            roots = higher
        clusters: NDArray[np.int64] = roots[self._world.couplings.component_labels]
        return clusters

    def _sums(self, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every particle the sum over its cluster, (particle_count, 3); of levels of detail nothing is known."""
        clusters, count = self._clusters(), len(vectors)
        counted = vectors.copy()
        for name in self._world.levels:
            counted[self._world.bodies[name].particles] = 0.0
        columns = [np.bincount(clusters, counted[:, axis], minlength=count) for axis in range(3)]
        sums: NDArray[np.float64] = np.stack(columns, axis=1).astype(np.float64)
        return sums[clusters]

    def _shares(self, *sizes: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return the share of each force among all of its cluster, by sizes (particle_count,) [N]; 0 where there is none."""
        clusters = self._clusters()
        total = np.bincount(clusters, sum(sizes), minlength=len(clusters))[clusters]
        divisor = np.where(total > 0.0, total, 1.0)
        return [size / divisor for size in sizes]

    def _internal_forces(self) -> NDArray[np.float64]:
        """Return the forces of springs, bending, gas and elements now, (particle_count, 3) [N]."""
        world, particles = self._world, self._world.particles
        forces = np.zeros_like(particles.positions)
        positions, velocities, elements = particles.positions, particles.velocities, world.tetrahedra
        add_spring_forces(positions, velocities, world.springs.arrays, forces)
        add_bending_forces(positions, world.bends.arrays, forces)
        if world.gas_volumes.count:
            add_gas_forces(positions, world.gas_volumes.arrays, 1.0, forces)
        if elements.count:
            own = elements.arrays  # asking changes nothing: rotations follow in copies
            blocks = own._replace(rotations=own.rotations.copy(), compressions=own.compressions.copy())
            add_elastic_forces(positions, blocks, 1, 1.0, forces)
            if elements.is_damped:
                add_rate_forces(velocities, blocks, VISCOUS, 1.0, forces)
        return forces
