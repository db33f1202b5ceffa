"""What a frame may cost, whatever is asked of it: integrators that would take too much work do less, and say so."""

from __future__ import annotations

import pytest

import supple
from supple.integrate import implicit


@pytest.mark.parametrize(("self_contact", "most"), [("off", 1200), ("exact", 350)])
def test_explicit_takes_no_more_substeps_of_many_points_than_a_frame_has_time_for(self_contact, most):
    """2,000 of 2,025 points took 1.4 s of processor time, and 4.6 s with exact contact."""
    sheet = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=45, rows=45, self_contact=self_contact, name="b"
    )
    simulation = supple.Simulation(supple.Scene(sheet), integrator="explicit")
    simulation.set("b", density=1e-4, stretch_stiffness=1e6)
    explicit = simulation.engine.integrator
    assert explicit.substeps(simulation.frame_seconds, 10) == pytest.approx(most, rel=0.02)
    explicit.prepare(simulation.frame_seconds / most)
    assert 0.0 < explicit.softened < 1.0


def test_explicit_takes_as_many_substeps_of_few_points_as_ever():
    sheet = supple.Cloth.rectangle(width=0.3, height=0.3, columns=6, rows=6, self_contact="exact", name="b")
    simulation = supple.Simulation(supple.Scene(sheet), integrator="explicit")
    simulation.set("b", density=1e-4, stretch_stiffness=1e6)
    report = simulation.step()
    assert report.substeps == 2000 and report.status == "softened"


def test_implicit_ends_where_a_frame_has_done_its_work_and_says_so(monkeypatch):
    """60 Newton steps of 1,000 steps of conjugate gradients each took minutes for a frame of 2,000 points."""
    sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=12, rows=12, name="b").pinned("top-left")
    reports = []
    for work in (implicit.MOST_WORK, 144 * 200):
        monkeypatch.setattr(implicit, "MOST_WORK", work)
        simulation = supple.Simulation(supple.Scene(sheet), integrator="implicit")
        simulation.set("b", density=1e-3, stretch_stiffness=1e6)
        simulation.grab("b", 143, (3.0, 1.0, 2.0))
        reports.append(simulation.step())
    free, bound = reports
    assert free.status == "ok" and free.iterations > 2000
    assert bound.status == "held-back" and bound.is_finite
    assert bound.iterations <= 200 + implicit.MOST_GRADIENT_STEPS + bound.substeps * implicit.SHORT_STEPS
