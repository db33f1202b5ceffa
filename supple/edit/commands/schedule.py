"""Schedule: edits that a scene declares, or a script repeats, are made when their time has come."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from supple.edit.world.intersection_check import EditPartlyRefused, EditRefused
from supple.errors import SuppleError
from supple.scene.scene import Scene
from supple.scene.timeline.actions import (
    Change,
    CutEdges,
    Erase,
    Free,
    Grab,
    Hold,
    Redo,
    Release,
    Undo,
    Unseam,
)
from supple.scene.timeline.edits import Cut, Seam, Shrink, Tear, chain
from supple.scene.timeline.stitch import Stitch
from supple.scene.timeline.timed_entry import Timed

PATIENCE = 1.0
"""How long an edit that was refused is tried again, in every frame [s]."""


class EditableSimulation(Protocol):
    """A simulation whose bodies can be cut, torn, sewn and shrunk."""

    @property
    def scene(self) -> Scene:
        """The scene as it is now."""

    @property
    def frame(self) -> int:
        """Frames so far."""

    @property
    def frame_rate(self) -> float:
        """Frames per second of simulated time [1/s]."""

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, pieces that came off among them."""

    def origin(self, body: str) -> tuple[str, NDArray[np.int64], NDArray[np.float64]]:
        """Return the declared body, and for every vertex three of its vertices and their weights."""

    def heirs(self, body: str, points: Sequence[int]) -> list[int]:
        """Return the vertices of a body that declared ones have become."""

    def cut(self, body: str, *, path: Any = None, plane: Any = None, edges: Any = None) -> None:
        """Cut a body."""

    def erase(self, body: str, triangles: Sequence[int]) -> None:
        """Take triangles away."""

    def tear(self, body: str, strain: float | None) -> None:
        """Let a body tear."""

    def shrink(self, body: str, points: Sequence[int] | None, ratio: float, seconds: float) -> None:
        """Change rest lengths."""

    def seam(
        self,
        a: tuple[str, Sequence[int]],
        b: tuple[str, Sequence[int]],
        seconds: float,
        *,
        stiffness: float,
        strength: float | None,
        weld: bool,
        turn: bool,
    ) -> int:
        """Sew two chains together."""

    def sew(self, *stitches: Stitch) -> None:
        """Sew edges of declared cloth together."""

    def unseam(self, seam: int) -> None:
        """Open a seam."""

    def undo(self) -> str:
        """Take the last edit back."""

    def redo(self) -> str:
        """Make it again."""

    def pinned(self, body: str) -> NDArray[np.int64]:
        """Return the vertices that are held."""

    def pin(self, body: str, vertex: int, target: Any = None) -> None:
        """Pin a vertex."""

    def unpin(self, body: str, vertex: int) -> None:
        """Free a vertex."""

    def grab(self, body: str, vertex: int, target: Any) -> None:
        """Take a vertex by hand."""

    def release(self, body: str, vertex: int) -> None:
        """Let go of it."""

    def set(self, body: str | None = None, **changes: Any) -> None:
        """Change parameters."""


def apply_due_edits(simulation: EditableSimulation, waiting: dict[int, list[str]]) -> dict[int, list[str]]:
    """Sew the stitches and make the edits of the scene that are due; what cannot be made is told and left out.

    Args:
        simulation: is edited
        waiting: which edits of the scene were refused in the last frame, and for which bodies; none for all of them

    Returns:
        The same for those that have to wait now.
    """
    due = [
        stitch
        for stitch in simulation.scene.stitches
        if simulation.frame == frame_of(stitch, simulation.frame_rate)
    ]
    if due:
        with _warn_on_error(due[0]):
            simulation.sew(*due)
    late = {}
    for n, edit in enumerate(simulation.scene.edits):
        is_due = simulation.frame == frame_of(edit, simulation.frame_rate)
        if is_due or n in waiting:
            left = _try_edit(simulation, edit, partial(_apply_scene_edit, only=waiting.get(n, [])))
            if left is not None:
                late[n] = left
    return late


def replay_entries(simulation: EditableSimulation, edits: Iterable[Timed]) -> list[Timed]:
    """Make entries of a script; what cannot be made is told and left out. Returns those that have to wait."""
    late = []
    for edit in edits:
        if _try_edit(simulation, edit, _apply_script_entry) is not None:
            late.append(edit)
    return late


def _try_edit(
    simulation: EditableSimulation, edit: Timed, make: Callable[[EditableSimulation, Timed], None]
) -> list[str] | None:
    """Make an edit; return None, or for which bodies cloth is in the way that may be gone in the next frame.

    None of them means that nothing was done.
    """
    waited = (simulation.frame - frame_of(edit, simulation.frame_rate)) / simulation.frame_rate
    with _warn_on_error(edit):
        try:
            make(simulation, edit)
        except EditRefused as error:
            if waited < PATIENCE:
                return error.bodies if isinstance(error, EditPartlyRefused) else []
            raise
    return None


def frame_of(edit: Timed, frame_rate: float) -> int:
    """Return before which frame an edit is made."""
    return math.ceil(edit.time * frame_rate - 1e-6)


@contextmanager
def _warn_on_error(edit: Timed) -> Iterator[None]:
    """Turn an error into a warning that names the edit."""
    try:
        yield
    except SuppleError as error:
        place = edit.place_of({"name": edit.name})
        when = "" if edit.name else f" at {edit.time:g} s"
        warnings.warn(f"`{place}`{when} was left out: {error}", RuntimeWarning, stacklevel=6)


def _apply_scene_edit(simulation: EditableSimulation, edit: Timed, only: list[str]) -> None:
    """Make an edit that names declared bodies and points, on what has become of them.

    If it was made in part before, it is left to be made on `only` those bodies.
    """
    scene = simulation.scene
    if isinstance(edit, Cut):
        if edit.path is not None:
            simulation.cut(edit.body, path=edit.path)
        else:
            _cut_all(simulation, edit, only)
    elif isinstance(edit, Tear):
        simulation.tear(edit.body, edit.limit)
    elif isinstance(edit, Shrink):
        points = None if edit.points is None else chain(scene.body(edit.body), edit.points)
        for name in _pieces(simulation, edit.body):
            found = None if points is None else simulation.heirs(name, points)
            if found is None or len(found) > 1:
                simulation.shrink(name, found, edit.ratio, edit.seconds)
    elif isinstance(edit, Seam):
        sides = [(edit.body, edit.points), (edit.other or edit.body, edit.other_points)]
        a, b = ((name, simulation.heirs(name, chain(scene.body(name), where))) for name, where in sides)
        simulation.seam(
            a,
            b,
            edit.seconds,
            stiffness=edit.stiffness,
            strength=edit.strength,
            weld=edit.weld,
            turn=edit.turn,
        )
    elif isinstance(edit, Hold):
        points = chain(scene.body(edit.body), edit.points)
        for name in _pieces(simulation, edit.body):
            for vertex in _copies(simulation, name, points):
                simulation.pin(name, vertex, edit.target)
    elif isinstance(edit, Free):
        points = None if edit.points is None else chain(scene.body(edit.body), edit.points)
        for name in _pieces(simulation, edit.body):
            held = simulation.pinned(name).tolist()
            for vertex in held if points is None else _copies(simulation, name, points):
                simulation.unpin(name, vertex)
    elif isinstance(edit, Change):
        owners: list[str | None] = [None] if edit.body is None else [*_pieces(simulation, edit.body)]
        for owner in owners:
            simulation.set(owner, **edit.values())


def _apply_script_entry(simulation: EditableSimulation, edit: Timed) -> None:
    """Make an edit that names bodies and vertices as they are now."""
    if isinstance(edit, Cut):
        plane = None if edit.plane_point is None else (edit.plane_point, edit.plane_normal)
        simulation.cut(edit.body, path=edit.path, plane=plane)
    elif isinstance(edit, CutEdges):
        simulation.cut(edit.body, edges=edit.vertices)
    elif isinstance(edit, Erase):
        simulation.erase(edit.body, edit.triangles)
    elif isinstance(edit, Tear):
        simulation.tear(edit.body, edit.limit)
    elif isinstance(edit, Shrink):
        points = None if edit.points is None else _vertices(edit.points)
        simulation.shrink(edit.body, points, edit.ratio, edit.seconds)
    elif isinstance(edit, Seam):
        a = edit.body, _vertices(edit.points)
        b = edit.other or edit.body, _vertices(edit.other_points)
        simulation.seam(
            a,
            b,
            edit.seconds,
            stiffness=edit.stiffness,
            strength=edit.strength,
            weld=edit.weld,
            turn=edit.turn,
        )
    elif isinstance(edit, Hold):
        for vertex in _vertices(edit.points):
            simulation.pin(edit.body, vertex, edit.target)
    elif isinstance(edit, Free):
        for vertex in (
            simulation.pinned(edit.body).tolist() if edit.points is None else _vertices(edit.points)
        ):
            simulation.unpin(edit.body, vertex)
    elif isinstance(edit, Change):
        simulation.set(edit.body, **edit.values())
    elif isinstance(edit, Grab):
        simulation.grab(edit.body, edit.vertex, edit.target)
    elif isinstance(edit, Release):
        simulation.release(edit.body, edit.vertex)
    elif isinstance(edit, Unseam):
        simulation.unseam(edit.seam)
    elif isinstance(edit, Undo):
        simulation.undo()
    elif isinstance(edit, Redo):
        simulation.redo()


def _vertices(where: Any) -> list[int]:
    """Return the vertices that an entry of a script names; names and boxes mean declared points, not those now."""
    chosen = where if isinstance(where, tuple) else (where,)
    if not all(isinstance(vertex, int) for vertex in chosen):
        raise SuppleError(f"a script names vertices by their numbers, but this is {where!r}.")
    return list(chosen)


def _pieces(simulation: EditableSimulation, body: str) -> list[str]:
    return [name for name in simulation.body_names if simulation.origin(name)[0] == body]


def _cut_all(simulation: EditableSimulation, edit: Cut, only: list[str]) -> None:
    """Cut every piece that a plane passes through; one that it misses is no mistake if it meets another.

    If others are cut, those that cannot be cut now are named, so that the next try does not cut the others once more.
    It gets them as `only`, and what has become of those meanwhile, by an undo for example, is nobody's business.
    """
    missed: dict[str, SuppleError] = {}
    pieces = [name for name in _pieces(simulation, edit.body) if not only or name in only]
    for name in pieces:
        try:
            simulation.cut(name, plane=(edit.plane_point, edit.plane_normal))
        except SuppleError as error:
            missed[name] = error
    refused = {name: error for name, error in missed.items() if isinstance(error, EditRefused)}
    if refused and (only or len(missed) < len(pieces)):
        name, reason = list(refused.items())[-1]
        raise EditPartlyRefused(f"{name!r} stayed whole: {reason}", list(refused))
    if missed and len(missed) == len(pieces):
        raise list((refused or missed).values())[-1]


def _copies(simulation: EditableSimulation, name: str, points: list[int]) -> list[int]:
    """Return every vertex of a body that is one of these declared ones, or a copy of it that a cut has made."""
    _, ancestors, weights = simulation.origin(name)
    found: list[int] = np.flatnonzero((weights[:, 0] == 1.0) & np.isin(ancestors[:, 0], points)).tolist()
    return found
