import math
import time

import numpy as np
import pytest

import supple
from supple.adapt.time_budget import Budget, Load
from supple.integrate.adaptive_substeps import rungs
from supple.stopwatch import HAS_OWN_TIME, Stopwatch


def told(frames, budget=None):
    """Return a budget of 15 ms that was told of frames: load, whole, overhead and elements [ms]."""
    budget = budget or Budget(15.0, None)
    for frame in frames:
        budget.note(*frame)
    return budget


def test_without_a_budget_there_is_no_bound():
    budget = Budget(None, None)
    assert budget.is_endless
    assert budget.share(Load(1e9, 10**6)) == 0.0 and budget.used(3.0, 100) == 0.0


def test_a_budget_of_updates_is_what_it_says():
    budget = told([(Load(1, 1), 1000.0, 0.0, 0.0)] * 3, Budget(None, 500))
    assert budget.share(Load(100, 8)) == budget.share(Load(100, 64, is_switching=True)) == 0.2
    assert budget.used(3.0, 100) == 0.2
    assert budget.splitting_share == 0.95


def test_a_budget_of_time_begins_with_the_second_frame():
    budget = Budget(15.0, None)
    assert budget.share(Load(1, 1)) == math.inf
    budget.note(Load(10, 1), 5000.0, 0.0, 0.0)  # compiles
    assert budget.share(Load(1, 1)) == math.inf
    budget.note(Load(10, 1), 3.0, 0.0, 0.0)
    assert budget.share(Load(10, 1)) == pytest.approx(0.2)


def test_updates_substeps_and_overhead_have_prices_of_their_own():
    # 2 µs an update, 0.25 ms a substep, 1 ms once, 3 ms with a switch
    frames = [(Load(1000, 8), 5.0, 1.0, 2.0)] * 10 + [(Load(1000, 8, is_switching=True), 7.0, 3.0, 2.0)] * 10
    budget = told(frames[:1] + frames)
    assert budget.share(Load(1000, 8)) == pytest.approx(5.0 / 15.0)
    assert budget.share(Load(1000, 8, is_switching=True)) == pytest.approx(7.0 / 15.0)
    assert budget.share(Load(3000, 32)) == pytest.approx((6.0 + 8.0 + 1.0) / 15.0)
    assert budget.used(3.0, 1000) == 0.2


def test_it_prepares_for_dear_frames_but_not_for_the_dearest():
    usual, dear, odd = ((Load(1000, 8), milliseconds, 0.0, 0.0) for milliseconds in (2.0, 3.0, 80.0))
    budget = told([usual] * 34 + [dear] * 6 + [odd])
    assert budget.share(Load(1000, 8)) == pytest.approx(3.0 / 15.0)
    assert told([usual] * 50, budget).share(Load(1000, 8)) == pytest.approx(2.0 / 15.0)


def test_substeps_are_taken_as_far_as_the_time_reaches_and_do_not_jump_to_and_fro():
    assert Budget(None, None).affordable(rungs(20), 0) == Budget(15.0, None).affordable(rungs(20), 0) == 20
    assert told([(Load(0, 1), 1e9, 0.0, 0.0)] * 9, Budget(None, 500)).affordable(rungs(20), 0) == 20
    budget = told([(Load(0, 10), 10.0, 0.0, 0.0)] * 50)  # 1 ms a substep
    assert budget.affordable(rungs(20), 0) == 8
    told([(Load(0, 10), 9.5, 0.0, 0.0)] * 90, budget)
    assert budget.affordable(rungs(20), 0) == 8  # 12 would take 11.4 ms of 15, which is too much to rise
    told([(Load(0, 10), 8.0, 0.0, 0.0)] * 90, budget)
    assert budget.affordable(rungs(20), 0) == 12
    told([(Load(0, 10), 10.0, 0.0, 0.0)] * 90, budget)
    assert budget.affordable(rungs(20), 0) == 12  # 12 ms of 15, which is not too much to stay
    assert budget.affordable(rungs(5), 0) == 5
    told([(Load(0, 10), 1e6, 0.0, 0.0)] * 90, budget)
    assert budget.affordable(rungs(20), 0) == 1


def test_a_stopwatch_knows_how_much_of_its_time_was_its_own():
    watch = Stopwatch()
    time.sleep(0.02)  # others have the processor
    assert watch.own_share < 1.0 or not HAS_OWN_TIME


def test_what_other_programs_take_of_a_frame_does_not_count_against_a_budget():
    body = supple.SoftBody.box(size=(0.2, 0.2, 0.2), cell=0.05, levels=2)
    details = [supple.Simulation(supple.Scene(body), budget_ms=15.0).engine.level_of_detail for _ in range(2)]
    touched = np.full(10_000, -1)
    for _ in range(50):
        details[0].end_frame(touched, 4, 6.0, 1.0, 1.0)
        details[1].end_frame(touched, 4, 60.0, 10.0, 0.1)  # the same beside nine other programs
    alone, beside = (detail.budget.share(Load(0.0, 8)) for detail in details)
    assert alone == pytest.approx(beside) == pytest.approx((8 * 1.25 + 1.0) / 15.0)


@pytest.mark.parametrize("contact", ["off", "exact"])
def test_cloth_and_its_contacts_keep_to_the_budget_too(contact):
    sheet = supple.Cloth.rectangle(
        width=0.3, height=0.3, columns=7, rows=7, plane="xz", at=(0.0, 0.2, 0.0), self_contact=contact
    )
    scene = supple.Scene(sheet, supple.Sphere(radius=0.1))
    for budget, substeps, status in ((1e6, 10, "ok"), (1e-6, 1, "held-back")):
        simulation = supple.Simulation(scene, integrator="filter", substeps=10, budget_ms=budget)
        *_, report = simulation.run(0.2)
        assert (report.substeps, report.status) == (substeps, status)
        assert report.deadline_kept == (budget > 1.0) == (report.budget_used < 1.0)
    simulation.set(integrator="explicit")
    *_, report = simulation.run(0.2)
    assert report.substeps > 1 and report.is_finite  # as many as it needs to be stable
