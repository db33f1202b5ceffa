"""Files of the kernel cache, each with a checksum: what is damaged is dropped and compiled anew.

A file that was cut off or overwritten would otherwise end every start: Numba unpickles whatever is there, and the
processor runs it.
"""

from __future__ import annotations

import hashlib
import pickle
import warnings
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

DIGEST_SIZE = hashlib.sha256().digest_size


class DamagedError(Exception):
    """A file of the cache does not hold what was written into it."""


_told: list[str] = []
"""The first damaged file, once users were told of it."""


def _tell(path: str) -> None:
    """Warn of a damaged file, but not of every other."""
    if not _told:
        _told.append(path)
        warnings.warn(
            f"the kernel cache was damaged, as {path} shows; what is damaged is dropped and compiled anew",
            RuntimeWarning,
            stacklevel=2,
        )


class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Index and machine code of one function on disk."""

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(content).digest() + content)

    def _read(self, path: str) -> Any:
        """Return what a file holds; an OSError tells that there is none, a DamagedError that it is not whole."""
        stored = Path(path).read_bytes()
        content = stored[DIGEST_SIZE:]
        if hashlib.sha256(content).digest() != stored[:DIGEST_SIZE]:
            raise DamagedError(path)
        return pickle.loads(content)

    def _drop(self, path: str) -> None:
        _tell(path)
        Path(path).unlink(missing_ok=True)

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = self._read(self._index_path)
        except FileNotFoundError:
            return {}
        except DamagedError:
            self._drop(self._index_path)
            return {}
        is_fresh = version == self._version and stamp == self._source_stamp
        return dict(overloads) if is_fresh else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        path = self._data_path(name)
        try:
            return self._read(path)
        except DamagedError:
            self._drop(path)
            raise OSError(path) from None  # as if it had been removed

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), self._dump(data))


class CheckedCache(FunctionCache):  # type: ignore[misc]
    """The cache of one function."""

    def __init__(self, function: Any, folder: Path) -> None:
        """Keep machine code in a folder that is named after the hash of all sources behind it.

        Neither the path nor the date of the source counts, as they do for Numba: a second checkout, or the same one
        after a switch of branches, finds what the first has compiled.
        """
        super().__init__(function)
        self._cache_file = CheckedFiles(
            cache_path=str(folder), filename_base=self._impl.filename_base, source_stamp=None
        )
