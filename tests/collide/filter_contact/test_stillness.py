"""Parts that carry themselves and hardly move fall still, each as a whole, and wake when they are led or struck."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.collide.filter_contact.stillness import LED, SLOW, UNEVEN, WAKING, measure_parts, settle_parts

LEADERS = np.array([0, 0, 0, 0, 4, 4])
"""Two parts: four points that touch each other, and two that touch nothing."""


def after_one_substep(velocities, stillness=0.0, is_fixed=(), push=1.0, change=0.25):
    """Return how still the points are after a substep, by the compiled kernels and in Python alike."""
    answers = []
    held = np.isin(np.arange(6), is_fixed)
    for measure, settle in ((measure_parts, settle_parts), (measure_parts.py_func, settle_parts.py_func)):
        sums, shares = np.ones((6, 4)), np.full(6, stillness)
        measure(
            1, np.array([[0, 1, 2, 3]], dtype=np.int32), np.array([push]), LEADERS, velocities, held, sums
        )
        settle(LEADERS, sums, change, shares)
        answers.append(shares)
    np.testing.assert_array_equal(*answers)
    return answers[0]


def speeds(*values: float) -> np.ndarray:
    velocities = np.zeros((6, 3))
    velocities[: len(values), 1] = values
    return velocities


def test_a_slow_part_that_carries_something_falls_still_step_by_step():
    slow = speeds(0.9 * SLOW, -0.9 * SLOW, 0.9 * SLOW, 0.9 * SLOW)
    np.testing.assert_array_equal(after_one_substep(slow), [0.25, 0.25, 0.25, 0.25, 0.0, 0.0])
    np.testing.assert_array_equal(after_one_substep(slow, 0.9)[:4], 1.0)


def test_a_part_that_touches_nothing_moves_freely_however_slow():
    assert not after_one_substep(np.zeros((6, 3)), push=0.0).any()


@pytest.mark.parametrize("fastest", [0.9, 1.1])
def test_one_fast_point_keeps_its_part_awake(fastest):
    shares = after_one_substep(speeds(fastest * UNEVEN * SLOW / 2.1))
    assert shares[:4].any() == (fastest < 1.0)  # one of four is twice as fast as their root mean square


def test_a_still_part_wakes_at_twice_the_speed_at_which_it_fell_still():
    between, beyond = speeds(*[0.95 * WAKING * SLOW] * 4), speeds(*[1.05 * WAKING * SLOW] * 4)
    assert not after_one_substep(between).any()
    assert (after_one_substep(between, 0.5)[:4] == 0.75).all()
    assert (after_one_substep(beyond, 0.5)[:4] == 0.25).all()


def test_a_part_that_a_hand_leads_is_never_still():
    slow = speeds(2.0 * LED)
    assert after_one_substep(slow)[:4].all()
    assert not after_one_substep(slow, is_fixed=(0,))[:4].any()
    assert after_one_substep(slow, is_fixed=(1,))[:4].all()  # it is held, but stays where it is


def test_sheets_that_lie_on_each_other_fall_still_and_a_hanging_one_does_not():
    def sheet(name: str, height: float) -> supple.Cloth:
        return supple.Cloth.rectangle(
            width=0.1, height=0.1, columns=4, rows=4, plane="xz", at=(0.0, height, 0.0), name=name,
            self_contact="exact", thickness=0.002,
        )  # fmt: skip

    scene = supple.Scene(
        sheet("low", 0.001), sheet("high", 0.004), sheet("hanging", 0.5).pinned("top"), supple.Plane()
    )
    simulation = supple.Simulation(scene, integrator="filter")
    for _ in range(15):
        simulation.step()
    particles = simulation.engine.world.particles
    np.testing.assert_array_equal(particles.stillness, np.repeat([1.0, 1.0, 0.0], 16))
    simulation.grab("high", 0, (0.3, 0.3, 0.0))
    for _ in range(4):
        simulation.step()
    assert not particles.stillness[16:32].any()
