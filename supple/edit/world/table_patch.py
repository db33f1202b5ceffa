"""Table patch: the rows of a table that an edit changes, written in place, and what they held before for undo.

A cut of thirty springs changes a few hundred numbers among a million. Copying the others would take longer than the
cut, so they stay where they are in memory, and the history keeps the rows that were overwritten.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord, TriangleColumns, VertexColumns
from supple.kernel import kernel
from supple.model.tables.growable import resized
from supple.model.tables.row_updates import RowUpdate, flat, put_rows, union_of_rows

Indices = NDArray[np.int64]
Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class OverwrittenRows:
    """Rows of a table as they were before an edit."""

    before: int
    """Rows there were."""

    rows: Indices
    """(row_count,) rows that the edit changed, moved or took away."""

    columns: Columns
    """(row_count, ...) what they held."""

    whole: Columns = field(default_factory=dict)
    """(before, ...) columns that are kept whole, because shrinking changes all of their rows."""

    @classmethod
    def of(cls, table: Columns, rows: Indices, whole: tuple[str, ...] = ()) -> OverwrittenRows:
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
class TablePatch:
    """The springs or bending elements of a body after an edit, given by the rows that differ from those before."""

    before: Columns
    """The table before, as the body counts its vertices."""

    key: str
    """The column that holds vertices."""

    row_update: RowUpdate
    added: Columns
    """(new_count, ...) what new rows hold."""

    renumbered: Indices
    """(renumbered_count,) rows before the edit whose vertices get other numbers."""

    new_vertices: NDArray[np.uint32]
    """(renumbered_count, corner_count) these numbers."""

    @cached_property
    def whole(self) -> Columns:
        """The table after the edit, in memory of its own."""
        old = dict(self.before)
        old[self.key] = old[self.key].copy()
        old[self.key][self.renumbered] = self.new_vertices
        return {name: self.row_update.applied(array, self.added[name]) for name, array in old.items()}

    @property
    def vertices(self) -> NDArray[np.uint32]:
        """(row_count, corner_count) vertices of the rows after the edit, in memory of their own."""
        old = self.before[self.key].copy()
        old[self.renumbered] = self.new_vertices
        return self.row_update.applied(old, self.added[self.key])

    def sources(self) -> Indices:
        """Return where each row after the edit stands, (row_count,): rows before it, then those that are new."""
        row_update = self.row_update
        sources = np.arange(row_update.count)
        sources[row_update.moved] = row_update.sources
        sources[row_update.new] = row_update.before + np.arange(len(row_update.new))
        return sources

    def write(
        self, table: Columns, first: int, shift: int, tail: Columns, whole: tuple[str, ...] = ()
    ) -> tuple[Columns, OverwrittenRows]:
        """Change a table of the world, and return it with what was overwritten.

        Args:
            table: of all bodies, the one before the edit; used up
            first: row where the body's rows begin; nothing but the tail follows them
            shift: first vertex of the body
            tail: what is to follow the rows of the body
            whole: columns that are to be kept whole, because shrinking changes all of their rows
        """
        row_update, before = self.row_update, first + self.row_update.before
        total = len(table[self.key])
        changed = np.concatenate(
            [row_update.new[row_update.new < row_update.before], row_update.moved, self.renumbered]
        )
        gone = slice(first + min(row_update.count, row_update.before), total)
        overwritten = OverwrittenRows.of(table, union_of_rows(total, changed + first, gone), whole)
        end, tail_count = first + row_update.count, len(tail[self.key])
        capacity, count = max(before, end + tail_count, total), end + tail_count
        result = {}
        for name, array in table.items():
            array, new = resized(array, capacity), self.added[name]
            if name == self.key:
                array[first + self.renumbered] = self.new_vertices + np.uint32(shift)
                new = new + np.uint32(shift)
            put_rows(first, row_update.moved, row_update.sources, row_update.new, flat(new), flat(array))
            if tail_count:
                array[end:count] = tail[name]
            result[name] = array if capacity == count else resized(array, count)
        return result, overwritten


@dataclass(frozen=True)
class SelectedRows:
    """Some rows of a table, for a piece that comes off; they are copied only once, to where they stay."""

    table: Columns
    """(old_count, ...)"""

    added: Columns
    """(added_count, ...) further rows, which follow those of the table."""

    rows: Indices
    """(row_count,) which rows."""

    key: str
    """The column that holds vertices."""

    vertices: NDArray[np.uint32]
    """(row_count, corner_count) their vertices, as the piece counts them."""

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
                np.add(self.vertices, np.uint32(shift), out=place)
                continue
            if before:
                array.take(self.rows, axis=0, out=place, mode="clip")
            place[new] = self.added[name].take(self.rows[new] - before, axis=0)


@kernel
def list_changed_triangles(looked_at, old, new, rows):
    """List the rows that differ between the `TriangleColumns` of two cloth records; return how many.

    The second may have more triangles. Only rows of the first one that are among `looked_at` (count,) are compared.
    """
    count = 0
    for t in looked_at:
        if t >= old.triangles.shape[0]:
            continue
        for c in range(3):
            if (
                old.triangles[t, c] != new.triangles[t, c]
                or old.neighbours[t, c] != new.neighbours[t, c]
                or old.spring_of[t, c] != new.spring_of[t, c]
                or old.corner_fractions[t, c] != new.corner_fractions[t, c]
            ):
                rows[count] = t
                count += 1
                break
    return count


def patch_cloth_record(
    cloth_record: ClothRecord, after: ClothRecord, around: Indices | None
) -> tuple[ClothRecord, tuple[OverwrittenRows, OverwrittenRows]]:
    """Return a cloth record after an edit in the memory of the one before, and what of that was overwritten.

    Args:
        cloth_record: used up
        after: has no fewer triangles and vertices, and memory of its own
        around: (count,) triangles that may have changed, ascending; None for all
    """
    looked_at = np.arange(len(cloth_record.triangles)) if around is None else around
    rows = np.empty(len(looked_at), np.int64)
    count = list_changed_triangles(looked_at, cloth_record.triangle_columns, after.triangle_columns, rows)
    old_incident = cloth_record.incident_triangle
    vertices = np.flatnonzero(old_incident != after.incident_triangle[: len(old_incident)])
    old, new = vars(cloth_record), vars(after)
    overwritten, arrays = [], {}
    for names, changed in (
        (TriangleColumns._fields, rows[:count].copy()),
        (VertexColumns._fields, vertices),
    ):
        overwritten.append(OverwrittenRows.of({name: old[name] for name in names}, changed))
        written = np.concatenate([changed, np.arange(len(old[names[0]]), len(new[names[0]]))])
        for name in names:
            arrays[name] = array = resized(old[name], len(new[name]))
            array[written] = new[name].take(written, axis=0)
    return replace(cloth_record, **arrays), (overwritten[0], overwritten[1])
