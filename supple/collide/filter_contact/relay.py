"""The relay: what contact does to some particles, springs pass on to the others within the same substep.

Theory: docs/theory/obstacles.md, eq. (O14), (O17), (O18). Contact moves particles after the springs have been
solved. Moving them alone would strain every spring at the rim of the contact, in every substep
anew: draped cloth would tremble with that energy, and cling. So the free particles follow as the
matrix of the step says, each substep starting from what they did in the last.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.collide.filter_contact.clusters import Clusters, correct_by_clusters
from supple.collide.filter_contact.firm_relay import follow_firmly, write_loads
from supple.kernel import kernel
from supple.model.world import World
from supple.solve.lanes import load, minus_product, pack, scaled, store

WEAKEST = 0.02
"""Couplings below this share of the diagonal pass nothing on [-]."""

SURPRISES = (5e-4, 0.05, 0.25)
"""From which surprise on a part takes one, two and three cycles [-]; see `expect_moves`."""


def sweep_weights(count: int, smoothest: float) -> tuple[float, ...]:
    """Return one over the roots of Chebyshev's polynomial on [smoothest, 2]: no error grows, whatever its eigenvalue.

    Each root is the one farthest from those before it (their differences multiplied), so that no error grows for a while
    either, and nothing is lost to rounding.

    Args:
        count: how many sweeps
        smoothest: eigenvalue of D⁻¹ A from which on they reduce the error evenly [-]; the largest is below 2
    """
    middle, half = 1.0 + 0.5 * smoothest, 1.0 - 0.5 * smoothest
    roots = [middle + half * math.cos(math.pi * (k + 0.5) / count) for k in range(count)]
    chosen = [roots.pop(0)]
    while roots:
        farthest = max(roots, key=lambda root: math.prod(abs(root - other) for other in chosen))
        roots.remove(farthest)
        chosen.append(farthest)
    return tuple(1.0 / root for root in chosen)


SWEEP_WEIGHTS = sweep_weights(2, 0.3)
"""Weights of the sweeps that end a cycle, even many; what is smoother is left to the clusters."""

CLUSTER_WEIGHTS = sweep_weights(11, 0.01)
"""Weights of the sweeps over clusters."""


@kernel(counts_references=False)
def add_to_sums(sums, part, old, held, new, both, expected, freed):
    """Add to the sums of a part, see `expect_moves`."""
    sums[part, 0] += old
    sums[part, 1] += held
    sums[part, 2] += new
    sums[part, 3] += both
    sums[part, 4] += expected
    sums[part, 5] += freed


@kernel(counts_references=False)
def expect_moves(follows, leaders, moves, is_due, last, work, sums, order, counts):
    """Start from what particles did when the part was last swept, and list those that follow.

    All of a connected part followed its contacts by e; these have moved by d then and by d' now. The
    guess is s e with the s in [0, 1] for which s d comes closest to d', so cloth that has been hit
    does not go on being thrown back. The surprise of a part is the share of its contacts' moves that
    was not expected, the sum of |d' - s e|² over the contacts of now, and of |s e|² over those that are none any more, by
    that of |d'|²: nearly zero where cloth rests, nearly one where it lands.

    A part that is hardly surprised keeps to its guess, and to what it was taken from: so the surprise grows until it
    is swept again, however slowly its contacts change.

    Args:
        follows: (particle_count,) whether a particle follows; the moves of all others are given
        leaders: (particle_count,) first particle of the part that each belongs to
        moves: (particle_count, 3) [m], zero where a particle follows
        is_due: whether all parts are swept
        last: (particle_count, 4) [m], moves of the last sweep, and 1 where they were given; overwritten in parts to be swept
        work: (particle_count, 4) [m], overwritten like `last`
        sums: (particle_count, 6) scratch, by leader
        order: (particle_count,) written, those that follow in parts to be swept: the least surprised first
        counts: (4,) written, how many follow in parts to be swept once, twice and three times; the first is 1 if there
            are parts that keep to their guess
    """
    particle_count = follows.shape[0]
    for i in range(particle_count):
        if leaders[i] == i:
            for n in range(6):
                sums[i, n] = 0.0
    # Particles of a part mostly stand together: their sums stay in registers until another part begins.
    part = leaders[0] if particle_count > 0 else 0
    old, held, new, both, expected, freed = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(particle_count):
        if leaders[i] != part:
            add_to_sums(sums, part, old, held, new, both, expected, freed)
            part = leaders[i]
            old, held, new, both, expected, freed = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        is_given, was_given = not follows[i], last[i, 3] == 1.0
        if is_given or was_given:
            x, y, z = last[i, 0], last[i, 1], last[i, 2]
            square = x * x + y * y + z * z
            product = x * moves[i, 0] + y * moves[i, 1] + z * moves[i, 2]
            if was_given:
                old += square
                held += product
            if is_given:
                new += moves[i, 0] * moves[i, 0] + moves[i, 1] * moves[i, 1] + moves[i, 2] * moves[i, 2]
                both += product
                expected += square
            else:
                freed += square
    add_to_sums(sums, part, old, held, new, both, expected, freed)
    for n in range(counts.shape[0]):
        counts[n] = 0
    for i in range(particle_count):
        if leaders[i] == i:
            share = min(1.0, sums[i, 1] / sums[i, 0]) if sums[i, 1] > 0.0 else 0.0
            missed = sums[i, 2] - share * (2.0 * sums[i, 3] - share * (sums[i, 4] + sums[i, 5]))
            grade = 0
            for limit in SURPRISES:
                grade += missed > limit * sums[i, 2]
            sums[i, 0], sums[i, 1] = share, max(grade, int(is_due))
            counts[int(sums[i, 1])] = 1
    first = 0
    for grade in range(1, counts.shape[0]):
        if counts[grade] == 0:
            continue
        count = first
        part, share, is_swept = -1, 0.0, False
        for i in range(particle_count):
            if leaders[i] != part:
                part = leaders[i]
                share, is_swept = sums[part, 0], sums[part, 1] == grade
            if not is_swept:
                continue
            if follows[i]:
                order[count] = i
                count += 1
                store(work, i, scaled(load(last, i), share))
            else:
                x, y, z = moves[i, 0], moves[i, 1], moves[i, 2]
                given = pack(x, y, z, 0.0 if x == 0.0 and y == 0.0 and z == 0.0 else 1.0)
                store(last, i, given)
                store(work, i, given)
        counts[grade] = count - first
        first = count


@kernel(counts_references=False)
def relay_moves(row_starts, columns, shares, order, first, end, weight, given, moves):
    """Let particles follow the moves of their neighbours: e ← e - w D⁻¹ A e.

    All of them look at the moves before the sweep, so that the answer does not depend on how
    particles are numbered: what is symmetric stays so.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on, -A_ij / A_ii
        order: (particle_count,) particles that follow
        first: the first of them to sweep, as a place in `order`
        end: one after the last of them
        weight: of the sweep [-]
        given: (particle_count, 4) [m], moves before
        moves: (particle_count, 4) [m], written for those that follow
    """
    for n in range(first, end):
        i = order[n]
        own = load(given, i)
        rest = own
        for e in range(row_starts[i], row_starts[i + 1]):
            rest = minus_product(rest, shares[e], load(given, columns[e]))
        store(moves, i, minus_product(own, weight, rest))


@kernel(counts_references=False)
def follow(order, count, work, last, moves, positions):
    """Move the particles that follow.

    Args:
        order: (particle_count,) particles that follow
        count: how many do
        work: (particle_count, 4) [m], their moves
        last: (particle_count, 4) [m], written for the next substeps, without the mark of a given move
        moves: (particle_count, 3) [m], written
        positions: (particle_count, 3) [m], moved in place
    """
    for n in range(count):
        i = order[n]
        store(last, i, load(work, i))
        last[i, 3] = 0.0
        for axis in range(3):
            moves[i, axis] = work[i, axis]
            positions[i, axis] += work[i, axis]


@kernel(counts_references=False)
def keep_to_guess(follows, leaders, sums, last, moves, positions):
    """Move the particles that follow in parts that are hardly surprised as they are expected to.

    Args:
        follows: (particle_count,) whether a particle follows
        leaders: (particle_count,) first particle of the part that each belongs to
        sums: (particle_count, 6) by leader: the share that is expected of `last`, and the grade of surprise
        last: (particle_count, 4) [m], moves of the last sweep
        moves: (particle_count, 3) [m], written
        positions: (particle_count, 3) [m], moved in place
    """
    part, share, is_calm = -1, 0.0, False
    for i in range(follows.shape[0]):
        if leaders[i] != part:
            part = leaders[i]
            share, is_calm = sums[part, 0], sums[part, 1] == 0.0
        if is_calm and follows[i]:
            for axis in range(3):
                move = share * last[i, axis]
                moves[i, axis] = move
                positions[i, axis] += move


@kernel(counts_references=False)
def relay_contacts(
    row_starts, columns, shares, diagonal, leaders, weights, clusters, follows, is_due, work, sums, order,
    counts, last, moves, positions,
):  # fmt: skip
    """Move the particles that follow: expect, correct by clusters, sweep, and again where parts are surprised.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on, -A_ij / A_ii
        diagonal: (particle_count,) A_ii [kg]
        leaders: (particle_count,) first particle of the part that each belongs to
        weights: (sweep_count,) weights of the sweeps [-], even many
        clusters: the arrays of `Clusters`
        follows: (particle_count,) whether a particle follows; the moves of all others are given
        is_due: whether to sweep also what has gone on as expected
        work: (particle_count, 4) scratch
        sums: (particle_count, 6) scratch
        order: (particle_count,) scratch
        counts: (4,) scratch
        last: (particle_count, 4) [m], moves of the last sweep, and 1 where they were given; overwritten
        moves: (particle_count, 3) [m], written for those that follow
        positions: (particle_count, 3) [m], moved in place
    """
    expect_moves(follows, leaders, moves, is_due, last, work, sums, order, counts)
    if counts[0] > 0:
        keep_to_guess(follows, leaders, sums, last, moves, positions)
    first, end = 0, counts[1:].sum()
    for grade in range(1, counts.shape[0]):
        if end > first:
            correct_by_clusters(
                row_starts, columns, shares, diagonal, follows, order, first, end, *clusters, work
            )
            for k in range(0, weights.shape[0], 2):  # `work` and `last` take turns
                relay_moves(row_starts, columns, shares, order, first, end, weights[k], work, last)
                relay_moves(row_starts, columns, shares, order, first, end, weights[k + 1], last, work)
        first += counts[grade]
    follow(order, end, work, last, moves, positions)


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
        self._diagonal = kept
        self._weights = np.array(SWEEP_WEIGHTS)
        self._clusters = Clusters(self.row_starts, self.columns, self.shares, kept, CLUSTER_WEIGHTS)

        count = len(diagonal)
        self._leaders = couplings.component_labels
        self._order, self._ring_of = np.empty(count, dtype=np.uint32), np.empty(count, dtype=np.int64)
        self._work, self._sums = np.zeros((count, 4)), np.zeros((count, 6))
        self._search = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3))
        self._counts = np.zeros(len(SURPRISES) + 1, dtype=np.int64)

    def pass_on(
        self,
        follows: NDArray[np.bool_],
        moves: NDArray[np.float64],
        last: NDArray[np.float64],
        positions: NDArray[np.float64],
        *,
        is_due: bool = True,
    ) -> None:
        """Move the particles that follow.

        Args:
            follows: (particle_count,)
            moves: (particle_count, 3) [m], given for all others, written for those that follow
            last: (particle_count, 4), what this has left there in the last substep, zeros at first
            positions: (particle_count, 3) [m], moved in place
            is_due: whether to sweep also parts whose contacts go on as expected
        """
        relay_contacts(
            self.row_starts, self.columns, self.shares, self._diagonal, self._leaders, self._weights,
            self._clusters.arrays, follows, is_due, self._work, self._sums, self._order, self._counts, last, moves,
            positions,
        )  # fmt: skip

    def pass_on_firmly(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], positions: NDArray[np.float64]
    ) -> None:
        """Move the particles that follow as far as they would in the end, whatever they did before.

        Args:
            follows: (particle_count,)
            moves: (particle_count, 3) [m], given for all others, written for those that follow
            positions: (particle_count, 3) [m], moved in place
        """
        rows = self.row_starts, self.columns, self.shares, self._diagonal
        follow_firmly(*rows, follows, *self._search, moves, positions)

    def loads(self, is_wanted: NDArray[np.bool_], moves: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what moved the particles that are wanted, (particle_count, 3) [kg·m], until the next call."""
        loads = self._search[0]
        write_loads(self.row_starts, self.columns, self.shares, self._diagonal, is_wanted, moves, loads)
        return loads

    def trace(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], sources: NDArray[np.int64]
    ) -> None:
        """Write which solid moved the particles that followed last, see `trace_moves`."""
        rows = self.row_starts, self.columns, self.shares
        trace_moves(*rows, follows, self._ring_of, self._order, moves, sources)
