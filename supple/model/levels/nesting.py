"""Nesting: where the nodes of each mesh of a body lie in the next coarser and in the next finer one.

Theory: docs/theory/levels.md, docs/theory/soft-cuts.md, eq. (Q3). Across a cut nothing hangs on anything: elements know
on which side they are, and nodes only look at elements of their own side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.model.levels.embedding import embedded, nearest_places

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEW = 32
"""So few places are all looked at: a grid over two or three that lie in a line would be all cells."""


@dataclass(frozen=True)
class Nesting:
    """The arrays of these names of `Levels`."""

    parents: Indices
    parent_weights: Floats
    children: Indices
    child_weights: Floats
    finer_nodes: Indices
    finer_weights: Floats
    owners: Indices
    sample_elements: Indices
    sample_owners: Indices
    element_samples: Indices


def nested(places: Sequence[Floats], meshes: Sequence[Indices], sides: Sequence[Indices]) -> Nesting:
    """Find where the nodes, elements and samples of each mesh lie in the others.

    Args:
        places: of each level, the coarsest first, its nodes at rest, (node_count, 3) [m]
        meshes: of each level its tetrahedra, (element_count, 4) nodes counted from its first
        sides: of each level the side of all cuts its elements lie on, (element_count,) from zero
    """
    node_firsts = np.cumsum([0, *(len(points) for points in places)])
    element_firsts = np.cumsum([0, *(len(corners) for corners in meshes)])
    count, last = int(node_firsts[-1]), len(places) - 1
    side_count = 1 + max(int(own.max()) for own in sides)
    of_elements = [own[:, None] == np.arange(side_count) for own in sides]
    of_nodes = []
    for points, corners, flags in zip(places, meshes, of_elements, strict=True):
        around = np.zeros((len(points), side_count), np.bool_)
        for corner in range(4):
            np.logical_or.at(around, corners[:, corner], flags)
        of_nodes.append(around)
    parents, parent_weights = np.full((count, 4), -1), np.zeros((count, 4))
    children, child_weights = np.full((count, 4), -1), np.zeros((count, 4))
    finer_nodes, finer_weights = np.full((count, last + 1, 4), -1), np.zeros((count, last + 1, 4))
    owners = np.full(count, -1)
    for level in range(last):
        finer = level + 1
        coarse, fine = (slice(node_firsts[n], node_firsts[n + 1]) for n in (level, finer))
        held, parent_weights[fine] = _holding(
            places[finer], of_nodes[finer], places[level], meshes[level], of_elements[level]
        )
        parents[fine] = meshes[level][held] + node_firsts[level]
        for other in range(finer, last + 1):
            held, finer_weights[coarse, other] = _holding(
                places[level], of_nodes[level], places[other], meshes[other], of_elements[other]
            )
            finer_nodes[coarse, other] = meshes[other][held] + node_firsts[other]
        children[coarse], child_weights[coarse] = finer_nodes[coarse, finer], finer_weights[coarse, finer]
        owners[fine] = (
            _nearest(places[finer], of_nodes[finer], places[level], of_nodes[level]) + node_firsts[level]
        )
    middles = places[last][meshes[last]].mean(axis=1)
    sample_elements = np.zeros((len(middles), last + 1), dtype=np.int64)
    sample_owners = np.zeros((len(middles), last), dtype=np.int64)
    element_samples = np.zeros(int(element_firsts[-1]), dtype=np.int64)
    for level in range(last + 1):
        span = slice(element_firsts[level], element_firsts[level + 1])
        if level == last:
            held = np.arange(len(middles))
            element_samples[span] = held
        else:
            held, _ = _holding(middles, of_elements[last], places[level], meshes[level], of_elements[level])
            near = _nearest(middles, of_elements[last], places[level], of_nodes[level])
            sample_owners[:, level] = near + node_firsts[level]
            own_middles = places[level][meshes[level]].mean(axis=1)
            element_samples[span] = _nearest(own_middles, of_elements[level], middles, of_elements[last])
        sample_elements[:, level] = held + element_firsts[level]
    return Nesting(
        parents,
        parent_weights,
        children,
        child_weights,
        finer_nodes,
        finer_weights,
        owners,
        sample_elements,
        sample_owners,
        element_samples,
    )


def nearest_of_side(points: Floats, sides: Indices, places: Floats, place_sides: Indices) -> Indices:
    """Return which of `places` (m, 3) [m] of the same side is nearest to each of `points` (n, 3) [m], (n,).

    Points on a side where there are no places look at all of them.
    """
    kinds = np.unique(np.concatenate([sides, place_sides]))
    return _nearest(points, sides[:, None] == kinds, places, place_sides[:, None] == kinds)


def _holding(
    points: Floats, point_sides: Flags, places: Floats, corners: Indices, element_sides: Flags
) -> tuple[Indices, Floats]:
    """Return what `embedded` does, each point looking at elements of its own sides only."""
    elements, weights = np.zeros(len(points), np.int64), np.zeros((len(points), 4))
    for rows, allowed in _by_sides(point_sides, element_sides):
        held, weights[rows] = embedded(points[rows], places, corners[allowed])
        elements[rows] = allowed[held]
    return elements, weights


def _nearest(points: Floats, point_sides: Flags, places: Floats, place_sides: Flags) -> Indices:
    """Return what `nearest_places` does, each point looking at places of its own sides only."""
    nearest = np.zeros(len(points), np.int64)
    for rows, allowed in _by_sides(point_sides, place_sides):
        if len(allowed) <= FEW:
            ways = points[rows][:, None, :] - places[allowed][None, :, :]
            found = np.argmin((ways**2).sum(axis=2), axis=1)
        else:
            found = nearest_places(points[rows], places[allowed])
        nearest[rows] = allowed[found]
    return nearest


def _by_sides(seekers: Flags, found: Flags) -> list[tuple[Indices, Indices]]:
    """Return groups of those who seek on the same sides, and what there is to be found on these; all if nothing is.

    Args:
        seekers: (n, side_count) on which sides each one is
        found: (m, side_count) likewise
    """
    kinds, kind_of = np.unique(seekers, axis=0, return_inverse=True)
    groups = []
    for number, kind in enumerate(kinds):
        allowed = np.flatnonzero((found & kind).any(axis=1))
        if len(allowed) == 0:
            allowed = np.arange(len(found))
        groups.append((np.flatnonzero(kind_of.ravel() == number), allowed))
    return groups
