"""Rebuild bodies: the tables of the world are made anew from edited bodies, each piece that came off as one of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.mesh.split_cloth_record import cloth_record_subset, ranks, renumbered_rows
from supple.edit.world.particle_change import ParticleChange
from supple.edit.world.table_patch import Columns, SelectedRows, TablePatch
from supple.edit.world.transfer_motion import transfer_motion
from supple.model.anchors import Anchors
from supple.model.bends import Bends, join_bends
from supple.model.levels.levels import Levels
from supple.model.springs import Springs
from supple.model.tables.row_updates import is_identity, union_of_rows
from supple.model.world import BodyRange, World

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class EditedBody:
    """One body after an edit, its vertices counted from zero."""

    name: str
    origin: str
    """Name of the declared body it is, or came off."""

    masses: Floats
    """(vertex_count,) [kg]"""

    shares: Floats
    """(vertex_count,) as in `BodyRange`."""

    spring_table: Springs | TablePatch | SelectedRows
    bend_table: Bends | TablePatch | SelectedRows
    triangles: Indices
    cloth_record: ClothRecord | None
    """If its springs are a `TablePatch`, in memory that the next `BodyEdit` uses again, and so are the triangles."""

    vertices: Indices
    """(vertex_count,) the vertex before the edit, of the body it is or came off, that each one is nearest to."""

    new_of: Indices
    """(old vertex_count,) vertex that continues each one, -1 if none in this block does."""

    interpolated: tuple[Indices, Indices, Floats]
    """As in `ParticleChange`, with the vertices of this block and of the body before."""

    changed_vertices: Indices
    """(count,) vertices whose mass or couplings have changed."""

    around: Indices | None = None
    """(count,) triangles around all that has changed, in memory that the next `BodyEdit` uses again; None if not known."""

    elements: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    """(element_count,) its tetrahedra, as the world counts them before the edit; none but in soft bodies."""

    corners: Indices = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    """(element_count, 4) their vertices."""

    levels: Levels | None = None
    """What it has become if it has several levels of detail and was edited; its finest nodes are the vertices."""

    soft_ancestors: Indices | None = None
    """As in `BodyRange`."""

    @cached_property
    def keeps_numbers(self) -> bool:
        """Whether every vertex that there was has its number still."""
        return bool(is_identity(self.new_of))

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


def connected_pairs(springs: Springs, corners: Indices) -> Indices:
    """Return connected pairs of vertices: edges of tetrahedra, or springs if there are none."""
    if len(corners):
        return corners[:, [[0, 1], [1, 2], [2, 3]]].reshape(-1, 2)
    return springs.ends.astype(np.int64)


def springs_between(edited_body: EditedBody, piece_of: Indices) -> Indices:
    """Return the ends, (end_count,), of springs that join vertices of different pieces.

    Along the surface there are none. Springs through the inside of a lattice or network are cut where the surface comes
    apart between their ends.

    Args:
        edited_body: all pieces as one
        piece_of: (vertex_count,) the piece that each vertex belongs to
    """
    table = edited_body.spring_table
    ends = table.ends if isinstance(table, Springs) else table.vertices
    pieces = piece_of.take(ends)
    return np.unique(ends[pieces[:, 0] != pieces[:, 1]]).astype(np.int64)


def select_vertices(edited_body: EditedBody, is_in: NDArray[np.bool_], name: str) -> EditedBody:
    """Return the part of an edited body whose vertices are selected, as a body of its own.

    Springs that lead out of it are left out; see `springs_between`.
    """
    chosen = np.flatnonzero(is_in)
    rank = ranks(chosen, len(is_in))
    # Rows are taken by number: masks take ten times as long.
    springs, spring_rank = _select_rows(edited_body.spring_table, "ends", is_in, rank)
    bends, _ = _select_rows(edited_body.bend_table, "points", is_in, rank)
    triangle_rows = np.flatnonzero(is_in[edited_body.triangles[:, 0]])
    cloth_record = edited_body.cloth_record
    if cloth_record is not None:
        cloth_record = cloth_record_subset(cloth_record, chosen, rank, triangle_rows, spring_rank)
    triangles = (
        renumbered_rows(edited_body.triangles, triangle_rows, rank)
        if cloth_record is None
        else cloth_record.triangles
    )
    element_in = is_in[edited_body.corners[:, 0]]
    interpolated, interpolated_from, weights = edited_body.interpolated
    interpolated_in = is_in[interpolated]
    changed_vertices = edited_body.changed_vertices[is_in[edited_body.changed_vertices]]
    return replace(
        edited_body,
        name=name,
        masses=edited_body.masses.take(chosen),
        shares=edited_body.shares.take(chosen),
        spring_table=springs,
        bend_table=bends,
        triangles=triangles,
        cloth_record=cloth_record,
        vertices=edited_body.vertices.take(chosen),
        new_of=renumbered_rows(edited_body.new_of[:, None], np.arange(len(edited_body.new_of)), rank)[:, 0],
        interpolated=(
            rank[interpolated[interpolated_in]],
            interpolated_from[interpolated_in],
            weights[interpolated_in],
        ),
        changed_vertices=rank[changed_vertices],
        around=None,
        elements=edited_body.elements[element_in],
        corners=rank[edited_body.corners[element_in]],
        soft_ancestors=None if edited_body.soft_ancestors is None else edited_body.soft_ancestors[chosen],
    )


def _select_rows(
    table: Springs | Bends | TablePatch | SelectedRows, key: str, is_in: NDArray[np.bool_], rank: Indices
) -> tuple[SelectedRows, Indices]:
    """Return the rows of a table whose vertices are selected, and the place of each row among them, -1 if in none.

    Args:
        table: of an edited body
        key: the column that holds vertices
        is_in: (vertex_count,) which are selected
        rank: (vertex_count,) their numbers among those selected
    """
    if isinstance(table, TablePatch):
        columns, added, vertices, sources = table.before, table.added, table.vertices, table.sources()
    else:
        columns = table.whole if isinstance(table, SelectedRows) else vars(table)
        added = {name: array[:0] for name, array in columns.items()}
        vertices, sources = columns[key], np.arange(len(columns[key]))
    rows = np.flatnonzero(is_in.take(vertices[:, 0]))
    rows = rows[is_in.take(vertices.take(rows, axis=0)).all(axis=1)]
    selected_rows = SelectedRows(
        columns, added, sources.take(rows), key, renumbered_rows(vertices, rows, rank)
    )
    return selected_rows, ranks(rows, len(vertices))


def _joined(
    tables: Sequence[Springs | Bends | TablePatch | SelectedRows], key: str, firsts: Sequence[int]
) -> Columns:
    """Return tables one after the other, in new memory; `firsts` are added to the vertices of each."""
    parts = [table if isinstance(table, SelectedRows) else _all_of(table, key) for table in tables]
    ends = np.cumsum([len(part.rows) for part in parts]).tolist()
    joined = {
        name: np.empty((ends[-1], *array.shape[1:]), array.dtype) for name, array in parts[0].table.items()
    }
    for part, end, first in zip(parts, ends, firsts, strict=True):
        part.put(joined, end - len(part.rows), first)
    return joined


def _all_of(table: Springs | Bends | TablePatch, key: str) -> SelectedRows:
    """Return all rows of a table."""
    columns = table.whole if isinstance(table, TablePatch) else vars(table)
    nothing = {name: array[:0] for name, array in columns.items()}
    return SelectedRows(columns, nothing, np.arange(len(columns[key])), key, columns[key])


def _count(table: Springs | Bends | TablePatch | SelectedRows) -> int:
    """Return how many rows a table has."""
    if isinstance(table, SelectedRows):
        return len(table.rows)
    return table.row_update.count if isinstance(table, TablePatch) else table.count


def rebuild_bodies(
    world: World,
    edited: dict[str, list[EditedBody]],
    links: Callable[[ParticleChange], tuple[Bends, Indices]],
) -> tuple[ParticleChange, dict[str, ClothRecord]]:
    """Replace the particles, springs, bending elements and bodies of the world.

    The motion of particles is carried over, and their angular momentum kept.

    Args:
        world: changed
        edited: what has become of each body that was edited, one or more: itself first, then the pieces that came off;
            nothing at all takes a body away
        links: returns, given the change, the elements that hold seams after it, and the particles whose links
            are other than before; these elements follow those of all bodies

    Returns:
        the change, and the cloth records of bodies that were edited
    """
    whole = [body for body in world.bodies.values() if edited.get(body.name) != []]
    bodies, sources = _in_order(world, whole, edited)
    firsts = [0, *np.cumsum([len(body.vertices) for body in bodies]).tolist()]
    change = _change_of(world, bodies, sources, firsts)
    link_bends, linked = links(change)

    masses = np.concatenate([body.masses for body in bodies])
    rest_positions = change.interpolate(world.particles.rest_positions)
    particles = transfer_motion(world.particles, change, masses, rest_positions)
    bodies = [with_own_memory(body) for body in bodies]
    world.particles = particles
    _join_tables(world, bodies, firsts, link_bends)
    _renumber_anchors(world, change)
    world.bodies = _body_ranges(bodies, sources, firsts)
    if any(len(body.elements) for found in edited.values() for body in found):
        order = np.concatenate([body.elements for body in bodies])
        corners = [body.corners + first for body, first in zip(bodies, firsts[:-1], strict=True)]
        world.tetrahedra = world.tetrahedra.reordered(order, np.concatenate(corners), rest_positions)
    else:
        world.move_up_soft_bodies(whole)
    world.levels = {
        body.name: levels
        for body in bodies
        if (levels := body.levels or world.levels.get(body.name)) is not None
    }
    world.recouple()
    cloth_records = {body.name: body.cloth_record for body in bodies if body.cloth_record is not None}
    changed_particles = union_of_rows(change.new_count, change.changed_particles, linked)
    return replace(change, changed_particles=changed_particles), cloth_records


def _in_order(
    world: World, whole: list[BodyRange], edited: dict[str, list[EditedBody]]
) -> tuple[list[EditedBody], list[BodyRange]]:
    """Return all bodies after an edit, pieces that came off last, and the body that each one was or came off."""
    bodies = [edited[body.name][0] if body.name in edited else unedited_body(world, body) for body in whole]
    sources = list(whole)
    for name, found in edited.items():
        bodies.extend(found[1:])
        sources.extend([world.bodies[name]] * (len(found) - 1))
    return bodies, sources


def _join_tables(world: World, bodies: list[EditedBody], firsts: list[int], link_bends: Bends) -> None:
    """Give the world the springs and bending elements of bodies whose first particles are `firsts`, and links."""
    if len(bodies) == 1:  # its arrays are new already
        (only,) = bodies
        world.springs = only.springs
        world.bends = join_bends([only.bends, link_bends], [0, 0]) if link_bends.count else only.bends
        return
    spring_tables = [body.spring_table for body in bodies]
    bend_tables = [*(body.bend_table for body in bodies), link_bends]
    world.springs = Springs(**_joined(spring_tables, "ends", firsts[:-1]))
    world.bends = Bends(**_joined(bend_tables, "points", [*firsts[:-1], 0]))


def _renumber_anchors(world: World, change: ParticleChange) -> None:
    """Let anchors hold the particles that theirs have become."""
    points = change.new_of[world.anchors.points]
    world.anchors = Anchors(
        points=points[points >= 0],
        stiffness=world.anchors.stiffness[points >= 0],
        targets=world.anchors.targets[points >= 0],
    )


def _body_ranges(
    bodies: list[EditedBody], sources: list[BodyRange], firsts: list[int]
) -> dict[str, BodyRange]:
    """Return where bodies lie in the tables of the world, one after the other."""
    spring_firsts = [0, *np.cumsum([_count(body.spring_table) for body in bodies]).tolist()]
    bend_firsts = [0, *np.cumsum([_count(body.bend_table) for body in bodies]).tolist()]
    element_firsts = [0, *np.cumsum([len(body.elements) for body in bodies]).tolist()]
    return {
        body.name: replace(
            source,
            name=body.name,
            origin=body.origin,
            particles=slice(firsts[n], firsts[n + 1]),
            springs=slice(spring_firsts[n], spring_firsts[n + 1]),
            bends=slice(bend_firsts[n], bend_firsts[n + 1]),
            triangles=body.triangles,
            shares=body.shares,
            tetrahedra=slice(element_firsts[n], element_firsts[n + 1]),
            soft_ancestors=body.soft_ancestors,
            ancestry=source.ancestry if body.cloth_record is None else body.cloth_record.ancestry,
        )
        for n, (body, source) in enumerate(zip(bodies, sources, strict=True))
    }


def with_own_memory(edited_body: EditedBody) -> EditedBody:
    """Return a body in memory of its own: what a `BodyEdit` makes is only lent."""
    if edited_body.cloth_record is None or not isinstance(edited_body.spring_table, TablePatch):
        return edited_body
    cloth_record = edited_body.cloth_record.copied()
    return replace(
        edited_body,
        spring_table=edited_body.springs,
        bend_table=edited_body.bends,
        cloth_record=cloth_record,
        triangles=cloth_record.triangles,
    )


def keeps_links(former: NDArray[np.uint32], links: Bends) -> bool:
    """Tell whether all links (former_count, 4) that there were are among those there are."""
    return np.array_equal(former, links.points[: len(former)])


def unedited_body(world: World, body: BodyRange) -> EditedBody:
    """Return a body as it is."""
    count = body.particles.stop - body.particles.start
    nobody = np.zeros(0, np.int64)
    return EditedBody(
        name=body.name,
        origin=body.origin,
        masses=world.particles.masses[body.particles],
        shares=body.shares,
        spring_table=body_springs(world, body),
        bend_table=body_bends(world, body),
        triangles=body.triangles,
        cloth_record=None,
        vertices=np.arange(count),
        new_of=np.arange(count),
        interpolated=(nobody, nobody, np.zeros(0)),
        changed_vertices=nobody,
        elements=np.arange(body.tetrahedra.start, body.tetrahedra.stop),
        corners=body_corners(world, body),
        soft_ancestors=body.soft_ancestors,
    )


def _change_of(
    world: World, edited_bodies: list[EditedBody], sources: list[BodyRange], firsts: list[int]
) -> ParticleChange:
    new_of = np.full(world.particles.count, -1, np.int64)
    nearest, interpolated, interpolated_from, weights, changed = [], [], [], [], []
    for edited_body, source, first in zip(edited_bodies, sources, firsts[:-1], strict=True):
        start = source.particles.start
        nearest.append(edited_body.vertices + start)
        found = edited_body.new_of >= 0
        new_of[source.particles][found] = edited_body.new_of[found] + first
        interpolated.append(edited_body.interpolated[0] + first)
        interpolated_from.append(edited_body.interpolated[1] + start)
        weights.append(edited_body.interpolated[2])
        changed.append(edited_body.changed_vertices + first)
    return ParticleChange(
        old_count=world.particles.count,
        nearest=np.concatenate(nearest),
        new_of=new_of,
        interpolated=np.concatenate(interpolated),
        interpolated_from=np.concatenate(interpolated_from),
        interpolation_weights=np.concatenate(weights),
        changed_particles=np.concatenate(changed),
    )
