"""Meshes as obstacles: through their distance maps, with clear words about bad ones."""

import re
import struct
import warnings

import numpy as np
import pytest

import supple
from supple.collide.obstacles.solid_arrays import doubts_about
from supple.scene.obstacles.tessellate import ball, ring


def sheet(**options):
    return supple.Cloth.rectangle(
        **{
            "width": 0.6,
            "height": 0.6,
            "columns": 20,
            "rows": 20,
            "plane": "xz",
            "at": (0, 0.4, 0),
            **options,
        }
    )


def write_obj(path, vertices, triangles):
    lines = ["v " + " ".join(repr(float(x)) for x in vertex) for vertex in vertices]
    lines += ["f " + " ".join(str(index + 1) for index in triangle) for triangle in triangles]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("solid", [supple.Sphere(radius=0.2), supple.Torus(radius=0.2, tube=0.06)])
def test_a_mesh_stops_cloth_like_the_solid_it_shows(solid):
    ends = []
    for obstacle in (solid, supple.Mesh(solid.surface())):
        simulation = supple.Simulation(supple.Scene(sheet(), obstacle, drag=1.0))
        for _ in simulation.run(0.8):
            assert simulation.depth() < 1e-4
        ends.append(simulation.positions("cloth").copy())
    assert np.abs(ends[0] - ends[1]).max() < 0.05
    assert simulation.step().contacts > 20


@pytest.mark.parametrize("speed", [5.0, 20.0, 100.0])
def test_fast_cloth_does_not_jump_over_a_thin_mesh(speed):
    plate = supple.Mesh(supple.Box(size=(1.0, 0.004, 1.0)).surface())
    simulation = supple.Simulation(supple.Scene(sheet(velocity=(0, -speed, 0)), plate), substeps=2)
    for _ in simulation.run(0.2):
        assert simulation.positions("cloth")[:, 1].min() > 0.0
        assert simulation.depth() < 1e-4


@pytest.mark.parametrize("integrator", ["filter", "xpbd"])
def test_nothing_is_pressed_into_the_walls_of_a_trough_or_through_its_bottom(integrator):
    vertices, triangles = supple.Box(size=(0.02, 0.4, 0.6)).surface()
    walls = []
    for side in (-1.0, 1.0):
        c, s = np.cos(np.radians(8.0)), -side * np.sin(np.radians(8.0))
        shifted = vertices + np.array([side * 0.0095, 0.2, 0.0])
        walls.append(shifted @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]))
    trough = supple.Mesh((np.concatenate(walls), np.concatenate([triangles, triangles + len(vertices)])))
    edge_on = sheet(
        plane="xy",
        width=0.5,
        height=0.3,
        rows=13,
        rotation_deg=(0, 90, 2),
        at=(0, 0.5, 0),
        velocity=(0, -3, 0),
    )
    simulation = supple.Simulation(supple.Scene(edge_on, trough), integrator=integrator)
    for _ in simulation.run(0.4):
        assert simulation.depth() < 1e-4
    points = simulation.positions("cloth")
    assert points[np.abs(points[:, 2]) < 0.29, 1].min() > 0.0


def test_furniture_with_thin_parts_and_narrow_gaps_stops_cloth():
    for seed, shape in enumerate(("lamp", "shelf", "desk", "lamp", "shelf")):
        random = np.random.default_rng(seed)
        mesh = supple.Mesh(shape=shape, friction=0.5)
        vertices, _ = mesh.surface()
        x, _, z = vertices[random.integers(len(vertices))]
        at = (x, vertices[:, 1].max() + 0.15, z)
        turn = random.uniform(-0.3, 0.3, 3)
        falling = sheet(at=at, rotation=turn, velocity=(0, -5, 0))
        simulation = supple.Simulation(
            supple.Scene(falling, mesh), integrator="xpbd" if seed % 2 else "filter"
        )
        for _ in simulation.run(0.4):
            assert simulation.depth() < 1e-4, (seed, shape)


def test_random_drops_on_meshes_end_every_frame_outside():
    for seed in range(20):
        random = np.random.default_rng(seed)
        vertices, triangles = ring(0.2, 0.07) if seed % 2 else ball((0.25, 0.15, 0.2))
        mesh = supple.Mesh(
            (vertices, triangles),
            rotation=random.uniform(-3, 3, 3),
            at=random.uniform(-0.1, 0.1, 3),
            friction=0.4,
        )
        velocity = random.normal(size=3) * random.uniform(0.0, 10.0)
        simulation = supple.Simulation(
            supple.Scene(sheet(velocity=velocity), mesh, supple.Plane(at=(0, -0.4, 0))), substeps=4
        )
        for report in simulation.run(0.5):
            assert report.is_finite
            assert simulation.depth() < 1e-4


def test_a_mesh_moves_and_carries_cloth():
    tray = supple.Mesh(
        supple.Box(size=(0.8, 0.1, 0.8)).surface(),
        friction=0.8,
        motion=lambda t: ((0.2 * t, 0.1 * t, 0), (0, 0.5 * t, 0)),
    )
    simulation = supple.Simulation(supple.Scene(sheet(at=(0.0, 0.0511, 0.0)), tray))
    for _ in simulation.run(1.0):
        assert simulation.depth() < 1e-4
    assert simulation.positions("cloth").mean(axis=0) == pytest.approx((0.2, 0.151, 0.0), abs=0.01)


def test_holes_and_bad_winding_are_told_once_with_their_number():
    vertices, triangles = ball((0.2, 0.2, 0.2))
    broken = triangles[5:].copy()
    broken[10] = broken[10][::-1]
    with pytest.warns(UserWarning) as told:
        simulation = supple.Simulation(supple.Scene(sheet(), supple.Mesh((vertices, broken), name="globe")))
    lines = [str(warning.message) for warning in told]
    assert len(lines) == 2 and all(line.startswith("`obstacle.globe`") for line in lines)
    assert re.search(r"holes: \d+ boundary edges", lines[0])
    assert "1 triangles were turned round" in lines[1]
    for _ in simulation.run(0.6):
        assert simulation.depth() < 1e-4


def test_the_same_mesh_twice_has_one_map():
    mesh = supple.Mesh(ball((0.1, 0.1, 0.1)), accuracy=0.01)
    scene = supple.Scene(sheet(), mesh, mesh.changed(at=(0.3, 0.0, 0.0)))
    solids = supple.Simulation(scene).engine.obstacles.solids
    assert solids.parameters[:, 0].tolist() == [0.0, 0.0]


def test_building_a_map_tells_how_far_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE_DIR", str(tmp_path))
    heard = []
    scene = supple.Scene(sheet(), supple.Mesh(ball((0.1, 0.2, 0.1)), name="egg"))
    supple.Simulation(scene, progress=lambda name, share: heard.append((name, share)))
    assert {name for name, _ in heard} == {"egg"}
    shares = [share for _, share in heard]
    assert shares == sorted(shares) and shares[0] == 0.0 and shares[-1] == pytest.approx(1.0)


# ---------------------------------------------------------------- bad files


def told_by(file, **options):
    """Return the message that a scene with this mesh file ends in."""
    with pytest.raises(supple.SuppleError) as caught:
        supple.Simulation(supple.Scene(sheet(), supple.Mesh(file, name="thing", **options)))
    return str(caught.value)


def test_an_empty_file_is_told(tmp_path):
    for ending in ("obj", "ply", "stl", "glb"):
        file = tmp_path / f"empty.{ending}"
        file.write_bytes(b"")
        message = told_by(file)
        assert "obstacle.thing` names the mesh file" in message


def test_a_truncated_file_is_told(tmp_path):
    triangles = 12
    content = b"x" * 80 + struct.pack("<I", triangles) + b"\0" * 50 * 3
    (tmp_path / "cut.stl").write_bytes(content)
    (tmp_path / "cut.glb").write_bytes(b"glTF\x02\x00\x00\x00\xff\xff\x00\x00{")
    (tmp_path / "cut.ply").write_text(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0"
    )
    for ending in ("stl", "glb", "ply"):
        assert "names the mesh file" in told_by(tmp_path / f"cut.{ending}")


def test_a_file_without_faces_is_told(tmp_path):
    (tmp_path / "points.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
    assert "no triangles" in told_by(tmp_path / "points.obj")


def test_nan_in_a_file_is_told(tmp_path):
    vertices, triangles = ball((0.1, 0.1, 0.1))
    vertices[7, 1] = np.nan
    message = told_by(write_obj(tmp_path / "nan.obj", vertices, triangles))
    assert "obstacle.thing" in message and ("nan" in message.lower() or "finite" in message)


def test_triangles_without_area_are_told(tmp_path):
    line = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    message = told_by(write_obj(tmp_path / "line.obj", line, [[0, 1, 2]]))
    assert "area" in message


def test_ten_million_triangles_are_refused_at_once():
    vertices = np.random.default_rng(0).uniform(-1, 1, (1000, 3))
    triangles = np.tile(np.arange(999).reshape(-1, 3), (30_031, 1))
    assert len(triangles) > 10_000_000 - 5000
    message = told_by((vertices, triangles))
    assert "triangles" in message and "obstacle.thing" in message


@pytest.mark.parametrize("scale", [1000.0, 0.001])
def test_wrong_units_are_an_error_or_a_warning(scale):
    vertices, triangles = ball((0.45, 0.3, 0.45))
    scene = supple.Scene(sheet(at=(0, 400.0, 0)), supple.Mesh((scale * vertices, triangles), name="stool"))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            supple.Simulation(scene)
            lines = [str(warning.message) for warning in told]
        except supple.SuppleError as error:
            lines = [str(error)]
    assert len(lines) == 1 and "obstacle.stool" in lines[0] and "metres" in lines[0]


def test_right_units_are_not_doubted():
    for size in (0.05, 30.0):
        scene = supple.Scene(sheet(at=(0, 50.0, 0)), supple.Mesh(ball((size, size, size))))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            supple.Simulation(scene)


def test_doubts_are_told_without_building_a_map():
    vertices, triangles = ball((0.2, 0.2, 0.2))
    clean, holed = supple.Mesh((vertices, triangles)), supple.Mesh((vertices, triangles[3:]), name="globe")
    assert doubts_about((clean,), 1.0) == []
    (line,) = doubts_about((holed,), 1.0)
    assert line.startswith("`obstacle.globe`: the surface has holes")
    (line,) = doubts_about((clean.changed(name="giant"),), 1e-4)
    assert "millimetres" in line
