"""The folder of a sweep: a file for every run, written whole or not at all, so that a killed sweep goes on.

runs/about.json           what was asked: parameters, measures, seconds, settings
runs/rows/KEY.json        parameters and measures of a run; KEY is a hash of its parameters and its seed
runs/failures/KEY.json    a run that failed: its parameters, the error and the traceback
runs/failures/KEY.py      a script that makes it fail again
runs/frames/KEY.zarr      what was kept of its frames
runs/sweep.parquet        one row for each run, in the order asked, written at the end
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import SuppleError

ABOUT = "about.json"


def plain(name: str, value: Any) -> Any:
    """Return a parameter as plain numbers, words and lists, or say that it is none."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray | tuple | list):
        return [plain(name, each) for each in value]
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    raise SuppleError(
        f"the parameter `{name}` is {value!r}, but runs are named by their parameters: use numbers, words and lists."
    )


def key_of(parameters: Mapping[str, Any], seed: int) -> str:
    """Return the name of a run: a hash of its parameters and its seed."""
    words = json.dumps([dict(parameters), seed], sort_keys=True)
    return hashlib.sha256(words.encode()).hexdigest()[:20]


class RunFolder:
    """Reads and writes the files of a sweep."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take a folder, which need not exist."""
        self.path = Path(path)
        self.rows, self.failures, self.frames = (self.path / name for name in ("rows", "failures", "frames"))

    def prepare(self, about: Mapping[str, Any], *, replace: bool) -> None:
        """Make the folders and say what is swept, or check that the folder holds runs of the same sweep."""
        known = self.about()
        if known is not None and known.get("recipe") != about["recipe"]:
            if not replace:
                differs = [
                    name
                    for name in about["recipe"]
                    if known.get("recipe", {}).get(name) != about["recipe"][name]
                ]
                raise SuppleError(
                    f"{self.path} holds runs of another sweep: {', '.join(differs) or 'it'} differs. Choose another "
                    "folder, or replace it with `replace=True` (--force)."
                )
            self.clear()
        elif known is None and self.path.exists() and any(self.path.iterdir()):
            raise SuppleError(f"{self.path} exists and is no folder of a sweep. Choose another one.")
        for folder in (self.rows, self.failures, self.frames):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as trouble:
                raise SuppleError(f"cannot write {folder}: {trouble.strerror or trouble}.") from None
        self.write(self.path / ABOUT, about)

    def clear(self) -> None:
        """Remove the runs of a sweep."""
        import shutil

        for folder in (self.rows, self.failures, self.frames):
            shutil.rmtree(folder, ignore_errors=True)

    def about(self) -> dict[str, Any] | None:
        """Return what was asked; None if this is no folder of a sweep."""
        return self.read(self.path / ABOUT)

    def row(self, key: str) -> dict[str, Any] | None:
        """Return what a run has left; None if it has not ended well."""
        return self.read(self.rows / f"{key}.json")

    def failure(self, key: str) -> dict[str, Any] | None:
        """Return why a run failed; None if it did not."""
        return self.read(self.failures / f"{key}.json")

    def done(self) -> set[str]:
        """Return the names of all runs that have ended, well or not."""
        return {path.stem for folder in (self.rows, self.failures) for path in folder.glob("*.json")}

    def forget_failures(self) -> None:
        """Forget what failed, so that it is tried again."""
        for path in self.failures.glob("*"):
            path.unlink()

    @staticmethod
    def read(path: Path) -> dict[str, Any] | None:
        """Return a file's contents; None if there is none or it is damaged."""
        try:
            found = json.loads(path.read_text())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    @staticmethod
    def write(path: Path, value: Mapping[str, Any] | str) -> None:
        """Write a file whole or not at all."""
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.write_text(value if isinstance(value, str) else json.dumps(value))
        part.replace(path)
