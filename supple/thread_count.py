"""On how many threads a simulation runs: asked for, by the environment, or as many as pay.

The number belongs to the machine: the motion does not depend on it, and neither scenes nor saved states hold it.
"""

from __future__ import annotations

import operator
import os
from typing import Annotated, Any

import typer

from supple.errors import SuppleError

THREADS_VARIABLE = "SUPPLE_THREADS"
"""Environment variable that says on how many threads simulations run which were not told otherwise."""

MOST_THREADS = 64
"""Threads of a simulation, at most."""

LEAST_PARTICLES = 10_000
"""Particles of a world that is computed on several threads without being asked to."""

PAYING_THREADS = 4
"""Threads that are taken without being asked for, at most: loops over some thousand particles are short."""


def checked_threads(threads: Any) -> int | None:
    """Return a number of threads that somebody asked for, None if nobody did, or refuse it."""
    if threads is None:
        return None
    try:
        count = operator.index(threads)
    except TypeError:
        count = 0
    if isinstance(threads, bool) or not 1 <= count <= MOST_THREADS:
        raise SuppleError(
            f"`threads` is {threads!r}, but it must be a whole number of threads between 1 and {MOST_THREADS}, or None for "
            "as many as pay."
        )
    return count


def environment_threads() -> int | None:
    """Return what the environment variable `SUPPLE_THREADS` says, None if it is not set."""
    text = os.environ.get(THREADS_VARIABLE, "").strip()
    if not text:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= MOST_THREADS:
        raise SuppleError(
            f"the environment variable {THREADS_VARIABLE} is {text!r}, but it must be a whole number between 1 and "
            f"{MOST_THREADS}. Correct it, or unset it for as many threads as pay."
        )
    return int(text)


def thread_count(asked: int | None, particle_count: int) -> int:
    """Return on how many threads a world is computed: as asked for, as the environment says, else as many as pay."""
    wanted = environment_threads() if asked is None else asked
    if wanted is not None:
        return wanted
    return 1 if particle_count < LEAST_PARTICLES else min(processors(), PAYING_THREADS)


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _use_threads(count: int | None) -> int | None:
    """Let all simulations of this command run on so many threads, wherever they are made."""
    if count is not None:
        os.environ[THREADS_VARIABLE] = str(count)
    return count


ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        max=MOST_THREADS,
        callback=_use_threads,
        help="Processor cores to use, as many as pay if not given; the motion is the same.",
    ),
]
"""Option of commands that simulate."""
