"""Verbs of placing and pushing: where points are, how they move, and what force acts on them for a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.arguments import FARTHEST, Points, Triple, as_point
from supple.collide.self_contact.self_contact import SelfContact
from supple.errors import SuppleError
from supple.model.world import BodyRange
from supple.scene.bodies.puppet import Puppet
from supple.verbs.session import Session

FASTEST = 1.0e6
"""Largest speed along an axis that can be set [m/s]."""

STRONGEST = 1.0e9
"""Largest force along an axis [N]."""


class Placing:
    """Writes positions, velocities and forces of bodies, after it has checked them."""

    def __init__(self, session: Session) -> None:
        """Work on a session."""
        self._session = session

    def place(self, name: str, positions: Any, velocities: Any) -> None:
        """Put the points of a body elsewhere, or give them other velocities; None leaves them."""
        body = self._movable(name)
        places = None if positions is None else _rows("positions", positions, body, "metres", FARTHEST)
        speeds = None if velocities is None else _rows("velocities", velocities, body, "m/s", FASTEST)
        engine, particles = self._session.engine, self._session.engine.world.particles
        if places is not None:
            before = particles.positions[body.particles].copy()
            particles.positions[body.particles] = places
            try:
                self._refuse_intersections(name)
            except SuppleError:
                particles.positions[body.particles] = before
                raise
            engine.kinematic.pin_here(body.particles)
            particles.accelerations[body.particles] = 0.0
            if body.tetrahedra.stop > body.tetrahedra.start:
                engine.world.tetrahedra.turn_to(particles.positions)
            engine.forget_motion()
        if speeds is not None:
            particles.velocities[body.particles] = speeds
            engine.integrator.forget()
        if name in engine.world.levels:
            engine.level_of_detail.place(engine.world.levels[name])
        engine.measure()
        self._session.log.is_complete = False

    def push(self, name: str, vertex: int | None, force: Triple | None, forces: Points | None) -> None:
        """Let a force act on a vertex, or one on each of them, for the next frame."""
        session = self._session
        body = self._movable(name)
        if name in session.engine.world.levels:
            raise SuppleError(
                f"{name!r} has several levels of detail, and forces on single points would depend on which of them are in "
                "use. Declare it without `levels`, or move an obstacle against it."
            )
        if (forces is None) == (force is None and vertex is None):
            raise SuppleError("`push` needs a `vertex` and a `force`, or `forces` for all vertices.")
        if forces is not None:
            rows = _rows("forces", forces, body, "newtons", STRONGEST)
            points = np.arange(body.particles.start, body.particles.stop)
        elif force is None or vertex is None:
            raise SuppleError("`push` needs both, a `vertex` and a `force`.")
        else:
            points = np.array([session.particle(name, vertex)])
            rows = as_point("force", force)[None]
        session.engine.pushes.add(points, rows)
        session.log.is_complete = False

    def _movable(self, name: str) -> BodyRange:
        body = self._session.body(name)
        if isinstance(self._session.engine.scene.body(body.origin), Puppet):
            raise SuppleError(
                f"{name!r} is a puppet: it goes where its samples say, and nothing else moves it."
            )
        return body

    def _refuse_intersections(self, name: str) -> None:
        """Refuse places where cloth that must not pass through cloth does."""
        engine = self._session.engine
        if engine.contact.is_active:
            found = SelfContact(engine.scene, engine.world).crossings()
            if len(found):
                raise SuppleError(
                    f"at these positions {name!r} passes through itself or others at {len(found)} "
                    f"{'place' if len(found) == 1 else 'places'}, and contact is exact. Move the layers apart, or set "
                    '`self_contact="off"` first.'
                )


def _rows(name: str, value: Any, body: BodyRange, unit: str, most: float) -> NDArray[np.float64]:
    """Return a row of three finite numbers for every vertex."""
    count = body.particles.stop - body.particles.start
    try:
        rows = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise SuppleError(f"`{name}` must be an array of ({count}, 3) numbers in {unit}.") from None
    if rows.shape != (count, 3):
        raise SuppleError(
            f"`{name}` has the shape {rows.shape}, but {body.name!r} has {count} vertices: it must be ({count}, 3)."
        )
    wrong = np.flatnonzero(~(np.abs(rows) <= most).all(axis=1))
    if len(wrong):
        raise SuppleError(
            f"`{name}` of vertex {wrong[0]} is {rows[wrong[0]].tolist()}, but it must be finite numbers in {unit}, "
            f"{most:g} at most."
        )
    return rows
