"""Pushes: forces that the caller puts on points for the length of a frame."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.world import World


@kernel
def add_pushes(points, forces, inertia, is_fixed, step, targets):
    """Let forces move the targets of particles, as all that acts from outside does: by h² f / m.

    Args:
        points: (point_count,) particles
        forces: (point_count, 3) [N]
        inertia: (particle_count,) mass with ambient drag [kg]
        is_fixed: (particle_count,)
        step: h [s]
        targets: (particle_count, 3) [m], changed in place
    """
    for n in range(points.shape[0]):
        i = points[n]
        if not is_fixed[i]:
            for axis in range(3):
                targets[i, axis] += step * step * forces[n, axis] / inertia[i]


class Pushes:
    """Forces on points, until the frame ends."""

    def __init__(self, world: World) -> None:
        """Begin with none."""
        self._world = world
        self.clear()

    def clear(self) -> None:
        """Forget all forces."""
        self.points, self.forces = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
        """(point_count,) particles, and (point_count, 3) forces on them [N]."""

    def add(self, points: NDArray[np.int64], forces: NDArray[np.float64]) -> None:
        """Let forces (point_count, 3) [N] act on particles in the next frame; several on one point add up."""
        self.points = np.concatenate([self.points, points])
        self.forces = np.concatenate([self.forces, forces])

    def apply(self, step: float) -> None:
        """Let the forces act for a substep."""
        if len(self.points):
            world, particles = self._world, self._world.particles
            add_pushes(
                self.points, self.forces, world.inertia(step), particles.is_fixed, step, particles.targets
            )

    def end_frame(self) -> None:
        """End the forces with the frame."""
        if len(self.points):
            self.clear()

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what waits for the next frame, as arrays."""
        return {"points": self.points, "forces": self.forces} if len(self.points) else {}

    def restore(self, saved: Mapping[str, NDArray[np.generic]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        self.clear()
        if not saved:
            return
        points, forces = np.asarray(saved["points"]), np.asarray(saved["forces"])
        is_inside = (points >= 0) & (points < self._world.particles.count)
        if points.dtype != np.int64 or not is_inside.all() or not np.isfinite(forces).all():
            raise ValueError("points")
        self.add(points, forces.astype(np.float64).reshape(len(points), 3))
