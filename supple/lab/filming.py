"""Filming: the motion of a test, frame by frame, into any file that `supple.record` writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from supple.record import open_recording
from supple.simulation import Simulation

Add = Callable[[], None]


@contextmanager
def filmed(
    simulation: Simulation, path: str | os.PathLike[str] | None, seconds: float, replace: bool
) -> Iterator[Add]:
    """Record a simulation that the caller steps; call what is given after every step.

    Args:
        simulation: at its start
        path: file to write; None records nothing
        seconds: longest time that it may take [s]
        replace: whether a file that exists may be replaced
    """
    if path is None:
        yield lambda: None
        return
    count = 2 + round(seconds * simulation.frame_rate)
    with open_recording(
        [path], frame_count=count, frame_rate=simulation.frame_rate, replace=replace
    ) as recording:
        recording.add(simulation)
        yield lambda: recording.add(simulation)
