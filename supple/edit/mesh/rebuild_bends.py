"""Refold: the bending elements of a body after its triangles have changed.

Theory: docs/theory/edits.md, eq. (T4). Elements that reach over several triangles (bending rows, twist) stay while these
triangles are whole and still hang together; a bending row that a cut runs along is shared between both sides. Split and
newly joined triangles get the bending elements of a mesh.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Bench
from supple.edit.mesh.triangle_mesh import (
    SPLIT,
    UNTOUCHED,
    Sheet,
    area_of,
    edge_triangles,
    fan_begin,
    hangs_together,
    read_triangle,
    slot_across,
    slot_of,
    source_area,
    turn,
)
from supple.edit.world.table_patch import Amended
from supple.kernel import kernel
from supple.model.bends import Bends
from supple.model.tables.row_numbers import Refilling

SLENDEREST = 0.05
"""Area over the square of an edge below which folding over it is left free: rest lengths may have shrunk unevenly."""

SAME, GONE, RENAMED = 0, 1, 2
"""Fates of bending elements of four points."""

MOST_PIECES = 4
"""A row that a cut runs along has two triangles on either side, so it comes in at most this many pieces."""

Indices = NDArray[np.int64]


@kernel
def sort_bends(
    triangles,
    across,
    fan,
    sheet,
    is_near,
    points,
    weights,
    gone,
    renamed,
    names,
    pieces,
    piece_points,
    piece_shares,
):
    """List the bending elements that go, those renamed, and what becomes of rows that a cut runs along.

    Args:
        triangles: (triangle_count, 3) before the edit
        across: (triangle_count, 3) before the edit
        fan: (vertex_count,) before the edit
        sheet: after the edit
        is_near: (vertex_count,) corners, before the edit, of triangles that changed
        points: (bend_count, 4) before the edit
        weights: (bend_count, 4)
        gone: (bend_count,) written, ascending
        renamed: (bend_count,) written, ascending
        names: (bend_count, 4) written: what the points of those renamed are called now
        pieces: (room,) written: element that each piece comes from
        piece_points: (room, 3) written
        piece_shares: (room,) written: part of the element's stiffness [-]

    Returns:
        how many go, how many are renamed, and the number of pieces
    """
    count = gone_count = renamed_count = 0
    for b in range(points.shape[0]):
        near = 0
        for a in range(4):
            near += is_near[points[b, a]] and weights[b, a] != 0.0
        if near < 2:
            continue
        if weights[b, 3] != 0.0:
            fate = sort_quad(triangles, across, fan, sheet, points, b, renamed_count, names)
            if fate == GONE:
                gone[gone_count] = b
                gone_count += 1
            elif fate == RENAMED:
                renamed[renamed_count] = b
                renamed_count += 1
            continue
        i, j, k = np.int64(points[b, 0]), np.int64(points[b, 1]), np.int64(points[b, 2])
        beside = (edge_triangles(triangles, across, fan, i, j), edge_triangles(triangles, across, fan, j, k))
        if beside[0][0] < 0 or beside[1][0] < 0:
            continue
        total = 0.0
        is_changed = False
        for row in beside:
            for t in row:
                if t >= 0:
                    total += source_area(sheet, t)
                    is_changed = is_changed or sheet.changes[t] != UNTOUCHED
        if not is_changed:
            continue
        gone[gone_count] = b
        gone_count += 1
        begin = count
        for t in beside[0]:
            if t < 0 or sheet.changes[t] == SPLIT:
                continue
            middle = sheet.triangles[t, slot_of(triangles, t, j)]
            end = sheet.triangles[t, slot_of(triangles, t, i)]
            for u in beside[1]:
                if u < 0 or sheet.changes[u] == SPLIT:
                    continue
                if sheet.triangles[u, slot_of(triangles, u, j)] != middle:
                    continue
                other = sheet.triangles[u, slot_of(triangles, u, k)]
                # The two triangles of a row that is whole on both sides are met twice.
                at = begin
                while at < count and not (piece_points[at, 0] == end and piece_points[at, 2] == other):
                    at += 1
                if at == count:
                    pieces[at] = b
                    piece_points[at, 0], piece_points[at, 1], piece_points[at, 2] = end, middle, other
                    piece_shares[at] = 0.0
                    count += 1
        for at in range(begin, count):
            for row in range(2):
                for t in beside[row]:
                    if t < 0 or sheet.changes[t] == SPLIT:
                        continue
                    outer = i if row == 0 else k
                    is_here = sheet.triangles[t, slot_of(triangles, t, j)] == piece_points[at, 1]
                    label = sheet.triangles[t, slot_of(triangles, t, outer)]
                    if is_here and label == piece_points[at, 2 * row]:
                        piece_shares[at] += source_area(sheet, t) / total
    return gone_count, renamed_count, count


@kernel
def sort_quad(triangles, across, fan, sheet, points, b, row, names):
    """Return what becomes of a bending element of four points: it stays if its two triangles are whole and hang together.

    What its points are called now is written to a row of `names`.
    """
    t, entry = fan_begin(triangles, across, fan, np.int64(points[b, 0]))
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
                u = across[t, c]
                if u < 0:
                    continue
                tip = triangles[u, slot_across(across, u, t)]
                for a in range(4):
                    if points[b, a] == tip and slot_of(triangles, t, tip) < 0:
                        if not hangs_together(sheet, t, u):
                            return GONE
                        for n in range(4):
                            point = np.int64(points[b, n])
                            at = slot_of(triangles, t, point)
                            if at >= 0:
                                names[row, n] = sheet.triangles[t, at]
                            else:
                                names[row, n] = sheet.triangles[u, slot_of(triangles, u, point)]
                        return RENAMED
        t, entry = turn(triangles, across, t, start, entry)
        if t == first:
            break
    return SAME


@kernel
def list_folds(sheet, changed, is_joined, points, weights, shape, region):
    """List the mesh's bending elements over edges of split triangles and over joined edges; return how many.

    Theory: docs/theory/bending.md, eq. (B3), with lengths at rest only.

    Args:
        sheet: after the edit
        changed: (changed_count,) triangles that changed, ascending
        is_joined: (triangle_room, 3) edges that two triangles have come to share
        points: (room, 4) written
        weights: (room, 4) written
        shape: (room,) written
        region: (room,) written
    """
    count = 0
    for t in changed:
        for c in range(3):
            u = sheet.across[t, c]
            if u < 0 or (u < t and sheet.changes[u] != UNTOUCHED):
                continue
            if not (sheet.changes[t] == SPLIT or sheet.changes[u] == SPLIT or is_joined[t, c]):
                continue
            read_triangle(sheet, t)
            read_triangle(sheet, u)
            a, b = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
            edge = sheet.lengths[t, c]
            d = slot_across(sheet.across, u, t)
            points[count, 0], points[count, 1] = a, b
            points[count, 2], points[count, 3] = sheet.triangles[t, c], sheet.triangles[u, d]
            weights[count, 0] = weights[count, 1] = 0.0
            area = 0.0
            is_sound = edge > 0.0
            for side in range(2):
                tri = t if side == 0 else u
                to_a = sheet.lengths[tri, slot_of(sheet.triangles, tri, b)]
                to_b = sheet.lengths[tri, slot_of(sheet.triangles, tri, a)]
                own = area_of(to_a, to_b, edge)
                is_sound = is_sound and own > SLENDEREST * edge * edge
                if not is_sound:
                    break
                foot = (to_a**2 - to_b**2 + edge**2) / (2.0 * edge**2)
                weight = 0.5 * edge * edge / own
                weights[count, 2 + side] = weight
                weights[count, 0] -= weight * (1.0 - foot)
                weights[count, 1] -= weight * foot
                area += own
            if not is_sound:
                continue
            shape[count] = 1.0 / area
            region[count] = sheet.regions[t, c]
            count += 1
    return count


def remodel_bends(
    mesh: tuple[Indices, Indices, Indices],
    sheet: Sheet,
    changed: Indices,
    is_near: NDArray[np.bool_],
    bends: Bends,
    rest_positions: NDArray[np.float64] | None,
    is_joined: NDArray[np.bool_] | None,
    is_touched: NDArray[np.bool_],
    bench: Bench,
) -> Amended:
    """Return the bending elements after an edit; vertices of those that have changed are marked touched.

    Args:
        mesh: triangles, what lies across, and fans before the edit; see `Fabric`
        sheet: after the edit
        changed: (changed_count,) triangles that changed, ascending
        is_near: (vertex_count,) their corners before the edit
        bends: of the body before, points counted from its first vertex
        rest_positions: (new vertex_count, 3) [m], for the rest curvature of new folds; None makes them flat
        is_joined: (triangle_room, 3) edges that two triangles have come to share, if any
        is_touched: (new vertex_count,) marked
        bench: where to work
    """
    count, room = bends.count, MOST_PIECES * bends.count
    gone, renamed = (bench.lend(name, (count,), np.int64) for name in ("gone_bends", "renamed_bends"))
    names = bench.lend("bend_points", (count, 4), np.uint32)
    pieces, shares = (
        bench.lend("pieces", (room,), np.int64),
        bench.lend("piece_shares", (room,), np.float64),
    )
    piece_points = bench.lend("piece_points", (room, 3), np.uint32)
    gone_count, renamed_count, piece_count = sort_bends(
        *mesh, sheet, is_near, bends.points, bends.weights, gone, renamed, names,
        pieces, piece_points, shares,
    )  # fmt: skip
    gone, renamed, names = (
        gone[:gone_count].copy(),
        renamed[:renamed_count].copy(),
        names[:renamed_count].copy(),
    )
    origin, shares = pieces[:piece_count], shares[:piece_count]
    cut = {name: array.take(origin, axis=0) for name, array in vars(bends).items()}
    cut["points"] = piece_points[:piece_count][:, [0, 1, 2, 2]]
    cut["shape"] *= shares
    cut["stiffness"] *= shares
    parts = [cut]
    fold_room = 3 * len(changed)
    if count and fold_room:
        joined = is_joined
        if joined is None:
            joined = bench.filled("is_joined", (len(sheet.triangles), 3), np.bool_, 0)
        fold_points, weights = np.empty((fold_room, 4), np.uint32), np.empty((fold_room, 4))
        shape, region = np.empty(fold_room), np.empty(fold_room, np.int32)
        found = list_folds(sheet, changed, joined, fold_points, weights, shape, region)
        parts.append(
            _folds(bends, fold_points[:found], weights[:found], shape[:found], region[:found], rest_positions)
        )
    added = {name: np.concatenate([part[name] for part in parts]) for name in vars(bends)}
    refilled = Refilling.of(gone, count, len(added["points"]))
    for rows in (bends.points.take(gone, axis=0), bends.points.take(renamed, axis=0), names, added["points"]):
        is_touched[rows] = True
    return Amended(vars(bends), "points", refilled, added, renamed, names)


@kernel
def give_stiffness(regions, shapes, stiffness, likes, new_regions, new_shapes, new_stiffness):
    """Give new bending elements the modulus of old ones of their region.

    Args:
        regions: (bend_count,) of old elements
        shapes: (bend_count,)
        stiffness: (bend_count,) [N/m]
        likes: (new_count,) scratch
        new_regions: (new_count,) of new elements
        new_shapes: (new_count,)
        new_stiffness: (new_count,) written [N/m]
    """
    for n in range(new_regions.shape[0]):
        m = n - 1
        while m >= 0 and new_regions[m] != new_regions[n]:
            m -= 1
        likes[n] = likes[m] if m >= 0 else first_of_region(regions, new_regions[n])
        new_stiffness[n] = stiffness[likes[n]] / shapes[likes[n]] * new_shapes[n]


@kernel
def first_of_region(regions, region):
    """Return the first element of a region, else of none, else 0."""
    plain = -1
    for b in range(regions.shape[0]):
        if regions[b] == region:
            return b
        if plain < 0 and regions[b] == -1:
            plain = b
    return max(plain, 0)


def _folds(
    bends: Bends,
    points: NDArray[np.uint32],
    weights: NDArray[np.float64],
    shape: NDArray[np.float64],
    region: NDArray[np.int32],
    rest_positions: NDArray[np.float64] | None,
) -> dict[str, NDArray[Any]]:
    """Return new bending elements with the stiffness of their region, curved at rest if the cloth is."""
    rest_lengths = np.zeros(len(points))
    if rest_positions is not None and bends.rest_lengths.any():
        rest_lengths = np.linalg.norm(np.einsum("ba,bax->bx", weights, rest_positions[points]), axis=1)
    stiffness = np.empty(len(points))
    give_stiffness(
        bends.region, bends.shape, bends.stiffness, np.empty(len(points), np.int64), region, shape, stiffness
    )
    return {
        "points": points, "weights": weights, "rest_lengths": rest_lengths, "stiffness": stiffness,
        "shape": shape, "region": region,
    }  # fmt: skip
