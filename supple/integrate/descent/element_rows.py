"""Rows of finite elements: what elements of several points add to the Newton system, nine numbers a block.

Theory: docs/theory/descent.md, eq. (N8). An element adds the blocks H_ij of all pairs of its corners, which are not
symmetric by themselves (H_ji is H_ij transposed). Kinds of elements are alike here: each is computed eight at a time, by its
own file in `supple/forces/`, into a small buffer (`Shares`), and `scatter` adds that to the rows of the corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple import simd
from supple.forces.membrane import SHORTEST, product, thread_blocks, thread_forces
from supple.forces.thread_laws import find_thread_laws, follow_slips
from supple.integrate.descent.packed_rows import Rows, pack_rows
from supple.integrate.descent.point_order import PointOrder
from supple.kernel import kernel
from supple.model.membrane import MembraneArrays
from supple.model.thread_laws import ThreadLaws
from supple.simd import ROW, WIDTH

BLOCK = 9 * WIDTH
"""Numbers of eight blocks, which stand side by side: xx, xy, xz, yx, ... of eight rows each."""


class ElementRows(NamedTuple):
    """Blocks of all elements by the points they act on."""

    firsts: NDArray[np.int64]
    middles: NDArray[np.int64]
    columns: NDArray[np.int32]

    blocks: NDArray[np.float32]
    """(9 · 8 entry_count,) -H_ij of elements, and of bending along the same edges [N/m]."""

    constant: NDArray[np.float32]
    """(9 · 8 entry_count,) what bending adds to them [N/m]."""

    bending: NDArray[np.float64]
    """(8 entry_count,) H_ij of bending along the same edges [N/m]."""

    diagonals: NDArray[np.float64]
    """(6 slot_count,) H_ii of elements: xx, xy, xz, yy, yz, zz [N/m]; no numbers where there are no elements."""


class Triangles(NamedTuple):
    """Membrane elements in packs of eight, the last one filled up with elements of no stiffness."""

    corners: NDArray[np.int32]
    """(3 · 8 pack_count,) slots of the corners: of all elements the first, then the second, then the third."""

    weights: NDArray[np.float64]
    """(4 · 8 pack_count,) α of the corners 1 and 2, then β; those of corner 0 make the sum zero [1/m]."""

    moduli: NDArray[np.float64]
    """(5 · 8 pack_count,) as in `MembraneArrays`."""

    before: NDArray[np.float64]
    """(3 · 8 pack_count,) strains at the start of the substep, from which damping counts [-]."""

    rates: NDArray[np.float64]
    """(8 pack_count,) damping over the effective step [N·m]."""

    places: NDArray[np.int64]
    """(6 · 8 pack_count,) where H_01, H_02, H_12, H_10, H_20, H_21 stand in `ElementRows.blocks`."""

    pulls: NDArray[np.float64]
    """(3 · 8 pack_count,) what thread laws add to the stresses of warp, weft and shear [N·m]; eight noughts without laws."""

    stiffness: NDArray[np.float64]
    """(3 · 8 pack_count,) what they add to their stiffness [N·m]."""


GRADIENT, DIAGONAL, PAIRS = 0, 9 * WIDTH, 27 * WIDTH
"""Where in the buffer of eight elements of three corners their gradients, diagonal and other blocks begin."""

BUFFER = 54 * WIDTH
"""Numbers of that buffer."""

PAIRS_OF_TRIANGLE = ((0, 1), (0, 2), (1, 2))
"""Corners of the blocks of a triangle, in the order of the buffer."""


def lay_out_elements(
    order: PointOrder, kinds: Sequence[NDArray[np.int64]]
) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
    """Return rows with an entry for every pair of corners that any element has, and where pairs stand.

    Args:
        order: of the points
        kinds: (element_count, corner_count) particles of each kind of elements

    Returns:
        the rows; pairs of particles (entry_count, 2) of all entries, ascending; where in the rows each stands
    """
    count = len(order.slots)
    pairs = [
        corners[:, [i, j]]
        for corners in kinds
        for i in range(corners.shape[1])
        for j in range(corners.shape[1])
        if i != j
    ]
    joined = np.concatenate(pairs)
    keys = np.unique(joined[:, 0] * count + joined[:, 1])
    listed = np.stack([keys // max(count, 1), keys % max(count, 1)], axis=1)
    rows, places = pack_rows(order, order.slots[listed[:, 0]], order.slots[listed[:, 1]])
    return rows, listed, places


def block_places(places: NDArray[np.int64], numbers: int = 9) -> NDArray[np.int64]:
    """Return where the first of the numbers of a block stands, given the place of its entry."""
    return numbers * WIDTH * (places // WIDTH) + places % WIDTH


def make_element_rows(slot_count: int, rows: Rows) -> ElementRows:
    """Return rows of blocks that are all zero."""
    room = len(rows.columns)
    return ElementRows(
        *rows,
        np.zeros(9 * room, np.float32),
        np.zeros(9 * room, np.float32),
        np.zeros(room),
        np.zeros(6 * slot_count if room else 0),
    )


def make_triangles(
    order: PointOrder,
    elements: MembraneArrays,
    pairs: NDArray[np.int64],
    places: NDArray[np.int64],
    has_laws: bool = False,
) -> Triangles:
    """Return membrane elements in packs, given the entries that `lay_out_elements` has made."""
    count = len(elements.corners)
    room = -(-count // WIDTH) * WIDTH
    corners = np.zeros((3, room), np.int32)
    corners[:, :count] = order.slots[elements.corners].T
    keys = pairs[:, 0] * len(order.slots) + pairs[:, 1]
    into = np.zeros((6, room), np.int64)
    for n, (i, j) in enumerate((*PAIRS_OF_TRIANGLE, *((j, i) for i, j in PAIRS_OF_TRIANGLE))):
        wanted = elements.corners[:, i] * len(order.slots) + elements.corners[:, j]
        into[n, :count] = block_places(places[np.searchsorted(keys, wanted)])
    triangles = Triangles(
        corners.ravel(),
        np.zeros(4 * room),
        np.zeros(5 * room),
        np.zeros(3 * room),
        np.zeros(room),
        into.ravel(),
        np.zeros(3 * room if has_laws else WIDTH),
        np.zeros(3 * room if has_laws else WIDTH),
    )
    take_material(elements, triangles)
    return triangles


def take_material(elements: MembraneArrays, triangles: Triangles) -> None:
    """Take over shapes at rest and moduli; the corners are the same."""
    count, room = len(elements.corners), len(triangles.rates)
    weights, moduli = triangles.weights.reshape(4, room), triangles.moduli.reshape(5, room)
    weights[:2, :count] = elements.warp[:, 1:].T
    weights[2:, :count] = elements.weft[:, 1:].T
    moduli[:, :count] = elements.moduli.T


def bend_along(rows: ElementRows, places: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Let bending act along edges of elements: values of H_ij [N/m] at these places of entries."""
    rows.bending[places] = values
    for diagonal in (0, 4, 8):
        rows.constant[block_places(places) + WIDTH * diagonal] = -values


@kernel(is_inlined=True)
def combined(x0, x1, x2, first, second):
    """Return w₁ (x₁ - x₀) + w₂ (x₂ - x₀), of packs."""
    return (
        first * (x1[0] - x0[0]) + second * (x2[0] - x0[0]),
        first * (x1[1] - x0[1]) + second * (x2[1] - x0[1]),
        first * (x1[2] - x0[2]) + second * (x2[2] - x0[2]),
    )


@kernel(is_inlined=True)
def load_threads(points, triangles, at):
    """Return a, b, and their lengths of eight triangles at some positions (4 slot_count,)."""
    room = triangles.rates.shape[0]
    x0 = simd.gather_rows(points, triangles.corners, at)
    x1 = simd.gather_rows(points, triangles.corners, room + at)
    x2 = simd.gather_rows(points, triangles.corners, 2 * room + at)
    w = triangles.weights
    a = combined(x0, x1, x2, simd.load(w, at), simd.load(w, room + at))
    b = combined(x0, x1, x2, simd.load(w, 2 * room + at), simd.load(w, 3 * room + at))
    least = SHORTEST * SHORTEST
    return (
        a,
        b,
        (simd.sqrt(simd.at_least(product(a, a), least)), simd.sqrt(simd.at_least(product(b, b), least))),
    )


@kernel
def remember_strains(bases, rates, triangles):
    """Write the strains from which damping counts in this substep, and damping over the step.

    Args:
        bases: (4 slot_count,) where points were [m]
        rates: (slot_count,) one over the effective step of each point [1/s]
        triangles: changed in place
    """
    room = triangles.rates.shape[0]
    for at in range(0, room, WIDTH):
        a, b, lengths = load_threads(bases, triangles, at)
        simd.store(triangles.before, at, lengths[0] - 1.0)
        simd.store(triangles.before, room + at, lengths[1] - 1.0)
        simd.store(triangles.before, 2 * room + at, product(a, b))
        for lane in range(at, at + WIDTH):
            triangles.rates[lane] = triangles.moduli[4 * room + lane] * rates[triangles.corners[lane]]


@kernel(is_inlined=True)
def mixed_block(u, v, s, t, warp, cross, weft):
    """Return u s H_aa + u t H_ab + v s H_abᵀ + v t H_bb: the block of two corners, nine packs.

    Args:
        u: α of the first corner
        v: β of the first corner
        s: α of the second corner
        t: β of the second corner
        warp: H_aa, six packs
        cross: H_ab, nine packs
        weft: H_bb, six packs
    """
    us, ut, vs, vt = u * s, u * t, v * s, v * t
    return (
        us * warp[0] + vt * weft[0] + (ut + vs) * cross[0],
        us * warp[1] + vt * weft[1] + ut * cross[1] + vs * cross[3],
        us * warp[2] + vt * weft[2] + ut * cross[2] + vs * cross[6],
        us * warp[1] + vt * weft[1] + ut * cross[3] + vs * cross[1],
        us * warp[3] + vt * weft[3] + (ut + vs) * cross[4],
        us * warp[4] + vt * weft[4] + ut * cross[5] + vs * cross[7],
        us * warp[2] + vt * weft[2] + ut * cross[6] + vs * cross[2],
        us * warp[4] + vt * weft[4] + ut * cross[7] + vs * cross[5],
        us * warp[5] + vt * weft[5] + (ut + vs) * cross[8],
    )


@kernel(is_inlined=True)
def store_nine(buffer, at, values):
    """Write nine packs one after the other."""
    simd.store(buffer, at, values[0])
    simd.store(buffer, at + WIDTH, values[1])
    simd.store(buffer, at + 2 * WIDTH, values[2])
    simd.store(buffer, at + 3 * WIDTH, values[3])
    simd.store(buffer, at + 4 * WIDTH, values[4])
    simd.store(buffer, at + 5 * WIDTH, values[5])
    simd.store(buffer, at + 6 * WIDTH, values[6])
    simd.store(buffer, at + 7 * WIDTH, values[7])
    simd.store(buffer, at + 8 * WIDTH, values[8])


@kernel(is_inlined=True)
def store_upper(buffer, at, values):
    """Write the six different numbers of a symmetric block that was computed as nine packs."""
    simd.store(buffer, at, values[0])
    simd.store(buffer, at + WIDTH, values[1])
    simd.store(buffer, at + 2 * WIDTH, values[2])
    simd.store(buffer, at + 3 * WIDTH, values[4])
    simd.store(buffer, at + 4 * WIDTH, values[5])
    simd.store(buffer, at + 5 * WIDTH, values[8])


@kernel(is_inlined=True)
def store_gradient(buffer, at, u, v, warp, weft):
    """Write u g_a + v g_b, three packs."""
    simd.store(buffer, at, u * warp[0] + v * weft[0])
    simd.store(buffer, at + WIDTH, u * warp[1] + v * weft[1])
    simd.store(buffer, at + 2 * WIDTH, u * warp[2] + v * weft[2])


@kernel(is_inlined=True)
def load_three(array, stride, at):
    """Return three packs of an array, or its only one three times."""
    last = array.shape[0] - WIDTH
    return (
        simd.load(array, min(at, last)),
        simd.load(array, min(stride + at, last)),
        simd.load(array, min(2 * stride + at, last)),
    )


@kernel
def add_triangles(points, triangles, rows, buffer):
    """Add gradient and Hessian of membrane elements at the guess; the rows hold nothing but constants before.

    Args:
        points: `newton_system.Points`; `outer` is added to
        triangles: `Triangles`
        rows: `ElementRows`; blocks and diagonals are added to
        buffer: (BUFFER,) scratch
    """
    room = triangles.rates.shape[0]
    for at in range(0, room, WIDTH):
        a, b, lengths = load_threads(points.guess, triangles, at)
        m, w, before = triangles.moduli, triangles.weights, triangles.before
        moduli = (
            simd.load(m, at),
            simd.load(m, room + at),
            simd.load(m, 2 * room + at),
            simd.load(m, 3 * room + at),
        )
        start = simd.load(before, at), simd.load(before, room + at), simd.load(before, 2 * room + at)
        rate = simd.load(triangles.rates, at)
        pulls, stiffness = load_three(triangles.pulls, room, at), load_three(triangles.stiffness, room, at)
        ga, gb = thread_forces(a, b, lengths, moduli, rate, start, pulls)
        warp, cross, weft = thread_blocks(a, b, lengths, moduli, rate, start, pulls, stiffness)
        u1, u2, v1, v2 = (
            simd.load(w, at),
            simd.load(w, room + at),
            simd.load(w, 2 * room + at),
            simd.load(w, 3 * room + at),
        )
        u0, v0 = 0.0 - (u1 + u2), 0.0 - (v1 + v2)
        store_gradient(buffer, GRADIENT, u0, v0, ga, gb)
        store_gradient(buffer, GRADIENT + 3 * WIDTH, u1, v1, ga, gb)
        store_gradient(buffer, GRADIENT + 6 * WIDTH, u2, v2, ga, gb)
        store_upper(buffer, DIAGONAL, mixed_block(u0, v0, u0, v0, warp, cross, weft))
        store_upper(buffer, DIAGONAL + 6 * WIDTH, mixed_block(u1, v1, u1, v1, warp, cross, weft))
        store_upper(buffer, DIAGONAL + 12 * WIDTH, mixed_block(u2, v2, u2, v2, warp, cross, weft))
        store_nine(buffer, PAIRS, mixed_block(u0, v0, u1, v1, warp, cross, weft))
        store_nine(buffer, PAIRS + BLOCK, mixed_block(u0, v0, u2, v2, warp, cross, weft))
        store_nine(buffer, PAIRS + 2 * BLOCK, mixed_block(u1, v1, u2, v2, warp, cross, weft))
        scatter(buffer, at, triangles.corners, triangles.places, rows, points.outer)


@kernel
def scatter(buffer, at, corners, places, rows, gradient):
    """Add what eight elements of three corners have computed to the rows of their corners.

    Args:
        buffer: (BUFFER,) gradients, diagonal blocks, other blocks: number by number, element by element
        at: first of the eight elements
        corners: (3 · element_count,) slots
        places: (6 · element_count,) where the blocks stand
        rows: `ElementRows`; blocks and diagonals are added to
        gradient: (4 slot_count,) added to [N]
    """
    room, n = corners.shape[0] // 3, rows.diagonals.shape[0] // 6
    for lane in range(WIDTH):
        e = at + lane
        for c in range(3):
            slot = corners[c * room + e]
            for axis in range(3):
                gradient[ROW * slot + axis] += buffer[GRADIENT + (3 * c + axis) * WIDTH + lane]
            for k in range(6):
                rows.diagonals[k * n + slot] += buffer[DIAGONAL + (6 * c + k) * WIDTH + lane]
        for pair in range(3):
            to, back = places[pair * room + e], places[(3 + pair) * room + e]
            begin = PAIRS + pair * BLOCK + lane
            for r in range(3):
                for c in range(3):
                    value = np.float32(buffer[begin + (3 * r + c) * WIDTH])
                    rows.blocks[to + (3 * r + c) * WIDTH] -= value
                    rows.blocks[back + (3 * c + r) * WIDTH] -= value


@kernel
def add_edge_bending(points, rows):
    """Add the gradient of bending along edges of elements to `points.outer`."""
    for pack in range(rows.middles.shape[0]):
        at = WIDTH * pack
        gx, gy, gz = simd.load_rows(points.outer, at)
        for entry in range(rows.firsts[pack], rows.firsts[pack + 1]):
            value = simd.load(rows.bending, WIDTH * entry)
            other = simd.gather_rows(points.guess, rows.columns, WIDTH * entry)
            gx, gy, gz = gx + value * other[0], gy + value * other[1], gz + value * other[2]
        simd.store_rows(points.outer, at, (gx, gy, gz))


@kernel(is_inlined=True)
def add_element_neighbours(rows, vector, first, end, v):
    """Return v + Σ_j (-H_ij) w_j over some entries of eight rows, w the vector."""
    vx, vy, vz = v
    for entry in range(first, end):
        x, y, z = simd.gather_rows(vector, rows.columns, WIDTH * entry)
        at = BLOCK * entry
        b = rows.blocks
        vx = vx + (simd.load(b, at) * x + simd.load(b, at + WIDTH) * y + simd.load(b, at + 2 * WIDTH) * z)
        at += 3 * WIDTH
        vy = vy + (simd.load(b, at) * x + simd.load(b, at + WIDTH) * y + simd.load(b, at + 2 * WIDTH) * z)
        at += 3 * WIDTH
        vz = vz + (simd.load(b, at) * x + simd.load(b, at + WIDTH) * y + simd.load(b, at + 2 * WIDTH) * z)
    return vx, vy, vz


class ElementShare:
    """The elements of a world as the Newton system needs them; nothing at all where there are none."""

    def __init__(
        self,
        order: PointOrder,
        elements: MembraneArrays,
        tetrahedra: NDArray[np.int64],
        laws: ThreadLaws | None = None,
    ) -> None:
        """Lay out the rows of the elements; (element_count, 4) tetrahedra share them, see `tetrahedron_rows`."""
        self._laws = laws if laws is not None and len(laws.slips) else None
        self._elements = elements
        self._order = order
        layout, self.pairs, self.places = lay_out_elements(order, (elements.corners, tetrahedra))
        self.layout = layout
        self.rows = make_element_rows(order.slot_count, layout)
        self._triangles = make_triangles(order, elements, self.pairs, self.places, self._laws is not None)
        self._buffer = np.zeros(BUFFER)
        self._bases, self._rates = np.zeros(ROW * order.slot_count), np.zeros(order.slot_count)
        self._is_damped = bool(elements.moduli[:, 4].any())
        self._is_bent = False

    @property
    def has_triangles(self) -> bool:
        """Whether there are membrane elements."""
        return len(self._triangles.rates) > 0

    @property
    def is_empty(self) -> bool:
        """Whether there are no elements, of no kind."""
        return not len(self.pairs)

    def take_bending(
        self, at: NDArray[np.int64], to: NDArray[np.int64], values: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Take over entries of the bending matrix that stand along edges of elements; return which.

        Args:
            at: (count,) particle of the row
            to: (count,) particle of the column
            values: (count,) [N/m]
        """
        if self.is_empty or not len(at):
            return np.zeros(len(at), np.bool_)
        count = len(self._order.slots)
        keys, wanted = self.pairs[:, 0] * count + self.pairs[:, 1], at * count + to
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        is_along: NDArray[np.bool_] = keys[found] == wanted
        bend_along(self.rows, self.places[found[is_along]], values[is_along])
        self._is_bent = bool(is_along.any())
        return is_along

    def take_material(self, elements: MembraneArrays, laws: ThreadLaws) -> None:
        """Take over shapes at rest, moduli and laws of the same elements."""
        take_material(elements, self._triangles)
        self._laws, self._elements = laws if len(laws.slips) else None, elements
        self._is_damped = bool(elements.moduli[:, 4].any())

    def begin(
        self, starts: NDArray[np.float64], bases: NDArray[np.float64], rates: NDArray[np.float64]
    ) -> None:
        """Begin a substep.

        Args:
            starts: (particle_count, 3) up to which friction has slipped [m]
            bases: (particle_count, 3) from which damping counts [m]
            rates: (particle_count,) 1 / h [1/s]
        """
        if self._laws is not None:
            follow_slips(starts, self._elements, self._laws)
        if self._is_damped:
            self._bases.reshape(-1, ROW)[self._order.slots, :3] = bases
            self._rates[self._order.slots] = rates
            remember_strains(self._bases, self._rates, self._triangles)

    def add(self, points: Any, has_blocks: bool = True) -> None:
        """Write the blocks at the guess, and add the gradient to what else acts on the points.

        Blocks stay as they were if `has_blocks` is False; that is for worlds without triangles only.
        """
        if self.is_empty:
            return
        if has_blocks:
            np.copyto(self.rows.blocks, self.rows.constant)
            self.rows.diagonals[:] = 0.0
        if self._is_bent:
            add_edge_bending(points, self.rows)
        if self.has_triangles:
            if self._laws is not None:
                find_thread_laws(points.guess, self._triangles, self._laws)
            add_triangles(points, self._triangles, self.rows, self._buffer)
