"""Solids given by formulas: the obstacles of Güdükbay 1997 and more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator, model_validator

from supple.scene.error_messages import Steps, field_error
from supple.scene.field_types import Length, Number, Vec3, Vector
from supple.scene.obstacles import tessellate
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.placement import FloatArray, IndexArray

UNIT_ERROR = 1.0e-15
"""How far from 1 the length of a unit vector may be: one that is read back stays the same to the last bit."""


def as_direction(value: Any) -> tuple[float, float, float]:
    """Return a vector of length one in the direction given, or say that it has none."""
    x, y, z = Vector(at_most=1.0e6)(value)
    length = float(np.linalg.norm((x, y, z)))
    if length < 1e-12:
        raise field_error("has no length, so it gives no direction.")
    if abs(length - 1.0) <= UNIT_ERROR:
        return x, y, z
    return x / length, y / length, z / length


def as_extents(value: Any) -> tuple[float, float, float]:
    """Return three lengths above zero [m], or say which is wrong."""
    x, y, z = Vector(at_most=1.0e4)(value)
    for axis, extent in zip("xyz", (x, y, z), strict=True):
        if extent <= 0.0:
            raise field_error(f"has {axis} = {extent:g}, but every extent must be greater than 0.")
    return x, y, z


Direction = Annotated[tuple[float, float, float], PlainValidator(as_direction)]
Extents = Annotated[tuple[float, float, float], PlainValidator(as_extents)]
NotNegative = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e4))]


class Plane(Obstacle):
    """A half space; cloth stays on the side its normal points to."""

    kind: ClassVar[str] = "plane"

    normal: Direction = (0.0, 1.0, 0.0)
    """Direction of the free side; any length."""

    offset: Annotated[float, PlainValidator(Number(at_least=-1.0e5, at_most=1.0e5))] = 0.0
    """Distance of the plane from its own origin, along the normal [m]."""

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return a square of the plane."""
        return tessellate.square(self.normal, self.offset)


class Sphere(Obstacle):
    """A ball."""

    kind: ClassVar[str] = "sphere"

    radius: Length
    """[m]"""

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return its surface in triangles."""
        return tessellate.ball((self.radius, self.radius, self.radius))


class Ellipsoid(Obstacle):
    """A ball with three radii."""

    kind: ClassVar[str] = "ellipsoid"

    radii: Extents
    """Along its own x, y and z [m]."""

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return its surface in triangles."""
        return tessellate.ball(self.radii)


class Box(Obstacle):
    """A block, its edges sharp or rounded."""

    kind: ClassVar[str] = "box"

    size: Extents
    """Full extent along its own x, y and z [m]."""

    rounding: NotNegative = 0.0
    """Radius of its edges [m]."""

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return its surface in triangles."""
        return tessellate.block(self.size, self.rounding)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from super()._mistakes()
        if self.rounding > 0.5 * min(self.size):
            yield (
                ("rounding",),
                f"is {self.rounding:g}, but half the shortest side, {0.5 * min(self.size):g} m, is the most.",
            )


class _Rod(Obstacle):
    """A segment with a thickness."""

    start: Vec3
    """One end of its axis [m]."""

    end: Vec3
    """The other end [m]."""

    radius: Length
    """[m]"""

    @model_validator(mode="before")
    @classmethod
    def _from_and_to(cls, values: Any) -> Any:
        if isinstance(values, dict):
            values = dict(values)
            for word, field in (("from", "start"), ("to", "end")):
                if word in values and field not in values:
                    values[field] = values.pop(word)
        return values

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from super()._mistakes()
        if np.linalg.norm(np.subtract(self.end, self.start)) < 1e-6:
            yield ("end",), "is the same point as the start. Move them apart, or use a sphere."


class Capsule(_Rod):
    """A rod with round ends."""

    kind: ClassVar[str] = "capsule"

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return its surface in triangles."""
        return tessellate.rod(self.start, self.end, self.radius, has_caps=True)


class Cylinder(_Rod):
    """A rod with flat ends."""

    kind: ClassVar[str] = "cylinder"

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return its surface in triangles."""
        return tessellate.rod(self.start, self.end, self.radius, has_caps=False)


class Torus(Obstacle):
    """A ring about its own y axis."""

    kind: ClassVar[str] = "torus"

    radius: Length
    """From the centre to the middle of the tube [m]."""

    tube: Length
    """Radius of the tube [m]."""

    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return its surface in triangles."""
        return tessellate.ring(self.radius, self.tube)
