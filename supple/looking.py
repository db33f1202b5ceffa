"""Looking: what a running simulation tells about itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.arguments import Triple
from supple.collide.narrow_phase.intersection_query import Intersections
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.self_contact.self_contact import SelfContact
from supple.constrain.kinematic_points import Holds
from supple.errors import SuppleError
from supple.forces.air import Air
from supple.forces.gas import Gas
from supple.forces.soft_body_measures import SoftMeasure
from supple.model.skin import Skin, Skins
from supple.model.world import BodyRange, World
from supple.scene.bodies.puppet import Puppet
from supple.scene.error_messages import listed, suggestion
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.scene.soft_shapes.closed_surface import enclosed_volume, open_edge


class Looking:
    """The part of `Simulation` that answers questions and changes nothing."""

    scene: Scene
    settings: Settings
    _world: World
    _holds: Holds
    _obstacles: Obstacles
    _air: Air
    _gas: Gas
    _contact: SelfContact
    _intersections: Intersections
    _soft: SoftMeasure
    _skins: Skins

    @property
    def frame_rate(self) -> float:
        """Frames per second of simulated time [1/s]."""
        return self.settings.frame_rate

    @property
    def frame_seconds(self) -> float:
        """Simulated duration of a frame [s]."""
        return 1.0 / self.settings.frame_rate

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of the scene; pieces that have come off follow."""
        present = self._world.bodies
        declared = {body.name: None for body in self.scene.bodies if body.name in present}
        return tuple({**declared, **dict.fromkeys(present)})

    @property
    def particle_count(self) -> int:
        """Number of mass points of all bodies."""
        return self._world.particles.count

    def positions(self, body: str) -> NDArray[np.float64]:
        """Return the points of a body, (vertex_count, 3) [m], as a read-only view, live until an edit."""
        return _read_only(self._world.particles.positions[self._body(body).particles])

    def velocities(self, body: str) -> NDArray[np.float64]:
        """Return the velocities of a body, (vertex_count, 3) [m/s], as a read-only view, live until an edit."""
        return _read_only(self._world.particles.velocities[self._body(body).particles])

    def masses(self, body: str) -> NDArray[np.float64]:
        """Return the masses of a body, (vertex_count,) [kg], as a read-only view, live until an edit."""
        return _read_only(self._world.particles.masses[self._body(body).particles])

    def triangles(self, body: str) -> NDArray[np.int64]:
        """Return the surface of a body, (triangle_count, 3) vertex indices; empty for chains."""
        return _read_only(self._body(body).triangles)

    def surface(self, body: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what a body looks like: points (n, 3) [m] and triangles (t, 3), a moment's copy or view.

        Of most bodies these are `positions` and `triangles`. A soft body that is `smooth` shows a finer surface
        that its tetrahedra carry; its own vertices are the first of the points.
        """
        points, triangles = self._skins.placed(self._body(body))
        return _read_only(points), _read_only(triangles)

    def skin(self, body: str) -> Skin | None:
        """Return how the surface of a soft body hangs on its vertices; None if it is made of them."""
        return self._skins.of(self._body(body))

    def edges(self, body: str) -> NDArray[np.int64]:
        """Return the springs of a body, or the edges of a soft one, (edge_count, 2) vertex indices."""
        found = self._body(body)
        if found.tetrahedra.stop > found.tetrahedra.start or body in self._world.levels:
            return _read_only(self._soft.edges(found))
        ends = self._world.springs.ends[found.springs].astype(np.int64) - found.particles.start
        return _read_only(ends)

    def rest_lengths(self, body: str) -> NDArray[np.float64]:
        """Return the lengths at rest of the springs of a body, (spring_count,) [m], as a read-only view."""
        return _read_only(self._world.springs.rest_lengths[self._body(body).springs])

    def level_shares(self, body: str) -> NDArray[np.float64]:
        """Return how finely each vertex of a body is computed now, (vertex_count,): 0 the coarsest level, 1 the finest."""
        span = self._body(body).particles
        levels = self._world.levels.get(body)
        if levels is None:
            return np.ones(span.stop - span.start)
        return levels.node_levels() / (levels.count - 1)

    @property
    def levelled_bodies(self) -> tuple[str, ...]:
        """Names of the bodies of several levels of detail."""
        return tuple(self._world.levels)

    def touching(self, body: str) -> NDArray[np.bool_]:
        """Return which points of a body touched an obstacle in the last substep, (vertex_count,)."""
        touched: NDArray[np.bool_] = self._obstacles.touched[self._body(body).particles] >= 0
        return touched

    def pinned(self, body: str) -> NDArray[np.int64]:
        """Return the vertices of a body that are held, ascending."""
        held = self._holds.points()
        span = self._body(body).particles
        inside: NDArray[np.int64] = held[(held >= span.start) & (held < span.stop)] - span.start
        return inside

    @property
    def obstacle_names(self) -> tuple[str, ...]:
        """Names of the obstacles, in the order of the scene."""
        return tuple(obstacle.name or "" for obstacle in self.scene.obstacles)

    def obstacle_surface(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what an obstacle looks like: vertices (n, 3) [m] in its own axes and triangles (t, 3)."""
        return self.scene.obstacles[self._obstacle(obstacle)].surface()

    def obstacle_pose(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where an obstacle is now: its place (3,) [m] and its rotation matrix (3, 3)."""
        pose = self._obstacles.pose(self._obstacle(obstacle))
        return pose[9:].copy(), pose[:9].reshape(3, 3).copy()

    def obstacle_velocity(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how an obstacle that has a mass moves: velocity of its centre [m/s] and spin [rad/s], (3,) each."""
        return self._obstacles.velocity(self._obstacle(obstacle))

    def obstacle_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the force of the last substep's contacts on an obstacle that has a mass, (3,) [N]."""
        return self._obstacles.force(self._obstacle(obstacle))

    def air_force(self, body: str) -> NDArray[np.float64]:
        """Return what air and water did to a body in the last substep, buoyancy included, (3,) [N]."""
        return self._air.force(self._body(body))

    def pressure(self, body: str) -> float:
        """Return the overpressure of the gas inside a cloth now [Pa]; 0 if it holds none."""
        return self._gas.pressure(self._body(body).name)

    def volume(self, body: str) -> float:
        """Return the volume inside the surface of a body that is closed [m³]."""
        found = self._body(body)
        if len(found.triangles) == 0 or open_edge(found.triangles) is not None:
            raise SuppleError(f"the surface of {body!r} is not closed, so it encloses no volume.")
        return enclosed_volume(self.positions(body), found.triangles)

    def wind_at(self, points: Triple | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the velocity of the air now, behind obstacles too, at (n, 3) places [m], or at one (3,) [m/s]."""
        places = np.array(points, dtype=np.float64)
        found = self._air.velocities_at(places.reshape(-1, 3))
        return found.reshape(places.shape)

    def tool_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the force of soft bodies on an obstacle, averaged over the last frame, (3,) [N].

        This is what a hand feels that leads a tool: force feedback, and the weight on a table.
        """
        return self._obstacles.felt(self._obstacle(obstacle))

    def largest_tool_force(self) -> float:
        """Return the largest `tool_force` on any obstacle [N]; 0 without soft bodies."""
        if not self._world.has_soft_bodies:
            return 0.0
        forces = [self._obstacles.felt(n) for n in range(len(self.scene.obstacles))]
        return max((float(np.linalg.norm(force)) for force in forces), default=0.0)

    def depth(self) -> float:
        """Return how deep the deepest free particle is inside an obstacle [m]; negative if none is."""
        depths = self._obstacles.depths()[~self._world.particles.is_fixed]
        return float(depths.max(initial=-math.inf))

    def intersections(self) -> int:
        """Return how many edges pass through triangles of any body now, puppets aside; 0 if all contact is exact.

        Cloth and soft bodies count whether they notice each other or not, so this also judges
        `self_contact = "points"` and "off". It is counted when asked, and takes about as long as a frame.
        """
        return len(self._intersections.find())

    def intersection_places(self) -> NDArray[np.float64]:
        """Return where edges pass through triangles now, (intersections, 3) [m]."""
        return self._intersections.places()

    def _obstacle(self, name: str) -> int:
        if name not in self.obstacle_names:
            raise SuppleError(
                f"there is no obstacle called {name!r}. Obstacles: {listed(self.obstacle_names)}."
                f"{suggestion(name, self.obstacle_names)}"
            )
        return self.obstacle_names.index(name)

    def _body(self, name: str) -> BodyRange:
        try:
            return self._world.bodies[name]
        except (KeyError, TypeError):
            raise SuppleError(
                f"there is no body called {name!r}. Bodies: {listed(self.body_names)}."
                f"{suggestion(name, self.body_names)}"
            ) from None

    def _particle(self, body: str, vertex: int) -> int:
        span = self._body(body).particles
        if isinstance(self.scene.body(self._body(body).origin), Puppet):
            raise SuppleError(f"{body!r} is a puppet: it goes where its samples say, and nobody can hold it.")
        count = span.stop - span.start
        if isinstance(vertex, bool) or not isinstance(vertex, int | np.integer) or not 0 <= vertex < count:
            raise SuppleError(
                f"`vertex` is {vertex!r}, but the vertices of {body!r} run from 0 to {count - 1}."
            )
        return int(span.start + vertex)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.setflags(write=False)
    return view
