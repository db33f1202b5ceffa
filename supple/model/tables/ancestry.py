"""Descent: where the vertices and triangles of an edited cloth come from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Descent:
    """What edits have made of a declared cloth; memory that the next edit may write into."""

    corner_shares: NDArray[np.float64]
    """(triangle_count, 3) part of its vertex' share that each corner carries [-]: together they are areas at rest, also
    where a weld has joined what lies apart at rest."""

    birth_points: NDArray[np.int64]
    """(vertex_count, 3) vertices of the declared body around each vertex, the nearest first."""
