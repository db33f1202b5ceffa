import shutil

import numpy as np
import pytest

import supple
from supple.studio.connection import protocol
from supple.studio.player.recorder import Recorder
from supple.studio.player.session_recording import SessionRecording
from tests.studio.pages import KeptOutput, sheet_scene


def test_a_recording_holds_every_frame(tmp_path):
    simulation = supple.Simulation(sheet_scene())
    recording = SessionRecording(simulation, tmp_path / "new folder", "sheet")
    expected = []
    for _ in range(4):
        report = simulation.step()
        recording.add(report)
        expected.append(simulation.positions("cloth").copy())
    path = recording.close()
    assert path.parent == tmp_path / "new folder"
    with np.load(path) as kept:
        assert np.allclose(kept["cloth/positions"], expected, atol=1e-6)
        assert np.allclose(kept["time"], [0.02, 0.04, 0.06, 0.08])
        assert np.array_equal(kept["cloth/triangles"], simulation.triangles("cloth"))
    assert [file.suffix for file in path.parent.iterdir()] == [".npz"]


def test_a_recording_goes_on_through_a_cut_and_keeps_obstacles(tmp_path):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=7, rows=7).pinned("top")
    ball = supple.Sphere(radius=0.2, at=(0.0, -0.5, 0.5), name="ball")
    simulation = supple.Simulation(supple.Scene(sheet, ball))
    recording = SessionRecording(simulation, tmp_path, "sheet")
    recording.add()
    assert ".glb" in recording.also()
    simulation.cut("cloth", plane=((0.0, -0.1, 0.0), (0.0, 1.0, 0.0)))
    for _ in range(2):
        recording.add(simulation.step())
    assert ".glb" not in recording.also(), "it holds one number of points throughout"
    with supple.open(recording.close()) as recording:
        assert len(recording) == 3
        assert [len(recording[n].body_names) for n in range(3)] == [1, 2, 2]
        for body in simulation.body_names:
            np.testing.assert_allclose(recording[2].positions(body), simulation.positions(body), atol=1e-6)
        assert list(recording[0].shapes.solids) == ["ball"]


def test_two_recordings_of_the_same_second_do_not_overwrite_each_other(tmp_path):
    simulation = supple.Simulation(sheet_scene())
    recordings = [SessionRecording(simulation, tmp_path, "sheet") for _ in range(2)]
    for recording in recordings:
        recording.add()
    assert len({recording.close() for recording in recordings}) == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(supple.SuppleError, match=r"cannot write .*file"):
        SessionRecording(supple.Simulation(sheet_scene()), tmp_path / "file", "sheet")


def test_trouble_with_the_disk_is_told_and_the_next_recording_works(tmp_path):
    output = KeptOutput()
    simulation = supple.Simulation(sheet_scene())
    recorder = Recorder(output, tmp_path)
    recorder.start(simulation, "sheet")
    assert recorder.is_running
    shutil.rmtree(next(tmp_path.iterdir()))
    recorder.end()
    assert not recorder.is_running
    (complaint,) = output.words
    assert isinstance(complaint, protocol.Problem) and "the recording ended" in complaint.text
    recorder.start(simulation, "sheet")
    assert not recorder.add(simulation.step())
    recorder.end()
    assert isinstance(output.words[-1], protocol.Recorded) and output.words[-1].frames == 2
