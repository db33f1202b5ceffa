"""How fast a force feedback device is answered while a studio computes in another process.

    supple bench haptics

A simulated device presses the liver of the gallery for ten seconds. What counts is the time from reading its place to
setting its force, and how late each answer begins.
"""

from __future__ import annotations

import math
import subprocess
import sys
from statistics import quantiles

from benchmarks.bars import Bar, Say, Section
from supple.haptics.device import SimulatedDevice
from supple.haptics.local_model import Vector
from supple.studio.haptic_client import HapticClient

SECONDS = 10.0
"""How long the device is answered [s]."""

STUDIO = """
import sys, supple
block = supple.SoftBody.box(size=(0.3, 0.1, 0.3), cell=0.03, material="liver", name="block").pinned("bottom")
probe = supple.Sphere(radius=0.03, at=(0.0, 0.09, 0.0), name="probe")
studio = supple.play(supple.Scene(block, probe, gravity=(0.0, 0.0, 0.0)), port=0, blocking=False, open_browser=False)
sys.stdin.read()
studio.stop()
"""
"""A studio in a process of its own, which ends when its input does."""


class Slow(SimulatedDevice):
    """A device that also notes when it was asked."""

    def __init__(self) -> None:
        """Press 15 mm deep, twice a second."""
        super().__init__((0.0, 0.09, 0.0), self._hand_at)
        self.asked: list[float] = []

    def read(self) -> Vector:
        """Return where the tip is by the clock of the machine [m]."""
        place = super().read()
        self.asked.append(self.time)
        return place

    @staticmethod
    def _hand_at(time: float) -> Vector:
        return 0.0, 0.09 - 0.025 * math.sin(2.0 * math.pi * time) ** 2, 0.0


def haptics(say: Say) -> Section:
    """Measure the answers to a device."""
    say("a device on a studio")
    studio = subprocess.Popen(
        [sys.executable, "-c", STUDIO], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert studio.stderr is not None and studio.stdin is not None
    try:
        link = next(line for line in studio.stderr if line.startswith("http")).strip()
        device = Slow()
        with HapticClient(link, device, "probe", seconds=600.0) as client:
            client.run(seconds=1.0)
            device.asked.clear()
            client.run(seconds=SECONDS)
            took, given = client.answer_seconds, client.loop.tank.given
            touch = client.touch
    finally:
        studio.stdin.close()
        studio.wait(timeout=60)
    periods = [later - earlier for earlier, later in zip(device.asked, device.asked[1:], strict=False)]
    answers, waits = quantiles(took, n=100), quantiles(periods, n=100)
    rows = (
        ("answer", 1e3 * answers[49], 1e3 * answers[98], 1e3 * max(took)),
        ("period", 1e3 * waits[49], 1e3 * waits[98], 1e3 * max(periods)),
    )
    stiffness = touch.stiffness if touch is not None else math.nan
    notes = (
        f"{len(took)} answers in {SECONDS:g} s; the hand did {-1e3 * given:.1f} mJ of work on the device. "
        f"Last stiffness: {stiffness:.0f} N/m.",
    )
    bar = Bar(
        name="answer to a device, 99th percentile",
        measured=1e3 * answers[98],
        rule="at most",
        limit=1.0,
        unit="ms",
    )
    columns = ("", "median [ms]", "99th percentile [ms]", "longest [ms]")
    return Section(title="Force feedback", columns=columns, rows=rows, bars=(bar,), notes=notes)
