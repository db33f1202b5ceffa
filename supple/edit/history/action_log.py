"""Diary: what was done to a simulation by its caller, so that it can be done again, and what is still to be done.

Edits that the scene declares are not written down: whoever replays a diary on the same scene gets them anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from supple.scene.timeline.script import Script
from supple.scene.timeline.timed_entry import Timed

MOST_DEEDS = 1_000_000
"""Entries kept; a hand that moves for an hour at 50 Hz makes 180,000."""


class Diary:
    """Entries that were made, and a script that is being replayed."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.made: list[Timed] = []
        self.planned: dict[int, list[Timed]] = {}
        """What is to be replayed, by the frame before which it is made."""

        self.waiting: dict[int, list[str]] = {}
        """Edits of the scene that are due and wait, as cloth is in the way of them, and for which bodies; none for all."""

        self.is_complete = True
        self.is_closed = False
        """Whether nothing is written down now."""

    def note(self, kind: type[Timed], time: float, **values: Any) -> None:
        """Write an entry down; its values were checked where they were used."""
        if self.is_closed:
            return
        if len(self.made) >= MOST_DEEDS:
            self.is_complete = False
            return
        if self.made:  # after a change of the frame rate, frames no longer tell the time
            time = max(time, self.made[-1].time)
        self.made.append(kind.model_construct(time=time, **values))

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Write nothing down meanwhile."""
        before, self.is_closed = self.is_closed, True
        try:
            yield
        finally:
            self.is_closed = before

    @property
    def script(self) -> Script:
        """What was made, as a script."""
        return Script.model_construct(edits=tuple(self.made), is_complete=self.is_complete)

    @property
    def left(self) -> Script:
        """What is still to be replayed, as a script."""
        edits = tuple(edit for frame in sorted(self.planned) for edit in self.planned[frame])
        return Script.model_construct(edits=edits)
