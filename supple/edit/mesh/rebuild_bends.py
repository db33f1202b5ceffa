"""Rebuild bends: the bending elements of a body after its triangles have changed.

Theory: docs/theory/edits.md, eq. (T4). Elements that reach over several triangles (bending rows, twist) stay while these
triangles are not split and still adjacent; a bending row that a cut runs along is divided between both sides. Split and
newly joined triangles get the bending elements of a mesh, see `new_hinges`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import (
    corner_of,
    edge_triangles,
    next_in_one_ring,
    one_ring_start,
    opposite_corner,
)
from supple.edit.mesh.mesh_change import MeshChange
from supple.edit.mesh.new_hinges import new_hinges
from supple.edit.mesh.triangle_mesh import SPLIT, UNCHANGED, are_still_adjacent, source_area
from supple.edit.mesh.workspace import Workspace
from supple.edit.world.table_patch import TablePatch
from supple.kernel import kernel
from supple.model.bends import Bends
from supple.model.tables.row_updates import RowUpdate

SAME, GONE, RENUMBERED = 0, 1, 2
"""Fates of bending elements of four points."""

MOST_PIECES = 4
"""A bending row that a cut runs along has two triangles on either side, so it comes in at most this many pieces."""


class BendFates(NamedTuple):
    """What becomes of bending elements."""

    gone: NDArray[np.int64]
    """(bend_count,) those that go, ascending."""

    renumbered: NDArray[np.int64]
    """(bend_count,) those whose points get other numbers, ascending."""

    new_points: NDArray[np.uint32]
    """(bend_count, 4) the points of those renumbered."""


class RowPieces(NamedTuple):
    """Pieces of bending rows, elements of three points in a line, that a cut runs along."""

    origin: NDArray[np.int64]
    """(capacity,) the element that each piece comes from."""

    points: NDArray[np.uint32]
    """(capacity, 3)"""

    fractions: NDArray[np.float64]
    """(capacity,) part of the element's stiffness [-]."""


@kernel
def measure_row(mesh, beside):
    """Return the rest area of the triangles beside a bending row [m²], and whether one of them has changed."""
    total = 0.0
    is_changed = False
    for pair in beside:
        for t in pair:
            if t >= 0:
                total += source_area(mesh, t)
                is_changed = is_changed or mesh.changes[t] != UNCHANGED
    return total, is_changed


@kernel
def list_row_pieces(before, mesh, row, b, beside, begin, pieces):
    """List the pieces of a bending row: every pair of triangles that still meet at its middle point holds one.

    Args:
        before: `Adjacency` before the edit
        mesh: after the edit
        row: the three points before the edit
        b: number of the element
        beside: the triangles at its first and at its second edge, two each, -1 for those missing
        begin: number of the first piece
        pieces: `RowPieces`, written from there on

    Returns:
        the number of pieces after it
    """
    i, j, k = row
    count = begin
    for t in beside[0]:
        if t < 0 or mesh.changes[t] == SPLIT:
            continue
        middle = mesh.triangles[t, corner_of(before.triangles, t, j)]
        end = mesh.triangles[t, corner_of(before.triangles, t, i)]
        for u in beside[1]:
            if u < 0 or mesh.changes[u] == SPLIT:
                continue
            if mesh.triangles[u, corner_of(before.triangles, u, j)] != middle:
                continue
            other = mesh.triangles[u, corner_of(before.triangles, u, k)]
            # The two triangles of a row that is whole on both sides are met twice.
            at = begin
            while at < count and not (pieces.points[at, 0] == end and pieces.points[at, 2] == other):
                at += 1
            if at == count:
                pieces.origin[at] = b
                pieces.points[at, 0], pieces.points[at, 1], pieces.points[at, 2] = end, middle, other
                pieces.fractions[at] = 0.0
                count += 1
    return count


@kernel
def weigh_row_pieces(before, mesh, row, beside, total, begin, end, pieces):
    """Divide the stiffness of a bending row among its pieces `begin` to `end`, by the areas of the triangles beside them.

    `total` is the area of all of these [m²]; the other arguments are those of `list_row_pieces`.
    """
    for at in range(begin, end):
        for side in range(2):
            for t in beside[side]:
                if t < 0 or mesh.changes[t] == SPLIT:
                    continue
                outer = row[0] if side == 0 else row[2]
                is_here = mesh.triangles[t, corner_of(before.triangles, t, row[1])] == pieces.points[at, 1]
                label = mesh.triangles[t, corner_of(before.triangles, t, outer)]
                if is_here and label == pieces.points[at, 2 * side]:
                    pieces.fractions[at] += source_area(mesh, t) / total


@kernel
def classify_four_point_bend(before, mesh, points, b, row, new_points):
    """Return what becomes of a bending element of four points: it stays while its two triangles do and are adjacent.

    Its points after the edit are written to a row of `new_points`.
    """
    triangles, neighbours = before.triangles, before.neighbours
    t, entry = one_ring_start(before, np.int64(points[b, 0]))
    first = t
    start = np.int64(points[b, 0])
    while t >= 0:
        is_inside = True
        for c in range(3):
            corner = triangles[t, c]
            is_inside = is_inside and (
                corner == points[b, 0] or corner == points[b, 1]
                or corner == points[b, 2] or corner == points[b, 3]
            )  # fmt: skip
        if is_inside:
            for c in range(3):
                u = neighbours[t, c]
                if u < 0:
                    continue
                tip = triangles[u, opposite_corner(neighbours, u, t)]
                for a in range(4):
                    if points[b, a] == tip and corner_of(triangles, t, tip) < 0:
                        if not are_still_adjacent(mesh, t, u):
                            return GONE
                        renumber_four_points(before, mesh, t, u, points, b, row, new_points)
                        return RENUMBERED
        t, entry = next_in_one_ring(before, t, start, entry)
        if t == first:
            break
    return SAME


@kernel
def renumber_four_points(before, mesh, t, u, points, b, row, new_points):
    """Write the points after the edit of bending element b, corners of triangles t and u, to a row of `new_points`."""
    for n in range(4):
        point = np.int64(points[b, n])
        at = corner_of(before.triangles, t, point)
        if at >= 0:
            new_points[row, n] = mesh.triangles[t, at]
        else:
            new_points[row, n] = mesh.triangles[u, corner_of(before.triangles, u, point)]


@kernel
def is_bend_near(points, weights, is_near, b):
    """Return whether two or more points of bending element b are corners of triangles that changed."""
    count = 0
    for a in range(4):
        count += is_near[points[b, a]] and weights[b, a] != 0.0
    return count >= 2


@kernel
def classify_bends(before, mesh, is_near, points, weights, fates, pieces):
    """List the bending elements that go, those renumbered, and the pieces of rows that a cut runs along.

    Args:
        before: `Adjacency` before the edit
        mesh: after the edit
        is_near: (vertex_count,) corners, before the edit, of triangles that it changed
        points: (bend_count, 4) before the edit
        weights: (bend_count, 4)
        fates: `BendFates`, written
        pieces: `RowPieces`, written

    Returns:
        how many go, how many are renumbered, and the number of pieces
    """
    count = gone_count = renumbered_count = 0
    for b in range(points.shape[0]):
        if not is_bend_near(points, weights, is_near, b):
            continue
        if weights[b, 3] != 0.0:
            fate = classify_four_point_bend(before, mesh, points, b, renumbered_count, fates.new_points)
            if fate == GONE:
                fates.gone[gone_count] = b
                gone_count += 1
            elif fate == RENUMBERED:
                fates.renumbered[renumbered_count] = b
                renumbered_count += 1
            continue
        row = (np.int64(points[b, 0]), np.int64(points[b, 1]), np.int64(points[b, 2]))
        beside = (edge_triangles(before, row[0], row[1]), edge_triangles(before, row[1], row[2]))
        if beside[0][0] < 0 or beside[1][0] < 0:
            continue
        total, is_changed = measure_row(mesh, beside)
        if not is_changed:
            continue
        fates.gone[gone_count] = b
        gone_count += 1
        begin = count
        count = list_row_pieces(before, mesh, row, b, beside, begin, pieces)
        weigh_row_pieces(before, mesh, row, beside, total, begin, count, pieces)
    return gone_count, renumbered_count, count


def rebuild_bends(
    change: MeshChange, bends: Bends, rest_positions: NDArray[np.float64] | None, workspace: Workspace
) -> TablePatch:
    """Return the bending elements after an edit; vertices of those that have changed are marked.

    Args:
        change: the triangles before and after the edit
        bends: of the body before, points counted from its first vertex
        rest_positions: (vertex_count, 3) after the edit [m], for the rest curvature of new hinges; None makes them flat
        workspace: memory to work in
    """
    count, capacity = bends.count, MOST_PIECES * bends.count
    fates = BendFates(
        gone=workspace.array("gone_bends", (count,), np.int64),
        renumbered=workspace.array("renumbered_bends", (count,), np.int64),
        new_points=workspace.array("bend_points", (count, 4), np.uint32),
    )
    pieces = RowPieces(
        origin=workspace.array("pieces", (capacity,), np.int64),
        points=workspace.array("piece_points", (capacity, 3), np.uint32),
        fractions=workspace.array("piece_fractions", (capacity,), np.float64),
    )
    gone_count, renumbered_count, piece_count = classify_bends(
        change.before, change.after, change.is_near, bends.points, bends.weights, fates, pieces
    )
    gone, renumbered = fates.gone[:gone_count].copy(), fates.renumbered[:renumbered_count].copy()
    new_points = fates.new_points[:renumbered_count].copy()
    origin, fractions = pieces.origin[:piece_count], pieces.fractions[:piece_count]
    divided = {name: array.take(origin, axis=0) for name, array in vars(bends).items()}
    divided["points"] = pieces.points[:piece_count][:, [0, 1, 2, 2]]
    divided["shape"] *= fractions
    divided["stiffness"] *= fractions
    parts = [divided]
    if count and len(change.triangles):
        parts.append(new_hinges(change, bends, rest_positions, workspace))
    added = {name: np.concatenate([part[name] for part in parts]) for name in vars(bends)}
    row_update = RowUpdate.of(gone, count, len(added["points"]))
    for points in (
        bends.points.take(gone, axis=0),
        bends.points.take(renumbered, axis=0),
        new_points,
        added["points"],
    ):
        change.is_changed[points] = True
    return TablePatch(vars(bends), "points", row_update, added, renumbered, new_points)
