"""PNG: a picture of the last frame, or a sheet of frames from the first to the last."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.record.camera import Camera
from supple.record.picture import SIZE, check_size, contact_sheet, figures_of, floor_of, render, save_picture
from supple.record.stage import Figure, all_points, default_floor
from supple.record.writer import Subject, Writer


class Still(Writer):
    """Keeps the frames it needs and draws them when it is closed, all from one camera."""

    def __init__(
        self,
        path: Path,
        *,
        frame_count: int,
        frame_rate: float,
        pictures: int = 1,
        size: tuple[int, int] = SIZE,
    ) -> None:
        """See `Writer`.

        Args:
            path: the PNG to write
            frame_count: frames that will follow, the start included
            frame_rate: frames per second [1/s]
            pictures: how many on the sheet; 1 is the last frame alone
            size: width and height of each picture [pixels]
        """
        super().__init__(path, frame_count=frame_count, frame_rate=frame_rate)
        if pictures < 1:
            raise SuppleError(f"a sheet of {pictures} pictures: there must be at least one.")
        check_size(size)
        self._size = size
        spread = np.linspace(0, frame_count - 1, min(pictures, frame_count))
        self._wanted = {frame_count - 1} if pictures == 1 else {round(place) for place in spread}
        self._kept: list[tuple[float, list[Figure]]] = []
        self._last: tuple[float, list[Figure]] | None = None
        self._frame = 0
        self._floor: float | None = None

    def add(self, subject: Subject) -> None:
        """Keep the frame if it is wanted; the newest is always at hand for an early end."""
        self._last = (subject.time, figures_of(subject))
        self._floor = floor_of(subject)
        if self._frame in self._wanted:
            self._kept.append(self._last)
            self._last = None
        self._frame += 1

    def close(self) -> list[Path]:
        """Draw and write the picture; nothing if there was no frame."""
        frames = [*self._kept, self._last] if self._last else self._kept
        shown = [frame for frame in frames if frame is not None]
        if not shown:
            return []
        points = np.concatenate([all_points(figures) for _, figures in shown])
        camera = Camera.framing(points, self._size)
        floor = default_floor(points) if self._floor is None else self._floor
        images = [render(figures, self._size, camera=camera, floor=floor) for _, figures in shown]
        captions = [f"{time:.2f} s" for time, _ in shown] if len(shown) > 1 else []
        return [save_picture(contact_sheet(images, captions=captions), self.path)]
