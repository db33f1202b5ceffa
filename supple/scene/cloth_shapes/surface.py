"""A sheet of any shape: a triangle mesh from arrays or from a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import PlainValidator, model_validator

from supple.scene.array_fields import Triangles, Vertices
from supple.scene.cloth_shapes.triangle_check import triangle_mistakes
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, field_error, shown
from supple.scene.files.mesh_file import read_mesh
from supple.scene.placement import FloatArray, IndexArray


def as_file(value: Any) -> str:
    """Return the path of a mesh file, or say that one was wanted."""
    if not isinstance(value, str | os.PathLike) or not str(value):
        raise field_error(f"is {shown(value)}, but it must be the path of a mesh file.")
    return str(value)


def mesh_values(source: Any, cells: Any = None, name: str = "triangles") -> dict[str, Any]:
    """Return the fields of a mesh that was given as a file, as two arrays, or as a pair of them.

    Args:
        source: a file, (vertex_count, 3) positions [m], or these and the cells in one tuple
        cells: (cell_count, 3 or 4) vertex indices beside the positions
        name: what the cells are called
    """
    if isinstance(source, str | os.PathLike):
        values = {"file": source}
    elif isinstance(source, tuple | list) and len(source) == 2 and cells is None:
        return {"vertices": source[0], name: source[1]}
    else:
        values = {"vertices": source}
    return values if cells is None else {**values, name: cells}


class Surface(Declared):
    """A triangle mesh, however irregular. Given only a file, the mesh is read from it at once.

    Given arrays as well, the file is only remembered as where they came from.
    """

    kind: ClassVar[str] = "mesh"
    point_names: ClassVar[tuple[str, ...]] = ()

    file: Annotated[str, PlainValidator(as_file)] | None = None
    """Mesh file: .obj, .ply, .stl, .glb, .gltf or .off."""

    vertices: Vertices
    """(vertex_count, 3) positions in the mesh's own axes [m]."""

    triangles: Triangles
    """(triangle_count, 3) vertex indices, counter-clockwise seen from outside."""

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        if "vertices" in values or "triangles" in values or values.get("file") is None:
            return values
        path = Path(as_file(values["file"]))
        vertices, triangles = read_mesh(path)
        return {**values, "file": str(path.absolute()), "vertices": vertices, "triangles": triangles}

    @property
    def point_count(self) -> int:
        """Number of vertices."""
        return len(self.vertices)

    def local_points(self) -> FloatArray:
        """Return the (vertex_count, 3) vertices in the mesh's own axes [m], read-only."""
        return self.vertices

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles, read-only."""
        return self.triangles

    def named(self, name: str) -> IndexArray:
        """Raise a KeyError: a mesh has no named places."""
        raise KeyError(name)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if len(self.triangles) == 0:
            yield ("triangles",), "is empty, but a mesh needs at least one triangle."
            return
        yield from triangle_mistakes(self.vertices, self.triangles)
