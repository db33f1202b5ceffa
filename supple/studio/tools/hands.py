"""What each client holds by hand, where it goes, and how it flies on when let go."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.scene.rotations import (
    NO_ROTATION,
    conjugate,
    quaternion_of_vector,
    quaternion_product,
    rotated,
    rotation_vector,
)
from supple.simulation import Simulation
from supple.studio.connection.protocol import Grab, Move, Release
from supple.studio.connection.rigid_meshes import Solid

THROW_WINDOW = 0.1
"""How far back the motion of a hand counts for a throw [s]."""

STILL_AFTER = 0.12
"""A hand that has not moved for so long throws nothing [s]."""

LONGEST_GAP = 1.0
"""Farthest back the motion of a hand counts, however slow its page is [s]."""

SHORTEST_TIME = 1e-3
"""Time over which a motion must last to have a speed [s]."""

FASTEST_THROW = 25.0
"""Speed a throw is cut down to [m/s]."""

FASTEST_SPIN = 60.0
"""Spin a throw is cut down to [rad/s]."""

Vector = NDArray[np.float64]
HandKey = tuple[int, int]
"""Client and hand."""


@dataclass
class Held:
    """What one hand holds: a patch of a body, or a solid."""

    body: str
    vertices: tuple[int, ...]
    offsets: Vector
    """(vertex_count, 3) [m], from the hand to each vertex when it took hold."""

    target: Vector
    """(3,) [m], where the hand is."""

    placed: tuple[Vector, Vector | None]
    """Place (3,) [m] and turn of what is held that the last frame ended at; before the first frame, where it was taken."""

    solid: Solid | None = None
    solid_turn: Vector = field(default_factory=lambda: np.eye(3))
    """(3, 3) rotation of the solid when it was taken."""

    turn: Vector | None = None
    """Quaternion x, y, z, w since it took hold; None is not turned."""

    trail: deque[tuple[float, Vector, Vector]] = field(default_factory=lambda: deque(maxlen=64))
    """Times [s], places [m] the hand was at, and its turns since it took hold (quaternions)."""

    is_leaving: bool = False
    """Whether it was let go and flies on for one more frame."""

    def goals(self) -> Vector:
        """Return where the vertices are to be, (vertex_count, 3) [m]."""
        if self.turn is None:
            return self.target + self.offsets
        return self.target + rotated(self.offsets, self.turn)

    def solid_goal(self) -> Vector:
        """Return how the solid is to be turned, (3, 3)."""
        if self.turn is None:
            return self.solid_turn
        rotation: Vector = rotated(np.eye(3), self.turn).T
        return rotation @ self.solid_turn

    def note(self, time: float) -> None:
        """Add where the hand is at `time` [s] to its trail."""
        self.trail.append((time, self.target, NO_ROTATION if self.turn is None else self.turn))

    def fly_on(self, velocity: Vector, spin: Vector, seconds: float) -> None:
        """Go on for so long as fast as the hand moved [m/s], turning as fast as it turned [rad/s].

        It goes on from where the last frame left it, or where it was taken if there was none, not from where the hand is
        by now: so it leaves at the speed of the hand, not at that and what it was behind.
        """
        place, turn = self.placed
        self.target = place + velocity * seconds
        self.turn = turn
        if spin.any():
            self.turn = quaternion_product(
                quaternion_of_vector(spin * seconds), NO_ROTATION if turn is None else turn
            )
        self.is_leaving = True

    def throw(self, time: float) -> tuple[Vector, Vector]:
        """Return how fast the hand moved [m/s] and turned [rad/s] just before `time`, from its trail.

        The last few places count, not the last two: a mouse speaks about as often as the simulation
        takes a frame, and the last frame before letting go often saw no motion at all.
        """
        still = np.zeros(3), np.zeros(3)
        if len(self.trail) < 2:
            return still
        last_time, last, last_turn = self.trail[-1]
        # A page that draws slowly speaks seldom: look farther back then, and make less of silence.
        moments = [moment for moment, _, _ in self.trail][-7:]
        gap = median(later - earlier for earlier, later in pairwise(moments))
        window = max(THROW_WINDOW, min(2.5 * gap, LONGEST_GAP))
        if time - last_time > max(STILL_AFTER, window):
            return still
        within = [seen for seen in self.trail if last_time - seen[0] <= window]
        if last_time - within[0][0] < SHORTEST_TIME and len(within) < len(self.trail):
            # It was silent before its last motion, because it stood still: there, until the window began.
            within.insert(0, self.trail[-len(within) - 1])
        first_time, first, first_turn = within[0]
        seconds = min(last_time - first_time, window)
        if seconds < SHORTEST_TIME:
            return still
        spin = rotation_vector(quaternion_product(last_turn, conjugate(first_turn))) / seconds
        return _at_most((last - first) / seconds, FASTEST_THROW), _at_most(spin, FASTEST_SPIN)


class Hands:
    """All hands of all clients on one simulation.

    Messages are checked here; what does not fit raises a `SuppleError` and leaves the simulation
    alone. A vertex that a hand holds cannot be taken by another.
    """

    def __init__(self, simulation: Simulation, solids: list[Solid], centre: Vector, reach: float) -> None:
        """Start with nothing held.

        Args:
            simulation: what the hands reach into
            solids: what else they can take
            centre: (3,) middle of the world [m]
            reach: how far from it a hand may go [m]
        """
        self._simulation = simulation
        self._solids = {solid.name: solid for solid in solids}
        self._centre = centre
        self._reach = reach
        self._held: dict[HandKey, Held] = {}

    def grab(self, client: int, message: Grab) -> None:
        """Let a hand take hold."""
        key = (client, message.hand)
        target = self._within_reach(message.target)
        self._drop(key)
        solid = self._solids.get(message.body)
        if solid is not None:
            if not solid.is_movable:
                raise SuppleError(f"{solid.name!r} cannot be moved by hand.")
            if any(held.solid is solid for held in self._held.values()):
                raise SuppleError(f"another hand holds {solid.name!r}.")
            offset = np.array(solid.pose()[:3]) - target
            held = Held(
                body=solid.name,
                vertices=(),
                offsets=offset[None, :],
                target=target,
                placed=(target, None),
                solid=solid,
            )
            held.solid_turn = solid.rotation()
        else:
            held = self._held_patch(message, target)
        held.note(message.time)
        self._held[key] = held

    def _held_patch(self, message: Grab, target: Vector) -> Held:
        if not message.vertices or len(message.weights) != len(message.vertices):
            raise SuppleError("a grab names one to four vertices and a weight for each.")
        total = sum(message.weights)
        if not 0.99 <= total <= 1.01:
            raise SuppleError(f"the weights of a grab sum to {total:g}, but they must sum to 1.")
        positions = self._simulation.positions(message.body)
        vertices = tuple(dict.fromkeys(message.vertices))
        if len(vertices) != len(message.vertices):
            raise SuppleError("a grab names a vertex twice.")
        count = len(self._simulation.surface(message.body)[0])
        if max(vertices) >= count:
            raise SuppleError(f"{message.body!r} has {count} vertices; {max(vertices)} is none of them.")
        vertices, weights = underlying_vertices(self._simulation, message.body, vertices, message.weights)
        taken = {(held.body, vertex) for held in self._held.values() for vertex in held.vertices}
        if any((message.body, vertex) in taken for vertex in vertices):
            raise SuppleError("another hand holds this place.")
        patch = positions[list(vertices)].copy()
        # The point of the patch under the hand goes to the hand, the rest of it beside.
        under_hand = np.array(weights) @ patch / sum(weights)
        return Held(
            body=message.body,
            vertices=vertices,
            offsets=patch - under_hand,
            target=target,
            placed=(under_hand, None),
        )

    def move(self, client: int, message: Move) -> None:
        """Let a hand that holds something go to its new place."""
        held = self._held.get((client, message.hand))
        if held is None or held.is_leaving:
            raise SuppleError("this hand holds nothing.")
        target = self._within_reach(message.target)
        if held.trail and message.time < held.trail[-1][0]:
            raise SuppleError("this move is older than the one before it.")
        held.target = target
        held.turn = None if message.turn is None else _unit(np.array(message.turn))
        held.note(message.time)

    def release(self, client: int, message: Release) -> None:
        """Let go; what was moving goes on at that speed for one frame and then flies free."""
        key = (client, message.hand)
        held = self._held.get(key)
        if held is None or held.is_leaving:
            raise SuppleError("this hand holds nothing.")
        velocity, spin = held.throw(message.time)
        can_fly = held.solid is None or held.solid.is_free
        if can_fly and max(np.linalg.norm(velocity), np.linalg.norm(spin)) > 1e-3:
            held.fly_on(velocity, spin, self._simulation.frame_seconds)
        else:
            self._drop(key)

    def release_client(self, client: int) -> None:
        """Let go of everything a client holds."""
        for key in [key for key in self._held if key[0] == client]:
            self._drop(key)

    def release_all(self) -> None:
        """Let go of everything."""
        for key in list(self._held):
            self._drop(key)

    def forget(self) -> None:
        """Let go of everything after an edit: vertices may be called otherwise now."""
        self._held.clear()
        self._simulation.release_all()

    def before_frame(self) -> None:
        """Tell the simulation where everything held is to be at the end of the frame."""
        for held in self._held.values():
            goals = held.goals()
            held.placed = held.target, held.turn
            if held.solid is not None:
                x, y, z = goals[0].tolist()
                held.solid.move((x, y, z), held.solid_goal())
            for vertex, goal in zip(held.vertices, goals, strict=False):
                self._simulation.grab(held.body, vertex, goal)

    def after_frame(self) -> None:
        """Let go of what flies free now."""
        for key in [key for key, held in self._held.items() if held.is_leaving]:
            self._drop(key)

    def holds(self, body: str) -> set[int]:
        """Return the vertices of a body in some hand."""
        return {vertex for held in self._held.values() if held.body == body for vertex in held.vertices}

    def held_by(self, key: HandKey) -> Held | None:
        """Return what a hand of a client holds; None if nothing, or if it has let go."""
        held = self._held.get(key)
        return None if held is None or held.is_leaving else held

    @property
    def count(self) -> int:
        """Number of hands that hold something."""
        return len(self._held)

    def _drop(self, key: HandKey) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            for vertex in held.vertices:
                self._simulation.release(held.body, vertex)
            if held.solid is not None:
                held.solid.release()

    def _within_reach(self, target: tuple[float, float, float]) -> Vector:
        place = np.array(target, dtype=np.float64)
        if float(np.linalg.norm(place - self._centre)) > self._reach:
            raise SuppleError(f"a hand at {target} is more than {self._reach:g} m away from the scene.")
        return place


def _unit(quaternion: Vector) -> Vector:
    length = float(np.linalg.norm(quaternion))
    if length < 0.5:
        raise SuppleError("`turn` must be a quaternion of length 1.")
    unit: Vector = quaternion / length
    return unit


def _at_most(vector: Vector, limit: float) -> Vector:
    length = float(np.linalg.norm(vector))
    return vector if length <= limit else vector * (limit / length)


def underlying_vertices(
    simulation: Simulation, body: str, vertices: Sequence[int], weights: Sequence[float]
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the vertices of a body that stand for a place on the surface it shows, and their weights."""
    skin = simulation.skin(body)
    return (tuple(vertices), tuple(weights)) if skin is None else skin.grabbed_points(vertices, weights)
