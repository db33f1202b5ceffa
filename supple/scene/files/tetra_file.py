"""Read tetrahedra from a file: legacy VTK and Gmsh as text, or a NumPy archive."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from pydantic_core import PydanticCustomError

from supple.scene.error_messages import field_error, listed, shown, suggestion
from supple.scene.files.array_file import check_archive
from supple.scene.placement import FloatArray, IndexArray

VTK_TETRAHEDRON, GMSH_TETRAHEDRON = 10, 4
"""Numbers by which the formats know a tetrahedron of four points."""

LARGEST_FILE = 500_000_000
"""Most bytes a mesh file may have."""

Mesh = tuple[FloatArray, IndexArray]


class _BrokenError(Exception):
    """A file that is not what its ending says, with the reason."""


def read_tetrahedra(path: Path) -> Mesh:
    """Return the points (n, 3) [m] and the tetrahedra (t, 4) of a mesh file.

    Other cells of the file (its surface triangles, edges, points) are skipped, and so are points that no
    tetrahedron uses. Read are legacy VTK files (ASCII, unstructured grid), Gmsh files (ASCII, versions 2 and 4) and
    NumPy archives with the arrays `vertices` and `tetrahedra`.
    """
    name = shown(str(path))
    ending = path.suffix.lower()
    if ending not in READERS:
        near = suggestion(ending, list(READERS))
        raise field_error(
            f"names the mesh file {name}, but tetrahedra are read only from {listed(READERS)} files.{near}"
        )
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise field_error(f"names the mesh file {name}, which is a device and no file.")
        if path.stat().st_size > LARGEST_FILE:
            raise field_error(
                f"names the mesh file {name}, which is larger than {LARGEST_FILE // 1_000_000} MB."
            )
        points, tetrahedra = READERS[ending](path)
    except FileNotFoundError:
        raise field_error(f"names the mesh file {name}, which does not exist.") from None
    except IsADirectoryError:
        raise field_error(f"names the mesh file {name}, which is a folder.") from None
    except OSError as error:
        raise field_error(
            f"names the mesh file {name}, which cannot be read: {error.strerror or error}."
        ) from None
    except PydanticCustomError:
        raise
    except _BrokenError as error:
        raise field_error(
            f"names the mesh file {name}, which is broken or of another format ({error})."
        ) from None
    except Exception:  # a broken file makes its reader fail in any way it likes
        raise field_error(f"names the mesh file {name}, which is broken or of another format.") from None
    if not len(tetrahedra):
        raise field_error(f"names the mesh file {name}, which holds no tetrahedra.")
    if tetrahedra.min() < 0 or tetrahedra.max() >= len(points):
        raise field_error(f"names the mesh file {name}, whose tetrahedra name points that it does not hold.")
    used, renumbered = np.unique(tetrahedra, return_inverse=True)
    return points[used], renumbered.reshape(-1, 4).astype(np.int64)


def _read_archive(path: Path) -> Mesh:
    with zipfile.ZipFile(path) as packed:
        check_archive(packed, path.stat().st_size)
    with np.load(path, allow_pickle=False) as archive:
        for name in ("vertices", "tetrahedra"):
            if name not in archive:
                raise _BrokenError(f"it has no array `{name}`")
        points, tetrahedra = archive["vertices"], archive["tetrahedra"]
    if points.ndim != 2 or points.shape[1] != 3 or points.dtype.kind not in "fiu":
        raise _BrokenError(f"`vertices` has the shape {points.shape} instead of (n, 3)")
    if tetrahedra.ndim != 2 or tetrahedra.shape[1] != 4 or tetrahedra.dtype.kind not in "iu":
        raise _BrokenError(f"`tetrahedra` has the shape {tetrahedra.shape} instead of (t, 4) whole numbers")
    return points.astype(np.float64), tetrahedra.astype(np.int64)


def _words(path: Path) -> Iterator[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise _BrokenError("it is binary; save it as text (ASCII)") from None
    return iter(text.split())


def _numbers(words: Iterator[str], count: int) -> FloatArray:
    values = np.array([float(next(words)) for _ in range(count)])
    if len(values) != count:
        raise _BrokenError("it ends too early")
    return values


def _wholes(words: Iterator[str], count: int) -> IndexArray:
    return np.array([int(next(words)) for _ in range(count)], dtype=np.int64)


def _read_vtk(path: Path) -> Mesh:
    words = _words(path)
    points, cells, kinds = np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.int64)
    for word in words:
        if word == "BINARY":
            raise _BrokenError("it is binary; save it as text (ASCII)")
        if word == "POINTS":
            count = int(next(words))
            next(words)
            points = _numbers(words, 3 * count).reshape(-1, 3)
        elif word == "CELLS":
            count, size = int(next(words)), int(next(words))
            cells = _wholes(words, size)
        elif word == "CELL_TYPES":
            kinds = _wholes(words, int(next(words)))
            break
    starts, at = [], 0
    for _ in range(len(kinds)):
        starts.append(at)
        at += int(cells[at]) + 1
    first = np.array(starts, dtype=np.int64)[kinds == VTK_TETRAHEDRON]
    return points, cells[first[:, None] + np.arange(1, 5)]


def _read_gmsh(path: Path) -> Mesh:
    words = _words(path)
    version = 0.0
    names: IndexArray = np.zeros(0, np.int64)
    points: FloatArray = np.zeros((0, 3))
    tetrahedra: IndexArray = np.zeros((0, 4), np.int64)
    for word in words:
        if word == "$MeshFormat":
            version = float(next(words))
            if next(words) != "0":
                raise _BrokenError("it is binary; save it as text (ASCII)")
        elif word == "$Nodes":
            names, points = _gmsh_nodes(words) if version >= 4.0 else _old_gmsh_nodes(words)
        elif word == "$Elements":
            tetrahedra = _gmsh_elements(words) if version >= 4.0 else _old_gmsh_elements(words)
    order = np.argsort(names)
    places = np.searchsorted(names[order], tetrahedra)
    if len(tetrahedra) and (places >= len(names)).any():
        raise _BrokenError("a tetrahedron names a point that is not there")
    return points, order[places].astype(np.int64)


def _gmsh_nodes(words: Iterator[str]) -> tuple[IndexArray, FloatArray]:
    block_count, _, _, _ = _wholes(words, 4)
    names, points = [], []
    for _ in range(block_count):
        _, _, _, count = _wholes(words, 4)
        names.append(_wholes(words, count))
        points.append(_numbers(words, 3 * count).reshape(-1, 3))
    return np.concatenate(names), np.concatenate(points)


def _old_gmsh_nodes(words: Iterator[str]) -> tuple[IndexArray, FloatArray]:
    rows = _numbers(words, 4 * int(next(words))).reshape(-1, 4)
    return rows[:, 0].astype(np.int64), rows[:, 1:]


def _gmsh_elements(words: Iterator[str]) -> IndexArray:
    block_count, _, _, _ = _wholes(words, 4)
    found = [np.zeros((0, 4), np.int64)]
    for _ in range(block_count):
        _, _, kind, count = _wholes(words, 4)
        rows = _wholes(words, count * (1 + GMSH_POINTS[int(kind)])).reshape(count, -1)
        if kind == GMSH_TETRAHEDRON:
            found.append(rows[:, 1:])
    return np.concatenate(found)


def _old_gmsh_elements(words: Iterator[str]) -> IndexArray:
    found = []
    for _ in range(int(next(words))):
        _, kind, tag_count = _wholes(words, 3)
        _wholes(words, tag_count)
        corners = _wholes(words, GMSH_POINTS[int(kind)])
        if kind == GMSH_TETRAHEDRON:
            found.append(corners)
    return np.array(found, dtype=np.int64).reshape(-1, 4)


GMSH_POINTS = {1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 6: 6, 7: 5, 8: 3, 9: 6, 10: 9, 11: 10, 15: 1}
"""Points of each kind of Gmsh element that may stand beside tetrahedra."""

READERS: dict[str, Callable[[Path], Mesh]] = {".vtk": _read_vtk, ".msh": _read_gmsh, ".npz": _read_archive}
"""Mesh files we read, told apart by their ending."""
