"""Arguments of public calls, checked: numbers and points that make sense, or an error that says what was wanted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError

FARTHEST = 1.0e6
"""Largest coordinate [m]."""

Triple = Sequence[float] | NDArray[np.float64]
Points = Sequence[Triple] | NDArray[np.float64]


def as_point(name: str, value: Triple) -> NDArray[np.float64]:
    """Return three coordinates, (3,) [m]."""
    point = _array(value)
    if point.shape != (3,) or not _is_near(point):
        raise SuppleError(f"`{name}` is {value!r}, but it must be three finite numbers (x, y, z) in metres.")
    return point


def as_path(value: Points) -> NDArray[np.float64]:
    """Return two or more points that are not all the same, (count, 3) [m]."""
    path = _array(value)
    if path.ndim != 2 or path.shape[1] != 3 or len(path) < 2:
        raise SuppleError("`path` must list two or more points (x, y, z) in metres.")
    if not _is_near(path):
        raise SuppleError("`path` must hold finite numbers, in metres.")
    if not (path != path[0]).any():
        raise SuppleError("`path` stays at one point, so it cuts nothing.")
    return path


def as_number(name: str, value: float, *, above: float = -math.inf, at_least: float = -math.inf) -> float:
    """Return a finite number within its bounds."""
    is_number = isinstance(value, int | float | np.floating | np.integer) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not value > above or not value >= at_least:
        bound = f"above {above:g}" if above > -math.inf else f"{at_least:g} or more"
        raise SuppleError(f"`{name}` is {value!r}, but it must be a finite number {bound}.")
    return float(value)


def _array(value: Triple | Points) -> NDArray[np.float64]:
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        return np.zeros(0)


def _is_near(points: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(points).all() and np.abs(points).max() <= FARTHEST)
