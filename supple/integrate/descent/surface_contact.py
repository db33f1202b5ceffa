"""Contact between surfaces inside the solve of `descent`: cloth on cloth, on itself and on soft bodies.

Theory: docs/theory/descent.md, eq. (N4), (N7). The contacts are those of `SelfContact`, found at the end of the last
substep; their geometry is renewed where this one starts. Each is a row with two sides: p = Σ w q is the line between the two
closest points, and is to be no shorter along the normal than the thickness. What a solve has left undone, and what comes too
fast for it, is left to the guard in continuous time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.self_contact.contact_response import follow_points
from supple.collide.self_contact.self_contact import SelfContact
from supple.integrate.descent.contact_rows import (
    add_contacts,
    contact_force,
    forces_hold,
    lets_slip,
    make_rows,
    place_of,
)
from supple.integrate.descent.newton_system import Points
from supple.kernel import kernel
from supple.model.world import World

CARRIED = 0.01
"""Share of the change of its force that a contact carries on to the next substep [-], see (N7): all of it would feed a
trembling as soon as more than ten times the mass of its points presses on it, this much from a thousand times on."""

YIELD = 0.05
"""Share of the thickness by which a contact gives way under its load, at most [-]: heavier loads make it stiffer."""

RECOVERY = 0.2
"""Share of what surfaces lack to the thickness that a substep makes up for [-]. The rest of the force then depends on how
the gap changes, a damper, without which layers that lie on each other stir each other up."""

RECOVERY_SPEED = 0.05
"""How fast surfaces that are closer than the thickness are moved apart [m/s]."""


@kernel(is_entry=True)
def take_contacts(contact_count, contacts, starts, step, rows):
    """Write a row for every contact between surfaces, with the forces that it has carried.

    Args:
        contact_count: how many contacts there are
        contacts: `Contacts`; geometry is renewed
        starts: (particle_count, 3) where the substep starts [m]
        step: substep [s]
        rows: `ContactRows`, overwritten
    """
    rate = 1.0 / (step * step)
    for c in range(contact_count):
        follow_points(contacts, c, starts)
        rows.keys[c] = c
        rows.solids[c] = -1
        rows.coefficients[c] = contacts.frictions[c]
        lack = contacts.thicknesses[c] - contacts.gaps[c]
        made_up = min(RECOVERY * lack, RECOVERY_SPEED * step) if lack > 0.0 else lack
        rows.offsets[c] = contacts.gaps[c] + made_up
        rows.least_stiffness[c] = rate * contacts.impulses_before[c] / (YIELD * contacts.thicknesses[c])
        rows.pressures[c] = rate * contacts.impulses[c]
        along = 0.0
        for axis in range(3):
            n = contacts.normals[c, axis]
            rows.normals[c, axis] = n
            rows.anchors[c, axis] = contacts.lines[c, axis]
            rows.frictions[c, axis] = -rate * contacts.friction_impulses[c, axis]
            along += n * rows.frictions[c, axis]
        for axis in range(3):
            rows.frictions[c, axis] -= along * rows.normals[c, axis]
        for corner in range(4):
            rows.points[c, corner] = contacts.points[c, corner]
            rows.weights[c, corner] = contacts.weights[c, corner]


@kernel(is_entry=True)
def give_contacts(contact_count, rows, slots, guess, solution, step, contacts):
    """Let contacts carry on with a part of what they lacked at the end of the solve (N7)."""
    square = step * step
    for c in range(contact_count):
        a, b = place_of(rows, c, guess, slots), place_of(rows, c, solution, slots)
        push, tx, ty, tz, _ = contact_force(rows, c, (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
        pressure = rows.pressures[c] + CARRIED * (push - rows.pressures[c])
        contacts.impulses_before[c] = square * push
        contacts.impulses[c] = square * pressure if push > 0.0 else 0.0
        friction = (tx, ty, tz)
        for axis in range(3):
            carried = rows.frictions[c, axis] + CARRIED * (friction[axis] - rows.frictions[c, axis])
            contacts.friction_impulses[c, axis] = -square * carried if push > 0.0 else 0.0


class SurfaceContact:
    """Contacts between surfaces as rows of the Newton system."""

    def __init__(self, world: World, contact: SelfContact) -> None:
        """Begin with no contact."""
        self._world, self._contact = world, contact
        self.rows = make_rows(64)
        self.count = 0
        """How many contacts there are."""

    def begin(self, step: float) -> None:
        """Begin a substep."""
        contacts = self._contact.contacts
        self.count = contacts.count
        if self.count > len(self.rows.keys):
            self.rows = make_rows(2 * self.count)
        take_contacts(self.count, contacts.arrays, self._world.particles.starts, step, self.rows)

    def add(self, number: int, slots: NDArray[np.int64], points: Points) -> int:
        """Add the forces of contacts at the guess of Newton step `number`; return how many press."""
        return int(add_contacts(self.rows, 0, self.count, slots, points, lets_slip(number)))

    def holds(
        self, number: int, slots: NDArray[np.int64], guess: NDArray[np.float64], solution: NDArray[np.float32]
    ) -> bool:
        """Tell whether contacts give the forces that Newton step `number` has counted on."""
        return bool(forces_hold(self.rows, self.count, slots, guess, solution, number > 0))

    def end(
        self, step: float, slots: NDArray[np.int64], guess: NDArray[np.float64], solution: NDArray[np.float32]
    ) -> None:
        """Take over the forces that contacts ended with."""
        give_contacts(self.count, self.rows, slots, guess, solution, step, self._contact.contacts.arrays)
