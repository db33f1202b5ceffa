"""Shortest paths along a surface: what a tape measure laid on cloth reads.

A path goes over vertices and through edges. Dijkstra's search over the edges finds the corridor in which it lies, a second
one over points between the ends of its edges finds the triangles that it crosses. Then every crossing slides along its
edge to where the path is straight once its two triangles are laid flat.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

BETWEEN = 7
"""Points between the ends of an edge in the second search."""

CORRIDOR = 1.2
"""Longest way through a vertex that is looked at, over the shortest along edges [-]; these are some 15 % too long."""

SWEEPS = 400
"""Most rounds of straightening."""

STRAIGHT = 1.0e-7
"""Gain of a round at which a path counts as straight [m]."""


@dataclass(frozen=True)
class SurfacePath:
    """A shortest path along a surface."""

    length: float
    """[m]"""

    points: Floats
    """(count, 3) its corners, from end to end [m]."""


def shortest_path(points: Floats, triangles: Indices, start: int, end: int) -> SurfacePath | None:
    """Return the shortest path along a surface between two of its vertices, None if they lie on separate pieces.

    Args:
        points: (vertex_count, 3) [m]
        triangles: (triangle_count, 3)
        start: vertex
        end: vertex
    """
    if start == end:
        return SurfacePath(0.0, points[[start, start]].copy())
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    edges, of_triangle = np.unique(sides, axis=0, return_inverse=True)
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    ways = [_along_edges(len(points), edges, lengths, source) for source in (start, end)]
    best = ways[0][end]
    if not np.isfinite(best):
        return None
    is_near = ways[0] + ways[1] <= CORRIDOR * best + 2.0 * float(lengths.max())
    corridor = np.flatnonzero(is_near[triangles].any(axis=1))
    crossings = _through_edges(
        points, triangles[corridor], edges, of_triangle.reshape(-1, 3)[corridor], start, end
    )
    return _straightened(points, edges, crossings)


def _dijkstra(
    start: int, end: int, neighbours: Callable[[int], Iterable[tuple[int, float]]]
) -> dict[int, int]:
    """Return from where each node is reached on its shortest way; stops at the end."""
    done: set[int] = set()
    reached, before = {start: 0.0}, {start: start}
    queue = [(0.0, start)]
    while queue:
        way, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        if node == end:
            break
        for other, step in neighbours(node):
            if way + step < reached.get(other, np.inf):
                reached[other], before[other] = way + step, node
                heapq.heappush(queue, (way + step, other))
    return before


def _along_edges(count: int, edges: Indices, lengths: Floats, source: int) -> Floats:
    """Return the way to every vertex along edges, (count,) [m]; infinite where there is none."""
    ways = np.full(count, np.inf)
    rows: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for (a, b), length in zip(edges.tolist(), lengths.tolist(), strict=True):
        rows[a].append((b, length))
        rows[b].append((a, length))
    ways[source] = 0.0
    queue = [(0.0, source)]
    while queue:
        way, node = heapq.heappop(queue)
        if way > ways[node]:
            continue
        for other, step in rows[node]:
            if way + step < ways[other]:
                ways[other] = way + step
                heapq.heappush(queue, (way + step, other))
    return ways


def _through_edges(
    points: Floats, triangles: Indices, edges: Indices, sides: Indices, start: int, end: int
) -> list[tuple[int, float]]:
    """Return the crossings of the shortest way over vertices and points between them: (edge, share), or (-1 - vertex, 0).

    Args:
        points: (vertex_count, 3) [m]
        triangles: (count, 3) where it may run
        edges: (edge_count, 2) of the whole surface
        sides: (count, 3) edges of these triangles
        start: vertex
        end: vertex
    """
    shares = np.arange(1, BETWEEN + 1) / (BETWEEN + 1.0)
    vertex_count = len(points)
    used = np.unique(sides)
    places = {vertex: points[vertex] for vertex in np.unique(triangles).tolist()}
    members: list[list[int]] = []
    homes: dict[int, list[int]] = {}
    for edge in used.tolist():
        a, b = points[edges[edge, 0]], points[edges[edge, 1]]
        for k, share in enumerate(shares.tolist()):
            places[vertex_count + edge * BETWEEN + k] = a + share * (b - a)
    for number, (corners, own) in enumerate(zip(triangles.tolist(), sides.tolist(), strict=True)):
        nodes = [*corners, *(vertex_count + edge * BETWEEN + k for edge in own for k in range(BETWEEN))]
        members.append(nodes)
        for node in nodes:
            homes.setdefault(node, []).append(number)
    arrays = [np.array([places[node] for node in nodes]) for nodes in members]

    def neighbours(node: int) -> Iterable[tuple[int, float]]:
        here = places[node]
        for number in homes[node]:
            steps = np.sqrt(((arrays[number] - here) ** 2).sum(axis=1))
            yield from zip(members[number], steps.tolist(), strict=True)

    before = _dijkstra(start, end, neighbours)
    nodes = [end]
    while nodes[-1] != start:
        nodes.append(before[nodes[-1]])
    return [
        (-1 - node, 0.0)
        if node < vertex_count
        else ((node - vertex_count) // BETWEEN, float(shares[(node - vertex_count) % BETWEEN]))
        for node in reversed(nodes)
    ]


def _straightened(points: Floats, edges: Indices, crossings: list[tuple[int, float]]) -> SurfacePath:
    """Return the path with every crossing of an edge where it is shortest."""
    path = np.array(
        [
            points[-1 - edge]
            if edge < 0
            else points[edges[edge, 0]] + share * (points[edges[edge, 1]] - points[edges[edge, 0]])
            for edge, share in crossings
        ]
    )
    length = _length(path)
    for _ in range(SWEEPS):
        for k in range(1, len(path) - 1):
            edge = crossings[k][0]
            if edge >= 0:
                path[k] = _crossing(points[edges[edge, 0]], points[edges[edge, 1]], path[k - 1], path[k + 1])
        shorter = _length(path)
        if length - shorter < STRAIGHT:
            break
        length = shorter
    return SurfacePath(_length(path), path)


def _crossing(a: Floats, b: Floats, p: Floats, q: Floats) -> Floats:
    """Return where the shortest way from p to q crosses the edge from a to b."""
    along = b - a
    length = float(np.sqrt(along @ along))
    along = along / length
    s, t = float((p - a) @ along), float((q - a) @ along)
    up, down = float(np.linalg.norm(p - a - s * along)), float(np.linalg.norm(q - a - t * along))
    total = up + down
    place = s + (t - s) * up / total if total > 0.0 else 0.5 * (s + t)
    crossing: Floats = a + min(max(place, 0.0), length) * along
    return crossing


def _length(path: Floats) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
