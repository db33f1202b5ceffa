"""Bundles of the arrays of a tree factor, as kernels take them.

A node of the elimination tree is a supernode: a separator or a leaf of the tree of cuts, whose points are eliminated in one
dense front. Nodes are numbered in the order of elimination, children before parents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class EliminationTree(NamedTuple):
    """How the nodes hang together."""

    parent: Indices
    """(node_count,) node above, -1 for the last node, the root."""

    first_child: Indices
    """(node_count,) smallest child, -1 for a leaf."""

    next_sibling: Indices
    """(node_count,) next larger child of the same parent, -1 for the last."""

    first_descendant: Indices
    """(node_count,) smallest node of each subtree: node n is m or above it if first_descendant[n] <= m <= n."""


class PointRows(NamedTuple):
    """The rows of the vector to solve for; they ascend in the order of elimination.

    A node has more rows than points, and a point that leaves it leaves a gap: the rows of all others stay what they were.
    """

    starts: Indices
    """(node_count,) first row of each node."""

    rooms: Indices
    """(node_count,) rows that each node may use."""

    counts: Indices
    """(node_count,) rows in use, gaps included."""

    point_at: Indices
    """(row_count,) point in each row, -1 for a gap."""

    node_of: Indices
    """(point_count,) node of each point, -1 for none yet."""

    row_of: Indices
    """(point_count,) row of each point, -1 for none yet."""


class Borders(NamedTuple):
    """The border of every node: later rows that eliminating its points couples (fill-in)."""

    starts: Indices
    """(node_count,) where the stretch of each node begins."""

    rooms: Indices
    """(node_count,) length of each stretch."""

    counts: Indices
    """(node_count,) how much of it is in use."""

    rows: Indices
    """(room,) rows of each border, ascending; filled up to a multiple of four with a row that nobody has."""

    relative: Indices
    """(room,) where each of them stands in the front of the parent."""


class Fronts(NamedTuple):
    """The dense fronts: own columns (the panel, which becomes the factor) and what they pass on (the update)."""

    own_rows: Indices
    """(node_count,) rows in use, filled up to a multiple of four."""

    rows: Indices
    """(node_count,) rows of the whole front, its border included."""

    panel_start: Indices
    """(node_count,) pool row of each panel."""

    update_start: Indices
    """(node_count,) pool row of each update."""

    pool: Floats
    """(pool_row_count, 4) panels and updates in groups of four columns; see `tree_factor`."""


class PoolSlots(NamedTuple):
    """Which stretches of the pool are taken, and which were released."""

    panel_room: Indices
    """(node_count,) pool rows that each panel may take."""

    update_room: Indices
    """(node_count,) pool rows that each update may take."""

    free_start: Indices
    """(FREE_SLOTS,) where stretches that were released begin."""

    free_rows: Indices
    """(FREE_SLOTS,) their lengths, 0 for none."""


class Entries(NamedTuple):
    """Which entries of A go where in the pool, listed by node."""

    starts: Indices
    """(node_count,) where the stretch of each node begins."""

    rooms: Indices
    """(node_count,) length of each stretch."""

    counts: Indices
    """(node_count,) how much of it is in use."""

    pair: Indices
    """(room,) pair of each entry."""

    at: Indices
    """(room,) its place in the flat pool."""


class SymmetricMatrix(NamedTuple):
    """A symmetric matrix, one number per pair of points."""

    diagonal: Floats
    """(point_count,)"""

    values: Floats
    """(pair_count,) entries at the pairs."""

    is_fixed: Flags
    """(point_count,) points whose row and column are left out."""


class FactorScratch(NamedTuple):
    """Memory that eliminating a front needs."""

    own_diagonal: Floats
    """(most own rows,) diagonal of A in the front at hand."""

    packed: Floats
    """(2 · most own rows, 4) factors of earlier groups of columns, see `pack_factors`."""


class BorderScratch(NamedTuple):
    """Memory that finding a border needs."""

    is_seen: Flags
    """(row_count,) all False before and after."""

    spare: Indices
    """(row_count,)"""

    found: Indices
    """(row_count,)"""
