"""Intersection check: an edit that would put cloth through cloth is refused.

The faces of a cut have to open, and where other cloth is in the way they cannot: such an edit is not made.

Undoing a cut joins points that have moved apart since, and what is stretched between them may pass through other cloth.
Where that must not be, all cloth with exact contact goes back to where it was when the edit was made: there it did not
intersect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.world.particle_change import ParticleChange
from supple.edit.world.transfer_motion import momentum_of, restore_momentum
from supple.errors import SuppleError
from supple.model.particles import Particles

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


class EditRefused(SuppleError):
    """An edit was not made: cloth with exact contact would intersect or touch cloth after it."""


class EditPartlyRefused(EditRefused):
    """An edit was made to some bodies and refused for others."""

    def __init__(self, message: str, bodies: list[str]) -> None:
        """Name the bodies that are as they were."""
        super().__init__(message)
        self.bodies = bodies


@dataclass(frozen=True)
class IntersectionCheck:
    """What an editor asks about cloth with exact contact, which must not intersect."""

    is_on: Callable[[], bool]
    """Tells whether there is such cloth."""

    members: Callable[[], Indices]
    """Returns its particles, none if there is no such cloth."""

    open_cut_faces: Callable[[ParticleChange | None], str]
    """Opens the faces of cuts; returns where such cloth intersects or touches other then, in words, empty if nowhere.

    It looks only where a change has changed something, and everywhere if none is given."""


@dataclass(frozen=True)
class SavedPositions:
    """Where cloth with exact contact was before or after an edit."""

    points: Indices
    """(count,) particles, ascending."""

    positions: Floats
    """(count, 3) [m]"""

    @classmethod
    def of(cls, particles: Particles, points: Indices) -> SavedPositions:
        """Note where some particles are."""
        return cls(points, particles.positions.take(points, axis=0))

    def restore(self, particles: Particles) -> None:
        """Put the particles back there; they move on as a rigid body, with the momentum that they have.

        Held ones go back as well, and then move to what holds them.
        """
        points = self.points
        had = momentum_of(particles, points)
        particles.positions[points] = self.positions
        particles.velocities[points] = 0.0
        particles.accelerations[points] = 0.0
        restore_momentum(particles, points, had)
