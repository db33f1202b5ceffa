"""Split forces: the residual h² f(y) that the filter and Kang's sweeps start from.

Theory: docs/theory/springs.md, eq. (S4). The force of all springs and bending elements is

    f(y) = -K y + Σ k L n - damping

a linear part with a constant matrix and a part of constant length that only turns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.forces.anchors import add_anchor_forces
from supple.forces.bending import add_constant_bending_forces
from supple.forces.springs import add_coasting_damping, add_constant_spring_forces
from supple.model.couplings import add_differences
from supple.model.world import World


class SplitForces:
    """Keeps K and the constant lengths k L ready, and evaluates the residual."""

    def __init__(self, world: World) -> None:
        """Allocate the residual."""
        self.world = world
        self.residual = np.zeros_like(world.particles.positions)
        """(particle_count, 3) [kg·m]; rows of fixed particles hold forces on their pins."""
        self.refresh()

    def refresh(self) -> None:
        """Take over changed stiffness and damping."""
        springs, bends = self.world.springs, self.world.bends
        self._entries = self.world.couplings.stiffness_entries(springs, bends)
        self._tensions = springs.stiffness * springs.rest_lengths
        self._bend_tensions = bends.stiffness * bends.rest_lengths
        self._curved = np.flatnonzero(self._bend_tensions > 0.0)
        self._is_damped = bool(springs.damping.any())

    def evaluate(self, directions: NDArray[np.float64], step: float) -> None:
        """Write h² f(y) into `residual`, springs pointing as between `directions` (particle_count, 3) [m]."""
        world, residual = self.world, self.residual
        particles, springs, bends, anchors = world.particles, world.springs, world.bends, world.anchors
        couplings = world.couplings
        square = step * step
        add_differences(
            couplings.row_starts, couplings.columns, self._entries, particles.targets, square, residual
        )
        add_constant_spring_forces(directions, springs.ends, self._tensions, square, residual)
        if self._is_damped:
            add_coasting_damping(
                particles.targets, particles.starts, directions, springs.ends, springs.damping,
                step, square, residual,
            )  # fmt: skip
        if len(self._curved):
            add_constant_bending_forces(
                directions, bends.points, bends.weights, self._bend_tensions, self._curved, square, residual
            )
        if len(anchors.points):
            add_anchor_forces(
                particles.targets, anchors.points, anchors.stiffness, anchors.targets, square, residual
            )
