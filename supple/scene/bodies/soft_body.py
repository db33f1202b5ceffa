"""Soft bodies: solids of finite elements."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self, Unpack, get_args

from pydantic import PlainValidator

from supple.errors import Mistake, SceneError
from supple.scene.bodies.body import Body, BodyOptions
from supple.scene.bodies.contact_settings import SoftContactField, thickness_mistakes, thickness_of
from supple.scene.bodies.refinement import MOST_LEVELS, Refine
from supple.scene.bodies.soft_materials import SoftMaterial, as_soft_material, soft_presets
from supple.scene.cloth_shapes.surface import mesh_values
from supple.scene.error_messages import Steps, dotted_path, field_error, shown
from supple.scene.field_types import Choice, Number, Switch, Whole
from supple.scene.placement import FloatArray, IndexArray
from supple.scene.soft_shapes.isosurface_stuffing import Mesh
from supple.scene.soft_shapes.soft_shapes import (
    LEAST_FILLED,
    SoftBall,
    SoftBox,
    SoftCapsule,
    SoftCylinder,
    SoftEllipsoid,
    SoftMesh,
    SoftShape,
    SoftSurface,
    SoftTorus,
)
from supple.scene.soft_shapes.tetra_quality import boundary_of, volumes_of

Elasticity = Literal["corotated", "linear", "neo-hookean", "averaged"]

SOFT_SHAPES: dict[str, type[SoftShape]] = {
    shape.kind: shape
    for shape in (
        SoftBox, SoftBall, SoftEllipsoid, SoftCapsule, SoftCylinder, SoftTorus, SoftSurface, SoftMesh,
    )
}  # fmt: skip
"""Shapes of soft bodies by the key that gives them in a file."""


def as_soft_shape(value: Any) -> SoftShape:
    """Return the shape of a soft body, or say which there are."""
    if isinstance(value, SoftShape):
        return value
    kinds = ", ".join(shape.__name__ for shape in SOFT_SHAPES.values())
    raise field_error(f"is {shown(value)}, but it must be one of {kinds}.")


class SoftBody(Body):
    """A solid that gives way and springs back: tetrahedra with the elasticity of a real material.

    Example:
        >>> jelly = SoftBody.box(size=(0.1, 0.1, 0.1), cell=0.05, material="jelly")
        >>> jelly.point_count, len(jelly.tetrahedra())
        (35, 96)
    """

    kind: ClassVar[str] = "soft"

    shape: Annotated[SoftShape, PlainValidator(as_soft_shape)]
    """What it looks like at rest."""

    material: Annotated[str | SoftMaterial, PlainValidator(as_soft_material)] = "rubber"
    """A preset, or a SoftMaterial."""

    elasticity: Annotated[Elasticity, PlainValidator(Choice(get_args(Elasticity)))] = "corotated"
    """Law of stress: "corotated" turns with the body, "linear" is that of Debunne 2000 and swells when it turns far,
    "neo-hookean" resists ever more when pressed flat; "averaged" is "corotated" with strains averaged around points,
    so that coarse bodies bend and twist as fine ones do. All are the same at small, uniform strains."""

    levels: Annotated[int, PlainValidator(Whole(1, MOST_LEVELS))] = 1
    """Levels of detail: with 3, meshes of cells two and four times as large move it where little happens."""

    refine: Refine = Refine()
    """Where it is computed finely, if it has several levels."""
    self_contact: SoftContactField = "off"
    """How its surface meets itself, other soft bodies and cloth: "exact" never passes through, "off" does not notice."""

    thickness: Annotated[float, PlainValidator(Number(at_least=1.0e-5, at_most=1.0))] | None = None
    """Distance that surfaces keep [m]; None is 1 mm, or less if the triangles of its surface are small."""

    friction: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=100.0))] = 0.3
    """Coulomb coefficient of soft bodies and cloth on each other [-]."""

    smooth: Switch = True
    """Whether it shows a smooth surface carried by its tetrahedra, or their own faces."""

    @classmethod
    def box(
        cls,
        size: Sequence[float],
        cell: float,
        *,
        material: str | SoftMaterial = "rubber",
        elasticity: Elasticity = "corotated",
        levels: int = 1,
        refine: Refine | None = None,
        **options: Unpack[BodyOptions],
    ) -> Self:
        """Return a block centred on `at`.

        Args:
            size: extents along x, y and z [m]
            cell: edge of the cells it is divided into, at most [m]
            material: a preset, or a SoftMaterial
            elasticity: "corotated", "linear", "neo-hookean" or "averaged"
            levels: levels of detail; 1 computes it as finely everywhere
            refine: where it is computed finely, if it has several levels
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors
        """
        given = {**_detail(levels, refine), "material": material, "elasticity": elasticity, **options}
        return cls._shaped(SoftBox, {"size": size, "cell": cell}, given)

    @classmethod
    def ball(
        cls,
        radius: float,
        cell: float,
        *,
        material: str | SoftMaterial = "rubber",
        elasticity: Elasticity = "corotated",
        levels: int = 1,
        refine: Refine | None = None,
        **options: Unpack[BodyOptions],
    ) -> Self:
        """Return a ball about `at`; arguments as for `box`, `radius` in metres."""
        given = {**_detail(levels, refine), "material": material, "elasticity": elasticity, **options}
        return cls._shaped(SoftBall, {"radius": radius, "cell": cell}, given)

    @classmethod
    def from_mesh(
        cls,
        file_or_arrays: str | os.PathLike[str] | Sequence[Any] | FloatArray,
        triangles: Sequence[Sequence[int]] | IndexArray | None = None,
        *,
        cell: float,
        material: str | SoftMaterial = "rubber",
        elasticity: Elasticity = "corotated",
        levels: int = 1,
        refine: Refine | None = None,
        **options: Unpack[BodyOptions],
    ) -> Self:
        """Return a body that fills a closed triangle surface.

        Args:
            file_or_arrays: a mesh file, (vertex_count, 3) positions [m], or a tuple of positions and triangles
            triangles: (triangle_count, 3) vertex indices, if positions alone were given
            cell: size of the tetrahedra [m]
            material: a preset, or a SoftMaterial
            elasticity: "corotated", "linear", "neo-hookean" or "averaged"
            levels: levels of detail; 1 computes it as finely everywhere
            refine: where it is computed finely, if it has several levels
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors
        """
        given = {**_detail(levels, refine), "material": material, "elasticity": elasticity, **options}
        return cls._shaped(SoftSurface, {**mesh_values(file_or_arrays, triangles), "cell": cell}, given)

    @classmethod
    def from_tetrahedra(
        cls,
        file_or_arrays: str | os.PathLike[str] | Sequence[Any] | FloatArray,
        tetrahedra: Sequence[Sequence[int]] | IndexArray | None = None,
        *,
        material: str | SoftMaterial = "rubber",
        elasticity: Elasticity = "corotated",
        **options: Unpack[BodyOptions],
    ) -> Self:
        """Return a body of given tetrahedra.

        Args:
            file_or_arrays: a .vtk, .msh or .npz file, (vertex_count, 3) positions [m], or these and tetrahedra in a tuple
            tetrahedra: (tetrahedron_count, 4) vertex indices, if positions were given
            material: a preset, or a SoftMaterial
            elasticity: "corotated", "linear", "neo-hookean" or "averaged"
            options: name, at, rotation or rotation_deg, velocity, masses, pins, anchors
        """
        given = {"material": material, "elasticity": elasticity, **options}
        return cls._shaped(SoftMesh, mesh_values(file_or_arrays, tetrahedra, "tetrahedra"), given)

    @classmethod
    def _shaped(cls, kind: type[SoftShape], shape: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        found: list[Mistake] = []
        place = cls.place_of(options)
        built = kind.attempted(shape, dotted_path(place, kind.kind), found)
        # The class stands for a shape that has mistakes: its names of points are still known.
        body = cls.attempted(
            {**options, "shape": built or kind}, place, found, ignore=() if built else ("shape",)
        )
        if found or body is None:
            raise SceneError(found)
        return body

    @property
    def stuff(self) -> SoftMaterial:
        """What it is made of."""
        return self.material if isinstance(self.material, SoftMaterial) else soft_presets()[self.material]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of faces that pins and anchors may use."""
        return self.shape.point_names

    @property
    def point_count(self) -> int:
        """Number of points."""
        return len(self.shape.mesh[0])

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the body's own axes [m]."""
        return self.shape.mesh[0]

    def tetrahedra(self) -> IndexArray:
        """Return the (tetrahedron_count, 4) tetrahedra."""
        return self.shape.mesh[1]

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles of its surface, counter-clockwise seen from outside."""
        return boundary_of(self.tetrahedra())

    def contact_thickness(self) -> float:
        """Return the distance that its surface keeps from others [m]: less than its smallest triangles are high."""
        return thickness_of(self.thickness, self.local_points(), self.surface_triangles())

    def named(self, name: str) -> IndexArray:
        """Return the indices of the points behind one of `names`."""
        return self.shape.named(name)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.regions:
            yield (
                ("regions",),
                "are for springs; a soft body is of one material. Split it into several bodies.",
            )
            return
        yield from self._level_mistakes()
        yield from super()._mistakes()
        if self.self_contact != "off":
            yield from thickness_mistakes(self.thickness, self.local_points(), self.surface_triangles())

    def _level_mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.levels == 1:
            if self.refine != Refine():
                yield (
                    ("refine",),
                    "is for bodies of several levels of detail. Give it `levels`, 3 for instance.",
                )
            return
        if self.refine.floor >= self.levels:
            yield ("refine", "floor"), f"is {self.refine.floor}, but the finest level is {self.levels - 1}."
        if self.elasticity in ("neo-hookean", "averaged"):
            yield (
                ("elasticity",),
                f'is "{self.elasticity}", but bodies of several levels of detail are "corotated" or "linear". '
                "Leave `levels` out.",
            )
        if self.masses is not None:
            yield ("masses",), "cannot be given for a body of several levels of detail. Give its density."
        if not hasattr(self.shape, "cell"):
            yield (
                ("levels",),
                f"is {self.levels}, but given tetrahedra cannot be made coarser. Fill a surface with cells instead.",
            )
            return
        try:
            coarsest = self._level_shapes[0]
            filled, whole = (float(volumes_of(*shape.mesh).sum()) for shape in (coarsest, self.shape))
            if filled < LEAST_FILLED * whole:
                yield (
                    ("levels",),
                    f"is {self.levels}, but the coarsest mesh would fill only {100.0 * filled / whole:.0f} % of the body. "
                    "Give it fewer levels, or smaller cells.",
                )
        except SceneError as error:
            yield (
                ("levels",),
                f"is {self.levels}, but a coarser mesh of it cannot be made: its cell "
                f"{error.mistakes[0].message} Give it fewer levels.",
            )

    def level_meshes(self) -> tuple[Mesh, ...]:
        """Return the points [m], in its own axes, and the tetrahedra of every level, the coarsest first."""
        return tuple(shape.mesh for shape in self._level_shapes)

    @functools.cached_property
    def _level_shapes(self) -> tuple[SoftShape, ...]:
        cell: float = getattr(self.shape, "cell", 0.0)
        coarser = (self.shape.changed(cell=cell * 2**n) for n in range(self.levels - 1, 0, -1))
        return (*coarser, self.shape)

    @classmethod
    def _expected_points(cls, values: Mapping[str, Any]) -> tuple[tuple[str, ...], int | None]:
        shape = values.get("shape")
        count = len(shape.mesh[0]) if isinstance(shape, SoftShape) else None
        return getattr(shape, "point_names", SoftBox.point_names), count


def _detail(levels: int, refine: Refine | None) -> dict[str, Any]:
    return {"levels": levels} if refine is None else {"levels": levels, "refine": refine}
