"""The cloth against PositionBasedDynamics, at 64 x 64 and at 224 x 224."""

from __future__ import annotations

from contextlib import closing

from benchmarks.bars import Bar, Say, Section
from benchmarks.cloth import Competitor, OurCloth
from benchmarks.peer_pypbd import INSTALL_HINT, PEER_SUBSTEPS, PeerCloth, is_available
from benchmarks.race import Result, race
from benchmarks.truth import CONVERGED, stored_truth

PEER = "pypbd"
COLUMNS = ("method", "substeps", "ms/frame", "pypbd / ours", "largest stretch", "lowest at 0.5 s [m]")


def against_peer(say: Say) -> Section:
    """64 x 64: `filter` and `xpbd` against the peer."""
    ratios = {"filter": 5.0, "xpbd": 6.0}
    return compare(64, {"filter": 10, "xpbd": 20}, ratios, stretch=1.05, fall=0.10, repeats=4, say=say)


def against_peer_large(say: Say) -> Section:
    """224 x 224: `filter` against the peer."""
    return compare(224, {"filter": 10}, {"filter": 12.0}, stretch=1.2, fall=0.15, repeats=2, say=say)


def compare(
    points: int,
    substeps: dict[str, int],
    ratios: dict[str, float],
    *,
    stretch: float,
    fall: float,
    repeats: int = 1,
    say: Say,
) -> Section:
    """Race our integrators against the peer on a cloth of `points` x `points` points.

    Args:
        points: points along one side
        substeps: substeps per frame of each of our integrators
        ratios: how many times faster than the peer each is asked to be [-]
        stretch: largest stretch asked of `filter` [-]
        fall: largest relative error asked of its lowest point [-]
        repeats: number of runs
        say: takes the progress
    """
    results = _race(points, substeps, repeats=repeats, say=say)
    truth = stored_truth(points)
    bars = [*_ratio_bars(results, ratios), *_motion_bars(results["filter"], truth, stretch, fall)]
    return _section(points, substeps, results, truth, bars)


def _race(points: int, substeps: dict[str, int], *, repeats: int, say: Say) -> dict[str, Result]:
    ours: dict[str, Competitor] = {
        name: OurCloth(points, name, substeps=count) for name, count in substeps.items()
    }
    if not is_available():
        return race(ours, repeats=repeats, say=say)
    with closing(PeerCloth(points)) as peer:
        return race({**ours, PEER: peer}, repeats=repeats, say=say)


def _ratio_bars(results: dict[str, Result], limits: dict[str, float]) -> list[Bar]:
    if PEER not in results:
        return []
    return [
        Bar(
            name=f"pypbd / {name}",
            measured=results[PEER].cpu_ms / results[name].cpu_ms,
            rule="at least",
            limit=limit,
        )
        for name, limit in limits.items()
    ]


def _motion_bars(result: Result, truth: float, stretch: float, fall: float) -> list[Bar]:
    return [
        Bar(name="filter, largest stretch", measured=result.max_stretch, rule="at most", limit=stretch),
        Bar(
            name="filter, lowest point against the converged one",
            measured=abs(result.lowest / truth - 1.0),
            rule="at most",
            limit=fall,
        ),
    ]


def _section(
    points: int, substeps: dict[str, int], results: dict[str, Result], truth: float, bars: list[Bar]
) -> Section:
    rows: list[tuple[str | float, ...]] = []
    for name, result in results.items():
        ratio = results[PEER].cpu_ms / result.cpu_ms if PEER in results else "-"
        count = substeps.get(name, PEER_SUBSTEPS)
        rows.append((name, count, result.cpu_ms, ratio, result.max_stretch, result.lowest))
    rows.append(("converged in time", "-", "-", "-", stored_truth(points, "max_stretch"), truth))
    notes = [f"Converged motion: stored in {CONVERGED.name}; `python -m benchmarks.truth` computes it anew."]
    if PEER not in results:
        notes.append(f"No ratio: {INSTALL_HINT}.")
    return Section(
        title=f"{points} x {points} cloth against PositionBasedDynamics",
        columns=COLUMNS,
        rows=tuple(rows),
        bars=tuple(bars),
        notes=tuple(notes),
    )
