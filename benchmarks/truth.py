"""The motion converged in time, to which every method is compared.

The engine's own `explicit` integrator (symplectic Euler, substeps far below the stable step) on the
very same springs, at two step sizes that must agree. The values are stored beside this file, because
the 224 x 224 cloth takes minutes; `python -m benchmarks.truth` computes them anew and says how far
the two step sizes differ.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

from benchmarks.cloth import FALL_FRAMES, MATERIAL, drop

CONVERGED = Path(__file__).with_name("converged.json")
"""Where the values are kept, with the material they belong to."""

REFINEMENT = 1.5
"""Ratio of the two step sizes."""

AGREEMENT = 0.01
"""Largest relative difference between the two step sizes at which the motion counts as converged."""


def stored_truth(points: int, quantity: Literal["lowest", "max_stretch"] = "lowest") -> float:
    """Return a value of the converged motion at 0.5 s: lowest point [m] or largest stretch [-]."""
    stored = json.loads(CONVERGED.read_text(encoding="utf-8"))
    if stored["material"] != MATERIAL or str(points) not in stored["cloths"]:
        raise LookupError(
            f"{CONVERGED.name} holds no converged motion of {points} x {points} points of the benchmark "
            f"material; run `python -m benchmarks.truth {points}`"
        )
    value: float = stored["cloths"][str(points)][quantity]
    return value


def converged(points: int, *, frames: int = FALL_FRAMES) -> dict[str, float]:
    """Compute the motion at two step sizes; return the finer one and how far they differ.

    The coarser step is the one the integrator picks for itself.
    """
    coarse = _explicit_run(points, 1, frames)
    fine = _explicit_run(points, round(REFINEMENT * coarse["substeps"]), frames)
    return {**fine, "difference": abs(coarse["lowest"] / fine["lowest"] - 1.0)}


def _explicit_run(points: int, substeps: int, frames: int) -> dict[str, float]:
    """Return the lowest point [m], the largest stretch [-] and the substeps the frames took."""
    simulation = drop(points, integrator="explicit", substeps=substeps)
    reports = [simulation.step() for _ in range(frames)]
    statuses = {str(report.status) for report in reports}
    if not statuses <= {"ok", "substepped"}:
        raise ArithmeticError(f"the explicit reference of {points} x {points} points was {statuses}")
    return {
        "lowest": float(simulation.positions("cloth")[:, 1].min()),
        "max_stretch": max(report.max_stretch for report in reports),
        "substeps": reports[-1].substeps,
    }


def main(sides: list[int]) -> None:
    """Compute and store the converged motion of cloths with these sides."""
    stored: dict[str, Any] = {"material": MATERIAL, "cloths": {}}
    if CONVERGED.exists():
        old = json.loads(CONVERGED.read_text(encoding="utf-8"))
        if old["material"] == MATERIAL:
            stored = old
    for points in sides:
        found = converged(points)
        if found["difference"] > AGREEMENT:
            raise ArithmeticError(
                f"{points} x {points}: the two step sizes differ by {found['difference']:.1%}"
            )
        stored["cloths"][str(points)] = found
        sys.stdout.write(f"{points} x {points}: {found}\n")
        CONVERGED.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [20, 64, 224])
