"""Fabric: what edits remember of a cloth between them, beside its springs and particles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.triangle_mesh import Sheet, Source, area_of, rest_length
from supple.errors import SuppleError
from supple.kernel import kernel
from supple.model.springs import Springs
from supple.model.tables.ancestry import Descent
from supple.model.tables.growable import LEAST, roomy, zeros


@kernel
def link_triangles(triangles, row_starts, cursor, sides, highs, across, fan):
    """Find the neighbours of every triangle; return how many edges have more than two triangles.

    Args:
        triangles: (triangle_count, 3) points
        row_starts: (point_count + 1,) zeros; written: where the sides that start at each point begin
        cursor: (point_count,) scratch
        sides: (3 * triangle_count,) scratch: sides by their smaller point
        highs: (3 * triangle_count,) scratch: their larger points
        across: (triangle_count, 3) -1; written
        fan: (point_count,) -1; written: the first triangle of each point
    """
    for t in range(triangles.shape[0]):
        for c in range(3):
            a, b = triangles[t, c - 2], triangles[t, c - 1]  # those after corner c, counted from the end
            row_starts[min(a, b) + 1] += 1
            if fan[triangles[t, c]] < 0:
                fan[triangles[t, c]] = t
    for p in range(cursor.shape[0]):
        row_starts[p + 1] += row_starts[p]
        cursor[p] = row_starts[p]
    crowded = 0
    for t in range(triangles.shape[0]):
        for c in range(3):
            a, b = triangles[t, c - 2], triangles[t, c - 1]
            low, high = min(a, b), max(a, b)
            end = cursor[low]
            for k in range(row_starts[low], end):
                if highs[k] == high:
                    u, d = sides[k] // 3, sides[k] % 3
                    if across[u, d] >= 0 or across[t, c] >= 0:
                        crowded += 1
                    across[u, d], across[t, c] = t, u
            sides[end], highs[end] = 3 * t + c, high
            cursor[low] = end + 1
    return crowded


@kernel
def count_fans(triangles, across, fan, seen):
    """Return how many triangles turning around each point does not meet: 0 in a proper surface.

    `seen` (triangle_count, 3) bool, zeros, is scratch.
    """
    for p in range(fan.shape[0]):
        if fan[p] < 0:
            continue
        for is_back in range(2):
            t = fan[p]
            c = 0
            while triangles[t, c] != p:
                c += 1
            entry = (c + 1 + is_back) % 3
            while t >= 0:
                c = 0
                while triangles[t, c] != p:
                    c += 1
                if seen[t, c] and t != fan[p]:
                    break
                seen[t, c] = True
                u = across[t, 3 - c - entry]
                if u < 0 or u == fan[p]:
                    break
                d = 0
                while across[u, d] != t:
                    d += 1
                t, entry = u, d
    missed = 0
    for t in range(triangles.shape[0]):
        for c in range(3):
            missed += not seen[t, c]
    return missed


@kernel
def find_edge_springs(triangles, ends, row_starts, springs, spring_of):
    """Find the spring along every edge of the triangles.

    Args:
        triangles: (triangle_count, 3) points
        ends: (spring_count, 2) points
        row_starts: (point_count + 1,) zeros; written: where the springs of each smaller end begin
        springs: (spring_count,) scratch
        spring_of: (triangle_count, 3) written: spring of the edge opposite each corner, -1 if there is none
    """
    for s in range(ends.shape[0]):
        row_starts[min(ends[s, 0], ends[s, 1]) + 1] += 1
    for p in range(row_starts.shape[0] - 1):
        row_starts[p + 1] += row_starts[p]
    for s in range(ends.shape[0]):
        low = min(ends[s, 0], ends[s, 1])
        springs[row_starts[low]] = s
        row_starts[low] += 1
    for t in range(triangles.shape[0]):
        for c in range(3):
            a, b = triangles[t, (c + 1) % 3], triangles[t, (c + 2) % 3]
            low, high = min(a, b), max(a, b)
            spring_of[t, c] = -1
            begin = row_starts[low - 1] if low > 0 else 0
            for k in range(begin, row_starts[low]):
                if max(ends[springs[k], 0], ends[springs[k], 1]) == high:
                    spring_of[t, c] = springs[k]


@kernel
def measure_edges(triangles, spring_of, rest_lengths, positions, lengths):
    """Write the length at rest of the edge opposite each corner of every triangle, (triangle_count, 3) [m]."""
    for t in range(triangles.shape[0]):
        for c in range(3):
            lengths[t, c] = rest_length(triangles, spring_of, rest_lengths, positions, t, c)


@kernel
def share_by_area(triangles, lengths, totals, shares):
    """Write which part of its point's mass each corner carries: in proportion to the areas of its triangles.

    `totals` (point_count,) zeros is scratch.
    """
    for t in range(triangles.shape[0]):
        area = area_of(lengths[t, 0], lengths[t, 1], lengths[t, 2])
        for c in range(3):
            shares[t, c] = area
            totals[triangles[t, c]] += area
    for t in range(triangles.shape[0]):
        for c in range(3):
            shares[t, c] /= totals[triangles[t, c]]


@dataclass(frozen=True)
class Fabric:
    """The triangles of one body, linked; its arrays are never changed in place."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertices of the body."""

    across: NDArray[np.int64]
    """(triangle_count, 3) triangle beyond the edge opposite each corner, -1 at a border."""

    fan: NDArray[np.int64]
    """(vertex_count,) a triangle of each vertex."""

    spring_of: NDArray[np.int64]
    """(triangle_count, 3) spring of the body along the edge opposite each corner, -1 if there is none."""

    corner_shares: NDArray[np.float64]
    """(triangle_count, 3) part of its vertex's mass that each corner carries [-]."""

    birth_points: NDArray[np.int64]
    """(vertex_count, 3) vertices of the declared body around each vertex."""

    birth_weights: NDArray[np.float64]
    """(vertex_count, 3) weights of these; a vertex of the declared body has 1, 0, 0."""

    mean_edge: NDArray[np.float64]
    """(1,) mean length of edges at rest, as declared [m]: edits of edits do not get ever finer."""

    @property
    def descent(self) -> Descent:
        """Where its vertices and triangles come from."""
        return Descent(self.corner_shares, self.birth_points)

    def copied(self) -> Fabric:
        """Return the same in memory of its own, with room to grow."""
        return Fabric(**{name: roomy(array) for name, array in vars(self).items()})

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays by name, for a saved state."""
        return dict(vars(self))


def weave(
    name: str, triangles: NDArray[np.int64], vertex_count: int, springs: Springs, points: NDArray[np.float64]
) -> Fabric:
    """Return the fabric of a body as it was declared, in memory of its own and with room to grow.

    Args:
        name: of the body, for messages
        triangles: (triangle_count, 3) vertices
        vertex_count: of the body
        springs: of the body, their ends counted from its first vertex
        points: (vertex_count, 3) [m], where they are
    """
    if len(triangles) == 0:
        raise SuppleError(f"{name!r} has no surface, so it cannot be cut or torn. Only cloth can.")
    if springs.count == 0:
        raise SuppleError(f"{name!r} has no springs, so it cannot be cut, torn or sewn. Only cloth can.")
    triangles = roomy(np.asarray(triangles, dtype=np.int64))
    count = len(triangles)
    across, fan = zeros((count, 3), np.int64), zeros((vertex_count,), np.int64)
    across[...] = fan[...] = -1
    starts, cursor = np.zeros(vertex_count + 1, np.int64), np.empty(vertex_count, np.int64)
    sides, highs = np.empty(3 * count, np.int64), np.empty(3 * count, np.int64)
    crowded = link_triangles(triangles, starts, cursor, sides, highs, across, fan)
    if crowded or count_fans(triangles, across, fan, np.zeros((count, 3), np.bool_)):
        raise SuppleError(
            f"the surface of {name!r} branches: an edge has more than two triangles, or two parts meet in one"
            " point. Only a surface that lies flat around every point can be cut, torn or sewn."
        )
    if (fan < 0).any():
        loose = int(np.argmax(fan < 0))
        raise SuppleError(f"vertex {loose} of {name!r} belongs to no triangle, so it cannot be cut or torn.")
    spring_of = zeros((count, 3), np.int64)
    find_edge_springs(
        triangles,
        springs.ends,
        np.zeros(vertex_count + 1, np.int64),
        np.empty(springs.count, np.int64),
        spring_of,
    )
    lengths, corner_shares = np.empty((count, 3)), zeros((count, 3), np.float64)
    measure_edges(triangles, spring_of, springs.rest_lengths, np.ascontiguousarray(points), lengths)
    share_by_area(triangles, lengths, np.zeros(vertex_count), corner_shares)
    birth_points, birth_weights = zeros((vertex_count, 3), np.int64), zeros((vertex_count, 3), np.float64)
    birth_points[...] = np.arange(vertex_count)[:, None]
    birth_weights[:, 0] = 1.0
    return Fabric(
        triangles=triangles,
        across=across,
        fan=fan,
        spring_of=spring_of,
        corner_shares=corner_shares,
        birth_points=birth_points,
        birth_weights=birth_weights,
        mean_edge=np.array([lengths.mean()]),
    )


def open_sheet(
    fabric: Fabric,
    springs: Springs,
    points: NDArray[np.float64],
    masses: NDArray[np.float64],
    shares: NDArray[np.float64],
    room: int,
    bench: Bench | None = None,
) -> Sheet:
    """Return a working copy with room for `room` more points and three times as many triangles."""
    count, vertex_count = len(fabric.triangles), len(points)
    triangle_room, point_room = count + 3 * room, vertex_count + room
    bench = Bench() if bench is None else bench
    bench.open(fabric)
    return Sheet(
        counts=np.array([vertex_count, count]),
        triangles=bench.copy_of(fabric, "triangles", triangle_room),
        across=bench.copy_of(fabric, "across", triangle_room),
        fan=bench.copy_of(fabric, "fan", point_room),
        positions=bench.copy("positions", points, point_room),
        lengths=bench.lend("lengths", (triangle_room, 3), np.float64),
        shapes=bench.lend("shapes", (triangle_room, 3), np.float64),
        kinds=bench.lend("kinds", (triangle_room, 3), np.int8),
        regions=bench.lend("regions", (triangle_room, 3), np.int32),
        loads=bench.lend("loads", (triangle_room, 3, 2), np.float64),
        is_read=bench.filled("is_read", (triangle_room,), np.bool_, 0),
        areas=bench.filled("areas", (triangle_room,), np.float64, -1),
        is_marked=bench.filled("is_marked", (triangle_room, 3), np.bool_, 0),
        changes=bench.filled("changes", (triangle_room,), np.uint8, 0),
        is_parted=bench.filled("is_parted", (point_room,), np.bool_, 0),
        parents=bench.lend("parents", (point_room, 2), np.int64),  # of points that are new
        parent_shares=bench.filled("parent_shares", (point_room,), np.float64, 0),
        source=Source(
            triangles=fabric.triangles,
            across=fabric.across,
            spring_of=fabric.spring_of,
            rest_lengths=springs.rest_lengths,
            shape=springs.shape,
            kind=springs.kind,
            region=springs.region,
            corner_shares=fabric.corner_shares,
            masses=masses,
            shares=shares,
        ),
    )


class Bench:
    """Memory to work on a body in, used again for the next one: fresh pages take longer than a cut.

    What is lent under a name is what was lent under it before.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._rooms: dict[str, NDArray[Any]] = {}
        self._lying: Fabric | None = None
        """The fabric whose arrays lie here to the last number, if there is one."""

        self._opened: Fabric | None = None
        """The same, while somebody works on it."""

        self._aside: dict[str, NDArray[Any]] = {}
        """Memory for the pieces of a fabric, which they keep."""

    def set_aside(self, fabric: Fabric) -> None:
        """Set memory aside for the pieces that a fabric may come apart into."""
        for name, array in vars(fabric).items():
            room = len(array) + len(array) // 8 + LEAST
            if name not in self._aside or len(self._aside[name]) < len(array):
                self._aside[name] = np.empty((room, *array.shape[1:]), array.dtype)
                self._aside[name].fill(0)  # touches the pages now

    @property
    def is_empty(self) -> bool:
        """Whether nobody has worked here yet."""
        return not self._rooms

    def lay_out(self, fabric: Fabric, springs: Springs, points: NDArray[np.float64], room: int) -> None:
        """Lay a fabric here as if somebody had worked on it; see `open_sheet`."""
        nothing = np.zeros(len(points))
        open_sheet(fabric, springs, points, nothing, nothing, room, self)
        for name in ("birth_points", "birth_weights", "spring_of", "corner_shares"):
            array: NDArray[Any] = getattr(fabric, name)
            self.copy(name, array, len(array) + 3 * room)
        self._lying = fabric

    def give(self, like: NDArray[Any], name: str) -> NDArray[Any]:
        """Return memory for an array like another one, to keep."""
        room = self._aside.pop(name, None)
        return np.empty_like(like) if room is None or len(room) < len(like) else room[: len(like)]

    def open(self, fabric: Fabric) -> None:
        """Begin to work on a fabric."""
        self._opened = fabric if fabric is self._lying else None
        self._lying = None

    def finish(self, made: Fabric, fabric: Fabric) -> None:
        """Be told that what was `made` here has become a fabric: whoever works on it next need not copy it again."""
        if made.triangles.base is self._rooms.get("triangles"):
            self._lying = fabric

    def copy_of(self, fabric: Fabric, name: str, room: int) -> NDArray[Any]:
        """Return an array of `room` rows that begins with one of the fabric that was opened."""
        array: NDArray[Any] = getattr(fabric, name)
        if self._opened is fabric and len(self._rooms[name]) >= room:
            return self._rooms[name][:room]
        return self.copy(name, array, room)

    def lend(self, name: str, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """Return an array that holds anything."""
        room = self._rooms.get(name)
        if room is None or len(room) < shape[0]:
            room = self._rooms[name] = np.empty((shape[0] + shape[0] // 8 + LEAST, *shape[1:]), dtype)
        return room[: shape[0]]

    def filled(self, name: str, shape: tuple[int, ...], dtype: Any, value: int) -> NDArray[Any]:
        """Return an array of one value."""
        array = self.lend(name, shape, dtype)
        array[...] = value
        return array

    def copy(self, name: str, array: NDArray[Any], room: int) -> NDArray[Any]:
        """Return an array of `room` rows that begins with a copy of another."""
        larger = self.lend(name, (room, *array.shape[1:]), array.dtype)
        larger[: len(array)] = array
        return larger
