"""Contact sums: what contact with obstacles or puppets gave to every particle in a substep.

Theory: docs/theory/reactions.md, eq. (R1). Contact moves particles after the solve, so its force on a particle is m d /
h² of what it moved it by. Where contact is part of the solve, its multipliers are the force.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.particle_contact import ParticleContacts
from supple.kernel import kernel


@kernel(is_entry=True)
def add_displacements(masses, displacements, sums):
    """Add m d to the sums, (particle_count, 3) each."""
    for i in range(masses.shape[0]):
        for axis in range(3):
            sums[i, axis] += masses[i] * displacements[i, axis]


class ContactSums:
    """Owner of the sums."""

    def __init__(self, particle_count: int) -> None:
        """Begin with nothing."""
        self.sums = np.zeros((particle_count, 3))
        """(particle_count, 3) force times squared substep [kg·m]."""

    def begin_substep(self) -> None:
        """Begin anew."""
        self.sums[:] = 0.0

    def end_substep(self, masses: NDArray[np.float64], contacts: ParticleContacts) -> None:
        """Count the displacements of the substep, by masses (particle_count,) [kg]."""
        add_displacements(masses, contacts.displacements, self.sums)
