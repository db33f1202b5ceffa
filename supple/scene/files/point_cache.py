"""PC2 point caches: the layout of the file, and its positions.

12 bytes  "POINTCACHE2" and a zero
4 bytes  version, int32: 1
4 bytes  points, int32
4 bytes  first frame, float32
4 bytes  frames from sample to sample, float32
4 bytes  samples, int32
then x, y, z of every point of every sample, float32; all little-endian
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from supple.errors import SuppleError

HEAD = struct.Struct("<12siiffi")
MAGIC = b"POINTCACHE2\0"


def read_cache(path: Path) -> np.memmap[tuple[int, ...], np.dtype[np.float32]]:
    """Return the (frame_count, point_count, 3) positions of a point cache, as a window into the file."""
    with path.open("rb") as file:
        head = file.read(HEAD.size)
    size = path.stat().st_size
    if len(head) < HEAD.size or not head.startswith(MAGIC):
        raise SuppleError(f"{path} is no PC2 point cache.")
    _, version, points, _, _, samples = HEAD.unpack(head)
    if version != 1 or points <= 0 or samples <= 0 or HEAD.size + 12 * points * samples > size:
        raise SuppleError(
            f"{path} is broken: {samples} samples of {points} points, version {version}, in {size} bytes."
        )
    return np.memmap(path, "<f4", "r", HEAD.size, (samples, points, 3))
