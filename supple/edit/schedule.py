"""Schedule: edits that a scene declares are made when their time has come."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.scene.edits import Cut, Edit, Seam, Shrink, Tear, chain
from supple.scene.scene import Scene


class Edited(Protocol):
    """What can be cut, torn, sewn and shrunk: a simulation."""

    scene: Scene
    frame: int

    @property
    def frame_rate(self) -> float:
        """Frames per second of simulated time [1/s]."""

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, pieces that came off among them."""

    def origin(self, body: str) -> tuple[str, NDArray[np.int64], NDArray[np.float64]]:
        """Return the declared body, and for every vertex three of its vertices and their weights."""

    def cut(self, body: str, *, path: Any = None, plane: Any = None) -> None:
        """Cut a body."""

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
    ) -> int:
        """Sew two chains together."""


def make_due_edits(simulation: Edited) -> None:
    """Make the edits of the scene that are due in this frame; what cannot be made is told and left out."""
    for edit in simulation.scene.edits:
        if simulation.frame == math.ceil(edit.time * simulation.frame_rate - 1e-6):
            try:
                _make(simulation, edit)
            except SuppleError as error:
                place = edit.place_of({"name": edit.name})
                warnings.warn(f"`{place}` was left out: {error}", RuntimeWarning, stacklevel=4)


def _make(simulation: Edited, edit: Edit) -> None:
    scene = simulation.scene
    if isinstance(edit, Cut):
        if edit.path is not None:
            simulation.cut(edit.body, path=edit.path)
        else:
            _cut_all(simulation, edit)
    elif isinstance(edit, Tear):
        simulation.tear(edit.body, edit.strain)
    elif isinstance(edit, Shrink):
        points = None if edit.points is None else chain(scene.body(edit.body), edit.points)
        for name in _pieces(simulation, edit.body):
            found = None if points is None else _heirs(simulation, name, points)
            if found is None or len(found) > 1:
                simulation.shrink(name, found, edit.ratio, edit.seconds)
    elif isinstance(edit, Seam):
        sides = [(edit.body, edit.points), (edit.other or edit.body, edit.other_points)]
        a, b = ((name, _heirs(simulation, name, chain(scene.body(name), where))) for name, where in sides)
        simulation.seam(a, b, edit.seconds, stiffness=edit.stiffness, strength=edit.strength, weld=edit.weld)


def _pieces(simulation: Edited, body: str) -> list[str]:
    return [name for name in simulation.body_names if simulation.origin(name)[0] == body]


def _cut_all(simulation: Edited, edit: Cut) -> None:
    """Cut every piece that a plane passes through; one that it misses is no mistake if it meets another."""
    missed: list[SuppleError] = []
    pieces = _pieces(simulation, edit.body)
    for name in pieces:
        try:
            simulation.cut(name, plane=(edit.plane_point, edit.plane_normal))
        except SuppleError as error:
            missed.append(error)
    if len(missed) == len(pieces):
        raise missed[-1]


def _heirs(simulation: Edited, name: str, points: list[int]) -> list[int]:
    """Return the vertices of a body that declared ones have become, in their order; lost ones are left out."""
    _, births, weights = simulation.origin(name)
    whole = np.flatnonzero(weights[:, 0] == 1.0)
    heirs = {int(births[vertex, 0]): vertex for vertex in whole[::-1].tolist()}
    return [heirs[point] for point in points if point in heirs]
