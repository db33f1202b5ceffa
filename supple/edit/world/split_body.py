"""Split body: a body that has come apart becomes several, in the tables where it is.

The cut itself has left every particle its number. Now the rows of each piece are made consecutive; what is indexed by
pair, and the matrix factor with it, stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.mesh.split_cloth_record import PieceNumbers, split_cloth_record
from supple.edit.mesh.workspace import Workspace
from supple.edit.world.move_to_end import body_bend_count, undo_renumbering
from supple.edit.world.table_patch import Columns
from supple.kernel import kernel
from supple.model.tables.renumbering import Renumbering, places_of
from supple.model.world import BodyRange, World

Indices = NDArray[np.int64]


class RowRanges(NamedTuple):
    """The rows of a body in the tables of the world."""

    particles: slice
    springs: slice
    bends: slice

    def assigned_to(self, body: BodyRange) -> BodyRange:
        """Return a body with these rows."""
        return replace(body, particles=self.particles, springs=self.springs, bends=self.bends)


@dataclass(frozen=True)
class SplitUndo:
    """What a body was before it was split, to undo that."""

    body: str
    pieces: tuple[str, ...]
    """Names of what came off."""

    renumbering: Renumbering
    cloth_record: ClothRecord
    """Of the body before the cut."""

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return self.renumbering.size + sum(int(array.nbytes) for array in vars(self.cloth_record).values())

    def undone(
        self, springs: Columns, bends: Columns, cloth_records: dict[str, ClothRecord]
    ) -> tuple[Columns, Columns, dict[str, ClothRecord]]:
        """Return springs, bending elements and cloth records before the split, given those after it, unchanged."""
        springs, bends = undo_renumbering(self.renumbering, springs, bends)
        others = {
            name: cloth_record for name, cloth_record in cloth_records.items() if name not in self.pieces
        }
        return springs, bends, {**others, self.body: self.cloth_record}


def split_body(
    world: World,
    body: BodyRange,
    cloth_record: ClothRecord,
    names: list[str],
    piece_of: Indices,
    workspace: Workspace,
) -> tuple[Renumbering, dict[str, ClothRecord]]:
    """Turn the pieces that have come off a body into bodies; return the renumbering and their cloth records.

    Args:
        world: changed; no snapshot shares its springs and bending elements
        body: as it is in the world
        cloth_record: of the body; stays as it is
        names: of the body and of its pieces
        piece_of: (vertex_count,) to which of these each vertex belongs
        workspace: where memory for their records is reserved
    """
    before = list(world.bodies.values())
    own = list(world.bodies).index(body.name)
    numbers = [own, *range(len(before), len(before) + len(names) - 1)]
    owners = np.empty(world.particles.count, np.uint16)
    for number, other in enumerate(before):
        owners[other.particles] = number
    owners[body.particles] = np.array(numbers, np.uint16).take(piece_of)
    renumbering, ranges = sorted_by_owner(world, owners, numbers[-1] + 1)

    bodies = {other.name: ranges[n].assigned_to(other) for n, other in enumerate(before)}
    own_ranges = [ranges[number] for number in numbers]
    cloth_records = split_cloth_record(
        cloth_record,
        piece_of,
        [rows.particles for rows in own_ranges],
        PieceNumbers(
            np.array([rows.particles.start for rows in own_ranges]), renumbering.new_of[body.particles]
        ),
        PieceNumbers(
            np.array([rows.springs.start for rows in own_ranges]),
            places_of(renumbering.springs)[body.springs],
        ),
        workspace,
    )
    for name, rows, piece in zip(names, own_ranges, cloth_records, strict=True):
        vertices = renumbering.particles[rows.particles] - body.particles.start
        bodies[name] = replace(
            rows.assigned_to(body),
            name=name,
            triangles=piece.triangles,
            shares=body.shares.take(vertices),
            ancestry=piece.ancestry,
        )
    world.renumber(renumbering)
    world.bodies = bodies
    return renumbering, dict(zip(names, cloth_records, strict=True))


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


def sorted_by_owner(
    world: World, owners: NDArray[np.uint16], count: int
) -> tuple[Renumbering, list[RowRanges]]:
    """Return the renumbering that makes the rows of every body consecutive, in the order they have, and where they are.

    Args:
        world: stays as it is
        owners: (particle_count,) number of the body that each particle belongs to
        count: of bodies; links between them come after all
    """
    everyone = np.arange(len(owners)).reshape(-1, 1)
    tables = (
        (everyone, len(everyone)),
        (world.springs.ends, world.springs.count),
        (world.bends.points, body_bend_count(world)),
    )
    orders, firsts = [], []
    for vertices, own_count in tables:
        starts, order = np.zeros(count + 2, np.int64), np.empty(len(vertices), np.int64)
        sort_by_owner(vertices, own_count, owners, starts, order)
        orders.append(order)
        firsts.append(starts.tolist())
    spans = [RowRanges(*(slice(first[n], first[n + 1]) for first in firsts)) for n in range(count)]
    return Renumbering(*orders), spans
