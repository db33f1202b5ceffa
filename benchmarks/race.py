"""Run competitors in turns, so that noise of the machine hits them alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.cloth import FALL_FRAMES, Competitor, FrameLog


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one competitor achieved."""

    cpu_ms: float
    """CPU milliseconds per frame: the mean over the run of each frame's minimum over the repeats."""

    cpu_ms_median: float
    """Median CPU milliseconds of all frames."""

    wall_ms: float
    """Elapsed milliseconds per frame, formed like `cpu_ms`."""

    lowest: float
    """Lowest point at the end of the run [m]."""

    max_stretch: float
    """Largest stretch during the run [-]."""


def race(
    competitors: Mapping[str, Competitor],
    *,
    frames: int = FALL_FRAMES,
    repeats: int = 3,
    block: int = 5,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Result]:
    """Let every competitor run `frames` frames, `repeats` times, in alternating blocks.

    The same frame of every repeat is the same work, so its minimum is its cost without the
    disturbances; the mean over the run keeps what depends on the motion, such as the number of
    iterations of an implicit solve.
    """
    logs: dict[str, list[list[FrameLog]]] = {name: [] for name in competitors}
    for repeat in range(repeats):
        for name, competitor in competitors.items():
            competitor.reset()
            logs[name].append([])
        for start in range(0, frames, block):
            for name, competitor in competitors.items():
                say(f"{name}, run {repeat + 1} of {repeats}, frame {start}")
                logs[name][-1].append(competitor.advance(min(block, frames - start)))
    return {name: _summary(runs) for name, runs in logs.items()}


def _summary(runs: list[list[FrameLog]]) -> Result:
    cpu_ms = np.array([[ms for log in run for ms in log.cpu_ms] for run in runs])
    wall_ms = np.array([[ms for log in run for ms in log.wall_ms] for run in runs])
    return Result(
        cpu_ms=float(cpu_ms.min(axis=0).mean()),
        cpu_ms_median=float(np.median(cpu_ms)),
        wall_ms=float(wall_ms.min(axis=0).mean()),
        lowest=runs[0][-1].lowest,
        max_stretch=max(log.max_stretch for log in runs[0]),
    )
