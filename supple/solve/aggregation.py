"""Smoothed aggregation: coarser and coarser copies of a symmetric matrix, brought up to date after edits.

A coarse point stands for a group of neighbouring fine points (an *aggregate*). The prolongation P takes
the value of a point's aggregate and smooths it with the matrix itself, its transpose is the restriction, and the coarse
matrix is the Galerkin product of all three (docs/theory/solve.md, eq. (L3)):

    P_i = T_i - ω / |A|_i Σ_{j≠i} a_ij (T_j - T_i),     A' = Pᵀ A P,     |A|_i = Σ_j |a_ij|,

where T_i is 1 at the aggregate of i, and 0 for fixed points. Constants are prolonged exactly
away from fixed points. Aggregates and all sparsity patterns depend on the structure alone, never on
the values, so an edit recomputes only the rows it reaches and leaves what a fresh computation would.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.solve.separator_tree import sort_ascending

SMOOTHING = 4.0 / 3.0
"""ω: the smoothing of the prolongation; 4/3 is best for a matrix D⁻¹A of norm 1, which |A| bounds."""

LARGEST_PRODUCT = 2.0
"""Give up when A P has more than this many times the entries of A."""

LARGEST_COARSE = 0.5
"""Give up when the coarse matrix has more than this share of the entries of A."""


class SparseRows(NamedTuple):
    """A sparse matrix by rows (compressed sparse rows, CSR)."""

    start: npt.NDArray[np.int64]
    """(row_count + 1,) where the entries of each row begin."""

    column: npt.NDArray[np.int64]
    """(entry_count,) ascending within a row."""

    value: npt.NDArray[np.float64]
    """(entry_count,) entries."""


# ---------------------------------------------------------------- structure


@kernel
def aggregate_points(graph, aggregate):
    """Group the points of a graph; return the number of aggregates.

    A point none of whose neighbours has an aggregate founds one with all of them; whoever is left joins
    the aggregate of its first neighbour in one. Points without neighbours stay outside (-1): the smoother
    alone solves for them.

    Args:
        graph: `SparseRows`, whose columns are the neighbours of each point, itself included
        aggregate: (point_count,) written
    """
    start, column = graph.start, graph.column
    count = 0
    aggregate[:] = -1
    for i in range(aggregate.shape[0]):
        is_free = start[i + 1] - start[i] > 1
        for k in range(start[i], start[i + 1]):
            is_free = is_free and aggregate[column[k]] < 0
        if is_free:
            for k in range(start[i], start[i + 1]):
                aggregate[column[k]] = count
            count += 1
    founded = count
    for i in range(aggregate.shape[0]):
        if aggregate[i] >= 0:
            continue
        for k in range(start[i], start[i + 1]):
            # Marked by an offset until all have joined, so that nobody joins a late-comer.
            if 0 <= aggregate[column[k]] < founded:
                aggregate[i] = founded + aggregate[column[k]]
                break
    for i in range(aggregate.shape[0]):
        if aggregate[i] >= founded:
            aggregate[i] -= founded
    return count


@kernel
def product_pattern(left, right, seen, start, column):
    """Write the pattern of a product of two sparse matrices; return its number of entries.

    Call it with an empty `column` to count, then with room for all.

    Args:
        left: `SparseRows`
        right: `SparseRows`; negative columns are skipped
        seen: (columns of the product,) scratch
        start: (rows + 1,) written
        column: (entries,) written, ascending within a row
    """
    left_start, left_column, right_start, right_column = left.start, left.column, right.start, right.column
    seen[:] = -1
    count = 0
    for i in range(start.shape[0] - 1):
        start[i] = count
        for k in range(left_start[i], left_start[i + 1]):
            j = left_column[k]
            for q in range(right_start[j], right_start[j + 1]):
                if right_column[q] >= 0 and seen[right_column[q]] != i:
                    seen[right_column[q]] = i
                    if count < column.shape[0]:
                        column[count] = right_column[q]
                    count += 1
        if count <= column.shape[0]:
            sort_ascending(column[start[i] : count])
    start[start.shape[0] - 1] = count
    return count


@kernel
def transpose_pattern(matrix, transposed_start, transposed_column, transposed_at):
    """Write the rows of the transpose, and where each entry went.

    Args:
        matrix: `SparseRows`
        transposed_start: (columns + 1,) written
        transposed_column: (entries,) written
        transposed_at: (entries,) written, entry of the transpose
    """
    start, column = matrix.start, matrix.column
    transposed_start[:] = 0
    for k in range(column.shape[0]):
        transposed_start[column[k] + 1] += 1
    for c in range(transposed_start.shape[0] - 1):
        transposed_start[c + 1] += transposed_start[c]
    for i in range(start.shape[0] - 1):
        for k in range(start[i], start[i + 1]):
            at = transposed_start[column[k]]
            transposed_start[column[k]] = at + 1
            transposed_column[at] = i
            transposed_at[k] = at
    for c in range(transposed_start.shape[0] - 1, 0, -1):
        transposed_start[c] = transposed_start[c - 1]
    transposed_start[0] = 0


# ---------------------------------------------------------------- values


@kernel
def smooth_prolongation(rows, matrix, aggregate, transposed_at, work, prolongation, restriction):
    """Compute rows of P and, with them, entries of its transpose.

    Args:
        rows: (count,) rows to compute
        matrix: `SparseRows`, A; a row whose diagonal is 0 is a fixed point's
        aggregate: (point_count,) -1 for none
        transposed_at: entry of the transpose of each entry of P
        work: (coarse_count,) scratch
        prolongation: `SparseRows`, P, whose values are written
        restriction: `SparseRows`, Pᵀ, whose values are written
    """
    start, column, value = matrix
    p_start, p_column, p_value = prolongation
    for i in rows:
        for k in range(p_start[i], p_start[i + 1]):
            work[p_column[k]] = 0.0
        total = own = 0.0
        for k in range(start[i], start[i + 1]):
            total += abs(value[k])
            if column[k] == i:
                own = value[k]
        if own > 0.0 and aggregate[i] >= 0:
            work[aggregate[i]] = 1.0
            for k in range(start[i], start[i + 1]):
                j = column[k]
                if j != i and aggregate[j] >= 0 and value[k] != 0.0:
                    share = SMOOTHING * value[k] / total
                    work[aggregate[j]] -= share
                    work[aggregate[i]] += share
        for k in range(p_start[i], p_start[i + 1]):
            p_value[k] = work[p_column[k]]
            restriction.value[transposed_at[k]] = p_value[k]


@kernel
def multiply_rows(rows, left, right, work, product):
    """Compute rows of a product of two sparse matrices whose pattern is known.

    Args:
        rows: (count,) rows to compute
        left: `SparseRows`
        right: `SparseRows`
        work: (columns of the product,) scratch
        product: `SparseRows`, whose values are written
    """
    left_start, left_column, left_value = left
    right_start, right_column, right_value = right
    start, column, value = product
    for i in rows:
        for k in range(start[i], start[i + 1]):
            work[column[k]] = 0.0
        for k in range(left_start[i], left_start[i + 1]):
            j, factor = left_column[k], left_value[k]
            for q in range(right_start[j], right_start[j + 1]):
                work[right_column[q]] += factor * right_value[q]
        for k in range(start[i], start[i + 1]):
            value[k] = work[column[k]]


@kernel
def reached_rows(rows, matrix, is_reached, reached):
    """List, ascending, the columns that occur in these rows; return how many.

    Args:
        rows: (count,)
        matrix: `SparseRows`
        is_reached: (columns,) all False, and so again afterwards
        reached: (columns,) written
    """
    start, column = matrix.start, matrix.column
    for i in rows:
        for k in range(start[i], start[i + 1]):
            is_reached[column[k]] = True
    count = 0
    for c in range(is_reached.shape[0]):
        if is_reached[c]:
            is_reached[c] = False
            reached[count] = c
            count += 1
    return count


def _product(left: SparseRows, right: SparseRows, column_count: int, largest: float) -> SparseRows | None:
    """Return the product's pattern, values still unset; None if it has more than `largest` entries."""
    start = np.empty(len(left.start), np.int64)
    seen = np.empty(column_count, np.int64)
    count = product_pattern(left, right, seen, start, np.empty(0, np.int64))
    if count > largest:
        return None
    column = np.empty(count, np.int64)
    product_pattern(left, right, seen, start, column)
    return SparseRows(start, column, np.zeros(count))


class Coarsening:
    """The step from one matrix A to the next coarser one, and how to repeat it for some rows."""

    def __init__(
        self,
        matrix: SparseRows,
        aggregate: npt.NDArray[np.int64],
        prolongation: SparseRows,
        product: SparseRows,
        restriction: SparseRows,
        transposed_at: npt.NDArray[np.int64],
        coarse: SparseRows,
    ) -> None:
        """Keep the patterns `attempt` found; values come with `update`."""
        self.matrix, self.aggregate = matrix, aggregate
        self.prolongation, self.restriction, self.transposed_at = prolongation, restriction, transposed_at
        self.product, self.coarse = product, coarse
        """A P and Pᵀ A P."""
        point_count, coarse_count = len(matrix.start) - 1, len(coarse.start) - 1
        self._work = np.zeros(coarse_count)
        self._is_reached = np.zeros(point_count, np.bool_)
        self._reached = np.zeros(point_count, np.int64)
        self._coarse_reached = np.zeros(coarse_count, np.int64)

    @classmethod
    def attempt(cls, matrix: SparseRows) -> Coarsening | None:
        """Find aggregates and patterns; None if the coarse matrix would hardly be smaller.

        Networks with couplings across the whole body have no coarse picture: their coarse matrices fill up.
        """
        point_count = len(matrix.start) - 1
        aggregate = np.empty(point_count, np.int64)
        coarse_count = int(aggregate_points(matrix, aggregate))
        if coarse_count == 0:
            return None
        ones = SparseRows(np.arange(point_count + 1), aggregate, np.ones(point_count))
        p = _product(matrix, ones, coarse_count, len(matrix.column))
        assert p is not None
        product = _product(matrix, p, coarse_count, LARGEST_PRODUCT * len(matrix.column))
        if product is None:
            return None
        transposed_at, r_column = np.empty(len(p.column), np.int64), np.empty(len(p.column), np.int64)
        r_start = np.empty(coarse_count + 1, np.int64)
        transpose_pattern(p, r_start, r_column, transposed_at)
        restriction = SparseRows(r_start, r_column, np.zeros(len(p.column)))
        coarse = _product(restriction, product, coarse_count, LARGEST_COARSE * len(matrix.column))
        if coarse is None:
            return None
        return cls(matrix, aggregate, p, product, restriction, transposed_at, coarse)

    def coarse_coordinates(self, coordinates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the centres of the aggregates, (coarse_count, 3) [m]."""
        inside = self.aggregate >= 0
        groups = self.aggregate[inside]
        sizes = np.bincount(groups)
        sums = [np.bincount(groups, weights=coordinates[inside, axis]) for axis in range(3)]
        return np.stack(sums, axis=1) / sizes[:, None]

    def update(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Follow changes in these rows of A; return the rows of the coarse matrix that changed (a view)."""
        smooth_prolongation(
            rows, self.matrix, self.aggregate, self.transposed_at, self._work, self.prolongation, self.restriction
        )  # fmt: skip
        count = reached_rows(rows, self.matrix, self._is_reached, self._reached)
        reached = self._reached[:count]
        multiply_rows(reached, self.matrix, self.prolongation, self._work, self.product)
        count = reached_rows(reached, self.prolongation, self._is_reached, self._coarse_reached)
        changed = self._coarse_reached[:count]
        multiply_rows(changed, self.restriction, self.product, self._work, self.coarse)
        return changed
