"""Kinematic points: particles that a pin, a path, a hand or a puppet moves, whatever forces say."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, kernel, norm
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


STEADY = (0.0, 0.0, 1.0)
"""Clock of a puppet that nobody has changed."""


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

    clock: tuple[float, float, float] = STEADY
    """A moment of the simulation [s], that of the samples which was shown then [s], and how fast these pass since [-]."""

    def moment(self, time: float) -> float:
        """Return the moment of the samples to show at a time [s]."""
        since, shown, tempo = self.clock
        return shown + tempo * (time - since)


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


@kernel
def place_on_triangles(points, corners, weights, offsets, targets):
    """Put attached particles where triangles take them: x = Σ w p + o₁ e₁ + o₂ e₂ + o₃ e₃, with axes e of the triangle.

    The first axis goes along the first side, the third is the normal. A triangle without an area carries its place only.

    Args:
        points: (attached_count,) particles
        corners: (attached_count, 3) particles of the triangle
        weights: (attached_count, 3) w, where on the triangle [-]
        offsets: (attached_count, 3) o, from there [m]
        targets: (particle_count, 3) [m], read at the corners, written at the points
    """
    for n in range(points.shape[0]):
        a, b, c = (
            row_of(targets, corners[n, 0]),
            row_of(targets, corners[n, 1]),
            row_of(targets, corners[n, 2]),
        )
        side = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
        normal = cross(side, (c[0] - a[0], c[1] - a[1], c[2] - a[2]))
        length, area = norm(side), norm(normal)
        first, third = 0.0, 0.0
        if length > 0.0 and area > 0.0:
            first, third = 1.0 / length, 1.0 / area
        e1 = (first * side[0], first * side[1], first * side[2])
        e3 = (third * normal[0], third * normal[1], third * normal[2])
        e2 = cross(e3, e1)
        for axis in range(3):
            place = weights[n, 0] * a[axis] + weights[n, 1] * b[axis] + weights[n, 2] * c[axis]
            targets[points[n], axis] = (
                place + offsets[n, 0] * e1[axis] + offsets[n, 1] * e2[axis] + offsets[n, 2] * e3[axis]
            )


@kernel
def row_of(array, i):
    """Return a row of three numbers."""
    return array[i, 0], array[i, 1], array[i, 2]


def place_on_surface(
    point: NDArray[np.float64], triangles: NDArray[np.float64]
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Return the triangle nearest to a point (3,) [m], weights of its corners, and the offset in axes that turn with it.

    Args:
        point: (3,) [m]
        triangles: (triangle_count, 3, 3) corners [m]
    """
    import trimesh.triangles

    geometry: Any = trimesh.triangles  # has no types
    sides, others = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normals = np.cross(sides, others)
    sound = np.flatnonzero(np.linalg.norm(normals, axis=1) > 0.0)
    if not len(sound):
        return 0, np.array([1.0, 0.0, 0.0]), np.zeros(3)
    closest = geometry.closest_point(triangles[sound], np.tile(point, (len(sound), 1)))
    best = int(np.argmin(np.linalg.norm(closest - point, axis=1)))
    nearest = int(sound[best])
    weights = geometry.points_to_barycentric(triangles[nearest][None], closest[best][None])[0]
    first = sides[nearest] / np.linalg.norm(sides[nearest])
    third = normals[nearest] / np.linalg.norm(normals[nearest])
    axes = np.stack([first, np.cross(third, first), third])
    return nearest, np.asarray(weights, dtype=np.float64), axes @ (point - weights @ triangles[nearest])


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
        self._on_puppets: dict[int, NDArray[np.float64]] = {}
        """Puppet that carries each particle on one, three of its points, their weights, and the offset (10,)."""
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

    def attach_to_puppet(self, points: NDArray[np.int64], puppet: int) -> None:
        """Let each particle be carried by the nearest triangle of a puppet, given by its place among puppets."""
        led = self._led[puppet]
        corners = led.puppet.triangles
        places = self._positions[led.points]
        for point in points.tolist():
            triangle, weights, offset = place_on_surface(self._positions[point], places[corners])
            self.unpin(point)
            self._grabs.pop(point, None)
            self._on_puppets[point] = np.concatenate([[float(puppet)], corners[triangle], weights, offset])

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
        if self._attached.pop(point, None) is not None or self._on_puppets.pop(point, None) is not None:
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
            or point in self._on_puppets
            or any((pin.points == point).any() for pin in self._paths)
        )

    def points(self) -> NDArray[np.int64]:
        """Return every particle that a pin, a path or a hand holds, ascending."""
        single = np.array([*self._pins, *self._grabs, *self._attached, *self._on_puppets], dtype=np.int64)
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
            before, after, share = led.puppet.sample(led.moment(time))
            samples = led.puppet.samples
            place_between(led.points, samples[before], samples[after], share, led.turn, led.place, targets)

    def set_tempo(self, name: str, tempo: float, time: float) -> bool:
        """Let the samples of a puppet pass at another speed from a time on [s]; tell whether there is such a puppet."""
        for n, led in enumerate(self._led):
            if led.puppet.name == name:
                self._led[n] = replace(led, clock=(time, led.moment(time), tempo))
                return True
        return False

    def place_attached(
        self, pose: Callable[[int], NDArray[np.float64]], targets: NDArray[np.float64]
    ) -> None:
        """Write where attached particles are; `pose` returns that of an obstacle at the end of the substep, (12,)."""
        if self._attached:
            carried = np.array(list(self._attached.values()))
            poses = np.array([pose(int(obstacle)) for obstacle in carried[:, 0]])
            points = np.array(list(self._attached), dtype=np.int64)
            place_on_obstacles(points, np.ascontiguousarray(carried[:, 1:]), poses, targets)
        if self._on_puppets:
            points, carried = np.array(list(self._on_puppets)), np.array(list(self._on_puppets.values()))
            numbers = carried[:, :4].astype(np.int64)
            corners = np.stack([self._led[row[0]].points[row[1:]] for row in numbers])
            weights, offsets = np.ascontiguousarray(carried[:, 4:7]), np.ascontiguousarray(carried[:, 7:])
            place_on_triangles(points, corners, weights, offsets, targets)

    def rebase(self, positions: NDArray[np.float64]) -> None:
        """Look at other particles; what is held is restored afterwards."""
        self._positions = positions
        self._pins.clear()
        self._grabs.clear()
        self._attached.clear()
        self._on_puppets.clear()
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
            for held in (self._pins, self._grabs, self._attached, self._on_puppets):
                copies = [p for p in range(kept, len(nearest)) if not is_mixed[p] and int(nearest[p]) in held]
                held.update({p: held[int(nearest[p])].copy() for p in copies})
            self.begin_frame()
            return
        was = np.where(is_mixed, -1, nearest)
        heir = np.flatnonzero(new_of >= 0)
        was[new_of[heir[::-1]]] = heir[::-1]
        for held in (self._pins, self._grabs, self._attached, self._on_puppets):
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
        for name, held in (("attached", self._attached), ("on_puppets", self._on_puppets)):
            if held:
                arrays[f"{name}_points"] = np.array(list(held), dtype=np.int64)
                arrays[f"{name}_goals"] = np.array(list(held.values()))
        for n, pin in enumerate(self._paths):
            arrays[f"path_points_{n}"] = pin.points
            arrays[f"path_starts_{n}"] = pin.starts
        for n, led in enumerate(self._led):
            arrays[f"led_points_{n}"] = led.points
            if led.clock != STEADY:
                arrays[f"led_clock_{n}"] = np.array(led.clock)
        return arrays

    def restore(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Take over what `state` returned; the paths themselves come from the scene."""
        for name, held in (("pins", self._pins), ("grabs", self._grabs)):
            held.clear()
            goals = np.asarray(arrays[f"{name}_goals"], dtype=np.float64)
            held.update({int(p): goal for p, goal in zip(arrays[f"{name}_points"], goals, strict=True)})
        for name, held, size in (("attached", self._attached, 4), ("on_puppets", self._on_puppets, 10)):
            held.clear()
            if f"{name}_points" in arrays:
                goals = np.asarray(arrays[f"{name}_goals"], dtype=np.float64).reshape(-1, size)
                held.update({int(p): goal for p, goal in zip(arrays[f"{name}_points"], goals, strict=True)})
        for number, *corners in (goal[:4] for goal in self._on_puppets.values()):
            if not 0 <= number < len(self._led):
                raise ValueError("on_puppets_goals")
            if not all(0 <= corner < len(self._led[int(number)].points) for corner in corners):
                raise ValueError("on_puppets_goals")
        for n, pin in enumerate(self._paths):
            self._paths[n] = replace(
                pin,
                points=np.asarray(arrays[f"path_points_{n}"], dtype=np.int64),
                starts=np.asarray(arrays[f"path_starts_{n}"], dtype=np.float64),
            )
        for n, led in enumerate(self._led):
            since, shown, tempo = np.asarray(arrays.get(f"led_clock_{n}", STEADY), dtype=np.float64).tolist()
            if not all(map(math.isfinite, (since, shown, tempo))):
                raise ValueError(f"led_clock_{n}")
            points = np.asarray(arrays[f"led_points_{n}"], dtype=np.int64)
            self._led[n] = replace(led, points=points, clock=(since, shown, tempo))
        self.begin_frame()
