"""Algebraic multigrid, one V-cycle: a solve whose cost grows with the number of points, not with fill-in.

Each level is smoothed by one Gauss-Seidel sweep before, and its mirror after, the correction from the next
coarser level (smoothed aggregation, `aggregation`); the coarsest level is solved by `TreeFactor`. The result is not
A⁻¹ b but B b with B symmetric, positive definite and close to A⁻¹: repeat it on the residual, or use it as a
preconditioner.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.solve.aggregation import Coarsening, SparseRows, reached_rows
from supple.solve.factor_arrays import SymmetricMatrix
from supple.solve.gauss_seidel import (
    MatrixHalves,
    prolong_and_smooth,
    smooth_and_restrict,
    split_pattern,
    split_rows,
)
from supple.solve.lanes import pack, store
from supple.solve.separator_tree import build_adjacency, sort_ascending
from supple.solve.tree_factor import TreeFactor

COARSEST_SIZE = 4000
"""Levels of at most this many points are solved directly (a fraction of a millisecond for cloth)."""

REGULARISATION = 1e-12
"""Added share of the coarsest diagonal: prolongation from a few free points may leave it singular."""


@kernel
def matrix_pattern(neighbour_start, neighbours, start, column):
    """Write the rows of A, diagonal included, columns ascending.

    Args:
        neighbour_start: (point_count + 1,) stretch of `neighbours` of each point
        neighbours: (2 * pair_count,) neighbours of all points in turn
        start: (point_count + 1,) written
        column: (2 * pair_count + point_count,) written
    """
    for i in range(start.shape[0]):
        start[i] = neighbour_start[i] + i
    for i in range(start.shape[0] - 1):
        at = start[i]
        column[at] = i
        for k in range(neighbour_start[i], neighbour_start[i + 1]):
            at += 1
            column[at] = neighbours[k]
        sort_ascending(column[start[i] : start[i + 1]])


@kernel
def locate_pairs(pairs, matrix, entry):
    """Find the two entries of every pair and write which pair each entry belongs to.

    Args:
        pairs: (pair_count, 2)
        matrix: `SparseRows`
        entry: (entry_count,) written: the pair, or -1 on the diagonal
    """
    start, column = matrix.start, matrix.column
    entry[:] = -1
    for k in range(pairs.shape[0]):
        for side in range(2):
            i, j = pairs[k, side], pairs[k, 1 - side]
            low, high = start[i], start[i + 1]
            while low + 1 < high:
                middle = (low + high) // 2
                if column[middle] <= j:
                    low = middle
                else:
                    high = middle
            entry[low] = k


@kernel
def fill_rows(rows, entry, symmetric, matrix):
    """Write these rows of A; rows and columns of fixed points are zero.

    Args:
        rows: (count,)
        entry: (entry_count,) of `locate_pairs`
        symmetric: `SymmetricMatrix`, A
        matrix: `SparseRows`, A, whose values are written
    """
    is_fixed = symmetric.is_fixed
    for i in rows:
        for k in range(matrix.start[i], matrix.start[i + 1]):
            if is_fixed[i] or is_fixed[matrix.column[k]]:
                matrix.value[k] = 0.0
            elif entry[k] < 0:
                matrix.value[k] = symmetric.diagonal[i]
            else:
                matrix.value[k] = symmetric.values[entry[k]]


@kernel
def fill_pairs(rows, matrix, pair_start, regularisation, symmetric):
    """Write these rows of a matrix, and their columns, as the diagonal and pairs that `TreeFactor` reads.

    Args:
        rows: (count,)
        matrix: `SparseRows`
        pair_start: (point_count + 1,) pairs (i, j), i < j, of each row i
        regularisation: share by which the diagonal is enlarged
        symmetric: `SymmetricMatrix`, written; a row without a diagonal counts as fixed
    """
    for i in rows:
        at = pair_start[i]
        for k in range(matrix.start[i], matrix.start[i + 1]):
            column, value = matrix.column[k], matrix.value[k]
            if column == i:
                symmetric.diagonal[i] = value * (1.0 + regularisation)
                symmetric.is_fixed[i] = not value > 0.0
            elif column > i:
                symmetric.values[at] = value
                at += 1


@kernel
def widen(right_side, wide):
    """Copy (point_count, 3) into the first three lanes of (point_count, 4)."""
    for i in range(right_side.shape[0]):
        store(wide, i, pack(right_side[i, 0], right_side[i, 1], right_side[i, 2], 0.0))


@kernel
def narrow(wide, right_side):
    """Copy the first three lanes of (point_count, 4) into (point_count, 3)."""
    for i in range(right_side.shape[0]):
        right_side[i, 0], right_side[i, 1], right_side[i, 2] = wide[i, 0], wide[i, 1], wide[i, 2]


def _no_rows(count: int) -> SparseRows:
    """Return a matrix of `count` empty rows."""
    return SparseRows(np.zeros(count + 1, np.int64), np.zeros(0, np.int64), np.zeros(0))


class _Level:
    """A level of the V-cycle: a matrix, its two halves and the vectors of a cycle on it."""

    def __init__(self, matrix: SparseRows, coarsening: Coarsening | None) -> None:
        count = len(matrix.start) - 1
        self.matrix = matrix
        self.coarsening = coarsening
        entry_count = len(matrix.column) - count
        self.halves = MatrixHalves(
            lower_start=np.empty(count + 1, np.int64),
            upper_start=np.empty(count + 1, np.int64),
            column=np.empty(entry_count, np.int32),
            value=np.zeros(entry_count),
            inverse_diagonal=np.zeros(count),
        )
        split_pattern(matrix, self.halves)
        self.b, self.x, self.residual = np.zeros((3, count, 4))
        if coarsening is None:
            self.restriction, self.prolongation = _no_rows(0), _no_rows(count)
        else:
            self.restriction, self.prolongation = coarsening.restriction, coarsening.prolongation

    def update(self, rows: npt.NDArray[np.int64]) -> None:
        """Copy changed rows of the matrix."""
        split_rows(rows, self.matrix, self.halves)

    def descend(self, coarse_b: npt.NDArray[np.float64]) -> None:
        """Smooth from zero and write the restricted residual."""
        smooth_and_restrict(self.halves, self.restriction, self.b, self.x, self.residual, coarse_b)

    def ascend(self, coarse_x: npt.NDArray[np.float64]) -> None:
        """Add the coarse correction and smooth again."""
        prolong_and_smooth(self.halves, self.prolongation, self.b, coarse_x, self.x)


class _Coarsest:
    """Direct solve of a small matrix given by rows."""

    def __init__(
        self, matrix: SparseRows, coordinates: npt.NDArray[np.float64], regularisation: float
    ) -> None:
        count = len(matrix.start) - 1
        self.matrix = matrix
        self.regularisation = regularisation
        row = np.repeat(np.arange(count), np.diff(matrix.start))
        is_upper = matrix.column > row
        pairs = np.stack([row[is_upper], matrix.column[is_upper]], axis=1)
        self.pair_start = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=count))])
        self.symmetric = SymmetricMatrix(np.ones(count), np.zeros(len(pairs)), np.zeros(count, np.bool_))
        self.factor = TreeFactor(coordinates, pairs)
        self.b = np.zeros((count, 4))
        self.right_side = np.zeros((count, 3))
        self.is_new = True

    def update(self, rows: npt.NDArray[np.int64]) -> None:
        """Follow changed rows of the matrix."""
        fill_pairs(rows, self.matrix, self.pair_start, self.regularisation, self.symmetric)
        if self.is_new:
            self.factor.factor(*self.symmetric)
            self.is_new = False
        else:
            self.factor.change(rows)

    def solve(self) -> None:
        """Replace the right-hand sides by the solution."""
        narrow(self.b, self.right_side)
        self.factor.solve(self.right_side)
        widen(self.right_side, self.b)


class Multigrid:
    """Approximate solver: one V-cycle, symmetric and positive definite, at a cost linear in the points.

    Same interface as `TreeFactor`; `solve` reduces the error instead of removing it. The structure of
    the levels follows from the pairs alone and their values from the matrix alone, so the result after
    `change` is that after a fresh `factor`, to the last bit.
    """

    def __init__(
        self,
        coordinates: npt.NDArray[np.float64],
        pairs: npt.NDArray[np.int64],
        *,
        coarsest_size: int = COARSEST_SIZE,
    ) -> None:
        """Group the points level by level.

        Args:
            coordinates: (point_count, 3) rest positions, a guide for the coarsest level [m]
            pairs: (pair_count, 2) coupled points, the smaller first, each pair once
            coarsest_size: largest number of points to solve for directly
        """
        pairs = np.ascontiguousarray(pairs, np.int64).reshape(-1, 2)
        coordinates = np.asarray(coordinates, np.float64)
        point_count = len(coordinates)
        neighbour_start, neighbours = np.empty(point_count + 1, np.int64), np.empty(2 * len(pairs), np.int64)
        build_adjacency(pairs, neighbour_start, neighbours)
        start, column = np.empty(point_count + 1, np.int64), np.empty(len(neighbours) + point_count, np.int64)
        matrix_pattern(neighbour_start, neighbours, start, column)
        matrix = SparseRows(start, column, np.zeros(len(column)))
        self.entry = np.empty(len(column), np.int64)
        locate_pairs(pairs, matrix, self.entry)
        self.matrix = matrix
        self._is_reached = np.zeros(point_count, np.bool_)
        self._reached = np.zeros(point_count, np.int64)
        self._all = np.arange(point_count)

        self.levels: list[_Level] = []
        self.coarsest: _Coarsest | None = None
        while True:
            if len(matrix.start) - 1 <= coarsest_size:
                self.coarsest = _Coarsest(matrix, coordinates, REGULARISATION if self.levels else 0.0)
                break
            coarsening = Coarsening.attempt(matrix)
            self.levels.append(_Level(matrix, coarsening))
            if coarsening is None:
                break
            coordinates = coarsening.coarse_coordinates(coordinates)
            matrix = coarsening.coarse

    def factor(
        self,
        diagonal: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
        is_fixed: npt.NDArray[np.bool_],
    ) -> None:
        """Compute all levels and keep referring to these arrays.

        Args:
            diagonal: (point_count,) diagonal entries of A
            values: (pair_count,) entries of A at the pairs
            is_fixed: (point_count,) points whose row and column are left out
        """
        self.symmetric = SymmetricMatrix(diagonal, values, is_fixed)
        self._update(self._all)

    def change(self, points: npt.NDArray[np.int64]) -> None:
        """Follow changes of entries that touch `points` (count,), made in place in the arrays of `factor`."""
        count = reached_rows(points, self.matrix, self._is_reached, self._reached)
        self._update(self._reached[:count])

    def solve(self, right_side: npt.NDArray[np.float64]) -> None:
        """Replace right_side (point_count, 3) by the result of one V-cycle from zero; 0 at fixed points."""
        if not self.levels:
            assert self.coarsest is not None
            self.coarsest.factor.solve(right_side)
            return
        levels = self.levels
        widen(right_side, levels[0].b)
        for k, level in enumerate(levels):
            level.descend(self._right_sides_below(k))
        if self.coarsest is not None:
            self.coarsest.solve()
        for k in range(len(levels) - 1, -1, -1):
            if k + 1 < len(levels):
                levels[k].ascend(levels[k + 1].x)
            else:
                levels[k].ascend(self.coarsest.b if self.coarsest is not None else _NOTHING)
        narrow(levels[0].x, right_side)

    def _right_sides_below(self, k: int) -> npt.NDArray[np.float64]:
        if k + 1 < len(self.levels):
            return self.levels[k + 1].b
        return self.coarsest.b if self.coarsest is not None else _NOTHING

    def _update(self, rows: npt.NDArray[np.int64]) -> None:
        fill_rows(rows, self.entry, self.symmetric, self.matrix)
        for level in self.levels:
            level.update(rows)
            if level.coarsening is not None:
                rows = level.coarsening.update(rows)
        if self.coarsest is not None:
            self.coarsest.update(rows)


_NOTHING = np.zeros((0, 4))
