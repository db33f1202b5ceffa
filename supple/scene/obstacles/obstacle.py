"""What all obstacles share: a place, a motion, and how cloth meets them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import PlainValidator

from supple.scene.colour import Colour
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, dotted_path, field_error, shown
from supple.scene.field_types import Choice, Density, Name, Number, Rotation, Vec3
from supple.scene.placement import FloatArray, IndexArray
from supple.scene.timeline.keyframes import Path

Response = Literal["project", "repel"]
RepulsionAlong = Literal["gradient", "normal"]

Pose = tuple[FloatArray, FloatArray]
"""Offset (3,) [m] and rotation (3,) [rad] from the start."""

Motion = Path | Callable[[float], Any]
"""A path of keyframes, or a function of time [s] that returns an offset [m] and a rotation [rad]."""


def as_motion(value: Any) -> Motion:
    """Return a motion, or say what one may be."""
    if isinstance(value, Path):
        return value
    if isinstance(value, dict):
        return Path(**value)
    if isinstance(value, list | tuple):
        return Path(keyframes=tuple(value))
    if callable(value):
        motion: Callable[[float], Any] = value
        return motion
    raise field_error(f"is {shown(value)}, but it must be a path of keyframes, or a function of time.")


class Obstacle(Declared):
    """Something solid that cloth cannot pass.

    A shape is given in its own axes; `at` and `rotation` put it into the world.
    """

    kind: ClassVar[str] = "obstacle"

    name: Name | None = None
    """What it is called; None takes its kind, with a number if that is taken."""

    at: Vec3 = (0.0, 0.0, 0.0)
    """Where its own origin stands in the world [m]."""

    rotation: Rotation = (0.0, 0.0, 0.0)
    """Turn about its own origin: fixed x, then y, then z axis [rad]; `rotation_deg` takes degrees."""

    friction: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=100.0))] = 0.3
    """Coulomb coefficient [-]: cloth slides when the slope exceeds it."""

    restitution: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0))] = 0.0
    """Share of the normal speed that a bounce gives back [-]."""

    shell: Annotated[float, PlainValidator(Number(at_least=1.0e-4, at_most=1.0))] = 1.0e-3
    """Distance that the points of cloth keep from it [m]: more hides that coarse cloth cuts off edges."""

    motion: Annotated[Motion, PlainValidator(as_motion)] | None = None
    """How it moves: keyframes or a function of time; None is not at all."""

    mass: Density | None = None
    """Mass [kg] of one that falls and is carried; None is one that nothing moves."""

    response: Annotated[Response, PlainValidator(Choice(get_args(Response)))] = "project"
    """How it keeps cloth out: by projection, or by the repulsive potential of Güdükbay 1997."""

    repulsion: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e6))] = 1.0e-4
    """Energy of the repulsive potential at the surface, for each particle [J]."""

    repulsion_range: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e3))] = 0.1
    """Value of the inside-outside function over which the potential falls to 1/e."""

    repulsion_along: Annotated[RepulsionAlong, PlainValidator(Choice(get_args(RepulsionAlong)))] = "gradient"
    """Where the potential pushes: along its gradient, or along the normal of the cloth only, as Güdükbay 1997 prints it."""

    colour: Colour | None = None
    """What it looks like, "#rrggbb" or a name such as "wood"; None goes by its place in the scene."""

    @classmethod
    def place_of(cls, values: Mapping[str, Any]) -> str:
        """Return what to call an obstacle built from `values`, as in a file: `obstacle.NAME`, or its kind."""
        name = values.get("name")
        return dotted_path("obstacle", name) if isinstance(name, str) and name else cls.kind

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.mass is not None and self.motion is not None:
            yield ("mass",), "is given beside a motion. What falls cannot follow a path: keep one of them."
        if isinstance(self.motion, Path) and any(
            key.scale != (1.0, 1.0, 1.0) for key in self.motion.keyframes
        ):
            yield ("motion",), "scales the obstacle, but only pinned points can be pushed together so."
        if self.mass is not None and self.kind == "plane":
            yield ("mass",), "is given to a plane, which has no end and cannot fall. Use a box."

    @abstractmethod
    def surface(self) -> tuple[FloatArray, IndexArray]:
        """Return vertices (n, 3) [m] in its own axes and triangles (t, 3) that show its surface."""

    def pose(self, time: float) -> Pose:
        """Return the offset (3,) [m] and rotation (3,) [rad] that its motion adds at a moment [s]."""
        if self.motion is None:
            return np.zeros(3), np.zeros(3)
        if isinstance(self.motion, Path):
            return self.motion.pose(time)
        offset, rotation = self.motion(time)
        return np.asarray(offset, dtype=np.float64), np.asarray(rotation, dtype=np.float64)
