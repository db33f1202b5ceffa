"""Selections of points of a body: by name, by index, or by a box in space."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.scene.declared import Declared
from supple.scene.error_messages import checked_part, field_error, listed, shown, suggestion, unknown_key
from supple.scene.field_types import FARTHEST, Vector
from supple.scene.placement import BoolArray, FloatArray, IndexArray

ROUNDING = 1.0e-9
"""How far outside a box a point may lie and still be caught [m], so that turned bodies keep their edges."""


def as_corners(value: Any) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return the low and the high corner of a box, or say what is wrong with them."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise field_error(
            f"is {shown(value)}, but a box is its low and its high corner: [[x, y, z], [x, y, z]]."
        )
    corner = Vector(at_most=10.0 * FARTHEST)
    low, high = corner(value[0]), corner(value[1])
    for axis, a, b in zip("xyz", low, high, strict=True):
        if a > b:
            raise field_error(
                f"runs from {axis} = {a:g} down to {b:g}. Give the low corner first, then the high."
            )
    return low, high


Corners = Annotated[tuple[tuple[float, float, float], tuple[float, float, float]], PlainValidator(as_corners)]


class BoxRegion(Declared):
    """Every point that starts inside a box, its faces included."""

    kind: ClassVar[str] = "box"

    box: Corners
    """Low and high corner in world axes at the start [m]."""

    def contains(self, points: FloatArray) -> BoolArray:
        """Tell for each of the (n, 3) world points [m] whether it lies in the box."""
        low, high = self.box
        is_low = points < np.array(low) - ROUNDING
        is_high = points > np.array(high) + ROUNDING
        is_outside: BoolArray = np.any(is_low | is_high, axis=1)
        return ~is_outside


def as_selection(value: Any) -> str | int | tuple[int | str, ...] | BoxRegion:
    """Return a selection of points in its one form, or say what it may be."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        if not value:
            raise field_error("is an empty list: it chooses no point.")
        return tuple(_as_name_or_index(entry) for entry in value)
    if isinstance(value, BoxRegion):
        return value
    if isinstance(value, Mapping):
        for key in value:
            if key != "box":
                raise field_error(unknown_key(str(key), ["box"]), str(key))
        if "box" not in value:
            raise field_error("is an empty table, but it must hold a box: { box = [[x, y, z], [x, y, z]] }.")
        return BoxRegion(box=checked_part("box", as_corners, value["box"]))
    return _as_name_or_index(value)


def _as_name_or_index(value: Any) -> str | int:
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_):
        return int(value)
    raise field_error(
        f"is {shown(value)}, but points are chosen by a name, an index, a list of these, or a box."
    )


Selection = Annotated[str | int | tuple[int | str, ...] | BoxRegion, PlainValidator(as_selection)]
"""A choice of points: a name the shape offers, an index from 0, a tuple of these, or a box."""


class SelectionError(ValueError):
    """A selection that means nothing on this body."""


def selected_indices(
    where: str | int | tuple[int | str, ...] | BoxRegion,
    names: Collection[str],
    named: Callable[[str], IndexArray],
    point_count: int,
    start_points: Callable[[], FloatArray],
) -> IndexArray:
    """Return the indices meant by `where`, ascending and without repeats.

    Args:
        where: the choice of points
        names: names the shape offers
        named: the indices behind one of these names
        point_count: points of the body
        start_points: gives the (point_count, 3) world positions at the start [m]; called only for a box

    Raises:
        NowhereError: with a sentence that says why the choice means nothing here
    """
    if isinstance(where, BoxRegion):
        return _points_in_box(where, start_points())
    trouble = naming_error(where, names, point_count)
    if trouble:
        raise SelectionError(trouble)
    parts = where if isinstance(where, tuple) else (where,)
    chosen = [named(part) if isinstance(part, str) else np.array([part], dtype=np.int64) for part in parts]
    return np.unique(np.concatenate(chosen))


def _points_in_box(box: BoxRegion, points: FloatArray) -> IndexArray:
    indices = np.flatnonzero(box.contains(points)).astype(np.int64)
    if not len(indices):
        low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        extent = ", ".join(f"{axis} {a:.4g} to {b:.4g}" for axis, a, b in zip("xyz", low, high, strict=True))
        raise SelectionError(f"is a box that catches no point. The body starts within {extent} m.")
    return indices


def naming_error(where: Any, names: Collection[str] | None, point_count: int | None) -> str:
    """Return what is wrong with names and indices, or nothing; what is None is not judged."""
    for part in where if isinstance(where, list | tuple) else (where,):
        if isinstance(part, int) and point_count is not None and not 0 <= part < point_count:
            return f"names the point {shown(part)}, but points run from 0 to {point_count - 1}."
        if isinstance(part, str) and names is not None and part not in names:
            if not names:
                return f"names {shown(part)}, but this shape has no named points. Use an index or a box."
            return (
                f"names the edge or point {shown(part)}, which this shape does not have. "
                f"Names: {listed(names)}.{suggestion(part, names)}"
            )
    return ""
