"""Verbs of asking: what a running simulation tells about itself. Nothing here changes anything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.arguments import Triple, as_point
from supple.errors import SuppleError
from supple.model.skin import Skin
from supple.scene.bodies.puppet import Puppet
from supple.scene.soft_shapes.closed_surface import enclosed_volume, open_edge
from supple.verbs.session import Session


class Queries:
    """Answers questions about bodies, obstacles, air and contact."""

    def __init__(self, session: Session) -> None:
        """Ask a session."""
        self._session, self._engine = session, session.engine

    def positions(self, body: str) -> NDArray[np.float64]:
        """Return the points of a body, (vertex_count, 3) [m], as a read-only view, live until an edit."""
        return _read_only(self._engine.world.particles.positions[self._session.body(body).particles])

    def velocities(self, body: str) -> NDArray[np.float64]:
        """Return the velocities of a body, (vertex_count, 3) [m/s], as a read-only view, live until an edit."""
        return _read_only(self._engine.world.particles.velocities[self._session.body(body).particles])

    def masses(self, body: str) -> NDArray[np.float64]:
        """Return the masses of a body, (vertex_count,) [kg], as a read-only view, live until an edit."""
        return _read_only(self._engine.world.particles.masses[self._session.body(body).particles])

    def triangles(self, body: str) -> NDArray[np.int64]:
        """Return the surface of a body, (triangle_count, 3) vertex indices; empty for chains."""
        return _read_only(self._session.body(body).triangles)

    def surface(self, body: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what a body looks like: points (n, 3) [m] and triangles (t, 3), a moment's copy or view."""
        points, triangles = self._engine.skins.placed(self._session.body(body))
        return _read_only(points), _read_only(triangles)

    def skin(self, body: str) -> Skin | None:
        """Return how the surface of a soft body hangs on its vertices; None if it is made of them."""
        return self._engine.skins.of(self._session.body(body))

    def edges(self, body: str) -> NDArray[np.int64]:
        """Return the springs of a body, or the edges of a soft one, (edge_count, 2) vertex indices."""
        found = self._session.body(body)
        if found.tetrahedra.stop > found.tetrahedra.start or body in self._engine.world.levels:
            return _read_only(self._engine.soft_measures.edges(found))
        ends = self._engine.world.springs.ends[found.springs].astype(np.int64) - found.particles.start
        return _read_only(ends)

    def rest_lengths(self, body: str) -> NDArray[np.float64]:
        """Return the lengths at rest of the springs of a body, (spring_count,) [m], as a read-only view."""
        return _read_only(self._engine.world.springs.rest_lengths[self._session.body(body).springs])

    def level_shares(self, body: str) -> NDArray[np.float64]:
        """Return how finely each vertex of a body is computed now, (vertex_count,): 0 the coarsest level, 1 the finest."""
        span = self._session.body(body).particles
        levels = self._engine.world.levels.get(body)
        if levels is None:
            return np.ones(span.stop - span.start)
        return levels.node_levels() / (levels.count - 1)

    @property
    def levelled_bodies(self) -> tuple[str, ...]:
        """Names of the bodies of several levels of detail."""
        return tuple(self._engine.world.levels)

    def touching(self, body: str, obstacle: str | None = None) -> NDArray[np.bool_]:
        """Return which points of a body touched an obstacle in the last substep, (vertex_count,)."""
        solids = self._engine.obstacles.touched[self._session.body(body).particles]
        touched: NDArray[np.bool_] = solids >= 0
        if obstacle is not None:
            touched &= self._engine.obstacles.owners[solids] == self._session.obstacle(obstacle)
        return touched

    def contact_forces(self, body: str) -> NDArray[np.float64]:
        """Return what obstacles, puppets and other surfaces did to the points of a body, (vertex_count, 3) [N]."""
        span, forces = self._session.body(body).particles, self._engine.reactions.forces()
        total: NDArray[np.float64] = forces.contacts[span] + forces.surfaces[span]
        return total

    def pin_forces(self, body: str) -> NDArray[np.float64]:
        """Return what pins, hands and anchors did to the points of a body, (vertex_count, 3) [N]."""
        found = self._session.body(body)
        if isinstance(self._engine.scene.body(found.origin), Puppet):
            raise SuppleError(
                f"{body!r} is a puppet: it goes where its samples say, and no force is needed for that."
            )
        return self._engine.reactions.forces().pins[found.particles].copy()

    def pinned(self, body: str) -> NDArray[np.int64]:
        """Return the vertices of a body that are held, ascending."""
        held = self._engine.kinematic.points()
        span = self._session.body(body).particles
        inside: NDArray[np.int64] = held[(held >= span.start) & (held < span.stop)] - span.start
        return inside

    def obstacle_surface(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what an obstacle looks like: vertices (n, 3) [m] in its own axes and triangles (t, 3)."""
        return self._engine.scene.obstacles[self._session.obstacle(obstacle)].surface()

    def obstacle_pose(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where an obstacle is now: its place (3,) [m] and its rotation matrix (3, 3)."""
        pose = self._engine.obstacles.pose(self._session.obstacle(obstacle))
        return pose[9:].copy(), pose[:9].reshape(3, 3).copy()

    def obstacle_velocity(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how an obstacle that has a mass moves: velocity of its centre [m/s] and spin [rad/s], (3,) each."""
        return self._engine.obstacles.velocity(self._session.obstacle(obstacle))

    def obstacle_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the force of all contacts on an obstacle, the mean of the last frame, (3,) [N]."""
        return self._obstacle_reaction(self._session.obstacle(obstacle))[:3]

    def obstacle_torque(self, obstacle: str, about: Triple | None = None) -> NDArray[np.float64]:
        """Return the torque of all contacts on an obstacle, the mean of the last frame, (3,) [N·m]."""
        index = self._session.obstacle(obstacle)
        centre = self._engine.obstacles.pose(index)[9:] if about is None else as_point("about", about)
        reaction = self._obstacle_reaction(index)
        torque: NDArray[np.float64] = reaction[3:] - np.cross(centre, reaction[:3])
        return torque

    def _obstacle_reaction(self, index: int) -> NDArray[np.float64]:
        """Return force and moment about the world's origin of contacts on an obstacle in the last frame, (6,) [N, N·m]."""
        reactions, obstacles = self._engine.reactions, self._engine.obstacles
        more = np.zeros((len(obstacles.owners), 6))
        if obstacles.declared[index].mass is not None:  # that is what really moved it
            return obstacles.mean_reaction(index, more)
        touching = np.flatnonzero(reactions.solids >= 0)
        closing = -reactions.forces().corrections[touching]
        moments = np.cross(self._engine.world.particles.positions[touching], closing)
        np.add.at(more, reactions.solids[touching], np.concatenate([closing, moments], axis=1))
        return obstacles.mean_reaction(index, more)

    def air_force(self, body: str) -> NDArray[np.float64]:
        """Return what air and water did to a body in the last substep, buoyancy included, (3,) [N]."""
        return self._engine.air.force(self._session.body(body))

    def pressure(self, body: str) -> float:
        """Return the overpressure of the gas inside a cloth now [Pa]; 0 if it holds none."""
        return self._engine.gas.pressure(self._session.body(body).name)

    def volume(self, body: str) -> float:
        """Return the volume inside the surface of a body that is closed [m³]."""
        found = self._session.body(body)
        if len(found.triangles) == 0 or open_edge(found.triangles) is not None:
            raise SuppleError(f"the surface of {body!r} is not closed, so it encloses no volume.")
        return enclosed_volume(self.positions(body), found.triangles)

    def wind_at(self, points: Triple | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the velocity of the air now, behind obstacles too, at (n, 3) places [m], or at one (3,) [m/s]."""
        places = np.array(points, dtype=np.float64)
        found = self._engine.air.velocities_at(places.reshape(-1, 3))
        return found.reshape(places.shape)

    def tool_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the same as `obstacle_force`."""
        return self.obstacle_force(obstacle)

    def largest_tool_force(self) -> float:
        """Return the largest `tool_force` on any obstacle [N]; 0 without soft bodies."""
        if not self._engine.world.has_soft_bodies:
            return 0.0
        forces = [self._obstacle_reaction(n)[:3] for n in range(len(self._engine.scene.obstacles))]
        return max((float(np.linalg.norm(force)) for force in forces), default=0.0)

    def depth(self) -> float:
        """Return how deep the deepest free particle is inside an obstacle [m]; negative if none is."""
        depths = self._engine.obstacles.depths()[~self._engine.world.particles.is_fixed]
        return float(depths.max(initial=-math.inf))

    def intersections(self) -> int:
        """Return how many edges pass through triangles of any body now, puppets aside; 0 if all contact is exact."""
        return len(self._engine.intersections.find())

    def intersection_places(self) -> NDArray[np.float64]:
        """Return where edges pass through triangles now, (intersections, 3) [m]."""
        return self._engine.intersections.places()


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.setflags(write=False)
    return view
