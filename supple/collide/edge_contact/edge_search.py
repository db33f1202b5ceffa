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
    VISIBLE,
    Surface,
    add_ways,
    find_bridges,
)
from supple.collide.obstacles.obstacle_motion import SolidMotion
from supple.collide.obstacles.solid_arrays import SolidProperties, Solids
from supple.model.builders.mesh_edges import numbered_edges
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
        cloth = [
            b for b in world.bodies.values() if len(b.triangles) and b.tetrahedra.stop == b.tetrahedra.start
        ]
        lengths = world.springs.rest_lengths
        longest = max((float(lengths[body.springs].max(initial=0.0)) for body in cloth), default=0.0)
        # An edge of length L dips by L² / 8r into what bends with radius r.
        is_edged = properties.is_projecting & (longest**2 > 8.0 * VISIBLE * properties.shells * bends)
        self._edged = np.flatnonzero(is_edged)
        self.triangles = np.zeros((0, 3), dtype=np.int64)
        if cloth and len(self._edged):
            self.triangles = np.concatenate([body.triangles + body.particles.start for body in cloth])
        self.is_active = len(self.triangles) > 0
        edges, opposite = numbered_edges(self.triangles)
        self.key_count = len(edges) + len(self.triangles)
        """How many edges and faces there are."""
        count = world.particles.count if self.is_active else 0
        self._surface = Surface(
            self.triangles,
            opposite,
            visits=np.full(len(edges), -1, dtype=np.int64),
            dues=np.full(len(self.triangles), -np.inf),
            paths=np.zeros(count),
        )
        self._last, self._visit = np.zeros((count, 3)), 0
        self.places = Places(64)

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
