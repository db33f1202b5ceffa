"""Apart: undo does not put cloth through cloth.

To take a cut back joins points that have gone apart since, and what is stretched between them may pass through other
cloth. Where that must not be, everything that must stay apart goes back to where it was when the edit was made: there
it was apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.motion import angular_momentum, make_up, momentum
from supple.model.particles import Particles

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Watch:
    """What is known of cloth that must not pass through cloth."""

    members: Callable[[], Indices]
    """Returns its particles, none if there is no such cloth."""

    is_tangled: Callable[[], bool]
    """Tells whether any of it passes through other now."""


@dataclass(frozen=True)
class Places:
    """Where such cloth was on one side of an edit."""

    points: Indices
    """(count,) particles, ascending."""

    positions: Floats
    """(count, 3) [m]"""

    @classmethod
    def of(cls, particles: Particles, points: Indices) -> Places:
        """Note where some particles are."""
        return cls(points, particles.positions.take(points, axis=0))

    def take_up(self, particles: Particles) -> None:
        """Put the particles back there; they move on as one, with the momentum that they have.

        Held ones go back as well, and find their way to what holds them like any other motion.
        """
        points = self.points
        had, had_spin = momentum(particles, points), angular_momentum(particles, points)
        particles.positions[points] = self.positions
        particles.velocities[points] = 0.0
        particles.accelerations[points] = 0.0
        make_up(particles, points, had, had_spin)
