"""Animated figures from files become obstacles that move as the animation says."""

import numpy as np
import pytest

import supple
from supple.errors import SceneError, SuppleError
from supple.scene.obstacles.character_skin import skinned
from supple.scene.placement import placed, rotation_matrix
from supple.scene.rotations import angles_of, rigid_fit
from tests.collide.inside import depth
from tests.scene import walker

TIMES = (0.0, 0.3, 0.5, 0.9, 1.2)


def where(part, time):
    """Return the vertices of an obstacle in the world at a moment."""
    offset, angles = part.pose(time)
    return placed(part.vertices, tuple(np.array(part.at) + offset), tuple(angles))


def expected(bone, time):
    points, _ = walker.limbs()[bone]
    matrix = walker.world_matrices(time)[bone]
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def written(tmp_path, kind):
    path = tmp_path / f"walk{'.glb' if 'glb' in kind else '.pc2' if 'pc2' in kind else '.usda'}"
    if "glb" in kind:
        walker.write_glb(path, is_skinned="skin" in kind)
    elif "usd" in kind:
        walker.write_usd(path, is_skinned="skin" in kind)
    else:
        walker.write_point_cache(path)
    return path


@pytest.mark.parametrize("kind", ["glb skin", "glb nodes", "usd skin", "usd nodes", "pc2"])
def test_every_part_walks_as_the_figure_was_animated(tmp_path, kind):
    parts = supple.read_character(written(tmp_path, kind), friction=0.7, sample_rate=50.0)
    assert len(parts) == 5
    assert all(part.friction == 0.7 for part in parts)
    for time in TIMES:
        found = [where(part, time) for part in parts]
        for bone in range(5):
            truth = expected(bone, time)
            nearest = min(
                np.abs(np.sort(points, axis=0) - np.sort(truth, axis=0)).max()
                for points in found
                if len(points) == len(truth)
            )
            # Between samples, 50 or 25 a second, the true path is curved.
            assert nearest < (3e-3 if "usd" in kind else 5e-4), (bone, time)


def test_names_tell_the_figure_and_the_bone(tmp_path):
    parts = supple.read_character(written(tmp_path, "glb skin"), name="mary")
    assert [part.name for part in parts] == [f"mary {bone}" for bone in walker.BONES]


def test_speed_start_scale_and_loop(tmp_path):
    path = written(tmp_path, "glb nodes")
    (trunk, *_) = supple.read_character(path)
    (fast, *_) = supple.read_character(path, speed=2.0, start=0.1)
    np.testing.assert_allclose(where(fast, 0.1 + 0.25), where(trunk, 0.5), atol=1e-9)
    (large, *_) = supple.read_character(path, scale=2.0)
    np.testing.assert_allclose(where(large, 0.5), 2.0 * where(trunk, 0.5), atol=1e-9)
    (again, *_) = supple.read_character(path, loop=True)
    np.testing.assert_allclose(where(again, 1.2 + 0.3), where(trunk, 0.3), atol=1e-9)
    np.testing.assert_allclose(where(trunk, 9.0), where(trunk, 1.2), atol=1e-9)


def test_a_bent_skin_overlaps_at_its_joints(tmp_path):
    """Corners that two bones share belong to both parts, so no gap opens between them."""
    from supple.scene.obstacles.character import parts_of_skin

    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0], [1, 2, 0]], dtype=float)
    triangles = np.array([[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]])
    weights = np.array([[1, 0], [1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1], [0, 1.0]])
    matrices = np.tile(np.eye(4), (3, 2, 1, 1))
    lower, upper = parts_of_skin("skin", vertices, triangles, weights, ["lower", "upper"], matrices)
    assert len(lower.triangles) == len(upper.triangles) == 4


def test_cloth_on_a_walking_figure_stays_outside(tmp_path):
    path = written(tmp_path, "glb skin")
    figure = supple.read_character(path, friction=0.6, accuracy=0.03, shell=0.005)
    cape = supple.Cloth.rectangle(width=0.7, height=0.7, columns=15, rows=15, plane="xz", at=(0.0, 1.55, 0.0))
    simulation = supple.Simulation(supple.Scene(cape, figure[0]), substeps=8)
    for _ in simulation.run(0.6):
        assert simulation.depth() < 0.01
    trunk, _ = simulation.obstacle_pose("walk trunk")
    assert trunk[2] == pytest.approx(0.48, abs=0.01)
    # The cape is carried along, not left behind in the air.
    assert simulation.positions("cloth")[:, 2].mean() > 0.2


def test_a_scene_file_names_a_character(tmp_path):
    written(tmp_path, "glb nodes")
    (tmp_path / "scene.toml").write_text(
        "[cloth.cape]\nrectangle = { width = 0.5, height = 0.5, columns = 5, rows = 5 }\n"
        '[character.mary]\nfile = "walk.glb"\nfriction = 0.4\nspeed = 1.5\n',
        encoding="utf-8",
    )
    scene = supple.read_scene(tmp_path / "scene.toml")
    assert [obstacle.name for obstacle in scene.obstacles] == [f"mary {bone}" for bone in walker.BONES]
    assert scene.obstacles[0].friction == 0.4


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('file = "none.glb"', "no file"),
        ("friction = 0.4", "path of a"),
        ('file = "walk.glb"\nfrict = 1', "frict"),
        ('file = "walk.glb"\nfriction = -1', "friction"),
        ('file = "walk.glb"\nspeed = 0', "more than 0"),
        ('file = "walk.glb"\nspeed = "fast"', "cannot be read"),
    ],
)
def test_mistakes_in_a_character_are_told_with_their_place(tmp_path, table, said):
    written(tmp_path, "glb nodes")
    (tmp_path / "scene.toml").write_text(
        f"[cloth.cape]\nrectangle = {{ width = 0.5, height = 0.5, columns = 5, rows = 5 }}\n[character.mary]\n{table}\n",
        encoding="utf-8",
    )
    with pytest.raises(SceneError, match=said):
        supple.read_scene(tmp_path / "scene.toml")


def test_state_of_a_scene_with_a_character_is_saved(tmp_path):
    figure = supple.read_character(written(tmp_path, "glb nodes"), accuracy=0.05)
    cape = supple.Cloth.rectangle(width=0.5, height=0.5, columns=5, rows=5, at=(0.0, 3.0, 0.0))
    simulation = supple.Simulation(supple.Scene(cape, figure[1]))
    simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    simulation.step()
    again.step()
    np.testing.assert_array_equal(
        again.obstacle_pose("walk left thigh")[1], simulation.obstacle_pose("walk left thigh")[1]
    )


@pytest.mark.parametrize(
    ("name", "said"), [("walk.fbx", "must end in one of"), ("missing.glb", "no file"), ("bad.glb", "no glTF")]
)
def test_files_that_cannot_be_read_are_told(tmp_path, name, said):
    (tmp_path / "bad.glb").write_bytes(b"nonsense" * 10)
    (tmp_path / "walk.fbx").write_bytes(b"")
    with pytest.raises(SuppleError, match=said):
        supple.read_character(tmp_path / name)


def truth_of_skin(time):
    """Return the vertices of the whole figure at a moment."""
    return np.concatenate([expected(bone, time) for bone in range(5)])


def where_led(puppet, time):
    before, after, share = puppet.sample(time)
    return puppet.samples[before] + share * (puppet.samples[after] - puppet.samples[before])


@pytest.mark.parametrize("kind", ["glb skin", "usd skin"])
def test_a_skin_that_deforms_comes_as_one_puppet(tmp_path, kind):
    (puppet,) = supple.read_character(
        written(tmp_path, kind), name="mary", deforms=True, friction=0.7, shell=0.004, accuracy=0.01
    )
    assert isinstance(puppet, supple.Puppet)
    assert (puppet.friction, puppet.shell) == (0.7, 0.004)
    assert puppet.name == "mary skin" or puppet.name == "mary Skin"
    for time in TIMES:
        # Between samples the true path is curved.
        assert np.abs(where_led(puppet, time) - truth_of_skin(time)).max() < 3e-3


def test_bones_share_a_skin_by_their_weights():
    matrices = np.tile(np.eye(4), (2, 2, 1, 1))
    matrices[1, 1, :3, 3] = (0.0, 1.0, 0.0)
    weights = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 2.0], [0.0, 0.0]])
    samples = skinned(np.zeros((4, 3)), weights, matrices)
    assert samples[0].tolist() == np.zeros((4, 3)).tolist()
    assert samples[1, :, 1].tolist() == [0.0, 0.5, 1.0, 0.0]


def test_pieces_of_a_point_cache_that_deform_come_as_puppets(tmp_path):
    walker.write_point_cache(tmp_path / "soft.pc2", deforms=True)
    parts = supple.read_character(tmp_path / "soft.pc2", scale=2.0, start=0.5, speed=2.0, loop=True)
    assert len(parts) == 5
    assert all(isinstance(part, supple.Puppet) and part.loop for part in parts)
    truth = truth_of_skin(0.6) * (1.3, 1.0, 1.0)  # sample 30 of 61, 50 a second
    found = np.concatenate([where_led(part, 0.5 + 0.6 / 2.0) for part in parts])
    assert np.allclose(np.sort(found, axis=0), 2.0 * np.sort(truth, axis=0), atol=1e-5)


@pytest.mark.parametrize("ending", ["glb", "usda", "pc2"])
def test_a_recorded_cloth_is_a_puppet_for_the_next_run(tmp_path, ending):
    cloth = supple.Cloth.rectangle(width=0.4, height=0.4, columns=6, rows=6, plane="xz")
    simulation = supple.Simulation(supple.Scene(cloth.pinned("top-left", "top-right")))
    supple.record(simulation, tmp_path / f"swing.{ending}", seconds=0.4)
    ends = simulation.positions("cloth")
    (puppet,) = supple.read_character(tmp_path / f"swing.{ending}", name="swing")
    assert isinstance(puppet, supple.Puppet)
    found = where_led(puppet, 0.4)
    # A .glb splits vertices and keeps its points to within half a millimetre.
    distances = np.linalg.norm(ends[:, None] - found[None], axis=2).min(axis=1)
    assert distances.max() < (6e-4 if ending == "glb" else 1e-6)


def test_cloth_on_a_skin_that_walks_stays_outside(tmp_path):
    (puppet,) = supple.read_character(
        written(tmp_path, "glb skin"), name="mary", deforms=True, shell=0.003, friction=0.8
    )
    cape = supple.Cloth.rectangle(
        width=0.6, height=0.7, columns=13, rows=13, plane="xz", at=(0.0, 1.55, 0.0), name="cloth"
    )
    simulation = supple.Simulation(supple.Scene(cape, puppet.changed(name="puppet")))
    most = 0
    for report in simulation.run(1.2):
        assert report.is_finite
        most = max(most, report.contacts)
        if report.frame % 10 == 0:
            corners = simulation.positions("puppet")[simulation.triangles("puppet")]
            assert depth(simulation.positions("cloth"), corners) <= 1e-4
    assert most > 15
    assert simulation.positions("cloth")[:, 1].max() > 1.1  # it is still on the shoulders


def test_point_cache_without_its_mesh_is_refused(tmp_path):
    walker.write_point_cache(tmp_path / "walk.pc2")
    (tmp_path / "walk.rest.obj").unlink()
    with pytest.raises(SuppleError, match=r"walk\.rest\.obj"):
        supple.read_character(tmp_path / "walk.pc2")


def test_a_track_turns_the_short_way_through_a_quarter_where_angles_go_astray():
    half = np.sqrt(0.5)
    track = supple.Track(
        moments=[0, 1], places=[[0, 0, 0]] * 2, spins=[[0, 0.6, 0, 0.8], [0, half + 0.1, 0, half - 0.1]]
    )
    for time in np.linspace(0.0, 1.0, 11):
        turn = rotation_matrix(tuple(track.pose(float(time))[1]))
        np.testing.assert_allclose(turn @ [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], atol=1e-9)


@pytest.mark.parametrize(
    "values",
    [
        {"moments": [], "places": np.zeros((0, 3)), "spins": np.zeros((0, 4))},
        {"moments": [1, 0], "places": np.zeros((2, 3)), "spins": np.eye(4)[:2]},
        {"moments": [0, 1], "places": np.zeros((1, 3)), "spins": np.eye(4)[:2]},
        {"moments": [0], "places": np.zeros((1, 3)), "spins": np.zeros((1, 4))},
        {"moments": [0], "places": [[0, float("nan"), 0]], "spins": [[0, 0, 0, 1]]},
        {"moments": "now", "places": [[0, 0, 0]], "spins": [[0, 0, 0, 1]]},
    ],
)
def test_tracks_that_make_no_sense_are_refused(values):
    with pytest.raises(SceneError, match="track"):
        supple.Track(**values)


def test_angles_and_rigid_fit_find_the_turn_again():
    points = np.random.default_rng(3).normal(size=(12, 3))
    for angles in ((0.3, -1.2, 2.0), (0.0, np.pi / 2, 0.4), (0.0, 0.0, 0.0)):
        turn = rotation_matrix(angles)
        np.testing.assert_allclose(rotation_matrix(tuple(angles_of(turn))), turn, atol=1e-12)
        found, place, left = rigid_fit(points, points @ turn.T + (1.0, 2.0, 3.0))
        np.testing.assert_allclose(found, turn, atol=1e-12)
        np.testing.assert_allclose(
            place, np.array([1.0, 2.0, 3.0]) + (points @ turn.T).mean(axis=0), atol=1e-12
        )
        assert left < 1e-12
