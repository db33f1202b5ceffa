"""Locks on files that a run writes, so that no second run writes them meanwhile.

The operating system holds the lock and drops it when the process ends, however it ends: what a killed run leaves behind
locks nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from supple.errors import SuppleError


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock on a file that is to be written; a `SuppleError` tells that another run holds it.

    Where no lock file can be made, as in folders that are read-only, nothing is locked.
    """
    place = path.with_name(f".{path.name}.lock")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = _held(place)
    except BlockingIOError:
        owner = _owner(place)
        raise SuppleError(
            f"cannot write {path}: another run is writing it{owner}. Wait until it has ended, or give another name."
        ) from None
    except OSError:
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no file that is open
            place.unlink()
        file.close()


def _held(place: Path) -> IO[bytes]:
    """Return the lock file, opened and locked; a BlockingIOError tells that somebody else has it."""
    while True:
        file = place.open("a+b")
        try:
            _lock(file)
            is_there = place.exists() and os.path.samestat(place.stat(), os.fstat(file.fileno()))
        except OSError:
            file.close()
            raise
        if is_there:
            file.truncate(0)
            file.write(str(os.getpid()).encode())
            file.flush()
            return file
        file.close()  # its owner has removed it between opening and locking: another one is needed


def _lock(file: IO[bytes]) -> None:
    """Lock a file for this process, or raise a BlockingIOError."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(1 << 20)  # behind the number, which others may read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None
        finally:
            file.seek(0)
    else:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def _owner(place: Path) -> str:
    """Return the process that holds a lock, in brackets, if its file tells."""
    try:
        return f" (process {int(place.read_text())})"
    except (OSError, ValueError):
        return ""
