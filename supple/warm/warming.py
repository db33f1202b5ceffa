"""Warming: the kernels of a list, compiled by processes of their own while this one does something else.

A thread would compile one kernel at a time and take the interpreter's lock in turns with whatever else this process does.
Processes use all cores; they put the machine code on disk, from where it is loaded in a moment.
What has been compiled before is known by a mark in the kernel cache and starts nothing.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from supple.cache_folder import cache_root
from supple.warm.kernel_list import FILE, KernelList, kernel_list

PACKAGE = Path(__file__).parents[1]

MOST_PROCESSES = 6
"""Processes at a time: each holds a compiler, about 0.4 GB."""

IMPORT_SECONDS = 2.0
"""Processor time until a process has imported the compiler and the first kernels [s]."""

Told = Callable[[float, float], None]
"""Is given the share that is done, 0 to 1, and the time left, about [s]."""


def core_count() -> int:
    """Return on how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Warming:
    """Compiles everything that some sets of the list need.

    Example:
        >>> warming = Warming([])
        >>> warming.start()
        >>> warming.wait(1.0)
        True
    """

    def __init__(
        self,
        sets: Iterable[str],
        told: Told | None = None,
        *,
        processes: int | None = None,
        is_gentle: bool = False,
        kernels: KernelList | None = None,
    ) -> None:
        """Prepare; nothing runs yet.

        Args:
            sets: scenes of the gallery, or "tools"
            told: called after every kernel, from a thread of its own
            processes: how many to start; None is one for each core
            is_gentle: whether they give way to everything else that runs
            kernels: the list; None is that of this version
        """
        self._sets = tuple(sets)
        self._list = kernel_list() if kernels is None else kernels
        self._told = told
        self._process_count = processes or min(core_count(), MOST_PROCESSES)
        self._is_gentle = is_gentle
        marked = _marked()
        needed = self._list.needed(self._sets)
        self._waiting = needed - self._list.needed(name for name in self._sets if name in marked)
        self._urgency = self._list.urgency(self._waiting)
        self._running: set[int] = set()
        self._busy: set[str] = set()
        self._total = sum(self._list.entries[n].seconds for n in self._waiting)
        self._done = 0.0
        self._compiled = 0
        self._began = 0.0
        self._processes: list[subprocess.Popen[str]] = []
        self._threads: list[threading.Thread] = []
        self._turn = threading.Condition()
        self._is_stopped = False
        self._failures = 0

    @property
    def is_needed(self) -> bool:
        """Whether anything may be missing."""
        return bool(self._urgency)

    @property
    def compiled(self) -> int:
        """How many kernels were compiled so far; those that were kept on disk do not count."""
        return self._compiled

    @property
    def expected_seconds(self) -> float:
        """How long all of it takes if nothing is kept, about [s]."""
        return IMPORT_SECONDS + self._total / self._process_count

    def start(self) -> None:
        """Start the processes, if anything is missing."""
        self._began = time.monotonic()
        for _ in range(min(self._process_count, len(self._waiting))):
            thread = threading.Thread(target=self._lead, name="supple-warming", daemon=True)
            self._threads.append(thread)
            thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until everything is compiled, at most so long [s]; tell whether it is."""
        deadline = None if seconds is None else time.monotonic() + seconds
        for thread in self._threads:
            thread.join(None if deadline is None else max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def stop(self) -> None:
        """End the processes; what is compiled so far stays."""
        with self._turn:
            self._is_stopped = True
            self._turn.notify_all()
            processes = list(self._processes)
        for process in processes:
            process.terminate()
        self.wait(5.0)

    # ------------------------------------------------------------------ one process

    def _lead(self) -> None:
        """Start a process and give it one entry after the other."""
        command = [sys.executable, "-m", "supple.warm.compiler", *(["--gently"] if self._is_gentle else [])]
        paths = [str(PACKAGE.parent), *([kept] if (kept := os.environ.get("PYTHONPATH")) else [])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
            )
        except OSError:  # no more processes here: kernels are compiled when they are called
            return
        with self._turn:
            self._processes.append(process)
            is_stopped = self._is_stopped
        try:
            with process:  # which closes its pipes and waits for its end
                while not is_stopped and (n := self._take()) is not None:
                    self._finish(n, self._asked(process, n))
        except (OSError, ValueError):  # it ended in the middle
            pass
        finally:
            self._mark_if_done()

    def _asked(self, process: subprocess.Popen[str], n: int) -> str:
        """Let a process compile an entry; return what came of it."""
        entry = self._list.entries[n]
        assert process.stdin is not None and process.stdout is not None
        asked = {"number": n, "kernel": entry.kernel, "arguments": entry.arguments}
        try:
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline().split()
        except OSError:
            answer = []
        if len(answer) != 2:
            self._lost(n)
            raise ValueError("the process ended")
        return answer[1]

    def _take(self) -> int | None:
        """Return the most urgent entry whose callees are compiled; wait if others still work on those."""
        with self._turn:
            while self._waiting and not self._is_stopped:
                ready = [
                    n
                    for n in self._waiting
                    if self._list.entries[n].kernel not in self._busy  # both would write the same index
                    and not any(c in self._waiting or c in self._running for c in self._list.entries[n].needs)
                ]
                if ready:
                    chosen = max(ready, key=lambda n: (self._urgency[n], -n))
                    self._waiting.discard(chosen)
                    self._running.add(chosen)
                    self._busy.add(self._list.entries[chosen].kernel)
                    return chosen
                if not self._running:  # a list that goes in circles, or whose callees were lost
                    return None
                self._turn.wait()
            return None

    def _finish(self, n: int, answer: str) -> None:
        with self._turn:
            self._running.discard(n)
            self._busy.discard(self._list.entries[n].kernel)
            self._done += self._list.entries[n].seconds
            self._compiled += answer == "new"
            share = self._done / self._total if self._total else 1.0
            spent = time.monotonic() - self._began
            self._turn.notify_all()
        if self._told is not None:
            # At first the list knows better than the clock; the more is done, the less.
            planned, measured = self.expected_seconds - spent, spent * (1.0 - share) / max(share, 1e-3)
            self._told(share, max(0.0, (1.0 - share) * planned + share * measured))

    def _lost(self, n: int) -> None:
        """Take note that a process ended over an entry, which is then left to whoever calls it."""
        with self._turn:
            self._running.discard(n)
            self._busy.discard(self._list.entries[n].kernel)
            self._failures += 1
            self._turn.notify_all()

    def _mark_if_done(self) -> None:
        with self._turn:
            is_done = not self._waiting and not self._running and not self._failures and not self._is_stopped
        if is_done:
            _mark(self._sets)


# ---------------------------------------------------------------- what has been compiled before


def _mark_file() -> Path:
    """Return the file that tells which sets of this version are compiled: its name changes with every source."""
    digest = hashlib.sha256()
    for word in (importlib.metadata.version("numba"), sys.version, platform.machine(), platform.processor()):
        digest.update(word.encode())
    for path in sorted([FILE, *PACKAGE.rglob("*.py")]):
        if path.is_file():
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return cache_root() / f"warm-{digest.hexdigest()[:16]}.json"


def _marked() -> set[str]:
    """Return the sets that have been compiled before."""
    try:
        return set(json.loads(_mark_file().read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return set()


def _mark(sets: Iterable[str]) -> None:
    """Note that sets are compiled; marks of other versions go, for they are of no use."""
    path = _mark_file()
    try:
        known = _marked()
        path.parent.mkdir(parents=True, exist_ok=True)
        for stale in path.parent.glob("warm-*.json"):
            if stale != path:
                stale.unlink(missing_ok=True)
        written = path.with_name(f"{path.name}.{os.getpid()}")
        written.write_text(json.dumps(sorted(known | set(sets))), encoding="utf-8")
        written.replace(path)
    except OSError:  # a cache that cannot be written: then nothing is kept anyway
        pass
