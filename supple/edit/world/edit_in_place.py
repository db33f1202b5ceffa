"""Edit in place: an edit that leaves every particle its number is written into the tables of the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.world.move_to_end import body_bend_count
from supple.edit.world.particle_change import ParticleChange, unchanged_particles
from supple.edit.world.rebuild_bodies import EditedBody, keeps_links
from supple.edit.world.table_patch import Columns, OverwrittenRows, TablePatch, patch_cloth_record
from supple.edit.world.transfer_motion import append_particles
from supple.model.bends import Bends
from supple.model.springs import Springs
from supple.model.tables.growable import resized
from supple.model.tables.row_updates import RowUpdate, shared_arange, union_of_rows
from supple.model.world import BodyRange, World

LinkBuilder = Callable[[ParticleChange], tuple[Bends, NDArray[np.int64]]]
"""Returns the links of seams after a change, and the particles whose links are other than before."""


@dataclass(frozen=True)
class InPlaceUndo:
    """What an edit in place has overwritten, to undo it."""

    body: str | None
    """Whose rows; None for links between bodies."""

    springs: OverwrittenRows
    bends: OverwrittenRows
    cloth_record: tuple[OverwrittenRows, ...]
    """Of its cloth record; nothing if that has been left as it was."""

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return sum(part.size for part in (self.springs, self.bends, *self.cloth_record))

    def undone(
        self, springs: Columns, bends: Columns, cloth_records: dict[str, ClothRecord]
    ) -> tuple[Columns, Columns, dict[str, ClothRecord]]:
        """Return springs, bending elements and cloth records before the edit, given those after it, unchanged."""
        if self.body is not None:
            columns = dict(vars(cloth_records[self.body]))
            for part in self.cloth_record:
                columns |= part.undone({name: columns[name] for name in part.columns})
            cloth_records = {**cloth_records, self.body: ClothRecord(**columns)}
        return self.springs.undone(springs), self.bends.undone(bends), cloth_records


def can_edit_in_place(body: BodyRange, edited_body: EditedBody) -> bool:
    """Tell whether a body can be edited in place, once it is the last one: no vertex goes or gets another number."""
    return (
        isinstance(edited_body.spring_table, TablePatch)
        and isinstance(edited_body.bend_table, TablePatch)
        and edited_body.cloth_record is not None
        and len(edited_body.vertices) >= len(edited_body.new_of) == len(body.shares)
        and edited_body.keeps_numbers
    )


def edit_in_place(
    world: World,
    body: BodyRange,
    edited_body: EditedBody,
    cloth_record: ClothRecord,
    links: LinkBuilder,
    *,
    is_shrinking: bool,
    component_labels: NDArray[np.int64] | None,
) -> tuple[ParticleChange, ClothRecord, InPlaceUndo]:
    """Change a body of the world; return the change, its cloth record after it, and what was overwritten.

    The record of a body that has come apart is that of the edited body: it is to be split.

    Args:
        world: changed
        body: as it is in the world, the last one
        edited_body: what it has become; see `can_edit_in_place`
        cloth_record: of the body as it is; its memory is used up if no piece has come off
        links: as for `rebuild_bodies`
        is_shrinking: whether rest lengths are changing at present
        component_labels: (vertex_count,) the connected component of each vertex after the edit; None if no piece has
            come off
    """
    spring_patch, bend_patch = edited_body.spring_table, edited_body.bend_table
    assert isinstance(spring_patch, TablePatch) and isinstance(bend_patch, TablePatch)
    assert edited_body.cloth_record is not None
    first = body.particles.start
    change = _change(world, body, edited_body)
    link_bends, linked = links(change)
    links_before = world.bends.points[body.bends.stop :].copy()
    overwritten = _write_tables(world, body, spring_patch, bend_patch, link_bends, is_shrinking=is_shrinking)
    masses = edited_body.masses
    append_particles(
        world.particles, change, np.concatenate([world.particles.masses[:first], masses]) if first else masses
    )
    record_rows: tuple[OverwrittenRows, ...] = ()
    if component_labels is None:
        # Springs that have moved to other rows have other numbers everywhere.
        around = None if len(spring_patch.row_update.moved) else edited_body.around
        cloth_record, record_rows = patch_cloth_record(cloth_record, edited_body.cloth_record, around)
    else:
        cloth_record = edited_body.cloth_record
    updates = (
        spring_patch.row_update.shifted(body.springs.start, body.springs.stop),
        bend_patch.row_update.shifted(body.bends.start, body.bends.stop),
    )
    world.bodies = {
        **world.bodies,
        body.name: replace(
            body,
            particles=slice(first, change.new_count),
            springs=slice(body.springs.start, updates[0].count),
            bends=slice(body.bends.start, updates[1].count),
            triangles=cloth_record.triangles,
            shares=edited_body.shares,
            ancestry=cloth_record.ancestry,
        ),
    }
    change = replace(
        change, changed_particles=union_of_rows(change.new_count, change.changed_particles, linked)
    )
    around = edited_body.around if component_labels is None else None
    is_connected = keeps_links(links_before, link_bends) and _all_edges_have_springs(cloth_record, around)
    # All links have been written anew, so all their pairs are looked up.
    recoupled = union_of_rows(change.new_count, change.changed_particles, links_before, link_bends.points)
    if component_labels is None:
        _recouple_whole(world, change, recoupled, updates, is_connected=is_connected)
    else:
        known = component_labels + first if is_connected and len(links_before) == 0 else None
        _recouple_pieces(world, recoupled, updates, first, known)
    return change, cloth_record, InPlaceUndo(body.name, *overwritten, record_rows)


def _recouple_whole(
    world: World,
    change: ParticleChange,
    recoupled: NDArray[np.int64],
    updates: tuple[RowUpdate, RowUpdate],
    *,
    is_connected: bool,
) -> None:
    """Update the couplings of a world after an edit by which nothing has come off.

    Args:
        world: changed
        change: the edit
        recoupled: (count,) particles whose pairs are looked up
        updates: of springs and of bending elements
        is_connected: whether what was connected is known to be so still
    """
    labels = None
    if is_connected:
        labels = world.couplings.grown_labels(change.nearest[change.old_count :])
    world.update_couplings(recoupled, *updates, labels)


def _recouple_pieces(
    world: World,
    recoupled: NDArray[np.int64],
    updates: tuple[RowUpdate, RowUpdate],
    first: int,
    labels: NDArray[np.int64] | None,
) -> None:
    """Update the couplings of a world after an edit by which pieces have come off the last body.

    Args:
        world: changed
        recoupled: (count,) particles whose pairs are looked up
        updates: of springs and of bending elements
        first: first particle of the body
        labels: (vertex_count,) the connected components of its particles, if known
    """
    others = world.couplings.component_labels[:first]
    world.update_couplings(recoupled, *updates, None)
    if labels is not None:  # a look at all pairs makes sure
        world.couplings.take_labels(np.concatenate([others, labels]), world.couplings.pairs)


def _change(world: World, body: BodyRange, edited_body: EditedBody) -> ParticleChange:
    """Return the change of an edit that leaves every particle its number; `body` is the last one."""
    first, count = body.particles.start, world.particles.count
    interpolated, interpolated_from, weights = edited_body.interpolated
    nearest = edited_body.vertices
    return ParticleChange(
        old_count=count,
        nearest=np.concatenate([np.arange(first), nearest + first]) if first else nearest,
        new_of=shared_arange(count),
        interpolated=interpolated + first,
        interpolated_from=interpolated_from + first,
        interpolation_weights=weights,
        changed_particles=edited_body.changed_vertices + first,
        keeps_pairs=True,
        is_renumbered=False,
    )


def _write_tables(
    world: World,
    body: BodyRange,
    spring_patch: TablePatch,
    bend_patch: TablePatch,
    link_bends: Bends,
    *,
    is_shrinking: bool,
) -> tuple[OverwrittenRows, OverwrittenRows]:
    """Write the springs and bending elements of a body into the tables of the world; return what was overwritten."""
    first = body.particles.start
    no_springs = {name: array[:0] for name, array in vars(world.springs).items()}
    springs, spring_rows = spring_patch.write(
        vars(world.springs), body.springs.start, first, no_springs, ("rest_lengths",) if is_shrinking else ()
    )
    bends, bend_rows = bend_patch.write(vars(world.bends), body.bends.start, first, vars(link_bends))
    world.springs, world.bends = Springs(**springs), Bends(**bends)
    return spring_rows, bend_rows


def _all_edges_have_springs(cloth_record: ClothRecord, around: NDArray[np.int64] | None) -> bool:
    """Tell whether every edge is a spring, so that what was connected is so still if no link has been opened.

    A path that the edit has interrupted leads through the triangles around it, so if nothing has come off, only edges
    there count: those of triangles `around` (count,), of all if None.
    """
    spring_of = cloth_record.spring_of
    if around is not None:
        spring_of = spring_of.take(around, axis=0)
    return int(spring_of.min(initial=0)) >= 0


def replace_links(
    world: World, links: LinkBuilder, *, is_shrinking: bool
) -> tuple[ParticleChange, InPlaceUndo]:
    """Replace the links of all seams, bodies staying as they are; return the change and what was overwritten.

    Args:
        world: changed; no snapshot shares its bending elements
        links: as for `rebuild_bodies`
        is_shrinking: whether rest lengths are changing at present
    """
    change = unchanged_particles(world.particles.count)
    link_bends, linked = links(change)
    own_count, total = body_bend_count(world), world.bends.count
    former = world.bends.points[own_count:].copy()
    undo = InPlaceUndo(
        body=None,
        springs=OverwrittenRows.of(
            vars(world.springs), np.zeros(0, np.int64), ("rest_lengths",) if is_shrinking else ()
        ),
        bends=OverwrittenRows.of(vars(world.bends), np.arange(own_count, total)),
        cloth_record=(),
    )
    bends = {name: resized(array, own_count + link_bends.count) for name, array in vars(world.bends).items()}
    for name, array in bends.items():
        array[own_count:] = getattr(link_bends, name)
    world.bends = Bends(**bends)
    world.particles.masses = world.particles.masses.copy()  # the snapshot has those there were
    # All links have been written anew, so all their pairs are looked up.
    recoupled = union_of_rows(change.new_count, linked, former, link_bends.points)
    component_labels = world.couplings.component_labels if keeps_links(former, link_bends) else None
    own = world.springs.count
    world.update_couplings(recoupled, RowUpdate(own, own), RowUpdate(own_count, own_count), component_labels)
    return replace(change, changed_particles=linked, keeps_pairs=True), undo
