"""A stopwatch that sums up time by stage."""

from __future__ import annotations

import time
from collections.abc import Callable

FINEST = 1.0e-4
"""Coarsest clock of a thread's own time that is of use for a frame [s]; that of Windows is not."""

HAS_OWN_TIME = time.get_clock_info("thread_time").resolution <= FINEST
"""Whether there is a clock that stands while other programs have the processor."""


class Stopwatch:
    """Adds the time since the last lap to a named stage."""

    def __init__(self) -> None:
        """Start."""
        self._begin = self._last = time.perf_counter()
        self._own_begin = time.thread_time()
        self.stages: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """End a lap that belongs to `stage`."""
        now = time.perf_counter()
        self._add(stage, now - self._last)
        self._last = now

    def within(self, stage: str, function: Callable[[], None]) -> None:
        """Call a function and count its time as part of `stage`, and not of the lap that is under way."""
        begin = time.perf_counter()
        function()
        spent = time.perf_counter() - begin
        self._add(stage, spent)
        self._last += spent

    def _add(self, stage: str, seconds: float) -> None:
        self.stages[stage] = self.stages.get(stage, 0.0) + 1e3 * seconds

    @property
    def milliseconds(self) -> float:
        """Time from the start to the last lap [ms]."""
        return 1e3 * (self._last - self._begin)

    @property
    def own_share(self) -> float:
        """Share of the time since the start in which the processor worked for this thread, not for other programs [-]."""
        elapsed = time.perf_counter() - self._begin
        if not HAS_OWN_TIME or elapsed <= 0.0:
            return 1.0
        return min((time.thread_time() - self._own_begin) / elapsed, 1.0)
