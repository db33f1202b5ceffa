"""Verbs of editing: cut, tear, sew, shrink, erase, undo, redo, and scripts that do it again."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.arguments import Points, Triple, as_number, as_path, as_point
from supple.edit.commands.erase import rows_of
from supple.edit.commands.schedule import frame_of
from supple.edit.commands.seam import JOINT_STIFFNESS, SeamGap, seam_gap
from supple.edit.commands.sew import SeamRequest
from supple.edit.editor import chain_of
from supple.errors import SuppleError
from supple.scene.timeline.actions import CutEdges, Erase, Redo, Undo, Unseam
from supple.scene.timeline.edits import Cut, Seam, Shrink, Tear
from supple.scene.timeline.script import Script
from supple.scene.timeline.stitch import Stitch
from supple.verbs.parameters import Parameters
from supple.verbs.session import Session


class Edits:
    """Checks what users ask for, lets the editor make it, and writes it into the log."""

    def __init__(self, session: Session, parameters: Parameters) -> None:
        """Work on a session; undo sets parameters again."""
        self._session, self._engine, self._parameters = session, session.engine, parameters

    @property
    def may_reshape(self) -> bool:
        """Whether bodies may be cut, torn or sewn by themselves from now on, and so change their number of points."""
        return (
            self._engine.scene.may_reshape
            or self._engine.editor.is_under_way
            or bool(self._session.log.planned)
        )

    def cut(
        self,
        body: str,
        *,
        path: Points | None = None,
        plane: tuple[Triple, Triple] | None = None,
        edges: Sequence[int] | None = None,
    ) -> None:
        """Cut a cloth or a soft body while it moves, along a path, by a plane or along edges."""
        if sum(way is not None for way in (path, plane, edges)) != 1:
            raise SuppleError("`cut` needs one of `path`, `plane` and `edges`.")
        found = self._session.spring_body(body) if edges is not None else self._session.body(body)
        if edges is not None:
            count = found.particles.stop - found.particles.start
            chain = chain_of("edges", edges, count)
            self._engine.editor.cut_edges(found, chain)
            self._session.note(CutEdges, body=body, vertices=tuple(chain))
            return
        self._engine.level_of_detail.begin_edit()
        gap = self._engine.contact.gap(found)
        if path is not None:
            way = as_path(path)
            self._engine.editor.cut(found, way, None, gap)
            self._session.note(Cut, body=body, path=tuple(map(tuple, way.tolist())))
            return
        if not isinstance(plane, Sequence) or len(plane) != 2:
            raise SuppleError(
                f"`plane` is {plane!r}, but it must be a point and a normal: ((x, y, z), (x, y, z))."
            )
        point, normal = as_point("plane", plane[0]), as_point("plane", plane[1])
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            raise SuppleError("the normal of `plane` is (0, 0, 0), which has no direction.")
        self._engine.editor.cut(found, None, (normal / length, float(point @ normal) / length), gap)
        self._session.note(
            Cut, body=body, plane_point=tuple(point.tolist()), plane_normal=tuple(normal.tolist())
        )

    def tear(self, body: str, strain: float | None) -> None:
        """Let a body tear wherever it is stretched by more than `strain` [-], 0.1 for a tenth; None stops that."""
        if strain is not None:
            strain = as_number("strain", strain, above=0.0)
        strain = math.inf if strain is None else strain
        self._engine.editor.tear(self._session.spring_body(body), strain)
        self._session.note(Tear, body=body, strain=strain)

    def seam(
        self,
        a: tuple[str, Sequence[int]],
        b: tuple[str, Sequence[int]],
        seconds: float = 0.8,
        *,
        stiffness: float = 1.0e4,
        strength: float | None = None,
        weld: bool = True,
        turn: bool = True,
    ) -> int:
        """Sew two chains of vertices together and return the number of the seam, for `unseam`."""
        is_thread = all(
            isinstance(points, Sequence | np.ndarray) and len(points) == 1 for _, points in (a, b)
        )
        find = self._session.joinable_body if is_thread else self._session.spring_body
        found = find(a[0]), find(b[0])
        chains = tuple(
            chain_of(name, side[1], body.particles.stop - body.particles.start, at_least=1)
            for name, side, body in zip("ab", (a, b), found, strict=True)
        )
        if min(map(len, chains)) == 1 < max(map(len, chains)):
            raise SuppleError("a seam joins two chains of two points or more, or a point and a point.")
        if found[0].name == found[1].name and chains[0] == chains[1]:
            raise SuppleError("the two chains are the same points, so there is nothing to sew.")
        if found[0].name == found[1].name and set(chains[0][1:-1]) & set(chains[1]) | set(
            chains[1][1:-1]
        ) & set(chains[0]):
            raise SuppleError("the two chains share vertices, so the seam would join a chain with itself.")
        seconds = as_number("seconds", seconds, at_least=0.0)
        stiffness = as_number("stiffness", stiffness, above=0.0)
        strength = None if strength is None else as_number("strength", strength, above=0.0)
        request = SeamRequest(
            bodies=found,
            chains=(chains[0], chains[1]),
            seconds=seconds,
            stiffness=stiffness,
            strength=math.inf if strength is None else strength,
            is_weldable=weld,
            may_turn=turn,
        )
        (number,) = self._engine.editor.sew(f"seam {a[0]}", [request])
        self._session.note(
            Seam,
            body=a[0],
            points=tuple(chains[0]),
            other=b[0],
            other_points=tuple(chains[1]),
            seconds=seconds,
            stiffness=stiffness,
            strength=strength,
            weld=bool(weld),
            turn=bool(turn),
        )
        return number

    def attach(
        self, a: tuple[str, int], b: tuple[str, int], seconds: float = 0.2, *, strength: float | None = None
    ) -> int:
        """Join a vertex to a vertex of another body, and return the number of the joint, for `detach`."""
        if self._engine.integrator.name == "jacobi":
            raise SuppleError(
                "`attach` needs an integrator that solves stiff springs, but `integrator` is 'jacobi', whose pass "
                'hands hardly anything on. Use "filter", "descent", "implicit", "xpbd" or "explicit".'
            )
        if a[0] == b[0]:
            raise SuppleError(f"`attach` joins two bodies, but both vertices belong to {a[0]!r}. Use `seam`.")
        return self.seam(
            (a[0], [a[1]]), (b[0], [b[1]]), seconds, stiffness=JOINT_STIFFNESS, strength=strength, weld=False
        )

    def sew(self, *stitches: Stitch) -> None:
        """Sew edges of declared cloth together, all as one edit; the scene's own stitches need no call."""
        requests = []
        for stitch in stitches:
            sides = ((stitch.a[0], stitch.b[0]), stitch.chains(self._engine.scene.cloths))
            chains = [self.heirs(name, chain.tolist()) for name, chain in zip(*sides, strict=True)]
            requests.append(
                SeamRequest(
                    bodies=(self._session.spring_body(stitch.a[0]), self._session.spring_body(stitch.b[0])),
                    chains=(chains[0], chains[1]),
                    seconds=stitch.seconds,
                    stiffness=stitch.stiffness,
                    strength=math.inf if stitch.strength is None else stitch.strength,
                    least_gap=stitch.gap,
                    name=stitch.name or "",
                    may_turn=False,
                )
            )
            if min(map(len, chains)) < 2:
                raise SuppleError(f"of the edges of stitch {stitch.name!r} less than two points are left.")
        self._engine.editor.sew("sew", requests)
        self._session.log.is_complete &= self._session.log.is_paused

    def unseam(self, seam: int) -> None:
        """Open a seam again."""
        self._engine.editor.unseam(seam)
        self._session.note(Unseam, seam=int(seam))

    def shrink(
        self, body: str, points: Sequence[int] | None = None, ratio: float = 0.5, seconds: float = 1.0
    ) -> None:
        """Change the rest lengths between some vertices of a body over time; all vertices if None."""
        found = self._session.spring_body(body)
        count = found.particles.stop - found.particles.start
        chosen = np.arange(count) if points is None else np.array(chain_of("points", points, count))
        ratio = as_number("ratio", ratio, above=0.0)
        seconds = as_number("seconds", seconds, at_least=0.0)
        self._engine.editor.shrink(found, chosen, ratio, seconds)
        shrunk = None if points is None else tuple(chosen.tolist())
        self._session.note(Shrink, body=body, points=shrunk, ratio=ratio, seconds=seconds)

    def erase(self, body: str, triangles: Sequence[int]) -> None:
        """Take triangles of a cloth away, with their mass; the rest moves on as it did."""
        found = self._session.spring_body(body)
        count = len(found.triangles)
        if count == 0:
            raise SuppleError(f"{body!r} has no triangles to erase.")
        rows = rows_of("triangles", triangles, count)
        self._engine.editor.erase(found, rows)
        self._session.note(Erase, body=body, triangles=tuple(rows.tolist()))

    def undo(self) -> str:
        """Take the last edit back, and every tear and weld since; return what it was. Motion goes on."""
        since = self._engine.editor.settings_since()
        self._engine.level_of_detail.begin_edit()
        label = self._engine.editor.undo()
        self._set_again(since)
        self._session.note(Undo)
        return label

    def redo(self) -> str:
        """Make the edit again that was taken back last; return what it was."""
        since = self._engine.editor.settings_since()
        self._engine.level_of_detail.begin_edit()
        label = self._engine.editor.redo()
        self._set_again(since)
        self._session.note(Redo)
        return label

    def _set_again(self, since: list[tuple[str, Any]]) -> None:
        """Set once more what was set since an edit: undo and redo bring back what bodies were made of then.

        It was set since the edit before as well, which may be taken back next.
        """
        for name, changes in since:
            if name in self._engine.world.bodies:
                self._parameters.apply(self._session.body(name), changes)
        if since is not (last := self._engine.editor.settings_since()):
            last.extend(since)

    @property
    def undoable(self) -> tuple[str, ...]:
        """What `undo` can take back, in a few words each, the last edit last."""
        return tuple(step.label for step in self._engine.editor.history.done if step.erased is None)

    @property
    def redoable(self) -> tuple[str, ...]:
        """What `redo` can make again, in a few words each, the next one last."""
        return tuple(step.label for step in self._engine.editor.history.undone if step.erased is None)

    @property
    def script(self) -> Script:
        """Everything that was done so far by calls: edits, undo, pins, grabs, changes of bodies, gravity, drag and wind."""
        return self._session.log.script

    def replay(self, script: Script) -> None:
        """Do again what a script says, each entry when its time has come; more than one script adds up."""
        for edit in script.edits:
            if frame_of(edit, self._engine.settings.frame_rate) < self._engine.frame:
                raise SuppleError(
                    f"the script has a {edit.kind} at {edit.time:g} s, but it is {self._engine.time:g} s already."
                )
        if not script.is_complete:
            warnings.warn("the script is not complete: what follows will differ.", stacklevel=2)
        self.plan(script)

    def plan(self, script: Script) -> None:
        """Have the entries of a script made when their time has come; those whose time has passed are made next."""
        for edit in script.edits:
            frame = max(self._engine.frame, frame_of(edit, self._engine.settings.frame_rate))
            self._session.log.planned.setdefault(frame, []).append(edit)

    @property
    def seams(self) -> tuple[int, ...]:
        """Numbers of the seams that there are."""
        return tuple(seam.number for seam in self._engine.editor.seams)

    def seam_gaps(self) -> tuple[SeamGap, ...]:
        """Return how far the two sides of every seam are apart now."""
        positions = self._engine.world.particles.positions
        return tuple(seam_gap(seam, positions) for seam in self._engine.editor.seams)

    def origin(self, body: str) -> tuple[str, NDArray[np.int64], NDArray[np.float64]]:
        """Return where a body comes from: a declared body, and for every vertex three of its vertices and their weights."""
        found = self._session.body(body)
        if found.soft_ancestors is not None:
            born = np.repeat(found.soft_ancestors[:, None], 3, axis=1)
            return found.origin, born, np.tile([1.0, 0.0, 0.0], (len(born), 1))
        cloth_record = self._engine.editor.cloth_record(found)
        if cloth_record is not None:
            return found.origin, cloth_record.ancestors, cloth_record.ancestor_weights
        count = found.particles.stop - found.particles.start
        return (
            found.origin,
            np.repeat(np.arange(count)[:, None], 3, axis=1),
            np.tile([1.0, 0.0, 0.0], (count, 1)),
        )

    def heirs(self, body: str, points: Sequence[int]) -> list[int]:
        """Return the vertices of a body that vertices of its declared body have become, in order; lost ones are left out."""
        return self._engine.editor.heirs(self._session.body(body), points)
