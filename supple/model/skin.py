"""Skin: the smooth surface of a soft body for the eye, embedded in its tetrahedra.

Theory: docs/theory/skin.md, eq. (V1). Physics knows the tetrahedra only. What is drawn, recorded and exported is a
finer surface: the boundary subdivided and projected onto the declared shape, or the mesh that the body was filled from.
Its points are interpolated from the corners of the tetrahedra they lie in, by barycentric weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.levels.embedding import embedded
from supple.model.world import BodyRange, World
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.placement import rotation_matrix
from supple.scene.scene import Scene
from supple.scene.soft_shapes.soft_shapes import SoftSurface
from supple.scene.soft_shapes.tetra_quality import FACES_OF_TETRAHEDRON

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

MOST_POINTS = 12_000
"""Points that the skin of a body adds, about: as many as a page draws without effort."""

MOST_DIVISIONS = 2
"""How often the triangles of a boundary are divided into four."""

FARTHEST_PULL = 0.5
"""How far a point is pulled onto the declared shape, in edges of the boundary [-]."""

MOST_GRABBED, LEAST_WEIGHT = 4, 0.1
"""Points of the body that a grab of the surface acts on, and the weight that one must have over the largest [-]."""

Pull = Callable[[Floats, float], Floats]
"""Moves points (n, 3) [m], by at most a reach [m], onto a shape."""


@kernel
def mean_deformations(positions, corners, gradients, volumes, totals, means):
    """Write the deformation gradient at every point: the mean of its tetrahedra, weighted by their volumes.

    Args:
        positions: (point_count, 3) [m]
        corners: (element_count, 4) point indices
        gradients: (element_count, 3, 3) [1/m], as in `Tetrahedra`
        volumes: (element_count,) [m³]
        totals: (point_count,) sum of the volumes of its tetrahedra [m³]
        means: (point_count, 3, 3) overwritten [-]
    """
    means[:] = 0.0
    for e in range(corners.shape[0]):
        for row in range(3):
            for column in range(3):
                value = 0.0
                for a in range(3):
                    edge = positions[corners[e, a + 1], row] - positions[corners[e, 0], row]
                    value += edge * gradients[e, a, column]
                for a in range(4):
                    means[corners[e, a], row, column] += volumes[e] * value
    for i in range(means.shape[0]):
        for row in range(3):
            for column in range(3):
                means[i, row, column] /= totals[i]


@kernel
def place_skin(positions, means, corners, weights, arms, points):
    """Write where the points of a skin are.

    Theory: docs/theory/skin.md, eq. (V1). Half of a point goes with its tetrahedron, half with the means at its
    corners: exact where the deformation is uniform, and the surface bends where a tetrahedron would stay flat.

    Args:
        positions: (point_count, 3) [m]
        means: (point_count, 3, 3) from `mean_deformations`
        corners: (skin_count, 4) point indices
        weights: (skin_count, 4) barycentric weights [-]
        arms: (skin_count, 4, 3) from each corner to the point, at rest [m]
        points: (skin_count, 3) [m], overwritten
    """
    for n in range(points.shape[0]):
        for axis in range(3):
            value = 0.0
            for a in range(4):
                i = corners[n, a]
                arm = 0.0
                for k in range(3):
                    arm += means[i, axis, k] * arms[n, a, k]
                value += weights[n, a] * (positions[i, axis] + 0.5 * arm)
            points[n, axis] = value


@dataclass(frozen=True)
class Skin:
    """The surface of one soft body: its own points first, then those between them."""

    triangles: Indices
    """(triangle_count, 3) counter-clockwise seen from outside."""

    corners: Indices
    """(skin_count, 4) points of the body that each added one is interpolated from."""

    weights: Floats
    """(skin_count, 4) barycentric weights of these [-]; they sum to 1."""

    arms: Floats
    """(skin_count, 4, 3) from each corner to the added point, at rest [m]."""

    totals: Floats
    """(point_count,) volume of the tetrahedra at each point of the body [m³]."""

    def placed(self, positions: Floats, elements: tuple[Indices, Floats, Floats]) -> Floats:
        """Return all points of the surface, (point_count + skin_count, 3) [m].

        Args:
            positions: (point_count, 3) of the body [m]
            elements: corners, gradients and volumes of its tetrahedra
        """
        count = len(positions)
        points = np.empty((count + len(self.corners), 3))
        points[:count] = positions
        means = np.empty((count, 3, 3))
        mean_deformations(points[:count], *elements, self.totals, means)
        place_skin(points[:count], means, self.corners, self.weights, self.arms, points[count:])
        return points

    def grabbed_points(
        self, vertices: Sequence[int], weights: Sequence[float]
    ) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Return the few points of the body that a grab of the surface acts on, and their weights.

        Args:
            vertices: points of the surface
            weights: how much each of them counts; they sum to 1
        """
        count = len(self.totals)
        sums: dict[int, float] = {}
        for vertex, weight in zip(vertices, weights, strict=True):
            parents = [(vertex, 1.0)]
            if vertex >= count:
                corners, parts = self.corners[vertex - count], self.weights[vertex - count].clip(0.0)
                parents = list(zip(corners.tolist(), (parts / parts.sum()).tolist(), strict=True))
            for corner, part in parents:
                sums[corner] = sums.get(corner, 0.0) + weight * part
        largest = sorted(sums.items(), key=lambda entry: -entry[1])[:MOST_GRABBED]
        chosen = [(corner, own) for corner, own in largest if own > LEAST_WEIGHT * largest[0][1]]
        total = sum(own for _, own in chosen)
        return tuple(corner for corner, _ in chosen), tuple(own / total for _, own in chosen)

    def spread(self, values: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return values of the body's points, (point_count, ...), for all points of the surface."""
        added = np.einsum("na,na...->n...", self.weights, np.asarray(values)[self.corners])
        return np.concatenate([values, added.astype(values.dtype)])


class Skins:
    """The skins of all soft bodies that have one, built when they are first looked at."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Build none yet."""
        self._world = world
        self._declared = {b.name: b for b in scene.bodies if isinstance(b, SoftBody) and b.smooth}
        self._skins: dict[str, Skin] = {}

    def reshape(self) -> None:
        """Follow an edit."""
        self._skins.clear()

    def of(self, body: BodyRange) -> Skin | None:
        """Return the skin of a body, None if it shows its own triangles."""
        declared = self._declared.get(body.origin)
        if declared is None or body.tetrahedra.stop == body.tetrahedra.start:
            return None
        if body.name not in self._skins:
            self._skins[body.name] = self._built(body, declared)
        return self._skins[body.name]

    def placed(self, body: BodyRange) -> tuple[Floats, Indices]:
        """Return points (n, 3) [m] and triangles of what a body shows."""
        positions = self._world.particles.positions[body.particles]
        skin = self.of(body)
        if skin is None:
            return positions, body.triangles
        return skin.placed(positions, self._elements(body)), skin.triangles

    def _elements(self, body: BodyRange) -> tuple[Indices, Floats, Floats]:
        elements, span = self._world.tetrahedra, body.tetrahedra
        corners = elements.corners[span].astype(np.int64) - body.particles.start
        return corners, elements.gradients[span], elements.volumes[span]

    def _built(self, body: BodyRange, declared: SoftBody) -> Skin:
        corners, _, volumes = self._elements(body)
        turn = rotation_matrix(declared.rotation)
        rest = (self._world.particles.rest_positions[body.particles] - np.array(declared.at)) @ turn
        is_whole = body.soft_ancestors is None
        shape = declared.shape
        if isinstance(shape, SoftSurface) and is_whole:
            places, triangles = shape.vertices, shape.outward_triangles() + len(rest)
            owners, _ = embedded(places, rest, corners)
        else:
            is_outer = shape.lies_on(rest)
            places, triangles, owners = divided_boundary(
                rest, corners, body.triangles, is_outer, shape.pulled
            )
        weights = _weights(places, rest, corners[owners])
        arms = (places[:, None, :] - rest[corners[owners]]) @ turn.T
        totals = np.zeros(len(rest))
        np.add.at(totals, corners, volumes[:, None])
        return Skin(triangles, corners[owners], weights, np.ascontiguousarray(arms), totals)


def _weights(places: Floats, rest: Floats, corners: Indices) -> Floats:
    """Return the barycentric weights of points in tetrahedra, (n, 4)."""
    edges = rest[corners[:, 1:]] - rest[corners[:, :1]]
    inner = np.einsum("nxa,nx->na", np.linalg.inv(edges), places - rest[corners[:, 0]])
    return np.concatenate([1.0 - inner.sum(axis=1, keepdims=True), inner], axis=1)


def divided_boundary(
    rest: Floats, corners: Indices, boundary: Indices, is_outer: NDArray[np.bool_], pull: Pull
) -> tuple[Floats, Indices, Indices]:
    """Divide a boundary into finer triangles and pull the new points onto a shape.

    Args:
        rest: (point_count, 3) points of the body at rest [m]
        corners: (element_count, 4) its tetrahedra
        boundary: (triangle_count, 3) their outer faces
        is_outer: (point_count,) which points lie on the declared shape, and not within a cut
        pull: onto the declared shape

    Returns:
        The new points (n, 3) [m], the triangles over old and new ones, and the tetrahedron of each new point.
    """
    keys = _face_keys(corners[:, FACES_OF_TETRAHEDRON].reshape(-1, 3), len(rest))
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys[order], _face_keys(boundary, len(rest)))
    faces = order[at] // 4
    points, triangles, owners = rest, boundary, np.zeros(0, dtype=np.int64)
    edge = (
        np.linalg.norm(rest[boundary[:, 0]] - rest[boundary[:, 1]], axis=1).mean() if len(boundary) else 0.0
    )
    for _ in range(MOST_DIVISIONS):
        if len(points) - len(rest) + 1.5 * len(triangles) > MOST_POINTS:
            break
        sides = np.sort(triangles[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2), axis=1)
        edges, first, which = np.unique(sides, axis=0, return_index=True, return_inverse=True)
        middles = points[edges].mean(axis=1)
        is_on = is_outer[edges].all(axis=1)
        middles[is_on] = pull(middles[is_on], FARTHEST_PULL * edge)
        is_outer = np.concatenate([is_outer, is_on])
        edge *= 0.5
        a, b, c = triangles.T
        opposite_a, opposite_b, opposite_c = which.reshape(-1, 3).T + len(points)
        triangles = np.concatenate(
            [
                np.stack(corner, axis=1)
                for corner in (
                    (a, opposite_c, opposite_b),
                    (b, opposite_a, opposite_c),
                    (c, opposite_b, opposite_a),
                    (opposite_a, opposite_b, opposite_c),
                )
            ]
        )
        owners = np.concatenate([owners, faces[first // 3]])
        faces = np.tile(faces, 4)
        points = np.concatenate([points, middles])
    return points[len(rest) :], triangles, owners


def _face_keys(faces: Indices, point_count: int) -> Indices:
    a, b, c = np.sort(faces, axis=1).T
    keys: Indices = (a * point_count + b) * point_count + c
    return keys
