"""Contact sums: what contact gave to particles, by displacements and by the loads of what follows them."""

import numpy as np

from supple.collide.obstacles.contact_sums import ContactSums, add_displacements, take_loads
from supple.collide.obstacles.particle_contact import ParticleContacts


def test_particles_in_contact_carry_their_loads_and_what_contact_moves_later_counts_by_mass():
    sums, contacts = ContactSums(3), ParticleContacts.of(3)
    contacts.touched[0] = 5
    contacts.displacements[:2] = 1.0  # the second one followed the first
    sums.begin_substep()
    sums.take_loads(contacts, np.full((3, 3), 7.0))
    contacts.displacements[1] += 0.5
    sums.end_substep(np.array([2.0, 2.0, 2.0]), contacts)
    np.testing.assert_array_equal(sums.sums[:, 0], [7.0, 1.0, 0.0])


def test_the_kernels_give_in_python_what_they_give_compiled():
    random = np.random.default_rng(0)
    masses, touched = random.uniform(size=4), np.array([-1, 0, 2, -1])
    displacements, counted, loads, sums = (random.normal(size=(4, 3)) for _ in range(4))
    both = (counted.copy(), sums.copy()), (counted.copy(), sums.copy())
    for way, arrays in zip((lambda kernel: kernel, lambda kernel: kernel.py_func), both, strict=True):
        way(add_displacements)(masses, displacements, *arrays)
        way(take_loads)(touched, loads, displacements, *arrays)
    np.testing.assert_array_equal(both[0], both[1])
