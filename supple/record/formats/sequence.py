"""Numbered files, one a frame: `drape-0000.obj`, `drape-0001.obj`, ... for `drape.obj`."""

from __future__ import annotations

import re
from abc import abstractmethod
from pathlib import Path

from supple.errors import SuppleError
from supple.record.frame import Frame
from supple.record.writer import Plan, Writer, put_whole


def numbered_files(path: Path) -> list[Path]:
    """Return the files of a sequence in order, given its name without number, or any of its files."""
    stem = path.stem
    if path.is_file() and (match := re.fullmatch(r"(.*)-(\d{4,})", stem)):
        stem = match[1]
    pattern = re.compile(re.escape(stem) + r"-(\d{4,})" + re.escape(path.suffix), re.IGNORECASE)
    if not path.parent.is_dir():
        return []
    found = [
        (int(match[1]), entry) for entry in path.parent.iterdir() if (match := pattern.fullmatch(entry.name))
    ]
    return [entry for _, entry in sorted(found)]


def unbroken(files: list[Path]) -> list[Path]:
    """Return the files up to the first number that is missing."""
    kept = []
    for number, file in enumerate(files):
        if int(file.stem.rpartition("-")[2]) != number:
            break
        kept.append(file)
    return kept


class Sequence(Writer):
    """Writes a whole file for every frame; each is there at once or not at all."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        self._digits = max(4, len(str(max(plan.frame_count - 1, 0))))
        super().__init__(path, plan)
        self._written: list[Path] = []
        if plan.kept:
            self._written = unbroken(numbered_files(path))[: plan.kept]
            if len(self._written) < plan.kept:
                raise SuppleError(
                    f"{path}: the run cannot go on, because some of its first {plan.kept} files are missing."
                )
            self._digits = len(self._written[0].stem.rpartition("-")[2])

    def existing(self) -> list[Path]:
        """Return the numbered files that are there."""
        return unbroken(numbered_files(self.path))

    @abstractmethod
    def data(self, frame: Frame) -> bytes:
        """Return the content of a frame's file."""

    def add(self, frame: Frame) -> None:
        """Write the next file."""
        path = self._numbered(len(self._written))
        put_whole(path, self.data(frame))
        self._written.append(path)

    def close(self) -> list[Path]:
        """Return the files written; each was complete as soon as it was added.

        Frames of an earlier, longer recording that would follow on are removed: a program that
        reads the sequence would take them for its end.
        """
        number = len(self._written)
        while number and (stale := self._numbered(number)).is_file():
            stale.unlink()
            number += 1
        return self._written

    def _numbered(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.stem}-{number:0{self._digits}d}{self.path.suffix}")
