"""Soak: an hour of random sessions, mutated files and one long run, with everything found written down.

`python -m tests.anything.soak [--minutes N] [--first SEED] [--out FOLDER]`. Seeds are printed. Sessions run in processes of
their own, so that one which ends its process is found too. A session that breaks something is shortened, and written to
the folder as a program that repeats it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from tests.anything.readers import fuzz
from tests.anything.samples import TARGETS
from tests.anything.session import Plan, script_of, shortened, trouble_of

FRAMES = 150
SESSIONS = 20
"""Sessions of one process."""

SCENE_SECONDS = 1200.0
"""Scene time of the long run [s]."""

MOST_GROWTH = 40.0
"""Memory that the second half of the long run may gain [MB]."""


def check_seeds(first: int, count: int, out: Path) -> int:
    """Run sessions; write a program for each that breaks something, and return how many did."""
    found = 0
    for seed in range(first, first + count):
        plan = Plan.random(seed, FRAMES)
        (out / "seed.now").write_text(str(seed))
        trouble = trouble_of(plan, is_timed=True)
        if trouble:
            found += 1
            print(f"seed {seed}: {trouble}", flush=True)
            is_timed = "takes" in trouble
            kind = kind_of(trouble)
            short = shortened(plan, lambda other: kind_of(trouble_of(other, is_timed=is_timed)) == kind)  # noqa: B023
            path = out / f"session-{seed}.py"
            path.write_text(script_of(short, trouble_of(short, is_timed=is_timed) or trouble))
            print(f"  {len(short.actions)} actions, {short.frames} frames: {path}", flush=True)
    return found


def kind_of(trouble: str) -> str:
    """Return a trouble without its numbers, to tell whether it is the same in a shorter session."""
    return re.sub(r"[\d.e+-]+", "#", trouble)


def is_fatal(plan: Plan) -> bool:
    """Tell whether a session ends its process."""
    program = script_of(plan, "")
    return subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode < 0


def run_sessions(first: int, end: float, out: Path) -> tuple[int, int]:
    """Run sessions in processes of their own until a moment; return how many, and how many broke something."""
    seed, found = first, 0
    while time.monotonic() < end:
        order = [sys.executable, "-m", "tests.anything.soak", "--child", str(seed), "--out", str(out)]
        done = subprocess.run(order, check=False)
        if done.returncode >= 0:
            found += done.returncode
            seed += SESSIONS
            continue
        seed = int((out / "seed.now").read_text())
        print(f"seed {seed}: the process ended with {done.returncode}", flush=True)
        short = shortened(Plan.random(seed, FRAMES), is_fatal)
        path = out / f"session-{seed}.py"
        path.write_text(script_of(short, f"the process ends with {done.returncode}"))
        print(f"  {len(short.actions)} actions, {short.frames} frames: {path}", flush=True)
        found, seed = found + 1, seed + 1
    return seed - first, found


def memory() -> float:
    """Return the memory of this process now [MB]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def long_run() -> str:
    """Let one scene run for long, with hands, edits, undo and saved states; return what is wrong, or nothing."""
    import supple

    sheet = supple.Cloth.rectangle(width=0.6, height=0.6, columns=8, rows=8).pinned("top-left", "top-right")
    scene = supple.Scene(
        sheet,
        supple.Sphere(radius=0.2, at=(0.0, -0.4, 0.1)),
        supple.Wind(velocity=(1.0, 0.0, 2.0), gusts=0.5),
    )
    simulation = supple.Simulation(scene, substeps=4)
    random = np.random.default_rng(1)
    halfway = 0.0
    frames = round(SCENE_SECONDS * simulation.frame_rate)
    for frame in range(frames):
        if frame % 50 == 0:
            simulation.grab("cloth", 30, tuple(random.uniform(-0.3, 0.3, 3)))
        elif frame % 50 == 25:
            simulation.release_all()
            simulation.cut("cloth", path=[(-0.4, 0.0, 0.0), (0.0, 0.05, 0.0)])
            simulation.undo()
        if not simulation.step().is_finite:
            return f"frame {frame} of the long run is not finite"
        if frame == frames // 2:
            halfway = memory()
    grown = memory() - halfway
    print(
        f"long run: {SCENE_SECONDS:g} s of scene time, {grown:.1f} MB gained in the second half", flush=True
    )
    return f"the long run has gained {grown:.0f} MB" if grown > MOST_GROWTH else ""


def main() -> int:
    """Run as a program; return 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=None, help="First seed; by the clock if not given.")
    parser.add_argument("--out", type=Path, default=Path("output/soak"))
    parser.add_argument("--child", type=int)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    if chosen.child is not None:
        return check_seeds(chosen.child, SESSIONS, chosen.out)
    first = int(time.time()) % 10**9 if chosen.first is None else chosen.first
    print(f"seeds from {first} on; what is found goes to {chosen.out}", flush=True)
    begin = time.monotonic()
    end = begin + 60.0 * chosen.minutes
    trouble = long_run() if chosen.minutes >= 10.0 else ""
    lines = [trouble] if trouble else []
    files = max(8, round(6.0 * chosen.minutes))
    lines += list(fuzz(list(TARGETS), chosen.out / "files", first, files))
    sessions, found = run_sessions(first, max(end, time.monotonic() + 1.0), chosen.out)
    print("\n".join(lines))
    spent = (time.monotonic() - begin) / 60.0
    print(
        f"{sessions} sessions, {found} broke something; {files * len(TARGETS)} files, {len(lines)} findings; {spent:.0f} min"
    )
    return int(bool(lines or found))


if __name__ == "__main__":
    sys.exit(main())
