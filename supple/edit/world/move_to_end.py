"""Move to end: a body becomes the last one in the tables, where rows can be added to it.

An edit in place adds rows at the end. A body that is not the last one is moved there first; it stays there, so that its
next edit need not move it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.world.table_patch import Columns
from supple.model.tables.renumbering import Renumbering, places_of
from supple.model.world import BodyRange, World

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class MoveUndo:
    """The renumbering by which a body was moved to the end, to undo that."""

    renumbering: Renumbering

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return self.renumbering.size

    def undone(
        self, springs: Columns, bends: Columns, cloth_records: dict[str, ClothRecord]
    ) -> tuple[Columns, Columns, dict[str, ClothRecord]]:
        """Return springs, bending elements and cloth records before the move, given those after it, unchanged."""
        return *undo_renumbering(self.renumbering, springs, bends), cloth_records


def undo_renumbering(renumbering: Renumbering, springs: Columns, bends: Columns) -> tuple[Columns, Columns]:
    """Return springs and bending elements as they were before a renumbering, given those after it."""
    tables = []
    for table, key, order in ((springs, "ends", renumbering.springs), (bends, "points", renumbering.bends)):
        positions = places_of(order)
        before = {name: array.take(positions, axis=0) for name, array in table.items()}
        before[key] = renumbering.particles[before[key]].astype(np.uint32)
        tables.append(before)
    return tables[0], tables[1]


def is_at_end(world: World, body: BodyRange) -> bool:
    """Tell whether no rows of other bodies follow those of a body."""
    ends = body.particles.stop, body.springs.stop, body.bends.stop
    return ends == (world.particles.count, world.springs.count, body_bend_count(world))


def body_bend_count(world: World) -> int:
    """Return how many bending elements belong to bodies; those of seams follow them."""
    return int(max(body.bends.stop for body in world.bodies.values()))


def move_to_end(world: World, body: BodyRange) -> Renumbering:
    """Make a cloth the last of all bodies; return the renumbering.

    Args:
        world: changed; no snapshot shares its springs and bending elements
        body: as it is in the world, not a soft one
    """
    bend_count = body_bend_count(world)
    renumbering = Renumbering(
        _with_last(body.particles, world.particles.count, world.particles.count),
        _with_last(body.springs, world.springs.count, world.springs.count),
        _with_last(body.bends, bend_count, world.bends.count),
    )
    bodies = {other.name: _closed_up(other, body) for other in world.bodies.values() if other is not body}
    elements = world.tetrahedra.count
    bodies[body.name] = replace(
        body,
        particles=_at_end(body.particles, world.particles.count),
        springs=_at_end(body.springs, world.springs.count),
        bends=_at_end(body.bends, bend_count),
        tetrahedra=slice(elements, elements),
    )
    world.renumber(renumbering)
    world.bodies = bodies
    return renumbering


def _with_last(rows: slice, end: int, total: int) -> Indices:
    """Return `total` numbers with those of some rows moved behind all others below `end`."""
    numbers = np.arange(total)
    behind = rows.start + end - rows.stop
    numbers[rows.start : behind] = np.arange(rows.stop, end)
    numbers[behind:end] = np.arange(rows.start, rows.stop)
    return numbers


def _at_end(rows: slice, end: int) -> slice:
    return slice(end - (rows.stop - rows.start), end)


def _closed_up(other: BodyRange, body: BodyRange) -> BodyRange:
    """Return where another body is once the rows of `body` are gone from before it."""
    if other.particles.start < body.particles.start:
        return other

    def moved(rows: slice, gone: slice) -> slice:
        return slice(rows.start - (gone.stop - gone.start), rows.stop - (gone.stop - gone.start))

    return replace(
        other,
        particles=moved(other.particles, body.particles),
        springs=moved(other.springs, body.springs),
        bends=moved(other.bends, body.bends),
    )
