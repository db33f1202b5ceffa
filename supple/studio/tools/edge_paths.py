"""Shortest paths along the edges of a body (Dijkstra 1959)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def cheapest_paths(
    edges: NDArray[np.int64], costs: NDArray[np.float64], starts: Iterable[int], limit: float = math.inf
) -> tuple[dict[int, float], dict[int, int]]:
    """Return what it costs to get to vertices from the nearest start, and the vertex before each on the way.

    Args:
        edges: (edge_count, 2) vertices
        costs: (edge_count,) of going along each, either way, not negative
        starts: vertices where it costs nothing to be
        limit: vertices that cost more are left out
    """
    beside: dict[int, list[tuple[int, float]]] = {}
    for (a, b), cost in zip(edges.tolist(), costs.tolist(), strict=True):
        beside.setdefault(a, []).append((b, cost))
        beside.setdefault(b, []).append((a, cost))
    found: dict[int, float] = {}
    before: dict[int, int] = {}
    waiting = [(0.0, start, start) for start in sorted(set(starts))]
    while waiting:
        spent, vertex, came_from = heapq.heappop(waiting)
        if vertex in found:
            continue
        found[vertex] = spent
        if came_from != vertex:
            before[vertex] = came_from
        for neighbour, cost in beside.get(vertex, ()):
            if neighbour not in found and spent + cost <= limit:
                heapq.heappush(waiting, (spent + cost, neighbour, vertex))
    return found, before
