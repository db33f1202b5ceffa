"""Soft bodies as they are declared: shapes, files, materials, and what is wrong with them."""

import numpy as np
import pytest

import supple
from supple.scene.bodies.soft_materials import soft_presets
from supple.scene.files.toml_reader import parse_scene
from supple.scene.obstacles.tessellate import ball as ball_surface
from supple.scene.obstacles.tessellate import ring
from supple.scene.soft_shapes.isosurface_stuffing import Lattice
from supple.scene.soft_shapes.soft_shapes import (
    SoftCapsule,
    SoftCylinder,
    SoftEllipsoid,
    SoftSurface,
    SoftTorus,
)
from supple.scene.soft_shapes.surface_solid import SurfaceSolid
from supple.scene.soft_shapes.tetra_quality import boundary_of, dihedral_angles, volumes_of

CORNERS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def surface_facts(points, tetrahedra):
    """Return how many triangles meet at each edge of the boundary, and its Euler number."""
    triangles = boundary_of(tetrahedra)
    edges, counts = np.unique(
        np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0, return_counts=True
    )
    return set(counts.tolist()), len(np.unique(triangles)) - len(edges) + len(triangles)


def welded(vertices, triangles):
    unique, where = np.unique(vertices.round(9), axis=0, return_inverse=True)
    triangles = where.reshape(-1)[triangles]
    keep = (
        (triangles[:, 0] != triangles[:, 1])
        & (triangles[:, 1] != triangles[:, 2])
        & (triangles[:, 2] != triangles[:, 0])
    )
    return unique, triangles[keep]


SHAPES = {
    "box": (supple.SoftBody.box((1.0, 0.5, 0.4), 0.17).shape, 0.2, 2, 38.0),
    "ball": (supple.SoftBody.ball(0.5, 0.2).shape, 4.0 / 3.0 * np.pi * 0.125, 2, 18.0),
    "ellipsoid": (SoftEllipsoid(radii=(0.5, 0.3, 0.4), cell=0.12), 4.0 / 3.0 * np.pi * 0.06, 2, 18.0),
    "capsule": (SoftCapsule(radius=0.3, height=1.0, cell=0.12), np.pi * (0.09 * 0.4 + 4.0 / 3.0 * 0.027), 2, 18.0),
    "cylinder": (SoftCylinder(radius=0.3, height=1.0, cell=0.12), np.pi * 0.09, 2, 15.0),
    "torus": (SoftTorus(radius=0.5, tube=0.2, cell=0.12), 2.0 * np.pi**2 * 0.5 * 0.04, 0, 15.0),
    "surface": (
        SoftSurface(**dict(zip(("vertices", "triangles"), welded(*ball_surface((0.5, 0.5, 0.5))), strict=True)), cell=0.2),
        4.0 / 3.0 * np.pi * 0.125, 2, 18.0,
    ),
    "ring": (
        SoftSurface(**dict(zip(("vertices", "triangles"), welded(*ring(0.5, 0.2)), strict=True)), cell=0.12),
        2.0 * np.pi**2 * 0.5 * 0.04, 0, 15.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_filled_with_good_tetrahedra_inside_a_closed_surface(name):
    shape, volume, euler, angle = SHAPES[name]
    points, tetrahedra = shape.mesh
    volumes = volumes_of(points, tetrahedra)
    assert volumes.min() > 0.02 * volumes.mean()
    assert 0.93 * volume < volumes.sum() < 1.0001 * volume
    assert np.degrees(dihedral_angles(points, tetrahedra).min()) > angle
    assert surface_facts(points, tetrahedra) == ({2}, euler)
    _, counts = np.unique(
        np.sort(tetrahedra[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]].reshape(-1, 3)),
        axis=0,
        return_counts=True,
    )
    assert counts.max() == 2


def test_the_surface_of_a_body_faces_outwards():
    for shape, _, _, _ in SHAPES.values():
        points, tetrahedra = shape.mesh
        a, b, c = points[boundary_of(tetrahedra)].transpose(1, 0, 2)
        enclosed = np.einsum("tx,tx->", a, np.cross(b, c)) / 6.0
        assert enclosed == pytest.approx(volumes_of(points, tetrahedra).sum(), rel=1e-9)


def test_finer_cells_fill_a_shape_better():
    shares = []
    for cell in (0.4, 0.2, 0.1):
        points, tetrahedra = supple.SoftBody.ball(0.5, cell).shape.mesh
        shares.append(volumes_of(points, tetrahedra).sum() / (4.0 / 3.0 * np.pi * 0.125))
    missing = 1.0 - np.array(shares)
    assert (missing[:-1] > 2.5 * missing[1:]).all()


def test_points_of_a_filled_surface_lie_on_it():
    vertices, triangles = welded(*ball_surface((0.5, 0.5, 0.5)))
    points, tetrahedra = SoftSurface(vertices=vertices, triangles=triangles, cell=0.2).mesh
    away = np.linalg.norm(points[np.unique(boundary_of(tetrahedra))], axis=1)
    assert 0.495 < away.min() and away.max() < 0.5 + 1e-9


def test_inside_and_crossings_of_a_surface_are_those_of_the_solid():
    vertices, triangles = welded(*ball_surface((0.5, 0.3, 0.4)))
    lattice = Lattice.over((vertices.min(axis=0), vertices.max(axis=0)), 0.1, (0.31, 0.43, 0.37))
    solid = SurfaceSolid(vertices, triangles, lattice)
    names = lattice.names()
    points = lattice.points(names)
    heights = np.linalg.norm(points / [0.5, 0.3, 0.4], axis=1)
    is_inside = solid.is_inside(points, names)
    clear = np.abs(heights - 1.0) > 0.01
    np.testing.assert_array_equal(is_inside[clear], heights[clear] < 1.0)
    for step in ((2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)):
        ends = points + lattice.half * np.array(step)
        is_cut = (heights < 0.95) & (np.linalg.norm(ends / [0.5, 0.3, 0.4], axis=1) > 1.05)
        assert is_cut.sum() > 10
        shares = solid.crossings(points[is_cut], ends[is_cut], names[is_cut], np.array(step))
        cuts = points[is_cut] + shares[:, None] * (ends[is_cut] - points[is_cut])
        assert np.abs(np.linalg.norm(cuts / [0.5, 0.3, 0.4], axis=1) - 1.0).max() < 0.01


def test_parts_that_overlap_are_one_solid():
    vertices, triangles = welded(*ball_surface((0.5, 0.5, 0.5)))
    both = np.concatenate([vertices, vertices + np.array([0.5, 0.0, 0.0])])
    faces = np.concatenate([triangles, triangles + len(vertices)])
    points, tetrahedra = SoftSurface(vertices=both, triangles=faces, cell=0.2).mesh
    lens = np.pi * (4.0 * 0.5 + 0.5) * (2.0 * 0.5 - 0.5) ** 2 / 12.0
    assert volumes_of(points, tetrahedra).sum() == pytest.approx(8.0 / 3.0 * np.pi * 0.125 - lens, rel=0.05)
    assert surface_facts(points, tetrahedra) == ({2}, 2)


def test_a_surface_that_faces_inwards_is_turned():
    shape = SoftSurface(vertices=CORNERS, triangles=[face[::-1] for face in FACES], cell=0.06)
    points, tetrahedra = shape.mesh
    assert volumes_of(points, tetrahedra).sum() == pytest.approx(1.0 / 6.0, rel=0.15)


def test_a_scene_file_and_python_make_the_same_body(tmp_path):
    text = """
    [soft.pudding]
    box = { size = [0.2, 0.1, 0.2], cell = 0.05 }
    material = { like = "jelly", young = 8000.0 }
    elasticity = "linear"
    at = [0.0, 1.0, 0.0]
    pin = ["bottom"]

    [soft.ball]
    ball = { radius = 0.1, cell = 0.08 }
    material = "rubber"
    """
    material = supple.SoftMaterial.like("jelly", young=8000.0)
    expected = supple.Scene(
        supple.SoftBody.box(
            (0.2, 0.1, 0.2), 0.05, material=material, elasticity="linear", at=(0, 1, 0), name="pudding"
        ).pinned("bottom"),
        supple.SoftBody.ball(0.1, 0.08, name="ball"),
    )
    assert parse_scene(text) == expected


def vtk(points, cells, kinds):
    lines = ["# vtk DataFile Version 3.0", "a mesh", "ASCII", "DATASET UNSTRUCTURED_GRID"]
    lines += [f"POINTS {len(points)} double", *(" ".join(map(str, p)) for p in points)]
    lines += [
        f"CELLS {len(cells)} {sum(len(c) + 1 for c in cells)}",
        *(" ".join(map(str, [len(c), *c])) for c in cells),
    ]
    return "\n".join([*lines, f"CELL_TYPES {len(kinds)}", *map(str, kinds)])


GMSH_2 = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
5 0 1 0
9 0 0 1
$EndNodes
$Elements
2
1 2 2 0 1 1 2 5
2 4 2 0 1 1 2 5 9
$EndElements
"""
GMSH_4 = """$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
2 4 1 9
0 1 0 1
1
0 0 0
3 1 0 3
2
5
9
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
2 2 1 2
2 1 2 1
1 1 2 5
3 1 4 1
2 1 2 5 9
$EndElements
"""


@pytest.mark.parametrize("kind", ["vtk", "msh2", "msh4", "npz"])
def test_tetrahedra_are_read_from_files(tmp_path, kind):
    path = tmp_path / f"mesh.{kind[:3]}"
    if kind == "vtk":
        path.write_text(vtk(CORNERS, [[0, 2, 1], [0, 1, 2, 3]], [5, 10]))
    elif kind == "npz":
        np.savez(path, vertices=np.array(CORNERS), tetrahedra=np.array([[0, 1, 2, 3]]))
    else:
        path.write_text(GMSH_2 if kind == "msh2" else GMSH_4)
    body = supple.SoftBody.from_tetrahedra(path)
    np.testing.assert_array_equal(body.local_points(), CORNERS)
    np.testing.assert_array_equal(body.tetrahedra(), [[0, 1, 2, 3]])
    assert body.surface_triangles().shape == (4, 3)


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("mesh.xyz", "", "only from"),
        ("gone.vtk", None, "does not exist"),
        ("mesh.vtk", "# vtk\nBINARY\n", "binary"),
        ("mesh.vtk", "nonsense", "holds no tetrahedra"),
        ("mesh.vtk", "POINTS 4 double 0 0 0", "broken"),
        ("mesh.msh", "$MeshFormat 4.1 1 8", "binary"),
        ("mesh.msh", GMSH_2.replace("1 2 5 9\n", "1 2 5 77\n"), "not there"),
        ("mesh.npz", "not an archive", "broken"),
    ],
)
def test_a_broken_file_is_told(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(supple.SceneError, match=message):
        supple.SoftBody.from_tetrahedra(tmp_path / name)


def test_tetrahedra_listed_inside_out_are_turned():
    body = supple.SoftBody.from_tetrahedra(CORNERS, [[0, 2, 1, 3]])
    assert volumes_of(body.local_points(), body.tetrahedra()).min() > 0.0


@pytest.mark.parametrize(
    "points, tetrahedra, place, message",
    [
        (CORNERS, [[0, 1, 2, 7]], "tetrahedra[0]", "points run from 0 to 3"),
        (CORNERS, [[0, 1, 2, 2]], "tetrahedra[0]", "names a point twice"),
        ([*CORNERS[:3], [0.3, 0.3, 1e-9]], [[0, 1, 2, 3]], "tetrahedra[0]", "hardly any volume"),
        (CORNERS, [[0, 1, 2, 3], [1, 0, 3, 2]], "tetrahedra[1]", "stands in the list before"),
        ([*CORNERS, [5, 5, 5]], [[0, 1, 2, 3]], "vertices", "no tetrahedron uses"),
        (
            [*CORNERS, [0, 0, 2.0], [0, 0, 3.0]],
            [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5]],
            "tetrahedra[0]",
            "three or more tetrahedra share",
        ),
    ],
)
def test_bad_tetrahedra_are_told_with_their_place(points, tetrahedra, place, message):
    with pytest.raises(supple.SceneError) as error:
        supple.SoftBody.from_tetrahedra(points, tetrahedra, name="lump")
    assert any(m.place.endswith(place) and message in m.message for m in error.value.mistakes)
    assert error.value.mistakes[0].place.startswith("soft.lump.tetrahedra")


@pytest.mark.parametrize(
    "triangles, message",
    [
        (FACES[:3], "has a hole"),
        ([*FACES[:3], FACES[3][::-1]], "face different ways"),
        ([], "is empty"),
    ],
)
def test_a_surface_that_encloses_nothing_is_told_with_the_place(triangles, message):
    with pytest.raises(supple.SceneError, match=message):
        supple.SoftBody.from_mesh(CORNERS, triangles, cell=0.3)


def test_an_edge_with_a_third_triangle_is_told():
    with pytest.raises(supple.SceneError, match="more than two triangles"):
        supple.SoftBody.from_mesh([*CORNERS, [1.0, 1.0, 1.0]], [*FACES, [0, 1, 4]], cell=0.3)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: supple.SoftBody.box((1, 0, 1), 0.1), "has y = 0"),
        (lambda: supple.SoftBody.box((1, 1, 1), 1e-3), "may have at most"),
        (lambda: supple.SoftBody.ball(1.0, 1e-3), "may have at most"),
        (lambda: supple.SoftBody.ball(0.1, 5.0), "too large"),
        (lambda: supple.SoftBody.box((1, 1, 1), 0.5, material="wood"), "soft bodies know only"),
        (lambda: supple.SoftBody.box((1, 1, 1), 0.5, material=3), "SoftMaterial"),
        (lambda: supple.SoftBody.box((1, 1, 1), 0.5, elasticity="plastic"), "corotated"),
        (lambda: supple.SoftMaterial(young=1e4, poisson=0.5), "at most 0.495"),
        (lambda: supple.SoftMaterial(young=0.0), "greater than 0"),
        (lambda: supple.SoftMaterial.like("wood"), "soft bodies know only"),
        (lambda: supple.SoftBody.box((1, 1, 1), 0.5).pinned("middle"), "does not have"),
        (
            lambda: supple.SoftBody.box(
                (1, 1, 1), 0.5, regions=[{"where": "top", "stretch_stiffness": 1.0}]
            ),
            "one material",
        ),
        (lambda: SoftTorus(radius=0.1, tube=0.2, cell=0.1), "no hole"),
        (lambda: SoftCapsule(radius=0.3, height=0.4, cell=0.1), "twice the radius"),
        (lambda: supple.SoftBody(shape="cube"), "must be one of"),
    ],
)  # fmt: skip
def test_a_mistake_is_told(make, message):
    with pytest.raises(supple.SceneError, match=message):
        make()


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("[soft.a]\nmaterial = 'jelly'", "soft.a", "has no shape"),
        (
            "[soft.a]\nbox = { size = [1, 1, 1], cell = 0.5 }\nball = { radius = 1, cell = 1 }",
            "soft.a",
            "has 2 shapes",
        ),
        ("[soft.a]\nbox = { size = [1, 1, 1], cel = 0.5 }", "soft.a.box.cel", 'Did you mean "cell"?'),
        (
            "[soft.a]\nbox = { size = [1, 1, 1], cell = 0.5 }\nmaterial = { like = 'jely' }",
            "soft.a.material.like",
            "jelly",
        ),
        (
            "[soft.a]\nbox = { size = [1, 1, 1], cell = 0.5 }\nmaterial = { young = -1 }",
            "soft.a.material.young",
            "greater",
        ),
        ("[soft.a]\nbox = { size = [1, 1, 1], cell = 0.5 }\nregion = []", "soft.a.region", "not known"),
        ("[soft.a]\ntetrahedra = { file = 'gone.vtk' }", "soft.a.tetrahedra", "does not exist"),
        ("[soft.a]\nmesh = 3", "soft.a.mesh", "must be a table"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_place(text, place, message):
    with pytest.raises(supple.SceneError) as error:
        parse_scene(text)
    assert any(m.place == place and message in m.message for m in error.value.mistakes), str(error.value)


def test_presets_are_soft_materials_of_real_density():
    presets = soft_presets()
    assert set(presets) == {"rubber", "jelly", "liver", "foam"}
    assert presets["rubber"].young > presets["foam"].young > presets["jelly"].young
    assert presets["foam"].density < 100.0 < presets["liver"].density


def test_faces_of_a_box_are_named_as_seen_from_the_front():
    box = supple.SoftBody.box((1.0, 0.6, 0.4), 0.2, at=(5.0, 0.0, 0.0))
    for name, axis, value in (("left", 0, 4.5), ("right", 0, 5.5), ("bottom", 1, -0.3), ("front", 2, 0.2)):
        points = box.start_points()[box.indices(name)]
        np.testing.assert_allclose(points[:, axis], value)
        assert len(points) >= 12
