"""Reactions of contact on obstacles: summed up in a substep, averaged over a frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Reactions:
    """Owner of the reactions on all solids."""

    def __init__(self, owners: NDArray[np.int64]) -> None:
        """Begin without any; `owners` (solid_count,) are the obstacles that solids belong to."""
        self._owners = owners
        self.sums = np.zeros((len(owners), 6))
        """(solid_count, 6) mass times displacement of the substep with the opposite sign [kg·m], and its moment about
        the world's origin [kg·m²]."""
        self._means, self._substeps = np.zeros((len(owners), 6)), 0

    def begin_substep(self) -> None:
        """Begin the sums anew."""
        self.sums[:] = 0.0

    def end_substep(self, step: float) -> None:
        """Count the forces of a substep of `step` seconds into the mean of the frame."""
        if self._substeps == 0:
            self._means[:] = 0.0
        self._means += self.sums / step**2
        self._substeps += 1

    def end_frame(self) -> None:
        """Turn the sums of the frame into means."""
        self._means /= max(self._substeps, 1)
        self._substeps = 0

    def forget(self) -> None:
        """Let nothing be known of the last frame."""
        self._means[:] = 0.0

    def mean(self, obstacle: int, more: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return force and moment on an obstacle, the mean of the last frame, with `more` (solid_count, 6) added, (6,)."""
        total: NDArray[np.float64] = (self._means + more)[self._owners == obstacle].sum(axis=0)
        return total
