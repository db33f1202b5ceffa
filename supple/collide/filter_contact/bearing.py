"""Carried contacts: what they need is found together with the springs and the elements.

Theory: docs/theory/contact.md, eq. (K23), (K24), (K29). The passes move the points of a contact by their own masses. On
stiff springs, or under a heavy body, those are a small part of what has to be held, so single points are strained, and in
the next substeps that comes back as blows. Here a push moves all that hangs together, by the matrix of the step.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.collide.self_contact.contact_table import ContactTable
from supple.kernel import add_scaled, kernel
from supple.model.world import World

MOST_ROUNDS = 15
"""Solutions with the matrix after which the search ends at any rate; what is left goes to the passes."""

CONTENT = 0.01
"""Correction of a contact at which the search ends, in thicknesses [-]."""

SLIGHT = 0.001
"""Correction that is not worth another solution, in thicknesses [-]: the passes would be content with it as well."""


class Responds(Protocol):
    """An integrator that knows how all points follow pushes on some of them."""

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Turn pushes (particle_count, 3) [kg·m] into moves [m], in place."""


class KeepsMomentum(Protocol):
    """Knows which parts are free."""

    def set_aside(self, pushes: NDArray[np.float64]) -> None:
        """Take from pushes (particle_count, 3) [kg·m] what moves every free part as one piece, in place."""

    def give_back(self, moves: NDArray[np.float64]) -> None:
        """Add what was set aside to the moves (particle_count, 3) [m] that the rest has led to, in place."""


@kernel(counts_references=False)
def mark_leaning(touched, is_apart, leaders, contact_count, points, pushes, leans):
    """Tell of every point whether its part lies on an obstacle, which a push would have to move as well.

    A part that lies on others that do so does as well.

    Args:
        touched: (particle_count,) obstacle that each particle touches, -1 for none
        is_apart: (particle_count,) points that the matrix of the step does not know
        leaders: (particle_count,) first particle of the part that each belongs to
        contact_count: how many contacts there are
        points: (capacity, 4) points of each
        pushes: (capacity,) [kg·m], what each carries
        leans: (particle_count,) overwritten
    """
    leans[:] = False
    for i in range(touched.shape[0]):
        if touched[i] >= 0 or is_apart[i]:
            leans[leaders[i]] = True
    has_changed = True
    while has_changed:
        has_changed = False
        for n in range(contact_count):
            i, m = leaders[points[n, 0]], leaders[points[n, 3]]
            if pushes[n] > 0.0 and leans[i] != leans[m]:
                leans[i] = leans[m] = has_changed = True
    for i in range(touched.shape[0]):
        leans[i] = leans[leaders[i]]  # a leader comes before all that it leads


@kernel(counts_references=False)
def is_carried(points, n, leans):
    """Return whether contact n is one of parts that are both clear of obstacles."""
    return not leans[points[n, 0]] and not leans[points[n, 3]]


@kernel(counts_references=False)
def list_carried(contact_count, points, leans, listed):
    """Write which contacts are carried, and return how many there are; those beyond the room are only counted.

    Args:
        contact_count: how many contacts there are
        points: (capacity, 4) points of each
        leans: (particle_count,) of `mark_leaning`
        listed: (capacity,) overwritten
    """
    count = 0
    for n in range(contact_count):
        if is_carried(points, n, leans):
            if count < listed.shape[0]:
                listed[count] = n
            count += 1
    return count


@kernel(counts_references=False)
def write_loads(count, listed, points, weights, normals, pushes, rubs, is_fixed, loads):
    """Write what contacts push every point with.

    Args:
        count: how many contacts are listed
        listed: (count or more,) which
        points: (capacity, 4) points of each
        weights: (capacity, 4) of the points
        normals: (capacity, 3)
        pushes: (capacity,) [kg·m], along the normal
        rubs: (capacity, 3) [kg·m], across it
        is_fixed: (particle_count,) points that nothing moves
        loads: (particle_count, 3) [kg·m], overwritten
    """
    loads[:] = 0.0
    for place in range(count):
        n = listed[place]
        g = (
            pushes[n] * normals[n, 0] + rubs[n, 0],
            pushes[n] * normals[n, 1] + rubs[n, 1],
            pushes[n] * normals[n, 2] + rubs[n, 2],
        )
        for corner in range(4):
            i = points[n, corner]
            if not is_fixed[i]:
                add_scaled(loads, i, g, weights[n, corner])


@kernel(counts_references=False)
def write_errors(count, listed, points, weights, normals, gaps, lines, thicknesses, ends, steps, errors):
    """Write by how much contacts miss where they should end, and return how that answered to the last change.

    Along the normal this is the gap beyond the one to be kept, across it the whole way of the substep.

    Args:
        count: how many contacts are listed
        listed: (count or more,) which
        points: (capacity, 4) points of each
        weights: (capacity, 4) of the points
        normals: (capacity, 3)
        gaps: (capacity,) [m], at the start
        lines: (capacity, 3) [m], between the two points at the start
        thicknesses: (capacity,) [m]
        ends: (particle_count, 3) [m]
        steps: (capacity, 3) [kg·m], the last change of what each carries
        errors: (capacity, 3) [m], those before it, overwritten

    Returns:
        The sum over all contacts of the change times how much the error grew [kg·m²].
    """
    answer = 0.0
    for place in range(count):
        n = listed[place]
        ex = ey = ez = 0.0
        for corner in range(4):
            i, w = points[n, corner], weights[n, corner]
            ex, ey, ez = ex + w * ends[i, 0], ey + w * ends[i, 1], ez + w * ends[i, 2]
        nx, ny, nz = normals[n, 0], normals[n, 1], normals[n, 2]
        tx, ty, tz = ex - lines[n, 0], ey - lines[n, 1], ez - lines[n, 2]
        excess = nx * ex + ny * ey + nz * ez - min(thicknesses[n], gaps[n]) - (tx * nx + ty * ny + tz * nz)
        tx, ty, tz = tx + excess * nx, ty + excess * ny, tz + excess * nz
        answer += (
            steps[place, 0] * (tx - errors[place, 0])
            + steps[place, 1] * (ty - errors[place, 1])
            + steps[place, 2] * (tz - errors[place, 2])
        )
        errors[place, 0], errors[place, 1], errors[place, 2] = tx, ty, tz
    return answer


@kernel(counts_references=False)
def step_pushes(
    count, listed, points, weights, normals, grips, inverse_masses, length, errors, pushes, rubs, steps
):
    """Change what contacts carry against their errors; none pulls, and friction stays below μ times the push.

    Args:
        count: how many contacts are listed
        listed: (count or more,) which
        points: (capacity, 4) points of each
        weights: (capacity, 4) of the points
        normals: (capacity, 3)
        grips: (capacity,) [-], μ
        inverse_masses: (particle_count,) [1/kg]
        length: how far to go, in changes that would be right if the points of a contact were alone [-]
        errors: (capacity, 3) [m]
        pushes: (capacity,) [kg·m], changed in place
        rubs: (capacity, 3) [kg·m], changed in place
        steps: (capacity, 3) [kg·m], the change, overwritten

    Returns:
        The largest error that was corrected [m], and the square of the change, over the masses of the contacts [kg·m²].
    """
    largest = square = 0.0
    for place in range(count):
        n = listed[place]
        give = 0.0
        for corner in range(4):
            give += weights[n, corner] ** 2 * inverse_masses[points[n, corner]]
        if not give > 0.0:  # a hand has seized all of its points
            steps[place, 0] = steps[place, 1] = steps[place, 2] = 0.0
            continue
        scale = length / give
        nx, ny, nz = normals[n, 0], normals[n, 1], normals[n, 2]
        ex, ey, ez = errors[place, 0], errors[place, 1], errors[place, 2]
        excess = ex * nx + ey * ny + ez * nz
        push = max(0.0, pushes[n] - scale * excess)
        rx = rubs[n, 0] - scale * (ex - excess * nx)
        ry = rubs[n, 1] - scale * (ey - excess * ny)
        rz = rubs[n, 2] - scale * (ez - excess * nz)
        size, bound = math.sqrt(rx * rx + ry * ry + rz * rz), grips[n] * push
        if size > bound:
            share = bound / size
            rx, ry, rz = share * rx, share * ry, share * rz
        change = push - pushes[n]
        sx, sy, sz = (
            rx - rubs[n, 0] + change * nx,
            ry - rubs[n, 1] + change * ny,
            rz - rubs[n, 2] + change * nz,
        )
        pushes[n] = push
        rubs[n, 0], rubs[n, 1], rubs[n, 2] = rx, ry, rz
        steps[place, 0], steps[place, 1], steps[place, 2] = sx, sy, sz
        way = sx * sx + sy * sy + sz * sz
        largest = max(largest, math.sqrt(way) / scale)
        square += way * give
    return largest, square


class Bearing:
    """Contacts of parts that no obstacle bears."""

    def __init__(self, world: World) -> None:
        """Find the points that the matrix of the step does not know."""
        self.world = world
        count = world.particles.count
        self._is_apart = np.zeros(count, dtype=np.bool_)
        for name in world.levels:
            self._is_apart[world.bodies[name].particles] = True
        self.leans = self._is_apart.copy()
        """(particle_count,) whether its contacts are left to the passes: its part lay on an obstacle in the last substep, or
        is a body of several levels."""
        self.integrator: Responds | None = None
        self._momentum: KeepsMomentum | None = None
        self.rounds = 0
        """Solutions so far."""
        self._loads, self._before, self._free = np.zeros((3, count, 3))
        self._expected: ContactTable | None = None
        self._is_any = False
        self._make_room(64)

    def _make_room(self, capacity: int) -> None:
        self._listed: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        self._errors, self._steps = np.zeros((capacity, 3)), np.zeros((capacity, 3))

    def begin(self, integrator: Responds | None, momentum: KeepsMomentum | None) -> None:
        """Choose what answers to pushes; without it none is carried."""
        self.integrator, self._momentum = integrator, momentum
        if self.integrator is None:
            self.leans[:] = True

    def _list(self, contacts: ContactTable) -> int:
        if self.integrator is None:
            return 0
        count = int(list_carried(contacts.count, contacts.points, self.leans, self._listed))
        if count > len(self._listed):
            self._make_room(2 * count)
            return self._list(contacts)
        return count

    def expect(self, contacts: ContactTable) -> None:
        """Remember what contacts are expected to carry, which the integrator will feel."""
        count = self._list(contacts)
        self._expected = contacts
        self._write(count, contacts, self._before)
        self._is_any = count > 0

    def _write(self, count: int, contacts: ContactTable, loads: NDArray[np.float64]) -> None:
        write_loads(
            count, self._listed, contacts.points, contacts.weights, contacts.normals, contacts.impulses,
            contacts.friction_impulses, self.world.particles.is_fixed, loads,
        )  # fmt: skip

    def _move(self, count: int, contacts: ContactTable, step: float, ends: NDArray[np.float64]) -> None:
        """Write where points end with all that contacts carry now."""
        assert self.integrator is not None
        self._write(count, contacts, self._loads)
        self._loads -= self._before
        if self._momentum is not None:
            self._momentum.set_aside(self._loads)
        self.integrator.respond(step, self._loads)
        if self._momentum is not None:
            self._momentum.give_back(self._loads)
        self.rounds += 1
        np.add(self._free, self._loads, out=ends)

    def carry(
        self,
        contacts: ContactTable,
        inverse_masses: NDArray[np.float64],
        thickness: float,
        step: float,
        ends: NDArray[np.float64],
    ) -> None:
        """Find what contacts have to carry.

        Args:
            contacts: those of this substep
            inverse_masses: (particle_count,) [1/kg]
            thickness: the largest [m]
            step: substep [s]
            ends: (particle_count, 3) [m], where springs and elements lead with what was expected; changed in place
        """
        count = self._list(contacts)
        if not (count or self._is_any):
            return
        np.copyto(self._free, ends)
        if self._expected is not contacts:  # they were searched anew: some may be gone
            self._move(count, contacts, step, ends)
        where = count, self._listed, contacts.points, contacts.weights, contacts.normals
        length, square = 1.0, 0.0
        self._steps[:count] = 0.0
        for _ in range(MOST_ROUNDS):
            answer = write_errors(
                *where, contacts.gaps, contacts.lines, contacts.thicknesses, ends, self._steps, self._errors
            )
            if answer > 0.0:
                length = square / answer
            largest, square = step_pushes(
                *where, contacts.frictions, inverse_masses, length, self._errors, contacts.impulses,
                contacts.friction_impulses, self._steps,
            )  # fmt: skip
            if largest < SLIGHT * thickness:
                break
            self._move(count, contacts, step, ends)
            if largest < CONTENT * thickness:
                break

    def end(self, contacts: ContactTable, touched: NDArray[np.int64]) -> None:
        """Remember which parts lie on obstacles, given what each particle touches, (particle_count,) -1 for nothing."""
        if self.integrator is not None:
            mark_leaning(
                touched, self._is_apart, self.world.couplings.component_labels, contacts.count, contacts.points,
                contacts.impulses, self.leans,
            )  # fmt: skip
