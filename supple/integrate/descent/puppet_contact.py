"""Contact with puppets inside the solve of `descent`: particles of cloth near a surface that deforms as it is told.

Rows are those of (N4), one for a particle: the plane is that of the nearest place of the surface at the end of the substep
(O15), and what friction counts from is where the surface has carried the place at which the substep began. Every Newton
step looks anew, at its guess. Who is far away is not looked at again until it may have come near.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.particle_contact import EMERGENCE
from supple.collide.obstacles.puppets import (
    Puppets,
    barycentric_weights,
    nearest_triangle,
    outward,
    read_corners,
    signed_distance,
    weighted_point,
)
from supple.integrate.descent.contact_rows import (
    add_contacts,
    end_contacts,
    forces_hold,
    lets_slip,
    make_rows,
)
from supple.integrate.descent.find_contacts import DEEP, REACH, carry_on, make_clearances
from supple.integrate.descent.newton_system import Points
from supple.kernel import kernel
from supple.model.world import World
from supple.simd import ROW


@kernel
def plane_above_start(surface, particles, start, emergence, scratch):
    """Return the plane that a particle began the substep above, as the surface has carried it.

    That is its normal, its offset [m], the triangle and the place of the surface at the end [m]. What began inside is led
    out slowly.
    """
    t, square, cx, cy, cz, part = nearest_triangle(
        surface, particles, 0.0, start[0], start[1], start[2], scratch
    )
    nx, ny, nz = outward(surface, t, part, particles.starts)
    side = (start[0] - cx) * nx + (start[1] - cy) * ny + (start[2] - cz) * nz
    read_corners(surface.triangles, t, particles.starts, particles.positions, 0.0, scratch.corners)
    wa, wb, wc = barycentric_weights(scratch.corners, cx, cy, cz)
    x, y, z = weighted_point(surface.triangles, t, wa, wb, wc, particles.positions)
    nx, ny, nz = outward(surface, t, part, particles.positions)
    kept = surface.shells[t]
    if side < 0.0:
        kept = min(kept, emergence - math.sqrt(square))
    return (nx, ny, nz), nx * x + ny * y + nz * z + kept, t, (x, y, z)


@kernel
def find_puppet_contacts(surface, drift, particles, slots, guess, emergence, clearances, scratch, rows):
    """Write a contact for every particle near a puppet, in the order of the particles; return how many there are.

    Args:
        surface: see `PuppetSurface`; its particles go from starts to positions in this substep
        drift: how far puppets have moved since the beginning [m]
        particles: see `ParticleArrays`
        slots: (particle_count,)
        guess: (4 slot_count,) where particles are [m]
        emergence: how far what starts inside is led out in this substep [m]
        clearances: see `Clearances`, changed in place
        scratch: see `SearchScratch`
        rows: see `ContactRows`; geometry and keys are overwritten, those beyond the capacity are only counted
    """
    triangles, starts = surface.triangles, particles.starts
    count = 0
    for i in range(slots.shape[0]):
        if particles.is_fixed[i]:
            continue
        at = ROW * slots[i]
        x, y, z = guess[at], guess[at + 1], guess[at + 2]
        dx, dy, dz = x - clearances.seen[i, 0], y - clearances.seen[i, 1], z - clearances.seen[i, 2]
        room = clearances.rooms[i] - drift
        if room > 0.0 and dx * dx + dy * dy + dz * dz < room * room:
            continue
        d, nx, ny, nz, t, cx, cy, cz = signed_distance(surface, particles, x, y, z, scratch)
        shell = surface.shells[t]
        clearances.seen[i, 0], clearances.seen[i, 1], clearances.seen[i, 2] = x, y, z
        clearances.rooms[i] = d - (1.0 + REACH) * shell + drift
        if not d < (1.0 + REACH) * shell:
            continue
        if count < rows.keys.shape[0]:
            n, place = (nx, ny, nz), (cx, cy, cz)
            offset = nx * x + ny * y + nz * z - d + shell
            if d < -DEEP * shell:
                n, offset, t, place = plane_above_start(
                    surface, particles, (starts[i, 0], starts[i, 1], starts[i, 2]), emergence, scratch
                )
            read_corners(triangles, t, starts, particles.positions, 1.0, scratch.corners)
            wa, wb, wc = barycentric_weights(scratch.corners, place[0], place[1], place[2])
            before = weighted_point(triangles, t, wa, wb, wc, starts)
            rows.keys[count], rows.solids[count] = i, 0
            rows.points[count, 0], rows.points[count, 1:] = i, -1
            rows.weights[count, 0], rows.weights[count, 1:] = 1.0, 0.0
            rows.coefficients[count] = surface.frictions[t]
            rows.offsets[count] = offset
            for axis in range(3):
                rows.normals[count, axis] = n[axis]
                rows.anchors[count, axis] = starts[i, axis] + place[axis] - before[axis]
        count += 1
    return count


class PuppetContact:
    """Contacts of particles with puppets."""

    KEPT = ("keys", "pressures", "frictions")
    """What the next substep needs of the last one."""

    def __init__(self, world: World, puppets: Puppets) -> None:
        """Begin with no contact."""
        self._world, self._puppets = world, puppets
        self.rows, self._old = make_rows(64), make_rows(64)
        self.count = self._old_count = 0
        """How many contacts there are."""
        self._step = 0.0
        self._clearances = make_clearances(world.particles.count)
        self._reactions = np.zeros((1, 6))

    def begin(self, step: float) -> None:
        """Begin a substep of so many seconds: contacts of the last one become what is carried."""
        self._step = step
        self.rows, self._old = self._old, self.rows
        self._old_count = self.count

    def add(self, number: int, slots: NDArray[np.int64], points: Points) -> int:
        """Find contacts at the guess of Newton step `number`, and add their forces; return how many press."""
        puppets = self._puppets
        while True:
            count = find_puppet_contacts(
                puppets.surface, puppets.drift, self._world.particles.arrays, slots, points.guess,
                EMERGENCE * self._step, self._clearances, puppets.scratch, self.rows,
            )  # fmt: skip
            if count <= len(self.rows.keys):
                break
            self.rows = make_rows(2 * count)
        self.count = count
        carry_on(self._old, self._old_count, self.rows, count)
        return int(add_contacts(self.rows, 0, count, slots, points, lets_slip(number)))

    def holds(
        self, number: int, slots: NDArray[np.int64], guess: NDArray[np.float64], solution: NDArray[np.float32]
    ) -> bool:
        """Tell whether contacts give the forces that Newton step `number` has counted on."""
        return bool(forces_hold(self.rows, self.count, slots, guess, solution, number > 0))

    def end(
        self, step: float, slots: NDArray[np.int64], guess: NDArray[np.float64], solution: NDArray[np.float32]
    ) -> None:
        """Take over the forces that contacts ended with, and tell the puppets."""
        puppets = self._puppets
        end_contacts(
            self.rows, self.count, slots, guess, solution, step, puppets.contacts, puppets.sums.sums,
            self._reactions,
        )  # fmt: skip

    def forget(self) -> None:
        """Forget all contacts: particles may be anywhere now."""
        self.count = 0
        self._clearances.rooms[:] = -np.inf

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what contacts carry, for `restore`, and what is known of distances.

        Near the border of an open surface these decide on which side a particle counts to be.
        """
        kept: dict[str, NDArray[Any]] = {
            f"contact_puppet_{name}": getattr(self.rows, name)[: self.count] for name in self.KEPT
        }
        return kept | {f"contact_puppet_{name}": array for name, array in self._clearances._asdict().items()}

    def restore(self, saved: dict[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        count = len(saved["contact_puppet_keys"])
        rows = make_rows(max(64, count))
        for name in self.KEPT:
            into, given = getattr(rows, name), saved[f"contact_puppet_{name}"]
            if (
                given.dtype != into.dtype
                or given.shape != (count, *into.shape[1:])
                or not np.isfinite(given).all()
            ):
                raise ValueError(name)
            into[:count] = given
        for name, array in self._clearances._asdict().items():
            given = saved[f"contact_puppet_{name}"]
            if given.dtype != array.dtype or given.shape != array.shape or np.isnan(given).any():
                raise ValueError(name)
            array[:] = given
        self.rows, self.count = rows, count
