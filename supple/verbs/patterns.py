"""The verb `write_pattern`: the panels of a garment as they are now, drawn flat again."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.scene.bodies.cloth import Cloth
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.error_messages import listed, suggestion
from supple.scene.files.pattern_writer import write_panels
from supple.verbs.edits import Edits
from supple.verbs.queries import Queries
from supple.verbs.session import Session

STRAIGHT = 1.0e-6
"""Part of its length by which a border may leave a straight line and count as straight [-]."""


class Patterns:
    """Draws garments of a session flat."""

    def __init__(self, session: Session, queries: Queries, edits: Edits) -> None:
        """Look at a session."""
        self._session, self._queries, self._edits = session, queries, edits

    def write(self, garment: str, file: str | os.PathLike[str]) -> list[str]:
        """Write the panels of a garment; return their names. See `Simulation.write_pattern`."""
        scene = self._session.engine.scene
        panels = {
            body.name or "": body
            for body in scene.bodies
            if isinstance(body, Cloth) and body.garment == garment and isinstance(body.shape, Panel)
        }
        if not panels:
            known = {body.garment for body in scene.bodies if isinstance(body, Cloth) and body.garment}
            names = f"Garments: {listed(sorted(known))}." if known else "There is none in the scene."
            raise SuppleError(f"there is no garment {garment!r}. {names}{suggestion(garment, known)}")
        drawn: dict[str, Cloth] = {}
        whole: dict[str, str] = {}
        for body in self._session.body_names:
            origin, points, weights = self._edits.origin(body)
            if origin not in panels:
                continue
            name = body.removeprefix(f"{garment}-")
            declared = panels[origin]
            assert isinstance(declared.shape, Panel)
            triangles = self._queries.triangles(body)
            if len(triangles) == len(declared.shape.surface_triangles()) and (weights[:, 0] == 1.0).all():
                drawn[name] = declared.changed(shape=declared.shape.sized(declared.sizes), sizes={})
                whole[origin] = name
            else:
                flat = np.einsum("nk,nkx->nx", weights, declared.rest_points()[points])[:, :2]
                drawn[name] = _cut_piece(body, declared, flat, triangles)
        stitches: list[Any] = [
            (stitch, whole) for stitch in scene.stitches if stitch.a[0] in whole and stitch.b[0] in whole
        ]
        write_panels(drawn, stitches, file)
        return list(drawn)


def _cut_piece(body: str, declared: Cloth, flat: NDArray[np.float64], triangles: NDArray[np.int64]) -> Cloth:
    """Return a piece that was cut as a panel whose outline runs along its border."""
    corners = flat[triangles]
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    if not ((areas > 0.0).all() or (areas < 0.0).all()):
        raise SuppleError(f"{body!r} was cut and sewn to itself, so it cannot be laid flat.")
    loops = sorted(
        (_without_straight(flat[loop]) for loop in _border_loops(body, triangles)),
        key=lambda loop: -abs(_area(loop)),
    )
    assert isinstance(declared.shape, Panel)
    values = {"outline": loops[0].tolist(), "holes": [loop.tolist() for loop in loops[1:]]}
    shape = Panel.model_validate({**values, "size": declared.shape.size})
    return declared.changed(shape=shape, sizes={}, pins=(), anchors=(), regions=())


def _border_loops(body: str, triangles: NDArray[np.int64]) -> list[list[int]]:
    """Return the loops of vertices around triangles, as the triangles turn."""
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).tolist()
    inner = {(b, a) for a, b in sides}
    after: dict[int, int] = {}
    for a, b in sides:
        if (a, b) not in inner:
            if a in after:
                raise SuppleError(f"{body!r} hangs together by a single point, so it has no outline.")
            after[a] = b
    loops = []
    while after:
        first, vertex = next(iter(after.items()))
        del after[first]
        loop = [first]
        while vertex != first:
            loop.append(vertex)
            vertex = after.pop(vertex)
        loops.append(loop)
    return loops


def _without_straight(loop: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a loop (n, 2) without the points that lie on straight lines between their neighbours."""
    before, after = loop - np.roll(loop, 1, axis=0), np.roll(loop, -1, axis=0) - loop
    turn = np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])
    is_corner = turn > STRAIGHT * (before**2).sum(axis=1) + STRAIGHT * (after**2).sum(axis=1)
    return loop[is_corner] if is_corner.sum() >= 3 else loop


def _area(loop: NDArray[np.float64]) -> float:
    after = np.roll(loop, -1, axis=0)
    return float(0.5 * (loop[:, 0] * after[:, 1] - loop[:, 1] * after[:, 0]).sum())
