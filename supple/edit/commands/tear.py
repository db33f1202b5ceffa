"""Tear: cloth gives way where it is stretched too far, and the tear runs.

Theory: docs/theory/edits.md, eq. (T6). At an edge stretched beyond the limit a cut runs a little way from one of
its ends, across the pull. The tip of a tear carries the load of what it has cut, so it is stretched next.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import is_on_boundary, next_in_one_ring, one_ring_start
from supple.edit.mesh.cut_path import advance_cut
from supple.edit.mesh.triangle_mesh import has_capacity, open_marked_edges
from supple.edit.world.apply_edit import EditableWorld
from supple.edit.world.intersection_check import EditRefused
from supple.edit.world.rebuild_bodies import EditedBody, body_springs, unedited_body
from supple.edit.world.reshape_body import BodyEdit
from supple.kernel import cross, difference, kernel, norm
from supple.model.bends import Bends
from supple.model.springs import Springs
from supple.model.world import BodyRange

MOST_TEARS = 12
"""Edges that give way in one frame; more wait for the next, so that no frame is late."""

TEAR_DISTANCE = 4.0
"""Least distance of two tears of one frame, as a fraction of the mean edge: the first one takes the load off the other."""

TEAR_REACH = 1.6
"""How far one tear runs in a frame, as a fraction of the mean edge."""


@kernel
def measure_strains(positions, ends, rest_lengths, kind, strains):
    """Write the elongation of every stretch spring [-], -1 for others."""
    for s in range(ends.shape[0]):
        strains[s] = -1.0
        if kind[s] == 0 and rest_lengths[s] > 0.0:
            strains[s] = norm(difference(positions, ends[s, 0], ends[s, 1])) / rest_lengths[s] - 1.0


@kernel
def one_ring_normal(mesh, point):
    """Return the sum of the normals of the one-ring of a vertex, as long as twice its area."""
    x, y, z = 0.0, 0.0, 0.0
    t, entry = one_ring_start(mesh.adjacency, point)
    first = t
    while t >= 0:
        a, b, c = mesh.triangles[t, 0], mesh.triangles[t, 1], mesh.triangles[t, 2]
        n = cross(difference(mesh.positions, b, a), difference(mesh.positions, c, a))
        x, y, z = x + n[0], y + n[1], z + n[2]
        t, entry = next_in_one_ring(mesh.adjacency, t, point, entry)
        if t == first:
            break
    return (x, y, z)


@kernel
def is_disturbed(mesh, point):
    """Return whether a triangle in the one-ring of a vertex has been changed, or has an edge to be opened."""
    t, entry = one_ring_start(mesh.adjacency, point)
    first = t
    while t >= 0:
        if mesh.changes[t] != 0 or mesh.is_marked[t, 0] or mesh.is_marked[t, 1] or mesh.is_marked[t, 2]:
            return True
        t, entry = next_in_one_ring(mesh.adjacency, t, point, entry)
        if t == first:
            break
    return False


@kernel
def tear_edges(mesh, ends, order, is_fixed, mean_edge, tips):
    """Cut across the edges given, the most stretched first; return how many tears began or ran on.

    Args:
        mesh: changed in place: edges are marked
        ends: (spring_count, 2) vertices
        order: (count,) springs to tear, the most stretched first
        is_fixed: (vertex_count,) vertices that are held: tears begin beside them
        mean_edge: mean length of edges [m]
        tips: (most tears,) written: where the tears began
    """
    torn = 0
    for s in order:
        if torn == tips.shape[0]:
            break
        i, j = np.int64(ends[s, 0]), np.int64(ends[s, 1])
        is_close = False
        for n in range(torn):
            away = norm(difference(mesh.positions, i, tips[n]))
            is_close = is_close or away < TEAR_DISTANCE * mean_edge
        if is_close:
            continue
        if is_disturbed(mesh, i) or is_disturbed(mesh, j) or (is_fixed[i] and is_fixed[j]):
            continue
        # The tip of a tear, or a border, gives way before whole cloth does.
        at_border = is_on_boundary(mesh.adjacency, j)
        point = j if is_fixed[i] or (at_border and not is_fixed[j]) else i
        pull = difference(mesh.positions, i, j)
        way = cross(one_ring_normal(mesh, point), pull)
        length = norm(way)
        if not length > 0.0:
            continue
        x, y, z = mesh.positions[point, 0], mesh.positions[point, 1], mesh.positions[point, 2]
        for sign in (1.0, -1.0):
            f = sign * TEAR_REACH * mean_edge / length
            advance_cut(mesh, point, (x + f * way[0], y + f * way[1], z + f * way[2]), True, mean_edge)
        tips[torn] = point
        torn += 1
    return torn


def advance_tears(editable: EditableWorld, body: BodyRange, strain: float) -> None:
    """Let a body tear for one frame where it is stretched by more than `strain`."""
    particles = editable.world.particles
    span = body.particles
    if len(body.triangles):
        springs = body_springs(editable.world, body)
        if len(overstretched(particles.positions[span], springs, strain)) == 0:
            return
        body_edit = BodyEdit(
            editable.world, body, editable.require_cloth_record(body), 32 * MOST_TEARS, editable.workspace
        )
        edited_body = torn(body_edit, strain, particles.is_fixed[span])
    else:
        whole = unedited_body(editable.world, body)
        gone = overstretched(particles.positions[span], whole.springs, strain)[:MOST_TEARS]
        edited_body = snapped(whole, gone) if len(gone) else None
    if edited_body is not None:
        edited = editable.split_into_pieces({body.name: edited_body})
        with (
            suppress(EditRefused),
            editable.revert_if_refused(),
        ):  # a tear that cannot open waits for the next frame
            editable.update_bodies(edited, editable.in_progress)


def torn(body_edit: BodyEdit, strain: float, is_fixed: NDArray[np.bool_]) -> EditedBody | None:
    """Return a cloth after one frame of tearing, None if it holds."""
    order = overstretched(body_edit.mesh.positions, body_edit.springs, strain)
    if len(order) == 0 or not tear_edges(
        body_edit.mesh,
        body_edit.springs.ends,
        order,
        is_fixed,
        body_edit.mean_edge,
        np.empty(MOST_TEARS, np.int64),
    ):
        return None
    return body_edit.result() if has_capacity(body_edit.mesh) and open_marked_edges(body_edit.mesh) else None


def overstretched(positions: NDArray[np.float64], springs: Springs, strain: float) -> NDArray[np.int64]:
    """Return the stretch springs longer than 1 + `strain` times their rest length, the longest first."""
    strains = np.empty(springs.count)
    measure_strains(positions, springs.ends, springs.rest_lengths, springs.kind, strains)
    found = np.flatnonzero(strains > strain)
    return found[np.argsort(-strains[found], kind="stable")]


def snapped(edited_body: EditedBody, gone: NDArray[np.int64]) -> EditedBody:
    """Return a body without surface (a chain, a network) after some of its springs have snapped."""
    springs, bends = edited_body.springs, edited_body.bends
    is_kept = np.ones(springs.count, np.bool_)
    is_kept[gone] = False
    count = len(edited_body.vertices)
    low, high = springs.ends[gone].min(axis=1).astype(np.int64), springs.ends[gone].max(axis=1)
    broken = low * count + high
    bend_kept = np.ones(bends.count, np.bool_)
    for a, c in ((0, 1), (1, 2), (0, 2)):
        pairs = np.sort(bends.points[:, [a, c]].astype(np.int64), axis=1)
        bend_kept &= ~np.isin(pairs[:, 0] * count + pairs[:, 1], broken)
    changed_vertices = np.union1d(springs.ends[gone].ravel(), bends.points[~bend_kept].ravel()).astype(
        np.int64
    )
    return EditedBody(
        **{
            **vars(edited_body),
            "spring_table": Springs(**{name: array[is_kept] for name, array in vars(springs).items()}),
            "bend_table": Bends(**{name: array[bend_kept] for name, array in vars(bends).items()}),
            "changed_vertices": changed_vertices,
        }
    )
