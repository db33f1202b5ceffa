"""Wavefront OBJ, one numbered file a frame: the format every modelling program reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from supple.errors import SuppleError
from supple.record.writer import Subject, Writer


class ObjSequence(Writer):
    """Writes `drape-0000.obj`, `drape-0001.obj`, ... for `drape.obj`.

    Each body is an object of its own name: faces where it has triangles, lines where it has
    only edges. Positions have nine digits, a nanometre in a scene of a metre. OBJ knows no
    units and no up axis; the numbers are metres with Y up.
    """

    def __init__(self, path: Path, *, frame_count: int, frame_rate: float) -> None:
        """See `Writer`."""
        super().__init__(path, frame_count=frame_count, frame_rate=frame_rate)
        self._digits = max(4, len(str(frame_count - 1)))
        self._written: list[Path] = []

    def add(self, subject: Subject) -> None:
        """Write the next file."""
        path = self._numbered(len(self._written))
        try:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                write_obj(subject, file)
        except OSError as trouble:
            raise SuppleError(f"cannot write {path}: {trouble.strerror}.") from trouble
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


def write_obj(subject: Subject, file: TextIO) -> None:
    """Write every body of the subject as it is now."""
    file.write(f"# time {subject.time:.6g} s; metres, Y up\n")
    first = 1
    for body in subject.body_names:
        file.writelines(_body_lines(subject, body, first))
        first += len(subject.positions(body))


def _body_lines(subject: Subject, body: str, first: int) -> Iterator[str]:
    """Yield the lines of one body whose points are numbered from `first`; OBJ counts from 1."""
    yield f"o {body}\n"
    for x, y, z in subject.positions(body).tolist():
        yield f"v {x:.9g} {y:.9g} {z:.9g}\n"
    triangles = subject.triangles(body)
    for a, b, c in (triangles + first).tolist():
        yield f"f {a} {b} {c}\n"
    if len(triangles) == 0:
        for a, b in (subject.edges(body) + first).tolist():
            yield f"l {a} {b}\n"
