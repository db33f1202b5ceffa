"""Split a cloth record: some of its vertices and triangles, or every piece of a cloth, as records of their own."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord, TriangleColumns, VertexColumns
from supple.edit.mesh.workspace import Workspace
from supple.kernel import kernel

Indices = NDArray[np.int64]


@kernel
def renumber_rows(table, rows, rank, result):
    """Write rows of a table with every number replaced by its rank; what is below zero stays.

    Args:
        table: (old_count, width) numbers
        rows: (count,) which rows
        rank: (number_count,) what each number becomes
        result: (count, width) written
    """
    for n in range(rows.shape[0]):
        for c in range(table.shape[1]):
            number = np.int64(table[rows[n], c])
            result[n, c] = rank[number] if number >= 0 else number


def renumbered_rows(table: NDArray[Any], rows: Indices, rank: Indices) -> NDArray[Any]:
    """Return rows of a table of numbers, (count, width), with every number replaced by its rank; -1 stays."""
    result = np.empty((len(rows), table.shape[1]), table.dtype)
    renumber_rows(table, rows, rank, result)
    return result


def ranks(chosen: Indices, count: int) -> Indices:
    """Return the place of each of `count` rows among those chosen, (count,); -1 for the others."""
    rank = np.full(count, -1, np.int64)
    rank[chosen] = np.arange(len(chosen))
    return rank


def cloth_record_subset(
    cloth_record: ClothRecord,
    vertices: Indices,
    vertex_rank: Indices,
    triangles: Indices,
    spring_rank: Indices,
) -> ClothRecord:
    """Return some vertices of a cloth and all of their triangles, as a record of their own.

    Args:
        cloth_record: with no triangle between these vertices and others
        vertices: (vertex_count,) which vertices
        vertex_rank: (old vertex_count,) the new number of each one
        triangles: (triangle_count,) which triangles
        spring_rank: (old spring_count,) the new number of each spring
    """
    triangle_rank = ranks(triangles, len(cloth_record.triangles))
    return ClothRecord(
        triangles=renumbered_rows(cloth_record.triangles, triangles, vertex_rank),
        neighbours=renumbered_rows(cloth_record.neighbours, triangles, triangle_rank),
        incident_triangle=triangle_rank.take(cloth_record.incident_triangle.take(vertices)),
        spring_of=renumbered_rows(cloth_record.spring_of, triangles, spring_rank),
        corner_fractions=cloth_record.corner_fractions.take(triangles, axis=0),
        ancestors=cloth_record.ancestors.take(vertices, axis=0),
        ancestor_weights=cloth_record.ancestor_weights.take(vertices, axis=0),
        mean_edge=cloth_record.mean_edge,
    )


class PieceNumbers(NamedTuple):
    """The numbers that vertices or springs get when a cloth comes apart into pieces, counted over the whole world."""

    firsts: Indices
    """(piece_count,) first number of each piece."""

    new_of: Indices
    """(count,) new number of each one."""


@kernel
def split_triangles(old, piece_of, vertices, springs, starts, numbers, new):
    """Sort the triangles of a cloth by the piece they belong to, with every number as it is in that piece.

    Args:
        old: `TriangleColumns` of the cloth
        piece_of: (vertex_count,) piece that each vertex belongs to
        vertices: `PieceNumbers` of the vertices
        springs: `PieceNumbers` of the springs
        starts: (piece_count + 1,) zeros; written: where the triangles of each piece begin
        numbers: (triangle_count,) written: number of each triangle in its piece
        new: `TriangleColumns`, written: the pieces one after the other
    """
    triangles = old.triangles
    for t in range(triangles.shape[0]):
        piece = piece_of[triangles[t, 0]]
        numbers[t] = starts[piece + 1]
        starts[piece + 1] += 1
    for piece in range(starts.shape[0] - 1):
        starts[piece + 1] += starts[piece]
    for t in range(triangles.shape[0]):
        piece = piece_of[triangles[t, 0]]
        row = starts[piece] + numbers[t]
        for c in range(3):
            new.triangles[row, c] = vertices.new_of[triangles[t, c]] - vertices.firsts[piece]
            neighbour, spring = old.neighbours[t, c], old.spring_of[t, c]
            new.neighbours[row, c] = numbers[neighbour] if neighbour >= 0 else -1
            new.spring_of[row, c] = springs.new_of[spring] - springs.firsts[piece] if spring >= 0 else -1
            new.corner_fractions[row, c] = old.corner_fractions[t, c]


@kernel
def split_vertices(old, rows, triangle_numbers, new):
    """Sort what is known of vertices by the piece they belong to.

    Args:
        old: `VertexColumns` of the cloth
        rows: (vertex_count,) new row of each vertex
        triangle_numbers: (triangle_count,) number of each triangle in its piece
        new: `VertexColumns`, written: the pieces one after the other
    """
    for vertex in range(rows.shape[0]):
        row = rows[vertex]
        new.incident_triangle[row] = triangle_numbers[old.incident_triangle[vertex]]
        for c in range(3):
            new.ancestors[row, c] = old.ancestors[vertex, c]
            new.ancestor_weights[row, c] = old.ancestor_weights[vertex, c]


def split_cloth_record(
    cloth_record: ClothRecord,
    piece_of: Indices,
    vertices: list[slice],
    vertex_numbers: PieceNumbers,
    spring_numbers: PieceNumbers,
    workspace: Workspace,
) -> list[ClothRecord]:
    """Return the records of the pieces that a cloth has come apart into.

    Args:
        cloth_record: with no triangle between vertices of two pieces
        piece_of: (vertex_count,) the piece that each vertex belongs to
        vertices: those of each piece after it, counted over the whole world
        vertex_numbers: what vertices become
        spring_numbers: what springs become
        workspace: where memory for the pieces is reserved
    """
    starts = np.zeros(len(vertices) + 1, np.int64)
    triangle_numbers = np.empty(len(cloth_record.triangles), np.int64)
    old_triangles, old_vertices = cloth_record.triangle_columns, cloth_record.vertex_columns
    by_triangle = TriangleColumns(
        *(workspace.take_reserved(name, array) for name, array in old_triangles._asdict().items())
    )
    by_vertex = VertexColumns(
        *(workspace.take_reserved(name, array) for name, array in old_vertices._asdict().items())
    )
    split_triangles(
        old_triangles, piece_of, vertex_numbers, spring_numbers, starts, triangle_numbers, by_triangle
    )
    # The pieces follow each other here in the order of their names, which may not be their order in the world.
    ends = np.cumsum([span.stop - span.start for span in vertices])
    shifts = ends - [span.stop for span in vertices]
    split_vertices(old_vertices, vertex_numbers.new_of + shifts.take(piece_of), triangle_numbers, by_vertex)
    found = []
    for piece, span in enumerate(vertices):
        own, end = slice(int(starts[piece]), int(starts[piece + 1])), int(ends[piece])
        found.append(
            ClothRecord(
                **{name: array[own] for name, array in by_triangle._asdict().items()},
                **{
                    name: array[end - (span.stop - span.start) : end]
                    for name, array in by_vertex._asdict().items()
                },
                mean_edge=cloth_record.mean_edge,
            )
        )
    return found
