"""Build a distance map: which triangles are near each voxel, and how each voxel is stored.

The map is a tree of cubes: blocks of 8 x 8 x 8 voxels, voxels, and halves of voxels down to an
eighth. Going down, each cube keeps only the triangles that can be closest to one of its
points: with d the distance of its centre and R half its diagonal, those within d + 2 R. So
the distance at any point is found among a few triangles, whatever the size of the mesh.

A cube is stored in the cheapest way that is right (see `settle_voxel`):

- smooth: the distance between its corners is trilinear to a small tolerance;
- listed: at most a few triangles matter, which are evaluated exactly at each query;
- far: away from the surface a lower bound from the squared distances of the corners will do;
- split: into eight halves.
"""

from __future__ import annotations

import math

from supple.collide.distance_map.candidate_triangles import (
    HALF_DIAGONAL,
    drop_hopeless,
    gather_near,
    keep_near,
    nearest_in_row,
    nearest_place,
)
from supple.collide.distance_map.winding import winding_number
from supple.kernel import kernel

BLOCK = 8
"""Voxels along the side of a block."""

BLOCK_VOXELS = BLOCK**3

BAND = 2.0
"""Blocks closer to the surface than this many voxels are stored in voxels [-]."""

LIST_LENGTH = 5
"""Triangles a cube may list before it is split; the smallest ones list all that can be closest, however many."""

PROMISING = 10
"""Length up to which it is worth the time to look which triangles of a list can be dropped."""

SPLITS = 3
"""How often a voxel may be halved."""

TOLERANCES = (0.01, 0.015, 0.025, 0.04)
"""Largest error of a smooth voxel, and of its halves, quarters and eighths, in voxels [-]."""

ABOVE, BELOW = 0.02, 0.15
"""Error that a smooth cube may have on top, as a share of its distance from the surface [-]: a value above the
true one may let a path step too far, one below only makes it step more often."""

SPLIT, LISTED, SMOOTH, FAR = 0, 1, 2, 3
"""How a cube is stored: the lowest two bits of its code; the rest says where."""

VOXEL_FAR, VOXEL_SMOOTH = -1, -2
"""Codes of voxels that need nothing but the distances at the nodes of their block."""

FULL = -9
"""Not a code: a pool is full."""

FINE = 4
"""Steps a voxel in which distances are remembered while its block is built."""

ROW = 5
"""Row of lists of a voxel. Before it: all triangles, those of a group of blocks, of a block, and of
four and two voxels; after it those of its halves."""

BY_NORMAL, OUTSIDE, INSIDE, BY_WINDING = 0, 1, 2, 3
"""How the side of a point is told: by the normal at its closest point, the same for all of a
cube, or by the winding number, which is slow and used while building only."""

SAMPLES = (13, 4, 22, 10, 16, 12, 14, 1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25)
"""Points of a 3 x 3 x 3 lattice: its middle, the middles of its faces, the middles of its edges."""


@kernel(counts_references=False)
def signed_distance(corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side, x, y, z):
    """Return the signed distance of a point to the nearest triangle of a list [m]."""
    d2, t, part, px, py, pz = nearest_in_row(corners, lists, discs, row, count, x, y, z)
    distance = math.sqrt(d2)
    if side == OUTSIDE:
        return distance
    if side == INSIDE:
        return -distance
    if side == BY_WINDING:
        return -distance if winding_number(tree_corners, tree_nodes, x, y, z) > 0.5 else distance
    k = 3 * part
    along = (x - px) * normals[t, k] + (y - py) * normals[t, k + 1] + (z - pz) * normals[t, k + 2]
    return -distance if along < 0.0 else distance


@kernel(counts_references=False)
def node_distance(
    corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side, is_closed,
    x, y, z, voxel, known, i, j, k,
):  # fmt: skip
    """Return the signed distance at a corner of a voxel, node (i, j, k) of `known`.

    The winding number is slow. In a mesh without holes it is not needed where a neighbour has its
    sign already, and one of the two is farther from the surface than they are from each other.
    """
    if side != BY_WINDING or not is_closed:
        return signed_distance(
            corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side, x, y, z
        )
    distance = signed_distance(
        corners, normals, tree_corners, tree_nodes, lists, discs, row, count, OUTSIDE, x, y, z
    )
    for axis in range(3):
        for way in range(2):
            step = FINE if way == 1 else -FINE
            ni, nj, nk = i + step * (axis == 0), j + step * (axis == 1), k + step * (axis == 2)
            if min(ni, min(nj, nk)) < 0 or max(ni, max(nj, nk)) > FINE * BLOCK:
                continue
            beside = known[ni, nj, nk]
            if not math.isnan(beside) and max(distance, abs(beside)) > voxel:
                return math.copysign(distance, beside)
    return -distance if winding_number(tree_corners, tree_nodes, x, y, z) > 0.5 else distance


@kernel(counts_references=False)
def far_kind(values, distance, low):
    """Return how a cube away from the surface is stored, its middle at `distance` and all of it beyond `low` [m]."""
    error = abs(trilinear(values, 0.5, 0.5, 0.5)) - distance
    return SMOOTH if -BELOW * low <= error <= ABOVE * low else FAR


@kernel(counts_references=False)
def trilinear(values, u, v, w):
    """Interpolate eight corner values, x slowest, at (u, v, w) in the unit cube."""
    a = values[0] + w * (values[1] - values[0])
    b = values[2] + w * (values[3] - values[2])
    c = values[4] + w * (values[5] - values[4])
    d = values[6] + w * (values[7] - values[6])
    a += v * (b - a)
    c += v * (d - c)
    return a + u * (c - a)


@kernel(counts_references=False)
def lattice_distance(
    corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side,
    x, y, z, size, known, ki, kj, kk, level, lattice, node,
):  # fmt: skip
    """Return the signed distance at one of 27 nodes of a cube, and keep it in `lattice` and `known`.

    The cube has its lowest corner at (x, y, z), which is node (ki, kj, kk) of `known`.
    """
    value = lattice[level, node]
    if not math.isnan(value):
        return value
    a, b, c = node // 9, node // 3 % 3, node % 3
    stride = FINE >> (level + 1)
    if stride > 0:
        value = known[ki + a * stride, kj + b * stride, kk + c * stride]
    if math.isnan(value):
        value = signed_distance(
            corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side,
            x + 0.5 * a * size, y + 0.5 * b * size, z + 0.5 * c * size,
        )  # fmt: skip
        if stride > 0:
            known[ki + a * stride, kj + b * stride, kk + c * stride] = value
    lattice[level, node] = value
    return value


@kernel(counts_references=False)
def is_smooth(
    corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side,
    x, y, z, size, values, above, below, sample_count, known, ki, kj, kk, lattice, level,
):  # fmt: skip
    """Tell whether the distance in a cube is trilinear, judged at some points in it.

    The cube has its lowest corner at (x, y, z) and the signed distances `values` at its corners.
    The points are its middle, the middles of its faces and, if `sample_count` is 19 and not 7,
    those of its edges. The distances found are left in `lattice`, see `settle_voxel`.
    """
    for sample in range(sample_count):
        k = SAMPLES[sample]
        true = lattice_distance(
            corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side,
            x, y, z, size, known, ki, kj, kk, level, lattice, k,
        )  # fmt: skip
        error = trilinear(values, 0.5 * (k // 9), 0.5 * (k // 3 % 3), 0.5 * (k % 3)) - true
        if true < 0.0:
            error = -error
        if not -below <= error <= above:
            return False
    return True


@kernel(counts_references=False)
def agreed_side(corners, normals, lists, discs, row, count, x, y, z, size, values):
    """Return how sides can be told in a cube whose corners are signed by the winding number.

    By the normals if they agree at all corners, else the same for the whole cube if the
    corners agree among themselves, else not yet.
    """
    agreeing, positive = 0, 0
    for k in range(8):
        px, py, pz = x + size * (k // 4), y + size * (k // 2 % 2), z + size * (k % 2)
        _, t, part, qx, qy, qz = nearest_in_row(corners, lists, discs, row, count, px, py, pz)
        n = 3 * part
        along = (px - qx) * normals[t, n] + (py - qy) * normals[t, n + 1] + (pz - qz) * normals[t, n + 2]
        agreeing += (along < 0.0) == (values[k] < 0.0)
        positive += not values[k] < 0.0
    if agreeing == 8:
        return BY_NORMAL
    if positive == 8:
        return OUTSIDE
    return INSIDE if positive == 0 else BY_WINDING


@kernel(counts_references=False)
def store_leaf(values, kind, leaves, cursors):
    """Put eight corner values away; return the code, or `FULL` if there is no room."""
    n = cursors[2]
    if 8 * n + 8 > leaves.shape[0]:
        return FULL
    for k in range(8):
        leaves[8 * n + k] = values[k]
    cursors[2] = n + 1
    return 4 * n + kind


@kernel(counts_references=False)
def store_list(lists, row, count, side, listed, cursors):
    """Put a list of triangles away; return the code, or `FULL` if there is no room."""
    n = cursors[1]
    if n + 1 + count > listed.shape[0]:
        return FULL
    listed[n] = 4 * count + side
    for i in range(count):
        listed[n + 1 + i] = lists[row, i]
    cursors[1] = n + 1 + count
    return 4 * n + LISTED


@kernel(counts_references=False)
def settle_cube(
    corners, normals, tree_corners, tree_nodes, lists, discs, row, count, distance, side,
    x, y, z, size, level, voxel, values, known, ki, kj, kk, lattice, listed, leaves, cursors,
):  # fmt: skip
    """Decide how a cube is stored, and store it; a split is left to the caller.

    Args:
        corners: (9 triangle_count,) [m]
        normals: (triangle_count, 21) pseudonormals
        tree_corners: see `WindingTree`
        tree_nodes: see `WindingTree`
        lists: indices of triangles, one list a row
        discs: their discs, see `gather_near`
        row: the list of the triangles that matter in the cube, reordered
        count: its length
        distance: distance of the middle of the cube [m]
        side: how sides are told here
        x: lowest corner [m]
        y: its second coordinate
        z: its third coordinate
        size: side of the cube [m]
        level: how often the voxel was halved
        voxel: side of a voxel [m]
        values: (8,) signed distances at the corners of the cube [m]
        known: distances known in the block, see `build_block`
        ki: node of `known` at the lowest corner
        kj: its second index
        kk: its third index
        lattice: (SPLITS + 1, 27) distances of the cube of each level, NaN where not known [m]
        listed: pool of lists, appended to
        leaves: pool of corner values, appended to
        cursors: (3,) how much of the pools is in use, moved on

    Returns:
        The code, and the number of triangles left in the list. Code 0 asks for a split, `FULL`
        says that a pool is full.
    """
    is_last = level == SPLITS
    if side == BY_WINDING and not is_last:
        return SPLIT, count
    low = distance - HALF_DIAGONAL * size
    if side == BY_WINDING:
        inside = (
            winding_number(tree_corners, tree_nodes, x + 0.5 * size, y + 0.5 * size, z + 0.5 * size) > 0.5
        )
        side = INSIDE if inside else OUTSIDE
    elif low >= size:
        kind = far_kind(values, distance, low)
        if level == 0:
            return (VOXEL_SMOOTH if kind == SMOOTH else VOXEL_FAR), count
        return store_leaf(values, kind, leaves, cursors), count
    else:
        tolerance = TOLERANCES[level] * voxel
        away = max(0.0, low)
        if is_smooth(
            corners, normals, tree_corners, tree_nodes, lists, discs, row, count, side,
            x, y, z, size, values, tolerance + ABOVE * away, tolerance + BELOW * away, 19 if low < 0.0 else 7,
            known, ki, kj, kk, lattice, level,
        ):  # fmt: skip
            return (VOXEL_SMOOTH if level == 0 else store_leaf(values, SMOOTH, leaves, cursors)), count
    if count > LIST_LENGTH and (count <= PROMISING or is_last):
        count = drop_hopeless(corners, lists, discs, row, count, x, y, z, size)
    if count <= LIST_LENGTH or is_last:
        return store_list(lists, row, count, side, listed, cursors), count
    return SPLIT, count


@kernel(counts_references=False)
def settle_voxel(
    corners, normals, tree_corners, tree_nodes, lists, discs, counts, distance, side,
    x, y, z, voxel, bounds, values, known, ki, kj, kk, lattice, stack, children, listed, leaves, cursors,
):  # fmt: skip
    """Store a voxel and, where needed, its halves; return its code, or `FULL` if a pool is full.

    On entry the triangles of the voxel stand in row `ROW` of `lists`, their number in `counts`, the
    distances at its corners in `values` and that of its middle in `distance`. Cubes wait on a
    stack; the row of a level holds the triangles of the cube looked at last, so the children
    of a cube find those of their parent one row up. In the same way `lattice` holds the distances
    on a 3 x 3 x 3 lattice of that cube, among which are those at the corners of its children.
    """
    # Of a waiting cube: place of its code (-1 the voxel itself), level, steps from the voxel's corner, side.
    stack[0, 0], stack[0, 1], stack[0, 5] = -1, 0, side
    stack[0, 2], stack[0, 3], stack[0, 4] = 0, 0, 0
    top = 1
    answer = 0
    while top > 0:
        top -= 1
        place, level, side = stack[top, 0], stack[top, 1], stack[top, 5]
        i, j, k = stack[top, 2], stack[top, 3], stack[top, 4]
        size = voxel / (1 << level)
        cx, cy, cz = x + i * size, y + j * size, z + k * size
        fi, fj, fk = ki + (FINE * i >> level), kj + (FINE * j >> level), kk + (FINE * k >> level)
        row = ROW + level
        if level > 0:
            half = 0.5 * size
            counts[row], distance = gather_near(
                corners, lists, discs, row - 1, counts[row - 1],
                cx + half, cy + half, cz + half, 2.0 * HALF_DIAGONAL * size, bounds,
            )  # fmt: skip
            for n in range(8):
                node = 9 * (i % 2 + n // 4) + 3 * (j % 2 + n // 2 % 2) + k % 2 + n % 2
                values[n] = lattice[level - 1, node]
        for node in range(27):
            lattice[level, node] = math.nan
        if side == BY_WINDING:
            side = agreed_side(corners, normals, lists, discs, row, counts[row], cx, cy, cz, size, values)
        code, counts[row] = settle_cube(
            corners, normals, tree_corners, tree_nodes, lists, discs, row, counts[row], distance, side,
            cx, cy, cz, size, level, voxel, values,
            known, fi, fj, fk, lattice, listed, leaves, cursors,
        )  # fmt: skip
        if code == FULL:
            return FULL
        if code == SPLIT:
            group = cursors[0]
            if 8 * group + 8 > children.shape[0]:
                return FULL
            cursors[0] = group + 1
            code = 4 * group + SPLIT
            for node in range(27):
                lattice_distance(
                    corners, normals, tree_corners, tree_nodes, lists, discs, row, counts[row], side,
                    cx, cy, cz, size, known, fi, fj, fk, level, lattice, node,
                )  # fmt: skip
            for n in range(8):
                stack[top, 0], stack[top, 1], stack[top, 5] = 8 * group + n, level + 1, side
                stack[top, 2] = 2 * i + n // 4
                stack[top, 3] = 2 * j + n // 2 % 2
                stack[top, 4] = 2 * k + n % 2
                top += 1
        if place < 0:
            answer = code
        else:
            children[place] = code
    return answer


@kernel(counts_references=False)
def build_block(
    corners, normals, tree_corners, tree_nodes, lists, discs, counts, side, is_closed,
    x, y, z, voxel, bounds, values, known, lattice, stack, children, listed, leaves, cursors, codes,
):  # fmt: skip
    """Fill the nodes and voxels of one block.

    Args:
        corners: (9 triangle_count,) [m]
        normals: (triangle_count, 21) pseudonormals
        tree_corners: see `WindingTree`; used if `side` is BY_WINDING
        tree_nodes: see `WindingTree`
        lists: (ROW + SPLITS + 1, triangle_count) scratch; row `ROW - 3` holds the triangles that matter
        discs: (ROW + SPLITS + 1, triangle_count, 7) discs of the triangles in the lists, scratch
        counts: (ROW + SPLITS + 1,) lengths of the lists
        side: BY_NORMAL for a mesh without faults, else BY_WINDING
        is_closed: whether the mesh has no holes, so that sides change at triangles only
        x: lowest corner of the block [m]
        y: its second coordinate
        z: its third coordinate
        voxel: side of a voxel [m]
        bounds: (triangle_count,) scratch
        values: (8,) scratch
        known: (FINE * BLOCK + 1, same, same) distances in steps of a voxel over FINE, NaN where not
            yet known: cubes share the nodes on their faces
        lattice: (SPLITS + 1, 27) scratch
        stack: (64, 6) scratch
        children: pool of codes, appended to
        listed: pool of lists, appended to
        leaves: pool of corner values, appended to
        cursors: (3,) groups of children, list entries and leaves in use, moved on
        codes: (512,) codes of the voxels, written

    Returns:
        The least distance of the block to the surface [m], a lower bound; -inf if a pool is full.
    """
    lowest = math.inf
    diagonal = 2.0 * HALF_DIAGONAL * voxel
    for a in range(8):
        ax, ay, az = 4 * (a // 4), 4 * (a // 2 % 2), 4 * (a % 2)
        counts[ROW - 2], _ = gather_near(
            corners, lists, discs, ROW - 3, counts[ROW - 3],
            x + (ax + 2) * voxel, y + (ay + 2) * voxel, z + (az + 2) * voxel, 4.0 * diagonal, bounds,
        )  # fmt: skip
        for b in range(8):
            bx, by, bz = ax + 2 * (b // 4), ay + 2 * (b // 2 % 2), az + 2 * (b % 2)
            counts[ROW - 1], _ = gather_near(
                corners, lists, discs, ROW - 2, counts[ROW - 2],
                x + (bx + 1) * voxel, y + (by + 1) * voxel, z + (bz + 1) * voxel, 2.0 * diagonal, bounds,
            )  # fmt: skip
            for c in range(8):
                i, j, k = bx + c // 4, by + c // 2 % 2, bz + c % 2
                vx, vy, vz = x + i * voxel, y + j * voxel, z + k * voxel
                mx, my, mz = vx + 0.5 * voxel, vy + 0.5 * voxel, vz + 0.5 * voxel
                distance, nearest = nearest_place(
                    corners, lists, discs, ROW - 1, counts[ROW - 1], mx, my, mz, bounds
                )
                low = distance - HALF_DIAGONAL * voxel
                lowest = min(lowest, low)
                row = ROW - 1
                if low < voxel:
                    row = ROW
                    counts[ROW] = keep_near(
                        corners, lists, discs, ROW - 1, counts[ROW - 1], distance, nearest,
                        mx, my, mz, diagonal, bounds,
                    )  # fmt: skip
                positive = 0
                for n in range(8):
                    di, dj, dk = n // 4, n // 2 % 2, n % 2
                    ki, kj, kk = FINE * (i + di), FINE * (j + dj), FINE * (k + dk)
                    if math.isnan(known[ki, kj, kk]):
                        known[ki, kj, kk] = node_distance(
                            corners, normals, tree_corners, tree_nodes, lists, discs, row, counts[row], side, is_closed,
                            vx + di * voxel, vy + dj * voxel, vz + dk * voxel, voxel, known, ki, kj, kk,
                        )  # fmt: skip
                    values[n] = known[ki, kj, kk]
                    positive += not values[n] < 0.0
                if low >= voxel and (side != BY_WINDING or positive == 0 or positive == 8):
                    code = VOXEL_SMOOTH if far_kind(values, distance, low) == SMOOTH else VOXEL_FAR
                else:
                    if row != ROW:
                        counts[ROW] = keep_near(
                            corners, lists, discs, ROW - 1, counts[ROW - 1], distance, nearest,
                            mx, my, mz, diagonal, bounds,
                        )  # fmt: skip
                    code = settle_voxel(
                        corners, normals, tree_corners, tree_nodes, lists, discs, counts, distance, side,
                        vx, vy, vz, voxel, bounds, values, known, FINE * i, FINE * j, FINE * k,
                        lattice, stack, children, listed, leaves, cursors,
                    )  # fmt: skip
                if code == FULL:
                    return -math.inf
                codes[(i * 8 + j) * 8 + k] = code
    return max(0.0, lowest)
