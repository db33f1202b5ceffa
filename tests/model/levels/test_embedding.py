import numpy as np
import pytest

from supple.model.levels.embedding import cell_of, embedded, nearest_points
from supple.scene.soft_shapes.soft_shapes import SoftBall


@pytest.fixture(scope="module")
def meshes():
    return SoftBall(radius=0.1, cell=0.05).mesh, SoftBall(radius=0.1, cell=0.03).mesh


def test_weights_give_every_point_back_also_outside(meshes):
    (places, corners), (points, _) = meshes
    elements, weights = embedded(points, places, corners)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-14)
    back = (weights[:, :, None] * places[corners[elements]]).sum(axis=1)
    np.testing.assert_allclose(back, points, rtol=0, atol=1e-14)


def test_points_inside_get_no_negative_weight_and_points_outside_hardly_one(meshes):
    (places, corners), (points, _) = meshes
    middles = places[corners].mean(axis=1)
    elements, weights = embedded(middles, places, corners)
    np.testing.assert_array_equal(elements, np.arange(len(corners)))
    np.testing.assert_allclose(weights, 0.25, rtol=0, atol=1e-12)
    _, weights = embedded(points, places, corners)
    assert (weights < -1e-9).any()
    assert np.abs(weights).sum(axis=1).max() < 2.0


def test_the_nearest_place_is_the_nearest(meshes):
    (places, _), (points, _) = meshes
    far = np.concatenate([points, 3.0 * points[:20]])
    found = nearest_points(far, places)
    distances = np.linalg.norm(far[:, None] - places[None], axis=2)
    np.testing.assert_allclose(distances[np.arange(len(far)), found], distances.min(axis=1), rtol=1e-12)


@pytest.mark.parametrize("x", [-5.0, 0.0, 0.31, 99.0])
def test_a_cell_is_the_same_compiled_and_in_python(x):
    assert cell_of(x, 0.0, 0.1, 7) == cell_of.py_func(x, 0.0, 0.1, 7) == min(max(int(x / 0.1), 0), 6)
