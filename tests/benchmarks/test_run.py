from __future__ import annotations

import json
import math

import pytest

from benchmarks import run
from benchmarks.bars import Bar, Say, Section


def _section(measured: float) -> Section:
    bar = Bar(name="speed", measured=measured, rule="at least", limit=2.0, unit="s")
    return Section(
        title="A race", columns=("who", "low [m]"), rows=(("us", 1.25),), bars=(bar,), notes=("Why.",)
    )


@pytest.fixture
def fake_sections(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    ran: list[str] = []

    def fake(name: str, measured: float) -> Section:
        ran.append(name)
        return _section(measured)

    def good(say: Say) -> Section:
        say("running")
        return fake("good", 3.0)

    monkeypatch.setattr(run, "SECTIONS", {"good": good, "bad": lambda say: fake("bad", 1.0)})
    return ran


def test_every_bar_met_gives_exit_code_zero(fake_sections: list[str]) -> None:
    assert run.run_benchmarks(False, ["good"]) == 0
    assert fake_sections == ["good"]


def test_a_missed_bar_gives_exit_code_one(fake_sections: list[str]) -> None:
    assert run.run_benchmarks(False, None) == 1
    assert fake_sections == ["good", "bad"]


def test_unknown_section_is_named_and_nothing_runs(
    fake_sections: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.run_benchmarks(False, ["goood"]) == 2
    error = capsys.readouterr().err
    assert "goood" in error and "good, bad" in error
    assert not fake_sections


def test_people_see_every_bar_beside_its_limit(
    fake_sections: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run.run_benchmarks(False, None)
    out = capsys.readouterr().out
    assert "met    speed: 3.000 s (at least 2 s)" in out
    assert "missed speed: 1.000 s (at least 2 s)" in out
    assert "1 of 2 bars met" in out
    assert "low [m]" in out
    assert "Why." in out


def test_machines_get_one_json_document(fake_sections: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run.run_benchmarks(True, None)
    document = json.loads(capsys.readouterr().out)
    assert document["sections"]["bad"]["bars"][0]["is_met"] is False
    assert document["sections"]["good"]["rows"] == [["us", 1.25]]
    assert document["machine"]["processors"] >= 1


def test_a_bar_is_never_met_by_nan() -> None:
    assert not Bar(name="x", measured=math.nan, rule="at most", limit=1.0).is_met
    assert not Bar(name="x", measured=math.nan, rule="at least", limit=1.0).is_met
