"""What the report says of soft bodies: their energy and how far their edges are stretched."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.forces.averaged_strain import averaged_energy
from supple.forces.elasticity import elastic_energy
from supple.forces.springs import largest_stretch
from supple.kernel import cross, difference, dot, kernel
from supple.model.strain_patches import StrainPatches, make_patches
from supple.model.world import BodyRange, World


@kernel
def smallest_volume(positions, corners, volumes):
    """Return the smallest volume over volume at rest of any tetrahedron [-]; below 0 it is inside out.

    Args:
        positions: (particle_count, 3) [m]
        corners: (element_count, 4) particle indices
        volumes: (element_count,) at rest [m³]
    """
    smallest = np.inf
    for e in range(corners.shape[0]):
        first = corners[e, 0]
        a = difference(positions, corners[e, 1], first)
        b = difference(positions, corners[e, 2], first)
        c = difference(positions, corners[e, 3], first)
        volume = dot(a, cross(b, c))
        ratio = volume / (6.0 * volumes[e])
        if not ratio >= smallest:
            smallest = ratio
    return smallest


class SoftMeasure:
    """Measures the tetrahedra of a world."""

    def __init__(self, world: World) -> None:
        """List the edges of all soft bodies with their lengths at rest."""
        self.world = world
        # Of bodies of several levels, the finest mesh is looked at.
        of_levels = [
            levels.finest_edges() + world.bodies[name].particles.start
            for name, levels in world.levels.items()
        ]
        self._edges = np.concatenate([world.tetrahedra.edges(), *of_levels])
        rest = world.particles.rest_positions
        self._lengths = np.linalg.norm(rest[self._edges[:, 0]] - rest[self._edges[:, 1]], axis=1)
        self._kinds = np.zeros(len(self._edges), dtype=np.int8)
        self._patches: tuple[NDArray[np.float64], StrainPatches] | None = None

    def edges(self, body: BodyRange) -> NDArray[np.int64]:
        """Return the edges of one body, (edge_count, 2) vertex indices of the body."""
        first = self._edges[:, 0]
        is_own = (first >= body.particles.start) & (first < body.particles.stop)
        own: NDArray[np.int64] = self._edges[is_own] - body.particles.start
        return own

    def energy(self) -> float:
        """Return the elastic energy of all soft bodies [J]."""
        positions, elements = self.world.particles.positions, self.world.tetrahedra
        own = elastic_energy(positions, elements.arrays)
        if not elements.is_averaged.any():
            return float(own)
        return float(own + averaged_energy(positions, self._averaged(), elements.rotations))

    def _averaged(self) -> StrainPatches:
        """Return the patches of the elements, made anew only if their moduli have changed."""
        elements = self.world.tetrahedra
        known = self._patches
        if known is None or not np.array_equal(known[0], elements.blocks):
            self._patches = known = elements.blocks.copy(), make_patches(elements)
        return known[1]

    def largest_stretch(self) -> float:
        """Return the largest length over length at rest of any edge [-]."""
        positions = self.world.particles.positions
        return float(largest_stretch(positions, self._edges, self._lengths, self._kinds))

    def smallest_volume(self) -> float:
        """Return the smallest volume over volume at rest of any tetrahedron [-]; below 0 one is inside out."""
        elements = self.world.tetrahedra
        return float(smallest_volume(self.world.particles.positions, elements.corners, elements.volumes))
