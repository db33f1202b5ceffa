"""The relay after contact with obstacles: what particles in contact were moved by is passed on to the rest of their part.

Theory: docs/theory/obstacles.md, eq. (O14), and docs/theory/contact.md, eq. (K21).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from supple.collide.filter_contact.carriers import (
    add_loads,
    end_carrying,
    expect_with_neighbours,
    mark_carriers,
)
from supple.collide.filter_contact.followers import (
    add_passed_on,
    calm_touching_parts,
    find_followers,
    part_spans,
)
from supple.collide.obstacles.particle_contact import ParticleContacts
from supple.collide.obstacles.particle_memory import continued
from supple.model.tables.growable import resized
from supple.model.world import World

SWEPT_EVERY = 10
"""Substeps after which the relay sweeps also parts whose contacts go on as expected."""


class Relay(Protocol):
    """Passes the moves of particles in contact on to the others."""

    def pass_on(
        self,
        follows: NDArray[np.bool_],
        moves: NDArray[np.float64],
        last: NDArray[np.float64],
        positions: NDArray[np.float64],
        *,
        is_due: bool = True,
    ) -> None:
        """Move the particles that follow; `moves` are given for all others, `last` is left for the next time."""

    def pass_on_firmly(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], positions: NDArray[np.float64]
    ) -> None:
        """Move the particles that follow as far as they would in the end; `moves` are given for all others."""

    def loads(self, is_wanted: NDArray[np.bool_], moves: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what moved the particles that were wanted, (particle_count, 3) [kg·m], until the next call."""

    def trace(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], sources: NDArray[np.int64]
    ) -> None:
        """Write which solid moved the particles that followed last; given for all others."""


class Relays(Protocol):
    """Who has a relay for every size of substep."""

    def relay(self, step: float) -> Relay:
        """Return the relay for substeps of `step` seconds."""


class ObstacleRelay:
    """Owner of the arrays that the relay needs of every particle."""

    def __init__(self, world: World, wants_reaction: NDArray[np.bool_], bodies_of: NDArray[np.int64]) -> None:
        """Begin with nothing touched.

        Args:
            world: the particles and their parts
            wants_reaction: (solid_count,) whether the reaction on a solid is summed up
            bodies_of: (solid_count,) body with a mass that each solid belongs to, -1 for none
        """
        self._world = world
        self._wants_reaction, self._bodies_of = wants_reaction, bodies_of
        self._has_reactions, self._has_bodies = bool(wants_reaction.any()), bool((bodies_of >= 0).any())
        self._substep = 0
        """Counts from 1 in every frame."""
        count = world.particles.count
        self._last, self._carries = np.zeros((count, 4)), np.zeros(count, dtype=np.bool_)
        self._is_touching, self._follows, self._bears, self._is_borne = (
            np.zeros(count, dtype=np.bool_) for _ in range(4)
        )
        self._by_part = np.zeros((count, 2), dtype=np.bool_)
        self._sources = np.zeros(count, dtype=np.int64)
        self._read_parts()

    def _read_parts(self) -> None:
        self._leaders = self._world.couplings.component_labels
        self._spans = part_spans(self._leaders)

    def reshape(self, nearest: NDArray[np.int64], *, is_same: bool) -> None:
        """Follow an edit, see `continued`."""
        self._last = continued(self._last, nearest, is_same=is_same)
        self._carries = continued(self._carries, nearest, is_same=is_same)
        count = len(nearest)
        self._is_touching, self._follows = _cleared(self._is_touching, count), _cleared(self._follows, count)
        self._bears, self._is_borne = _cleared(self._bears, count), _cleared(self._is_borne, count)
        self._by_part, self._sources = _cleared(self._by_part, count), _cleared(self._sources, count)
        self._read_parts()

    def begin_substep(self) -> None:
        """Count the substeps of a frame."""
        self._substep += 1

    def end_frame(self) -> None:
        """Count anew."""
        self._substep = 0

    def pass_on(
        self, relays: Relays, step: float, contacts: ParticleContacts, reactions: NDArray[np.float64]
    ) -> None:
        """Let particles around those in contact follow, and add the reactions on the solids, (solid_count, 6)."""
        particles, touched, moves = self._world.particles, contacts.touched, contacts.displacements
        if not find_followers(touched, self._spans, particles.is_fixed, self._is_touching, self._follows):
            self._last[:] = 0.0
            return
        relay = relays.relay(step)  # takes time to make after an edit, so only where something is touched
        is_any_carrying = self._has_bodies and mark_carriers(
            touched, self._bodies_of, self._leaders, particles.is_fixed, self._follows,
            self._by_part, self._carries, self._is_borne, self._bears,
        )  # fmt: skip
        if is_any_carrying:
            self._carry(relay, contacts, reactions)
        is_due = self._substep % SWEPT_EVERY == 1
        relay.pass_on(self._follows, moves, self._last, particles.positions, is_due=is_due)
        if is_any_carrying:
            end_carrying(self._carries, self._is_borne, self._bears, self._follows, self._last)
        if self._has_reactions:
            np.copyto(self._sources, touched)
            relay.trace(self._follows, moves, self._sources)
            add_passed_on(
                self._sources, self._follows, self._wants_reaction, particles.masses, particles.positions, moves,
                reactions,
            )  # fmt: skip

    def _carry(self, relay: Relay, contacts: ParticleContacts, reactions: NDArray[np.float64]) -> None:
        """Let what is under bodies with a mass follow to the end; what is held or stands elsewhere bears their loads."""
        particles, moves = self._world.particles, contacts.displacements
        relay.pass_on_firmly(self._bears, moves, particles.positions)
        loads = relay.loads(self._is_borne, moves)
        add_loads(
            contacts.touched, self._is_borne, self._wants_reaction, particles.masses, particles.positions, moves, loads,
            reactions,
        )  # fmt: skip

    def expect_with_neighbours(self) -> None:
        """Let all of a part that carried a body with a mass go on as its neighbours do (K21)."""
        if self._has_bodies:
            expect_with_neighbours(self._carries, self._world.particles.loads)
            self._carries[:] = False

    def calm(self, touched: NDArray[np.int64]) -> None:
        """Let the predictor forget what springs did in parts that touch something."""
        calm_touching_parts(touched, self._spans, self._is_touching, self._world.particles.accelerations)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what `restore` needs to go on bit for bit."""
        return {"last": self._last, "carries": self._carries}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self._last[:] = saved["last"]
        self._carries[:] = saved["carries"]


def _cleared(array: NDArray[Any], count: int) -> NDArray[Any]:
    """Return an array of zeros in the memory of another, if it fits in."""
    result = resized(array, count)
    result[:] = 0
    return result
