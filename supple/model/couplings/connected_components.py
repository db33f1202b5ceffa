"""Connected components: which particles are connected by pairs or triangles, however indirectly (union-find)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.tables.growable import zeros


@kernel(counts_references=False)
def union(labels, a, b):
    """Join the components of a and b: the first of their two roots leads both; paths to the root are shortened."""
    if labels[a] == labels[b]:
        return
    while labels[a] != a:
        labels[a] = labels[labels[a]]
        a = labels[a]
    while labels[b] != b:
        labels[b] = labels[labels[b]]
        b = labels[b]
    if a < b:
        labels[b] = a
    else:
        labels[a] = b


@kernel
def union_pairs(pairs, labels):
    """Label every particle with its connected component: the number of its first particle.

    Args:
        pairs: (pair_count, 2) particle indices
        labels: (particle_count,) each particle itself at first; overwritten
    """
    for p in range(pairs.shape[0]):
        union(labels, pairs[p, 0], pairs[p, 1])
    for i in range(labels.shape[0]):
        labels[i] = labels[labels[i]]


@kernel
def union_triangles(triangles, labels):
    """Label every vertex with its connected component, given triangles (triangle_count, 3)."""
    for t in range(triangles.shape[0]):
        for c in range(2):
            union(labels, triangles[t, c], triangles[t, c + 1])
    for i in range(labels.shape[0]):
        labels[i] = labels[labels[i]]


@kernel
def are_in_one_component(triangles, labels):
    """Tell whether all of some triangles (triangle_count, 3) are in one connected component.

    `labels` (vertex_count,) holds each vertex itself at first, and is overwritten.
    """
    for t in range(triangles.shape[0]):
        for c in range(2):
            union(labels, triangles[t, c], triangles[t, c + 1])
    first = -1
    for t in range(triangles.shape[0]):
        root = triangles[t, 0]
        while labels[root] != root:
            root = labels[root]
        if first >= 0 and root != first:
            return False
        first = root
    return True


def are_connected(triangles: NDArray[np.int64], vertex_count: int) -> bool:
    """Tell whether some triangles of a surface are connected without the others."""
    return bool(are_in_one_component(triangles, np.arange(vertex_count)))


def label_triangle_components(triangles: NDArray[np.int64], vertex_count: int) -> NDArray[np.int64]:
    """Return the connected component of each vertex of a surface, (vertex_count,): the number of its first vertex."""
    labels = np.arange(vertex_count)
    union_triangles(triangles, labels)
    return labels


def label_components(pairs: NDArray[np.int64], particle_count: int) -> NDArray[np.int64]:
    """Return the connected component of each particle, (particle_count,): the number of its first particle."""
    labels = zeros((particle_count,), np.int64)
    labels[:] = np.arange(particle_count)
    union_pairs(pairs, labels)
    return labels


def connected_components(labels: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the particles of every connected component, ascending, in the order of their first particles.

    Args:
        labels: (particle_count,) from `label_components`
    """
    if not labels.any():
        return [np.arange(len(labels))]
    steps = np.diff(labels)
    if (steps >= 0).all():  # bodies that are connected in themselves only
        return np.split(np.arange(len(labels)), np.flatnonzero(steps) + 1)
    order = np.argsort(labels, kind="stable")
    firsts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, firsts)
