"""Outlines of flat pieces: corners joined by straight and curved edges, sampled at even steps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.scene.cloth_shapes.plane_geometry import crosses
from supple.scene.placement import FloatArray, IndexArray

TABLE = 256
"""Pieces of a curve in the table of its length."""

SHARPEST = math.radians(30.0)
"""Largest turn of a curved edge from one of its pieces to the next [rad]."""


@dataclass(frozen=True)
class Curve:
    """A straight, quadratic, cubic or circular edge, walked by the share of its length."""

    controls: FloatArray
    """(2, 3 or 4, 2) ends and the Bézier control points between them [m]."""

    arc: float = 0.0
    """Height of an arc of a circle over the straight line between two ends, to its left [m]."""

    @property
    def is_straight(self) -> bool:
        """Whether it does not bend."""
        return len(self.controls) == 2 and self.arc == 0.0

    @property
    def chord(self) -> float:
        """Distance between its ends [m]."""
        return float(np.hypot(*(self.controls[-1] - self.controls[0])))

    @property
    def angle(self) -> float:
        """How far an arc turns to the right [rad]."""
        return 4.0 * math.atan2(2.0 * self.arc, self.chord)

    def point(self, parameter: FloatArray) -> FloatArray:
        """Return the (n, 2) points at (n,) parameters from 0 to 1 [m]."""
        if self.arc:
            return self._on_arc(parameter)
        rows = [np.broadcast_to(control, (len(parameter), 2)) for control in self.controls]
        t = parameter[:, None]
        # De Casteljau: exact at both ends, which neighbours share.
        while len(rows) > 1:
            rows = [(1.0 - t) * one + t * other for one, other in itertools.pairwise(rows)]
        return rows[0]

    def _on_arc(self, parameter: FloatArray) -> FloatArray:
        start, end = self.controls
        along = end - start
        left = np.array([-along[1], along[0]]) / np.hypot(*along)
        centre = 0.5 * (start + end) + left * (0.5 * self.arc - (along @ along) / (8.0 * self.arc))
        cosine, sine = np.cos(self.angle * parameter), np.sin(self.angle * parameter)
        x, y = start - centre
        points: FloatArray = centre + np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=1)
        return points

    @cached_property
    def table(self) -> tuple[FloatArray, FloatArray]:
        """Bézier parameters and the share of the length up to each."""
        parameter = np.linspace(0.0, 1.0, TABLE + 1)
        steps = np.hypot(*np.diff(self.point(parameter), axis=0).T)
        share = np.concatenate([[0.0], np.cumsum(steps)])
        return parameter, share / share[-1] if share[-1] > 0.0 else parameter

    @cached_property
    def length(self) -> float:
        """Length along the edge [m]."""
        if self.is_straight:
            return self.chord
        if self.arc:
            return abs(self.angle) * (0.5 * abs(self.arc) + self.chord**2 / (8.0 * abs(self.arc)))
        path = self.point(np.linspace(0.0, 1.0, TABLE + 1))
        return float(np.hypot(*np.diff(path, axis=0).T).sum())

    @cached_property
    def turning(self) -> float:
        """How far the edge turns in all, to either side [rad]."""
        if len(self.controls) == 2:
            return abs(self.angle) if self.arc else 0.0
        steps = np.diff(self.point(np.linspace(0.0, 1.0, TABLE + 1)), axis=0)
        steps = steps[np.hypot(*steps.T) > 0.0]
        angles = np.arctan2(
            steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0],
            np.einsum("ij,ij->i", steps[:-1], steps[1:]),
        )
        return float(np.abs(angles).sum())

    def along(self, shares: FloatArray) -> FloatArray:
        """Return the (n, 2) points at (n,) shares of the length, from 0 to 1 [m]."""
        if len(self.controls) == 2:
            return self.point(shares)
        parameter, table = self.table
        return self.point(np.interp(shares, table, parameter))

    def piece_count(self, size: float) -> int:
        """Return into how many even pieces of about `size` [m] to cut the edge.

        A tight bend is cut finer: a curve of whatever shape must look like one.
        """
        fewest = 1 if self.is_straight else 2
        return max(fewest, round(self.length / size), math.ceil(self.turning / SHARPEST))

    def reversed(self) -> Curve:
        """Return the edge walked the other way."""
        return Curve(self.controls[::-1], -self.arc)

    def mirrored(self) -> Curve:
        """Return the edge seen in a mirror that turns x round."""
        return Curve(self.controls * np.array([-1.0, 1.0]), -self.arc)


@dataclass(frozen=True)
class Rim:
    """The sampled edges of all loops of a piece."""

    curves: tuple[Curve, ...]
    """Edges of the outline, then of each hole."""

    points: FloatArray
    """(point_count, 2) samples [m], loop by loop."""

    edges: IndexArray
    """(point_count,) the edge that leaves or holds each sample."""

    shares: FloatArray
    """(point_count,) share of that edge's length up to the sample."""

    loops: tuple[IndexArray, ...]
    """Samples around the outline and around each hole."""

    def joined(self, starts: IndexArray, ends: IndexArray) -> tuple[FloatArray, IndexArray, FloatArray]:
        """Return points halfway along the rim between neighbours: where, on which edge, at which share."""
        edges = self.edges[starts]
        is_last = (self.edges[ends] != edges) | (self.shares[ends] <= self.shares[starts])
        shares = 0.5 * (self.shares[starts] + np.where(is_last, 1.0, self.shares[ends]))
        middle = np.zeros((len(starts), 2))
        for edge in np.unique(edges).tolist():
            here = edges == edge
            middle[here] = self.curves[edge].along(shares[here])
        return middle, edges, shares


def sampled(loops: Sequence[Sequence[Curve]], size: float) -> Rim:
    """Return the samples of some loops of edges, about `size` [m] apart."""
    points: list[FloatArray] = []
    edges: list[FloatArray] = []
    shares: list[FloatArray] = []
    around: list[IndexArray] = []
    first = 0
    for loop in loops:
        start = first
        for curve in loop:
            count = curve.piece_count(size)
            share = np.arange(count) / count
            edges.append(np.full(count, len(edges), dtype=np.int64))
            shares.append(share)
            points.append(curve.along(share))
            first += count
        around.append(np.arange(start, first, dtype=np.int64))
    return Rim(
        curves=tuple(curve for loop in loops for curve in loop),
        points=np.concatenate(points),
        edges=np.concatenate(edges).astype(np.int64),
        shares=np.concatenate(shares),
        loops=tuple(around),
    )


def signed_area(points: FloatArray) -> float:
    """Return the area within a loop of (n, 2) points, negative if it runs clockwise [m²]."""
    x, y = (points - points.mean(axis=0)).T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def first_crossing(rim: Rim) -> tuple[int, int, FloatArray] | None:
    """Return two edges that cross or touch where they should not and about where, or None if there are none."""
    starts = np.concatenate(rim.loops)
    ends = np.concatenate([np.roll(loop, -1) for loop in rim.loops])
    a, b = rim.points[starts], rim.points[ends]
    order = np.argsort(np.minimum(a[:, 0], b[:, 0]), kind="stable")
    left = np.minimum(a[:, 0], b[:, 0])[order]
    for place, k in enumerate(order.tolist()):
        last = np.searchsorted(left, max(a[k, 0], b[k, 0]), side="right")
        others = order[place + 1 : last]
        apart = others[(starts[others] != ends[k]) & (ends[others] != starts[k])]
        is_met = crosses(a[k], b[k], a[apart], b[apart])
        if is_met.any():
            other = int(apart[np.flatnonzero(is_met)[0]])
            middle: FloatArray = 0.25 * (a[k] + b[k] + a[other] + b[other])
            return int(rim.edges[starts[k]]), int(rim.edges[starts[other]]), middle
        # Neighbours share a point; they must not run back over each other.
        for other in others[(starts[others] == ends[k]) | (ends[others] == starts[k])].tolist():
            before, after = (k, other) if starts[other] == ends[k] else (other, k)
            one, two = b[before] - a[before], b[after] - a[after]
            back = float(one @ two)
            if back < 0.0 and abs(one[0] * two[1] - one[1] * two[0]) <= 1.0e-9 * -back:
                return int(rim.edges[starts[before]]), int(rim.edges[starts[after]]), a[after]
    return None
