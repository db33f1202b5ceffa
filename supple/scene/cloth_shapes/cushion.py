"""A cushion: two sheets on top of each other, joined along their border."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import PlainValidator

from supple.scene.cloth_shapes.grid import GRID_NAMES, grid_named, grid_triangles
from supple.scene.cloth_shapes.rectangle import SHORTEST_EDGE, Rectangle, size_mistakes
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Choice, GridCount, Length
from supple.scene.placement import FloatArray, IndexArray

USUAL_DEPTH = 0.1
"""How far apart the sheets start in the middle, in shorter sides [-]."""


class Cushion(Declared):
    """Two rectangular sheets of cloth, sewn together along all four sides: a closed surface.

    At rest both are flat and the seam folds freely; at the start they bulge a little, so that they do not
    touch. Points of the front sheet come first, row by row from the top left, its border included; then those
    of the back sheet inside the border.

    Example:
        >>> Cushion(width=0.4, height=0.4, columns=5, rows=5).point_count
        34
    """

    kind: ClassVar[str] = "cushion"
    point_names: ClassVar[tuple[str, ...]] = GRID_NAMES

    width: Length
    """Extent of the flat sheets along x [m]."""

    height: Length
    """Extent of the flat sheets along y, or along z if they lie [m]."""

    columns: GridCount
    """Number of points in a row of the front sheet, 3 or more."""

    rows: GridCount
    """Number of rows of points of the front sheet, 3 or more."""

    plane: Annotated[Literal["xy", "xz"], PlainValidator(Choice(("xy", "xz")))] = "xy"
    """Upright ("xy"), the front towards +z, or lying ("xz"), the front upwards."""

    depth: Length | None = None
    """Distance of the sheets in the middle at the start [m]; None is a tenth of the shorter side."""

    @property
    def point_count(self) -> int:
        """Number of points."""
        return self.columns * self.rows + (self.columns - 2) * (self.rows - 2)

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points of the flat cushion in its own axes [m]."""
        front = self._front.local_points()
        return np.concatenate([front, front[self._inner()]])

    def flat_coordinates(self) -> FloatArray:
        """Return where each point lies on its sheet, (point_count, 2) [m]."""
        points = self.local_points()
        return points[:, :2].copy() if self.plane == "xy" else points[:, [0, 2]] * (1.0, -1.0)

    def bent_points(self) -> FloatArray:
        """Return the (point_count, 3) points at the start in its own axes [m]: the sheets bulge apart."""
        u, v = (2.0 * self.flat_coordinates() / (self.width, self.height)).T
        depth = USUAL_DEPTH * min(self.width, self.height) if self.depth is None else self.depth
        bulge = 0.5 * depth * (1.0 - u * u) * (1.0 - v * v)
        bulge[self.columns * self.rows :] *= -1.0
        points = self.local_points()
        points[:, 2 if self.plane == "xy" else 1] += bulge
        return points

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles, counter-clockwise seen from outside."""
        columns, rows = self.columns, self.rows
        front = grid_triangles(columns, rows).reshape(rows - 1, columns - 1, 6)
        # A triangle cut off at a corner would have all its points on the border, like the one behind it.
        index = np.arange(rows * columns).reshape(rows, columns)
        for row in (0, rows - 2):
            for column in (0, columns - 2):
                (a, b), (c, d) = index[row : row + 2, column : column + 2]
                is_falling = (row == 0) == (column == 0)
                front[row, column] = [a, c, d, a, d, b] if is_falling else [a, c, b, b, c, d]
        triangles = front.reshape(-1, 3)
        behind = index.ravel().copy()
        behind[self._inner()] = rows * columns + np.arange((rows - 2) * (columns - 2))
        return np.concatenate([triangles, behind[triangles[:, ::-1]]])

    def named(self, name: str) -> IndexArray:
        """Return the indices of an edge, a corner or the centre of the front sheet."""
        return grid_named(name, self.columns, self.rows)

    @property
    def _front(self) -> Rectangle:
        return Rectangle(
            width=self.width, height=self.height, columns=self.columns, rows=self.rows, plane=self.plane
        )

    def _inner(self) -> IndexArray:
        """Return the points of the front sheet inside its border."""
        index = np.arange(self.rows * self.columns, dtype=np.int64).reshape(self.rows, self.columns)
        return index[1:-1, 1:-1].ravel()

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        for name, count in (("columns", self.columns), ("rows", self.rows)):
            if count < 3:
                yield (
                    (name,),
                    f"is {count}, but a cushion needs 3 or more: there must be points inside its seam.",
                )
        yield from size_mistakes(self.point_count)
        for side, extent, count in (("width", self.width, self.columns), ("height", self.height, self.rows)):
            if extent / (count - 1) < SHORTEST_EDGE:
                yield (
                    (side,),
                    f"is {extent:g}, which puts neighbouring points too close together. Lengths are in metres.",
                )
        if self.depth is not None and self.depth > 0.5 * min(self.width, self.height):
            yield (
                ("depth",),
                f"is {self.depth:g}, but the cushion starts nearly flat: make it at most half the shorter side.",
            )
