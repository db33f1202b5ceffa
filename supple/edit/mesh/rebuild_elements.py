"""Remodel: the springs and bending elements of a body after its triangles have changed.

Theory: docs/theory/edits.md, eq. (T4). Every spring along an edge is the sum of what the triangles beside it
contribute, so it is rebuilt where one of them has changed. Elements that reach over several triangles (the
second diagonal of a cell, bending rows, twist) stay while these triangles are whole and still hang together;
a bending row that a cut runs along is shared between both sides. Split and newly joined triangles get the
bending elements of a mesh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Bench, Fabric
from supple.edit.mesh.rebuild_bends import remodel_bends
from supple.edit.mesh.rebuild_springs import remodel_springs
from supple.edit.mesh.triangle_mesh import Sheet
from supple.edit.world.table_patch import Amended
from supple.model.bends import Bends
from supple.model.springs import Springs


@dataclass(frozen=True)
class Remodelled:
    """Springs and bending elements of a body, ends counted from its first vertex."""

    springs: Amended
    bends: Amended
    spring_of: NDArray[np.int64]
    """(triangle_count, 3) spring along the edge opposite each corner."""

    changed: NDArray[np.int64]
    """(changed_count,) triangles that are other than before, ascending."""

    touched: NDArray[np.int64]
    """(count,) vertices whose mass, springs or bending elements have changed."""


def remodel(
    before: Fabric,
    sheet: Sheet,
    spring_of: NDArray[np.int64],
    springs: Springs,
    bends: Bends,
    rest_positions: NDArray[np.float64] | None,
    is_joined: NDArray[np.bool_] | None,
    bench: Bench,
) -> Remodelled:
    """Return what holds a body together after its triangles have changed.

    Args:
        before: the fabric before the edit
        sheet: after the edit
        spring_of: (triangle_room, 3) begins with the springs of the triangles before; brought up to date
        springs: of the body before, ends counted from its first vertex
        bends: of the body before
        rest_positions: (vertex_count, 3) of the vertices after the edit [m], for the rest curvature of new folds; None
            makes them flat
        is_joined: (triangle_room, 3) edges that two triangles have come to share, if any
        bench: where to work; the result is partly in its memory
    """
    count = int(sheet.counts[1])
    changed = np.flatnonzero(sheet.changes[:count])
    is_near = np.zeros(len(before.fan), np.bool_)
    is_near[before.triangles.take(changed[changed < len(before.triangles)], axis=0)] = True
    mesh = (before.triangles, before.across, before.fan)
    is_touched = np.zeros(int(sheet.counts[0]), np.bool_)
    is_touched[sheet.triangles.take(changed, axis=0)] = True
    spring_of[len(before.triangles) :] = -1
    new_springs = remodel_springs(mesh, sheet, changed, is_near, springs, spring_of, is_touched, bench)
    new_bends = remodel_bends(
        mesh, sheet, changed, is_near, bends, rest_positions, is_joined, is_touched, bench
    )
    return Remodelled(new_springs, new_bends, spring_of[:count], changed, np.flatnonzero(is_touched))
