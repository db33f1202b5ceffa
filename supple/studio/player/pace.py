"""Two simulations that are compared go forward together: none begins a frame while another is behind."""

from __future__ import annotations

import threading


class Pace:
    """Simulated times of those that go together; shared by their threads."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._times: dict[object, float] = {}
        self._lock = threading.Lock()

    def join(self, who: object) -> None:
        """Go with the others from now on."""
        with self._lock:
            self._times[who] = 0.0

    def leave(self, who: object) -> None:
        """Go alone again; nobody waits any more."""
        with self._lock:
            self._times.pop(who, None)

    def is_due(self, who: object, time: float, step: float) -> bool:
        """Note how far somebody has come [s], and tell whether a frame of `step` [s] may begin.

        Those who have not joined are always due.
        """
        with self._lock:
            if who not in self._times:
                return True
            self._times[who] = time
            return time <= min(self._times.values()) + 0.5 * step
