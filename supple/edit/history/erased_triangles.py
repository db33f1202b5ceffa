"""Erased: what was rubbed out of a cloth, and how it finds its place when an undo brings it back.

Theory: docs/theory/edits.md, eq. (T8).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.model.particles import Particles

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Erased:
    """Particles that were taken away, as they were, and the rim of the hole they left."""

    points: Indices
    """(count,) particles, counted as before they went."""

    places: Floats
    """(count, 3) where they were [m]."""

    velocities: Floats
    """(count, 3) [m/s]"""

    rim: Indices
    """(rim_count,) particles that lay in the same place as one of them and stayed, counted likewise."""

    rim_places: Floats
    """(rim_count, 3) where the rim was [m]."""

    def revive(self, particles: Particles) -> None:
        """Put the particles back where the cloth around them has gone since, eq. (T8)."""
        particles.positions[self.points] = self.places
        particles.velocities[self.points] = self.velocities
        if len(self.rim) == 0:
            return
        away = np.linalg.norm(self.places[:, None] - self.rim_places[None], axis=2)
        weights = 1.0 / np.maximum(away, 1e-9) ** 2
        weights /= weights.sum(axis=1, keepdims=True)
        moved = particles.positions[self.rim] - self.rim_places
        particles.positions[self.points] += weights @ moved
        particles.velocities[self.points] = weights @ particles.velocities[self.rim]
