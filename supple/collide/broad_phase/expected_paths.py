"""Expected paths of points, and how far points deviate from them: how long a neighbour list holds.

Theory: docs/theory/contact.md, eq. (K20). A neighbour list is made for points that go straight on. As long as a point stays
within its skin, a tube around its path, what the list says of its pairs still holds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

OUTSIDE, CHANGED = 1, 2
"""Marks of points: it has left its skin; it has moved since its pairs were last tested."""


class Paths(NamedTuple):
    """Straight paths that points are expected to follow."""

    origins: NDArray[np.float64]
    """(point_count, 3) where each path began [m]."""

    velocities: NDArray[np.float64]
    """(point_count, 3) [m/s]."""


class Interval(NamedTuple):
    """A substep, seen from the time at which the paths began."""

    step: float
    """Length of the substep [s]."""

    before: float
    """Time on the paths at its start [s]."""

    after: float
    """Time on the paths at its end [s]."""


@kernel(counts_references=False)
def largest_distance(points, others):
    """Return the largest distance of points from other places, (point_count, 3) [m] each."""
    largest = 0.0
    for i in range(points.shape[0]):
        dx, dy, dz = points[i, 0] - others[i, 0], points[i, 1] - others[i, 1], points[i, 2] - others[i, 2]
        square = dx * dx + dy * dy + dz * dz
        # Written so that NaN counts as far.
        if not square <= largest:
            largest = square
    return math.sqrt(largest)


@kernel(counts_references=False, is_inlined=True)
def squared_deviation(paths, time, points, i):
    """Return the squared distance of point i from its expected place at a time on its path [m²]."""
    square = 0.0
    for axis in range(3):
        d = points[i, axis] - (paths.origins[i, axis] + time * paths.velocities[i, axis])
        square += d * d
    return square


@kernel(counts_references=False, is_entry=True)
def measure_deviations(starts, ends, interval, paths, deviations):
    """Write how far each point is from its path at the start or the end of a substep; return the largest [m].

    Both the motion and the path are straight in between, so nowhere is it farther.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends
        interval: Interval of the substep
        paths: Paths
        deviations: (point_count,) [m], overwritten
    """
    largest = 0.0
    for i in range(starts.shape[0]):
        at_start = squared_deviation(paths, interval.before, starts, i)
        at_end = squared_deviation(paths, interval.after, ends, i)
        # Written so that NaN counts as far.
        square = at_end if not at_end <= at_start else at_start
        deviations[i] = math.sqrt(square)
        if not square <= largest:
            largest = square
    return math.sqrt(largest)


@kernel(counts_references=False)
def expect_displacements(starts, ends, velocities, step, most, displacements):
    """Write the displacement that is expected of each point in a substep: that of the last one.

    Where a substep ends before contacts have acted is a worse guess: in dense folds contacts take most of it
    back. It is used for points that something has seized: they end farther than `most` [m] from the first guess.
    """
    for i in range(starts.shape[0]):
        square = 0.0
        for axis in range(3):
            displacements[i, axis] = step * velocities[i, axis]
            off = ends[i, axis] - starts[i, axis] - displacements[i, axis]
            square += off * off
        if not square <= most * most:
            for axis in range(3):
                displacements[i, axis] = ends[i, axis] - starts[i, axis]


@kernel(counts_references=False, is_entry=True)
def redirect_paths(starts, ends, velocities, interval, skin, farthest, paths, marks):
    """Give points that are not where they were expected a new path from where they are; return how many there are.

    Those are points that start the substep outside of their skin, or that springs carry much farther than that. A new path
    is chosen as in `expect_displacements`.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        velocities: (point_count, 3) [m/s]
        interval: Interval of the substep
        skin: [m]
        farthest: how far the end may be from where it was expected [m]
        paths: Paths, changed in place
        marks: (point_count,) OUTSIDE or 0, overwritten
    """
    count = 0
    for i in range(starts.shape[0]):
        at_start = squared_deviation(paths, interval.before, starts, i)
        at_end = squared_deviation(paths, interval.after, ends, i)
        # Written so that NaN is outside.
        if at_start <= skin * skin and at_end <= farthest * farthest:
            marks[i] = 0
            continue
        marks[i] = OUTSIDE
        count += 1
        off = 0.0
        for axis in range(3):
            d = ends[i, axis] - starts[i, axis] - interval.step * velocities[i, axis]
            off += d * d
        goes_on = off <= farthest * farthest
        for axis in range(3):
            velocity = velocities[i, axis] if goes_on else (ends[i, axis] - starts[i, axis]) / interval.step
            paths.velocities[i, axis] = velocity
            paths.origins[i, axis] = starts[i, axis] - interval.before * velocity
    return count
