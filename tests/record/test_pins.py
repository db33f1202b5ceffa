"""Recordings know which points are held in every frame, also when some are let go or taken on the way."""

import json

import numpy as np
import pytest

import supple
from supple.record import open_recording
from supple.record.readers.convert import convert
from supple.record.readers.recording_reader import open_reader
from supple.studio.film.recording_packing import RecordingPacker

FREED = 3
"""Frame at which one corner is let go."""


def simulation():
    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=4, rows=4, plane="xz", name="flag")
    return supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right")), substeps=2)


def held(recording):
    return [sorted(np.asarray(frame.pinned("flag")).tolist()) for frame in recording]


def add_frames(recording, running, first, last):
    for number in range(first, last):
        if number:
            if number == FREED:
                running.unpin("flag", 0)
            running.step()
        recording.add(running)


@pytest.fixture
def running():
    return simulation()


@pytest.mark.parametrize("ending", [".npz", ".npy"])
def test_a_pin_that_is_freed_is_held_until_then(tmp_path, running, ending):
    path = tmp_path / f"free{ending}"
    with open_recording([path], frame_count=6, frame_rate=50.0) as recording:
        add_frames(recording, running, 0, 6)
    expected = [[0, 3]] * FREED + [[3]] * (6 - FREED)
    with open_reader(path) as recording:
        assert held(recording) == expected
        assert not recording.shape_changes()
    convert(path, tmp_path / "again.npz")
    with open_reader(tmp_path / "again.npz") as recording:
        assert held(recording) == expected


def test_a_film_shows_the_dot_of_a_freed_pin_no_longer(tmp_path, running):
    path = tmp_path / "free.npz"
    with open_recording([path], frame_count=6, frame_rate=50.0) as recording:
        add_frames(recording, running, 0, 6)
    with open_reader(path) as recording:
        packer = RecordingPacker(recording)
        worlds = [packer.world_of(recording[number]) for number in range(6)]
        assert worlds == [0] * FREED + [1] * (6 - FREED)
        shown = []
        for world in (0, 1):
            message = packer.geometry(world)
            length = int.from_bytes(message[8:12], "little")
            shown.append(json.loads(message[16 : 16 + length])["pins"])
        assert shown == [{"flag": [0, 3]}, {"flag": [3]}]


@pytest.mark.parametrize("kept", [2, FREED, 5])
def test_a_run_that_goes_on_knows_pins_as_the_whole_one_does(tmp_path, kept):
    path = tmp_path / "free.npy"
    with open_recording([path], frame_count=6, frame_rate=50.0) as recording:
        add_frames(recording, simulation(), 0, 6)
    running = simulation()
    with open_recording([path], frame_count=6, frame_rate=50.0, kept=kept) as recording:
        for _ in range(1, kept):
            if running.frame + 1 == FREED:
                running.unpin("flag", 0)
            running.step()
        add_frames(recording, running, kept, 6)
    with open_reader(path) as recording:
        assert held(recording) == [[0, 3]] * FREED + [[3]] * (6 - FREED)


def test_the_next_cut_starts_with_the_pins_of_its_time(tmp_path):
    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=5, rows=5, name="flag").pinned("top")
    running = supple.Simulation(supple.Scene(sheet), substeps=2)
    path = tmp_path / "cut.npz"
    with open_recording([path], frame_count=3, frame_rate=50.0, reshapes=True) as recording:
        recording.add(running)
        running.unpin("flag", 2)
        running.step()
        recording.add(running)
        running.cut("flag", plane=((0.05, 0.0, 0.0), (1.0, 0.0, 0.0)))
        running.step()
        recording.add(running)
    with open_reader(path) as recording:
        assert 2 in recording[0].pinned("flag") and 2 not in recording[1].pinned("flag")
        np.testing.assert_array_equal(recording[2].pinned("flag"), running.pinned("flag"))
