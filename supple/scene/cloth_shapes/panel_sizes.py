"""Sizes of a panel: measures that a pattern leaves open, and where every point of the piece goes with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import PlainValidator

from supple.scene.cloth_shapes.outline_corners import Corner, Vec2, as_place
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, field_error, shown
from supple.scene.field_types import FARTHEST, Number
from supple.scene.placement import FloatArray, IndexArray

ENOUGH = 1.0e-10
"""Residual at which points inside count as in balance, over that at the start [-]."""

Measure = Annotated[float, PlainValidator(Number(at_least=-FARTHEST, at_most=FARTHEST))]


def as_moves(value: Any) -> tuple[Vec2, ...]:
    """Return how far each corner goes, or say what is wrong with that."""
    if not isinstance(value, list | tuple):
        raise field_error(f"is {shown(value)}, but it must hold [x, y] for each corner.")
    return tuple(as_place(entry) for entry in value)


class PanelSize(Declared):
    """A measure that may change: corners move in proportion to it, and curved edges keep their form."""

    kind: ClassVar[str] = "size"

    value: Measure
    """What it is as the outline is drawn."""

    low: Measure
    """The least it may be."""

    high: Measure
    """The most it may be."""

    unit: Literal["m", ""] = ""
    """"m" for a length; "" for a factor."""

    moves: Annotated[tuple[Vec2, ...], PlainValidator(as_moves)]
    """Where each corner goes for every unit more, those of the outline first, then those of the holes [m]."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if not self.low <= self.value <= self.high:
            yield (
                ("value",),
                f"is {self.value:g}, but it must lie between low and high, {self.low:g} and {self.high:g}.",
            )


def as_panel_sizes(value: Any) -> dict[str, PanelSize]:
    """Return the sizes of a panel by name, or say what they must be."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise field_error(f"is {shown(value)}, but it must hold a table for each size, by name.")
    return {
        name: entry if isinstance(entry, PanelSize) else PanelSize.model_validate(entry)
        for name, entry in value.items()
    }


def as_sizes(value: Any) -> dict[str, float]:
    """Return what sizes are to be, by name, or say what was wanted."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise field_error(f"is {shown(value)}, but it must hold a number for each size, by name.")
    number = Number(at_least=-FARTHEST, at_most=FARTHEST)
    return {name: float(number(entry)) for name, entry in value.items()}


Sizes = Annotated[dict[str, float], PlainValidator(as_sizes)]
"""What sizes of a panel are, by name."""


def moved_corner(corner: Corner, after: Corner, move: FloatArray, move_after: FloatArray) -> Corner:
    """Return a corner and the edge from there after both its ends have moved: the edge is turned and scaled, no more."""
    start, along = np.array(corner.at), np.array(after.at) - np.array(corner.at)
    new_start, new_along = start + move, along + move_after - move
    turn = _turn_and_scale(along, new_along)
    curve = tuple(_pair(new_start + turn @ (np.array(point) - start)) for point in corner.curve)
    growth = float(np.hypot(*new_along) / np.hypot(*along))
    return corner.changed(at=_pair(new_start), curve=curve, arc=corner.arc * growth)


def edge_moves(points: FloatArray, move: FloatArray, move_after: FloatArray) -> FloatArray:
    """Return how far points (n, 2) along an edge go, from its first to its last, whose ends go so far [m]."""
    along = points[-1] - points[0]
    turn = _turn_and_scale(along, along + move_after - move) - np.eye(2)
    moves: FloatArray = move + (points - points[0]) @ turn.T
    return moves


def filled_moves(
    points: FloatArray, triangles: IndexArray, rim: IndexArray, rim_moves: FloatArray
) -> FloatArray:
    """Return how far all points (n, 2) go, given those of the rim: inside they stay in balance.

    The weights are the cotangents of the angles, with which a piece that is stretched along a direction is so everywhere.
    Conjugate gradients (Hestenes and Stiefel 1952).

    Args:
        points: of the flat piece [m]
        triangles: (triangle_count, 3)
        rim: points whose moves are given
        rim_moves: (rim_count, 2) [m]
    """
    count = len(points)
    starts, ends, weights = [], [], []
    for k in range(3):
        apex, a, b = triangles[:, k], triangles[:, (k + 1) % 3], triangles[:, (k + 2) % 3]
        one, other = points[a] - points[apex], points[b] - points[apex]
        area = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
        starts.append(a)
        ends.append(b)
        weights.append(np.einsum("nx,nx->n", one, other) / area)
    a, b, w = np.concatenate(starts), np.concatenate(ends), np.concatenate(weights)
    is_inside = np.ones(count, dtype=np.bool_)
    is_inside[rim] = False

    def pull(moves: FloatArray) -> FloatArray:
        """Return the pull on each point inside."""
        force = w[:, None] * (moves[a] - moves[b])
        total = np.empty((count, 2))
        for axis in range(2):
            total[:, axis] = np.bincount(a, force[:, axis], count) - np.bincount(b, force[:, axis], count)
        total[~is_inside] = 0.0
        return total

    moves = np.zeros((count, 2))
    moves[rim] = rim_moves
    residual = -pull(moves)
    direction, square = residual.copy(), float((residual**2).sum())
    goal = ENOUGH**2 * square
    for _ in range(2 * count):
        if square <= goal or square == 0.0:
            break
        pulled = pull(direction)
        step = square / float((direction * pulled).sum())
        moves += step * direction
        residual -= step * pulled
        before, square = square, float((residual**2).sum())
        direction = residual + (square / before) * direction
    return moves


def corner_chains(
    chains: Sequence[IndexArray], counts: Sequence[int]
) -> Iterator[tuple[IndexArray, int, int]]:
    """Yield the points of each edge, and the numbers of the corners it leads from and to.

    Args:
        chains: points of each edge, loop after loop
        counts: corners of each loop
    """
    first = 0
    for count in counts:
        for k in range(count):
            yield chains[first + k], first + k, first + (k + 1) % count
        first += count


def _turn_and_scale(along: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return the matrix without shear that takes one vector to another."""
    square = float(along @ along)
    real = float(along @ wanted) / square
    imaginary = float(along[0] * wanted[1] - along[1] * wanted[0]) / square
    return np.array([[real, -imaginary], [imaginary, real]])


def _pair(point: FloatArray) -> Vec2:
    return float(point[0]), float(point[1])
