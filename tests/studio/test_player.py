"""What the player tells while a world gets ready."""

from __future__ import annotations

import time

import trimesh

import supple
from supple.studio import protocol
from supple.studio.desk import Desk
from supple.studio.player import Player
from tests.studio.pages import sheet_scene


class Ears:
    """An audience that remembers every word."""

    wants_strain = False
    client_count = 0

    def __init__(self):
        self.words = []

    def frame(self, message):
        raise AssertionError("nobody watches")

    def geometry(self, message):
        pass

    def tell(self, message, client=None):
        self.words.append(message)


def test_distance_maps_are_told_with_name_and_share(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE_DIR", str(tmp_path))
    ball = trimesh.creation.icosphere(subdivisions=1, radius=0.2)
    torso = supple.Mesh((ball.vertices, ball.faces), at=(0.0, -3.0, 0.0), accuracy=0.02, name="torso")
    ears = Ears()
    player = Player(supple.Scene(*sheet_scene().bodies, torso), ears, Desk(), record_folder=tmp_path)
    player.start()
    deadline = time.monotonic() + 60.0
    while not any(word.type == "state" for word in ears.words):
        assert time.monotonic() < deadline, "the world never got ready"
        time.sleep(0.01)
    player.stop()
    told = [word for word in ears.words if isinstance(word, protocol.Compiling)]
    maps = [word for word in told if word.stage == "maps"]
    assert {word.name for word in maps} == {"torso"}
    shares = [word.done / word.total for word in maps]
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert told[0].stage == "world"
    assert told[-1].total == 0, "the end of it is told"
    assert player.failure is None
