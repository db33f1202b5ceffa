"""Soft bodies on cloth: what such contacts carry is found together with the springs and the elements.

Theory: docs/theory/contact.md, eq. (K23), (K24). The passes move the points of a contact by their own masses. Under a heavy
body those are a small part of what has to be stopped, so the body sinks, stiff elements are strained point by point, and
in the next substeps both come back as blows. Here a push moves all that hangs together, by the matrix of the step.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.collide.contact_store import ContactStore
from supple.kernel import add_scaled, kernel
from supple.model.world import World

MOST_ROUNDS = 15
"""Solutions with the matrix after which the search ends at any rate; what is left goes to the passes."""

CONTENT = 0.01
"""Correction of a contact at which the search ends, in thicknesses [-]."""


class Responds(Protocol):
    """An integrator that knows how all points follow pushes on some of them."""

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Turn pushes (particle_count, 3) [kg·m] into moves [m], in place."""


@kernel(counts_references=False)
def mark_leaning(touched, leaders, leans):
    """Tell of every point whether its part touches an obstacle, which a push would have to move as well.

    Args:
        touched: (particle_count,) obstacle that each particle touches, -1 for none
        leaders: (particle_count,) first particle of the part that each belongs to
        leans: (particle_count,) overwritten
    """
    leans[:] = False
    for i in range(touched.shape[0]):
        if touched[i] >= 0:
            leans[leaders[i]] = True
    for i in range(touched.shape[0]):
        leans[i] = leans[leaders[i]]  # a leader comes before all that it leads


@kernel(counts_references=False)
def is_carried(points, n, is_soft, leans):
    """Return whether contact n is one of a soft body and cloth, both clear of obstacles."""
    i, m = points[n, 0], points[n, 3]
    return is_soft[i] != is_soft[m] and not leans[i] and not leans[m]


@kernel(counts_references=False)
def list_carried(contact_count, points, is_soft, leans, listed):
    """Write which contacts are carried, and return how many there are; those beyond the room are only counted.

    Args:
        contact_count: how many contacts there are
        points: (capacity, 4) points of each
        is_soft: (particle_count,) whether a point belongs to a soft body
        leans: (particle_count,) of `mark_leaning`
        listed: (capacity,) overwritten
    """
    count = 0
    for n in range(contact_count):
        if is_carried(points, n, is_soft, leans):
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
    """Contacts of soft bodies with cloth, in parts that no obstacle bears."""

    def __init__(self, world: World) -> None:
        """Find the points of soft bodies."""
        self.world = world
        count = world.particles.count
        self.is_soft = np.zeros(count, dtype=np.bool_)
        """(particle_count,) whether a point belongs to a soft body of one level."""
        for body in world.bodies.values():
            if body.tetrahedra.stop > body.tetrahedra.start and body.name not in world.levels:
                self.is_soft[body.particles] = True
        self.leans = np.zeros(count, dtype=np.bool_)
        """(particle_count,) whether its part touched an obstacle in the last substep."""
        self.is_possible = bool(self.is_soft.any() and not self.is_soft.all())
        self.integrator: Responds | None = None
        self.rounds = 0
        """Solutions so far."""
        room = count if self.is_possible else 0
        self._loads, self._free = np.zeros((room, 3)), np.zeros((room, 3))
        self._is_expected = False
        self._make_room(64)

    def _make_room(self, capacity: int) -> None:
        self._listed: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        self._errors, self._steps = np.zeros((capacity, 3)), np.zeros((capacity, 3))

    def begin(self, integrator: Responds | None) -> None:
        """Choose what answers to pushes; without it none is carried."""
        self.integrator = integrator if self.is_possible else None
        if self.integrator is None:
            self.leans[:] = True

    def _list(self, contacts: ContactStore) -> int:
        if self.integrator is None:
            return 0
        count = int(list_carried(contacts.count, contacts.points, self.is_soft, self.leans, self._listed))
        if count > len(self._listed):
            self._make_room(2 * count)
            return self._list(contacts)
        return count

    def _move(self, count: int, contacts: ContactStore, step: float, ends: NDArray[np.float64]) -> None:
        """Write where points end with all that contacts carry."""
        assert self.integrator is not None
        write_loads(
            count, self._listed, contacts.points, contacts.weights, contacts.normals, contacts.pushes, contacts.rubs,
            self.world.particles.is_fixed, self._loads,
        )  # fmt: skip
        self.integrator.respond(step, self._loads)
        self.rounds += 1
        np.add(self._free, self._loads, out=ends)

    def expect(self, contacts: ContactStore, step: float, ends: NDArray[np.float64]) -> None:
        """Let contacts carry what they carried in the last substep.

        Args:
            contacts: those of the last substep
            step: substep [s]
            ends: (particle_count, 3) [m], where springs and elements lead without them; changed in place
        """
        if count := self._list(contacts):
            np.copyto(self._free, ends)
            self._move(count, contacts, step, ends)
            self._is_expected = True
        else:
            self._is_expected = False

    def carry(
        self,
        contacts: ContactStore,
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
            ends: (particle_count, 3) [m], of `expect`; changed in place
        """
        count = self._list(contacts)
        if not count:
            if self._is_expected:  # what was expected is nowhere any more
                np.copyto(ends, self._free)
            return
        if not self._is_expected:
            np.copyto(self._free, ends)
        where = count, self._listed, contacts.points, contacts.weights, contacts.normals
        length, square = 1.0, 0.0
        self._steps[:count] = 0.0
        self._move(count, contacts, step, ends)
        for _ in range(MOST_ROUNDS):
            answer = write_errors(
                *where, contacts.gaps, contacts.lines, contacts.thicknesses, ends, self._steps, self._errors
            )
            if answer > 0.0:
                length = square / answer
            largest, square = step_pushes(
                *where, contacts.grips, inverse_masses, length, self._errors, contacts.pushes, contacts.rubs, self._steps
            )  # fmt: skip
            if not largest > 0.0:
                break
            self._move(count, contacts, step, ends)
            if largest < CONTENT * thickness:
                break

    def end(self, touched: NDArray[np.int64]) -> None:
        """Remember which parts touch obstacles, (particle_count,) -1 for none."""
        if self.integrator is not None:
            mark_leaning(touched, self.world.couplings.leaders, self.leans)
