"""Read the parameters of a sewing pattern: lengths that its author has left open, and what moves with each.

In a file in GarmentCode's form a parameter has a `type`, a `value`, a `range` and an `influence`: panels with lists of
edges, each with the end that moves (`direction`) and perhaps the line `along` which it does. The vertices of the file are
drawn at the value it holds. "length" is a factor, "additive_length" a length; others are told of and passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 1.0e6
"""Most that a value or an end of a range may be, in units of the file."""


@dataclass(frozen=True)
class DrawnSize:
    """A parameter of a pattern as its file holds it, in metres or as a factor."""

    value: float
    low: float
    high: float
    unit: str
    """"m" for a length, "" for a factor."""

    moves: dict[str, NDArray[np.float64]]
    """Where each vertex of a panel goes for every unit more, (vertex_count, 2) by the panel's name."""


def read_size(
    entry: Any,
    vertices: Mapping[str, Sequence[tuple[float, float]]],
    edges: Mapping[str, Sequence[tuple[int, int]]],
    scale: float,
) -> DrawnSize:
    """Return a parameter.

    Args:
        entry: as the file holds it
        vertices: of every panel [m]
        edges: of every panel, the two vertices of each
        scale: length of the unit of the file [m]

    Raises:
        ValueError: if it is of another kind, or does not make sense; the text says how, as the end of a sentence
    """
    if not isinstance(entry, Mapping):
        raise ValueError("is no table")
    kind = entry.get("type")
    if kind not in ("length", "additive_length"):
        raise ValueError(f"has the type {str(kind)[:40]!r}, which is not known")
    value = _number(entry.get("value"))
    ends = entry.get("range")
    if not isinstance(ends, list) or len(ends) != 2:
        raise ValueError("has no range")
    low, high = sorted(_number(end) for end in ends)
    if not low <= value <= high or low == high or (kind == "length" and low <= 0.0):
        raise ValueError("has a range that makes no sense")
    unit = scale if kind == "additive_length" else 1.0
    moves = {name: np.zeros((len(points), 2)) for name, points in vertices.items()}
    influence = entry.get("influence")
    if not isinstance(influence, list) or not influence:
        raise ValueError("influences nothing")
    for part in influence:
        name = part.get("panel") if isinstance(part, Mapping) else None
        if not isinstance(name, str) or name not in vertices or not isinstance(part.get("edge_list"), list):
            raise ValueError("influences a panel that is not there")
        for edge in part["edge_list"]:
            chain, share = _moved(edge, np.array(vertices[name]), edges[name], is_factor=kind == "length")
            moves[name][chain] += share / (value if kind == "length" else 1.0)
    used = {name: move for name, move in moves.items() if move.any()}
    return DrawnSize(value * unit, low * unit, high * unit, "m" if kind == "additive_length" else "", used)


def _moved(
    entry: Any, points: NDArray[np.float64], edges: Sequence[tuple[int, int]], *, is_factor: bool
) -> tuple[list[int], NDArray[np.float64]]:
    """Return vertices along a chain of edges, and how far each goes while the chain grows by its length, or by a metre."""
    table = entry if isinstance(entry, Mapping) else {"id": entry, "direction": "both"}
    numbers = table.get("id")
    numbers = numbers if isinstance(numbers, list) else [numbers]
    if not numbers or not all(type(number) is int and 0 <= number < len(edges) for number in numbers):
        raise ValueError("influences an edge that is not there")
    chain = [edges[numbers[0]][0]]
    for number in numbers:
        if edges[number][0] != chain[-1]:
            raise ValueError("influences edges that do not follow each other")
        chain.append(edges[number][1])
    places = points[chain]
    along = table.get("along")
    line = places[-1] - places[0] if along is None else np.array([_number(x) for x in list(along)[:2]])
    if line.shape != (2,) or not np.linalg.norm(line) > 0.0:
        raise ValueError("influences edges along no direction")
    line = line / np.linalg.norm(line)
    direction = table.get("direction")
    if direction not in ("start", "end", "both"):
        raise ValueError("influences edges at no end")
    fixed = {"end": places[0], "start": places[-1], "both": 0.5 * (places[0] + places[-1])}[direction]
    shares = (places - fixed) @ line
    if not is_factor:
        extent = float(np.ptp(shares))
        if extent == 0.0:
            raise ValueError("influences edges across their direction")
        shares = shares / extent
    return chain, shares[:, None] * line


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise ValueError("holds something that is no number")
    return float(value)
