"""What a recording needs of a simulation, and what every format's writer offers."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.scene.scene import Scene

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.integer]


class Subject(Protocol):
    """Anything with named bodies that can be looked at: a `Simulation`, or a stand-in in tests."""

    @property
    def body_names(self) -> Sequence[str]:
        """Names of the bodies, in the order of the scene."""

    @property
    def time(self) -> float:
        """Simulated time [s]."""

    def positions(self, body: str, /) -> Floats:
        """Return the points of a body, (n, 3) [m]."""

    def triangles(self, body: str, /) -> Indices:
        """Return the triangles of a body, (m, 3) point indices; none for chains and networks."""

    def edges(self, body: str, /) -> Indices:
        """Return the edges of a body, (e, 2) point indices."""

    def pinned(self, body: str, /) -> Indices:
        """Return the points of a body that are held, (p,) point indices."""

    @property
    def scene(self) -> Scene:
        """The scene, whose obstacles are shown."""

    def obstacle_surface(self, obstacle: str, /) -> tuple[Floats, Indices]:
        """Return an obstacle's vertices (n, 3) [m] in its own axes and triangles (m, 3)."""

    def obstacle_pose(self, obstacle: str, /) -> tuple[Floats, Floats]:
        """Return an obstacle's place (3,) [m] and rotation matrix (3, 3)."""


class Writer(ABC):
    """One recording under way. Made, fed one frame after the other, and closed.

    Closing early, after an interruption, leaves a readable file of the frames so far.
    """

    def __init__(self, path: Path, *, frame_count: int, frame_rate: float) -> None:
        """Make sure that `path` can be written, before any work is spent on the frames.

        Args:
            path: the file to write; folders above it are made
            frame_count: frames that will follow, the start included
            frame_rate: frames per second [1/s]
        """
        self.path = path
        self.frame_count = frame_count
        self.frame_rate = frame_rate
        _check_writable(path)

    @abstractmethod
    def add(self, subject: Subject) -> None:
        """Take down the subject as it is now."""

    @abstractmethod
    def close(self) -> list[Path]:
        """Finish and return the files written."""


def _check_writable(path: Path) -> None:
    if path.is_dir():
        raise SuppleError(f"cannot write {path}: it is a folder. Name a file in it.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise SuppleError(
            f"cannot write {path}: its folder cannot be made ({trouble.strerror}). Choose another place."
        ) from trouble
    target = path if path.exists() else path.parent
    if not os.access(target, os.W_OK):
        raise SuppleError(f"cannot write {path}: {target} is read-only. Choose another place.")
