"""Leave out frames that a straight line between their neighbours shows well enough.

A film of cloth at rest needs two frames, not two hundred. Between two frames that are kept, players go in a
straight line; a frame may be left out if every point is then within a bound of where it was.

The kept frames are found in one pass. From the last one kept, at time t_k, each point of each frame seen since
allows a range of slopes: those of lines that pass it within the bound. A frame may end the line if its
own slope lies in the ranges of all frames between. (Known for one signal as the swinging door.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel

Floats = npt.NDArray[np.floating[Any]]


@kernel
def fits_between(start, end, span, lowest, highest):
    """Return whether the line from `start` to `end` lies in the slopes allowed.

    Args:
        start: (n,) coordinates at the frame kept last [m]
        end: (n,) coordinates at the frame in question [m]
        span: time between the two [s]
        lowest: (n,) smallest slopes allowed [m/s]
        highest: (n,) largest slopes allowed [m/s]
    """
    for n in range(start.shape[0]):
        slope = (np.float64(end[n]) - np.float64(start[n])) / span
        if slope < lowest[n] or slope > highest[n]:
            return False
    return True


@kernel
def narrow_slopes(start, passed, span, bound, lowest, highest):
    """Narrow the slopes allowed to those that pass a frame within a bound.

    Args:
        start: (n,) coordinates at the frame kept last [m]
        passed: (n,) coordinates at the frame passed [m]
        span: time between the two [s]
        bound: largest distance in one coordinate [m]
        lowest: (n,) smallest slopes allowed [m/s], raised
        highest: (n,) largest slopes allowed [m/s], lowered
    """
    for n in range(start.shape[0]):
        way = np.float64(passed[n]) - np.float64(start[n])
        lowest[n] = max(lowest[n], (way - bound) / span)
        highest[n] = min(highest[n], (way + bound) / span)


def kept_frames(frames: Iterator[Floats], times: Floats, tolerance: float) -> list[int]:
    """Return the numbers of the frames to keep, the first and the last among them.

    Args:
        frames: (point_count, 3) positions of each frame [m], as many as there are times
        times: (frame_count,) [s]
        tolerance: largest distance of a point from where it was, in any frame left out [m]
    """
    bound = tolerance / math.sqrt(3.0)  # in each coordinate, so that it holds in space
    kept: list[int] = []
    start: Floats = np.zeros(0)
    before = lowest = highest = start
    for number, frame in enumerate(frames):
        place: Floats = np.array(frame).ravel()
        if number == 0:
            kept, start, before = [0], place, place
            lowest, highest = np.full(place.size, -np.inf), np.full(place.size, np.inf)
            continue
        if not fits_between(start, place, times[number] - times[kept[-1]], lowest, highest):
            kept.append(number - 1)
            start = before
            lowest.fill(-np.inf)
            highest.fill(np.inf)
        narrow_slopes(start, place, times[number] - times[kept[-1]], bound, lowest, highest)
        before = place
    if kept and kept[-1] != len(times) - 1:
        kept.append(len(times) - 1)
    return kept
