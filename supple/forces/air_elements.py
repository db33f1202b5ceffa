"""Aerodynamic elements: triangles and chain segments as air and water see them, in patches that feel the same wind.

Declared surfaces are bisected into wind patches once. Every vertex of an edited cloth knows which declared vertex it comes
from, and with that its patch: after a cut nothing is bisected anew, and a saved state finds the same patches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.forces.chain_drag import ChainSegments
from supple.forces.triangle_drag import LAWS, PLATE, AirTriangles, corner_weights, triangle_areas
from supple.forces.wind_patches import (
    bisect_elements,
    centre_elements,
    fetch_patches,
    number_patches,
    settle_vertices,
)
from supple.kernel import kernel
from supple.model.tables.ancestry import Ancestry
from supple.model.tables.growable import resized
from supple.model.world import BodyRange, World
from supple.scene.air import Aerodynamics
from supple.scene.bodies.chain import Chain
from supple.scene.scene import Scene

MOST_PATCHES = 256
"""Places at which the wind is asked in a frame, about."""

SOLID_DRAG = 1.0
"""Drag coefficient of the faces of a solid that meet the stream [-]."""

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def weigh_corners(triangles, corner_fractions, shares, areas, weights):
    """Write areas of triangles at rest, and the share of each corner in them: of what it carries of its vertex.

    Args:
        triangles: (triangle_count, 3) vertices
        corner_fractions: (triangle_count, 3) part of its vertex' share that each corner carries [-]
        shares: (vertex_count,) area that each vertex stands for [m²]
        areas: (triangle_count,) written [m²]
        weights: (triangle_count, 3) written [-]; each row sums to 1
    """
    for t in range(triangles.shape[0]):
        a = corner_fractions[t, 0] * shares[triangles[t, 0]]
        b = corner_fractions[t, 1] * shares[triangles[t, 1]]
        c = corner_fractions[t, 2] * shares[triangles[t, 2]]
        areas[t] = total = a + b + c
        weights[t, 0], weights[t, 1], weights[t, 2] = a / total, b / total, c / total


class WindPatches:
    """The wind patches of a declared surface."""

    def __init__(self, triangles: Indices, points: Floats, size: int) -> None:
        """Divide triangles (triangle_count, 3) between points (vertex_count, 3) [m] into patches of at most `size`."""
        self.triangles, self.points = triangles, points
        self.patches, self.middles = bisected(triangles, points, size)
        """(triangle_count,) patch of each triangle, and the vertex in the middle of each patch."""

        self.patch_of_vertex = np.zeros(len(points), dtype=np.int64)
        """(vertex_count,) the patch of one of its triangles."""

        settle_vertices(triangles, self.patches, self.patch_of_vertex)

    def inherited(
        self, triangles: Indices, births: Indices, points: Floats, patches: NDArray[np.uint32]
    ) -> Indices:
        """Write the patch of every triangle of what has become of the surface; return the vertices in their middles.

        Args:
            triangles: (triangle_count, 3) vertices
            births: (vertex_count, 3) declared vertices that each one comes from, the nearest first
            points: (vertex_count, 3) at rest [m]
            patches: (triangle_count,) written, counted from zero
        """
        count = len(self.middles)
        numbers, middles = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        found = number_patches(
            births, self.patch_of_vertex, self.points[self.middles], points, np.empty(count), numbers, middles
        )
        fetch_patches(triangles, births, self.patch_of_vertex, numbers, patches)
        return middles[:found]


class AirElements:
    """The triangles and chain segments of all bodies, and where the wind is asked for them."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Take over the surfaces of a world that is as its scene declares it; nothing is divided yet."""
        self._world = world
        rest, bodies = world.particles.rest_positions, world.bodies
        self._declared = {name: (body.triangles, rest[body.particles]) for name, body in bodies.items()}
        chains = {body.name for body in scene.bodies if isinstance(body, Chain)}
        elements = sum(
            body.springs.stop - body.springs.start if name in chains else len(body.triangles)
            for name, body in bodies.items()
        )
        self._patch_size = max(1, -(-elements // MOST_PATCHES))
        self._patches_of: dict[str, WindPatches] = {}
        self.triangles: list[AirTriangles] = []
        self.segments: list[ChainSegments] = []
        self.patch_count = 0
        self._middles: list[Indices] = []
        self._worn: list[AirTriangles] = []
        """Triangles that are not needed any more, whose memory is."""

    def clear(self) -> None:
        """Forget all triangles and segments."""
        self._worn, self.triangles = self.triangles or self._worn, []
        self.segments, self._middles, self.patch_count = [], [], 0

    @property
    def middles(self) -> Indices:
        """(patch_count,) the particle at which the wind of each patch is asked."""
        return np.concatenate([np.zeros(0, dtype=np.int64), *self._middles])

    def add_triangles(self, span: BodyRange, air: Aerodynamics | None) -> None:
        """Take over the triangles of a cloth, or of a solid if it has no aerodynamics of its own."""
        triangles = self._blank(len(span.triangles), air)
        np.add(span.triangles, span.particles.start, out=triangles.corners, casting="unsafe")
        points = self._world.particles.rest_positions
        if span.ancestry is not None:
            weigh_corners(
                span.triangles,
                span.ancestry.corner_fractions,
                span.shares,
                triangles.areas,
                triangles.weights,
            )
            self._inherit(span, span.ancestry, triangles.patches)
        else:
            triangles.areas[:] = areas = triangle_areas(points, triangles.corners)
            triangles.weights[:] = 1.0 / 3.0
            if air is not None:
                shares = span.shares * (areas.sum() / span.shares.sum())
                triangles.weights[:] = corner_weights(span.triangles.astype(np.uint32), areas, shares)
            self._divide(span, triangles.patches)
        self.triangles.append(triangles)

    def add_segments(self, span: BodyRange, diameter: float) -> None:
        """Take over the segments of a chain of `diameter` [m]."""
        points = self._world.particles.rest_positions
        ends = self._world.springs.ends[span.springs]
        patches, middles = bisected(ends.astype(np.int64), points, self._patch_size)
        patches += self.patch_count
        self._found(middles)
        self.segments.append(
            ChainSegments(
                ends=ends,
                weights=np.full(ends.shape, 0.5),
                free_shares=np.ones(len(ends)),
                lengths=np.linalg.norm(points[ends[:, 1]] - points[ends[:, 0]], axis=1),
                masses=np.zeros(len(ends)),
                patches=patches.astype(np.uint32),
                diameter=diameter,
            )
        )

    def _blank(self, count: int, air: Aerodynamics | None) -> AirTriangles:
        """Return triangles that are still to be written, in memory that was used before where there is some."""
        worn = self._worn[len(self.triangles)] if len(self.triangles) < len(self._worn) else None
        return AirTriangles(
            corners=resized(np.zeros((0, 3), dtype=np.uint32) if worn is None else worn.corners, count),
            weights=resized(np.zeros((0, 3)) if worn is None else worn.weights, count),
            free_shares=resized(np.zeros(0) if worn is None else worn.free_shares, count),
            areas=resized(np.zeros(0) if worn is None else worn.areas, count),
            masses=resized(np.zeros(0) if worn is None else worn.masses, count),
            patches=resized(np.zeros(0, dtype=np.uint32) if worn is None else worn.patches, count),
            law=PLATE if air is None else LAWS[air.law],
            drag=SOLID_DRAG if air is None else air.drag_value,
            lift=0.0 if air is None else air.lift_value,
            skin=0.0 if air is None else air.skin,
            is_closed=air is None,
            lead=0.0 if air is None or air.law != "plate" else air.lead,
            ahead=np.ones(count),
        )

    def _inherit(self, span: BodyRange, ancestry: Ancestry, patches: NDArray[np.uint32]) -> None:
        """Write the patches of an edited cloth."""
        points = self._world.particles.rest_positions[span.particles]
        middles = self._declared_patches(span.origin).inherited(
            span.triangles, ancestry.ancestors, points, patches
        )
        patches += np.uint32(self.patch_count)
        self._found(middles + span.particles.start)

    def _divide(self, span: BodyRange, patches: NDArray[np.uint32]) -> None:
        """Write the patches of a surface that is as it was declared, or of a soft body that was cut."""
        points = self._world.particles.rest_positions[span.particles]
        if np.array_equal(span.triangles, self._declared[span.origin][0]):
            known = self._declared_patches(span.origin)
            own, middles = known.patches, known.middles
        else:
            own, middles = bisected(span.triangles, points, self._patch_size)
        np.add(own, self.patch_count, out=patches, casting="unsafe")
        self._found(middles + span.particles.start)

    def _found(self, middles: Indices) -> None:
        self._middles.append(middles)
        self.patch_count += len(middles)

    def _declared_patches(self, name: str) -> WindPatches:
        """Return the patches of a declared surface."""
        if name not in self._patches_of:
            self._patches_of[name] = WindPatches(*self._declared[name], self._patch_size)
        return self._patches_of[name]


def bisected(elements: Indices, points: Floats, size: int) -> tuple[Indices, Indices]:
    """Divide elements (element_count, corner_count) between points [m] into patches of at most `size`.

    Returns:
        Patch of each element, counted from zero, and the first corner of the element in the middle of each patch.
    """
    centres = np.empty((len(elements), 3))
    centre_elements(points, elements, centres)
    patches, middles = patches_of(centres, size)
    return patches, elements[middles, 0]


def patches_of(centres: Floats, size: int) -> tuple[Indices, Indices]:
    """Put neighbouring elements into patches.

    Args:
        centres: (element_count, 3) where each element is [m]
        size: most elements in a patch

    Returns:
        Patch of each element, counted from zero, and the element in the middle of each patch.
    """
    count = len(centres)
    patches, middles = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    spans = np.empty((64 + count.bit_length(), 2), dtype=np.int64)
    places = np.array(centres, dtype=np.float64)
    found = bisect_elements(size, places, np.arange(count), spans, patches, middles)
    return patches, middles[:found].copy()
