"""The compound of all solids at rest: a grid that tells which of them can matter at a place.

Theory: docs/theory/obstacles.md, eq. (O13). A coarse grid lies over the solids at rest. Each cell
lists those that come near it and says how far away all others are at least. So a particle among a
hundred obstacles is tested against the two or three around it, and the answers are those of the
solids themselves, not of a rounded common copy.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.signed_distance import distance_to, into_axes
from supple.collide.obstacles.solid_arrays import Solids
from supple.kernel import kernel

CELLS_ALONG = 32
"""Cells along the longest side of the grid."""

FEW = 4
"""Up to as many solids at rest the grid would cost more than it saves, and all are listed everywhere."""

REACH = 1.0
"""Solids closer to a cell than this many of its sides are listed there [-]."""


class Compound(NamedTuple):
    """A grid over the solids at rest; each cell lists the solids near it.

    Solids that move, or that have no end, are listed everywhere. Behind the cells of the grid
    there are two more: all of space outside of it, and one that lists every solid, for particles
    that move too far in a substep to rely on their cell.
    """

    grid: NDArray[np.float64]
    """(8,) lowest corner, highest corner [m], cells per metre, distance of the border to the solids at least [m]."""

    counts: NDArray[np.int64]
    """(3,) cells along x, y and z."""

    clears: NDArray[np.float64]
    """(cell_count + 2,) least distance of any place in a cell to the solids not listed there [m]."""

    firsts: NDArray[np.int64]
    """(cell_count + 3,) where the list of each cell starts in `members`."""

    members: NDArray[np.int64]
    """Solids, ascending in every list."""

    @staticmethod
    def of(
        solids: Solids,
        poses: NDArray[np.float64],
        boxes: NDArray[np.float64],
        is_resting: NDArray[np.bool_],
        is_tested: NDArray[np.bool_],
    ) -> Compound | None:
        """Lay the grid over the solids at rest; None if every list would hold every solid, and need not be read.

        Args:
            solids: shapes of all solids
            poses: (solid_count, 12) where they are
            boxes: (solid_count, 6) lowest and highest corner of each in world axes [m]
            is_resting: (solid_count,) whether a solid stays where it is
            is_tested: (solid_count,) whether particles are kept outside of it
        """
        in_grid = np.flatnonzero(is_tested & is_resting & np.isfinite(boxes).all(axis=1))
        if len(in_grid) <= FEW:
            in_grid = in_grid[:0]
        everywhere = np.setdiff1d(np.flatnonzero(is_tested), in_grid)
        if len(in_grid) == 0:
            grid = np.array([math.inf] * 3 + [-math.inf] * 3 + [0.0, math.inf])
            counts, cell = np.zeros(3, dtype=np.int64), 0.0
        else:
            low, high = boxes[in_grid, :3].min(axis=0), boxes[in_grid, 3:].max(axis=0)
            cell = float((high - low).max()) / (CELLS_ALONG - 2)
            counts = np.ceil((high - low) / cell).astype(np.int64) + 2
            low = 0.5 * (low + high - counts * cell)
            # The solids end about one cell before the grid does.
            grid = np.array([*low, *(low + counts * cell), 1.0 / cell, 0.9 * cell])
        cell_count = int(counts.prod())
        apart = np.empty((cell_count, len(in_grid)))
        measure_cells(solids, poses, grid, counts, cell, in_grid, apart)
        is_near = apart < REACH * cell
        clears = np.where(is_near, np.inf, apart).min(axis=1, initial=np.inf)
        is_listed = np.zeros((cell_count + 2, len(is_tested)), dtype=np.bool_)
        is_listed[:cell_count, in_grid] = is_near
        is_listed[:, everywhere] = True
        is_listed[-1, is_tested] = True
        firsts = np.concatenate([[0], np.cumsum(is_listed.sum(axis=1))]).astype(np.int64)
        if is_listed.all():
            return None
        members = np.ascontiguousarray(np.nonzero(is_listed)[1])
        return Compound(grid, counts, np.concatenate([clears, [0.0, math.inf]]), firsts, members)


@kernel(counts_references=False)
def measure_cells(solids, poses, grid, counts, cell, listed, apart):
    """Write the least distance of every cell to every solid of a list, a lower bound [m].

    Args:
        solids: shapes of all solids, see `Solids`
        poses: (solid_count, 12)
        grid: see `Compound`
        counts: see `Compound`
        cell: side of a cell [m]
        listed: (listed_count,) which solids
        apart: (cell_count, listed_count) [m], written
    """
    half = 0.5 * math.sqrt(3.0) * cell
    for i in range(apart.shape[0]):
        x = grid[0] + (i // (counts[1] * counts[2]) + 0.5) * cell
        y = grid[1] + (i // counts[2] % counts[1] + 0.5) * cell
        z = grid[2] + (i % counts[2] + 0.5) * cell
        for k in range(listed.shape[0]):
            o = listed[k]
            px, py, pz = into_axes(poses, o, x, y, z)
            apart[i, k] = distance_to(solids, o, px, py, pz)[0] - half


@kernel(counts_references=False)
def cell_at(compound, x, y, z):
    """Return the cell a point lies in, and how far it is at least from all solids not listed there [m].

    NaN lies outside of everything.
    """
    grid, counts, clears = compound.grid, compound.counts, compound.clears
    is_in_x = (x >= grid[0]) & (x < grid[3])
    is_in_y = (y >= grid[1]) & (y < grid[4])
    is_in_z = (z >= grid[2]) & (z < grid[5])
    if is_in_x & is_in_y & is_in_z:
        # The least of them may round up to the border.
        i = min(int((x - grid[0]) * grid[6]), counts[0] - 1)
        j = min(int((y - grid[1]) * grid[6]), counts[1] - 1)
        k = min(int((z - grid[2]) * grid[6]), counts[2] - 1)
        cell = (i * counts[1] + j) * counts[2] + k
        return cell, clears[cell]
    dx = x - min(max(x, grid[0]), grid[3])
    dy = y - min(max(y, grid[1]), grid[4])
    dz = z - min(max(z, grid[2]), grid[5])
    return clears.shape[0] - 2, math.sqrt(dx * dx + dy * dy + dz * dz) + grid[7]
