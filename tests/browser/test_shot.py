"""Pictures by the page itself, without a screen."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import supple
from supple.studio.commands import shot
from supple.studio.film import shot as module
from supple.studio.film.shot import shoot
from tests.browser.pages import sheet_scene


def test_a_shot_shows_the_scene_at_its_moment(built_page, tmp_path):
    path = shoot(sheet_scene(), tmp_path / "pictures" / "sheet.png", at=0.5, size=(400, 300), quality="low")
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=int)
    assert pixels.shape == (300, 400, 3)
    reds = (pixels[..., 0] > 80) & (pixels[..., 0] > 1.6 * pixels[..., 1])
    assert reds.mean() > 0.03


def test_without_a_browser_the_way_out_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "chromium_path", lambda: None)
    with pytest.raises(supple.SuppleError, match="SUPPLE_CHROMIUM"):
        shoot(sheet_scene(), tmp_path / "sheet.png")


def test_only_png_is_written(tmp_path):
    with pytest.raises(supple.SuppleError, match=r"sheet\.png"):
        shoot(sheet_scene(), tmp_path / "sheet.jpg")


def test_the_command_checks_its_words():
    import typer

    app = typer.Typer()
    app.command()(shot)
    for words in (
        ["corners", "--size", "big"],
        ["corners", "--theme", "pink"],
        ["corners", "--quality", "best"],
    ):
        answer = CliRunner().invoke(app, words)
        assert isinstance(answer.exception, supple.SuppleError)
