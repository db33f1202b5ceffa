"""What pictures and films drawn on the CPU share: colours that show a measure, and water."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from supple.record.frame import Frame
from supple.record.frame_folder import DeferredWriter
from supple.record.pictures.colour_by import checked_way, coloured, shares_of
from supple.record.pictures.picture import figures_of
from supple.record.pictures.stage import Figure
from supple.record.writer import Plan
from supple.scene.water import Water


class DrawnWriter(DeferredWriter):
    """Base of formats that are drawn when all frames are there.

    Frames wait in a folder, which holds places and no measures. How hot each point is to be drawn is kept beside them, one
    byte each; frames of an interrupted run that goes on have lost theirs and show the colours of their bodies.
    """

    def __init__(
        self, path: Path, plan: Plan, *, colour_by: str = "body", waters: Sequence[Water] = ()
    ) -> None:
        """See `Writer`.

        Args:
            path: the file to write
            plan: what will come
            colour_by: "body", "strain" or "level"
            waters: of the scene
        """
        self._colour_by = checked_way(colour_by)
        self._waters = waters
        self._shares: dict[int, dict[str, npt.NDArray[np.uint8]]] = {}
        self.wants_fields = self._colour_by != "body"
        super().__init__(path, plan)

    def add(self, frame: Frame) -> None:
        """Put a frame aside."""
        if self.wants_fields:
            self._shares[frame.number] = shares_of(frame, self._colour_by)
        super().add(frame)

    def figures(self, frame: Frame, number: int) -> list[Figure]:
        """Return what a frame shows, which has this number in its recording."""
        return coloured(figures_of(frame), frame.body_names, self._shares.get(number, {}))
