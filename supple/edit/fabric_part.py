"""Part of a fabric: some of its vertices and triangles, counted anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.fabric import Fabric
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
