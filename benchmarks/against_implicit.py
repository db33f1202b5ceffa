"""400 masses: the filter against Newton with conjugate gradients on the exact system."""

from __future__ import annotations

from benchmarks.bars import Bar, Say, Section
from benchmarks.cloth import OurCloth
from benchmarks.race import race

SIDE = 20
SUBSTEPS = (1, 10)


def against_implicit(say: Say) -> Section:
    """Compare both at equal substeps: one step of 20 ms, as in the paper, and our default of ten."""
    rows: list[tuple[str | float, ...]] = []
    bars = []
    for substeps in SUBSTEPS:
        competitors = {name: OurCloth(SIDE, name, substeps=substeps) for name in ("filter", "implicit")}
        results = race(competitors, repeats=4, say=say)
        ratio = results["implicit"].cpu_ms / results["filter"].cpu_ms
        for name, result in results.items():
            rows.append((name, substeps, result.cpu_ms, result.max_stretch, result.lowest))
        name = f"implicit / filter, {substeps} substep{'s' if substeps > 1 else ''} of {20 / substeps:g} ms"
        bars.append(Bar(name=name, measured=ratio, rule="at least", limit=10.0))
    return Section(
        title=f"{SIDE * SIDE} masses: filter against conjugate gradients on the exact system",
        columns=("integrator", "substeps", "ms/frame", "largest stretch", "lowest at 0.5 s [m]"),
        rows=tuple(rows),
        bars=tuple(bars),
    )
