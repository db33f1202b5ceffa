"""Couplings: which particles pull on each other, and the matrix of a substep on these pairs.

Theory: docs/theory/integrators.md, eq. (I2).

    A = M + h² K + h C,    K = Σ_springs k (e_i - e_j)(e_i - e_j)ᵀ + Σ_bends k w wᵀ + Σ_anchors k e_i e_iᵀ
                             + Σ_tetrahedra V (2 µ + 3 λ) α αᵀ

A has one scalar per pair of particles and serves all three coordinates at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.couplings.connected_components import label_components, union_pairs
from supple.model.springs import Springs
from supple.model.tables.growable import capacity_of, growable_copy, reserved, resized, zeros
from supple.model.tetrahedra import Tetrahedra


@kernel
def assemble_springs(ends, weights, pair_of_spring, diagonal, values):
    """Add w (e_i - e_j)(e_i - e_j)ᵀ of every spring to a matrix."""
    for s in range(ends.shape[0]):
        diagonal[ends[s, 0]] += weights[s]
        diagonal[ends[s, 1]] += weights[s]
        values[pair_of_spring[s]] -= weights[s]


@kernel
def assemble_bends(points, weights, stiffness, pairs_of_bend, diagonal, values):
    """Add k w wᵀ of every bending element to a matrix."""
    for b in range(points.shape[0]):
        pair = 0
        for a in range(4):
            diagonal[points[b, a]] += stiffness[b] * weights[b, a] * weights[b, a]
            for c in range(a + 1, 4):
                if pairs_of_bend[b, pair] >= 0:
                    values[pairs_of_bend[b, pair]] += stiffness[b] * weights[b, a] * weights[b, c]
                pair += 1


@kernel
def assemble_tetrahedra(corners, gradients, weights, pairs_of_tetrahedron, diagonal, values):
    """Add w (α_i · α_j) of every two corners of every tetrahedron to a matrix.

    Args:
        corners: (element_count, 4) particle indices
        gradients: (element_count, 4, 3) α, of the shape function of each corner [1/m]
        weights: (element_count,) w
        pairs_of_tetrahedron: (element_count, 6) indices of pairs
        diagonal: (particle_count,) added to
        values: (pair_count,) added to
    """
    for e in range(corners.shape[0]):
        pair = 0
        for a in range(4):
            for c in range(a, 4):
                product = 0.0
                for axis in range(3):
                    product += gradients[e, a, axis] * gradients[e, c, axis]
                if a == c:
                    diagonal[corners[e, a]] += weights[e] * product
                else:
                    values[pairs_of_tetrahedron[e, pair]] += weights[e] * product
                    pair += 1


@kernel
def linear_residual(row_starts, row_ends, columns, entries, inertia, targets, guess, square, residual):
    """Write M (y - z) - h² K z, the linear part of the residual of a substep at the guess z.

    Rows of K sum to zero, so -K z is Σ_j K_ij (z_i - z_j) over the entries off the diagonal.
    Taking differences first keeps the digits of a small stretch far from the origin, and
    equal and opposite entries cancel exactly.

    Args:
        row_starts: (particle_count,) where each row begins in `columns` and `entries`
        row_ends: (particle_count,) where it ends
        columns: (entry_capacity,) the other particle
        entries: (entry_capacity,) [N/m], K_ij
        inertia: (particle_count,) [kg], M
        targets: (particle_count, 3) [m], y
        guess: (particle_count, 3) [m], z
        square: h² [s²]
        residual: (particle_count, 3) [kg·m], overwritten
    """
    for i in range(residual.shape[0]):
        x, y, z = guess[i, 0], guess[i, 1], guess[i, 2]
        sum_x, sum_y, sum_z = 0.0, 0.0, 0.0
        for e in range(row_starts[i], row_ends[i]):
            j = columns[e]
            k = entries[e]
            sum_x += k * (x - guess[j, 0])
            sum_y += k * (y - guess[j, 1])
            sum_z += k * (z - guess[j, 2])
        m = inertia[i]
        residual[i, 0] = square * sum_x + m * (targets[i, 0] - x)
        residual[i, 1] = square * sum_y + m * (targets[i, 1] - y)
        residual[i, 2] = square * sum_z + m * (targets[i, 2] - z)


@kernel
def add_linear_forces(row_starts, row_ends, columns, entries, moves, forces):
    """Add -A d for moves d, A given off the diagonal by row; its rows sum to zero.

    Args:
        row_starts: (particle_count,) where each row begins in `columns` and `entries`
        row_ends: (particle_count,) where it ends
        columns: (entry_capacity,) the other particle
        entries: (entry_capacity,) A_ij
        moves: (particle_count, 3) d
        forces: (particle_count, 3) added to in place
    """
    for i in range(moves.shape[0]):
        x, y, z = moves[i, 0], moves[i, 1], moves[i, 2]
        for e in range(row_starts[i], row_ends[i]):
            j = columns[e]
            k = entries[e]
            forces[i, 0] += k * (x - moves[j, 0])
            forces[i, 1] += k * (y - moves[j, 1])
            forces[i, 2] += k * (z - moves[j, 2])


@kernel
def count_candidates(ends, points, weights, corners, row_starts):
    """Count the springs and pairs of corners of bending elements and tetrahedra by their smaller particle.

    Args:
        ends: (spring_count, 2) particle indices
        points: (bend_count, 4) particle indices
        weights: (bend_count, 4); a pair counts if both its weights differ from zero
        corners: (element_count, 4) particle indices of tetrahedra
        row_starts: (particle_count + 1,) zeros, overwritten with where each particle's candidates begin
    """
    for s in range(ends.shape[0]):
        row_starts[min(ends[s, 0], ends[s, 1]) + 1] += 1
    for b in range(points.shape[0]):
        for a in range(4):
            for c in range(a + 1, 4):
                if weights[b, a] != 0.0 and weights[b, c] != 0.0:
                    row_starts[min(points[b, a], points[b, c]) + 1] += 1
    for t in range(corners.shape[0]):
        for a in range(4):
            for c in range(a + 1, 4):
                row_starts[min(corners[t, a], corners[t, c]) + 1] += 1
    for i in range(row_starts.shape[0] - 1):
        row_starts[i + 1] += row_starts[i]


@kernel
def sort_keys(keys):
    """Sort a short array in place (Shell's method: no memory, no recursion)."""
    gap = 1
    while 3 * gap + 1 < keys.shape[0]:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, keys.shape[0]):
            key = keys[i]
            k = i
            while k >= gap and keys[k - gap] > key:
                keys[k] = keys[k - gap]
                k -= gap
            keys[k] = key
        gap //= 3


@kernel
def number_pairs(row_starts, keys, pairs):
    """List every pair once, ascending, and return how many there are.

    A candidate is one number: its larger particle, and in the lower 32 bits which one it is. Sorting those of one smaller
    particle brings equal pairs together.

    Args:
        row_starts: (particle_count + 1,) where the candidates of each smaller particle end
        keys: (candidate_count,) sorted; the number of its pair takes the place of the larger particle
        pairs: (candidate_count, 2) written, the smaller particle first
    """
    count = 0
    begin = np.int64(0)
    for low in range(row_starts.shape[0] - 1):
        end = row_starts[low]
        sort_keys(keys[begin:end])
        last = np.int64(-1)
        for k in range(begin, end):
            high, which = keys[k] >> 32, keys[k] & 0xFFFFFFFF
            if high != last:
                pairs[count, 0], pairs[count, 1] = low, high
                count += 1
                last = high
            keys[k] = (np.int64(count - 1) << 32) + which
        begin = end
    return count


class ElementCorners(NamedTuple):
    """The particles that elements join."""

    ends: NDArray[np.uint32]
    """(spring_count, 2) particle indices."""

    points: NDArray[np.uint32]
    """(bend_count, 4) particle indices."""

    weights: NDArray[np.float64]
    """(bend_count, 4); a pair counts if both its weights differ from zero."""

    corners: NDArray[np.uint32]
    """(element_count, 4) particle indices of tetrahedra."""


class ElementPairs(NamedTuple):
    """The pairs that elements couple, see `Couplings`."""

    pair_of_spring: NDArray[np.int64]
    pairs_of_bend: NDArray[np.int64]
    pairs_of_tetrahedron: NDArray[np.int64]


@kernel
def add_candidate(i, j, which, row_starts, keys):
    """Add a pair as a candidate: its larger particle and which element has it, in the row of its smaller particle."""
    low, high = min(i, j), max(i, j)
    keys[row_starts[low]] = (high << 32) + which
    row_starts[low] += 1


@kernel
def list_candidates(elements, row_starts, keys):
    """List every pair of particles that an element joins, by the smaller one; see `collect_pairs`."""
    ends, points, weights, corners = elements.ends, elements.points, elements.weights, elements.corners
    spring_count = ends.shape[0]
    first_of_tetrahedra = spring_count + 6 * points.shape[0]
    for s in range(spring_count):
        add_candidate(np.int64(ends[s, 0]), np.int64(ends[s, 1]), s, row_starts, keys)
    for b in range(points.shape[0]):
        which = spring_count + 6 * b
        for a in range(4):
            for c in range(a + 1, 4):
                if weights[b, a] != 0.0 and weights[b, c] != 0.0:
                    add_candidate(np.int64(points[b, a]), np.int64(points[b, c]), which, row_starts, keys)
                which += 1
    for t in range(corners.shape[0]):
        which = first_of_tetrahedra + 6 * t
        for a in range(4):
            for c in range(a + 1, 4):
                add_candidate(np.int64(corners[t, a]), np.int64(corners[t, c]), which, row_starts, keys)
                which += 1


@kernel
def collect_pairs(elements, row_starts, keys, found, pairs):
    """List every pair once, ascending, find those of springs and elements, and return how many there are.

    Args:
        elements: `ElementCorners`
        row_starts: (particle_count + 1,) from `count_candidates`, used up
        keys: (candidate_count,) scratch
        found: `ElementPairs`, written for pairs that count
        pairs: (candidate_count, 2) written
    """
    spring_count = elements.ends.shape[0]
    first_of_tetrahedra = spring_count + 6 * elements.points.shape[0]
    list_candidates(elements, row_starts, keys)
    count = number_pairs(row_starts, keys, pairs)  # every start has moved on to where the next row began
    for k in range(row_starts[row_starts.shape[0] - 2]):
        pair, which = keys[k] >> 32, keys[k] & 0xFFFFFFFF
        if which < spring_count:
            found.pair_of_spring[which] = pair
        elif which >= first_of_tetrahedra:
            which -= first_of_tetrahedra
            found.pairs_of_tetrahedron[which // 6, which % 6] = pair
        else:
            which -= spring_count
            found.pairs_of_bend[which // 6, which % 6] = pair
    return count


@kernel
def order_by_row(pairs, cursor, row_starts, columns, pair_of_entry):
    """List the pairs by row: every particle with the others it is coupled to, ascending.

    Args:
        pairs: (pair_count, 2) ascending, the smaller particle first
        cursor: (particle_count,) scratch
        row_starts: (particle_count + 1,) zeros, written
        columns: (2 * pair_count,) written, the other particle
        pair_of_entry: (2 * pair_count,) written
    """
    for k in range(pairs.shape[0]):
        row_starts[pairs[k, 0] + 1] += 1
        row_starts[pairs[k, 1] + 1] += 1
    for i in range(cursor.shape[0]):
        row_starts[i + 1] += row_starts[i]
        cursor[i] = row_starts[i]
    for k in range(pairs.shape[0]):  # smaller neighbours first: pairs ascend by them
        at = cursor[pairs[k, 1]]
        columns[at], pair_of_entry[at] = pairs[k, 0], k
        cursor[pairs[k, 1]] = at + 1
    for k in range(pairs.shape[0]):
        at = cursor[pairs[k, 0]]
        columns[at], pair_of_entry[at] = pairs[k, 1], k
        cursor[pairs[k, 0]] = at + 1


@dataclass
class Couplings:
    """The pairs of coupled particles, by pair and by row, and the matrices K and A on them."""

    particle_count: int

    pairs: NDArray[np.int64]
    """(pair_count, 2) particle indices, first < second, no pair twice; 0, 0 where an edit has taken one away."""

    pair_of_spring: NDArray[np.int64]
    """(spring_count,) index into `pairs`."""

    pairs_of_bend: NDArray[np.int64]
    """(bend_count, 6) indices into `pairs`, -1 where a weight is zero."""

    pairs_of_tetrahedron: NDArray[np.int64]
    """(element_count, 6) indices into `pairs`, in the order of EDGES_OF_TETRAHEDRON."""

    row_starts: NDArray[np.uint32] = field(init=False)
    """(particle_count,) where each particle's row begins in `columns`."""

    row_ends: NDArray[np.uint32] = field(init=False)
    """(particle_count,) where it ends. Edits may leave gaps between rows, and rows in any order."""

    columns: NDArray[np.uint32] = field(init=False)
    """(entry_capacity,) the other particle of every entry, ascending within a row."""

    pair_of_entry: NDArray[np.int64] = field(init=False)
    """(entry_capacity,) index into `pairs`."""

    row_capacities: NDArray[np.int64] = field(init=False, default_factory=lambda: np.zeros(0, np.int64))
    """(particle_count,) entries that fit into each row where it is; empty before the first edit."""

    free_pairs: NDArray[np.int64] = field(init=False)
    """(pair_capacity,) numbers of pairs that edits have taken away."""

    is_alive: NDArray[np.bool_] = field(init=False, default_factory=lambda: np.zeros(0, np.bool_))
    """(pair_capacity,) True; scratch of edits."""

    counts: NDArray[np.int64] = field(init=False)
    """(3,) pairs that have a number, free numbers, entries of rows in use."""

    def __post_init__(self) -> None:
        """Order the pairs by row as well."""
        self.counts = np.array([len(self.pairs), 0, 2 * len(self.pairs)])
        starts = zeros((self.particle_count + 1,), np.uint32)
        self.columns = zeros((2 * len(self.pairs),), np.uint32)
        self.pair_of_entry = zeros((2 * len(self.pairs),), np.int64)
        cursor = np.empty(self.particle_count, dtype=np.int64)
        order_by_row(self.pairs, cursor, starts, self.columns, self.pair_of_entry)
        self.row_starts, self.row_ends = starts[:-1], growable_copy(starts[1:])
        self.free_pairs = reserved(capacity_of(self.pairs), np.int64)

    def entries(self) -> NDArray[np.int64]:
        """Return where the entries of all rows are, one row after the other, (entry_count,)."""
        starts, ends = self.row_starts.astype(np.int64), self.row_ends.astype(np.int64)
        lengths = ends - starts
        firsts = np.cumsum(lengths) - lengths
        found: NDArray[np.int64] = np.repeat(starts - firsts, lengths) + np.arange(lengths.sum())
        return found

    @cached_property
    def component_labels(self) -> NDArray[np.int64]:
        """The connected component of each particle, (particle_count,): the number of its first particle."""
        return label_components(self.pairs, self.particle_count)

    @property
    def known_labels(self) -> NDArray[np.int64] | None:
        """The component labels if they are known; None looks for them anew when they are asked for next."""
        return self.__dict__.get("component_labels")

    @known_labels.setter
    def known_labels(self, labels: NDArray[np.int64] | None) -> None:
        if labels is None:
            self.__dict__.pop("component_labels", None)
        else:
            self.__dict__["component_labels"] = labels

    def grown_labels(self, origins: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the component labels after particles are added, given one (added_count,) that each is connected to.

        Those that there are now are used up.
        """
        before = len(self.component_labels)
        labels = resized(self.component_labels, before + len(origins))
        labels[before:] = labels[origins]
        return labels

    def take_labels(self, labels: NDArray[np.int64], joined: NDArray[np.int64]) -> None:
        """Take over component labels that are known.

        Args:
            labels: (particle_count,) used up
            joined: (pair_count, 2) pairs that are connected as well
        """
        union_pairs(joined, labels)
        self.known_labels = labels

    def stiffness_pairs(self, springs: Springs, bends: Bends) -> NDArray[np.float64]:
        """Return K off the diagonal by pair, (pair_count,) [N/m]."""
        diagonal, values = np.zeros(self.particle_count), zeros((len(self.pairs),), np.float64)
        assemble_springs(springs.ends, springs.stiffness, self.pair_of_spring, diagonal, values)
        assemble_bends(bends.points, bends.weights, bends.stiffness, self.pairs_of_bend, diagonal, values)
        return values

    def stiffness_entries(self, springs: Springs, bends: Bends) -> NDArray[np.float64]:
        """Return K off the diagonal by row, (entry_capacity,) [N/m]; the rows sum to zero."""
        entries: NDArray[np.float64] = self.stiffness_pairs(springs, bends)[self.pair_of_entry]
        return entries

    def step_matrix(
        self,
        masses: NDArray[np.float64],
        springs: Springs,
        bends: Bends,
        anchors: Anchors,
        tetrahedra: Tetrahedra,
        step: float,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return A of a substep: its diagonal (particle_count,) and its pairs (pair_count,) [kg]."""
        diagonal, values = growable_copy(masses), zeros((len(self.pairs),), np.float64)
        weights = step * (step * springs.stiffness + springs.damping)
        assemble_springs(springs.ends, weights, self.pair_of_spring, diagonal, values)
        stiffness = step * step * bends.stiffness
        assemble_bends(bends.points, bends.weights, stiffness, self.pairs_of_bend, diagonal, values)
        np.add.at(diagonal, anchors.points, step * step * anchors.stiffness)
        self._add_tetrahedra(tetrahedra, step, diagonal, values)
        return diagonal, values

    def soft_entries(self, tetrahedra: Tetrahedra, step: float) -> NDArray[np.float64]:
        """Return what soft bodies add to A off the diagonal, by row, (entry_capacity,) [kg]; the rows sum to zero."""
        diagonal, values = np.zeros(self.particle_count), np.zeros(len(self.pairs))
        self._add_tetrahedra(tetrahedra, step, diagonal, values)
        entries: NDArray[np.float64] = values[self.pair_of_entry]
        return entries

    def _add_tetrahedra(
        self, tetrahedra: Tetrahedra, step: float, diagonal: NDArray[np.float64], values: NDArray[np.float64]
    ) -> None:
        moduli = step * (step * tetrahedra.largest_moduli() + tetrahedra.largest_damping())
        assemble_tetrahedra(
            tetrahedra.corners, tetrahedra.all_gradients(), tetrahedra.volumes * moduli,
            self.pairs_of_tetrahedron, diagonal, values,
        )  # fmt: skip


class Scratch:
    """Memory that finding the couplings needs; reused, so that an edit does not wait for fresh pages."""

    def __init__(self) -> None:
        """Start with none."""
        self.keys = np.empty(0, dtype=np.int64)
        self.pairs = np.empty((0, 2), dtype=np.int64)

    def fit(self, count: int) -> None:
        """Grow to a capacity of so many candidates."""
        if len(self.keys) < count:
            self.keys = np.empty(count + count // 8, dtype=np.int64)
            self.pairs = np.empty((len(self.keys), 2), dtype=np.int64)

    def lend(self, size: int) -> NDArray[np.uint8]:
        """Return `size` bytes or more for anything else, until couplings are looked for again."""
        self.fit((size + 7) // 8)
        return self.keys.view(np.uint8)


def couple(
    particle_count: int,
    springs: Springs,
    bends: Bends,
    tetrahedra: Tetrahedra,
    scratch: Scratch | None = None,
) -> Couplings:
    """Find every pair of particles that a spring, a bending element or a tetrahedron joins."""
    scratch = Scratch() if scratch is None else scratch
    row_starts = np.zeros(particle_count + 1, dtype=np.int64)
    elements = ElementCorners(springs.ends, bends.points, bends.weights, tetrahedra.corners)
    count_candidates(*elements, row_starts)
    scratch.fit(int(row_starts[-1]))
    found = ElementPairs(
        zeros((springs.count,), np.int64),
        zeros((bends.count, 6), np.int64),
        np.empty((tetrahedra.count, 6), dtype=np.int64),
    )
    found.pairs_of_bend[...] = -1
    count = collect_pairs(elements, row_starts, scratch.keys, found, scratch.pairs)
    return Couplings(
        particle_count=particle_count, pairs=growable_copy(scratch.pairs[:count]), **found._asdict()
    )
