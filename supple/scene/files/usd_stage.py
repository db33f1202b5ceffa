"""USD stages: open one, or say what is missing or wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from supple.errors import SuppleError


def open_stage(path: Path) -> Any:
    """Return a stage of a file, as the library `pxr` has it."""
    try:
        from pxr import Tf, Usd
    except ImportError:
        raise SuppleError(
            f'cannot open {path}: that needs pxr, which is not installed. Install it with\n  pip install "supple[usd]"'
        ) from None
    try:
        return Usd.Stage.Open(str(path))
    except (
        Tf.ErrorException,
        UnicodeError,
    ) as trouble:  # what the library cites of a damaged file may be no text
        raise SuppleError(f"{path} is no USD stage, or it is damaged: {gist(trouble)}") from None


def gist(trouble: Exception) -> str:
    """Return the line in which the library says what is wrong: the last."""
    return str(trouble).strip().splitlines()[-1].strip()
