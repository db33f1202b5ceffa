"""Order of points for sweeps: by colours that share no coupling, in packs of eight.

Points of one colour do not act on each other, so a Gauss-Seidel sweep may visit them at the same time, in the lanes of a
pack and on several threads, and always gives the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.simd import WIDTH

MOST_COLOURS = 64
"""Colours that are told apart: more neighbours than this never occur on a surface, and share the last colour."""


@kernel
def colour_points(row_starts, row_ends, columns, colours):
    """Give every point the first colour that none of its neighbours has yet.

    Args:
        row_starts: (point_count,) where the neighbours of each point begin
        row_ends: (point_count,) where they end
        columns: (entry_count,) neighbours
        colours: (point_count,) overwritten
    """
    colours[:] = -1
    one = np.uint64(1)
    for i in range(colours.shape[0]):
        taken = np.uint64(0)
        for t in range(row_starts[i], row_ends[i]):
            colour = colours[columns[t]]
            if colour >= 0:
                taken |= one << np.uint64(colour)
        colour = 0
        while colour < MOST_COLOURS - 1 and (taken >> np.uint64(colour)) & one:
            colour += 1
        colours[i] = colour


@dataclass(frozen=True)
class PointOrder:
    """Slots of packs, and the point that stands in each."""

    points: NDArray[np.int64]
    """(slot_count,) point in each slot, -1 in those that fill up the last pack of a colour."""

    slots: NDArray[np.int64]
    """(point_count,) slot of each point."""

    colours: NDArray[np.int64]
    """(slot_count,) colour of each slot."""

    @property
    def colour_firsts(self) -> NDArray[np.int64]:
        """First pack of each colour, and their number: (colour_count + 1,)."""
        counts = np.bincount(self.colours[::WIDTH])
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    @property
    def slot_count(self) -> int:
        """Number of slots, a multiple of eight."""
        return len(self.points)

    @property
    def pack_count(self) -> int:
        """Number of packs."""
        return len(self.points) // WIDTH

    @classmethod
    def of(
        cls, row_starts: NDArray[np.uint32], row_ends: NDArray[np.uint32], columns: NDArray[np.uint32]
    ) -> PointOrder:
        """Order the points of a graph, given as rows of neighbours."""
        colours = np.zeros(len(row_starts), dtype=np.int64)
        colour_points(row_starts, row_ends, columns, colours)
        points: list[NDArray[np.int64]] = []
        for colour in range(int(colours.max(initial=-1)) + 1):
            found = np.flatnonzero(colours == colour)
            gap = -len(found) % WIDTH
            points.append(np.concatenate([found, np.full(gap, -1, dtype=np.int64)]))
        order = np.concatenate([*points, np.zeros(0, dtype=np.int64)])
        slots = np.zeros(len(row_starts), dtype=np.int64)
        slots[order[order >= 0]] = np.flatnonzero(order >= 0)
        per_slot = np.repeat(np.arange(len(points)), [len(each) for each in points])
        return cls(order, slots, per_slot)
