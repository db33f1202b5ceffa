"""Wind shadow: obstacles shelter what is behind them.

Theory: docs/theory/air.md, eq. (A9). Seen along the stream an obstacle is a flat silhouette. A point behind it looks
upstream through a window that grows with the distance, because the stream mixes in from all sides: the share of
the window that the silhouette covers is the share of the stream that is missing. Close behind a
wall the window shows nothing but wall; ten widths away the wall is a small part of what it shows.

A silhouette is drawn once for each direction from which an obstacle is seen, in the obstacle's own axes, as a small
picture whose sums make the window a matter of four numbers. One that moves keeps its picture;
one that turns, or a wind that turns, needs a new one. Puppets deform: theirs is drawn in every frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles import shapes
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.puppets import Puppets
from supple.collide.obstacles.signed_distance import into_axes
from supple.collide.obstacles.solid_arrays import parts_of
from supple.kernel import cross, dot, kernel, norm

SIDE = 32
"""Points along a side of the picture of a silhouette."""

SPREAD = 0.31
"""Half the width of the window over the distance to the obstacle [-]: a wake closes after some five widths."""

IN_THE_WORLD = np.concatenate([np.eye(3).ravel(), np.zeros(3)])[None]
"""(1, 12) pose of what is told in world axes."""

GRAZING = 0.3
"""Sine of the angle from which on a plane that the wind comes out of shelters wholly [-]."""


class Picture(NamedTuple):
    """A silhouette drawn along a direction, in the axes of the solid."""

    frame: NDArray[np.float64]
    """(14,) three axes of the picture (right, up, along), its low corner, its half sizes and the depth of its middle [m]."""

    depths: NDArray[np.float64]
    """(SIDE, SIDE) where the stream comes out of the solid, along it [m]; -inf where it passes."""

    sums: NDArray[np.float64]
    """(SIDE + 1, SIDE + 1) covered points left of and below each corner: a summed-area table."""


@kernel(counts_references=False)
def axes_across(d):
    """Return any two unit vectors across a direction and each other; all are 3-tuples."""
    if abs(d[0]) <= abs(d[1]) and abs(d[0]) <= abs(d[2]):
        a = (0.0, -d[2], d[1])
    elif abs(d[1]) <= abs(d[2]):
        a = (d[2], 0.0, -d[0])
    else:
        a = (-d[1], d[0], 0.0)
    scale = 1.0 / norm(a)
    a = (scale * a[0], scale * a[1], scale * a[2])
    return a, cross(d, a)


@kernel(counts_references=False)
def principal_axes(vertices, a, b):
    """Return the axes a and b, turned in their plane to where the vertices spread most and least.

    So the picture is as narrow as the solid, and a pole is not lost in a square.
    """
    count = vertices.shape[0]
    ma, mb, saa, sab, sbb = 0.0, 0.0, 0.0, 0.0, 0.0
    for n in range(count):
        place = (vertices[n, 0], vertices[n, 1], vertices[n, 2])
        u, v = dot(a, place), dot(b, place)
        ma, mb = ma + u, mb + v
        saa, sab, sbb = saa + u * u, sab + u * v, sbb + v * v
    saa, sab, sbb = saa - ma * ma / count, sab - ma * mb / count, sbb - mb * mb / count
    turn = 0.5 * math.atan2(2.0 * sab, saa - sbb)
    c, s = math.cos(turn), math.sin(turn)
    return (
        (c * a[0] + s * b[0], c * a[1] + s * b[1], c * a[2] + s * b[2]),
        (c * b[0] - s * a[0], c * b[1] - s * a[1], c * b[2] - s * a[2]),
    )


@kernel(counts_references=False)
def project_vertices(vertices, a, b, d, frame, seen):
    """Write the vertices in points of the picture, with their depth [m] along d, and the frame around them."""
    low_a, low_b, low_d = math.inf, math.inf, math.inf
    high_a, high_b, high_d = -math.inf, -math.inf, -math.inf
    for n in range(vertices.shape[0]):
        place = (vertices[n, 0], vertices[n, 1], vertices[n, 2])
        u, v, depth = dot(a, place), dot(b, place), dot(d, place)
        low_a, high_a = min(low_a, u), max(high_a, u)
        low_b, high_b = min(low_b, v), max(high_b, v)
        low_d, high_d = min(low_d, depth), max(high_d, depth)
        seen[n, 0], seen[n, 1], seen[n, 2] = u, v, depth
    half_a, half_b = max(0.5 * (high_a - low_a), 1e-9), max(0.5 * (high_b - low_b), 1e-9)
    for axis in range(3):
        frame[axis], frame[3 + axis], frame[6 + axis] = a[axis], b[axis], d[axis]
    frame[9], frame[10] = low_a, low_b
    frame[11], frame[12] = half_a, half_b
    frame[13] = 0.5 * (low_d + high_d)
    per_a, per_b = 0.5 * SIDE / half_a, 0.5 * SIDE / half_b
    for n in range(vertices.shape[0]):
        seen[n, 0] = (seen[n, 0] - low_a) * per_a - 0.5
        seen[n, 1] = (seen[n, 1] - low_b) * per_b - 0.5


@kernel(counts_references=False)
def rasterise(triangles, seen, depths):
    """Write the largest depth of any triangle over each point of the picture."""
    depths[:] = -math.inf
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        px, py = seen[i, 0], seen[i, 1]
        qx, qy = seen[j, 0], seen[j, 1]
        rx, ry = seen[k, 0], seen[k, 1]
        area = (qx - px) * (ry - py) - (qy - py) * (rx - px)
        if area == 0.0:
            continue
        first_x = max(0, math.ceil(min(px, min(qx, rx)) - 1e-9))
        last_x = min(SIDE - 1, math.floor(max(px, max(qx, rx)) + 1e-9))
        first_y = max(0, math.ceil(min(py, min(qy, ry)) - 1e-9))
        last_y = min(SIDE - 1, math.floor(max(py, max(qy, ry)) + 1e-9))
        if first_x > last_x or first_y > last_y:
            continue
        pz, qz, rz = seen[i, 2], seen[j, 2], seen[k, 2]
        for y in range(first_y, last_y + 1):
            for x in range(first_x, last_x + 1):
                u = ((x - px) * (ry - py) - (y - py) * (rx - px)) / area
                v = ((qx - px) * (y - py) - (qy - py) * (x - px)) / area
                if u >= -1e-9 and v >= -1e-9 and u + v <= 1.0 + 2e-9:
                    depths[y, x] = max(depths[y, x], pz + u * (qz - pz) + v * (rz - pz))


@kernel(counts_references=False)
def sum_covered(depths, sums):
    """Write the summed-area table of the covered points."""
    for x in range(SIDE + 1):
        sums[0, x] = 0.0
    for y in range(SIDE):
        row = 0.0
        sums[y + 1, 0] = 0.0
        for x in range(SIDE):
            if depths[y, x] > -math.inf:
                row += 1.0
            sums[y + 1, x + 1] = sums[y, x + 1] + row


@kernel(counts_references=False)
def draw_silhouette(vertices, triangles, direction, seen, picture):
    """Draw how a solid looks along a direction, in its own axes.

    Args:
        vertices: (vertex_count, 3) [m]
        triangles: (triangle_count, 3)
        direction: (3,) where the stream goes, a unit vector in the solid's axes
        seen: (vertex_count, 3) scratch: the vertices in the picture, and their depth
        picture: see `Picture`, written
    """
    d = (direction[0], direction[1], direction[2])
    a, b = axes_across(d)
    a, b = principal_axes(vertices, a, b)
    project_vertices(vertices, a, b, d, picture.frame, seen)
    rasterise(triangles, seen, picture.depths)
    sum_covered(picture.depths, picture.sums)


@kernel
def covered_below(sums, x, y):
    """Return the covered points left of x and below y, which lie between whole numbers."""
    x, y = min(max(x, 0.0), float(SIDE)), min(max(y, 0.0), float(SIDE))
    i, j = min(int(x), SIDE - 1), min(int(y), SIDE - 1)
    u, v = x - i, y - j
    low = (1.0 - u) * sums[j, i] + u * sums[j, i + 1]
    high = (1.0 - u) * sums[j + 1, i] + u * sums[j + 1, i + 1]
    return (1.0 - v) * low + v * high


@kernel
def missing_share(picture, x, y, z):
    """Return the share of a stream that a solid keeps from a point in the solid's axes [-].

    Theory: docs/theory/air.md, eq. (A9).
    """
    frame, depths, sums = picture
    a = frame[0] * x + frame[1] * y + frame[2] * z - frame[9]
    b = frame[3] * x + frame[4] * y + frame[5] * z - frame[10]
    d = frame[6] * x + frame[7] * y + frame[8] * z
    per_a, per_b = 0.5 * SIDE / frame[11], 0.5 * SIDE / frame[12]
    i = min(max(int(a * per_a), 0), SIDE - 1)
    j = min(max(int(b * per_b), 0), SIDE - 1)
    depth = depths[j, i] if depths[j, i] > -math.inf else frame[13]
    behind = d - depth
    if behind <= 0.0:
        return 0.0
    soft = 0.1 * min(frame[11], frame[12])
    reach = max(SPREAD * behind, soft)
    left, right = (a - reach) * per_a, (a + reach) * per_a
    low, high = (b - reach) * per_b, (b + reach) * per_b
    if right <= 0.0 or left >= SIDE or high <= 0.0 or low >= SIDE:
        return 0.0
    covered = (
        covered_below(sums, right, high)
        - covered_below(sums, left, high)
        - covered_below(sums, right, low)
        + covered_below(sums, left, low)
    )
    return min(1.0, behind / soft) * covered / ((right - left) * (high - low))


@kernel(is_entry=True)
def shade_points(poses, o, picture, origin, direction, points, exposures):
    """Multiply the exposure of points by what solid o lets through of one stream.

    Args:
        poses: (solid_count, 12)
        o: the solid
        picture: its silhouette, see `Picture`
        origin: where the stream begins, along its direction [m]
        direction: (3,) of the stream, in world axes
        points: (point_count, 3) [m]
        exposures: (point_count,) [-], multiplied
    """
    centre = poses[o, 9] * direction[0] + poses[o, 10] * direction[1] + poses[o, 11] * direction[2]
    if centre + picture.frame[13] < origin:
        return
    for n in range(points.shape[0]):
        if exposures[n] > 0.0:
            x, y, z = into_axes(poses, o, points[n, 0], points[n, 1], points[n, 2])
            exposures[n] *= 1.0 - missing_share(picture, x, y, z)


@dataclass
class Silhouette:
    """How a solid looks along a stream."""

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    seen_along: NDArray[np.float64]
    """(3,) direction it was drawn for, in the solid's axes; zeros before it was drawn."""

    scratch: NDArray[np.float64]
    picture: Picture

    def see(self, direction: NDArray[np.float64]) -> None:
        """Draw it again if the direction (3,) is another."""
        if not np.array_equal(direction, self.seen_along):
            self.draw(direction)

    def draw(self, direction: NDArray[np.float64]) -> None:
        """Draw it as its vertices are now, along a direction (3,)."""
        self.seen_along[:] = direction
        draw_silhouette(self.vertices, self.triangles, self.seen_along, self.scratch, self.picture)

    @classmethod
    def of(cls, vertices: NDArray[np.float64], triangles: NDArray[np.int64]) -> Silhouette:
        """Make room for the picture of a surface; nothing is drawn yet."""
        return cls(
            np.array(vertices, dtype=np.float64, order="C"),
            np.ascontiguousarray(triangles, dtype=np.int64),
            np.zeros(3),
            np.zeros((len(vertices), 3)),
            Picture(np.zeros(14), np.zeros((SIDE, SIDE)), np.zeros((SIDE + 1, SIDE + 1))),
        )


class WindShadow:
    """What the obstacles and puppets of a scene keep from the wind and from fans."""

    def __init__(self, obstacles: Obstacles, puppets: Puppets) -> None:
        """Look at the obstacles and puppets; where they are is looked up whenever it is asked."""
        self._obstacles = obstacles
        self._puppets = puppets
        self._puppet_silhouettes = [Silhouette.of(*surface) for surface in puppets.surfaces()]
        self._surfaces = [part.surface() for obstacle in obstacles.declared for part in parts_of(obstacle)]
        self._silhouettes: dict[tuple[int, int], Silhouette] = {}

    def expose(
        self,
        directions: NDArray[np.float64],
        origins: NDArray[np.float64],
        points: NDArray[np.float64],
        exposures: NDArray[np.float64],
    ) -> None:
        """Write which share of each stream arrives at each point; arguments as for `Shelter.expose`."""
        exposures[:] = 1.0
        solids, poses = self._obstacles.solids, self._obstacles.poses.t1
        for s, direction in enumerate(directions):
            for o, kind in enumerate(solids.kinds):
                turn = poses[o, :9].reshape(3, 3)
                local = turn.T @ direction
                if kind == shapes.PLANE:
                    rising = float(solids.parameters[o, :3] @ local)
                    exposures[s] *= 1.0 - min(max(rising / GRAZING, 0.0), 1.0)
                    continue
                silhouette = self._silhouette(s, o)
                silhouette.see(local)
                shade_points(poses, o, silhouette.picture, origins[s], direction, points, exposures[s])
        for silhouette, (vertices, _) in zip(self._puppet_silhouettes, self._puppets.surfaces(), strict=True):
            np.copyto(silhouette.vertices, vertices)
            for s, direction in enumerate(directions):
                silhouette.draw(direction)
                shade_points(IN_THE_WORLD, 0, silhouette.picture, origins[s], direction, points, exposures[s])

    def _silhouette(self, stream: int, solid: int) -> Silhouette:
        found = self._silhouettes.get((stream, solid))
        if found is None:
            found = self._silhouettes[stream, solid] = Silhouette.of(*self._surfaces[solid])
        return found
