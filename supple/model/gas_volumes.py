"""Bags: closed surfaces with gas inside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Bags:
    """Closed cloths of all bodies that hold gas, one after the other."""

    triangles: NDArray[np.uint32]
    """(triangle_count, 3) particle indices, counter-clockwise seen from outside."""

    starts: NDArray[np.int64]
    """(bag_count + 1,) where the triangles of each begin."""

    pressures: NDArray[np.float64]
    """(bag_count,) overpressure within this substep [Pa]."""

    @property
    def count(self) -> int:
        """Number of bags."""
        return len(self.pressures)


def joined_bags(surfaces: list[NDArray[np.uint32]]) -> Bags:
    """Return bags of these triangles, without pressure yet."""
    return Bags(
        triangles=np.concatenate([np.zeros((0, 3), dtype=np.uint32), *surfaces]),
        starts=np.cumsum([0, *map(len, surfaces)]).astype(np.int64),
        pressures=np.zeros(len(surfaces)),
    )
