"""Scenes say from where they are seen; nonsense is told by its place."""

from __future__ import annotations

import pytest

import supple
from supple.errors import SceneError
from supple.scene.files.toml_reader import parse_scene
from supple.scene.view import View

BODY = "[chain.rope]\nlength = 1.0\npoints = 5\n"


def test_a_view_in_a_file_is_that_of_a_scene_in_python():
    read = parse_scene(f"view = {{ azimuth_deg = -30.0, elevation_deg = 20.0, distance = 2.5 }}\n{BODY}")
    view = View(azimuth_deg=-30.0, elevation_deg=20.0, distance=2.5)
    assert read == supple.Scene(supple.Chain(name="rope", length=1.0, points=5), view=view)
    assert parse_scene(BODY).view == View()


@pytest.mark.parametrize(
    ("view", "place"),
    [
        ("{ azimuth = 3.0 }", "view.azimuth"),
        ("{ elevation_deg = 120.0 }", "view.elevation_deg"),
        ("{ distance = -1.0 }", "view.distance"),
        ("3.0", "view"),
    ],
)
def test_a_wrong_view_is_told_by_its_place(view, place):
    with pytest.raises(SceneError) as caught:
        parse_scene(f"view = {view}\n{BODY}")
    assert f"`{place}`" in str(caught.value)
