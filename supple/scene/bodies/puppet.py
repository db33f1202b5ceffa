"""Puppets: surfaces that move and deform as they are told, and that cloth cannot pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.scene.array_fields import NumberRow, PointRows, Triangles
from supple.scene.bodies.body import Body
from supple.scene.cloth_shapes.triangle_check import index_mistakes
from supple.scene.error_messages import Steps
from supple.scene.field_types import Number, Switch
from supple.scene.placement import FloatArray, IndexArray

Moments = Annotated[FloatArray, PlainValidator(NumberRow(Number(at_least=-1.0e6, at_most=1.0e6)))]
Samples = Annotated[FloatArray, PlainValidator(PointRows(grid=True))]


class Puppet(Body):
    """A surface in motion, sampled in time: an animated figure with its skin, a ball that breathes, a point cache.

    Obstacles are rigid; a puppet deforms. Nothing moves it, everything gives way to it, and its surface
    carries by friction what lies on it. It may pass through itself, as the skins of figures do at their joints. Between two
    samples every point goes straight; before the first and after the last one it stands still.

    Example:
        >>> corners, side = [[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 2]]
        >>> lift = Puppet(moments=[0, 1], samples=[corners, [[x, y + 1, z] for x, y, z in corners]], triangles=side)
        >>> lift.sample(0.25)
        (0, 1, 0.25)
    """

    kind: ClassVar[str] = "puppet"

    moments: Moments
    """(k,) ascending [s]."""

    samples: Samples
    """(k, point_count, 3) where its points are at each moment, in its own axes [m]."""

    triangles: Triangles
    """(triangle_count, 3) vertex indices, counter-clockwise seen from outside."""

    loop: Switch = False
    """Whether it starts again when it has ended."""

    loop_from: Annotated[float, PlainValidator(Number(at_least=-1.0e6, at_most=1.0e6))] | None = None
    """Moment to which it goes back when it starts again [s]; None is that of its first sample."""

    friction: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=100.0))] = 0.3
    """Coulomb coefficient of cloth on it [-]."""

    shell: Annotated[float, PlainValidator(Number(at_least=1.0e-4, at_most=1.0))] = 1.0e-3
    """Distance that the points of cloth keep from it [m]: more hides that coarse cloth cuts off edges."""

    @property
    def point_count(self) -> int:
        """Number of points."""
        return int(self.samples.shape[1])

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points at the start of the scene, in its own axes [m]."""
        before, after, share = self.sample(0.0)
        points: FloatArray = self.samples[before] + share * (self.samples[after] - self.samples[before])
        return points

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles."""
        return self.triangles

    def sample(self, time: float) -> tuple[int, int, float]:
        """Return the samples before and after a moment [s], and how much of the way between them is done [-]."""
        first, last = float(self.moments[0]), float(self.moments[-1])
        back = first if self.loop_from is None else self.loop_from
        if self.loop and time > last > back:
            time = back + (time - back) % (last - back)
        after = int(np.searchsorted(self.moments, time, side="right"))
        if after == 0 or after == len(self.moments):
            end = 0 if after == 0 else after - 1
            return end, end, 0.0
        before = after - 1
        span = float(self.moments[after] - self.moments[before])
        return before, after, (time - float(self.moments[before])) / span

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        yield from super()._mistakes()
        if len(self.moments) != len(self.samples):
            yield (
                ("moments",),
                f"holds {len(self.moments)} numbers, but there are {len(self.samples)} samples.",
            )
        elif (np.diff(self.moments) <= 0.0).any():
            yield ("moments",), "must ascend."
        elif self.loop_from is not None and not self.moments[0] <= self.loop_from < self.moments[-1]:
            span = f"{self.moments[0]:g} to before {self.moments[-1]:g} s"
            yield ("loop_from",), f"is {self.loop_from:g}, but its samples go from {span}."
        if len(self.triangles) == 0:
            yield ("triangles",), "is empty, but a puppet needs at least one triangle."
        yield from index_mistakes(self.triangles, self.point_count, "triangles")
        for field in ("pins", "anchors", "regions"):
            if getattr(self, field):
                yield (field,), "is given to a puppet, which goes where its samples say. Leave it out."
        if self.masses is not None or any(self.velocity):
            field = "velocity" if self.masses is None else "masses"
            yield (field,), "is given to a puppet, which goes where its samples say. Leave it out."
