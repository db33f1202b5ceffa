"""How long until something moves: import, second start, first start ever."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.bars import Bar, Say, Section

IMPORT_TIMER = "import time; t = time.perf_counter(); import supple; print(time.perf_counter() - t)"

SCENE = """\
title = "Start-up benchmark"

[cloth.sheet]
rectangle = { width = 1.0, height = 1.0, columns = 64, rows = 64, plane = "xz" }
pin = ["top-left", "top-right"]
"""


def start_up(say: Say) -> Section:
    """Time fresh processes, from their launch to their exit after one frame."""
    say("import supple")
    import_time = min(_import_time() for _ in range(5))
    with tempfile.TemporaryDirectory(prefix="supple-bench-") as folder:
        scene = Path(folder) / "start.toml"
        scene.write_text(SCENE, encoding="utf-8")
        say("first start ever, compiling into an empty cache")
        first = _run_time(scene)
        say("second start")
        second = min(_run_time(scene) for _ in range(3))
    bars = (
        Bar(name="import supple", measured=import_time, rule="at most", limit=0.3, unit="s"),
        Bar(
            name="second start, first frame at 64 x 64", measured=second, rule="at most", limit=2.0, unit="s"
        ),
        Bar(name="first start ever", measured=first, rule="at most", limit=25.0, unit="s"),
    )
    note = "The starts are whole processes: launch, scene, kernels, one frame, exit."
    return Section(title="Start-up", bars=bars, notes=(note,))


def _environment() -> dict[str, str]:
    """Return the environment in which a fresh process finds this checkout."""
    paths = [str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _import_time() -> float:
    """Return the seconds `import supple` takes in a fresh process [s]."""
    command = [sys.executable, "-c", IMPORT_TIMER]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=True)
    return float(done.stdout)


def _run_time(scene: Path) -> float:
    """Return the seconds of `supple run` for one frame, its kernel cache beside the scene [s]."""
    environment = {**_environment(), "SUPPLE_CACHE_DIR": str(scene.parent / "kernels")}
    command = [sys.executable, "-m", "supple", "run", str(scene), "--seconds", "0.02"]
    start = time.perf_counter()
    subprocess.run(command, cwd=scene.parent, env=environment, capture_output=True, text=True, check=True)
    return time.perf_counter() - start
