"""Obstacles: everything cloth collides with, and where it is in every substep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.collide import shapes
from supple.collide.contact import bounce_particles, collide_particles
from supple.model.particles import Particles
from supple.scene.obstacle import Obstacle
from supple.scene.paths import Path
from supple.scene.placement import rotation_matrix
from supple.scene.solids import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Torus

SHELL = 1e-3
"""Distance that particles keep from obstacles [m]."""

Triple = tuple[float, float, float]


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


@dataclass
class Hand:
    """An obstacle led by hand: where it was at the start of the frame and where it shall be at its end."""

    begin: tuple[NDArray[np.float64], NDArray[np.float64]]
    end: tuple[NDArray[np.float64], NDArray[np.float64]]


class Obstacles:
    """The obstacles of a scene in arrays, their poses, and what is known of each particle."""

    def __init__(self, declared: tuple[Obstacle, ...], particles: Particles) -> None:
        """Put all obstacles where they start."""
        self.declared = declared
        self.particles = particles
        count, particle_count = len(declared), particles.count
        self.kinds = np.zeros(count, dtype=np.int64)
        self.parameters = np.zeros((count, shapes.PARAMETER_COUNT))
        for n, obstacle in enumerate(declared):
            self.kinds[n], values = shape_of(obstacle)
            self.parameters[n, : len(values)] = values
        self.frictions = np.array([obstacle.friction for obstacle in declared])
        self.restitutions = np.array([obstacle.restitution for obstacle in declared])
        self._radii = np.array([bounding_radius(obstacle) for obstacle in declared])
        self._hands: dict[int, Hand] = {}
        self.poses_t0 = np.zeros((count, 12))
        self.poses_t1 = np.zeros((count, 12))
        self.shells = np.full(particle_count, SHELL)
        self.touched = np.full(particle_count, -1, dtype=np.int64)
        self._pushes, self._rubs = np.zeros(particle_count), np.zeros(particle_count)
        self._seen = np.zeros((particle_count, 3))
        self._margins = np.full(particle_count, -np.inf)
        self._drifts = np.zeros(particle_count)
        self._drift = 0.0
        for n in range(count):
            self.poses_t1[n] = self._pose(n, 0.0, 0.0)

    def __len__(self) -> int:
        """Return the number of obstacles."""
        return len(self.declared)

    def begin_frame(self) -> None:
        """Let obstacles led by hand start towards their goals from where they are."""
        for hand in self._hands.values():
            hand.begin = hand.end if hand.begin is hand.end else hand.begin

    def place(self, fraction: float, time: float) -> None:
        """Begin a substep: move every obstacle to where it is at its end and forget old contacts."""
        if not self.declared:
            return
        np.copyto(self.poses_t0, self.poses_t1)
        for n in range(len(self.declared)):
            if self.declared[n].motion is not None or n in self._hands:
                self.poses_t1[n] = self._pose(n, fraction, time)
                self._drift += self._largest_move(n)
        self._pushes[:] = 0.0
        self._rubs[:] = 0.0
        self.touched[:] = -1

    def collide(self) -> None:
        """Keep particles outside; may be called several times in a substep."""
        if self.declared:
            particles = self.particles
            collide_particles(
                particles.starts, particles.is_fixed, self.shells, self.kinds, self.parameters, self.frictions,
                self.poses_t0, self.poses_t1, self._drifts, self._drift,
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

    @property
    def contact_count(self) -> int:
        """Particles in contact in the last substep."""
        return int(np.count_nonzero(self.touched >= 0))

    def lead(self, index: int, at: NDArray[np.float64], rotation: NDArray[np.float64]) -> None:
        """Take an obstacle by hand; by the end of the next frame it is at `at` [m], turned by `rotation` [rad]."""
        hand = self._hands.get(index)
        obstacle = self.declared[index]
        start = hand.end if hand else (np.array(obstacle.at), np.array(obstacle.rotation))
        self._hands[index] = Hand(begin=start, end=(at, rotation))

    def _pose(self, index: int, fraction: float, time: float) -> NDArray[np.float64]:
        obstacle = self.declared[index]
        own = rotation_matrix(obstacle.rotation)
        place = np.array(obstacle.at)
        if index in self._hands:
            hand = self._hands[index]
            place = hand.begin[0] + fraction * (hand.end[0] - hand.begin[0])
            angles = hand.begin[1] + fraction * (hand.end[1] - hand.begin[1])
            own = rotation_matrix(_triple(angles))
        elif obstacle.motion is not None:
            offset, angles = obstacle.pose(time)
            turn = rotation_matrix(_triple(angles))
            path = obstacle.motion
            pivot = np.array(path.centre) if isinstance(path, Path) and path.centre is not None else place
            own = turn @ own
            place = pivot + turn @ (place - pivot) + offset
        return np.concatenate([own.ravel(), place])

    def _largest_move(self, index: int) -> float:
        """Return how far any point of the obstacle moves in this substep, at most [m]."""
        before, after = self.poses_t0[index], self.poses_t1[index]
        turn = float(np.linalg.norm(after[:9] - before[:9]))
        shift = float(np.linalg.norm(after[9:] - before[9:]))
        return shift + (turn * float(self._radii[index]) if turn > 0.0 else 0.0)


def _triple(vector: NDArray[np.float64]) -> Triple:
    return float(vector[0]), float(vector[1]), float(vector[2])
