import numpy as np
import trimesh

from supple.record import record
from supple.record.formats.obj import faces_of, obj_text


def test_triangles_and_points_come_back_through_another_reader(drifting, tmp_path):
    files = record(drifting, tmp_path / "drift.obj", seconds=0.3)
    mesh = trimesh.load(files[-1], process=False, maintain_order=True)
    geometry = mesh.geometry["sheet"] if isinstance(mesh, trimesh.Scene) else mesh
    np.testing.assert_allclose(geometry.vertices[:4], drifting.positions("sheet"), rtol=1e-7)
    np.testing.assert_array_equal(geometry.faces, drifting.triangles("sheet"))


def test_body_without_triangles_is_written_as_lines(drifting):
    lines = obj_text(drifting, faces_of(drifting)).splitlines()
    assert [line for line in lines if line.startswith("o ")] == ["o sheet", "o rope"]
    assert [line for line in lines if line.startswith("f ")] == ["f 1 3 2", "f 2 3 4"]
    assert [line for line in lines if line.startswith("l ")] == ["l 5 6", "l 6 7"]


def test_positions_keep_all_digits_of_single_precision(drifting):
    assert "v 2 0.333333343 0" in obj_text(drifting, faces_of(drifting))
    assert np.float32("0.333333343") == np.float32(1.0 / 3.0)


def test_numbers_grow_a_digit_when_there_are_many_frames(drifting, tmp_path):
    drifting.frame_rate = 12000.0
    from supple.record import open_recording

    with open_recording([tmp_path / "long.obj"], frame_count=10001, frame_rate=10.0) as recording:
        recording.add(drifting)
    assert recording.files[0].name == "long-00000.obj"


def test_shorter_recording_leaves_no_frames_of_a_longer_one_behind(drifting, tmp_path):
    (tmp_path / "drift-0009.obj").write_text("not of this sequence: frame 8 is missing")
    record(drifting, tmp_path / "drift.obj", seconds=0.7)
    record(drifting, tmp_path / "drift.obj", seconds=0.2, replace=True)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["drift-0000.obj", "drift-0001.obj", "drift-0002.obj", "drift-0009.obj"]
