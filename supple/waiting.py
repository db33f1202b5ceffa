"""What is told to somebody at a terminal who waits for Python: a line with a bar, once something takes over two seconds.

Programs that nobody watches, and those that tell it in their own way, hear nothing.
"""

from __future__ import annotations

import atexit
import multiprocessing
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

PATIENCE = 2.0
"""Time before anything is told [s]."""

SILENCE = 10.0
"""Time without news after which something counts as done, if nobody has said so [s]."""

WIDTH = 24
"""Characters of a bar."""

COMPILING = "compiling kernels, the first time only"


class Waiting:
    """One line on a terminal that says how far something is; a notebook gets it once, without a bar."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Say nothing yet; None is the error stream, as it is when something is told."""
        self._stream, self._clock = stream, clock
        self._what, self._began, self._heard_at, self._told_at = "", 0.0, 0.0, 0.0
        self.is_told = False
        """Whether there is a line that has to be ended."""

        self._kernels = 0
        self._end: threading.Timer | None = None
        self._lock = threading.RLock()
        self._hushed = 0

    @contextmanager
    def hushed(self) -> Iterator[None]:
        """Say nothing meanwhile: somebody else does."""
        with self._lock:
            self._hushed += 1
        try:
            yield
        finally:
            with self._lock:
                self._hushed -= 1

    @property
    def is_watched(self) -> bool:
        """Whether somebody sits there who could read it."""
        is_main = multiprocessing.parent_process() is None  # of many processes one tells
        return not self._hushed and is_main and (self._is_terminal() or "ipykernel" in sys.modules)

    def kernel_compiled(self, name: str) -> None:
        """Count a kernel that was compiled."""
        if self.is_watched:
            with self._lock:
                self._kernels = 1 if self._what != COMPILING else self._kernels + 1
                self.advanced(COMPILING, self._kernels, None)

    def map_built(self, obstacle: str, share: float) -> None:
        """Tell how much of an obstacle's distance map is built, 0 to 1."""
        self.advanced(f"distance map of {obstacle}, the first time only", round(100.0 * share), 100)

    def untangled(self, free: int, most: int) -> None:
        """Tell how many edges of an intersected start are free again, of how many."""
        self.advanced("untangling the start", free, most or None)

    def advanced(self, what: str, done: int, total: int | None) -> None:
        """Tell how far something is, if it has taken long enough; `total` is None if nobody knows."""
        if not self.is_watched:
            return
        with self._lock:
            now = self._clock()
            if what != self._what or now - self._heard_at > SILENCE:
                self.ended()
                self._what, self._began = what, now
            self._heard_at = now
            is_over = total is not None and done >= total
            if now - self._began >= PATIENCE and (not self.is_told or is_over or now - self._told_at > 0.1):
                self._tell(done, total)
                self._told_at = now
                self._end_after(SILENCE)

    def kernels_done(self) -> None:
        """End the line if it is about kernels."""
        if self._what == COMPILING:
            self.ended()

    def _end_after(self, seconds: float) -> None:
        if self._end is not None:
            self._end.cancel()
        self._end = threading.Timer(seconds, self.ended)
        self._end.daemon = True
        self._end.start()

    def ended(self) -> None:
        """End the line, if there is one."""
        with self._lock:
            if self._end is not None:
                self._end.cancel()
            if self.is_told and self._is_terminal():
                self._write(f" {self._told_at - self._began:.0f} s\n")
            self._what, self.is_told, self._end = "", False, None

    def _tell(self, done: int, total: int | None) -> None:
        if not self._is_terminal():
            if not self.is_told:
                self._write(f"supple: {self._what} ...\n")
        elif total:
            full = WIDTH * min(done, total) // total
            self._write(f"\rsupple: {self._what} [{'#' * full}{' ' * (WIDTH - full)}] {done}/{total}")
        else:  # a bar without an end
            place = done % (WIDTH - 2)
            self._write(f"\rsupple: {self._what} [{' ' * place}###{' ' * (WIDTH - 3 - place)}] {done}")
        self.is_told = True

    def _is_terminal(self) -> bool:
        stream = self._stream or sys.stderr
        try:
            return stream is not None and stream.isatty()
        except ValueError:  # closed
            return False

    def _write(self, text: str) -> None:
        try:
            stream = self._stream or sys.stderr
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):  # nobody is there any more
            pass


WAITING = Waiting()
"""The one of this process."""

atexit.register(WAITING.ended)
