"""400 masses: the filter against conjugate gradients on the exact system."""

from __future__ import annotations

from benchmarks.bars import Bar, Say, Section
from benchmarks.cloth import Competitor, FrameLog, OurCloth
from benchmarks.race import race

SIDE = 20
SUBSTEPS = (1, 10)
LIMIT = 10.0
"""How many times faster the paper says the filter is [-]."""


class OneSolve(OurCloth):
    """The exact system linearised and solved once per substep, as Baraff and Witkin do.

    The papers measure themselves against this; Newton to convergence, our `implicit`, repeats it
    until nothing moves.
    """

    def advance(self, frames: int) -> FrameLog:
        """Compute `frames` frames with a single Newton step in each substep."""
        from supple.integrate import implicit

        usual = implicit.MOST_NEWTON_STEPS
        implicit.MOST_NEWTON_STEPS = 1
        try:
            return super().advance(frames)
        finally:
            implicit.MOST_NEWTON_STEPS = usual


def against_implicit(say: Say) -> Section:
    """Compare them at equal substeps: one step of 20 ms, as in the paper, and our default of ten."""
    rows: list[tuple[str | float, ...]] = []
    bars = []
    for substeps in SUBSTEPS:
        competitors: dict[str, Competitor] = {
            "filter": OurCloth(SIDE, "filter", substeps=substeps),
            "one exact solve": OneSolve(SIDE, "implicit", substeps=substeps),
            "exact to convergence": OurCloth(SIDE, "implicit", substeps=substeps),
        }
        results = race(competitors, repeats=3, say=say)
        fastest = results["filter"].cpu_ms
        for name, result in results.items():
            ratio = result.cpu_ms / fastest
            rows.append((name, substeps, result.cpu_ms, ratio, result.max_stretch, result.lowest))
            if name != "filter":
                what = f"{name} / filter, steps of {20 / substeps:g} ms"
                bars.append(Bar(name=what, measured=ratio, rule="at least", limit=LIMIT))
    return Section(
        title=f"{SIDE * SIDE} masses: filter against conjugate gradients on the exact system",
        columns=("method", "substeps", "ms/frame", "/ filter", "largest stretch", "lowest at 0.5 s [m]"),
        rows=tuple(rows),
        bars=tuple(bars),
        notes=("At one step of 20 ms the filter is stable but slow to turn; hence ten by default.",),
    )
