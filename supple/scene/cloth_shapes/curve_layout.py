"""Layout of a flat strip along a curve through space: it starts bent although it is flat at rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.scene.array_fields import PointRows
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, field_error
from supple.scene.field_types import Vec3
from supple.scene.placement import FloatArray

SAMPLES = 64
"""Straight pieces that stand for the curve between two of its points, when its length is measured."""

MOST_POINTS = 1000
"""More would hardly be told apart on a strip."""

STEEPEST = 0.05
"""Least sine of the angle between the curve and `across` [-]; below it the strip would spin about the curve."""

FEWEST_DIGITS = 1.0e-6
"""Least distance of points that follow each other [m], and least length of `across` [-]."""


def as_through(value: Any) -> FloatArray:
    """Return two or more points of a curve, (n, 3) [m], or say what is wrong with them."""
    points = PointRows()(value)
    if len(points) < 2:
        raise field_error("holds one point, but a curve needs two or more.")
    if len(points) > MOST_POINTS:
        raise field_error(f"holds {len(points):,} points, but a curve may have at most {MOST_POINTS:,}.")
    return points


class Course(Declared):
    """A smooth curve along which a strip is laid at the start.

    The curve passes through the given points, leaving each one in the direction of the parabola through it and its two
    neighbours. The middle line of the strip begins at the first point and follows the curve at its own length. Where
    the curve ends, it goes straight on; what the strip does not reach of the curve is not used.

    Example:
        >>> bend = Course(through=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0)))
        >>> bend.laid(np.array([0.0]), np.array([0.1])).tolist()
        [[0.0, 0.0, 0.1]]
    """

    kind: ClassVar[str] = "course"

    through: Annotated[FloatArray, PlainValidator(as_through)]
    """Points of the curve, (n, 3) in the body's own axes [m]."""

    across: Vec3 = (0.0, 0.0, 1.0)
    """Where the upper edge of the strip is, seen from its middle; only what is perpendicular to the curve counts."""

    def laid(self, along: FloatArray, up: FloatArray) -> FloatArray:
        """Return where points of the flat strip start, (n, 3) [m].

        Args:
            along: (n,) distance from the left end of the strip [m]
            up: (n,) distance from its middle line, towards the upper edge [m]
        """
        places, lengths = self._traced()
        directions = np.gradient(places, lengths, axis=0, edge_order=1)
        reached = np.clip(along, 0.0, lengths[-1])
        middle = _read(reached, lengths, places)
        direction = _unit(_read(reached, lengths, directions))
        middle += (along - reached)[:, None] * direction
        across = np.asarray(self.across) - (direction @ np.asarray(self.across))[:, None] * direction
        placed: FloatArray = middle + up[:, None] * _unit(across)
        return placed

    def _traced(self) -> tuple[FloatArray, FloatArray]:
        """Return points close along the curve, (m, 3) [m], and how far each is from its start, (m,) [m]."""
        points = self.through
        chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
        slopes = _slopes(points, chords)
        share = np.linspace(0.0, 1.0, SAMPLES, endpoint=False)[:, None]
        before, after = share**2 * (3.0 - 2.0 * share), share * (1.0 - share)
        pieces = [
            (1.0 - before) * points[k]
            + before * points[k + 1]
            + chords[k] * after * ((1.0 - share) * slopes[k] - share * slopes[k + 1])
            for k in range(len(chords))
        ]
        places = np.concatenate([*pieces, points[-1:]])
        steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        return places, np.concatenate([[0.0], np.cumsum(steps)])

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        chords = np.linalg.norm(np.diff(self.through, axis=0), axis=1)
        if chords.min() < FEWEST_DIGITS:
            place = int(np.argmin(chords))
            yield (
                ("through",),
                f"holds the same point twice, at places {place} and {place + 1}. Leave one out.",
            )
            return
        length = float(np.linalg.norm(self.across))
        if length < FEWEST_DIGITS:
            yield ("across",), "is (0, 0, 0), which has no direction."
            return
        places, lengths = self._traced()
        directions = _unit(np.gradient(places, lengths, axis=0, edge_order=1))
        sines = np.linalg.norm(np.cross(directions, np.asarray(self.across) / length), axis=1)
        worst = int(np.argmin(sines))
        if sines[worst] < STEEPEST:
            where = ", ".join(f"{x:.3g}" for x in places[worst])
            yield (
                ("across",),
                f"points along the curve near [{where}], where it cannot say how the strip lies. "
                "Take a direction across the whole curve.",
            )


def _slopes(points: FloatArray, chords: FloatArray) -> FloatArray:
    """Return the (n, 3) derivatives by arc length [-] at points: of parabolas through three that follow each other."""
    secants = np.diff(points, axis=0) / chords[:, None]
    if len(chords) == 1:
        return np.repeat(secants, 2, axis=0)
    before, after = chords[:-1, None], chords[1:, None]
    inner = (after * secants[:-1] + before * secants[1:]) / (before + after)
    first, last = 2.0 * secants[0] - inner[0], 2.0 * secants[-1] - inner[-1]
    return np.concatenate([first[None], inner, last[None]])


def _read(at: FloatArray, lengths: FloatArray, values: FloatArray) -> FloatArray:
    """Return (n, 3) values at distances `at` along the curve, straight between those at `lengths`."""
    return np.stack([np.interp(at, lengths, column) for column in values.T], axis=1)


def _unit(vectors: FloatArray) -> FloatArray:
    unit: FloatArray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
