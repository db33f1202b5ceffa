"""Room for what contact finds: arrays that grow when they must, and are used again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel


@kernel(counts_references=False)
def mixed(i, j, k, m, is_edges, mask):
    """Return a place in a table of mask + 1 entries for a pair."""
    h = (i * 73856093) ^ (j * 19349663) ^ (k * 83492791) ^ (m * 49979687) ^ (is_edges * 15485863)
    h ^= h >> 17
    return h & mask


@kernel(counts_references=False)
def match_pairs(
    contact_count, contact_points, contact_is_edges, pairs, is_edges, pair_count, table, pair_contacts
):  # fmt: skip
    """Find the contact, if there is one, of every pair of a new list.

    Args:
        contact_count: how many contacts there are
        contact_points: (capacity, 4) points of each
        contact_is_edges: (capacity,) whether its pair is two edges
        pairs: (capacity, 4) points of the new pairs
        is_edges: (capacity,) whether a pair is two edges
        pair_count: how many new pairs there are
        table: (a power of two above twice the contacts,) scratch
        pair_contacts: (capacity,) index of the contact, -1 for none; overwritten
    """
    mask = table.shape[0] - 1
    table[:] = -1
    for n in range(contact_count):
        place = mixed(
            contact_points[n, 0], contact_points[n, 1], contact_points[n, 2], contact_points[n, 3],
            contact_is_edges[n], mask,
        )  # fmt: skip
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = n
    for n in range(pair_count):
        place = mixed(pairs[n, 0], pairs[n, 1], pairs[n, 2], pairs[n, 3], is_edges[n], mask)
        found = -1
        while table[place] >= 0:
            old = table[place]
            if (
                contact_points[old, 0] == pairs[n, 0]
                and contact_points[old, 1] == pairs[n, 1]
                and contact_points[old, 2] == pairs[n, 2]
                and contact_points[old, 3] == pairs[n, 3]
                and contact_is_edges[old] == is_edges[n]
            ):
                found = old
                break
            place = (place + 1) & mask
        pair_contacts[n] = found


class Store:
    """Entries in arrays of the same length, of which the first `count` are in use."""

    ARRAYS: tuple[str, ...] = ()
    """Names of the arrays that are kept from substep to substep."""

    PASSING: tuple[str, ...] = ()
    """Names of those that are written anew in every substep."""

    count = 0
    gaps: NDArray[np.float64]

    @property
    def capacity(self) -> int:
        """Entries there is room for."""
        return len(self.gaps)

    def grow(self, capacity: int) -> None:
        """Make room for more entries and keep those there are."""
        for name in (*self.ARRAYS, *self.PASSING):
            old = getattr(self, name)
            new = np.zeros((capacity, *old.shape[1:]), dtype=old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)


class PairStore(Store):
    """Pairs that are near."""

    ARRAYS = ("pairs", "is_edges", "gaps", "contacts")

    def __init__(self, capacity: int) -> None:
        """Make room for some pairs."""
        self.sorted_count = 0
        self.pairs: NDArray[np.int32] = np.zeros((capacity, 4), dtype=np.int32)
        self.is_edges = np.zeros(capacity, dtype=np.bool_)
        self.gaps = np.zeros(capacity)
        self.contacts: NDArray[np.int32] = np.full(capacity, -1, dtype=np.int32)
        """(capacity,) the contact of each pair, -1 for none."""


class ContactStore(Store):
    """The contacts of a substep."""

    ARRAYS = (
        "points", "is_edges", "weights", "normals", "gaps", "thicknesses", "grips", "pushes", "pushes_before", "rubs",
    )  # fmt: skip

    PASSING = ("lines", "dues", "sources", "next_contacts")

    def __init__(self, capacity: int) -> None:
        """Make room for some contacts."""
        self.sources: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        self.next_contacts: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        self.points: NDArray[np.int32] = np.zeros((capacity, 4), dtype=np.int32)
        self.is_edges = np.zeros(capacity, dtype=np.bool_)
        self.weights = np.zeros((capacity, 4))
        self.normals = np.zeros((capacity, 3))
        self.gaps = np.zeros(capacity)
        self.lines = np.zeros((capacity, 3))
        self.thicknesses = np.zeros(capacity)
        self.grips = np.zeros(capacity)
        self.pushes = np.zeros(capacity)
        self.pushes_before = np.zeros(capacity)
        self.rubs = np.zeros((capacity, 3))
        self.dues = np.zeros(capacity)
