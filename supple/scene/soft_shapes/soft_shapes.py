"""Shapes of soft bodies: what they look like at rest, in tetrahedra."""

from __future__ import annotations

import functools
import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator, model_validator

from supple.scene.array_fields import IndexRows, Triangles, Vertices
from supple.scene.bodies.lattice import as_size
from supple.scene.cloth_shapes.surface import as_file
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Length
from supple.scene.files.mesh_file import read_mesh
from supple.scene.files.tetra_file import read_tetrahedra
from supple.scene.placement import BoolArray, FloatArray, IndexArray
from supple.scene.soft_shapes import soft_solids
from supple.scene.soft_shapes.closed_surface import closed_surface_mistakes, enclosed_volume
from supple.scene.soft_shapes.isosurface_stuffing import Mesh, stuffed
from supple.scene.soft_shapes.soft_solids import FormulaSolid
from supple.scene.soft_shapes.surface_solid import SurfaceSolid
from supple.scene.soft_shapes.tetra_box import box_tetrahedra
from supple.scene.soft_shapes.tetra_check import tetrahedron_mistakes, turned_right_way
from supple.scene.soft_shapes.tetra_quality import volumes_of

Tetrahedra = Annotated[IndexArray, PlainValidator(IndexRows(4))]
"""(tetrahedron_count, 4) point indices, read-only."""

MOST_POINTS = 200_000
"""Most points of a soft body or of the lattice that fills it; its tetrahedra are six times as many."""

LEAST_FILLED = 0.5
"""Share of a solid's volume that its tetrahedra must fill [-]; with less, the cells are too large for it."""


class SoftShape(Declared):
    """Points and tetrahedra in a body's own axes."""

    point_names: ClassVar[tuple[str, ...]] = ()

    @functools.cached_property
    def mesh(self) -> Mesh:
        """The points (n, 3) [m] and the tetrahedra (t, 4), read-only."""
        points, tetrahedra = self._meshed()
        points.setflags(write=False)
        tetrahedra.setflags(write=False)
        return points, tetrahedra

    @abstractmethod
    def _meshed(self) -> Mesh:
        """Return the points (n, 3) [m] and the tetrahedra (t, 4)."""

    def named(self, name: str) -> IndexArray:
        """Raise a KeyError: only boxes have named places."""
        raise KeyError(name)

    def pulled(self, points: FloatArray, reach: float) -> FloatArray:
        """Return points (n, 3) [m] near the surface, moved onto it by at most `reach` [m]; others stay.

        Shapes whose tetrahedra are all there is to know of them leave the points where they are.
        """
        return points

    def lies_on(self, points: FloatArray) -> BoolArray:
        """Tell which points (n, 3) [m] lie on the surface, as far as there is a formula for it."""
        return np.ones(len(points), dtype=np.bool_)


class SoftBox(SoftShape):
    """A block, filled exactly. Faces are named as seen from +z: left, right, bottom, top, back, front."""

    kind: ClassVar[str] = "box"
    point_names: ClassVar[tuple[str, ...]] = ("left", "right", "top", "bottom", "front", "back")

    size: Annotated[tuple[float, float, float], PlainValidator(as_size)]
    """Extents along x, y and z at rest [m]."""

    cell: Length
    """Edge of the cells it is divided into, at most [m]."""

    @property
    def cells(self) -> tuple[int, int, int]:
        """Number of cells along x, y and z."""
        x, y, z = (max(1, math.ceil(extent / self.cell - 1e-9)) for extent in self.size)
        return x, y, z

    def _meshed(self) -> Mesh:
        return box_tetrahedra(self.size, self.cells)

    def named(self, name: str) -> IndexArray:
        """Return the indices of the points on a face, ascending."""
        axis, is_high = {
            "left": (0, False), "right": (0, True), "bottom": (1, False),
            "top": (1, True), "back": (2, False), "front": (2, True),
        }[name]  # fmt: skip
        points = self.mesh[0][:, axis]
        edge = 0.5 * self.size[axis]
        is_on: IndexArray = np.flatnonzero(
            np.isclose(points, edge if is_high else -edge, rtol=0.0, atol=1e-9 * edge)
        )
        return is_on

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        x, y, z = self.cells
        count = (x + 1) * (y + 1) * (z + 1) + x * y * z
        if count > MOST_POINTS:
            yield (
                ("cell",),
                f"makes {count:,} points, but a body may have at most {MOST_POINTS:,}. Make it larger.",
            )


class FilledShape(SoftShape):
    """A shape filled with cells of a given size that follow its surface."""

    cell: Length
    """Edge of the cubes of the lattice that fills it [m]; tetrahedra are as large."""

    @property
    @abstractmethod
    def solid(self) -> FormulaSolid:
        """What is filled."""

    def pulled(self, points: FloatArray, reach: float) -> FloatArray:
        """Return points near the surface, moved along the slope of its formula onto it, if it is within reach."""
        starts, ends, has_crossing = self._across(points, reach)
        none = np.zeros(0, dtype=np.int64)
        shares = self.solid.crossings(starts, ends, none, none)[:, None]
        onto: FloatArray = np.where(has_crossing[:, None], starts + shares * (ends - starts), points)
        return onto

    def lies_on(self, points: FloatArray) -> BoolArray:
        """Tell which points (n, 3) [m] lie on the surface."""
        return self._across(points, 1e-6 * self.cell)[2]

    def _across(self, points: FloatArray, reach: float) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the ways of length `reach` inwards and outwards from points, and which of them cross the surface."""
        solid, away = self.solid, 1e-3 * self.cell
        slopes = np.stack(
            [solid.height(points + shift) - solid.height(points - shift) for shift in away * np.eye(3)],
            axis=1,
        )
        arms = reach * slopes / np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-300)
        starts, ends = points - arms, points + arms
        return starts, ends, (solid.height(starts) < 0.0) != (solid.height(ends) < 0.0)

    def _meshed(self) -> Mesh:
        solid = self.solid
        return stuffed(lambda lattice: solid, solid.box, self.cell)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        low, high = self.solid.box
        yield from _cell_mistakes(self, low, high, None)


def _cell_mistakes(
    shape: SoftShape, low: FloatArray, high: FloatArray, volume: float | None
) -> Iterator[tuple[Steps, str]]:
    """Yield what is wrong with the size of the cells: too many of them, or too large to follow the shape."""
    cell = shape.cell  # type: ignore[attr-defined]
    count = float(2.0 * np.prod((high - low) / cell + 2.0))
    if count > MOST_POINTS:
        yield (
            ("cell",),
            f"is {cell:g} m, which makes some {count:,.0f} lattice points, but a body may have at most "
            f"{MOST_POINTS:,}. Make it larger.",
        )
        return
    points, tetrahedra = shape.mesh
    filled = float(volumes_of(points, tetrahedra).sum()) if len(tetrahedra) else 0.0
    if not len(tetrahedra) or (volume is not None and filled < LEAST_FILLED * volume):
        span = ", ".join(f"{extent:.3g}" for extent in (high - low))
        share = (
            "nothing" if not len(tetrahedra) else f"{100.0 * filled / (volume or filled):.0f} % of the volume"
        )
        yield (
            ("cell",),
            f"is {cell:g} m, too large for a shape of {span} m: it fills {share}. Make it smaller.",
        )


class SoftBall(FilledShape):
    """A ball."""

    kind: ClassVar[str] = "ball"

    radius: Length
    """[m]"""

    @property
    def solid(self) -> FormulaSolid:
        """What is filled."""
        return soft_solids.ellipsoid((self.radius, self.radius, self.radius))


class SoftEllipsoid(FilledShape):
    """A ball with three radii."""

    kind: ClassVar[str] = "ellipsoid"

    radii: Annotated[tuple[float, float, float], PlainValidator(as_size)]
    """Along its own x, y and z [m]."""

    @property
    def solid(self) -> FormulaSolid:
        """What is filled."""
        return soft_solids.ellipsoid(self.radii)


class SoftCapsule(FilledShape):
    """A rod with round ends along its own y axis."""

    kind: ClassVar[str] = "capsule"

    radius: Length
    """[m]"""

    height: Length
    """From end to end [m]."""

    @property
    def solid(self) -> FormulaSolid:
        """What is filled."""
        return soft_solids.capsule(self.radius, self.height)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.height < 2.0 * self.radius:
            yield (
                ("height",),
                f"is {self.height:g}, but from end to end it must be at least twice the radius.",
            )
            return
        yield from super()._mistakes()


class SoftCylinder(FilledShape):
    """A rod with flat ends along its own y axis; its rims come out as sharp as the cells are small."""

    kind: ClassVar[str] = "cylinder"

    radius: Length
    """[m]"""

    height: Length
    """[m]"""

    @property
    def solid(self) -> FormulaSolid:
        """What is filled."""
        return soft_solids.cylinder(self.radius, self.height)


class SoftTorus(FilledShape):
    """A ring about its own y axis."""

    kind: ClassVar[str] = "torus"

    radius: Length
    """From the centre to the middle of the tube [m]."""

    tube: Length
    """Radius of the tube [m]."""

    @property
    def solid(self) -> FormulaSolid:
        """What is filled."""
        return soft_solids.torus(self.radius, self.tube)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.tube >= self.radius:
            yield (
                ("tube",),
                f"is {self.tube:g}, but it must be smaller than the radius, or the ring has no hole.",
            )
            return
        yield from super()._mistakes()


def _from_file(values: Any, read: Callable[[Path], tuple[FloatArray, IndexArray]], cells: str) -> Any:
    """Return the fields of a shape with what its file holds, if they name one and give nothing else."""
    if not isinstance(values, Mapping) or "vertices" in values or values.get("file") is None:
        return values
    path = Path(as_file(values["file"]))
    vertices, found = read(path)
    return {**values, "file": str(path.absolute()), "vertices": vertices, cells: found}


class SoftSurface(SoftShape):
    """The inside of a closed triangle surface, from a file or from arrays."""

    kind: ClassVar[str] = "mesh"

    file: Annotated[str, PlainValidator(as_file)] | None = None
    """Mesh file: .obj, .ply, .stl, .glb, .gltf or .off."""

    vertices: Vertices
    """(vertex_count, 3) positions in its own axes [m]."""

    triangles: Triangles
    """(triangle_count, 3) vertex indices, counter-clockwise seen from outside."""

    cell: Length
    """Edge of the cubes of the lattice that fills it [m]; tetrahedra are as large."""

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, values: Any) -> Any:
        return _from_file(values, read_mesh, "triangles")

    def outward_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles, counter-clockwise seen from outside."""
        is_inward = enclosed_volume(self.vertices, self.triangles) < 0.0
        return self.triangles[:, ::-1] if is_inward else self.triangles

    def _meshed(self) -> Mesh:
        vertices, triangles = self.vertices, self.outward_triangles()
        box = vertices.min(axis=0), vertices.max(axis=0)
        return stuffed(lambda lattice: SurfaceSolid(vertices, triangles, lattice), box, self.cell)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        wrong = list(closed_surface_mistakes(self.vertices, self.triangles))
        yield from wrong
        if not wrong:
            volume = abs(enclosed_volume(self.vertices, self.triangles))
            yield from _cell_mistakes(self, self.vertices.min(axis=0), self.vertices.max(axis=0), volume)


class SoftMesh(SoftShape):
    """Tetrahedra as they are, from a file or from arrays. Those listed inside out are turned round."""

    kind: ClassVar[str] = "tetrahedra"

    file: Annotated[str, PlainValidator(as_file)] | None = None
    """Mesh file: .vtk, .msh or .npz."""

    vertices: Vertices
    """(vertex_count, 3) positions in its own axes [m]."""

    tetrahedra: Tetrahedra
    """(tetrahedron_count, 4) vertex indices."""

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, values: Any) -> Any:
        return _from_file(values, read_tetrahedra, "tetrahedra")

    def _meshed(self) -> Mesh:
        return self.vertices.copy(), turned_right_way(self.vertices, self.tetrahedra)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from tetrahedron_mistakes(self.vertices, self.tetrahedra)
