"""NumPy archive: one `.npz` file that `numpy.load` opens, and `supple.open` maps into memory.

Arrays have the names and shapes of `supple.record.frame_folder`, and lie uncompressed.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from supple.record.frame_folder import DeferredWriter
from supple.record.readers.numpy_reader import ABOUT
from supple.record.readers.recording_reader import RecordingReader

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Date of every entry, so that the same frames give the same bytes."""


class NpzArchive(DeferredWriter):
    """Writer of `.npz` archives."""

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Write the archive; it appears when it is whole."""
        files = sorted(
            path for path in recording.path.rglob("*") if path.suffix == ".npy" or path.name == ABOUT
        )
        part = self.path.with_name(self.path.name + ".tmp")
        try:
            with zipfile.ZipFile(part, "w", allowZip64=True) as archive:
                for number, file in enumerate(files):
                    entry = zipfile.ZipInfo(file.relative_to(recording.path).as_posix(), _EPOCH)
                    with file.open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                        shutil.copyfileobj(source, target, 1 << 20)
                    self.told(number + 1, len(files))
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
        return [self.path]
