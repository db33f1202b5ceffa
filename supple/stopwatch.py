"""A stopwatch that sums up time by stage."""

from __future__ import annotations

import time
from collections.abc import Callable


class Stopwatch:
    """Adds the time since the last lap to a named stage."""

    def __init__(self) -> None:
        """Start."""
        self._begin = self._last = time.perf_counter()
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
