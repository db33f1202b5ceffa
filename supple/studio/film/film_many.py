"""Films of many scenes, with one contact sheet each."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from supple.errors import SuppleError
from supple.progress import RunProgress
from supple.record import open_recording
from supple.record.readers.convert import convert
from supple.scene.files.toml_reader import find_scene, gallery_names
from supple.scene.scene import Scene
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
        film, sheet = folder / f"{name}.{ending}", folder / f"{name}-sheet.png"
        frames = folder / f"{name}.npz"
        span = scene.duration if seconds is None else seconds
        with RunProgress(name, round(span * scene.settings.frame_rate)) as progress, progress.compiling():
            _compute(scene, frames, span, progress)
            convert(
                frames,
                film,
                size=size,
                quality=quality,
                theme=theme,
                film_rate=film_rate,
                replace=True,
                finished=progress.file_finished,
            )
        frames.unlink()
        contact_sheet_of(film, sheet, math.floor(span * film_rate + 1e-6) + 1, pictures)
        yield f"{name}: {film}, {span:g} s"


def _compute(scene: Scene, frames: Path, span: float, progress: RunProgress) -> None:
    """Run a scene for a time [s] and keep its frames."""
    simulation = Simulation(scene, progress=progress.map_built, untangled=progress.untangled)
    count = round(span * simulation.frame_rate)
    with open_recording(
        [frames], frame_count=count + 1, frame_rate=simulation.frame_rate, replace=True
    ) as recording:
        recording.add(simulation)
        for _ in range(count):
            report = simulation.step()
            recording.add(simulation, report)
            progress.frame_done(f"{report.milliseconds:.1f} ms a frame")


def contact_sheet_of(film: Path, sheet: Path, count: int, pictures: int) -> None:
    """Write moments of a film side by side, from the first to the last.

    Args:
        film: the film
        sheet: PNG to write
        count: pictures in the film
        pictures: moments to show
    """
    import imageio_ffmpeg

    shown = min(pictures, count)
    # A full sheet looks best: eight moments as four by two.
    fullest = [
        n for n in range(math.ceil(math.sqrt(shown)), shown + 1) if shown % n == 0 and n * n <= 3 * shown
    ]
    columns = fullest[0] if fullest else math.ceil(math.sqrt(shown))
    wanted = sorted({round(n * (count - 1) / max(shown - 1, 1)) for n in range(shown)})
    chosen = "+".join(f"eq(n\\,{number})" for number in wanted)
    tiles = f"{columns}x{math.ceil(len(wanted) / columns)}"
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error", "-y", "-i", str(film),
        "-vf", f"select={chosen},scale=iw/2:-1,tile={tiles}:padding=4:color=white", "-frames:v", "1", str(sheet),
    ]  # fmt: skip
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        raise SuppleError(f"cannot write {sheet}: ffmpeg says: {answer.stderr.strip()[-300:]}")
