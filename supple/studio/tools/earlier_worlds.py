"""Strokes drawn on bodies as they were before an edit, found again on the bodies as they are.

Edits renumber vertices. A page that draws while an edit is being made, which may take seconds where a tool is compiled the
first time, means places on the cloth, so each place is carried over by where it was on the body as the scene declares it.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.simulation import Simulation
from supple.studio.connection import protocol

KEPT_WORLDS = 16
"""Worlds of one scene that are remembered."""

CANDIDATES = 12
"""Triangles near a place that are looked at closely."""

MOST_PATHS = 16
"""Paths of one message."""

Points = NDArray[np.float64]
Indices = NDArray[np.int64]
Stroke = protocol.Cut | protocol.Sew | protocol.Shrink | protocol.Erase


class _Body(NamedTuple):
    origin: str
    """Name of the declared body it belonged to."""

    places: Points
    """(vertex_count, 3) where each vertex was at the start of the scene [m]."""

    triangles: Indices
    """(triangle_count, 3)"""


class EarlierWorlds:
    """What is remembered of the worlds that the pages of one scene have seen."""

    def __init__(self) -> None:
        """Remember nothing."""
        self._worlds: OrderedDict[int, dict[str, _Body]] = OrderedDict()

    def clear(self) -> None:
        """Forget everything: another scene, or the same from its start."""
        self._worlds.clear()

    def remember(self, world: int, simulation: Simulation) -> None:
        """Note the bodies of a world."""
        self._worlds[world] = {name: _declared_places(simulation, name) for name in simulation.body_names}
        while len(self._worlds) > KEPT_WORLDS:
            self._worlds.popitem(last=False)

    def carried_over(self, message: Stroke, world: int) -> Stroke:
        """Return what a stroke means in a later world; itself if it belongs there, or if nobody remembers its own."""
        if message.world == world or message.world not in self._worlds or world not in self._worlds:
            return message
        if isinstance(message, protocol.Sew):
            first, second = (
                max(self._found(path, message.world, world), key=lambda run: len(run.corners))
                for path in (message.first, message.second)
            )
            return message.model_copy(update={"world": world, "first": first, "second": second})
        found = [run for path in message.paths for run in self._found(path, message.world, world)]
        return message.model_copy(update={"world": world, "paths": tuple(found[:MOST_PATHS])})

    def _found(self, path: protocol.SurfacePath, before: int, now: int) -> list[protocol.SurfacePath]:
        """Return the paths on bodies of world `now` that lie where `path` lay; several where an edit came between."""
        body = self._worlds[before].get(path.body)
        corners = np.array(path.corners, dtype=np.int64)
        if body is None or corners.max() >= len(body.places) or len(path.weights) != len(corners):
            raise SuppleError("the cloth has changed since this was drawn. Draw it again.")
        places = np.einsum("nk,nkx->nx", np.array(path.weights), body.places[corners])
        others = {name: other for name, other in self._worlds[now].items() if other.origin == body.origin}
        located = {name: _located(places, other) for name, other in others.items()}
        if not located:
            raise SuppleError(f"{path.body!r} is gone since this was drawn.")
        names = list(located)
        closest = np.argmin([located[name][2] for name in names], axis=0)
        nearest = [names[number] for number in closest.tolist()]
        runs = [
            (name, list(group)) for name, group in itertools.groupby(range(len(places)), nearest.__getitem__)
        ]
        return [
            protocol.SurfacePath(
                body=name,
                corners=tuple((int(a), int(b), int(c)) for a, b, c in located[name][0][rows]),
                weights=tuple((float(a), float(b), float(c)) for a, b, c in located[name][1][rows]),
                from_beside=path.from_beside if number == 0 else True,
                to_beside=path.to_beside if number == len(runs) - 1 else True,
            )
            for number, (name, rows) in enumerate(runs)
        ]


def _declared_places(simulation: Simulation, name: str) -> _Body:
    """Return where the vertices of a body were when the scene started."""
    origin, points, weights = simulation.origin(name)
    start = np.asarray(simulation.scene.body(origin).start_points(), dtype=np.float64)
    places = np.einsum("nk,nkx->nx", weights, start[points])
    skin = simulation.skin(name)
    if skin is not None:
        places = skin.spread(places)
    return _Body(origin, places, np.array(simulation.surface(name)[1], dtype=np.int64))


def _located(places: Points, body: _Body) -> tuple[Indices, Points, Points]:
    """Return the nearest place of a body to each of `places`: corners (n, 3), weights (n, 3), distance (n,) [m]."""
    count = len(places)
    if len(body.triangles) == 0:
        vertices = _nearest(places, body.places, 1)
        distances = np.linalg.norm(body.places[vertices[:, 0]] - places, axis=1)
        return np.repeat(vertices, 3, axis=1), np.tile([1.0, 0.0, 0.0], (count, 1)), distances
    centres = body.places[body.triangles].mean(axis=1)
    near = _nearest(places, centres, min(CANDIDATES, len(centres)))
    corners = body.places[body.triangles[near]]  # (n, candidates, 3 corners, 3)
    weights = _inside_weights(places[:, None, :], corners)
    distances = np.linalg.norm(np.einsum("nck,nckx->ncx", weights, corners) - places[:, None, :], axis=2)
    best = distances.argmin(axis=1)
    rows = np.arange(count)
    return body.triangles[near[rows, best]], weights[rows, best], distances[rows, best]


def _nearest(places: Points, points: Points, count: int) -> Indices:
    """Return which points lie nearest to each of `places`, in no order: (n, count)."""
    rows = [np.argpartition(((points - place) ** 2).sum(axis=1), count - 1)[:count] for place in places]
    return np.array(rows, dtype=np.int64)


def _inside_weights(places: Points, corners: Points) -> Points:
    """Return barycentric weights of places in triangles, moved inside where they lie beside: (..., 3)."""
    a, b, c = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :]
    e, f, g = b - a, c - a, places - a
    ee, ef, ff = (e * e).sum(-1), (e * f).sum(-1), (f * f).sum(-1)
    eg, fg = (e * g).sum(-1), (f * g).sum(-1)
    whole = np.maximum(ee * ff - ef * ef, 1e-300)
    v, w = (ff * eg - ef * fg) / whole, (ee * fg - ef * eg) / whole
    weights = np.clip(np.stack([1.0 - v - w, v, w], axis=-1), 0.0, None)
    inside: Points = weights / weights.sum(axis=-1, keepdims=True)
    return inside
