"""Mistakes in Python are told in the same words, and always as a SceneError."""

import pickle

import numpy as np
import pytest

import supple

SHEET = {"width": 1.0, "height": 1.0, "columns": 4, "rows": 3}
TRIANGLE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def sheet(**changes):
    return supple.Cloth.rectangle(**{**SHEET, **changes})


def mesh(vertices, triangles):
    return supple.Cloth.from_mesh(np.array(vertices, dtype=float), np.array(triangles))


CASES = [
    (lambda: sheet(width=-1.0), "cloth.rectangle.width", "must be greater than 0"),
    (lambda: sheet(width=float("nan"), name="flag"), "cloth.flag.rectangle.width", "finite"),
    (lambda: sheet(nam="flag"), "cloth.nam", 'Did you mean "name"?'),
    (lambda: sheet(material=None), "cloth.material", "must be the name of a material"),
    (lambda: sheet(masses=np.zeros(12)), "cloth.masses", "holds 0 at place 0"),
    (lambda: sheet(pins="left"), "cloth.pins", "must be a list"),
    (lambda: sheet(pins=[{"where": 0, "pth": 1}]), "cloth.pins[0].pth", 'Did you mean "path"?'),
    (lambda: sheet().pinned("lefft"), "cloth.pins[0]", 'Did you mean "left"?'),
    (lambda: sheet().pinned(), "cloth.pins", "got no point"),
    (lambda: sheet().pinned("left", path=3), "cloth.pins[0].path", "must be a table"),
    (lambda: sheet().anchored("left", stiffness=-1), "cloth.anchors[0].stiffness", "greater than 0"),
    (lambda: sheet().translated((1, 2)), "offset", "three numbers"),
    (lambda: sheet().indices("lefft"), "cloth", 'Did you mean "left"?'),
    (lambda: sheet().indices(1.5), "where", "chosen by a name"),
    (lambda: supple.Cloth(shape=3), "cloth.shape", "must be a Rectangle"),
    (lambda: supple.Cloth(), "cloth.shape", "is missing"),
    (lambda: supple.Pin(where=None), "pin.where", "chosen by a name"),
    (lambda: supple.Path(keyframes=()), "path.keyframes", "at least one"),
    (lambda: supple.Keyframe(time="now"), "keyframe.time", "must be a number"),
    (lambda: supple.Material(area_density=1), "material.stretch_stiffness", "is missing"),
    (lambda: supple.Material.like("sik"), "material", 'Did you mean "silk"?'),
    (lambda: supple.Settings(substeps=2.5), "settings.substeps", "whole number"),
    (lambda: supple.Scene(), "scene", "has no bodies"),
    (lambda: supple.Scene("cloth"), "scene[0]", "nothing a scene can hold"),
    (lambda: supple.Scene(sheet(), bodies=3), "scene.bodies", "list of bodies"),
    (lambda: supple.Scene(sheet(), materials={"a": 3}), "scene.materials.a", "must be a Material"),
    (lambda: supple.Scene(sheet(), settings={"substeps": -1}), "scene.settings.substeps", "between 1 and"),
    (lambda: supple.Scene(sheet(name="a"), sheet(name="a")), "cloth.a", "Names must differ"),
    (lambda: supple.Scene(sheet()).body("flag"), "scene", "has no body"),
    (lambda: mesh(TRIANGLE, [[0, 1, 3]]), "cloth.mesh.triangles[0]", "points run from 0 to 2"),
    (lambda: mesh(TRIANGLE, [[0, 1, -1]]), "cloth.mesh.triangles[0]", "points run from 0 to 2"),
    (lambda: mesh(TRIANGLE, [[0, 1, 1]]), "cloth.mesh.triangles[0]", "names a vertex twice"),
    (lambda: mesh(TRIANGLE, [[0, 1, 2], [2, 0, 1]]), "cloth.mesh.triangles[1]", "stands in the list before"),
    (lambda: mesh(TRIANGLE * [1, 0, 1], [[0, 1, 2]]), "cloth.mesh.triangles[0]", "a side of 0 m"),
    (lambda: mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]), "cloth.mesh.triangles[0]", "no area"),
    (lambda: mesh([*TRIANGLE, [5, 5, 5]], [[0, 1, 2]]), "cloth.mesh.vertices", "1 that no triangle uses"),
    (lambda: mesh(TRIANGLE * np.nan, [[0, 1, 2]]), "cloth.mesh.vertices", "must be finite"),
    (lambda: mesh(TRIANGLE * 2e4, [[0, 1, 2]]), "cloth.mesh.vertices", "spans 20 km"),
    (lambda: mesh(TRIANGLE * 1e-7, [[0, 1, 2]]), "cloth.mesh.triangles[0]", "be at least 1e-06 m"),
    (lambda: mesh(TRIANGLE[:, :2], [[0, 1, 2]]), "cloth.mesh.vertices", "has the shape (3, 2)"),
    (lambda: mesh(TRIANGLE, []), "cloth.mesh.triangles", "is empty"),
    (lambda: supple.Cloth.from_mesh(TRIANGLE), "cloth.mesh.triangles", "is missing"),
    (lambda: supple.Cloth.from_mesh([[0, 0, 0], [1]], [[0, 1, 2]]), "cloth.mesh.vertices", "equal rows"),
    (lambda: supple.Cloth.from_mesh([["a", "b", "c"]], [[0, 1, 2]]), "cloth.mesh.vertices", "equal rows"),
    (lambda: supple.Cloth.from_mesh(TRIANGLE, [[0.0, 1.0, 2.0]]), "cloth.mesh.triangles", "point indices"),
    (lambda: supple.Cloth.from_mesh(None), "cloth.mesh.vertices", "list of points"),
    (
        lambda: supple.Cloth.bezier(np.zeros((2, 2, 3)), columns=3, rows=3),
        "cloth.bezier.control_points",
        "folds into itself",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("build", "place", "part"), CASES, ids=[f"{n}-{case[1]}" for n, case in enumerate(CASES)]
)
def test_a_mistake_is_told_with_its_place_and_the_rule(build, place, part):
    with pytest.raises(supple.SceneError) as caught:
        build()
    assert [m for m in caught.value.mistakes if m.place == place and part in m.message], str(caught.value)


def test_a_constructor_tells_all_its_mistakes_at_once():
    with pytest.raises(supple.SceneError) as caught:
        sheet(width=-1.0, rows=0, at=(1, 2), pins=["lefft"], nam="x")
    assert {mistake.place for mistake in caught.value.mistakes} == {
        "cloth.rectangle.width",
        "cloth.rectangle.rows",
        "cloth.at",
        "cloth.nam",
        "cloth.pins[0]",
    }


def test_an_error_travels_between_processes_whole():
    with pytest.raises(supple.SceneError) as caught:
        sheet(width=-1.0)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.mistakes == caught.value.mistakes
    assert str(copy) == str(caught.value)


def test_numpy_scalars_are_welcome():
    cloth = sheet(width=np.float32(1.0), columns=np.int32(4), at=np.zeros(3))
    assert cloth == sheet()
    assert type(cloth.shape.columns) is int
