"""Checks of triangle meshes before a cloth is made of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.scene.cloth_shapes.rectangle import SHORTEST_EDGE
from supple.scene.error_messages import Steps
from supple.scene.placement import BoolArray, FloatArray, IndexArray

THINNEST = 1.0e-7
"""Smallest height of a triangle over its longest side [-]; below it the triangle has no direction."""


def index_mistakes(indices: IndexArray, point_count: int, what: str) -> Iterator[tuple[Steps, str]]:
    """Yield a mistake if rows of indices name points that do not exist."""
    is_outside = np.any((indices < 0) | (indices >= point_count), axis=1)
    if is_outside.any():
        row = int(np.flatnonzero(is_outside)[0])
        yield (
            (what, row),
            f"is {indices[row].tolist()}, but points run from 0 to {point_count - 1}"
            f"{and_more(is_outside, what)}.",
        )


def and_more(is_wrong: BoolArray, what: str) -> str:
    """Return how many other rows have the same trouble, or nothing if there is only one."""
    count = int(np.count_nonzero(is_wrong)) - 1
    if not count:
        return ""
    return f" ({count:,} more of the {what} {'has' if count == 1 else 'have'} the same trouble)"


def triangle_mistakes(
    vertices: FloatArray, triangles: IndexArray, is_whole: bool = True
) -> Iterator[tuple[Steps, str]]:
    """Yield everything wrong with a triangle mesh: each kind of trouble once, its first place and a count.

    Args:
        vertices: (vertex_count, 3) [m]
        triangles: (triangle_count, 3) vertex indices
        is_whole: whether every vertex must belong to a triangle
    """
    wrong_indices = list(index_mistakes(triangles, len(vertices), "triangles"))
    yield from wrong_indices
    if wrong_indices:
        return
    a, b, c = triangles.T
    is_repeating = (a == b) | (b == c) | (c == a)
    if is_repeating.any():
        row = int(np.flatnonzero(is_repeating)[0])
        yield (
            ("triangles", row),
            f"is {triangles[row].tolist()}: it names a vertex twice{and_more(is_repeating, 'triangles')}. "
            "Remove it or give it three different vertices.",
        )
    sides = np.stack([vertices[b] - vertices[a], vertices[c] - vertices[b], vertices[a] - vertices[c]])
    lengths = np.sqrt((sides**2).sum(axis=2))
    is_short = (lengths.min(axis=0) < SHORTEST_EDGE) & ~is_repeating
    if is_short.any():
        row = int(np.flatnonzero(is_short)[0])
        yield (
            ("triangles", row),
            f"is {triangles[row].tolist()}: it has a side of {lengths[:, row].min():.2g} m, but sides must "
            f"be at least {SHORTEST_EDGE:g} m long{and_more(is_short, 'triangles')}. Lengths are in metres.",
        )
    twice_area = np.sqrt((np.cross(sides[0], sides[1]) ** 2).sum(axis=1))
    is_flat = (twice_area <= THINNEST * lengths.max(axis=0) ** 2) & ~is_repeating & ~is_short
    if is_flat.any():
        row = int(np.flatnonzero(is_flat)[0])
        yield (
            ("triangles", row),
            f"is {triangles[row].tolist()}: it has no area, its vertices lie on one line"
            f"{and_more(is_flat, 'triangles')}. Remove it or move a vertex.",
        )
    yield from _repeated(triangles, len(vertices))
    if is_whole:
        yield from _isolated(triangles, len(vertices))


def is_repeated(rows: IndexArray, point_count: int) -> BoolArray:
    """Tell for each row of indices whether the same points, in any order, stand in a row before it.

    Each row becomes one number, which is quick to sort and holds three indices below two million.
    """
    keys = np.zeros(len(rows), dtype=np.int64)
    for column in np.sort(rows, axis=1).T:
        keys = keys * point_count + column
    is_again = np.ones(len(rows), dtype=np.bool_)
    is_again[np.unique(keys, return_index=True)[1]] = False
    return is_again


def _repeated(triangles: IndexArray, vertex_count: int) -> Iterator[tuple[Steps, str]]:
    is_again = is_repeated(triangles, vertex_count)
    if is_again.any():
        row = int(np.flatnonzero(is_again)[0])
        yield (
            ("triangles", row),
            f"is {triangles[row].tolist()}: the same triangle stands in the list before"
            f"{and_more(is_again, 'triangles')}. Remove it.",
        )


def _isolated(triangles: IndexArray, vertex_count: int) -> Iterator[tuple[Steps, str]]:
    is_used = np.zeros(vertex_count, dtype=bool)
    is_used[triangles] = True
    count = int(np.count_nonzero(~is_used))
    if count:
        first = int(np.flatnonzero(~is_used)[0])
        yield (
            ("vertices",),
            f"has {count:,} that no triangle uses, the first at index {first}. They would fall off: "
            "remove them, or add triangles.",
        )
