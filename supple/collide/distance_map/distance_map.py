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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supple.collide.distance_map import candidate_triangles
from supple.collide.distance_map.blocks import BlockBuilder, Progress
from supple.collide.distance_map.build import (
    BLOCK,
    BY_NORMAL,
    FAR,
    INSIDE,
    LISTED,
    SPLIT,
    VOXEL_FAR,
    SourceMesh,
)
from supple.collide.distance_map.mesh_repair import (
    MeshReport,
    checked_mesh,
    pseudonormals,
    repaired,
    side_samples,
)
from supple.collide.distance_map.winding import WindingTree, winding_numbers, winding_tree
from supple.collide.narrow_phase.point_triangle import closest_from
from supple.errors import SuppleError
from supple.kernel import kernel

NUMBERS = 11
"""Real numbers that describe a packed map."""

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

NEXT = np.uint64(1)


class PackedMaps(NamedTuple):
    """Any number of distance maps in three flat arrays, see `pack_maps`."""

    integers: NDArray[np.int32]
    """`STARTS` a map: blocks along each axis, and where its arrays start; then blocks, codes, children and lists of
    each map."""

    floats: NDArray[np.float32]
    """Floors, coarse, nodes, leaves and normals of each map [m]."""

    doubles: NDArray[np.float64]
    """`NUMBERS` a map: origin, voxel, its inverse, and the box of the mesh; then the corners of each map [m]."""


# ---------------------------------------------------------------- the query


@kernel(counts_references=False)
def listed_distance(maps, first, corner_start, normal_start, x, y, z):
    """Return signed distance and unit gradient from the triangles of a list.

    Args:
        maps: see `PackedMaps`
        first: where in the integers the list starts: four times the number of triangles plus how inside and outside
            are told apart, then the triangles
        corner_start: where in the doubles the corners of the map start, 9 coordinates a triangle [m]
        normal_start: where in the floats its pseudonormals start, 21 numbers a triangle
        x: the point [m]
        y: its second coordinate
        z: its third coordinate
    """
    integers, floats, doubles = maps
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


@kernel(counts_references=False)
def distance_to_box(doubles, k, x, y, z):
    """Return a lower bound of the distance outside a map, and the way from the box of its mesh."""
    dx = x - min(max(x, doubles[k + 5]), doubles[k + 8])
    dy = y - min(max(y, doubles[k + 6]), doubles[k + 9])
    dz = z - min(max(z, doubles[k + 7]), doubles[k + 10])
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    scale = 1.0 / distance
    return distance, scale * dx, scale * dy, scale * dz


@kernel(counts_references=False, is_inlined=True)
def cube_at(maps, index, voxel, gx, gy, gz):
    """Return where the distances around a point inside a map are stored; the point is given in voxels from its origin.

    Returns:
        Whether the cube around it has a list of triangles, and where that starts in the integers. Else the eight corners
        of the cube: the index of the lowest in the floats, the strides to the next along x and y, the place (u, v, w) in
        the unit cube; whether they only bound the distance, the size, and the least distance in it [m].
    """
    integers, floats = maps.integers, maps.floats
    s = STARTS * index
    ny, nz = integers[s + 1], integers[s + 2]
    ix, iy, iz = int(gx), int(gy), int(gz)
    bx, by, bz = ix >> 3, iy >> 3, iz >> 3
    at = (bx * ny + by) * nz + bz
    block = integers[integers[s + 3] + at]
    size, is_far, floor = voxel, True, 0.0
    u, v, w = gx - ix, gy - iy, gz - iz
    if block < 0:
        # Far from the surface only the corners of blocks are stored.
        i = integers[s + 8] + (bx * (ny + 1) + by) * (nz + 1) + bz
        over_x, over_y = (ny + 1) * (nz + 1), nz + 1
        u, v, w = 0.125 * gx - bx, 0.125 * gy - by, 0.125 * gz - bz
        size, floor = BLOCK * voxel, float(floats[integers[s + 7] + at])
    else:
        jx, jy, jz = ix & 7, iy & 7, iz & 7
        code = integers[integers[s + 4] + (block << 9) + (jx << 6) + (jy << 3) + jz]
        if code < 0:
            # A whole voxel has its corners among the nodes of the block.
            i = integers[s + 9] + block * 729 + (jx * 9 + jy) * 9 + jz
            over_x, over_y = 81, 9
            is_far = code == VOXEL_FAR
        else:
            while code & 3 == SPLIT:
                size *= 0.5
                u, v, w = 2.0 * u, 2.0 * v, 2.0 * w
                ku, kv, kw = int(u), int(v), int(w)
                u, v, w = u - ku, v - kv, w - kw
                code = integers[integers[s + 5] + 2 * (code & -4) + 4 * ku + 2 * kv + kw]
            if code & 3 == LISTED:
                return True, np.int64(integers[s + 6] + (code >> 2)), 0, 0, u, v, w, False, size, floor
            i = integers[s + 10] + 2 * (code & -4)
            over_x, over_y = 4, 2
            is_far = code & 3 == FAR
    return False, np.int64(i), np.int64(over_x), np.int64(over_y), u, v, w, is_far, size, floor


@kernel(counts_references=False, is_inlined=True)
def read_cube(floats, i, over_x, over_y):
    """Return the eight values of a cube, x slowest; an unsigned index is not checked for counting from the end."""
    i0, across = np.uint64(i), np.uint64(over_y)
    i2, i4 = i0 + across, i0 + np.uint64(over_x)
    i6 = i4 + across
    return (
        float(floats[i0]), float(floats[i0 + NEXT]), float(floats[i2]), float(floats[i2 + NEXT]),
        float(floats[i4]), float(floats[i4 + NEXT]), float(floats[i6]), float(floats[i6 + NEXT]),
    )  # fmt: skip


@kernel(counts_references=False, is_inlined=True)
def interpolate(a, u, v, w):
    """Return the trilinear interpolation of eight corner values, and its slopes along x, y and z per cube."""
    a0, a1, a2, a3, a4, a5, a6, a7 = a
    b0, b1, b2, b3 = a0 + w * (a1 - a0), a2 + w * (a3 - a2), a4 + w * (a5 - a4), a6 + w * (a7 - a6)
    c0, c1 = b0 + v * (b1 - b0), b2 + v * (b3 - b2)
    e0 = (a1 - a0) + v * ((a3 - a2) - (a1 - a0))
    e1 = (a5 - a4) + v * ((a7 - a6) - (a5 - a4))
    return c0 + u * (c1 - c0), c1 - c0, (b1 - b0) + u * ((b3 - b2) - (b1 - b0)), e0 + u * (e1 - e0)


@kernel(counts_references=False, is_inlined=True)
def squared_bound(a, u, v, w, size):
    """Return a lower bound of the squared distance [m²] between corners `size` [m] apart, see the top of this file."""
    a0, a1, a2, a3, a4, a5, a6, a7 = a
    b0, b1 = a0 * a0 + w * (a1 * a1 - a0 * a0), a2 * a2 + w * (a3 * a3 - a2 * a2)
    b2, b3 = a4 * a4 + w * (a5 * a5 - a4 * a4), a6 * a6 + w * (a7 * a7 - a6 * a6)
    c0, c1 = b0 + v * (b1 - b0), b2 + v * (b3 - b2)
    bulge = u * (1.0 - u) + v * (1.0 - v) + w * (1.0 - w)
    return c0 + u * (c1 - c0) - size * size * bulge


@kernel(counts_references=False, is_inlined=True)
def distance_anywhere(maps, index, x, y, z):
    """Return signed distance and unit gradient at any point, of one of the packed maps.

    First find the cube the point lies in, then either go through its list of triangles or
    interpolate between its eight corners. All steps are inlined, and there are few
    branches: a call, or a wrong guess of the processor, costs as much as the interpolation.
    """
    integers, floats, doubles = maps
    k, s = NUMBERS * index, STARTS * index
    voxel, scale = doubles[k + 3], doubles[k + 4]
    gx, gy, gz = (x - doubles[k]) * scale, (y - doubles[k + 1]) * scale, (z - doubles[k + 2]) * scale
    is_in_x = (gx >= 0.0) & (gx < BLOCK * integers[s])
    is_in_y = (gy >= 0.0) & (gy < BLOCK * integers[s + 1])
    is_in_z = (gz >= 0.0) & (gz < BLOCK * integers[s + 2])
    if not (is_in_x & is_in_y & is_in_z):
        return distance_to_box(doubles, k, x, y, z)
    is_listed, i, over_x, over_y, u, v, w, is_far, size, floor = cube_at(maps, index, voxel, gx, gy, gz)
    if is_listed:
        return listed_distance(maps, i, integers[s + 12], integers[s + 11], x, y, z)
    values = read_cube(floats, i, over_x, over_y)
    d, slope_x, slope_y, slope_z = interpolate(values, u, v, w)
    if is_far:
        square = squared_bound(values, u, v, w, size)
        d = math.copysign(max(floor, math.sqrt(max(0.0, square))), d)
    steep = math.sqrt(slope_x * slope_x + slope_y * slope_y + slope_z * slope_z)
    if not steep > 0.0:
        return d, 0.0, 1.0, 0.0
    steep = 1.0 / steep
    return d, steep * slope_x, steep * slope_y, steep * slope_z


@kernel(counts_references=False)
def map_distance(maps, index, x, y, z):
    """Return the signed distance [m] to a mesh and its gradient, a unit vector, at a point in its axes.

    Near the surface it is exact (to one or two hundredths of a voxel where the surface is
    smooth); away from it the magnitude is a lower bound, and outside the map it is the distance to
    the box of the mesh. NaN in gives NaN out.

    Args:
        maps: see `PackedMaps`
        index: which of the maps
        x: the point [m]
        y: its second coordinate
        z: its third coordinate
    """
    return distance_anywhere(maps, index, x, y, z)


@kernel(counts_references=False)
def map_distances(maps, index, points, distances, normals):
    """Write the signed distance and its gradient at many points.

    Args:
        maps: see `PackedMaps`
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

    low: NDArray[np.float64]
    """(3,) lowest corner of the box of the mesh [m]."""

    high: NDArray[np.float64]
    """(3,) highest corner of the box of the mesh [m]."""

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
    """(512 stored_count,) how each voxel of a stored block is represented (see build.py)."""

    children: NDArray[np.int32]
    """(8 split_count,) codes of the halves of split cubes."""

    lists: NDArray[np.int32]
    """Lists of triangles: four times the length plus how inside and outside are told apart, then the indices."""

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
        builder = BlockBuilder(
            SourceMesh(corners.ravel(), normals, tree, report.is_watertight),
            is_sound,
            origin,
            voxel,
            block_counts,
        )
        builder.run(lambda share: tell(0.05 + 0.95 * share))
        return DistanceMap(**builder.arrays(), report=report)

    @property
    def byte_count(self) -> int:
        """Memory of all arrays [bytes]."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def in_band(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Tell which points (n, 3) [m] lie in blocks near the surface, that are stored in voxels."""
        cells = np.floor((np.asarray(points, dtype=np.float64) - self.origin) / (BLOCK * self.voxel)).astype(
            np.int64
        )
        is_in_box = np.all((cells >= 0) & (cells < self.block_counts), axis=1)
        place = np.ravel_multi_index(
            tuple(np.clip(cells, 0, np.array(self.block_counts) - 1).T), self.block_counts
        )
        in_band: NDArray[np.bool_] = is_in_box & (self.blocks[place] >= 0)
        return in_band

    def voxel_types(self, points: ArrayLike) -> NDArray[np.int8]:
        """Return the type of the voxel each point (n, 3) [m] lies in: -1 inside, 0 surface, 1 outside.

        A voxel may be of type surface without being touched, if the surface is within half a diagonal of its middle.
        """
        middles = self.origin + (np.floor((np.asarray(points) - self.origin) / self.voxel) + 0.5) * self.voxel
        distances, _ = self.query(middles)
        is_surface = np.abs(distances) <= candidate_triangles.HALF_DIAGONAL * self.voxel
        return np.where(is_surface, 0, np.sign(distances)).astype(np.int8)

    def query(self, points: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the signed distances (n,) [m] and unit gradients (n, 3) at points (n, 3) [m]."""
        places = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
        distances, normals = np.empty(len(places)), np.empty((len(places), 3))
        map_distances(pack_maps([self]), 0, places, distances, normals)
        return distances, normals


def pack_maps(maps: Sequence[DistanceMap]) -> PackedMaps:
    """Join maps into the flat arrays that `map_distance` takes; there may be none."""
    numbers = np.zeros((len(maps), NUMBERS))
    starts = np.zeros((len(maps), STARTS), dtype=np.int64)
    joined: list[list[NDArray[Any]]] = [[starts], [np.zeros(0, dtype=np.float32)], [numbers]]
    ends = [starts.size, 0, numbers.size]
    for n, each in enumerate(maps):
        numbers[n] = (*each.origin, each.voxel, 1.0 / each.voxel, *each.low, *each.high)
        starts[n, :3] = each.block_counts
        kinds: tuple[tuple[NDArray[Any], ...], ...] = (
            (each.blocks, each.codes, each.children, each.lists),
            (each.floors, each.coarse, each.nodes, each.leaves, each.normals),
            (each.corners,),
        )
        place = 3
        for kind, arrays in enumerate(kinds):
            for array in arrays:
                starts[n, place] = ends[kind]
                ends[kind] += array.size
                joined[kind].append(array.ravel())
                place += 1
    if max(ends) > np.iinfo(np.int32).max:
        raise SuppleError("the distance maps of the scene are too large together; use a coarser accuracy.")
    joined[0][0], joined[2][0] = starts.astype(np.int32).ravel(), numbers.ravel()
    return PackedMaps(*(np.concatenate(arrays) for arrays in joined))


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
    points: NDArray[np.float64], faces: NDArray[np.int64], tree: WindingTree, voxel: float
) -> tuple[NDArray[np.bool_], bool]:
    """Tell which triangles have the solid on both sides, and whether all others have it behind only.

    Just behind a triangle the winding number is one more than just before it.
    """
    samples, owner = side_samples(points, faces, 4.0 * voxel)
    numbers = np.empty(len(samples))
    winding_numbers(tree, samples, numbers)
    sample_counts = np.bincount(owner, minlength=len(faces))
    is_hidden = np.bincount(owner, numbers > 0.5, len(faces)) == sample_counts
    if is_hidden.all():
        is_hidden[:] = False
    is_right = np.abs(numbers) < 0.4
    return is_hidden, bool(is_right[~is_hidden[owner]].all()) and not is_hidden.any()
