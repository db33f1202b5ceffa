"""Anchors: soft point constraints (Güdükbay 1997, Eq. 8)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass
class Anchors:
    """Springs of zero length between particles and points in space, f = k (p0 - x)."""

    points: NDArray[np.int64]
    """(anchor_count,) particle indices."""

    stiffness: NDArray[np.float64]
    """(anchor_count,) [N/m]"""

    targets: NDArray[np.float64]
    """(anchor_count, 3) [m]; p0, where each anchor sits in space."""
