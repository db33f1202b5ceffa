"""Checks that a triangle surface is closed and encloses a solid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.scene.cloth_shapes.triangle_check import triangle_mistakes
from supple.scene.error_messages import Steps
from supple.scene.placement import FloatArray, IndexArray


def enclosed_volume(vertices: FloatArray, triangles: IndexArray) -> float:
    """Return the volume inside a closed surface [m³]; negative if its triangles face inwards."""
    a, b, c = (vertices[triangles[:, n]] - vertices.mean(axis=0) for n in range(3))
    return float(np.einsum("tx,tx->", a, np.cross(b, c))) / 6.0


CROWDED = "has more than two triangles, so it is not clear what is inside"
OPEN = "has a triangle on one side only, so the surface has a hole there"
TWISTED = "has two triangles that face different ways"

WAYS_OUT = {
    CROWDED: "Let each edge have two triangles.",
    OPEN: "Close the surface.",
    TWISTED: "List the vertices of all triangles counter-clockwise seen from outside.",
}
"""What to do about edges that keep a surface from being closed."""


@dataclass(frozen=True)
class OpenEdge:
    """The first edge that keeps a surface from being closed."""

    ends: tuple[int, int]
    """Its vertices."""

    reason: str
    """What is wrong with it."""

    count: int
    """Edges with the same trouble, this one included."""

    def told(self, vertices: FloatArray) -> str:
        """Return the edge, where it is and what is wrong with it, in words."""
        a, b = self.ends
        middle = ", ".join(f"{x:.4g}" for x in vertices[[a, b]].mean(axis=0))
        more = f" ({self.count:,} such edges)" if self.count > 1 else ""
        return f"edge from vertex {a} to {b}, near ({middle}), {self.reason}{more}"


def open_edge(triangles: IndexArray) -> OpenEdge | None:
    """Return the first edge that keeps a surface from being closed; None if it is closed."""
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edges, which = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    counts = np.bincount(which.ravel(), minlength=len(edges))
    ways = np.bincount(
        which.ravel(), weights=np.where(sides[:, 0] < sides[:, 1], 1.0, -1.0), minlength=len(edges)
    )
    for is_wrong, reason in (
        (counts > 2, CROWDED),
        (counts == 1, OPEN),
        ((counts == 2) & (ways != 0.0), TWISTED),
    ):
        if is_wrong.any():
            a, b = edges[np.flatnonzero(is_wrong)[0]].tolist()
            return OpenEdge((a, b), reason, int(np.count_nonzero(is_wrong)))
    return None


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
    leak = open_edge(triangles)
    if leak is not None:
        sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]], axis=2)
        row = int(np.flatnonzero((sides == leak.ends).all(axis=2).any(axis=1))[0])
        yield (
            ("triangles", row),
            f"is not part of a closed surface: its {leak.told(vertices)}. {WAYS_OUT[leak.reason]}",
        )
        return
    extent = float(np.ptp(vertices, axis=0).max())
    if abs(enclosed_volume(vertices, triangles)) < 1e-9 * extent**3:
        yield ("triangles",), "encloses no volume: the surface is flat or folded onto itself."
