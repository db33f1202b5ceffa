"""Editing: bodies that are cut, torn, sewn and shrunk while they move."""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.adapt.level_of_detail import Detail
from supple.arguments import Points, Triple, as_number, as_path, as_point
from supple.edit.commands.erase import rows_of
from supple.edit.commands.schedule import frame_of
from supple.edit.commands.sew import Sewing
from supple.edit.editor import Editor, chain_of
from supple.edit.history.action_log import Diary
from supple.errors import SuppleError
from supple.looking import Looking
from supple.model.world import BodyRange
from supple.scene.timeline.actions import CutEdges, Erase, Redo, Undo, Unseam
from supple.scene.timeline.edits import Cut, Seam, Shrink, Tear
from supple.scene.timeline.parameter_changes import BodyChanges
from supple.scene.timeline.script import Script
from supple.scene.timeline.stitch import Stitch
from supple.scene.timeline.timed_entry import Timed


class Editing(Looking, ABC):
    """The part of `Simulation` that changes what bodies are made of, and keeps a diary of it."""

    frame: int
    time: float
    _detail: Detail
    _editor: Editor
    _diary: Diary

    @abstractmethod
    def _set_body(self, body: BodyRange, changes: BodyChanges) -> None:
        """Give a body other parameters."""

    @property
    def may_reshape(self) -> bool:
        """Whether bodies may be cut, torn or sewn by themselves from now on, and so change their number of points."""
        return self.scene.may_reshape or self._editor.is_under_way or bool(self._diary.planned)

    def cut(
        self,
        body: str,
        *,
        path: Points | None = None,
        plane: tuple[Triple, Triple] | None = None,
        edges: Sequence[int] | None = None,
    ) -> None:
        """Cut a cloth or a soft body while it moves, along a path, by a plane or along edges.

        A piece that comes off becomes a body of its own, called after the first one: `"cloth-piece-1"`. Arrays that
        `positions` and the like returned before do not follow.

        Args:
            body: a cloth or a soft body
            path: (count, 3) points near its surface [m]; the cut follows straight lines between them, and goes
                right through a soft body
            plane: a point in the plane [m] and its normal
            edges: vertices, each joined to the next by an edge of a triangle
        """
        if sum(way is not None for way in (path, plane, edges)) != 1:
            raise SuppleError("`cut` needs one of `path`, `plane` and `edges`.")
        found = self._editable(body) if edges is not None else self._body(body)
        if edges is not None:
            count = found.particles.stop - found.particles.start
            chain = chain_of("edges", edges, count)
            self._editor.cut_edges(found, chain)
            self._note(CutEdges, body=body, vertices=tuple(chain))
            return
        self._detail.begin_edit()
        gap = self._contact.gap(found)
        if path is not None:
            way = as_path(path)
            self._editor.cut(found, way, None, gap)
            self._note(Cut, body=body, path=tuple(map(tuple, way.tolist())))
            return
        if not isinstance(plane, Sequence) or len(plane) != 2:
            raise SuppleError(
                f"`plane` is {plane!r}, but it must be a point and a normal: ((x, y, z), (x, y, z))."
            )
        point, normal = as_point("plane", plane[0]), as_point("plane", plane[1])
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            raise SuppleError("the normal of `plane` is (0, 0, 0), which has no direction.")
        self._editor.cut(found, None, (normal / length, float(point @ normal) / length), gap)
        self._note(Cut, body=body, plane_point=tuple(point.tolist()), plane_normal=tuple(normal.tolist()))

    def tear(self, body: str, strain: float | None) -> None:
        """Let a body tear wherever it is stretched by more than `strain` [-], 0.1 for a tenth; None stops that."""
        if strain is not None:
            strain = as_number("strain", strain, above=0.0)
        strain = math.inf if strain is None else strain
        self._editor.tear(self._editable(body), strain)
        self._note(Tear, body=body, strain=strain)

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
        """Sew two chains of vertices together and return the number of the seam, for `unseam`.

        Args:
            a: name of a body and vertices along the seam
            b: the same for the other side; it may be the same body, and have more or fewer vertices
            seconds: time over which the chains are pulled together [s]
            stiffness: of the thread between two points [N/m]
            strength: force at which a thread gives way [N]; None never
            weld: whether chains of one body become one, once they are together; a seam of limited strength or
                between two bodies is held by threads instead
            turn: whether the second chain is turned round if it then runs alongside the first one
        """
        found = self._editable(a[0]), self._editable(b[0])
        chains = tuple(
            chain_of(name, side[1], body.particles.stop - body.particles.start)
            for name, side, body in zip("ab", (a, b), found, strict=True)
        )
        if found[0].name == found[1].name and set(chains[0][1:-1]) & set(chains[1]) | set(
            chains[1][1:-1]
        ) & set(chains[0]):
            raise SuppleError("the two chains share vertices, so the seam would join a chain with itself.")
        seconds = as_number("seconds", seconds, at_least=0.0)
        stiffness = as_number("stiffness", stiffness, above=0.0)
        strength = None if strength is None else as_number("strength", strength, above=0.0)
        sewing = Sewing(
            bodies=found,
            chains=(chains[0], chains[1]),
            seconds=seconds,
            stiffness=stiffness,
            strength=math.inf if strength is None else strength,
            is_weldable=weld,
            may_turn=turn,
        )
        (number,) = self._editor.sew(f"seam {a[0]}", [sewing])
        self._note(
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

    def sew(self, *stitches: Stitch) -> None:
        """Sew edges of declared cloth together, all as one edit; the scene's own stitches need no call."""
        sewings = []
        for stitch in stitches:
            sides = ((stitch.a[0], stitch.b[0]), stitch.chains(self.scene.cloths))
            chains = [self.heirs(name, chain.tolist()) for name, chain in zip(*sides, strict=True)]
            sewings.append(
                Sewing(
                    bodies=(self._editable(stitch.a[0]), self._editable(stitch.b[0])),
                    chains=(chains[0], chains[1]),
                    seconds=stitch.seconds,
                    stiffness=stitch.stiffness,
                    strength=math.inf if stitch.strength is None else stitch.strength,
                    may_turn=False,
                )
            )
            if min(map(len, chains)) < 2:
                raise SuppleError(f"of the edges of stitch {stitch.name!r} less than two points are left.")
        self._editor.sew("sew", sewings)
        self._diary.is_complete &= self._diary.is_closed

    def unseam(self, seam: int) -> None:
        """Open a seam again."""
        self._editor.unseam(seam)
        self._note(Unseam, seam=int(seam))

    def shrink(
        self, body: str, points: Sequence[int] | None = None, ratio: float = 0.5, seconds: float = 1.0
    ) -> None:
        """Change the rest lengths between some vertices of a body over time; all vertices if None.

        Args:
            body: its name
            points: vertices of the band; springs between two of them change
            ratio: rest lengths in the end over those now [-]; above 1 stretches
            seconds: time it takes [s]
        """
        found = self._editable(body)
        count = found.particles.stop - found.particles.start
        chosen = np.arange(count) if points is None else np.array(chain_of("points", points, count))
        ratio = as_number("ratio", ratio, above=0.0)
        seconds = as_number("seconds", seconds, at_least=0.0)
        self._editor.shrink(found, chosen, ratio, seconds)
        shrunk = None if points is None else tuple(chosen.tolist())
        self._note(Shrink, body=body, points=shrunk, ratio=ratio, seconds=seconds)

    def erase(self, body: str, triangles: Sequence[int]) -> None:
        """Take triangles of a cloth away, with their mass; the rest moves on as it did.

        A piece that came off may be erased whole, a body of the scene may not.

        Args:
            body: a cloth
            triangles: rows of `triangles(body)`
        """
        found = self._editable(body)
        count = len(found.triangles)
        if count == 0:
            raise SuppleError(f"{body!r} has no triangles to erase.")
        rows = rows_of("triangles", triangles, count)
        self._editor.erase(found, rows)
        self._note(Erase, body=body, triangles=tuple(rows.tolist()))

    def undo(self) -> str:
        """Take the last edit back, and every tear and weld since; return what it was. Motion goes on."""
        since = self._editor.settings_since()
        self._detail.begin_edit()
        label = self._editor.undo()
        self._set_again(since)
        self._note(Undo)
        return label

    def redo(self) -> str:
        """Make the edit again that was taken back last; return what it was."""
        since = self._editor.settings_since()
        self._detail.begin_edit()
        label = self._editor.redo()
        self._set_again(since)
        self._note(Redo)
        return label

    def _set_again(self, since: list[tuple[str, Any]]) -> None:
        """Set once more what was set since an edit: undo and redo bring back what bodies were made of then.

        It was set since the edit before as well, which may be taken back next.
        """
        for name, changes in since:
            if name in self._world.bodies:
                self._set_body(self._body(name), changes)
        if since is not (last := self._editor.settings_since()):
            last.extend(since)

    @property
    def undoable(self) -> tuple[str, ...]:
        """What `undo` can take back, in a few words each, the last edit last."""
        return tuple(step.label for step in self._editor.history.done if step.erased is None)

    @property
    def redoable(self) -> tuple[str, ...]:
        """What `redo` can make again, in a few words each, the next one last."""
        return tuple(step.label for step in self._editor.history.undone if step.erased is None)

    @property
    def script(self) -> Script:
        """Everything that was done so far by calls: edits, undo, pins, grabs, changes of bodies, gravity, drag and wind.

        Edits that the scene declares are no part of it. Save it with `script.save`, and have it done again to the same
        scene, bit for bit, with `replay`.
        """
        return self._diary.script

    def replay(self, script: Script) -> None:
        """Do again what a script says, each entry when its time has come; more than one script adds up.

        What cannot be done is left out with a warning.
        """
        for edit in script.edits:
            if frame_of(edit, self.frame_rate) < self.frame:
                raise SuppleError(
                    f"the script has a {edit.kind} at {edit.time:g} s, but it is {self.time:g} s already."
                )
        if not script.is_complete:
            warnings.warn("the script is not complete: what follows will differ.", stacklevel=2)
        self._plan(script)

    def _plan(self, script: Script) -> None:
        """Have the entries of a script made when their time has come; those whose time has passed are made next."""
        for edit in script.edits:
            frame = max(self.frame, frame_of(edit, self.frame_rate))
            self._diary.planned.setdefault(frame, []).append(edit)

    def _note(self, kind: type[Timed], **values: Any) -> None:
        self._diary.note(kind, self.frame / self.frame_rate, **values)

    @property
    def seams(self) -> tuple[int, ...]:
        """Numbers of the seams that there are."""
        return tuple(seam.number for seam in self._editor.ongoing.seams)

    def origin(self, body: str) -> tuple[str, NDArray[np.int64], NDArray[np.float64]]:
        """Return where a body comes from: a declared body, and for every vertex three of its vertices and their weights.

        Bodies that were never edited are their own origin.
        """
        found = self._body(body)
        if found.births is not None:
            born = np.repeat(found.births[:, None], 3, axis=1)
            return found.origin, born, np.tile([1.0, 0.0, 0.0], (len(born), 1))
        fabric = self._editor.fabric(found)
        if fabric is not None:
            return found.origin, fabric.birth_points, fabric.birth_weights
        count = found.particles.stop - found.particles.start
        return (
            found.origin,
            np.repeat(np.arange(count)[:, None], 3, axis=1),
            np.tile([1.0, 0.0, 0.0], (count, 1)),
        )

    def heirs(self, body: str, points: Sequence[int]) -> list[int]:
        """Return the vertices of a body that vertices of its declared body have become, in order; lost ones are left out."""
        return self._editor.heirs(self._body(body), points)

    def _editable(self, name: str) -> BodyRange:
        body = self._body(name)
        if body.tetrahedra.stop > body.tetrahedra.start or name in self._world.levels:
            raise SuppleError(
                f"{name!r} is a soft body: it can be cut, but only bodies of springs can be torn, sewn and shrunk."
            )
        return body
