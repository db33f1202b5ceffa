"""A running engine, its parts by the names that users type, and the log of what they did."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.edit.history.action_log import ActionLog
from supple.engine import Engine
from supple.errors import SuppleError
from supple.model.world import BodyRange
from supple.scene.bodies.puppet import Puppet
from supple.scene.error_messages import listed, suggestion
from supple.scene.timeline.timed_entry import Timed


class Session:
    """What all groups of verbs share."""

    def __init__(self, engine: Engine) -> None:
        """Begin with an empty log."""
        self.engine = engine
        self.log = ActionLog()

    def note(self, kind: type[Timed], **values: Any) -> None:
        """Write into the log what was done now."""
        engine = self.engine
        self.log.add(kind, engine.frame / engine.settings.frame_rate, **values)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of the scene; pieces that have come off follow."""
        present = self.engine.world.bodies
        declared = {body.name: None for body in self.engine.scene.bodies if body.name in present}
        return tuple({**declared, **dict.fromkeys(present)})

    @property
    def obstacle_names(self) -> tuple[str, ...]:
        """Names of the obstacles, in the order of the scene."""
        return tuple(obstacle.name or "" for obstacle in self.engine.scene.obstacles)

    def body(self, name: str) -> BodyRange:
        """Return where a body stands in the tables of the world."""
        try:
            return self.engine.world.bodies[name]
        except (KeyError, TypeError):
            raise SuppleError(
                f"there is no body called {name!r}. Bodies: {listed(self.body_names)}."
                f"{suggestion(name, self.body_names)}"
            ) from None

    def spring_body(self, name: str) -> BodyRange:
        """Return a body of springs; soft bodies cannot be torn, sewn and shrunk."""
        body = self.body(name)
        if body.tetrahedra.stop > body.tetrahedra.start or name in self.engine.world.levels:
            raise SuppleError(
                f"{name!r} is a soft body: it can be cut, but only bodies of springs can be torn, sewn and shrunk."
            )
        return body

    def joinable_body(self, name: str) -> BodyRange:
        """Return a body whose points can be tied to others: one of springs, or a soft body of one level."""
        if name in self.engine.world.levels:
            raise SuppleError(
                f"{name!r} is a soft body of several levels: only points of bodies of one level can be joined."
            )
        return self.body(name)

    def particle(self, body: str, vertex: int) -> int:
        """Return the number of a vertex among all particles."""
        found = self.body(body)
        if isinstance(self.engine.scene.body(found.origin), Puppet):
            raise SuppleError(f"{body!r} is a puppet: it goes where its samples say, and nobody can hold it.")
        span = found.particles
        count = span.stop - span.start
        if isinstance(vertex, bool) or not isinstance(vertex, int | np.integer) or not 0 <= vertex < count:
            raise SuppleError(
                f"`vertex` is {vertex!r}, but the vertices of {body!r} run from 0 to {count - 1}."
            )
        return int(span.start + vertex)

    def obstacle(self, name: str) -> int:
        """Return the number of an obstacle in the scene."""
        if name not in self.obstacle_names:
            raise SuppleError(
                f"there is no obstacle called {name!r}. Obstacles: {listed(self.obstacle_names)}."
                f"{suggestion(name, self.obstacle_names)}"
            )
        return self.obstacle_names.index(name)
