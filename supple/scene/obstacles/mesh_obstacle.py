"""Obstacles of any shape: triangle meshes, and several solids as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path as FilePath
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import PlainValidator, model_validator

from supple.scene.array_fields import Triangles, Vertices
from supple.scene.cloth_shapes.surface import as_file, mesh_values
from supple.scene.error_messages import Steps, field_error, shown
from supple.scene.field_types import Choice, Number
from supple.scene.files.mesh_file import read_mesh
from supple.scene.obstacles.mannequin_figure import Mannequin
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.obstacles.solids import Plane
from supple.scene.obstacles.thin_surface import THICKNESS, is_thin, plate
from supple.scene.placement import FloatArray, IndexArray, placed

Generated = Literal["desk", "chair", "lamp", "shelf", "mannequin"]
"""Meshes that come with the package, each of 10,000 triangles or more."""


def generated(shape: str, figure: Mannequin | None = None) -> tuple[FloatArray, IndexArray]:
    """Return the vertices [m] and triangles of a mesh that comes with the package."""
    from supple.scene.obstacles import furniture, mannequin

    if figure is not None:
        return mannequin.mannequin(**figure.fields())
    makers = {
        "desk": furniture.desk,
        "chair": furniture.chair,
        "lamp": furniture.lamp,
        "shelf": furniture.shelf,
        "mannequin": mannequin.mannequin,
    }
    return makers[shape]()


class Mesh(Obstacle):
    """A solid given by its surface, watertight or not; holes and bad winding are tolerated.

    Example:
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> tetrahedron = Mesh((corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]), accuracy=0.02)
        >>> tetrahedron.triangles.shape
        (4, 3)
    """

    kind: ClassVar[str] = "mesh"

    file: Annotated[str, PlainValidator(as_file)] | None = None
    """Mesh file: .obj, .ply, .stl, .glb, .gltf or .off."""

    shape: Annotated[Generated, PlainValidator(Choice(get_args(Generated)))] | None = None
    """Name of a mesh that comes with the package, instead of a file."""

    figure: Mannequin | None = None
    """Size and pose of the shape "mannequin"; None is 1.75 m tall, with its arms a little away from the body."""

    vertices: Vertices
    """(vertex_count, 3) positions in its own axes [m]."""

    triangles: Triangles
    """(triangle_count, 3) vertex indices, counter-clockwise seen from outside."""

    accuracy: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e3))] | None = None
    """Size of a voxel of its distance map [m]; None is a 64th of its largest extent."""

    def __init__(self, file_or_arrays: Any = None, triangles: Any = None, /, **values: Any) -> None:
        """Take a mesh file, or vertices and triangles, together or one after the other; everything else by keyword."""
        if file_or_arrays is not None:
            values |= mesh_values(file_or_arrays, triangles)
        super().__init__(**values)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, values: Any) -> Any:
        if not isinstance(values, Mapping) or "vertices" in values:
            return values
        if values.get("shape") in get_args(Generated) and values.get("file") is None:
            figure = values.get("figure")
            if isinstance(figure, Mapping):
                figure = Mannequin(**figure)
            of_figure = figure if isinstance(figure, Mannequin) and values["shape"] == "mannequin" else None
            vertices, triangles = generated(values["shape"], of_figure)
            return {**values, "vertices": vertices, "triangles": triangles}
        if values.get("shape") is not None:  # told as a mistake of its own; say nothing of missing arrays
            return {**values, "vertices": np.eye(3), "triangles": np.array([[0, 1, 2]])}
        if values.get("file") is None:
            return values
        path = FilePath(as_file(values["file"]))
        vertices, triangles = read_mesh(path)
        return {**values, "file": str(path.absolute()), "vertices": vertices, "triangles": triangles}

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return its own vertices and triangles; those of a plate if it is an open sheet that encloses nothing."""
        return self._solid_surface

    @cached_property
    def _solid_surface(self) -> tuple[FloatArray, IndexArray]:
        if not is_thin(self.vertices, self.triangles):
            return self.vertices, self.triangles
        extent = float(np.ptp(self.vertices[self.triangles].reshape(-1, 3), axis=0).max())
        return plate(self.vertices, self.triangles, self.accuracy or THICKNESS * extent)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from super()._mistakes()
        if self.shape is not None and self.file is not None:
            yield ("shape",), "is given beside a file. Keep one of them."
        if self.figure is not None and self.shape != "mannequin":
            yield ("figure",), 'goes with shape = "mannequin" only.'
        if len(self.triangles) == 0:
            yield ("triangles",), "is empty, but a mesh needs at least one triangle."
        elif self.triangles.min() < 0 or self.triangles.max() >= len(self.vertices):
            yield ("triangles",), f"names a vertex outside 0 to {len(self.vertices) - 1}."


def as_parts(value: Any) -> tuple[Obstacle, ...]:
    """Return the parts of a union, or say which of them is none."""
    if not isinstance(value, list | tuple):
        raise field_error(f"is {shown(value)}, but it must be a list of obstacles.")
    for index, part in enumerate(value):
        if not isinstance(part, Obstacle) or isinstance(part, Union | Plane):
            raise field_error(
                f"is {shown(part)}, but a part must be a solid other than a plane or a union.", index
            )
    return tuple(value)


class Union(Obstacle):
    """Several solids that move as one. Friction and bounce are those of the union."""

    kind: ClassVar[str] = "union"

    parts: Annotated[tuple[Obstacle, ...], PlainValidator(as_parts)]
    """Solids, each placed by its own `at` and `rotation` in the union's axes."""

    def __init__(self, *parts: Obstacle, **values: Any) -> None:
        """Take the parts by position and everything else by keyword."""
        if parts:
            values["parts"] = parts
        super().__init__(**values)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return the surfaces of all parts together."""
        vertices, triangles, first = [], [], 0
        for part in self.parts:
            points, corners = part.surface()
            vertices.append(placed(points, part.at, part.rotation))
            triangles.append(corners + first)
            first += len(points)
        return np.concatenate(vertices), np.concatenate(triangles)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from super()._mistakes()
        if not self.parts:
            yield ("parts",), "is empty, but a union needs at least one solid."
        for index, part in enumerate(self.parts):
            if part.mass is not None or part.motion is not None:
                word = "mass" if part.mass is not None else "motion"
                yield ("parts", index, word), "belongs to the union as a whole; give it there."
