"""Seams closed before the motion starts: panels round a figure find the shape of the sewn garment, without weight.

Theory: docs/theory/panels.md, eq. (P7). The energy of springs along the edges of triangles, of seams and of bending is
minimised by alternating between lengths (each spring turned to its rest length) and places (one linear system,
factored once). Points that come too near to the figure are wanted on its outside: nothing sticks, so the garment
slides into place. There is no time and no mass in it; the true motion starts from the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.scene.dressing.arrangement import SewnEdges
from supple.scene.dressing.figure import Figure
from supple.scene.placement import FloatArray, IndexArray

SEAM = 20.0
"""Weight of a seam, where that of a spring is 1 [-]."""

SMOOTH = 0.03
"""Weight of bending [-]."""

INERTIA = 0.05
"""Weight of staying in place: small steps, so that nothing jumps through the figure [-]."""

CONTACT = 0.6
"""Weight of being outside of the figure [-]."""

MOMENTUM = 0.95
"""Share of the last round's motion that goes on in the next one [-]."""

SLACK = 0.1
"""Resistance to compression over that to stretch [-]."""

ROUNDS = 240
"""Most alternations."""


@dataclass(frozen=True)
class Presewn:
    """Where panels are once their seams are closed."""

    places: FloatArray
    """(point_count, 3) of all panels one after the other [m]."""

    gap: float
    """Largest distance left between points that are sewn together [m]."""

    rounds: int
    """Alternations it took."""


def presew(
    starts: Sequence[FloatArray],
    flat: Sequence[FloatArray],
    triangles: Sequence[IndexArray],
    seams: Sequence[SewnEdges],
    figure: Figure,
    margin: float,
    hairline: float = 0.0,
    sides: Sequence[float] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Presewn:
    """Return panels with their seams closed round a figure.

    Args:
        starts: (point_count, 3) places of each panel [m]
        flat: (point_count, 2) its points at rest [m]
        triangles: of each panel
        seams: which edges are sewn together
        figure: what they are closed round
        margin: distance to keep from the figure [m]
        hairline: gap that is left at seams [m]; exact contact needs one
        sides: for each panel 1 if it stays to the left of the figure's middle, -1 if to the right, 0 if it may cross it
        progress: called with the share that is done
    """
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import splu
    from scipy.spatial import cKDTree

    firsts = np.concatenate([[0], np.cumsum([len(points) for points in starts])])
    x = np.concatenate(starts)
    rest = np.concatenate([np.column_stack([points, np.zeros(len(points))]) for points in flat])
    corners = np.concatenate([t + first for t, first in zip(triangles, firsts[:-1], strict=True)])
    edges = np.unique(np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    lengths = np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=1)
    count = len(x)
    springs = _differences(edges, count)
    threads = _threads(seams, rest, firsts, count)
    bends = _bends(corners, rest, count)
    matrix = (
        springs.T @ springs + SEAM * (threads.T @ threads) + SMOOTH * (bends.T @ bends)
        + diags_array(np.full(count, INERTIA + CONTACT))
    )  # fmt: skip
    factor = splu(matrix.tocsc())
    places, normals = figure.samples
    tree = cKDTree(places)
    keep = _Apart(
        figure,
        np.repeat(sides if sides is not None else np.zeros(len(starts)), np.diff(firsts)),
        0.5 * hairline,
    )
    previous = x.copy()
    gap, done = np.inf, 0
    for done in range(1, ROUNDS + 1):
        along = x[edges[:, 0]] - x[edges[:, 1]]
        now = np.maximum(np.linalg.norm(along, axis=1), 1e-9)
        # Cloth that is too long somewhere folds at little cost; it must not be made up for by stretch elsewhere.
        target = np.where(now > lengths, lengths, now + SLACK * (lengths - now))
        wanted = along * (target / now)[:, None]
        outside = keep.apart(_outside(x, tree, places, normals, margin))
        right = springs.T @ wanted + INERTIA * x + CONTACT * outside
        new = np.asarray(factor.solve(right))
        # A step of the heavy-ball method: long waves settle many times faster.
        push = 0.0 if done < 20 else MOMENTUM
        new = new + push * (x - previous)
        previous, x = x, new
        gaps = threads @ x
        gap = float(np.linalg.norm(gaps, axis=1).max(initial=0.0))
        if progress is not None:
            progress(done / ROUNDS)
        if done > 60 and gap < 5e-4 and np.abs(x - previous).max() < 2e-5:
            break
    x = keep.apart(_outside(x, tree, places, normals, margin))
    return Presewn(_drawn_back(x, corners, seams, firsts, hairline) if hairline else x, gap, done)


def _drawn_back(
    x: FloatArray, corners: IndexArray, seams: Sequence[SewnEdges], firsts: IndexArray, hairline: float
) -> FloatArray:
    """Return places with sewn edges drawn back into their own panels by half of a gap, (point_count, 3) [m].

    Edges that lie in each other pass through each other somewhere by rounding alone, which exact contact must not see.
    """
    sewn = np.unique(
        np.concatenate(
            [chain + firsts[n] for s in seams for n, chain in zip(s.panels, s.chains, strict=True)]
        )
    )
    inward = np.zeros_like(x)
    # Away from the border: towards the far corners of the triangles at it.
    sides = corners[:, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]].reshape(-1, 3)
    keys = np.sort(sides[:, :2], axis=1)
    _, back, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    border = sides[counts[back.reshape(-1)] == 1]
    border = border[np.isin(border[:, :2], sewn).all(axis=1)]
    along = x[border[:, 1]] - x[border[:, 0]]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    into = x[border[:, 2]] - x[border[:, 0]]
    into -= np.einsum("ij,ij->i", into, along)[:, None] * along
    into /= np.linalg.norm(into, axis=1, keepdims=True)
    for k in (0, 1):
        np.add.at(inward, border[:, k], into)
    length = np.linalg.norm(inward, axis=1, keepdims=True)
    moved: FloatArray = x + 0.5 * hairline * inward / np.maximum(length, 1e-9)
    return moved


class _Apart:
    """Legs of trousers, kept on their own sides of the plane between left and right."""

    def __init__(self, figure: Figure, side: FloatArray, gap: float) -> None:
        self._figure, self._gap = figure, gap
        self._members = np.flatnonzero(side)
        self._outward = side[self._members, None] * figure.left

    def apart(self, points: FloatArray) -> FloatArray:
        """Return points moved back to their own side, (n, 3) [m]."""
        if not len(self._members):
            return points
        mine = points[self._members]
        behind = self._gap - np.einsum("ij,ij->i", mine - self._figure.centre, self._outward)
        points[self._members] = mine + np.maximum(behind, 0.0)[:, None] * self._outward
        return points


def _differences(edges: IndexArray, count: int) -> Any:
    """Return the sparse matrix that takes places to differences along edges."""
    from scipy.sparse import coo_array

    rows = np.arange(len(edges)).repeat(2)
    return coo_array(
        (np.tile([1.0, -1.0], len(edges)), (rows, edges.ravel())), shape=(len(edges), count)
    ).tocsr()


def _threads(seams: Sequence[SewnEdges], rest: FloatArray, firsts: IndexArray, count: int) -> Any:
    """Return the sparse matrix that takes places to gaps: each point of an edge against its partner between two points."""
    from scipy.sparse import coo_array

    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    number = 0
    for seam in seams:
        chains = [chain + firsts[n] for n, chain in zip(seam.panels, seam.chains, strict=True)]
        shares = []
        for chain in chains:
            steps = np.maximum(np.linalg.norm(np.diff(rest[chain], axis=0), axis=1), 1e-12)
            shares.append(np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum())
        for one, other in ((0, 1), (1, 0)):
            for point, share in zip(chains[one], shares[one], strict=True):
                k = min(int(np.searchsorted(shares[other], share, side="right")) - 1, len(chains[other]) - 2)
                t = (share - shares[other][k]) / (shares[other][k + 1] - shares[other][k])
                rows += [number] * 3
                columns += [int(point), int(chains[other][k]), int(chains[other][k + 1])]
                values += [1.0, t - 1.0, -t]
                number += 1
    return coo_array((values, (rows, columns)), shape=(number, count)).tocsr()


def _bends(corners: IndexArray, rest: FloatArray, count: int) -> Any:
    """Return the sparse matrix that takes places to how far each inner edge's wings stand out of their plane."""
    from scipy.sparse import coo_array

    sides = corners[:, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]].reshape(-1, 3)
    order = np.lexsort((np.maximum(sides[:, 0], sides[:, 1]), np.minimum(sides[:, 0], sides[:, 1])))
    sides = sides[order]
    keys = np.sort(sides[:, :2], axis=1)
    pairs = np.flatnonzero((keys[1:] == keys[:-1]).all(axis=1))
    points = np.column_stack([sides[pairs, 0], sides[pairs, 1], sides[pairs, 2], sides[pairs + 1, 2]])
    # The wings' line crosses the edge at rest: weights that vanish for every flat piece.
    a, b, c, d = (rest[points[:, k], :2] for k in range(4))
    edge, wings = b - a, d - c
    turn = edge[:, 0] * wings[:, 1] - edge[:, 1] * wings[:, 0]
    turn = np.where(np.abs(turn) < 1e-12, 1e-12, turn)
    s = ((c - a)[:, 0] * wings[:, 1] - (c - a)[:, 1] * wings[:, 0]) / turn
    t = ((c - a)[:, 0] * edge[:, 1] - (c - a)[:, 1] * edge[:, 0]) / turn
    weights = np.column_stack([1.0 - s, s, t - 1.0, -t])
    rows = np.arange(len(points)).repeat(4)
    return coo_array((weights.ravel(), (rows, points.ravel())), shape=(len(points), count)).tocsr()


def _outside(
    points: FloatArray, tree: Any, places: FloatArray, normals: FloatArray, margin: float
) -> FloatArray:
    """Return points moved out of the figure where they are nearer to it than the margin, (n, 3) [m]."""
    reach, nearest = tree.query(points, distance_upper_bound=0.12)
    result = points.copy()
    near = np.flatnonzero(np.isfinite(reach))
    normal = normals[nearest[near]]
    depth = margin - np.einsum("ij,ij->i", points[near] - places[nearest[near]], normal)
    is_in = depth > 0.0
    result[near[is_in]] += depth[is_in, None] * normal[is_in]
    return result
