"""A recording of the running scene on disk, as a NumPy archive that `supple replay` and `supple convert` read."""

from __future__ import annotations

import time
from pathlib import Path

from supple.record import RecordingWriter
from supple.record.formats.npz import NpzArchive
from supple.record.writer import Plan
from supple.report import StepReport
from supple.simulation import Simulation
from supple.studio.film.other_formats import formats_for

LARGEST_RECORDING = 4_000_000_000
"""Bytes after which a recording ends by itself."""

FRAMES_BETWEEN_LOOKS = 50
"""Frames after which the size on disk is looked at again."""


class SessionRecording:
    """A recording under way: bodies, obstacles, pins and reports, through every cut and seam."""

    def __init__(self, simulation: Simulation, folder: Path, name: str) -> None:
        """Start an empty recording.

        Args:
            simulation: what to record
            folder: where the archive will be
            name: how its name will begin
        """
        self._simulation = simulation
        self._revision = simulation.revision
        self.path = _free(folder, f"{name}-{time.strftime('%Y%m%d-%H%M%S')}")
        plan = Plan(frame_count=0, frame_rate=float(simulation.frame_rate))  # how many is up to the user
        archive = NpzArchive(self.path, plan)
        self._frames = archive.parts
        self._recording = RecordingWriter([archive], plan)

    @property
    def frame_count(self) -> int:
        """Frames recorded so far."""
        return self._recording.frame_count

    @property
    def is_full(self) -> bool:
        """Whether it is so large that it must end."""
        if self.frame_count % FRAMES_BETWEEN_LOOKS:
            return False
        return sum(file.stat().st_size for file in self._frames.rglob("*.npy")) > LARGEST_RECORDING

    def add(self, report: StepReport | None = None) -> None:
        """Take down the present frame, with the report of the step that led to it."""
        self._recording.add(self._simulation, report)

    def also(self) -> tuple[str, ...]:
        """Return the endings of the other formats that can hold the recording and whose libraries are installed."""
        return formats_for(is_reshaped=self._simulation.revision != self._revision)

    def close(self) -> Path:
        """Write the archive and return where it is; if that fails, the error tells where the frames are."""
        self._recording.close(is_whole=True)
        return self.path


def _free(folder: Path, stem: str) -> Path:
    """Return a file in `folder` that does not exist yet, nor frames waiting to become one."""
    path, number = folder / f"{stem}.npz", 1
    while path.exists() or path.with_name(path.name + ".part").exists():
        number += 1
        path = folder / f"{stem}-{number}.npz"
    return path
