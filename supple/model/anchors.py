"""Anchors: soft point constraints (Güdükbay 1997, Eq. 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class AnchorArrays(NamedTuple):
    """Anchors as kernels take them; build it at the call by `Anchors.arrays`."""

    points: NDArray[np.int64]
    """(anchor_count,) particle indices."""

    stiffness: NDArray[np.float64]
    """(anchor_count,) [N/m]"""

    targets: NDArray[np.float64]
    """(anchor_count, 3) [m]"""


@dataclass
class Anchors:
    """Springs of zero length between particles and points in space, f = k (p0 - x)."""

    points: NDArray[np.int64]
    """(anchor_count,) particle indices."""

    stiffness: NDArray[np.float64]
    """(anchor_count,) [N/m]"""

    targets: NDArray[np.float64]
    """(anchor_count, 3) [m]; p0, where each anchor sits in space."""

    @property
    def arrays(self) -> AnchorArrays:
        """The anchors as kernels take them, valid until the next edit."""
        return AnchorArrays(self.points, self.stiffness, self.targets)
