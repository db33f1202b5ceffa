"""Colours of bodies and obstacles."""

from __future__ import annotations

from typing import Any

import pytest

import supple
from supple.scene.colour import COLOURS, as_colour

SHEET: dict[str, Any] = {"width": 0.4, "height": 0.4, "columns": 4, "rows": 4}


@pytest.mark.parametrize(
    ("said", "meant"), [("#3F8fb5", "#3f8fb5"), ("#a0f", "#aa00ff"), ("blue", COLOURS["blue"])]
)
def test_a_colour_is_digits_or_a_name(said: str, meant: str) -> None:
    assert supple.Cloth.rectangle(**SHEET, colour=said).colour == meant
    assert supple.Sphere(radius=0.1, colour=said).colour == meant


@pytest.mark.parametrize(
    "said", ["", "#12345", "#12345g", "3f8fb5", "rgb(1, 2, 3)", 3, 0.5, True, ["red"], "#fff\n"]
)
def test_anything_else_is_refused_with_what_there_is(said: Any) -> None:
    with pytest.raises(supple.SceneError, match=r"colour.*#rrggbb.*wood"):
        supple.Cloth.rectangle(**SHEET, colour=said)


def test_a_misspelt_name_gets_a_suggestion() -> None:
    with pytest.raises(supple.SceneError, match=r'Did you mean "orange"\?'):
        supple.Box(size=(1.0, 1.0, 1.0), colour="ornage")


def test_named_colours_are_written_as_they_are_kept() -> None:
    assert all(as_colour(digits) == digits for digits in COLOURS.values())


def test_a_scene_file_chooses_colours() -> None:
    office = supple.find_scene("office")
    assert office.obstacle("desk").colour == COLOURS["wood"]
    assert office.obstacle("ground").colour is None
