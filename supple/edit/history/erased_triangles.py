"""Erased triangles: the particles that an erasing took away, and how undo puts them back into cloth that has moved.

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
class ErasedTriangles:
    """Particles that were taken away, as they were, and the rim of the hole they left."""

    points: Indices
    """(count,) particles, counted as before they went."""

    positions: Floats
    """(count, 3) where they were [m]."""

    velocities: Floats
    """(count, 3) [m/s]"""

    rim: Indices
    """(rim_count,) particles at the same position as one of them that stayed, counted likewise."""

    rim_positions: Floats
    """(rim_count, 3) where the rim was [m]."""

    def restore(self, particles: Particles) -> None:
        """Put the particles back, displaced as the rim of the hole has been since, eq. (T8)."""
        particles.positions[self.points] = self.positions
        particles.velocities[self.points] = self.velocities
        if len(self.rim) == 0:
            return
        away = np.linalg.norm(self.positions[:, None] - self.rim_positions[None], axis=2)
        weights = 1.0 / np.maximum(away, 1e-9) ** 2
        weights /= weights.sum(axis=1, keepdims=True)
        displacements = particles.positions[self.rim] - self.rim_positions
        particles.positions[self.points] += weights @ displacements
        particles.velocities[self.points] = weights @ particles.velocities[self.rim]
