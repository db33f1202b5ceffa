"""Simulation: what a frame reports, that runs repeat to the bit, and how substeps are chosen."""

import gc
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest

import supple
from tests.physics.bodies import INTEGRATORS, NO_GRAVITY, chain, lattice, mesh, sheet


def run_all(seconds=0.2, **settings):
    scene = supple.Scene(
        sheet(stretch_limit=0.03, damping=0.05).pinned("top-left"),
        mesh().changed(name="mesh", at=(0.0, 2.0, 0.0)),
        chain().pinned("start"),
        lattice(),
    )
    simulation = supple.Simulation(scene, **settings)
    simulation.grab("mesh", 4, (0.0, 2.5, 1.0))
    for _ in simulation.run(seconds):
        pass
    return np.concatenate([simulation.positions(name) for name in simulation.body_names])


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_two_runs_are_identical_to_the_bit(integrator):
    np.testing.assert_array_equal(run_all(integrator=integrator), run_all(integrator=integrator))


THREADED = """
import hashlib, numpy as np, supple
digest = hashlib.sha256()
for integrator in ("explicit", "jacobi", "filter", "implicit", "xpbd"):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=12, rows=12)
    simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left")), integrator=integrator)
    for _ in simulation.run(0.2):
        pass
    digest.update(simulation.positions("cloth").tobytes())
for solver in ("factor", "multigrid"):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=40, rows=40)
    simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left")), solver=solver)
    for _ in simulation.run(0.06):
        pass
    digest.update(simulation.positions("cloth").tobytes())
print(digest.hexdigest())
"""


def test_one_and_two_threads_give_the_same_bits():
    digests = set()
    for threads in ("1", "2"):
        environment = {
            **os.environ,
            "NUMBA_NUM_THREADS": threads,
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
        }
        result = subprocess.run(
            [sys.executable, "-c", THREADED], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(result.stdout)
    assert len(digests) == 1


# ---------------------------------------------------------------- substeps


def test_explicit_substeps_by_itself_and_says_so():
    simulation = supple.Simulation(supple.Scene(sheet(1000.0)), integrator="explicit", substeps=2)
    report = simulation.step()
    assert report.status == "substepped"
    assert report.substeps > 2
    calm = supple.Simulation(supple.Scene(sheet(1.0)), integrator="explicit", substeps=10)
    report = calm.step()
    assert (report.status, report.substeps) == ("ok", 10)


def test_explicit_takes_ten_times_the_substeps_for_a_hundred_times_the_stiffness():
    taken = [
        supple.Simulation(supple.Scene(sheet(k)), integrator="explicit", substeps=1).step().substeps
        for k in (1e3, 1e5)
    ]
    assert taken[1] == pytest.approx(10 * taken[0], rel=0.1)


def test_explicit_at_its_own_step_is_stable_and_at_twice_it_is_not():
    """The stable step is neither a guess nor far too small."""
    body = sheet(1000.0, points=8)
    kept = supple.Simulation(supple.Scene(body, gravity=NO_GRAVITY), integrator="explicit", substeps=1)
    wild = supple.Simulation(supple.Scene(body, gravity=NO_GRAVITY), integrator="explicit", substeps=1)
    small = type(kept.engine.integrator)._step_of_small_motion
    wild.engine.integrator._step_of_small_motion = lambda: 2.1 * small(kept.engine.integrator)
    for simulation in (kept, wild):
        positions = simulation.engine.world.particles.positions
        positions += 1e-4 * np.random.default_rng(0).standard_normal(positions.shape)
    reports = {name: list(s.run(1.0)) for name, s in {"kept": kept, "wild": wild}.items()}
    assert max(report.kinetic_energy for report in reports["kept"]) < 3e-3
    assert max(report.kinetic_energy for report in reports["wild"]) > 1.0


def test_explicit_softens_what_no_number_of_substeps_could_hold():
    simulation = supple.Simulation(
        supple.Scene(chain(1e12).pinned("start").changed(rotation=(0.0, 0.0, 1.0))), integrator="explicit"
    )
    reports = [simulation.step() for _ in range(5)]
    assert {report.status for report in reports} == {"softened"}
    assert {report.substeps for report in reports} == {2000}
    assert max(report.max_stretch for report in reports) < 1.01


def test_adaptive_substeps_rise_with_speed_and_stiffness():
    def substeps(stiffness, speed):
        body = sheet(stiffness).changed(velocity=(speed, 0.0, 0.0))
        return supple.Simulation(supple.Scene(body), substeps="auto").step().substeps

    by_stiffness = [substeps(k, 0.0) for k in (0.0, 10.0, 1e3, 1e5, 1e7)]
    by_speed = [substeps(10.0, v) for v in (0.0, 20.0, 60.0, 200.0)]
    assert by_stiffness == sorted(by_stiffness) and by_stiffness[0] < by_stiffness[2] < by_stiffness[-1]
    assert by_speed == sorted(by_speed) and by_speed[0] < by_speed[2] < by_speed[-1]
    assert max(by_stiffness + by_speed) <= 32


def test_adaptive_substeps_follow_a_hand_frame_by_frame():
    simulation = supple.Simulation(supple.Scene(sheet(10.0)), substeps="auto")
    calm = simulation.step().substeps
    simulation.grab("cloth", 0, (0.0, 2.0, 0.0))
    simulation.step()
    assert simulation.step().substeps > calm


# ---------------------------------------------------------------- the report


def test_a_report_says_what_a_frame_did():
    body = sheet(points=5).changed(velocity=(1.0, 0.0, 0.0), at=(0.0, 2.0, 0.0))
    simulation = supple.Simulation(supple.Scene(body), substeps=4)
    report = simulation.step()
    assert (report.frame, report.substeps, report.is_finite, report.contacts) == (1, 4, True, 0)
    assert report.time == pytest.approx(0.02)
    mass = simulation.masses("cloth").sum()
    fallen = 9.81 * 0.02
    np.testing.assert_allclose(report.linear_momentum, [mass, -mass * fallen, 0.0], rtol=1e-9, atol=1e-12)
    assert report.angular_momentum[2] == pytest.approx(-2.0 * mass, rel=0.01)
    assert report.kinetic_energy == pytest.approx(0.5 * mass * (1.0 + fallen**2), rel=1e-9)
    assert report.potential_energy == pytest.approx(2.0 * 9.81 * mass, rel=1e-2)
    assert report.max_stretch == pytest.approx(1.0, abs=1e-9)
    assert report.milliseconds == pytest.approx(sum(report.stage_milliseconds.values()), rel=0.2)
    assert 0 <= report.worst_particle < 25


def test_a_budget_decides_whether_the_deadline_is_kept():
    scene = supple.Scene(sheet())
    assert supple.Simulation(scene, budget_ms=1e6).step().deadline_kept
    assert not supple.Simulation(scene, budget_ms=1e-6).step().deadline_kept


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_frame_that_leaves_finite_numbers_is_taken_back(integrator):
    simulation = supple.Simulation(supple.Scene(sheet()), integrator=integrator, substeps=50)
    simulation.step()
    before = simulation.positions("cloth").copy()
    simulation.engine.world.particles.velocities[7, 1] = np.inf
    report = simulation.step()
    assert report.status == "diverged"
    assert not report.is_finite
    np.testing.assert_array_equal(simulation.positions("cloth"), before)
    np.testing.assert_array_equal(simulation.velocities("cloth"), 0.0)
    assert simulation.step().status == "ok"


def test_an_error_within_a_frame_leaves_everything_where_it_was():
    """Such as one in a user's function that moves an obstacle."""

    def move(time):
        if time > end:
            raise ZeroDivisionError("the path ends here")
        return (0.0, -3.0, 0.5), (0.0, 0.0, 0.0)

    end = np.inf
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=6, rows=6).pinned("top-left")
    simulation = supple.Simulation(supple.Scene(sheet, supple.Sphere(radius=0.2, motion=move)), substeps=4)
    for _ in simulation.run(seconds=0.2):
        pass
    before, frame = simulation.positions("cloth").copy(), simulation.frame
    end = simulation.time + 0.5 * simulation.frame_seconds
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            simulation.step()
        assert np.array_equal(simulation.positions("cloth"), before)
        assert simulation.frame == frame
    end = np.inf
    assert simulation.step().frame == frame + 1
    assert not np.array_equal(simulation.positions("cloth"), before)


def test_run_yields_a_report_per_frame_and_refuses_nonsense():
    simulation = supple.Simulation(supple.Scene(sheet()), frame_rate=25.0)
    assert [report.frame for report in simulation.run(0.2)] == [1, 2, 3, 4, 5]
    assert list(simulation.run(0.0)) == []
    for seconds in (-1.0, float("nan"), float("inf")):
        with pytest.raises(supple.SuppleError):
            next(simulation.run(seconds))


def test_views_are_read_only_and_stay_live():
    simulation = supple.Simulation(supple.Scene(sheet()))
    positions = simulation.positions("cloth")
    before = positions.copy()
    for view in (positions, simulation.velocities("cloth"), simulation.masses("cloth")):
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1.0
    simulation.step()
    assert (positions[:, 1] < before[:, 1]).all()


def test_an_unknown_body_is_named_with_a_suggestion():
    simulation = supple.Simulation(supple.Scene(sheet()))
    with pytest.raises(supple.SuppleError, match=r"Did you mean .cloth."):
        simulation.positions("clot")


def test_unknown_settings_are_refused():
    with pytest.raises(supple.SuppleError):
        supple.Simulation(supple.Scene(sheet()), integrator="rk4")
    with pytest.raises(supple.SuppleError):
        supple.Simulation(supple.Scene(sheet()), substep=3)


def test_a_simulation_that_nobody_uses_any_more_is_freed_at_once():
    """A studio that starts its scene again and again must not wait for the garbage collector."""
    gc.collect()
    gc.disable()
    try:
        simulation = supple.Simulation(supple.Scene(sheet()))
        simulation.step()
        simulation.cut("cloth", plane=((0.01, 0.0, 0.0), (1.0, 0.0, 0.0)))
        simulation.step()
        engine = weakref.ref(simulation.engine)
        del simulation
        assert engine() is None
    finally:
        gc.enable()
