"""Barycentric interpolation: which vertices before an edit each new vertex lies between, and with which weights.

Theory: docs/theory/edits.md, eq. (T5). A vertex that splits an edge is interpolated between its ends, which may be new
themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

MOST_SOURCES = 12
"""Vertices that a new one may lie between: each further split of a split edge adds at most one or two."""


class SourceWeights(NamedTuple):
    """Weighted sums of vertices, one in each row."""

    sources: NDArray[np.int64]
    """(row_count, most) vertices that are summed."""

    weights: NDArray[np.float64]
    """(row_count, most) their weights [-]."""

    counts: NDArray[np.int64]
    """(row_count,) how many of them are in use."""


@kernel
def add_source(source, weight, row, table):
    """Add a weighted vertex to a row of `SourceWeights`; return whether it fitted in."""
    sources, weights, counts = table.sources, table.weights, table.counts
    for n in range(counts[row]):
        if sources[row, n] == source:
            weights[row, n] += weight
            return True
    if counts[row] == sources.shape[1]:
        return False
    sources[row, counts[row]] = source
    weights[row, counts[row]] = weight
    counts[row] += 1
    return True


@kernel
def trace_sources(old_count, parents, parent_fractions, table):
    """Write the weights of old vertices in every new vertex; return whether all of them fitted in.

    Args:
        old_count: vertices before the edit
        parents: (vertex_capacity, 2) the two vertices that each new one was put between; for a copy the first counts
        parent_fractions: (vertex_capacity,) how far towards the second one [-]
        table: `SourceWeights` of the new vertices in terms of old ones, written
    """
    for row in range(table.counts.shape[0]):
        table.counts[row] = 0
        fraction = parent_fractions[old_count + row]
        for end in range(2):
            weight = fraction if end == 1 else 1.0 - fraction
            parent = parents[old_count + row, end]
            if weight <= 0.0:
                continue
            if parent < old_count:
                if not add_source(parent, weight, row, table):
                    return False
                continue
            other = parent - old_count
            for n in range(table.counts[other]):
                if not add_source(table.sources[other, n], weight * table.weights[other, n], row, table):
                    return False
    return True


@kernel
def interpolate_values(first, table, values, values_after):
    """Write `values` (old_count, width) interpolated for new vertices into rows of `values_after` from `first` on."""
    for row in range(table.counts.shape[0]):
        for axis in range(values.shape[1]):
            total = 0.0
            for n in range(table.counts[row]):
                total += table.weights[row, n] * values[table.sources[row, n], axis]
            values_after[first + row, axis] = total


@kernel
def nearest_sources(first, table, nearest):
    """Write the old vertex of the largest weight for each new one into `nearest`, from `first` on."""
    for row in range(table.counts.shape[0]):
        best = 0
        for n in range(1, table.counts[row]):
            if table.weights[row, n] > table.weights[row, best]:
                best = n
        nearest[first + row] = table.sources[row, best]


@kernel
def gather_ancestors(row, table, ancestors, ancestor_weights, found):
    """Sum the declared vertices around the sources of a new vertex in row 0 of `found`; see `find_ancestors`."""
    found.counts[0] = 0
    for n in range(table.counts[row]):
        source = table.sources[row, n]
        for c in range(3):
            inner = ancestor_weights[source, c]
            if inner > 0.0:
                add_source(ancestors[source, c], table.weights[row, n] * inner, 0, found)


@kernel
def find_ancestors(first, table, ancestors, ancestor_weights, found):
    """Write the three declared vertices of the largest weights for each new vertex, and these weights, from `first` on.

    Args:
        first: number of the first new vertex
        table: `SourceWeights` of the new vertices
        ancestors: (vertex_count, 3) declared vertices around every vertex; rows of new ones are written
        ancestor_weights: (vertex_count, 3) their weights; rows of new ones are written
        found: `SourceWeights` of one row, three times as wide as the table; scratch
    """
    for row in range(table.counts.shape[0]):
        gather_ancestors(row, table, ancestors, ancestor_weights, found)
        vertex, total = first + row, 0.0
        for c in range(3):
            best = -1
            for n in range(found.counts[0]):
                is_left = found.weights[0, n] >= 0.0
                if is_left and (best < 0 or found.weights[0, n] > found.weights[0, best]):
                    best = n
            if best < 0:
                ancestors[vertex, c], ancestor_weights[vertex, c] = ancestors[vertex, 0], 0.0
                continue
            ancestors[vertex, c], ancestor_weights[vertex, c] = found.sources[0, best], found.weights[0, best]
            total += found.weights[0, best]
            found.weights[0, best] = -1.0
        for c in range(3):
            ancestor_weights[vertex, c] /= total


class VertexInterpolation:
    """The new vertices of an edit as weighted sums of old ones."""

    def __init__(
        self, old_count: int, new_count: int, parents: NDArray[np.int64], fractions: NDArray[np.float64]
    ) -> None:
        """Trace `new_count` new vertices back to the old ones; see `trace_sources`."""
        self.old_count = old_count
        most = MOST_SOURCES
        counts = np.zeros(new_count, np.int64)
        while True:
            self.table = SourceWeights(
                np.zeros((new_count, most), np.int64), np.zeros((new_count, most)), counts
            )
            if trace_sources(old_count, parents, fractions, self.table):
                break
            most *= 4

    def interpolate(self, values: NDArray[np.float64], values_after: NDArray[np.float64]) -> None:
        """Write `values` (old_count, width) interpolated for new vertices into their rows of `values_after`."""
        interpolate_values(self.old_count, self.table, values, values_after)

    def nearest(self, nearest: NDArray[np.int64]) -> None:
        """Write the old vertex of the largest weight for each new one into its row."""
        nearest_sources(self.old_count, self.table, nearest)

    def find_ancestors(self, ancestors: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
        """Write the declared vertices around new vertices, and their weights, into their rows."""
        width = 3 * self.table.sources.shape[1]
        found = SourceWeights(np.empty((1, width), np.int64), np.empty((1, width)), np.zeros(1, np.int64))
        find_ancestors(self.old_count, self.table, ancestors, weights, found)

    def entries(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Return vertices that lie between several old ones, those, and their weights, one entry for each."""
        sources, weights, counts = self.table
        is_entry = (np.arange(sources.shape[1]) < counts[:, None]) & (counts > 1)[:, None]
        rows = np.nonzero(is_entry)[0]
        return rows + self.old_count, sources[is_entry], weights[is_entry]
