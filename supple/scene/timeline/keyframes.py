"""Keyframes that lead pinned points through space."""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Rotation, Switch, Time, Vec3
from supple.scene.placement import FloatArray


class Keyframe(Declared):
    """Where the points are at one moment, seen from where they started."""

    kind: ClassVar[str] = "keyframe"

    time: Time
    """Moment since the start of the scene [s]."""

    offset: Vec3 = (0.0, 0.0, 0.0)
    """Displacement from the start, in world axes [m]."""

    rotation: Rotation = (0.0, 0.0, 0.0)
    """Turn about the centre of the path: fixed x, then y, then z axis [rad]."""

    scale: Vec3 = (1.0, 1.0, 1.0)
    """Distances of pinned points from the centre of the path over those at the start, along the world axes [-]; before the
    turn. (0.1, 1, 1) pushes the runners of a curtain together along x."""


class Path(Declared):
    """A motion through keyframes. Before the first and after the last one the points stand still, unless it repeats.

    Example:
        >>> lift = Path(keyframes=(Keyframe(time=0.0), Keyframe(time=2.0, offset=(0.0, 1.0, 0.0))))
        >>> lift.pose(0.5)[0].tolist()
        [0.0, 0.25, 0.0]
    """

    kind: ClassVar[str] = "path"

    keyframes: tuple[Keyframe, ...]
    """One or more, in the order of their times."""

    centre: Vec3 | None = None
    """What rotations turn about, in world axes at the start [m]; None is the centroid of the points."""

    smooth: Switch = False
    """Whether the motion eases in and out of every keyframe instead of running evenly between them."""

    repeat: Switch = False
    """Whether the motion begins again after the last keyframe, as steps do in walking."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.repeat and len(self.keyframes) == 1:
            yield ("repeat",), "is given to a path of one keyframe, which is no motion. Add a keyframe."
        if not self.keyframes:
            yield ("keyframes",), "is empty, but a path needs at least one keyframe."
        for index in range(1, len(self.keyframes)):
            before, time = self.keyframes[index - 1].time, self.keyframes[index].time
            if time <= before:
                yield (
                    ("keyframes", index, "time"),
                    f"is {time:g}, but it must be later than the keyframe before it, at {before:g} s.",
                )

    def times(self) -> FloatArray:
        """Return the (k,) moments of the keyframes [s]."""
        return np.array([key.time for key in self.keyframes])

    def offsets(self) -> FloatArray:
        """Return the (k, 3) displacements at the keyframes [m]."""
        return np.array([key.offset for key in self.keyframes])

    def rotations(self) -> FloatArray:
        """Return the (k, 3) turns at the keyframes [rad]."""
        return np.array([key.rotation for key in self.keyframes])

    def scales(self) -> FloatArray:
        """Return the (k, 3) scales at the keyframes [-]."""
        return np.array([key.scale for key in self.keyframes])

    @functools.cached_property
    def _arrays(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Moments, displacements, turns and scales, kept: a pose is asked in every substep."""
        return self.times(), self.offsets(), self.rotations(), self.scales()

    @functools.cached_property
    def _moments(self) -> list[float]:
        """Moments as plain numbers, which are found faster."""
        moments: list[float] = self.times().tolist()
        return moments

    def pose(self, time: float) -> tuple[FloatArray, FloatArray]:
        """Return the offset (3,) [m] and the rotation (3,) [rad] at a moment [s].

        Between two keyframes both run evenly, or as 3 s² - 2 s³ if the path is smooth.
        """
        _, offsets, rotations, _ = self._arrays
        before, after, share = self._interval(time)
        return (
            offsets[before] + share * (offsets[after] - offsets[before]),
            rotations[before] + share * (rotations[after] - rotations[before]),
        )

    def scale(self, time: float) -> FloatArray:
        """Return the scale (3,) [-] at a moment [s], which runs as the pose does."""
        scales = self._arrays[3]
        before, after, share = self._interval(time)
        scale: FloatArray = scales[before] + share * (scales[after] - scales[before])
        return scale

    def _interval(self, time: float) -> tuple[int, int, float]:
        """Return the keyframes before and after a moment, and the share of the way between them."""
        times = self._moments
        if self.repeat and time > times[0]:
            time = times[0] + (time - times[0]) % (times[-1] - times[0])
        after = bisect.bisect_right(times, time)
        if after == 0 or after == len(times):
            end = 0 if after == 0 else len(times) - 1
            return end, end, 0.0
        share = (time - times[after - 1]) / (times[after] - times[after - 1])
        if self.smooth:
            share = share * share * (3.0 - 2.0 * share)
        return after - 1, after, share
