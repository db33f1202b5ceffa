"""What the player tells while a world gets ready."""

from __future__ import annotations

import gc
import json
import time
import warnings
import weakref

import numpy as np
import trimesh

import supple
from supple.studio.connection import protocol
from supple.studio.connection.command_queue import CommandQueue
from supple.studio.connection.packing import Packer
from supple.studio.player.player import Player
from tests.studio.pages import KeptOutput, sheet_scene


def test_distance_maps_are_told_with_name_and_share(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE_DIR", str(tmp_path))
    ball = trimesh.creation.icosphere(subdivisions=1, radius=0.2)
    torso = supple.Mesh((ball.vertices, ball.faces), at=(0.0, -3.0, 0.0), accuracy=0.02, name="torso")
    output = KeptOutput()
    scene = supple.Scene(*sheet_scene().bodies, torso)
    player = Player(scene, output, CommandQueue(), record_folder=tmp_path, is_paused=True)
    player.start()
    deadline = time.monotonic() + 300.0
    while not any(word.type == "state" for word in output.words):
        assert time.monotonic() < deadline, "the world never got ready"
        time.sleep(0.01)
    player.stop()
    told = [word for word in output.words if isinstance(word, protocol.Compiling)]
    maps = [word for word in told if word.stage == "maps"]
    assert {word.name for word in maps} == {"torso"}
    shares = [word.done / word.total for word in maps]
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert told[0].stage == "world"
    assert any(word.total == 0 for word in told[told.index(maps[-1]) :]), "the end of it is told"
    assert player.failure is None
    assert len(output.frames) == 1, "nobody watches: only what those who come later see at first is packed"


def told_shapes(message):
    """Return the words and the arrays of a geometry message."""
    size = int.from_bytes(message[8:12], "little")
    return json.loads(message[16 : 16 + size]), message[16 + size + (-(16 + size)) % 8 :]


def test_a_scene_is_seen_as_it_starts_before_anything_is_built(tmp_path, monkeypatch):
    """Whoever comes while kernels are compiled sees the bodies in their places."""
    ball = supple.Sphere(radius=0.2, at=(0.0, -3.0, 0.5))
    scene = supple.Scene(*sheet_scene().bodies, supple.Chain(length=1.0, points=5).pinned("start"), ball)
    output = KeptOutput()

    def build(*_, **__):
        raise supple.SuppleError("this is as far as it goes")

    monkeypatch.setattr(supple.Simulation, "__init__", build)
    player = Player(scene, output, CommandQueue(), record_folder=tmp_path)
    player.start()
    player.join(60.0)
    assert "as far as it goes" in str(player.failure)
    assert [word.type for word in output.words] == ["compiling", "compiling", "state", "goodbye"]
    monkeypatch.undo()
    simulation = supple.Simulation(scene)
    packer = Packer(simulation, 1, "my scene")
    (seen, places), (built, built_places) = told_shapes(output.shapes[0]), told_shapes(packer.geometry())
    seen["bodies"][0]["radius"] = built["bodies"][0]["radius"]  # of threads, which are not drawn in cloth
    assert (seen, places) == (built, built_places), "as it will be once it is built"
    assert output.frames == [packer.frame(with_strain=False)]
    assert output.words[2].pins == {
        name: tuple(simulation.pinned(name).tolist()) for name in simulation.body_names
    }


def failing_scene(after):
    """Return a scene with an obstacle whose owner's function raises after some seconds."""

    def move(time):
        if time > after:
            raise ZeroDivisionError("the path ends here")
        return (0.0, -3.0, 0.5), (0.0, 0.0, 0.0)

    ball = supple.Sphere(radius=0.2, motion=move)
    return supple.Scene(*sheet_scene().bodies, ball)


def wait_until(condition, seconds=120.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


def test_an_error_in_a_frame_is_told_and_the_last_good_frame_kept(tmp_path):
    output, commands = KeptOutput(), CommandQueue()
    player = Player(failing_scene(0.3), output, commands, record_folder=tmp_path)
    player.start()

    def problems():
        return [word.text for word in output.words if isinstance(word, protocol.Problem)]

    wait_until(problems)
    assert "the path ends here" in problems()[0] and "reset" in problems()[0]
    wait_until(lambda: [word for word in output.words if word.type == "state"][-1].is_paused)
    assert player.is_running and player.failure is None
    simulation = player.simulation
    assert 0.2 < simulation.time < 0.32
    assert np.isfinite(simulation.positions("cloth")).all()
    corner = simulation.pinned("cloth").tolist()[0]
    commands.put(1, protocol.TogglePin(body="cloth", vertices=(corner,)))
    commands.put(1, protocol.Undo())
    wait_until(lambda: [word for word in output.words if word.type == "state"][-1].redo_label == "unpin")
    commands.put(1, protocol.Step())
    wait_until(lambda: len(problems()) == 2)
    commands.put(1, protocol.Reset())
    wait_until(lambda: player.simulation is not simulation)
    commands.put(1, protocol.Pause(value=False))
    wait_until(lambda: player.simulation.frame > 5)
    player.stop()
    assert player.failure is None


def test_a_frame_that_cannot_even_be_shown_starts_the_scene_again(tmp_path, monkeypatch):
    output, commands = KeptOutput(), CommandQueue()
    output.client_count = 1
    player = Player(sheet_scene(), output, commands, record_folder=tmp_path)
    player.start()
    wait_until(lambda: len(output.frames) > 3)
    first = player.simulation
    packed = Packer.frame

    def frame(self, **options):
        if player.simulation is first:
            raise RuntimeError("not to be packed")
        return packed(self, **options)

    monkeypatch.setattr(Packer, "frame", frame)
    wait_until(lambda: player.simulation is not first)
    commands.put(1, protocol.Pause(value=False))
    shown = len(output.frames)
    wait_until(lambda: len(output.frames) > shown)
    player.stop()
    assert player.failure is None
    problems = [word.text for word in output.words if isinstance(word, protocol.Problem)]
    assert len(problems) == 1 and "starts again" in problems[0]


def test_a_reset_keeps_nothing_of_the_world_before(tmp_path):
    output, commands = KeptOutput(), CommandQueue()
    player = Player(sheet_scene(), output, commands, record_folder=tmp_path)
    player.start()
    wait_until(lambda: player.simulation is not None and player.simulation.frame > 0)
    with warnings.catch_warnings():  # of what other tests have left behind
        warnings.simplefilter("ignore")
        gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            before = weakref.ref(player.simulation)
            commands.put(1, protocol.Reset())
            wait_until(lambda before=before: before() is None)
    finally:
        gc.enable()
    player.stop()
    assert player.failure is None
