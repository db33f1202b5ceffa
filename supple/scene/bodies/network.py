"""A free network: any points in 2D or 3D and any springs between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.scene.array_fields import MASS, IndexRows, NumberRow, PointRows, Triangles
from supple.scene.bodies.body import Body
from supple.scene.cloth_shapes.rectangle import SHORTEST_EDGE
from supple.scene.cloth_shapes.triangle_check import and_more, index_mistakes, is_repeated, triangle_mistakes
from supple.scene.error_messages import Steps
from supple.scene.field_types import STIFFEST, WIDEST, Damping, Number, StretchLimit
from supple.scene.placement import FloatArray, IndexArray

NetworkPoints = Annotated[FloatArray, PlainValidator(PointRows(dimensions=(2, 3)))]
Springs = Annotated[IndexArray, PlainValidator(IndexRows(2))]
RestLengths = Annotated[FloatArray, PlainValidator(NumberRow(Number(above=0.0, at_most=WIDEST)))]
OneOrManyStiffnesses = Annotated[
    float | FloatArray, PlainValidator(NumberRow(Number(at_least=0.0, at_most=STIFFEST), single=True))
]
OneOrManyMasses = Annotated[float | FloatArray, PlainValidator(NumberRow(MASS, single=True))]


class Network(Body):
    """Points joined by springs as the user says. Points in two dimensions lie in the plane z = 0.

    Example:
        >>> Network(points=[[0, 0], [1, 0]], springs=[[0, 1]], stiffness=10.0, mass=0.1).lengths_at_rest()
        array([1.])
    """

    kind: ClassVar[str] = "network"

    points: NetworkPoints
    """(n, 2) or (n, 3) positions in the network's own axes [m]."""

    springs: Springs
    """(s, 2) indices of the points that each spring joins."""

    stiffness: OneOrManyStiffnesses
    """Pull per elongation of every spring, or one number per spring [N/m]."""

    mass: OneOrManyMasses
    """Mass of every point, or one number per point [kg]."""

    rest_lengths: RestLengths | None = None
    """(s,) lengths at which springs pull nothing [m]; None takes the distances of the points."""

    damping: Damping = 0.0
    """Viscous damping along each spring [N·s/m]."""

    stretch_limit: StretchLimit | None = None
    """Largest elongation the over-stretch limiter allows [-]; None is no limit."""

    triangles: Triangles | None = None
    """(t, 3) indices of a surface to show and collide with; None is no surface."""

    @property
    def point_count(self) -> int:
        """Number of points."""
        return len(self.points)

    def local_points(self) -> FloatArray:
        """Return the (n, 3) points in the network's own axes [m]; missing z coordinates are 0."""
        if self.points.shape[1] == 3:
            return self.points
        return np.concatenate([self.points, np.zeros((len(self.points), 1))], axis=1)

    def surface_triangles(self) -> IndexArray:
        """Return the (t, 3) triangles, none if there is no surface."""
        return self.triangles if self.triangles is not None else np.zeros((0, 3), dtype=np.int64)

    def lengths_at_rest(self) -> FloatArray:
        """Return the (s,) lengths at which springs pull nothing [m]."""
        if self.rest_lengths is not None:
            return self.rest_lengths
        points = self.local_points()
        lengths: FloatArray = np.linalg.norm(points[self.springs[:, 0]] - points[self.springs[:, 1]], axis=1)
        return lengths

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        for field, values, count, what in (
            ("stiffness", self.stiffness, len(self.springs), "springs"),
            ("rest_lengths", self.rest_lengths, len(self.springs), "springs"),
            ("mass", self.mass, len(self.points), "points"),
        ):
            if isinstance(values, np.ndarray) and len(values) != count:
                yield (field,), f"holds {len(values)} numbers, but the network has {count} {what}."
        wrong_indices = list(index_mistakes(self.springs, len(self.points), "springs"))
        yield from wrong_indices
        if not wrong_indices:
            yield from self._spring_mistakes()
        if self.triangles is not None:
            yield from triangle_mistakes(self.local_points(), self.triangles, is_whole=False)
        yield from super()._mistakes()

    def _spring_mistakes(self) -> Iterator[tuple[Steps, str]]:
        if not len(self.springs):
            return
        i, j = self.springs.T
        is_loop = i == j
        if is_loop.any():
            row = int(np.flatnonzero(is_loop)[0])
            yield (
                ("springs", row),
                f"is {self.springs[row].tolist()}: it joins a point to itself{and_more(is_loop, 'springs')}.",
            )
        points = self.local_points()
        lengths = np.linalg.norm(points[i] - points[j], axis=1)
        is_short = (lengths < SHORTEST_EDGE) & ~is_loop
        if is_short.any():
            row = int(np.flatnonzero(is_short)[0])
            yield (
                ("springs", row),
                f"is {self.springs[row].tolist()}: it is {lengths[row]:.2g} m long, but a spring must be at "
                f"least {SHORTEST_EDGE:g} m long, or it has no direction{and_more(is_short, 'springs')}. "
                "Move its points apart.",
            )
        if self.rest_lengths is not None and (self.rest_lengths < SHORTEST_EDGE).any():
            row = int(np.flatnonzero(self.rest_lengths < SHORTEST_EDGE)[0])
            yield (
                ("rest_lengths",),
                f"holds {self.rest_lengths[row]:.2g} at place {row}, but a spring must be at least "
                f"{SHORTEST_EDGE:g} m long.",
            )
        is_again = is_repeated(self.springs, len(points)) & ~is_loop
        if is_again.any():
            row = int(np.flatnonzero(is_again)[0])
            yield (
                ("springs", row),
                f"is {self.springs[row].tolist()}: these points are joined before"
                f"{and_more(is_again, 'springs')}. Remove it, or add its stiffness to the other one.",
            )
