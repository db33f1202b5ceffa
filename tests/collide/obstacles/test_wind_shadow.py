"""Obstacles shelter what is behind them."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.collide.obstacles.wind_shadow import (
    SIDE,
    Picture,
    covered_below,
    draw_silhouette,
    missing_share,
    shade_points,
)

WIND = np.array([3.0, 0.0, 4.0])
"""[m/s]"""

AHEAD = WIND / 5.0


def breeze(*obstacles, wind=WIND, **more):
    sheet = supple.Cloth.rectangle(width=0.1, height=0.1, columns=2, rows=2, at=(0.0, 50.0, 0.0))
    return supple.Simulation(supple.Scene(sheet, *obstacles, supple.Wind(velocity=tuple(wind), **more)))


def share(simulation, *places):
    """Return the speed over that of the free stream at some places."""
    return np.linalg.norm(simulation.wind_at(np.array(places)), axis=1) / 5.0


def wall(**more):
    """Return a wall one metre wide and high, across the wind."""
    return supple.Box(
        size=(1.0, 1.0, 0.05), rotation=(0.0, float(np.arctan2(3.0, 4.0)), 0.0), name="wall", **more
    )


def ball_mesh(**more):
    return supple.Mesh(supple.Sphere(radius=0.5).surface(), name="ball", **more)


OBSTACLES = {
    "wall": wall,
    "sphere": lambda: supple.Sphere(radius=0.5),
    "mesh": ball_mesh,
    "ellipsoid": lambda: supple.Ellipsoid(radii=(0.5, 0.5, 0.2)),
    "capsule": lambda: supple.Capsule(start=(0.0, -1.0, 0.0), end=(0.0, 1.0, 0.0), radius=0.5),
    "cylinder": lambda: supple.Cylinder(start=(0.0, -0.5, 0.0), end=(0.0, 0.5, 0.0), radius=0.5),
    "union": lambda: supple.Union(wall(at=(0.0, 0.25, 0.0)), wall(at=(0.0, -0.25, 0.0))),
}


@pytest.mark.parametrize("name", OBSTACLES)
def test_behind_an_obstacle_the_wind_is_gone_at_one_width_and_back_at_ten(name):
    simulation = breeze(OBSTACLES[name]())
    before, close, one, five, ten = share(simulation, *(d * AHEAD for d in (-1.0, 0.6, 1.0, 5.0, 10.0)))
    assert before == pytest.approx(1.0)
    assert close < 0.1 and one < 0.1
    assert 0.3 < five < ten
    assert ten > 0.8


def test_a_shadow_is_soft_at_its_edge_and_does_not_reach_beyond_it():
    aside = np.array([4.0, 0.0, -3.0]) / 5.0
    distances = np.linspace(0.0, 1.5, 151)
    shares = share(breeze(wall()), *(AHEAD + d * aside for d in distances))
    assert shares[0] < 1e-9 and shares[-1] == pytest.approx(1.0)
    assert np.abs(np.diff(shares)).max() < 0.05
    assert (np.diff(shares) > -1e-9).all()


def test_a_moving_wall_moves_its_shadow():
    simulation = breeze(wall())
    places = AHEAD, AHEAD + np.array([5.0, 0.0, 0.0])
    np.testing.assert_allclose(share(simulation, *places), [0.0, 1.0], atol=1e-9)
    simulation.move_obstacle("wall", (5.0, 0.0, 0.0), (0.0, float(np.arctan2(3.0, 4.0)), 0.0))
    simulation.step()
    np.testing.assert_allclose(share(simulation, *places), [1.0, 0.0], atol=1e-9)


def test_a_wall_that_turns_its_edge_to_the_wind_shelters_little():
    simulation = breeze(wall())
    simulation.move_obstacle("wall", (0.0, 0.0, 0.0), (0.0, float(np.arctan2(3.0, 4.0)) + np.pi / 2, 0.0))
    simulation.step()
    assert share(simulation, 1.5 * AHEAD)[0] > 0.8


def test_a_puppet_shelters_as_a_ball_of_its_shape_and_its_shadow_follows_how_it_deforms():
    vertices, triangles = supple.Sphere(radius=0.5).surface()
    aside = 4.0 * np.array([4.0, 0.0, -3.0]) / 5.0
    puppet = supple.Puppet(
        moments=[0.0, 0.02, 0.04],
        samples=[vertices, 0.2 * vertices, vertices + aside],
        triangles=triangles,
        name="ball",
    )
    places = [d * AHEAD for d in (0.6, 1.0, 5.0)]
    simulation, rigid = breeze(puppet), breeze(ball_mesh())
    as_ball = share(rigid, *places)
    np.testing.assert_allclose(share(simulation, *places), as_ball, atol=1e-9)
    assert share(breeze(puppet, shadow=False), AHEAD) == pytest.approx(1.0)
    simulation.step()
    # A fifth as large, it shelters at a metre as it did at five.
    assert share(simulation, AHEAD)[0] == pytest.approx(as_ball[2])
    simulation.step()
    np.testing.assert_allclose(share(simulation, *places), 1.0, atol=1e-9)
    np.testing.assert_allclose(share(simulation, *(place + aside for place in places)), as_ball, atol=1e-6)


def test_a_wind_that_turns_turns_the_shadow():
    simulation = breeze(supple.Sphere(radius=0.5))
    simulation.set(wind=supple.Wind(velocity=(0.0, 0.0, -5.0)))
    np.testing.assert_allclose(share(simulation, AHEAD, (0.0, 0.0, -1.0)), [1.0, 0.0], atol=1e-9)


def test_a_pole_shelters_no_more_than_its_width():
    pole = supple.Capsule(start=(0.0, -2.0, 0.0), end=(0.0, 2.0, 0.0), radius=0.02)
    one, ten = share(breeze(pole), 0.05 * AHEAD, 0.4 * AHEAD)
    assert one < 0.1
    assert ten > 0.8


def test_the_ground_shelters_from_a_wind_that_comes_out_of_it_only():
    place = np.array([[0.0, 1.0, 0.0]])
    for wind, expected in (((5.0, 0.0, 0.0), 1.0), ((3.0, -4.0, 0.0), 1.0), ((3.0, 4.0, 0.0), 0.0)):
        assert share(breeze(supple.Plane(), wind=wind), *place)[0] == pytest.approx(expected)


def test_two_obstacles_shelter_more_than_one():
    first = supple.Sphere(radius=0.3, name="a")
    second = supple.Sphere(radius=0.3, at=tuple(2.0 * AHEAD), name="b")
    alone, both = (share(breeze(*them), 4.0 * AHEAD)[0] for them in ((second,), (first, second)))
    assert both < alone < 1.0


def test_shadows_can_be_switched_off():
    assert share(breeze(wall(), shadow=False), AHEAD)[0] == pytest.approx(1.0)


def test_an_obstacle_behind_a_fan_does_not_shelter_from_it():
    fan = supple.Fan(at=(0.0, 0.0, 0.0), direction=(0.0, 0.0, 1.0), speed=5.0, radius=0.5)
    sheet = supple.Cloth.rectangle(width=0.1, height=0.1, columns=2, rows=2, at=(0.0, 50.0, 0.0))
    board = supple.Box(size=(1.0, 1.0, 0.05))
    speeds = {}
    for name, z in (("behind", -0.5), ("between", 0.5), ("after", 3.0)):
        simulation = supple.Simulation(supple.Scene(sheet, fan, board.changed(at=(0.0, 0.0, z))))
        speeds[name] = float(simulation.wind_at((0.0, 0.0, 1.5))[2])
    assert speeds["behind"] == speeds["after"] > 3.0
    assert speeds["between"] < 0.1 * speeds["after"]


def test_sheltered_cloth_moves_less_than_a_twentieth_as_much_as_exposed_cloth():
    sheets = [
        supple.Cloth.rectangle(
            width=0.4, height=0.4, columns=8, rows=8, at=(x, 0.0, 0.8), material="silk", name=name
        ).pinned("top")
        for name, x in (("sheltered", 0.0), ("exposed", 4.0))
    ]
    screen = supple.Box(size=(1.6, 1.6, 0.05))
    scene = supple.Scene(*sheets, screen, supple.Wind(velocity=(0.0, 0.0, 6.0), gusts=0.3))
    simulation = supple.Simulation(scene)
    moved = {"sheltered": 0.0, "exposed": 0.0}
    for report in simulation.run(4.0):
        if report.time > 1.0:
            for name in moved:
                moved[name] += float((simulation.velocities(name) ** 2).sum(axis=1).mean())
    assert moved["sheltered"] ** 0.5 < 0.05 * moved["exposed"] ** 0.5
    assert moved["exposed"] > 1.0


def blank():
    """Return a picture with nothing drawn in it."""
    return Picture(np.zeros(14), np.zeros((SIDE, SIDE)), np.zeros((SIDE + 1, SIDE + 1)))


def test_kernels_give_in_python_what_they_give_compiled():
    vertices, triangles = supple.Box(size=(0.6, 0.3, 0.1), rounding=0.02).surface()
    direction = np.array([0.36, 0.48, 0.8])
    drawn = []
    for kernel in (draw_silhouette, draw_silhouette.py_func):
        drawn.append(blank())
        kernel(vertices, triangles, direction, np.zeros_like(vertices), drawn[-1])
    for machine, hand in zip(*drawn, strict=True):
        np.testing.assert_allclose(machine, hand, rtol=1e-12, atol=1e-12)
    picture = drawn[0]
    assert covered_below(picture.sums, 7.3, 9.9) == covered_below.py_func(picture.sums, 7.3, 9.9) > 0.0
    place = 0.4 * direction
    assert 0.0 < missing_share(picture, *place) == missing_share.py_func(picture, *place)
    poses = np.zeros((1, 12))
    poses[0, [0, 4, 8]] = 1.0
    answers = np.ones((2, 3))
    for kernel, exposures in zip((shade_points, shade_points.py_func), answers, strict=True):
        points = np.array([0.4 * direction, -direction, 2.0 * direction])
        kernel(poses, 0, picture, -np.inf, direction, points, exposures)
    np.testing.assert_allclose(answers[0], answers[1], rtol=1e-12)


def test_the_picture_of_a_box_is_as_large_as_the_box():
    vertices, triangles = supple.Box(size=(2.0, 0.5, 0.2)).surface()
    picture = blank()
    along = np.array([0.0, 0.0, 1.0])
    draw_silhouette(vertices, triangles, along, np.zeros_like(vertices), picture)
    np.testing.assert_allclose(picture.frame[11:13], [1.0, 0.25])
    assert picture.sums[SIDE, SIDE] == SIDE * SIDE
    np.testing.assert_allclose(picture.depths, 0.1)
