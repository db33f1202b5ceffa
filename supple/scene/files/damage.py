"""Damaged files: whichever way a reader fails, users are told that the file is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from supple.errors import SuppleError


@contextmanager
def telling_damage(what: str) -> Iterator[None]:
    """Say of `what`, such as a path, that it is damaged: the reader of a broken file may fail in any way it likes."""
    try:
        yield
    except (SuppleError, OSError):
        raise
    except Exception as trouble:
        reason = " ".join(f"{trouble or type(trouble).__name__}".split())[:200]
        raise SuppleError(f"{what} is damaged, or not what its ending says ({reason}).") from None
