"""Substeps of an impact: a soft body that is about to hit something is followed as finely as its contact is short.

Theory: docs/theory/descent.md, eq. (N12). A body of size d in which waves travel at c stays in contact for some d / c, and
comes back with the right speed if several substeps fall into that time. Frames in which nothing is about to be hit, and
bodies that lie or roll slowly, take no more substeps than they are asked for.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.signed_distance import distance_to, into_axes
from supple.kernel import kernel
from supple.model.world import World

RESOLUTION = 4.0
"""Substeps in the time d / c [-]."""

GENTLE = 0.01
"""Speed over that of waves up to which nobody sees a rebound [-]: about the strain of the impact."""

MOST_SUBSTEPS = 64
"""Substeps of a frame that an impact asks for, at most."""


@kernel
def is_near_solid(solids, properties, poses, positions, points, reach):
    """Tell whether any of these particles is closer to a solid than `reach` [m].

    Args:
        solids: see `SolidArrays`
        properties: see `SolidProperties`
        poses: (solid_count, 12) where solids are
        positions: (particle_count, 3) [m]
        points: (point_count,) particles
        reach: [m]
    """
    for n in range(points.shape[0]):
        i = points[n]
        for o in range(solids.kinds.shape[0]):
            if properties.is_projecting[o]:
                x, y, z = into_axes(poses, o, positions[i, 0], positions[i, 1], positions[i, 2])
                if distance_to(solids, o, x, y, z)[0] < reach + properties.shells[o]:
                    return True
    return False


class ImpactSubsteps:
    """How many substeps the soft bodies of a world ask for."""

    def __init__(self, world: World) -> None:
        """Measure the size of every body, and how fast waves travel in it."""
        self._world = world
        self._bodies: list[tuple[NDArray[np.int64], float, float]] = []
        elements, particles = world.tetrahedra, world.particles
        for body in world.bodies.values():
            span = body.tetrahedra
            if span.stop == span.start:
                continue
            points = np.unique(elements.corners[span]).astype(np.int64)
            size = float(np.ptp(particles.rest_positions[points], axis=0).min())
            density = float(particles.masses[points].sum() / elements.volumes[span].sum())
            mu, lam = elements.shear_moduli[span], elements.lame_moduli[span]
            young = float((mu * (3.0 * lam + 2.0 * mu) / np.maximum(lam + mu, 1e-300)).max())
            self._bodies.append((points, size, math.sqrt(young / density)))

    def count(self, frame: float, obstacles: Obstacles | None) -> int:
        """Return how many substeps the next frame of `frame` seconds needs; 0 if nothing is about to be hit."""
        particles = self._world.particles
        wanted = 0
        for points, size, wave in self._bodies:
            speed = math.sqrt(float(np.square(particles.velocities[points]).sum(axis=1).max(initial=0.0)))
            needed = min(MOST_SUBSTEPS, math.ceil(RESOLUTION * frame * wave / max(size, 1e-300)))
            if not (speed > GENTLE * wave and needed > wanted):
                continue
            reach = 2.0 * frame * (speed + frame * math.hypot(*self._world.gravity))
            if self._is_near_body(points, reach) or (
                obstacles is not None
                and is_near_solid(
                    obstacles.solids,
                    obstacles.properties,
                    obstacles.poses.t1,
                    particles.positions,
                    points,
                    reach,
                )
            ):
                wanted = needed
        return wanted

    def _is_near_body(self, own: NDArray[np.int64], reach: float) -> bool:
        """Tell whether the bounding box of another soft body is closer than `reach` [m] to that of these particles."""
        positions = self._world.particles.positions
        low, high = positions[own].min(axis=0) - reach, positions[own].max(axis=0) + reach
        for points, _, _ in self._bodies:
            if points is not own:
                others = positions[points]
                if (others.min(axis=0) < high).all() and (others.max(axis=0) > low).all():
                    return True
        return False
