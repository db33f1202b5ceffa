from __future__ import annotations

import math

import igl
import numpy as np
import pytest

import supple
from supple.collide.distance_map import blocks, build, candidate_triangles, distance_map, mesh_repair, winding
from supple.collide.distance_map.candidate_triangles import HALF_DIAGONAL
from supple.collide.distance_map.disk_cache import distance_map as distance_map_of
from supple.collide.distance_map.distance_map import (
    DistanceMap,
    map_distance,
    map_distances,
    pack_maps,
)
from supple.collide.narrow_phase import point_triangle
from supple.errors import SuppleError
from supple.scene.obstacles.mannequin import mannequin
from supple.scene.obstacles.mesh_parts import joined, moved, rounded_box

NAMES = ["box", "blob", "torus", "mannequin", "holed ball"]


def true_distances(vertices, triangles, points):
    """Signed distances by libigl, with its own winding number for the sign."""
    squares, _, _ = igl.point_mesh_squared_distance(points, vertices, triangles)
    inside = igl.fast_winding_number(vertices, triangles, points) > 0.5
    return np.where(inside, -1.0, 1.0) * np.sqrt(squares)


def points_around(vertices, triangles, voxel, count=10_000):
    """Half of them anywhere round the mesh, half within a voxel or so of its surface."""
    generator = np.random.default_rng(11)
    low, high = vertices.min(axis=0) - 5.0 * voxel, vertices.max(axis=0) + 5.0 * voxel
    anywhere = generator.uniform(low, high, (count // 2, 3))
    chosen = triangles[generator.integers(0, len(triangles), count // 2)]
    shares = generator.dirichlet([1.0, 1.0, 1.0], count // 2)
    near = np.einsum("nk,nkj->nj", shares, vertices[chosen])
    near += 0.4 * voxel * generator.normal(size=near.shape)
    return np.ascontiguousarray(np.concatenate([anywhere, near]))


@pytest.fixture(scope="module", params=NAMES)
def case(request, maps):
    vertices, triangles, made = maps[request.param]
    points = points_around(vertices, triangles, made.voxel)
    distances, normals = made.query(points)
    return request.param, made, points, true_distances(vertices, triangles, points), distances, normals


def near_hole(name, points):
    """The cap of the holed ball was cut off at about y = 0.36."""
    return (
        np.linalg.norm(points - (0.0, 0.36, 0.0), axis=1) < 0.25
        if name == "holed ball"
        else np.zeros(len(points), bool)
    )


def test_the_error_in_the_band_is_below_half_a_voxel_diagonal(case):
    name, made, points, true, found, _ = case
    in_band = (np.abs(true) < build.BAND * made.voxel) & ~near_hole(name, points)
    error = np.abs(found - true)[in_band] / made.voxel
    assert np.count_nonzero(in_band) > 4000
    assert error.max() < HALF_DIAGONAL
    assert error.mean() < 0.02


def test_on_the_surface_the_error_is_a_few_hundredths_of_a_voxel(case):
    name, made, points, true, found, _ = case
    at_surface = (np.abs(true) < 0.25 * made.voxel) & ~near_hole(name, points)
    error = np.abs(found - true)[at_surface] / made.voxel
    assert np.quantile(error, 0.99) < 0.03
    assert error.max() < 0.12


def test_the_sign_is_right_except_within_the_tolerance_and_near_holes(case):
    name, made, points, true, found, _ = case
    clear = (np.abs(true) > 0.05 * made.voxel) & ~near_hole(name, points)
    assert np.array_equal(found[clear] < 0.0, true[clear] < 0.0)


def test_the_magnitude_is_never_above_the_true_one_away_from_the_surface(case):
    _, made, points, true, found, _ = case
    outside_band = ~made.in_band(points)
    over = np.abs(found) - np.abs(true)
    assert over[outside_band].max() < 1e-6
    assert over.max() < 0.12 * made.voxel


def test_normals_have_length_one_and_point_away_from_the_surface(case, maps):
    name, made, points, true, _, normals = case
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-9)
    vertices, triangles, _ = maps[name]
    _, _, feet = igl.point_mesh_squared_distance(points, vertices, triangles)
    chosen = (np.abs(true) > 0.1 * made.voxel) & (np.abs(true) < 0.5 * made.voxel) & ~near_hole(name, points)
    exact = (points - feet)[chosen] / true[chosen, None]
    along = np.sum(normals[chosen] * exact, axis=1)
    assert np.mean(along > 0.98) > 0.97


def test_a_path_in_steps_of_the_distance_never_crosses_a_thin_plate():
    plate = rounded_box((1.0, 0.002, 0.8), 0.0005, 0.2, 1)
    made = DistanceMap.build(*plate)
    assert made.voxel > 5 * 0.002
    generator = np.random.default_rng(4)
    for _ in range(200):
        place = generator.uniform((-0.4, 0.05, -0.3), (0.4, 1.5, 0.3))
        goal = generator.uniform((-0.4, -1.5, -0.3), (0.4, -0.05, 0.3))
        along = (goal - place) / np.linalg.norm(goal - place)
        for _ in range(400):
            distance = made.query(place)[0][0]
            if distance < 1e-4:
                break
            place = place + distance * along
        assert place[1] == pytest.approx(0.001, abs=3e-4)


def test_flat_faces_and_edges_of_a_box_are_exact(maps):
    made = maps["box"][2]
    half = np.array([0.5, 0.3, 0.2])
    generator = np.random.default_rng(9)
    points = generator.uniform(-1.0, 1.0, (4000, 3)) * (half + 0.3 * made.voxel)
    apart = np.abs(points) - half
    true = np.linalg.norm(np.maximum(apart, 0.0), axis=1) + np.minimum(apart.max(axis=1), 0.0)
    near = np.abs(true) < 0.3 * made.voxel
    found, _ = made.query(points)
    assert np.abs(found - true)[near].max() < 0.03 * made.voxel


def test_deep_inside_the_normal_leads_out(maps):
    made = maps["blob"][2]
    place = np.array([[0.05, 0.03, -0.02]])
    for _ in range(200):
        distance, normal = made.query(place)
        if distance[0] > 0.0:
            break
        place = place + max(-distance[0], 1e-3) * normal
    assert distance[0] > -1e-3


def test_far_from_the_map_the_distance_is_that_of_the_box_of_the_mesh(maps):
    _, _, made = maps["torus"]
    distance, normal = made.query([[3.0, 0.0, 0.0]])
    assert distance[0] == pytest.approx(2.5)
    np.testing.assert_allclose(normal[0], (1.0, 0.0, 0.0), atol=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_point_that_is_no_place_never_touches(maps, bad):
    distance, _ = maps["box"][2].query([[bad, 0.0, 0.0], [0.0, bad, 0.0]])
    assert not (distance < 1.0e300).any()


def test_voxels_are_typed_inside_surface_and_outside(maps):
    made = maps["box"][2]
    assert made.voxel_types(
        [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5 + 3 * made.voxel, 0.0, 0.0]]
    ).tolist() == [-1, 0, 1]


def test_several_maps_in_one_pack_do_not_mix(maps):
    made = [maps[name][2] for name in NAMES]
    packed = pack_maps(made)
    points = np.random.default_rng(2).uniform(-0.6, 0.6, (500, 3))
    for index, each in enumerate(made):
        distances, normals = np.empty(500), np.empty((500, 3))
        map_distances(packed, index, points, distances, normals)
        np.testing.assert_array_equal(distances, each.query(points)[0])
        np.testing.assert_array_equal(normals, each.query(points)[1])


def test_no_maps_make_an_empty_pack_of_the_same_types(maps):
    empty, full = pack_maps([]), pack_maps([maps["box"][2]])
    assert [array.dtype for array in empty] == [array.dtype for array in full]
    assert [array.ndim for array in empty] == [array.ndim for array in full] == [1, 1, 1]


def test_holes_are_reported_and_clean_meshes_are_not(maps):
    assert maps["holed ball"][2].report.boundary_edges > 0
    assert all(maps[name][2].report.warnings() == [] for name in NAMES[:4])


def test_what_lies_inside_another_part_is_left_out():
    big = rounded_box((0.6, 0.6, 0.6), 0.02, 0.1, 1)
    small = rounded_box((0.2, 0.2, 0.2), 0.02, 0.1, 1)
    made = DistanceMap.build(*joined(big, small), 0.025)
    assert made.report.hidden_triangles == len(small[1])
    assert made.query([[0.0, 0.0, 0.0]])[0][0] < -0.2


def test_overlapping_parts_have_an_inside_without_walls_between():
    a, b = rounded_box((0.6, 0.4, 0.4), 0.02, 0.05, 1), rounded_box((0.4, 0.3, 0.3), 0.02, 0.05, 1)
    made = DistanceMap.build(*joined(a, moved(b, (0.4, 0.0, 0.0))), 0.03)
    line = np.stack([np.linspace(-0.25, 0.55, 100), np.full(100, 0.02), np.full(100, 0.01)], axis=1)
    assert (made.query(line)[0] < 0.0).all()


def test_an_open_sheet_is_outside_on_both_sides():
    i, j = np.meshgrid(np.arange(11), np.arange(11), indexing="ij")
    vertices = np.stack([i.ravel() * 0.1, np.zeros(121), j.ravel() * 0.1], axis=1)
    a = (11 * i + j)[:-1, :-1].ravel()
    triangles = np.concatenate([np.stack([a, a + 1, a + 12], 1), np.stack([a, a + 12, a + 11], 1)])
    distance, normal = DistanceMap.build(vertices, triangles).query(
        [[0.52, 0.003, 0.53], [0.52, -0.003, 0.53]]
    )
    np.testing.assert_allclose(distance, 0.003, atol=1e-6)
    np.testing.assert_allclose(normal[:, 1], [1.0, -1.0], atol=1e-6)


def test_flipped_triangles_do_not_change_the_map():
    vertices, triangles = rounded_box((0.6, 0.4, 0.4), 0.02, 0.05, 1)
    bad = triangles.copy()
    bad[::7] = bad[::7][:, ::-1]
    points = np.random.default_rng(6).uniform(-0.4, 0.4, (2000, 3))
    good, mended = DistanceMap.build(vertices, triangles, 0.02), DistanceMap.build(vertices, bad, 0.02)
    assert mended.report.flipped_triangles == len(bad[::7])
    np.testing.assert_allclose(mended.query(points)[0], good.query(points)[0], atol=1e-6)


def test_progress_goes_from_zero_to_one():
    told: list[float] = []
    DistanceMap.build(*rounded_box((1.0, 0.5, 0.5), 0.05, 0.2, 1), 0.02, told.append)
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert told == sorted(told)
    assert len(told) > 5


@pytest.mark.parametrize("accuracy", [0.0, -1.0, math.nan, math.inf])
def test_an_accuracy_that_is_no_length_is_refused(accuracy):
    with pytest.raises(SuppleError, match="accuracy"):
        DistanceMap.build(*rounded_box((1.0, 1.0, 1.0), 0.05, 0.5, 1), accuracy)


def test_an_accuracy_too_fine_for_memory_is_refused_with_one_that_works():
    with pytest.raises(SuppleError, match="always possible"):
        DistanceMap.build(*rounded_box((1.0, 1.0, 1.0), 0.05, 0.5, 1), 1e-5)


@pytest.mark.slow
def test_a_mannequin_of_256_voxels_stays_below_100_megabytes():
    vertices, triangles = mannequin()
    made = DistanceMap.build(vertices, triangles, 1.75 / 256)
    assert made.byte_count < 100e6
    assert sum(array.nbytes for array in pack_maps([made])) < 100e6


def test_memory_grows_with_the_surface_not_the_volume():
    box = rounded_box((1.0, 1.0, 1.0), 0.05, 0.2, 2)
    coarse, fine = DistanceMap.build(*box, 1 / 24), DistanceMap.build(*box, 1 / 72)
    assert fine.byte_count < 9 * 1.5 * coarse.byte_count


def test_plain_python_builds_and_reads_the_same_map(monkeypatch):
    vertices = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    triangles = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    compiled = DistanceMap.build(vertices, triangles, 0.25)
    points = np.random.default_rng(8).uniform(-0.3, 1.1, (200, 3))
    expected = compiled.query(points)
    for module in (
        blocks,
        distance_map,
        build,
        mesh_repair,
        candidate_triangles,
        point_triangle,
        winding,
    ):
        for name, value in list(vars(module).items()):
            if hasattr(value, "py_func"):
                monkeypatch.setattr(module, name, value.py_func)
    plain = DistanceMap.build(vertices, triangles, 0.25)
    for name, value in vars(compiled).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_allclose(getattr(plain, name), value, atol=1e-12, err_msg=name)
    found = plain.query(points)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-9)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-6)


def test_one_point_at_a_time_gives_the_same_as_many(maps):
    made = maps["torus"][2]
    packed = pack_maps([made])
    distances, normals = made.query([[0.45, 0.08, 0.02]])
    assert map_distance(packed, 0, 0.45, 0.08, 0.02) == (distances[0], *normals[0])


def test_a_thin_board_of_tiny_triangles_is_seen_from_every_side():
    # Dozens of triangles are near every cube at the upper edge of the back of the shelf; each may be the closest one.
    vertices, triangles = supple.Mesh(shape="shelf").surface()
    made = distance_map_of(vertices, triangles)
    random = np.random.default_rng(3)
    points = random.uniform((-0.45, 1.785, -0.142), (0.45, 1.802, -0.13), (20_000, 3))
    error = np.abs(made.query(points)[0]) - np.sqrt(
        igl.point_mesh_squared_distance(points, vertices, triangles)[0]
    )
    assert np.abs(error).max() < 0.08 * made.voxel
