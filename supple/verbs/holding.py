"""Verbs of holding: vertices grabbed, pinned and let go, obstacles led by hand."""

from __future__ import annotations

import numpy as np

from supple.arguments import Triple, as_point
from supple.errors import SuppleError
from supple.scene.scene import attachment_mistake
from supple.scene.timeline.actions import Free, Grab, Hold, Release
from supple.verbs.session import Session


class Holding:
    """Turns vertices into kinematic points, and back."""

    def __init__(self, session: Session) -> None:
        """Work on a session."""
        self._session = session

    def grab(self, body: str, vertex: int, target: Triple) -> None:
        """Take a vertex by hand."""
        session, engine = self._session, self._session.engine
        goal = as_point("target", target)
        engine.kinematic.grab(session.particle(body, vertex), goal)
        engine.kinematic_changed()
        session.note(Grab, body=body, vertex=int(vertex), target=tuple(goal.tolist()))

    def release(self, body: str, vertex: int) -> None:
        """Let go of a grabbed vertex."""
        session, engine = self._session, self._session.engine
        engine.kinematic.release(session.particle(body, vertex))
        engine.kinematic_changed()
        session.note(Release, body=body, vertex=int(vertex))

    def release_all(self) -> None:
        """Let go of everything that is held by hand."""
        engine = self._session.engine
        for name, body in engine.world.bodies.items():
            for vertex in engine.kinematic.grabbed(body.particles):
                self.release(name, vertex)

    def pin(self, body: str, vertex: int, target: Triple | None, to: str | None) -> None:
        """Pin a vertex."""
        session, engine = self._session, self._session.engine
        particle = session.particle(body, vertex)
        if to is not None:
            self._attach(particle, target, to)
            return
        here = engine.world.particles.positions[particle].copy()
        goal = here if target is None else as_point("target", target)
        engine.kinematic.pin(particle, goal)
        engine.kinematic_changed()
        session.note(Hold, body=body, points=(int(vertex),), target=tuple(goal.tolist()))

    def _attach(self, particle: int, target: Triple | None, to: str) -> None:
        session, engine = self._session, self._session.engine
        if target is not None:
            raise SuppleError("`pin` takes a `target` or an obstacle to pin `to`, not both.")
        mistake = attachment_mistake(to, [*engine.scene.bodies, *engine.scene.obstacles])
        if mistake is not None:
            raise SuppleError(f"`to` {mistake}")
        engine.attach(np.array([particle]), to)
        engine.kinematic_changed()
        session.log.is_complete = False

    def unpin(self, body: str, vertex: int) -> None:
        """Free a pinned vertex."""
        session, engine = self._session, self._session.engine
        engine.kinematic.unpin(session.particle(body, vertex))
        engine.kinematic_changed()
        session.note(Free, body=body, points=(int(vertex),))

    def move_pin(self, body: str, vertex: int, target: Triple) -> None:
        """Move a pinned vertex."""
        session, engine = self._session, self._session.engine
        particle = session.particle(body, vertex)
        if not engine.kinematic.is_pinned(particle):
            raise SuppleError(f"vertex {vertex} of {body!r} is not pinned. Use `pin` first.")
        goal = as_point("target", target)
        engine.kinematic.pin(particle, goal)
        session.note(Hold, body=body, points=(int(vertex),), target=tuple(goal.tolist()))

    def move_obstacle(self, obstacle: str, at: Triple, rotation: Triple) -> None:
        """Lead an obstacle by hand."""
        session = self._session
        place, turn = as_point("at", at), as_point("rotation", rotation)
        session.engine.obstacles.set_target(session.obstacle(obstacle), place, turn)
        session.log.is_complete = False

    def release_obstacle(self, obstacle: str) -> None:
        """Let go of an obstacle."""
        session = self._session
        session.engine.obstacles.release(session.obstacle(obstacle))
