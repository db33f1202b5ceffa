"""The verb `image`: what a camera sees of a running simulation, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.render.colours import COLOURS, OBSTACLE_COLOUR, PLANE_COLOUR
from supple.render.corner_normals import corner_normals
from supple.render.image import Drawing, Image, draw
from supple.render.view import camera_for
from supple.scene.bodies.chain import Chain
from supple.scene.camera import Camera
from supple.scene.error_messages import listed, suggestion
from supple.scene.obstacles.obstacle import Obstacle
from supple.verbs.queries import Queries
from supple.verbs.session import Session

LARGEST_SIDE = 8192
"""Longest side of an image [pixels]."""

NO_EDGES = np.zeros((0, 2), dtype=np.int64)

Surface = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]


class Images:
    """Draws the bodies and obstacles of a session."""

    def __init__(self, session: Session, queries: Queries) -> None:
        """Look at a session."""
        self._session, self._queries = session, queries
        self._surfaces: dict[str, tuple[Obstacle, Surface]] = {}
        """Points, triangles and normals of obstacles, in their own axes."""

    def image(self, camera: Camera | str | None, size: tuple[int, int]) -> Image:
        """Return what a camera sees; see `Simulation.image`."""
        checked = _checked_size(size)
        drawings = [*self._bodies(), *self._obstacles()]
        return draw(drawings, self._camera(camera, drawings), checked)

    def _camera(self, camera: Camera | str | None, drawings: list[Drawing]) -> Camera:
        if isinstance(camera, Camera):
            return camera
        cameras = {each.name: each for each in self._session.engine.scene.cameras}
        if camera is None:
            points = [drawing.points for drawing in drawings if not drawing.is_plane]
            return next(iter(cameras.values()), None) or camera_for(np.concatenate(points))
        if camera not in cameras:
            names = tuple(name or "" for name in cameras)
            known = f"Cameras: {listed(names)}." if names else "The scene has none."
            raise SuppleError(
                f"`camera` is {camera!r}, which is neither a Camera nor the name of one. {known}"
                f"{suggestion(camera, names)}"
            )
        return cameras[camera]

    def _bodies(self) -> list[Drawing]:
        engine = self._session.engine
        drawings = []
        for place, name in enumerate(self._session.body_names):
            declared = engine.scene.body(engine.world.bodies[name].origin)
            points, triangles = self._queries.surface(name)
            edges = NO_EDGES if len(triangles) else self._queries.edges(name)
            radius = 0.5 * declared.diameter if isinstance(declared, Chain) else 0.0
            colour = declared.colour or COLOURS[place % len(COLOURS)]
            drawings.append(Drawing(name, colour, points, triangles, edges, radius))
        return drawings

    def _obstacles(self) -> list[Drawing]:
        drawings = []
        for number, name in enumerate(self._session.obstacle_names):
            declared = self._session.engine.scene.obstacles[number]
            at, turn = self._queries.obstacle_pose(name)
            points, triangles, normals = self._surface(name, declared)
            is_plane = declared.kind == "plane"
            colour = declared.colour or (PLANE_COLOUR if is_plane else OBSTACLE_COLOUR)
            placed = points @ turn.T + at
            if is_plane:
                plane = np.stack([placed[0], turn @ normals[0, 0]])
                drawings.append(Drawing(name, colour, plane, triangles[:0], NO_EDGES, is_plane=True))
            else:
                drawings.append(Drawing(name, colour, placed, triangles, NO_EDGES, normals=normals @ turn.T))
        return drawings

    def _surface(self, name: str, declared: Obstacle) -> Surface:
        known = self._surfaces.get(name)
        if known is None or known[0] is not declared:
            points, triangles = declared.surface()
            known = declared, (points, triangles, corner_normals(points, triangles))
            self._surfaces[name] = known
        return known[1]


def _checked_size(size: tuple[int, int]) -> tuple[int, int]:
    try:
        width, height = size
        is_whole = width == int(width) and height == int(height)
    except (TypeError, ValueError):
        raise SuppleError(
            f"`size` is {size!r}, but it must be width and height in pixels: (128, 128)."
        ) from None
    if not is_whole or not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
        raise SuppleError(
            f"`size` is {size!r}, but width and height must be whole numbers from 1 to {LARGEST_SIDE}."
        )
    return int(width), int(height)
