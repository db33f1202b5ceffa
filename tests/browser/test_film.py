"""Films by the page itself, without a screen."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image, ImageSequence
from typer.testing import CliRunner

import supple
from supple.cli import app
from supple.record import open_recording
from supple.studio.film.film_many import film_scenes
from tests.browser.pages import sheet_scene

pytestmark = pytest.mark.usefixtures("built_page")
SMALL = {"size": (161, 120), "quality": "low"}


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    folder = tmp_path_factory.mktemp("film")
    simulation = supple.Simulation(sheet_scene())
    supple.record(simulation, folder / "sheet.npz", seconds=0.4)
    return folder / "sheet.npz"


def reds(pixels):
    return ((pixels[..., 0] > 80) & (pixels[..., 0] > 1.6 * pixels[..., 1])).mean()


def test_ffmpeg_counts_as_many_pictures_as_there_were_frames(recording, tmp_path):
    (path,) = supple.convert(recording, tmp_path / "ein Film.mp4", **SMALL)
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert frames == 21
    assert seconds == pytest.approx(21 / 50.0, abs=0.03)
    reader = imageio_ffmpeg.read_frames(str(path))
    facts = next(reader)
    assert facts["size"] == (162, 120)  # pairs of pixels
    first = np.frombuffer(next(reader), np.uint8).reshape(120, 162, 3).astype(int)
    reader.close()
    assert reds(first) > 0.03
    # Upright: the sky above is darker than the lit ground below.
    assert first[:20].mean() < first[-20:].mean()


def test_numbered_pictures_show_the_motion_and_are_replaced_as_a_whole(recording, tmp_path):
    files = supple.convert(recording, tmp_path / "shot-###.png", film_rate=10.0, **SMALL)
    assert [file.name for file in files] == [f"shot-{n:03d}.png" for n in range(5)]
    pictures = [np.asarray(Image.open(file).convert("RGB"), dtype=int) for file in files]
    assert pictures[0].shape == (120, 161, 3)
    assert reds(pictures[0]) > 0.03
    assert np.abs(pictures[0] - pictures[-1]).mean() > 0.5
    with pytest.raises(supple.SuppleError, match="--force"):
        supple.convert(recording, tmp_path / "shot-###.png", **SMALL)


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_gif_and_webp_play_in_a_loop(recording, tmp_path, ending):
    (path,) = supple.convert(recording, tmp_path / f"sheet.{ending}", **SMALL)
    with Image.open(path) as film:
        film.load()
        assert film.n_frames == 11 and film.info["loop"] == 0 and film.info["duration"] == 40
        pictures = [np.asarray(frame.convert("RGB"), dtype=int) for frame in ImageSequence.Iterator(film)]
    # What stands still is the same in every picture, for a GIF has one set of colours for all; what moves is not.
    assert np.ptp([picture[:10] for picture in pictures], axis=0).max() <= (0 if ending == "gif" else 8)
    assert np.ptp(pictures, axis=0).max() > 20
    assert reds(pictures[0]) > 0.03


def test_the_command_converts_at_a_rate_and_on_a_light_ground(recording, tmp_path):
    path = tmp_path / "light.gif"
    words = ["convert", str(recording), str(path), "--size", "161x120", "--quality", "low"]
    done = CliRunner().invoke(app, [*words, "--film-rate", "10", "--theme", "light"])
    assert done.exit_code == 0, done.output
    with Image.open(path) as film:
        assert film.n_frames == 5
        assert np.asarray(film.convert("L"))[:10].mean() > 150


def test_a_scene_is_filmed_with_its_contact_sheet(tmp_path, capsys):
    lines = list(film_scenes(["chain"], tmp_path, seconds=0.2, size=(160, 100), pictures=3))
    assert len(lines) == 1 and lines[0].startswith("chain:")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chain-sheet.png", "chain.mp4"]
    with Image.open(tmp_path / "chain-sheet.png") as sheet:
        assert sheet.size == (3 * 80 + 2 * 4, 50)  # a full row
    assert "chain: frame 10 of 10" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": (8, 8)}, "sides go from 16"),
        ({"quality": "best"}, "high or low"),
        ({"theme": "pink"}, "dark or light"),
        ({"film_rate": 0.0}, "pictures a second"),
    ],
)
def test_wishes_no_film_can_meet_are_refused_before_the_first_frame(tmp_path, options, said):
    with pytest.raises(supple.SuppleError, match=said):
        with open_recording([tmp_path / "a.mp4"], frame_count=2, frame_rate=50.0, **options):
            pass
    assert list(tmp_path.iterdir()) == []


def test_without_a_browser_the_way_out_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("supple.studio.film.film.chromium_path", lambda: None)
    with pytest.raises(supple.SuppleError, match="SUPPLE_CHROMIUM"):
        with open_recording([tmp_path / "a.mp4"], frame_count=2, frame_rate=50.0):
            pass


def test_a_browser_that_dies_is_told_and_the_frames_are_kept(recording, tmp_path, monkeypatch):
    monkeypatch.setattr("supple.studio.film.film.chromium_path", lambda: "/bin/false")
    with pytest.raises(supple.SuppleError, match="No frame is lost") as caught:
        supple.convert(recording, tmp_path / "a.mp4", **SMALL)
    assert "ended without a picture" in str(caught.value)
    assert len(supple.open(tmp_path / "a.mp4.part")) == 21


KILLED_WHILE_FILMING = """
import os, sys
import supple
from supple.cli import app
from supple.record import open_recording

source = supple.open(sys.argv[1])
with open_recording([sys.argv[2]], frame_count=6, frame_rate=50.0, size=(160, 120), quality="low") as recording:
    for frame in source[:4]:
        recording.add(frame)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "film.webp", "film-##.png"])
def test_a_killed_film_has_kept_its_frames_and_goes_on_to_the_same_pictures(recording, tmp_path, name):
    whole, broken = tmp_path / "whole" / name, tmp_path / "broken" / name
    small = {"size": (160, 120), "quality": "low"}
    frames = supple.open(recording)[:6]
    with open_recording([whole], frame_count=6, frame_rate=50.0, **small) as truth:
        for frame in frames:
            truth.add(frame)
    done = subprocess.run(
        [sys.executable, "-c", KILLED_WHILE_FILMING, str(recording), str(broken)], capture_output=True
    )
    assert done.returncode == -signal.SIGKILL
    part = broken.with_name(f"{name}.part")
    # What it held its lock on is left; that nobody holds it any more, who goes on finds out.
    assert {path.name for path in broken.parent.iterdir()} == {part.name, f".{name}.lock"}
    for number, frame in enumerate(supple.open(part)):
        np.testing.assert_array_equal(frame.positions("cloth"), frames[number].positions("cloth"))
    assert number == 3
    kept = tmp_path / "kept.part"
    shutil.copytree(part, kept)
    with open_recording([broken], frame_count=6, frame_rate=50.0, kept=2, **small) as again:
        for frame in frames[2:]:
            again.add(frame)
    found = sorted(path.name for path in broken.parent.iterdir())
    assert found == sorted(path.name for path in whole.parent.iterdir()) and part.name not in found
    for file in found:
        assert (broken.parent / file).read_bytes() == (whole.parent / file).read_bytes(), file
    if name.endswith(".mp4"):
        (film,) = supple.convert(kept, tmp_path / "kept.mp4", **small)
        assert imageio_ffmpeg.count_frames_and_secs(str(film))[0] == 4


@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "film.webp", "film-##.png"])
def test_no_frame_is_no_film_and_one_frame_is_one_picture(recording, tmp_path, name):
    path = tmp_path / "ein Ordner für Filme" / name
    with open_recording([path], frame_count=1, frame_rate=50.0, **SMALL) as empty:
        pass
    assert empty.files == [] and list(path.parent.iterdir()) == []
    with open_recording([path], frame_count=1, frame_rate=50.0, **SMALL) as film:
        film.add(supple.open(recording)[0])
    (file,) = film.files
    if file.suffix == ".mp4":
        assert imageio_ffmpeg.count_frames_and_secs(str(file))[0] == 1
    else:
        with Image.open(file) as picture:
            assert getattr(picture, "n_frames", 1) == 1
