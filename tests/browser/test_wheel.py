"""The installed wheel plays a scene in Chromium."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import pytest

from tests.wheel import built, clean_tree, installed


@pytest.fixture
def link(built_page, tmp_path):
    """The link that `supple play` of a freshly installed wheel prints."""
    programs = installed(built(clean_tree(tmp_path / "clone"), "wheel"), tmp_path / "environment")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with subprocess.Popen(
        [str(programs / "supple"), "play", "corners", "--port", "0", "--no-open"],
        cwd=elsewhere, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate(timeout=60)


def test_the_installed_wheel_plays_a_scene(open_page, link):
    page = open_page(on=SimpleNamespace(link=link)).ready()
    page.more_frames()
    assert "orner" in page.ask("studio.state.title")
