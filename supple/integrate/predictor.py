"""Predictors: where a substep is expected to end, before it is computed.

Theory: docs/theory/integrators.md, eq. (I4).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.tables.growable import resized, zeros
from supple.model.world import World

ACCELERATION_SHARE = 0.5
"""Share of what springs did in the last substep that is expected to go on; from 0.7 on it rings."""


@kernel
def accelerated_positions(
    targets, accelerations, pushes, gravity, is_fixed, factor, weight, share, guess, directions
):
    """Write where a substep is expected to end, given what springs did in the last one.

        z = y + θ h² a,    p = z - (1 - θ) (h² g / (1 + h γ) + d)

    In free fall (a = 0) the guess z is exact, so a solver that stops early does not slow the fall.
    At rest (y + h² a = x) the positions p, which give the directions of springs, are the starts:
    springs point where they balance gravity, wind and water, and nothing creeps. Without the
    displacement d by wind and water a rope that the wind holds aside would start to swing by itself.

    Args:
        targets: (particle_count, 3) [m], y
        accelerations: (particle_count, 3) [m/s²], a, gravity and drag aside
        pushes: (particle_count, 3) [m], d
        gravity: (3,) [m/s²], g
        is_fixed: (particle_count,)
        factor: θ h² [s²]
        weight: (1 - θ) h² / (1 + h γ) [s²]
        share: 1 - θ [-]
        guess: (particle_count, 3) [m], z, overwritten
        directions: (particle_count, 3) [m], p, overwritten
    """
    for i in range(targets.shape[0]):
        for axis in range(3):
            y = targets[i, axis]
            if is_fixed[i]:
                guess[i, axis] = y
                directions[i, axis] = y
            else:
                z = y + factor * accelerations[i, axis]
                guess[i, axis] = z
                directions[i, axis] = z - weight * gravity[axis] - share * pushes[i, axis]


class Predictor:
    """Guesses the end of a substep, and the directions in which springs will point there.

    - `current`: directions as at the start, as printed in Desbrun 1999. Resists turning like molasses.
    - `inertial`: the inertial target. Same cost, same stability, moves.
    - `accelerated`: half of what springs did in the last substep is expected to go on; closest to
      the converged motion, and exact at rest and in free fall.
    """

    def __init__(self, name: str, world: World) -> None:
        """Choose the predictor by name."""
        self.name = name
        self.world = world
        self._guess = zeros(world.particles.positions.shape, np.float64)
        self._directions = zeros(world.particles.positions.shape, np.float64)

    def reshape(self) -> None:
        """Follow an edit of the world."""
        self._guess = resized(self._guess, self.world.particles.count)
        self._directions = resized(self._directions, self.world.particles.count)

    def predict(self, step: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the guess and the positions that give directions, (particle_count, 3) [m] each."""
        world, particles = self.world, self.world.particles
        if self.name == "current":
            return particles.targets, particles.starts
        if self.name == "inertial":
            return particles.targets, particles.targets
        factor = ACCELERATION_SHARE * step * step
        weight = (1.0 - ACCELERATION_SHARE) * step * step / (1.0 + step * world.drag)
        accelerated_positions(
            particles.targets, particles.accelerations, particles.pushes, world.gravity, particles.is_fixed,
            factor, weight, 1.0 - ACCELERATION_SHARE, self._guess, self._directions,
        )  # fmt: skip
        return self._guess, self._directions
