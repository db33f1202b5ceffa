"""`descent` on one thread and on two: milliseconds of wall time a frame, taken in turns."""

from __future__ import annotations

import os
import time

import numpy as np

from benchmarks.bars import Bar, Say, Section
from supple import Cloth, Scene, Simulation
from supple.thread_count import processors

SIDES = (64, 100, 224)
THREADS = (1, 2)

FRAMES = {64: 60, 100: 40, 224: 12}
"""Frames of each that are timed; of every side the fastest counts, since other processes only ever add to it."""

WARM = 3
"""Frames before, which compile and let the sheet begin to fall."""


def threads(say: Say) -> Section:
    """Time the same sheet, held at two corners, on one thread and on two, frame by frame in turns."""
    rows: list[tuple[str | float, ...]] = []
    cost: dict[tuple[int, int], float] = {}
    for side in SIDES:
        sheet = Cloth.rectangle(width=1.0, height=1.0, columns=side, rows=side)
        scene = Scene(sheet.pinned("top-left", "top-right"))
        runs = {count: Simulation(scene, integrator="descent", threads=count) for count in THREADS}
        times: dict[int, list[float]] = {count: [] for count in THREADS}
        for frame in range(WARM + FRAMES[side]):
            say(f"{side} x {side}, frame {frame}")
            for count, simulation in runs.items():
                begin = time.perf_counter()
                simulation.step()
                if frame >= WARM:
                    times[count].append(1e3 * (time.perf_counter() - begin))
        first, second = (simulation.positions("cloth") for simulation in runs.values())
        if not np.array_equal(first, second):
            raise AssertionError(f"{side} x {side} points moved differently on {THREADS} threads")
        cost.update({(side, count): min(times[count]) for count in THREADS})
        one, two = cost[side, 1], cost[side, 2]
        rows.append((f"{side} x {side}", one, two, one / two))
    bars = (
        Bar(name="64 x 64 on one thread", measured=cost[64, 1], rule="at most", limit=4.2, unit="ms"),
        Bar(
            name="64 x 64, two threads to one", measured=cost[64, 2] / cost[64, 1], rule="at most", limit=0.6
        ),
        Bar(
            name="100 x 100, gain by a second thread",
            measured=cost[100, 1] / cost[100, 2],
            rule="at least",
            limit=1.6,
        ),
        Bar(
            name="224 x 224, gain by a second thread",
            measured=cost[224, 1] / cost[224, 2],
            rule="at least",
            limit=1.6,
        ),
        Bar(name="224 x 224 on two threads", measured=cost[224, 2], rule="at most", limit=30.0, unit="ms"),
    )
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return Section(
        title="descent on threads, ms a frame of 10 substeps",
        columns=("cloth", "one thread", "two threads", "gain"),
        rows=tuple(rows),
        bars=bars,
        notes=(
            f"{processors()} processors, load {load} at the end: what other processes take is missing from the gain.",
        ),
    )
