"""Triangulation of an outline by ear clipping; holes are joined to it by bridge edges first."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from supple.scene.cloth_shapes.plane_geometry import crosses, orientation
from supple.scene.placement import FloatArray, IndexArray

ROUNDING = 1.0e-12
"""How near to the rim of an ear a point counts as on it: area over its size squared [-]."""


class CrossedOutlineError(ValueError):
    """An outline without an inside: it crosses or touches itself."""


def clipped_ears(points: FloatArray, loop: Sequence[int]) -> IndexArray:
    """Return triangles that fill a loop of points, best ears first.

    An ear is a corner whose triangle with its two neighbours holds no other point of the loop, not even on its
    rim: points in the middle of a straight side would otherwise be left without area.

    Args:
        points: (point_count, 2) [m]
        loop: indices in counter-clockwise order; those where a bridge leads to a hole appear twice
    """
    return _Clipping(points, loop).triangles()


class _Clipping:
    """A loop of points on its way to triangles: what is left of it, and a heap of corners that may be ears."""

    def __init__(self, points: FloatArray, loop: Sequence[int]) -> None:
        self._points = points
        self._ids = np.array(loop, dtype=np.int64)
        self._places = points[self._ids]
        count = len(self._ids)
        self._before, self._after = np.roll(np.arange(count), 1), np.roll(np.arange(count), -1)
        self._is_left = np.ones(count, dtype=np.bool_)
        self._heap: list[tuple[float, int, int, int]] = []
        for k in range(count):
            self._queue(k)

    def triangles(self) -> IndexArray:
        """Return the triangles, (count, 3) point indices; the loop is used up."""
        triangles: list[tuple[int, int, int]] = []
        set_aside: list[int] = []
        remaining = len(self._ids)
        while remaining > 2:
            if not self._heap:
                raise CrossedOutlineError("no ear is left")
            _, k, a, c = heapq.heappop(self._heap)
            if not self._is_left[k] or self._before[k] != a or self._after[k] != c:
                continue
            if not self._is_ear(k):
                set_aside.append(k)
            else:
                triangles.append((int(self._ids[a]), int(self._ids[k]), int(self._ids[c])))
                self._is_left[k] = False
                remaining -= 1
                self._before[c], self._after[a] = a, c
                # What was in the way of an ear may have been this very corner.
                for j in {a, c, *set_aside}:
                    if self._is_left[j]:
                        self._queue(j)
                set_aside.clear()
        return np.array(triangles, dtype=np.int64).reshape(-1, 3)

    def _queue(self, k: int) -> None:
        """Put a corner on the heap, the better its ear the nearer to the top; reflex corners are none."""
        value = self._quality(k)
        if value > 1.0e-12:
            heapq.heappush(self._heap, (-value, int(k), int(self._before[k]), int(self._after[k])))

    def _quality(self, k: int) -> float:
        """Return the area of an ear over its longest side squared: at most 0.43."""
        a, b, c = self._places[self._before[k]], self._places[k], self._places[self._after[k]]
        longest = max(float(((p - q) ** 2).sum()) for p, q in ((a, b), (b, c), (c, a)))
        return 0.5 * float(orientation(a, b, c)) / longest if longest > 0.0 else -1.0

    def _is_ear(self, k: int) -> bool:
        a, b, c = (self._ids[j] for j in (self._before[k], k, self._after[k]))
        if len({int(a), int(b), int(c)}) < 3:
            return False
        others = np.flatnonzero(self._is_left & (self._ids != a) & (self._ids != b) & (self._ids != c))
        here = self._places[others]
        pa, pb, pc = self._points[a], self._points[b], self._points[c]
        slack = -ROUNDING * float(np.abs(np.stack([pb - pa, pc - pa])).max()) ** 2
        is_inside = (orientation(pa, pb, here) >= slack) & (orientation(pb, pc, here) >= slack)
        return not bool(np.any(is_inside & (orientation(pc, pa, here) >= slack)))


def one_loop(points: FloatArray, loops: Sequence[IndexArray]) -> list[int]:
    """Join an outline and its holes into one loop by bridges walked there and back."""
    outer = [int(k) for k in loops[0]]
    holes = sorted((loop for loop in loops[1:]), key=lambda loop: -float(points[loop, 0].max()))
    sides = [np.stack([loop, np.roll(loop, -1)], axis=1) for loop in loops]
    for hole in holes:
        fences = np.concatenate(sides)
        first = int(np.argmax(points[hole, 0]))
        door = int(hole[first])
        place = _bridge(points, outer, door, fences)
        around = [int(k) for k in np.roll(hole, -first)]
        sides.append(np.array([[door, outer[place]]]))
        outer = [*outer[: place + 1], *around, door, *outer[place:]]
    return outer


def _bridge(points: FloatArray, loop: list[int], door: int, fences: IndexArray) -> int:
    """Return the place in the loop nearest to a hole's door that can be seen from it."""
    here = points[door]
    for place in np.argsort(((points[loop] - here) ** 2).sum(axis=1), kind="stable").tolist():
        there = loop[place]
        a, b, c = points[loop[place - 1]], points[there], points[loop[(place + 1) % len(loop)]]
        left_of_in, left_of_out = bool(orientation(a, b, here) > 0.0), bool(orientation(b, c, here) > 0.0)
        is_convex = bool(orientation(a, b, c) > 0.0)
        faces = (left_of_in and left_of_out) if is_convex else (left_of_in or left_of_out)
        apart = fences[np.all((fences != door) & (fences != there), axis=1)]
        if faces and not bool(np.any(crosses(here, b, points[apart[:, 0]], points[apart[:, 1]]))):
            return int(place)
    raise CrossedOutlineError("a hole cannot be reached")
