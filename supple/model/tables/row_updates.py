"""Row updates: rows of a table come and go, and nearly all others stay where they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

Indices = NDArray[np.int64]


def _none() -> Indices:
    return np.zeros(0, np.int64)


_counted = np.arange(0)


def shared_arange(count: int) -> Indices:
    """Return 0, 1, 2 and so on, (count,), in memory that everybody shares: not to be changed.

    Most edits leave most numbers as they are, and the history keeps them.
    """
    global _counted
    numbers = _counted
    if len(numbers) < count:
        numbers = _counted = np.arange(count + count // 8)
    return numbers[:count]


def union_of_rows(count: int, *lists: NDArray[Any] | slice) -> Indices:
    """Return the numbers below `count` that any of the lists holds, ascending; sorting them would take longer."""
    is_listed = np.zeros(count, np.bool_)
    for numbers in lists:
        is_listed[numbers] = True
    return np.flatnonzero(is_listed)


@kernel
def is_identity(numbers):
    """Return whether numbers (count,) are 0, 1, 2 and so on."""
    for n in range(numbers.shape[0]):
        if numbers[n] != n:
            return False
    return True


@kernel
def put_rows(first, moved, sources, rows, new, table):
    """Let rows of a table (row_count, width) change places, and write others.

    Args:
        first: what all of these are counted from
        moved: (moved_count,) rows that are to hold what stands in another one
        sources: (moved_count,) where that is
        rows: (new_count,) rows to write
        new: (new_count, width) what they are to hold
        table: changed in place
    """
    for n in range(moved.shape[0]):
        for c in range(table.shape[1]):
            table[first + moved[n], c] = table[first + sources[n], c]
    for n in range(rows.shape[0]):
        for c in range(table.shape[1]):
            table[first + rows[n], c] = new[n, c]


def flat(table: NDArray[Any]) -> NDArray[Any]:
    """Return a table as one of numbers, (row_count, width)."""
    return table if table.ndim == 2 else table.reshape(-1, 1)


@dataclass(frozen=True)
class RowUpdate:
    """How the rows of a table change: new ones replace those that go, and the last ones fill what is left empty."""

    before: int
    """Rows there were."""

    count: int
    """Rows there are."""

    new: Indices = field(default_factory=_none)
    """(new_count,) rows that are new, in the order of what they hold."""

    moved: Indices = field(default_factory=_none)
    """(moved_count,) rows that hold what stood in another row before."""

    sources: Indices = field(default_factory=_none)
    """(moved_count,) the rows where that stood."""

    @classmethod
    def of(cls, gone: Indices, before: int, new_count: int) -> Self:
        """Return the update when the rows `gone` (ascending) of `before` go, and others come."""
        count = before - len(gone) + new_count
        new = np.concatenate([gone[:new_count], np.arange(before, max(count, before))])
        empty = gone[new_count:]
        moved = empty[empty < count]
        last = np.arange(count, before)
        sources = last[~np.isin(last, empty)] if len(moved) else _none()
        return cls(before, count, new, moved, sources)

    def applied(self, array: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        """Return the table after the change, (count, ...), given what new rows hold."""
        result = np.empty((self.count, *array.shape[1:]), array.dtype)
        kept = min(self.before, self.count)
        result[:kept] = array[:kept]
        result[self.moved] = array[self.sources]
        result[self.new] = new
        return result

    def shifted(self, first: int, total: int) -> RowUpdate:
        """Return the same for a table of `total` rows in which these begin at row `first`; they must be its last ones."""
        behind = total - first - self.before
        assert behind == 0 or self.count == self.before
        return RowUpdate(
            total,
            total + self.count - self.before,
            self.new + first,
            self.moved + first,
            self.sources + first,
        )
