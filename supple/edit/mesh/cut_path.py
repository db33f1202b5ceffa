"""Knife: lead a cut along a path or a plane through the triangles.

Theory: docs/theory/edits.md, eq. (T3). The knife stands on a point of the mesh, finds the triangle around it
that the aim leaves through, and splits the opposite edge where it crosses, or goes to one of its ends if that
is near: no sliver is made. The edge from where it stood is marked, and all marked edges are opened at the end.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.triangle_mesh import (
    Sheet,
    edge_triangles,
    fan_begin,
    flatness,
    is_at_border,
    mark_edge,
    read_triangle,
    slot_of,
    split_edge,
    turn,
)
from supple.edit.mesh.triangle_mesh import divided_length as _divided
from supple.kernel import difference, dot, kernel, norm

OUTER_SHARE = 0.2
"""Crossings in the outer fifths of an edge go to its end."""

SHORTEST_PART = 0.3
"""Shortest part of an edge, as a share of the mean edge."""

FLATTEST = 0.15
"""Flattest triangle a split may leave; 1 is equilateral."""

REACH = 0.5
"""The knife has arrived when it is this close to its aim, as a share of the mean edge."""

OFF_CLOTH = 1.0
"""Points of a path farther from the cloth than this are beside it, as a share of the mean edge."""

BOXED = 64
"""Points whose box is looked at before they are."""

SPACING = 1.5
"""Distance of the aims along a path, as a share of the mean edge: aiming only at its end misses curved cloth."""


@kernel
def split_or_snap(sheet, t, c, share, mean_edge):
    """Return a point near `share` of the edge opposite corner c of t: a new one, or an end if that avoids slivers."""
    read_triangle(sheet, t)
    first, last = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
    whole = sheet.lengths[t, c]
    is_poor = share < OUTER_SHARE or share > 1.0 - OUTER_SHARE
    is_poor = is_poor or min(share, 1.0 - share) * whole < SHORTEST_PART * mean_edge
    u = sheet.across[t, c]
    for side in range(2):
        if side == 1 and u < 0:
            break
        tri = t if side == 0 else u
        read_triangle(sheet, tri)
        p, q = slot_of(sheet.triangles, tri, first), slot_of(sheet.triangles, tri, last)
        left, right = sheet.lengths[tri, q], sheet.lengths[tri, p]
        inner = _divided(left, right, whole, share)
        is_poor = is_poor or flatness(left, inner, share * whole) < FLATTEST
        is_poor = is_poor or flatness(right, inner, (1.0 - share) * whole) < FLATTEST
    if is_poor:
        return first if share < 0.5 else last
    return split_edge(sheet, t, c, share)


@kernel
def leaving_triangle(sheet, point, aim):
    """Find where a straight way leaves the fan of a point.

    Args:
        sheet: the mesh
        point: where the knife stands
        aim: (x, y, z) [m], from the point

    Returns:
        the triangle (-1 if the way leaves the cloth), its corner at the point, and the weights of the two
        edges there: way = α e + β f, so that 1 / (α + β) of it lies in the triangle
    """
    triangles, positions = sheet.triangles, sheet.positions
    best_t, best_c, best_alpha, best_beta, best = -1, 0, 0.0, 0.0, 0.0
    edge_t, edge_c, edge_is_first, edge_best, edge_length = -1, 0, True, 0.0, 1.0
    t, entry = fan_begin(triangles, sheet.across, sheet.fan, point)
    is_border = sheet.across[t, entry] < 0
    first = t
    length = norm(aim)
    while t >= 0:
        c = slot_of(triangles, t, point)
        e = difference(positions, triangles[t, (c + 1) % 3], point)
        f = difference(positions, triangles[t, (c + 2) % 3], point)
        ee, ef, ff, ae, af = dot(e, e), dot(e, f), dot(f, f), dot(aim, e), dot(aim, f)
        det = ee * ff - ef * ef
        if det > 1e-12 * ee * ff:
            alpha, beta = (ae * ff - af * ef) / det, (af * ee - ae * ef) / det
            kept = alpha * ae + beta * af  # square of the part of the aim that lies in the plane
            if min(alpha, beta) > -1e-9 * (abs(alpha) + abs(beta)) and kept > best:
                best_t, best_c, best_alpha, best_beta, best = t, c, max(alpha, 0.0), max(beta, 0.0), kept
        for side in range(2):
            cosine = ae / (math.sqrt(ee) * length) if side == 0 else af / (math.sqrt(ff) * length)
            if cosine > edge_best:
                edge_t, edge_c, edge_is_first, edge_best = t, c, side == 0, cosine
                edge_length = math.sqrt(ee) if side == 0 else math.sqrt(ff)
        t, entry = turn(triangles, sheet.across, t, point, entry)
        if t == first:
            break
    if best_t < 0 and edge_best > (0.97 if is_border else 0.3):
        # Between two triangles that fold away from the way: go along the edge.
        ratio = length / edge_length
        if edge_is_first:
            return edge_t, edge_c, ratio, 0.0
        return edge_t, edge_c, 0.0, ratio
    return best_t, best_c, best_alpha, best_beta


@kernel
def walk(sheet, stand, goal, is_last, mean_edge):
    """Cut from a point towards a goal; return where the knife stands and whether it left the cloth.

    The point is -1 if the sheet has no room left.
    """
    back = np.int64(-1)
    for _ in range(10_000):
        if sheet.counts[0] + 2 > sheet.positions.shape[0] or sheet.counts[1] + 4 > sheet.triangles.shape[0]:
            return np.int64(-1), False
        aim = (
            goal[0] - sheet.positions[stand, 0],
            goal[1] - sheet.positions[stand, 1],
            goal[2] - sheet.positions[stand, 2],
        )
        if norm(aim) < (0.1 if is_last else REACH) * mean_edge:
            return stand, False
        t, c, alpha, beta = leaving_triangle(sheet, stand, aim)
        if t < 0:
            return stand, is_at_border(sheet.triangles, sheet.across, sheet.fan, stand)
        reach = alpha + beta
        if reach < (0.5 if is_last else 1.0):
            return stand, False
        is_border = sheet.across[t, c] < 0
        ahead = split_or_snap(sheet, t, c, beta / reach, mean_edge)
        if ahead == back:
            return stand, False
        mark_edge(sheet, stand, ahead)
        is_new = ahead == sheet.counts[0] - 1
        back, stand = stand, ahead
        if is_border and is_new:
            return stand, True
    return stand, False


@kernel
def box_points(sheet, boxes):
    """Write the boxes (box_count, 6) around BOXED points each, in their order: least and largest x, y, z [m]."""
    for n in range(boxes.shape[0]):
        for axis in range(3):
            low = high = sheet.positions[BOXED * n, axis]
            for p in range(BOXED * n + 1, BOXED * (n + 1)):
                low, high = min(low, sheet.positions[p, axis]), max(high, sheet.positions[p, axis])
            boxes[n, axis], boxes[n, 3 + axis] = low, high


@kernel
def nearest_point(sheet, goal, boxes, guess):
    """Return the point nearest to a place, the first of those that are.

    Boxes that are farther away than a point that may be near, the `guess`, are left out.
    """
    best, nearest = guess, 0.0
    for axis in range(3):
        nearest += (sheet.positions[guess, axis] - goal[axis]) ** 2
    for n in range(boxes.shape[0] + 1):
        end = sheet.counts[0]
        if n < boxes.shape[0]:
            end = min(end, BOXED * (n + 1))
            square = 0.0
            for axis in range(3):
                beyond = max(boxes[n, axis] - goal[axis], goal[axis] - boxes[n, 3 + axis], 0.0)
                square += beyond * beyond
            if square > nearest:
                continue
        for p in range(BOXED * n, end):
            x = sheet.positions[p, 0] - goal[0]
            y = sheet.positions[p, 1] - goal[1]
            z = sheet.positions[p, 2] - goal[2]
            square = x * x + y * y + z * z
            if square < nearest or (square == nearest and p < best):
                best, nearest = p, square
    return best


@kernel
def foot_in_triangle(sheet, t, goal):
    """Return the squared distance of a place from a triangle, and the weights of the nearest point in it."""
    a, b, c = sheet.triangles[t, 0], sheet.triangles[t, 1], sheet.triangles[t, 2]
    x = sheet.positions
    e, f = difference(x, b, a), difference(x, c, a)
    g = (goal[0] - x[a, 0], goal[1] - x[a, 1], goal[2] - x[a, 2])
    ee, ef, ff, ge, gf = dot(e, e), dot(e, f), dot(f, f), dot(g, e), dot(g, f)
    det = ee * ff - ef * ef
    v = (ge * ff - gf * ef) / det if det > 0.0 else -1.0
    w = (gf * ee - ge * ef) / det if det > 0.0 else -1.0
    if v < 0.0 or w < 0.0 or v + w > 1.0:
        # The nearest point lies on a side: try all three.
        best = math.inf
        bv, bw = 0.0, 0.0
        for side in range(3):
            if side == 0:
                s = min(1.0, max(0.0, ge / ee)) if ee > 0.0 else 0.0
                pv, pw = s, 0.0
            elif side == 1:
                s = min(1.0, max(0.0, gf / ff)) if ff > 0.0 else 0.0
                pv, pw = 0.0, s
            else:
                hh = ee - 2.0 * ef + ff
                s = min(1.0, max(0.0, (gf - ge + ee - ef) / hh)) if hh > 0.0 else 0.0
                pv, pw = 1.0 - s, s
            away = dot(g, g) - 2.0 * (pv * ge + pw * gf) + pv * pv * ee + 2.0 * pv * pw * ef + pw * pw * ff
            if away < best:
                best, bv, bw = away, pv, pw
        v, w = bv, bw
    away = dot(g, g) - 2.0 * (v * ge + w * gf) + v * v * ee + 2.0 * v * w * ef + w * w * ff
    return max(away, 0.0), v, w


@kernel
def locate(sheet, goal, boxes, guess):
    """Return the triangle nearest to a place, the weights of its last two corners there, and the distance [m].

    `guess` is a point that may be near.
    """
    point = nearest_point(sheet, goal, boxes, guess)
    best_t, best_v, best_w, best = np.int64(-1), 0.0, 0.0, math.inf
    t, entry = fan_begin(sheet.triangles, sheet.across, sheet.fan, point)
    first = t
    while t >= 0:
        away, v, w = foot_in_triangle(sheet, t, goal)
        if away < best:
            best_t, best_v, best_w, best = t, v, w, away
        t, entry = turn(sheet.triangles, sheet.across, t, point, entry)
        if t == first:
            break
    return best_t, best_v, best_w, math.sqrt(best)


@kernel
def stand_at(sheet, t, v, w, mean_edge):
    """Return the point of the mesh to start from, near a place in triangle t given by its weights."""
    u = 1.0 - v - w
    if max(u, v, w) > 0.7:
        return sheet.triangles[t, 0 if u > 0.7 else (1 if v > 0.7 else 2)]
    if u <= v and u <= w:
        return split_or_snap(sheet, t, 0, w / (v + w), mean_edge)
    if v <= w:
        return split_or_snap(sheet, t, 1, u / (u + w), mean_edge)
    return split_or_snap(sheet, t, 2, v / (u + v), mean_edge)


@kernel
def cut_along(sheet, path, mean_edge, boxes):
    """Mark the edges of a cut along a path; return how many aims lay on the cloth, -1 if room ran out.

    Args:
        sheet: changed in place
        path: (aim_count, 3) [m], close enough together to follow the cloth
        mean_edge: mean length of edges [m]
        boxes: (box_count, 6) scratch, for as many times BOXED points as there are
    """
    box_points(sheet, boxes)
    stand, guess = np.int64(-1), np.int64(0)
    found = 0
    for k in range(path.shape[0]):
        if sheet.counts[0] + 4 > sheet.positions.shape[0] or sheet.counts[1] + 8 > sheet.triangles.shape[0]:
            return -1
        goal = (path[k, 0], path[k, 1], path[k, 2])
        t, v, w, away = locate(sheet, goal, boxes, guess)
        guess = sheet.triangles[t, 0]
        is_on = away <= OFF_CLOTH * mean_edge
        found += is_on
        is_last = k == path.shape[0] - 1
        if stand >= 0:
            stand, has_left = walk(sheet, stand, goal, is_last and is_on, mean_edge)
            if stand < 0:
                return -1
            if not has_left:
                continue
            stand = np.int64(-1)
            t, v, w, away = locate(sheet, goal, boxes, guess)  # splits may have changed the triangle
            is_on = away <= OFF_CLOTH * mean_edge
            # The aim is the border itself: the cut has ended there.
            if not is_on or away > 0.25 * mean_edge or is_last:
                continue
        if is_on and not (is_last and found == 1):
            stand = stand_at(sheet, t, v, w, mean_edge)
            if k > 0:
                before = (path[k - 1, 0], path[k - 1, 1], path[k - 1, 2])
                if walk(sheet, stand, before, False, mean_edge)[0] < 0:
                    return -1
    return found


@kernel
def cut_by_plane(sheet, normal, offset, mean_edge, sides):
    """Mark the edges of a cut along a plane n · x = offset; return whether room sufficed.

    Args:
        sheet: changed in place
        normal: (x, y, z) unit vector
        offset: [m]
        mean_edge: mean length of edges [m]
        sides: (point_room,) scratch: signed distances, 0 for points that the cut passes through [m]
    """
    for p in range(sheet.counts[0]):
        x = sheet.positions[p]
        sides[p] = normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2] - offset
    for is_second in range(2):
        t = 0
        while t < sheet.counts[1]:
            for c in range(3):
                a, b = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
                if not sides[a] * sides[b] < 0.0:
                    continue
                if sheet.counts[0] + 2 > sides.shape[0] or sheet.counts[1] + 4 > sheet.triangles.shape[0]:
                    return False
                share = sides[a] / (sides[a] - sides[b])
                near = a if share < 0.5 else b
                if not is_second:
                    # First let the plane go through points that are near, so that no split leaves a sliver.
                    read_triangle(sheet, t)
                    part = min(share, 1.0 - share)
                    if part < OUTER_SHARE or part * sheet.lengths[t, c] < SHORTEST_PART * mean_edge:
                        sides[near] = 0.0
                    continue
                middle = split_or_snap(sheet, t, c, share, mean_edge)
                sides[middle] = 0.0
            t += 1
    for t in range(sheet.counts[1]):
        for c in range(3):
            u = sheet.across[t, c]
            if u > t and _side(sheet, t, sides) != _side(sheet, u, sides):
                a, b = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
                mark_edge(sheet, a, b)
    return True


@kernel
def _side(sheet, t, sides):
    """Return whether a triangle lies beyond the plane."""
    return (
        sides[sheet.triangles[t, 0]] > 0.0
        or sides[sheet.triangles[t, 1]] > 0.0
        or sides[sheet.triangles[t, 2]] > 0.0
    )


def resampled(path: NDArray[np.float64], spacing: float) -> NDArray[np.float64]:
    """Return points along a path (count, 3) at most `spacing` apart, its corners among them [m]."""
    parts = [path[:1]]
    for start, end in itertools.pairwise(path):
        steps = max(1, math.ceil(float(np.linalg.norm(end - start)) / spacing))
        shares = np.arange(1, steps + 1)[:, None] / steps
        parts.append(start + shares * (end - start))
    return np.concatenate(parts)


__all__ = ["BOXED", "SPACING", "Sheet", "cut_along", "cut_by_plane", "edge_triangles", "resampled"]
