"""Impulses of the contacts between surfaces, as each of their points receives them."""

from __future__ import annotations

from supple.kernel import add_scaled, kernel


@kernel
def find_root(links, label):
    """Return the last of a chain of links, each to an entry of the same array."""
    while links[label] != label:
        label = links[label]
    return label


@kernel(is_entry=True)
def add_contact_impulses(contact_count, contacts, rate, labels, impulses, links):
    """Add what contacts gave to their points, and link the components that they push apart.

    Args:
        contact_count: how many contacts there are
        contacts: Contacts
        rate: one over the substep [1/s]
        labels: (particle_count,) a particle that stands for the component of each
        impulses: (particle_count, 3) [N·s], added to
        links: (particle_count,) by label: another component that belongs together with it, itself if it is the last
    """
    for n in range(contact_count):
        push = contacts.impulses[n]
        if not push > 0.0:
            continue
        g = (
            push * contacts.normals[n, 0] + contacts.friction_impulses[n, 0],
            push * contacts.normals[n, 1] + contacts.friction_impulses[n, 1],
            push * contacts.normals[n, 2] + contacts.friction_impulses[n, 2],
        )
        first = find_root(links, labels[contacts.points[n, 0]])
        for corner in range(4):
            i = contacts.points[n, corner]
            add_scaled(impulses, i, g, rate * contacts.weights[n, corner])
            root = find_root(links, labels[i])
            if root != first:
                links[root] = first
