"""Edits: how much longer a frame of 100 x 100 points takes when it begins with one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import supple
from benchmarks.bars import Bar, Say, Section

SIDE = 100
"""Points along a side of the cloth."""

REPEATS = 6
"""Edits of each kind; the quickest counts, as for every other figure."""

SMALL_MS, STROKE_MS = 5.0, 15.0
"""What an edit of up to 30 springs, and a stroke through the whole sheet, may add to a frame [ms]."""

Act = Callable[[supple.Simulation, int], object]


class Kind(NamedTuple):
    """An edit, and the sheet that it is made in."""

    act: Act
    is_fresh: bool = False
    """Whether every edit is made in a sheet of its own."""

    is_first: bool = False
    """Whether nothing was edited before; otherwise a short cut was."""

    has_wind: bool = False
    is_exact: bool = False

    @property
    def has_bar(self) -> bool:
        """Whether there is one for it."""
        return not self.is_exact


def _small_cut(simulation: supple.Simulation, n: int) -> None:
    y = 0.4 - 0.1 * n
    simulation.cut("cloth", path=[(0.0, y, 0.0), (0.025, y + 0.01, 0.0)])


def _stroke(simulation: supple.Simulation, n: int) -> None:
    simulation.cut("cloth", path=[(-0.6, 0.03, 0.0), (0.6, -0.1, 0.0)])


def _seam(simulation: supple.Simulation, n: int) -> None:
    first = 10 + 12 * n
    left = [SIDE * row + 2 for row in range(first, first + 10)]
    right = [SIDE * row + 6 for row in range(first, first + 10)]
    simulation.seam(("cloth", left), ("cloth", right), seconds=0.8)


def edit(say: Say) -> Section:
    """Time cuts, seams and undo on a hanging sheet."""
    rows: list[tuple[str | float, ...]] = []
    added: dict[str, float] = {}
    kinds = {
        "cut of some 30 springs": Kind(_small_cut),
        "seam of 10 pairs": Kind(_seam),
        "stroke across the sheet": Kind(_stroke, is_fresh=True),
        "stroke in the wind": Kind(_stroke, is_fresh=True, has_wind=True),
        "the first cut of a sheet": Kind(_small_cut, is_fresh=True, is_first=True),
        "a cut, exact contact": Kind(_small_cut, is_exact=True),
    }
    for label, kind in kinds.items():
        say(label)
        costs, plain = _costs(kind)
        if kind.has_bar:
            added[label] = min(costs)
        rows.append((label, plain, min(costs), sorted(costs)[len(costs) // 2]))
    bars = tuple(
        Bar(
            name=f"{label} adds to a frame",
            measured=milliseconds,
            rule="at most",
            limit=STROKE_MS if "stroke" in label else SMALL_MS,
            unit="ms",
        )
        for label, milliseconds in added.items()
    )
    return Section(
        title=f"Edits of a hanging sheet, {SIDE} x {SIDE} points, 2 substeps",
        columns=("edit", "plain frame [ms]", "added, quickest [ms]", "added, median [ms]"),
        rows=tuple(rows),
        bars=bars,
        notes=(
            "The first cut of a sheet finds its triangles linked and memory to work in: made beside the first frames.",
            "The edit and the frame after it, less a plain frame; time of the process, not of the clock.",
            "With exact contact a cut is tried on a copy, rebuilds the bounding-volume hierarchy and parts its borders.",
        ),
    )


def _costs(kind: Kind) -> tuple[list[float], float]:
    """Return what each edit added to its frame, and a plain frame [ms]; the first edit compiles.

    Plain frames are taken between the edits, so that both are measured beside the same load.
    """
    plain, edited = [], []
    simulation = calm = _hanging(kind)
    for n in range(REPEATS + 1):
        plain += [_timed(calm.step) for _ in range(2)]
        if kind.is_fresh:
            simulation = _hanging(kind)
        if kind.is_fresh and not kind.is_first:
            _small_cut(simulation, 4)
            simulation.step()

        def frame(simulation: supple.Simulation = simulation, n: int = n) -> None:
            kind.act(simulation, n)
            simulation.step()

        edited.append(_timed(frame))
    return [one - min(plain) for one in edited[1:]], min(plain)


def _hanging(kind: Kind) -> supple.Simulation:
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=SIDE, rows=SIDE, material="cotton")
    cloth = cloth.changed(self_contact="exact" if kind.is_exact else "off")
    wind = [supple.Wind(velocity=(0.2, 0.0, 0.2))] if kind.has_wind else []
    simulation = supple.Simulation(supple.Scene(cloth.pinned("top"), *wind), substeps=2)
    for _ in range(10):  # a fifth of a second: what the first cut needs is then made
        simulation.step()
    return simulation


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1e3 * (time.process_time() - start)
