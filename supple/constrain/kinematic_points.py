"""Kinematic points: particles that a pin, a path, a hand or a puppet moves, whatever forces say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.scene.bodies.puppet import Puppet
from supple.scene.placement import rotation_matrix
from supple.scene.timeline.keyframes import Path


@kernel
def place_on_lines(points, begins, ends, fraction, targets):
    """Put held particles on the straight line from `begins` to `ends`, at `fraction` of it.

    Measured from the end, so that the end is reached to the bit.
    """
    for n in range(points.shape[0]):
        for axis in range(3):
            end = ends[n, axis]
            targets[points[n], axis] = end - (1.0 - fraction) * (end - begins[n, axis])


@kernel
def place_between(points, before, after, share, turn, place, targets):
    """Put particles a part of the way from one sample of a puppet to the next, turned and moved into the world.

    Args:
        points: (point_count,) particles
        before: (point_count, 3) sample, in the puppet's axes [m]
        after: (point_count, 3) the next one [m]
        share: how much of the way is done [-]
        turn: (3, 3) rotation of the puppet's axes
        place: (3,) its origin [m]
        targets: (particle_count, 3) [m], written
    """
    for n in range(points.shape[0]):
        x = before[n, 0] + share * (after[n, 0] - before[n, 0])
        y = before[n, 1] + share * (after[n, 1] - before[n, 1])
        z = before[n, 2] + share * (after[n, 2] - before[n, 2])
        for axis in range(3):
            targets[points[n], axis] = turn[axis, 0] * x + turn[axis, 1] * y + turn[axis, 2] * z + place[axis]


@dataclass(frozen=True)
class PuppetPoints:
    """The particles of a puppet."""

    points: NDArray[np.int64]
    """(point_count,) particle indices, in the order of its samples."""

    puppet: Puppet
    """What tells where they are."""

    turn: NDArray[np.float64]
    """(3, 3) rotation of its axes."""

    place: NDArray[np.float64]
    """(3,) its origin [m]."""


@dataclass(frozen=True)
class PathPin:
    """Particles that follow a path of keyframes together."""

    points: NDArray[np.int64]
    """(pinned_count,) particle indices."""

    starts: NDArray[np.float64]
    """(pinned_count, 3) [m], where they were at time zero."""

    path: Path
    """The motion."""

    centre: NDArray[np.float64]
    """(3,) [m], what rotations turn about."""

    @classmethod
    def of(cls, positions: NDArray[np.float64], points: NDArray[np.int64], path: Path) -> PathPin:
        """Return points, rows of `positions` (n, 3) [m] at time zero, that follow a path together."""
        starts = positions[points].copy()
        centre = starts.mean(axis=0) if path.centre is None else np.array(path.centre)
        return cls(points=points, starts=starts, path=path, centre=centre)

    def positions(self, time: float) -> NDArray[np.float64]:
        """Return where the particles are at a moment, (pinned_count, 3) [m]."""
        offset, rotation = self.path.pose(time)
        turn = rotation_matrix((float(rotation[0]), float(rotation[1]), float(rotation[2])))
        arms = (self.starts - self.centre) * self.path.scale(time)
        placed: NDArray[np.float64] = arms @ turn.T + self.centre + offset
        return placed


@kernel
def place_on_obstacles(points, offsets, poses, targets):
    """Put attached particles where their obstacles take them: x = R o + c.

    Args:
        points: (attached_count,) particles
        offsets: (attached_count, 3) o, in the axes of the obstacle [m]
        poses: (attached_count, 12) rotation R by rows, then place c of each particle's obstacle
        targets: (particle_count, 3) [m], written
    """
    for n in range(points.shape[0]):
        for axis in range(3):
            turned = 0.0
            for other in range(3):
                turned += poses[n, 3 * axis + other] * offsets[n, other]
            targets[points[n], axis] = turned + poses[n, 9 + axis]


class KinematicPoints:
    """All particles that are held, and where each is to be.

    A hand or a moved pin takes its particle to the goal within one frame, on a straight line
    at constant speed: the cloth feels the speed of the hand, and a release throws it. Grabs
    win over pins; a pinned particle that was grabbed stays pinned where it is let go.
    """

    def __init__(self, positions: NDArray[np.float64]) -> None:
        """Start with nothing held."""
        self._positions = positions
        self._pins: dict[int, NDArray[np.float64]] = {}
        self._grabs: dict[int, NDArray[np.float64]] = {}
        self._attached: dict[int, NDArray[np.float64]] = {}
        """Obstacle that each attached particle is carried by, and where in its axes (4,)."""
        self._paths: list[PathPin] = []
        self._led: list[PuppetPoints] = []
        self.begin_frame()

    def lead(self, points: NDArray[np.int64], puppet: Puppet) -> None:
        """Let particles go where a puppet says, from now on and without exception."""
        self._led.append(PuppetPoints(points, puppet, rotation_matrix(puppet.rotation), np.array(puppet.at)))

    def pin(self, point: int, goal: NDArray[np.float64]) -> None:
        """Hold a particle at `goal` (3,) [m] from the end of the next frame on."""
        self._leave_path(point)
        self._pins[point] = goal

    def attach(self, points: NDArray[np.int64], obstacle: int, pose: NDArray[np.float64]) -> None:
        """Let particles be carried by an obstacle that has the pose (12,) now, each where it is on it."""
        offsets = (self._positions[points] - pose[9:]) @ pose[:9].reshape(3, 3)
        for point, offset in zip(points.tolist(), offsets, strict=True):
            self.unpin(point)
            self._grabs.pop(point, None)
            self._attached[point] = np.concatenate([[float(obstacle)], offset])

    def unpin(self, point: int) -> None:
        """Let go of a pinned particle."""
        self._leave_path(point)
        self._pins.pop(point, None)

    def follow(self, points: NDArray[np.int64], path: Path) -> None:
        """Let particles follow a path together."""
        self._paths.append(PathPin.of(self._positions, points, path))

    def grab(self, point: int, goal: NDArray[np.float64]) -> None:
        """Take a particle by hand to `goal` (3,) [m]."""
        if self._leave_path(point):
            self._pins[point] = goal
        self._grabs[point] = goal

    def release(self, point: int) -> None:
        """Let go of a grabbed particle; a pinned one stays where it is."""
        if point in self._grabs and point in self._pins:
            self._pins[point] = self._positions[point].copy()
        self._grabs.pop(point, None)

    def pin_here(self, span: slice) -> None:
        """Hold the pinned particles of a span where they are now; paths and hands lead theirs on."""
        for point in self._pins:
            if span.start <= point < span.stop:
                self._pins[point] = self._positions[point].copy()

    def grabbed(self, span: slice) -> list[int]:
        """Return the particles of a span that a hand holds, counted from its start."""
        return [point - span.start for point in self._grabs if span.start <= point < span.stop]

    def _leave_path(self, point: int) -> bool:
        """Take a particle off its path or its obstacle; return whether it was on one."""
        if self._attached.pop(point, None) is not None:
            return True
        for n, pin in enumerate(self._paths):
            is_other = pin.points != point
            if not is_other.all():
                self._paths[n] = replace(pin, points=pin.points[is_other], starts=pin.starts[is_other])
                return True
        return False

    def is_pinned(self, point: int) -> bool:
        """Tell whether a particle is pinned, at rest or along a path."""
        return (
            point in self._pins
            or point in self._attached
            or any((pin.points == point).any() for pin in self._paths)
        )

    def points(self) -> NDArray[np.int64]:
        """Return every particle that a pin, a path or a hand holds, ascending."""
        single = np.array([*self._pins, *self._grabs, *self._attached], dtype=np.int64)
        held = [single, *(pin.points for pin in self._paths)]
        unique: NDArray[np.int64] = np.unique(np.concatenate(held))
        return unique

    def fixed(self) -> NDArray[np.int64]:
        """Return every particle that forces do not move: those held, and those of puppets."""
        return np.concatenate([self.points(), *(led.points for led in self._led)])

    def begin_frame(self) -> None:
        """Aim every pin and hand at its goal, from where its particle is now."""
        goals = {**self._pins, **self._grabs}
        points = sorted(goals)
        self.led = np.array(points, dtype=np.int64)
        """(led_count,) particles that pins at one place and hands hold in this frame."""
        self.hands = np.array(sorted(self._grabs), dtype=np.int64)
        """(hand_count,) those of hands."""
        self._begins = self._positions[self.led]
        # An array of arrays would be looked through for its shape, which takes ten times as long.
        self._ends = np.concatenate([np.zeros(0), *map(goals.__getitem__, points)]).reshape(-1, 3)

    def strides(self, substeps: int) -> NDArray[np.float64]:
        """Return how far each of `led` is led in a substep of this frame, (led_count,) [m]."""
        ways: NDArray[np.float64] = np.linalg.norm(self._ends - self._begins, axis=1)
        return ways / substeps

    def place(self, fraction: float, time: float, targets: NDArray[np.float64]) -> None:
        """Write where held particles are, `fraction` through the frame, at `time` [s]."""
        for pin in self._paths:
            targets[pin.points] = pin.positions(time)
        place_on_lines(self.led, self._begins, self._ends, fraction, targets)
        for led in self._led:
            before, after, share = led.puppet.sample(time)
            samples = led.puppet.samples
            place_between(led.points, samples[before], samples[after], share, led.turn, led.place, targets)

    def place_attached(
        self, pose: Callable[[int], NDArray[np.float64]], targets: NDArray[np.float64]
    ) -> None:
        """Write where attached particles are; `pose` returns that of an obstacle at the end of the substep, (12,)."""
        if self._attached:
            carried = np.array(list(self._attached.values()))
            poses = np.array([pose(int(obstacle)) for obstacle in carried[:, 0]])
            points = np.array(list(self._attached), dtype=np.int64)
            place_on_obstacles(points, np.ascontiguousarray(carried[:, 1:]), poses, targets)

    def rebase(self, positions: NDArray[np.float64]) -> None:
        """Look at other particles; what is held is restored afterwards."""
        self._positions = positions
        self._pins.clear()
        self._grabs.clear()
        self._attached.clear()
        self.begin_frame()

    def reshape(
        self,
        positions: NDArray[np.float64],
        new_of: NDArray[np.int64],
        nearest: NDArray[np.int64],
        is_mixed: NDArray[np.bool_],
    ) -> None:
        """Follow an edit: a held particle stays held, and so do its copies.

        Args:
            positions: (particle_count, 3) [m] of the particles after the edit
            new_of: (particle_count before,) what each particle is called now, -1 if it is gone
            nearest: (particle_count,) what each particle was before
            is_mixed: (particle_count,) particles that are means of others, so no copies
        """
        self._positions = positions
        self._led = [replace(led, points=new_of[led.points]) for led in self._led]
        kept = min(len(new_of), len(nearest))
        if not self._paths and np.array_equal(new_of, np.arange(kept)):
            for held in (self._pins, self._grabs, self._attached):
                copies = [p for p in range(kept, len(nearest)) if not is_mixed[p] and int(nearest[p]) in held]
                held.update({p: held[int(nearest[p])].copy() for p in copies})
            self.begin_frame()
            return
        was = np.where(is_mixed, -1, nearest)
        heir = np.flatnonzero(new_of >= 0)
        was[new_of[heir[::-1]]] = heir[::-1]
        for held in (self._pins, self._grabs, self._attached):
            if not held:
                continue
            goals = dict(held)
            held.clear()
            is_held = np.zeros(len(new_of) + 1, np.bool_)  # the last entry stands for -1
            is_held[list(goals)] = True
            heirs = np.flatnonzero(is_held.take(was))
            held.update(
                {p: goals[old].copy() for p, old in zip(heirs.tolist(), was[heirs].tolist(), strict=True)}
            )
            names = new_of[list(goals)].tolist()
            held.update({p: goal for p, goal in zip(names, goals.values(), strict=True) if p >= 0})
        for n, pin in enumerate(self._paths):
            row = np.full(len(new_of) + 1, -1)
            row[pin.points] = np.arange(len(pin.points))
            points = np.flatnonzero(row[was] >= 0)
            self._paths[n] = replace(pin, points=points, starts=pin.starts[row[was[points]]])
        self.begin_frame()

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return everything that a saved state needs, as arrays."""
        arrays: dict[str, NDArray[np.generic]] = {}
        for name, held in (("pins", self._pins), ("grabs", self._grabs)):
            arrays[f"{name}_points"] = np.array(list(held), dtype=np.int64)
            arrays[f"{name}_goals"] = np.array(list(held.values()), dtype=np.float64).reshape(-1, 3)
        if self._attached:
            arrays["attached_points"] = np.array(list(self._attached), dtype=np.int64)
            arrays["attached_goals"] = np.array(list(self._attached.values()))
        for n, pin in enumerate(self._paths):
            arrays[f"path_points_{n}"] = pin.points
            arrays[f"path_starts_{n}"] = pin.starts
        for n, led in enumerate(self._led):
            arrays[f"led_points_{n}"] = led.points
        return arrays

    def restore(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Take over what `state` returned; the paths themselves come from the scene."""
        for name, held in (("pins", self._pins), ("grabs", self._grabs)):
            held.clear()
            goals = np.asarray(arrays[f"{name}_goals"], dtype=np.float64)
            held.update({int(p): goal for p, goal in zip(arrays[f"{name}_points"], goals, strict=True)})
        self._attached.clear()
        if "attached_points" in arrays:
            goals = np.asarray(arrays["attached_goals"], dtype=np.float64).reshape(-1, 4)
            self._attached.update(
                {int(p): goal for p, goal in zip(arrays["attached_points"], goals, strict=True)}
            )
        for n, pin in enumerate(self._paths):
            self._paths[n] = replace(
                pin,
                points=np.asarray(arrays[f"path_points_{n}"], dtype=np.int64),
                starts=np.asarray(arrays[f"path_starts_{n}"], dtype=np.float64),
            )
        for n, led in enumerate(self._led):
            self._led[n] = replace(led, points=np.asarray(arrays[f"led_points_{n}"], dtype=np.int64))
        self.begin_frame()
