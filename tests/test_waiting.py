"""Somebody at a terminal who waits for Python is told why."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from supple.waiting import COMPILING, PATIENCE, Waiting


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def waited(stream, seconds, steps=10):
    """Compile for some seconds, with no real time passing."""
    clock = Clock()
    waiting = Waiting(stream, clock)
    for n in range(steps + 1):
        clock.now = 100.0 + seconds * n / steps
        waiting.kernel_compiled(f"kernel_{n}")
    waiting.ended()
    return stream.getvalue()


def test_a_short_wait_is_not_worth_a_word():
    assert waited(Terminal(), 0.9 * PATIENCE) == ""


def test_a_long_wait_is_one_line_with_a_bar_and_the_time_it_took():
    told = waited(Terminal(), 9.9)
    assert told.count("\n") == 1 and told.endswith("] 11 10 s\n")
    assert f"supple: {COMPILING} [" in told and told.count("\r") > 3


def test_two_short_waits_with_a_long_time_between_them_are_two():
    stream, clock = Terminal(), Clock()
    waiting = Waiting(stream, clock)
    for moment in (0.0, 1.0, 100.0, 101.0):
        clock.now = moment
        waiting.kernel_compiled("kernel")
    assert stream.getvalue() == ""


def test_programs_that_nobody_watches_hear_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert waited(io.StringIO(), 10.0) == ""


def test_a_notebook_gets_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", io)
    assert waited(io.StringIO(), 10.0) == f"supple: {COMPILING} ...\n"


def test_maps_and_untangling_show_how_far_they_are_and_what_is_told_otherwise_is_not_told_twice():
    stream, clock = Terminal(), Clock()
    waiting = Waiting(stream, clock)
    for n in range(11):
        clock.now += 1.0
        waiting.map_built("torso", 0.1 * n)
    with waiting.hushed():
        clock.now += 10.0
        waiting.untangled(1, 8)
        waiting.untangled(2, 8)
    for n in range(9):
        clock.now += 1.0
        waiting.untangled(n, 8)
    waiting.ended()
    first, second = (line.split("\r")[-1] for line in stream.getvalue().strip().split("\n"))
    assert (
        first.startswith("supple: distance map of torso, the first time only [######")
        and " 100/100 " in first
    )
    assert second.startswith("supple: untangling the start [######") and " 8/8 " in second


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal here")
def test_the_first_simulation_of_a_program_is_waited_for_with_a_word(tmp_path):
    """In a real terminal, with kernels that are really compiled; patience is cut short, so that few will do."""
    import os
    import pty

    script = (
        "import supple, supple.waiting as w\n"
        "w.PATIENCE = 0.0\n"
        "chain = supple.Chain(length=1.0, points=2)\n"
        "supple.Simulation(supple.Scene(chain))\n"
        "w.WAITING.ended()\n"
    )
    master, terminal = pty.openpty()
    environment = {**os.environ, "SUPPLE_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=terminal, env=environment, timeout=300
    )
    os.close(terminal)
    told = os.read(master, 100_000).decode()
    os.close(master)
    assert done.returncode == 0 and done.stdout == b""
    assert told.startswith(f"\rsupple: {COMPILING} [")
