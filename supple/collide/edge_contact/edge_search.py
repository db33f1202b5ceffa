"""Search for places of edges and faces of cloth that reach over an edge of a solid, for contact inside the solve.

The search itself is `find_bridges`; here stands what it remembers between two calls.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.edge_contact.contact_points import Places
from supple.collide.edge_contact.edge_contact import (
    CLEARANCE,
    LITTLE,
    add_ways,
    edged_solids,
    find_bridges,
    surface_of,
)
from supple.collide.obstacles.obstacle_motion import SolidMotion
from supple.collide.obstacles.solid_arrays import SolidProperties, Solids
from supple.model.particles import ParticleArrays
from supple.model.world import World


class EdgeSearch:
    """Triangles of all cloth, the solids that fit between their particles, and the places found last."""

    def __init__(self, world: World, bends: NDArray[np.float64], properties: SolidProperties) -> None:
        """Look at all cloth of a world.

        Args:
            world: bodies with a surface and no tetrahedra are cloth
            bends: (solid_count,) smallest radius at which each solid bends, of `least_bend` [m]
            properties: of the solids
        """
        self._bends, self._properties = bends, properties
        self._edged = self._edged_for(world)
        self._surface = surface_of(world, self._edged)
        self.triangles = self._surface.triangles
        self.is_active = len(self.triangles) > 0
        self.key_count = self._surface.key_count
        """How many edges and faces there are."""
        self._last, self._visit = np.zeros((len(self._surface.paths), 3)), 0
        self.places = Places(64)

    def _edged_for(self, world: World) -> NDArray[np.int64]:
        return edged_solids(world, self._bends, self._properties.shells, self._properties.is_projecting)

    def is_outdated(self, world: World) -> bool:
        """Return whether other solids have edges for the cloth of a world, whose rest lengths have changed."""
        return not np.array_equal(self._edged, self._edged_for(world))

    def begin(self) -> None:
        """Begin a substep."""
        self.places.count = 0

    def find(
        self, solids: Solids, properties: SolidProperties, motion: SolidMotion, particles: ParticleArrays
    ) -> None:
        """Look for places, with particles at their positions."""
        add_ways(particles.positions, self._last, self._surface.paths)
        while True:
            self._visit += 1
            self.places.count = find_bridges(
                solids, properties, motion, particles, self._edged, CLEARANCE, LITTLE, np.inf, self._surface,
                self._visit, self.places.arrays,
            )  # fmt: skip
            if self.places.count <= self.places.capacity:
                break
            self.places = Places(2 * self.places.count)
