"""What is remembered of every particle from one distance test to the next.

Theory: docs/theory/obstacles.md, eq. (O4), (O13), (O21). Distances change no faster than particles and solids move. So a
particle that was found some distance away from all solids needs no test until it, and they, have moved as far; and one
that rests meets the tangent plane it was found to rest on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.tables.growable import resized


class MemoryArrays(NamedTuple):
    """What `collide_particles` remembers of every particle."""

    seen: NDArray[np.float64]
    """(particle_count, 3) position at the last test [m]."""

    travels: NDArray[np.float64]
    """(particle_count,) length of all paths from test to test [m]."""

    drifts_seen: NDArray[np.float64]
    """(particle_count,) value of `SolidMotion.drift` at the last test [m]."""

    nearest: NDArray[np.float64]
    """(particle_count,) distance to the nearest shell at the last test [m]."""

    lists: NDArray[np.int64]
    """(particle_count, 2) first and end of the list of the cell of the compound looked up last."""

    cell_ends: NDArray[np.float64]
    """(particle_count,) travel at which solids that are not in the list may be reached [m]."""

    margins: NDArray[np.float64]
    """(particle_count, solid_count) distance to each shell, plus the drift of the solid and the travel [m]."""

    planes: NDArray[np.float64]
    """(particle_count, 8) tangent planes of the last contacts: point, normal, distance there [m], and which solid, -1 for
    none; in the solid's axes, or in the world's if it is at rest, which spares most contacts the change of axes."""

    rooms: NDArray[np.float64]
    """(particle_count,) distance to all solids but that of the plane, plus all drift and the travel [m]."""


class ParticleMemory:
    """Owner of the arrays that spare particles their distance tests."""

    def __init__(self, particle_count: int, solid_count: int) -> None:
        """Begin with nothing known."""
        self.arrays = MemoryArrays(
            seen=np.zeros((particle_count, 3)),
            travels=np.zeros(particle_count),
            drifts_seen=np.zeros(particle_count),
            nearest=np.full(particle_count, -np.inf),
            lists=np.zeros((particle_count, 2), dtype=np.int64),
            cell_ends=np.full(particle_count, -np.inf),
            margins=np.full((particle_count, solid_count), -np.inf),
            planes=np.full((particle_count, 8), -1.0),
            rooms=np.full(particle_count, -np.inf),
        )

    def forget_cells(self) -> None:
        """Let every particle look its cell up anew, because the compound has changed."""
        self.arrays.cell_ends[:] = -np.inf
        self.arrays.rooms[:] = -np.inf

    def forget_planes(self) -> None:
        """Drop all tangent planes, because solids have come to rest or begun to move: they are in other axes then."""
        self.arrays.planes[:, 7] = -1.0

    def reshape(self, nearest: NDArray[np.int64], *, is_same: bool) -> None:
        """Follow an edit, see `continued`; distances are found anew."""
        self.arrays = MemoryArrays(*(continued(array, nearest, is_same=is_same) for array in self.arrays))
        self.forget_distances()

    def forget_distances(self) -> None:
        """Let every particle find its distances anew."""
        self.arrays.nearest[:] = -np.inf
        self.arrays.margins[:] = -np.inf
        self.forget_cells()

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name: they decide when a plane is looked up anew, so they belong to the bits of a run."""
        return self.arrays._asdict()

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        for name, array in self.arrays._asdict().items():
            array[:] = saved[name]


def continued(array: NDArray[Any], nearest: NDArray[np.int64], *, is_same: bool) -> NDArray[Any]:
    """Return the rows of an array after an edit.

    Args:
        array: (old_count, ...) a row for each particle
        nearest: (particle_count,) what each particle was before
        is_same: whether those there were stay where they are; then nothing is copied
    """
    if not is_same:
        return array.take(nearest, axis=0)  # far quicker than an index
    kept = min(len(array), len(nearest))
    result = resized(array, len(nearest))
    result[kept:] = result[nearest[kept:]]
    return result
