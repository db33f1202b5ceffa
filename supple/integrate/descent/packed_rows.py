"""Rows of a sparse matrix for packs: eight rows side by side, as long as the longest of them (sliced ELLPACK).

The entries of a row are parted into those whose neighbour has a lower colour and those with a higher one, since half of
the passes of a symmetric Gauss-Seidel cycle need only one of the two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.integrate.descent.point_order import PointOrder
from supple.simd import WIDTH


class Rows(NamedTuple):
    """Where the entries of eight rows stand, and which slots they refer to. Entries are counted in packs."""

    firsts: NDArray[np.int64]
    """(pack_count + 1,) first entry of each pack of rows."""

    middles: NDArray[np.int64]
    """(pack_count,) first entry whose neighbours have higher colours."""

    columns: NDArray[np.int32]
    """(8 entry_count,) slot of the neighbour; the row's own slot where a row is shorter."""


def pack_rows(
    order: PointOrder, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> tuple[Rows, NDArray[np.int64]]:
    """Return the layout of a matrix, and where in it each entry stands, (count,).

    Args:
        order: of the points
        rows: (count,) slot of the row of every entry
        columns: (count,) slot of its column
    """
    is_upper = order.colours[columns] > order.colours[rows]
    firsts = np.zeros(order.pack_count + 1, dtype=np.int64)
    lower_widths = _widths(order, rows[~is_upper])
    widths = lower_widths + _widths(order, rows[is_upper])
    np.cumsum(widths, out=firsts[1:])
    middles = firsts[:-1] + lower_widths
    own = np.arange(order.slot_count, dtype=np.int32).reshape(-1, WIDTH)
    filled = np.repeat(own, widths, axis=0).ravel()
    places = np.zeros(len(rows), dtype=np.int64)
    for chosen, begin in ((~is_upper, firsts[:-1]), (is_upper, middles)):
        slots = rows[chosen]
        places[chosen] = (begin[slots // WIDTH] + _numbers_in_row(slots, order.slot_count)) * WIDTH
        places[chosen] += slots % WIDTH
    filled[places] = columns
    return Rows(firsts, middles, filled), places


def _widths(order: PointOrder, slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the longest of every eight rows, (pack_count,), given the row of every entry."""
    lengths = np.bincount(slots, minlength=order.slot_count).reshape(-1, WIDTH)
    widths: NDArray[np.int64] = lengths.max(axis=1, initial=0)
    return widths


def _numbers_in_row(slots: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return for every entry how many of its row stand before it."""
    order = np.argsort(slots, kind="stable")
    lengths = np.bincount(slots, minlength=count)
    firsts = np.cumsum(lengths) - lengths
    numbers = np.empty(len(slots), dtype=np.int64)
    numbers[order] = np.arange(len(slots)) - firsts[slots[order]]
    return numbers
