"""Bridges: sides and faces of cloth that reach over an edge of a solid, between points that are all outside of it.

Theory: docs/theory/obstacles.md, eq. (O22) to (O26), after Kang 2000 §4 (edges and triangles, not points only). Cloth of
coarse cells touches the edge of a table with sides, and a spike with a face: points alone would let them poke through. A
triangle that lies above a tangent plane of the solid needs no further look until it has moved as far; in others the
nearest places of sides and face are sought, and pushed out as points are.

Solids that fit between two points of a cloth as a whole are left to `thin_solids`, and those that bend so little that no
triangle dips into their shell are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide import shapes
from supple.collide.contact import add_reaction
from supple.collide.solid_arrays import Kernels
from supple.collide.solid_distance import distance_to, into_axes, out_of_axes
from supple.kernel import add_scaled, cross, dot, kernel
from supple.model.particles import PUSHED, Particles
from supple.model.sides import numbered_edges
from supple.model.world import World

CLEARANCE = 0.25
"""Share of the shell that sides and faces keep [-]: less than points, so that cloth rests on its points wherever it can."""

READY = 0.5
"""Places are kept ready from this share of the shell outside of the clearance [-]: passes may lead them there."""

INSIDE = 0.02
"""Least weight of each corner for a place to count as one of the face: others are places of a side [-]."""

FLAT = 1e-6
"""Determinant of three tangents, over its terms, below which they count as parallel [-]."""

LEAST_ACROSS = 0.1
"""Share of the gradient across a side or a face below which a place is none to push at [-]."""

RECOVERY = 0.2
"""Share of a lack of clearance that is given back in a substep [-]."""

RECOVERY_SPEED = 0.25
"""Fastest way back to the clearance [m/s]."""

TANGENTS = 8
"""Most places of a side that are looked at."""

NEAR_ENOUGH = 0.05
"""How exactly the nearest place of a side is sought, in shares of what is looked for [-]."""

FINDS = 2
"""Passes of a substep in which places are looked for: when particles have moved, and when others have followed."""

VISIBLE = 5.0
"""How far sides of cloth may dip into what bends smoothly, in shells, before they are looked at [-]."""

SHARP = math.radians(30.0)
"""Angle between two triangles of a mesh from which on they form an edge [rad]."""


@kernel(counts_references=False)
def add_ways(positions, last, paths):
    """Add how far each point has moved since the last call to its path; (particle_count, 3), (particle_count,) [m]."""
    for i in range(positions.shape[0]):
        dx, dy, dz = positions[i, 0] - last[i, 0], positions[i, 1] - last[i, 1], positions[i, 2] - last[i, 2]
        square = dx * dx + dy * dy + dz * dz
        if square > 0.0:
            paths[i] += math.sqrt(square)
            last[i, 0], last[i, 1], last[i, 2] = positions[i, 0], positions[i, 1], positions[i, 2]


@kernel(counts_references=False)
def lowest_on_side(kinds, parameters, integers, floats, doubles, o, p, q, at_p, at_q, enough):
    """Return where on the line from p to q solid o is nearest, 0 to 1, how near [m], and the direction away from it.

    The distance to a solid is convex around its edges, so it lies above its tangents: the next place to look at is where
    those of the last two places meet (O23). Not searched further is a line that stays farther than `enough` [m]. Distance
    and gradient at both ends are known. The direction mixes the gradients left and right of the place so that it is across
    the line (O25); it is nothing if the nearest place is an end.
    """
    e = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    low, d_low, n_low = 0.0, at_p[0], (at_p[1], at_p[2], at_p[3])
    high, d_high, n_high = 1.0, at_q[0], (at_q[1], at_q[2], at_q[3])
    slope_low, slope_high = dot(n_low, e), dot(n_high, e)
    if not (slope_low < 0.0 and slope_high > 0.0):
        return (low, d_low, 0.0, 0.0, 0.0) if d_low <= d_high else (high, d_high, 0.0, 0.0, 0.0)
    best, least = (low, d_low) if d_low <= d_high else (high, d_high)
    for _ in range(TANGENTS):
        t = (d_low - slope_low * low - d_high + slope_high * high) / (slope_high - slope_low)
        bound = d_low + slope_low * (t - low)
        if bound > enough or not (t > low and t < high):
            break
        d, nx, ny, nz = distance_to(
            kinds, parameters, integers, floats, doubles, o, p[0] + t * e[0], p[1] + t * e[1], p[2] + t * e[2]
        )
        if d < least:
            best, least = t, d
        slope = nx * e[0] + ny * e[1] + nz * e[2]
        if d - bound < NEAR_ENOUGH * enough or slope == 0.0:
            break
        if slope < 0.0:
            low, d_low, slope_low, n_low = t, d, slope, (nx, ny, nz)
        else:
            high, d_high, slope_high, n_high = t, d, slope, (nx, ny, nz)
    share = slope_high / (slope_high - slope_low)
    return (
        best, least, share * n_low[0] + (1.0 - share) * n_high[0], share * n_low[1] + (1.0 - share) * n_high[1],
        share * n_low[2] + (1.0 - share) * n_high[2],
    )  # fmt: skip


@kernel(counts_references=False)
def tangents_meet(a, b, c, at_a, at_b, at_c):
    """Return the weights of b and c at which the tangents of the distance at the corners of a triangle meet, NaN if nowhere.

    Above a corner of a solid they are its three faces, and meet in it (O24).
    """
    u = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    v = (c[0] - a[0], c[1] - a[1], c[2] - a[2])
    na, nb, nc = (at_a[1], at_a[2], at_a[3]), (at_b[1], at_b[2], at_b[3]), (at_c[1], at_c[2], at_c[3])
    # Seen from a, the tangents are d + (nu) s + (nv) t in the weights s and t of b and c.
    au, av, bu, bv, cu, cv = dot(na, u), dot(na, v), dot(nb, u), dot(nb, v), dot(nc, u), dot(nc, v)
    da, db, dc = at_a[0], at_b[0] - bu, at_c[0] - cv
    m00, m01, m10, m11 = bu - au, bv - av, cu - au, cv - av
    r0, r1 = da - db, da - dc
    determinant = m00 * m11 - m01 * m10
    if not abs(determinant) > FLAT * (abs(m00 * m11) + abs(m01 * m10)):
        return math.nan, math.nan
    return (r0 * m11 - r1 * m01) / determinant, (m00 * r1 - m10 * r0) / determinant


@kernel(counts_references=False)
def across_face(a, b, c, n):
    """Return the part of n along the normal of a triangle."""
    u = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    v = (c[0] - a[0], c[1] - a[1], c[2] - a[2])
    e = cross(u, v)
    share = dot(n, e) / dot(e, e)
    return share * e[0], share * e[1], share * e[2]


@kernel(counts_references=False)
def corner_in_axes(poses, o, points, i):
    """Return row i of an array (n, 3) [m] in the axes of solid o."""
    return into_axes(poses, o, points[i, 0], points[i, 1], points[i, 2])


@kernel(counts_references=False)
def keep_place(
    kinds, parameters, integers, floats, doubles, o, poses_t0, poses_t1, triangles, f, a, b, c, away, key, wa, wb, wc,
    starts, shells, fastest, count, faces, keys, solids, weights, normals, offsets, anchors, targets, extras,
):  # fmt: skip
    """Write a place of triangle f, with corners a, b, c in the axes of solid o, as one to keep outside; return the count.

    It is pushed along `away`, of any length. The gradient of the distance would not do: inside it is that of one face,
    and a quarter of a millimetre outside of an edge it turns with the least of errors.
    """
    x = wa * a[0] + wb * b[0] + wc * c[0]
    y = wa * a[1] + wb * b[1] + wc * c[1]
    z = wa * a[2] + wb * b[2] + wc * c[2]
    d, nx, ny, nz = distance_to(kinds, parameters, integers, floats, doubles, o, x, y, z)
    size = math.sqrt(dot(away, away))
    # How fast the distance grows on the way: outside of an edge as fast as one moves, inside as that to both faces together.
    share = (nx * away[0] + ny * away[1] + nz * away[2]) / size if d > 0.0 else size
    if not share > LEAST_ACROSS:
        return count
    if count < faces.shape[0]:
        nx, ny, nz = away[0] / size, away[1] / size, away[2] / size
        faces[count], keys[count], solids[count] = f, key, o
        weights[count, 0], weights[count, 1], weights[count, 2] = wa, wb, wc
        offset = nx * x + ny * y + nz * z - d / share
        nx, ny, nz = out_of_axes(poses_t1, o, nx, ny, nz)
        normals[count, 0], normals[count, 1], normals[count, 2] = nx, ny, nz
        offsets[count] = offset + nx * poses_t1[o, 9] + ny * poses_t1[o, 10] + nz * poses_t1[o, 11]
        i, j, k = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        x, y, z = into_axes(
            poses_t0, o,
            wa * starts[i, 0] + wb * starts[j, 0] + wc * starts[k, 0],
            wa * starts[i, 1] + wb * starts[j, 1] + wc * starts[k, 1],
            wa * starts[i, 2] + wb * starts[j, 2] + wc * starts[k, 2],
        )  # fmt: skip
        x, y, z = out_of_axes(poses_t1, o, x, y, z)
        anchors[count, 0], anchors[count, 1] = x + poses_t1[o, 9], y + poses_t1[o, 10]
        anchors[count, 2] = z + poses_t1[o, 11]
        begun = nx * anchors[count, 0] + ny * anchors[count, 1] + nz * anchors[count, 2] - offsets[count]
        clearance = CLEARANCE * shells[o]
        kept = min(clearance, begun)
        extras[count] = min(RECOVERY * (clearance - kept), fastest)
        targets[count] = kept + extras[count]
    return count + 1


@kernel(counts_references=False)
def find_bridges(
    kinds, parameters, integers, floats, doubles, edged, shells, fastest, drift, poses_t0, poses_t1, triangles, opposite,
    starts, positions, paths, visit, visits, dues, faces, keys, solids, weights, normals, offsets, anchors, targets, extras,
):  # fmt: skip
    """Write every place at which a triangle may dip into a solid with edges, and return how many there are.

    Args:
        kinds: (solid_count,) which shape
        parameters: (solid_count, 8) of the shape
        integers: of the distance maps
        floats: of the distance maps
        doubles: of the distance maps
        edged: (edged_count,) solids that have edges
        shells: (solid_count,) [m], distance that points keep
        fastest: longest way in a substep on which what began inside is led out [m]
        drift: how far solids have moved since the beginning, in sum [m]
        poses_t0: (solid_count, 12) at the start of the substep
        poses_t1: (solid_count, 12) at its end
        triangles: (triangle_count, 3) particles
        opposite: (triangle_count, 3) number of the side opposite each corner
        starts: (particle_count, 3) [m]
        positions: (particle_count, 3) [m]
        paths: (particle_count,) length of the way of each particle since the beginning [m]
        visit: number that no other call has had
        visits: (side_count,) number of the call that has looked at each side last, changed in place
        dues: (triangle_count,) paths of its corners and three times the drift, in sum, until which a triangle need not be
            looked at [m], changed in place
        faces: (capacity,) triangle of each place, overwritten, as are all that follow
        keys: (capacity,) which side, or which face after all sides
        solids: (capacity,) which solid
        weights: (capacity, 3) of the corners
        normals: (capacity, 3) of the tangent plane
        offsets: (capacity,) [m], normal times a place on the surface
        anchors: (capacity, 3) [m], where the solid has carried the place at which the substep began
        targets: (capacity,) [m], distance that each place is to keep
        extras: (capacity,) [m], how much of that it did not have when the substep began

    Returns:
        The number of places; those beyond the capacity are only counted.
    """
    count = 0
    for f in range(triangles.shape[0]):
        i, j, k = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        begun = paths[i] + paths[j] + paths[k] + 3.0 * drift
        if begun < dues[f]:
            continue
        slack = math.inf
        for n in range(edged.shape[0]):
            o = edged[n]
            a, b = corner_in_axes(poses_t1, o, positions, i), corner_in_axes(poses_t1, o, positions, j)
            c = corner_in_axes(poses_t1, o, positions, k)
            clearance, ready = CLEARANCE * shells[o], (CLEARANCE + READY) * shells[o]
            x, y, z = (a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0, (a[2] + b[2] + c[2]) / 3.0
            inner, nx, ny, nz = distance_to(kinds, parameters, integers, floats, doubles, o, x, y, z)
            lowest = min(
                nx * (a[0] - x) + ny * (a[1] - y) + nz * (a[2] - z),
                min(
                    nx * (b[0] - x) + ny * (b[1] - y) + nz * (b[2] - z),
                    nx * (c[0] - x) + ny * (c[1] - y) + nz * (c[2] - z),
                ),
            )
            free = inner + lowest - clearance
            if free > 0.0:
                slack = min(slack, free)
                continue
            slack = -math.inf
            at_a = distance_to(kinds, parameters, integers, floats, doubles, o, a[0], a[1], a[2])
            at_b = distance_to(kinds, parameters, integers, floats, doubles, o, b[0], b[1], b[2])
            at_c = distance_to(kinds, parameters, integers, floats, doubles, o, c[0], c[1], c[2])
            if not min(at_a[0], min(at_b[0], at_c[0])) > clearance:
                continue  # a corner is inside, held there or on its way out: whatever the others do, the triangle stays in
            for side in range(4):
                key = visits.shape[0] + f
                if side < 3:
                    key = opposite[f, (side + 2) % 3]
                    if visits[key] == visit * edged.shape[0] + n:
                        continue  # the triangle beyond it has found its place
                    visits[key] = visit * edged.shape[0] + n
                    p, q = (a, b) if side == 0 else ((b, c) if side == 1 else (c, a))
                    at_p = at_a if side == 0 else (at_b if side == 1 else at_c)
                    at_q = at_b if side == 0 else (at_c if side == 1 else at_a)
                    t, d, nx, ny, nz = lowest_on_side(
                        kinds, parameters, integers, floats, doubles, o, p, q, at_p, at_q, ready
                    )
                    wa = 1.0 - t if side == 0 else (0.0 if side == 1 else t)
                    wb = t if side == 0 else (1.0 - t if side == 1 else 0.0)
                else:
                    wb, wc = tangents_meet(a, b, c, at_a, at_b, at_c)
                    wa = 1.0 - wb - wc
                    if not min(wa, min(wb, wc)) > INSIDE:
                        break
                    d, nx, ny, nz = distance_to(
                        kinds, parameters, integers, floats, doubles, o,
                        wa * a[0] + wb * b[0] + wc * c[0], wa * a[1] + wb * b[1] + wc * c[1],
                        wa * a[2] + wb * b[2] + wc * c[2],
                    )  # fmt: skip
                    nx, ny, nz = across_face(a, b, c, (nx, ny, nz))
                if d < ready:
                    count = keep_place(
                        kinds, parameters, integers, floats, doubles, o, poses_t0, poses_t1, triangles, f, a, b, c,
                        (nx, ny, nz), key, wa, wb, 1.0 - wa - wb, starts, shells, fastest, count, faces, keys, solids,
                        weights, normals, offsets, anchors, targets, extras,
                    )  # fmt: skip
        # The tangent plane stays a bound until a corner has come as near to it; a tenth is left for the rounding of paths.
        dues[f] = begun + 0.9 * slack
    return count


@kernel(counts_references=False)
def lift_places(
    count, faces, solids, weights, normals, offsets, anchors, targets, extras, pushes, rubs, triangles, frictions,
    is_weighed, masses, is_fixed, touched, reactions, moves, shifts, positions,
):  # fmt: skip
    """Move the corners of triangles until every place that was found is outside, with friction.

    Args:
        count: how many places there are
        faces: (capacity,) triangle of each place
        solids: (capacity,) which solid
        weights: (capacity, 3) of the corners
        normals: (capacity, 3) of the tangent plane
        offsets: (capacity,) [m]
        anchors: (capacity, 3) [m]
        targets: (capacity,) [m], distance that each place keeps
        extras: (capacity,) [m], how much of that is still to be given back without a velocity, changed in place
        pushes: (capacity,) [kg·m], what each place carries, changed in place
        rubs: (capacity,) [m], how far friction has held it back, changed in place
        triangles: (triangle_count, 3) particles
        frictions: (solid_count,) Coulomb coefficients
        is_weighed: (solid_count,) whether anybody wants to know what the solid receives
        masses: (particle_count,) [kg]
        is_fixed: (particle_count,)
        touched: (particle_count,) solid in contact in this substep, changed in place
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        moves: (particle_count, 3) [m], what contact did to the particles in this substep, added to in place
        shifts: (particle_count, 3) [m], moves that are to give no velocity, added to in place
        positions: (particle_count, 3) [m], moved in place

    Returns:
        Whether anything was moved.
    """
    has_moved = False
    for n in range(count):
        f, o = faces[n], solids[n]
        x = y = z = give = 0.0
        for corner in range(3):
            i, w = triangles[f, corner], weights[n, corner]
            x, y, z = x + w * positions[i, 0], y + w * positions[i, 1], z + w * positions[i, 2]
            if not is_fixed[i]:
                give += w * w / masses[i]
        nx, ny, nz = normals[n, 0], normals[n, 1], normals[n, 2]
        if not give > 0.0:
            continue
        lack = targets[n] - (nx * x + ny * y + nz * z - offsets[n])
        lack = max(lack, -give * pushes[n])
        if lack == 0.0:
            continue
        has_moved = True
        regained = max(min(lack, extras[n]), 0.0)
        extras[n] -= regained
        pushes[n] += lack / give
        sx, sy, sz = x - anchors[n, 0], y - anchors[n, 1], z - anchors[n, 2]
        normal = sx * nx + sy * ny + sz * nz
        sx, sy, sz = sx - normal * nx, sy - normal * ny, sz - normal * nz
        slip = math.sqrt(sx * sx + sy * sy + sz * sz)
        held = min(slip, max(frictions[o] * give * pushes[n] - rubs[n], 0.0))
        rubs[n] += held
        share = held / slip if slip > 0.0 else 0.0
        g = (lack * nx - share * sx, lack * ny - share * sy, lack * nz - share * sz)
        for corner in range(3):
            i = triangles[f, corner]
            if is_fixed[i] or weights[n, corner] == 0.0:
                continue
            part = weights[n, corner] / (masses[i] * give)
            if is_weighed[o]:
                add_reaction(
                    reactions, o, masses[i], positions[i, 0], positions[i, 1], positions[i, 2],
                    part * g[0], part * g[1], part * g[2],
                )  # fmt: skip
            add_scaled(positions, i, g, part)
            add_scaled(moves, i, g, part)
            add_scaled(shifts, i, (nx, ny, nz), part * regained)
            if touched[i] < 0:
                touched[i] = o
    return has_moved


@kernel(counts_references=False)
def give_last_pushes(
    count, faces, solids, weights, normals, pushes, befores, rubs, scale, triangles, is_weighed, masses, is_fixed, stillness,
    loads, reactions, targets,
):  # fmt: skip
    """Add what places carried in the last substep to where inertia leads, and mark their corners as pushed.

    A blow lasts one substep, a load lasts: no more goes on than twice the push before the last (K8).

    Args:
        count: how many places there are
        faces: (capacity,) triangle of each place
        solids: (capacity,) which solid
        weights: (capacity, 3) of the corners
        normals: (capacity, 3) of the tangent plane
        pushes: (capacity,) [kg·m], overwritten with what goes on
        befores: (capacity,) [kg·m], those of the substep before, overwritten
        rubs: (capacity,) [m], overwritten with nothing
        scale: square of this substep over the last one
        triangles: (triangle_count, 3) particles
        is_weighed: (solid_count,) whether anybody wants to know what the solid receives
        masses: (particle_count,) [kg]
        is_fixed: (particle_count,)
        stillness: (particle_count,) of `Stillness`, which would hide from a corner that it is pushed, changed in place
        loads: (particle_count,) FREE, NEAR or PUSHED, changed in place
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        targets: (particle_count, 3) [m], added to
    """
    for n in range(count):
        push = pushes[n]
        kept = scale * min(push, 2.0 * befores[n])
        befores[n], pushes[n], rubs[n] = push, kept, 0.0
        if push <= 0.0:
            continue
        for corner in range(3):
            i, w = triangles[faces[n], corner], weights[n, corner]
            if w != 0.0 and not is_fixed[i]:
                loads[i] = PUSHED
                stillness[i] = 0.0
                way = kept * w / masses[i]
                x, y, z = way * normals[n, 0], way * normals[n, 1], way * normals[n, 2]
                if is_weighed[solids[n]]:
                    add_reaction(
                        reactions, solids[n], masses[i], targets[i, 0], targets[i, 1], targets[i, 2], x, y, z
                    )
                add_scaled(targets, i, (x, y, z), 1.0)


@kernel(counts_references=False)
def hand_on(
    old_count, old_keys, old_pushes, old_befores, old_rubs, count, keys, slots, pushes, befores, rubs
):  # fmt: skip
    """Let places go on with what the same side or face carried.

    Args:
        old_count: how many places there were
        old_keys: (capacity,) side or face of each
        old_pushes: (capacity,) [kg·m]
        old_befores: (capacity,) [kg·m]
        old_rubs: (capacity,) [m]
        count: how many places there are
        keys: (capacity,) side or face of each
        slots: (side_count + triangle_count,) all -1, and so they are afterwards
        pushes: (capacity,) [kg·m], overwritten, as are all that follow
        befores: (capacity,) [kg·m]
        rubs: (capacity,) [m]
    """
    for n in range(old_count):
        slots[old_keys[n]] = n
    for n in range(count):
        m = slots[keys[n]]
        pushes[n] = befores[n] = rubs[n] = 0.0
        if m >= 0:
            pushes[n], befores[n], rubs[n] = old_pushes[m], old_befores[m], old_rubs[m]
            slots[keys[n]] = -1  # a second solid at the same side begins with nothing
    for n in range(old_count):
        slots[old_keys[n]] = -1


def least_bend(solids: Kernels, index: int, faces: tuple[NDArray[np.float64], NDArray[np.int64]]) -> float:
    """Return the smallest radius at which the surface of a solid bends outwards [m]: 0 at an edge, inf where it is flat.

    Args:
        solids: all of them
        index: which one
        faces: its surface, vertices (vertex_count, 3) [m] and triangles (triangle_count, 3)
    """
    kind, values = int(solids[0][index]), solids[1][index]
    match kind:
        case shapes.PLANE:
            return math.inf
        case shapes.SPHERE:
            return float(values[0])
        case shapes.ELLIPSOID:
            return float(values[:3].min() ** 2 / values[:3].max())
        case shapes.BOX:
            return float(values[3])
        case shapes.CAPSULE:
            return float(values[6])
        case shapes.CYLINDER:
            return 0.0
        case shapes.TORUS:
            return float(values[1])
    return 0.0 if has_sharp_edges(*faces) else math.inf


def has_sharp_edges(vertices: NDArray[np.float64], triangles: NDArray[np.int64]) -> bool:
    """Return whether two triangles of a mesh form an edge that points outwards."""
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    normals /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owners = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort(np.sort(sides, axis=1).T)
    sides, owners = np.sort(sides, axis=1)[order], owners[order]
    is_shared = (sides[1:] == sides[:-1]).all(axis=1)
    one, other = owners[:-1][is_shared], owners[1:][is_shared]
    is_bent = (normals[one] * normals[other]).sum(axis=1) < math.cos(SHARP)
    is_bent &= (lengths[one] > 0.0) & (lengths[other] > 0.0)
    way = corners[other].mean(axis=1) - corners[one].mean(axis=1)
    return bool((is_bent & ((normals[one] * way).sum(axis=1) < 0.0)).any())


class Places:
    """Places of cloth that solids hold up."""

    KEPT = ("faces", "keys", "solids", "weights", "normals", "pushes", "befores")
    """What the next substep needs of the last one."""

    def __init__(self, capacity: int) -> None:
        """Make room for some."""
        self.count = 0
        self.faces, self.keys, self.solids = (np.zeros(capacity, dtype=np.int64) for _ in range(3))
        self.weights, self.normals, self.anchors = (np.zeros((capacity, 3)) for _ in range(3))
        self.offsets, self.targets, self.extras = (np.zeros(capacity) for _ in range(3))
        self.pushes, self.befores, self.rubs = (np.zeros(capacity) for _ in range(3))


class Bridges:
    """Solids with edges, the triangles that must not let them through, and the places where they would."""

    def __init__(
        self,
        world: World,
        bends: NDArray[np.float64],
        shells: NDArray[np.float64],
        is_firm: NDArray[np.bool_],
        thin: NDArray[np.int64],
    ) -> None:
        """Look at all cloth.

        Args:
            world: bodies with a surface and no tetrahedra are cloth
            bends: (solid_count,) [m], of `least_bend`
            shells: (solid_count,) [m]
            is_firm: (solid_count,) whether a solid keeps particles out by projection and has no mass
            thin: solids that somebody else keeps from passing between points
        """
        self._bends, self._shells, self._is_firm = bends, shells, is_firm
        self.reshape(world, thin)

    def reshape(self, world: World, thin: NDArray[np.int64]) -> None:
        """Take over the surfaces of the world, and forget what they carried; `thin` as at the beginning."""
        chosen, longest = [np.zeros((0, 3), dtype=np.int64)], 0.0
        for body in world.bodies.values():
            if len(body.triangles) and body.tetrahedra.stop == body.tetrahedra.start:
                chosen.append(body.triangles + body.particles.start)
                longest = max(longest, float(world.springs.rest_lengths[body.springs].max(initial=0.0)))
        # A side of length L dips by L² / 8r into what bends with radius r.
        is_edged = self._is_firm & (longest**2 > 8.0 * VISIBLE * self._shells * self._bends)
        is_edged[thin] = False
        self._edged = np.flatnonzero(is_edged)
        self.triangles = np.concatenate(chosen) if len(self._edged) else chosen[0]
        self.is_active = len(self.triangles) > 0
        count = world.particles.count if self.is_active else 0
        self._dues = np.full(len(self.triangles), -np.inf)
        edges, self._opposite = numbered_edges(self.triangles)
        self._visits, self._visit = np.full(len(edges), -1, dtype=np.int64), 0
        self._slots = np.full(len(edges) + len(self.triangles), -1, dtype=np.int32)
        self._last, self._paths, self._shifts = np.zeros((count, 3)), np.zeros(count), np.zeros((count, 3))
        self._places, self._spare = Places(64), Places(64)
        self._finds, self._step, self._has_lifted = 0, 0.0, False

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what `restore` needs to go on bit for bit."""
        places = self._places
        arrays = {f"bridge_{name}": getattr(places, name)[: places.count] for name in Places.KEPT}
        own = {"bridge_dues": self._dues, "bridge_last": self._last, "bridge_paths": self._paths}
        return {**arrays, **own, "bridge_step": np.array([self._step])}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        for name, array in self.state().items():
            is_fixed = name.removeprefix("bridge_") not in Places.KEPT
            if (
                saved[name].dtype != array.dtype
                or saved[name].shape[not is_fixed :] != array.shape[not is_fixed :]
            ):
                raise ValueError(name)
        count = len(saved["bridge_faces"])
        for name, end in (
            ("faces", len(self.triangles)),
            ("keys", len(self._slots)),
            ("solids", len(self._shells)),
        ):
            numbers = saved[f"bridge_{name}"]
            if len(numbers) != count or not ((numbers >= 0) & (numbers < end)).all():
                raise ValueError(name)
        self._places, self._spare = Places(max(64, count)), Places(max(64, count))
        self._places.count = count
        for name in Places.KEPT:
            getattr(self._places, name)[:count] = saved[f"bridge_{name}"]
        for name in ("dues", "last", "paths"):
            getattr(self, f"_{name}")[:] = saved[f"bridge_{name}"]
        self._step = float(saved["bridge_step"][0])

    def begin(
        self, step: float, is_weighed: NDArray[np.bool_], particles: Particles, reactions: NDArray[np.float64]
    ) -> None:
        """Let the integrator feel what places carried: after the inertial targets, and after contact of cloth with cloth.

        Args:
            step: substep [s]
            is_weighed: (solid_count,) whether anybody wants to know what the solid receives
            particles: with their inertial targets
            reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        """
        if not self.is_active:
            return
        places = self._places
        scale = (step / self._step) ** 2 if self._step else 1.0
        self._step, self._finds = step, 0
        give_last_pushes(
            places.count, places.faces, places.solids, places.weights, places.normals, places.pushes, places.befores,
            places.rubs, scale, self.triangles, is_weighed, particles.masses, particles.is_fixed, particles.stillness,
            particles.loads, reactions, particles.targets,
        )  # fmt: skip

    def find(
        self,
        solids: Kernels,
        poses: tuple[NDArray[np.float64], NDArray[np.float64]],
        drift: float,
        particles: Particles,
    ) -> None:
        """Look for places that dip into solids, in the first passes of a substep.

        Args:
            solids: all of them
            poses: (solid_count, 12) at the start and the end of the substep
            drift: how far solids have moved since the beginning, in sum [m]
            particles: where they are
        """
        if self._finds == FINDS or (self._finds and not self._places.count):
            return
        self._finds += 1
        add_ways(particles.positions, self._last, self._paths)
        old = self._places
        self._visit += 1
        while True:
            new = self._spare
            new.count = find_bridges(
                *solids, self._edged, self._shells, RECOVERY_SPEED * self._step, drift, *poses, self.triangles,
                self._opposite, particles.starts, particles.positions, self._paths, self._visit, self._visits, self._dues,
                new.faces, new.keys, new.solids, new.weights, new.normals, new.offsets, new.anchors, new.targets, new.extras,
            )  # fmt: skip
            if new.count <= len(new.faces):
                break
            self._spare = Places(2 * new.count)
            self._visit += 1
        hand_on(
            old.count, old.keys, old.pushes, old.befores, old.rubs, new.count, new.keys, self._slots,
            new.pushes, new.befores, new.rubs,
        )  # fmt: skip
        self._places, self._spare = new, old

    def lift(
        self,
        frictions: NDArray[np.float64],
        is_weighed: NDArray[np.bool_],
        particles: Particles,
        touched: NDArray[np.int64],
        reactions: NDArray[np.float64],
        moves: NDArray[np.float64],
    ) -> bool:
        """Push out the places that were found; return whether anything has moved. Arguments are those of `lift_places`."""
        places = self._places
        has_moved = lift_places(
            places.count, places.faces, places.solids, places.weights, places.normals, places.offsets, places.anchors,
            places.targets, places.extras, places.pushes, places.rubs, self.triangles, frictions, is_weighed,
            particles.masses, particles.is_fixed, touched, reactions, moves, self._shifts, particles.positions,
        )  # fmt: skip
        self._has_lifted |= bool(has_moved)
        return bool(has_moved)

    def end(self, starts: NDArray[np.float64]) -> None:
        """Let what was given back be no velocity: the starts of the substep, (particle_count, 3) [m], move as well."""
        if self._has_lifted:
            starts += self._shifts
            self._shifts[:] = 0.0
            self._has_lifted = False
