"""A flat rectangular sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import PlainValidator

from supple.scene.array_fields import POINT_LIMIT
from supple.scene.cloth_shapes.curve_layout import Course
from supple.scene.cloth_shapes.grid import GRID_NAMES, grid_named, grid_triangles
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Choice, GridCount, Length
from supple.scene.placement import FloatArray, IndexArray

SHORTEST_EDGE = 1.0e-6
"""Shortest distance between neighbouring points [m]; below it rounding decides the directions of springs."""


def size_mistakes(point_count: int, steps: Steps = ()) -> Iterator[tuple[Steps, str]]:
    """Yield a mistake if a body has more points than fit."""
    if point_count > POINT_LIMIT:
        yield steps, f"has {point_count:,} points, but a body may have at most {POINT_LIMIT:,}."


class Rectangle(Declared):
    """A rectangular grid of points, centred on its own origin.

    Points run row by row from the top left. In the plane "xy" the sheet stands upright, x to the right and
    y up, its normal along +z. In "xz" it lies flat, "top" being the far side (-z), its normal along +y.

    Example:
        >>> Rectangle(width=2.0, height=1.0, columns=3, rows=2).local_points()[0].tolist()
        [-1.0, 0.5, 0.0]
    """

    kind: ClassVar[str] = "rectangle"
    point_names: ClassVar[tuple[str, ...]] = GRID_NAMES

    width: Length
    """Extent along x [m]."""

    height: Length
    """Extent along y, or along z if it lies flat [m]."""

    columns: GridCount
    """Number of points in a row; for a single line of points use a chain."""

    rows: GridCount
    """Number of rows of points; for a single line of points use a chain."""

    plane: Annotated[Literal["xy", "xz"], PlainValidator(Choice(("xy", "xz")))] = "xy"
    """Upright ("xy") or lying ("xz")."""

    course: Course | None = None
    """A curve along which its rows are laid at the start, in its own axes; at rest it is flat all the same."""

    @property
    def point_count(self) -> int:
        """Number of points."""
        return self.columns * self.rows

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the sheet's own axes [m]."""
        across = np.linspace(-0.5 * self.width, 0.5 * self.width, self.columns)
        down = np.linspace(0.5 * self.height, -0.5 * self.height, self.rows)
        points = np.zeros((self.rows, self.columns, 3))
        points[:, :, 0] = across
        if self.plane == "xy":
            points[:, :, 1] = down[:, None]
        else:
            points[:, :, 2] = -down[:, None]
        return points.reshape(-1, 3)

    def bent_points(self) -> FloatArray:
        """Return the (point_count, 3) points at the start in its own axes [m]: along its course, if it has one."""
        points = self.local_points()
        if self.course is None:
            return points
        up = points[:, 1] if self.plane == "xy" else -points[:, 2]
        return self.course.laid(points[:, 0] + 0.5 * self.width, up)

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles, counter-clockwise seen from the normal's side."""
        return grid_triangles(self.columns, self.rows)

    def named(self, name: str) -> IndexArray:
        """Return the indices of an edge, a corner or the centre."""
        return grid_named(name, self.columns, self.rows)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from size_mistakes(self.point_count)
        for side, extent, count in (("width", self.width, self.columns), ("height", self.height, self.rows)):
            if extent / (count - 1) < SHORTEST_EDGE:
                yield (
                    (side,),
                    f"is {extent:g}, which puts neighbouring points {extent / (count - 1):.2g} m apart, "
                    f"but they must be at least {SHORTEST_EDGE:g} m apart. Lengths are in metres.",
                )
