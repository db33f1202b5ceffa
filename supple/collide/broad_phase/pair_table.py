"""Tables of the broad phase: arrays of the same length that grow when they must and are used again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel


class Pairs(NamedTuple):
    """The arrays of a `PairTable`, as kernels take them: pairs of a point and a triangle, or of two edges."""

    points: NDArray[np.int32]
    """(capacity, 4) a point and the corners of a triangle, or the ends of one edge and of the other."""

    is_edges: NDArray[np.bool_]
    """(capacity,) whether a pair is two edges."""

    gaps: NDArray[np.float64]
    """(capacity,) lower bound on the distance while points follow their expected paths [m]."""

    contacts: NDArray[np.int32]
    """(capacity,) number of the contact of each pair, -1 for none."""


class PairKeys(NamedTuple):
    """What tells pairs from each other."""

    points: NDArray[np.int32]
    """(count, 4) as in `Pairs`."""

    is_edges: NDArray[np.bool_]
    """(count,)."""


@kernel(counts_references=False)
def pair_hash(keys, n, mask):
    """Return the first place of pair n in a hash table of mask + 1 entries."""
    i, j, k, m = keys.points[n, 0], keys.points[n, 1], keys.points[n, 2], keys.points[n, 3]
    h = (i * 73856093) ^ (j * 19349663) ^ (k * 83492791) ^ (m * 49979687) ^ (keys.is_edges[n] * 15485863)
    h ^= h >> 17
    return h & mask


@kernel(counts_references=False)
def is_same_pair(keys, n, others, m):
    """Return whether pair n of some keys is pair m of others."""
    return (
        keys.points[n, 0] == others.points[m, 0]
        and keys.points[n, 1] == others.points[m, 1]
        and keys.points[n, 2] == others.points[m, 2]
        and keys.points[n, 3] == others.points[m, 3]
        and keys.is_edges[n] == others.is_edges[m]
    )


@kernel(counts_references=False, is_entry=True)
def match_pairs(known, pairs, table, matches):
    """Find out which of the known pairs, if any, each pair of a new list is, with a hash table.

    Args:
        known: PairKeys of all that something is known of
        pairs: PairKeys of the new list
        table: (a power of two above twice the known pairs,) scratch
        matches: (pair_count,) number among the known pairs, -1 for none; overwritten
    """
    mask = table.shape[0] - 1
    table[:] = -1
    for n in range(known.points.shape[0]):
        place = pair_hash(known, n, mask)
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = n
    for n in range(pairs.points.shape[0]):
        place = pair_hash(pairs, n, mask)
        matches[n] = -1
        while table[place] >= 0:
            if is_same_pair(known, table[place], pairs, n):
                matches[n] = table[place]
                break
            place = (place + 1) & mask


class GrowableTable:
    """Entries in arrays of the same length, of which the first `count` are in use."""

    SAVED: ClassVar[dict[str, str]] = {}
    """Names of the arrays that outlast a substep, each with its name in a saved state."""

    SCRATCH: ClassVar[tuple[str, ...]] = ()
    """Names of the arrays that are written anew in every substep."""

    count = 0
    points: NDArray[np.int32]
    is_edges: NDArray[np.bool_]
    gaps: NDArray[np.float64]

    @property
    def capacity(self) -> int:
        """Entries there is room for."""
        return len(self.gaps)

    @property
    def keys(self) -> PairKeys:
        """What tells the entries in use from each other."""
        return PairKeys(self.points[: self.count], self.is_edges[: self.count])

    def _bundle(self) -> None:
        """Renew the bundle of arrays that kernels take: after these were made or have grown."""
        raise NotImplementedError

    def grow(self, capacity: int) -> None:
        """Make room for more entries and keep those there are."""
        for name in (*self.SAVED, *self.SCRATCH):
            old = getattr(self, name)
            new = np.zeros((capacity, *old.shape[1:]), dtype=old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)
        self._bundle()

    def state(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """Return the entries in use, as they are saved."""
        return {f"{prefix}_{key}": getattr(self, name)[: self.count] for name, key in self.SAVED.items()}

    def restore(self, prefix: str, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; there is room for it."""
        self.count = len(saved[f"{prefix}_gaps"])
        for name, key in self.SAVED.items():
            getattr(self, name)[: self.count] = saved[f"{prefix}_{key}"]


class PairTable(GrowableTable):
    """The pairs of a neighbour list: those that were sorted, nearest first, and behind them later ones."""

    SAVED: ClassVar[dict[str, str]] = {
        "points": "pairs",
        "is_edges": "is_edges",
        "gaps": "gaps",
        "contacts": "contacts",
    }

    def __init__(self, capacity: int) -> None:
        """Make room for some pairs."""
        self.sorted_count = 0
        """Pairs at the front of the table that are sorted by their gaps."""
        self.points = np.zeros((capacity, 4), dtype=np.int32)
        self.is_edges = np.zeros(capacity, dtype=np.bool_)
        self.gaps = np.zeros(capacity)
        self.contacts: NDArray[np.int32] = np.full(capacity, -1, dtype=np.int32)
        self._bundle()

    def _bundle(self) -> None:
        self.arrays = Pairs(self.points, self.is_edges, self.gaps, self.contacts)
        """All arrays, as kernels take them; ask for it at every call, since it is replaced when the table grows."""

    @property
    def used(self) -> Pairs:
        """The arrays of the entries in use."""
        count = self.count
        return Pairs(self.points[:count], self.is_edges[:count], self.gaps[:count], self.contacts[:count])

    def behind(self, first: int) -> Pairs:
        """Return the arrays from entry `first` on."""
        return Pairs(self.points[first:], self.is_edges[first:], self.gaps[first:], self.contacts[first:])

    def keys_behind(self, first: int) -> PairKeys:
        """Return what tells the pairs from `first` on from each other."""
        return PairKeys(self.points[first : self.count], self.is_edges[first : self.count])
