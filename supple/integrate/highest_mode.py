"""The highest mode of soft bodies, which limits explicit steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.forces.elasticity import add_rate_forces
from supple.model.tetrahedra import WIDTH, Tetrahedra

ROUNDS = 40
"""Most multiplications by the matrix; the answer is then within a few per cent from below."""

LEAST_ROUNDS = 15
"""Multiplications before the search may end: it can dwell on a lower mode for a while."""

RELATIVE_TOLERANCE = 1e-3
"""Relative change of the answer that ends the search [-]."""

SHORTFALL = 1.04
"""What the answer is multiplied with, because it comes from below [-]."""


def highest_rate(elements: Tetrahedra, moduli: int, masses: NDArray[np.float64]) -> float:
    """Return the largest eigenvalue of M⁻¹ K [1/s²], or of M⁻¹ C [1/s] with the VISCOUS moduli.

    Theory: docs/theory/soft-bodies.md, eq. (E6). The power method, on elements that have not turned. Those that turn
    keep their own modes, so the answer holds in motion too, the same whenever one asks; fixed particles only lower it.

    Args:
        elements: of all bodies
        moduli: ELASTIC or VISCOUS
        masses: (particle_count,) [kg]
    """
    if elements.count == 0:
        return 0.0
    vector = _stiffest_first(elements, masses)
    product, upright = np.zeros_like(vector), np.zeros_like(elements.rotations)
    upright.reshape(-1, 4, WIDTH)[:, 0] = 1.0
    largest = 0.0
    for n in range(ROUNDS):
        vector /= np.sqrt(np.sum(masses[:, None] * vector**2))
        product[:] = 0.0
        add_rate_forces(vector, elements.arrays._replace(rotations=upright), moduli, -1.0, product)
        before, largest = largest, float(np.sum(vector * product))
        if largest == 0.0 or (n >= LEAST_ROUNDS and abs(largest - before) < RELATIVE_TOLERANCE * largest):
            break
        np.divide(product, masses[:, None], out=vector)
    return SHORTFALL * largest


def _stiffest_first(elements: Tetrahedra, masses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where to start, (particle_count, 3): elements breathe, those that do it fastest by themselves the most.

    The highest mode of a mesh lives in a few of its elements. Started from noise everywhere, the search was found
    to end on a lower one where cuts had left a few small elements: 28 % too low.
    """
    gradients = elements.all_gradients()
    rates = np.einsum("eax,eax,ea->e", gradients, gradients, 1.0 / masses[elements.corners])
    rates *= elements.volumes * (elements.largest_moduli() + elements.largest_damping())
    weights = np.random.default_rng(0).uniform(0.5, 1.5, len(rates)) * (rates / rates.max()) ** 2
    vector = np.zeros((len(masses), 3))
    for corner in range(4):
        points = elements.corners[:, corner]
        np.add.at(vector, points, weights[:, None] * gradients[:, corner] / masses[points, None])
    return vector
