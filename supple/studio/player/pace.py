"""Two simulations that are compared go forward together: none begins a frame while another is behind."""

from __future__ import annotations

import threading


class Pace:
    """Simulated times of those that go together; shared by their threads."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._times: dict[object, float] = {}
        self._wants: dict[object, bool] = {}
        self._lock = threading.Lock()

    def join(self, who: object) -> None:
        """Go with the others from now on."""
        with self._lock:
            self._times[who], self._wants[who] = 0.0, True

    def leave(self, who: object) -> None:
        """Go alone again; nobody waits any more."""
        with self._lock:
            self._times.pop(who, None)
            self._wants.pop(who, None)

    def is_due(self, who: object, time: float, step: float, wants: bool = True) -> bool:
        """Note how far somebody has come [s] and if they want to go on; tell whether a frame of `step` [s] may begin.

        Those who have not joined are due whenever they want. Where all have stopped, whoever stopped a frame too early goes
        on for that frame, so that everybody rests at the same time.
        """
        with self._lock:
            if who not in self._times:
                return wants
            self._times[who], self._wants[who] = time, wants
            if time > min(self._times.values()) + 0.5 * step:
                return False
            behind = max(self._times.values()) - time
            return wants or (not any(self._wants.values()) and 0.5 * step < behind < 1.5 * step)
