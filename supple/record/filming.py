"""Filming: many scenes, one film and one contact sheet each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from supple.record import record
from supple.record.convert import convert
from supple.scene.reader import find_scene, gallery_names
from supple.simulation import Simulation


def film_scenes(
    names: Sequence[str] | None,
    folder: Path,
    *,
    seconds: float | None = None,
    size: tuple[int, int] = (640, 400),
    quality: str = "low",
    theme: str = "dark",
    film_rate: float = 25.0,
    ending: str = "mp4",
    pictures: int = 8,
) -> Iterator[str]:
    """Film scenes and yield a line about each when it is there; films that exist are replaced.

    Args:
        names: gallery names or TOML files; None is the whole gallery
        folder: where `NAME.mp4` and `NAME-sheet.png` go
        seconds: simulated time of each [s]; None is the scene's own duration
        size: width and height [pixels]
        quality: "high", or "low" for speed
        theme: "dark" or "light"
        film_rate: pictures a second [1/s]
        ending: "mp4" or "gif"
        pictures: moments on each sheet
    """
    scenes = {Path(name).stem: find_scene(name) for name in names or gallery_names()}
    for name, scene in scenes.items():
        simulation = Simulation(scene)
        film, sheet = folder / f"{name}.{ending}", folder / f"{name}-sheet.png"
        frames = folder / f"{name}.npz"
        span = scene.duration if seconds is None else seconds
        record(simulation, frames, seconds=span, replace=True)
        convert(frames, film, size=size, quality=quality, theme=theme, film_rate=film_rate, replace=True)
        convert(frames, sheet, size=(size[0] // 2, size[1] // 2), pictures=pictures, replace=True)
        frames.unlink()
        yield f"{name}: {film}, {span:g} s"
