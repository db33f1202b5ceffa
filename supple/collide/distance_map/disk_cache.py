"""Distance maps on disk: built once for a mesh and an accuracy, loaded at once the next time."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import ArrayLike

from supple.cache_folder import CACHE_VARIABLE
from supple.collide.distance_map.blocks import Progress
from supple.collide.distance_map.distance_map import DistanceMap
from supple.collide.distance_map.mesh_repair import MeshReport

FORMAT = 3
"""Raise it whenever the map of a mesh comes out otherwise than before; older files are then ignored."""

SUFFIX = ".map"

LARGEST_FOLDER = 1_000_000_000
"""Bytes that stored maps may take together; those not used for the longest time go first."""


def map_folder() -> Path:
    """Return the folder of stored maps: `SUPPLE_CACHE_DIR`/maps if that is set, else the user's cache."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return (Path(chosen) if chosen else Path(platformdirs.user_cache_dir("supple"))) / "maps"


def map_key(vertices: ArrayLike, triangles: ArrayLike, accuracy: float | None) -> str:
    """Return a name that is the same only for the same mesh, accuracy and format."""
    digest = hashlib.sha256(f"supple map {FORMAT} {accuracy!r}".encode())
    for array, kind in ((vertices, "<f8"), (triangles, "<i8")):
        values = np.ascontiguousarray(array, dtype=kind)
        digest.update(repr(values.shape).encode())
        digest.update(values.data)
    return digest.hexdigest()[:32]


def distance_map(
    vertices: ArrayLike,
    triangles: ArrayLike,
    accuracy: float | None = None,
    progress: Progress | None = None,
) -> DistanceMap:
    """Return the map of a mesh, from disk if it was built before.

    A file that is damaged is replaced; a folder that cannot be written only costs the time
    to build the map again. Arguments as for `DistanceMap.build`.
    """
    path = map_folder() / (map_key(vertices, triangles, accuracy) + SUFFIX)
    stored = load_map(path)
    if stored is not None:
        with contextlib.suppress(OSError):
            os.utime(path)  # used just now: see `drop_oldest`
        return stored
    built = DistanceMap.build(vertices, triangles, accuracy, progress)
    if save_map(built, path):
        drop_oldest(path)
    return built


def drop_oldest(kept: Path) -> None:
    """Delete the maps beside `kept` that were not used for the longest time, until the rest is small enough.

    Another process may delete the same files meanwhile; that is no mistake.
    """
    files = []
    for path in kept.parent.glob("*" + SUFFIX):
        with contextlib.suppress(OSError):
            about = path.stat()
            files.append((about.st_mtime_ns, path.name, about.st_size))
    total = sum(size for _, _, size in files)
    for _, name, size in sorted(files):
        if total <= LARGEST_FOLDER:
            break
        if name != kept.name:
            with contextlib.suppress(OSError):
                (kept.parent / name).unlink()
            total -= size


def save_map(map_: DistanceMap, path: Path) -> bool:
    """Write a map; return False if the folder cannot be written.

    The file is one line of JSON that lists the arrays, then their bytes, then the SHA-256 of all
    that. It appears under its name only when it is complete, so a reader never sees half of it.
    """
    arrays = {field.name: getattr(map_, field.name) for field in dataclasses.fields(map_)}
    plain = {"voxel": map_.voxel, "block_counts": map_.block_counts, "report": vars(map_.report)}
    arrays = {name: value for name, value in arrays.items() if isinstance(value, np.ndarray)}
    described = [[name, value.dtype.str, value.shape] for name, value in arrays.items()]
    head = json.dumps({"format": FORMAT, "arrays": described, **plain}).encode() + b"\n"
    digest = hashlib.sha256(head)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            try:
                file.write(head)
                for value in arrays.values():
                    content = np.ascontiguousarray(value).tobytes()
                    digest.update(content)
                    file.write(content)
                file.write(digest.digest())
                file.close()
                os.replace(file.name, path)
            except BaseException:
                file.close()
                with contextlib.suppress(OSError):
                    os.unlink(file.name)
                raise
    except OSError:
        return False
    return True


def load_map(path: Path) -> DistanceMap | None:
    """Read a map; None if there is none, or if it is damaged or of another format."""
    try:
        content = path.read_bytes()
        body, expected = content[:-32], content[-32:]
        if hashlib.sha256(body).digest() != expected:
            return None
        end = body.index(b"\n") + 1
        head = json.loads(body[:end])
        if head["format"] != FORMAT:
            return None
        values: dict[str, Any] = {}
        for name, kind, shape in head["arrays"]:
            dtype = np.dtype(kind)
            count = int(np.prod(shape))
            # A copy: the parts of the file are not aligned.
            values[name] = np.frombuffer(body, dtype, count, end).reshape(shape).copy()
            end += count * dtype.itemsize
        x, y, z = head["block_counts"]
        return DistanceMap(
            voxel=head["voxel"], block_counts=(x, y, z), report=MeshReport(**head["report"]), **values
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
