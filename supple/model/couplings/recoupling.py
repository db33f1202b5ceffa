"""Recoupling: the couplings, and the matrices on them, follow an edit where it has changed something.

A pair comes or goes only between two particles that an edit has touched. Every pair keeps its number as long as
it lives; the number of one that has gone is given to the next that comes. Rows that have outgrown their place move to
the end. Sums are taken over the same elements in the same order as for couplings found anew, so they have the same bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.couplings.couplings import Couplings
from supple.model.springs import Springs
from supple.model.tables.growable import fitted, rows_that_fit
from supple.model.tables.row_numbers import Refilling

PAIRS, FREE, ENTRIES = 0, 1, 2
"""What `counts` counts: numbers of pairs given so far, those of them that are free, and entries of rows in use."""


@kernel
def find_pair(i, j, row_starts, row_ends, columns, pair_of_entry):
    """Return the number of the pair of i and j, -1 if they are not coupled."""
    for e in range(row_starts[i], row_ends[i]):
        if columns[e] == j:
            return pair_of_entry[e]
    return np.int64(-1)


@kernel
def add_entry(i, j, pair, counts, row_starts, row_ends, row_rooms, columns, pair_of_entry):
    """Add j to the row of i; return whether there was room."""
    begin, end = np.int64(row_starts[i]), np.int64(row_ends[i])
    length = end - begin
    if length >= row_rooms[i]:
        room, target = length + 6, counts[ENTRIES]
        if target + room > columns.shape[0]:
            return False
        for k in range(length):
            columns[target + k], pair_of_entry[target + k] = columns[begin + k], pair_of_entry[begin + k]
        for k in range(length, room):
            pair_of_entry[target + k] = 0
        row_starts[i], row_rooms[i], end = target, room, target + length
        counts[ENTRIES] = target + room
    columns[end], pair_of_entry[end] = j, pair
    row_ends[i] = end + 1
    return True


@kernel
def meet(i, j, counts, free, pairs, row_starts, row_ends, row_rooms, columns, pair_of_entry, is_alive):
    """Return the number of the pair of i and j, coupling them if they are not; -1 if there is no room."""
    pair = find_pair(i, j, row_starts, row_ends, columns, pair_of_entry)
    if pair < 0:
        if counts[FREE] > 0:
            pair = free[counts[FREE] - 1]
        elif counts[PAIRS] < pairs.shape[0]:
            pair = counts[PAIRS]
        else:
            return np.int64(-1)
        # A row that has moved without getting its entry is none the worse for it.
        if not add_entry(i, j, pair, counts, row_starts, row_ends, row_rooms, columns, pair_of_entry):
            return np.int64(-1)
        if not add_entry(j, i, pair, counts, row_starts, row_ends, row_rooms, columns, pair_of_entry):
            row_ends[i] -= 1
            return np.int64(-1)
        if counts[FREE] > 0:
            counts[FREE] -= 1
        else:
            counts[PAIRS] += 1
        pairs[pair, 0], pairs[pair, 1] = min(i, j), max(i, j)
    is_alive[pair] = True
    return pair


@kernel
def lives_on(i, j, pair, pairs, is_alive):
    """Keep a pair alive if it is, as before, the one of i and j; return whether it is."""
    if pair < 0 or pairs[pair, 0] != min(i, j) or pairs[pair, 1] != max(i, j):
        return False
    is_alive[pair] = True
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
def couple_touched(
    touched, is_touched, near_springs, near_bends, ends, points, weights, counts, free, pairs, pair_of_spring, pairs_of_bend,
    row_starts, row_ends, row_rooms, columns, pair_of_entry, is_alive,
):  # fmt: skip
    """Bring the pairs between touched particles up to date; return False if there is no room.

    Call it again with more room then: nothing is lost.

    Args:
        touched: (count,) particles whose springs or bending elements have changed
        is_touched: (particle_count,) the same
        near_springs: (count,) springs that touched particles have, ascending
        near_bends: (count,) bending elements that they have, ascending
        ends: (spring_count, 2) after the edit
        points: (bend_count, 4) after the edit
        weights: (bend_count, 4)
        counts: (3,) see PAIRS, FREE, ENTRIES; updated
        free: (pair_room,) free numbers, updated
        pairs: (pair_room, 2) updated
        pair_of_spring: (spring_count,) updated
        pairs_of_bend: (bend_count, 6) updated
        row_starts: (particle_count,) updated
        row_ends: (particle_count,) updated
        row_rooms: (particle_count,) updated
        columns: (room,) updated
        pair_of_entry: (room,) updated
        is_alive: (pair_room,) True; scratch
    """
    for i in touched:
        for e in range(row_starts[i], row_ends[i]):
            if is_touched[columns[e]]:
                is_alive[pair_of_entry[e]] = False
    for s in near_springs:
        i, j = np.int64(ends[s, 0]), np.int64(ends[s, 1])
        if is_touched[i] and is_touched[j] and not lives_on(i, j, pair_of_spring[s], pairs, is_alive):
            pair = meet(
                i, j, counts, free, pairs, row_starts, row_ends, row_rooms, columns, pair_of_entry, is_alive
            )
            if pair < 0:
                return False
            pair_of_spring[s] = pair
    for b in near_bends:
        side = 0
        for a in range(4):
            for c in range(a + 1, 4):
                i, j = np.int64(points[b, a]), np.int64(points[b, c])
                if (
                    weights[b, a] != 0.0 and weights[b, c] != 0.0 and is_touched[i] and is_touched[j]
                    and not lives_on(i, j, pairs_of_bend[b, side], pairs, is_alive)
                ):  # fmt: skip
                    pair = meet(
                        i, j, counts, free, pairs, row_starts, row_ends, row_rooms, columns, pair_of_entry,
                        is_alive,
                    )  # fmt: skip
                    if pair < 0:
                        return False
                    pairs_of_bend[b, side] = pair
                side += 1
    for i in touched:
        begin, at = np.int64(row_starts[i]), np.int64(row_starts[i])
        for e in range(begin, row_ends[i]):
            pair = pair_of_entry[e]
            if is_alive[pair]:
                columns[at], pair_of_entry[at] = columns[e], pair
                at += 1
            elif pairs[pair, 1] > 0:  # met for the first time: it has not been set free yet
                pairs[pair, 0] = pairs[pair, 1] = 0
                free[counts[FREE]] = pair
                counts[FREE] += 1
        row_ends[i] = at
        sort_row(columns[begin:at], pair_of_entry[begin:at])
    for k in range(counts[FREE]):
        is_alive[free[k]] = True
    return True


@kernel
def clear_touched(touched, is_touched, row_starts, row_ends, columns, pair_of_entry, values):
    """Set the values (pair_count,) of pairs between touched particles to zero."""
    for i in touched:
        for e in range(row_starts[i], row_ends[i]):
            if is_touched[columns[e]]:
                values[pair_of_entry[e]] = 0.0


@kernel
def list_touched(ends, points, is_touched, springs, bends):
    """List the springs and the bending elements that touched particles have; return how many of each.

    Args:
        ends: (spring_count, 2) particle indices
        points: (bend_count, 4) particle indices
        is_touched: (particle_count,)
        springs: (spring_count,) written
        bends: (bend_count,) written
    """
    spring_count = bend_count = 0
    for s in range(ends.shape[0]):
        if is_touched[ends[s, 0]] or is_touched[ends[s, 1]]:
            springs[spring_count] = s
            spring_count += 1
    for b in range(points.shape[0]):
        if (
            is_touched[points[b, 0]] or is_touched[points[b, 1]]
            or is_touched[points[b, 2]] or is_touched[points[b, 3]]
        ):  # fmt: skip
            bends[bend_count] = b
            bend_count += 1
    return spring_count, bend_count


@kernel
def assemble_touched(
    near_springs, near_bends, is_touched, ends, stiffness, damping, scale, slope,
    points, weights, bend_stiffness, bend_scale, pair_of_spring, pairs_of_bend, diagonal, values,
):  # fmt: skip
    """Add what springs and bending elements contribute to touched particles, and to pairs of them, to a matrix.

    Theory: docs/theory/integrators.md, eq. (I2). A spring has the weight scale (scale k + slope c).

    Args:
        near_springs: (count,) springs that touched particles have
        near_bends: (count,) bending elements that they have
        is_touched: (particle_count,)
        ends: (spring_count, 2) particle indices
        stiffness: (spring_count,) k [N/m]
        damping: (spring_count,) c [N·s/m]
        scale: the step [s], or 1 for the stiffness alone
        slope: 1, or 0 for the stiffness alone
        points: (bend_count, 4) particle indices
        weights: (bend_count, 4)
        bend_stiffness: (bend_count,) [N/m]
        bend_scale: the square of `scale`
        pair_of_spring: (spring_count,)
        pairs_of_bend: (bend_count, 6), -1 where a weight is zero
        diagonal: (particle_count,) added to
        values: (pair_count,) added to
    """
    for s in near_springs:
        i, j = ends[s, 0], ends[s, 1]
        weight = scale * (scale * stiffness[s] + slope * damping[s])
        if is_touched[i]:
            diagonal[i] += weight
        if is_touched[j]:
            diagonal[j] += weight
        if is_touched[i] and is_touched[j]:
            values[pair_of_spring[s]] -= weight
    for b in near_bends:
        k = bend_scale * bend_stiffness[b]
        side = 0
        for a in range(4):
            if is_touched[points[b, a]]:
                diagonal[points[b, a]] += k * weights[b, a] * weights[b, a]
            for c in range(a + 1, 4):
                pair = pairs_of_bend[b, side]
                if pair >= 0 and is_touched[points[b, a]] and is_touched[points[b, c]]:
                    values[pair] += k * weights[b, a] * weights[b, c]
                side += 1


@kernel
def refresh_rows(touched, row_starts, row_ends, pair_of_entry, values, entries):
    """Write the values of pairs into the entries of touched rows."""
    for i in touched:
        for e in range(row_starts[i], row_ends[i]):
            entries[e] = values[pair_of_entry[e]]


class Touched:
    """Particles that an edit has touched, as a list and as marks."""

    def __init__(self, points: NDArray[np.int64], count: int) -> None:
        """Mark `points` among `count` particles."""
        self.points = points
        self.marks = np.zeros(count, np.bool_)
        self.marks[points] = True
        self._near: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
        self.moved: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
        """Springs and bending elements that stand in other rows than before, if these are known."""

    def near(self, springs: Springs, bends: Bends) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the springs and the bending elements that they have, looked for once."""
        if self._near is None:
            rows = np.empty(springs.count, np.int64), np.empty(bends.count, np.int64)
            spring_count, bend_count = list_touched(springs.ends, bends.points, self.marks, *rows)
            self._near = rows[0][:spring_count], rows[1][:bend_count]
        return self._near


def recouple_near(
    couplings: Couplings,
    springs: Springs,
    bends: Bends,
    touched: Touched,
    springs_refilled: Refilling,
    bends_refilled: Refilling,
) -> None:
    """Bring couplings up to date after an edit that leaves every particle its number, but may add some at the end.

    Args:
        couplings: changed in place
        springs: after the edit
        bends: after the edit
        touched: particles whose springs or bending elements have changed
        springs_refilled: which springs are where they were
        bends_refilled: which bending elements are; those beyond its count are links of seams, which are new
    """
    count = len(touched.marks)
    touched.moved = springs_refilled.moved, bends_refilled.moved
    before = couplings.particle_count
    couplings.particle_count = count
    couplings.row_starts = fitted(couplings.row_starts, count)
    couplings.row_ends = fitted(couplings.row_ends, count)
    if len(couplings.row_rooms) != before:
        couplings.row_rooms = (couplings.row_ends[:before] - couplings.row_starts[:before]).astype(np.int64)
    couplings.row_rooms = fitted(couplings.row_rooms, count)
    for rows in (couplings.row_starts, couplings.row_ends, couplings.row_rooms):
        rows[before:] = 0
    couplings.pair_of_spring = _refill(couplings.pair_of_spring, springs_refilled, springs.count)
    couplings.pairs_of_bend = _refill(couplings.pairs_of_bend, bends_refilled, bends.count)
    more = len(touched.points) // 2 + 64  # seldom too little, and then there is another round
    counts = couplings.counts
    while True:
        # All the room there is: to move takes longer than to look for pairs.
        fitting = (couplings.pairs, couplings.free_pairs, couplings.is_alive)
        room = max(int(counts[PAIRS]) + more, min(map(rows_that_fit, fitting)))
        pairs = fitted(couplings.pairs, room)
        couplings.free_pairs = fitted(couplings.free_pairs, room)
        alive = len(couplings.is_alive)
        couplings.is_alive = fitted(couplings.is_alive, room)
        couplings.is_alive[alive:] = True
        entry_room = max(int(counts[ENTRIES]) + 4 * more, rows_that_fit(couplings.columns))
        couplings.columns = fitted(couplings.columns, entry_room)
        couplings.pair_of_entry = fitted(couplings.pair_of_entry, entry_room)
        is_done = couple_touched(
            touched.points, touched.marks, *touched.near(springs, bends), springs.ends, bends.points, bends.weights, counts,
            couplings.free_pairs, pairs, couplings.pair_of_spring, couplings.pairs_of_bend,
            couplings.row_starts, couplings.row_ends, couplings.row_rooms, couplings.columns,
            couplings.pair_of_entry, couplings.is_alive,
        )  # fmt: skip
        couplings.pairs = fitted(pairs, int(counts[PAIRS]))
        if is_done:
            couplings.__dict__.pop("leaders", None)
            return
        more *= 4


def _refill(table: NDArray[np.int64], refilled: Refilling, count: int) -> NDArray[np.int64]:
    """Return a table after a change, -1 in rows that are new; there may be more of these than `refilled` knows."""
    table = fitted(table, max(count, len(table)))
    table[refilled.moved] = table[refilled.sources]
    table[refilled.new] = -1
    table = fitted(table, count)
    table[refilled.count :] = -1
    return table


def patch_stiffness(
    couplings: Couplings,
    springs: Springs,
    bends: Bends,
    touched: Touched,
    values: NDArray[np.float64],
    entries: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return K off the diagonal after an edit, by pair and by row [N/m], given what it was before."""
    values = fitted(values, len(couplings.pairs))
    entries = fitted(entries, len(couplings.columns))
    _assemble(couplings, springs, bends, touched, 1.0, 0.0, np.zeros(len(touched.marks)), values)
    refresh_rows(
        touched.points, couplings.row_starts, couplings.row_ends, couplings.pair_of_entry, values, entries
    )
    return values, entries


def patch_step_matrix(
    couplings: Couplings,
    inertia: NDArray[np.float64],
    springs: Springs,
    bends: Bends,
    anchors: Anchors,
    touched: Touched,
    step: float,
    diagonal: NDArray[np.float64],
    values: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return A of a substep after an edit, its diagonal and its pairs [kg], given what it was before.

    Soft bodies are as they were.
    """
    diagonal, values = fitted(diagonal, len(touched.marks)), fitted(values, len(couplings.pairs))
    diagonal[touched.points] = inertia[touched.points]
    _assemble(couplings, springs, bends, touched, step, 1.0, diagonal, values)
    is_touched = touched.marks[anchors.points]
    np.add.at(diagonal, anchors.points[is_touched], step * step * anchors.stiffness[is_touched])
    return diagonal, values


def _assemble(
    couplings: Couplings,
    springs: Springs,
    bends: Bends,
    touched: Touched,
    scale: float,
    slope: float,
    diagonal: NDArray[np.float64],
    values: NDArray[np.float64],
) -> None:
    """Sum the elements of a matrix anew where an edit has touched it."""
    clear_touched(
        touched.points, touched.marks, couplings.row_starts, couplings.row_ends, couplings.columns,
        couplings.pair_of_entry, values,
    )  # fmt: skip
    assemble_touched(
        *touched.near(springs, bends), touched.marks, springs.ends, springs.stiffness, springs.damping, scale, slope,
        bends.points, bends.weights, bends.stiffness, scale * scale,
        couplings.pair_of_spring, couplings.pairs_of_bend, diagonal, values,
    )  # fmt: skip
