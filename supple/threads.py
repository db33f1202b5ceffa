"""Threads: loops of kernels that several threads work on, and the answer the same to the bit on any number of them.

A simulation runs on the thread that calls `step`. Where a loop is long enough, that thread cuts it into chunks, and threads
of a pool help with them (work sharing): each chunk is taken by whoever is free, and the caller does them all if nobody
comes. So nothing waits for a thread that the system has not let run, unless it holds a chunk. Helpers stay inside a kernel
from one loop to the next, and for some time from one step to the next, without Python's lock: a loop begins and ends in
less than a microsecond.

What a loop computes must not depend on who does what: chunks write to places of their own, and sums are made of partial sums
over fixed ranges, added in order.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple import atomics
from supple.kernel import kernel

LINE = 16
"""Numbers between those that different threads write, so that they lie on cache lines of their own."""

TICKET, KIND, FIRST, END, GRAIN = range(5)
"""Where in `Team.words` stand: which chunks are taken, what to do in the loop, its range, the length of its chunks."""

DONE, STAY, HELPERS, INSIDE = LINE, 2 * LINE, 2 * LINE + 1, 3 * LINE
"""Where stand: how many chunks helpers have done, whether they are to stay, how many may help now, how many are there."""

FIELD = 16
"""Bits of a ticket that count chunks taken from the front, then from the back, then all chunks."""

SPINS, YIELDS, SLEEPS = 2000, 1000, 300
"""How often a waiting thread looks again at once, how often after it has let others run, how often after it has slept: some
40 µs, 300 µs and 30 ms, if nobody else wants to run. Then a helper leaves."""


class Team(NamedTuple):
    """What the threads that work on one loop after the other share."""

    words: NDArray[np.int64]
    """(4 · LINE,) state of the loop, see `TICKET` and `KIND`."""

    numbers: NDArray[np.float64]
    """(2,) what a loop needs to know."""

    sums: NDArray[np.float64]
    """(range_count, 2) partial sums."""


def make_team(range_count: int) -> Team:
    """Return a team without helpers, with room for partial sums over so many ranges."""
    room = np.zeros(5 * LINE, np.int64)
    begin = -(room.ctypes.data // 8) % LINE  # where a cache line begins
    return Team(room[begin : begin + 4 * LINE], np.zeros(2), np.zeros((range_count, 2)))


@kernel(counts_references=False, is_inlined=True)
def begin_loop(team, kind, first, end, unit):
    """Let helpers take chunks of a loop of some kind over first..end, multiples of `unit` long, but the first one.

    There is a chunk for each thread. The caller has the first one, and takes others from the front as helpers do from the
    back, so that of one loop after the other each finds much the same data in its cache.
    """
    words = team.words
    pieces = words[HELPERS] + 1
    grain = ((end - first + pieces - 1) // pieces + unit - 1) // unit * unit
    words[KIND], words[FIRST], words[END], words[GRAIN] = kind, first, end, grain
    words[DONE] = 0
    atomics.store(words, TICKET, (((end - first + grain - 1) // grain) << (2 * FIELD)) + 1)


@kernel(counts_references=False, is_inlined=True)
def take_chunk(team, is_helper):
    """Return where the next chunk begins, which is now the caller's to do; -1 if none is left."""
    words = team.words
    mask = (1 << FIELD) - 1
    ticket = atomics.load(words, TICKET)
    if (ticket & mask) + ((ticket >> FIELD) & mask) >= ticket >> (2 * FIELD):
        return -1
    ticket = atomics.add(words, TICKET, (1 << FIELD) if is_helper else 1)
    front, back, count = ticket & mask, (ticket >> FIELD) & mask, ticket >> (2 * FIELD)
    if front + back >= count:
        return -1
    return words[FIRST] + words[GRAIN] * (count - 1 - back if is_helper else front)


@kernel(counts_references=False, is_inlined=True)
def end_chunk(team):
    """Say that a helper has done its chunk."""
    atomics.add(team.words, DONE, 1)


@kernel(counts_references=False, is_inlined=True)
def wait(times):
    """Wait for another thread, the longer the more often the caller has waited already; return one time more."""
    if times < SPINS:
        atomics.pause()
    elif times < SPINS + YIELDS:
        atomics.yield_processor()
    else:
        atomics.sleep()
    return times + 1


@kernel(counts_references=False, is_inlined=True)
def is_needed(team, times):
    """Return whether a helper is to go on waiting, having waited so often already."""
    return times < SPINS + YIELDS + SLEEPS and atomics.load(team.words, STAY) != 0


@kernel(counts_references=False, is_inlined=True)
def end_loop(team, own):
    """Wait until helpers have done the chunks that they took: all but those of the caller's own."""
    times = 0
    count = (atomics.load(team.words, TICKET) >> (2 * FIELD)) - own
    while atomics.load(team.words, DONE) < count:
        times = wait(times)


# ---------------------------------------------------------------- the pool


Invitation = tuple[Callable[..., Any], Any]
"""A kernel and the bundle that it works on."""


class ThreadPool:
    """The threads of this process that help whichever simulation steps first; others meanwhile do without them."""

    def __init__(self) -> None:
        """Have no threads until they are needed."""
        self._invitations: SimpleQueue[Invitation] = SimpleQueue()
        self._thread_count = 0
        self._is_used = threading.Lock()
        self._team: Team | None = None

    @contextmanager
    def helping(self, team: Team, helpers: int, help_with: Callable[..., Any], work: Any) -> Iterator[None]:
        """Let helpers share the loops of the block; they are invited to call `help_with(work)`, which waits for loops.

        Nobody helps if helpers are busy with another simulation.
        """
        if helpers == 0 or not self._is_used.acquire(blocking=False):
            yield
            return
        try:
            self._invite(team, helpers, help_with, work)
            team.words[HELPERS] = helpers
            yield
        finally:
            team.words[HELPERS] = 0
            self._is_used.release()

    def _invite(self, team: Team, helpers: int, help_with: Callable[..., Any], work: Any) -> None:
        """Ask for as many helpers as are not there yet; those of another team are sent away."""
        if self._team is not team:
            self.dismiss()
            self._team = team
            team.words[STAY] = 1
        for _ in range(helpers - int(team.words[INSIDE]) - self._invitations.qsize()):
            self._invitations.put((help_with, work))
        while self._thread_count < helpers:
            self._thread_count += 1
            threading.Thread(
                target=_serve,
                args=(self._invitations,),
                name=f"supple-helper-{self._thread_count}",
                daemon=True,
            ).start()

    def dismiss(self) -> None:
        """Send helpers away from the team that they were with last."""
        if self._team is not None:
            self._team.words[STAY] = 0
        self._team = None

    def forget(self) -> None:
        """Begin anew in a process that was forked: threads are not inherited."""
        if self._team is not None:
            self._team.words[INSIDE] = 0
        self.__init__()  # type: ignore[misc]


def _serve(invitations: SimpleQueue[Invitation]) -> None:
    """Accept one invitation after the other, as long as the program runs."""
    while True:
        help_with, work = invitations.get()
        help_with(work)
        del help_with, work  # or the arrays would live on until the next invitation


POOL = ThreadPool()
"""The helpers of this process."""


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.forget)
