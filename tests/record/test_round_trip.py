"""Every format that holds shapes gives back what was simulated."""

import numpy as np
import pytest

import supple
from supple.errors import SuppleError
from supple.record import record
from supple.scene.colour import COLOURS
from tests.record.conftest import SHAPE_ENDINGS, STEPS

EXACT = [ending for ending in SHAPE_ENDINGS if ending != ".glb"]
WITH_OBSTACLES = (".npz", ".npy", ".usd", ".usdc", ".usda", ".glb")


@pytest.mark.parametrize("ending", EXACT)
def test_positions_come_back_to_the_last_bit_of_single_precision(recorded, ending):
    with supple.open(recorded.path(ending)) as recording:
        assert len(recording) == STEPS + 1
        for number, frame in enumerate(recording):
            for body, kept in recorded.positions.items():
                np.testing.assert_array_equal(frame.positions(body), kept[number])


def test_glb_stays_within_its_bound_and_leaves_frames_out(recorded):
    recording = supple.open(recorded.path(".glb"))
    shapes = recorded.folder / "glb"
    assert len(recording) == STEPS + 1
    worst = 0.0
    for number, frame in enumerate(recording):
        for body, kept in recorded.positions.items():
            worst = max(worst, float(np.linalg.norm(frame.positions(body) - kept[number], axis=1).max()))
    assert 0.0 < worst <= 1.0e-4 + 1.0e-6
    assert shapes.is_dir()


@pytest.mark.parametrize("ending", SHAPE_ENDINGS)
def test_frame_times_and_rate_come_back(recorded, ending):
    recording = supple.open(recorded.path(ending))
    assert recording.frame_rate == 50.0
    np.testing.assert_allclose(recording.times, recorded.times, rtol=0.0, atol=1e-12)
    assert recording[-1].time == pytest.approx(recorded.times[-1])


@pytest.mark.parametrize("ending", SHAPE_ENDINGS)
def test_triangles_edges_and_names_come_back(recorded, ending):
    frame = supple.open(recorded.path(ending))[3]
    assert sorted(frame.body_names) == sorted(recorded.simulation.body_names)
    np.testing.assert_array_equal(frame.triangles("cloth"), recorded.simulation.triangles("cloth"))
    np.testing.assert_array_equal(
        np.sort(frame.edges("chain"), axis=1), np.sort(recorded.simulation.edges("chain"), axis=1)
    )


@pytest.mark.parametrize("ending", WITH_OBSTACLES)
def test_obstacles_come_back_with_their_motion(recorded, ending):
    recording = supple.open(recorded.path(ending))
    assert set(recording[0].obstacle_names) == {"ball", "ground"}
    vertices, triangles = recorded.simulation.obstacle_surface("ball")
    for number, frame in enumerate(recording):
        place, turn = frame.obstacle_pose("ball")
        np.testing.assert_allclose(place, recorded.poses[number][0], atol=1e-6)
        np.testing.assert_allclose(turn, recorded.poses[number][1], atol=2e-6)
    np.testing.assert_allclose(frame.obstacle_surface("ball")[0], vertices, atol=1e-7)
    np.testing.assert_array_equal(frame.obstacle_surface("ball")[1], triangles)


def test_vtu_holds_obstacles_where_they_are(recorded):
    frame = supple.open(recorded.path(".vtu"))[STEPS]
    vertices, _ = recorded.simulation.obstacle_surface("ball")
    place, turn = recorded.poses[STEPS]
    found, _ = frame.obstacle_surface("ball")
    np.testing.assert_allclose(found + frame.obstacle_pose("ball")[0], vertices @ turn.T + place, atol=1e-6)


@pytest.mark.parametrize("ending", [".npz", ".npy", ".usd", ".usda", ".obj", ".ply", ".pc2"])
def test_places_on_the_flat_cloth_come_back(recorded, ending):
    shape = supple.open(recorded.path(ending))[0].shapes.bodies["cloth"]
    spans = np.ptp(np.asarray(shape.coordinates, dtype=np.float64), axis=0)
    np.testing.assert_allclose(np.sort(spans), [0.6, 0.6], atol=1e-5)


@pytest.mark.parametrize("ending", [".npz", ".npy"])
def test_positions_are_windows_into_the_file(recorded, ending):
    positions = supple.open(recorded.path(ending))[2].positions("cloth")
    assert isinstance(positions, np.memmap) and not positions.flags.writeable


def test_reports_come_back_as_columns(recorded):
    recording = supple.open(recorded.path(".npz"))
    for name in ("kinetic_energy", "max_stretch", "contacts", "milliseconds"):
        np.testing.assert_array_equal(
            recording.reports[name], [getattr(report, name) for report in recorded.reports]
        )
    assert recording[0].report == {}
    assert recording[4].report["linear_momentum_y"] == recorded.reports[3].linear_momentum[1]


def test_numpy_reads_the_archive_and_the_folder_without_us(recorded):
    with np.load(recorded.path(".npz")) as archive:
        np.testing.assert_array_equal(archive["cloth/positions"], recorded.positions["cloth"])
        np.testing.assert_array_equal(archive["time"], recorded.times)
    folder = recorded.path(".npy")
    np.testing.assert_array_equal(np.load(folder / "chain" / "positions.npy"), recorded.positions["chain"])


def test_frames_count_from_the_end_and_come_in_slices(recorded):
    recording = supple.open(recorded.path(".npz"))
    assert recording[-1].number == STEPS
    assert [frame.number for frame in recording[2:8:3]] == [2, 5]
    with pytest.raises(IndexError, match="which has 13"):
        recording[STEPS + 1]
    with pytest.raises(SuppleError, match="no body called 'flag'"):
        recording[0].positions("flag")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing.npz", "no such recording"),
        ("nothing.xyz", "recordings end in one of"),
        ("table.csv", "supple plot"),
        ("film.mp4", "pictures, not shapes"),
    ],
)
def test_what_cannot_be_opened_is_told(tmp_path, name, said):
    with pytest.raises(SuppleError, match=said):
        supple.open(tmp_path / name)


@pytest.mark.parametrize("ending", [".npz", ".glb", ".usd", ".ply", ".pc2", ".vtu"])
def test_damaged_files_are_told_of(tmp_path, ending):
    (tmp_path / f"broken{ending}").write_bytes(b"this was never a recording" * 5)
    with pytest.raises(SuppleError, match="broken"):
        supple.open(tmp_path / f"broken{ending}")


@pytest.mark.parametrize("ending", [".npz", ".glb", ".usd"])
def test_colours_that_the_scene_chooses_come_back(tmp_path, ending):
    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=4, rows=4, colour="#204080").pinned("top")
    ball = supple.Sphere(radius=0.1, at=(0.0, -1.0, 0.0), colour="wood")
    record(supple.Simulation(supple.Scene(sheet, ball)), tmp_path / f"run{ending}", seconds=0.04)
    shapes = supple.open(tmp_path / f"run{ending}")[-1].shapes
    assert shapes.bodies["cloth"].colour == "#204080"
    assert shapes.solids["sphere"].colour == COLOURS["wood"]
