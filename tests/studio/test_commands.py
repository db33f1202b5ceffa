import pytest
import typer
from typer.testing import CliRunner

import supple
from supple.studio import commands
from supple.studio import play as studio_module


@pytest.fixture
def app():
    made = typer.Typer()
    made.command("play")(commands.play)
    made.command("shot")(commands.shot)
    return made


def test_play_hands_its_options_on(app, monkeypatch):
    calls = []
    monkeypatch.setattr(studio_module, "play", lambda *subjects, **options: calls.append((subjects, options)))
    answer = CliRunner().invoke(
        app, ["play", "corners", "--no-open", "--port", "9000", "--share", "p.drag=1"]
    )
    assert answer.exit_code == 0, answer.output
    ((subjects, options),) = calls
    assert subjects == ("corners",)
    assert options["open_browser"] is False
    assert (options["port"], options["host"], options["share"]) == (9000, "127.0.0.1", "p.drag=1")


def test_a_scene_that_does_not_exist_is_told_before_anything_starts(app, monkeypatch):
    monkeypatch.setattr(studio_module, "play", lambda *_, **__: pytest.fail("a server was started"))
    answer = CliRunner().invoke(app, ["play", "cornres"])
    assert isinstance(answer.exception, supple.SuppleError)
    assert 'Did you mean "corners"' in str(answer.exception)


def test_the_default_scene_exists():
    assert commands.DEFAULT_SCENE in supple.gallery_names()
