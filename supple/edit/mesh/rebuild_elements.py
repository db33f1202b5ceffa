"""Rebuild elements: the springs and bending elements of a body after its triangles have changed.

Theory: docs/theory/edits.md, eq. (T4). Every spring along an edge is the sum of what the triangles beside it
contribute, so it is rebuilt where one of them has changed. Elements that reach over several triangles (the second
diagonal of a cell, bending rows, twist) stay while these triangles are not split and still adjacent; a bending row that
a cut runs along is divided between both sides. Split and newly joined triangles get the bending elements of a mesh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.mesh_change import MeshChange
from supple.edit.mesh.rebuild_bends import rebuild_bends
from supple.edit.mesh.rebuild_springs import rebuild_springs
from supple.edit.mesh.workspace import Workspace
from supple.edit.world.table_patch import TablePatch
from supple.model.bends import Bends
from supple.model.springs import Springs


@dataclass(frozen=True)
class RebuiltElements:
    """Springs and bending elements of a body, ends counted from its first vertex."""

    springs: TablePatch
    bends: TablePatch
    spring_of: NDArray[np.int64]
    """(triangle_count, 3) spring along the edge opposite each corner."""

    changed_vertices: NDArray[np.int64]
    """(count,) vertices whose mass, springs or bending elements have changed."""


def rebuild_elements(
    change: MeshChange,
    springs: Springs,
    bends: Bends,
    spring_of: NDArray[np.int64],
    rest_positions: NDArray[np.float64] | None,
    workspace: Workspace,
) -> RebuiltElements:
    """Return the springs and bending elements of a body after its triangles have changed.

    Args:
        change: the triangles before and after the edit; vertices of elements that change are marked
        springs: of the body before, ends counted from its first vertex
        bends: of the body before
        spring_of: (triangle_capacity, 3) begins with the springs of the triangles before; brought up to date
        rest_positions: (vertex_count, 3) of the vertices after the edit [m], for the rest curvature of new hinges; None
            makes them flat
        workspace: memory to work in; the result is partly there
    """
    spring_of[len(change.before.triangles) :] = -1
    new_springs = rebuild_springs(change, springs, spring_of, workspace)
    new_bends = rebuild_bends(change, bends, rest_positions, workspace)
    count = int(change.after.counts[1])
    return RebuiltElements(new_springs, new_bends, spring_of[:count], np.flatnonzero(change.is_changed))
