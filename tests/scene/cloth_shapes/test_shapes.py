"""Shapes give their points, triangles and names."""

import numpy as np
import pytest

import supple
from supple.scene.placement import rotation_matrix


def normals(body):
    a, b, c = body.start_points()[body.surface_triangles()].transpose(1, 0, 2)
    return np.cross(b - a, c - a)


def test_an_upright_rectangle_runs_row_by_row_from_the_top_left():
    sheet = supple.Cloth.rectangle(width=2.0, height=1.0, columns=3, rows=2, at=(0.0, 1.0, 5.0))
    assert sheet.start_points().tolist() == [
        [-1.0, 1.5, 5.0],
        [0.0, 1.5, 5.0],
        [1.0, 1.5, 5.0],
        [-1.0, 0.5, 5.0],
        [0.0, 0.5, 5.0],
        [1.0, 0.5, 5.0],
    ]


def test_a_lying_rectangle_has_its_top_on_the_far_side():
    sheet = supple.Cloth.rectangle(width=2.0, height=1.0, columns=3, rows=2, plane="xz")
    assert (sheet.start_points()[sheet.indices("top"), 2] == -0.5).all()
    assert (sheet.start_points()[:, 1] == 0.0).all()


@pytest.mark.parametrize(("plane", "axis"), [("xy", 2), ("xz", 1)])
def test_normals_of_a_rectangle_point_forwards_or_up(plane, axis):
    sheet = supple.Cloth.rectangle(width=2.0, height=1.0, columns=5, rows=4, plane=plane)
    areas = normals(sheet)
    assert (areas[:, axis] > 0.0).all()
    assert np.isclose(areas.sum(axis=0)[axis] / 2, 2.0)


def test_diagonals_of_a_rectangle_alternate():
    triangles = supple.Rectangle(width=1, height=1, columns=3, rows=3).surface_triangles()
    edges = {tuple(sorted(pair)) for t in triangles.tolist() for pair in zip(t, t[1:] + t[:1], strict=True)}
    assert {(0, 4), (2, 4), (4, 6), (4, 8)} <= edges
    assert len(triangles) == 8


def test_names_of_a_rectangle_are_its_edges_corners_and_centre():
    sheet = supple.Cloth.rectangle(width=1, height=1, columns=3, rows=3)
    assert sheet.indices("top").tolist() == [0, 1, 2]
    assert sheet.indices("bottom").tolist() == [6, 7, 8]
    assert sheet.indices("left").tolist() == [0, 3, 6]
    assert sheet.indices("right").tolist() == [2, 5, 8]
    corners = ("top-left", "top-right", "bottom-left", "bottom-right")
    assert [sheet.indices(name).tolist() for name in corners] == [[0], [2], [6], [8]]
    assert sheet.indices("centre").tolist() == sheet.indices("center").tolist() == [4]


def test_points_are_chosen_by_index_list_and_box():
    sheet = supple.Cloth.rectangle(width=1, height=1, columns=3, rows=3, rotation_deg=(90, 0, 0))
    assert sheet.indices(4).tolist() == [4]
    assert sheet.indices([8, "top", 0]).tolist() == [0, 1, 2, 8]
    assert sheet.indices({"box": [[-1, 0, -1], [0, 0, 0]]}).tolist() == [3, 4, 6, 7]
    assert sheet.indices(np.array([2, 1, 2])).tolist() == [1, 2]


def test_rotation_turns_about_fixed_x_then_y_then_z():
    turn = rotation_matrix((np.pi / 2, np.pi / 2, 0.0))
    assert np.allclose(turn @ [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    assert np.allclose(turn @ turn.T, np.eye(3))


def test_a_bilinear_patch_is_a_rectangle():
    corners = [[[-1, 0.5, 0], [1, 0.5, 0]], [[-1, -0.5, 0], [1, -0.5, 0]]]
    patch = supple.Bezier(control_points=corners, columns=5, rows=4)
    flat = supple.Rectangle(width=2.0, height=1.0, columns=5, rows=4)
    assert np.allclose(patch.local_points(), flat.local_points(), atol=1e-15)
    assert np.array_equal(patch.surface_triangles(), flat.surface_triangles())


def test_a_cubic_patch_passes_through_its_corners_and_follows_de_casteljau():
    control = np.random.default_rng(0).normal(size=(4, 4, 3))
    points = supple.Bezier(control_points=control, columns=3, rows=3).local_points().reshape(3, 3, 3)
    assert np.allclose(points[[0, 0, -1, -1], [0, -1, 0, -1]], control[[0, 0, -1, -1], [0, -1, 0, -1]])
    middle = control
    for _ in range(3):
        middle = 0.5 * (middle[1:] + middle[:-1])
        middle = 0.5 * (middle[:, 1:] + middle[:, :-1])
    assert np.allclose(points[1, 1], middle[0, 0])


def test_a_chain_hangs_down_from_its_start():
    chain = supple.Chain(length=2.0, points=5, at=(1.0, 3.0, 0.0))
    assert chain.start_points()[chain.indices("start")].tolist() == [[1.0, 3.0, 0.0]]
    assert chain.start_points()[chain.indices("end")].tolist() == [[1.0, 1.0, 0.0]]
    assert chain.surface_triangles().shape == (0, 3)


def test_a_lattice_is_a_closed_box_seen_from_outside():
    box = supple.Lattice(size=(1.0, 2.0, 3.0), cells=(2, 3, 4), at=(5.0, 5.0, 5.0))
    points, triangles = box.start_points(), box.surface_triangles()
    a, b, c = points[triangles].transpose(1, 0, 2)
    assert np.isclose(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0, 6.0)
    assert ((normals(box) * ((a + b + c) / 3.0 - 5.0)).sum(axis=1) > 0.0).all()
    assert len(points) == box.point_count == 3 * 4 * 5


@pytest.mark.parametrize(
    ("name", "axis", "side"),
    [("left", 0, -1), ("right", 0, 1), ("bottom", 1, -1), ("top", 1, 1), ("back", 2, -1), ("front", 2, 1)],
)
def test_faces_of_a_lattice_are_named_as_seen_from_the_front(name, axis, side):
    box = supple.Lattice(size=(2.0, 2.0, 2.0), cells=(2, 3, 4))
    chosen = box.indices(name)
    assert np.array_equal(chosen, np.flatnonzero(box.local_points()[:, axis] == side))


def test_points_of_a_lattice_run_along_x_first_then_y_then_z():
    points = supple.Lattice(size=(1.0, 1.0, 1.0), cells=(1, 1, 1)).local_points()
    assert (points[1] - points[0]).tolist() == [1.0, 0.0, 0.0]
    assert (points[2] - points[0]).tolist() == [0.0, 1.0, 0.0]
    assert (points[4] - points[0]).tolist() == [0.0, 0.0, 1.0]


def test_a_flat_network_lies_in_the_plane_z_0():
    network = supple.Network(points=[[0, 0], [3, 4]], springs=[[0, 1]], stiffness=1, mass=1)
    assert network.local_points().tolist() == [[0, 0, 0], [3, 4, 0]]
    assert network.lengths_at_rest().tolist() == [5.0]


def test_a_path_is_held_at_its_ends_and_runs_between():
    path = supple.Path(
        keyframes=(
            supple.Keyframe(time=1.0, offset=(1.0, 0.0, 0.0)),
            supple.Keyframe(time=3.0, offset=(3.0, 0.0, 0.0), rotation_deg=(0.0, 0.0, 180.0)),
        )
    )
    assert [path.pose(t)[0][0] for t in (0.0, 1.0, 1.5, 3.0, 9.0)] == [1.0, 1.0, 1.5, 3.0, 3.0]
    assert path.pose(2.0)[1][2] == pytest.approx(np.pi / 2)
    smooth = path.changed(smooth=True)
    assert [smooth.pose(t)[0][0] for t in (1.0, 1.5, 2.0, 3.0)] == [1.0, 1.3125, 2.0, 3.0]


def test_a_material_named_like_a_preset_keeps_what_it_does_not_change():
    scene = supple.scene.files.toml_reader.parse_scene(
        "[material.cotton]\narea_density = 0.2\n[material.heavy]\nlike = 'denim'\narea_density = 1\n"
        "[cloth.a]\nrectangle = { width = 1, height = 1, columns = 2, rows = 2 }\n"
    )
    cotton = scene.material_of(scene.bodies[0])
    assert cotton == supple.Material.like("cotton", area_density=0.2)
    assert scene.materials["heavy"] == supple.Material.like("denim", area_density=1.0)
    assert cotton.stretch_stiffness == supple.Material.like("cotton").stretch_stiffness


@pytest.mark.parametrize("name", ["silk", "cotton", "wool", "denim", "rubber", "chain mail"])
def test_presets_exist(name):
    assert supple.Material.like(name).area_density > 0.0
