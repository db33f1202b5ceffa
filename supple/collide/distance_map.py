"""Distance maps: the signed distance to a triangle mesh by one look-up, whatever its size.

Theory: docs/theory/obstacles.md, eq. (O2). After Meyer 2000, section 4.2: voxels in the axes of
the obstacle, of a size that suits the wanted accuracy, built once. Three things are added:

- Only blocks of voxels near the surface are stored, so memory grows with the surface.
- In voxels that the surface passes through, the closest point of the few triangles that
  matter is computed exactly; so cloth rests on the surface itself, not on a rounded copy.
- Everywhere else the magnitude is never above the true distance (but for a small tolerance),
  so a path may be followed in steps of the distance without jumping over thin parts.

For the last: away from a closed set S the function |x|² - d(x)² is convex, so between nodes
H apart, with 0 <= t <= 1 along each axis,

    d(x)² >= interpolated d² - H² Σ t (1 - t)

exactly so where S is a single point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supple.collide import map_build
from supple.collide.map_build import (
    BLOCK,
    BY_NORMAL,
    FAR,
    INSIDE,
    LISTED,
    SPLIT,
    VOXEL_FAR,
)
from supple.collide.mesh_repair import MeshReport, checked_mesh, pseudonormals, repaired, side_samples
from supple.collide.point_triangle import closest_from
from supple.collide.winding import winding_numbers, winding_tree
from supple.errors import SuppleError
from supple.kernel import kernel

STARTS = 13
"""Integers that describe a packed map."""

VOXELS_ALONG = 64
"""Voxels along the longest side of a mesh unless an accuracy is given."""

MARGIN = 2.0
"""Voxels between the mesh and the border of its map [-]."""

LARGEST_MAP = 4_000_000
"""Blocks a map may have: about 1,270 voxels a side if it is a cube."""

CLOSE = 1.0e-10
"""Below this distance the direction to the closest point is lost to rounding [m]."""

Progress = Callable[[float], None]
Maps = tuple[NDArray[Any], ...]


# ---------------------------------------------------------------- the query


@kernel
def interpolated(values, i, stride_x, stride_y, u, v, w, spacing, is_far, floor):
    """Return signed distance and unit gradient between eight nodes.

    Args:
        values: distances at nodes, flat [m]
        i: place of the lowest node
        stride_x: places to the next node along x
        stride_y: places to the next node along y; along z it is one
        u: share of the way to the next node along x, 0 to 1
        v: the same along y
        w: the same along z
        spacing: distance of the nodes [m]
        is_far: whether to return a lower bound of the magnitude instead of the trilinear value
        floor: least magnitude of a lower bound [m]
    """
    j = i + stride_x
    a0, a1 = float(values[i]), float(values[i + 1])
    a2, a3 = float(values[i + stride_y]), float(values[i + stride_y + 1])
    a4, a5 = float(values[j]), float(values[j + 1])
    a6, a7 = float(values[j + stride_y]), float(values[j + stride_y + 1])
    b0, b1 = a0 + w * (a1 - a0), a2 + w * (a3 - a2)
    b2, b3 = a4 + w * (a5 - a4), a6 + w * (a7 - a6)
    c0, c1 = b0 + v * (b1 - b0), b2 + v * (b3 - b2)
    d = c0 + u * (c1 - c0)
    gx = c1 - c0
    gy = (b1 - b0) + u * ((b3 - b2) - (b1 - b0))
    e0 = (a1 - a0) + v * ((a3 - a2) - (a1 - a0))
    e1 = (a5 - a4) + v * ((a7 - a6) - (a5 - a4))
    gz = e0 + u * (e1 - e0)
    length = math.sqrt(gx * gx + gy * gy + gz * gz)
    if length > 0.0:
        scale = 1.0 / length
        gx, gy, gz = scale * gx, scale * gy, scale * gz
    else:
        gx, gy, gz = 0.0, 1.0, 0.0
    if is_far:
        a0, a1, a2, a3, a4, a5, a6, a7 = a0 * a0, a1 * a1, a2 * a2, a3 * a3, a4 * a4, a5 * a5, a6 * a6, a7 * a7
        b0, b1 = a0 + w * (a1 - a0), a2 + w * (a3 - a2)
        b2, b3 = a4 + w * (a5 - a4), a6 + w * (a7 - a6)
        c0, c1 = b0 + v * (b1 - b0), b2 + v * (b3 - b2)
        bulge = u * (1.0 - u) + v * (1.0 - v) + w * (1.0 - w)
        square = c0 + u * (c1 - c0) - spacing * spacing * bulge
        low = max(floor, math.sqrt(max(0.0, square)))
        d = math.copysign(low, d)
    return d, gx, gy, gz


@kernel
def listed_distance(integers, floats, doubles, first, corner_start, normal_start, x, y, z):
    """Return signed distance and unit gradient from the triangles of a list.

    Args:
        integers: at `first`, four times the number of triangles plus how sides are told; then the triangles
        floats: from `normal_start` on, 21 numbers of pseudonormals a triangle
        doubles: from `corner_start` on, 9 coordinates of corners a triangle [m]
        first: where the list starts
        corner_start: where the corners of the map start
        normal_start: where the pseudonormals of the map start
        x: the point [m]
        y: its second coordinate
        z: its third coordinate
    """
    head = integers[first]
    best, best_t, best_part = math.inf, 0, 0
    bx, by, bz = x, y, z
    for i in range(first + 1, first + 1 + (head >> 2)):
        t = integers[i]
        px, py, pz, part = closest_from(doubles, corner_start + 9 * t, x, y, z)
        d2 = (x - px) * (x - px) + (y - py) * (y - py) + (z - pz) * (z - pz)
        if d2 < best:
            best, best_t, best_part = d2, t, part
            bx, by, bz = px, py, pz
    side = head & 3
    distance = math.sqrt(best)
    dx, dy, dz = x - bx, y - by, z - bz
    k = normal_start + 21 * best_t + 3 * best_part
    nx, ny, nz = float(floats[k]), float(floats[k + 1]), float(floats[k + 2])
    is_inside = dx * nx + dy * ny + dz * nz < 0.0
    if side != BY_NORMAL:
        is_inside = side == INSIDE
    if distance > CLOSE:
        scale = -1.0 / distance if is_inside else 1.0 / distance
        nx, ny, nz = scale * dx, scale * dy, scale * dz
    return (-distance if is_inside else distance), nx, ny, nz


@kernel
def distance_in_box(numbers, starts, integers, floats, doubles, index, gx, gy, gz):
    """Return signed distance and unit gradient at a point inside the box of a map.

    The point is given in voxels from the corner of the map, each coordinate within the box.
    The arrays are those of `pack_maps`.
    """
    voxel = numbers[5 * index + 3]
    s = STARTS * index
    ny, nz = starts[s + 1], starts[s + 2]
    ix = min(int(gx), BLOCK * starts[s] - 1)
    iy, iz = min(int(gy), BLOCK * ny - 1), min(int(gz), BLOCK * nz - 1)
    bx, by, bz = ix >> 3, iy >> 3, iz >> 3
    at = (bx * ny + by) * nz + bz
    block = integers[starts[s + 3] + at]
    if block < 0:
        at_node = starts[s + 8] + (bx * (ny + 1) + by) * (nz + 1) + bz
        return interpolated(
            floats, at_node, (ny + 1) * (nz + 1), nz + 1,
            0.125 * gx - bx, 0.125 * gy - by, 0.125 * gz - bz,
            BLOCK * voxel, True, float(floats[starts[s + 7] + at]),
        )  # fmt: skip
    cx, cy, cz = ix & 7, iy & 7, iz & 7
    u, v, w = gx - ix, gy - iy, gz - iz
    code = integers[starts[s + 4] + (block << 9) + (cx << 6) + (cy << 3) + cz]
    if code < 0:
        at_node = starts[s + 9] + block * 729 + (cx * 9 + cy) * 9 + cz
        return interpolated(floats, at_node, 81, 9, u, v, w, voxel, code == VOXEL_FAR, 0.0)
    size = voxel
    while code & 3 == SPLIT:
        size *= 0.5
        u, v, w = 2.0 * u, 2.0 * v, 2.0 * w
        child = starts[s + 5] + ((code >> 2) << 3)
        if u >= 1.0:
            child += 4
            u -= 1.0
        if v >= 1.0:
            child += 2
            v -= 1.0
        if w >= 1.0:
            child += 1
            w -= 1.0
        code = integers[child]
    if code & 3 == LISTED:
        x = numbers[5 * index] + voxel * gx
        y = numbers[5 * index + 1] + voxel * gy
        z = numbers[5 * index + 2] + voxel * gz
        return listed_distance(
            integers, floats, doubles, starts[s + 6] + (code >> 2), starts[s + 12], starts[s + 11], x, y, z
        )
    leaf = starts[s + 10] + ((code >> 2) << 3)
    return interpolated(floats, leaf, 4, 2, u, v, w, size, code & 3 == FAR, 0.0)


@kernel
def distance_anywhere(numbers, starts, integers, floats, doubles, index, x, y, z):
    """Return signed distance and unit gradient at any point; the arrays are those of `pack_maps`."""
    scale = numbers[5 * index + 4]
    gx = (x - numbers[5 * index]) * scale
    gy = (y - numbers[5 * index + 1]) * scale
    gz = (z - numbers[5 * index + 2]) * scale
    if not abs(gx) + abs(gy) + abs(gz) < math.inf:
        return math.nan, 0.0, 1.0, 0.0
    s = STARTS * index
    cx = min(max(gx, 0.0), float(BLOCK * starts[s]))
    cy = min(max(gy, 0.0), float(BLOCK * starts[s + 1]))
    cz = min(max(gz, 0.0), float(BLOCK * starts[s + 2]))
    d, nx, ny, nz = distance_in_box(numbers, starts, integers, floats, doubles, index, cx, cy, cz)
    if cx != gx or cy != gy or cz != gz:
        voxel = numbers[5 * index + 3]
        ox, oy, oz = voxel * (gx - cx), voxel * (gy - cy), voxel * (gz - cz)
        nx, ny, nz = ox + abs(d) * nx, oy + abs(d) * ny, oz + abs(d) * nz
        d = math.sqrt(ox * ox + oy * oy + oz * oz + d * d)
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        if length > 0.0:
            nx, ny, nz = nx / length, ny / length, nz / length
        else:
            nx, ny, nz = 0.0, 1.0, 0.0
    return d, nx, ny, nz


@kernel
def map_distance(maps, index, x, y, z):
    """Return the signed distance [m] to a mesh and its gradient, a unit vector, at a point in its axes.

    Near the surface it is exact (to a fraction `TOLERANCE` of a voxel where the surface is
    smooth); away from it the magnitude is a lower bound. Outside the box of the map, with p the
    nearest point of the box: d(x)² >= |x - p|² + d(p)². NaN in gives NaN out.

    The arrays go on one by one, because the compiler counts references to the members of a
    tuple whenever a branch follows, and that would cost more than the rest of the query.

    Args:
        maps: from `pack_maps`
        index: which of the maps
        x: the point [m]
        y: its second coordinate
        z: its third coordinate
    """
    return distance_anywhere(*maps, index, x, y, z)


@kernel
def map_distances(maps, index, points, distances, normals):
    """Write the signed distance and its gradient at many points.

    Args:
        maps: from `pack_maps`
        index: which of the maps
        points: (point_count, 3) in the axes of the mesh [m]
        distances: (point_count,) [m], written
        normals: (point_count, 3) unit vectors, written
    """
    for i in range(points.shape[0]):
        distances[i], normals[i, 0], normals[i, 1], normals[i, 2] = map_distance(
            maps, index, points[i, 0], points[i, 1], points[i, 2]
        )


# ---------------------------------------------------------------- the map


@dataclass(frozen=True, eq=False)
class DistanceMap:
    """The signed distance to one mesh, in arrays."""

    origin: NDArray[np.float64]
    """(3,) lowest corner of the map [m]."""

    voxel: float
    """Side of a voxel [m]: the accuracy."""

    block_counts: tuple[int, int, int]
    """Blocks along x, y and z."""

    blocks: NDArray[np.int32]
    """(block_count,) number of each block among the stored ones, z fastest, or -1."""

    floors: NDArray[np.float32]
    """(block_count,) least distance of each block to the surface [m]."""

    coarse: NDArray[np.float32]
    """Signed distances at the corners of all blocks, z fastest [m]."""

    nodes: NDArray[np.float32]
    """(729 stored_count,) signed distances at the corners of the voxels of stored blocks [m]."""

    codes: NDArray[np.int32]
    """(512 stored_count,) how each voxel of a stored block is represented (see map_build.py)."""

    children: NDArray[np.int32]
    """(8 split_count,) codes of the halves of split cubes."""

    lists: NDArray[np.int32]
    """Lists of triangles: four times the length plus how sides are told, then the indices."""

    leaves: NDArray[np.float32]
    """(8 leaf_count,) signed distances at the corners of halves [m]."""

    corners: NDArray[np.float64]
    """(triangle_count, 9) corners of the triangles that lists name [m]."""

    normals: NDArray[np.float32]
    """(triangle_count, 21) their pseudonormals."""

    report: MeshReport
    """What was wrong with the mesh."""

    @staticmethod
    def build(
        vertices: ArrayLike,
        triangles: ArrayLike,
        accuracy: float | None = None,
        progress: Progress | None = None,
    ) -> DistanceMap:
        """Make the map of a mesh. Raises SuppleError if there is nothing to make it of.

        Args:
            vertices: (vertex_count, 3) [m]
            triangles: (triangle_count, 3) vertex indices, counter-clockwise seen from outside
            accuracy: side of a voxel [m]; None is a 64th of the longest side of the mesh
            progress: called with the share that is done, 0 to 1
        """
        points, faces, report = repaired(*checked_mesh(vertices, triangles))
        extent = np.ptp(points, axis=0)
        voxel = _voxel(accuracy, extent)
        tell = progress or (lambda share: None)
        tell(0.0)
        corners = np.ascontiguousarray(points[faces].reshape(-1, 9))
        tree = winding_tree(corners)
        is_hidden, is_sound = _sides(points, faces, tree, voxel)
        is_sound &= report.is_watertight
        report = replace(report, hidden_triangles=int(np.count_nonzero(is_hidden)))
        tell(0.05)
        normals = pseudonormals(points, faces)[~is_hidden]
        corners = corners[~is_hidden]
        block = BLOCK * voxel
        block_counts = np.ceil((extent + 2.0 * MARGIN * voxel) / block).astype(np.int64)
        origin = 0.5 * (points.min(axis=0) + points.max(axis=0)) - 0.5 * block * block_counts
        builder = _Builder(corners, normals, tree, is_sound, origin, voxel, block_counts)
        builder.run(lambda share: tell(0.05 + 0.95 * share))
        return builder.result(report)

    @property
    def byte_count(self) -> int:
        """Memory of all arrays [bytes]."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    @property
    def voxel_counts(self) -> tuple[int, int, int]:
        """Voxels along x, y and z."""
        x, y, z = self.block_counts
        return BLOCK * x, BLOCK * y, BLOCK * z

    @property
    def stored_share(self) -> float:
        """Share of the blocks that are near enough to the surface to be stored [-]."""
        return float(np.count_nonzero(self.blocks >= 0)) / len(self.blocks)

    def query(self, points: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the signed distances (n,) [m] and unit gradients (n, 3) at points (n, 3) [m]."""
        places = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
        distances, normals = np.empty(len(places)), np.empty((len(places), 3))
        map_distances(pack_maps([self]), 0, places, distances, normals)
        return distances, normals


def pack_maps(maps: Sequence[DistanceMap]) -> Maps:
    """Join maps into the five flat arrays that `map_distance` takes; there may be none.

    - numbers: five a map, its origin, voxel and the inverse of it
    - starts: `STARTS` a map, blocks along each axis and where its arrays start in the next three
    - integers (int32): blocks, codes, children, lists of all maps
    - floats (float32): floors, coarse, nodes, leaves, normals of all maps
    - doubles (float64): corners of all maps
    """
    numbers = np.zeros((len(maps), 5))
    starts = np.zeros((len(maps), STARTS), dtype=np.int64)
    integers: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)]
    floats: list[NDArray[np.float32]] = [np.zeros(0, dtype=np.float32)]
    doubles: list[NDArray[np.float64]] = [np.zeros(0)]
    ends = [0, 0, 0]
    for n, each in enumerate(maps):
        numbers[n] = (*each.origin, each.voxel, 1.0 / each.voxel)
        starts[n, :3] = each.block_counts
        pools: tuple[tuple[list[Any], tuple[NDArray[Any], ...]], ...] = (
            (integers, (each.blocks, each.codes, each.children, each.lists)),
            (floats, (each.floors, each.coarse, each.nodes, each.leaves, each.normals)),
            (doubles, (each.corners,)),
        )
        place = 3
        for kind, (pool, arrays) in enumerate(pools):
            for array in arrays:
                starts[n, place] = ends[kind]
                ends[kind] += array.size
                pool.append(array.ravel())
                place += 1
    return (
        numbers.ravel(),
        starts.ravel(),
        np.concatenate(integers),
        np.concatenate(floats),
        np.concatenate(doubles),
    )


def _voxel(accuracy: float | None, extent: NDArray[np.float64]) -> float:
    voxel = float(extent.max()) / VOXELS_ALONG if accuracy is None else float(accuracy)
    if not 0.0 < voxel < math.inf:
        raise SuppleError(f"the accuracy of a distance map is {accuracy}, but it must be a length above 0 m.")
    block_count = float(np.prod(np.ceil((extent / voxel + 2.0 * MARGIN) / BLOCK)))
    if block_count > LARGEST_MAP:
        finest = float(extent.max()) / (BLOCK * LARGEST_MAP ** (1.0 / 3.0))
        raise SuppleError(
            f"an accuracy of {voxel:.3g} m is too fine for a mesh of {extent.max():.3g} m: the map would have "
            f"{block_count * 512:.2g} voxels. {finest:.2g} m is always possible."
        )
    return voxel


def _sides(
    points: NDArray[np.float64], faces: NDArray[np.int64], tree: Sequence[NDArray[np.float64]], voxel: float
) -> tuple[NDArray[np.bool_], bool]:
    """Tell which triangles have the solid on both sides, and whether all others have it behind only.

    Just behind a triangle the winding number is one more than just before it.
    """
    samples, owner = side_samples(points, faces, voxel)
    numbers = np.empty(len(samples))
    winding_numbers(*tree, samples, numbers)
    sample_counts = np.bincount(owner, minlength=len(faces))
    is_hidden = np.bincount(owner, numbers > 0.5, len(faces)) == sample_counts
    if is_hidden.all():
        is_hidden[:] = False
    is_right = np.abs(numbers) < 0.4
    return is_hidden, bool(is_right[~is_hidden[owner]].all()) and not is_hidden.any()


class _Builder:
    """Goes through the blocks of a map and collects what they store."""

    def __init__(
        self,
        corners: NDArray[np.float64],
        normals: NDArray[np.float32],
        tree: Sequence[NDArray[np.float64]],
        is_sound: bool,
        origin: NDArray[np.float64],
        voxel: float,
        block_counts: NDArray[np.int64],
    ) -> None:
        triangle_count = len(corners)
        middles = corners.reshape(-1, 3, 3).mean(axis=1)
        radii = np.linalg.norm(corners.reshape(-1, 3, 3) - middles[:, None], axis=2).max(axis=1)
        spheres = np.ascontiguousarray(np.column_stack([middles, radii * (1.0 + 1.0e-12)]))
        self.mesh = (corners.ravel(), spheres, normals, *tree)
        self.side = map_build.BY_NORMAL if is_sound else map_build.BY_WINDING
        self.origin, self.voxel = origin, voxel
        self.block_counts = block_counts
        rows = map_build.ROW + map_build.SPLITS + 1
        self.lists = np.empty((rows, triangle_count), dtype=np.int32)
        self.lists[0] = np.arange(triangle_count)
        self.counts = np.full(rows, triangle_count, dtype=np.int64)
        self.bounds = np.empty(triangle_count)
        self.scratch = (self.bounds, np.empty(8), np.zeros((64, 6), dtype=np.int64))
        self.pools = (np.empty(8 << 12, np.int32), np.empty(1 << 14, np.int32), np.empty(8 << 12, np.float32))
        self.cursors = np.zeros(3, dtype=np.int64)
        self.blocks = np.full(tuple(block_counts), -1, dtype=np.int32)
        self.floors = np.zeros(tuple(block_counts), dtype=np.float32)
        self.coarse = np.full(tuple(block_counts + 1), np.nan, dtype=np.float32)
        self.nodes: list[NDArray[np.float32]] = []
        self.codes: list[NDArray[np.int32]] = []

    def run(self, tell: Progress) -> None:
        """Fill all blocks, in groups of 4 x 4 x 4 that share their first choice of triangles."""
        side = BLOCK * self.voxel
        done = 0
        for group in np.ndindex(*(-(-self.block_counts // 4))):
            first = 4 * np.array(group)
            self._gather(0, self.origin + (first + 2) * side, 4.0 * side)
            for step in np.ndindex(*np.minimum(4, self.block_counts - first)):
                self._fill(tuple(first + step))
                done += 1
                if done % 16 == 0:
                    tell(done / self.blocks.size)
        tell(1.0)

    def _gather(self, row: int, middle: NDArray[np.float64], side: float) -> float:
        """Choose from a list the triangles that matter in a cube; return the distance of its middle [m]."""
        self.counts[row + 1], distance = map_build.gather_near(
            *self.mesh[:2], self.lists, row, self.counts[row], *middle, side * math.sqrt(3.0), self.bounds
        )
        return float(distance)

    def _fill(self, at: tuple[np.int64, ...]) -> None:
        side = BLOCK * self.voxel
        low = self.origin + np.array(at) * side
        distance = self._gather(1, low + 0.5 * side, side)
        for step in np.ndindex(2, 2, 2):
            node = tuple(np.array(at) + step)
            if np.isnan(self.coarse[node]):
                place = low + np.array(step) * side
                self.coarse[node] = map_build.signed_distance(
                    *self.mesh, self.lists, 2, self.counts[2], self.side, *place
                )
        floor = distance - map_build.HALF_DIAGONAL * side
        if floor < map_build.BAND * self.voxel:
            floor = self._fill_voxels(at, low)
        self.floors[at] = np.nextafter(np.float32(max(0.0, floor)), np.float32(0.0))

    def _fill_voxels(self, at: tuple[np.int64, ...], low: NDArray[np.float64]) -> float:
        nodes = np.full(map_build.BLOCK_NODES, np.nan, dtype=np.float32)
        codes = np.empty(map_build.BLOCK_VOXELS, dtype=np.int32)
        before = self.cursors.copy()
        while True:
            floor = float(
                map_build.build_block(
                    *self.mesh, self.lists, self.counts, self.side, *low, self.voxel,
                    *self.scratch, *self.pools, self.cursors, nodes, codes,
                )
            )  # fmt: skip
            if floor > -math.inf:
                break
            self.pools = tuple(np.concatenate([pool, np.empty_like(pool)]) for pool in self.pools)
            self.cursors[:] = before
        if floor >= map_build.BAND * self.voxel:
            self.cursors[:] = before
            return floor
        self.blocks[at] = len(self.nodes)
        self.nodes.append(nodes)
        self.codes.append(codes)
        return floor

    def result(self, report: MeshReport) -> DistanceMap:
        """Return the map, with only those triangles that a list names."""
        children, lists, leaves = self.pools
        used_lists = lists[: self.cursors[1]].copy()
        is_named = np.zeros(self.lists.shape[1], dtype=np.bool_)
        new_index = np.zeros(self.lists.shape[1], dtype=np.int32)
        mark_listed(used_lists, is_named)
        named = np.flatnonzero(is_named)
        new_index[named] = np.arange(len(named))
        renumber_listed(new_index, used_lists)
        x, y, z = (int(count) for count in self.block_counts)
        return DistanceMap(
            origin=self.origin,
            voxel=self.voxel,
            block_counts=(x, y, z),
            blocks=self.blocks.ravel(),
            floors=self.floors.ravel(),
            coarse=self.coarse.ravel(),
            nodes=np.concatenate([np.zeros(0, np.float32), *self.nodes]),
            codes=np.concatenate([np.zeros(0, np.int32), *self.codes]),
            children=children[: 8 * self.cursors[0]].copy(),
            lists=used_lists,
            leaves=leaves[: 8 * self.cursors[2]].copy(),
            corners=np.ascontiguousarray(self.mesh[0].reshape(-1, 9)[named]),
            normals=np.ascontiguousarray(self.mesh[2][named]),
            report=report,
        )


@kernel
def mark_listed(lists, is_named):
    """Set `is_named` for every triangle that a list names."""
    i = 0
    while i < lists.shape[0]:
        count = lists[i] >> 2
        for k in range(i + 1, i + 1 + count):
            is_named[lists[k]] = True
        i += 1 + count


@kernel
def renumber_listed(new_index, lists):
    """Replace every triangle in the lists by its new index, in place."""
    i = 0
    while i < lists.shape[0]:
        count = lists[i] >> 2
        for k in range(i + 1, i + 1 + count):
            lists[k] = new_index[lists[k]]
        i += 1 + count
