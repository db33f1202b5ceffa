"""Connected parts: which particles hang together, however indirectly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.tables.growable import zeros


@kernel(counts_references=False)
def join(leaders, a, b):
    """Give the parts of a and b one leader, the first of the two, and shorten the ways to it."""
    if leaders[a] == leaders[b]:
        return
    while leaders[a] != a:
        leaders[a] = leaders[leaders[a]]
        a = leaders[a]
    while leaders[b] != b:
        leaders[b] = leaders[leaders[b]]
        b = leaders[b]
    if a < b:
        leaders[b] = a
    else:
        leaders[a] = b


@kernel
def join_pairs(pairs, leaders):
    """Let every particle of a connected part have the same leader: its first particle.

    Args:
        pairs: (pair_count, 2) particle indices
        leaders: (particle_count,) each particle itself at first; overwritten
    """
    for p in range(pairs.shape[0]):
        join(leaders, pairs[p, 0], pairs[p, 1])
    for i in range(leaders.shape[0]):
        leaders[i] = leaders[leaders[i]]


@kernel
def join_triangles(triangles, leaders):
    """The same for the corners (triangle_count, 3) of triangles."""
    for t in range(triangles.shape[0]):
        for c in range(2):
            join(leaders, triangles[t, c], triangles[t, c + 1])
    for i in range(leaders.shape[0]):
        leaders[i] = leaders[leaders[i]]


@kernel
def are_joined(triangles, leaders):
    """Tell whether all of some triangles (triangle_count, 3) hang together.

    `leaders` (vertex_count,) holds each vertex itself at first, and is overwritten.
    """
    for t in range(triangles.shape[0]):
        for c in range(2):
            join(leaders, triangles[t, c], triangles[t, c + 1])
    first = -1
    for t in range(triangles.shape[0]):
        leader = triangles[t, 0]
        while leaders[leader] != leader:
            leader = leaders[leader]
        if first >= 0 and leader != first:
            return False
        first = leader
    return True


def hang_together(triangles: NDArray[np.int64], vertex_count: int) -> bool:
    """Tell whether some triangles of a surface hang together without the others."""
    return bool(are_joined(triangles, np.arange(vertex_count)))


def triangle_leaders(triangles: NDArray[np.int64], vertex_count: int) -> NDArray[np.int64]:
    """Return the first vertex of the part of a surface that each vertex belongs to, (vertex_count,)."""
    leaders = np.arange(vertex_count)
    join_triangles(triangles, leaders)
    return leaders


def part_leaders(pairs: NDArray[np.int64], particle_count: int) -> NDArray[np.int64]:
    """Return the first particle of the part that each particle belongs to, (particle_count,)."""
    leaders = zeros((particle_count,), np.int64)
    leaders[:] = np.arange(particle_count)
    join_pairs(pairs, leaders)
    return leaders


def connected_parts(leaders: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the particles of every connected part, ascending, in the order of their first particles.

    Args:
        leaders: (particle_count,) from `part_leaders`
    """
    if not leaders.any():
        return [np.arange(len(leaders))]
    steps = np.diff(leaders)
    if (steps >= 0).all():  # bodies that hang together in themselves only
        return np.split(np.arange(len(leaders)), np.flatnonzero(steps) + 1)
    order = np.argsort(leaders, kind="stable")
    firsts = np.flatnonzero(np.diff(leaders[order])) + 1
    return np.split(order, firsts)
