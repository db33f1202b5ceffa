"""Seam: two chains of points pulled together, held, and where possible welded into one.

Theory: docs/theory/edits.md, eq. (T7). The chains are matched by their lengths; where one has a point and the other
has none, the other's edge is split, so that every point has a partner. A link is a bending element of two points,
k (|x_a - x_b| - L)² / 2, whose rest length L falls from the gap to nothing while the seam closes: linear in the
end, with no direction to lose, and known to every integrator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import count_fans
from supple.edit.mesh.triangle_mesh import (
    TURNED,
    edge_triangles,
    fan_begin,
    is_at_border,
    slot_of,
    split_edge,
    turn,
)
from supple.edit.world.change import Change
from supple.edit.world.reshape_body import Workpiece
from supple.kernel import kernel
from supple.model.bends import Bends, no_bends

MATCH = 0.2
"""Points of the two chains this close, as a share of the shorter edge beside them, become partners."""

SHORTEST = 0.05
"""Shortest part of an edge that matching may leave, as a share of the edge; closer points stay without a partner."""

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

    elapsed: float = 0.0
    """Since it began [s]."""

    is_welded: bool = False
    """Whether the chains have become one."""

    @property
    def is_closed(self) -> bool:
        """Whether the links have no length left."""
        return self.elapsed >= self.seconds

    @property
    def rest_lengths(self) -> Floats:
        """Lengths of the links at rest now, (pair_count,) [m]."""
        left = 0.0 if self.is_closed else 1.0 - self.elapsed / self.seconds
        return left * self.gaps

    def followed(self, change: Change) -> Seam:
        """Return the seam after an edit; pairs that have lost an end or become one are dropped unless welded."""
        pairs = change.new_of[self.pairs]
        is_kept = (pairs >= 0).all(axis=1)
        if not self.is_welded:
            is_kept &= pairs[:, 0] != pairs[:, 1]
        return replace(self, pairs=pairs[is_kept], gaps=self.gaps[is_kept])


@kernel
def list_steps(place, ends, rest_lengths, steps):
    """Write the rest lengths of springs along a chain.

    Args:
        place: (particle_count,) place in the chain, -1 for particles that are not in it
        ends: (spring_count, 2) particle indices
        rest_lengths: (spring_count,) [m]
        steps: (chain_length - 1,) [m], written where a spring joins two neighbours of the chain
    """
    for s in range(ends.shape[0]):
        a, b = place[ends[s, 0]], place[ends[s, 1]]
        if a >= 0 and b >= 0 and abs(a - b) == 1:
            steps[min(a, b)] = rest_lengths[s]


def links_of(seams: list[Seam]) -> Bends:
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
class Mark:
    """A place along a chain: a share of the way from one of its points to the next."""

    index: int
    """Of the point before it."""

    share: float = 0.0
    """How far it lies towards the next one [-]; 0 is the point itself."""


def matched(first: Floats, second: Floats) -> list[tuple[Mark, Mark]]:
    """Match two chains by arc length; both run from 0 to 1, strictly ascending.

    Returns:
        for every pair the places in both chains
    """
    spacing_a, spacing_b = _spacings(first), _spacings(second)
    result = [(Mark(0), Mark(0))]
    i = j = 1
    while i < len(first) - 1 or j < len(second) - 1:
        a = first[i] if i < len(first) - 1 else np.inf
        b = second[j] if j < len(second) - 1 else np.inf
        near = abs(a - b) <= MATCH * min(
            spacing_a[min(i, len(first) - 1)], spacing_b[min(j, len(second) - 1)]
        )
        if near:
            result.append((Mark(i), Mark(j)))
            i, j = i + 1, j + 1
        elif a < b:
            result.append((Mark(i), Mark(j - 1, float((a - second[j - 1]) / (second[j] - second[j - 1])))))
            i += 1
        else:
            result.append((Mark(i - 1, float((b - first[i - 1]) / (first[i] - first[i - 1]))), Mark(j)))
            j += 1
    result.append((Mark(len(first) - 1), Mark(len(second) - 1)))
    return result


def _spacings(values: Floats) -> Floats:
    """Return the smaller distance of each value to the one before and after it."""
    steps = np.diff(values)
    smaller: Floats = np.minimum(np.append(steps, np.inf), np.insert(steps, 0, np.inf))
    return smaller


def refined(work: Workpiece, chain: list[int], wanted: list[Mark]) -> list[int]:
    """Split the edges of a chain where points are wanted, and return them all in order; -1 where that cannot be.

    Args:
        work: the body
        chain: its vertices
        wanted: places of the points
    """
    points: list[int] = []
    last_end: tuple[int, float, int] = (-1, 0.0, -1)  # chain index, share, point of the last split there
    for mark in wanted:
        index, share = mark.index, mark.share
        if share == 0.0:
            points.append(chain[index])
            continue
        begin, before = (last_end[2], last_end[1]) if last_end[0] == index else (chain[index], 0.0)
        t, _ = edge_triangles(
            work.sheet.triangles, work.sheet.across, work.sheet.fan, begin, chain[index + 1]
        )
        local = (share - before) / (1.0 - before)
        if t < 0 or not SHORTEST < local < 1.0 - SHORTEST:
            points.append(-1)
            continue
        p = slot_of(work.sheet.triangles, t, begin)
        c = 3 - p - slot_of(work.sheet.triangles, t, chain[index + 1])
        point = int(split_edge(work.sheet, t, c, local if (c + 1) % 3 == p else 1.0 - local))
        points.append(point)
        last_end = (index, share, point)
    return points


@kernel
def weld_points(sheet, kept, gone, joints, is_joined, merged):
    """Weld chains of border points; return whether every edge between neighbours in the chains could be joined.

    Args:
        sheet: changed in place
        kept: (pair_count,) points that stay
        gone: (pair_count,) points that become those; the same where the chains meet
        joints: (pair_count - 1, 4) scratch
        is_joined: (triangle_room, 3) set for edges that two triangles have come to share
        merged: (point_count,) every point itself; written: what it has become
    """
    triangles, across, fan = sheet.triangles, sheet.across, sheet.fan
    for n in range(kept.shape[0]):
        p, q = kept[n], gone[n]
        if not (is_at_border(triangles, across, fan, p) and is_at_border(triangles, across, fan, q)):
            return False
        if p != q and edge_triangles(triangles, across, fan, p, q)[0] >= 0:
            return False
    for n in range(joints.shape[0]):
        t, t_beyond = edge_triangles(triangles, across, fan, kept[n], kept[n + 1])
        u, u_beyond = edge_triangles(triangles, across, fan, gone[n], gone[n + 1])
        if t < 0 or u < 0 or t == u or t_beyond >= 0 or u_beyond >= 0:
            return False
        joints[n, 0], joints[n, 2] = t, u
        joints[n, 1] = 3 - slot_of(triangles, t, kept[n]) - slot_of(triangles, t, kept[n + 1])
        joints[n, 3] = 3 - slot_of(triangles, u, gone[n]) - slot_of(triangles, u, gone[n + 1])
    for n in range(kept.shape[0]):
        p, q = kept[n], gone[n]
        if p == q:
            continue
        merged[q] = p
        t, entry = fan_begin(triangles, across, fan, q)
        while t >= 0:
            u, next_entry = turn(triangles, across, t, q, entry)
            triangles[t, slot_of(triangles, t, q)] = p
            sheet.changes[t] = max(sheet.changes[t], TURNED)
            t, entry = u, next_entry
    # Linked only now that all fans have been renamed: turning around a point must not cross a weld before.
    for n in range(joints.shape[0]):
        t, c, u, d = joints[n, 0], joints[n, 1], joints[n, 2], joints[n, 3]
        across[t, c], across[u, d] = u, t
        is_joined[t, c] = is_joined[u, d] = True
        sheet.changes[t] = max(sheet.changes[t], TURNED)
        sheet.changes[u] = max(sheet.changes[u], TURNED)
    return True


@kernel
def border_neighbours(triangles, across, fan, point):
    """Return the two points beside a point along its border, -1 twice if it has none."""
    t, entry = fan_begin(triangles, across, fan, point)
    if across[t, entry] >= 0:
        return np.int64(-1), np.int64(-1)
    first = triangles[t, 3 - slot_of(triangles, t, point) - entry]
    last = t
    while t >= 0:
        last, last_entry = t, entry
        t, entry = turn(triangles, across, t, point, entry)
    return first, triangles[last, last_entry]


def _with_tips(work: Workpiece, pairs: Indices) -> Indices:
    """Add the tip of a slit at either end of the chains: the edges from there become one as well."""
    mesh = work.sheet.triangles, work.sheet.across, work.sheet.fan
    rows = pairs.tolist()
    for end in (0, -1):
        a, b = rows[end]
        if a == b:
            continue
        shared = {*border_neighbours(*mesh, a)} & {*border_neighbours(*mesh, b)} - {
            -1,
            *pairs.ravel().tolist(),
        }
        if len(shared) == 1:
            tip = int(shared.pop())
            rows.insert(0 if end == 0 else len(rows), [tip, tip])
    return np.array(rows, dtype=np.int64)


def weld(work: Workpiece, pairs: Indices) -> bool:
    """Weld the chains of a body; return whether a proper surface came of it. If not, the work is to be dropped.

    Args:
        work: the body
        pairs: (pair_count, 2) its vertices, in the order of the chains
    """
    sheet = work.sheet
    pairs = _with_tips(work, pairs)
    meeting = int(np.count_nonzero(pairs[:, 0] == pairs[:, 1]))
    if len(pairs) < 2 or len(np.unique(pairs)) != 2 * len(pairs) - meeting:
        return False
    kept, gone = pairs[:, 0].copy(), pairs[:, 1].copy()
    is_joined = np.zeros(sheet.is_marked.shape, np.bool_)
    merged = np.arange(len(work.fabric.fan))
    joints = np.empty((len(pairs) - 1, 4), np.int64)
    if not weld_points(sheet, kept, gone, joints, is_joined, merged):
        return False
    work.merged, work.is_joined = merged, is_joined
    return is_proper(sheet.triangles[: sheet.counts[1]], sheet.across[: sheet.counts[1]], sheet.fan, merged)


def is_proper(triangles: Indices, across: Indices, fan: Indices, merged: Indices) -> bool:
    """Tell whether no edge has more than two triangles, no triangle a corner twice, and every point one fan."""
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    if (sides[:, 0] == sides[:, 1]).any():
        return False
    keys = sides[:, 0] * len(fan) + sides[:, 1]
    if np.unique(keys, return_counts=True)[1].max() > 2:
        return False
    fans = fan[: len(merged)].copy()
    fans[merged != np.arange(len(merged))] = -1
    seen = np.zeros(triangles.shape, np.bool_)
    return int(count_fans(np.ascontiguousarray(triangles), np.ascontiguousarray(across), fans, seen)) == 0
