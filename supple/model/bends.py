"""Bending elements: up to four particles that resist a change of curvature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.tables.growable import joined


class BendArrays(NamedTuple):
    """Bending elements as kernels take them; build it at the call by `Bends.arrays`, since edits reallocate the arrays."""

    points: NDArray[np.uint32]
    """(bend_count, 4) particle indices."""

    weights: NDArray[np.float64]
    """(bend_count, 4) [-]"""

    rest_lengths: NDArray[np.float64]
    """(bend_count,) length of the bending vector at rest [m]."""

    stiffness: NDArray[np.float64]
    """(bend_count,) [N/m]"""


@dataclass
class Bends:
    """Bending elements of all bodies, concatenated.

    An element is a spring between one weighted sum of particles and nothing: with the
    bending vector d = Σ w_a x_a its energy is ½ k (|d| - L)². Flat cloth has L = 0, and the
    energy is quadratic with a constant Hessian. Elements of three particles repeat their
    last particle with weight zero.
    """

    points: NDArray[np.uint32]
    """(bend_count, 4) particle indices."""

    weights: NDArray[np.float64]
    """(bend_count, 4) [-]; each row sums to zero, so a translation costs nothing."""

    rest_lengths: NDArray[np.float64]
    """(bend_count,) [m]; length of the bending vector at rest, 0 where the cloth is flat."""

    stiffness: NDArray[np.float64]
    """(bend_count,) [N/m]"""

    shape: NDArray[np.float64]
    """(bend_count,) stiffness per unit of the material's bending stiffness [1/m²]."""

    region: NDArray[np.int32]
    """(bend_count,) index of the region whose own values apply, -1 for the body's material."""

    @property
    def count(self) -> int:
        """Number of bending elements."""
        return len(self.points)

    @property
    def arrays(self) -> BendArrays:
        """The bending elements as kernels take them, valid until the next edit."""
        return BendArrays(self.points, self.weights, self.rest_lengths, self.stiffness)

    def rows(self, own: slice) -> Bends:
        """Return the elements of a body, as views."""
        return Bends(**{f.name: getattr(self, f.name)[own] for f in fields(Bends)})

    def chosen(self, which: NDArray[np.bool_]) -> Bends:
        """Return some of the elements; `which` is (bend_count,)."""
        return Bends(**{f.name: getattr(self, f.name)[which] for f in fields(Bends)})


def plain_bends(
    points: NDArray[np.uint32],
    weights: NDArray[np.float64],
    shape: NDArray[np.float64],
    positions: NDArray[np.float64],
) -> Bends:
    """Return bending elements at rest in `positions`, their material still to be applied.

    A bending vector shorter than a millionth of the element's size is rounding: flat.
    """
    count = len(points)
    corners = positions[points]
    vectors = np.einsum("ba,bax->bx", weights, corners)
    lengths = np.linalg.norm(vectors, axis=1)
    sizes = np.abs(weights).max(axis=1, initial=0.0) * np.ptp(corners, axis=1).max(axis=1, initial=0.0)
    lengths[lengths < 1e-6 * sizes] = 0.0
    return Bends(
        points=np.ascontiguousarray(points, dtype=np.uint32).reshape(count, 4),
        weights=np.ascontiguousarray(weights, dtype=np.float64).reshape(count, 4),
        rest_lengths=lengths,
        stiffness=np.zeros(count),
        shape=np.asarray(shape, dtype=np.float64),
        region=np.full(count, -1, dtype=np.int32),
    )


def no_bends() -> Bends:
    """Return an empty set of bending elements."""
    return Bends(
        points=np.zeros((0, 4), np.uint32),
        weights=np.zeros((0, 4)),
        rest_lengths=np.zeros(0),
        stiffness=np.zeros(0),
        shape=np.zeros(0),
        region=np.zeros(0, np.int32),
    )


def join_bends(parts: Sequence[Bends], offsets: Sequence[int]) -> Bends:
    """Return elements one after the other, with room to grow; `offsets` are added to the particle indices of each part."""
    columns = {f.name: [getattr(part, f.name) for part in parts] for f in fields(Bends)}
    columns["points"] = [part.points + np.uint32(offset) for part, offset in zip(parts, offsets, strict=True)]
    return Bends(**{name: joined(arrays) for name, arrays in columns.items()})
