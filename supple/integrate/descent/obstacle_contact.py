"""Contact with obstacles inside the solve of `descent`: who touches what, and what contacts carry from substep to substep.

Rows stand in this order: particles, then edges and faces. They are found anew at the guess of every Newton step, and go on
with the forces of the last substep by their keys.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.edge_contact.edge_search import EdgeSearch
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.particle_contact import EMERGENCE
from supple.integrate.descent.contact_rows import (
    add_contacts,
    end_contacts,
    forces_hold,
    lets_slip,
    make_rows,
)
from supple.integrate.descent.find_contacts import (
    carry_on,
    carry_on_by_table,
    find_particle_contacts,
    make_clearances,
    take_places,
)
from supple.integrate.descent.newton_system import Points
from supple.integrate.descent.other_forces import read_guess
from supple.model.world import World

EDGE_SEARCHES = 2
"""Newton steps of a substep in which places of edges and faces are looked for; later ones keep them."""


class ObstacleContact:
    """Contacts of particles, edges and faces with obstacles."""

    KEPT = ("keys", "pressures", "frictions")
    """What the next substep needs of the last one."""

    def __init__(self, world: World, obstacles: Obstacles) -> None:
        """Begin with no contact."""
        self._world, self._obstacles = world, obstacles
        self.rows, self._old = make_rows(64), make_rows(64)
        self.particle_count = self.count = 0
        """How many contacts there are of particles, and with those of edges and faces."""
        self._old_particles = self._old_count = 0
        self._step = 0.0
        self._clearances = make_clearances(world.particles.count)
        self._search_edges()

    def _search_edges(self) -> None:
        self._edges = EdgeSearch(self._world, self._obstacles.bends, self._obstacles.properties)
        self._table = np.full(self._edges.key_count, -1, dtype=np.int64)

    def lengths_changed(self) -> None:
        """Follow cloth that shrinks or grows: other solids may reach between its particles now."""
        if self._edges.is_outdated(self._world):
            self._search_edges()
            self.count = self.particle_count

    def begin(self, step: float) -> None:
        """Begin a substep of so many seconds: contacts of the last one become what is carried."""
        self._step = step
        self.rows, self._old = self._old, self.rows
        self._old_particles, self._old_count = self.particle_count, self.count
        self._edges.begin()

    def add(self, number: int, slots: NDArray[np.int64], points: Points) -> int:
        """Find contacts at the guess of Newton step `number`, and add their forces; return how many press."""
        obstacles, particles, edges = self._obstacles, self._world.particles, self._edges
        solids, properties, motion = obstacles.solids, obstacles.properties, obstacles.motion.arrays
        if edges.is_active and number < EDGE_SEARCHES:
            read_guess(slots, points.guess, particles.positions)
            edges.find(solids, properties, motion, particles.arrays)
        others = edges.places.count
        while True:
            count = find_particle_contacts(
                solids, properties, motion, particles.arrays, slots, points.guess, EMERGENCE * self._step,
                self._clearances, self.rows,
            )  # fmt: skip
            if count + others <= len(self.rows.keys):
                break
            self.rows = make_rows(2 * (count + others))
        self.particle_count, self.count = count, count + others
        carry_on(self._old, self._old_particles, self.rows, count)
        if edges.is_active:
            take_places(
                edges.places.count, edges.places.arrays, edges.triangles, properties, count, self.rows
            )
            carry_on_by_table(
                self._old, self._old_particles, self._old_count, self.rows, count, self.count, self._table
            )
        return int(add_contacts(self.rows, 0, self.count, slots, points, lets_slip(number)))

    def holds(
        self, number: int, slots: NDArray[np.int64], guess: NDArray[np.float64], solution: NDArray[np.float32]
    ) -> bool:
        """Tell whether contacts give the forces that Newton step `number` has counted on."""
        return bool(forces_hold(self.rows, self.count, slots, guess, solution, number > 0))

    def end(
        self, step: float, slots: NDArray[np.int64], guess: NDArray[np.float64], solution: NDArray[np.float32]
    ) -> None:
        """Take over the forces that contacts ended with, and tell the obstacles."""
        obstacles = self._obstacles
        end_contacts(
            self.rows, self.count, slots, guess, solution, step, obstacles.contacts, obstacles.sums.sums,
            obstacles.reactions,
        )  # fmt: skip

    def forget(self) -> None:
        """Forget all contacts, and where edges were looked for: particles may be anywhere now."""
        self.particle_count = self.count = 0
        self._clearances.rooms[:] = -np.inf
        self._search_edges()

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what contacts carry, for `restore`."""
        end = self.count
        kept: dict[str, NDArray[Any]] = {f"contact_{n}": getattr(self.rows, n)[:end] for n in self.KEPT}
        return {**kept, "contact_counts": np.array([self.particle_count, end])}

    def restore(self, saved: dict[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        counts = saved["contact_counts"]
        if counts.shape != (2,) or counts.dtype != np.int64 or not 0 <= counts[0] <= counts[1]:
            raise ValueError("contact_counts")
        end = int(counts[1])
        if len(saved["contact_keys"]) != end:
            raise ValueError("contact_keys")
        rows = make_rows(max(64, end))
        for name in self.KEPT:
            into, given = getattr(rows, name), saved[f"contact_{name}"]
            if (
                given.dtype != into.dtype
                or given.shape != (end, *into.shape[1:])
                or not np.isfinite(given).all()
            ):
                raise ValueError(name)
            into[:end] = given
        places = rows.keys[int(counts[0]) : end]
        if not ((places >= 0) & (places < len(self._table))).all():
            raise ValueError("contact_keys")
        self.rows, self.particle_count, self.count = rows, int(counts[0]), end
