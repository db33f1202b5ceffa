"""What a hand feels between two frames: a plane that gives, or a spring to what is held.

Theory: docs/theory/haptics.md, eq. (U1), (U2).
"""

from __future__ import annotations

import math
from typing import NamedTuple

Vector = tuple[float, float, float]
"""Three numbers in world axes; plain floats, as a loop of 1 kHz has no time for arrays."""

NOWHERE: Vector = (0.0, 0.0, 0.0)


class LocalModel(NamedTuple):
    """The neighbourhood of one hand in one frame, small enough to be computed a thousand times a second."""

    point: Vector
    """A point of the surface as if nothing pressed on it; for something held, where the spring is at rest [m]."""

    normal: Vector | None
    """Unit vector out of the surface; None if something is held, which pulls to every side."""

    stiffness: float
    """Force over depth, or over distance from `point` [N/m]."""

    time: float = 0.0
    """Simulated time of the frame it was made from [s]."""

    def proxy(self, place: Vector) -> Vector:
        """Return where the god-object is for a device at `place` [m]: the nearest point outside the surface."""
        if self.normal is None:
            return self.point
        depth = max(0.0, dot(difference(self.point, place), self.normal))
        return along(place, depth, self.normal)

    def force(self, place: Vector) -> Vector:
        """Return the force on a device at `place` [m]: the spring from it to the god-object [N]."""
        return scaled(self.stiffness, difference(self.proxy(place), place))

    def towards(self, other: LocalModel, share: float) -> LocalModel:
        """Return the model a share of the way to another [-], so that none comes as a blow."""
        if self.normal is None or other.normal is None:
            normal = other.normal
        else:
            mixed = along(self.normal, share, difference(other.normal, self.normal))
            length = norm(mixed)
            normal = scaled(1.0 / length, mixed) if length > 1.0e-6 else other.normal
        return LocalModel(
            along(self.point, share, difference(other.point, self.point)),
            normal,
            self.stiffness + share * (other.stiffness - self.stiffness),
            other.time,
        )

    def faded(self) -> LocalModel:
        """Return the same place without any stiffness: what is felt where nothing is touched."""
        return self._replace(stiffness=0.0)


def difference(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Vector, b: Vector) -> float:
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def norm(a: Vector) -> float:
    """Return |a|."""
    return math.sqrt(dot(a, a))


def scaled(factor: float, a: Vector) -> Vector:
    """Return factor a."""
    return factor * a[0], factor * a[1], factor * a[2]


def along(a: Vector, factor: float, b: Vector) -> Vector:
    """Return a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]
