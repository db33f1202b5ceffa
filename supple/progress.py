"""How far a run is: bars with the time left on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from supple.waiting import WAITING

COMPILING = "compiling kernels (first run only)"
UNTANGLING = "untangling the start"
USED_KERNELS = 0.55
"""Part of all kernels that a run compiles, about: one integrator, not five."""

LINES = 10
"""Lines a run leaves behind where there is no terminal."""


class RunProgress:
    """Tells of kernels being compiled, if any are, and of frames being computed.

    Goes to the error stream, so that what a command answers can be piped on.
    """

    def __init__(self, title: str, frame_count: int, stream: TextIO | None = None) -> None:
        """Say nothing yet.

        Args:
            title: what is run
            frame_count: frames to come, 0 if there are none to show
            stream: where to write; None is the error stream
        """
        self._title = title
        self._frame_count = frame_count
        self._stream = stream or sys.stderr
        self._frames_done = 0
        self._kernels_done = 0
        self._started = time.perf_counter()
        self._bars: Progress | None = None
        self._kernel_bar: TaskID | None = None
        self._frame_bar: TaskID | None = None
        self._map_bars: dict[str, TaskID] = {}
        self._file_bars: dict[str, TaskID] = {}
        self._untangling_bar: TaskID | None = None
        self._is_untangling = False
        self._file_told = time.perf_counter()

    def __enter__(self) -> Self:
        """Start the bars."""
        if self._stream.isatty():
            self._bars = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(file=self._stream),
            )
            self._bars.start()
            if self._frame_count:
                self._frame_bar = self._bars.add_task(
                    f"{self._title}: getting ready", total=self._frame_count
                )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bars down."""
        if self._bars is not None:
            self._bars.stop()

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Count the kernels that are compiled inside."""
        from supple.kernel import KERNELS, cache_is_empty, compilation_watch

        is_first_run = cache_is_empty()

        def compiled(name: str) -> None:
            self.kernel_compiled(name, round(USED_KERNELS * len(KERNELS)) if is_first_run else None)

        with WAITING.hushed(), compilation_watch(compiled):
            yield

    def kernel_compiled(self, name: str, expected: int | None) -> None:
        """Count a kernel.

        Args:
            name: the kernel
            expected: kernels that will be compiled, about: some for several kinds of numbers, others not at all; None if
                nobody knows, because many are kept from earlier runs
        """
        self._kernels_done += 1
        if self._bars is None:
            if self._kernels_done == 1:
                self._say(COMPILING if expected is None else f"{COMPILING}, about {expected} of them")
            return
        if self._kernel_bar is None:
            self._kernel_bar = self._bars.add_task(COMPILING)
        total = None if expected is None else max(expected, self._kernels_done + 1)
        self._bars.update(self._kernel_bar, completed=self._kernels_done, total=total)

    def map_built(self, obstacle: str, share: float) -> None:
        """Tell how much of an obstacle's distance map is built, 0 to 1."""
        if self._bars is None:
            if share == 0.0:
                self._say(f"building the distance map of {obstacle} (first time only)")
            return
        if obstacle not in self._map_bars:
            title = f"distance map of {obstacle} (first time only)"
            self._map_bars[obstacle] = self._bars.add_task(title, total=100)
        self._bars.update(self._map_bars[obstacle], completed=round(100 * share))

    def untangled(self, free: int, most: int) -> None:
        """Tell how far an intersected start is untangled: edges that are free again, and all that were not."""
        if self._bars is None:
            if not self._is_untangling:
                self._say(f"{UNTANGLING}: {most - free} edges pass through triangles")
            self._is_untangling = True
            return
        if self._untangling_bar is None:
            self._untangling_bar = self._bars.add_task(UNTANGLING)
        # What only touches passes through nothing: a bar without an end.
        self._bars.update(self._untangling_bar, completed=free, total=most or None)

    def frame_done(self, note: str) -> None:
        """Count a frame; `note` says something of it in a few words."""
        if self._frames_done == 0:
            self._kernels_are_ready()
            self._started = time.perf_counter()
        self._frames_done += 1
        if self._bars is not None and self._frame_bar is not None:
            self._bars.update(
                self._frame_bar, completed=self._frames_done, description=f"{self._title}: {note}"
            )
        elif (
            self._frames_done * LINES // self._frame_count
            > (self._frames_done - 1) * LINES // self._frame_count
        ):
            self._say(
                f"{self._title}: frame {self._frames_done} of {self._frame_count}, {note}{self._left()}"
            )

    def frames_are_done(self) -> None:
        """Say that files are being finished, which may take a moment for pictures."""
        if self._bars is not None and self._frame_bar is not None:
            self._bars.update(self._frame_bar, description=f"{self._title}: finishing the files")

    def file_finished(self, name: str, done: int, total: int) -> None:
        """Tell how far a file is that is made when all frames are there."""
        if self._bars is not None:
            if name not in self._file_bars:
                self._file_bars[name] = self._bars.add_task(f"writing {name}", total=total)
            self._bars.update(self._file_bars[name], completed=done, total=total)
        elif done == total or done * LINES // total > (done - 1) * LINES // total:
            now = time.perf_counter()
            if now - self._file_told > 5.0:  # most files are there before anybody could read this
                self._file_told = now
                self._say(f"writing {name}: {done} of {total}")

    def _left(self) -> str:
        remaining = self._frame_count - self._frames_done
        if self._frames_done < 2 or remaining == 0:
            return ""
        pace = (time.perf_counter() - self._started) / (self._frames_done - 1)
        return f", about {pace * remaining:.0f} s left"

    def _kernels_are_ready(self) -> None:
        if self._kernels_done == 0:
            return
        if self._bars is not None and self._kernel_bar is not None:
            self._bars.update(self._kernel_bar, completed=self._kernels_done, total=self._kernels_done)
        elif self._bars is None:
            seconds = time.perf_counter() - self._started
            kernels = "kernel" if self._kernels_done == 1 else "kernels"
            self._say(f"compiled {self._kernels_done} {kernels} in {seconds:.0f} s")

    def _say(self, line: str) -> None:
        self._stream.write(line + "\n")
        self._stream.flush()


class PatientInterrupt:
    """Lets Ctrl-C take effect between two frames, where the state is whole. A second one acts at once."""

    def __init__(self) -> None:
        """Change nothing yet."""
        self.is_wanted = False
        """Whether Ctrl-C was pressed."""

        self._before: Any = None

    def __enter__(self) -> Self:
        """Take over Ctrl-C, if this is the thread that gets it."""
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._pressed)
        return self

    def _pressed(self, number: int, frame: FrameType | None) -> None:
        if self.is_wanted:
            raise KeyboardInterrupt
        self.is_wanted = True

    def between_frames(self) -> None:
        """Raise what Ctrl-C would have raised."""
        if self.is_wanted:
            raise KeyboardInterrupt

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give Ctrl-C back."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
