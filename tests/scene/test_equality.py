"""A scene in a file and the same scene in Python are equal."""

import math

import numpy as np
import pytest

import supple
from supple.scene.bodies.selection import BoxRegion
from supple.scene.files.toml_reader import parse_scene

PAIRS = {
    "rectangle": (
        """
        title = "Flag"
        gravity = [0.0, -1.6, 0.0]
        duration = 2
        [cloth.flag]
        rectangle = { width = 1.5, height = 1, columns = 6, rows = 4, plane = "xz" }
        at = [0.0, 2.0, 0.0]
        rotation_deg = [0.0, 90.0, 0.0]
        velocity = [1, 0, 0]
        material = "silk"
        pin = ["left", 7, [1, 2], { box = [[-1, 1, -1], [1, 3, 1]] }]
        anchor = [{ at = "centre", stiffness = 5.0, target = [0.0, 3.0, 0.0] }]
        region = [{ at = "top", stretch_stiffness = 20.0 }]
        """,
        lambda: supple.Scene(
            supple.Cloth.rectangle(
                name="flag",
                width=1.5,
                height=1.0,
                columns=6,
                rows=4,
                plane="xz",
                at=(0.0, 2.0, 0.0),
                rotation=(0.0, math.pi / 2, 0.0),
                velocity=np.array([1.0, 0.0, 0.0]),
                material="silk",
                regions=[supple.Region(where="top", stretch_stiffness=20.0)],
            )
            .pinned("left", 7, np.array([1, 2]), box=((-1, 1, -1), (1, 3, 1)))
            .anchored("centre", stiffness=5, target=(0, 3, 0)),
            title="Flag",
            gravity=(0.0, -1.6, 0.0),
            duration=2.0,
        ),
    ),
    "bezier": (
        """
        [cloth.cloth]
        bezier = { control_points = [[[0, 1, 0], [1, 1, 0]], [[0, 0, 0], [1, 0, 1]]], columns = 5, rows = 4 }
        """,
        lambda: supple.Scene(
            supple.Cloth.bezier(np.array([[[0, 1, 0], [1, 1, 0]], [[0, 0, 0], [1, 0, 1]]]), columns=5, rows=4)
        ),
    ),
    "air": (
        """
        [cloth.flag]
        rectangle = { width = 1, height = 1, columns = 4, rows = 4 }
        aerodynamics = { law = "kang", drag = 0.02, lift = 0.03 }
        [cloth.sail]
        rectangle = { width = 1, height = 1, columns = 4, rows = 4 }
        aerodynamics = "meyer"
        [wind]
        velocity = [6, 0, 1]
        gusts = 0.3
        shadow = false
        [fan.desk]
        at = [0, 1, 0]
        direction = [0, 0, 2]
        speed = 5
        [water.river]
        level = 0.5
        current = [1, 0, 0]
        [water.basin]
        box = [[0, 0, 0], [1, 1, 1]]
        [obstacle.pendulum]
        sphere = { radius = 0.1 }
        repeat = true
        motion = [{ time = 0 }, { time = 1, offset = [1, 0, 0] }, { time = 2 }]
        """,
        lambda: supple.Scene(
            supple.Cloth.rectangle(
                width=1.0,
                height=1.0,
                columns=4,
                rows=4,
                name="flag",
                aerodynamics=supple.Aerodynamics(law="kang", drag=0.02, lift=0.03),
            ),
            supple.Cloth.rectangle(
                width=1.0, height=1.0, columns=4, rows=4, name="sail", aerodynamics="meyer"
            ),
            supple.Wind(velocity=(6, 0, 1), gusts=0.3, shadow=False),
            supple.Fan(at=(0, 1, 0), direction=(0, 0, 1), speed=5, name="desk"),
            supple.Water(level=0.5, current=(1, 0, 0), name="river"),
            supple.Water(box=((0, 0, 0), (1, 1, 1)), name="basin"),
            supple.Sphere(
                radius=0.1,
                name="pendulum",
                motion=supple.Path(
                    keyframes=(
                        supple.Keyframe(time=0.0),
                        supple.Keyframe(time=1.0, offset=(1, 0, 0)),
                        supple.Keyframe(time=2.0),
                    ),
                    repeat=True,
                ),
            ),
        ),
    ),
    "chain": (
        """
        [chain.rope]
        length = 2.0
        points = 5
        masses = [1, 1, 1, 1, 2]
        pin = [{ at = "start", smooth = true, centre = [0, 0, 0], path = [
            { time = 0 }, { time = 1, offset = [1, 0, 0], rotation_deg = [0, 180, 0] } ] }]
        """,
        lambda: supple.Scene(
            supple.Chain(name="rope", length=2.0, points=5, masses=np.array([1, 1, 1, 1, 2])).pinned(
                "start",
                path=supple.Path(
                    keyframes=(
                        supple.Keyframe(time=0.0),
                        supple.Keyframe(time=1.0, offset=(1, 0, 0), rotation_deg=(0, 180, 0)),
                    ),
                    smooth=True,
                    centre=(0.0, 0.0, 0.0),
                ),
            )
        ),
    ),
    "lattice": (
        """
        [lattice.lattice]
        size = [1, 2, 3]
        cells = [1, 2, 3]
        stiffness = 5e3
        pin = ["bottom"]
        """,
        lambda: supple.Scene(supple.Lattice(size=(1, 2, 3), cells=(1, 2, 3), stiffness=5e3).pinned("bottom")),
    ),
    "network": (
        """
        [network.web]
        points = [[0, 0], [1, 0], [0, 1]]
        springs = [[0, 1], [1, 2]]
        stiffness = [10, 20]
        mass = 0.1
        pin = [0]
        """,
        lambda: supple.Scene(
            supple.Network(
                name="web",
                points=[[0, 0], [1, 0], [0, 1]],
                springs=np.array([[0, 1], [1, 2]], dtype=np.int32),
                stiffness=(10.0, 20.0),
                mass=0.1,
            ).pinned(0)
        ),
    ),
    "settings and materials": (
        """
        drag = 0.5
        description = "words"
        [simulation]
        integrator = "xpbd"
        substeps = "auto"
        frame_rate = 60
        [material.paper]
        area_density = 0.08
        stretch_stiffness = 5000
        shear_stiffness = 5000
        bending_stiffness = 1e-4
        [cloth.a]
        rectangle = { width = 1, height = 1, columns = 2, rows = 2 }
        material = "paper"
        [cloth.b]
        rectangle = { width = 1, height = 1, columns = 2, rows = 2 }
        material = { area_density = 1, stretch_stiffness = 2, shear_stiffness = 3, bending_stiffness = 4 }
        """,
        lambda: supple.Scene(
            supple.Cloth.rectangle(name="a", width=1, height=1, columns=2, rows=2, material="paper"),
            supple.Cloth.rectangle(
                name="b",
                width=1,
                height=1,
                columns=2,
                rows=2,
                material=supple.Material(
                    area_density=1, stretch_stiffness=2, shear_stiffness=3, bending_stiffness=4
                ),
            ),
            drag=0.5,
            description="words",
            settings=supple.Settings(integrator="xpbd", substeps="auto", frame_rate=60.0),
            materials={
                "paper": supple.Material(
                    area_density=0.08, stretch_stiffness=5e3, shear_stiffness=5e3, bending_stiffness=1e-4
                )
            },
        ),
    ),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_a_file_and_python_build_equal_scenes(kind):
    text, build = PAIRS[kind]
    assert parse_scene(text) == build()


def test_a_mesh_file_and_python_build_equal_scenes(tmp_path):
    (tmp_path / "quad.off").write_text("OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n")
    (tmp_path / "scene.toml").write_text('[cloth.cloth]\nmesh = "quad.off"\n')
    from_file = supple.read_scene(tmp_path / "scene.toml")
    assert from_file == supple.Scene(supple.Cloth.from_mesh(tmp_path / "quad.off"))
    assert from_file.bodies[0].point_count == 4


def test_scenes_that_say_something_else_differ():
    text, _ = PAIRS["network"]
    scene = parse_scene(text)
    assert scene != parse_scene(text.replace("0.1", "0.2"))
    assert scene != parse_scene(text.replace("[[0, 1], [1, 2]]", "[[0, 1], [0, 2]]"))
    assert scene != parse_scene(text.replace("[10, 20]", "10"))
    assert scene != "a scene"


def test_bodies_without_a_name_are_named_after_their_kind():
    sheet = supple.Cloth.rectangle(width=1, height=1, columns=2, rows=2)
    scene = supple.Scene(sheet, sheet, sheet.changed(name="cloth-2"), supple.Chain(length=1, points=2))
    assert [body.name for body in scene.bodies] == ["cloth", "cloth-3", "cloth-2", "chain"]
    assert scene.body("cloth-3").point_count == 4


def test_declared_values_are_frozen():
    network = supple.Network(points=[[0, 0], [1, 0]], springs=[[0, 1]], stiffness=1.0, mass=1.0)
    with pytest.raises(ValueError, match="frozen"):
        network.mass = 2.0
    with pytest.raises(ValueError, match="read-only"):
        network.points[0, 0] = 1.0


def test_given_arrays_are_copied():
    points = np.array([[0.0, 0.0], [1.0, 0.0]])
    network = supple.Network(points=points, springs=[[0, 1]], stiffness=1.0, mass=1.0)
    points[:] = 7.0
    assert network.points.tolist() == [[0.0, 0.0], [1.0, 0.0]]


def test_changed_and_translated_return_new_bodies():
    chain = supple.Chain(length=1.0, points=3, at=(1.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0))
    assert chain.translated((0.0, 2.0, 0.0)).at == (1.0, 2.0, 0.0)
    assert chain.changed(rotation_deg=(0.0, 0.0, 180.0)).rotation == (0.0, 0.0, math.pi)
    assert chain.at == (1.0, 0.0, 0.0)


def test_pins_may_be_given_in_short_form():
    chain = supple.Chain(length=1.0, points=3, pins=["start", 2, {"box": ((-1, -1, -1), (1, 1, 1))}])
    assert [pin.where for pin in chain.pins] == ["start", 2, BoxRegion(box=((-1, -1, -1), (1, 1, 1)))]
