"""Time budget: how much work a frame may do (Debunne 2000, §4.2).

Theory: docs/theory/levels.md, eq. (D11). A frame costs something for every node update, something for every substep,
in which contacts look at all particles, and an overhead once in a frame, larger if nodes are split or merged.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

SPLITTING_SHARE = 0.95
"""Share of the budget beyond which nothing is split any more [-]."""

TIMED_SHARE = 0.8
"""The same for a budget of time, where the next frame is foreseen only so well [-]."""

RISING_SHARE = 0.7
"""Share of a budget of time below which more substeps are taken again [-]; in between their number stays."""

REMEMBERED = 40
"""Frames whose cost is remembered."""

PERCENTILE = 0.95
"""Which of them counts, from the cheapest to the most expensive [-]: deadlines are kept by preparing for expensive frames,
but a few in which the machine did something else do not count."""


@dataclass(frozen=True)
class Load:
    """What a frame does, as far as its cost depends on it."""

    updates: float
    """Node updates."""

    substeps: int

    is_switching: bool = False
    """Whether nodes are split or merged before it."""


class _Recent:
    """What was measured lately."""

    def __init__(self) -> None:
        self._values: deque[float] = deque(maxlen=REMEMBERED)

    def note(self, value: float) -> None:
        self._values.append(value)

    def __bool__(self) -> bool:
        return bool(self._values)

    def rank(self, share: float) -> float:
        """Return the value that this share of all does not exceed; 0 if there is none."""
        return sorted(self._values)[int(share * len(self._values))] if self._values else 0.0


class Budget:
    """Says what share of the budget a frame will use.

    Given as node updates, the answer is the same in every run. Given as time, it follows from what things have cost on
    this machine lately: the frame as a whole counts, with contacts, reports and all.
    """

    def __init__(self, milliseconds: float | None, updates: int | None) -> None:
        """Take a time [ms], a number of node updates, or neither, which is no bound."""
        self.milliseconds = milliseconds
        self.updates = updates
        self._update, self._substep, self._overhead, self._switching = (_Recent() for _ in range(4))
        self._excess = _Recent()
        self._is_first = True
        self._afforded = 0

    @property
    def is_endless(self) -> bool:
        """Whether there is no bound."""
        return self.updates is None and self.milliseconds is None

    @property
    def splitting_share(self) -> float:
        """Share beyond which nothing is split [-]."""
        return SPLITTING_SHARE if self.updates is not None else TIMED_SHARE

    def share(self, load: Load) -> float:
        """Return the share of the budget that a frame will use [-]; 0 without one.

        Before anything is known of this machine, every frame is too much.
        """
        if self.updates is not None:
            return load.updates / self.updates
        if self.milliseconds is None:
            return 0.0
        if not self._substep:
            return math.inf
        return max(self._excess.rank(PERCENTILE), 1.0) * self._usual(load) / self.milliseconds

    def _usual(self, load: Load) -> float:
        """Return what a frame costs in the middle of all cases [ms]."""
        overhead = self._overhead.rank(0.5)
        if load.is_switching:
            overhead = max(overhead, self._switching.rank(0.5))
        return load.updates * self._update.rank(0.5) + load.substeps * self._substep.rank(0.5) + overhead

    def affordable(self, choices: Sequence[int], updates: float) -> int:
        """Return the largest number of substeps that the time is enough for.

        At least the first. Before anything is known of this machine, the last.

        Args:
            choices: numbers of substeps, ascending
            updates: node updates of the frame
        """
        if self.milliseconds is None or not self._substep:
            return choices[-1]
        count = choices[0]
        for choice in choices:
            limit = TIMED_SHARE if choice <= self._afforded else RISING_SHARE
            if self.share(Load(updates, choice)) <= limit:
                count = choice
        self._afforded = count
        return count

    def note(self, load: Load, milliseconds: float, overhead: float, elements: float) -> None:
        """Take down what a frame has cost; the first one, which compiles and warms up, does not count.

        Args:
            load: what it did
            milliseconds: the whole frame [ms]
            overhead: of these, what is done once in it: deciding where to be fine, switching, the report [ms]
            elements: of these, forces of elements [ms]
        """
        if not self._is_first:
            self._update.note(elements / max(load.updates, 1))
            self._substep.note((milliseconds - overhead - elements) / max(load.substeps, 1))
            (self._switching if load.is_switching else self._overhead).note(overhead)
            usual = self._usual(load)
            self._excess.note(milliseconds / usual if usual > 0.0 else 1.0)
        self._is_first = False

    def used(self, milliseconds: float, updates: int) -> float:
        """Return the share of the budget that a frame has used [-]; 0 without one."""
        if self.updates is not None:
            return updates / self.updates
        if self.milliseconds is not None:
            return milliseconds / self.milliseconds
        return 0.0
