from pathlib import Path

import pytest

import supple.record
from supple.errors import SuppleError
from supple.record import FORMATS, open_recording, record


def test_record_steps_the_simulation_and_returns_the_files(drifting, tmp_path):
    files = record(drifting, tmp_path / "drift.obj", seconds=0.5)
    assert drifting.frame == 5
    assert [file.name for file in files] == [f"drift-{n:04d}.obj" for n in range(6)]
    assert all(file.is_file() for file in files)


def test_the_folder_can_be_called_like_the_function(drifting, tmp_path):
    assert supple.record(drifting, tmp_path / "drift.obj", seconds=0.1) == [
        tmp_path / "drift-0000.obj",
        tmp_path / "drift-0001.obj",
    ]


def test_unknown_ending_lists_the_known_ones_and_suggests_the_nearest(drifting, tmp_path):
    with pytest.raises(SuppleError) as caught:
        record(drifting, tmp_path / "drift.ob", seconds=0.1)
    message = str(caught.value)
    assert all(ending in message for ending in FORMATS)
    assert 'Did you mean "drift.obj"?' in message
    assert drifting.frame == 0


def test_file_without_an_ending_is_refused(drifting, tmp_path):
    with pytest.raises(SuppleError, match="no ending"):
        record(drifting, tmp_path / "drift", seconds=0.1)


@pytest.mark.parametrize("ending", FORMATS)
def test_place_that_cannot_be_written_is_refused_before_the_first_frame(drifting, tmp_path, ending):
    (tmp_path / "a-file").write_text("in the way")
    with pytest.raises(SuppleError, match="cannot write"):
        record(drifting, tmp_path / "a-file" / f"drift{ending}", seconds=0.1)
    assert drifting.frame == 0


def test_folder_in_place_of_a_file_is_refused(drifting, tmp_path):
    (tmp_path / "drift.png").mkdir()
    with pytest.raises(SuppleError, match="it is a folder"):
        record(drifting, tmp_path / "drift.png", seconds=0.1)


def test_missing_folders_are_made(drifting, tmp_path):
    files = record(drifting, tmp_path / "a" / "b" / "drift.obj", seconds=0.1)
    assert {file.parent for file in files} == {tmp_path / "a" / "b"}


def test_several_files_are_written_from_one_run(drifting, tmp_path):
    paths = [tmp_path / "drift.obj", tmp_path / "drift.png"]
    with open_recording(paths, frame_count=2, frame_rate=10.0, size=(40, 30)) as recording:
        recording.add(drifting)
        recording.add(drifting)
    assert [file.name for file in recording.files] == ["drift-0000.obj", "drift-0001.obj", "drift.png"]


def test_interruption_leaves_the_frames_so_far(drifting, tmp_path):
    paths = [tmp_path / "drift.obj", tmp_path / "drift.png"]
    recording = None
    with pytest.raises(KeyboardInterrupt):
        with open_recording(paths, frame_count=100, frame_rate=10.0, size=(40, 30)) as recording:
            recording.add(drifting)
            raise KeyboardInterrupt
    assert recording is not None
    assert [file.name for file in recording.files] == ["drift-0000.obj", "drift.png"]
    assert all(Path(file).stat().st_size > 0 for file in recording.files)


def test_interruption_before_the_first_frame_writes_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        with open_recording([tmp_path / "drift.png"], frame_count=100, frame_rate=10.0) as recording:
            raise KeyboardInterrupt
    assert recording.files == []
    assert list(tmp_path.iterdir()) == []
