"""The relay: what contact does to some particles, springs pass on to the others within the same substep.

Theory: docs/theory/obstacles.md, eq. (O14). Contact moves particles after the springs have been
solved. Moving them alone would strain every spring at the rim of the contact, in every substep
anew, and draped cloth would tremble with that energy. So the free particles follow as the matrix
of the step says.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.world import World

WEAKEST = 0.02
"""Couplings below this share of the diagonal pass nothing on [-]."""

RINGS = 6
"""How many springs away from a contact particles follow it."""


@kernel(counts_references=False)
def find_rings(row_starts, columns, follows, ring_of, order, ring_ends):
    """List the particles that follow by how many springs they are away from one whose move is given.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns`
        columns: (entry_count,) the other particle
        follows: (particle_count,) whether a particle follows; the moves of all others are given
        ring_of: (particle_count,) written, -1 for particles that do not follow or are too far away
        order: (particle_count,) written, ring by ring
        ring_ends: (ring_count,) written, where each ring ends in `order`
    """
    count = 0
    for i in range(follows.shape[0]):
        ring_of[i] = -1
    for i in range(follows.shape[0]):
        if follows[i]:
            for e in range(row_starts[i], row_starts[i + 1]):
                if not follows[columns[e]]:
                    ring_of[i] = 0
                    order[count] = i
                    count += 1
                    break
    ring_ends[0] = count
    begin = 0
    for ring in range(1, ring_ends.shape[0]):
        end = count
        for n in range(begin, end):
            i = order[n]
            for e in range(row_starts[i], row_starts[i + 1]):
                j = columns[e]
                if follows[j] and ring_of[j] < 0:
                    ring_of[j] = ring
                    order[count] = j
                    count += 1
        begin = end
        ring_ends[ring] = count


@kernel(counts_references=False)
def relay_moves(row_starts, columns, shares, order, ring_ends, news, moves, positions):
    """Let particles follow the moves of their neighbours, ring by ring outwards and back inwards.

    Particles of a ring do not see each other's new moves, so that the answer does not depend on how
    particles are numbered: what is symmetric stays so.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on, -A_ij / A_ii
        order: (particle_count,) see `find_rings`
        ring_ends: (ring_count,) see `find_rings`
        news: (particle_count, 3) [m], scratch
        moves: (particle_count, 3) [m], zero where a particle follows, written there
        positions: (particle_count, 3) [m], moved in place
    """
    ring_count = ring_ends.shape[0]
    for sweep in range(2 * ring_count - 1):
        ring = sweep if sweep < ring_count else 2 * ring_count - 2 - sweep
        begin = 0 if ring == 0 else ring_ends[ring - 1]
        for n in range(begin, ring_ends[ring]):
            i = order[n]
            x, y, z = 0.0, 0.0, 0.0
            for e in range(row_starts[i], row_starts[i + 1]):
                j, share = columns[e], shares[e]
                x += share * moves[j, 0]
                y += share * moves[j, 1]
                z += share * moves[j, 2]
            news[n, 0], news[n, 1], news[n, 2] = x, y, z
        for n in range(begin, ring_ends[ring]):
            i = order[n]
            moves[i, 0], moves[i, 1], moves[i, 2] = news[n, 0], news[n, 1], news[n, 2]
    for n in range(ring_ends[ring_count - 1]):
        i = order[n]
        for axis in range(3):
            positions[i, axis] += moves[i, axis]


@kernel(counts_references=False)
def trace_moves(row_starts, columns, shares, ring_of, order, ring_ends, moves, sources):
    """Write which solid moved the particles that follow: the one whose move they got most of.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on
        ring_of: (particle_count,) see `find_rings`
        order: (particle_count,) see `find_rings`
        ring_ends: (ring_count,) see `find_rings`
        moves: (particle_count, 3) [m]
        sources: (particle_count,) solid, -1 for none; given for particles that do not follow
    """
    for n in range(ring_ends[ring_ends.shape[0] - 1]):
        i = order[n]
        most = 0.0
        for e in range(row_starts[i], row_starts[i + 1]):
            j = columns[e]
            if ring_of[j] < ring_of[i] and sources[j] >= 0:
                passed = shares[e] * (moves[j, 0] ** 2 + moves[j, 1] ** 2 + moves[j, 2] ** 2)
                if passed > most:
                    most = passed
                    sources[i] = sources[j]


class Relay:
    """The rows of A that pass moves on, for one size of substep."""

    def __init__(self, world: World, step: float) -> None:
        """Take the couplings that count: those that pull, and do so strongly."""
        couplings = world.couplings
        diagonal, values = world.step_matrix(step)
        lengths = couplings.row_starts[1:] - couplings.row_starts[:-1]
        rows = np.repeat(np.arange(len(diagonal)), lengths)
        columns, entries = couplings.columns, -values[couplings.pair_of_entry]
        counts = entries > WEAKEST * np.minimum(diagonal[rows], diagonal[columns])
        rows, columns, entries = rows[counts], columns[counts], entries[counts]
        # What is left out takes its part of the diagonal with it: a move that all neighbours share is passed on whole.
        kept = world.inertia(step) + np.bincount(rows, entries, minlength=len(diagonal))
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(diagonal)))])
        self.row_starts = starts.astype(
            np.uint32
        )  # unsigned: the compiler need not look for negative indices
        self.columns, self.shares = columns, entries / kept[rows]

        count = len(diagonal)
        self._ring_of = np.empty(count, dtype=np.int64)
        self._order = np.empty(count, dtype=np.uint32)
        self._ring_ends = np.zeros(RINGS, dtype=np.int64)
        self._news = np.empty((count, 3))

    def pass_on(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], positions: NDArray[np.float64]
    ) -> None:
        """Move the particles that follow; `moves` (particle_count, 3) [m] are given for all others."""
        rows = self.row_starts, self.columns
        find_rings(*rows, follows, self._ring_of, self._order, self._ring_ends)
        relay_moves(*rows, self.shares, self._order, self._ring_ends, self._news, moves, positions)

    def trace(self, moves: NDArray[np.float64], sources: NDArray[np.int64]) -> None:
        """Write which solid moved the particles that followed last, see `trace_moves`."""
        rows = self.row_starts, self.columns, self.shares
        trace_moves(*rows, self._ring_of, self._order, self._ring_ends, moves, sources)
