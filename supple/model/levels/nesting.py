"""Nesting of the meshes of a body: where the nodes of each level lie in the next coarser and in the next finer one.

Theory: docs/theory/levels.md, docs/theory/soft-cuts.md, eq. (Q3). Nothing is interpolated across a cut: elements know
on which side they are, and nodes are embedded in elements of their own side only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from supple.model.levels.embedding import embedded, nearest_points

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEW = 32
"""So few points are all compared: a grid over two or three that lie in a line would be all cells."""


@dataclass(frozen=True)
class Nesting:
    """The arrays of these names of `Levels`, and of its `Samples`."""

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


@dataclass(frozen=True)
class _Mesh:
    """The mesh of one level, and on which sides of all cuts its nodes and elements lie."""

    rest: Floats
    """(node_count, 3) [m]"""

    corners: Indices
    """(element_count, 4) nodes counted from its first."""

    nodes: slice
    """Its nodes among those of all levels."""

    elements: slice
    """Its elements among those of all levels."""

    element_sides: Flags
    """(element_count, side_count)"""

    node_sides: Flags
    """(node_count, side_count) those of the elements around each node."""

    @property
    def centres(self) -> Floats:
        """Centres of its elements, (element_count, 3) [m]."""
        centres: Floats = self.rest[self.corners].mean(axis=1)
        return centres


def nest_meshes(rest: Sequence[Floats], corners: Sequence[Indices], sides: Sequence[Indices]) -> Nesting:
    """Find where the nodes, elements and samples of each mesh lie in the others.

    Args:
        rest: of each level, the coarsest first, its nodes at rest, (node_count, 3) [m]
        corners: of each level its tetrahedra, (element_count, 4) nodes counted from its first
        sides: of each level the side of all cuts its elements lie on, (element_count,) from zero
    """
    meshes = _meshes(rest, corners, sides)
    sample_elements, sample_owners, element_samples = _nest_samples(meshes)
    return Nesting(*_nest_nodes(meshes), sample_elements, sample_owners, element_samples)


def _meshes(rest: Sequence[Floats], corners: Sequence[Indices], sides: Sequence[Indices]) -> list[_Mesh]:
    """Return the meshes of all levels with the sides that their nodes and elements lie on."""
    node_firsts = np.cumsum([0, *(len(points) for points in rest)])
    element_firsts = np.cumsum([0, *(len(own) for own in corners)])
    side_count = 1 + max(int(own.max()) for own in sides)
    meshes = []
    for level in range(len(rest)):
        element_sides = sides[level][:, None] == np.arange(side_count)
        node_sides = np.zeros((len(rest[level]), side_count), np.bool_)
        for corner in range(4):
            np.logical_or.at(node_sides, corners[level][:, corner], element_sides)
        nodes = slice(int(node_firsts[level]), int(node_firsts[level + 1]))
        elements = slice(int(element_firsts[level]), int(element_firsts[level + 1]))
        meshes.append(_Mesh(rest[level], corners[level], nodes, elements, element_sides, node_sides))
    return meshes


def _nest_nodes(
    meshes: Sequence[_Mesh],
) -> tuple[Indices, Floats, Indices, Floats, Indices, Floats, Indices]:
    """Return where the nodes of each mesh lie in the others: the first seven arrays of a `Nesting`."""
    count, level_count = meshes[-1].nodes.stop, len(meshes)
    parents, parent_weights = np.full((count, 4), -1), np.zeros((count, 4))
    children, child_weights = np.full((count, 4), -1), np.zeros((count, 4))
    finer_nodes, finer_weights = np.full((count, level_count, 4), -1), np.zeros((count, level_count, 4))
    owners = np.full(count, -1)
    for level, (coarse, fine) in enumerate(pairwise(meshes)):
        held, parent_weights[fine.nodes] = _holding(fine.rest, fine.node_sides, coarse)
        parents[fine.nodes] = coarse.corners[held] + coarse.nodes.start
        for finer in range(level + 1, level_count):
            other = meshes[finer]
            held, finer_weights[coarse.nodes, finer] = _holding(coarse.rest, coarse.node_sides, other)
            finer_nodes[coarse.nodes, finer] = other.corners[held] + other.nodes.start
        children[coarse.nodes] = finer_nodes[coarse.nodes, level + 1]
        child_weights[coarse.nodes] = finer_weights[coarse.nodes, level + 1]
        nearest = _nearest(fine.rest, fine.node_sides, coarse.rest, coarse.node_sides)
        owners[fine.nodes] = nearest + coarse.nodes.start
    return parents, parent_weights, children, child_weights, finer_nodes, finer_weights, owners


def _nest_samples(meshes: Sequence[_Mesh]) -> tuple[Indices, Indices, Indices]:
    """Return the elements that hold each sample, its nearest nodes, and a sample of each element."""
    *coarser, finest = meshes
    samples, sides = finest.centres, finest.element_sides
    sample_elements = np.zeros((len(samples), len(meshes)), dtype=np.int64)
    sample_owners = np.zeros((len(samples), len(coarser)), dtype=np.int64)
    element_samples = np.zeros(finest.elements.stop, dtype=np.int64)
    for level, mesh in enumerate(coarser):
        held, _ = _holding(samples, sides, mesh)
        sample_elements[:, level] = held + mesh.elements.start
        nearest = _nearest(samples, sides, mesh.rest, mesh.node_sides)
        sample_owners[:, level] = nearest + mesh.nodes.start
        element_samples[mesh.elements] = _nearest(mesh.centres, mesh.element_sides, samples, sides)
    element_samples[finest.elements] = np.arange(len(samples))
    sample_elements[:, -1] = np.arange(len(samples)) + finest.elements.start
    return sample_elements, sample_owners, element_samples


def nearest_of_side(points: Floats, sides: Indices, others: Floats, other_sides: Indices) -> Indices:
    """Return which of `others` (m, 3) [m] of the same side is nearest to each of `points` (n, 3) [m], (n,).

    Points on a side where there are no others look at all of them.
    """
    kinds = np.unique(np.concatenate([sides, other_sides]))
    return _nearest(points, sides[:, None] == kinds, others, other_sides[:, None] == kinds)


def _holding(points: Floats, point_sides: Flags, mesh: _Mesh) -> tuple[Indices, Floats]:
    """Return what `embedded` does, each point looking at elements of its own sides only."""
    elements, weights = np.zeros(len(points), np.int64), np.zeros((len(points), 4))
    for rows, allowed in _by_sides(point_sides, mesh.element_sides):
        held, weights[rows] = embedded(points[rows], mesh.rest, mesh.corners[allowed])
        elements[rows] = allowed[held]
    return elements, weights


def _nearest(points: Floats, point_sides: Flags, others: Floats, other_sides: Flags) -> Indices:
    """Return what `nearest_points` does, each point looking at others of its own sides only."""
    nearest = np.zeros(len(points), np.int64)
    for rows, allowed in _by_sides(point_sides, other_sides):
        if len(allowed) <= FEW:
            offsets = points[rows][:, None, :] - others[allowed][None, :, :]
            found = np.argmin((offsets**2).sum(axis=2), axis=1)
        else:
            found = nearest_points(points[rows], others[allowed])
        nearest[rows] = allowed[found]
    return nearest


def _by_sides(seekers: Flags, candidates: Flags) -> list[tuple[Indices, Indices]]:
    """Return groups of points on the same sides, and the candidates on these sides; all of them if there are none.

    Args:
        seekers: (n, side_count) on which sides each point is
        candidates: (m, side_count) likewise
    """
    kinds, kind_of = np.unique(seekers, axis=0, return_inverse=True)
    groups = []
    for number, kind in enumerate(kinds):
        allowed = np.flatnonzero((candidates & kind).any(axis=1))
        if len(allowed) == 0:
            allowed = np.arange(len(candidates))
        groups.append((np.flatnonzero(kind_of.ravel() == number), allowed))
    return groups
