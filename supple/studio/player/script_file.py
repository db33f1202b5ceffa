"""Script files: what was done in the studio, put where a page can fetch it."""

from __future__ import annotations

import time
from pathlib import Path

from supple.errors import SuppleError
from supple.scene.timeline.script import Script


def write_script(script: Script, folder: Path, scene: str) -> str:
    """Write a script into a folder and return the name of the file, which begins like that of the scene.

    Raises:
        SuppleError: if it cannot be written
    """
    stem = f"{scene}-edits-{time.strftime('%Y%m%d-%H%M%S')}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise SuppleError(f"cannot write to {folder}: {trouble.strerror}.") from None
    path = folder / f"{stem}.toml"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.toml"
    script.save(path)
    return path.name
