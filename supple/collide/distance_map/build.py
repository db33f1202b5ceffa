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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.distance_map.candidate_triangles import (
    HALF_DIAGONAL,
    drop_hopeless,
    gather_near,
    keep_near,
    nearest_in_row,
    nearest_place,
)
from supple.collide.distance_map.winding import WindingTree, winding_number
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
"""Row of the candidates of a voxel. Before it: all triangles, those of a group of blocks, of a block, and of
four and two voxels; after it those of its halves."""

BY_NORMAL, OUTSIDE, INSIDE, BY_WINDING = 0, 1, 2, 3
"""How inside and outside are told apart: by the pseudonormal at the closest point, the same for all of a
cube, or by the winding number, which is slow and used while building only."""

SAMPLES = (13, 4, 22, 10, 16, 12, 14, 1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25)
"""Points of a 3 x 3 x 3 lattice: its middle, the middles of its faces, the middles of its edges."""


class SourceMesh(NamedTuple):
    """The mesh that a map is built of."""

    corners: NDArray[np.float64]
    """(9 triangle_count,) corners of all triangles [m]."""

    normals: NDArray[np.float32]
    """(triangle_count, 21) pseudonormals of face, edges and corners of each triangle."""

    tree: WindingTree
    """For the winding number; read if inside and outside are told by it."""

    is_closed: bool
    """Whether the mesh has no holes, so that inside and outside change at triangles only."""


class Pools(NamedTuple):
    """Memory that cubes are stored in; only what lies below the cursors is in use."""

    children: NDArray[np.int32]
    """(8 group_room,) codes of the halves of split cubes."""

    lists: NDArray[np.int32]
    """Lists of triangles: four times the length plus how inside and outside are told apart, then the triangles."""

    leaves: NDArray[np.float32]
    """(8 leaf_room,) signed distances at the corners of halves [m]."""

    cursors: NDArray[np.int64]
    """(3,) groups of children, list entries and leaves in use."""


class Scratch(NamedTuple):
    """What is known of distances while a block is built, and the cubes that wait to be stored."""

    values: NDArray[np.float64]
    """(8,) signed distances at the corners of the cube looked at [m]."""

    known: NDArray[np.float32]
    """(FINE * BLOCK + 1, same, same) distances in steps of a voxel over FINE, NaN where not yet known [m]: cubes
    share the nodes on their faces."""

    lattice: NDArray[np.float64]
    """(SPLITS + 1, 27) distances on a 3 x 3 x 3 lattice in the cube of each level, NaN where not known [m]."""

    stack: NDArray[np.int64]
    """(64, 6) cubes that wait: place of the code (-1 the voxel itself), level, steps from the voxel's corner, and how
    inside and outside are told apart."""


class Cube(NamedTuple):
    """A voxel, a half, a quarter or an eighth of one; made by kernels."""

    x: float
    """Lowest corner [m]."""

    y: float
    z: float
    size: float
    """Side [m]."""

    level: int
    """How often the voxel was halved; the candidates of the cube are in row `ROW + level`."""

    i: int
    """Node of `Scratch.known` at the lowest corner."""

    j: int
    k: int


@kernel(counts_references=False)
def signed_distance(mesh, candidates, row, side, x, y, z):
    """Return the signed distance of a point to the nearest triangle of a row of candidates [m]."""
    d2, t, part, px, py, pz = nearest_in_row(mesh.corners, candidates, row, x, y, z)
    distance = math.sqrt(d2)
    if side == OUTSIDE:
        return distance
    if side == INSIDE:
        return -distance
    if side == BY_WINDING:
        return -distance if winding_number(mesh.tree, x, y, z) > 0.5 else distance
    k, normals = 3 * part, mesh.normals
    along = (x - px) * normals[t, k] + (y - py) * normals[t, k + 1] + (z - pz) * normals[t, k + 2]
    return -distance if along < 0.0 else distance


@kernel(counts_references=False)
def node_distance(mesh, candidates, row, side, x, y, z, voxel, known, i, j, k):
    """Return the signed distance at a corner of a voxel, node (i, j, k) of `known`.

    The winding number is slow. In a mesh without holes it is not needed where a neighbour has its
    sign already, and one of the two is farther from the surface than they are from each other.
    """
    if side != BY_WINDING or not mesh.is_closed:
        return signed_distance(mesh, candidates, row, side, x, y, z)
    distance = signed_distance(mesh, candidates, row, OUTSIDE, x, y, z)
    for axis in range(3):
        for way in range(2):
            step = FINE if way == 1 else -FINE
            ni, nj, nk = i + step * (axis == 0), j + step * (axis == 1), k + step * (axis == 2)
            if min(ni, min(nj, nk)) < 0 or max(ni, max(nj, nk)) > FINE * BLOCK:
                continue
            beside = known[ni, nj, nk]
            if not math.isnan(beside) and max(distance, abs(beside)) > voxel:
                return math.copysign(distance, beside)
    return -distance if winding_number(mesh.tree, x, y, z) > 0.5 else distance


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
def lattice_distance(mesh, candidates, side, cube, scratch, node):
    """Return the signed distance at one of the 27 lattice nodes of a cube [m], and remember it for its neighbours."""
    lattice, known = scratch.lattice, scratch.known
    value = lattice[cube.level, node]
    if not math.isnan(value):
        return value
    a, b, c = node // 9, node // 3 % 3, node % 3
    stride = FINE >> (cube.level + 1)
    if stride > 0:
        value = known[cube.i + a * stride, cube.j + b * stride, cube.k + c * stride]
    if math.isnan(value):
        value = signed_distance(
            mesh, candidates, ROW + cube.level, side,
            cube.x + 0.5 * a * cube.size, cube.y + 0.5 * b * cube.size, cube.z + 0.5 * c * cube.size,
        )  # fmt: skip
        if stride > 0:
            known[cube.i + a * stride, cube.j + b * stride, cube.k + c * stride] = value
    lattice[cube.level, node] = value
    return value


@kernel(counts_references=False)
def is_smooth(mesh, candidates, side, cube, scratch, above, below, sample_count):
    """Tell whether the distance in a cube is trilinear between its corners, judged at some points in it.

    It may be too large by `above` and too small by `below` [m]. The points are the middle of the cube,
    the middles of its faces and, if `sample_count` is 19 and not 7, those of its edges.
    """
    for sample in range(sample_count):
        k = SAMPLES[sample]
        true = lattice_distance(mesh, candidates, side, cube, scratch, k)
        error = trilinear(scratch.values, 0.5 * (k // 9), 0.5 * (k // 3 % 3), 0.5 * (k % 3)) - true
        if true < 0.0:
            error = -error
        if not -below <= error <= above:
            return False
    return True


@kernel(counts_references=False)
def agreed_side(mesh, candidates, cube, values):
    """Return how inside and outside can be told apart in a cube whose corners are signed by the winding number.

    By the normals if they agree at all corners, else the same for the whole cube if the
    corners agree among themselves, else not yet.
    """
    agreeing, positive = 0, 0
    size, normals = cube.size, mesh.normals
    for k in range(8):
        px, py, pz = cube.x + size * (k // 4), cube.y + size * (k // 2 % 2), cube.z + size * (k % 2)
        _, t, part, qx, qy, qz = nearest_in_row(mesh.corners, candidates, ROW + cube.level, px, py, pz)
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
def store_leaf(values, kind, pools):
    """Put eight corner values away; return the code, or `FULL` if there is no room."""
    n, leaves = pools.cursors[2], pools.leaves
    if 8 * n + 8 > leaves.shape[0]:
        return FULL
    for k in range(8):
        leaves[8 * n + k] = values[k]
    pools.cursors[2] = n + 1
    return 4 * n + kind


@kernel(counts_references=False)
def store_list(candidates, row, side, pools):
    """Put a row of candidates away; return the code, or `FULL` if there is no room."""
    n, count, lists = pools.cursors[1], candidates.counts[row], pools.lists
    if n + 1 + count > lists.shape[0]:
        return FULL
    lists[n] = 4 * count + side
    for i in range(count):
        lists[n + 1 + i] = candidates.triangles[row, i]
    pools.cursors[1] = n + 1 + count
    return 4 * n + LISTED


@kernel(counts_references=False)
def settle_cube(mesh, candidates, distance, side, cube, voxel, scratch, pools):
    """Decide how a cube is stored, and store it; a split is left to the caller.

    Args:
        mesh: see `SourceMesh`
        candidates: those of the cube are reordered, and some may be dropped
        distance: distance of the middle of the cube [m]
        side: how inside and outside are told apart here
        cube: see `Cube`
        voxel: side of a voxel [m]
        scratch: with the distances at the corners of the cube
        pools: appended to

    Returns:
        The code. `SPLIT` asks for a split, `FULL` says that a pool is full.
    """
    level, size, row, values = cube.level, cube.size, ROW + cube.level, scratch.values
    is_last = level == SPLITS
    if side == BY_WINDING and not is_last:
        return SPLIT
    low = distance - HALF_DIAGONAL * size
    if side == BY_WINDING:
        inside = (
            winding_number(mesh.tree, cube.x + 0.5 * size, cube.y + 0.5 * size, cube.z + 0.5 * size) > 0.5
        )
        side = INSIDE if inside else OUTSIDE
    elif low >= size:
        kind = far_kind(values, distance, low)
        if level == 0:
            return VOXEL_SMOOTH if kind == SMOOTH else VOXEL_FAR
        return store_leaf(values, kind, pools)
    else:
        tolerance = TOLERANCES[level] * voxel
        away = max(0.0, low)
        if is_smooth(
            mesh, candidates, side, cube, scratch,
            tolerance + ABOVE * away, tolerance + BELOW * away, 19 if low < 0.0 else 7,
        ):  # fmt: skip
            return VOXEL_SMOOTH if level == 0 else store_leaf(values, SMOOTH, pools)
    count = candidates.counts[row]
    if count > LIST_LENGTH and (count <= PROMISING or is_last):
        count = drop_hopeless(mesh.corners, candidates, row, cube.x, cube.y, cube.z, size)
    if count <= LIST_LENGTH or is_last:
        return store_list(candidates, row, side, pools)
    return SPLIT


@kernel(counts_references=False)
def read_parent(mesh, candidates, cube, i, j, k, scratch):
    """Take over candidates and corner distances of a half from its parent; return the distance of its middle [m].

    The row of a level holds the candidates of the cube looked at last, so a half finds those of its parent one row up,
    and its corners among the lattice of the parent; (i, j, k) count steps of its size from the corner of the voxel.
    """
    half = 0.5 * cube.size
    distance = gather_near(
        mesh.corners, candidates, ROW + cube.level - 1, cube.x + half, cube.y + half, cube.z + half,
        2.0 * HALF_DIAGONAL * cube.size,
    )  # fmt: skip
    for n in range(8):
        node = 9 * (i % 2 + n // 4) + 3 * (j % 2 + n // 2 % 2) + k % 2 + n % 2
        scratch.values[n] = scratch.lattice[cube.level - 1, node]
    return distance


@kernel(counts_references=False)
def push_halves(mesh, candidates, side, cube, i, j, k, top, scratch, pools):
    """Put the halves of a cube on the stack, with all distances at their corners; return code and new top.

    The code is `FULL` if there is no room for those of the halves.
    """
    group = pools.cursors[0]
    if 8 * group + 8 > pools.children.shape[0]:
        return FULL, top
    pools.cursors[0] = group + 1
    for node in range(27):
        lattice_distance(mesh, candidates, side, cube, scratch, node)
    stack = scratch.stack
    for n in range(8):
        stack[top, 0], stack[top, 1], stack[top, 5] = 8 * group + n, cube.level + 1, side
        stack[top, 2] = 2 * i + n // 4
        stack[top, 3] = 2 * j + n // 2 % 2
        stack[top, 4] = 2 * k + n % 2
        top += 1
    return 4 * group + SPLIT, top


@kernel(counts_references=False)
def settle_voxel(mesh, candidates, distance, side, voxel, scratch, pools):
    """Store a voxel and, where needed, its halves; return its code, or `FULL` if a pool is full.

    Args:
        mesh: see `SourceMesh`
        candidates: those of the voxel are in row `ROW`
        distance: distance of the middle of the voxel [m]
        side: how inside and outside are told apart
        voxel: the `Cube`
        scratch: with the distances at the corners of the voxel
        pools: appended to
    """
    stack = scratch.stack
    stack[0, 0], stack[0, 1], stack[0, 5] = -1, 0, side
    stack[0, 2], stack[0, 3], stack[0, 4] = 0, 0, 0
    top = 1
    answer = 0
    while top > 0:
        top -= 1
        place, level, side = stack[top, 0], stack[top, 1], stack[top, 5]
        i, j, k = stack[top, 2], stack[top, 3], stack[top, 4]
        size = voxel.size / (1 << level)
        cube = Cube(
            voxel.x + i * size, voxel.y + j * size, voxel.z + k * size, size, level,
            voxel.i + (FINE * i >> level), voxel.j + (FINE * j >> level), voxel.k + (FINE * k >> level),
        )  # fmt: skip
        if level > 0:
            distance = read_parent(mesh, candidates, cube, i, j, k, scratch)
        for node in range(27):
            scratch.lattice[level, node] = math.nan
        if side == BY_WINDING:
            side = agreed_side(mesh, candidates, cube, scratch.values)
        code = settle_cube(mesh, candidates, distance, side, cube, voxel.size, scratch, pools)
        if code == SPLIT:
            code, top = push_halves(mesh, candidates, side, cube, i, j, k, top, scratch, pools)
        if code == FULL:
            return FULL
        if place < 0:
            answer = code
        else:
            pools.children[place] = code
    return answer


@kernel(counts_references=False)
def read_corners(mesh, candidates, row, side, voxel, scratch):
    """Find the distances at the corners of a voxel, most of which its neighbours know; return how many are not inside."""
    known, positive = scratch.known, 0
    for n in range(8):
        di, dj, dk = n // 4, n // 2 % 2, n % 2
        i, j, k = voxel.i + FINE * di, voxel.j + FINE * dj, voxel.k + FINE * dk
        if math.isnan(known[i, j, k]):
            known[i, j, k] = node_distance(
                mesh, candidates, row, side,
                voxel.x + di * voxel.size, voxel.y + dj * voxel.size, voxel.z + dk * voxel.size, voxel.size,
                known, i, j, k,
            )  # fmt: skip
        scratch.values[n] = known[i, j, k]
        positive += not scratch.values[n] < 0.0
    return positive


@kernel(counts_references=False)
def build_voxel(mesh, candidates, side, voxel, scratch, pools):
    """Store one voxel, given as a `Cube`; return its code and a lower bound of its distance to the surface [m].

    Its candidates are chosen from row `ROW - 1`. Where the surface is a voxel away or more, the distances at the
    corners are all it needs, and its own row is not even filled.
    """
    size = voxel.size
    x, y, z = voxel.x + 0.5 * size, voxel.y + 0.5 * size, voxel.z + 0.5 * size
    distance, nearest = nearest_place(mesh.corners, candidates, ROW - 1, x, y, z)
    low = distance - HALF_DIAGONAL * size
    diagonal = 2.0 * HALF_DIAGONAL * size
    row = ROW - 1
    if low < size:
        row = ROW
        keep_near(mesh.corners, candidates, ROW - 1, distance, nearest, x, y, z, diagonal)
    positive = read_corners(mesh, candidates, row, side, voxel, scratch)
    if low >= size and (side != BY_WINDING or positive == 0 or positive == 8):
        code = VOXEL_SMOOTH if far_kind(scratch.values, distance, low) == SMOOTH else VOXEL_FAR
    else:
        if row != ROW:
            keep_near(mesh.corners, candidates, ROW - 1, distance, nearest, x, y, z, diagonal)
        code = settle_voxel(mesh, candidates, distance, side, voxel, scratch, pools)
    return code, low


@kernel(counts_references=False)
def build_block(mesh, candidates, side, x, y, z, voxel, scratch, pools, codes):
    """Fill the nodes and voxels of one block.

    Candidates are chosen in steps, for cubes of four voxels, of two, and of one: each looks at few triangles.

    Args:
        mesh: see `SourceMesh`
        candidates: row `ROW - 3` holds those of the block; the rows after it are overwritten
        side: BY_NORMAL for a mesh without faults, else BY_WINDING
        x: lowest corner of the block [m]
        y: its second coordinate
        z: its third coordinate
        voxel: side of a voxel [m]
        scratch: see `Scratch`; what is not yet known of the block is NaN
        pools: appended to
        codes: (512,) codes of the voxels, written

    Returns:
        The least distance of the block to the surface [m], a lower bound; -inf if a pool is full.
    """
    lowest = math.inf
    diagonal = 2.0 * HALF_DIAGONAL * voxel
    for a in range(8):
        ax, ay, az = 4 * (a // 4), 4 * (a // 2 % 2), 4 * (a % 2)
        gather_near(
            mesh.corners, candidates, ROW - 3,
            x + (ax + 2) * voxel, y + (ay + 2) * voxel, z + (az + 2) * voxel, 4.0 * diagonal,
        )  # fmt: skip
        for b in range(8):
            bx, by, bz = ax + 2 * (b // 4), ay + 2 * (b // 2 % 2), az + 2 * (b % 2)
            gather_near(
                mesh.corners, candidates, ROW - 2,
                x + (bx + 1) * voxel, y + (by + 1) * voxel, z + (bz + 1) * voxel, 2.0 * diagonal,
            )  # fmt: skip
            for c in range(8):
                i, j, k = bx + c // 4, by + c // 2 % 2, bz + c % 2
                cube = Cube(
                    x + i * voxel, y + j * voxel, z + k * voxel, voxel, 0, FINE * i, FINE * j, FINE * k
                )
                code, low = build_voxel(mesh, candidates, side, cube, scratch, pools)
                if code == FULL:
                    return -math.inf
                lowest = min(lowest, low)
                codes[(i * 8 + j) * 8 + k] = code
    return max(0.0, lowest)
