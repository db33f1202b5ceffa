"""Find what keeps a triangle surface from enclosing a solid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.scene.mistakes import Steps
from supple.scene.placement import FloatArray, IndexArray
from supple.scene.triangle_check import triangle_mistakes


def enclosed_volume(vertices: FloatArray, triangles: IndexArray) -> float:
    """Return the volume inside a closed surface [m³]; negative if its triangles face inwards."""
    a, b, c = (vertices[triangles[:, n]] - vertices.mean(axis=0) for n in range(3))
    return float(np.einsum("tx,tx->", a, np.cross(b, c))) / 6.0


def closed_surface_mistakes(vertices: FloatArray, triangles: IndexArray) -> Iterator[tuple[Steps, str]]:
    """Yield why a surface encloses nothing: holes, edges with a third triangle, triangles that face both ways.

    Each names the first place. A surface that passes through itself is no mistake: what any of its parts
    encloses counts as inside.
    """
    if len(triangles) == 0:
        yield ("triangles",), "is empty, but a closed surface needs at least four triangles."
        return
    wrong = list(triangle_mistakes(vertices, triangles))
    yield from wrong
    if wrong:
        return
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edges, first, which = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_inverse=True)
    counts = np.bincount(which.ravel(), minlength=len(edges))
    ways = np.bincount(
        which.ravel(), weights=np.where(sides[:, 0] < sides[:, 1], 1.0, -1.0), minlength=len(edges)
    )
    for is_wrong, trouble, way_out in (
        (
            counts > 2,
            "has more than two triangles, so it is not clear what is inside",
            "Let each edge have two triangles.",
        ),
        (
            counts == 1,
            "has a triangle on one side only, so the surface has a hole there",
            "Close the surface.",
        ),
        (
            (counts == 2) & (ways != 0.0),
            "has two triangles that face different ways",
            "List the vertices of all triangles counter-clockwise seen from outside.",
        ),
    ):
        if is_wrong.any():
            edge = int(np.flatnonzero(is_wrong)[0])
            a, b = edges[edge].tolist()
            middle = ", ".join(f"{x:.4g}" for x in vertices[edges[edge]].mean(axis=0))
            more = f" ({np.count_nonzero(is_wrong):,} such edges)" if np.count_nonzero(is_wrong) > 1 else ""
            yield (
                ("triangles", int(first[edge]) // 3),
                f"is not part of a closed surface: its edge from vertex {a} to {b}, near ({middle}), {trouble}"
                f"{more}. {way_out}",
            )
            return
    extent = float(np.ptp(vertices, axis=0).max())
    if abs(enclosed_volume(vertices, triangles)) < 1e-9 * extent**3:
        yield ("triangles",), "encloses no volume: the surface is flat or folded onto itself."
