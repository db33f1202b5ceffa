"""Weld: the two chains of a closed seam become one, so that the surface is whole there again.

Theory: docs/theory/edits.md, eq. (T7).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import (
    boundary_neighbours,
    corner_of,
    count_unreached_corners,
    edge_triangles,
    is_on_boundary,
    next_in_one_ring,
    one_ring_start,
)
from supple.edit.mesh.triangle_mesh import RELINKED, TriangleMesh
from supple.edit.world.reshape_body import BodyEdit
from supple.kernel import kernel

Indices = NDArray[np.int64]


@kernel
def find_joints(mesh, kept, gone, joints):
    """Find the edges that two chains of border vertices will share; return whether all of them can be joined.

    Args:
        mesh: the mesh
        kept: (pair_count,) vertices that stay
        gone: (pair_count,) vertices that become those; the same where the chains meet
        joints: (pair_count - 1, 4) written: the triangle and the opposite corner on either side of each edge
    """
    triangles = mesh.triangles
    for n in range(kept.shape[0]):
        p, q = kept[n], gone[n]
        if not (is_on_boundary(mesh.adjacency, p) and is_on_boundary(mesh.adjacency, q)):
            return False
        if p != q and edge_triangles(mesh.adjacency, p, q)[0] >= 0:
            return False
    for n in range(joints.shape[0]):
        t, t_beyond = edge_triangles(mesh.adjacency, kept[n], kept[n + 1])
        u, u_beyond = edge_triangles(mesh.adjacency, gone[n], gone[n + 1])
        if t < 0 or u < 0 or t == u or t_beyond >= 0 or u_beyond >= 0:
            return False
        joints[n, 0], joints[n, 2] = t, u
        joints[n, 1] = 3 - corner_of(triangles, t, kept[n]) - corner_of(triangles, t, kept[n + 1])
        joints[n, 3] = 3 - corner_of(triangles, u, gone[n]) - corner_of(triangles, u, gone[n + 1])
    return True


@kernel
def weld_vertices(mesh, kept, gone, joints, is_joined, merged):
    """Weld chains of border vertices; return whether every edge between neighbours in the chains could be joined.

    Args:
        mesh: changed in place
        kept: (pair_count,) vertices that stay
        gone: (pair_count,) vertices that become those; the same where the chains meet
        joints: (pair_count - 1, 4) scratch
        is_joined: (triangle_capacity, 3) set for edges that two triangles have come to share
        merged: (vertex_count,) every vertex itself; written: what it has become
    """
    if not find_joints(mesh, kept, gone, joints):
        return False
    for n in range(kept.shape[0]):
        p, q = kept[n], gone[n]
        if p == q:
            continue
        merged[q] = p
        t, entry = one_ring_start(mesh.adjacency, q)
        while t >= 0:
            u, next_entry = next_in_one_ring(mesh.adjacency, t, q, entry)
            mesh.triangles[t, corner_of(mesh.triangles, t, q)] = p
            mesh.changes[t] = max(mesh.changes[t], RELINKED)
            t, entry = u, next_entry
    # Linked only now that all one-rings have been renumbered: a walk around a vertex must not cross a weld before.
    for n in range(joints.shape[0]):
        t, c, u, d = joints[n, 0], joints[n, 1], joints[n, 2], joints[n, 3]
        mesh.neighbours[t, c], mesh.neighbours[u, d] = u, t
        is_joined[t, c] = is_joined[u, d] = True
        mesh.changes[t] = max(mesh.changes[t], RELINKED)
        mesh.changes[u] = max(mesh.changes[u], RELINKED)
    return True


def weld(body_edit: BodyEdit, pairs: Indices) -> bool:
    """Weld the chains of a body; return whether the surface is a manifold then. If not, the edit is to be dropped.

    Args:
        body_edit: the body
        pairs: (pair_count, 2) its vertices, in the order of the chains
    """
    mesh = body_edit.mesh
    pairs = _with_tips(mesh, pairs)
    meeting = int(np.count_nonzero(pairs[:, 0] == pairs[:, 1]))
    if len(pairs) < 2 or len(np.unique(pairs)) != 2 * len(pairs) - meeting:
        return False
    kept, gone = pairs[:, 0].copy(), pairs[:, 1].copy()
    is_joined = np.zeros(mesh.is_marked.shape, np.bool_)
    merged = np.arange(len(body_edit.cloth_record.incident_triangle))
    joints = np.empty((len(pairs) - 1, 4), np.int64)
    if not weld_vertices(mesh, kept, gone, joints, is_joined, merged):
        return False
    body_edit.merged, body_edit.is_joined = merged, is_joined
    return is_manifold(mesh, merged)


def _with_tips(mesh: TriangleMesh, pairs: Indices) -> Indices:
    """Add the tip of a slit at either end of the chains: the edges from there become one as well."""
    rows = pairs.tolist()
    for end in (0, -1):
        a, b = rows[end]
        if a == b:
            continue
        beside = [{*boundary_neighbours(mesh.adjacency, vertex)} for vertex in (a, b)]
        shared = beside[0] & beside[1] - {-1, *pairs.ravel().tolist()}
        if len(shared) == 1:
            tip = int(shared.pop())
            rows.insert(0 if end == 0 else len(rows), [tip, tip])
    return np.array(rows, dtype=np.int64)


def is_manifold(mesh: TriangleMesh, merged: Indices) -> bool:
    """Tell whether no edge has more than two triangles, no triangle a corner twice, and every vertex one fan or ring.

    Args:
        mesh: after vertices were welded
        merged: (vertex_count,) what each vertex has become
    """
    count = int(mesh.counts[1])
    triangles, neighbours = mesh.triangles[:count], mesh.neighbours[:count]
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    if (edges[:, 0] == edges[:, 1]).any():
        return False
    keys = edges[:, 0] * len(mesh.incident_triangle) + edges[:, 1]
    if np.unique(keys, return_counts=True)[1].max() > 2:
        return False
    incident = mesh.incident_triangle[: len(merged)].copy()
    incident[merged != np.arange(len(merged))] = -1
    seen = np.zeros(triangles.shape, np.bool_)
    return int(count_unreached_corners(triangles, neighbours, incident, seen)) == 0
