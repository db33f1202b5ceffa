"""What every format's writer offers, and how trouble with files is told."""

from __future__ import annotations

import errno
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from supple.errors import SuppleError
from supple.record.formats.convention import OURS, Convention
from supple.record.frame import Frame, Subject

__all__ = ["Finished", "Plan", "Subject", "Writer", "put_whole", "telling"]

Finished = Callable[[str, int, int], None]
"""Called with the name of a file that is being finished, the steps done and all steps."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is known of a recording before its first frame."""

    frame_count: int
    """Frames that will follow, the start and those kept included."""

    frame_rate: float
    """Frames per second [1/s]."""

    kept: int = 0
    """Frames of an interrupted run that stay; the next one added has this number."""

    is_resumed: bool = False
    """Whether an interrupted run goes on, so that its files are expected."""

    replaces: bool = False
    """Whether files that exist may be replaced."""

    convention: Convention = field(default=OURS)
    """Axis and unit of the file."""

    finished: Finished | None = None
    """Told how far the finishing of files is, once there are no more frames."""


class Writer(ABC):
    """One recording under way. Made, fed one frame after the other, and closed.

    Closing early, after an interruption, leaves a readable file of the frames so far. So does no closing
    at all, after a crash: see `supple.record.frame_folder`.
    """

    takes_changes = True
    """Whether bodies may be cut, torn or sewn between two frames."""

    takes_conventions = True
    """Whether the format leaves the up axis and the unit to choose."""

    wants_fields = False
    """Whether velocity, strain and contact of every point are written."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Make sure that `path` can be written, before any work is spent on the frames.

        Args:
            path: the file to write; folders above it are made
            plan: what will come
        """
        self.path = path
        self.plan = plan
        if not self.takes_conventions and not plan.convention.is_ours:
            raise SuppleError(
                f"cannot write {path} with {plan.convention}: a {path.suffix} file is Y up and in metres by definition. "
                "Programs that read it convert it themselves; leave --up and --unit away."
            )
        _check_writable(path, self.is_folder)
        if not plan.is_resumed:
            self._make_way()

    is_folder = False
    """Whether a folder is written, not a file."""

    def existing(self) -> list[Path]:
        """Return what is there already that this writer would replace."""
        return [self.path] if self.path.exists() else []

    @property
    def parts(self) -> Path:
        """Where frames are kept until a file can be made of them: the path with `.part` behind it."""
        return self.path.with_name(self.path.name + ".part")

    def _make_way(self) -> None:
        """Refuse to overwrite, or take away what is to be replaced; a file that stands alone stays until the end."""
        if self.parts.exists():
            if not self.plan.replaces:
                raise SuppleError(
                    f"{self.parts} holds the frames of an interrupted run. Go on with it (--resume), make a file of "
                    f"what is there (supple convert {self.parts} {self.path}), or start over (--force)."
                )
            remove(self.parts)
        found = self.existing()
        if found and not self.plan.replaces:
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            raise SuppleError(
                f"cannot write {self.path}: {found[0].name}{more} exists. Choose another name, or replace it "
                "with --force (in Python: replace=True)."
            )

    @abstractmethod
    def add(self, frame: Frame) -> None:
        """Take down a frame."""

    @abstractmethod
    def close(self) -> list[Path]:
        """Finish and return the files written."""

    def forget(self) -> None:
        """Take away what only a later `--resume` would need; called when all frames are there."""
        remove(self.parts)


def remove(path: Path) -> None:
    """Take a file or a folder away, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turn what the operating system says about a file into a `SuppleError`."""
    try:
        yield
    except OSError as trouble:
        raise SuppleError(f"cannot write {path}: {reason(trouble)}") from trouble


def reason(trouble: OSError) -> str:
    """Return why a file cannot be written, with a way out."""
    if trouble.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full. Make room and try again; `supple run --resume` goes on where a run has stopped."
    if trouble.errno == errno.EFBIG:
        return "the file has grown larger than this system allows. What was written before can be read."
    return f"{trouble.strerror or trouble}."


def put_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    part = path.with_name(path.name + ".tmp")
    with telling(path):
        try:
            part.write_bytes(data)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise


def _check_writable(path: Path, is_folder: bool) -> None:
    if path.is_dir() and not is_folder:
        raise SuppleError(f"cannot write {path}: it is a folder. Name a file in it.")
    if path.is_file() and is_folder:
        raise SuppleError(f"cannot write {path}: it is a file, but a folder is to be made there.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise SuppleError(
            f"cannot write {path}: its folder cannot be made ({trouble.strerror}). Choose another place."
        ) from trouble
    for target in (path.parent, path):
        if target.exists() and not os.access(target, os.W_OK):
            raise SuppleError(f"cannot write {path}: {target} is read-only. Choose another place.")
