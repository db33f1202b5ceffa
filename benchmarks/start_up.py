"""How long until something moves: import, second start, first start ever."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bars import Bar, Say, Section

IMPORT_TIMER = "import time; t = time.perf_counter(); import supple; print(time.perf_counter() - t)"

SCENE = """\
title = "Start-up benchmark"

[cloth.sheet]
rectangle = { width = 1.0, height = 1.0, columns = 64, rows = 64, plane = "xz" }
pin = ["top-left", "top-right"]
"""


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What a process took."""

    elapsed: float
    """From launch to exit [s]."""

    cpu: float
    """CPU time of its threads together [s]; far below `elapsed` where the machine was busy."""


def start_up(say: Say) -> Section:
    """Time fresh processes, from their launch to their exit after one frame."""
    say("import supple")
    import_time = min(_import_time() for _ in range(5))
    with tempfile.TemporaryDirectory(prefix="supple-bench-") as folder:
        scene = Path(folder) / "start.toml"
        scene.write_text(SCENE, encoding="utf-8")
        say("first start ever, compiling into an empty cache")
        first = _run_once(scene)
        say("second start")
        second = min((_run_once(scene) for _ in range(5)), key=lambda spent: spent.elapsed)
    limits = {"import supple": 0.3, "second start to the first frame, 64 x 64": 2.0, "first start ever": 25.0}
    elapsed = (import_time, second.elapsed, first.elapsed)
    bars = tuple(
        Bar(name=name, measured=measured, rule="at most", limit=limit, unit="s")
        for (name, limit), measured in zip(limits.items(), elapsed, strict=True)
    )
    cpu: tuple[str | float, ...] = ("-", second.cpu, first.cpu)
    rows: tuple[tuple[str | float, ...], ...] = tuple(zip(limits, elapsed, cpu, strict=True))
    return Section(
        title="Start-up",
        columns=("what", "elapsed [s]", "CPU [s]"),
        rows=rows,
        bars=bars,
        notes=(
            "Starts are whole processes: launch, scene, kernels, one frame, exit. The import is in-process.",
        ),
    )


def _environment() -> dict[str, str]:
    """Return the environment in which a fresh process finds this checkout."""
    paths = [str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _import_time() -> float:
    """Return the seconds `import supple` takes in a fresh process [s]."""
    command = [sys.executable, "-c", IMPORT_TIMER]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=True)
    return float(done.stdout)


def _run_once(scene: Path) -> Spent:
    """Run `supple run` for one frame, its kernel cache beside the scene."""
    environment = {**_environment(), "SUPPLE_CACHE_DIR": str(scene.parent / "kernels")}
    command = [sys.executable, "-m", "supple", "run", str(scene), "--seconds", "0.02"]
    before = os.times()
    subprocess.run(command, cwd=scene.parent, env=environment, capture_output=True, text=True, check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(elapsed=after.elapsed - before.elapsed, cpu=cpu)
