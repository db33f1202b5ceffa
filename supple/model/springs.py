"""Springs: pairs of particles that resist a change of their distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.tables.growable import joined

STRETCH = 0
"""Springs along the threads (or mesh edges): stretch stiffness, limited by the limiter."""

SHEAR = 1
"""Springs across the threads: shear stiffness."""


class SpringArrays(NamedTuple):
    """Springs as kernels take them; build it at the call by `Springs.arrays`, since edits reallocate the arrays."""

    ends: NDArray[np.uint32]
    """(spring_count, 2) particle indices."""

    rest_lengths: NDArray[np.float64]
    """(spring_count,) [m]"""

    stiffness: NDArray[np.float64]
    """(spring_count,) [N/m]"""

    damping: NDArray[np.float64]
    """(spring_count,) [N·s/m]"""


@dataclass
class Springs:
    """Springs of all bodies, concatenated.

    `shape` turns a material's modulus into the stiffness of one spring (the width it stands
    for over its length), so a change of material while running is one multiplication, and
    cloth behaves alike at any resolution.
    """

    ends: NDArray[np.uint32]
    """(spring_count, 2) particle indices."""

    rest_lengths: NDArray[np.float64]
    """(spring_count,) [m]"""

    stiffness: NDArray[np.float64]
    """(spring_count,) [N/m]"""

    damping: NDArray[np.float64]
    """(spring_count,) [N·s/m]"""

    stretch_limits: NDArray[np.float64]
    """(spring_count,) largest elongation [-]; inf where the limiter leaves the spring alone."""

    shape: NDArray[np.float64]
    """(spring_count,) stiffness per unit of the material's modulus."""

    kind: NDArray[np.int8]
    """(spring_count,) STRETCH or SHEAR."""

    region: NDArray[np.int32]
    """(spring_count,) index of the region whose own values apply, -1 for the body's material."""

    @property
    def count(self) -> int:
        """Number of springs."""
        return len(self.ends)

    @property
    def arrays(self) -> SpringArrays:
        """The springs as kernels take them, valid until the next edit."""
        return SpringArrays(self.ends, self.rest_lengths, self.stiffness, self.damping)


def plain_springs(
    ends: NDArray[np.uint32],
    rest_lengths: NDArray[np.float64],
    shape: NDArray[np.float64],
    kind: int,
) -> Springs:
    """Return springs of one kind, their material still to be applied."""
    count = len(ends)
    return Springs(
        ends=np.ascontiguousarray(ends, dtype=np.uint32).reshape(count, 2),
        rest_lengths=np.asarray(rest_lengths, dtype=np.float64),
        stiffness=np.zeros(count),
        damping=np.zeros(count),
        stretch_limits=np.full(count, np.inf),
        shape=np.asarray(shape, dtype=np.float64),
        kind=np.full(count, kind, dtype=np.int8),
        region=np.full(count, -1, dtype=np.int32),
    )


def no_springs() -> Springs:
    """Return an empty set of springs."""
    nothing = np.zeros(0)
    return plain_springs(np.zeros((0, 2), np.uint32), nothing, nothing, STRETCH)


def join_springs(parts: Sequence[Springs], offsets: Sequence[int]) -> Springs:
    """Return springs one after the other, with room to grow; `offsets` are added to the particle indices of each part."""
    columns = {f.name: [getattr(part, f.name) for part in parts] for f in fields(Springs)}
    columns["ends"] = [part.ends + np.uint32(offset) for part, offset in zip(parts, offsets, strict=True)]
    return Springs(**{name: joined(arrays) for name, arrays in columns.items()})


def copied_springs(springs: Springs) -> Springs:
    """Return springs that may be changed without changing these."""
    return Springs(**{name: array.copy() for name, array in vars(springs).items()})
