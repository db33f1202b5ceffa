"""Rebuild: put the edited bodies back into the world, each piece that came off as a body of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Fabric
from supple.edit.mesh.cloth_record_part import fabric_part, ranks, renamed
from supple.edit.world.carry_motion import moved_on
from supple.edit.world.change import Change
from supple.edit.world.table_patch import Amended, Columns, Picked
from supple.model.anchors import Anchors
from supple.model.bends import Bends, join_bends
from supple.model.levels.levels import Levels
from supple.model.springs import Springs
from supple.model.tables.row_numbers import are_in_order, united
from supple.model.world import BodyRange, World

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Block:
    """One body after an edit, its vertices counted from zero."""

    name: str
    origin: str
    """Name of the declared body it is, or came off."""

    masses: Floats
    """(vertex_count,) [kg]"""

    shares: Floats
    """(vertex_count,) as in `BodyRange`."""

    spring_table: Springs | Amended | Picked
    bend_table: Bends | Amended | Picked
    triangles: Indices
    fabric: Fabric | None
    """If its springs are `Amended`, in memory that the next workpiece uses again, and so are the triangles."""

    vertices: Indices
    """(vertex_count,) the vertex before the edit, of the body it is or came off, that each one is nearest to."""

    new_of: Indices
    """(old vertex_count,) vertex that continues each one, -1 if none in this block does."""

    mixed: tuple[Indices, Indices, Floats]
    """As in `Change`, with the vertices of this block and of the body before."""

    touched: Indices
    """(count,) vertices whose mass or couplings have changed."""

    around: Indices | None = None
    """(count,) triangles around all that has changed, in memory that the next workpiece uses again; None if not known."""

    elements: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    """(element_count,) its tetrahedra, as the world counts them before the edit; none but in soft bodies."""

    corners: Indices = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    """(element_count, 4) their vertices."""

    levels: Levels | None = None
    """What it has become if it has several levels of detail and was edited; its finest nodes are the vertices."""

    births: Indices | None = None
    """As in `BodyRange`."""

    @cached_property
    def keeps_numbers(self) -> bool:
        """Whether every vertex that there was is called as before."""
        return bool(are_in_order(self.new_of))

    @property
    def springs(self) -> Springs:
        """Its springs."""
        table = self.spring_table
        return table if isinstance(table, Springs) else Springs(**table.whole)

    @property
    def bends(self) -> Bends:
        """Its bending elements."""
        table = self.bend_table
        return table if isinstance(table, Bends) else Bends(**table.whole)


def body_springs(world: World, body: BodyRange) -> Springs:
    """Return the springs of a body, ends counted from its first vertex; not to be changed."""
    fields = {name: array[body.springs] for name, array in vars(world.springs).items()}
    if body.particles.start:
        fields["ends"] = fields["ends"] - np.uint32(body.particles.start)
    return Springs(**fields)


def body_bends(world: World, body: BodyRange) -> Bends:
    """Return the bending elements of a body, points counted from its first vertex; not to be changed."""
    fields = {name: array[body.bends] for name, array in vars(world.bends).items()}
    if body.particles.start:
        fields["points"] = fields["points"] - np.uint32(body.particles.start)
    return Bends(**fields)


def body_corners(world: World, body: BodyRange) -> Indices:
    """Return the tetrahedra of a body, (element_count, 4) vertices counted from its first."""
    corners: Indices = world.tetrahedra.corners[body.tetrahedra].astype(np.int64) - body.particles.start
    return corners


def hanging_pairs(springs: Springs, corners: Indices) -> Indices:
    """Return pairs of vertices that hang together: sides of tetrahedra, or springs if there are none."""
    if len(corners):
        return corners[:, [[0, 1], [1, 2], [2, 3]]].reshape(-1, 2)
    return springs.ends.astype(np.int64)


def selected(block: Block, is_in: NDArray[np.bool_], name: str) -> Block:
    """Return the part of a block whose vertices are selected, as a block of its own."""
    chosen = np.flatnonzero(is_in)
    rank = ranks(chosen, len(is_in))
    # Rows are taken by number: masks take ten times as long.
    springs, spring_rank = _picked(block.spring_table, "ends", is_in, rank)
    bends, _ = _picked(block.bend_table, "points", is_in, rank)
    triangle_rows = np.flatnonzero(is_in[block.triangles[:, 0]])
    fabric = block.fabric
    if fabric is not None:
        fabric = fabric_part(fabric, chosen, rank, triangle_rows, spring_rank)
    triangles = renamed(block.triangles, triangle_rows, rank) if fabric is None else fabric.triangles
    element_in = is_in[block.corners[:, 0]]
    mixed, mixed_from, weights = block.mixed
    mixed_in = is_in[mixed]
    touched = block.touched[is_in[block.touched]]
    return replace(
        block,
        name=name,
        masses=block.masses.take(chosen),
        shares=block.shares.take(chosen),
        spring_table=springs,
        bend_table=bends,
        triangles=triangles,
        fabric=fabric,
        vertices=block.vertices.take(chosen),
        new_of=renamed(block.new_of[:, None], np.arange(len(block.new_of)), rank)[:, 0],
        mixed=(rank[mixed[mixed_in]], mixed_from[mixed_in], weights[mixed_in]),
        touched=rank[touched],
        around=None,
        elements=block.elements[element_in],
        corners=rank[block.corners[element_in]],
        births=None if block.births is None else block.births[chosen],
    )


def _picked(
    table: Springs | Bends | Amended | Picked, key: str, is_in: NDArray[np.bool_], rank: Indices
) -> tuple[Picked, Indices]:
    """Return the rows of a table whose vertices are selected, and the place of each row among them, -1 if in none.

    Args:
        table: of a block
        key: the column that holds vertices
        is_in: (vertex_count,) which are selected
        rank: (vertex_count,) what these are called
    """
    if isinstance(table, Amended):
        columns, added, vertices, sources = table.before, table.added, table.vertices, table.sources()
    else:
        columns = table.whole if isinstance(table, Picked) else vars(table)
        added = {name: array[:0] for name, array in columns.items()}
        vertices, sources = columns[key], np.arange(len(columns[key]))
    rows = np.flatnonzero(is_in.take(vertices[:, 0]))
    picked = Picked(columns, added, sources.take(rows), key, renamed(vertices, rows, rank))
    return picked, ranks(rows, len(vertices))


def _joined(tables: Sequence[Springs | Bends | Amended | Picked], key: str, firsts: Sequence[int]) -> Columns:
    """Return tables one after the other, in new memory; `firsts` are added to the vertices of each."""
    parts = [table if isinstance(table, Picked) else _all_of(table, key) for table in tables]
    ends = np.cumsum([len(part.rows) for part in parts]).tolist()
    joined = {
        name: np.empty((ends[-1], *array.shape[1:]), array.dtype) for name, array in parts[0].table.items()
    }
    for part, end, first in zip(parts, ends, firsts, strict=True):
        part.put(joined, end - len(part.rows), first)
    return joined


def _all_of(table: Springs | Bends | Amended, key: str) -> Picked:
    """Return all rows of a table."""
    columns = table.whole if isinstance(table, Amended) else vars(table)
    nothing = {name: array[:0] for name, array in columns.items()}
    return Picked(columns, nothing, np.arange(len(columns[key])), key, columns[key])


def _count(table: Springs | Bends | Amended | Picked) -> int:
    """Return how many rows a table has."""
    if isinstance(table, Picked):
        return len(table.rows)
    return table.refilled.count if isinstance(table, Amended) else table.count


def rebuild(
    world: World, edited: dict[str, list[Block]], links: Callable[[Change], tuple[Bends, Indices]]
) -> tuple[Change, dict[str, Fabric]]:
    """Replace the particles, springs, bending elements and bodies of the world.

    The motion of particles is carried over, and their angular momentum kept.

    Args:
        world: changed
        edited: what has become of each body that was edited, one or more: itself first, then the pieces that came off;
            nothing at all takes a body away
        links: returns, given the change, the elements that hold seams after it, and the particles whose links
            are other than before; these elements follow those of all bodies

    Returns:
        the change, and the fabrics of bodies that were edited
    """
    before = list(world.bodies.values())
    whole = [body for body in before if edited.get(body.name) != []]
    blocks = [edited[body.name][0] if body.name in edited else unedited(world, body) for body in whole]
    sources = list(whole)
    for name, found in edited.items():
        blocks.extend(found[1:])
        sources.extend([world.bodies[name]] * (len(found) - 1))
    firsts = [0, *np.cumsum([len(block.vertices) for block in blocks]).tolist()]
    change = _change_of(world, blocks, sources, firsts)
    link_bends, linked = links(change)

    masses = np.concatenate([block.masses for block in blocks])
    rest_positions = change.carried(world.particles.rest_positions)
    particles = moved_on(world.particles, change, masses, rest_positions)
    blocks = [owned(block) for block in blocks]
    spring_firsts = [0, *np.cumsum([_count(block.spring_table) for block in blocks]).tolist()]
    bend_firsts = [0, *np.cumsum([_count(block.bend_table) for block in blocks]).tolist()]
    world.particles = particles
    if len(blocks) == 1:  # its arrays are new already
        world.springs = blocks[0].springs
        world.bends = (
            join_bends([blocks[0].bends, link_bends], [0, 0]) if link_bends.count else blocks[0].bends
        )
    else:
        spring_tables = [block.spring_table for block in blocks]
        bend_tables = [*(block.bend_table for block in blocks), link_bends]
        world.springs = Springs(**_joined(spring_tables, "ends", firsts[:-1]))
        world.bends = Bends(**_joined(bend_tables, "points", [*firsts[:-1], 0]))
    points = change.new_of[world.anchors.points]
    world.anchors = Anchors(
        points=points[points >= 0],
        stiffness=world.anchors.stiffness[points >= 0],
        targets=world.anchors.targets[points >= 0],
    )
    element_firsts = [0, *np.cumsum([len(block.elements) for block in blocks]).tolist()]
    world.bodies = {
        block.name: replace(
            source,
            name=block.name,
            origin=block.origin,
            particles=slice(firsts[n], firsts[n + 1]),
            springs=slice(spring_firsts[n], spring_firsts[n + 1]),
            bends=slice(bend_firsts[n], bend_firsts[n + 1]),
            triangles=block.triangles,
            shares=block.shares,
            tetrahedra=slice(element_firsts[n], element_firsts[n + 1]),
            births=block.births,
            descent=source.descent if block.fabric is None else block.fabric.descent,
        )
        for n, (block, source) in enumerate(zip(blocks, sources, strict=True))
    }
    if any(len(block.elements) for found in edited.values() for block in found):
        order = np.concatenate([block.elements for block in blocks])
        corners = [block.corners + first for block, first in zip(blocks, firsts[:-1], strict=True)]
        world.tetrahedra = world.tetrahedra.reordered(order, np.concatenate(corners), rest_positions)
    else:
        world.move_up_soft_bodies(whole)
    world.levels = {
        block.name: levels
        for block in blocks
        if (levels := block.levels or world.levels.get(block.name)) is not None
    }
    world.recouple()
    fabrics = {block.name: block.fabric for block in blocks if block.fabric is not None}
    return replace(change, touched=united(change.new_count, change.touched, linked)), fabrics


def owned(block: Block) -> Block:
    """Return a block in memory of its own: what a workpiece makes is only lent."""
    if block.fabric is None or not isinstance(block.spring_table, Amended):
        return block
    fabric = block.fabric.copied()
    return replace(
        block,
        spring_table=block.springs,
        bend_table=block.bends,
        fabric=fabric,
        triangles=fabric.triangles,
    )


def still_linked(former: NDArray[np.uint32], links: Bends) -> bool:
    """Tell whether all links (former_count, 4) that there were are among those there are."""
    return np.array_equal(former, links.points[: len(former)])


def unedited(world: World, body: BodyRange) -> Block:
    """Return a body as it is."""
    count = body.particles.stop - body.particles.start
    nobody = np.zeros(0, np.int64)
    return Block(
        name=body.name,
        origin=body.origin,
        masses=world.particles.masses[body.particles],
        shares=body.shares,
        spring_table=body_springs(world, body),
        bend_table=body_bends(world, body),
        triangles=body.triangles,
        fabric=None,
        vertices=np.arange(count),
        new_of=np.arange(count),
        mixed=(nobody, nobody, np.zeros(0)),
        touched=nobody,
        elements=np.arange(body.tetrahedra.start, body.tetrahedra.stop),
        corners=body_corners(world, body),
        births=body.births,
    )


def _change_of(world: World, blocks: list[Block], sources: list[BodyRange], firsts: list[int]) -> Change:
    new_of = np.full(world.particles.count, -1, np.int64)
    nearest, mixed, mixed_from, weights, touched = [], [], [], [], []
    for block, source, first in zip(blocks, sources, firsts[:-1], strict=True):
        start = source.particles.start
        nearest.append(block.vertices + start)
        found = block.new_of >= 0
        new_of[source.particles][found] = block.new_of[found] + first
        mixed.append(block.mixed[0] + first)
        mixed_from.append(block.mixed[1] + start)
        weights.append(block.mixed[2])
        touched.append(block.touched + first)
    return Change(
        old_count=world.particles.count,
        nearest=np.concatenate(nearest),
        new_of=new_of,
        mixed=np.concatenate(mixed),
        mixed_from=np.concatenate(mixed_from),
        mixed_weights=np.concatenate(weights),
        touched=np.concatenate(touched),
    )
