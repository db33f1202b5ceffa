"""Action log: what the caller did to a simulation, so that it can be replayed, and what is still to be replayed.

Edits that the scene declares are not logged: whoever replays a log on the same scene gets them anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from supple.scene.timeline.script import Script
from supple.scene.timeline.timed_entry import Timed

MOST_ACTIONS = 1_000_000
"""Actions that are logged; a hand that moves for an hour at 50 Hz makes 180,000."""


class ActionLog:
    """Actions that were done, and a script that is being replayed."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.actions: list[Timed] = []
        self.planned: dict[int, list[Timed]] = {}
        """What is to be replayed, by the frame before which it is made."""

        self.waiting: dict[int, list[str]] = {}
        """Edits of the scene that are due and were refused so far, and for which bodies; none for all."""

        self.is_complete = True
        self.is_paused = False
        """Whether nothing is logged now."""

    def add(self, kind: type[Timed], time: float, **values: Any) -> None:
        """Log an action; its values were checked where they were used."""
        if self.is_paused:
            return
        if len(self.actions) >= MOST_ACTIONS:
            self.is_complete = False
            return
        if self.actions:  # after a change of the frame rate, frames no longer tell the time
            time = max(time, self.actions[-1].time)
        self.actions.append(kind.model_construct(time=time, **values))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Log nothing in this context."""
        before, self.is_paused = self.is_paused, True
        try:
            yield
        finally:
            self.is_paused = before

    @property
    def script(self) -> Script:
        """What was done, as a script."""
        return Script.model_construct(edits=tuple(self.actions), is_complete=self.is_complete)

    @property
    def remaining(self) -> Script:
        """What is still to be replayed, as a script."""
        edits = tuple(edit for frame in sorted(self.planned) for edit in self.planned[frame])
        return Script.model_construct(edits=edits)
