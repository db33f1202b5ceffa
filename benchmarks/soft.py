"""The soft bar against MuJoCo's 3D flex and PositionBasedDynamics, with 1,000 and 10,000 points."""

from __future__ import annotations

import math
from contextlib import ExitStack

import numpy as np

from benchmarks import bars
from benchmarks.bars import Say, Section
from benchmarks.peer_soft import PEERS, PeerBar, is_available
from benchmarks.soft_bar import CELLS, CONVERGED_TIP, Bar, BarLog, OurBar

FRAMES, BLOCK = 40, 5
"""Frames of a race, and of a turn."""

SETTLING, DRAG = 300, 4.0
"""Frames until the bar hangs still, and the drag that lets it [1/s]."""


def soft(say: Say) -> Section:
    """Race the bars, then let ours settle."""
    rows: list[tuple[str | float, ...]] = []
    found = []
    for label, cell in CELLS.items():
        costs, logs, ours = _race(label, cell, say)
        for name, log in logs.items():
            rows.append((f"{label} points", name, log.points, costs[name], log.tip[1], log.inverted))
        found += _cost_bars(label, costs, ours)
    say("1,000 points, settling")
    settled = OurBar(CELLS["1,000"], drag=DRAG).advance(SETTLING)
    away = math.dist(settled.tip, CONVERGED_TIP)
    found += [
        bars.Bar(name="1,000 points, inside out at rest", measured=settled.inverted, rule="at most", limit=0),
        bars.Bar(
            name="1,000 points, tip at rest away from the converged one, over the length",
            measured=100.0 * away,
            rule="at most",
            limit=5.0,
            unit="%",
        ),
    ]
    notes = [
        "CPU time of a frame: the least of every five, averaged over the motion. Everybody has one thread.",
        "Height and tetrahedra inside out are those after the race, 0.8 s from the start.",
    ]
    notes += [
        f"{peer} is not installed; `pip install supple[bench]` adds it."
        for peer in PEERS
        if not is_available(peer)
    ]
    return Section(
        title="Soft bar, 1.0 x 0.3 x 0.3 m, 100 kPa",
        columns=("size", "method", "points", "ms/frame", "height of the tip [m]", "inside out"),
        rows=tuple(rows),
        bars=tuple(found),
        notes=tuple(notes),
    )


def _race(label: str, cell: float, say: Say) -> tuple[dict[str, float], dict[str, BarLog], str]:
    with ExitStack() as stack:
        own = OurBar(cell)
        runners: dict[str, Bar] = {own.method: own}
        for peer in PEERS:
            if is_available(peer):
                say(f"{label} points, building {peer}")
                bar = PeerBar(peer, cell)
                stack.callback(bar.close)
                runners[peer] = bar
        blocks: dict[str, list[BarLog]] = {name: [] for name in runners}
        for start in range(0, FRAMES, BLOCK):
            for name, runner in runners.items():
                say(f"{label} points, {name}, frame {start}")
                blocks[name].append(runner.advance(BLOCK))
    # The least of a block is its cost without the disturbances; their mean keeps what depends on the motion.
    costs = {name: float(np.mean([min(log.cpu_ms) for log in logs])) for name, logs in blocks.items()}
    return costs, {name: logs[-1] for name, logs in blocks.items()}, own.method


def _cost_bars(label: str, costs: dict[str, float], ours: str) -> list[bars.Bar]:
    wanted = {("1,000", "mujoco"): 3.0, ("1,000", "pypbd"): 1.0, ("10,000", "pypbd"): 3.0}
    return [
        bars.Bar(
            name=f"{label} points, {peer} / supple",
            measured=costs[peer] / costs[ours],
            rule="at least",
            limit=limit,
        )
        for (size, peer), limit in wanted.items()
        if size == label and peer in costs
    ]
