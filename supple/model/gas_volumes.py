"""Gas volumes: closed surfaces with gas inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class GasArrays(NamedTuple):
    """Gas volumes as kernels take them; build it at the call by `GasVolumes.arrays`."""

    triangles: NDArray[np.uint32]
    """(triangle_count, 3) particle indices, counter-clockwise seen from outside."""

    starts: NDArray[np.int64]
    """(volume_count + 1,) where the triangles of each volume begin."""

    pressures: NDArray[np.float64]
    """(volume_count,) overpressure within this substep [Pa]."""


@dataclass(frozen=True)
class GasVolumes:
    """Closed cloths of all bodies that hold gas, one after the other."""

    arrays: GasArrays
    """Their triangles and pressures."""

    @property
    def count(self) -> int:
        """Number of volumes."""
        return len(self.arrays.pressures)

    @property
    def pressures(self) -> NDArray[np.float64]:
        """Overpressure within this substep, (volume_count,) [Pa]."""
        return self.arrays.pressures


def joined_gas_volumes(surfaces: list[NDArray[np.uint32]]) -> GasVolumes:
    """Return gas volumes inside these triangles, each (triangle_count, 3), without pressure yet."""
    return GasVolumes(
        GasArrays(
            triangles=np.concatenate([np.zeros((0, 3), dtype=np.uint32), *surfaces]),
            starts=np.cumsum([0, *map(len, surfaces)]).astype(np.int64),
            pressures=np.zeros(len(surfaces)),
        )
    )
