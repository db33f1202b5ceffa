"""Budget: how much work a frame may do (Debunne 2000, §4.2)."""

from __future__ import annotations

import math
from collections import deque

SPLITTING_SHARE = 0.95
"""Share of the budget beyond which nothing is split any more [-]."""

REMEMBERED = 40
"""Frames whose cost is remembered."""

DEAR = 0.9
"""Which of them counts, from the cheapest to the dearest [-]: deadlines are kept by preparing for dear frames, but a few in
which the machine did something else do not count."""


class Budget:
    """Says how many node updates the next frame may take.

    Given as node updates, the answer is the same in every run. Given as time, it follows from what updates have cost on
    this machine lately: the frame as a whole counts, with contacts, reports and all.
    """

    def __init__(self, milliseconds: float | None, updates: int | None) -> None:
        """Take a time [ms], a number of node updates, or neither, which is no bound."""
        self.milliseconds = milliseconds
        self.updates = updates
        self._costs: deque[float] = deque(maxlen=REMEMBERED)
        self._is_first = True

    def most_updates(self) -> float:
        """Return the node updates that use up the whole budget; inf without one.

        Before anything is known of this machine, nothing may be split.
        """
        if self.updates is not None:
            return float(self.updates)
        if self.milliseconds is None:
            return math.inf
        if not self._costs:
            return 0.0
        return self.milliseconds / sorted(self._costs)[int(DEAR * len(self._costs))]

    def note(self, milliseconds: float, updates: int) -> None:
        """Take down what a frame has cost; the first one, which compiles and warms up, does not count."""
        if not self._is_first:
            self._costs.append(milliseconds / max(updates, 1))
        self._is_first = False

    def used(self, milliseconds: float, updates: int) -> float:
        """Return the share of the budget that a frame has used [-]; 0 without one."""
        if self.updates is not None:
            return updates / self.updates
        if self.milliseconds is not None:
            return milliseconds / self.milliseconds
        return 0.0
