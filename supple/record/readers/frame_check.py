"""Checks of frames that were read: nothing in them leads out of an array, whatever the file says.

Positions may be anything, also NaN: a run that diverged is a recording too.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.record.frame import Frame, Shapes

Array = npt.NDArray[Any]

_COLOUR = re.compile("#[0-9a-fA-F]{6}")

MOST_FRAMES = 10_000_000
"""Frames a recording may claim to have without holding something for each of them."""


def check_times(times: Array, frame_rate: float) -> None:
    """Raise a ValueError if the times of the frames make no sense."""
    if times.ndim != 1 or times.dtype.kind != "f" or not np.isfinite(times).all():
        raise ValueError("its times are no numbers")
    if not (np.isfinite(frame_rate) and frame_rate > 0.0):
        raise ValueError(f"its frame rate is {frame_rate}")


def checked_count(count: int) -> int:
    """Return a number of frames, or raise a ValueError if no recording has so many."""
    if not 0 <= count <= MOST_FRAMES:
        raise ValueError(f"it claims to have {count} frames")
    return count


def check_shapes(shapes: Shapes) -> None:
    """Raise a ValueError if a shape names points that it does not have."""
    for name, body in shapes.bodies.items():
        _check_indices(name, body.triangles, body.point_count, 3)
        _check_indices(name, body.edges, body.point_count, 2)
        if body.coordinates.shape not in ((0, 2), (body.point_count, 2)):
            raise ValueError(f"{name!r} has flat places of shape {body.coordinates.shape}")
        _check_words(name, body.kind, body.colour)
    for name, solid in shapes.solids.items():
        _check_places(name, solid.vertices, (len(solid.vertices), 3))
        _check_indices(name, solid.triangles, len(solid.vertices), 3)
        _check_words(name, solid.kind, solid.colour)


def check_frame(frame: Frame) -> None:
    """Raise a ValueError if a frame does not fit its shapes, which have been checked."""
    for name, body in frame.shapes.bodies.items():
        _check_places(name, frame.points[name], (body.point_count, 3))
        pins = np.asarray(frame.pinned(name))
        if len(pins):
            _check_indices(name, pins.reshape(-1, 1), body.point_count, 1)
    for name in frame.shapes.solids:
        place, turn = frame.poses[name]
        _check_places(name, place, (3,))
        _check_places(name, turn, (3, 3))


def _check_places(name: str, places: Array, shape: tuple[int, ...]) -> None:
    if places.shape != shape or places.dtype.kind != "f":
        raise ValueError(f"{name!r} has places of shape {places.shape} instead of {shape}")


def _check_indices(name: str, rows: Array, count: int, width: int) -> None:
    if rows.ndim != 2 or rows.shape[1] != width or rows.dtype.kind not in "iu":
        raise ValueError(f"{name!r} has indices of shape {rows.shape}")
    if rows.size and not (int(rows.min()) >= 0 and int(rows.max()) < count):
        raise ValueError(f"{name!r} names points from 0 to {int(rows.max())}, but has {count}")


def _check_words(name: str, kind: object, colour: object) -> None:
    if not isinstance(kind, str) or not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
        raise ValueError(f"{name!r} is of kind {kind!r} and colour {colour!r}")
