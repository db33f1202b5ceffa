"""Verbs of measuring: a tape along the cloth, and how garments press on whoever wears them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.model.surface_path import SurfacePath, shortest_path
from supple.scene.bodies.puppet import Puppet
from supple.scene.error_messages import listed, suggestion
from supple.verbs.queries import Queries
from supple.verbs.session import Session

SPREAD = 1.5
"""Radius over which the force on a point of cloth is spread on the body, in distances of such points [-]."""

CHUNK = 64
"""Points of cloth that are looked at together."""


@dataclass(frozen=True)
class PressureMap:
    """How cloth presses on an obstacle or a puppet, the mean of the last frame."""

    points: NDArray[np.float64]
    """(vertex_count, 3) of its surface, in the world [m]."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3)"""

    areas: NDArray[np.float64]
    """(vertex_count,) of the surface around each vertex [m²]."""

    forces: NDArray[np.float64]
    """(vertex_count, 3) of cloth on it, friction included [N]; their sum is that of all contacts."""

    pressures: NDArray[np.float64]
    """(vertex_count,) along the inward normal [Pa]."""


class Measures:
    """Measures the bodies of a session."""

    def __init__(self, session: Session, queries: Queries) -> None:
        """Look at a session."""
        self._session, self._queries = session, queries

    def tape_measure(self, body: str, vertices: Sequence[int]) -> SurfacePath:
        """Return the shortest way along a body over some of its vertices; see `Simulation.tape_measure`."""
        points, triangles = self._queries.positions(body), self._queries.triangles(body)
        stations = [int(vertex) for vertex in vertices]
        if len(stations) < 2:
            raise SuppleError(f"a tape needs two vertices at least, but `vertices` has {len(stations)}.")
        for vertex in stations:
            if not 0 <= vertex < len(points):
                raise SuppleError(
                    f"`vertices` names vertex {vertex}, but {body!r} has vertices 0 to {len(points) - 1}."
                )
        if not len(triangles):
            raise SuppleError(f"{body!r} has no surface that a tape could lie on.")
        paths = []
        for start, end in itertools.pairwise(stations):
            path = shortest_path(points, triangles, start, end)
            if path is None:
                raise SuppleError(
                    f"vertices {start} and {end} of {body!r} lie on pieces that do not hang together."
                )
            paths.append(path)
        corners = [path.points[:-1] for path in paths[:-1]] + [paths[-1].points]
        return SurfacePath(sum(path.length for path in paths), np.concatenate(corners))

    def pressure_map(self, wearer: str) -> PressureMap:
        """Return how cloth presses on an obstacle or a puppet; see `Simulation.pressure_map`."""
        engine = self._session.engine
        puppets = [body.name or "" for body in engine.scene.bodies if isinstance(body, Puppet)]
        forces = -engine.reactions.forces().contacts
        is_acting = (forces != 0.0).any(axis=1) & ~engine.world.particles.is_fixed
        solids = engine.reactions.solids
        if wearer in puppets:
            points, triangles = self._queries.positions(wearer), self._queries.triangles(wearer)
            is_acting &= (engine.puppets.touched >= 0) | (solids < 0)
            others = [self._queries.positions(name) for name in puppets if name != wearer]
        elif wearer in self._session.obstacle_names:
            local, triangles = self._queries.obstacle_surface(wearer)
            at, turn = self._queries.obstacle_pose(wearer)
            points, others = local @ turn.T + at, []
            index = self._session.obstacle(wearer)
            is_own = np.zeros(len(forces), dtype=np.bool_)
            known = solids >= 0
            is_own[known] = engine.obstacles.owners[solids[known]] == index
            is_acting &= is_own
        else:
            names = (*self._session.obstacle_names, *puppets)
            raise SuppleError(
                f"there is no obstacle or puppet {wearer!r}. There are: {listed(names)}.{suggestion(wearer, names)}"
            )
        return _spread(
            engine.world.particles.positions[is_acting],
            forces[is_acting],
            np.asarray(points),
            triangles,
            others,
        )


def _spread(
    places: NDArray[np.float64],
    forces: NDArray[np.float64],
    points: NDArray[np.float64],
    triangles: NDArray[np.int64],
    others: Sequence[NDArray[np.float64]],
) -> PressureMap:
    """Return forces at places as a map over the vertices of a surface, leaving out what is nearer to other surfaces."""
    corners = points[triangles]
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas, normals = np.zeros(len(points)), np.zeros_like(points)
    for k in range(3):
        np.add.at(areas, triangles[:, k], np.linalg.norm(crossed, axis=1) / 6.0)
        np.add.at(normals, triangles[:, k], crossed)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    received = np.zeros_like(points)
    used = np.unique(triangles)
    reach = SPREAD * float(np.sqrt(areas.sum() / max(1, len(used))))
    for first in range(0, len(places), CHUNK):
        some = places[first : first + CHUNK]
        apart = np.linalg.norm(some[:, None] - points[used][None], axis=2)
        nearest = apart.min(axis=1)
        is_own = np.ones(len(some), dtype=np.bool_)
        for other in others:
            is_own &= nearest <= np.linalg.norm(some[:, None] - other[None], axis=2).min(axis=1)
        weights = np.maximum(0.0, 1.0 - (apart / (nearest + reach)[:, None]) ** 2) ** 2
        weights *= (is_own / weights.sum(axis=1))[:, None]
        received[used] += weights.T @ forces[first : first + CHUNK]
    inward = -np.einsum("ij,ij->i", received, normals)
    pressures = np.where(areas > 0.0, np.maximum(inward, 0.0) / np.maximum(areas, 1e-30), 0.0)
    return PressureMap(points, triangles, areas, received, pressures)
