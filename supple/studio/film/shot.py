"""Picture of a scene, drawn by the studio's own page without a screen."""

from __future__ import annotations

import queue
from pathlib import Path

from supple.errors import SuppleError
from supple.progress import RunProgress
from supple.scene.files.toml_reader import find_scene
from supple.scene.scene import Scene
from supple.simulation import Simulation
from supple.studio.film.chromium import NOT_FOUND, chromium_path, next_picture, running_browser
from supple.studio.play import Studio


def shoot(
    scene: Scene | str,
    out: Path,
    *,
    at: float = 2.0,
    size: tuple[int, int] = (1600, 1000),
    azimuth: float | None = None,
    elevation: float | None = None,
    theme: str = "dark",
    quality: str = "high",
    progress: RunProgress | None = None,
) -> Path:
    """Write a picture of a scene at a moment.

    Args:
        scene: a scene, or the name of one in the gallery or of a file
        out: PNG file to write
        at: simulated time of the picture [s]
        size: width and height [pixels]
        azimuth: direction to look from, 0 is from +z, growing towards +x [rad]; None is the view of the scene
        elevation: how far above the horizon to look from [rad]; None as before
        theme: "dark" or "light"
        quality: "high", or "low" for speed
        progress: told of distance maps, untangling and frames

    Returns:
        The file written.

    Raises:
        SuppleError: if there is no Chromium, or no picture came
    """
    browser = chromium_path()
    if browser is None:
        raise SuppleError(f"a picture {NOT_FOUND}")
    if out.suffix.lower() != ".png":
        raise SuppleError(
            f'cannot write {out}: pictures are PNG files. Did you mean "{out.with_suffix(".png")}"?'
        )
    if isinstance(scene, str):
        scene = find_scene(scene)
    simulation = _played(scene, at, progress)
    wanted = {"azimuth": azimuth, "elevation": elevation, "theme": theme, "quality": quality}
    options = "&".join(f"{name}={value}" for name, value in wanted.items() if value is not None)
    picture = _drawn(simulation, browser, size, options)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(picture)
    return out


def _played(scene: Scene, at: float, progress: RunProgress | None) -> Simulation:
    """Return the simulation of a scene at a moment [s]."""
    count = frames_until(scene, at)
    simulation = Simulation(
        scene,
        progress=None if progress is None else progress.map_built,
        untangled=None if progress is None else progress.untangled,
    )
    for _ in range(count):
        report = simulation.step()
        if progress is not None:
            progress.frame_done(f"{report.milliseconds:.1f} ms a frame")
    if progress is not None:
        progress.frames_are_done()
    return simulation


def frames_until(scene: Scene, moment: float) -> int:
    """Return the frames that a scene takes to a moment [s]."""
    if not 0.0 <= moment <= 86400.0:
        raise SuppleError(f"`at` is {moment:g}, but it must lie between 0 and 86400 seconds.")
    return round(moment * scene.settings.frame_rate)


def _drawn(simulation: Simulation, browser: str, size: tuple[int, int], options: str) -> bytes:
    pictures: queue.Queue[bytes] = queue.Queue()
    with Studio(simulation, port=0, is_paused=True) as studio:
        studio.server.on_picture = pictures.put
        address, _, secret = studio.one_time_link().partition("#")
        link = f"{address}?shot=1&width={size[0]}&height={size[1]}&{options}#{secret}"
        with running_browser(browser, link, size) as process:
            return next_picture(pictures, process)
