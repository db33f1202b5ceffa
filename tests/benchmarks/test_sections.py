"""The sections at tiny sizes: that they measure something, never how fast."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from benchmarks import (
    against_implicit,
    against_peer,
    air,
    environments,
    levels,
    many_runs,
    soft,
    start_up,
    truth,
)
from benchmarks.cloth import MATERIAL, OurCloth
from benchmarks.peer_soft import PEERS, is_available


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "converged.json"
    monkeypatch.setattr(truth, "CONVERGED", file)
    return file


def test_our_cloth_starts_over_after_a_reset() -> None:
    cloth = OurCloth(6, "filter", substeps=4)
    first = cloth.advance(3)
    cloth.reset()
    second = cloth.advance(3)
    assert first.lowest == second.lowest < -0.01
    assert first.max_stretch == second.max_stretch >= 1.0


def test_filter_and_exact_system_are_timed_at_equal_substeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against_implicit, "SIDE", 5)
    section = against_implicit.against_implicit(lambda _: None)
    methods = ("filter", "one exact solve", "exact to convergence")
    assert [row[:2] for row in section.rows] == [(name, count) for count in (1, 10) for name in methods]
    assert all(bar.measured > 0 for bar in section.bars)


def test_one_exact_solve_takes_fewer_iterations_than_newton_to_convergence() -> None:
    from supple.integrate import implicit

    usual = implicit.MOST_NEWTON_STEPS
    once = against_implicit.OneSolve(6, "implicit", substeps=1)
    fully = OurCloth(6, "implicit", substeps=1)
    assert once.advance(3).lowest != fully.advance(3).lowest
    assert implicit.MOST_NEWTON_STEPS == usual


def test_without_the_peer_the_section_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, stored: Path
) -> None:
    stored.write_text(
        json.dumps({"material": MATERIAL, "cloths": {"6": {"lowest": -0.8, "max_stretch": 1.0}}})
    )
    monkeypatch.setattr(against_peer, "is_available", lambda: False)
    section = against_peer.compare(
        6, {"filter": 10}, {"filter": 5.0}, stretch=9.0, fall=9.0, say=lambda _: None
    )
    assert any("pip install" in note for note in section.notes)
    assert [bar.name for bar in section.bars] == [
        "filter, largest stretch",
        "filter, lowest point against the converged one",
    ]


@pytest.mark.skipif(not against_peer.is_available(), reason="pypbd is not installed")
def test_with_the_peer_the_section_has_its_ratio(stored: Path) -> None:
    stored.write_text(
        json.dumps({"material": MATERIAL, "cloths": {"6": {"lowest": -0.8, "max_stretch": 1.0}}})
    )
    section = against_peer.compare(
        6, {"filter": 10}, {"filter": 5.0}, stretch=9.0, fall=9.0, say=lambda _: None
    )
    assert section.bars[0].name == "pypbd / filter"
    assert [row[0] for row in section.rows] == ["filter", "pypbd", "converged in time"]


def test_two_step_sizes_of_the_truth_agree() -> None:
    found = truth.converged(6, frames=5)
    assert found["difference"] < truth.AGREEMENT
    assert -0.1 < found["lowest"] < -0.03


def test_truth_that_is_not_stored_says_how_to_compute_it(stored: Path) -> None:
    stored.write_text(json.dumps({"material": {}, "cloths": {}}))
    with pytest.raises(LookupError, match=r"python -m benchmarks\.truth 64"):
        truth.stored_truth(64)


def test_truth_is_stored_and_found_again(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"lowest": -0.5, "max_stretch": 1.1, "substeps": 9, "difference": 0.0}
    monkeypatch.setattr(truth, "converged", lambda points: found)
    truth.main([6])
    truth.main([7])
    assert truth.stored_truth(6) == truth.stored_truth(7) == -0.5
    assert truth.stored_truth(6, "max_stretch") == 1.1


def test_stored_motion_belongs_to_the_benchmark_material() -> None:
    assert all(-1.0 < truth.stored_truth(points) < -0.7 for points in (20, 64, 224))


def test_import_time_is_measured_in_a_fresh_process() -> None:
    assert 0.0 < start_up._import_time() < math.inf
    assert "numba" in sys.modules  # of this process, which is not the one that is timed


def test_the_air_stage_is_a_part_of_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(air, "SIDE", 6)
    monkeypatch.setattr(air, "FRAMES", 3)
    section = air.air(lambda _: None)
    (share,) = section.bars
    assert 0.0 < share.measured < 100.0
    frame, triangles, wind = (row[1] for row in section.rows)
    assert 0.0 < triangles + wind < frame


def test_soft_bars_are_raced_and_ours_is_left_to_settle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft, "CELLS", {"1,000": 0.15, "10,000": 0.12})
    monkeypatch.setattr(soft, "FRAMES", 5)
    monkeypatch.setattr(soft, "SETTLING", 5)
    section = soft.soft(lambda _: None)
    present = [peer for peer in PEERS if is_available(peer)]
    assert len(section.rows) == 2 * (1 + len(present))
    assert all(row[3] > 0.0 and row[4] < 0.0 for row in section.rows)
    assert len(section.bars) == 2 + 2 * ("pypbd" in present) + ("mujoco" in present)


def test_without_peers_the_soft_section_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft, "CELLS", {"1,000": 0.3})
    monkeypatch.setattr(soft, "FRAMES", 5)
    monkeypatch.setattr(soft, "SETTLING", 1)
    monkeypatch.setattr(soft, "is_available", lambda peer: False)
    section = soft.soft(lambda _: None)
    assert sum("pip install" in note for note in section.notes) == len(PEERS)


def test_the_liver_is_compared_and_poked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "CELL", 0.016)
    monkeypatch.setattr(levels, "FRAMES", 24)
    monkeypatch.setattr(levels, "SESSION", 8)
    section = levels.levels(lambda _: None)
    assert [row[0] for row in section.rows] == ["pressed", "ringing"]
    assert len(section.bars) == 4 and 0.0 < section.bars[2].measured < 100.0


def test_environments_and_images_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SIDE": 6, "ENVIRONMENTS": 2, "STEPS": 2, "ROUNDS": 1, "IMAGES": 2}.items():
        monkeypatch.setattr(environments, name, value)
    for peer in (environments.peer_pypbd, environments.peer_flex):
        monkeypatch.setattr(peer, "is_available", lambda: False)
    section = environments.environments(lambda _: None)
    assert section.rows[0][1] > 0 and section.bars[0].measured > 0


def test_sweeps_and_their_scheduling_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"RUNS": 4, "SIDE": 4, "EMPTY_RUNS": 40, "PROCESSES": 1}.items():
        monkeypatch.setattr(many_runs, name, value)
    section = many_runs.many_runs(lambda _: None)
    assert len(section.rows) == 2 and all(bar.measured > 0 for bar in section.bars)
