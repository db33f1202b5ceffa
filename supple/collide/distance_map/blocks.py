"""Go through the blocks of a distance map: which are stored, and what goes into them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.distance_map import build, candidate_triangles
from supple.collide.distance_map.build import BLOCK, Pools, Scratch, SourceMesh
from supple.collide.distance_map.candidate_triangles import Candidates
from supple.collide.distance_map.mesh_repair import unit_rows
from supple.kernel import kernel

Progress = Callable[[float], None]


class BlockBuilder:
    """Goes through the blocks of a map and collects what they store."""

    def __init__(
        self,
        mesh: SourceMesh,
        is_sound: bool,
        origin: NDArray[np.float64],
        voxel: float,
        block_counts: NDArray[np.int64],
    ) -> None:
        """Get ready; `run` does the work.

        Args:
            mesh: what the map is made of
            is_sound: whether the normals alone tell inside from outside
            origin: (3,) lowest corner of the map [m]
            voxel: side of a voxel [m]
            block_counts: (3,) blocks along x, y and z
        """
        self.mesh = mesh
        self.side = build.BY_NORMAL if is_sound else build.BY_WINDING
        self.origin, self.voxel = origin, voxel
        self.block_counts = block_counts
        self.candidates = all_candidates(mesh.corners.reshape(-1, 3, 3))
        self.scratch = Scratch(
            values=np.empty(8),
            known=np.empty((build.FINE * BLOCK + 1,) * 3, dtype=np.float32),
            lattice=np.empty((build.SPLITS + 1, 27)),
            stack=np.zeros((64, 6), dtype=np.int64),
        )
        self.pools = Pools(
            children=np.empty(8 << 12, np.int32),
            lists=np.empty(1 << 14, np.int32),
            leaves=np.empty(8 << 12, np.float32),
            cursors=np.zeros(3, dtype=np.int64),
        )
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
                self._fill(tuple(int(k) for k in first + step))
                done += 1
                if done % 16 == 0:
                    tell(done / self.blocks.size)
        tell(1.0)

    def _gather(self, row: int, middle: NDArray[np.float64], side: float) -> float:
        """Choose from a row the triangles that matter in a cube; return the distance of its middle [m]."""
        corners, reach = self.mesh.corners, side * math.sqrt(3.0)
        return float(candidate_triangles.gather_near(corners, self.candidates, row, *middle, reach))

    def _fill(self, at: tuple[int, ...]) -> None:
        side = BLOCK * self.voxel
        low = self.origin + np.array(at) * side
        distance = self._gather(1, low + 0.5 * side, side)
        for step in np.ndindex(2, 2, 2):
            node = tuple(np.array(at) + step)
            if np.isnan(self.coarse[node]):
                place = low + np.array(step) * side
                self.coarse[node] = build.signed_distance(self.mesh, self.candidates, 2, self.side, *place)
        floor = distance - candidate_triangles.HALF_DIAGONAL * side
        if floor < build.BAND * self.voxel:
            floor = self._fill_voxels(at, low)
        self.floors[at] = np.nextafter(np.float32(max(0.0, floor)), np.float32(0.0))

    def _fill_voxels(self, at: tuple[int, ...], low: NDArray[np.float64]) -> float:
        self.scratch.known.fill(np.nan)
        codes = np.empty(build.BLOCK_VOXELS, dtype=np.int32)
        before = self.pools.cursors.copy()
        while True:
            floor = float(
                build.build_block(
                    self.mesh, self.candidates, self.side, *low, self.voxel, self.scratch, self.pools, codes
                )
            )
            if floor > -math.inf:
                break
            children, lists, leaves, cursors = self.pools
            self.pools = Pools(_doubled(children), _doubled(lists), _doubled(leaves), cursors)
            cursors[:] = before
        if floor >= build.BAND * self.voxel:
            self.pools.cursors[:] = before
            return floor
        self.blocks[at] = len(self.nodes)
        self.nodes.append(self.scratch.known[:: build.FINE, :: build.FINE, :: build.FINE].ravel())
        self.codes.append(codes)
        return floor

    def arrays(self) -> dict[str, Any]:
        """Return the fields of the `DistanceMap`, with only those triangles that a list names."""
        children, lists, leaves, cursors = self.pools
        used_lists = lists[: cursors[1]].copy()
        triangle_count = len(self.mesh.normals)
        is_named = np.zeros(triangle_count, dtype=np.bool_)
        new_index = np.zeros(triangle_count, dtype=np.int32)
        mark_listed(used_lists, is_named)
        named = np.flatnonzero(is_named)
        new_index[named] = np.arange(len(named))
        renumber_listed(new_index, used_lists)
        corners = self.mesh.corners.reshape(-1, 9)
        return {
            "origin": self.origin,
            "voxel": self.voxel,
            "low": corners.reshape(-1, 3).min(axis=0),
            "high": corners.reshape(-1, 3).max(axis=0),
            "block_counts": tuple(int(count) for count in self.block_counts),
            "blocks": self.blocks.ravel(),
            "floors": self.floors.ravel(),
            "coarse": self.coarse.ravel(),
            "nodes": np.concatenate([np.zeros(0, np.float32), *self.nodes]),
            "codes": np.concatenate([np.zeros(0, np.int32), *self.codes]),
            "children": children[: 8 * cursors[0]].copy(),
            "lists": used_lists,
            "leaves": leaves[: 8 * cursors[2]].copy(),
            "corners": np.ascontiguousarray(corners[named]),
            "normals": np.ascontiguousarray(self.mesh.normals[named]),
        }


def all_candidates(points: NDArray[np.float64]) -> Candidates:
    """Return the candidates of a mesh, all triangles in the first row, given its corners (triangle_count, 3, 3) [m]."""
    triangle_count, rows = len(points), build.ROW + build.SPLITS + 1
    middles = points.mean(axis=1)
    radii = np.linalg.norm(points - middles[:, None], axis=2).max(axis=1)
    upright = unit_rows(np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]))
    triangles = np.empty((rows, triangle_count), dtype=np.int32)
    triangles[0] = np.arange(triangle_count)
    discs = np.empty((rows, triangle_count, 7))
    discs[0] = np.column_stack([middles, radii * (1.0 + 1.0e-12), upright])
    counts = np.full(rows, triangle_count, dtype=np.int64)
    return Candidates(triangles, discs, counts, np.empty(triangle_count))


def _doubled(pool: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([pool, np.empty_like(pool)])


@kernel(counts_references=False)
def mark_listed(lists, is_named):
    """Set `is_named` for every triangle that a list names."""
    i = 0
    while i < lists.shape[0]:
        count = lists[i] >> 2
        for k in range(i + 1, i + 1 + count):
            is_named[lists[k]] = True
        i += 1 + count


@kernel(counts_references=False)
def renumber_listed(new_index, lists):
    """Replace every triangle in the lists by its new index, in place."""
    i = 0
    while i < lists.shape[0]:
        count = lists[i] >> 2
        for k in range(i + 1, i + 1 + count):
            lists[k] = new_index[lists[k]]
        i += 1 + count
