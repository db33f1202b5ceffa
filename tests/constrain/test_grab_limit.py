"""Hands wait for what they pull, where it must not pass through itself."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.constrain.grab_limit import (
    LEAST_VOLUME,
    MOST_SOFT,
    limit_grabs,
    share_by_length,
    share_by_stride,
    share_by_volume,
)
from supple.model.springs import SpringArrays


@pytest.mark.parametrize("share_of", [share_by_length, share_by_length.py_func])
def test_a_hand_goes_until_an_edge_has_the_length_that_is_easy(share_of):
    starts = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    for goal in ((-3.0, 0.0, 0.0), (-3.0, 2.0, -1.0), (9.0, 0.0, 0.5)):
        targets = np.array([goal, (1.0, 0.0, 0.0)])
        share = share_of(starts, targets, 0, 1, 1.3, 1.6, 0.0)
        assert 0.0 < share < 1.0
        assert np.linalg.norm(share * targets[0] - targets[1]) == pytest.approx(1.3)
    nearer = np.array([(1.2, 0.9, 0.0), (1.0, 0.0, 0.0)])
    assert share_of(starts, nearer, 0, 1, 1.3, 1.6, 0.0) == 1.0
    assert share_of(starts, starts, 0, 1, 0.5, 0.6, 0.0) == 1.0  # it stands still, however long the edge is


@pytest.mark.parametrize("share_of", [share_by_length, share_by_length.py_func])
def test_an_edge_that_is_long_grows_slowly_and_not_beyond_the_most(share_of):
    targets = np.array([(-3.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    for now, after in ((1.4, 1.4 + 0.01 * 1.3), (1.595, 1.6), (1.8, 1.8)):
        starts = np.array([(1.0 - now, 0.0, 0.0), (1.0, 0.0, 0.0)])
        share = share_of(starts, targets, 0, 1, 1.3, 1.6, 0.01)
        end = starts[0] + share * (targets[0] - starts[0])
        assert np.linalg.norm(end - targets[1]) == pytest.approx(after, abs=1e-12)


@pytest.mark.parametrize("share_of", [share_by_volume, share_by_volume.py_func])
def test_a_hand_presses_an_element_together_but_never_through(share_of):
    starts = np.array([(0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    targets = starts.copy()
    targets[0] = (0.3, 0.2, -4.0)
    share = share_of(starts, targets, 0, 1, 2, 3, 1.0 / 6.0)
    assert starts[0, 2] + share * (targets[0, 2] - starts[0, 2]) == pytest.approx(LEAST_VOLUME)
    starts[0, 2] = -0.5  # inside out already: it may come back, and go no deeper
    assert share_of(starts, targets, 0, 1, 2, 3, 1.0 / 6.0) == 0.0
    targets[0, 2] = 0.7
    assert share_of(starts, targets, 0, 1, 2, 3, 1.0 / 6.0) == 1.0


@pytest.mark.parametrize("share_of", [share_by_stride, share_by_stride.py_func])
def test_a_hand_that_has_waited_does_not_hurry(share_of):
    starts, targets = np.zeros((1, 3)), np.array([[0.0, 0.3, 0.4]])
    assert share_of(starts, targets, 0, 0.5) == 1.0
    assert share_of(starts, targets, 0, 0.5 - 1e-15) == 1.0
    assert share_of(starts, targets, 0, 0.1) == pytest.approx(0.2, rel=1e-12)
    assert share_of(starts, starts, 0, 0.0) == 1.0


def test_kernels_give_in_python_what_they_give_compiled():
    rng = np.random.default_rng(2)
    starts, targets = rng.uniform(-1.0, 1.0, (2, 9, 3))
    is_hand = np.array([True, False, True, False, False, True, False, False, True])
    ends, lengths = np.array([(0, 1), (1, 2), (2, 0), (3, 8)], dtype=np.uint32), rng.uniform(0.3, 0.6, 4)
    corners = np.array([(4, 5, 6, 7), (5, 8, 3, 4)], dtype=np.uint32)
    results = []
    for slow in (limit_grabs, limit_grabs.py_func):
        shares, after = np.zeros(9), targets.copy()
        slow(
            is_hand,
            np.full(9, 5.0),
            SpringArrays(ends, lengths, np.zeros(4), np.zeros(4)),
            corners,
            np.full(2, 0.05),
            0.1 * starts,
            0.01,
            starts,
            shares,
            after,
        )
        results.append((shares, after))
        assert (shares[~is_hand] == 1.0).all() and (shares[is_hand] < 1.0).any()
        np.testing.assert_array_equal(after[shares == 1.0], targets[shares == 1.0])
    np.testing.assert_allclose(results[0][0], results[1][0], rtol=1e-12)
    np.testing.assert_allclose(results[0][1], results[1][1], rtol=1e-12)


def test_a_hand_on_exact_cloth_waits_and_arrives_and_on_other_cloth_is_there_at_once():
    for mode, waits in (("exact", True), ("off", False)):
        sheet = supple.Cloth.rectangle(width=0.3, height=0.3, columns=7, rows=7, self_contact=mode)
        simulation = supple.Simulation(supple.Scene(sheet))
        goal = simulation.positions("cloth")[0] + (0.0, 0.5, 0.3)
        simulation.grab("cloth", vertex=0, target=tuple(goal))
        simulation.step()
        left = np.linalg.norm(simulation.positions("cloth")[0] - goal)
        assert left > 0.05 if waits else left < 1e-12
        for _ in range(10):
            simulation.step()
        assert np.linalg.norm(simulation.positions("cloth")[0] - goal) < 1e-12


def test_jelly_that_must_not_pass_through_itself_can_be_lifted_by_one_point():
    ball = supple.SoftBody.ball(
        radius=0.1, cell=0.05, material="jelly", self_contact="exact", at=(0, 0.11, 0), name="b"
    )
    simulation = supple.Simulation(supple.Scene(ball, supple.Plane(friction=0.5)))
    top = int(simulation.positions("b")[:, 1].argmax())
    start = simulation.positions("b")[top].copy()
    for frame in range(90):
        goal = start + np.array([0.0, 0.5 * min(1.0, frame / 40), 0.0])
        simulation.grab("b", vertex=top, target=tuple(goal))
        report = simulation.step()
    assert simulation.positions("b")[top, 1] == pytest.approx(start[1] + 0.5)
    assert simulation.positions("b")[:, 1].min() > 0.1
    assert report.max_stretch < MOST_SOFT


def yanked(body, obstacles, seed, yanks, reach):
    """Yank points of a body about, let go, and return the reports of 1.5 s and what was intersected."""
    rng = np.random.default_rng(seed)
    simulation = supple.Simulation(supple.Scene(body, *obstacles))
    count, crossed = len(simulation.positions("b")), 0
    for _ in range(yanks):
        held = int(rng.integers(count))
        goal = simulation.positions("b")[held] + rng.uniform(-reach, reach, 3)
        goal[1] = goal[1] if rng.uniform() < 0.6 else -0.3  # now and then below the ground
        simulation.grab("b", vertex=held, target=tuple(goal))
        for _ in range(8):
            simulation.step()
        crossed += simulation.intersections()
        simulation.release("b", vertex=held)
    reports = [simulation.step() for _ in range(90)]
    return simulation, reports, crossed + simulation.intersections()


@pytest.mark.parametrize(("material", "seed"), [("jelly", 1), ("rubber", 6)])
def test_a_soft_body_that_is_yanked_about_and_below_the_ground_is_round_again_after_a_second(material, seed):
    ball = supple.SoftBody.ball(
        radius=0.1, cell=0.05, material=material, self_contact="exact", at=(0, 0.2, 0), name="b"
    )
    simulation, reports, crossed = yanked(ball, [supple.Plane(friction=0.5)], seed, 6, 0.7)
    assert crossed == 0
    assert max(report.max_stretch for report in reports[60:]) < 1.6  # it was 16 m long, for ever
    assert np.ptp(simulation.positions("b"), axis=0).max() < 0.26
    assert simulation.depth() < 1e-3


@pytest.mark.parametrize("seed", [1, 7])
def test_a_rubber_box_that_is_yanked_about_a_sphere_finds_back_to_its_shape(seed):
    """By the passes alone it was locked in itself, at 9.0 and 4.2 times its length."""
    box = supple.SoftBody.box(
        size=(0.3, 0.12, 0.16), cell=0.06, material="rubber", self_contact="exact", at=(0, 0.35, 0), name="b"
    )
    sphere = supple.Sphere(radius=0.15, at=(0, 0.1, 0))
    _, reports, crossed = yanked(box, [supple.Plane(friction=0.5), sphere], seed, 10, 1.0)
    assert crossed == 0
    assert max(report.max_stretch for report in reports[60:]) < 1.3


@pytest.mark.parametrize("seed", [2, 7])
def test_wool_that_two_hands_pull_about_a_sphere_is_as_long_as_it_was_woven(seed):
    """By the passes alone it stayed wound up, at 3.4 and 5.7 times its length."""
    rng = np.random.default_rng(seed)
    wool = supple.Cloth.rectangle(
        width=0.5, height=0.4, columns=18, rows=14, material="wool", plane="xz", self_contact="exact", thickness=0.002,
        at=(0, 0.6, 0), name="b",
    )  # fmt: skip
    sphere = supple.Sphere(radius=0.15, at=(0, 0.1, 0))
    simulation = supple.Simulation(supple.Scene(wool, supple.Plane(friction=0.5), sphere))
    for _ in range(8):
        for held in rng.choice(18 * 14, 2, replace=False):
            goal = simulation.positions("b")[held] + rng.uniform(-0.7, 0.7, 3)
            simulation.grab("b", vertex=int(held), target=(goal[0], max(goal[1], 0.02), goal[2]))
        for _ in range(8):
            simulation.step()
        if rng.uniform() < 0.7:
            simulation.release_all()
    simulation.release_all()
    reports = [simulation.step() for _ in range(80)]
    assert max(report.max_stretch for report in reports[60:]) < 1.3
    assert simulation.intersections() == 0


def test_cloth_that_is_yanked_about_in_a_corner_is_as_long_as_it_was_woven():
    cloth = supple.Cloth.rectangle(
        width=0.4, height=0.3, columns=13, rows=10, material="denim", self_contact="exact", at=(0, 0.5, 0), name="b"
    )  # fmt: skip
    corner = [
        supple.Plane(friction=0.5),
        supple.Box(size=(0.1, 1.0, 1.0), at=(0.35, 0.5, 0.0)),
        supple.Sphere(radius=0.12, at=(-0.3, 0.12, 0.1)),
    ]
    simulation, reports, crossed = yanked(cloth, corner, 3, 8, 0.7)
    assert crossed == 0
    assert max(report.max_stretch for report in reports[60:]) < 1.5
    assert simulation.depth() < 1e-3
