"""A standing figure: where its trunk, arms and legs are, found on any surface that has them.

Theory: docs/theory/panels.md, eq. (P5). Distances along the surface from the top of the head grow towards hands and
feet whatever the pose. Bands of equal distance fall into rings: one round the neck and trunk, one more for each arm
from the armpit on, and one for each leg from the crotch on. The tree of these rings is the Reeb graph of the distance;
its branches are the limbs, and the middles of the rings their axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.scene.placement import FloatArray, IndexArray

BANDS = 60
"""Bands of distance between the top of the head and the farthest tip."""

SHORTEST_LIMB = 0.15
"""Least length of an arm or a leg, as a fraction of the figure's height [-]."""


@dataclass(frozen=True)
class Limb:
    """An arm or a leg: the middle of its cross-sections from where it leaves the trunk to its end."""

    middles: FloatArray
    """(count, 3) [m]"""

    members: IndexArray
    """Vertices of the figure that belong to it."""

    @cached_property
    def arc(self) -> FloatArray:
        """How far along the limb each of the middles lies, (count,) [m]."""
        steps = np.linalg.norm(np.diff(self.middles, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    def at(self, along: FloatArray) -> FloatArray:
        """Return places (n, 3) on the axis so far along [m]; it goes on straight beyond both ends."""
        inside = np.clip(along, 0.0, self.arc[-1])
        places = np.column_stack([np.interp(inside, self.arc, self.middles[:, k]) for k in range(3)])
        return places + (along - inside)[:, None] * self.direction(along)

    def direction(self, along: FloatArray) -> FloatArray:
        """Return unit directions (n, 3) of the axis so far along, from the trunk outwards."""
        step = 0.12 * self.arc[-1]
        inside = np.clip(along, 0.0, self.arc[-1])
        low, high = np.maximum(inside - step, 0.0), np.minimum(inside + step, self.arc[-1])
        ends = [
            np.column_stack([np.interp(s, self.arc, self.middles[:, k]) for k in range(3)])
            for s in (low, high)
        ]
        apart = ends[1] - ends[0]
        directions: FloatArray = apart / np.linalg.norm(apart, axis=1, keepdims=True)
        return directions

    def coordinates(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how far along the axis points (n, 3) lie, and how far from it, both (n,) [m]."""
        along = np.linspace(0.0, self.arc[-1], 80)
        places = self.at(along)
        apart = points[:, None] - places[None]
        distances = np.einsum("nkx,nkx->nk", apart, apart)
        nearest = distances.argmin(axis=1)
        return along[nearest], np.sqrt(distances[np.arange(len(points)), nearest])


@dataclass(frozen=True)
class Figure:
    """The regions of a standing figure, and the heights that tailors go by."""

    vertices: FloatArray
    """(vertex_count, 3) [m]"""

    triangles: IndexArray
    """(triangle_count, 3) counter-clockwise seen from outside"""

    forward: FloatArray
    """(3,) horizontal unit vector to which it faces."""

    limbs: dict[str, Limb]
    """Arms and legs by region."""

    trunk: IndexArray
    """Vertices of the trunk, from the armpits to the crotch."""

    crotch: float
    """Height of the crotch [m]."""

    armpit: float
    """Height of the armpits [m]."""

    neck: float
    """Height of the base of the neck, where shoulder seams end [m]."""

    head_girth: float
    """Way round the head where it is widest [m]."""

    @property
    def left(self) -> FloatArray:
        """(3,) horizontal unit vector to its left."""
        left: FloatArray = np.cross((0.0, 1.0, 0.0), self.forward)
        return left

    @cached_property
    def centre(self) -> FloatArray:
        """(3,) middle of the trunk [m]."""
        points = self.vertices[self.trunk]
        middle: FloatArray = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return middle

    @cached_property
    def sections(self) -> FloatArray:
        """(count, 5) of the trunk, upwards: height, half width, half depth, middle to the left and to the front [m]."""
        points = self.vertices[self.trunk] - self.centre * (1.0, 0.0, 1.0)
        places = np.column_stack([points[:, 1], points @ self.left, points @ self.forward])
        heights = np.linspace(self.crotch, places[:, 0].max(), 25)
        rows = []
        for height in heights:
            inside = places[np.abs(places[:, 0] - height) < 0.025]
            if len(inside) >= 6:
                low, high = inside[:, 1:].min(axis=0), inside[:, 1:].max(axis=0)
                rows.append((height, *(0.5 * (high - low)), *(0.5 * (high + low))))
        return np.array(rows)

    def trunk_girth(self, heights: FloatArray) -> FloatArray:
        """Return the way round the trunk at heights between crotch and armpits, (n,) [m]."""
        rows = self.sections
        wide, deep = (np.interp(heights, rows[:, 0], rows[:, k]) for k in (1, 2))
        return np.array([ellipse_girth(a, b) for a, b in zip(wide, deep, strict=True)])

    @cached_property
    def waist(self) -> float:
        """Height of the waist, where the trunk is narrowest between crotch and armpits [m]."""
        rows = self.sections
        low, high = (
            self.crotch + 0.2 * (self.armpit - self.crotch),
            self.armpit - 0.15 * (self.armpit - self.crotch),
        )
        between = rows[(rows[:, 0] > low) & (rows[:, 0] < high)]
        return float(between[(between[:, 1] + between[:, 2]).argmin(), 0])

    @cached_property
    def samples(self) -> tuple[FloatArray, FloatArray]:
        """Places all over its surface (n, 3) [m], and the unit normals there."""
        corners = self.vertices[self.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        at_vertices = np.zeros_like(self.vertices)
        for k in range(3):
            np.add.at(at_vertices, self.triangles[:, k], normals)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
        at_vertices /= np.maximum(np.linalg.norm(at_vertices, axis=1, keepdims=True), 1e-30)
        used = np.unique(self.triangles)
        places = np.concatenate([self.vertices[used], corners.mean(axis=1)])
        return places, np.concatenate([at_vertices[used], normals])


def find_figure(vertices: FloatArray, triangles: IndexArray, name: str = "the figure") -> Figure:
    """Return the regions of a figure that stands upright, Y up, or say what was not found on it.

    Args:
        vertices: (vertex_count, 3) [m]
        triangles: (triangle_count, 3) counter-clockwise seen from outside
        name: what errors call it
    """
    vertices, triangles = _largest_part(np.asarray(vertices, float), np.asarray(triangles))
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    height = float(np.ptp(vertices[:, 1]))
    distance = _distances(vertices, edges, int(vertices[:, 1].argmax()))
    band = np.minimum((distance / distance.max() * BANDS).astype(int), BANDS - 1)
    ring = _rings(band, edges)
    branches = _branches(vertices, band, ring, edges, height)
    floor = vertices[:, 1].min()
    feet = [b for b in branches if vertices[b[-1], 1].min() < floor + 0.06 * height]
    hands = [b for b in branches if vertices[b[-1], 1].min() >= floor + 0.06 * height]
    if len(feet) != 2 or len(hands) != 2:
        raise SuppleError(
            f"{name} has {len(feet)} legs and {len(hands)} arms, as far as its surface shows, but a garment is put on a "
            "standing figure with two of each, apart from each other and from the trunk. Hold the arms further out, "
            "or place the panels by the pattern file (leave out `body`)."
        )
    forward = _forward(vertices, feet)
    left = np.cross((0.0, 1.0, 0.0), forward)
    limbs = {}
    is_limb = np.zeros(len(vertices), bool)
    for kind, pair in (("arm", hands), ("leg", feet)):
        sides = sorted(pair, key=lambda rings: -float(vertices[np.concatenate(rings)].mean(axis=0) @ left))
        for side, rings in zip(("left", "right"), sides, strict=True):
            members = np.concatenate(rings)
            is_limb[members] = True
            middles = np.array([0.5 * (vertices[r].min(axis=0) + vertices[r].max(axis=0)) for r in rings])
            limbs[f"{side}-{kind}"] = Limb(middles, members)
    is_limb |= _beyond(band, is_limb, edges)
    crotch = _crotch(vertices, feet, left, height)
    armpit = float(
        np.mean(
            [
                _inner_height(vertices, limbs[f"{s}-arm"], w * left)
                for s, w in (("left", 1.0), ("right", -1.0))
            ]
        )
    )
    first = min(int(band[limbs[f"{s}-arm"].members].min()) for s in ("left", "right"))
    above, neck, girth = _neck_and_head(vertices, band, first, armpit, left, forward)
    trunk = np.flatnonzero(~is_limb & ~above & (vertices[:, 1] > crotch - 0.02 * height))
    return Figure(vertices, triangles, forward, limbs, trunk, crotch, armpit, neck, girth)


def _largest_part(vertices: FloatArray, triangles: IndexArray) -> tuple[FloatArray, IndexArray]:
    """Return the largest connected part of a surface, with vertices at one place as one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    _, first, same = np.unique(np.round(vertices, 7), axis=0, return_index=True, return_inverse=True)
    triangles = same.reshape(-1)[triangles]
    triangles = triangles[
        (triangles[:, 0] != triangles[:, 1])
        & (triangles[:, 1] != triangles[:, 2])
        & (triangles[:, 2] != triangles[:, 0])
    ]
    count = len(first)
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]]])
    _, part = connected_components(
        coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count)), directed=False
    )
    largest = np.bincount(part[triangles[:, 0]]).argmax()
    triangles = triangles[part[triangles[:, 0]] == largest]
    used, corners = np.unique(triangles, return_inverse=True)
    return vertices[first][used], corners.reshape(-1, 3)


def _distances(vertices: FloatArray, edges: IndexArray, start: int) -> FloatArray:
    """Return the length of the shortest way along edges from a vertex to every other (vertex_count,) [m]."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import dijkstra

    lengths = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1)
    count = len(vertices)
    graph = coo_array((lengths, (edges[:, 0], edges[:, 1])), shape=(count, count)).tocsr()
    result: FloatArray = dijkstra(graph, directed=False, indices=start)
    return result


def _rings(band: IndexArray, edges: IndexArray) -> IndexArray:
    """Return the number of the ring that each vertex lies in: parts of a band that hang together, (vertex_count,)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    inside = edges[band[edges[:, 0]] == band[edges[:, 1]]]
    count = len(band)
    graph = coo_array((np.ones(len(inside)), (inside[:, 0], inside[:, 1])), shape=(count, count))
    ring: IndexArray = connected_components(graph, directed=False)[1]
    return ring


def _branches(
    vertices: FloatArray, band: IndexArray, ring: IndexArray, edges: IndexArray, height: float
) -> list[list[IndexArray]]:
    """Return the limbs, each as the vertices of its rings from the trunk to the tip."""
    count = int(ring.max()) + 1
    band_of = np.zeros(count, int)
    band_of[ring] = band
    between = ring[edges[band[edges[:, 0]] != band[edges[:, 1]]]]
    between = np.unique(np.sort(between, axis=1), axis=0)
    inner, outer = between[:, 0], between[:, 1]
    is_turned = band_of[inner] > band_of[outer]
    inner, outer = np.where(is_turned, outer, inner), np.where(is_turned, inner, outer)
    sizes = np.bincount(ring)
    parent = np.full(count, -1)
    parent[outer] = inner
    # The size of what lies beyond a ring tells a limb from a finger.
    beyond = sizes.astype(float)
    for r in np.argsort(-band_of, kind="stable"):
        if parent[r] >= 0:
            beyond[parent[r]] += beyond[r]
    order = np.argsort(ring, kind="stable")
    members = np.split(order, np.cumsum(sizes)[:-1])
    least = 0.015 * len(vertices)
    children: list[list[int]] = [[] for _ in range(count)]
    for r in range(count):
        if parent[r] >= 0 and beyond[r] > least:
            children[parent[r]].append(r)
    branches = []
    for fork in range(count):
        if len(children[fork]) < 2:
            continue
        for r in children[fork]:
            rings, here = [members[r]], r
            while len(children[here]) == 1:
                here = children[here][0]
                rings.append(members[here])
            middles = np.array([vertices[m].mean(axis=0) for m in rings])
            length = np.linalg.norm(np.diff(middles, axis=0), axis=1).sum()
            if length > SHORTEST_LIMB * height and not children[here]:
                branches.append(rings)
    return branches


def _forward(vertices: FloatArray, feet: list[list[IndexArray]]) -> FloatArray:
    """Return where the toes point: from the ankles to the ends of the feet, level and of unit length."""
    floor = vertices[:, 1].min()
    height = np.ptp(vertices[:, 1])
    direction = np.zeros(3)
    for rings in feet:
        points = vertices[np.concatenate(rings)]
        low = points[points[:, 1] < floor + 0.05 * height]
        shin = points[(points[:, 1] > floor + 0.07 * height) & (points[:, 1] < floor + 0.14 * height)]
        direction += 0.5 * (low.min(axis=0) + low.max(axis=0)) - 0.5 * (shin.min(axis=0) + shin.max(axis=0))
    direction[1] = 0.0
    # A figure nearly always faces along an axis; feet that turn out a little must not twist its garment.
    nearest = np.zeros(3)
    axis = int(np.abs(direction).argmax())
    nearest[axis] = np.sign(direction[axis])
    length = np.linalg.norm(direction)
    return nearest if length == 0.0 or direction @ nearest > 0.9 * length else direction / length


def _beyond(band: IndexArray, is_limb: NDArray[np.bool_], edges: IndexArray) -> NDArray[np.bool_]:
    """Return which vertices lie beyond those of limbs, such as tips of fingers, (vertex_count,)."""
    reached = is_limb.copy()
    outward = np.where((band[edges[:, 0]] <= band[edges[:, 1]])[:, None], edges, edges[:, ::-1])
    for _ in range(BANDS):
        fresh = outward[reached[outward[:, 0]] & ~reached[outward[:, 1]], 1]
        fresh = np.concatenate(
            [
                fresh,
                edges[(band[edges[:, 0]] == band[edges[:, 1]]) & (reached[edges].sum(axis=1) == 1)].ravel(),
            ]
        )
        if reached[fresh].all():
            break
        reached[fresh] = True
    return reached


def _crotch(vertices: FloatArray, feet: list[list[IndexArray]], left: FloatArray, height: float) -> float:
    """Return the height of the crotch: the lowest place of the surface midway between the legs [m]."""
    middle = 0.5 * sum(float(vertices[np.concatenate(rings)].mean(axis=0) @ left) for rings in feet)
    floor = vertices[:, 1].min()
    between = (np.abs(vertices @ left - middle) < 0.004 * height) & (vertices[:, 1] > floor + 0.3 * height)
    if between.any():
        return float(vertices[between, 1].min())
    return float(np.mean([vertices[rings[0], 1].max() for rings in feet]))


def _inner_height(vertices: FloatArray, arm: Limb, outward: FloatArray) -> float:
    """Return the height of an armpit: of the innermost place of an arm on its underside [m]."""
    points = vertices[arm.members]
    along, _ = arm.coordinates(points)
    root = points[along < 0.1 * arm.arc[-1]]
    low = root[root[:, 1] < np.median(root[:, 1])]
    return float(low[(low @ outward) < np.quantile(low @ outward, 0.3), 1].mean())


def _neck_and_head(
    vertices: FloatArray, band: IndexArray, first: int, armpit: float, left: FloatArray, forward: FloatArray
) -> tuple[NDArray[np.bool_], float, float]:
    """Return which vertices are above the neck's base, its height [m] and the head's girth [m]."""
    top = vertices[:, 1].max()
    upper = np.flatnonzero((band < first) & (vertices[:, 1] > armpit))
    points = vertices[upper]
    heights = np.linspace(armpit, top, 60)[1:-1]
    half = 0.5 * (heights[1] - heights[0]) + 1e-3
    rows = []
    for height in heights:
        inside = points[np.abs(points[:, 1] - height) < 2.0 * half]
        if len(inside) >= 4:
            rows.append((height, np.ptp(inside @ left), np.ptp(inside @ forward)))
    table = np.array(rows)
    girths = np.array([ellipse_girth(0.5 * w, 0.5 * d) for _, w, d in rows])
    # The head is the widest place above the narrowest one, the neck.
    above = table[:, 0] > armpit + 0.35 * (top - armpit)
    narrow = int(np.flatnonzero(above)[0] + girths[above][: max(1, above.sum() * 2 // 3)].argmin())
    wide = girths[narrow:].max()
    shoulders = np.flatnonzero(girths[:narrow] > 1.45 * girths[narrow])
    base = float(table[shoulders[-1] + 1, 0]) if len(shoulders) else float(table[narrow, 0])
    return vertices[:, 1] > base, base, float(wide)


def ellipse_girth(a: float, b: float) -> float:
    """Return the way round an ellipse of half axes a and b [m], within 0.1 % (Ramanujan)."""
    if a + b <= 0.0:
        return 0.0
    h = ((a - b) / (a + b)) ** 2
    return float(np.pi * (a + b) * (1.0 + 3.0 * h / (10.0 + np.sqrt(4.0 - 3.0 * h))))
