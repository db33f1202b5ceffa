"""A curved sheet from the control points of a Bézier patch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.scene.array_fields import PointRows
from supple.scene.cloth_shapes.grid import GRID_NAMES, grid_named, grid_triangles
from supple.scene.cloth_shapes.rectangle import size_mistakes
from supple.scene.cloth_shapes.triangle_check import triangle_mistakes
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import GridCount
from supple.scene.placement import FloatArray, IndexArray

MOST_CONTROL_POINTS = 32
"""Most control points along one side: a polynomial of higher degree loses digits."""

ControlPoints = Annotated[FloatArray, PlainValidator(PointRows(grid=True))]


def bernstein(degree: int, count: int) -> FloatArray:
    """Return the (count, degree + 1) Bernstein polynomials at evenly spaced parameters from 0 to 1."""
    t = np.linspace(0.0, 1.0, count)[:, None]
    order = np.arange(degree + 1)
    binomial = np.array([math.comb(degree, k) for k in order], dtype=np.float64)
    return binomial * t**order * (1.0 - t) ** (degree - order)


class Bezier(Declared):
    """A tensor-product Bézier patch, sampled on an even grid of its parameters.

    Theory: Güdükbay, Özgüç and Tokad 1997, section 2. The first row of control points is the top edge, its
    first point the top left; the patch passes through the four corners.
    """

    kind: ClassVar[str] = "bezier"
    point_names: ClassVar[tuple[str, ...]] = GRID_NAMES

    control_points: ControlPoints
    """(rows, columns, 3) control points in the patch's own axes [m], from the top left."""

    columns: GridCount
    """Number of points in a row."""

    rows: GridCount
    """Number of rows of points."""

    @property
    def point_count(self) -> int:
        """Number of points."""
        return self.columns * self.rows

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the patch's own axes [m], row by row from the top left."""
        down = bernstein(self.control_points.shape[0] - 1, self.rows)
        across = bernstein(self.control_points.shape[1] - 1, self.columns)
        points: FloatArray = np.einsum("ri,ijx,cj->rcx", down, self.control_points, across)
        return points.reshape(-1, 3)

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles, counter-clockwise seen from where left is left."""
        return grid_triangles(self.columns, self.rows)

    def named(self, name: str) -> IndexArray:
        """Return the indices of an edge, a corner or the centre."""
        return grid_named(name, self.columns, self.rows)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        rows, columns = self.control_points.shape[:2]
        if not (2 <= rows <= MOST_CONTROL_POINTS and 2 <= columns <= MOST_CONTROL_POINTS):
            yield (
                ("control_points",),
                f"has {rows} x {columns} points, but each side must have 2 to {MOST_CONTROL_POINTS}.",
            )
            return
        too_many = list(size_mistakes(self.point_count))
        yield from too_many
        if not too_many:
            for _, message in triangle_mistakes(self.local_points(), self.surface_triangles()):
                yield ("control_points",), f"make a patch that folds into itself: {message}"
