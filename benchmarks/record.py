"""What recording costs: USD beside the simulation, memory over a long run, pictures a second of a film."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import supple
from benchmarks.bars import Bar, Say, Section
from supple.record.readers.recording_reader import open_reader
from supple.record.writer import Plan
from supple.studio.film.film import PictureSequence

SIDE = 64
"""Points along a side of the cloth."""

SECONDS = 4.0
ROUNDS = 5
"""How often every format takes its turn; the least counts, so that load from outside does not."""

LONG_RUN = 5000
"""Frames of the long run."""

FILM_SIZE = (640, 400)

ENDINGS = (".npz", ".glb", ".pc2", ".ply", ".vtu", ".obj")
"""Formats timed beside USD."""

MEMORY = """
import os, re, sys
import numpy as np
import supple
from supple.record import open_recording

def private():
    with open("/proc/self/status") as status:
        return int(re.search(r"RssAnon:\\s+(\\d+)", status.read())[1]) / 1024.0

class Waving:
    body_names, obstacle_names = ("cloth",), ()
    def __init__(self, side):
        sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=side, rows=side)
        self.scene = supple.Scene(sheet)
        self._points, self._faces = sheet.local_points(), sheet.surface_triangles()
        self.time = 0.0
    def positions(self, body): return self._points + 0.1 * np.sin(self.time + self._points[:, ::-1])
    def triangles(self, body): return self._faces
    def edges(self, body): return np.zeros((0, 2), dtype=np.int64)
    def pinned(self, body): return np.zeros(0, dtype=np.int64)

waving, frames, most = Waving(int(sys.argv[2])), int(sys.argv[3]), 0.0
def watch(*_):
    global most
    most = max(most, private())
with open_recording([sys.argv[1]], frame_count=frames, frame_rate=50.0, finished=watch) as recording:
    for n in range(frames):
        waving.time = 0.02 * n
        recording.add(waving)
        if n % 100 == 0:
            watch()
print(most)
"""


def record(say: Say) -> Section:
    """Measure what the three bars of recording ask for."""
    with tempfile.TemporaryDirectory(prefix="supple-bench-") as name:
        folder = Path(name)
        alone, costs = _costs(folder, say)
        short, long = (_memory(folder, frames, say) for frames in (LONG_RUN // 10, LONG_RUN))
        rate = _film_rate(folder / "run.npz", say)
    rows: list[tuple[str | float, ...]] = [("simulation alone", alone, 0.0)]
    rows += [(ending, alone + cost, 100.0 * cost / alone) for ending, cost in costs.items()]
    return Section(
        title=f"Recording a {SIDE} x {SIDE} cloth, {SECONDS:g} s",
        columns=("format", "CPU ms a frame", "on top %"),
        rows=tuple(rows),
        bars=(
            Bar(
                name="USD on top of the simulation",
                measured=100.0 * costs[".usd"] / alone,
                rule="at most",
                limit=10.0,
                unit="%",
            ),
            Bar(
                name=f"memory for {LONG_RUN} frames to USD more than for {LONG_RUN // 10}",
                measured=long - short,
                rule="at most",
                limit=32.0,
                unit="MB",
            ),
            Bar(
                name=f"film at {FILM_SIZE[0]} x {FILM_SIZE[1]} in low quality",
                measured=rate,
                rule="at least",
                limit=10.0,
                unit="pictures/s",
            ),
        ),
        notes=(
            f"CPU time of the whole process, the making of the file at the end included; the least of {ROUNDS} rounds.",
            f"Private memory was at most {short:.0f} MB in {LONG_RUN // 10} frames and {long:.0f} MB in {LONG_RUN}, "
            "until the file was whole.",
            "The film is timed from its second picture to its last, drawn in software; other load counts against it.",
        ),
    )


def _simulation() -> supple.Simulation:
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=SIDE, rows=SIDE, plane="xz")
    return supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right")))


def _costs(folder: Path, say: Say) -> tuple[float, dict[str, float]]:
    """Return the CPU milliseconds of a frame, and what each format adds to them."""
    frames = round(SECONDS * 50.0)
    _simulation().step()
    for ending in (".usd", *ENDINGS):  # kernels and libraries are loaded before anything is timed
        supple.record(_simulation(), folder / f"warm{ending}", seconds=0.04, replace=True)
    spent: dict[str, list[float]] = {}
    for turn in range(ROUNDS):
        for ending in ("", ".usd", *ENDINGS):
            say(f"recording to {ending or 'nothing'}, round {turn + 1} of {ROUNDS}")
            cost = _spent_on_recording(folder / f"run{ending}") if ending else _spent_on_simulation()
            spent.setdefault(ending, []).append(cost / frames * 1e3)
    least = {ending: min(costs) for ending, costs in spent.items()}
    return least.pop(""), least


def _spent_on_simulation() -> float:
    """Return the CPU time of a run that nobody records [s]."""
    simulation = _simulation()
    started = time.process_time()
    for _ in simulation.run(SECONDS):
        pass
    return time.process_time() - started


def _spent_on_recording(path: Path) -> float:
    """Return the CPU time that recording adds to a run [s]: all of it but the steps."""
    simulation = _simulation()
    stepping = 0.0
    step = simulation.step

    def timed() -> supple.StepReport:
        nonlocal stepping
        started = time.process_time()
        report = step()
        stepping += time.process_time() - started
        return report

    simulation.step = timed  # type: ignore[method-assign]
    started = time.process_time()
    supple.record(simulation, path, seconds=SECONDS, replace=True)
    return time.process_time() - started - stepping


def _memory(folder: Path, frames: int, say: Say) -> float:
    """Return the largest private memory of a process that records so many frames [MB]; NaN off Linux."""
    if not Path("/proc/self/status").is_file():
        return float("nan")
    say(f"{frames} frames")
    command = [sys.executable, "-c", MEMORY, str(folder / f"{frames}.usd"), str(SIDE), str(frames)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _film_rate(recording: Path, say: Say) -> float:
    """Return pictures a second; NaN without a browser."""
    say("filming")
    with open_reader(recording) as opened:
        plan = Plan(frame_count=len(opened), frame_rate=opened.frame_rate)
        try:
            film = PictureSequence(recording.with_name("film-####.png"), plan, size=FILM_SIZE, quality="low")
        except supple.SuppleError:
            return float("nan")
        moments = [time.perf_counter() for _ in film.pictures(opened)]
        film.close()
    return (len(moments) - 1) / (moments[-1] - moments[0])
