"""Report of what was repaired in the meshes that soft bodies were declared with, and of bodies that lie in pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import Surface, build_bvh
from supple.collide.narrow_phase.intersections import find_crossings
from supple.errors import SuppleError
from supple.model.couplings.connected_components import label_components
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.scene import Scene
from supple.scene.soft_shapes.closed_surface import enclosed_volume
from supple.scene.soft_shapes.soft_shapes import FilledShape, SoftMesh, SoftSurface
from supple.scene.soft_shapes.tetra_quality import volumes_of

SMALLER, SMALLER_CELLS = 0.8, 6
"""Factor on the cells that are tried where a body falls apart, and how many of them."""


def soft_repairs(scene: Scene) -> list[str]:
    """Return a sentence for everything that was repaired in a soft body's mesh, with the first place."""
    lines = []
    for body in scene.bodies:
        if isinstance(body, SoftBody) and isinstance(body.shape, SoftMesh):
            lines += [f"`soft.{body.name}`: {line}" for line in _turned(body.shape)]
        elif isinstance(body, SoftBody) and isinstance(body.shape, SoftSurface):
            lines += [f"`soft.{body.name}`: {line}" for line in (*_filled(body.shape), *_pieces(body.shape))]
        elif isinstance(body, SoftBody) and isinstance(body.shape, FilledShape):
            lines += [f"`soft.{body.name}`: {line}" for line in _pieces(body.shape)]
    return lines


def _pieces(shape: SoftSurface | FilledShape) -> list[str]:
    """Tell that a body lies in more pieces than its shape, because its cells are larger than the necks between them."""
    found, whole = _piece_count(shape), _surface_count(shape)
    if found <= whole:
        return []
    cell, remedy = shape.cell, "Choose a smaller cell, or thicken its necks."
    for _ in range(SMALLER_CELLS):
        cell *= SMALLER
        try:
            finer = shape.changed(cell=float(f"{cell:.2g}"))
        except SuppleError:  # too many points
            break
        if _piece_count(finer) <= whole:
            remedy = f"A cell of {finer.cell:g} m keeps it together."
            break
    return [
        f"it lies in {found} pieces, because its cells of {shape.cell:g} m are too large for its thin parts. {remedy}"
    ]


def _piece_count(shape: SoftSurface | FilledShape) -> int:
    """Return in how many pieces the tetrahedra of a shape hang together."""
    points, corners = shape.mesh
    return _component_count(np.asarray(corners)[:, [[0, 1], [1, 2], [2, 3]]].reshape(-1, 2), len(points))


def _surface_count(shape: SoftSurface | FilledShape) -> int:
    """Return in how many pieces the surface of a shape hangs together; hollows count as well."""
    if isinstance(shape, FilledShape):
        return 1
    edges = np.asarray(shape.triangles)[:, [[0, 1], [1, 2]]].reshape(-1, 2)
    return _component_count(edges, len(shape.vertices))


def _component_count(pairs: NDArray[np.int64], count: int) -> int:
    """Return the number of connected components among the points that pairs name."""
    labels = label_components(np.ascontiguousarray(pairs, dtype=np.int64), count)
    return len(np.unique(labels[pairs]))


def _turned(shape: SoftMesh) -> list[str]:
    is_turned = volumes_of(shape.vertices, shape.tetrahedra) < 0.0
    if (
        not is_turned.any() or is_turned.all()
    ):  # a file that lists all of them the other way round has its reasons
        return []
    first = int(np.flatnonzero(is_turned)[0])
    return [
        f"{np.count_nonzero(is_turned):,} of {len(is_turned):,} tetrahedra were listed inside out, the first at index "
        f"{first}. They were turned round."
    ]


def _filled(shape: SoftSurface) -> list[str]:
    lines = []
    if enclosed_volume(shape.vertices, shape.triangles) < 0.0:
        lines.append("the triangles of its surface face inwards. They were turned round.")
    bvh = build_bvh([Surface(np.asarray(shape.triangles))], shape.vertices)
    roots = np.array([[bvh.surface_roots[0]] * 2], dtype=np.int32)
    found = find_crossings(bvh, roots, np.ascontiguousarray(shape.vertices))
    if len(found):
        x, y, z = shape.vertices[found[0, :2]].mean(axis=0)
        lines.append(
            f"its surface passes through itself: {len(found):,} edges pass through triangles, the first near "
            f"({x:.3g}, {y:.3g}, {z:.3g}) in its own axes. It was filled as one solid."
        )
    return lines
