"""Strokes that pages draw on cloth, turned into cuts, seams, shrinking and holes.

A page says where on which triangles it drew; here that becomes what the simulation is asked for. Chains follow edges:
of all paths between the ends of a stroke, the one that is short and stays near it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.simulation import Simulation
from supple.studio.connection import protocol
from supple.studio.tools.edge_paths import cheapest_paths

SHRINK_SECONDS = 0.5
"""How long it takes until what was brushed has shrunk [s]."""

SEAM_SECONDS = 0.8
"""How long a needle takes to close its seam [s]."""

BORDER_BONUS = 0.35
"""What an edge of the border costs a needle, over one inside: people sew along borders."""

BEYOND = 1.5
"""How far the path of a knife that left the cloth is continued, in edges, so that it does leave it."""

FARTHEST_FROM_STROKE = 5.0
"""Farthest a chain goes from the stroke it follows, in edges."""

SMOOTH = 0.25
"""How far a knife may leave what was drawn, in edges: a hand trembles, and what it draws has more places than edges."""

BRUSH_MARGIN = 2.0
"""How much farther than its radius a brush reaches along the threads, which go round corners, in edges."""

Points = NDArray[np.float64]
Indices = NDArray[np.int64]
_Place = TypeVar("_Place")


class ClothStrokes:
    """Edits by strokes on the bodies of one simulation, as one world of the pages shows them."""

    def __init__(self, simulation: Simulation, world: int) -> None:
        """Do nothing yet.

        Args:
            simulation: what to edit
            world: number of the world that the pages know these bodies by
        """
        self._simulation = simulation
        self._world = world

    # ------------------------------------------------------------------ tools

    def cut(self, message: protocol.Cut) -> None:
        """Lead a knife along paths, or scissors along edges near them."""
        self._check_world(message.world)
        if message.along_edges:
            chains = [(path.body, self.edge_chain(path, border=1.0)) for path in message.paths]
            self._each(chains, lambda body, chain: self._simulation.cut(body, edges=chain))
            return
        cuts = [(path.body, self._knife_path(path)) for path in message.paths]
        self._each(cuts, self._cut_along)

    def sew(self, message: protocol.Sew) -> None:
        """Join two chains of edges."""
        self._check_world(message.world)
        a, b = (self.edge_chain(path, border=BORDER_BONUS) for path in (message.first, message.second))
        self._simulation.seam((message.first.body, a), (message.second.body, b), SEAM_SECONDS)

    def shrink(self, message: protocol.Shrink) -> None:
        """Let the cloth under a brush shrink or grow."""
        self._check_world(message.world)
        for body, paths in _by_body(message.paths).items():
            under = np.flatnonzero(self._under(body, paths, message.radius))
            self._simulation.shrink(body, under.tolist(), message.ratio, SHRINK_SECONDS)

    def erase(self, message: protocol.Erase) -> None:
        """Take the triangles under an eraser away."""
        self._check_world(message.world)
        marked = []
        for body, paths in _by_body(message.paths).items():
            triangles = self._simulation.triangles(body)
            # Whole triangles: the rim of the hole follows the threads.
            is_under = self._under(body, paths, message.radius)[triangles].all(axis=1)
            if not is_under.any():
                is_under = _is_among(triangles, np.concatenate([self._corners(path) for path in paths]))
            marked.append((body, np.flatnonzero(is_under)))
        self._each(marked, lambda body, rows: self._simulation.erase(body, rows.tolist()))

    # ------------------------------------------------------------------ from strokes to places

    def _check_world(self, world: int) -> None:
        if world != self._world:
            raise SuppleError("the cloth has changed since this was drawn. Draw it again.")

    def _corners(self, path: protocol.SurfacePath) -> Indices:
        count = len(
            self._simulation.surface(path.body)[0]
        )  # a smooth soft body shows more points than it has
        corners = np.array(path.corners, dtype=np.int64)
        if len(path.weights) != len(corners):
            raise SuppleError("a path has as many weights as corners.")
        if corners.max() >= count:
            raise SuppleError(f"{path.body!r} has {count} vertices; {corners.max()} is none of them.")
        return corners

    def _places(self, path: protocol.SurfacePath) -> Points:
        """Return where a path is now, (count, 3) [m]."""
        corners, weights = self._corners(path), np.array(path.weights)
        totals = weights.sum(axis=1)
        if not ((totals > 0.99) & (totals < 1.01)).all():
            raise SuppleError("the weights of a place on a path must sum to 1.")
        positions = self._simulation.surface(path.body)[0]
        places: Points = np.einsum("nk,nkx->nx", weights / totals[:, None], positions[corners])
        return places

    def _is_soft(self, body: str) -> bool:
        """Tell whether a body is made of elements: it has edges, and no springs along them."""
        return not len(self._simulation.rest_lengths(body))

    def _edge_lengths(self, body: str) -> Points:
        """Return the lengths of the springs of a body at rest, or of the edges of a soft one now, (edge_count,) [m]."""
        if not self._is_soft(body):
            return self._simulation.rest_lengths(body)
        ends = self._simulation.positions(body)[self._simulation.edges(body)]
        lengths: Points = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
        return lengths

    def _knife_path(self, path: protocol.SurfacePath) -> Points:
        """Return the points a knife goes through: the path, continued where it came from beside the cloth or went there."""
        places = self._places(path)
        steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        places = places[np.concatenate([[True], steps > 1e-9])]
        if len(places) < 2:
            raise SuppleError(f"this stroke on {path.body!r} is too short to cut.")
        edge = float(np.median(self._edge_lengths(path.body)))
        beyond = BEYOND * edge
        places = places[_corners_of(places, SMOOTH * edge)]
        if path.from_beside:
            places = np.concatenate([[places[0] + _onward(places[::-1], beyond)], places])
        if path.to_beside:
            places = np.concatenate([places, [places[-1] + _onward(places, beyond)]])
        return places

    def _cut_along(self, body: str, line: Points) -> None:
        """Cut the piece of a body under a line: an earlier path of the same stroke may have parted the body."""
        origin = self._simulation.origin(body)[0]
        middle = line[len(line) // 2]

        def distance(name: str) -> float:
            return float(np.linalg.norm(self._simulation.positions(name) - middle, axis=1).min())

        pieces = [name for name in self._simulation.body_names if self._simulation.origin(name)[0] == origin]
        self._simulation.cut(min(pieces, key=distance), path=line)

    def edge_chain(self, path: protocol.SurfacePath, border: float) -> list[int]:
        """Return vertices along edges, from one end of a path to the other and near it.

        Args:
            path: what was drawn
            border: what an edge of the border costs, over one inside
        """
        name = path.body
        if self._is_soft(name):
            raise SuppleError(f"{name!r} is a soft body: the knife cuts it, scissors and needle do not.")
        places, corners = self._places(path), self._corners(path)
        positions, triangles = self._simulation.positions(name), self._simulation.triangles(name)
        edges, is_border = _edges(triangles) if len(triangles) else (self._simulation.edges(name), None)
        lengths = np.linalg.norm(positions[edges[:, 0]] - positions[edges[:, 1]], axis=1)
        usual = float(np.median(lengths))
        line = places[_corners_of(places, SMOOTH * usual)]
        middles = 0.5 * (positions[edges[:, 0]] + positions[edges[:, 1]])
        away = _distances(middles, line, limit=FARTHEST_FROM_STROKE * usual)
        is_close = away < FARTHEST_FROM_STROKE * usual
        edges, lengths, away = edges[is_close], lengths[is_close], away[is_close]
        costs = lengths * (1.0 + (away / usual) ** 2) + 1e-12
        inside = np.zeros(len(positions))
        if is_border is not None:
            is_border = is_border[is_close]
            costs[is_border] *= border
            inside[:] = usual
            inside[edges[is_border].ravel()] = 0.0
        # Scissors start inside the cloth if that is where the stroke starts; a needle looks for the border.
        wishes = [2.0 if beside else 1.0 - border for beside in (path.from_beside, path.to_beside)]
        first, last = (
            _end(positions, edges, corners[n], places[n], wish * inside)
            for n, wish in zip((0, -1), wishes, strict=True)
        )
        _, before = cheapest_paths(edges, costs, [first])
        chain = [last]
        while chain[-1] != first:
            if chain[-1] not in before:
                raise SuppleError(f"no edges of {name!r} lead from one end of this stroke to the other.")
            chain.append(before[chain[-1]])
        if len(chain) < 2:
            raise SuppleError(f"this stroke on {name!r} is shorter than an edge.")
        return chain[::-1]

    def _under(self, body: str, paths: Sequence[protocol.SurfacePath], radius: float) -> NDArray[np.bool_]:
        """Return which vertices of a body lie under a brush.

        They are within its radius, and it can get to them along the springs: another fold that lies near is none of it.
        """
        positions = self._simulation.positions(body)
        if self._is_soft(body):
            raise SuppleError(f"{body!r} is a soft body: the knife cuts it, brush and eraser do not.")
        edges, lengths = self._simulation.edges(body), self._simulation.rest_lengths(body)
        usual = float(np.median(lengths))
        reach = radius + BRUSH_MARGIN * usual
        away = np.full(len(positions), np.inf)
        for path in paths:
            places = self._places(path)
            line = places[_corners_of(places, SMOOTH * min(usual, radius))]
            # Cloth that is stretched by a third at most: the rest of the body need not be searched.
            np.minimum(away, _distances(positions, line, limit=1.3 * reach), out=away)
        is_close = away[edges[:, 0]] < 1.3 * reach
        seeds = np.concatenate([self._main_corners(path) for path in paths]).tolist()
        found, _ = cheapest_paths(edges[is_close], lengths[is_close], seeds, limit=reach)
        is_reached = np.zeros(len(positions), np.bool_)
        is_reached[list(found)] = True
        return is_reached & (away <= radius)

    def _main_corners(self, path: protocol.SurfacePath) -> Indices:
        corners = self._corners(path)
        main: Indices = corners[np.arange(len(corners)), np.argmax(path.weights, axis=1)]
        return main

    # ------------------------------------------------------------------ several at once

    def _each(self, parts: list[tuple[str, _Place]], edit: Callable[[str, _Place], None]) -> None:
        """Make an edit on every part of a stroke; where some fail the others stand, where all fail the first says why."""
        failures = []
        for body, place in parts:
            try:
                edit(body, place)
            except SuppleError as failure:
                failures.append(failure)
        if len(failures) == len(parts):
            raise failures[0]


def _by_body(paths: Sequence[protocol.SurfacePath]) -> dict[str, list[protocol.SurfacePath]]:
    found: dict[str, list[protocol.SurfacePath]] = {}
    for path in paths:
        found.setdefault(path.body, []).append(path)
    return found


def _onward(places: Points, distance: float) -> Points:
    """Return the displacement by `distance` [m] that continues the last stretch of some places."""
    back = next((p for p in places[::-1] if np.linalg.norm(places[-1] - p) > 0.5 * distance), places[0])
    onward: Points = places[-1] - back
    onward *= distance / max(float(np.linalg.norm(onward)), 1e-12)
    return onward


def _corners_of(places: Points, tolerance: float) -> list[int]:
    """Return which places a line must pass through to stay within `tolerance` [m] of all (Douglas and Peucker 1973)."""
    kept, waiting = {0, len(places) - 1}, [(0, len(places) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        away = _distances(places[first + 1 : last], places[[first, last]])
        if away.max() > tolerance:
            middle = first + 1 + int(np.argmax(away))
            kept.add(middle)
            waiting += [(first, middle), (middle, last)]
    return sorted(kept)


def _edges(triangles: Indices) -> tuple[Indices, NDArray[np.bool_]]:
    """Return the edges of triangles, (edge_count, 2), and which of them have one triangle only."""
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    base = int(triangles.max()) + 1
    keys, counts = np.unique(sides[:, 0] * base + sides[:, 1], return_counts=True)
    return np.stack([keys // base, keys % base], axis=1), counts == 1


def _distances(points: Points, line: Points, limit: float = math.inf) -> NDArray[np.float64]:
    """Return how far each point (count, 3) is from a line through places (place_count, 3) [m], infinite beyond `limit`."""
    away = np.full(len(points), np.inf)
    low, high = line.min(axis=0) - limit, line.max(axis=0) + limit
    near = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
    points = points[near]
    best: NDArray[np.float64] = np.linalg.norm(points - line[0], axis=1)
    for start, end in itertools.pairwise(line):
        along = end - start
        square = float(along @ along)
        share = (
            np.clip((points - start) @ along / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(points))
        )
        np.minimum(best, np.linalg.norm(points - start - share[:, None] * along, axis=1), out=best)
    away[near] = best
    return away


def _end(
    positions: Points, edges: Indices, corners: Indices, place: Points, penalties: NDArray[np.float64]
) -> int:
    """Return the vertex that is nearest to a place in a triangle, after what choosing it costs [m].

    It is a corner of the triangle or joined to one by an edge: cloth that only lies near is none of it.
    """
    around = np.unique(edges[np.isin(edges, corners).any(axis=1)])
    near = np.union1d(around, corners)
    away = np.linalg.norm(positions[near] - place, axis=1) + penalties[near]
    return int(near[np.argmin(away)])


def _is_among(triangles: Indices, wanted: Indices) -> NDArray[np.bool_]:
    """Return which triangles (count, 3) have the same corners as one of those wanted, in whatever order."""
    base = int(triangles.max(initial=0)) + 1
    powers = np.array([base * base, base, 1])
    return np.isin(np.sort(triangles, axis=1) @ powers, np.sort(wanted, axis=1) @ powers)
