"""PNG: a picture of the last frame, or a sheet of frames from the first to the last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.record.formats.drawn import DrawnWriter
from supple.record.pictures.camera import Camera
from supple.record.pictures.picture import (
    SIZE,
    check_size,
    contact_sheet,
    floor_of,
    render,
    save_picture,
)
from supple.record.pictures.stage import all_points, default_floor
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan
from supple.scene.water import Water


class Still(DrawnWriter):
    """Draws the pictures of a sheet when all frames are there, all from one camera."""

    def __init__(
        self,
        path: Path,
        plan: Plan,
        *,
        pictures: int = 1,
        size: tuple[int, int] = SIZE,
        colour_by: str = "body",
        waters: Sequence[Water] = (),
    ) -> None:
        """See `Writer`.

        Args:
            path: the PNG to write
            plan: what will come
            pictures: how many on the sheet; 1 is the last frame alone
            size: width and height of each picture [pixels]
            colour_by: "body", "strain" or "level"
            waters: of the scene
        """
        if pictures < 1:
            raise SuppleError(f"a sheet of {pictures} pictures: there must be at least one.")
        check_size(size)
        self._size = size
        self._pictures = pictures
        super().__init__(path, plan, colour_by=colour_by, waters=waters)

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Draw and write the picture."""
        last = len(recording) - 1
        spread = np.linspace(0, last, min(self._pictures, last + 1))
        wanted = [last] if self._pictures == 1 else sorted({round(place) for place in spread.tolist()})
        shown = [recording[number] for number in wanted]
        figures = [self.figures(frame, number) for number, frame in zip(wanted, shown, strict=True)]
        points = np.concatenate([all_points(each) for each in figures])
        camera = Camera.framing(points, self._size)
        ground = floor_of(shown[-1])
        floor = default_floor(points) if ground is None else ground
        images = []
        for done, each in enumerate(figures):
            images.append(render(each, self._size, camera=camera, floor=floor, waters=self._waters))
            self.told(done + 1, len(figures))
        captions = [f"{frame.time:.2f} s" for frame in shown] if len(shown) > 1 else []
        return [save_picture(contact_sheet(images, captions=captions), self.path)]
