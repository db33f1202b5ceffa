import numpy as np
import pytest

from supple.collide.narrow_phase.point_triangle import closest_from, triangle_distance2

TRIANGLE = np.array([0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0])


@pytest.mark.parametrize("closest", [closest_from, closest_from.py_func])
@pytest.mark.parametrize(
    ("point", "foot", "part"),
    [
        ((0.5, 0.5, 3.0), (0.5, 0.5, 0.0), 0),
        ((1.0, -1.0, 0.5), (1.0, 0.0, 0.0), 1),
        ((2.0, 2.0, -1.0), (1.0, 1.0, 0.0), 2),
        ((-1.0, 1.0, 0.0), (0.0, 1.0, 0.0), 3),
        ((-1.0, -1.0, 1.0), (0.0, 0.0, 0.0), 4),
        ((4.0, -1.0, 0.0), (2.0, 0.0, 0.0), 5),
        ((-1.0, 4.0, 0.0), (0.0, 2.0, 0.0), 6),
    ],
)
def test_each_of_the_seven_parts_is_found(closest, point, foot, part):
    assert closest(TRIANGLE, 0, *point) == (*foot, part)


@pytest.mark.parametrize("squared", [triangle_distance2, triangle_distance2.py_func])
def test_no_point_of_the_triangle_is_closer_than_the_one_found(squared):
    generator = np.random.default_rng(3)
    coordinates = generator.normal(size=27)
    shares = generator.dirichlet([1.0, 1.0, 1.0], 4000)
    samples = shares @ coordinates[9:18].reshape(3, 3)
    for point in generator.normal(size=(30, 3)):
        sampled = np.min(np.sum((samples - point) ** 2, axis=1))
        found = squared(coordinates, 9, *point)
        assert found <= sampled + 1e-12
        assert found >= sampled - 0.25 * np.sqrt(sampled) - 0.01


@pytest.mark.parametrize("squared", [triangle_distance2, triangle_distance2.py_func])
def test_a_triangle_without_area_is_a_line(squared):
    line = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0])
    assert squared(line, 0, 2.0, 1.0, 0.0) == pytest.approx(1.0)
