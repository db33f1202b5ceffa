import numpy as np
import pytest

from supple.collide.distance_map import winding
from supple.collide.distance_map.winding import winding_number, winding_numbers, winding_tree
from supple.scene.obstacles.mesh_parts import rounded_box, turned_part


def corners_of(mesh):
    vertices, triangles = mesh
    return vertices[triangles].reshape(-1, 9)


def plain_sum(corners, point):
    return sum(winding.solid_angle(corners, t, *point) for t in range(len(corners)))


def test_one_inside_and_zero_outside_a_closed_surface():
    tree = winding_tree(corners_of(rounded_box((1.0, 0.6, 0.4), 0.05)))
    points = np.random.default_rng(0).uniform(-0.7, 0.7, (3000, 3))
    apart = np.abs(points) - (0.5, 0.3, 0.2)
    inside, outside = (apart < -0.06).all(axis=1), (apart > 0.01).any(axis=1)
    numbers = np.empty(len(points))
    winding_numbers(tree, points, numbers)
    assert np.abs(numbers[inside] - 1.0).max() < 0.06
    assert np.abs(numbers[outside]).max() < 0.06


def test_the_tree_agrees_with_the_plain_sum_over_all_triangles():
    corners = corners_of(turned_part([(0.3, 0.0), (0.5, 0.0), (0.5, 0.4), (0.3, 0.4)], 60))
    tree = winding_tree(corners)
    for point in np.random.default_rng(1).uniform(-0.8, 0.8, (200, 3)):
        assert winding_number(tree, *point) == pytest.approx(plain_sum(corners, point), abs=0.03)


def test_a_hole_changes_the_number_smoothly_and_the_middle_stays_inside():
    corners = corners_of(rounded_box((1.0, 1.0, 1.0), 0.1))
    without_lid = corners[corners.reshape(-1, 3, 3)[:, :, 1].mean(axis=1) < 0.499]
    tree = winding_tree(without_lid)
    number = [winding_number(tree, 0.0, y, 0.0) for y in (-0.4, 0.0, 0.45, 0.7, 2.0)]
    assert number == sorted(number, reverse=True)
    assert number[0] > 0.9
    assert number[1] > 0.7
    assert number[4] < 0.1


def test_a_mesh_of_one_triangle_has_a_tree_of_one_node():
    tree = winding_tree(np.array([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]))
    assert tree.nodes.shape == (1, 7)
    assert winding_number(tree, 0.3, 0.3, -1.0e-6) == pytest.approx(0.5, abs=1e-4)


def test_compiled_and_plain_python_agree(monkeypatch):
    corners = corners_of(rounded_box((1.0, 0.6, 0.4), 0.05, 0.3, 1))
    points = np.random.default_rng(5).uniform(-0.7, 0.7, (20, 3))
    compiled, plain = np.empty(20), np.empty(20)
    winding_numbers(winding_tree(corners), points, compiled)
    for name in ("fill_tree", "solid_angle", "winding_number", "winding_numbers"):
        monkeypatch.setattr(winding, name, getattr(winding, name).py_func)
    winding.winding_numbers(winding.winding_tree(corners), points, plain)
    np.testing.assert_allclose(plain, compiled, atol=1e-12)
