"""Parting: a body that has come apart becomes several, in the tables where it is.

The cut itself has left every particle its number. Now those of each piece move together; what is known by pair, and the
factor with it, stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Bench, Fabric
from supple.edit.mesh.cloth_record_part import fabric_parts
from supple.edit.world.move_to_end import own_bends, put_back
from supple.edit.world.table_patch import Columns
from supple.kernel import kernel
from supple.model.tables.renumbering import Renumbering, places_of
from supple.model.world import BodyRange, World

Indices = NDArray[np.int64]


class Span(NamedTuple):
    """Where the rows of a body are."""

    particles: slice
    springs: slice
    bends: slice

    def given_to(self, body: BodyRange) -> BodyRange:
        """Return a body whose rows are here."""
        return replace(body, particles=self.particles, springs=self.springs, bends=self.bends)


@dataclass(frozen=True)
class Parted:
    """What a body was before it became several."""

    body: str
    pieces: tuple[str, ...]
    """Names of what came off."""

    way: Renumbering
    fabric: Fabric
    """Of the body before the cut."""

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return self.way.size + sum(int(array.nbytes) for array in vars(self.fabric).values())

    def undone(
        self, springs: Columns, bends: Columns, fabrics: dict[str, Fabric]
    ) -> tuple[Columns, Columns, dict[str, Fabric]]:
        """Return springs, bending elements and fabrics as they were, given those after it, which stay as they are."""
        springs, bends = put_back(self.way, springs, bends)
        others = {name: fabric for name, fabric in fabrics.items() if name not in self.pieces}
        return springs, bends, {**others, self.body: self.fabric}


def part(
    world: World, body: BodyRange, fabric: Fabric, names: list[str], part_of: Indices, bench: Bench
) -> tuple[Renumbering, dict[str, Fabric]]:
    """Let the pieces that have come off a body be bodies; return the renumbering and their fabrics.

    Args:
        world: changed; no snapshot shares its springs and bending elements
        body: as it is in the world
        fabric: of the body; stays as it is
        names: of the body and of its pieces
        part_of: (vertex_count,) to which of these each vertex belongs
        bench: where memory for their fabrics is set aside
    """
    before = list(world.bodies.values())
    own = list(world.bodies).index(body.name)
    numbers = [own, *range(len(before), len(before) + len(names) - 1)]
    owners = np.empty(world.particles.count, np.uint16)
    for number, other in enumerate(before):
        owners[other.particles] = number
    owners[body.particles] = np.array(numbers, np.uint16).take(part_of)
    way, spans = sorted_by_owner(world, owners, numbers[-1] + 1)

    bodies = {other.name: spans[n].given_to(other) for n, other in enumerate(before)}
    own_spans = [spans[number] for number in numbers]
    fabrics = fabric_parts(
        fabric,
        part_of,
        way.new_of[body.particles],
        [span.particles for span in own_spans],
        places_of(way.springs)[body.springs],
        [span.springs.start for span in own_spans],
        bench,
    )
    for name, span, piece in zip(names, own_spans, fabrics, strict=True):
        vertices = way.particles[span.particles] - body.particles.start
        bodies[name] = replace(
            span.given_to(body),
            name=name,
            triangles=piece.triangles,
            shares=body.shares.take(vertices),
            descent=piece.descent,
        )
    world.renumber(way)
    world.bodies = bodies
    return way, dict(zip(names, fabrics, strict=True))


@kernel
def sort_by_owner(vertices, own_count, owners, starts, order):
    """Order rows by the body that their first vertex belongs to; those of the same body keep their order.

    Args:
        vertices: (row_count, width) particles
        own_count: rows that belong to bodies; the others follow all of them
        owners: (particle_count,) number of the body that each particle belongs to
        starts: (body_count + 2,) zeros; written: where the rows of each body begin, those of none, and where these end
        order: (row_count,) written: where each row stood
    """
    nobody = starts.shape[0] - 2
    for row in range(vertices.shape[0]):
        owner = owners[vertices[row, 0]] if row < own_count else nobody
        starts[owner + 1] += 1
    for owner in range(nobody + 1):
        starts[owner + 1] += starts[owner]
    for row in range(vertices.shape[0]):
        owner = owners[vertices[row, 0]] if row < own_count else nobody
        order[starts[owner]] = row
        starts[owner] += 1
    for owner in range(nobody + 1, 0, -1):  # every start has moved on to the next one
        starts[owner] = starts[owner - 1]
    starts[0] = 0


def sorted_by_owner(world: World, owners: NDArray[np.uint16], count: int) -> tuple[Renumbering, list[Span]]:
    """Return how the rows of every body come to stand together, in the order they have, and where those of each are.

    Args:
        world: stays as it is
        owners: (particle_count,) number of the body that each particle belongs to
        count: of bodies; links between them come after all
    """
    everyone = np.arange(len(owners)).reshape(-1, 1)
    tables = (
        (everyone, len(everyone)),
        (world.springs.ends, world.springs.count),
        (world.bends.points, own_bends(world)),
    )
    orders, firsts = [], []
    for vertices, own_count in tables:
        starts, order = np.zeros(count + 2, np.int64), np.empty(len(vertices), np.int64)
        sort_by_owner(vertices, own_count, owners, starts, order)
        orders.append(order)
        firsts.append(starts.tolist())
    spans = [Span(*(slice(first[n], first[n + 1]) for first in firsts)) for n in range(count)]
    return Renumbering(*orders), spans
