"""Going on: what is known of pairs and contacts outlasts an edit, but for the points that it has touched.

Theory: docs/theory/contact.md, "After an edit". What is proved of a pair is said of its own four points: as long as these go
on and no triangle with one of them has changed, it still holds, whatever happens elsewhere. Points that the edit has touched
are given no way at all, so that the next substep finds them astray and lists all of their pairs anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.self_contact.contact_table import ContactStore, PairStore

Indices = NDArray[np.int64]


class Survivors:
    """Points that an edit has not touched."""

    def __init__(self, was: Indices, touched: Indices, old_count: int) -> None:
        """Find them.

        Args:
            was: (point_count,) what each point was called before the edit, -1 if it is new
            touched: (count,) points of all triangles that the edit has changed
            old_count: points before it
        """
        goes_on = was >= 0
        goes_on[touched] = False
        self.points: Indices = np.flatnonzero(goes_on)
        """(count,) as they are called now."""

        self.were: Indices = was.take(self.points)
        """(count,) as they were called before."""

        self._new_of = np.full(old_count, -1, np.int32)
        self._new_of[self.were] = self.points

    def renamed(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return rows of points (count, 4) as they are called now, and whether all points of each are survivors."""
        names = self._new_of.take(rows)
        return names, np.all(names >= 0, axis=1)


def go_on_with_contacts(before: ContactStore, after: ContactStore, survivors: Survivors) -> NDArray[np.int32]:
    """Copy the contacts of survivors; return the number that each one has then, (count,), -1 if it is given up."""
    names, is_kept = survivors.renamed(before.points[: before.count])
    kept = np.flatnonzero(is_kept)
    numbers = np.full(before.count, -1, np.int32)
    numbers[kept] = np.arange(len(kept))
    if len(kept) > after.capacity:
        after.grow(3 * len(kept) // 2)
    after.count = len(kept)
    for name in ContactStore.ARRAYS:
        getattr(after, name)[: len(kept)] = getattr(before, name)[: before.count][kept]
    after.points[: len(kept)] = names[kept]
    return numbers


def go_on_with_pairs(
    before: PairStore, after: PairStore, survivors: Survivors, contact_numbers: NDArray[np.int32]
) -> None:
    """Copy all pairs to where they were, and strike out those that are not of survivors alone.

    Args:
        before: pairs before the edit
        after: pairs after it, with as much room
        survivors: whose pairs are kept
        contact_numbers: of `go_on_with_contacts`
    """
    count = before.count
    names, is_kept = survivors.renamed(before.pairs[:count])
    after.count, after.sorted_count = count, before.sorted_count
    after.is_edges[:count] = before.is_edges[:count]
    after.pairs[:count] = np.where(is_kept[:, None], names, 0)
    after.gaps[:count] = np.where(is_kept, before.gaps[:count], np.inf)
    contacts = before.contacts[:count]
    has_contact = is_kept & (contacts >= 0)
    after.contacts[:count] = -1
    after.contacts[:count][has_contact] = contact_numbers[contacts[has_contact]]
