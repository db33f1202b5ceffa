"""Contact sums: what contact gave to particles, by their displacements."""

import numpy as np

from supple.collide.obstacles.contact_sums import ContactSums, add_displacements
from supple.collide.obstacles.particle_contact import ParticleContacts


def test_what_contact_moves_counts_by_mass_and_begins_anew_in_every_substep():
    sums, contacts = ContactSums(3), ParticleContacts.of(3)
    contacts.displacements[1] = 0.5
    for _ in range(2):
        sums.begin_substep()
        sums.end_substep(np.array([2.0, 2.0, 2.0]), contacts)
        np.testing.assert_array_equal(sums.sums[:, 0], [0.0, 1.0, 0.0])


def test_the_kernel_gives_in_python_what_it_gives_compiled():
    random = np.random.default_rng(0)
    masses, displacements, sums = random.uniform(size=4), *(random.normal(size=(4, 3)) for _ in range(2))
    found = sums.copy(), sums.copy()
    add_displacements(masses, displacements, found[0])
    add_displacements.py_func(masses, displacements, found[1])
    np.testing.assert_array_equal(*found)
