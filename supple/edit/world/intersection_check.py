"""Apart: edits do not put cloth through cloth.

The sides of a cut have to open, and where other cloth is in the way they cannot: such an edit is not made.

To take a cut back joins points that have gone apart since, and what is stretched between them may pass through other
cloth. Where that must not be, everything that must stay apart goes back to where it was when the edit was made: there
it was apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.world.carry_motion import make_up, motion
from supple.edit.world.change import Change
from supple.errors import SuppleError
from supple.model.particles import Particles

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


class Tangled(SuppleError):
    """An edit was not made: cloth would pass through cloth after it, or touch it."""


class PartlyTangled(Tangled):
    """The same for some bodies, while the edit of others was made."""

    def __init__(self, message: str, bodies: list[str]) -> None:
        """Name the bodies that are as they were."""
        super().__init__(message)
        self.bodies = bodies


@dataclass(frozen=True)
class Watch:
    """What is known of cloth that must not pass through cloth."""

    is_on: Callable[[], bool]
    """Tells whether there is such cloth."""

    members: Callable[[], Indices]
    """Returns its particles, none if there is no such cloth."""

    part_lips: Callable[[Change | None], str]
    """Opens the sides of cuts; returns where such cloth passes through other then or touches it, empty if nowhere.

    It looks only where a change has touched something, and everywhere if none is given."""


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
        had = motion(particles, points)
        particles.positions[points] = self.positions
        particles.velocities[points] = 0.0
        particles.accelerations[points] = 0.0
        make_up(particles, points, had)
