"""Meshes are given alike, whatever becomes of them; a fabric needs no more than its weight and its stiffness."""

from __future__ import annotations

import numpy as np
import pytest

import supple

CORNERS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def soft(*mesh, **options):
    return supple.SoftBody.from_mesh(*mesh, cell=0.1, **options)


@pytest.mark.parametrize(
    "make", [supple.Mesh, supple.Cloth.from_mesh, soft], ids=["Mesh", "Cloth", "SoftBody"]
)
def test_a_mesh_is_a_file_two_arrays_or_a_pair_of_them(make, tmp_path):
    import trimesh

    trimesh.Trimesh(CORNERS, FACES, process=False).export(tmp_path / "corner.ply")

    pair, two, arrays = make((CORNERS, FACES)), make(CORNERS, FACES), make(np.array(CORNERS), np.array(FACES))
    assert pair == two == arrays
    assert make(tmp_path / "corner.ply").kind == pair.kind
    with pytest.raises(supple.SceneError, match="triangles"):
        make(CORNERS)
    with pytest.raises(supple.SceneError):
        make(7)


def test_a_material_needs_no_bending_stiffness_to_start_with():
    fabric = supple.Material(area_density=0.2, stretch_stiffness=500.0, shear_stiffness=50.0)
    assert fabric.bending_stiffness == supple.Material.like("cotton").bending_stiffness
