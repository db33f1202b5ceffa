"""Arrays inside a scene: checked at once with NumPy, kept read-only, compared by value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import PlainValidator

from supple.scene.error_messages import field_error, shown
from supple.scene.field_types import FARTHEST, WIDEST, Number
from supple.scene.placement import FloatArray, IndexArray

POINT_LIMIT = 2_000_000
"""Most points one body may have; more would not fit the memory of an ordinary computer."""


def as_array(value: Any, wanted: str, kinds: str) -> npt.NDArray[Any]:
    """Return a list, tuple or array as a NumPy array of numbers, or say that `wanted` was wanted.

    Args:
        value: what the user gave
        wanted: the rule in words
        kinds: NumPy kind letters that are welcome: "iu" for whole numbers, "fiu" for any
    """
    if not isinstance(value, list | tuple | np.ndarray):
        raise field_error(f"is {shown(value)}, but it must be {wanted}.")
    array: npt.NDArray[Any] | None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError, RecursionError):
        array = None
    if array is None or (array.size and array.dtype.kind not in kinds):
        raise field_error(f"is {shown(value)}, but it must be {wanted}: equal rows of numbers only.")
    return array


def frozen(array: npt.NDArray[Any], dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Return a read-only array of its own memory; one that is read-only already is kept."""
    if array.dtype == dtype and not array.flags.writeable and array.flags.owndata:
        return array
    copy = np.array(array, dtype=dtype, order="C")
    copy.setflags(write=False)
    return copy


def first_row(is_wrong: npt.NDArray[np.bool_]) -> int:
    """Return the first index along the first axis where anything is wrong."""
    return int(np.flatnonzero(is_wrong.reshape(len(is_wrong), -1).any(axis=1))[0])


@dataclass(frozen=True)
class PointRows:
    """Coordinates [m], one point per row."""

    dimensions: tuple[int, ...] = (3,)
    """Number of coordinates a row may have."""

    grid: bool = False
    """Whether the rows stand in a grid: shape (rows, columns, 3) instead of (n, 3)."""

    def __call__(self, value: Any) -> FloatArray:
        """Return the coordinates as a read-only array, or say which point is wrong."""
        wanted = "rows of points [[x, y, z], ...]" if self.grid else "a list of points [x, y, z]"
        if 2 in self.dimensions:
            wanted += " or [x, y]"
        array = as_array(value, wanted, "fiu")
        axes = 3 if self.grid else 2
        if array.ndim != axes or array.shape[-1] not in self.dimensions or array.size == 0:
            raise field_error(f"has the shape {array.shape}, but it must be {wanted}.")
        if len(array) > POINT_LIMIT:
            raise field_error(f"holds {len(array):,} points, but a body may have at most {POINT_LIMIT:,}.")
        array = frozen(array, np.float64)
        if not np.isfinite(array).all():
            row = first_row(~np.isfinite(array))
            point = shown(array[row].tolist())
            raise field_error(f"holds {point} at place {row}, but every coordinate must be finite.")
        if np.abs(array).max() > FARTHEST:
            row = first_row(np.abs(array) > FARTHEST)
            point = shown(array[row].tolist())
            raise field_error(
                f"holds {point} at place {row}, but no coordinate may be farther out than "
                f"{FARTHEST / 1000:g} km. Lengths are in metres."
            )
        extent = float(np.ptp(array.reshape(-1, array.shape[-1]), axis=0).max())
        if extent > WIDEST:
            raise field_error(
                f"spans {extent / 1000:.4g} km, but a body may span at most {WIDEST / 1000:g} km. "
                "Lengths are in metres."
            )
        return array


@dataclass(frozen=True)
class IndexRows:
    """Point indices, a fixed number of them per row."""

    width: int
    """Indices per row: 2 for springs, 3 for triangles."""

    def __call__(self, value: Any) -> IndexArray:
        """Return the indices as a read-only array, or say what is wrong with them."""
        wanted = f"a list of rows with {self.width} point indices"
        array = as_array(value, wanted, "iu")
        if array.size == 0:
            array = np.zeros((0, self.width), dtype=np.int64)
        if array.ndim != 2 or array.shape[1] != self.width:
            raise field_error(f"has the shape {array.shape}, but it must be {wanted}.")
        if len(array) > 10 * POINT_LIMIT:
            raise field_error(f"has {len(array):,} rows, but it may have at most {10 * POINT_LIMIT:,}.")
        if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise field_error("holds an index too large to be one.")
        return frozen(array, np.int64)


@dataclass(frozen=True)
class NumberRow:
    """One number per point or spring, each within a range."""

    range: Number
    """What each number must be."""

    single: bool = False
    """Whether one number for all may stand instead of the list."""

    def __call__(self, value: Any) -> FloatArray | float:
        """Return the numbers as a read-only array (or one float), or say which is wrong."""
        if self.single and not isinstance(value, list | tuple | np.ndarray):
            return self.range(value)
        if self.single and isinstance(value, np.ndarray) and value.ndim == 0:
            return self.range(value)
        array = as_array(value, "a list of numbers", "fiu")
        if array.ndim != 1:
            raise field_error(f"has the shape {array.shape}, but it must be a plain list of numbers.")
        array = frozen(array, np.float64)
        low = -np.inf if self.range.above is None else self.range.above
        is_wrong = ~np.isfinite(array) | (array <= low)
        if self.range.at_least is not None:
            is_wrong |= array < self.range.at_least
        if self.range.at_most is not None:
            is_wrong |= array > self.range.at_most
        if is_wrong.any():
            row = first_row(is_wrong)
            raise field_error(f"holds {array[row]:g} at place {row}, but each number must {self.range.rule}.")
        return array


MASS = Number(above=0.0, at_most=1.0e9)
"""Mass of a point [kg]."""

Masses = Annotated[FloatArray, PlainValidator(NumberRow(MASS))]
"""(point_count,) masses [kg], read-only."""

Drags = Annotated[
    FloatArray | float, PlainValidator(NumberRow(Number(at_least=0.0, at_most=1.0e6), single=True))
]
"""One rate for all points, or (point_count,) rates [1/s], read-only."""

Vertices = Annotated[FloatArray, PlainValidator(PointRows())]
"""(vertex_count, 3) positions in the body's own axes [m], read-only."""

Triangles = Annotated[IndexArray, PlainValidator(IndexRows(3))]
"""(triangle_count, 3) point indices, counter-clockwise seen from outside, read-only."""
