from __future__ import annotations

import math

import pytest

from benchmarks import cost_curve


def test_slope_of_linear_cost_is_one() -> None:
    assert math.isclose(cost_curve.slope((100, 2.0), (10_000, 200.0)), 1.0)


def test_curve_has_a_line_per_size_and_a_bar_per_integrator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_curve, "SIDES", (4, 5, 6))
    monkeypatch.setattr(cost_curve, "SLOPE_SIDES", (4, 6))
    section = cost_curve.cost_curve(lambda _: None)
    assert [row[1] for row in section.rows] == [16, 25, 36]
    assert len(section.bars) == 3
    assert all(math.isfinite(bar.measured) for bar in section.bars)
