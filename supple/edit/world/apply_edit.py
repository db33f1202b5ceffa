"""Workshop: edited bodies are put into the world, and what was there is kept for undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.in_progress import Ongoing
from supple.edit.commands.prepare_cut import Preparation
from supple.edit.commands.seam import Seam, links_of
from supple.edit.history.history import History, Snapshot, Step, copied_bends, copied_tetrahedra
from supple.edit.mesh.cloth_record import Bench, Fabric, weave
from supple.edit.mesh.connected_pieces import Pieces, pieces_of
from supple.edit.mesh.cut_tetrahedra import part_faces
from supple.edit.world.change import Change, unchanged
from supple.edit.world.edit_in_place import Links, amend, may_stay, relink
from supple.edit.world.intersection_check import Places, Tangled, Watch
from supple.edit.world.move_to_end import Moved, is_last, move_last
from supple.edit.world.rebuild_bodies import Block, body_corners, body_springs, hanging_pairs, rebuild
from supple.edit.world.split_body import Parted, part
from supple.edit.world.trial_edit import Trial
from supple.model.bends import Bends
from supple.model.couplings.connected_components import part_leaders, triangle_leaders
from supple.model.springs import Springs, copied_springs
from supple.model.tables.growable import roomy
from supple.model.tables.renumbering import Renumbering
from supple.model.world import BodyRange, World

TABLES = ""
"""Stands for springs and bending elements where fabrics are known by the name of their body."""

Indices = NDArray[np.int64]
Begun = Callable[[Change, dict[str, int], NDArray[np.float64]], list[Seam]]
"""Returns seams to begin, given the change, the first particle of each body after it, and where particles were before."""


def _known_before(way: Renumbering, links: Links) -> Links:
    """Return links for those who know particles by what they are called after a renumbering."""
    return lambda change: links(change.preceded_by(way))


class Workshop:
    """A world whose bodies are edited, and all that is remembered of its edits; whoever works on it is told of changes."""

    def __init__(
        self,
        world: World,
        follow: Callable[[Change], None],
        relength: Callable[[], None],
        watch: Watch,
    ) -> None:
        """Edit nothing yet.

        Args:
            world: what to edit
            follow: called after every change of the particles or of what couples them
            relength: called after rest lengths have changed
            watch: tells of cloth that must not pass through cloth
        """
        self.world = world
        self.history = History()
        self.fabrics: dict[str, Fabric] = {}
        self.ongoing = Ongoing()
        self.is_edited = False
        """Whether the bodies are, or were, other than declared: saved states then hold them whole."""

        self._part_counts: dict[str, tuple[Indices, int]] = {}
        """By body its triangles when it was looked at last, and in how many connected parts they were."""

        self.bench = Bench()
        self._preparation: Preparation | None = None
        self.owned: set[str] = {TABLES}
        """What no snapshot shares memory with: `TABLES`, and fabrics by the name of their body."""

        self.follow, self.relength, self.watch = follow, relength, watch

    def woven(self, body: BodyRange) -> Fabric:
        """Return the fabric of a body; one that is as it was declared is looked at for the first time."""
        if body.name not in self.fabrics:
            points = self.world.particles.positions[body.particles]
            springs, fabric = body_springs(self.world, body), None
            if self._preparation is not None:
                fabric = self._preparation.fabric(body.name, body.triangles, springs)
                self.bench = self._preparation.bench() if self.bench.is_empty else self.bench
            self.fabrics[body.name] = fabric or weave(body.name, body.triangles, len(points), springs, points)
            self.owned.add(body.name)
            self.bench.set_aside(self.fabrics[body.name])
        return self.fabrics[body.name]

    def prepare(self) -> None:
        """Begin to make what first edits need, once: they are quick if frames are computed between this and them."""
        if self._preparation is None:
            known = self.fabrics.keys()
            bodies = (body for name, body in self.world.bodies.items() if name not in known)
            self._preparation = Preparation(self.world, bodies)

    def owner(self, particle: int) -> BodyRange:
        """Return the body that a particle belongs to."""
        for body in self.world.bodies.values():
            if body.particles.start <= particle < body.particles.stop:
                return body
        raise AssertionError(f"particle {particle} belongs to no body")

    def snapshot(self) -> Snapshot:
        """Return the world as it is, but for its motion."""
        world = self.world
        return Snapshot(
            springs=world.springs,
            bends=world.bends,
            anchors=world.anchors,
            bodies=world.bodies,
            tetrahedra=copied_tetrahedra(world.tetrahedra),
            masses=world.particles.masses,
            rest_positions=world.particles.rest_positions,
            fabrics=dict(self.fabrics),
            ongoing=self.ongoing,
            levels=dict(world.levels),
        )

    def note(self, label: str, *, is_rebuilt: bool = False) -> None:
        """Remember the world as it is for undo, and go on with copies of what may change in place.

        Whatever is rebuilt next needs no copy.
        """
        self.is_edited = True
        count = self.world.particles.count
        self.history.add(Step(label, self.snapshot(), unchanged(count), places=self.places()))
        if is_rebuilt:
            return
        self.owned.clear()
        self.world.springs = copied_springs(self.world.springs)
        self.world.bends = copied_bends(self.world.bends)
        self.world.particles.masses = self.world.particles.masses.copy()

    def with_pieces(self, finished: dict[str, Block]) -> dict[str, Pieces]:
        """Return what bodies have become, and what has come off them."""
        taken = set(self.world.bodies)
        edited = {}
        for name, block in finished.items():
            body = self.world.bodies[name]
            known = self._part_counts.get(name)
            if known is None or known[0] is not body.triangles or not len(body.triangles):
                leaders = self._leaders(body)
                known = body.triangles, int(np.count_nonzero(leaders == np.arange(len(leaders))))
            edited[name] = pieces_of(block, known[1], partial(self._leaders, body), taken)
            if edited[name].part_of is None:
                self._part_counts[name] = block.triangles, known[1]
        return edited

    def _leaders(self, body: BodyRange) -> Indices:
        """Return a vertex that stands for the connected part of each vertex of a body."""
        count = body.particles.stop - body.particles.start
        if len(body.triangles) and not body.is_soft:
            return triangle_leaders(body.triangles, count)
        springs = body_springs(self.world, body)
        return part_leaders(hanging_pairs(springs, body_corners(self.world, body)), count)

    def install(
        self, label: str, finished: dict[str, Block], begun: Begun | None = None, gap: float = 0.0
    ) -> None:
        """Put edited bodies into the world and note it.

        Args:
            label: what was done
            finished: bodies as they are after it
            begun: returns seams to begin with them
            gap: how far the sides of a cut through a soft body draw back [m]
        """
        edited = self.with_pieces(finished)
        with self.tried():
            self.note(label, is_rebuilt=True)
            self.rebuild(edited, self.ongoing, is_noted=True, begun=begun, gap=gap)

    @contextmanager
    def tried(self) -> Iterator[None]:
        """Leave everything as it was if what is done meanwhile would put cloth through cloth that must stay apart."""
        trial = Trial(self) if self.watch.is_on() else None
        try:
            yield
        except Tangled:
            assert trial is not None
            trial.give_up()
            raise

    def keep_apart(self, change: Change | None = None) -> None:
        """Open the sides of cuts, or raise that this cannot be done.

        Only what a change has touched is looked at, everything if none is given.
        """
        places = self.watch.part_lips(change) if self.watch.is_on() else ""
        if places:
            raise Tangled(
                f"cloth with exact contact would pass through cloth or touch it, near {places}: it is folded too sharply "
                "there, or other layers are in the way. Nothing was changed. Edit it elsewhere, or once the cloth has "
                'opened; or set self_contact = "points" for the moment.'
            )

    def rebuild(
        self,
        edited: dict[str, Pieces],
        ongoing: Ongoing,
        linked: Indices | None = None,
        *,
        is_noted: bool = False,
        is_halfway: bool = False,
        begun: Begun | None = None,
        gap: float = 0.0,
    ) -> None:
        """Rebuild the world with edited bodies and seams.

        Args:
            edited: what has become of the bodies that were edited
            ongoing: seams and the like after the edit, particles counted as before it
            linked: particles, counted as before the edit, whose links are other than before
            is_noted: whether undo has been told; if not, this belongs to the last edit
            is_halfway: whether one side of the cut is taken away at once, so that nothing has to open
            begun: returns seams to begin, given the change and the first particle of each body
            gap: how far the sides of a cut through a soft body draw back [m]
        """
        after: list[Ongoing] = []
        places = np.zeros((0, 3)) if begun is None else self.world.particles.positions.copy()

        def links(change: Change) -> tuple[Bends, Indices]:
            others = np.zeros(0, np.int64) if linked is None else change.new_of[linked]
            fresh: list[Seam] = []
            if begun is not None:
                sizes = {
                    name: len(edited[name].blocks[0].vertices)
                    if name in edited
                    else body.particles.stop - body.particles.start
                    for name, body in self.world.bodies.items()
                }
                starts = dict(zip(sizes, np.cumsum([0, *sizes.values()])[:-1].tolist(), strict=True))
                fresh = begun(change, starts, places)
                others = np.concatenate([others, *(seam.pairs.ravel() for seam in fresh)])
            pieces = {name: own.names for name, own in edited.items()}
            after.append(ongoing.followed(change, pieces, fresh))
            return links_of(after[0].seams), np.unique(others[others >= 0])

        amended = self._amend(edited, links, is_noted=is_noted)
        if amended is None:
            if not is_noted:
                self.history.settle(self.snapshot())
            self.owned.clear()
            blocks = {name: pieces.blocks for name, pieces in edited.items()}
            change, fabrics = rebuild(self.world, blocks, links)
            self.fabrics |= fabrics
            self.ongoing = after[0]
        else:
            change, way = amended
            self.ongoing = after[0] if way is None else after[0].renumbered(way)
        if is_noted:
            self.history.done[-1].change = change
        else:
            self.history.extend(change)
        if gap > 0.0:
            part_faces(self.world, change.nearest, gap)
        if any(pieces.names for pieces in edited.values()) and not is_halfway:
            self.keep_apart(change)
        self.follow(change)

    def _amend(
        self,
        edited: dict[str, Pieces],
        links: Links,
        *,
        is_noted: bool,
    ) -> tuple[Change, Renumbering | None] | None:
        """Write an edit into the tables of the world if it lets them be as they are for the most part; see `rebuild`.

        Returns the change and, if pieces have come off, by how what `links` was told has been renumbered since.
        """
        world, is_shrinking = self.world, bool(self.ongoing.shrinkings)
        if len(edited) > 1:
            return None
        if not edited:
            self._own_tables()
            change, layer = relink(world, links, is_shrinking=is_shrinking)
            self.history.overwrite(layer, is_noted=is_noted)
            return change, None
        ((name, pieces),) = edited.items()
        body, block = world.bodies[name], pieces.whole
        if block is None or name not in self.fabrics or not may_stay(body, block):
            return None
        self._own_tables()
        moved = None
        if not is_last(world, body):
            moved = move_last(world, body)
            self.history.overwrite(Moved(moved), is_noted=is_noted)
            body, links = world.bodies[name], _known_before(moved, links)
        if name not in self.owned and pieces.part_of is None:
            self.fabrics[name] = self.fabrics[name].copied()
        self.owned.add(name)
        before = self.fabrics[name]
        change, fabric, layer = amend(
            world, body, block, before, links,
            is_shrinking=is_shrinking, leaders=pieces.leaders,
        )  # fmt: skip
        self.history.overwrite(layer, is_noted=is_noted)
        if moved is not None:
            change = change.preceded_by(moved)
        if pieces.part_of is None:
            self.fabrics[name] = fabric
            if block.fabric is not None:
                self.bench.finish(block.fabric, fabric)
            if name in self._part_counts:
                self._part_counts[name] = world.bodies[name].triangles, self._part_counts[name][1]
            return change, None
        way, fabrics = part(world, world.bodies[name], fabric, pieces.names, pieces.part_of, self.bench)
        self.fabrics |= fabrics
        self.owned |= fabrics.keys()
        self.history.overwrite(Parted(name, tuple(pieces.names[1:]), way, before), is_noted=is_noted)
        return change.renumbered(way), way

    def _own_tables(self) -> None:
        """Go on with springs and bending elements that no snapshot shares."""
        if TABLES not in self.owned:
            world = self.world
            world.springs = Springs(**{key: roomy(array) for key, array in vars(world.springs).items()})
            world.bends = Bends(**{key: roomy(array) for key, array in vars(world.bends).items()})
            self.owned.add(TABLES)

    def places(self) -> Places | None:
        """Return where cloth is that must not pass through cloth, None if there is none."""
        points = self.watch.members()
        return Places.of(self.world.particles, points) if len(points) else None
