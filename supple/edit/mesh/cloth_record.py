"""Cloth record: topology, edge springs, lumped masses and ancestry of a cloth, kept from one edit to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import Adjacency, count_unreached_corners, link_neighbours
from supple.edit.mesh.triangle_mesh import heron_area, rest_length
from supple.errors import SuppleError
from supple.kernel import kernel
from supple.model.springs import Springs
from supple.model.tables.ancestry import Ancestry
from supple.model.tables.growable import growable_copy, zeros


@kernel
def find_edge_springs(triangles, ends, row_starts, springs, spring_of):
    """Find the spring along every edge of the triangles.

    Args:
        triangles: (triangle_count, 3) vertices
        ends: (spring_count, 2) vertices
        row_starts: (vertex_count + 1,) zeros; written: where the springs of each smaller end begin
        springs: (spring_count,) scratch
        spring_of: (triangle_count, 3) written: spring of the edge opposite each corner, -1 if there is none
    """
    for s in range(ends.shape[0]):
        row_starts[min(ends[s, 0], ends[s, 1]) + 1] += 1
    for p in range(row_starts.shape[0] - 1):
        row_starts[p + 1] += row_starts[p]
    for s in range(ends.shape[0]):
        low = min(ends[s, 0], ends[s, 1])
        springs[row_starts[low]] = s
        row_starts[low] += 1
    for t in range(triangles.shape[0]):
        for c in range(3):
            a, b = triangles[t, (c + 1) % 3], triangles[t, (c + 2) % 3]
            low, high = min(a, b), max(a, b)
            spring_of[t, c] = -1
            begin = row_starts[low - 1] if low > 0 else 0
            for k in range(begin, row_starts[low]):
                if max(ends[springs[k], 0], ends[springs[k], 1]) == high:
                    spring_of[t, c] = springs[k]


@kernel
def measure_edges(triangles, spring_of, rest_lengths, positions, lengths):
    """Write the rest length of the edge opposite each corner of every triangle, (triangle_count, 3) [m]."""
    for t in range(triangles.shape[0]):
        for c in range(3):
            lengths[t, c] = rest_length(triangles, spring_of, rest_lengths, positions, t, c)


@kernel
def split_mass_by_area(triangles, lengths, totals, corner_fractions):
    """Write which fraction of its vertex' mass is lumped at each corner: in proportion to the areas of its triangles.

    `totals` (vertex_count,) zeros is scratch.
    """
    for t in range(triangles.shape[0]):
        area = heron_area(lengths[t, 0], lengths[t, 1], lengths[t, 2])
        for c in range(3):
            corner_fractions[t, c] = area
            totals[triangles[t, c]] += area
    for t in range(triangles.shape[0]):
        for c in range(3):
            corner_fractions[t, c] /= totals[triangles[t, c]]


class TriangleColumns(NamedTuple):
    """The arrays of a cloth record that have a row for each triangle, for kernels; see `ClothRecord`."""

    triangles: NDArray[np.int64]
    neighbours: NDArray[np.int64]
    spring_of: NDArray[np.int64]
    corner_fractions: NDArray[np.float64]


class VertexColumns(NamedTuple):
    """The arrays of a cloth record that have a row for each vertex, for kernels; see `ClothRecord`."""

    incident_triangle: NDArray[np.int64]
    ancestors: NDArray[np.int64]
    ancestor_weights: NDArray[np.float64]


@dataclass(frozen=True)
class ClothRecord:
    """What edits know of one cloth beside its springs and particles; its arrays are never changed in place."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertices of the body."""

    neighbours: NDArray[np.int64]
    """(triangle_count, 3) triangle beyond the edge opposite each corner, -1 at a border."""

    incident_triangle: NDArray[np.int64]
    """(vertex_count,) one of the triangles around each vertex."""

    spring_of: NDArray[np.int64]
    """(triangle_count, 3) spring of the body along the edge opposite each corner, -1 if there is none."""

    corner_fractions: NDArray[np.float64]
    """(triangle_count, 3) fraction of its vertex' mass that is lumped at each corner [-]."""

    ancestors: NDArray[np.int64]
    """(vertex_count, 3) vertices of the declared body around each vertex."""

    ancestor_weights: NDArray[np.float64]
    """(vertex_count, 3) barycentric weights of these [-]; a vertex of the declared body has 1, 0, 0."""

    mean_edge: NDArray[np.float64]
    """(1,) mean rest length of edges, as declared [m]: edits of edits do not get ever finer."""

    @property
    def adjacency(self) -> Adjacency:
        """Triangles and their neighbours, for kernels."""
        return Adjacency(self.triangles, self.neighbours, self.incident_triangle)

    @property
    def triangle_columns(self) -> TriangleColumns:
        """What it has for each triangle."""
        return TriangleColumns(self.triangles, self.neighbours, self.spring_of, self.corner_fractions)

    @property
    def vertex_columns(self) -> VertexColumns:
        """What it has for each vertex."""
        return VertexColumns(self.incident_triangle, self.ancestors, self.ancestor_weights)

    @property
    def ancestry(self) -> Ancestry:
        """Where its vertices and triangles come from."""
        return Ancestry(self.corner_fractions, self.ancestors)

    def copied(self) -> ClothRecord:
        """Return the same in memory of its own, with spare capacity."""
        return ClothRecord(**{name: growable_copy(array) for name, array in vars(self).items()})

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays by name."""
        return dict(vars(self))


def build_cloth_record(
    name: str, triangles: NDArray[np.int64], vertex_count: int, springs: Springs, points: NDArray[np.float64]
) -> ClothRecord:
    """Return the record of a body as it was declared, in memory of its own and with spare capacity.

    Args:
        name: of the body, for messages
        triangles: (triangle_count, 3) vertices
        vertex_count: of the body
        springs: of the body, their ends counted from its first vertex
        points: (vertex_count, 3) where the vertices are [m]
    """
    if len(triangles) == 0:
        raise SuppleError(f"{name!r} has no surface, so it cannot be cut or torn. Only cloth can.")
    if springs.count == 0:
        raise SuppleError(f"{name!r} has no springs, so it cannot be cut, torn or sewn. Only cloth can.")
    adjacency = _linked(name, growable_copy(np.asarray(triangles, dtype=np.int64)), vertex_count)
    triangles, count = adjacency.triangles, len(triangles)
    spring_of = zeros((count, 3), np.int64)
    starts, found = np.zeros(vertex_count + 1, np.int64), np.empty(springs.count, np.int64)
    find_edge_springs(triangles, springs.ends, starts, found, spring_of)
    lengths, corner_fractions = np.empty((count, 3)), zeros((count, 3), np.float64)
    measure_edges(triangles, spring_of, springs.rest_lengths, np.ascontiguousarray(points), lengths)
    split_mass_by_area(triangles, lengths, np.zeros(vertex_count), corner_fractions)
    ancestors, ancestor_weights = zeros((vertex_count, 3), np.int64), zeros((vertex_count, 3), np.float64)
    ancestors[...] = np.arange(vertex_count)[:, None]
    ancestor_weights[:, 0] = 1.0
    return ClothRecord(
        **adjacency._asdict(),
        spring_of=spring_of,
        corner_fractions=corner_fractions,
        ancestors=ancestors,
        ancestor_weights=ancestor_weights,
        mean_edge=np.array([lengths.mean()]),
    )


def _linked(name: str, triangles: NDArray[np.int64], vertex_count: int) -> Adjacency:
    """Return triangles with their neighbours; an error tells that the surface is not a manifold."""
    count = len(triangles)
    neighbours, incident_triangle = zeros((count, 3), np.int64), zeros((vertex_count,), np.int64)
    neighbours[...] = incident_triangle[...] = -1
    starts, cursor = np.zeros(vertex_count + 1, np.int64), np.empty(vertex_count, np.int64)
    edges, highs = np.empty(3 * count, np.int64), np.empty(3 * count, np.int64)
    crowded = link_neighbours(triangles, starts, cursor, edges, highs, neighbours, incident_triangle)
    seen = np.zeros((count, 3), np.bool_)
    if crowded or count_unreached_corners(triangles, neighbours, incident_triangle, seen):
        raise SuppleError(
            f"the surface of {name!r} branches: an edge has more than two triangles, or two parts meet in one"
            " point. Only a surface that lies flat around every point can be cut, torn or sewn."
        )
    if (incident_triangle < 0).any():
        loose = int(np.argmax(incident_triangle < 0))
        raise SuppleError(f"vertex {loose} of {name!r} belongs to no triangle, so it cannot be cut or torn.")
    return Adjacency(triangles, neighbours, incident_triangle)
