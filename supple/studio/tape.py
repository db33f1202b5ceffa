"""Tape: a run kept on disk while it plays, as one NumPy archive."""

from __future__ import annotations

import io
import shutil
import tempfile
import time
import zipfile
from pathlib import Path
from typing import IO

import numpy as np

from supple.errors import SuppleError
from supple.simulation import Simulation

LARGEST_TAPE = 4_000_000_000
"""Bytes after which a recording ends by itself."""


class Tape:
    """A recording under way.

    The archive (`.npz`) holds `time` (frame_count,) [s], and for each body `NAME/positions`
    (frame_count, vertex_count, 3) float32 [m], `NAME/triangles` and `NAME/edges`.
    """

    def __init__(self, simulation: Simulation, folder: Path, name: str) -> None:
        """Start an empty tape.

        Args:
            simulation: what to record
            folder: where the archive will be
            name: how its name will begin
        """
        self._simulation = simulation
        stamp = time.strftime("%Y%m%d-%H%M%S")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.path = _free(folder, f"{name}-{stamp}")
            self._files: dict[str, IO[bytes]] = {
                body: tempfile.TemporaryFile(dir=folder) for body in simulation.body_names
            }
        except OSError as trouble:
            raise SuppleError(f"cannot record to {folder}: {trouble.strerror}.") from trouble
        self._revision = simulation.revision
        surfaces = {body: simulation.surface(body) for body in simulation.body_names}
        self._counts = {body: len(points) for body, (points, _) in surfaces.items()}
        self._triangles = {body: np.array(triangles) for body, (_, triangles) in surfaces.items()}
        self._edges = {body: np.array(simulation.edges(body)) for body in simulation.body_names}
        self._times: list[float] = []
        self._size = 0

    @property
    def frame_count(self) -> int:
        """Frames recorded so far."""
        return len(self._times)

    @property
    def is_full(self) -> bool:
        """Whether it must end: too large, or an edit has changed the bodies."""
        return self._simulation.revision != self._revision or self._size > LARGEST_TAPE

    def add(self) -> None:
        """Take down the present frame; one whose bodies an edit has changed does not fit any more."""
        if self._simulation.revision != self._revision:
            return
        self._times.append(self._simulation.time)
        for body, file in self._files.items():
            data = self._simulation.surface(body)[0].astype("<f4").tobytes()
            file.write(data)
            self._size += len(data)

    def close(self) -> Path:
        """Write the archive and return where it is."""
        with zipfile.ZipFile(self.path, "w", allowZip64=True) as archive:
            _put(archive, "time.npy", np.array(self._times))
            for body, file in self._files.items():
                _put(archive, f"{body}/triangles.npy", self._triangles[body])
                _put(archive, f"{body}/edges.npy", self._edges[body])
                shape = (self.frame_count, self._counts[body], 3)
                file.seek(0)
                with archive.open(f"{body}/positions.npy", "w", force_zip64=True) as entry:
                    head = {"descr": "<f4", "fortran_order": False, "shape": shape}
                    np.lib.format.write_array_header_1_0(entry, head)
                    shutil.copyfileobj(file, entry)
        self.discard()
        return self.path

    def discard(self) -> None:
        """Throw the frames away."""
        for file in self._files.values():
            file.close()


def _put(
    archive: zipfile.ZipFile, name: str, array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]
) -> None:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    archive.writestr(name, buffer.getvalue())


def _free(folder: Path, stem: str) -> Path:
    """Return a file in `folder` that does not exist yet."""
    path, number = folder / f"{stem}.npz", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.npz"
    return path
