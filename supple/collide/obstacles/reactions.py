"""Reactions of contact on obstacles: summed up in a substep, averaged over a frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Reactions:
    """Owner of the reactions on all solids."""

    def __init__(self, owners: NDArray[np.int64], wants_reaction: NDArray[np.bool_]) -> None:
        """Begin without any.

        Args:
            owners: (solid_count,) obstacle that each solid belongs to
            wants_reaction: (solid_count,) whether the reaction on a solid is summed up
        """
        self._owners = owners
        self.is_active = bool(wants_reaction.any())
        self.sums = np.zeros((len(owners), 6))
        """(solid_count, 6) mass times displacement of the substep with the opposite sign [kg·m], and its moment about
        the world's origin [kg·m²]."""
        self._mean_forces, self._substeps = np.zeros((len(owners), 3)), 0

    def begin_substep(self) -> None:
        """Begin the sums anew."""
        self.sums[:] = 0.0

    def end_substep(self, step: float) -> None:
        """Count the forces of a substep of `step` seconds into the mean of the frame."""
        if self._substeps == 0:
            self._mean_forces[:] = 0.0
        self._mean_forces += self.sums[:, :3] / step**2
        self._substeps += 1

    def end_frame(self) -> None:
        """Turn the sums of the frame into means."""
        self._mean_forces /= max(self._substeps, 1)
        self._substeps = 0

    def mean_force(self, obstacle: int) -> NDArray[np.float64]:
        """Return the contact force on an obstacle, the mean of the last frame, (3,) [N]."""
        total: NDArray[np.float64] = self._mean_forces[self._owners == obstacle].sum(axis=0)
        return total

    def last_force(self, obstacle: int, step: float) -> NDArray[np.float64]:
        """Return the contact force on an obstacle in the last substep, which took `step` seconds, (3,) [N]."""
        total: NDArray[np.float64] = self.sums[self._owners == obstacle, :3].sum(axis=0)
        return total / step**2
