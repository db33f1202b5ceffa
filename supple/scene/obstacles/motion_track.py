"""Rigid motion sampled in time, as an animation program wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.scene.error_messages import Steps, field_error
from supple.scene.field_types import Switch
from supple.scene.placement import FloatArray
from supple.scene.rotations import angles_of, quaternion_matrix, slerp
from supple.scene.timeline.keyframes import Keyframe, Path


class _Rows:
    """Checks an array of rows of one width."""

    def __init__(self, width: int | None) -> None:
        self._width = width

    def __call__(self, value: Any) -> FloatArray:
        try:
            rows = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            rows = np.zeros((0, 0, 0))
        is_right = rows.ndim == 1 if self._width is None else rows.ndim == 2 and rows.shape[1] == self._width
        if not is_right or not np.isfinite(rows).all():
            what = "numbers" if self._width is None else f"rows of {self._width} numbers"
            raise field_error(f"must be finite {what}.")
        rows.setflags(write=False)
        return rows


class Track(Path):
    """A path with as many samples as an animation has, and rotations as quaternions.

    Keyframes of a `Path` turn by angles about fixed axes, which is easy to write by hand but goes astray when a
    figure turns by a quarter. Between samples a track turns about one axis, evenly.

    Example:
        >>> lift = Track(moments=[0, 1], places=[[0, 0, 0], [0, 2, 0]], spins=[[0, 0, 0, 1], [0, 0, 0, 1]])
        >>> lift.pose(0.5)[0].tolist()
        [0.0, 1.0, 0.0]
    """

    kind: ClassVar[str] = "track"

    keyframes: tuple[Keyframe, ...] = ()
    """None: the samples say it all."""

    moments: Annotated[FloatArray, PlainValidator(_Rows(None))]
    """(k,) ascending [s]."""

    places: Annotated[FloatArray, PlainValidator(_Rows(3))]
    """(k, 3) displacements from the start [m]."""

    spins: Annotated[FloatArray, PlainValidator(_Rows(4))]
    """(k, 4) rotations from the start, quaternions x, y, z, w."""

    loop: Switch = False
    """Whether it starts again when it has ended."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if len(self.moments) == 0:
            yield ("moments",), "is empty, but a track needs at least one."
        if not len(self.moments) == len(self.places) == len(self.spins):
            yield ("places",), "must have as many rows as there are moments and spins."
        if (np.diff(self.moments) <= 0.0).any():
            yield ("moments",), "must ascend."
        if len(self.spins) and (np.linalg.norm(self.spins, axis=1) < 1e-9).any():
            yield ("spins",), "holds a quaternion of length 0, which is no rotation."

    def times(self) -> FloatArray:
        """Return the (k,) moments [s]."""
        return self.moments

    def offsets(self) -> FloatArray:
        """Return the (k, 3) displacements [m]."""
        return self.places

    def rotations(self) -> FloatArray:
        """Return the (k, 3) turns [rad]."""
        return np.array([angles_of(quaternion_matrix(spin)) for spin in self.spins])

    def scales(self) -> FloatArray:
        """Return the (k, 3) scales [-]: a track only moves and turns."""
        return np.ones_like(self.places)

    def pose(self, time: float) -> tuple[FloatArray, FloatArray]:
        """Return the offset (3,) [m] and the rotation (3,) [rad] at a moment [s]."""
        first, last = float(self.moments[0]), float(self.moments[-1])
        if self.loop and time > last > first:
            time = first + (time - first) % (last - first)
        after = int(np.searchsorted(self.moments, time, side="right"))
        if after == 0 or after == len(self.moments):
            end = 0 if after == 0 else -1
            return self.places[end], angles_of(quaternion_matrix(self.spins[end]))
        before = after - 1
        share = (time - self.moments[before]) / (self.moments[after] - self.moments[before])
        place = self.places[before] + share * (self.places[after] - self.places[before])
        spin = slerp(self.spins[before], self.spins[after], float(share))
        return place, angles_of(quaternion_matrix(spin))
