"""The Blender add-on: what it sends is a scene, what comes back plays on the mesh; with Blender where there is one."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

import supple

FOLDER = Path(__file__).parents[2] / "integrations" / "blender" / "supple_cloth"
PROGRAM = f"{shlex.quote(sys.executable)} -m supple"


def loaded(name, path):
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


bridge = loaded("supple_blender_bridge", FOLDER / "bridge.py")


def sheet(**options):
    """Return a square of cloth, Z up, one metre above the floor; turned and moved as an object."""
    side = np.linspace(-0.2, 0.2, 5)
    x, y = np.meshgrid(side, side)
    points = np.column_stack([x.ravel(), y.ravel(), np.full(25, 1.0)])
    squares = [(5 * r + c, 5 * r + c + 1, 5 * r + c + 6, 5 * r + c + 5) for r in range(4) for c in range(4)]
    triangles = np.array([t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))])
    matrix = np.array(
        [[0.0, -2.0, 0.0, 1.0], [2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 3.0], [0.0, 0.0, 0.0, 1.0]]
    )
    return bridge.ClothObject("My sheet", points, triangles, matrix, **options)


def tetrahedron(offset=0.0):
    points = np.array([[-0.1, -0.1, 0.7], [0.1, -0.1, 0.7], [0.0, 0.1, 0.7], [0.0, 0.0, 0.85]])
    return points + np.array([0.0, 0.0, offset]), np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])


def test_a_scene_comes_over_with_its_axes_names_and_pins(tmp_path):
    moving = [tetrahedron(0.01 * n)[0] for n in range(3)]
    names = bridge.write_scene(
        tmp_path,
        [sheet(pinned=(0, 4), material="silk")],
        [bridge.BodyObject("My  body!", moving, tetrahedron()[1], friction=0.7)],
        frames=2,
        frame_rate=25.0,
        ground=0.5,
    )
    assert names == {"My sheet": "My-sheet", "My  body!": "My-body"}
    scene = supple.read_scene(tmp_path / "scene.toml")
    cloth = scene.cloths["My-sheet"]
    np.testing.assert_allclose(cloth.start_points()[0], (-0.2, 1.0, 0.2), atol=1e-7)
    assert cloth.material == "silk" and cloth.self_contact == "exact" and scene.settings.frame_rate == 25.0
    assert scene.gravity == pytest.approx((0.0, -9.81, 0.0)) and scene.duration == pytest.approx(0.08)
    simulation = supple.Simulation(scene)
    assert simulation.pinned("My-sheet").tolist() == [0, 4]
    assert sorted(simulation.obstacle_names)[-1] == "ground"


def test_frames_come_back_in_the_axes_of_the_object(tmp_path):
    cloth = sheet(pinned=(0, 4))
    names = bridge.write_scene(tmp_path, [cloth], [], frames=4, frame_rate=25.0)
    said = []
    bridge.run(PROGRAM, tmp_path, said.append)
    caches = bridge.collect(tmp_path, [cloth], names)
    samples = bridge.read_cache(caches["My sheet"])
    assert len(samples) >= 4
    world = samples @ cloth.matrix[:3, :3].T + cloth.matrix[:3, 3]
    np.testing.assert_allclose(
        world[:, [0, 4]], np.broadcast_to(cloth.points[[0, 4]], (len(world), 2, 3)), atol=1e-5
    )
    fall = 0.5 * 9.81 * 0.16**2
    assert 0.3 * fall < cloth.points[12, 2] - world[-1, 12, 2] < 1.5 * fall


def test_mistakes_are_told_in_words(tmp_path):
    with pytest.raises(bridge.BridgeError, match="no mesh is marked as cloth"):
        bridge.write_scene(tmp_path, [], [], frames=1, frame_rate=25.0)
    cloth = sheet()
    loose = bridge.ClothObject("loose", np.vstack([cloth.points, [[0, 0, 0]]]), cloth.triangles)
    with pytest.raises(bridge.BridgeError, match="vertices without a face"):
        bridge.write_scene(tmp_path, [loose], [], frames=1, frame_rate=25.0)
    with pytest.raises(bridge.BridgeError, match=r"cannot be started.*Is supple installed"):
        bridge.run("no-such-program-anywhere", tmp_path)
    bridge.write_scene(tmp_path, [sheet(material="silc")], [], frames=1, frame_rate=25.0)
    with pytest.raises(bridge.BridgeError, match=r"could not compute the scene.*silc"):
        bridge.run(PROGRAM, tmp_path)
    with pytest.raises(bridge.BridgeError, match="no cache for"):
        bridge.collect(tmp_path, [cloth], {"My sheet": "My-sheet"})
    (tmp_path / "cache.pc2").write_bytes(b"nonsense")
    with pytest.raises(bridge.BridgeError, match="no PC2 point cache"):
        bridge.collect(tmp_path, [cloth], {"My sheet": "My-sheet"})


def test_names_that_look_alike_stay_apart():
    assert bridge.safe_names(["a b", "a-b", "!!"]) == {"a b": "a-b", "a-b": "a-b-2", "!!": "object"}


def test_blender_bakes_and_plays_a_sheet(tmp_path):
    """Opt-in: where Blender is installed as a module, `pip install bpy`."""
    bpy = pytest.importorskip("bpy")
    addon = loaded("supple_cloth", FOLDER / "__init__.py")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon.register()
    try:
        cloth = sheet(pinned=())
        mesh = bpy.data.meshes.new("sheet")
        mesh.from_pydata((cloth.points * (1, 1, 0)).tolist(), [], cloth.triangles.tolist())
        thing = bpy.data.objects.new("sheet", mesh)
        thing.location = (0.5, 0.0, 1.0)
        bpy.context.scene.collection.objects.link(thing)
        group = thing.vertex_groups.new(name="hold")
        group.add([0, 4], 1.0, "REPLACE")
        thing.supple.role, thing.supple.pins = "CLOTH", "hold"
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, 6
        addon.program_of = lambda context: PROGRAM
        addon.bake(bpy.context, tmp_path)
        assert thing.modifiers["Supple"].cache_format == "PC2"
        scene.frame_set(6)
        drawn, _ = addon.mesh_of(thing, bpy.context.evaluated_depsgraph_get(), is_evaluated=True)
        np.testing.assert_allclose(drawn[0], (0.3, -0.2, 1.0), atol=1e-4)
        assert drawn[12, 2] < 0.97
    finally:
        addon.unregister()
