"""Many runs: how well two processes share a sweep, and what scheduling a run costs."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import supple
from benchmarks.bars import Bar, Say, Section
from supple.sweeps.executors import compute
from supple.sweeps.recipe import Recipe
from supple.sweeps.run_folder import RunFolder, key_of

RUNS = 96
"""Runs of the sweep that is shared."""

SIDE = 20
"""Points along a side of its cloth."""

PROCESSES = 2
"""Processes that share it."""

EMPTY_RUNS = 10_000
"""Runs that do nothing."""


def make_scene(stiffness: float) -> supple.Scene:
    """Return a hanging sheet."""
    material = supple.Material.like("silk", stretch_stiffness=stiffness)
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=SIDE, rows=SIDE, material=material)
    return supple.Scene(sheet.pinned("top-left"))


class EmptyRecipe(Recipe):
    """Runs that write their row and do nothing else."""

    def run(self, folder: RunFolder, key: str, parameters: Mapping[str, Any]) -> bool:
        """Write a row."""
        folder.write(
            folder.rows / f"{key}.json",
            {"key": key, "parameters": dict(parameters), "measures": {}, "elapsed": 0},
        )
        return True


def many_runs(say: Say) -> Section:
    """Measure what the bars of sweeps ask for."""
    with tempfile.TemporaryDirectory(prefix="supple-bench-") as name:
        say("one process")
        alone = _rate(Path(name, "one"), 1)
        say("two processes")
        shared = _rate(Path(name, "two"), PROCESSES)
        say("empty runs")
        scheduling = _scheduling(Path(name, "empty"))
    efficiency = shared / (PROCESSES * alone)
    return Section(
        title=f"A sweep of {RUNS} runs of a {SIDE} x {SIDE} cloth",
        columns=("processes", "runs a second"),
        rows=((1, alone), (PROCESSES, shared)),
        bars=(
            Bar(name="efficiency of two processes", measured=efficiency, rule="at least", limit=0.85),
            Bar(name="scheduling a run", measured=1e3 * scheduling, rule="at most", limit=1.0, unit="ms"),
        ),
        notes=(
            "Runs a second of the last three quarters: the start of processes and the loading of kernels are left out.",
            f"Scheduling is the time of {EMPTY_RUNS:,} runs that write their row and do nothing, on two processes.",
        ),
    )


def _rate(out: Path, processes: int) -> float:
    """Return runs a second, without the first quarter."""
    ends: list[float] = []
    stiffness = [100.0 + n for n in range(RUNS)]
    supple.sweep(
        make_scene,
        {"stiffness": stiffness},
        measure="max_stretch",
        out=out,
        seconds=1.0,
        cluster=processes,
        progress=lambda _: ends.append(time.perf_counter()),
    )
    begun = len(ends) // 4
    return (len(ends) - 1 - begun) / (ends[-1] - ends[begun])


def _scheduling(out: Path) -> float:
    """Return what a run costs that does nothing [s]."""
    recipe = EmptyRecipe(make_scene, {}, None, {}, None, 0)
    folder = RunFolder(out)
    ends: list[float] = []
    parameters = [{"n": n} for n in range(EMPTY_RUNS)]
    tasks = [(key_of(values, 0), values) for values in parameters]
    folder.prepare({"recipe": {}, "keys": [key for key, _ in tasks], "parameters": parameters}, replace=False)
    compute(recipe, folder, tasks, PROCESSES, lambda *_: ends.append(time.perf_counter()))
    return (ends[-1] - ends[0]) / len(ends)
