"""Recordings in the bytes of the page."""

import json
import struct

import numpy as np

import supple
from supple.record import record
from supple.studio.film.recording_packing import RecordingPacker
from supple.studio.player.session_recording import SessionRecording
from tests.record.conftest import STEPS, moving_scene


def shapes(message):
    kind, world, length, _ = struct.unpack_from("<4I", message)
    return kind, world, json.loads(message[16 : 16 + length])


def test_frames_hold_positions_to_a_part_in_thirty_thousand(recorded):
    packer = RecordingPacker(supple.open(recorded.path(".npz")))
    message = packer.frame(STEPS)
    kind, world, number, bodies, time, solids, _ = struct.unpack_from("<4I d 2I", message)
    assert (kind, world, number, bodies, solids) == (2, 0, STEPS, 2, 2)
    assert time == recorded.times[STEPS]
    box = np.frombuffer(message, "<f4", 4, 32)
    start = 32 + 16 * 2 + 28 * 2
    points = np.frombuffer(message, "<i2", 4 * 42, start + -start % 8).reshape(-1, 4)[:, :3]
    np.testing.assert_allclose(
        box[:3] + points * (box[3] / 32767.0), recorded.positions["cloth"][STEPS], atol=box[3] / 32767.0
    )


def test_geometry_makes_room_for_all_frames_and_knows_the_ground(recorded):
    packer = RecordingPacker(supple.open(recorded.path(".usd")))
    packer.frame(0)
    kind, world, told = shapes(packer.geometry(0))
    assert (kind, world) == (1, 0)
    assert told["floor"] == -0.5
    assert {solid["name"]: solid["kind"] for solid in told["solids"]} == {"ball": "sphere", "ground": "floor"}
    centre, size = np.array(told["centre"]), np.array(told["size"])
    for frames in recorded.positions.values():
        for points in frames:
            assert (np.abs(points - centre) <= 0.5 * size + 1e-6).all()


def test_the_outermost_points_of_all_frames_are_told(recorded):
    with supple.open(recorded.path(".npz")) as recording:
        packer = RecordingPacker(recording)
        packer.frame(0)
        told = np.array(shapes(packer.geometry(0))[2]["outermost"])
    everywhere = np.concatenate([np.reshape(points, (-1, 3)) for points in recorded.positions.values()])
    assert 4 <= len(told) <= 98
    for axis in np.eye(3):  # the ball beside the bodies may lie even farther out
        assert (told @ axis).max() >= (everywhere @ axis).max() - 1e-3
        assert (told @ axis).min() <= (everywhere @ axis).min() + 1e-3


def test_a_torn_cloth_makes_a_new_world(torn, tmp_path):
    record(torn, tmp_path / "torn.npz", seconds=0.4)
    packer = RecordingPacker(supple.open(tmp_path / "torn.npz"))
    worlds = [struct.unpack_from("<4I", packer.frame(number))[1] for number in (0, 1, 2, 4, 0)]
    assert worlds == [0, 0, 1, 1, 0]
    assert [shapes(packer.geometry(world))[2]["bodies"][0]["points"] for world in (0, 1)] == [4, 5]


def test_recordings_of_the_studio_open_too(tmp_path):
    simulation = supple.Simulation(moving_scene())
    recording = SessionRecording(simulation, tmp_path, "studio")
    recording.add()
    for _ in range(4):
        simulation.step()
        recording.add()
    recording = supple.open(recording.close())
    assert len(recording) == 5 and recording.frame_rate == 50.0
    np.testing.assert_array_equal(
        recording[-1].positions("cloth"), simulation.positions("cloth").astype(np.float32)
    )
    supple.convert(recording.path, tmp_path / "studio.usd")
    assert len(supple.open(tmp_path / "studio.usd")) == 5


def test_what_comes_off_looks_like_its_origin_and_may_fly_out_of_the_picture(tmp_path):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=9, rows=9, name="sheet").pinned("top")
    other = supple.Cloth.rectangle(width=0.2, height=0.2, columns=3, rows=3, at=(0.0, 0.7, 0.0), name="other")
    cut = supple.Cut(time=0.1, body="sheet", plane_point=(0.0, -0.3, 0.0), plane_normal=(0.0, 1.0, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet, other.pinned("top"), cut))
    record(simulation, tmp_path / "cut.npz", seconds=1.4)
    packer = RecordingPacker(supple.open(tmp_path / "cut.npz"))
    heads = [struct.unpack_from("<4I", packer.frame(number)) for number in (0, 70)]
    assert [(world, bodies) for _, world, _, bodies in heads] == [(0, 2), (1, 3)]
    _, _, before = shapes(packer.geometry(0))
    _, _, after = shapes(packer.geometry(1))
    looks = {body["name"]: (body["colour"], body["back_colour"]) for body in after["bodies"]}
    (piece,) = set(looks) - {"sheet", "other"}
    assert looks[piece] == looks["sheet"] != looks["other"]
    assert looks["sheet"] == (before["bodies"][0]["colour"], before["bodies"][0]["back_colour"])
    fallen = supple.open(tmp_path / "cut.npz")[70].positions(piece)[:, 1].max()
    lowest = after["centre"][1] - 0.5 * after["size"][1]
    assert fallen < -5.0 and lowest > -1.0
