"""GIF and WebP without a browser: pictures drawn on the CPU, joined by Pillow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from supple.errors import SuppleError
from supple.record.formats.drawn import DrawnWriter
from supple.record.pictures.camera import Camera
from supple.record.pictures.picture import check_size, floor_of, render
from supple.record.pictures.stage import all_points, default_floor
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan
from supple.scene.water import Water

MOST_RATE = 25.0
"""Pictures a second unless told otherwise, at most [1/s]."""


class Loop(DrawnWriter):
    """A film that plays for ever, `.gif` or `.webp`, all pictures from one camera."""

    def __init__(
        self,
        path: Path,
        plan: Plan,
        *,
        size: tuple[int, int] = (480, 300),
        azimuth: float = 0.45,
        elevation: float = 0.2,
        film_rate: float | None = None,
        colour_by: str = "body",
        waters: Sequence[Water] = (),
    ) -> None:
        """See `Writer`.

        Args:
            path: the file to write
            plan: what will come
            size: width and height [pixels]
            azimuth: direction to look from, 0 is from +z, growing towards +x [rad]
            elevation: how far above the horizon to look from [rad]
            film_rate: pictures a second [1/s]; None is the recording's frame rate, but at most MOST_RATE
            colour_by: "body", "strain" or "level"
            waters: of the scene
        """
        check_size(size)
        if film_rate is not None and not 0.1 <= film_rate <= 1000.0:
            raise SuppleError(f"a film of {film_rate:g} pictures a second: it must be from 0.1 to 1000.")
        self._size, self._angles = size, (azimuth, elevation)
        self._rate = min(plan.frame_rate, MOST_RATE) if film_rate is None else film_rate
        super().__init__(path, plan, colour_by=colour_by, waters=waters)

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Draw every picture and write the file."""
        last = len(recording) - 1
        span = float(recording.times[-1] - recording.times[0])
        count = math.floor(span * self._rate + 1e-6) + 1
        moments = np.minimum(np.round(np.arange(count) * recording.frame_rate / self._rate), last).astype(int)
        looked_at = [
            self.figures(recording[int(n)], int(n)) for n in np.linspace(0, last, min(last + 1, 24)).round()
        ]
        points = np.concatenate([all_points(figures) for figures in looked_at])
        azimuth, elevation = self._angles
        camera = Camera.framing(points, self._size, azimuth=azimuth, elevation=elevation)
        ground = floor_of(recording[last])
        floor = default_floor(points) if ground is None else ground
        pictures = []
        for done, number in enumerate(moments.tolist()):
            figures = self.figures(recording[number], number)
            drawn = render(figures, self._size, camera=camera, floor=floor, waters=self._waters)
            pictures.append(Image.fromarray(drawn))
            self.told(done + 1, count)
        return [self._write(pictures)]

    def _write(self, pictures: list[Image.Image]) -> Path:
        part = self.path.with_name(f"{self.path.stem}.tmp{self.path.suffix}")
        options: dict[str, Any] = {
            "save_all": True,
            "append_images": pictures[1:],
            "duration": 1000.0 / self._rate,
            "loop": 0,
        }
        if self.path.suffix.lower() == ".gif":
            # One set of colours for all pictures: what stands still takes no room, and does not flicker.
            palette = pictures[-1].quantize(255, dither=Image.Dither.NONE)
            first, *rest = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures)
            options["append_images"] = rest
        else:
            first = pictures[0]
            options["quality"] = 85
        try:
            first.save(part, **options)
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
        return self.path
