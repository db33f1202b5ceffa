"""Part of a fabric: some of its vertices and triangles, counted anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Bench, Fabric
from supple.kernel import kernel

Indices = NDArray[np.int64]


@kernel
def rename_rows(table, rows, rank, result):
    """Write rows of a table with every number replaced by its rank; what is below zero stays.

    Args:
        table: (old_count, width) numbers
        rows: (count,) which rows
        rank: (number_count,) what each number is called now
        result: (count, width) written
    """
    for n in range(rows.shape[0]):
        for c in range(table.shape[1]):
            number = np.int64(table[rows[n], c])
            result[n, c] = rank[number] if number >= 0 else number


def renamed(table: NDArray[Any], rows: Indices, rank: Indices) -> NDArray[Any]:
    """Return rows of a table of numbers, (count, width), with every number replaced by its rank; -1 stays."""
    result = np.empty((len(rows), table.shape[1]), table.dtype)
    rename_rows(table, rows, rank, result)
    return result


def ranks(chosen: Indices, count: int) -> Indices:
    """Return the place of each of `count` rows among those chosen, (count,); -1 for the others."""
    rank = np.full(count, -1, np.int64)
    rank[chosen] = np.arange(len(chosen))
    return rank


def fabric_part(
    fabric: Fabric, vertices: Indices, vertex_rank: Indices, triangles: Indices, spring_rank: Indices
) -> Fabric:
    """Return some vertices of a fabric and all of their triangles, as a fabric of its own.

    Args:
        fabric: with no triangle between these vertices and others
        vertices: (vertex_count,) which vertices
        vertex_rank: (old vertex_count,) what each one is called now
        triangles: (triangle_count,) which triangles
        spring_rank: (old spring_count,) what each spring is called now
    """
    triangle_rank = ranks(triangles, len(fabric.triangles))
    return Fabric(
        triangles=renamed(fabric.triangles, triangles, vertex_rank),
        across=renamed(fabric.across, triangles, triangle_rank),
        fan=triangle_rank.take(fabric.fan.take(vertices)),
        spring_of=renamed(fabric.spring_of, triangles, spring_rank),
        corner_shares=fabric.corner_shares.take(triangles, axis=0),
        birth_points=fabric.birth_points.take(vertices, axis=0),
        birth_weights=fabric.birth_weights.take(vertices, axis=0),
        mean_edge=fabric.mean_edge,
    )


@kernel
def part_triangles(
    triangles, across, spring_of, corner_shares, part_of, vertex_firsts, vertex_names, spring_firsts, spring_names,
    triangle_firsts, triangle_names, new_triangles, new_across, new_springs, new_shares,
):  # fmt: skip
    """Sort the triangles of a fabric by the part they belong to, and call everything by what it is called there.

    Args:
        triangles: (triangle_count, 3) vertices
        across: (triangle_count, 3) triangles beyond the edges, -1 at a border
        spring_of: (triangle_count, 3) springs along the edges, -1 where there is none
        corner_shares: (triangle_count, 3)
        part_of: (vertex_count,) part that each vertex belongs to
        vertex_firsts: (part_count,) first vertex of each part, as the world counts them
        vertex_names: (vertex_count,) what vertices are called, as the world counts them
        spring_firsts: (part_count,) first spring of each part, as the world counts them
        spring_names: (spring_count,) what springs are called, as the world counts them
        triangle_firsts: (part_count + 1,) zeros; written: where the triangles of each part begin
        triangle_names: (triangle_count,) written: what triangles are called in their part
        new_triangles: (triangle_count, 3) written
        new_across: (triangle_count, 3) written
        new_springs: (triangle_count, 3) written
        new_shares: (triangle_count, 3) written
    """
    for t in range(triangles.shape[0]):
        part = part_of[triangles[t, 0]]
        triangle_names[t] = triangle_firsts[part + 1]
        triangle_firsts[part + 1] += 1
    for part in range(triangle_firsts.shape[0] - 1):
        triangle_firsts[part + 1] += triangle_firsts[part]
    for t in range(triangles.shape[0]):
        part = part_of[triangles[t, 0]]
        row = triangle_firsts[part] + triangle_names[t]
        for c in range(3):
            new_triangles[row, c] = vertex_names[triangles[t, c]] - vertex_firsts[part]
            new_across[row, c] = triangle_names[across[t, c]] if across[t, c] >= 0 else -1
            spring = spring_of[t, c]
            new_springs[row, c] = spring_names[spring] - spring_firsts[part] if spring >= 0 else -1
            new_shares[row, c] = corner_shares[t, c]


@kernel
def part_vertices(fan, birth_points, birth_weights, vertex_names, triangle_names, fans, points, weights):
    """Sort what is known of vertices by the part they belong to.

    Args:
        fan: (vertex_count,) a triangle of each vertex
        birth_points: (vertex_count, 3)
        birth_weights: (vertex_count, 3)
        vertex_names: (vertex_count,) in which row each one is to stand
        triangle_names: (triangle_count,) what triangles are called in their part
        fans: (vertex_count,) written
        points: (vertex_count, 3) written
        weights: (vertex_count, 3) written
    """
    for vertex in range(fan.shape[0]):
        row = vertex_names[vertex]
        fans[row] = triangle_names[fan[vertex]]
        for c in range(3):
            points[row, c], weights[row, c] = birth_points[vertex, c], birth_weights[vertex, c]


def fabric_parts(
    fabric: Fabric,
    part_of: Indices,
    vertex_names: Indices,
    vertices: list[slice],
    spring_names: Indices,
    spring_firsts: list[int],
    bench: Bench,
) -> list[Fabric]:
    """Return what a fabric has come apart into, each part as a fabric of its own.

    Args:
        fabric: with no triangle between vertices of two parts
        part_of: (vertex_count,) the part that each vertex belongs to
        vertex_names: (vertex_count,) what each one is called now, as the world counts them
        vertices: those of each part, as the world counts them
        spring_names: (spring_count,) what each spring is called now, as the world counts them
        spring_firsts: the first one of each part
        bench: where memory for them is set aside
    """
    firsts = np.array([span.start for span in vertices])
    starts, names = np.zeros(len(vertices) + 1, np.int64), np.empty(len(fabric.triangles), np.int64)
    corners, points = (
        {name: bench.give(getattr(fabric, name), name) for name in columns}
        for columns in (
            ("triangles", "across", "spring_of", "corner_shares"),
            ("fan", "birth_points", "birth_weights"),
        )
    )
    part_triangles(
        fabric.triangles, fabric.across, fabric.spring_of, fabric.corner_shares,
        part_of, firsts, vertex_names, np.array(spring_firsts), spring_names, starts, names, *corners.values(),
    )  # fmt: skip
    # The parts follow each other here in the order of their names.
    ends = np.cumsum([span.stop - span.start for span in vertices])
    shifts = ends - [span.stop for span in vertices]
    part_vertices(
        fabric.fan, fabric.birth_points, fabric.birth_weights,
        vertex_names + shifts.take(part_of), names, *points.values(),
    )  # fmt: skip
    found = []
    for part, span in enumerate(vertices):
        own, end = slice(int(starts[part]), int(starts[part + 1])), int(ends[part])
        found.append(
            Fabric(
                **{name: array[own] for name, array in corners.items()},
                **{name: array[end - (span.stop - span.start) : end] for name, array in points.items()},
                mean_edge=fabric.mean_edge,
            )
        )
    return found
