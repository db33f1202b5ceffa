"""The scenes a studio offers stand in groups, each once, and each says from where it is seen."""

from __future__ import annotations

import json

from supple.scene.files.toml_reader import GALLERY, find_scene, gallery_names
from supple.scene.view import View
from supple.studio.player.playlist import Playlist


def test_every_scene_of_the_gallery_stands_in_one_group():
    groups = json.loads((GALLERY / "groups.json").read_text(encoding="utf-8"))
    listed = [name for names in groups.values() for name in names]
    assert sorted(listed) == list(gallery_names())
    assert {choice.group for choice in Playlist("chain").choices()} == set(groups)


def test_every_scene_of_the_gallery_has_a_view_of_its_own():
    for name in gallery_names():
        assert "\nview = " in (GALLERY / f"{name}.toml").read_text(encoding="utf-8"), name
    assert find_scene("knot").view == View(azimuth_deg=10.0, elevation_deg=35.0)
