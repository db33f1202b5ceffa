"""The relay: what contact does to some particles, springs pass on to the others within the same substep.

Theory: docs/theory/obstacles.md, eq. (O14), (O17). Contact moves particles after the springs have been
solved. Moving them alone would strain every spring at the rim of the contact, in every substep
anew: draped cloth would tremble with that energy, and cling. So the free particles follow as the
matrix of the step says, each substep starting from what they did in the last.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.world import World
from supple.solve.lanes import load, minus_product, pack, scaled, store

WEAKEST = 0.02
"""Couplings below this share of the diagonal pass nothing on [-]."""

SWEEPS = 3
"""Sweeps of a substep; odd, see `Relay.pass_on`."""

SMOOTHEST = 0.05
"""Eigenvalue of D⁻¹ A from which on sweeps reduce the error evenly [-]; the largest is below 2."""

SWEEP_WEIGHTS = tuple(
    1.0 / (1.0 + 0.5 * SMOOTHEST + (1.0 - 0.5 * SMOOTHEST) * np.cos(np.pi * (k + 0.5) / SWEEPS))
    for k in range(SWEEPS)
)
"""One over the roots of Chebyshev's polynomial on [SMOOTHEST, 2]; no error grows, whatever its eigenvalue."""


@kernel(counts_references=False)
def expect_moves(follows, leaders, moves, last, work, tops, bottoms, order):
    """Start from what particles did in the last substep, and return how many follow.

    All of a connected part followed its contacts by e; these have moved by d then and by d' now. The
    guess is s e with the s in [0, 1] for which s d comes closest to d', so cloth that has been hit
    does not go on being thrown back.

    Args:
        follows: (particle_count,) whether a particle follows; the moves of all others are given
        leaders: (particle_count,) first particle of the part that each belongs to
        moves: (particle_count, 3) [m], zero where a particle follows
        last: (particle_count, 4) [m], moves of the last substep, and 1 where they were given; overwritten
        work: (particle_count, 4) [m], overwritten like `last`
        tops: (particle_count,) scratch, by leader
        bottoms: (particle_count,) scratch, by leader
        order: (particle_count,) written, those that follow
    """
    for i in range(follows.shape[0]):
        part = leaders[i]
        tops[part], bottoms[part] = 0.0, 0.0
    for i in range(follows.shape[0]):
        if last[i, 3] == 1.0:
            part, x, y, z = leaders[i], last[i, 0], last[i, 1], last[i, 2]
            bottoms[part] += x * x + y * y + z * z
            tops[part] += x * moves[i, 0] + y * moves[i, 1] + z * moves[i, 2]
    count = 0
    for i in range(follows.shape[0]):
        if follows[i]:
            part, share = leaders[i], 0.0
            if tops[part] > 0.0:
                share = min(1.0, tops[part] / bottoms[part])
            order[count] = i
            count += 1
            store(work, i, scaled(load(last, i), share))
        else:
            x, y, z = moves[i, 0], moves[i, 1], moves[i, 2]
            given = pack(x, y, z, 0.0 if x == 0.0 and y == 0.0 and z == 0.0 else 1.0)
            store(last, i, given)
            store(work, i, given)
    return count


@kernel(counts_references=False)
def relay_moves(row_starts, columns, shares, order, count, weight, given, moves):
    """Let particles follow the moves of their neighbours: e ← e - w D⁻¹ A e.

    All of them look at the moves before the sweep, so that the answer does not depend on how
    particles are numbered: what is symmetric stays so.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on, -A_ij / A_ii
        order: (particle_count,) particles that follow
        count: how many do
        weight: of the sweep [-]
        given: (particle_count, 4) [m], moves before
        moves: (particle_count, 4) [m], written for those that follow
    """
    for n in range(count):
        i = order[n]
        own = load(given, i)
        rest = own
        for e in range(row_starts[i], row_starts[i + 1]):
            rest = minus_product(rest, shares[e], load(given, columns[e]))
        store(moves, i, minus_product(own, weight, rest))


@kernel(counts_references=False)
def follow(order, count, last, moves, positions):
    """Move the particles that follow.

    Args:
        order: (particle_count,) particles that follow
        count: how many do
        last: (particle_count, 4) [m], their moves; the mark of a given move is taken off them
        moves: (particle_count, 3) [m], written
        positions: (particle_count, 3) [m], moved in place
    """
    for n in range(count):
        i = order[n]
        last[i, 3] = 0.0
        for axis in range(3):
            moves[i, axis] = last[i, axis]
            positions[i, axis] += last[i, axis]


@kernel(counts_references=False)
def trace_moves(row_starts, columns, shares, follows, ring_of, order, moves, sources):
    """Write which solid moved the particles that follow: the one whose move they got most of.

    Particles are visited by how many springs they are away from one whose move is given, and look
    only at those that are nearer to it.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on
        follows: (particle_count,) whether a particle follows
        ring_of: (particle_count,) scratch
        order: (particle_count,) scratch
        moves: (particle_count, 3) [m]
        sources: (particle_count,) solid, -1 for none; given for particles that do not follow
    """
    count, begin = 0, 0
    for i in range(follows.shape[0]):
        ring_of[i] = -1
        if not follows[i] and sources[i] >= 0:
            ring_of[i] = 0
            order[count] = i
            count += 1
    while begin < count:
        i = order[begin]
        begin += 1
        most = 0.0
        for e in range(row_starts[i], row_starts[i + 1]):
            j = columns[e]
            if ring_of[j] < 0:
                if follows[j]:
                    ring_of[j] = ring_of[i] + 1
                    order[count] = j
                    count += 1
            elif ring_of[j] < ring_of[i]:
                passed = shares[e] * (moves[j, 0] ** 2 + moves[j, 1] ** 2 + moves[j, 2] ** 2)
                if passed > most or sources[i] < 0:
                    most = passed
                    sources[i] = sources[j]


class Relay:
    """The rows of A that pass moves on, for one size of substep."""

    def __init__(self, world: World, step: float) -> None:
        """Take the couplings that count: those that pull, and do so strongly."""
        couplings = world.couplings
        diagonal, values = world.step_matrix(step)
        rows = np.repeat(np.arange(len(diagonal)), couplings.row_ends - couplings.row_starts)
        chosen = couplings.entries()
        columns, entries = couplings.columns[chosen], -values[couplings.pair_of_entry[chosen]]
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
        self._leaders = couplings.leaders
        self._order, self._ring_of = np.empty(count, dtype=np.uint32), np.empty(count, dtype=np.int64)
        self._work, self._tops, self._bottoms = np.zeros((count, 4)), np.empty(count), np.empty(count)

    def pass_on(
        self,
        follows: NDArray[np.bool_],
        moves: NDArray[np.float64],
        last: NDArray[np.float64],
        positions: NDArray[np.float64],
    ) -> None:
        """Move the particles that follow.

        Args:
            follows: (particle_count,)
            moves: (particle_count, 3) [m], given for all others, written for those that follow
            last: (particle_count, 4), what this has left there in the last substep, zeros at first
            positions: (particle_count, 3) [m], moved in place
        """
        rows = self.row_starts, self.columns, self.shares
        count = expect_moves(
            follows, self._leaders, moves, last, self._work, self._tops, self._bottoms, self._order
        )
        given, result = self._work, last  # they take turns; an odd number of sweeps ends in `last`
        for weight in SWEEP_WEIGHTS:
            relay_moves(*rows, self._order, count, weight, given, result)
            given, result = result, given
        follow(self._order, count, last, moves, positions)

    def trace(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], sources: NDArray[np.int64]
    ) -> None:
        """Write which solid moved the particles that followed last, see `trace_moves`."""
        rows = self.row_starts, self.columns, self.shares
        trace_moves(*rows, follows, self._ring_of, self._order, moves, sources)
