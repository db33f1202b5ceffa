"""Cloth: a sheet of some shape, made of some material."""

from __future__ import annotations

import functools
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self, Unpack

import numpy as np
from pydantic import PlainValidator

from supple.errors import Mistake, SceneError
from supple.scene.air import Aerodynamics
from supple.scene.bodies.body import Body, BodyOptions
from supple.scene.bodies.contact_settings import ClothContactField, thickness_mistakes, thickness_of
from supple.scene.bodies.materials import Material
from supple.scene.bodies.pressure import Pressure
from supple.scene.cloth_shapes.bezier import Bezier
from supple.scene.cloth_shapes.curve_layout import Course
from supple.scene.cloth_shapes.cushion import Cushion
from supple.scene.cloth_shapes.grid import GRID_EDGES, GRID_NAMES
from supple.scene.cloth_shapes.outline_corners import Corner
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.cloth_shapes.panel_sizes import Sizes
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.cloth_shapes.surface import Surface, mesh_values
from supple.scene.cloth_shapes.wrap import Wrap
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, dotted_path, field_error, listed, shown, suggestion
from supple.scene.field_types import Choice, Name, Number
from supple.scene.placement import FloatArray, IndexArray, placed
from supple.scene.soft_shapes.closed_surface import open_edge

Shape = Rectangle | Surface | Bezier | Panel | Cushion


def as_shape(value: Any) -> Shape:
    """Return the shape of a cloth, or say which there are."""
    if isinstance(value, Shape):
        return value
    raise field_error(
        f"is {shown(value)}, but it must be a Rectangle, a Surface, a Bezier, a Panel or a Cushion."
    )


def as_material(value: Any) -> str | Material:
    """Return a material or the name of one, or say that one was wanted."""
    if isinstance(value, str | Material):
        return value
    raise field_error(f"is {shown(value)}, but it must be the name of a material or a Material.")


class PanelOptions(BodyOptions, total=False):
    """Keywords that panels take."""

    membrane: Literal["springs", "elements"] | None
    grain_deg: float
    garment: str | None


class ClothOptions(PanelOptions, total=False):
    """Keywords that every other cloth takes."""

    aerodynamics: str | Aerodynamics
    pressure: float | Pressure | None


class Cloth(Body):
    """A sheet that bends, shears and hardly stretches.

    Example:
        >>> sheet = Cloth.rectangle(width=1.0, height=1.0, columns=40, rows=40, material="silk")
        >>> sheet.pinned("top-left", "top-right").point_count
        1600
    """

    kind: ClassVar[str] = "cloth"

    shape: Annotated[Shape, PlainValidator(as_shape)]
    """What it looks like at rest: a Rectangle, a Surface, a Bezier, a Panel or a Cushion."""

    material: Annotated[str | Material, PlainValidator(as_material)] = "cotton"
    """A preset, a material of the scene, or a Material."""

    membrane: (
        Annotated[Literal["springs", "elements"], PlainValidator(Choice(("springs", "elements")))] | None
    ) = None
    """What resists stretch and shear: "elements", triangles that keep to the material along every direction, or
    "springs" along the edges. None is elements on meshes, panels and cushions where the integrator moves them (`descent`,
    the default, and `explicit`), and springs on rectangles and Bézier patches."""

    grain_deg: Annotated[float, PlainValidator(Number(at_least=-360.0, at_most=360.0))] = 0.0
    """Where the warp runs [°]: 0 is up (its own y, or -z if it lies), growing counter-clockwise seen from the normal's
    side. Cloth of elements only."""

    aerodynamics: Aerodynamics = Aerodynamics()
    """How the air pushes it: "plate", "kang", "meyer", or an Aerodynamics with its coefficients."""

    self_contact: ClothContactField = "off"
    """How it meets itself and other cloth: "exact" never passes through, "points" keeps points apart, cheaply and
    without a guarantee, "off" does not notice. Cloth meets cloth of the same kind."""

    thickness: Annotated[float, PlainValidator(Number(at_least=1.0e-5, at_most=1.0))] | None = None
    """Distance that its layers keep [m]; None is 1 mm, or less if its triangles are small."""

    friction: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=100.0))] = 0.3
    """Coulomb coefficient of cloth on cloth [-]."""

    garment: Name | None = None
    """The garment that it is a panel of: the studio shows all its panels as one. Patterns give their own name."""

    sizes: Sizes = {}  # noqa: RUF012
    """What sizes of its panel are at rest, by name, where they differ from the outline."""

    pressure: Pressure | None = None
    """Gas inside a closed cloth: an overpressure [Pa], or a Pressure; None is none."""

    @classmethod
    def rectangle(
        cls,
        *,
        width: float,
        height: float,
        columns: int,
        rows: int,
        plane: Literal["xy", "xz"] = "xy",
        course: Course | Mapping[str, Any] | None = None,
        material: str | Material = "cotton",
        **options: Unpack[ClothOptions],
    ) -> Self:
        """Return a rectangular sheet, upright ("xy") or lying ("xz"), centred on `at`.

        Args:
            width: extent along x [m]
            height: extent along y, or z if lying [m]
            columns: points in a row
            rows: rows of points
            plane: "xy" or "xz"
            course: lays it along a curve at the start; at rest it is flat all the same
            material: a preset, a material of the scene, or a Material
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors, regions, aerodynamics
        """
        shape = {
            "width": width,
            "height": height,
            "columns": columns,
            "rows": rows,
            "plane": plane,
            "course": course,
        }
        return cls._shaped(Rectangle, shape, {"material": material, **options})

    @classmethod
    def from_mesh(
        cls,
        file_or_arrays: str | os.PathLike[str] | Sequence[Any] | FloatArray,
        triangles: Sequence[Sequence[int]] | IndexArray | None = None,
        *,
        material: str | Material = "cotton",
        **options: Unpack[ClothOptions],
    ) -> Self:
        """Return a cloth in the shape of a triangle mesh.

        Args:
            file_or_arrays: a mesh file, (vertex_count, 3) positions [m], or a tuple of positions and triangles
            triangles: (triangle_count, 3) vertex indices, if positions alone were given
            material: a preset, a material of the scene, or a Material
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors, regions, aerodynamics
        """
        return cls._shaped(Surface, mesh_values(file_or_arrays, triangles), {"material": material, **options})

    @classmethod
    def cushion(
        cls,
        *,
        width: float,
        height: float,
        columns: int,
        rows: int,
        plane: Literal["xy", "xz"] = "xy",
        depth: float | None = None,
        material: str | Material = "cotton",
        **options: Unpack[ClothOptions],
    ) -> Self:
        """Return two sheets joined along their border; with `pressure` it fills out.

        Args:
            width: extent of the flat sheets along x [m]
            height: extent along y, or z if lying [m]
            columns: points in a row of the front sheet
            rows: rows of points of the front sheet
            plane: "xy" or "xz"
            depth: distance of the sheets in the middle at the start [m]; None is a tenth of the shorter side
            material: a preset, a material of the scene, or a Material
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors, regions, aerodynamics,
                pressure
        """
        shape = {
            "width": width,
            "height": height,
            "columns": columns,
            "rows": rows,
            "plane": plane,
            "depth": depth,
        }
        return cls._shaped(Cushion, shape, {"material": material, **options})

    @classmethod
    def bezier(
        cls,
        control_points: Sequence[Sequence[Sequence[float]]] | FloatArray,
        *,
        columns: int,
        rows: int,
        material: str | Material = "cotton",
        **options: Unpack[ClothOptions],
    ) -> Self:
        """Return a cloth in the shape of a Bézier patch.

        Args:
            control_points: (rows, columns, 3) control points [m], from the top left
            columns: points in a row of the cloth
            rows: rows of points of the cloth
            material: a preset, a material of the scene, or a Material
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors, regions, aerodynamics
        """
        shape = {"control_points": control_points, "columns": columns, "rows": rows}
        return cls._shaped(Bezier, shape, {"material": material, **options})

    @classmethod
    def panel(
        cls,
        *,
        outline: Sequence[Corner | Mapping[str, Any] | Sequence[float]] | FloatArray,
        size: float,
        holes: Sequence[Sequence[Corner | Mapping[str, Any] | Sequence[float]]] = (),
        wrap: Wrap | Mapping[str, Any] | None = None,
        material: str | Material = "cotton",
        **options: Unpack[PanelOptions],
    ) -> Self:
        """Return a flat piece cut along an outline.

        Args:
            outline: corners around it in its own x and y axes [m]: [x, y], or a Corner that also names the edge
                from there and bends it
            size: about the side of its triangles [m]
            holes: corners around each hole
            wrap: bends it round an axis at the start; at rest it is flat all the same
            material: a preset, a material of the scene, or a Material
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors, regions
        """
        shape = {"outline": outline, "size": size, "holes": holes, "wrap": wrap}
        return cls._shaped(Panel, shape, {"material": material, **options})

    @classmethod
    def _shaped(
        cls, shape_type: type[Declared], shape: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Self:
        found: list[Mistake] = []
        place = cls.place_of(options)
        built = shape_type.attempted(shape, dotted_path(place, shape_type.kind), found)
        # The class stands for a shape that has mistakes: its names of points are still known.
        given = {**options, "shape": built or shape_type}
        cloth = cls.attempted(given, place, found, ignore=() if built else ("shape",))
        if found or cloth is None:
            raise SceneError(found)
        return cloth

    @property
    def names(self) -> tuple[str, ...]:
        """Names of points and edges that pins, anchors and regions may use."""
        return self.shape.point_names

    @property
    def point_count(self) -> int:
        """Number of points."""
        return self.shape.point_count

    @property
    def has_elements(self) -> bool:
        """Whether its membrane is made of elements, if the integrator moves them."""
        if self.membrane is None:
            return not isinstance(self.shape, Rectangle | Bezier)
        return self.membrane == "elements"

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the cloth's own axes [m]."""
        return self.shape.local_points()

    def rest_points(self) -> FloatArray:
        """Return the same as they are at rest, at the sizes that a panel has."""
        if isinstance(self.shape, Panel) and self.sizes:
            return self.shape.sized_points(self.sizes)
        return self.local_points()

    def start_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the world at the start [m], where some shapes are bent."""
        shape = self.shape
        points = (
            shape.bent_points() if isinstance(shape, Panel | Cushion | Rectangle) else self.local_points()
        )
        return placed(points, self.at, self.rotation)

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles, counter-clockwise seen from the normal's side."""
        return self.shape.surface_triangles()

    def named(self, name: str) -> IndexArray:
        """Return the indices of the points behind one of `names`."""
        return self.shape.named(name)

    @property
    def edge_names(self) -> tuple[str, ...]:
        """Names of edges, whose points stand in a row."""
        if isinstance(self.shape, Panel):
            return self.shape.edge_names
        return () if isinstance(self.shape, Surface) else GRID_EDGES

    def edge_chain(self, name: str) -> IndexArray:
        """Return the points along one of `edge_names`, from end to end."""
        return self.shape.named(name)

    def contact_thickness(self) -> float:
        """Return the distance that its layers keep [m]: less than its smallest triangles are high."""
        return self._contact_thickness

    @functools.cached_property
    def _contact_thickness(self) -> float:
        return thickness_of(self.thickness, self.local_points(), self.surface_triangles())

    def shortest_edge(self) -> float:
        """Return the length of the shortest side of any triangle at rest [m]."""
        corners = self.local_points()[self.surface_triangles()]
        return float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).min())

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from super()._mistakes()
        offered = self.shape.sizes if isinstance(self.shape, Panel) else {}
        for name, value in self.sizes.items():
            if name not in offered:
                yield (
                    ("sizes", name),
                    f"is no size of its shape. Sizes: {listed(offered) or 'none'}.{suggestion(name, offered)}",
                )
            elif not offered[name].low <= value <= offered[name].high:
                low, high, unit = offered[name].low, offered[name].high, offered[name].unit
                yield (
                    ("sizes", name),
                    f"is {value:g}, but it goes from {low:g} to {high:g} {unit}".rstrip() + ".",
                )
        leak = open_edge(self.surface_triangles()) if self.pressure is not None else None
        if leak is not None:
            yield (
                ("pressure",),
                f"needs a closed surface, but the {leak.told(self.local_points())}. Close it, or leave the pressure out.",
            )
        if self.grain_deg and not self.has_elements:
            yield (
                ("grain_deg",),
                f"is {self.grain_deg:g}, but springs have no grain: they run along the edges of the mesh. "
                'Give the cloth `membrane = "elements"`, or leave the grain out.',
            )
        if self.self_contact != "off":
            yield from thickness_mistakes(self.thickness, self.local_points(), self.surface_triangles())

    @classmethod
    def _expected_points(cls, values: Mapping[str, Any]) -> tuple[Collection[str] | None, int | None]:
        shape = values.get("shape")
        if shape is Panel:
            return None, None  # it names its edges itself, and something is wrong with it
        count = shape.point_count if isinstance(shape, Shape) else None
        return getattr(shape, "point_names", GRID_NAMES), count
