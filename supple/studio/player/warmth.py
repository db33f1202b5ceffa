"""Which kernels are compiled before the player needs them, by processes of their own.

The first scene and grabbing come first, on all cores: the player waits for them, because on its own it would compile
them on one core. Then, while the scene moves, one process that gives way
to everything else compiles the tools and, last, the other scenes.
"""

from __future__ import annotations

import threading

from supple.warm.kernel_list import HANDS, TOOLS, kernel_list
from supple.warm.warming import Told, Warming


class Warmth:
    """The warming of one studio. Nothing is said of sets that are not on the list."""

    def __init__(self, hub_told: Told, also_told: Told | None = None) -> None:
        """Prepare; nothing runs yet.

        Args:
            hub_told: is told how far the kernels are that somebody waits for: the share, and the time left [s]
            also_told: is told the same
        """
        self._tellers = [hub_told, *([also_told] if also_told is not None else [])]
        self._first: Warming | None = None
        self._behind: list[Warming] = []
        self._are_tools_ready = threading.Event()
        self._is_stopped = threading.Event()
        self._lock = threading.Lock()

    def begin(self, scene: str) -> None:
        """Start with what a scene and the hands need; whoever calls `wait` waits for it."""
        if scene not in kernel_list().sets:
            return
        self._first = Warming([scene, HANDS], self._tell)
        if self._first.is_needed:
            self._tell(0.0, self._first.expected_seconds)
        self._first.start()

    def wait_for(self, scene: str) -> None:
        """Wait until everything is compiled that a scene needs, or the studio stops."""
        if self._first is None:
            self._pause_behind()
            self.begin(scene)
        while self._first is not None and not self._is_stopped.is_set():
            if self._first.wait(0.2):
                self._first = None

    def go_on_behind(self) -> None:
        """Compile the tools, then all the other scenes, while what is there runs."""
        with self._lock:
            if self._behind or self._is_stopped.is_set():
                return
            others = [name for name in kernel_list().sets if name not in (HANDS, TOOLS)]
            self._behind = [
                Warming(sets, processes=1, is_gentle=True) for sets in ([HANDS, TOOLS], others) if sets
            ]
        threading.Thread(
            target=self._lead, args=(tuple(self._behind),), name="supple-warmth", daemon=True
        ).start()

    def _lead(self, warmings: tuple[Warming, ...]) -> None:
        for n, warming in enumerate(warmings):
            if self._is_stopped.is_set() or warmings != tuple(self._behind):
                return
            warming.start()
            warming.wait()
            if n == 0 and warmings == tuple(self._behind):
                self._are_tools_ready.set()

    def _pause_behind(self) -> None:
        """Leave the processors to somebody who waits; `go_on_behind` begins again where it was."""
        with self._lock:
            behind, self._behind = self._behind, []
        for warming in behind:
            warming.stop()

    @property
    def are_tools_ready(self) -> bool:
        """Whether strokes need no compiler any more."""
        return self._are_tools_ready.is_set()

    def stop(self) -> None:
        """End all processes."""
        self._is_stopped.set()
        first = self._first
        if first is not None:
            first.stop()
        self._pause_behind()

    def _tell(self, share: float, seconds: float) -> None:
        for teller in self._tellers:
            teller(share, seconds)
