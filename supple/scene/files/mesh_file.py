"""Read a triangle mesh from a file. Loads the mesh library only when a file is read."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from supple.scene.error_messages import field_error, listed, shown, suggestion
from supple.scene.placement import FloatArray, IndexArray

ENDINGS = (".obj", ".ply", ".stl", ".glb", ".gltf", ".off")
"""Mesh files we read, told apart by their ending."""

SPLIT_ENDINGS = (".stl", ".glb", ".gltf")
"""Formats that repeat a vertex for every triangle or texture seam that uses it."""


def read_mesh(path: Path) -> tuple[FloatArray, IndexArray]:
    """Return the (vertex_count, 3) vertices [m] and (triangle_count, 3) triangles of a mesh file.

    Formats that repeat vertices are joined again where coordinates agree exactly; otherwise the cloth would
    fall apart along the seams. The order of the file is kept, so indices in a scene stay valid. Several
    objects in one file become one mesh.
    """
    name = shown(str(path))
    if path.suffix.lower() not in ENDINGS:
        near = suggestion(path.suffix.lower(), ENDINGS)
        raise field_error(f"names the mesh file {name}, but we read only {listed(ENDINGS)} files.{near}")
    try:
        with path.open("rb") as stream:
            stream.read(1)
    except FileNotFoundError:
        raise field_error(f"names the mesh file {name}, which does not exist.{_neighbour(path)}") from None
    except IsADirectoryError:
        raise field_error(f"names the mesh file {name}, which is a folder.") from None
    except (OSError, ValueError) as error:
        raise field_error(f"names the mesh file {name}, which cannot be read: {_reason(error)}.") from None
    if not path.is_file():
        raise field_error(f"names the mesh file {name}, which is a device and no file.")
    vertices, triangles = _loaded(path, name)
    if not len(vertices) or not len(triangles):
        raise field_error(f"names the mesh file {name}, which holds no triangles.")
    if triangles.ndim != 2 or triangles.shape[1] != 3 or vertices.shape[1:] != (3,):
        raise field_error(f"names the mesh file {name}, which is broken: it is not made of triangles.")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise field_error(f"names the mesh file {name}, whose triangles name vertices that it does not hold.")
    return _joined(vertices, triangles) if path.suffix.lower() in SPLIT_ENDINGS else (vertices, triangles)


def _loaded(path: Path, name: str) -> tuple[FloatArray, IndexArray]:
    import trimesh

    options: dict[str, Any] = {"process": False}
    if path.suffix.lower() == ".obj":
        options |= {"maintain_order": True, "skip_materials": True}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mesh = trimesh.load_scene(path, **options).to_mesh()
            return np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)
    except Exception as error:  # a broken file makes the reader fail in any way it likes
        reason = "it is no UTF-8 text" if isinstance(error, ImportError) else _reason(error)
        raise field_error(
            f"names the mesh file {name}, which is broken or of another format ({reason})."
        ) from None


def _joined(vertices: FloatArray, triangles: IndexArray) -> tuple[FloatArray, IndexArray]:
    _, first, new_of_old = np.unique(vertices + 0.0, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return vertices[first[order]], rank[new_of_old.reshape(-1)][triangles].astype(np.int64)


def _neighbour(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.suffix.lower() in ENDINGS]
    except OSError:
        return f" There is no folder {shown(str(path.parent))}."
    return suggestion(path.name, names)


def _reason(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:120].rstrip(".")
