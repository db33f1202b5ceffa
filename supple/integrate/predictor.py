"""Predictors: where springs are expected to point at the end of a substep.

Theory: docs/theory/integrators.md, eq. (I4).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.particles import Particles


@kernel
def accelerated_positions(starts, velocities, accelerations, targets, is_fixed, step, directions):
    """Write x + h v + ½ h² a, with a of the last substep; fixed particles sit on their targets."""
    for i in range(starts.shape[0]):
        for axis in range(3):
            if is_fixed[i]:
                directions[i, axis] = targets[i, axis]
            else:
                directions[i, axis] = starts[i, axis] + step * (
                    velocities[i, axis] + 0.5 * step * accelerations[i, axis]
                )


class Predictor:
    """Gives the positions from which the split force takes its directions.

    - `current`: the starts, as printed in Desbrun 1999. Resists turning like molasses.
    - `inertial`: the inertial targets. Same cost, same stability, moves.
    - `accelerated`: half of the last acceleration added to the coasting motion; closest to
      the converged motion.
    """

    def __init__(self, name: str, particles: Particles) -> None:
        """Choose the predictor by name."""
        self.name = name
        self.particles = particles
        self._directions = np.zeros_like(particles.positions)

    def directions(self, step: float) -> NDArray[np.float64]:
        """Return (particle_count, 3) positions [m] that give the direction of every spring."""
        particles = self.particles
        if self.name == "current":
            return particles.starts
        if self.name == "inertial":
            return particles.targets
        accelerated_positions(
            particles.starts,
            particles.velocities,
            particles.accelerations,
            particles.targets,
            particles.is_fixed,
            step,
            self._directions,
        )
        return self._directions
