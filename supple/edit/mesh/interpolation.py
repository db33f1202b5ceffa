"""Mixing: which vertices before an edit each new vertex lies between, and with which weights.

Theory: docs/theory/edits.md, eq. (T5). A vertex that splits an edge is a mean of its ends, which may be new themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

MOST_SOURCES = 12
"""Vertices a new one may lie between: each further split of a split edge adds at most one or two."""


@kernel
def add_source(source, weight, row, sources, weights, counts):
    """Add a weight to a row of sources; return whether it fitted in."""
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
def mix_sources(old_count, parents, parent_shares, sources, weights, counts):
    """Write what new vertices lie between, in terms of old ones; return whether all of it fitted in.

    Args:
        old_count: vertices before the edit
        parents: (room, 2) the two vertices that each new one was put between; for a copy the first counts
        parent_shares: (room,) how far towards the second one [-]
        sources: (new_count, most) old vertices, written
        weights: (new_count, most) their weights, written
        counts: (new_count,) how many there are, written
    """
    for row in range(counts.shape[0]):
        counts[row] = 0
        share = parent_shares[old_count + row]
        for end in range(2):
            weight = share if end == 1 else 1.0 - share
            parent = parents[old_count + row, end]
            if weight <= 0.0:
                continue
            if parent < old_count:
                if not add_source(parent, weight, row, sources, weights, counts):
                    return False
                continue
            other = parent - old_count
            for n in range(counts[other]):
                if not add_source(
                    sources[other, n], weight * weights[other, n], row, sources, weights, counts
                ):
                    return False
    return True


@kernel
def place_mixed(first, sources, weights, counts, values, mixed):
    """Write the weighted means of `values` (old_count, width) of new vertices into rows of `mixed` from `first` on."""
    for row in range(counts.shape[0]):
        for axis in range(values.shape[1]):
            total = 0.0
            for n in range(counts[row]):
                total += weights[row, n] * values[sources[row, n], axis]
            mixed[first + row, axis] = total


@kernel
def nearest_sources(first, sources, weights, counts, nearest):
    """Write the old vertex that counts most for each new one into `nearest`, from `first` on."""
    for row in range(counts.shape[0]):
        best = 0
        for n in range(1, counts[row]):
            if weights[row, n] > weights[row, best]:
                best = n
        nearest[first + row] = sources[row, best]


@kernel
def give_births(
    first, sources, weights, counts, points, point_weights, found, scratch_points, scratch_weights
):
    """Write the three declared vertices that count most for each new vertex, and their weights, from `first` on.

    Args:
        first: number of the first new vertex
        sources: (new_count, most) old vertices
        weights: (new_count, most) their weights
        counts: (new_count,) how many there are
        points: (vertex_count, 3) declared vertices around every vertex; rows of new ones are written
        point_weights: (vertex_count, 3) their weights; rows of new ones are written
        found: (1,) scratch
        scratch_points: (1, 3 most) scratch
        scratch_weights: (1, 3 most) scratch
    """
    for row in range(counts.shape[0]):
        found[0] = 0
        for n in range(counts[row]):
            for c in range(3):
                inner = point_weights[sources[row, n], c]
                if inner > 0.0:
                    add_source(
                        points[sources[row, n], c],
                        weights[row, n] * inner,
                        0,
                        scratch_points,
                        scratch_weights,
                        found,
                    )
        vertex, total = first + row, 0.0
        for c in range(3):
            best = -1
            for n in range(found[0]):
                if scratch_weights[0, n] >= 0.0 and (
                    best < 0 or scratch_weights[0, n] > scratch_weights[0, best]
                ):
                    best = n
            if best < 0:
                points[vertex, c], point_weights[vertex, c] = points[vertex, 0], 0.0
                continue
            points[vertex, c], point_weights[vertex, c] = scratch_points[0, best], scratch_weights[0, best]
            total += scratch_weights[0, best]
            scratch_weights[0, best] = -1.0
        for c in range(3):
            point_weights[vertex, c] /= total


class Mixing:
    """What all new vertices of an edit are made of."""

    def __init__(
        self, old_count: int, new_count: int, parents: NDArray[np.int64], shares: NDArray[np.float64]
    ) -> None:
        """Trace `new_count` new vertices back to the old ones; see `mix_sources`."""
        self.old_count = old_count
        most = MOST_SOURCES
        self.counts = np.zeros(new_count, np.int64)
        while True:
            self.sources = np.zeros((new_count, most), np.int64)
            self.weights = np.zeros((new_count, most))
            if mix_sources(old_count, parents, shares, self.sources, self.weights, self.counts):
                break
            most *= 4

    def place(self, values: NDArray[np.float64], mixed: NDArray[np.float64]) -> None:
        """Write the means of `values` (old_count, width) for new vertices into their rows of `mixed`."""
        place_mixed(self.old_count, self.sources, self.weights, self.counts, values, mixed)

    def nearest(self, nearest: NDArray[np.int64]) -> None:
        """Write the old vertex that counts most for each new one into its row."""
        nearest_sources(self.old_count, self.sources, self.weights, self.counts, nearest)

    def births(self, points: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
        """Write the declared vertices around new vertices, and their weights, into their rows."""
        room = 3 * self.sources.shape[1]
        scratch = np.zeros(1, np.int64), np.empty((1, room), np.int64), np.empty((1, room))
        give_births(self.old_count, self.sources, self.weights, self.counts, points, weights, *scratch)

    def entries(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Return vertices that lie between several old ones, those, and their weights, one entry for each."""
        is_entry = (np.arange(self.sources.shape[1]) < self.counts[:, None]) & (self.counts > 1)[:, None]
        rows = np.nonzero(is_entry)[0]
        return rows + self.old_count, self.sources[is_entry], self.weights[is_entry]
