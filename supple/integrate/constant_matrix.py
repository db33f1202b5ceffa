"""What contact asks of an integrator whose matrix is factored once."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.constrain.momentum import MomentumKeeper


class ConstantMatrix(Protocol):
    """Replaces impulses at the end of a substep by the displacements they cause."""

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Replace impulses by displacements, see `Integrator.respond`."""


class KeepingMomentum:
    """A constant matrix whose displacements have both momenta of the impulses in components that nothing holds."""

    def __init__(self, matrix: ConstantMatrix, keeper: MomentumKeeper) -> None:
        """Take the matrix, and who knows the free components."""
        self._matrix, self._keeper = matrix, keeper

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Filter what does not move a free component as one piece, and move the rest by masses."""
        self._keeper.set_aside(pushes)
        self._matrix.respond(step, pushes)
        self._keeper.give_back(pushes)
