import numpy as np
import pytest

from supple.collide.distance_map import mesh_repair
from supple.collide.distance_map.mesh_repair import checked_mesh, label_parts, pseudonormals, repaired
from supple.errors import SuppleError
from supple.scene.obstacles.mesh_parts import joined, moved, rounded_box

BOX = rounded_box((1.0, 0.6, 0.4), 0.05, 0.2, 1)
CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def volume(vertices, triangles):
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.sum(a * np.cross(b, c)) / 6.0


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        (np.zeros((0, 3)), np.zeros((0, 3), int), "no triangles"),
        (CORNERS, np.zeros((0, 3), int), "no triangles"),
        (CORNERS[:, :2], [[0, 1, 2]], "three columns"),
        (CORNERS, [[0, 1]], "three columns"),
        (CORNERS, [[0, 1, 3]], "run from 0 to 2"),
        (CORNERS, [[0, 1, -1]], "run from 0 to 2"),
        (CORNERS * [np.nan, 1.0, 1.0], [[0, 1, 2]], "not finite"),
        (CORNERS + np.array([0.0, np.inf, 0.0]), [[0, 1, 2]], "not finite"),
        (CORNERS * 2000.0, [[0, 1, 2]], "millimetres"),
        (CORNERS * 1.0e-4, [[0, 1, 2]], "scale by 1000"),
        (CORNERS, np.broadcast_to([[0, 1, 2]], (5_000_001, 3)), "5,000,001 triangles"),
    ],
)
def test_a_mesh_that_cannot_be_used_is_refused_with_the_reason(vertices, triangles, message):
    with pytest.raises(SuppleError, match=message):
        checked_mesh(vertices, triangles)


def test_a_mesh_whose_triangles_all_lack_area_is_refused():
    with pytest.raises(SuppleError, match="any area"):
        repaired(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), np.array([[0, 1, 2]]))


def test_a_clean_mesh_has_nothing_to_report():
    vertices, triangles, report = repaired(*BOX)
    assert len(vertices) == len(BOX[0])
    assert len(triangles) == len(BOX[1])
    assert report.is_watertight
    assert report.warnings() == []


def test_separate_corners_become_shared_ones():
    loose = BOX[0][BOX[1]].reshape(-1, 3)
    vertices, _, report = repaired(loose, np.arange(len(loose)).reshape(-1, 3))
    assert len(vertices) == len(BOX[0])
    assert report.merged_vertices == len(loose) - len(BOX[0])
    assert report.is_watertight


def test_degenerate_and_repeated_triangles_are_left_out_and_counted():
    extra = np.array([BOX[1][0], BOX[1][5][[1, 2, 0]], [3, 3, 4]])
    _, triangles, report = repaired(BOX[0], np.concatenate([BOX[1], extra]))
    assert len(triangles) == len(BOX[1])
    assert (report.degenerate_triangles, report.repeated_triangles) == (1, 2)
    assert len(report.warnings()) == 2


def test_flipped_triangles_are_turned_back():
    triangles = BOX[1].copy()
    triangles[[4, 40, 41]] = triangles[[4, 40, 41]][:, ::-1]
    vertices, mended, report = repaired(BOX[0], triangles)
    assert report.flipped_triangles == 3
    assert report.flipped_edges > 0
    assert volume(vertices, mended) == pytest.approx(volume(*BOX))
    assert "bad" in report.warnings()[0]


def test_a_mesh_inside_out_is_turned_whole():
    vertices, mended, report = repaired(BOX[0], BOX[1][:, ::-1].copy())
    assert report.flipped_triangles == len(BOX[1])
    assert volume(vertices, mended) > 0.0


def test_the_wall_of_a_cavity_may_face_the_other_way():
    inner = (0.5 * BOX[0], BOX[1][:, ::-1].copy())
    _, _, report = repaired(*joined(BOX, inner))
    assert report.flipped_triangles == 0


def test_holes_and_edges_of_three_triangles_are_counted():
    _, _, report = repaired(BOX[0], BOX[1][1:])
    assert report.boundary_edges == 3
    assert "3 boundary edges" in report.warnings()[0]
    fin = np.concatenate([BOX[0], [[0.0, 2.0, 0.0]]])
    _, _, report = repaired(fin, np.concatenate([BOX[1], [[*BOX[1][0][:2], len(BOX[0])]]]))
    assert report.nonmanifold_edges == 1
    assert not report.is_watertight


def test_pseudonormals_of_a_box_point_outwards():
    vertices, triangles, _ = repaired(*moved(BOX, (0.2, 0.0, 0.0)))
    normals = pseudonormals(vertices, triangles).reshape(-1, 7, 3)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=2), 1.0, atol=1e-6)
    outwards = vertices[triangles].mean(axis=1) - (0.2, 0.0, 0.0)
    assert (np.einsum("tk,tpk->tp", outwards, normals) > 0.0).all()


def test_parts_are_labelled_the_same_compiled_and_in_plain_python(monkeypatch):
    triangles = BOX[1].copy()
    triangles[7] = triangles[7][::-1]
    compiled = repaired(BOX[0], triangles)
    monkeypatch.setattr(mesh_repair, "label_parts", label_parts.py_func)
    plain = repaired(BOX[0], triangles)
    np.testing.assert_array_equal(plain[1], compiled[1])
