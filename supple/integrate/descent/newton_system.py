"""The linear system of one Newton step, and the passes over its rows that conjugate gradients are made of.

Theory: docs/theory/descent.md, eq. (N1), (N2), (N6). A Newton step from a guess x solves H d = -∇Φ(x) with the true Hessian
of every spring, its transverse part clamped at zero for compressed springs. The gradient is computed in double precision,
the system is kept and solved in single precision: a solution to a few percent is all that is asked of it. Vectors hold
four numbers a slot (see `point_order`): three coordinates and a zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple import simd
from supple.integrate.descent.contact_rows import ContactRows
from supple.integrate.descent.element_rows import ElementRows, add_element_neighbours
from supple.integrate.descent.point_order import PointOrder
from supple.integrate.descent.symmetric_blocks import inverse_of, times
from supple.kernel import kernel
from supple.simd import ROW, WIDTH

SHORTEST = 1e-200
"""Squared length of a spring below which its direction is left alone [m²]."""


STEEP = 0.5
"""Slope with which Φ may rise where a Newton step ends, in slopes with which it fell at its beginning [-]."""


class Points(NamedTuple):
    """What a substep says of every point."""

    guess: NDArray[np.float64]
    """(4 slot_count,) x, where forces are linearised [m]."""

    targets: NDArray[np.float64]
    """(4 slot_count,) y, where inertia and outer forces lead [m]."""

    inertia: NDArray[np.float64]
    """(slot_count,) m / h² [kg/s²], huge where a point is held."""

    freedom: NDArray[np.float64]
    """(slot_count,) 0 where a point goes exactly to its target, 1 elsewhere [-]."""

    outer: NDArray[np.float64]
    """(4 slot_count,) gradient of what else acts at the guess [N]."""

    outer_blocks: NDArray[np.float64]
    """(6 slot_count,) its Hessian, point by point: xx, xy, xz, yy, yz, zz [N/m]."""

    resistance: NDArray[np.float64]
    """(slot_count,) what tetrahedra resist a displacement of the point alone, at rest [N/m]; contacts are stiffer."""


class SpringRows(NamedTuple):
    """Springs by the points they end at; each stands in two rows."""

    firsts: NDArray[np.int64]
    middles: NDArray[np.int64]
    columns: NDArray[np.int32]
    stiffness: NDArray[np.float64]
    """(8 entry_count,) [N/m]; 0 where a row is shorter."""
    lengths: NDArray[np.float64]
    """(8 entry_count,) at rest [m]"""
    bending: NDArray[np.float64]
    """(8 entry_count,) what bending adds to H_ij along the same edge [N/m]."""


class BendingRows(NamedTuple):
    """The constant matrix of flat bending elements, as far as its entries do not coincide with springs."""

    firsts: NDArray[np.int64]
    middles: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    """(8 entry_count,) [N/m]; 0 where a row is shorter."""
    diagonal: NDArray[np.float64]
    """(slot_count,) [N/m]"""


class Couplings(NamedTuple):
    """Contacts that act on several points: they are bounded on the diagonal, and the rest is added to products with H."""

    rows: ContactRows
    first: int
    """First contact of several points."""
    end: int
    """Number of contacts."""
    slots: NDArray[np.int64]
    """(particle_count,)"""
    freedom: NDArray[np.float64]
    """(slot_count,) of `Points`."""


class NewtonSystem(NamedTuple):
    """Matrix and right-hand side of a Newton step, in single precision."""

    residual: NDArray[np.float32]
    """(4 slot_count,) right-hand side, then what is left of it [N]."""

    diagonals: NDArray[np.float32]
    """(6 slot_count,) H_ii: xx, xy, xz, yy, yz, zz [N/m]"""

    inverses: NDArray[np.float32]
    """(6 slot_count,) of the diagonal blocks [m/N]"""

    blocks: NDArray[np.float32]
    """(6 · 8 entry_count,) B of every spring entry; of eight entries xx of all, then xy, ... [N/m]"""

    bending: NDArray[np.float32]
    """(8 bending_entry_count,) the bending matrix in single precision [N/m]"""

    elements: ElementRows

    colour_firsts: NDArray[np.int64]
    """(colour_count + 1,) first pack of each colour."""


class SearchVectors(NamedTuple):
    """Work of conjugate gradients, each (4 slot_count,)."""

    solution: NDArray[np.float32]
    """d, the sum of all steps [m]"""
    z: NDArray[np.float32]
    """Preconditioned residual [m]."""
    change: NDArray[np.float32]
    """What the backward sweep changed in z [m]."""
    hz: NDArray[np.float32]
    """H z [N]"""
    direction: NDArray[np.float32]
    """p [m]"""
    hp: NDArray[np.float32]
    """H p [N]"""


def make_system(
    order: PointOrder, spring_entries: int, bending: NDArray[np.float64], elements: ElementRows
) -> NewtonSystem:
    """Return room for a system; entries are counted in numbers, not packs."""
    slot_count = order.slot_count
    return NewtonSystem(
        np.zeros(ROW * slot_count, np.float32),
        np.zeros(6 * slot_count, np.float32),
        np.zeros(6 * slot_count, np.float32),
        np.zeros(6 * spring_entries, np.float32),
        bending.astype(np.float32),
        elements,
        order.colour_firsts,
    )


def make_vectors(slot_count: int) -> SearchVectors:
    """Return room for the vectors of conjugate gradients."""
    return SearchVectors(*(np.zeros(ROW * slot_count, np.float32) for _ in range(6)))


@kernel(is_inlined=True)
def store_six(array, at, stride, values):
    """Write the six numbers of a symmetric block, one pack each."""
    simd.store(array, at, values[0])
    simd.store(array, stride + at, values[1])
    simd.store(array, 2 * stride + at, values[2])
    simd.store(array, 3 * stride + at, values[3])
    simd.store(array, 4 * stride + at, values[4])
    simd.store(array, 5 * stride + at, values[5])


@kernel(is_inlined=True)
def load_six(array, at, stride):
    """Return the six packs of a symmetric block."""
    return (
        simd.load(array, at),
        simd.load(array, stride + at),
        simd.load(array, 2 * stride + at),
        simd.load(array, 3 * stride + at),
        simd.load(array, 4 * stride + at),
        simd.load(array, 5 * stride + at),
    )


@kernel(counts_references=False)
def linearise_packs(points, springs, bending, system, first, end):
    """Write gradient and Hessian of Φ at the guess (N1, N2) for some packs; the solution is to reduce the residual."""
    n = points.inertia.shape[0]
    for pack in range(first, end):
        at = WIDTH * pack
        x, y = simd.load_rows(points.guess, at), simd.load_rows(points.targets, at)
        gx, gy, gz = simd.load_rows(points.outer, at)
        m, bent = simd.load(points.inertia, at), simd.load(bending.diagonal, at)
        gx = gx + m * (x[0] - y[0]) + bent * x[0]
        gy = gy + m * (x[1] - y[1]) + bent * x[1]
        gz = gz + m * (x[2] - y[2]) + bent * x[2]
        xx, xy, xz, yy, yz, zz = load_six(points.outer_blocks, at, n)
        if system.elements.diagonals.shape[0] > 0:
            more = load_six(system.elements.diagonals, at, n)
            xx, xy, xz = xx + more[0], xy + more[1], xz + more[2]
            yy, yz, zz = yy + more[3], yz + more[4], zz + more[5]
        xx, yy, zz = xx + (m + bent), yy + (m + bent), zz + (m + bent)
        for entry in range(springs.firsts[pack], springs.firsts[pack + 1]):
            e = WIDTH * entry
            other = simd.gather_rows(points.guess, springs.columns, e)
            dx, dy, dz = x[0] - other[0], x[1] - other[1], x[2] - other[2]
            inverse = 1.0 / simd.sqrt(simd.at_least(dx * dx + dy * dy + dz * dz, SHORTEST))
            k, bend = simd.load(springs.stiffness, e), simd.load(springs.bending, e)
            share = 1.0 - simd.load(springs.lengths, e) * inverse
            pull = k * share
            gx = gx + pull * dx + bend * other[0]
            gy = gy + pull * dy + bend * other[1]
            gz = gz + pull * dz + bend * other[2]
            nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
            across = k * simd.at_least(share, 0.0)
            along = k - across
            ax, ay, az = along * nx, along * ny, along * nz
            b0, b1, b2 = across + ax * nx, ax * ny, ax * nz
            b3, b4, b5 = across + ay * ny, ay * nz, across + az * nz
            store_six(system.blocks, 6 * e, WIDTH, (b0 - bend, b1, b2, b3 - bend, b4, b5 - bend))
            xx, xy, xz = xx + b0, xy + b1, xz + b2
            yy, yz, zz = yy + b3, yz + b4, zz + b5
        for entry in range(bending.firsts[pack], bending.firsts[pack + 1]):
            e = WIDTH * entry
            value = simd.load(bending.values, e)
            other = simd.gather_rows(points.guess, bending.columns, e)
            gx, gy, gz = gx + value * other[0], gy + value * other[1], gz + value * other[2]
        free = simd.load(points.freedom, at)
        simd.store_rows(system.residual, at, (0.0 - free * gx, 0.0 - free * gy, 0.0 - free * gz))
        diagonal = (xx, xy, xz, yy, yz, zz)
        store_six(system.diagonals, at, n, diagonal)
        a, b, c, d, e, f = inverse_of(diagonal)
        store_six(system.inverses, at, n, (free * a, free * b, free * c, free * d, free * e, free * f))


@kernel(is_inlined=True)
def add_neighbours(springs, bending, system, vector, spring_range, bending_range, element_range, v):
    """Return v + Σ_j (-H_ij) w_j over some entries of eight rows, w the vector."""
    vx, vy, vz = v
    for entry in range(spring_range[0], spring_range[1]):
        e = WIDTH * entry
        w = times(load_six(system.blocks, 6 * e, WIDTH), simd.gather_rows(vector, springs.columns, e))
        vx, vy, vz = vx + w[0], vy + w[1], vz + w[2]
    for entry in range(bending_range[0], bending_range[1]):
        e = WIDTH * entry
        value = simd.load(system.bending, e)
        w = simd.gather_rows(vector, bending.columns, e)
        vx, vy, vz = vx - value * w[0], vy - value * w[1], vz - value * w[2]
    return add_element_neighbours(system.elements, vector, element_range[0], element_range[1], (vx, vy, vz))


@kernel(counts_references=False)
def sweep_forward(springs, bending, system, z, first, end):
    """Write z = (D - L)⁻¹ r for some packs: a Gauss-Seidel sweep from zero, so that only lower colours count."""
    n = z.shape[0] // ROW
    for pack in range(first, end):
        at = WIDTH * pack
        r = add_neighbours(
            springs, bending, system, z, (springs.firsts[pack], springs.middles[pack]),
            (bending.firsts[pack], bending.middles[pack]),
            (system.elements.firsts[pack], system.elements.middles[pack]), simd.load_rows(system.residual, at),
        )  # fmt: skip
        simd.store_rows(z, at, times(load_six(system.inverses, at, n), r))


@kernel(counts_references=False)
def upper_products(springs, bending, system, z, products, first, end):
    """Write U z for some packs, which is what a forward sweep from zero leaves of the residual."""
    for pack in range(first, end):
        at = WIDTH * pack
        zero = simd.load(z, at)
        zero = zero - zero
        left = add_neighbours(
            springs, bending, system, z, (springs.middles[pack], springs.firsts[pack + 1]),
            (bending.middles[pack], bending.firsts[pack + 1]),
            (system.elements.middles[pack], system.elements.firsts[pack + 1]), (zero, zero, zero),
        )  # fmt: skip
        simd.store_rows(products, at, left)


@kernel(counts_references=False)
def sweep_backward(springs, bending, system, z, change, first, end):
    """Sweep over some packs of one colour, the higher ones being done; write what that changes in z."""
    n = z.shape[0] // ROW
    for pack in range(first, end):
        at = WIDTH * pack
        r = add_neighbours(
            springs, bending, system, z, (springs.firsts[pack], springs.firsts[pack + 1]),
            (bending.firsts[pack], bending.firsts[pack + 1]),
            (system.elements.firsts[pack], system.elements.firsts[pack + 1]), simd.load_rows(system.residual, at),
        )  # fmt: skip
        new, old = times(load_six(system.inverses, at, n), r), simd.load_rows(z, at)
        simd.store_rows(change, at, (new[0] - old[0], new[1] - old[1], new[2] - old[2]))
        simd.store_rows(z, at, new)


@kernel(counts_references=False)
def product_after_sweep(springs, bending, system, change, hz, first, end):
    """Write H z after a backward sweep, r - L (change of z), for some packs."""
    for pack in range(first, end):
        at = WIDTH * pack
        zero = simd.load(change, at)
        zero = zero - zero
        left = add_neighbours(
            springs, bending, system, change, (springs.firsts[pack], springs.middles[pack]),
            (bending.firsts[pack], bending.middles[pack]),
            (system.elements.firsts[pack], system.elements.middles[pack]), (zero, zero, zero),
        )  # fmt: skip
        r = simd.load_rows(system.residual, at)
        simd.store_rows(hz, at, (r[0] - left[0], r[1] - left[1], r[2] - left[2]))


@kernel(counts_references=False)
def scalar_product(a, b, first, end):
    """Return a · b over the numbers first..end of two vectors."""
    zero = simd.load(a, first)
    result = zero - zero
    for i in range(first, end, WIDTH):
        result = result + simd.load(a, i) * simd.load(b, i)
    return float(simd.total(result))


@kernel(counts_references=False)
def turn_direction(system, vectors, beta, first, end):
    """Let p = z + β p and H p = H z + β H p in the numbers first..end; return r · p and p · H p over them."""
    zero = simd.load(vectors.z, first)
    top = bottom = zero - zero
    for i in range(first, end, WIDTH):
        p = simd.load(vectors.z, i) + beta * simd.load(vectors.direction, i)
        q = simd.load(vectors.hz, i) + beta * simd.load(vectors.hp, i)
        simd.store(vectors.direction, i, p)
        simd.store(vectors.hp, i, q)
        top = top + simd.load(system.residual, i) * p
        bottom = bottom + p * q
    return float(simd.total(top)), float(simd.total(bottom))


@kernel(counts_references=False)
def follow_direction(system, vectors, alpha, first, end):
    """Let d = d + α p and r = r - α H p in the numbers first..end."""
    for i in range(first, end, WIDTH):
        simd.store(
            vectors.solution, i, simd.load(vectors.solution, i) + alpha * simd.load(vectors.direction, i)
        )
        simd.store(system.residual, i, simd.load(system.residual, i) - alpha * simd.load(vectors.hp, i))


@kernel(is_entry=True)
def largest_change(solution):
    """Return the square of the largest displacement of a point [m²]."""
    largest = 0.0
    for i in range(0, solution.shape[0], ROW):
        x, y, z = np.float64(solution[i]), np.float64(solution[i + 1]), np.float64(solution[i + 2])
        largest = max(largest, x * x + y * y + z * z)
    return largest


@kernel(is_entry=True)
def overshoot(system, vectors, gained):
    """Return the share of the last solution to go on with: 1, or less where Φ has begun to rise steeply along it (N13).

    `system.residual` is -∇Φ where the whole solution leads. Between the two slopes along it, Φ is least where their line
    passes zero.
    """
    slope = scalar_product(system.residual, vectors.solution, 0, vectors.solution.shape[0])
    if not slope < -STEEP * gained:
        return 1.0
    return gained / (gained - slope)


@kernel(is_entry=True)
def step_back(guess, solution, share):
    """Keep a share of the last solution only."""
    for i in range(guess.shape[0]):
        kept = np.float32(share) * solution[i]
        guess[i] -= np.float64(solution[i] - kept)
        solution[i] = kept
