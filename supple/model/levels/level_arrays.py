"""Bundles of the arrays of a soft body with several levels of detail, as kernels take them.

A level of detail is one mesh of the whole body. Nodes and elements of all levels are numbered one after the other, the
coarsest level first; the finest nodes are the particles of the body.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.tetrahedra import VALUES, WIDTH

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


class LevelRanges(NamedTuple):
    """Where the nodes and the elements of each level begin."""

    nodes: Indices
    """(level_count + 1,) first node of each level, and the number of nodes."""

    elements: Indices
    """(level_count + 1,) first element of each level, and the number of elements."""


class Nodes(NamedTuple):
    """Nodes of all levels in motion."""

    rest: Floats
    """(node_count, 3) where nodes are when nothing is strained [m]."""

    is_fixed: Flags
    """(node_count,) whether a node is fixed in space."""

    masses: Floats
    """(node_count,) of active nodes, 0 of all others [kg]."""

    starts: Floats
    """(node_count, 3) where active nodes were at the start of the substep [m]."""

    positions: Floats
    """(node_count, 3) [m]"""

    velocities: Floats
    """(node_count, 3) [m/s]"""


class GhostWeights(NamedTuple):
    """From which coarser nodes a ghost node takes its value, and by what barycentric weights.

    Theory: docs/theory/levels.md, eq. (D2).
    """

    roles: NDArray[np.int8]
    """(node_count,) `UNUSED`, `ACTIVE` or `GHOST`."""

    parents: Indices
    """(node_count, 4) corners of the coarser tetrahedron around each node; -1 on the coarsest level."""

    weights: Floats
    """(node_count, 4) [-]"""


class NodeLists(NamedTuple):
    """Nodes in use by what they do, coarser ones first."""

    active: Indices
    """(node_count,) active nodes, from the start."""

    interpolated: Indices
    """(node_count,) nodes that are interpolated from coarser ones: first the ghost nodes, on which elements pull, then
    finest nodes without elements, which are only seen and touched."""

    counts: Indices
    """(3,) active nodes, ghost nodes, interpolated nodes."""

    @classmethod
    def blank(cls, node_count: int) -> NodeLists:
        """Return empty lists for that many nodes."""
        return cls(np.zeros(node_count, np.int64), np.zeros(node_count, np.int64), np.zeros(3, np.int64))


class Samples(NamedTuple):
    """The centres of the finest elements; each is computed at one level."""

    levels: Indices
    """(sample_count,) at which level each is computed."""

    elements: Indices
    """(sample_count, level_count) element of each level that holds the sample."""

    owners: Indices
    """(sample_count, level_count - 1) nearest node of each level but the finest."""

    volumes: Floats
    """(sample_count,) [m³]"""


class Elements(NamedTuple):
    """Elements of all levels, and by what share each of them counts."""

    corners: NDArray[np.uint32]
    """(element_count, 4) nodes."""

    gradients: Floats
    """(element_count, 3, 3) [1/m], as in `Tetrahedra`."""

    volumes: Floats
    """(element_count,) at rest [m³]."""

    sample_volumes: Floats
    """(element_count,) volume of all samples in an element [m³]."""

    table: Floats
    """(element_count, value_count) what `Tetrahedra` keeps of each element."""

    masses: Floats
    """(element_count,) [kg]"""

    weights: Floats
    """(element_count,) by what share each counts, 0 to 1 [-]."""

    has_coarser: Flags
    """(element_count,) whether it holds a sample of a coarser level."""


class Blocks(NamedTuple):
    """The elements that count, level by level, in blocks of `WIDTH` as elastic forces read them.

    A place is a position in these lists. The last block of a level is filled up with elements without stiffness.
    """

    firsts: Indices
    """(level_count + 1,) first place of each level, a multiple of `WIDTH`."""

    counts: Indices
    """(level_count,) places in use, a multiple of `WIDTH`."""

    used: Indices
    """(place_count,) element at each place, -1 for those that fill up a block."""

    used_counts: Indices
    """(level_count,) elements that count."""

    corners: NDArray[np.uint32]
    """(place_count, 4) nodes."""

    values: Floats
    """(place_count · VALUES,) see `Tetrahedra.blocks`."""

    volumes: Floats
    """(place_count,) at rest [m³]."""

    rotations: Floats
    """(place_count · 4,) unit quaternions."""

    compressions: Floats
    """(place_count,) volume over that at rest [-]."""

    @classmethod
    def blank(cls, element_firsts: Indices) -> Blocks:
        """Return room for all elements of all levels."""
        sizes = -(-np.diff(element_firsts) // WIDTH) * WIDTH
        firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        level_count, room = len(sizes), int(firsts[-1])
        return cls(
            firsts=firsts,
            counts=np.zeros(level_count, dtype=np.int64),
            used=np.full(room, -1, dtype=np.int64),
            used_counts=np.zeros(level_count, dtype=np.int64),
            corners=np.zeros((room, 4), dtype=np.uint32),
            values=np.zeros(room * VALUES),
            volumes=np.zeros(room),
            rotations=np.zeros(room * 4),
            compressions=np.ones(room),
        )


class Ties(NamedTuple):
    """Springs between nodes at the border of a level and the finer field there.

    Theory: docs/theory/levels.md, eq. (D4).
    """

    firsts: Indices
    """(level_count + 1,) first tie that acts together with each level."""

    nodes: Indices
    """(node_count,) node that is tied."""

    stiffness: Floats
    """(node_count,) [N/m]"""

    finer_nodes: Indices
    """(node_count, 4) finer nodes that it is tied to."""

    finer_weights: Floats
    """(node_count, 4) barycentric weights of these [-]."""

    @classmethod
    def blank(cls, node_count: int, level_count: int) -> Ties:
        """Return room for a tie at every node."""
        return cls(
            firsts=np.zeros(level_count + 1, dtype=np.int64),
            nodes=np.zeros(node_count, dtype=np.int64),
            stiffness=np.zeros(node_count),
            finer_nodes=np.zeros((node_count, 4), dtype=np.int64),
            finer_weights=np.zeros((node_count, 4)),
        )
