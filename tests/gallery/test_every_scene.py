"""What holds for each scene that comes with the package."""

from __future__ import annotations

import numpy as np
import pytest

from supple import find_scene, gallery_names
from supple.scene.files.toml_reader import GALLERY

HANGING = {"bezier", "centre", "chain", "chainmail", "corners", "hanging-sheet", "organ", "postures"}
FALLING = {
    "ellipsoid",
    "toroid",
    "toroid-small-hole",
    "toroid-through",
    "scarf",
    "silk",
    "office",
    "mannequin",
}
"""Scenes with obstacles."""

EXPECTED = HANGING | FALLING


def test_the_gallery_has_the_scenes_of_the_three_papers():
    assert set(gallery_names()) >= EXPECTED


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_scene_says_what_it_shows_and_in_which_units(name):
    scene = find_scene(name)
    assert 10 <= len(scene.title) <= 60 and not scene.title.endswith(".")
    assert len(scene.description.split()) >= 20
    assert 2.0 <= scene.duration <= 10.0
    assert "SI units" in (GALLERY / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_scene_stays_finite_and_near(name, play):
    played = play(name)
    assert all(report.is_finite and report.status == "ok" for report in played.reports)
    for body, start in played.starts.items():
        size = float(np.linalg.norm(np.ptp(start, axis=0)))
        farthest = np.abs(played.simulation.positions(body) - start.mean(axis=0)).max()
        assert farthest < 2.5 * size
    assert max(played.depths) < 1e-4


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_pinned_points_are_where_their_pins_say(name, play):
    played = play(name)
    for body in played.scene.bodies:
        for pin in body.pins:
            if pin.path is None:
                points = body.indices(pin.where)
                held = played.simulation.positions(body.name)[points]
                np.testing.assert_allclose(held, played.starts[body.name][points], atol=1e-12)
