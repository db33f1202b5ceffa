"""Seam: two chains of vertices that links pull together and hold, and how the chains are matched.

Theory: docs/theory/edits.md, eq. (T7). The chains are matched by their lengths; where one has a point and the other
has none, the other's edge is split, so that every point has a partner. A link is a bending element of two points,
k (|x_a - x_b| - L)² / 2, whose rest length L falls from the gap to nothing while the seam closes: linear in the
end, with no direction to lose, and known to every integrator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import corner_of, edge_triangles
from supple.edit.mesh.triangle_mesh import split_edge
from supple.edit.world.particle_change import ParticleChange
from supple.edit.world.reshape_body import BodyEdit
from supple.kernel import kernel
from supple.model.bends import Bends, no_bends

MATCH = 0.2
"""Points of the two chains this close, as a fraction of the shorter edge beside them, become partners."""

JOINT_STIFFNESS = 1.0e8
"""Stiffness of a joint [N/m]: it gives by a hundredth of a millimetre at 1 kN."""

SHORTEST = 0.05
"""Shortest part of an edge that matching may leave, as a fraction of the edge; closer points stay without a partner."""

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Seam:
    """A seam as it is now; its particles are counted over all bodies."""

    number: int
    """What `unseam` knows it by."""

    pairs: Indices
    """(pair_count, 2) particles that belong together; twice the same where they are welded."""

    gaps: Floats
    """(pair_count,) their distance when the seam began [m]."""

    seconds: float
    """How long it takes to close [s]."""

    stiffness: float
    """Of a link [N/m]."""

    strength: float
    """Force at which a link gives way [N]; inf if it never does."""

    is_weldable: bool
    """Whether it is to be welded once it is closed."""

    least_gap: float = 0.0
    """Length that is left of its links once it is closed [m]."""

    name: str = ""
    """Of the stitch it comes from; a seam made by a call has none."""

    elapsed: float = 0.0
    """Since it began [s]."""

    is_welded: bool = False
    """Whether the chains have become one."""

    @property
    def is_closed(self) -> bool:
        """Whether the links are as short as they get."""
        return self.elapsed >= self.seconds

    @property
    def rest_lengths(self) -> Floats:
        """Lengths of the links at rest now, (pair_count,) [m]."""
        return self.lengths_at(self.elapsed)

    def lengths_at(self, elapsed: float) -> Floats:
        """Return the lengths of the links at rest some time after the seam began [s], (pair_count,) [m]."""
        done = 1.0 if elapsed >= self.seconds else elapsed / self.seconds
        if self.is_joint:
            done *= done * (3.0 - 2.0 * done)  # from rest to rest: what a joint pulls together must not clash
        return np.maximum((1.0 - done) * self.gaps, self.least_gap)

    @property
    def is_joint(self) -> bool:
        """Whether it is a joint made by `attach`: its link is so stiff that it closes substep by substep."""
        return self.stiffness >= JOINT_STIFFNESS

    def after(self, change: ParticleChange) -> Seam:
        """Return the seam after an edit; pairs that have lost an end or become one are dropped unless welded."""
        pairs = change.new_of[self.pairs]
        is_kept = (pairs >= 0).all(axis=1)
        if not self.is_welded:
            is_kept &= pairs[:, 0] != pairs[:, 1]
        return replace(self, pairs=pairs[is_kept], gaps=self.gaps[is_kept])


class SeamGap(NamedTuple):
    """How far the two sides of a seam are apart."""

    name: str
    """Of its stitch, such as "shirt-stitch-3", or "seam-0" for the number that `seam` returned."""

    largest: float
    """Largest distance of two points that belong together [m]."""

    mean: float
    """Their mean distance [m]."""

    is_closed: bool
    """Whether it has had the time to close."""


OPEN_GAP = 3.0e-3
"""Gap beyond which a seam that should be closed counts as open [m]."""


def seam_gap(seam: Seam, positions: Floats) -> SeamGap:
    """Return how far the two sides of a seam are apart; `positions` (particle_count, 3) [m] are those of all bodies."""
    points = positions[seam.pairs]
    lengths = np.linalg.norm(points[:, 0] - points[:, 1], axis=1)
    name = seam.name or f"seam-{seam.number}"
    mean = float(lengths.mean()) if len(lengths) else 0.0
    return SeamGap(name, float(lengths.max(initial=0.0)), mean, seam.is_closed)


@kernel
def list_steps(rank, ends, rest_lengths, steps):
    """Write the rest lengths of springs along a chain.

    Args:
        rank: (particle_count,) place in the chain, -1 for particles that are not in it
        ends: (spring_count, 2) particle indices
        rest_lengths: (spring_count,) [m]
        steps: (chain_length - 1,) [m], written where a spring joins two neighbours of the chain
    """
    for s in range(ends.shape[0]):
        a, b = rank[ends[s, 0]], rank[ends[s, 1]]
        if a >= 0 and b >= 0 and abs(a - b) == 1:
            steps[min(a, b)] = rest_lengths[s]


def seam_links(seams: list[Seam]) -> Bends:
    """Return the elements that hold all seams that are not welded, in their order."""
    held = [seam for seam in seams if not seam.is_welded]
    if not held:
        return no_bends()
    pairs = np.concatenate([seam.pairs for seam in held])
    stiffness = np.concatenate([np.full(len(seam.pairs), seam.stiffness) for seam in held])
    return Bends(
        points=pairs[:, [0, 1, 1, 1]].astype(np.uint32),
        weights=np.tile([1.0, -1.0, 0.0, 0.0], (len(pairs), 1)),
        rest_lengths=np.concatenate([seam.rest_lengths for seam in held]),
        stiffness=stiffness,
        shape=np.ones(len(pairs)),
        region=np.full(len(pairs), -1, dtype=np.int32),
    )


@dataclass(frozen=True)
class ChainPosition:
    """A position along a chain: a fraction of the way from one of its points to the next."""

    index: int
    """Of the point before it."""

    fraction: float = 0.0
    """How far it lies towards the next one [-]; 0 is the point itself."""


def match_chains(first: Floats, second: Floats) -> list[tuple[ChainPosition, ChainPosition]]:
    """Match two chains by arc length; both run from 0 to 1, strictly ascending.

    Returns:
        for every pair the positions in both chains
    """
    spacing_a, spacing_b = _spacings(first), _spacings(second)
    result = [(ChainPosition(0), ChainPosition(0))]
    i = j = 1
    while i < len(first) - 1 or j < len(second) - 1:
        a = first[i] if i < len(first) - 1 else np.inf
        b = second[j] if j < len(second) - 1 else np.inf
        near = abs(a - b) <= MATCH * min(
            spacing_a[min(i, len(first) - 1)], spacing_b[min(j, len(second) - 1)]
        )
        if near:
            result.append((ChainPosition(i), ChainPosition(j)))
            i, j = i + 1, j + 1
        elif a < b:
            result.append(
                (
                    ChainPosition(i),
                    ChainPosition(j - 1, float((a - second[j - 1]) / (second[j] - second[j - 1]))),
                )
            )
            i += 1
        else:
            result.append(
                (
                    ChainPosition(i - 1, float((b - first[i - 1]) / (first[i] - first[i - 1]))),
                    ChainPosition(j),
                )
            )
            j += 1
    result.append((ChainPosition(len(first) - 1), ChainPosition(len(second) - 1)))
    return result


def _spacings(values: Floats) -> Floats:
    """Return the smaller distance of each value to the one before and after it."""
    steps = np.diff(values)
    smaller: Floats = np.minimum(np.append(steps, np.inf), np.insert(steps, 0, np.inf))
    return smaller


def refine_chain(body_edit: BodyEdit, chain: list[int], wanted: list[ChainPosition]) -> list[int]:
    """Split the edges of a chain where points are wanted, and return them all in order; -1 where that cannot be.

    Args:
        body_edit: the body
        chain: its vertices
        wanted: positions of the points along the chain
    """
    points: list[int] = []
    last_end: tuple[int, float, int] = (-1, 0.0, -1)  # chain index, share, point of the last split there
    for mark in wanted:
        index, fraction = mark.index, mark.fraction
        if fraction == 0.0:
            points.append(chain[index])
            continue
        begin, before = (last_end[2], last_end[1]) if last_end[0] == index else (chain[index], 0.0)
        t, _ = edge_triangles(
            body_edit.mesh.adjacency,
            begin,
            chain[index + 1],
        )
        local = (fraction - before) / (1.0 - before)
        if t < 0 or not SHORTEST < local < 1.0 - SHORTEST:
            points.append(-1)
            continue
        p = corner_of(body_edit.mesh.triangles, t, begin)
        c = 3 - p - corner_of(body_edit.mesh.triangles, t, chain[index + 1])
        point = int(split_edge(body_edit.mesh, t, c, local if (c + 1) % 3 == p else 1.0 - local))
        points.append(point)
        last_end = (index, fraction, point)
    return points
