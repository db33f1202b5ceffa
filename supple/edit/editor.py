"""Editor: cuts, tears, seams and shrinking of a running world, and the way back."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.apart import Places, Tangled, Watch
from supple.edit.change import Change, unchanged
from supple.edit.eraser import Erased, cut_out, rim_room
from supple.edit.fabric import Bench, Fabric, weave
from supple.edit.history import History, Snapshot, Step, copied_bends, copied_tetrahedra
from supple.edit.in_place import amend, may_stay
from supple.edit.knife import BOXED, SPACING, cut_along, cut_by_plane, resampled
from supple.edit.level_knife import cut_levels
from supple.edit.parting import Parted, part
from supple.edit.pieces import Pieces, pieces_of
from supple.edit.rebuild import (
    Block,
    body_corners,
    body_springs,
    hanging_pairs,
    rebuild,
    unedited,
)
from supple.edit.reshape import Workpiece
from supple.edit.reunion import found_in_field, lay_together
from supple.edit.seam import Seam, links_of, list_steps, matched, refined, weld
from supple.edit.sheet import edge_triangles, has_room, mark_edge, open_marked
from supple.edit.soft_knife import cut_soft_body, part_faces
from supple.edit.tear import MOST_TEARS, overstretched, snapped, torn
from supple.edit.trial import Trial
from supple.errors import SuppleError
from supple.model.bends import Bends
from supple.model.connected import part_leaders, triangle_leaders
from supple.model.renumbering import Renumbering
from supple.model.room import roomy
from supple.model.springs import Springs, copied_springs
from supple.model.world import BodyRange, World

TABLES = ""
"""Stands for springs and bending elements where fabrics are known by the name of their body."""

WELD_GAP = 0.3
"""Largest gap that a weld closes, as a share of the mean edge."""

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]
Begun = Callable[[Change, dict[str, int]], list[Seam]]
"""Returns seams to begin, given the change and the first particle of each body after it."""


@dataclass(frozen=True)
class Shrinking:
    """Rest lengths between some particles on their way to `ratio` times what they were."""

    members: NDArray[np.bool_]
    """(particle_count,) particles between which springs shrink."""

    ratio: float
    """Rest length in the end over rest length at the start [-]."""

    seconds: float
    """How long it takes [s]."""

    elapsed: float = 0.0
    """Since it began [s]."""

    def factor(self, elapsed: float) -> float:
        """Return rest length over rest length at the start, `elapsed` seconds after it [-]."""
        return 1.0 + (self.ratio - 1.0) * (min(1.0, elapsed / self.seconds) if self.seconds > 0.0 else 1.0)


@dataclass(frozen=True)
class Sewing:
    """Two chains of vertices that are to be sewn together."""

    bodies: tuple[BodyRange, BodyRange]
    """Whose vertices they are; twice the same for a seam within a body."""

    chains: tuple[list[int], list[int]]
    """Vertices of each side, in order."""

    seconds: float
    """How long it takes to close [s]."""

    stiffness: float
    """Of a link [N/m]."""

    strength: float = math.inf
    """Force at which a link gives way [N]."""

    is_weldable: bool = True
    """Whether chains of one body become one in the end."""

    may_turn: bool = True
    """Whether the second chain is turned round if that makes both run alongside each other."""

    @property
    def is_one(self) -> bool:
        """Whether both chains belong to one body."""
        return self.bodies[0].name == self.bodies[1].name


@dataclass(frozen=True)
class Ongoing:
    """What edits keep doing from frame to frame."""

    seams: list[Seam] = field(default_factory=list)
    shrinkings: list[Shrinking] = field(default_factory=list)
    strains: dict[str, float] = field(default_factory=dict)
    """Elongation at which each body tears [-]."""

    seam_count: int = 0
    """Seams begun so far; the next one gets this number."""

    welded: Indices = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    """(count, 2) vertices of declared bodies that welding has made one with another, and the particles they are now."""

    def renumbered(self, way: Renumbering) -> Ongoing:
        """Return the same after particles have been renumbered."""
        return replace(
            self,
            seams=[replace(seam, pairs=way.new_of[seam.pairs]) for seam in self.seams],
            shrinkings=[replace(other, members=other.members[way.particles]) for other in self.shrinkings],
            welded=np.column_stack([self.welded[:, 0], way.new_of[self.welded[:, 1]]]),
        )


class Editor:
    """Changes the bodies of a world; whoever works on it is told of every change."""

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

        self._bench = Bench()
        self._owned: set[str] = set()
        """What no snapshot shares memory with: `TABLES`, and fabrics by the name of their body."""

        self._follow, self._relength, self._watch = follow, relength, watch

    # ------------------------------------------------------------------ edits

    def cut(
        self, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, gap: float = 0.0
    ) -> None:
        """Cut a body along a path (count, 3) [m], or by the plane n · x = offset; soft ones open by `gap` [m]."""
        if body.name in self.world.levels:
            if gap > 0.0:
                raise SuppleError(
                    f"{body.name!r} has exact contact and several levels of detail, and then it cannot be cut. "
                    "Give it `levels = 1`."
                )
            blocks = cut_levels(self.world, body, path, plane, set(self.world.bodies))
            with self._tried():
                self._note(f"cut {body.name}", is_rebuilt=True)
                self._rebuild({body.name: Pieces.of(blocks)}, self.ongoing, is_noted=True)
            return
        if body.is_soft:
            if gap > 0.0 and path is not None and len(path) > 2:
                raise SuppleError(
                    f"{body.name!r} has exact contact, which needs flat cuts. Cut it along straight lines, one by one."
                )
            block = cut_soft_body(self.world, body, path, plane)
            self._install(f"cut {body.name}", {body.name: block}, gap=gap)
            return
        fabric = self._fabric(body)
        way = None if path is None else resampled(path, SPACING * float(fabric.mean_edge[0]))
        # Two crossings a step, and four copies for the ends of both sides of each; a plane crosses like a long path.
        room = 64 + 12 * (len(way) if way is not None else math.isqrt(len(fabric.triangles)))
        while True:
            work = Workpiece(self.world, body, fabric, room, self._bench)
            if way is not None:
                boxes = np.empty((len(fabric.fan) // BOXED, 6))
                found = int(cut_along(work.sheet, way, work.mean_edge, boxes))
                if found == 0:
                    raise SuppleError(
                        f"the path does not touch {body.name!r}: no point of it lies within"
                        f" {work.mean_edge:.3g} m of the cloth. Nothing was cut."
                    )
                is_done = found > 0
            else:
                assert plane is not None
                normal, offset = plane
                sides = np.zeros(len(work.sheet.positions))
                is_done = bool(
                    cut_by_plane(work.sheet, tuple(normal.tolist()), offset, work.mean_edge, sides)
                )
            if is_done and has_room(work.sheet):
                break
            room *= 4
        if not open_marked(work.sheet):
            where = "plane does not pass through" if path is None else "path is too short to open"
            raise SuppleError(f"the {where} {body.name!r}. Nothing was cut.")
        self._install(f"cut {body.name}", {body.name: work.finished()})

    def cut_edges(self, body: BodyRange, chain: list[int]) -> None:
        """Cut a body along edges, from vertex to vertex of a chain."""
        fabric = self._fabric(body)
        work = Workpiece(self.world, body, fabric, 4 * len(chain) + 8, self._bench)
        for a, b in itertools.pairwise(chain):
            if edge_triangles(fabric.triangles, fabric.across, fabric.fan, a, b)[0] < 0:
                raise SuppleError(
                    f"no edge of {body.name!r} joins its vertices {a} and {b}. Nothing was cut."
                )
            mark_edge(work.sheet, a, b)
        if not open_marked(work.sheet):
            raise SuppleError(
                f"the chain is too short to open {body.name!r}: one edge inside the cloth, or edges of its border."
                " Nothing was cut."
            )
        self._install(f"cut {body.name}", {body.name: work.finished()})

    def erase(self, body: BodyRange, triangles: Indices) -> None:
        """Take triangles of a body away; a piece that came off may go whole, a declared body may not."""
        fabric = self._fabric(body)
        is_erased = np.zeros(len(fabric.triangles), np.bool_)
        is_erased[triangles] = True
        if is_erased.all() and body.name == body.origin:
            raise SuppleError(f"nothing would be left of {body.name!r}. Nothing was erased.")
        name = f"{body.name} (erased)"
        work = Workpiece(self.world, body, fabric, rim_room(fabric.across, is_erased))
        stays, goes = cut_out(work, is_erased, name)
        label = f"erase {body.name}"
        if stays is not None:
            pieces = self._with_pieces({body.name: stays})
            self._note(label, is_rebuilt=True)
            self._rebuild(
                {body.name: Pieces.of([*pieces[body.name].blocks, goes])},
                self.ongoing,
                is_noted=True,
                is_halfway=True,
            )
        else:
            self._note(label)
            name = body.name
        self._take_away(label, self.world.bodies[name])

    def _take_away(self, label: str, body: BodyRange) -> None:
        """Let a body that hangs together with no other leave the world."""
        particles = self.world.particles
        points = np.arange(body.particles.start, body.particles.stop)
        cut = self.history.done[-1].change
        is_left = cut.nearest[points]
        rim = np.setdiff1d(np.flatnonzero(np.isin(cut.nearest, is_left)), points)
        erased = Erased(
            points=points,
            places=particles.positions[points].copy(),
            velocities=particles.velocities[points].copy(),
            rim=rim,
            rim_places=particles.positions[rim].copy(),
        )
        self._note(label, is_rebuilt=True)
        self.history.done[-1].erased = erased
        strains = {name: strain for name, strain in self.ongoing.strains.items() if name != body.name}
        pairs = np.concatenate([np.zeros((0, 2), np.int64), *(seam.pairs for seam in self.ongoing.seams)])
        is_torn = np.isin(pairs, points).any(axis=1)
        # Threads to what goes are lost, so their other ends hang on less than before.
        self._rebuild(
            {body.name: Pieces.of([])},
            replace(self.ongoing, strains=strains),
            np.unique(pairs[is_torn]),
            is_noted=True,
        )
        self.fabrics.pop(body.name, None)

    def tear(self, body: BodyRange, strain: float) -> None:
        """Let a body tear where it is stretched by more than `strain`; inf never."""
        if len(body.triangles):
            self._fabric(body)
        self._note(f"tear {body.name}")
        self.ongoing = replace(self.ongoing, strains={**self.ongoing.strains, body.name: strain})

    def shrink(self, body: BodyRange, points: Indices, ratio: float, seconds: float) -> None:
        """Let the springs between some vertices shrink or grow to `ratio` times their rest length."""
        members = np.zeros(self.world.particles.count, np.bool_)
        members[points + body.particles.start] = True
        if not members[self.world.springs.ends[body.springs]].all(axis=1).any():
            raise SuppleError(
                f"no spring of {body.name!r} joins two of these {len(points)} vertices, so nothing can shrink."
            )
        self._note(f"shrink {body.name}")
        shrinking = Shrinking(members, ratio, seconds)
        if seconds == 0.0:
            self._scale(members, ratio)
            self._relength()
        else:
            self.ongoing = replace(self.ongoing, shrinkings=[*self.ongoing.shrinkings, shrinking])

    def sew(self, label: str, sewings: list[Sewing]) -> list[int]:
        """Sew pairs of chains together, all as one edit, and return the numbers of the seams."""
        works: dict[str, Workpiece] = {}
        room = 8 + 2 * sum(len(chain) for sewing in sewings for chain in sewing.chains)
        sewn = [(sewing, *self._paired(sewing, works, room)) for sewing in sewings]
        finished = {name: work.finished() for name, work in works.items()}
        first = self.ongoing.seam_count

        def begun(change: Change, starts: dict[str, int]) -> list[Seam]:
            now = change.carried(self.world.particles.positions)
            seams: list[Seam] = []
            for sewing, pairs, is_whole in sewn:
                firsts = np.array([starts[body.name] for body in sewing.bodies])
                ends = np.array(pairs, dtype=np.int64) + firsts
                seams.append(
                    Seam(
                        number=first + len(seams),
                        pairs=ends,
                        gaps=np.linalg.norm(now[ends[:, 0]] - now[ends[:, 1]], axis=1),
                        seconds=sewing.seconds,
                        stiffness=sewing.stiffness,
                        strength=sewing.strength,
                        is_weldable=(
                            sewing.is_weldable and sewing.is_one and is_whole and math.isinf(sewing.strength)
                        ),
                    )
                )
            return seams

        self._install(label, finished, begun)
        return list(range(first, first + len(sewings)))

    def _paired(
        self, sewing: Sewing, works: dict[str, Workpiece], room: int
    ) -> tuple[list[tuple[int, int]], bool]:
        """Return which vertices of two chains meet, and whether that is every point of both.

        Points that lack a partner get one: the body is among `works` then, with room for `room` new points.
        """
        chains = self._facing(sewing) if sewing.may_turn else sewing.chains
        first, second = (self._arc(body, chain) for body, chain in zip(sewing.bodies, chains, strict=True))
        plan = matched(first, second)
        points: list[list[int]] = []
        for side, (body, chain) in enumerate(zip(sewing.bodies, chains, strict=True)):
            wanted = [marks[side] for marks in plan]
            if all(mark.share == 0.0 for mark in wanted):
                points.append([chain[mark.index] for mark in wanted])
                continue
            if body.name not in works:
                works[body.name] = Workpiece(self.world, body, self._fabric(body), room)
            points.append(refined(works[body.name], chain, wanted))
        pairs = [
            (a, b)
            for a, b in zip(*points, strict=True)
            if a >= 0 and b >= 0 and not (sewing.is_one and a == b)
        ]
        if not pairs:
            raise SuppleError("the two chains are the same points, so there is nothing to sew.")
        return pairs, len(pairs) >= len(plan) - 1

    def unseam(self, number: int) -> None:
        """Open a seam."""
        found = [seam for seam in self.ongoing.seams if seam.number == number]
        if not found:
            known = ", ".join(str(seam.number) for seam in self.ongoing.seams) or "none"
            raise SuppleError(f"there is no seam {number}. Seams: {known}.")
        self._open_seam(found[0], "unseam")

    def undo(self) -> str:
        """Take the last edit back, and what followed from it; return what it was."""
        while self.history.done and self.history.done[-1].erased is not None:
            self._go(is_back=True, is_halfway=True)
        return self._go(is_back=True)

    def redo(self) -> str:
        """Make the edit again that was taken back last; return what it was."""
        undone = self.history.undone
        label = self._go(is_back=False, is_halfway=len(undone) > 1 and undone[-2].erased is not None)
        while self.history.undone and self.history.undone[-1].erased is not None:
            self._go(is_back=False)
        return label

    def settings_since(self) -> list[tuple[str, Any]]:
        """Return what was set since the edit that an undo takes back."""
        return self.history.done[-1].settings if self.history.done else []

    @property
    def is_under_way(self) -> bool:
        """Whether seams are closing, or bodies may tear."""
        return bool(self.ongoing.seams) or any(map(math.isfinite, self.ongoing.strains.values()))

    # ------------------------------------------------------------------ every frame

    def advance(self, seconds: float) -> None:
        """Go on with what is under way: seams close, bands shrink, cloth tears."""
        ongoing = self.ongoing
        if not (ongoing.seams or ongoing.shrinkings or ongoing.strains):
            return
        self._shrink_on(seconds)
        self._sew_on(seconds)
        for name, strain in list(self.ongoing.strains.items()):
            if math.isfinite(strain):
                self._tear_on(self.world.bodies[name], strain)

    def _shrink_on(self, seconds: float) -> None:
        if not self.ongoing.shrinkings:
            return
        going = []
        for shrinking in self.ongoing.shrinkings:
            later = replace(shrinking, elapsed=shrinking.elapsed + seconds)
            self._scale(shrinking.members, later.factor(later.elapsed) / later.factor(shrinking.elapsed))
            if later.elapsed < later.seconds:
                going.append(later)
        self.ongoing = replace(self.ongoing, shrinkings=going)
        self._relength()

    def _scale(self, members: NDArray[np.bool_], factor: float) -> None:
        springs = self.world.springs
        springs.rest_lengths[members[springs.ends].all(axis=1)] *= factor

    def _sew_on(self, seconds: float) -> None:
        if not any(not seam.is_welded for seam in self.ongoing.seams):
            return
        was_closing = any(not seam.is_closed for seam in self.ongoing.seams)
        later = [replace(seam, elapsed=seam.elapsed + seconds) for seam in self.ongoing.seams]
        self.ongoing = replace(self.ongoing, seams=later)
        if was_closing:
            bends = self.world.bends
            links = links_of(later)
            bends.rest_lengths[bends.count - links.count :] = links.rest_lengths
            self._relength()
        for number in [seam.number for seam in later if seam.is_closed and not seam.is_welded]:
            # Each of these may change what particles are called: look the seam up anew.
            seam = next((seam for seam in self.ongoing.seams if seam.number == number), None)
            if seam is None or len(seam.pairs) == 0:
                continue
            if math.isfinite(seam.strength):
                self._give_way(seam)
            elif seam.is_weldable:
                self._weld(seam)

    def _give_way(self, seam: Seam) -> None:
        """Drop the links of a seam that pull harder than it can hold."""
        points = self.world.particles.positions[seam.pairs]
        pulls = seam.stiffness * np.linalg.norm(points[:, 0] - points[:, 1], axis=1)
        is_held = pulls <= seam.strength
        if not is_held.all():
            weaker = replace(seam, pairs=seam.pairs[is_held], gaps=seam.gaps[is_held])
            seams = [weaker if other.number == seam.number else other for other in self.ongoing.seams]
            lost = np.unique(seam.pairs[~is_held])
            self._rebuild({}, replace(self.ongoing, seams=[s for s in seams if len(s.pairs)]), lost)

    def _weld(self, seam: Seam) -> None:
        """Weld a closed seam, if a proper surface comes of it; otherwise its links go on holding it.

        A seam that something keeps open waits: to weld it would take points through what is in the way.
        """
        body = self._owner(int(seam.pairs[0, 0]))
        points = self.world.particles.positions[seam.pairs]
        gap = float(np.linalg.norm(points[:, 0] - points[:, 1], axis=1).max())
        if gap > WELD_GAP * float(self._fabric(body).mean_edge[0]):
            return
        local = seam.pairs - body.particles.start
        is_inside = ((local >= 0) & (local < body.particles.stop - body.particles.start)).all()
        work = Workpiece(self.world, body, self._fabric(body), 0) if is_inside else None
        is_done = work is not None and weld(work, local)
        settled = replace(seam, is_welded=is_done, is_weldable=False)
        seams = [settled if other.number == seam.number else other for other in self.ongoing.seams]
        ongoing = replace(self.ongoing, seams=seams)
        if is_done:
            assert work is not None and work.merged is not None
            gone = np.flatnonzero(work.merged != np.arange(len(work.merged)))
            gone = gone[work.fabric.birth_weights[gone, 0] == 1.0]
            rows = np.column_stack([work.fabric.birth_points[gone, 0], gone + body.particles.start])
            ongoing = replace(ongoing, welded=np.concatenate([ongoing.welded, rows]))
            with suppress(Tangled), self._tried():  # else it waits for the next frame
                self._rebuild({body.name: Pieces.of([work.finished()])}, ongoing, seam.pairs.ravel())
        else:
            self.ongoing = ongoing

    def _open_seam(self, seam: Seam, label: str) -> None:
        seams = [other for other in self.ongoing.seams if other.number != seam.number]
        ongoing = replace(self.ongoing, seams=seams)
        if not seam.is_welded:
            self._note(label)
            self._rebuild({}, ongoing, np.unique(seam.pairs), is_noted=True)
            return
        body = self._owner(int(seam.pairs[0, 0]))
        fabric = self._fabric(body)
        work = Workpiece(self.world, body, fabric, 4 * len(seam.pairs) + 8)
        points = (seam.pairs[:, 0] - body.particles.start).tolist()
        for a, b in itertools.pairwise(points):
            if 0 <= min(a, b) and max(a, b) < len(fabric.fan):
                mark_edge(work.sheet, a, b)
        if not open_marked(work.sheet):
            raise SuppleError("the seam was welded, and what is left of it is too short to open.")
        edited = self._with_pieces({body.name: work.finished()})
        with self._tried():
            self._note(label)
            self.ongoing = ongoing
            self._rebuild(edited, ongoing, is_noted=True)

    def _tear_on(self, body: BodyRange, strain: float) -> None:
        particles = self.world.particles
        span = body.particles
        if len(body.triangles):
            springs = body_springs(self.world, body)
            if len(overstretched(particles.positions[span], springs, strain)) == 0:
                return
            work = Workpiece(self.world, body, self._fabric(body), 32 * MOST_TEARS, self._bench)
            block = torn(work, strain, particles.is_fixed[span])
        else:
            whole = unedited(self.world, body)
            gone = overstretched(particles.positions[span], whole.springs, strain)[:MOST_TEARS]
            block = snapped(whole, gone) if len(gone) else None
        if block is not None:
            edited = self._with_pieces({body.name: block})
            with suppress(Tangled), self._tried():  # a tear that cannot open waits for the next frame
                self._rebuild(edited, self.ongoing)

    # ------------------------------------------------------------------ the world

    def fabric(self, body: BodyRange) -> Fabric | None:
        """Return what is remembered of an edited body, None for one that is as it was declared."""
        return self.fabrics.get(body.name)

    def _fabric(self, body: BodyRange) -> Fabric:
        if body.name not in self.fabrics:
            points = self.world.particles.positions[body.particles]
            springs = body_springs(self.world, body)
            self.fabrics[body.name] = weave(body.name, body.triangles, len(points), springs, points)
        return self.fabrics[body.name]

    def heirs(self, body: BodyRange, points: Sequence[int]) -> list[int]:
        """Return what vertices of a declared body have become in one of its pieces, in order; lost ones are left out."""
        count = body.particles.stop - body.particles.start
        fabric = self.fabrics.get(body.name)
        if fabric is None:
            return list(points)
        whole = np.flatnonzero(fabric.birth_weights[:, 0] == 1.0)[::-1]
        found = dict(zip(fabric.birth_points[whole, 0].tolist(), whole.tolist(), strict=True))
        for vertex, particle in self.ongoing.welded.tolist():
            if 0 <= particle - body.particles.start < count:
                found.setdefault(vertex, particle - body.particles.start)
        return list(dict.fromkeys(found[point] for point in points if point in found))

    def _owner(self, particle: int) -> BodyRange:
        for body in self.world.bodies.values():
            if body.particles.start <= particle < body.particles.stop:
                return body
        raise AssertionError(f"particle {particle} belongs to no body")

    def _facing(self, sewing: Sewing) -> tuple[list[int], list[int]]:
        """Return the chains so that they run alongside each other."""
        bodies, chains, positions = sewing.bodies, sewing.chains, self.world.particles.positions
        a, b = (
            positions[np.array([chain[0], chain[-1]]) + body.particles.start]
            for body, chain in zip(bodies, chains, strict=True)
        )
        straight = np.sum((a[0] - b[0]) ** 2) + np.sum((a[1] - b[1]) ** 2)
        turned = np.sum((a[0] - b[1]) ** 2) + np.sum((a[1] - b[0]) ** 2)
        is_meeting = sewing.is_one and chains[0][-1] == chains[1][0]
        return (chains[0], chains[1][::-1]) if turned < straight or is_meeting else chains

    def _arc(self, body: BodyRange, chain: list[int]) -> Floats:
        """Return how far along the chain each vertex lies at rest, from 0 to 1."""
        points = self.world.particles.rest_positions[body.particles][chain]
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        # Springs know better than rest positions: a weld joins what lies apart at rest.
        place = np.full(self.world.particles.count, -1)
        place[np.array(chain) + body.particles.start] = np.arange(len(chain))
        springs, own = self.world.springs, body.springs
        list_steps(place, springs.ends[own], springs.rest_lengths[own], steps)
        steps = np.maximum(steps, 1e-12)
        arc: Floats = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
        return arc

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

    def _note(self, label: str, *, is_rebuilt: bool = False) -> None:
        """Remember the world as it is for undo, and go on with copies of what may change in place.

        Whatever is rebuilt next needs no copy.
        """
        self.is_edited = True
        count = self.world.particles.count
        self.history.add(Step(label, self.snapshot(), unchanged(count), places=self._places()))
        if is_rebuilt:
            return
        self._owned.clear()
        self.world.springs = copied_springs(self.world.springs)
        self.world.bends = copied_bends(self.world.bends)
        self.world.particles.masses = self.world.particles.masses.copy()

    def _with_pieces(self, finished: dict[str, Block]) -> dict[str, Pieces]:
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

    def _install(
        self, label: str, finished: dict[str, Block], begun: Begun | None = None, gap: float = 0.0
    ) -> None:
        """Put edited bodies into the world and note it.

        Args:
            label: what was done
            finished: bodies as they are after it
            begun: returns seams to begin with them
            gap: how far the sides of a cut through a soft body draw back [m]
        """
        edited = self._with_pieces(finished)
        with self._tried():
            self._note(label, is_rebuilt=True)
            self._rebuild(edited, self.ongoing, is_noted=True, begun=begun, gap=gap)

    @contextmanager
    def _tried(self) -> Iterator[None]:
        """Leave everything as it was if what is done meanwhile would put cloth through cloth that must stay apart."""
        trial = Trial(self) if self._watch.is_on() else None
        try:
            yield
        except Tangled:
            assert trial is not None
            trial.give_up()
            raise

    def _keep_apart(self) -> None:
        """Open the sides of cuts, or raise that this cannot be done."""
        places = self._watch.part_lips() if self._watch.is_on() else ""
        if places:
            raise Tangled(
                f"cloth with exact contact would pass through cloth or touch it, near {places}: it is folded too sharply "
                "there, or other layers are in the way. Nothing was changed. Edit it elsewhere, or once the cloth has "
                'opened; or set self_contact = "points" for the moment.'
            )

    def _rebuild(
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

        def links(change: Change) -> tuple[Bends, Indices]:
            seams = [seam.followed(change) for seam in ongoing.seams]
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
                fresh = begun(change, starts)
                others = np.concatenate([others, *(seam.pairs.ravel() for seam in fresh)])
            shrinkings = [replace(s, members=s.members[change.nearest]) for s in ongoing.shrinkings]
            strains = dict(ongoing.strains)
            for name, pieces in edited.items():
                if name in strains:
                    strains |= dict.fromkeys(pieces.names, strains[name])
            seams += fresh
            welded = np.column_stack([ongoing.welded[:, 0], change.new_of[ongoing.welded[:, 1]]])
            welded = welded[welded[:, 1] >= 0]
            after.append(Ongoing(seams, shrinkings, strains, ongoing.seam_count + len(fresh), welded))
            return links_of(seams), np.unique(others[others >= 0])

        amended = self._amend(edited, links, is_noted=is_noted)
        if amended is None:
            if not is_noted:
                self.history.settle(self.snapshot())
            self._owned.clear()
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
            self._keep_apart()
        self._follow(change)

    def _amend(
        self,
        edited: dict[str, Pieces],
        links: Callable[[Change], tuple[Bends, Indices]],
        *,
        is_noted: bool,
    ) -> tuple[Change, Renumbering | None] | None:
        """Write an edit into the tables of the world if it lets them be as they are for the most part; see `rebuild`.

        Returns the change and, if pieces have come off, by how what `links` was told has been renumbered since.
        """
        if len(edited) != 1:
            return None
        ((name, pieces),) = edited.items()
        body, block = self.world.bodies[name], pieces.whole
        if block is None or name not in self.fabrics or not may_stay(self.world, body, block):
            return None
        world = self.world
        if TABLES not in self._owned:
            world.springs = Springs(**{key: roomy(array) for key, array in vars(world.springs).items()})
            world.bends = Bends(**{key: roomy(array) for key, array in vars(world.bends).items()})
        if name not in self._owned and pieces.part_of is None:
            self.fabrics[name] = self.fabrics[name].copied()
        self._owned |= {TABLES, name}
        before = self.fabrics[name]
        change, fabric, layer = amend(
            world, body, block, before, links,
            is_shrinking=bool(self.ongoing.shrinkings), leaders=pieces.leaders,
        )  # fmt: skip
        self.history.overwrite(layer, is_noted=is_noted)
        if pieces.part_of is None:
            self.fabrics[name] = fabric
            if name in self._part_counts:
                self._part_counts[name] = world.bodies[name].triangles, self._part_counts[name][1]
            return change, None
        way, fabrics = part(world, world.bodies[name], fabric, pieces.names, pieces.part_of)
        self.fabrics |= fabrics
        self._owned |= fabrics.keys()
        self.history.overwrite(Parted(name, tuple(pieces.names[1:]), way, before), is_noted=is_noted)
        return change.renumbered(way), way

    def _go(self, *, is_back: bool, is_halfway: bool = False) -> str:
        """Go one step back or forward in the history, and return what it was; cloth need not be apart halfway."""
        if not (self.history.done if is_back else self.history.undone):
            raise SuppleError(f"there is nothing to {'undo' if is_back else 'redo'}.")
        with self._tried():
            away, back = self.history.done, self.history.undone
            if not is_back:
                away, back = back, away
            step = away.pop()
            here, places = self.snapshot(), self._places()
            change = self._carry_over(step, here, is_back=is_back)
            back.append(Step(step.label, here, step.change, step.settings, step.erased, places))
            if not is_halfway:
                self._part_or_go_back(step)
            self._follow(change)
        return step.label

    def _carry_over(self, step: Step, here: Snapshot, *, is_back: bool) -> Change:
        """Give the world the bodies on the other side of a step, given those it has, and return the change."""
        change = step.change.reversed(self.world.particles.masses) if is_back else step.change
        change = replace(change, keeps_pairs=False)  # couplings are found anew
        there = step.snapshot.whole(here)
        if is_back:
            parted = [name for name, own in here.levels.items() if there.levels.get(name) is not own]
            lay_together(self.world, change, parted)
            change = found_in_field(self.world, change, parted, there.rest_positions)
        there.restore(self.world, change)
        if is_back and step.erased is not None:
            step.erased.revive(self.world.particles)
        self.fabrics, self.ongoing = dict(there.fabrics), there.ongoing
        self._owned.clear()
        return change

    def _part_or_go_back(self, step: Step) -> None:
        """Keep cloth apart after a step; where it is that cannot be, all goes back to where it was on that side of it."""
        with suppress(Tangled):
            self._keep_apart()
            return
        if step.places is not None:
            step.places.take_up(self.world.particles)
            self.world.tetrahedra.turn_to(self.world.particles.positions)
        self._keep_apart()

    def _places(self) -> Places | None:
        """Return where cloth is that must not pass through cloth, None if there is none."""
        points = self._watch.members()
        return Places.of(self.world.particles, points) if len(points) else None


def chain_of(name: str, points: Sequence[int], count: int) -> list[int]:
    """Return a chain of vertices, or say what is wrong with it."""
    try:
        chain = [int(point) for point in points]
        is_whole = all(point == given for point, given in zip(chain, points, strict=True))
    except (TypeError, ValueError):
        raise SuppleError(f"`{name}` is {points!r}, but it must list vertices of the body.") from None
    if not is_whole or any(not 0 <= point < count for point in chain):
        raise SuppleError(f"`{name}` must list vertices from 0 to {count - 1}.")
    if len(chain) < 2:
        raise SuppleError(f"`{name}` has {len(chain)} points, but a chain needs two or more.")
    if len(set(chain)) < len(chain):
        raise SuppleError(f"`{name}` names a vertex twice.")
    return chain
