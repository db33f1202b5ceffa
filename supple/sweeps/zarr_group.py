"""Arrays as a Zarr group (version 2, uncompressed): read by zarr and xarray, and by NumPy without either.

KEY.zarr/.zgroup, .zattrs           the group and what it says about itself
KEY.zarr/NAME/.zarray, .zattrs      shape, type and names of the dimensions
KEY.zarr/NAME/0.0.0                 the numbers, in one chunk
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Dimensions = tuple[str, ...]


def write_group(
    path: Path, arrays: Mapping[str, tuple[NDArray[Any], Dimensions]], attributes: Mapping[str, Any]
) -> None:
    """Write arrays with the names of their dimensions; the folder appears whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    _write_json(part / ".zgroup", {"zarr_format": 2})
    _write_json(part / ".zattrs", attributes)
    for name, (array, dimensions) in arrays.items():
        own = np.ascontiguousarray(array)
        folder = part / name
        folder.mkdir()
        head = {
            "zarr_format": 2,
            "shape": list(own.shape),
            "chunks": [max(side, 1) for side in own.shape],
            "dtype": own.dtype.str,
            "compressor": None,
            "fill_value": None,
            "order": "C",
            "filters": None,
        }
        _write_json(folder / ".zarray", head)
        _write_json(folder / ".zattrs", {"_ARRAY_DIMENSIONS": list(dimensions)})
        if own.size:
            (folder / (".".join("0" * own.ndim) or "0")).write_bytes(own.tobytes())
    if path.exists():
        shutil.rmtree(path)
    part.replace(path)


def read_group(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a group by name, mapped into memory."""
    arrays: dict[str, NDArray[Any]] = {}
    for head in sorted(path.glob("*/.zarray")):
        about = json.loads(head.read_text())
        shape, kind = tuple(about["shape"]), np.dtype(about["dtype"])
        chunk = head.parent / (".".join("0" * len(shape)) or "0")
        arrays[head.parent.name] = (
            np.memmap(chunk, kind, "r", shape=shape) if chunk.exists() and shape else np.zeros(shape, kind)
        )
    return arrays


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value))
