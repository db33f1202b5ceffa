"""What contacts between surfaces give to their points, and which components they link."""

import numpy as np
import pytest

from supple.collide.self_contact.contact_impulses import add_contact_impulses
from supple.collide.self_contact.contact_table import ContactTable
from tests.interpreted import interpreted


def given(contacts):
    """Return impulses and links of contacts among six points, of which each pair is a component."""
    impulses, links = np.zeros((6, 3)), np.arange(6)
    add_contact_impulses(contacts.count, contacts.arrays, 2.0, np.array([0, 0, 2, 2, 4, 4]), impulses, links)
    return impulses, links


@pytest.fixture
def contacts():
    """Three contacts, the last of which gives nothing."""
    table = ContactTable(4)
    table.count, arrays = 3, table.arrays
    arrays.points[:3] = [[0, 2, 3, 3], [2, 4, 5, 5], [0, 4, 5, 5]]
    arrays.weights[:3] = [1.0, -0.5, -0.5, 0.0]
    arrays.normals[:3], arrays.friction_impulses[0] = (0.0, 1.0, 0.0), (0.25, 0.0, 0.0)
    arrays.impulses[:3] = 3.0, 1.0, 0.0
    return table


def test_both_sides_receive_the_same_with_opposite_signs_and_belong_together(contacts):
    impulses, links = given(contacts)
    np.testing.assert_allclose(impulses.sum(axis=0), 0.0, atol=1e-15)
    np.testing.assert_allclose(impulses[0], [0.5, 6.0, 0.0])
    while not np.array_equal(links, links[links]):
        links = links[links]
    assert links[0] == links[2] == links[4]


def test_the_kernel_gives_in_python_what_it_gives_compiled(contacts):
    compiled = given(contacts)
    impulses, links = np.zeros((6, 3)), np.arange(6)
    with interpreted():
        add_contact_impulses.py_func(
            contacts.count, contacts.arrays, 2.0, np.array([0, 0, 2, 2, 4, 4]), impulses, links
        )
    np.testing.assert_array_equal(compiled[0], impulses)
    np.testing.assert_array_equal(compiled[1], links)
