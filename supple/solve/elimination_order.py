"""The order of elimination as plain arrays, to be kept in a file and built again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from supple.errors import StateError
from supple.solve.separator_tree import SeparatorTree, build_adjacency
from supple.solve.tree_factor import TreeFactor


@dataclass(frozen=True)
class EliminationOrder:
    """All that a separator tree cannot be computed without once edits have changed it.

    Sums depend on the order in the last bit, so a simulation that is to go on exactly needs the same one.
    """

    order: npt.NDArray[np.int64]
    """(place_count,) point at each place, -1 where edits have taken one away."""

    own_start: npt.NDArray[np.int64]
    """(node_count + 1,) places that each node owns."""

    parent: npt.NDArray[np.int64]
    """(node_count,) node above, -1 for the root."""

    fresh_entries: float
    """Entries of the factor a point when the order was found."""

    @classmethod
    def of(cls, factor: TreeFactor) -> Self:
        """Return the order of a factor."""
        return cls(*factor.places(), factor.tree.parent, factor.fresh_entries)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return it as arrays by name."""
        return {**vars(self), "fresh_entries": np.array([self.fresh_entries])}

    @classmethod
    def of_arrays(
        cls, arrays: Mapping[str, npt.NDArray[Any]], point_count: int, pairs: npt.NDArray[np.int64]
    ) -> Self:
        """Return what `arrays` came from, or raise a `StateError`."""
        try:
            numbers = {name: np.asarray(arrays[name], np.int64) for name in ("order", "own_start", "parent")}
            found = cls(**numbers, fresh_entries=float(arrays["fresh_entries"][0]))
        except (KeyError, ValueError, TypeError, IndexError):
            found = None
        if found is None or not found.is_sound(point_count, pairs):
            raise StateError("the state does not say in which order to solve, or says it wrongly.")
        return found

    def tree(self, pairs: npt.NDArray[np.int64]) -> SeparatorTree:
        """Return the tree for points with these couplings, (pair_count, 2)."""
        neighbour_start = np.empty(np.count_nonzero(self.order >= 0) + 1, np.int64)
        neighbours = np.empty(2 * len(pairs), np.int64)
        build_adjacency(pairs, neighbour_start, neighbours)
        return SeparatorTree.of_nodes(self.order, self.own_start, self.parent, neighbour_start, neighbours)

    def is_sound(self, point_count: int, pairs: npt.NDArray[np.int64]) -> bool:
        """Tell whether this can be an order of so many points: a file may hold anything."""
        node_count = len(self.parent)
        nodes = np.arange(node_count)
        if (
            node_count == 0
            or len(self.own_start) != node_count + 1
            or (self.order < -1).any()
            or not np.array_equal(np.sort(self.order[self.order >= 0]), np.arange(point_count))
            or self.own_start[0] != 0
            or self.own_start[-1] != len(self.order)
            or (np.diff(self.own_start) < 0).any()
            or self.parent[-1] != -1
            or not ((self.parent[:-1] > nodes[:-1]) & (self.parent[:-1] < node_count)).all()
            or not self.fresh_entries > 0.0
        ):
            return False
        place = np.empty(point_count, np.int64)
        place[self.order[self.order >= 0]] = np.flatnonzero(self.order >= 0)
        node_of = np.searchsorted(self.own_start, place, side="right") - 1
        ends = np.sort(node_of[pairs], axis=1)
        first, size = nodes.copy(), np.ones(node_count, np.int64)
        for node in range(node_count - 1):
            above = self.parent[node]
            first[above] = min(first[above], first[node])
            size[above] += size[node]
        is_contiguous = (first == nodes - size + 1).all()
        return bool(is_contiguous and (first[ends[:, 1]] <= ends[:, 0]).all())
