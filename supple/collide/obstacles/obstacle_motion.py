"""Motion of obstacles: the pose of each in every substep, by its own path, by a hand, or as a rigid body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.poses import (
    Placement,
    Poses,
    angles_of,
    bounding_radius,
    box_at,
    interpolated_rotation,
    largest_move,
    triple,
)
from supple.collide.obstacles.solid_arrays import SolidProperties, Solids, owners_of, parts_of
from supple.collide.rigid_bodies.rigid_bodies import RigidBodies
from supple.model.world import World
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.placement import rotation_matrix
from supple.scene.timeline.keyframes import Path


class SolidMotion(NamedTuple):
    """How all solids move in the current substep; built at the call, since `drift` and `is_at_rest` are replaced."""

    poses: Poses
    """At the start and the end of the substep."""

    drifts: NDArray[np.float64]
    """(solid_count,) length of the path of any point of each solid since the beginning, at most [m]."""

    drift: float
    """Their sum over all obstacles [m]."""

    is_at_rest: NDArray[np.bool_]
    """(solid_count,) whether a solid never moves."""


class ObstacleMotion:
    """Owner of the poses of all obstacles and of the solids they consist of."""

    def __init__(self, declared: tuple[Obstacle, ...]) -> None:
        """Put all obstacles where they start."""
        self._declared = declared
        self._owners = owners_of(declared)
        count = len(self._owners)
        parts = [part for obstacle in declared for part in parts_of(obstacle)]
        self._locals = [
            (rotation_matrix(part.rotation), np.array(part.at)) if part is not declared[owner] else None
            for owner, part in zip(self._owners, parts, strict=True)
        ]
        """Rotation and position of each part of a union in the axes of the union; None for whole obstacles."""
        self._solids = [np.flatnonzero(self._owners == n) for n in range(len(declared))]
        self._turns = [rotation_matrix(obstacle.rotation) for obstacle in declared]
        self._radii = [bounding_radius(obstacle) for obstacle in declared]
        self._frame_starts = [Placement(np.array(o.at), np.array(o.rotation)) for o in declared]
        """Where obstacles that a hand moves were when the frame began."""
        self._targets: dict[int, Placement] = {}
        """Where hands want obstacles to be when the frame ends."""
        self._poses = [self._pose_at(n, 0.0, 0.0) for n in range(len(declared))]
        self.poses = Poses(np.zeros((count, 12)), np.zeros((count, 12)))
        self._drifts, self._drift = np.zeros(count), 0.0
        self._is_at_rest = np.zeros(count, dtype=np.bool_)
        self.rigid = RigidBodies(declared, self._owners)
        self._write_solid_poses()

    @property
    def arrays(self) -> SolidMotion:
        """The motion as kernels take it."""
        return SolidMotion(self.poses, self._drifts, self._drift, self._is_at_rest)

    # ------------------------------------------------------------------ a substep

    def advance(
        self,
        fraction: float,
        time: float,
        step: float,
        solids: Solids,
        properties: SolidProperties,
        world: World,
    ) -> None:
        """Begin a substep: move every obstacle to its pose at the end.

        Args:
            fraction: how much of the frame is over then, 0 to 1
            time: [s]
            step: [s]
            solids: shapes of all solids
            properties: their frictions and restitutions
            world: its gravity and drag
        """
        np.copyto(self.poses.t0, self.poses.t1)
        has_moved = False
        for n, obstacle in enumerate(self._declared):
            if obstacle.motion is not None or n in self._targets:
                self._move(n, self._pose_at(n, fraction, time))
                has_moved = True
        if has_moved:
            self._write_solid_poses()
        if self.rigid:
            self._advance_bodies(step, solids, properties, world)

    def _advance_bodies(self, step: float, solids: Solids, properties: SolidProperties, world: World) -> None:
        rigid = self.rigid
        is_held = rigid.arrays.is_held
        for body, index in enumerate(rigid.indices):
            if is_held[body]:
                rigid.follow(body, self._poses[index], step)
        rigid.advance(solids, properties, self.poses, world.gravity, world.drag, step)
        for body, index in enumerate(rigid.indices):
            if not is_held[body]:
                self._move(index, rigid.pose(body))
        self._write_solid_poses()

    def _move(self, index: int, pose: NDArray[np.float64]) -> None:
        way = largest_move(self._poses[index], pose, self._radii[index])
        self._poses[index] = pose
        self._drifts[self._solids[index]] += way
        self._drift += way

    def _write_solid_poses(self) -> None:
        """Write the pose of every solid from that of its obstacle."""
        t1 = self.poses.t1
        for n, owner in enumerate(self._owners):
            pose = self._poses[owner]
            local = self._locals[n]
            if local is None:
                t1[n] = pose
            else:
                turn = pose[:9].reshape(3, 3)
                t1[n, :9] = (turn @ local[0]).ravel()
                t1[n, 9:] = turn @ local[1] + pose[9:]

    def _pose_at(self, index: int, fraction: float, time: float) -> NDArray[np.float64]:
        """Return the pose of an obstacle that moves by a hand or by its own path, (12,)."""
        obstacle, start = self._declared[index], self._frame_starts[index]
        if index in self._targets:
            target = self._targets[index]
            position = start.at + fraction * (target.at - start.at)
            turn = rotation_matrix(triple(target.rotation))
            if not np.array_equal(start.rotation, target.rotation):
                turn = interpolated_rotation(rotation_matrix(triple(start.rotation)), turn, fraction)
            return np.concatenate([turn.ravel(), position])
        pose = np.empty(12)
        if obstacle.motion is None:
            pose[:9], pose[9:] = self._turns[index].ravel(), obstacle.at
            return pose
        offset, angles = obstacle.pose(time)
        turn = rotation_matrix(triple(angles))
        path, position = obstacle.motion, np.array(obstacle.at)
        pivot = np.array(path.centre) if isinstance(path, Path) and path.centre is not None else position
        pose[:9] = (turn @ self._turns[index]).ravel()
        pose[9:] = pivot + turn @ (position - pivot) + offset
        return pose

    # ------------------------------------------------------------------ by hand

    def set_target(self, index: int, at: NDArray[np.float64], rotation: NDArray[np.float64]) -> bool:
        """Move an obstacle by hand to `at` [m], turned by `rotation` [rad], by the end of the next frame.

        Returns:
            Whether the hand has taken it just now.
        """
        is_new = index not in self._targets
        if is_new:
            pose = self._poses[index]
            self._frame_starts[index] = Placement(pose[9:].copy(), angles_of(pose[:9].reshape(3, 3)))
        self._targets[index] = Placement(at, rotation)
        self.rigid.set_held(index, True)
        return is_new

    def release(self, index: int) -> None:
        """Let go of an obstacle: one that has a mass flies on, any other stays where it is."""
        if index in self.rigid.indices and index in self._targets:
            self.rigid.set_held(index, False)
            del self._targets[index]

    def end_frame(self) -> None:
        """Let obstacles that a hand moves begin the next frame where they have arrived."""
        for n, target in self._targets.items():
            self._frame_starts[n] = target

    # ------------------------------------------------------------------ questions

    def pose(self, index: int) -> NDArray[np.float64]:
        """Return the rotation by rows, then the position of an obstacle, (12,)."""
        return self._poses[index]

    def update_rest(self) -> bool:
        """Look which solids have neither a path, nor a mass, nor a hand that moves them; return whether others do now."""
        is_at_rest = np.array([self._rests(n) for n in range(len(self._declared))], dtype=np.bool_)[
            self._owners
        ]
        has_changed = not np.array_equal(is_at_rest, self._is_at_rest)
        if has_changed:
            self._is_at_rest = is_at_rest
        return has_changed

    def _rests(self, index: int) -> bool:
        obstacle = self._declared[index]
        return obstacle.motion is None and obstacle.mass is None and index not in self._targets

    def boxes(self) -> NDArray[np.float64]:
        """Return the lowest and highest corners of all solids at rest, those of their obstacle, (solid_count, 6) [m]."""
        boxes = [
            box_at(obstacle, pose) if self._rests(n) else np.full(6, np.nan)
            for n, (obstacle, pose) in enumerate(zip(self._declared, self._poses, strict=True))
        ]
        return np.array(boxes).reshape(-1, 6)[self._owners]

    # ------------------------------------------------------------------ saved states

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what `restore` needs to go on bit for bit."""
        targets = np.full((len(self._declared), 6), np.nan)
        for n, target in self._targets.items():
            targets[n] = np.concatenate([target.at, target.rotation])
        starts = [np.concatenate([start.at, start.rotation]) for start in self._frame_starts]
        return {
            "standing": np.array(starts).reshape(-1, 6),
            "goals": targets,
            "poses": np.array(self._poses).reshape(-1, 12),
            "drifts": self._drifts,
            "drift": np.array([self._drift]),
            **self.rigid.state(),
        }

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self._targets.clear()
        self.rigid.arrays.is_held[:] = False
        for n, row in enumerate(saved["goals"]):
            if np.isfinite(row).all():
                self.set_target(n, row[:3].copy(), row[3:].copy())
        self._frame_starts = [Placement(row[:3].copy(), row[3:].copy()) for row in saved["standing"]]
        self._poses = [row.copy() for row in saved["poses"]]
        self._drifts[:] = saved["drifts"]
        self._drift = float(saved["drift"][0])
        self.rigid.restore(saved)
        self._write_solid_poses()
