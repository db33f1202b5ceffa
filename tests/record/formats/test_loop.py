"""GIF and WebP on a machine without a browser."""

import itertools

import numpy as np
import pytest
from PIL import Image

import supple
from supple.studio.film import chromium
from tests.physics.bodies import sheet


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    monkeypatch.setattr(chromium, "chromium_path", lambda: None)


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_a_loop_is_written_without_a_browser(tmp_path, ending):
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top-left"), supple.Plane(offset=-1.0)))
    (path,) = supple.record(
        simulation, tmp_path / f"fall.{ending}", seconds=0.4, size=(96, 64), film_rate=10.0
    )
    with Image.open(path) as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (5, (96, 64), 0)
        pictures = []
        for number in range(5):
            film.seek(number)
            film.load()
            assert film.info["duration"] == pytest.approx(100, abs=1)
            pictures.append(np.asarray(film.convert("RGB"), dtype=float))
    moved = [np.abs(a - b).mean() for a, b in itertools.pairwise(pictures)]
    assert min(moved) > 0.01  # every picture differs from the one before
    assert list(tmp_path.iterdir()) == [path]


def test_a_film_of_no_rate_is_refused_before_the_run(tmp_path):
    simulation = supple.Simulation(supple.Scene(sheet()))
    with pytest.raises(supple.SuppleError, match="pictures a second"):
        supple.record(simulation, tmp_path / "fall.gif", seconds=1.0, film_rate=0.0)
    with pytest.raises(supple.SuppleError, match="no option"):
        supple.record(simulation, tmp_path / "fall.gif", seconds=1.0, theme="dark")
    assert simulation.frame == 0
