"""Renumbering: particles, springs and bending elements change places in their tables, and nothing else about them.

A piece that comes off a body needs consecutive numbers, as every body has. Pairs of coupled particles keep their numbers,
so nothing that is indexed by pair has to move, and what was summed is not summed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.couplings.couplings import Couplings, Scratch
from supple.model.couplings.update_couplings import sort_row
from supple.model.particles import Particles
from supple.model.springs import Springs

Indices = NDArray[np.int64]

UNSHARED = ("positions", "velocities", "accelerations", "pushes", "is_fixed")
"""Arrays of particles that no snapshot shares memory with."""

SHARED = ("masses", "rest_positions")
"""Arrays of particles that a snapshot may share memory with."""


@dataclass(frozen=True)
class Renumbering:
    """The former row of every particle, spring and bending element."""

    particles: Indices
    """(particle_count,) former number of each particle."""

    springs: Indices
    """(spring_count,) former row of each spring."""

    bends: Indices
    """(bend_count,) former row of each bending element."""

    @cached_property
    def new_of(self) -> Indices:
        """(particle_count,) new number of each particle, by its former one."""
        return places_of(self.particles)

    @cached_property
    def particle_runs(self) -> Runs:
        """Runs of particles that stay consecutive."""
        return Runs(self.particles)

    @cached_property
    def spring_runs(self) -> Runs:
        """Runs of springs that stay consecutive."""
        return Runs(self.springs)

    @cached_property
    def bend_runs(self) -> Runs:
        """Runs of bending elements that stay consecutive."""
        return Runs(self.bends)

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return self.particles.nbytes + self.springs.nbytes + self.bends.nbytes


def places_of(order: Indices) -> Indices:
    """Return where each number stands in an order of all numbers, (count,)."""
    positions = np.empty(len(order), np.int64)
    invert(order, positions)
    return positions


@kernel
def invert(order, positions):
    """Write where each number stands in an order of all numbers, both (count,)."""
    for n in range(order.shape[0]):
        positions[order[n]] = n


@kernel
def list_runs(order, starts):
    """List where runs begin of rows that stood one after the other before; return how many there are.

    Rows at the beginning and at the end that stay where they are belong to none: the first start is the first row that
    moves, and one start more than there are runs tells where the last of them ends.

    Args:
        order: (row_count,) where each row stood
        starts: (row_count + 1,) written
    """
    end = order.shape[0]
    while end > 0 and order[end - 1] == end - 1:
        end -= 1
    first = 0
    while first < end and order[first] == first:
        first += 1
    count = 0
    for row in range(first, end):
        if row == first or order[row] != order[row - 1] + 1:
            starts[count] = row
            count += 1
    starts[count] = end
    return count


@kernel
def gather_runs(order, starts, width, source, target):
    """Copy rows that move by their runs, see `list_runs`, to the beginning of a table; a row is `width` of its numbers."""
    for run in range(starts.shape[0] - 1):
        first, count = starts[run], (starts[run + 1] - starts[run]) * width
        # Numbers that begin at zero are seen not to be negative, so several are copied at a time.
        here, there = target[(first - starts[0]) * width :], source[order[first] * width :]
        for n in range(count):
            here[n] = there[n]


class Runs:
    """The former rows of a table in runs that stay consecutive: each is copied in one go."""

    def __init__(self, order: Indices) -> None:
        """Find the runs of an order (row_count,)."""
        self.order = order
        starts = np.empty(len(order) + 1, np.int64)
        self.starts = starts[: list_runs(order, starts) + 1]


class RowMover:
    """Moves rows of tables, in memory that is kept for it, so that an edit does not wait for fresh pages."""

    def __init__(self, scratch: Scratch | None = None) -> None:
        """Use memory that finding the couplings needs as well, if there is some."""
        self._scratch = Scratch() if scratch is None else scratch

    def rearrange(self, array: NDArray[Any], runs: Runs) -> None:
        """Let each row of an array be the one that stood in the row that the order of the runs tells."""
        if array.nbytes == 0 or len(runs.starts) == 1:
            return
        assert array.flags.c_contiguous
        unit, width = _units(array)
        moved = slice(int(runs.starts[0]) * width, int(runs.starts[-1]) * width)
        words = array.reshape(-1).view(unit)
        size = (moved.stop - moved.start) * words.itemsize
        rows = self._scratch.lend(size)[:size].view(unit)
        gather_runs(runs.order, runs.starts, width, words, rows)
        words[moved] = rows


def _units(array: NDArray[Any]) -> tuple[type[np.unsignedinteger[Any]], int]:
    """Return numbers that the rows of an array can be copied as, and how many a row has."""
    size = array.nbytes // len(array)
    for unit, length in ((np.uint64, 8), (np.uint32, 4)):
        if size % length == 0:
            return unit, size // length
    return np.uint8, size


@kernel
def renumber_all(new_of, numbers):
    """Replace all numbers (row_count, width) by new ones, given by the old (count,)."""
    for n in range(numbers.shape[0]):
        for c in range(numbers.shape[1]):
            numbers[n, c] = new_of[numbers[n, c]]


@kernel
def renumber_pairs(new_of, pairs, row_starts, row_ends, columns, pair_of_entry):
    """Renumber coupled particles in pairs and in rows.

    Args:
        new_of: (particle_count,) new number of each one
        pairs: (pair_count, 2) renumbered, the smaller first; 0, 0 stays: that number of a pair is free
        row_starts: (particle_count,) where each row begins; the rows have changed places already
        row_ends: (particle_count,) where it ends
        columns: (entry_capacity,) renumbered, ascending within a row
        pair_of_entry: (entry_capacity,) follows the columns
    """
    for k in range(pairs.shape[0]):
        if pairs[k, 1] > 0:
            a, b = new_of[pairs[k, 0]], new_of[pairs[k, 1]]
            pairs[k, 0], pairs[k, 1] = min(a, b), max(a, b)
    for i in range(row_starts.shape[0]):
        begin, end = row_starts[i], row_ends[i]
        is_ascending = True
        for e in range(begin, end):
            columns[e] = new_of[columns[e]]
            is_ascending = is_ascending and (e == begin or columns[e - 1] < columns[e])
        if not is_ascending:
            sort_row(columns[begin:end], pair_of_entry[begin:end])


@kernel
def renumber_labels(order, old, first, labels):
    """Write the connected component of each particle, the number of its first particle.

    Args:
        order: (particle_count,) former number of each particle
        old: (particle_count,) former label of each, by former number
        first: (particle_count,) -1; scratch
        labels: (particle_count,) written
    """
    for i in range(order.shape[0]):
        label = old[order[i]]
        if first[label] < 0:
            first[label] = i
        labels[i] = first[label]


def renumber_particles(particles: Particles, renumbering: Renumbering, mover: RowMover) -> None:
    """Give particles other numbers; arrays that a snapshot may share stay as they are, and others take their place."""
    for name in UNSHARED:
        mover.rearrange(getattr(particles, name), renumbering.particle_runs)
    for name in SHARED:
        setattr(particles, name, getattr(particles, name).take(renumbering.particles, axis=0))


def renumber_elements(springs: Springs, bends: Bends, renumbering: Renumbering, mover: RowMover) -> None:
    """Let springs and bending elements change places, and renumber their particles."""
    for table, runs in ((springs, renumbering.spring_runs), (bends, renumbering.bend_runs)):
        for array in vars(table).values():
            mover.rearrange(array, runs)
    renumber_all(renumbering.new_of, springs.ends)
    renumber_all(renumbering.new_of, bends.points)


def renumbered_anchors(anchors: Anchors, renumbering: Renumbering) -> Anchors:
    """Return the anchors of the same particles."""
    return Anchors(
        points=renumbering.new_of[anchors.points], stiffness=anchors.stiffness, targets=anchors.targets
    )


def renumber_couplings(couplings: Couplings, renumbering: Renumbering, mover: RowMover) -> None:
    """Let couplings follow; every pair keeps its number."""
    for rows in (couplings.row_starts, couplings.row_ends, couplings.row_capacities):
        if len(rows):
            mover.rearrange(rows, renumbering.particle_runs)
    mover.rearrange(couplings.pair_of_spring, renumbering.spring_runs)
    mover.rearrange(couplings.pairs_of_bend, renumbering.bend_runs)
    renumber_pairs(
        renumbering.new_of, couplings.pairs, couplings.row_starts, couplings.row_ends, couplings.columns,
        couplings.pair_of_entry,
    )  # fmt: skip
    labels = couplings.known_labels
    if labels is not None:
        first, found = np.full(len(labels), -1, np.int64), np.empty(len(labels), np.int64)
        renumber_labels(renumbering.particles, labels, first, found)
        couplings.known_labels = found
