"""The highest mode of soft bodies, which limits explicit steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.forces.elasticity import add_rate_forces
from supple.model.tetrahedra import Tetrahedra

ROUNDS = 40
"""Most multiplications by the matrix; the answer is then within a few per cent from below."""

CONTENT = 1e-3
"""Relative change of the answer that ends the search [-]."""

SHORTFALL = 1.04
"""What the answer is multiplied with, because it comes from below [-]."""


def highest_rate(elements: Tetrahedra, moduli: int, masses: NDArray[np.float64]) -> float:
    """Return the largest eigenvalue of M⁻¹ K [1/s²], or of M⁻¹ C [1/s] with the VISCOUS moduli.

    Theory: docs/theory/soft-bodies.md, eq. (E6). The power method, on the elements turned as they are. Elements
    that turn keep their own modes, so the answer holds in motion too; fixed particles only lower it.

    Args:
        elements: of all bodies
        moduli: ELASTIC or VISCOUS
        masses: (particle_count,) [kg]
    """
    if elements.count == 0:
        return 0.0
    vector = np.random.default_rng(0).standard_normal((len(masses), 3))
    used = np.zeros(len(masses), dtype=np.bool_)
    used[elements.corners] = True
    vector[~used] = 0.0
    product = np.zeros_like(vector)
    largest = 0.0
    for _ in range(ROUNDS):
        vector /= np.sqrt(np.sum(masses[:, None] * vector**2))
        product[:] = 0.0
        add_rate_forces(
            vector,
            elements.block_corners,
            elements.blocks,
            elements.rotations,
            moduli,
            -1.0,
            elements.work,
            product,
        )
        before, largest = largest, float(np.sum(vector * product))
        if largest == 0.0 or abs(largest - before) < CONTENT * largest:
            break
        np.divide(product, masses[:, None], out=vector)
    return SHORTFALL * largest
