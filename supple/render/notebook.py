"""Pictures for notebooks: what stands below a cell that ends with a simulation."""

from __future__ import annotations

import base64
import html
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIZE = (480, 320)
"""Width and height of the picture [pixels]."""


def png_bytes(rgb: NDArray[np.uint8]) -> bytes:
    """Return colours (height, width, 3) as a PNG file."""
    height, width = rgb.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), rgb.reshape(height, 3 * width)], axis=1)
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def figure_html(rgb: NDArray[np.uint8], caption: str) -> str:
    """Return a picture with a line below it, as HTML."""
    data = base64.b64encode(png_bytes(np.ascontiguousarray(rgb, dtype=np.uint8))).decode()
    told = html.escape(caption)
    return (
        f'<figure style="margin:0"><img alt="{told}" width="{rgb.shape[1]}" src="data:image/png;base64,{data}"/>'
        f"<figcaption>{told}</figcaption></figure>"
    )
