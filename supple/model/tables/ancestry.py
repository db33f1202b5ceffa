"""Ancestry: which declared vertices the vertices of an edited cloth come from, and the masses at its corners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Ancestry:
    """Where the vertices and triangles of an edited cloth come from; memory that the next edit may write into."""

    corner_fractions: NDArray[np.float64]
    """(triangle_count, 3) fraction of its vertex' share that is lumped at each corner [-]: with the shares they give rest
    areas, also where a weld has joined what lies apart at rest."""

    ancestors: NDArray[np.int64]
    """(vertex_count, 3) vertices of the declared body around each vertex, the nearest first."""
