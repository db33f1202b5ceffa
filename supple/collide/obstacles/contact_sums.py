"""Contact sums: what contact with obstacles or puppets gave to every particle in a substep.

Theory: docs/theory/reactions.md, eq. (R1). Contact moves particles after the solve, so its force on a particle is m d /
h² of what it moved it by. Two things are more than that: where the matrix of the step lets the rest of the body follow,
the particles in contact carry it as well (A d instead of m d), and where contact is part of the solve, its multipliers
are the force.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.particle_contact import ParticleContacts
from supple.kernel import kernel


@kernel(is_entry=True)
def add_displacements(masses, displacements, counted, sums):
    """Add m (d - d') to the sums, with d' what is counted already, (particle_count, 3) each."""
    for i in range(masses.shape[0]):
        for axis in range(3):
            sums[i, axis] += masses[i] * (displacements[i, axis] - counted[i, axis])


@kernel(is_entry=True)
def take_loads(touched, loads, displacements, counted, sums):
    """Add the loads of particles in contact, and count all displacements so far as contained in them.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        loads: (particle_count, 3) A d [kg·m], of particles in contact
        displacements: (particle_count, 3) d [m]
        counted: (particle_count, 3) [m], overwritten with d
        sums: (particle_count, 3) [kg·m], added to
    """
    for i in range(touched.shape[0]):
        for axis in range(3):
            if touched[i] >= 0:
                sums[i, axis] += loads[i, axis]
            counted[i, axis] = displacements[i, axis]


class ContactSums:
    """Owner of the sums."""

    def __init__(self, particle_count: int) -> None:
        """Begin with nothing."""
        self.sums = np.zeros((particle_count, 3))
        """(particle_count, 3) force times squared substep [kg·m]."""
        self._counted = np.zeros((particle_count, 3))

    def begin_substep(self) -> None:
        """Begin anew."""
        self.sums[:] = 0.0
        self._counted[:] = 0.0

    def take_loads(self, contacts: ParticleContacts, loads: NDArray[np.float64]) -> None:
        """Count what contact has done so far by `loads` (particle_count, 3) [kg·m] of the particles in contact."""
        take_loads(contacts.touched, loads, contacts.displacements, self._counted, self.sums)

    def end_substep(self, masses: NDArray[np.float64], contacts: ParticleContacts) -> None:
        """Count all other displacements of the substep, by masses (particle_count,) [kg]."""
        add_displacements(masses, contacts.displacements, self._counted, self.sums)
