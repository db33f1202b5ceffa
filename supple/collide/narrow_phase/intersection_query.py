"""Intersections of all surfaces of a scene, counted on demand.

What exact contact guarantees only for itself is searched here among all bodies with a surface, so that
`self_contact = "off"` and "points" can be judged too. Puppets are left out: they go where they are told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import BVH, Surface, build_bvh
from supple.collide.narrow_phase.intersections import find_crossings
from supple.model.world import World
from supple.scene.bodies.puppet import Puppet
from supple.scene.scene import Scene


class Intersections:
    """The surfaces of a scene, ready to be searched; nothing is built before somebody asks."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Remember whose surfaces count; an edit of the world needs a new one."""
        self._world = world
        puppets = {body.name for body in scene.bodies if isinstance(body, Puppet)}
        self._bodies = [
            body for body in world.bodies.values() if len(body.triangles) and body.origin not in puppets
        ]
        self._bvh: BVH | None = None

    def find(self) -> NDArray[np.int32]:
        """Return where surfaces pass through each other now: (crossing_count, 5), an edge and a triangle each."""
        if not self._bodies:
            return np.zeros((0, 5), dtype=np.int32)
        positions = self._world.particles.positions
        if self._bvh is None:
            surfaces = [Surface(body.triangles + body.particles.start) for body in self._bodies]
            self._bvh = build_bvh(surfaces, positions)
        return _crossings(self._bvh, positions)

    def places(self) -> NDArray[np.float64]:
        """Return where each edge passes through its triangle, (crossing_count, 3) [m]."""
        return _places(self.find(), self._world.particles.positions)

    def snapshot(self) -> SurfaceSnapshot:
        """Return the surfaces as they are now, to be searched by another thread while the world moves on."""
        surfaces = [Surface(body.triangles + body.particles.start) for body in self._bodies]
        return SurfaceSnapshot(surfaces, self._world.particles.positions.copy())

    def bodies_of(self, crossings: NDArray[np.int32]) -> list[str]:
        """Return the names of the bodies that some crossings belong to."""
        return [
            body.name
            for body in self._bodies
            if ((crossings >= body.particles.start) & (crossings < body.particles.stop)).any()
        ]


@dataclass(frozen=True)
class SurfaceSnapshot:
    """All surfaces of a moment; shares no memory with the world."""

    surfaces: list[Surface]
    positions: NDArray[np.float64]
    """(particle_count, 3) [m]"""

    def places(self) -> NDArray[np.float64]:
        """Return where each edge passes through its triangle, (crossing_count, 3) [m]."""
        if not self.surfaces:
            return np.zeros((0, 3))
        return _places(_crossings(build_bvh(self.surfaces, self.positions), self.positions), self.positions)


def _crossings(bvh: BVH, positions: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the crossings of all surfaces of a hierarchy, (crossing_count, 5)."""
    roots = bvh.surface_roots
    first, second = np.triu_indices(len(roots))
    return find_crossings(bvh, np.stack([roots[first], roots[second]], axis=1), positions)


def _places(crossings: NDArray[np.int32], positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where each edge passes through its triangle, (crossing_count, 3) [m]."""
    start, end, a, b, c = (positions[crossings[:, n]] for n in range(5))
    normals = np.cross(b - a, c - a)
    before = np.abs(((start - a) * normals).sum(axis=1, keepdims=True))
    behind = np.abs(((end - a) * normals).sum(axis=1, keepdims=True))
    passed: NDArray[np.float64] = start + before / (before + behind) * (end - start)
    return passed
