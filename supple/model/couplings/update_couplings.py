"""Update couplings: the pairs of coupled particles follow an edit where it has changed something.

A pair comes or goes only between two particles that an edit has changed. Every pair keeps its number as long as it
exists; the number of one that has gone is given to the next that comes. Rows that have outgrown their place move to the
end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.bends import Bends
from supple.model.couplings.couplings import Couplings
from supple.model.springs import Springs
from supple.model.tables.growable import capacity_of, resized
from supple.model.tables.row_updates import RowUpdate

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]

PAIR_COUNT, FREE_COUNT, ENTRY_COUNT = 0, 1, 2
"""What `counts` counts: numbers of pairs given so far, those of them that are free, and entries of rows in use."""


class ChangeMarks(NamedTuple):
    """Particles whose springs or bending elements an edit has changed."""

    points: Indices
    """(count,) the particles."""

    is_changed: NDArray[np.bool_]
    """(particle_count,) the same."""


class NearElements(NamedTuple):
    """Elements at changed particles."""

    springs: Indices
    """(count,) springs, ascending."""

    bends: Indices
    """(count,) bending elements, ascending."""


class CoupledElements(NamedTuple):
    """Springs and bending elements with the pairs that they couple."""

    ends: NDArray[np.uint32]
    """(spring_count, 2) particles."""

    points: NDArray[np.uint32]
    """(bend_count, 4) particles."""

    weights: Floats
    """(bend_count, 4)"""

    pair_of_spring: Indices
    """(spring_count,) index of a pair."""

    pairs_of_bend: Indices
    """(bend_count, 6) indices of pairs, -1 where a weight is zero."""


class PairTable(NamedTuple):
    """Pairs by number."""

    counts: Indices
    """(3,) see PAIR_COUNT, FREE_COUNT, ENTRY_COUNT."""

    free: Indices
    """(pair_capacity,) free numbers."""

    pairs: Indices
    """(pair_capacity, 2) particles, the smaller first; 0, 0 for free numbers."""

    is_alive: NDArray[np.bool_]
    """(pair_capacity,) True; scratch."""


class PairRows(NamedTuple):
    """Pairs by row: every particle with the others it is coupled to; see `Couplings`."""

    starts: NDArray[np.uint32]
    """(particle_count,)"""

    ends: NDArray[np.uint32]
    """(particle_count,)"""

    capacities: Indices
    """(particle_count,) entries that fit into each row where it is."""

    columns: NDArray[np.uint32]
    """(entry_capacity,)"""

    pair_of_entry: Indices
    """(entry_capacity,)"""


@kernel
def find_pair(i, j, rows):
    """Return the number of the pair of i and j, -1 if they are not coupled."""
    for e in range(rows.starts[i], rows.ends[i]):
        if rows.columns[e] == j:
            return rows.pair_of_entry[e]
    return np.int64(-1)


@kernel
def add_entry(i, j, pair, counts, rows):
    """Add j to the row of i; return whether the capacity sufficed."""
    columns, pair_of_entry = rows.columns, rows.pair_of_entry
    begin, end = np.int64(rows.starts[i]), np.int64(rows.ends[i])
    length = end - begin
    if length >= rows.capacities[i]:
        capacity, target = length + 6, counts[ENTRY_COUNT]
        if target + capacity > columns.shape[0]:
            return False
        for k in range(length):
            columns[target + k], pair_of_entry[target + k] = columns[begin + k], pair_of_entry[begin + k]
        for k in range(length, capacity):
            pair_of_entry[target + k] = 0
        rows.starts[i], rows.capacities[i], end = target, capacity, target + length
        counts[ENTRY_COUNT] = target + capacity
    columns[end], pair_of_entry[end] = j, pair
    rows.ends[i] = end + 1
    return True


@kernel
def find_or_add_pair(i, j, table, rows):
    """Return the number of the pair of i and j, coupling them if they are not; -1 if the capacity does not suffice."""
    counts = table.counts
    pair = find_pair(i, j, rows)
    if pair < 0:
        if counts[FREE_COUNT] > 0:
            pair = table.free[counts[FREE_COUNT] - 1]
        elif counts[PAIR_COUNT] < table.pairs.shape[0]:
            pair = counts[PAIR_COUNT]
        else:
            return np.int64(-1)
        # A row that has moved without getting its entry is none the worse for it.
        if not add_entry(i, j, pair, counts, rows):
            return np.int64(-1)
        if not add_entry(j, i, pair, counts, rows):
            rows.ends[i] -= 1
            return np.int64(-1)
        if counts[FREE_COUNT] > 0:
            counts[FREE_COUNT] -= 1
        else:
            counts[PAIR_COUNT] += 1
        table.pairs[pair, 0], table.pairs[pair, 1] = min(i, j), max(i, j)
    table.is_alive[pair] = True
    return pair


@kernel
def keep_pair(i, j, pair, table):
    """Keep a pair alive if it is, as before, the one of i and j; return whether it is."""
    if pair < 0 or table.pairs[pair, 0] != min(i, j) or table.pairs[pair, 1] != max(i, j):
        return False
    table.is_alive[pair] = True
    return True


@kernel
def sort_row(columns, pair_of_entry):
    """Sort a row by its columns, in place."""
    for k in range(1, columns.shape[0]):
        column, pair = columns[k], pair_of_entry[k]
        at = k
        while at > 0 and columns[at - 1] > column:
            columns[at], pair_of_entry[at] = columns[at - 1], pair_of_entry[at - 1]
            at -= 1
        columns[at], pair_of_entry[at] = column, pair


@kernel
def couple_near_springs(is_changed, near, elements, table, rows):
    """Couple the changed ends of springs; return False if the capacity does not suffice."""
    for s in near.springs:
        i, j = np.int64(elements.ends[s, 0]), np.int64(elements.ends[s, 1])
        if is_changed[i] and is_changed[j] and not keep_pair(i, j, elements.pair_of_spring[s], table):
            pair = find_or_add_pair(i, j, table, rows)
            if pair < 0:
                return False
            elements.pair_of_spring[s] = pair
    return True


@kernel
def couple_near_bends(is_changed, near, elements, table, rows):
    """Couple the changed points of bending elements; return False if the capacity does not suffice."""
    points, weights = elements.points, elements.weights
    for b in near.bends:
        side = 0
        for a in range(4):
            for c in range(a + 1, 4):
                i, j = np.int64(points[b, a]), np.int64(points[b, c])
                if (
                    weights[b, a] != 0.0 and weights[b, c] != 0.0 and is_changed[i] and is_changed[j]
                    and not keep_pair(i, j, elements.pairs_of_bend[b, side], table)
                ):  # fmt: skip
                    pair = find_or_add_pair(i, j, table, rows)
                    if pair < 0:
                        return False
                    elements.pairs_of_bend[b, side] = pair
                side += 1
    return True


@kernel
def drop_dead_pairs(points, table, rows):
    """Take pairs that are not alive out of the rows of particles (count,), and free their numbers."""
    counts, pairs = table.counts, table.pairs
    for i in points:
        begin, at = np.int64(rows.starts[i]), np.int64(rows.starts[i])
        for e in range(begin, rows.ends[i]):
            pair = rows.pair_of_entry[e]
            if table.is_alive[pair]:
                rows.columns[at], rows.pair_of_entry[at] = rows.columns[e], pair
                at += 1
            elif pairs[pair, 1] > 0:  # met for the first time: its number is not free yet
                pairs[pair, 0] = pairs[pair, 1] = 0
                table.free[counts[FREE_COUNT]] = pair
                counts[FREE_COUNT] += 1
        rows.ends[i] = at
        sort_row(rows.columns[begin:at], rows.pair_of_entry[begin:at])
    for k in range(counts[FREE_COUNT]):
        table.is_alive[table.free[k]] = True


@kernel
def update_pairs(changed, near, elements, table, rows):
    """Bring the pairs between changed particles up to date; return False if the capacity does not suffice.

    Call it again with more capacity then: nothing is lost.

    Args:
        changed: `ChangeMarks`
        near: `NearElements` of the changed particles
        elements: `CoupledElements` after the edit; their pairs are updated
        table: `PairTable`, updated
        rows: `PairRows`, updated
    """
    is_changed = changed.is_changed
    for i in changed.points:
        for e in range(rows.starts[i], rows.ends[i]):
            if is_changed[rows.columns[e]]:
                table.is_alive[rows.pair_of_entry[e]] = False
    if not couple_near_springs(is_changed, near, elements, table, rows):
        return False
    if not couple_near_bends(is_changed, near, elements, table, rows):
        return False
    drop_dead_pairs(changed.points, table, rows)
    return True


@kernel
def list_near_elements(ends, points, is_changed, springs, bends):
    """List the springs and the bending elements at changed particles; return how many of each.

    Args:
        ends: (spring_count, 2) particle indices
        points: (bend_count, 4) particle indices
        is_changed: (particle_count,)
        springs: (spring_count,) written
        bends: (bend_count,) written
    """
    spring_count = bend_count = 0
    for s in range(ends.shape[0]):
        if is_changed[ends[s, 0]] or is_changed[ends[s, 1]]:
            springs[spring_count] = s
            spring_count += 1
    for b in range(points.shape[0]):
        if (
            is_changed[points[b, 0]] or is_changed[points[b, 1]]
            or is_changed[points[b, 2]] or is_changed[points[b, 3]]
        ):  # fmt: skip
            bends[bend_count] = b
            bend_count += 1
    return spring_count, bend_count


class ChangedParticles:
    """Particles whose springs or bending elements an edit has changed, as a list and as marks."""

    def __init__(self, points: Indices, count: int) -> None:
        """Mark `points` among `count` particles."""
        self.points = points
        self.marks = np.zeros(count, np.bool_)
        self.marks[points] = True
        self._near: NearElements | None = None
        self.moved: tuple[Indices, Indices] | None = None
        """Springs and bending elements that stand in other rows than before, if these are known."""

    @property
    def bundle(self) -> ChangeMarks:
        """The same for kernels."""
        return ChangeMarks(self.points, self.marks)

    def near(self, springs: Springs, bends: Bends) -> NearElements:
        """Return the springs and the bending elements at these particles, looked for once."""
        if self._near is None:
            rows = np.empty(springs.count, np.int64), np.empty(bends.count, np.int64)
            spring_count, bend_count = list_near_elements(springs.ends, bends.points, self.marks, *rows)
            self._near = NearElements(rows[0][:spring_count], rows[1][:bend_count])
        return self._near


def coupled_elements(couplings: Couplings, springs: Springs, bends: Bends) -> CoupledElements:
    """Return springs and bending elements with their pairs, for kernels."""
    return CoupledElements(
        springs.ends, bends.points, bends.weights, couplings.pair_of_spring, couplings.pairs_of_bend
    )


def pair_rows(couplings: Couplings) -> PairRows:
    """Return the pairs by row, for kernels."""
    return PairRows(
        couplings.row_starts,
        couplings.row_ends,
        couplings.row_capacities,
        couplings.columns,
        couplings.pair_of_entry,
    )


def update_couplings(
    couplings: Couplings,
    springs: Springs,
    bends: Bends,
    changed: ChangedParticles,
    spring_update: RowUpdate,
    bend_update: RowUpdate,
) -> None:
    """Bring couplings up to date after an edit that leaves every particle its number, but may add some at the end.

    Args:
        couplings: changed in place
        springs: after the edit
        bends: after the edit
        changed: particles whose springs or bending elements have changed
        spring_update: which springs are where they were
        bend_update: which bending elements are; those beyond its count are links of seams, which are new
    """
    changed.moved = spring_update.moved, bend_update.moved
    _add_rows(couplings, len(changed.marks))
    couplings.pair_of_spring = _updated_rows(couplings.pair_of_spring, spring_update, springs.count)
    couplings.pairs_of_bend = _updated_rows(couplings.pairs_of_bend, bend_update, bends.count)
    near, elements = changed.near(springs, bends), coupled_elements(couplings, springs, bends)
    more = len(changed.points) // 2 + 64  # seldom too little, and then there is another round
    while True:
        table = _with_capacity(couplings, more)
        is_done = update_pairs(changed.bundle, near, elements, table, pair_rows(couplings))
        couplings.pairs = resized(table.pairs, int(couplings.counts[PAIR_COUNT]))
        if is_done:
            couplings.known_labels = None
            return
        more *= 4


def _add_rows(couplings: Couplings, count: int) -> None:
    """Give couplings an empty row for every particle up to `count` that has none."""
    before = couplings.particle_count
    couplings.particle_count = count
    couplings.row_starts = resized(couplings.row_starts, count)
    couplings.row_ends = resized(couplings.row_ends, count)
    if len(couplings.row_capacities) != before:
        lengths = couplings.row_ends[:before] - couplings.row_starts[:before]
        couplings.row_capacities = lengths.astype(np.int64)
    couplings.row_capacities = resized(couplings.row_capacities, count)
    for rows in (couplings.row_starts, couplings.row_ends, couplings.row_capacities):
        rows[before:] = 0


def _with_capacity(couplings: Couplings, more: int) -> PairTable:
    """Let couplings have capacity for `more` pairs than there are, and return the table of pairs.

    All the capacity there is gets used: to move takes longer than to look for pairs.
    """
    counts = couplings.counts
    growing = (couplings.pairs, couplings.free_pairs, couplings.is_alive)
    capacity = max(int(counts[PAIR_COUNT]) + more, min(map(capacity_of, growing)))
    pairs = resized(couplings.pairs, capacity)
    couplings.free_pairs = resized(couplings.free_pairs, capacity)
    known = len(couplings.is_alive)
    couplings.is_alive = resized(couplings.is_alive, capacity)
    couplings.is_alive[known:] = True
    entry_capacity = max(int(counts[ENTRY_COUNT]) + 4 * more, capacity_of(couplings.columns))
    couplings.columns = resized(couplings.columns, entry_capacity)
    couplings.pair_of_entry = resized(couplings.pair_of_entry, entry_capacity)
    return PairTable(counts, couplings.free_pairs, pairs, couplings.is_alive)


def _updated_rows(table: Indices, update: RowUpdate, count: int) -> Indices:
    """Return a table after a change, -1 in rows that are new; there may be more of these than `update` knows."""
    table = resized(table, max(count, len(table)))
    table[update.moved] = table[update.sources]
    table[update.new] = -1
    table = resized(table, count)
    table[update.count :] = -1
    return table
