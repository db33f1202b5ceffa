"""Parting: a body that has come apart becomes several, in the tables where it is.

The cut itself has left every particle its number. Now those of each piece move together; what is known by pair, and the
factor with it, stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.amend import Columns
from supple.edit.fabric import Fabric
from supple.edit.fabric_part import fabric_part, ranks
from supple.edit.moving import own_bends, put_back
from supple.model.renumbering import Renumbering, places_of
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
    world: World, body: BodyRange, fabric: Fabric, names: list[str], part_of: Indices
) -> tuple[Renumbering, dict[str, Fabric]]:
    """Let the pieces that have come off a body be bodies; return the renumbering and their fabrics.

    Args:
        world: changed; no snapshot shares its springs and bending elements
        body: as it is in the world
        fabric: of the body; stays as it is
        names: of the body and of its pieces
        part_of: (vertex_count,) to which of these each vertex belongs
    """
    before = list(world.bodies.values())
    own = list(world.bodies).index(body.name)
    numbers = [own, *range(len(before), len(before) + len(names) - 1)]
    owners = np.empty(world.particles.count, np.uint16)
    for number, other in enumerate(before):
        owners[other.particles] = number
    owners[body.particles] = np.array(numbers, np.uint16)[part_of]
    way, spans = sorted_by_owner(world, owners, numbers[-1] + 1)

    bodies = {other.name: spans[n].given_to(other) for n, other in enumerate(before)}
    fabrics = {}
    owner_of_triangle = part_of.take(fabric.triangles[:, 0])
    spring_places = places_of(way.springs)[body.springs]
    for n, (name, number) in enumerate(zip(names, numbers, strict=True)):
        span = spans[number]
        vertices = way.particles[span.particles] - body.particles.start
        fabrics[name] = piece = fabric_part(
            fabric,
            vertices,
            ranks(vertices, len(part_of)),
            np.flatnonzero(owner_of_triangle == n),
            spring_places - span.springs.start,
        )
        bodies[name] = replace(
            span.given_to(body),
            name=name,
            triangles=piece.triangles,
            shares=body.shares.take(vertices),
            descent=piece.descent,
        )
    world.renumber(way)
    world.bodies = bodies
    return way, fabrics


def sorted_by_owner(world: World, owners: NDArray[np.uint16], count: int) -> tuple[Renumbering, list[Span]]:
    """Return how the rows of every body come to stand together, in the order they have, and where those of each are.

    Args:
        world: stays as it is
        owners: (particle_count,) number of the body that each particle belongs to
        count: of bodies; links between them come after all
    """
    bend_owners = owners.take(world.bends.points[:, 0])
    bend_owners[own_bends(world) :] = count
    tables = owners, owners.take(world.springs.ends[:, 0]), bend_owners
    ends = [np.cumsum(np.bincount(table, minlength=count + 1)[:count]).tolist() for table in tables]
    firsts = [[0, *column] for column in ends]
    spans = [
        Span(*(slice(first[n], end[n]) for first, end in zip(firsts, ends, strict=True)))
        for n in range(count)
    ]
    # Sorting such small numbers takes a few passes, and keeps the order of those that are the same.
    return Renumbering(*(np.argsort(table, kind="stable") for table in tables)), spans
