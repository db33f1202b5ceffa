"""A running state in a file: exact to the bit, whole or not at all, and never trusted blindly."""

import json
import zipfile

import numpy as np
import pytest

import supple
from tests.physics.bodies import INTEGRATORS, chain, irregular_mesh, lattice, mesh, sheet


def everything(**settings):
    """Return a simulation with every kind of body, pins, paths, anchors and regions."""
    path = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=0.5, offset=(0.3, 0.1, 0.0)))
    )
    patch = np.random.default_rng(0).uniform(0.0, 1.0, (3, 3, 3)) + np.arange(3)[None, :, None]
    network = supple.Network(
        points=[[0, 0], [1, 0], [0, 1]], springs=[[0, 1], [1, 2]], stiffness=(5.0, 7.0), mass=(0.1, 0.2, 0.3)
    )
    region = supple.Region(where={"box": ((-0.6, 0.0, -1.0), (0.0, 0.6, 1.0))}, stretch_stiffness=20.0)
    scene = supple.Scene(
        sheet(stretch_limit=0.05, damping=0.1).pinned("left", path=path).changed(regions=(region,)),
        mesh().changed(name="mesh", at=(2.0, 0.0, 0.0)),
        supple.Cloth.bezier(patch, columns=4, rows=4, material="denim", name="patch").anchored(
            0, stiffness=9.0
        ),
        chain(bending_stiffness=1e-3).pinned("start"),
        lattice().changed(rotation=(0.1, 0.2, 0.3), velocity=(1.0, 0.0, 0.0)),
        network.pinned({"box": ((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1))}),
        drag=0.1,
        title="Everything",
        materials={"own": supple.Material.like("silk", area_density=0.2)},
    )
    return supple.Simulation(scene, **settings)


def all_positions(simulation):
    return np.concatenate([simulation.positions(name) for name in simulation.body_names])


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_loaded_state_goes_on_bit_for_bit(integrator, tmp_path):
    simulation = everything(integrator=integrator, substeps="auto" if integrator == "filter" else 3)
    simulation.grab("lattice", 3, (0.5, 0.5, 0.5))
    simulation.grab("cloth", 6, (0.5, 0.5, 0.5))
    for _ in range(4):
        simulation.step()
    simulation.set("chain", stretch_stiffness=123.0, density=0.2)
    simulation.set("mesh", bending_stiffness=1e-3, damping=0.01)
    simulation.set(gravity=(0.1, -5.0, 0.2), drag=0.3, frame_rate=60.0)
    simulation.grab("lattice", 3, (0.6, 0.5, 0.5))
    simulation.pin("patch", 5)
    simulation.step()
    simulation.save(tmp_path / "now.state")
    loaded = supple.Simulation.load(tmp_path / "now.state")
    assert loaded.frame == simulation.frame
    assert loaded.time == simulation.time
    assert loaded.settings == simulation.settings
    assert loaded.scene == simulation.scene
    np.testing.assert_array_equal(all_positions(loaded), all_positions(simulation))
    for _ in range(5):
        a, b = simulation.step(), loaded.step()
        np.testing.assert_array_equal(all_positions(loaded), all_positions(simulation))
        assert (a.kinetic_energy, a.potential_energy, a.substeps) == (
            b.kinetic_energy,
            b.potential_energy,
            b.substeps,
        )
    for one in (simulation, loaded):
        one.release("lattice", 3)
        one.unpin("cloth", 6)
        one.step()
    np.testing.assert_array_equal(all_positions(loaded), all_positions(simulation))


def test_a_loaded_state_may_be_saved_again_alike(tmp_path):
    simulation = everything()
    simulation.step()
    simulation.save(tmp_path / "a.state")
    supple.Simulation.load(tmp_path / "a.state").save(tmp_path / "b.state")
    with np.load(tmp_path / "a.state") as a, np.load(tmp_path / "b.state") as b:
        assert sorted(a) == sorted(b)
        for name in a:
            np.testing.assert_array_equal(a[name], b[name])


def test_a_mesh_from_a_file_is_kept_in_the_state(tmp_path):
    vertices, triangles = irregular_mesh()
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [
        f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles
    ]
    (tmp_path / "cloth.obj").write_text("\n".join(lines))
    simulation = supple.Simulation(supple.Scene(supple.Cloth.from_mesh(tmp_path / "cloth.obj")))
    simulation.step()
    simulation.save(tmp_path / "cloth.state")
    (tmp_path / "cloth.obj").unlink()
    loaded = supple.Simulation.load(tmp_path / "cloth.state")
    np.testing.assert_array_equal(loaded.positions("cloth"), simulation.positions("cloth"))


@pytest.fixture
def saved(tmp_path):
    simulation = supple.Simulation(supple.Scene(sheet(points=3).pinned("top-left")))
    simulation.step()
    simulation.save(tmp_path / "small.state")
    return tmp_path / "small.state"


def test_saving_leaves_no_half_written_file(saved):
    assert [path.name for path in saved.parent.iterdir()] == ["small.state"]


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(supple.StateError, match="cannot read"):
        supple.Simulation.load(tmp_path / "nothing.state")
    with pytest.raises(supple.StateError):
        supple.Simulation.load(tmp_path)


def test_a_folder_that_is_missing_is_said_to_be_missing(saved):
    simulation = supple.Simulation.load(saved)
    with pytest.raises(supple.StateError, match="cannot write"):
        simulation.save(saved.parent / "nowhere" / "x.state")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 not really", b"\x93NUMPY\x01\x00"])
def test_something_else_is_not_taken_for_a_state(tmp_path, content):
    (tmp_path / "x.state").write_bytes(content)
    with pytest.raises(supple.StateError):
        supple.Simulation.load(tmp_path / "x.state")


def test_a_plain_array_is_not_taken_for_a_state(tmp_path):
    with (tmp_path / "x.state").open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(supple.StateError):
        supple.Simulation.load(tmp_path / "x.state")


def test_a_file_cut_short_is_refused(saved):
    whole = saved.read_bytes()
    for share in (0.2, 0.5, 0.9, 0.99):
        saved.write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(supple.StateError):
            supple.Simulation.load(saved)


def test_flipped_bytes_are_refused_or_harmless(saved):
    """Whatever one wrong byte does to the archive, the only error is a StateError."""
    whole = bytearray(saved.read_bytes())
    generator = np.random.default_rng(0)
    refused = 0
    for place in generator.integers(0, len(whole), 150):
        spoiled = whole.copy()
        spoiled[place] ^= 1 << int(generator.integers(0, 8))
        saved.write_bytes(spoiled)
        try:
            supple.Simulation.load(saved)
        except supple.StateError:
            refused += 1
    assert refused > 100


def rewritten(saved, change):
    """Change the arrays of a state with `change(arrays)` and write it again."""
    with np.load(saved) as file:
        arrays = dict(file)
    change(arrays)
    with saved.open("wb") as file:
        np.savez(file, **arrays)


def header_changed(arrays, **values):
    header = json.loads(arrays["header"].tobytes())
    header.update(values)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)


def nan_inside(arrays):
    arrays["particles.velocities"][2, 1] = np.nan


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays: arrays.pop("header"),
        lambda arrays: arrays.pop("particles.positions"),
        lambda arrays: arrays.pop("holds.pins_points"),
        lambda arrays: arrays.update({"particles.masses": np.ones(4)}),
        lambda arrays: arrays.update({"particles.masses": np.array(["heavy"] * 9)}),
        lambda arrays: arrays.update({"holds.pins_points": np.array([99])}),
        lambda arrays: arrays.update({"holds.pins_goals": np.zeros((5, 3))}),
        nan_inside,
        lambda arrays: header_changed(arrays, version=99),
        lambda arrays: header_changed(arrays, time="soon"),
        lambda arrays: header_changed(arrays, scene={"class": "Teapot", "fields": {}}),
        lambda arrays: header_changed(arrays, scene={"class": "Scene", "fields": {"bodies": []}}),
        lambda arrays: header_changed(arrays, settings={"class": "Settings", "fields": {"substeps": -1}}),
        lambda arrays: header_changed(arrays, settings={"class": "Scene"}),
    ],
)
def test_a_state_that_does_not_fit_is_refused(saved, change):
    rewritten(saved, change)
    with pytest.raises(supple.SuppleError):
        supple.Simulation.load(saved)


def test_a_state_holds_no_code(saved):
    with zipfile.ZipFile(saved) as archive:
        assert all(name.endswith(".npy") for name in archive.namelist())
    with np.load(saved, allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file)


@pytest.mark.parametrize("frames", [12, 20])
def test_a_state_in_contact_with_an_obstacle_in_motion_goes_on_bit_for_bit(frames, tmp_path):
    sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=8, rows=8, plane="xz").pinned("top-left")
    way = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=1.0, offset=(0.1, 0.0, 0.0)))
    )
    scene = supple.Scene(sheet, supple.Sphere(radius=0.2, at=(0.0, -0.3, 0.0), motion=way))
    simulation = supple.Simulation(scene)
    for _ in range(frames):
        simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(25):
        simulation.step()
        again.step()
    np.testing.assert_array_equal(again.positions("cloth"), simulation.positions("cloth"))


def test_a_refused_edit_leaves_nothing_behind_that_a_loaded_copy_would_lack(tmp_path):
    """A refused seam kept the record of a cloth; after a shrink, a loaded copy made another one and tore elsewhere."""
    cloth = supple.Cloth.rectangle(width=0.6, height=0.6, columns=5, rows=4, name="sheet").pinned("top")
    rope = supple.Chain(length=0.7, points=7, at=(0.0, -0.5, 0.0), name="rope")
    simulation = supple.Simulation(supple.Scene(cloth, rope))
    with pytest.raises(supple.SuppleError):
        simulation.seam(("sheet", [0, 1, 2, 3, 4]), ("rope", [0, 2, 3]))
    assert not simulation.engine.editor.cloth_records
    simulation.save(tmp_path / "saved.npz")
    twin = supple.Simulation.load(tmp_path / "saved.npz")
    for each in (simulation, twin):
        each.shrink("sheet", points=[5, 6, 7, 10, 11, 12], ratio=0.4, seconds=0.2)
        each.tear("sheet", 0.05)
        for _ in range(20):
            each.step()
    assert len(simulation.positions("sheet")) > 20 or len(simulation.body_names) > 2
    assert simulation.body_names == twin.body_names
    for name in simulation.body_names:
        np.testing.assert_array_equal(simulation.positions(name), twin.positions(name))
