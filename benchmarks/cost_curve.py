"""Milliseconds per frame against the number of points."""

from __future__ import annotations

import math

from benchmarks.bars import Bar, Say, Section
from benchmarks.cloth import OurCloth
from benchmarks.race import race

SIDES = (20, 32, 64, 100, 224)
SLOPE_SIDES = (32, 224)
"""The two sizes between which the slope is taken; below, fixed costs of a frame still show."""

SUBSTEPS = {"jacobi": 10, "xpbd": 20, "filter": 10}
SLOPES = {"jacobi": 1.1, "xpbd": 1.1, "filter": 1.2}
"""Largest exponent asked of the cost in the number of points [-]."""


def cost_curve(say: Say) -> Section:
    """Time every integrator at every size, all of them in turns."""
    keys = {f"{name} {side} x {side}": (name, side) for side in SIDES for name in SUBSTEPS}
    cloths = {label: OurCloth(side, name, substeps=SUBSTEPS[name]) for label, (name, side) in keys.items()}
    results = race(cloths, frames=10, repeats=4, block=2, say=say)
    cost = {keys[label]: result.cpu_ms for label, result in results.items()}
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (f"{side} x {side}", side * side, *(cost[name, side] for name in SUBSTEPS)) for side in SIDES
    )
    small, large = SLOPE_SIDES
    bars = tuple(
        Bar(
            name=f"{name}, slope from {small} x {small} to {large} x {large}",
            measured=slope((small**2, cost[name, small]), (large**2, cost[name, large])),
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
