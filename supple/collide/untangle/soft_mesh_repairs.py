"""Report of what was repaired in the meshes that soft bodies were declared with."""

from __future__ import annotations

import numpy as np

from supple.collide.broad_phase.bvh import Surface, build_bvh
from supple.collide.narrow_phase.intersections import find_crossings
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.scene import Scene
from supple.scene.soft_shapes.closed_surface import enclosed_volume
from supple.scene.soft_shapes.soft_shapes import SoftMesh, SoftSurface
from supple.scene.soft_shapes.tetra_quality import volumes_of


def soft_repairs(scene: Scene) -> list[str]:
    """Return a sentence for everything that was repaired in a soft body's mesh, with the first place."""
    lines = []
    for body in scene.bodies:
        if isinstance(body, SoftBody) and isinstance(body.shape, SoftMesh):
            lines += [f"`soft.{body.name}`: {line}" for line in _turned(body.shape)]
        elif isinstance(body, SoftBody) and isinstance(body.shape, SoftSurface):
            lines += [f"`soft.{body.name}`: {line}" for line in _filled(body.shape)]
    return lines


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
