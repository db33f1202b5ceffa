"""Moving: a body goes to the end of the tables, where it has room to grow.

An edit in place adds rows at the end. A body that others follow is led behind them first; it stays there, so that the
next edit of it finds it so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Fabric
from supple.edit.world.table_patch import Columns
from supple.model.tables.renumbering import Renumbering, places_of
from supple.model.world import BodyRange, World

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Moved:
    """What was called how before a body was moved."""

    way: Renumbering

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return self.way.size

    def undone(
        self, springs: Columns, bends: Columns, fabrics: dict[str, Fabric]
    ) -> tuple[Columns, Columns, dict[str, Fabric]]:
        """Return springs, bending elements and fabrics as they were, given those after it, which stay as they are."""
        return *put_back(self.way, springs, bends), fabrics


def put_back(way: Renumbering, springs: Columns, bends: Columns) -> tuple[Columns, Columns]:
    """Return springs and bending elements as they were before a renumbering, given those after it."""
    tables = []
    for table, key, order in ((springs, "ends", way.springs), (bends, "points", way.bends)):
        places = places_of(order)
        before = {name: array.take(places, axis=0) for name, array in table.items()}
        before[key] = way.particles[before[key]].astype(np.uint32)
        tables.append(before)
    return tables[0], tables[1]


def is_last(world: World, body: BodyRange) -> bool:
    """Tell whether no rows of other bodies follow those of a body."""
    ends = body.particles.stop, body.springs.stop, body.bends.stop
    return ends == (world.particles.count, world.springs.count, own_bends(world))


def own_bends(world: World) -> int:
    """Return how many bending elements belong to bodies; those of seams follow them."""
    return int(max(body.bends.stop for body in world.bodies.values()))


def move_last(world: World, body: BodyRange) -> Renumbering:
    """Let a cloth be the last of all bodies; return how rows are called since.

    Args:
        world: changed; no snapshot shares its springs and bending elements
        body: as it is in the world, not a soft one
    """
    bend_count = own_bends(world)
    way = Renumbering(
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
    world.renumber(way)
    world.bodies = bodies
    return way


def _with_last(rows: slice, end: int, total: int) -> Indices:
    """Return `total` numbers with those of some rows led behind all others below `end`."""
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
