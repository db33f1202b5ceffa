"""Obstacles: everything cloth collides with, and where it is in every substep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.collide import shapes
from supple.collide.contact import bounce_particles, calm_touching_parts, collide_particles, measure_depths
from supple.model.connected import part_leaders
from supple.model.world import World
from supple.scene.mesh_obstacle import Union
from supple.scene.obstacle import Obstacle
from supple.scene.paths import Path
from supple.scene.placement import rotation_matrix
from supple.scene.solids import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Torus

SHELL = 1e-3
"""Distance that particles keep from obstacles [m]."""


def shape_of(obstacle: Obstacle) -> tuple[int, tuple[float, ...]]:
    """Return the kind and the parameters of an obstacle's shape."""
    match obstacle:
        case Plane():
            return shapes.PLANE, (*obstacle.normal, obstacle.offset)
        case Sphere():
            return shapes.SPHERE, (obstacle.radius,)
        case Ellipsoid():
            return shapes.ELLIPSOID, obstacle.radii
        case Box():
            x, y, z = obstacle.size
            return shapes.BOX, (0.5 * x, 0.5 * y, 0.5 * z, obstacle.rounding)
        case Capsule():
            return shapes.CAPSULE, (*obstacle.start, *obstacle.end, obstacle.radius)
        case Cylinder():
            return shapes.CYLINDER, (*obstacle.start, *obstacle.end, obstacle.radius)
        case Torus():
            return shapes.TORUS, (obstacle.radius, obstacle.tube)
    raise TypeError(f"no shape for {type(obstacle).__name__}")


def bounding_radius(obstacle: Obstacle) -> float:
    """Return how far from its own origin an obstacle reaches [m]; inf for planes."""
    if isinstance(obstacle, Plane):
        return float("inf")
    vertices, _ = obstacle.surface()
    return 1.01 * float(np.linalg.norm(vertices, axis=1).max())


@dataclass(frozen=True)
class Placement:
    """Where an obstacle stands: place (3,) [m] and angles about the fixed axes (3,) [rad]."""

    at: NDArray[np.float64]
    rotation: NDArray[np.float64]


class Obstacles:
    """The obstacles of a scene in arrays, their poses, and what is known of each particle.

    A union becomes one solid per part; all its solids follow the union's pose.
    """

    def __init__(self, declared: tuple[Obstacle, ...], world: World) -> None:
        """Put all obstacles where they start."""
        self.declared = declared
        self.particles = particles = world.particles
        solids = [(n, part) for n, obstacle in enumerate(declared) for part in _parts(obstacle)]
        self._owners = np.array([owner for owner, _ in solids], dtype=np.int64)
        self._locals = [
            (rotation_matrix(part.rotation), np.array(part.at)) if part is not declared[owner] else None
            for owner, part in solids
        ]
        count, particle_count = len(solids), particles.count
        self.kinds = np.zeros(count, dtype=np.int64)
        self.parameters = np.zeros((count, shapes.PARAMETER_COUNT))
        for n, (_, part) in enumerate(solids):
            self.kinds[n], values = shape_of(part)
            self.parameters[n, : len(values)] = values
        self.frictions = np.array([declared[owner].friction for owner in self._owners])
        self.restitutions = np.array([declared[owner].restitution for owner in self._owners])
        self._radii = [bounding_radius(obstacle) for obstacle in declared]
        self._standing = [Placement(np.array(o.at), np.array(o.rotation)) for o in declared]
        self._goals: dict[int, Placement] = {}
        self.poses_t0 = np.zeros((count, 12))
        self.poses_t1 = np.zeros((count, 12))
        self.shells = np.full(particle_count, SHELL)
        self.touched = np.full(particle_count, -1, dtype=np.int64)
        self._pushes, self._rubs = np.zeros(particle_count), np.zeros(particle_count)
        self._seen = np.zeros((particle_count, 3))
        self._margins = np.full(particle_count, -np.inf)
        self._drifts = np.zeros(particle_count)
        self._drift = 0.0
        self._leaders = part_leaders(world.couplings.pairs, particle_count)
        self._is_touching = np.zeros(particle_count, dtype=np.bool_)
        self._poses = [self._pose(n, 0.0, 0.0) for n in range(len(declared))]
        self._spread()

    def place(self, fraction: float, time: float) -> None:
        """Begin a substep: move every obstacle to where it is at its end and forget old contacts."""
        if not self.declared:
            return
        np.copyto(self.poses_t0, self.poses_t1)
        has_moved = False
        for n, obstacle in enumerate(self.declared):
            if obstacle.motion is not None or n in self._goals:
                before = self._poses[n]
                self._poses[n] = self._pose(n, fraction, time)
                self._drift += _largest_move(before, self._poses[n], self._radii[n])
                has_moved = True
        if has_moved:
            self._spread()
        self._pushes[:] = 0.0
        self._rubs[:] = 0.0
        self.touched[:] = -1

    def end_frame(self) -> None:
        """Let obstacles that were led by hand stand where they have arrived."""
        for n, goal in self._goals.items():
            self._standing[n] = goal

    def collide(self) -> None:
        """Keep particles outside; may be called several times in a substep."""
        if self.declared:
            particles = self.particles
            collide_particles(
                particles.starts, particles.is_fixed, self.shells,
                self.kinds, self.parameters, self.frictions, self.poses_t0, self.poses_t1, self._drifts, self._drift,
                self._seen, self._margins, self._pushes, self._rubs, self.touched, particles.positions,
            )  # fmt: skip

    def bounce(self, gravity: float, step: float) -> None:
        """Prepare the velocities of particles that hit something; called before they are computed."""
        if self.restitutions.any():
            particles = self.particles
            bounce_particles(
                particles.positions, particles.velocities, self.touched, self.kinds, self.parameters,
                self.restitutions, self.poses_t0, self.poses_t1, 2.0 * gravity * step, step, particles.starts,
            )  # fmt: skip

    def calm(self) -> None:
        """Let the predictor forget what springs did in parts that touch something."""
        if self.declared:
            calm_touching_parts(
                self.touched, self._leaders, self._is_touching, self.particles.accelerations
            )

    @property
    def contact_count(self) -> int:
        """Particles in contact in the last substep."""
        return int(np.count_nonzero(self.touched >= 0))

    def lead(self, index: int, at: NDArray[np.float64], rotation: NDArray[np.float64]) -> None:
        """Take an obstacle by hand to `at` [m], turned by `rotation` [rad], by the end of the next frame."""
        if index not in self._goals:
            pose = self._poses[index]
            self._standing[index] = Placement(pose[9:].copy(), _angles(pose[:9].reshape(3, 3)))
        self._goals[index] = Placement(at, rotation)

    def pose(self, index: int) -> NDArray[np.float64]:
        """Return the rotation by rows, then the place of an obstacle, (12,)."""
        return self._poses[index]

    def depths(self) -> NDArray[np.float64]:
        """Return how deep every particle is inside the obstacles, (particle_count,) [m]; negative outside."""
        positions = self.particles.positions
        depths = np.full(len(positions), -np.inf)
        measure_depths(positions, self.kinds, self.parameters, self.poses_t1, depths)
        return depths

    def _spread(self) -> None:
        for n, owner in enumerate(self._owners):
            pose = self._poses[owner]
            local = self._locals[n]
            if local is None:
                self.poses_t1[n] = pose
            else:
                turn = pose[:9].reshape(3, 3)
                self.poses_t1[n, :9] = (turn @ local[0]).ravel()
                self.poses_t1[n, 9:] = turn @ local[1] + pose[9:]

    def _pose(self, index: int, fraction: float, time: float) -> NDArray[np.float64]:
        obstacle, stood = self.declared[index], self._standing[index]
        if index in self._goals:
            goal = self._goals[index]
            place = stood.at + fraction * (goal.at - stood.at)
            angles = stood.rotation + fraction * (goal.rotation - stood.rotation)
            return np.concatenate([rotation_matrix(_triple(angles)).ravel(), place])
        own = rotation_matrix(obstacle.rotation)
        place = np.array(obstacle.at)
        if obstacle.motion is not None:
            offset, angles = obstacle.pose(time)
            turn = rotation_matrix(_triple(angles))
            path = obstacle.motion
            pivot = np.array(path.centre) if isinstance(path, Path) and path.centre is not None else place
            own = turn @ own
            place = pivot + turn @ (place - pivot) + offset
        return np.concatenate([own.ravel(), place])


def _parts(obstacle: Obstacle) -> tuple[Obstacle, ...]:
    return obstacle.parts if isinstance(obstacle, Union) else (obstacle,)


def _largest_move(before: NDArray[np.float64], after: NDArray[np.float64], radius: float) -> float:
    """Return how far any point of an obstacle moves between two poses, at most [m]."""
    turn = float(np.linalg.norm(after[:9] - before[:9]))
    shift = float(np.linalg.norm(after[9:] - before[9:]))
    return shift + (turn * radius if turn > 0.0 else 0.0)


def _angles(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles about the fixed x, y and z axes of a rotation matrix [rad]."""
    y = np.arctan2(-turn[2, 0], np.hypot(turn[2, 1], turn[2, 2]))
    if np.hypot(turn[2, 1], turn[2, 2]) < 1e-9:
        return np.array([0.0, y, np.arctan2(-turn[0, 1], turn[1, 1])])
    return np.array([np.arctan2(turn[2, 1], turn[2, 2]), y, np.arctan2(turn[1, 0], turn[0, 0])])


def _triple(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
