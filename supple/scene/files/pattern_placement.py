"""Placement of panels from drawings: SVG and DXF know no figure, so names tell where a panel goes."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from supple.scene.files.pattern_file import DrawnPanel

Corners = tuple[dict[str, Any], ...]

AHEAD = 0.25
"""Distance of front and back panels from the middle of the figure [m]."""


def panel_by_name(name: str, loops: list[Corners]) -> DrawnPanel:
    """Return a panel of a drawing, in front or at the back, to the left or to the right as its name says.

    Pieces of the left or right half are taken to begin at the middle of the figure, others to have it in theirs. Every loop
    keeps its order; the first one is the outline.
    """
    words = set(re.split(r"[^a-z]+", name.lower()))
    is_back = bool(words & {"back", "b", "rear"})
    points = np.array([corner["at"] for corner in loops[0]])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([0.5 * (low[0] + high[0]), low[1]])
    side = 1.0 if words & {"left", "l"} else -1.0 if words & {"right", "r"} else 0.0
    is_limb = any(word in name.lower() for word in ("sleeve", "arm", "cuff"))
    if side and not is_limb:
        # Seen from behind, the figure's left half lies to the left.
        at_left = (side > 0.0) == is_back
        shift[0] = high[0] if at_left else low[0]
    moved = [tuple(_moved(corner, shift) for corner in loop) for loop in loops]
    names = [[corner["edge"] for corner in loop] for loop in moved]
    numbers, count = [], 0
    for loop in moved:
        numbers.append(tuple(range(count, count + len(loop))))
        count += len(loop)
    return DrawnPanel(
        loops=tuple(moved),
        edges=tuple(numbers),
        edge_names=tuple(edge for loop in names for edge in loop),
        at=(0.5 * side if is_limb else 0.0, 1.0, 0.0 if is_limb else -AHEAD if is_back else AHEAD),
        rotation=(0.0, math.pi if is_back else 0.0, 0.0),
    )


def _moved(corner: dict[str, Any], shift: Any) -> dict[str, Any]:
    def place(point: Any) -> tuple[float, float]:
        return float(point[0] - shift[0]), float(point[1] - shift[1])

    return {**corner, "at": place(corner["at"]), "curve": tuple(place(point) for point in corner["curve"])}


def with_names(loops: list[list[dict[str, Any]]], given: list[str]) -> list[Corners]:
    """Return loops of corners whose edges are called as given, or else edge-0, edge-1 and so on through all loops."""
    number, named = 0, []
    for loop in loops:
        corners = []
        for corner in loop:
            own = given[number] if number < len(given) and given[number] else f"edge-{number}"
            corners.append({**corner, "edge": own})
            number += 1
        named.append(tuple(corners))
    return named
