"""What the player tells while a world gets ready."""

from __future__ import annotations

import json
import time

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
    assert told[-1].total == 0, "the end of it is told"
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
    packer = Packer(simulation, 1)
    (seen, places), (built, built_places) = told_shapes(output.shapes[0]), told_shapes(packer.geometry())
    seen["bodies"][0]["radius"] = built["bodies"][0]["radius"]  # of threads, which are not drawn in cloth
    assert (seen, places) == (built, built_places), "as it will be once it is built"
    assert output.frames == [packer.frame(with_strain=False)]
    assert output.words[2].pins == {
        name: tuple(simulation.pinned(name).tolist()) for name in simulation.body_names
    }
