"""Meshes come in from the usual formats, joined and in their own order."""

import numpy as np
import pytest
import trimesh

import supple
from supple.scene.files.mesh_file import read_mesh


def octahedron():
    vertices = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=float)
    top = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]]
    return vertices, np.array(top + [[b, a, 5] for a, b, _ in top])


@pytest.mark.parametrize("ending", ["obj", "ply", "stl", "glb", "off"])
def test_a_closed_mesh_keeps_its_vertices_in_every_format(tmp_path, ending):
    vertices, triangles = octahedron()
    trimesh.Trimesh(vertices, triangles, process=False).export(tmp_path / f"mesh.{ending}")
    found, faces = read_mesh(tmp_path / f"mesh.{ending}")
    assert len(found) == 6
    assert np.array_equal(found[faces], vertices[triangles])
    if ending != "stl":
        assert np.array_equal(found, vertices)


def test_texture_seams_do_not_tear_an_obj(tmp_path):
    (tmp_path / "seam.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt .5 .5\n"
        "f 1/1 2/2 3/3\nf 1/5 3/3 4/4\n"
    )
    vertices, triangles = read_mesh(tmp_path / "seam.obj")
    assert len(vertices) == 4
    assert triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


BROKEN = {
    "empty.obj": b"",
    "noise.obj": b"\xff\xfe\x00garbage",
    "lines.obj": b"v 0 0 0\nv 1 0 0\nl 1 2\n",
    "index.obj": b"v 0 0 0\nv 1 0 0\nf 1 2 9\n",
    "cut.stl": b"solid",
    "zeros.stl": b"\0" * 84,
    "cut.ply": b"ply\n",
    "empty.ply": b"ply\nformat ascii 1.0\nend_header\n",
    "cut.glb": b"glTF",
    "empty.gltf": b"{}",
    "cut.off": b"OFF\n1 1 1\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_mesh_file_is_told(tmp_path, name):
    (tmp_path / name).write_bytes(BROKEN[name])
    with pytest.raises(supple.SceneError, match=r"cloth\.mesh.*(broken or of another format|no triangles)"):
        supple.Cloth.from_mesh(tmp_path / name)


def test_a_mesh_that_does_not_exist_suggests_its_neighbour(tmp_path):
    (tmp_path / "shirt.obj").write_text("")
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(supple.SceneError, match=r'Did you mean "shirt\.obj"\?'):
        supple.Cloth.from_mesh(tmp_path / "shrit.obj")
    with pytest.raises(supple.SceneError, match="is a folder"):
        supple.Cloth.from_mesh(tmp_path / "folder.obj")


def test_arrays_given_with_a_file_name_are_not_read_again():
    vertices, triangles = octahedron()
    surface = supple.Surface(file="gone.obj", vertices=vertices, triangles=triangles)
    assert surface.changed().file == "gone.obj"
