"""Hands do not lead points into obstacles, and what is deep inside comes out slowly."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.collide.obstacles.hand_targets import keep_targets_outside
from supple.collide.obstacles.particle_contact import EMERGENCE

OBSTACLES = {
    "plane": supple.Plane(),
    "sphere": supple.Sphere(radius=0.3, at=(0.0, -0.3, 0.0)),
    "box": supple.Box(size=(1.0, 0.2, 1.0), at=(0.0, -0.1, 0.0)),
    "thin": supple.Box(size=(1.0, 0.01, 1.0), at=(0.0, -0.005, 0.0)),
    "mesh": supple.Mesh(supple.Box(size=(1.0, 0.2, 1.0)).surface(), at=(0.0, -0.1, 0.0)),
}


def sheet(**options):
    options = {"plane": "xz", "at": (0.0, 0.05, 0.0), **options}
    return supple.Cloth.rectangle(width=0.2, height=0.2, columns=5, rows=5, **options)


@pytest.mark.parametrize("kind", OBSTACLES)
def test_a_hand_that_points_into_or_through_an_obstacle_stays_outside(kind):
    simulation = supple.Simulation(supple.Scene(sheet(), OBSTACLES[kind]))
    simulation.grab("cloth", vertex=12, target=(0.02, -0.15, 0.01))
    for _ in range(10):
        simulation.step()
        assert simulation.depth() < 0.0
        assert simulation.positions("cloth")[12, 1] > -0.02
    assert simulation.positions("cloth")[12, 1] < 0.01  # it went as far as it could


def test_a_hand_is_pushed_by_an_obstacle_that_comes_and_passes_what_repels_or_falls():
    ball = supple.Sphere(radius=0.05, at=(0.0, -0.2, 0.0), name="ball")
    simulation = supple.Simulation(supple.Scene(sheet(), ball, gravity=(0.0, 0.0, 0.0)))
    start = simulation.positions("cloth")[12].copy()
    simulation.grab("cloth", vertex=12, target=tuple(start))
    for height in np.linspace(-0.2, 0.1, 20):
        simulation.move_obstacle("ball", at=(0.0, float(height), 0.0))
        simulation.step()
        assert simulation.depth() < 0.0
    for other in (ball.changed(response="repel"), ball.changed(mass=0.1)):
        simulation = supple.Simulation(supple.Scene(sheet(), other, gravity=(0.0, 0.0, 0.0)))
        simulation.grab("cloth", vertex=12, target=(0.0, -0.2, 0.0))
        simulation.step()
        assert simulation.positions("cloth")[12, 1] == pytest.approx(-0.2)


def test_a_pin_that_was_placed_inside_goes_where_it_is_told():
    cloth = sheet(at=(0.0, -0.05, 0.0)).pinned([12])
    simulation = supple.Simulation(supple.Scene(cloth, OBSTACLES["plane"]))
    simulation.grab("cloth", vertex=12, target=(0.0, -0.08, 0.0))
    simulation.step()
    assert simulation.positions("cloth")[12, 1] == pytest.approx(-0.08)


def test_what_starts_deep_inside_comes_out_at_a_limited_speed():
    depth = 0.1
    simulation = supple.Simulation(
        supple.Scene(sheet(at=(0.0, -depth, 0.0)), OBSTACLES["plane"], gravity=(0.0, 0.0, 0.0))
    )
    frame = 1.0 / simulation.frame_rate
    simulation.step()
    assert simulation.depth() == pytest.approx(depth - EMERGENCE * frame, abs=2e-3)
    for _ in range(round(depth / (EMERGENCE * frame))):
        simulation.step()
        # The last of it, less than a shell, is led out within a substep as ever.
        assert np.linalg.norm(simulation.velocities("cloth"), axis=1).max() < 2.0 * EMERGENCE
    assert simulation.depth() < 0.0


def test_the_kernel_gives_in_python_what_it_gives_compiled():
    simulation = supple.Simulation(supple.Scene(sheet(), OBSTACLES["sphere"], OBSTACLES["box"]))
    simulation.step()
    obstacles, points = simulation.engine.obstacles, np.array([3, 12], dtype=np.int64)
    starts, results = simulation.positions("cloth").copy(), []
    for keep in (keep_targets_outside, keep_targets_outside.py_func):
        targets = starts + np.array([0.02, -0.2, 0.03])
        keep(obstacles.solids, obstacles.properties, obstacles.poses, points, starts, targets)
        assert (targets[points, 1] > 0.0).all()
        results.append(targets)
    np.testing.assert_allclose(results[0], results[1], rtol=1e-12)
