"""Remodel: the springs and bending elements of a body after its triangles have changed.

Theory: docs/theory/edits.md, eq. (T4). Every spring along an edge is the sum of what the triangles beside it
contribute, so it is rebuilt where one of them has changed. Elements that reach over several triangles (the
second diagonal of a cell, bending rows, twist) stay while these triangles are whole and still hang together;
a bending row that a cut runs along is shared between both sides. Split and newly joined triangles get the
bending elements of a mesh.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.amend import Amended
from supple.edit.fabric import Bench
from supple.edit.sheet import (
    SPLIT,
    UNTOUCHED,
    Sheet,
    area_of,
    edge_triangles,
    fan_begin,
    slot_across,
    slot_of,
    turn,
)
from supple.kernel import kernel
from supple.model.bends import Bends
from supple.model.rows import Refilling
from supple.model.springs import Springs

SLENDEREST = 0.05
"""Area over the square of an edge below which folding over it is left free: rest lengths may have shrunk unevenly."""

SAME, GONE, RENAMED = 0, 1, 2
"""Fates of springs and bending elements."""


@kernel
def sort_springs(triangles, across, fan, sheet, is_near, ends, fates, names):
    """Say which springs stay, and rename the ends of those that do.

    Args:
        triangles: (triangle_count, 3) before the edit
        across: (triangle_count, 3) before the edit
        fan: (vertex_count,) before the edit
        sheet: after the edit
        is_near: (vertex_count,) corners, before the edit, of triangles that changed
        ends: (spring_count, 2) before the edit
        fates: (spring_count,) written: GONE, SAME or RENAMED
        names: (spring_count, 2) written for those renamed: what their ends are called now
    """
    for s in range(ends.shape[0]):
        i, j = np.int64(ends[s, 0]), np.int64(ends[s, 1])
        fates[s] = SAME
        if not (is_near[i] or is_near[j]):
            continue
        t, u = edge_triangles(triangles, across, fan, i, j)
        if t >= 0:
            if sheet.changes[t] != UNTOUCHED or (u >= 0 and sheet.changes[u] != UNTOUCHED):
                fates[s] = GONE
            continue
        t, u = facing_triangles(triangles, across, fan, i, j)
        if t >= 0:
            fates[s] = RENAMED if hangs_together(sheet, t, u) else GONE
            if fates[s] == RENAMED:
                names[s, 0] = sheet.triangles[t, slot_of(triangles, t, i)]
                names[s, 1] = sheet.triangles[u, slot_of(triangles, u, j)]


@kernel
def facing_triangles(triangles, across, fan, i, j):
    """Return the two triangles that share an edge and have i and j as their other corners, -1 if there are none."""
    t, entry = fan_begin(triangles, across, fan, i)
    first = t
    while t >= 0:
        u = across[t, slot_of(triangles, t, i)]
        if u >= 0 and triangles[u, slot_across(across, u, t)] == j:
            return t, u
        t, entry = turn(triangles, across, t, i, entry)
        if t == first:
            break
    return np.int64(-1), np.int64(-1)


@kernel
def hangs_together(sheet, t, u):
    """Return whether two triangles are whole and still neighbours."""
    if sheet.changes[t] == SPLIT or sheet.changes[u] == SPLIT:
        return False
    return slot_across(sheet.across, t, u) >= 0


@kernel
def list_edges(sheet, ends, rest_lengths, shape, kind, region, first_spring, spring_of):
    """List the edges of changed triangles, each once; return how many there are.

    Args:
        sheet: after the edit
        ends: (room, 2) written
        rest_lengths: (room,) written [m]
        shape: (room,) written
        kind: (room,) written
        region: (room,) written
        first_spring: number of the first of these springs
        spring_of: (triangle_room, 3) written for the edges listed
    """
    count = 0
    for t in range(sheet.counts[1]):
        if sheet.changes[t] == UNTOUCHED:
            continue
        for c in range(3):
            u = sheet.across[t, c]
            if u >= 0 and u < t and sheet.changes[u] != UNTOUCHED:
                continue
            own = sheet.shapes[t, c]
            length, total = own * sheet.lengths[t, c], own
            if u >= 0:
                d = slot_across(sheet.across, u, t)
                length += sheet.shapes[u, d] * sheet.lengths[u, d]
                total += sheet.shapes[u, d]
                spring_of[u, d] = first_spring + count
            ends[count, 0], ends[count, 1] = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
            rest_lengths[count] = length / total if total > 0.0 else sheet.lengths[t, c]
            shape[count], kind[count], region[count] = total, sheet.kinds[t, c], sheet.regions[t, c]
            spring_of[t, c] = first_spring + count
            count += 1
    return count


@kernel
def sort_bends(
    triangles,
    across,
    fan,
    areas,
    sheet,
    is_near,
    points,
    weights,
    fates,
    names,
    pieces,
    piece_points,
    piece_shares,
):
    """Say which bending elements stay; list what becomes of rows that a cut runs along.

    Args:
        triangles: (triangle_count, 3) before the edit
        across: (triangle_count, 3) before the edit
        fan: (vertex_count,) before the edit
        areas: (triangle_count,) of the triangles before the edit [m²]
        sheet: after the edit
        is_near: (vertex_count,) corners, before the edit, of triangles that changed
        points: (bend_count, 4) before the edit
        weights: (bend_count, 4)
        fates: (bend_count,) written: GONE, SAME or RENAMED
        names: (bend_count, 4) written for those renamed: what their points are called now
        pieces: (room,) written: element that each piece comes from
        piece_points: (room, 3) written
        piece_shares: (room,) written: part of the element's stiffness [-]

    Returns:
        the number of pieces
    """
    count = 0
    for b in range(points.shape[0]):
        fates[b] = SAME
        near = 0
        for a in range(4):
            near += is_near[points[b, a]] and weights[b, a] != 0.0
        if near < 2:
            continue
        if weights[b, 3] != 0.0:
            sort_quad(triangles, across, fan, sheet, points, b, fates, names)
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
                    total += areas[t]
                    is_changed = is_changed or sheet.changes[t] != UNTOUCHED
        if not is_changed:
            continue
        fates[b] = GONE
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
                        piece_shares[at] += areas[t] / total
    return count


@kernel
def sort_quad(triangles, across, fan, sheet, points, b, fates, names):
    """Keep and rename a bending element of four points if its two triangles are whole and hang together."""
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
                        fates[b] = RENAMED if hangs_together(sheet, t, u) else GONE
                        if fates[b] == RENAMED:
                            for n in range(4):
                                point = np.int64(points[b, n])
                                at = slot_of(triangles, t, point)
                                if at >= 0:
                                    names[b, n] = sheet.triangles[t, at]
                                else:
                                    names[b, n] = sheet.triangles[u, slot_of(triangles, u, point)]
                        return
        t, entry = turn(triangles, across, t, start, entry)
        if t == first:
            break


@kernel
def list_folds(sheet, is_joined, points, weights, shape, region):
    """List the mesh's bending elements over edges of split triangles and over joined edges; return how many.

    Theory: docs/theory/bending.md, eq. (B3), with lengths at rest only.

    Args:
        sheet: after the edit
        is_joined: (triangle_room, 3) edges that two triangles have come to share
        points: (room, 4) written
        weights: (room, 4) written
        shape: (room,) written
        region: (room,) written
    """
    count = 0
    for t in range(sheet.counts[1]):
        if sheet.changes[t] == UNTOUCHED:
            continue
        for c in range(3):
            u = sheet.across[t, c]
            if u < 0 or (u < t and sheet.changes[u] != UNTOUCHED):
                continue
            if not (sheet.changes[t] == SPLIT or sheet.changes[u] == SPLIT or is_joined[t, c]):
                continue
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


@dataclass(frozen=True)
class Remodelled:
    """Springs and bending elements of a body, ends counted from its first vertex."""

    springs: Amended
    bends: Amended
    spring_of: NDArray[np.int64]
    """(triangle_count, 3) spring along the edge opposite each corner."""

    touched: NDArray[np.int64]
    """(count,) vertices whose mass, springs or bending elements have changed."""


@dataclass(frozen=True)
class Before:
    """The mesh of a body before the edit."""

    triangles: NDArray[np.int64]
    across: NDArray[np.int64]
    fan: NDArray[np.int64]
    areas: NDArray[np.float64]
    """(triangle_count,) at rest [m²]."""


def remodel(
    before: Before,
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
        before: the mesh before the edit
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

    fates = bench.lend("fates", (springs.count,), np.int8)
    names = bench.lend("ends", (springs.count, 2), np.uint32)
    sort_springs(*mesh, sheet, is_near, springs.ends, fates, names)
    room = 3 * len(changed)
    added = Springs(
        ends=np.empty((room, 2), np.uint32),
        rest_lengths=np.empty(room),
        stiffness=np.empty(room),
        damping=np.empty(room),
        stretch_limits=np.empty(room),
        shape=np.empty(room),
        kind=np.empty(room, np.int8),
        region=np.empty(room, np.int32),
    )
    spring_of[len(before.triangles) :] = -1
    found = list_edges(
        sheet, added.ends, added.rest_lengths, added.shape, added.kind, added.region, springs.count, spring_of
    )
    added = Springs(**{name: array[:found] for name, array in vars(added).items()})
    _apply_spring_moduli(springs, added)
    gone, renamed = _told_apart(fates, bench)
    refilled = Refilling.of(gone, springs.count, found)
    is_touched = np.zeros(int(sheet.counts[0]), np.bool_)
    is_touched[sheet.triangles.take(changed, axis=0)] = True
    for rows in (springs.ends.take(gone, axis=0), springs.ends.take(renamed, axis=0), names[renamed]):
        is_touched[rows] = True
    rename_springs(springs.count, refilled.new, refilled.sources, refilled.moved, spring_of)
    new_springs = Amended(vars(springs), "ends", refilled, vars(added), renamed, names[renamed])
    new_bends = _remodel_bends(
        mesh, before.areas, sheet, is_near, bends, rest_positions, is_joined, is_touched, len(changed), bench
    )
    return Remodelled(new_springs, new_bends, spring_of[:count], np.flatnonzero(is_touched))


@kernel
def rename_springs(old_count, new, sources, moved, spring_of):
    """Replace springs (triangle_room, 3) by the rows they are in now.

    Args:
        old_count: springs there were; those from here on are new
        new: (new_count,) rows of new springs
        sources: (moved_count,) rows of springs that have moved
        moved: (moved_count,) where they are now
        spring_of: (triangle_room, 3) renamed, -1 stays
    """
    for t in range(spring_of.shape[0]):
        for c in range(3):
            s = spring_of[t, c]
            if s >= old_count:
                spring_of[t, c] = new[s - old_count]
            elif sources.shape[0] > 0 and s >= sources[0]:
                for n in range(sources.shape[0]):
                    if sources[n] == s:
                        spring_of[t, c] = moved[n]


def _remodel_bends(
    mesh: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    areas: NDArray[np.float64],
    sheet: Sheet,
    is_near: NDArray[np.bool_],
    bends: Bends,
    rest_positions: NDArray[np.float64] | None,
    is_joined: NDArray[np.bool_] | None,
    is_touched: NDArray[np.bool_],
    changed_count: int,
    bench: Bench,
) -> Amended:
    """Return the elements after the edit; vertices of those that have changed are marked touched."""
    fates = bench.lend("bend_fates", (bends.count,), np.int8)
    names = bench.lend("bend_points", (bends.count, 4), np.uint32)
    room = 4 * int(count_near(bends.points, is_near)) + 4
    pieces = np.empty(room, np.int64)
    piece_points, piece_shares = np.empty((room, 3), np.uint32), np.empty(room)
    piece_count = sort_bends(
        *mesh,
        areas,
        sheet,
        is_near,
        bends.points,
        bends.weights,
        fates,
        names,
        pieces,
        piece_points,
        piece_shares,
    )
    origin = pieces[:piece_count]
    shares = piece_shares[:piece_count]
    cut = {name: array.take(origin, axis=0) for name, array in vars(bends).items()}
    cut["points"] = piece_points[:piece_count][:, [0, 1, 2, 2]]
    cut["shape"] = cut["shape"] * shares
    cut["stiffness"] = cut["stiffness"] * shares
    parts = [cut]
    fold_room = 3 * changed_count
    if bends.count and fold_room:
        joined = is_joined
        if joined is None:
            joined = bench.filled("is_joined", (len(sheet.triangles), 3), np.bool_, 0)
        fold_points, weights = np.empty((fold_room, 4), np.uint32), np.empty((fold_room, 4))
        shape, region = np.empty(fold_room), np.empty(fold_room, np.int32)
        found = list_folds(sheet, joined, fold_points, weights, shape, region)
        parts.append(
            _folds(bends, fold_points[:found], weights[:found], shape[:found], region[:found], rest_positions)
        )
    added = {name: np.concatenate([part[name] for part in parts]) for name in vars(bends)}
    gone, renamed = _told_apart(fates, bench)
    refilled = Refilling.of(gone, bends.count, len(added["points"]))
    for rows in (bends.points.take(gone, axis=0), bends.points.take(renamed, axis=0), names[renamed]):
        is_touched[rows] = True
    is_touched[added["points"]] = True
    return Amended(vars(bends), "points", refilled, added, renamed, names[renamed])


def _told_apart(fates: NDArray[np.int8], bench: Bench) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows that are gone, and those that are renamed."""
    others = bench.lend("other_fates", (len(fates),), np.int64)
    gone_count, count = list_others(fates, others)
    return others[:gone_count].copy(), others[len(others) - count :][::-1].copy()


@kernel
def list_others(fates, others):
    """List what does not stay the same; return how many are gone, and how many renamed.

    Args:
        fates: (count,) GONE, SAME or RENAMED
        others: (count,) written: rows that are gone from the front, ascending, and those renamed from the back
    """
    gone = renamed = 0
    for n in range(fates.shape[0]):
        if fates[n] == GONE:
            others[gone] = n
            gone += 1
        elif fates[n] == RENAMED:
            renamed += 1
            others[others.shape[0] - renamed] = n
    return gone, renamed


@kernel
def count_near(points, is_near):
    """Return how many bending elements have two or more points among those marked."""
    count = 0
    for b in range(points.shape[0]):
        near = 0
        for a in range(4):
            near += is_near[points[b, a]]
        count += near >= 2
    return count


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
    for value in np.unique(region):
        like = np.flatnonzero(bends.region == value)
        if len(like) == 0:
            like = np.flatnonzero(bends.region == -1) if (bends.region == -1).any() else np.arange(1)
        modulus = bends.stiffness[like[0]] / bends.shape[like[0]]
        stiffness[region == value] = modulus * shape[region == value]
    return {
        "points": points, "weights": weights, "rest_lengths": rest_lengths, "stiffness": stiffness,
        "shape": shape, "region": region,
    }  # fmt: skip


def _apply_spring_moduli(springs: Springs, added: Springs) -> None:
    """Give new springs the stiffness, damping and limit of old ones of their kind and region."""
    for kind, region in sorted(set(zip(added.kind.tolist(), added.region.tolist(), strict=True))):
        mask = (added.kind == kind) & (added.region == region)
        like = first_like(springs.kind, springs.region, kind, region)
        shape = springs.shape[like] if springs.shape[like] > 0.0 else 1.0
        added.stiffness[mask] = springs.stiffness[like] / shape * added.shape[mask]
        added.damping[mask] = springs.damping[like] / shape * added.shape[mask]
        added.stretch_limits[mask] = springs.stretch_limits[like]


@kernel
def first_like(kinds, regions, kind, region):
    """Return the first spring of a kind and region, else of the kind without a region, else of the kind, else 0."""
    plain = same = -1
    for s in range(kinds.shape[0]):
        if kinds[s] != kind:
            continue
        if regions[s] == region:
            return s
        if plain < 0 and regions[s] == -1:
            plain = s
        if same < 0:
            same = s
    return plain if plain >= 0 else max(same, 0)
