"""Milliseconds per frame against the number of points."""

from __future__ import annotations

import math

from benchmarks.bars import Bar, Say, Section
from benchmarks.cloth import OurCloth
from benchmarks.race import race

SIDES = (20, 32, 64, 100, 224)
SUBSTEPS = {"jacobi": 10, "xpbd": 20, "filter": 10}
SLOPES = {"jacobi": 1.1, "xpbd": 1.1, "filter": 1.2}
"""Largest exponent of the cost in the number of points, between 32 x 32 and 224 x 224."""


def cost_curve(say: Say) -> Section:
    """Time every integrator at every size, all of them in turns."""
    competitors = {
        f"{name} {side} x {side}": OurCloth(side, name, substeps=count)
        for side in SIDES
        for name, count in SUBSTEPS.items()
    }
    results = race(competitors, frames=10, repeats=4, block=2, say=say)
    cost = {key: result.cpu_ms for key, result in results.items()}
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (f"{side} x {side}", side * side, *(cost[f"{name} {side} x {side}"] for name in SUBSTEPS))
        for side in SIDES
    )
    bars = tuple(
        Bar(
            name=f"{name}, slope from 32 x 32 to 224 x 224",
            measured=slope((32**2, cost[f"{name} 32 x 32"]), (224**2, cost[f"{name} 224 x 224"])),
            rule="at most",
            limit=limit,
        )
        for name, limit in SLOPES.items()
    )
    return Section(
        title="Milliseconds per frame by size",
        columns=("cloth", "points", *(f"{name}, {count} substeps" for name, count in SUBSTEPS.items())),
        rows=rows,
        bars=bars,
    )


def slope(small: tuple[float, float], large: tuple[float, float]) -> float:
    """Return the exponent p of cost ~ points^p through two (points, cost) pairs [-]."""
    return math.log(large[1] / small[1]) / math.log(large[0] / small[0])
