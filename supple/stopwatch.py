"""A stopwatch that sums up time by stage."""

from __future__ import annotations

import time


class Stopwatch:
    """Adds the time since the last lap to a named stage."""

    def __init__(self) -> None:
        """Start."""
        self._begin = self._last = time.perf_counter()
        self.stages: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """End a lap that belongs to `stage`."""
        now = time.perf_counter()
        self.stages[stage] = self.stages.get(stage, 0.0) + 1e3 * (now - self._last)
        self._last = now

    @property
    def milliseconds(self) -> float:
        """Time from the start to the last lap [ms]."""
        return 1e3 * (self._last - self._begin)
