"""Amend: write what an edit has changed into the tables of the world, and keep what was there for undo.

A cut of thirty springs changes a few hundred numbers among a million. Copying the others would take longer than the
cut, so they stay where they are in memory, and history keeps the rows that were overwritten.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Fabric
from supple.kernel import kernel
from supple.model.tables.growable import fitted
from supple.model.tables.row_numbers import Refilling, flat, put_rows, united

Indices = NDArray[np.int64]
Columns = dict[str, NDArray[Any]]

TRIANGLE_COLUMNS = ("triangles", "across", "spring_of", "corner_shares")
VERTEX_COLUMNS = ("fan", "birth_points", "birth_weights")


@dataclass(frozen=True)
class Overwritten:
    """Rows of a table as they were before an edit."""

    before: int
    """Rows there were."""

    rows: Indices
    """(row_count,) rows that the edit changed, moved or took away."""

    columns: Columns
    """(row_count, ...) what they held."""

    whole: Columns = field(default_factory=dict)
    """(before, ...) columns that are kept whole, for they also change by themselves."""

    @classmethod
    def of(cls, table: Columns, rows: Indices, whole: tuple[str, ...] = ()) -> Overwritten:
        """Keep rows of a table, and some columns whole."""
        columns = {name: array.take(rows, axis=0) for name, array in table.items() if name not in whole}
        before = len(next(iter(table.values())))
        return cls(before, rows, columns, {name: table[name].copy() for name in whole})

    def undone(self, table: Columns) -> Columns:
        """Return the table before the edit, given the one after it, which stays as it is."""
        result = dict(self.whole)
        for name, held in self.columns.items():
            array = table[name]
            result[name] = np.empty((self.before, *array.shape[1:]), array.dtype)
            kept = min(self.before, len(array))
            result[name][:kept] = array[:kept]
            result[name][self.rows] = held
        return {name: result[name] for name in table}

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return sum(array.nbytes for array in (self.rows, *self.columns.values(), *self.whole.values()))


@dataclass(frozen=True)
class Amended:
    """The springs or bending elements of a body after an edit, told by what has changed."""

    before: Columns
    """The table before, as the body counts its vertices."""

    key: str
    """The column that holds vertices."""

    refilled: Refilling
    added: Columns
    """(new_count, ...) what new rows hold."""

    renamed: Indices
    """(renamed_count,) rows, as they were, whose vertices are called differently now."""

    names: NDArray[np.uint32]
    """(renamed_count, corner_count) what these are called."""

    @cached_property
    def whole(self) -> Columns:
        """The table after the edit, in memory of its own."""
        old = dict(self.before)
        old[self.key] = old[self.key].copy()
        old[self.key][self.renamed] = self.names
        return {name: self.refilled.applied(array, self.added[name]) for name, array in old.items()}

    @property
    def vertices(self) -> NDArray[np.uint32]:
        """(row_count, corner_count) vertices of the rows after the edit, in memory of their own."""
        old = self.before[self.key].copy()
        old[self.renamed] = self.names
        return self.refilled.applied(old, self.added[self.key])

    def sources(self) -> Indices:
        """Return where each row after the edit stands, (row_count,): rows before it, then those that are new."""
        refilled = self.refilled
        sources = np.arange(refilled.count)
        sources[refilled.moved] = refilled.sources
        sources[refilled.new] = refilled.before + np.arange(len(refilled.new))
        return sources

    def write(
        self, table: Columns, first: int, shift: int, tail: Columns, whole: tuple[str, ...] = ()
    ) -> tuple[Columns, Overwritten]:
        """Change a table of the world, and return it with what was overwritten.

        Args:
            table: of all bodies, the one before the edit; used up
            first: row where the body's rows begin; nothing but the tail follows them
            shift: first vertex of the body
            tail: what is to follow the rows of the body
            whole: columns that change by themselves at present
        """
        refilled, before = self.refilled, first + self.refilled.before
        total = len(table[self.key])
        changed = np.concatenate([refilled.new[refilled.new < refilled.before], refilled.moved, self.renamed])
        gone = slice(first + min(refilled.count, refilled.before), total)
        overwritten = Overwritten.of(table, united(total, changed + first, gone), whole)
        end, tail_count = first + refilled.count, len(tail[self.key])
        room, count = max(before, end + tail_count, total), end + tail_count
        result = {}
        for name, array in table.items():
            array, new = fitted(array, room), self.added[name]
            if name == self.key:
                array[first + self.renamed] = self.names + np.uint32(shift)
                new = new + np.uint32(shift)
            put_rows(first, refilled.moved, refilled.sources, refilled.new, flat(new), flat(array))
            if tail_count:
                array[end:count] = tail[name]
            result[name] = array if room == count else fitted(array, count)
        return result, overwritten


@dataclass(frozen=True)
class Picked:
    """Some rows of a table, for a piece that comes off; they are copied once, to where they are to stay."""

    table: Columns
    """(old_count, ...)"""

    added: Columns
    """(added_count, ...) further rows, which follow those of the table."""

    rows: Indices
    """(row_count,) which rows."""

    key: str
    """The column that holds vertices."""

    names: NDArray[np.uint32]
    """(row_count, corner_count) what the piece calls them."""

    @cached_property
    def whole(self) -> Columns:
        """The rows in memory of their own."""
        result = {
            name: np.empty((len(self.rows), *array.shape[1:]), array.dtype)
            for name, array in self.table.items()
        }
        self.put(result, 0, 0)
        return result

    def put(self, table: Columns, first: int, shift: int) -> None:
        """Write the rows into a table, from its row `first` on, with `shift` added to the vertices."""
        count, before = len(self.rows), len(self.table[self.key])
        new = np.flatnonzero(self.rows >= before)
        for name, array in self.table.items():
            place = table[name][first : first + count]
            if name == self.key:
                np.add(self.names, np.uint32(shift), out=place)
                continue
            if before:
                array.take(self.rows, axis=0, out=place, mode="clip")
            place[new] = self.added[name].take(self.rows[new] - before, axis=0)


@kernel
def list_changed(
    looked_at, triangles, across, spring_of, shares, new_triangles, new_across, new_springs, new_shares, rows
):
    """List the rows that differ between two fabrics; return how many. The second may have more triangles.

    Only rows of the first one that are among `looked_at` (count,) are compared.
    """
    count = 0
    for t in looked_at:
        if t >= triangles.shape[0]:
            continue
        for c in range(3):
            if (
                triangles[t, c] != new_triangles[t, c]
                or across[t, c] != new_across[t, c]
                or spring_of[t, c] != new_springs[t, c]
                or shares[t, c] != new_shares[t, c]
            ):
                rows[count] = t
                count += 1
                break
    return count


def amend_fabric(
    fabric: Fabric, after: Fabric, around: Indices | None
) -> tuple[Fabric, tuple[Overwritten, Overwritten]]:
    """Return a fabric after an edit in the memory of the one before, and what of that was overwritten.

    Args:
        fabric: used up
        after: has no fewer triangles and vertices, and memory of its own
        around: (count,) triangles that may have changed, ascending; None for all
    """
    old, new = vars(fabric), vars(after)
    looked_at = np.arange(len(fabric.triangles)) if around is None else around
    rows = np.empty(len(looked_at), np.int64)
    sides = [[columns[name] for name in TRIANGLE_COLUMNS] for columns in (old, new)]
    rows = rows[: list_changed(looked_at, *sides[0], *sides[1], rows)].copy()
    fans = np.flatnonzero(fabric.fan != after.fan[: len(fabric.fan)])
    overwritten, arrays = [], {}
    for names, changed in ((TRIANGLE_COLUMNS, rows), (VERTEX_COLUMNS, fans)):
        overwritten.append(Overwritten.of({name: old[name] for name in names}, changed))
        written = np.concatenate([changed, np.arange(len(old[names[0]]), len(new[names[0]]))])
        for name in names:
            arrays[name] = array = fitted(old[name], len(new[name]))
            array[written] = new[name].take(written, axis=0)
    return replace(fabric, **arrays), (overwritten[0], overwritten[1])
