"""What outlasts an edit in the neighbour list: the pairs of points that it has not touched.

Theory: docs/theory/contact.md, "After an edit". A lower bound on the distance of a pair depends on its own four points only:
as long as these are still there and no triangle with one of them has changed, it still holds. Points that the edit has
touched are given a path that they cannot be on, so the next substep finds them outside of their skin and lists their pairs
anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.pair_table import PairTable

Indices = NDArray[np.int64]


class UntouchedPoints:
    """Points that an edit has not touched, with their numbers before and after it."""

    def __init__(self, was: Indices, changed: Indices, old_count: int) -> None:
        """Find them.

        Args:
            was: (point_count,) number of each point before the edit, -1 if it is new
            changed: (count,) points of all triangles that the edit has changed
            old_count: points before it
        """
        is_untouched = was >= 0
        is_untouched[changed] = False
        self.points: Indices = np.flatnonzero(is_untouched)
        """(count,) their numbers now."""

        self.were: Indices = was.take(self.points)
        """(count,) their numbers before."""

        self._new_of = np.full(old_count, -1, np.int32)
        self._new_of[self.were] = self.points

    def renumbered(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return rows of points (count, 4) with their numbers now, and whether all points of each are untouched."""
        numbers = self._new_of.take(rows)
        return numbers, np.all(numbers >= 0, axis=1)


def transfer_pairs(
    before: PairTable, after: PairTable, untouched: UntouchedPoints, contact_numbers: NDArray[np.int32]
) -> None:
    """Copy all pairs to the places they had, and strike out those with a point that the edit has touched.

    Args:
        before: pairs before the edit
        after: pairs after it, with as much room
        untouched: points whose pairs stay
        contact_numbers: (contact_count,) number of each contact after the edit, -1 if it is gone
    """
    count = before.count
    points, is_kept = untouched.renumbered(before.points[:count])
    after.count, after.sorted_count = count, before.sorted_count
    after.is_edges[:count] = before.is_edges[:count]
    after.points[:count] = np.where(is_kept[:, None], points, 0)
    after.gaps[:count] = np.where(is_kept, before.gaps[:count], np.inf)
    contacts = before.contacts[:count]
    has_contact = is_kept & (contacts >= 0)
    after.contacts[:count] = -1
    after.contacts[:count][has_contact] = contact_numbers[contacts[has_contact]]
