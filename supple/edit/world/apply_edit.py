"""Apply edit: edited bodies are put into the world, and what was there before is kept for undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.in_progress import EditsInProgress
from supple.edit.commands.prepare_cut import CutPreparation
from supple.edit.commands.seam import Seam, seam_links
from supple.edit.history.history import BodiesSnapshot, EditStep, History, copied_bends, copied_tetrahedra
from supple.edit.mesh.cloth_record import ClothRecord, build_cloth_record
from supple.edit.mesh.cut_tetrahedra import separate_cut_faces
from supple.edit.mesh.workspace import Workspace
from supple.edit.world.connected_pieces import Pieces, find_pieces
from supple.edit.world.edit_in_place import LinkBuilder, can_edit_in_place, edit_in_place, replace_links
from supple.edit.world.intersection_check import EditRefused, IntersectionCheck, SavedPositions
from supple.edit.world.move_to_end import MoveUndo, is_at_end, move_to_end
from supple.edit.world.particle_change import ParticleChange, unchanged_particles
from supple.edit.world.rebuild_bodies import (
    EditedBody,
    body_corners,
    body_springs,
    connected_pairs,
    rebuild_bodies,
)
from supple.edit.world.split_body import SplitUndo, split_body
from supple.edit.world.trial_edit import TrialEdit
from supple.model.bends import Bends
from supple.model.couplings.connected_components import label_components, label_triangle_components
from supple.model.springs import Springs, copied_springs
from supple.model.tables.growable import growable_copy
from supple.model.tables.renumbering import Renumbering
from supple.model.world import BodyRange, World

TABLES = ""
"""Stands for springs and bending elements where cloth records are known by the name of their body."""

Indices = NDArray[np.int64]
SeamStarter = Callable[[ParticleChange, dict[str, int], NDArray[np.float64]], list[Seam]]
"""Returns seams to begin, given the change, the first particle of each body after it, and where particles were before."""


def _renumbered_first(renumbering: Renumbering, links: LinkBuilder) -> LinkBuilder:
    """Return a builder of links for a change of particles that were renumbered before it."""
    return lambda change: links(change.preceded_by(renumbering))


class EditableWorld:
    """A world whose bodies are edited, with its cloth records, edits in progress and undo history."""

    def __init__(
        self,
        world: World,
        notify: Callable[[ParticleChange], None],
        rest_lengths_changed: Callable[[], None],
        intersection_check: IntersectionCheck,
    ) -> None:
        """Edit nothing yet.

        Args:
            world: what to edit
            notify: called after every change of the particles or of what couples them
            rest_lengths_changed: called after rest lengths have changed
            intersection_check: tells of cloth that must not pass through cloth
        """
        self.world = world
        self.notify, self.rest_lengths_changed = notify, rest_lengths_changed
        self.intersection_check = intersection_check
        self.history = History()
        self.cloth_records: dict[str, ClothRecord] = {}
        """Of cloths that were edited, by the name of the body."""

        self.in_progress = EditsInProgress()
        self.is_edited = False
        """Whether the bodies are, or were, other than declared: saved states then hold them whole."""

        self.workspace = Workspace()
        self.unshared: set[str] = {TABLES}
        """What no snapshot shares memory with: `TABLES`, and cloth records by the name of their body."""

        self.cut_preparation: CutPreparation | None = None
        self._component_counts: dict[str, tuple[Indices, int]] = {}
        """By body its triangles when they were looked at last, and how many connected components they had."""

    def require_cloth_record(self, body: BodyRange) -> ClothRecord:
        """Return the record of a cloth; it is made at the first edit."""
        if body.name not in self.cloth_records:
            points = self.world.particles.positions[body.particles]
            springs, cloth_record = body_springs(self.world, body), None
            if self.cut_preparation is not None:
                cloth_record = self.cut_preparation.cloth_record(body.name, body.triangles, springs)
                if self.workspace.is_empty:
                    self.workspace = self.cut_preparation.workspace()
            if cloth_record is None:
                cloth_record = build_cloth_record(body.name, body.triangles, len(points), springs, points)
            self.cloth_records[body.name] = cloth_record
            self.unshared.add(body.name)
            self.workspace.reserve_for_pieces(cloth_record)
        return self.cloth_records[body.name]

    def prepare(self) -> None:
        """Begin to make what first edits need, once: they are quick if frames are computed between this and them."""
        if self.cut_preparation is None:
            known = self.cloth_records.keys()
            bodies = (body for name, body in self.world.bodies.items() if name not in known)
            self.cut_preparation = CutPreparation(self.world, bodies)

    def owner(self, particle: int) -> BodyRange:
        """Return the body that a particle belongs to."""
        for body in self.world.bodies.values():
            if body.particles.start <= particle < body.particles.stop:
                return body
        raise AssertionError(f"particle {particle} belongs to no body")

    def snapshot(self) -> BodiesSnapshot:
        """Return the bodies as they are, without their motion."""
        world = self.world
        return BodiesSnapshot(
            springs=world.springs,
            bends=world.bends,
            anchors=world.anchors,
            bodies=world.bodies,
            tetrahedra=copied_tetrahedra(world.tetrahedra),
            masses=world.particles.masses,
            rest_positions=world.particles.rest_positions,
            cloth_records=dict(self.cloth_records),
            in_progress=self.in_progress,
            levels=dict(world.levels),
        )

    def push_undo_step(self, label: str, *, is_rebuilt: bool = False) -> None:
        """Add the world as it is to the undo history, and go on with copies of what may change in place.

        If all is rebuilt next, no copies are needed.
        """
        self.is_edited = True
        count = self.world.particles.count
        self.history.add(
            EditStep(
                label,
                self.snapshot(),
                unchanged_particles(count),
                contact_positions=self.contact_positions(),
            )
        )
        if is_rebuilt:
            return
        self.unshared.clear()
        self.world.springs = copied_springs(self.world.springs)
        self.world.bends = copied_bends(self.world.bends)
        self.world.particles.masses = self.world.particles.masses.copy()

    def split_into_pieces(self, edited_bodies: dict[str, EditedBody]) -> dict[str, Pieces]:
        """Return edited bodies with the pieces that have come off them."""
        taken = set(self.world.bodies)
        edited = {}
        for name, edited_body in edited_bodies.items():
            body = self.world.bodies[name]
            known = self._component_counts.get(name)
            if known is None or known[0] is not body.triangles or not len(body.triangles):
                labels = self._component_labels(body)
                known = body.triangles, int(np.count_nonzero(labels == np.arange(len(labels))))
            edited[name] = find_pieces(edited_body, known[1], partial(self._component_labels, body), taken)
            if edited[name].piece_of is None:
                self._component_counts[name] = edited_body.triangles, known[1]
        return edited

    def _component_labels(self, body: BodyRange) -> Indices:
        """Return the connected component of each vertex of a body, (vertex_count,)."""
        count = body.particles.stop - body.particles.start
        if len(body.triangles) and not body.is_soft:
            return label_triangle_components(body.triangles, count)
        springs = body_springs(self.world, body)
        return label_components(connected_pairs(springs, body_corners(self.world, body)), count)

    def apply_edit(
        self,
        label: str,
        edited_bodies: dict[str, EditedBody],
        start_seams: SeamStarter | None = None,
        gap: float = 0.0,
    ) -> None:
        """Put edited bodies into the world as one edit that can be undone.

        Args:
            label: what was done
            edited_bodies: bodies as they are after it
            start_seams: returns seams to begin with them
            gap: how far the faces of a cut through a soft body draw back [m]
        """
        edited = self.split_into_pieces(edited_bodies)
        with self.revert_if_refused():
            self.push_undo_step(label, is_rebuilt=True)
            self.update_bodies(edited, self.in_progress, is_undo_step=True, start_seams=start_seams, gap=gap)

    @contextmanager
    def revert_if_refused(self) -> Iterator[None]:
        """Leave everything as it was if an edit in this context is refused, because cloth would intersect."""
        trial = TrialEdit(self) if self.intersection_check.is_on() else None
        try:
            yield
        except EditRefused:
            assert trial is not None
            trial.revert()
            raise

    def open_cuts(self, change: ParticleChange | None = None) -> None:
        """Open the faces of cuts where contact is exact, or raise that this cannot be done.

        Only what a change has changed is looked at, everything if none is given.
        """
        spots = self.intersection_check.open_cut_faces(change) if self.intersection_check.is_on() else ""
        if spots:
            raise EditRefused(
                f"cloth with exact contact would pass through cloth or touch it, near {spots}: it is folded too sharply "
                "there, or other layers are in the way. Nothing was changed. Edit it elsewhere, or once the cloth has "
                'opened; or set self_contact = "points" for the moment.'
            )

    def update_bodies(
        self,
        edited: dict[str, Pieces],
        in_progress: EditsInProgress,
        linked: Indices | None = None,
        *,
        is_undo_step: bool = False,
        is_halfway: bool = False,
        start_seams: SeamStarter | None = None,
        gap: float = 0.0,
    ) -> None:
        """Update the world with edited bodies and seams.

        Args:
            edited: what has become of the bodies that were edited
            in_progress: seams and the like after the edit, particles counted as before it
            linked: particles, counted as before the edit, whose links are other than before
            is_undo_step: whether a step of the history was just added for it; if not, it belongs to the last one
            is_halfway: whether nothing has to open, because one side of every cut is taken away at once
            start_seams: returns seams to begin, given the change and the first particle of each body
            gap: how far the faces of a cut through a soft body draw back [m]
        """
        after: list[EditsInProgress] = []
        positions = np.zeros((0, 3)) if start_seams is None else self.world.particles.positions.copy()

        def links(change: ParticleChange) -> tuple[Bends, Indices]:
            others = np.zeros(0, np.int64) if linked is None else change.new_of[linked]
            fresh: list[Seam] = []
            if start_seams is not None:
                fresh = start_seams(change, self._first_particles(edited), positions)
                others = np.concatenate([others, *(seam.pairs.ravel() for seam in fresh)])
            pieces = {name: own.names for name, own in edited.items()}
            after.append(in_progress.after(change, pieces, fresh))
            return seam_links(after[0].seams), np.unique(others[others >= 0])

        in_place = self._edit_in_place(edited, links, is_undo_step=is_undo_step)
        if in_place is None:
            change = self._rebuild(edited, links, is_undo_step=is_undo_step)
            self.in_progress = after[0]
        else:
            change, renumbering = in_place
            self.in_progress = after[0] if renumbering is None else after[0].renumbered(renumbering)
        if is_undo_step:
            self.history.done[-1].change = change
        else:
            self.history.extend(change)
        if gap > 0.0:
            separate_cut_faces(self.world, change.nearest, gap)
        if edited and not is_halfway:
            self.open_cuts(change)
        self.notify(change)

    def _first_particles(self, edited: dict[str, Pieces]) -> dict[str, int]:
        """Return the first particle of each body after an edit."""
        sizes = {
            name: len(edited[name].edited_bodies[0].vertices)
            if name in edited
            else body.particles.stop - body.particles.start
            for name, body in self.world.bodies.items()
        }
        return dict(zip(sizes, np.cumsum([0, *sizes.values()])[:-1].tolist(), strict=True))

    def _rebuild(
        self, edited: dict[str, Pieces], links: LinkBuilder, *, is_undo_step: bool
    ) -> ParticleChange:
        """Rebuild the tables of the world with edited bodies."""
        if not is_undo_step:
            self.history.expand_last(self.snapshot())
        self.unshared.clear()
        edited_bodies = {name: pieces.edited_bodies for name, pieces in edited.items()}
        change, cloth_records = rebuild_bodies(self.world, edited_bodies, links)
        self.cloth_records |= cloth_records
        return change

    def _edit_in_place(
        self, edited: dict[str, Pieces], links: LinkBuilder, *, is_undo_step: bool
    ) -> tuple[ParticleChange, Renumbering | None] | None:
        """Write an edit into the tables of the world if it leaves most of them as they are; see `update_bodies`.

        Returns:
            The change and, if pieces have come off, how particles were renumbered after `links` was called; None if all
            has to be rebuilt.
        """
        world, is_shrinking = self.world, bool(self.in_progress.shrinkings)
        if len(edited) > 1:
            return None
        if not edited:
            self._unshare_tables()
            change, undo = replace_links(world, links, is_shrinking=is_shrinking)
            self.history.add_undo_data(undo, is_undo_step=is_undo_step)
            return change, None
        ((name, pieces),) = edited.items()
        body, edited_body = world.bodies[name], pieces.whole
        if edited_body is None or name not in self.cloth_records or not can_edit_in_place(body, edited_body):
            return None
        self._unshare_tables()
        moved = None
        if not is_at_end(world, body):
            moved = move_to_end(world, body)
            self.history.add_undo_data(MoveUndo(moved), is_undo_step=is_undo_step)
            body, links = world.bodies[name], _renumbered_first(moved, links)
        if name not in self.unshared and pieces.piece_of is None:
            self.cloth_records[name] = self.cloth_records[name].copied()
        self.unshared.add(name)
        before = self.cloth_records[name]
        change, cloth_record, undo = edit_in_place(
            world, body, edited_body, before, links,
            is_shrinking=is_shrinking, component_labels=pieces.component_labels,
        )  # fmt: skip
        self.history.add_undo_data(undo, is_undo_step=is_undo_step)
        if moved is not None:
            change = change.preceded_by(moved)
        if pieces.piece_of is None:
            self._keep_record(name, edited_body, cloth_record)
            return change, None
        renumbering, cloth_records = split_body(
            world, world.bodies[name], cloth_record, pieces.names, pieces.piece_of, self.workspace
        )
        self.cloth_records |= cloth_records
        self.unshared |= cloth_records.keys()
        self.history.add_undo_data(
            SplitUndo(name, tuple(pieces.names[1:]), renumbering, before), is_undo_step=is_undo_step
        )
        return change.renumbered(renumbering), renumbering

    def _keep_record(self, name: str, edited_body: EditedBody, cloth_record: ClothRecord) -> None:
        """Keep the record of a cloth that was edited in place and is in one piece still."""
        self.cloth_records[name] = cloth_record
        if edited_body.cloth_record is not None:
            self.workspace.end_edit(edited_body.cloth_record, cloth_record)
        if name in self._component_counts:
            self._component_counts[name] = (
                self.world.bodies[name].triangles,
                self._component_counts[name][1],
            )

    def _unshare_tables(self) -> None:
        """Go on with springs and bending elements that no snapshot shares."""
        if TABLES not in self.unshared:
            world = self.world
            world.springs = Springs(
                **{key: growable_copy(array) for key, array in vars(world.springs).items()}
            )
            world.bends = Bends(**{key: growable_copy(array) for key, array in vars(world.bends).items()})
            self.unshared.add(TABLES)

    def contact_positions(self) -> SavedPositions | None:
        """Return where cloth with exact contact is, None if there is none."""
        points = self.intersection_check.members()
        return SavedPositions.of(self.world.particles, points) if len(points) else None
