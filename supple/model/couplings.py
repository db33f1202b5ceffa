"""Couplings: which particles pull on each other, and the one matrix of the whole family.

Theory: docs/theory/integrators.md, eq. (I2).

    A = M + h² K + h C,    K = Σ_springs k (e_i - e_j)(e_i - e_j)ᵀ + Σ_bends k w wᵀ + Σ_anchors k e_i e_iᵀ
                             + Σ_tetrahedra V (2 µ + 3 λ) α αᵀ

A has one scalar per pair of particles and serves all three coordinates at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.springs import Springs
from supple.model.tetrahedra import EDGES_OF_TETRAHEDRON, Tetrahedra


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
def linear_residual(row_starts, columns, entries, inertia, targets, guess, square, residual):
    """Write M (y - z) - h² K z, the linear part of the residual of a substep at the guess z.

    Rows of K sum to zero, so -K z is Σ_j K_ij (z_i - z_j) over the entries off the diagonal.
    Taking differences first keeps the digits of a small stretch far from the origin, and
    equal and opposite entries cancel exactly.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `entries`
        columns: (2 pair_count,) the other particle
        entries: (2 pair_count,) [N/m], K_ij
        inertia: (particle_count,) [kg], M
        targets: (particle_count, 3) [m], y
        guess: (particle_count, 3) [m], z
        square: h² [s²]
        residual: (particle_count, 3) [kg·m], overwritten
    """
    for i in range(residual.shape[0]):
        x, y, z = guess[i, 0], guess[i, 1], guess[i, 2]
        sum_x, sum_y, sum_z = 0.0, 0.0, 0.0
        for e in range(row_starts[i], row_starts[i + 1]):
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
def add_linear_forces(row_starts, columns, entries, moves, forces):
    """Add -A d for moves d, A given off the diagonal by row; its rows sum to zero.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `entries`
        columns: (entry_count,) the other particle
        entries: (entry_count,) A_ij
        moves: (particle_count, 3) d
        forces: (particle_count, 3) added to in place
    """
    for i in range(moves.shape[0]):
        x, y, z = moves[i, 0], moves[i, 1], moves[i, 2]
        for e in range(row_starts[i], row_starts[i + 1]):
            j = columns[e]
            k = entries[e]
            forces[i, 0] += k * (x - moves[j, 0])
            forces[i, 1] += k * (y - moves[j, 1])
            forces[i, 2] += k * (z - moves[j, 2])


@dataclass
class Couplings:
    """The pairs of coupled particles, by pair and by row, and the matrices K and A on them."""

    particle_count: int

    pairs: NDArray[np.int64]
    """(pair_count, 2) particle indices, first < second, no pair twice."""

    pair_of_spring: NDArray[np.int64]
    """(spring_count,) index into `pairs`."""

    pairs_of_bend: NDArray[np.int64]
    """(bend_count, 6) indices into `pairs`, -1 where a weight is zero."""

    pairs_of_tetrahedron: NDArray[np.int64]
    """(element_count, 6) indices into `pairs`, in the order of EDGES_OF_TETRAHEDRON."""

    row_starts: NDArray[np.uint32] = field(init=False)
    """(particle_count + 1,) where each particle's row begins in `columns`."""

    columns: NDArray[np.uint32] = field(init=False)
    """(2 pair_count,) the other particle of every entry, ascending within a row."""

    pair_of_entry: NDArray[np.int64] = field(init=False)
    """(2 pair_count,) index into `pairs`."""

    def __post_init__(self) -> None:
        """Order the pairs by row as well."""
        rows = np.concatenate([self.pairs[:, 0], self.pairs[:, 1]])
        columns = np.concatenate([self.pairs[:, 1], self.pairs[:, 0]])
        order = np.lexsort((columns, rows))
        self.columns = columns[order].astype(np.uint32)
        self.pair_of_entry = order % max(len(self.pairs), 1)
        counts = np.bincount(rows, minlength=self.particle_count)
        self.row_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)

    def stiffness_entries(self, springs: Springs, bends: Bends) -> NDArray[np.float64]:
        """Return K off the diagonal by row, (2 pair_count,) [N/m]; the rows sum to zero."""
        diagonal, values = np.zeros(self.particle_count), np.zeros(len(self.pairs))
        assemble_springs(springs.ends, springs.stiffness, self.pair_of_spring, diagonal, values)
        assemble_bends(bends.points, bends.weights, bends.stiffness, self.pairs_of_bend, diagonal, values)
        entries: NDArray[np.float64] = values[self.pair_of_entry]
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
        diagonal, values = masses.copy(), np.zeros(len(self.pairs))
        weights = step * (step * springs.stiffness + springs.damping)
        assemble_springs(springs.ends, weights, self.pair_of_spring, diagonal, values)
        stiffness = step * step * bends.stiffness
        assemble_bends(bends.points, bends.weights, stiffness, self.pairs_of_bend, diagonal, values)
        np.add.at(diagonal, anchors.points, step * step * anchors.stiffness)
        self._add_tetrahedra(tetrahedra, step, diagonal, values)
        return diagonal, values

    def soft_entries(self, tetrahedra: Tetrahedra, step: float) -> NDArray[np.float64]:
        """Return what soft bodies add to A off the diagonal, by row, (2 pair_count,) [kg]; the rows sum to zero."""
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


def couple(particle_count: int, springs: Springs, bends: Bends, tetrahedra: Tetrahedra) -> Couplings:
    """Find every pair of particles that a spring, a bending element or a tetrahedron joins."""
    spring_keys = _keys(springs.ends[:, 0], springs.ends[:, 1], particle_count)
    sides = [(a, c) for a in range(4) for c in range(a + 1, 4)]
    bend_keys = np.stack(
        [_keys(bends.points[:, a], bends.points[:, c], particle_count) for a, c in sides], axis=1
    )
    is_used = np.stack(
        [(bends.weights[:, a] != 0.0) & (bends.weights[:, c] != 0.0) for a, c in sides], axis=1
    )
    corners = tetrahedra.corners
    edge_keys = np.stack(
        [_keys(corners[:, a], corners[:, c], particle_count) for a, c in EDGES_OF_TETRAHEDRON], axis=1
    )
    every = np.concatenate([spring_keys, bend_keys[is_used], edge_keys.ravel()])
    keys, where = np.unique(every, return_inverse=True)
    of_edges = where[len(every) - edge_keys.size :]
    pairs_of_bend = np.full(bend_keys.shape, -1, dtype=np.int64)
    pairs_of_bend[is_used] = where[springs.count : len(every) - edge_keys.size]
    return Couplings(
        particle_count=particle_count,
        pairs=np.stack([keys // particle_count, keys % particle_count], axis=1),
        pair_of_spring=where[: springs.count].astype(np.int64),
        pairs_of_bend=pairs_of_bend,
        pairs_of_tetrahedron=of_edges.reshape(-1, 6).astype(np.int64),
    )


def _keys(first: NDArray[np.uint32], second: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    low = np.minimum(first, second).astype(np.int64)
    return low * count + np.maximum(first, second)
