"""Shapes: the distance is a distance, the gradient its gradient, the sign the inside."""

import numpy as np
import pytest

from supple.collide.obstacles import shapes
from supple.collide.obstacles.shapes import inside_outside, shape_distance

SHAPES = {
    "plane": (shapes.PLANE, (0.6, 0.8, 0.0, 0.1)),
    "sphere": (shapes.SPHERE, (0.5,)),
    "ellipsoid": (shapes.ELLIPSOID, (0.5, 0.2, 0.9)),
    "disc": (shapes.ELLIPSOID, (0.6, 0.05, 0.6)),
    "box": (shapes.BOX, (0.3, 0.4, 0.5, 0.0)),
    "rounded box": (shapes.BOX, (0.3, 0.4, 0.5, 0.1)),
    "capsule": (shapes.CAPSULE, (0.0, 0.0, 0.0, 0.5, 0.5, 0.1, 0.2)),
    "cylinder": (shapes.CYLINDER, (0.0, 0.0, 0.0, 0.5, 0.5, 0.1, 0.2)),
    "torus": (shapes.TORUS, (0.6, 0.2)),
}


def parameters_of(values):
    parameters = np.zeros(shapes.PARAMETER_COUNT)
    parameters[: len(values)] = values
    return parameters


@pytest.mark.parametrize("name", SHAPES)
def test_walking_the_distance_along_the_gradient_ends_on_the_surface(name):
    kind, values = SHAPES[name]
    parameters = parameters_of(values)
    random = np.random.default_rng(1)
    for point in random.normal(scale=0.6, size=(500, 3)):
        distance, *gradient = shape_distance(kind, parameters, *point)
        assert np.linalg.norm(gradient) == pytest.approx(1.0, abs=1e-12)
        landed = point - distance * np.array(gradient)
        assert abs(shape_distance(kind, parameters, *landed)[0]) < 1e-12


@pytest.mark.parametrize("name", SHAPES)
def test_the_distance_never_changes_faster_than_one_moves(name):
    kind, values = SHAPES[name]
    parameters = parameters_of(values)
    random = np.random.default_rng(2)
    for point, move in zip(
        random.normal(scale=0.6, size=(500, 3)), random.normal(scale=0.1, size=(500, 3)), strict=True
    ):
        before = shape_distance(kind, parameters, *point)[0]
        after = shape_distance(kind, parameters, *(point + move))[0]
        assert abs(after - before) <= np.linalg.norm(move) * (1.0 + 1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_the_inside_outside_function_has_the_sign_of_the_distance_and_its_own_gradient(name):
    kind, values = SHAPES[name]
    parameters = parameters_of(values)
    random = np.random.default_rng(3)
    for point in random.normal(scale=0.6, size=(300, 3)):
        value, *gradient = inside_outside(kind, parameters, *point)
        assert np.sign(value) == np.sign(shape_distance(kind, parameters, *point)[0])
        for axis in range(3):
            step = np.zeros(3)
            step[axis] = 1e-6
            slope = (
                inside_outside(kind, parameters, *(point + step))[0]
                - inside_outside(kind, parameters, *(point - step))[0]
            ) / 2e-6
            assert gradient[axis] == pytest.approx(slope, rel=1e-3, abs=2e-3)


@pytest.mark.parametrize("name", SHAPES)
def test_points_of_high_symmetry_have_a_finite_answer(name):
    kind, values = SHAPES[name]
    parameters = parameters_of(values)
    for point in ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1), (0.25, 0.25, 0.05)):
        answer = shape_distance(kind, parameters, *point)
        assert np.isfinite(answer).all()
        assert np.linalg.norm(answer[1:]) == pytest.approx(1.0, abs=1e-9)
        assert np.allclose(shape_distance.py_func(kind, parameters, *point), answer, atol=1e-12)


def test_the_centre_of_an_ellipsoid_is_its_shortest_radius_deep():
    distance = shape_distance(shapes.ELLIPSOID, parameters_of((0.5, 0.2, 0.9)), 0.0, 0.0, 0.0)[0]
    assert distance == pytest.approx(-0.2, abs=1e-12)
