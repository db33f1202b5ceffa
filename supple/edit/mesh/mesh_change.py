"""Mesh change: what an edit has changed in the triangles of a cloth, from which its springs and bends are rebuilt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import Adjacency
from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.mesh.triangle_mesh import TriangleMesh


@dataclass(frozen=True)
class MeshChange:
    """A triangle mesh before and after an edit."""

    before: Adjacency
    after: TriangleMesh
    triangles: NDArray[np.int64]
    """(changed_count,) triangles that are other than before, ascending."""

    is_near: NDArray[np.bool_]
    """(vertex_count before,) corners, before the edit, of triangles that it changed."""

    is_changed: NDArray[np.bool_]
    """(vertex_count after,) vertices whose mass, springs or bending elements have changed; marked as these are rebuilt."""

    is_joined: NDArray[np.bool_] | None
    """(triangle_capacity, 3) edges that two triangles have come to share; None if a seam was not welded."""

    @classmethod
    def of(
        cls, before: ClothRecord, after: TriangleMesh, is_joined: NDArray[np.bool_] | None = None
    ) -> MeshChange:
        """Compare a mesh with the record that it was opened from."""
        triangles = np.flatnonzero(after.changes[: int(after.counts[1])])
        is_near = np.zeros(len(before.incident_triangle), np.bool_)
        is_near[before.triangles.take(triangles[triangles < len(before.triangles)], axis=0)] = True
        is_changed = np.zeros(int(after.counts[0]), np.bool_)
        is_changed[after.triangles.take(triangles, axis=0)] = True
        return cls(before.adjacency, after, triangles, is_near, is_changed, is_joined)
