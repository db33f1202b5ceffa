"""Split forces: the residual that the filter and Kang's sweeps reduce.

Theory: docs/theory/springs.md, eq. (S4). At a guess z of the end of a substep the residual is

    r = M (y - z) + h² f(z),    f(z) = -K z + Σ k L n - damping

The force has a linear part with a constant matrix and a part of constant length that only turns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.forces.anchors import add_anchor_forces
from supple.forces.bending import add_constant_bending_forces
from supple.forces.elasticity import add_elastic_forces, add_rate_forces
from supple.forces.gas import add_gas_forces
from supple.forces.springs import add_coasting_damping, add_constant_spring_forces
from supple.model.couplings.couplings import add_linear_forces, linear_residual
from supple.model.couplings.patch_matrices import patch_stiffness
from supple.model.couplings.update_couplings import ChangedParticles
from supple.model.tables.growable import resized, zeros
from supple.model.tetrahedra import VISCOUS
from supple.model.world import World


class SplitForces:
    """Keeps K and the constant lengths k L ready, and evaluates the residual."""

    def __init__(self, world: World) -> None:
        """Allocate the residual."""
        self.world = world
        self.residual = zeros(world.particles.positions.shape, np.float64)
        """(particle_count, 3) [kg·m]; rows of fixed particles hold forces on their pins."""
        self._moves = zeros(world.particles.positions.shape, np.float64)
        self._soft_entries = np.zeros(0)
        self._tensions, self._bend_tensions = np.zeros(0), np.zeros(0)
        self._soft_step: float | None = None
        self.refresh()

    def refresh(self) -> None:
        """Take over changed stiffness and damping."""
        springs, bends = self.world.springs, self.world.bends
        self._values = self.world.couplings.stiffness_pairs(springs, bends)
        self._entries = zeros((len(self.world.couplings.pair_of_entry),), np.float64)
        self._values.take(self.world.couplings.pair_of_entry, out=self._entries, mode="clip")
        self._is_damped = bool(springs.damping.any())
        self._is_viscous = self.world.tetrahedra.is_damped
        self._soft_step = None
        self.relength()

    def reshape(self, changed_particles: ChangedParticles, *, is_renumbered: bool = False) -> None:
        """Follow an edit that leaves every pair its number and has touched only some particles."""
        world = self.world
        self.residual = resized(self.residual, world.particles.count)
        self._moves = resized(self._moves, world.particles.count)
        self._values, self._entries = patch_stiffness(
            world.couplings, world.springs, world.bends, changed_particles, self._values, self._entries
        )
        if is_renumbered:  # rows ascend by number, so some may have another order now
            self._values.take(world.couplings.pair_of_entry, out=self._entries, mode="clip")
        self._is_damped = bool(world.springs.damping.any())
        self._soft_step = None
        if is_renumbered or changed_particles.moved is None or len(self._curved):
            self.relength()
        else:
            self._relength_near(changed_particles)

    def _relength_near(self, changed_particles: ChangedParticles) -> None:
        """Take over rest lengths where an edit has changed the rows of springs and bending elements, none of them curved."""
        springs, bends = self.world.springs, self.world.bends
        self._tensions = resized(self._tensions, springs.count)
        self._bend_tensions = resized(self._bend_tensions, bends.count)
        near, moved = changed_particles.near(springs, bends), changed_particles.moved or ()
        for rows in (near[0], *moved[:1]):
            self._tensions[rows] = springs.stiffness[rows] * springs.rest_lengths[rows]
        for rows in (near[1], *moved[1:]):
            self._bend_tensions[rows] = bends.stiffness[rows] * bends.rest_lengths[rows]
        if self._bend_tensions[near[1]].any():
            self._curved = np.flatnonzero(self._bend_tensions > 0.0)

    def relength(self) -> None:
        """Take over changed rest lengths, which no matrix depends on."""
        springs, bends = self.world.springs, self.world.bends
        self._tensions = resized(self._tensions, springs.count)
        self._bend_tensions = resized(self._bend_tensions, bends.count)
        np.multiply(springs.stiffness, springs.rest_lengths, out=self._tensions)
        np.multiply(bends.stiffness, bends.rest_lengths, out=self._bend_tensions)
        self._curved = np.flatnonzero(self._bend_tensions > 0.0)

    def prepare(self, step: float) -> None:
        """Make ready for substeps of `step` seconds."""
        self._inertia = self.world.inertia(step)
        if self.world.tetrahedra.count and step != self._soft_step:
            self._soft_step = step
            self._soft_entries = self.world.couplings.soft_entries(self.world.tetrahedra, step)

    def evaluate(
        self, guess: NDArray[np.float64], directions: NDArray[np.float64], step: float
    ) -> NDArray[np.float64]:
        """Return the residual at a guess, with springs that point as between `directions`.

        Both are (particle_count, 3) positions [m].
        """
        world, residual = self.world, self.residual
        particles, springs, bends, anchors = world.particles, world.springs, world.bends, world.anchors
        couplings = world.couplings
        square = step * step
        linear_residual(
            couplings.row_starts, couplings.row_ends, couplings.columns, self._entries, self._inertia,
            particles.targets, guess, square, residual,
        )  # fmt: skip
        add_constant_spring_forces(directions, springs.ends, self._tensions, square, residual)
        if self._is_damped:
            add_coasting_damping(guess, particles.starts, directions, springs.arrays, step, square, residual)
        if len(self._curved):
            add_constant_bending_forces(
                directions, bends.arrays, self._bend_tensions, self._curved, square, residual
            )
        if len(anchors.points):
            add_anchor_forces(guess, anchors.arrays, square, residual)
        gas = world.gas_volumes
        if gas.count:
            add_gas_forces(directions, gas.arrays, square, residual)
        if world.tetrahedra.count:
            self._add_tetrahedra(guess, directions, step, residual)
        return residual

    def _add_tetrahedra(
        self,
        guess: NDArray[np.float64],
        directions: NDArray[np.float64],
        step: float,
        residual: NDArray[np.float64],
    ) -> None:
        """Add h² times the force of soft bodies: that at p, the `directions`, and from there to the guess by A.

        Theory: docs/theory/soft-bodies.md, eq. (E8). The predictor puts p where the body is when it is at
        rest, so what A has too much of does not show there.
        """
        elements, couplings = self.world.tetrahedra, self.world.couplings
        add_elastic_forces(directions, elements.arrays, 1, step * step, residual)
        if self._is_viscous:
            np.subtract(directions, self.world.particles.starts, out=self._moves)
            add_rate_forces(self._moves, elements.arrays, VISCOUS, step, residual)
        if guess is not directions:
            np.subtract(guess, directions, out=self._moves)
            add_linear_forces(
                couplings.row_starts,
                couplings.row_ends,
                couplings.columns,
                self._soft_entries,
                self._moves,
                residual,
            )
