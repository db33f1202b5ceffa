"""Tetrahedra in the Newton system: gradient and positive semi-definite Hessian of soft bodies, eight elements at a time.

Theory: docs/theory/descent.md, eq. (N9) to (N11), (N15). Gradients, moduli and rotations are those of `model.tetrahedra`,
which stand in blocks of 64 and are read where they stand: a material that changes is used at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple import simd
from supple.integrate.descent.element_rows import BLOCK, block_places, store_nine, store_upper
from supple.integrate.descent.point_order import PointOrder
from supple.kernel import kernel
from supple.model.tetrahedra import (
    COROTATED,
    EDGES_OF_TETRAHEDRON,
    ELASTIC,
    NEO_HOOKEAN,
    STIFF,
    VALUES,
    Tetrahedra,
)
from supple.model.tetrahedra import WIDTH as LANE
from supple.simd import ROW, WIDTH

TURNS = 2
"""Newton steps by which rotations follow the guess: what is left of a turn of 0.1 rad is below 1e-6."""

SINGULAR = 1e-6
"""Share of its size cubed from which tr(S) 1 - S counts as positive definite [-]."""

GRADIENT, DIAGONAL, PAIRS = 0, 12 * WIDTH, 36 * WIDTH
"""Where in the buffer of eight elements of four corners their gradients, diagonal and other blocks begin."""

BUFFER = 90 * WIDTH
"""Numbers of that buffer."""


class SoftElements(NamedTuple):
    """Tetrahedra as the Newton system takes them, in blocks of 64, filled up with elements of no stiffness."""

    corners: NDArray[np.int32]
    """(4 · 64 block_count,) slots of the corners: of all elements the first, then the second, and so on."""

    values: NDArray[np.float64]
    """As in `ElementBlocks`."""

    rotations: NDArray[np.float64]
    """As in `ElementBlocks`; brought up to date."""

    compressions: NDArray[np.float64]
    """As in `ElementBlocks`; overwritten."""

    bases: NDArray[np.float64]
    """(4 slot_count,) b of (N3), from which damping counts [m]."""

    rates: NDArray[np.float64]
    """(64 block_count,) one over the effective step of each element [1/s]; 0 if nothing is damped."""

    places: NDArray[np.int64]
    """(12 · 64 block_count,) where H_ij of the six edges stand in `ElementRows.blocks`, then H_ji."""

    element_count: int
    """Number of elements."""

    has_neo_hookean: bool
    """Whether any element is neo-Hookean."""


def make_soft_elements(
    order: PointOrder, elements: Tetrahedra, pairs: NDArray[np.int64], places: NDArray[np.int64]
) -> SoftElements:
    """Return tetrahedra for the Newton system, given the entries that `lay_out_elements` has made."""
    count, room, points = elements.count, len(elements.block_corners), len(order.slots)
    corners = np.zeros((4, room), np.int32)
    listed = elements.corners.astype(np.int64)
    corners[:, :count] = order.slots[listed].T
    keys = pairs[:, 0] * points + pairs[:, 1]
    into = np.zeros((12, room), np.int64)
    edges = (*EDGES_OF_TETRAHEDRON, *((j, i) for i, j in EDGES_OF_TETRAHEDRON))
    for n, (i, j) in enumerate(edges if count else ()):
        wanted = listed[:, i] * points + listed[:, j]
        into[n, :count] = block_places(places[np.searchsorted(keys, wanted)])
    return SoftElements(
        corners.ravel(),
        elements.blocks,
        elements.rotations,
        elements.compressions,
        np.zeros(ROW * order.slot_count),
        np.zeros(room),
        into.ravel(),
        count,
        bool(elements.is_neo_hookean.any()),
    )


def point_stiffness(elements: Tetrahedra, particle_count: int) -> NDArray[np.float64]:
    """Return Σ V (2 µ + λ) |α|², about what elements resist a displacement of one particle, (particle_count,) [N/m]."""
    moduli = elements.volumes * (2.0 * elements.shear_moduli + elements.lame_moduli)
    shares = moduli[:, None] * np.square(elements.all_gradients()).sum(axis=2)
    sums: NDArray[np.float64] = np.bincount(
        elements.corners.astype(np.int64).ravel(), shares.ravel(), minlength=particle_count
    ).astype(np.float64)
    return sums


@kernel(is_inlined=True)
def load_nine(array, at):
    """Return nine packs that stand 64 numbers apart, as rows of a matrix."""
    return (
        (simd.load(array, at), simd.load(array, at + LANE), simd.load(array, at + 2 * LANE)),
        (simd.load(array, at + 3 * LANE), simd.load(array, at + 4 * LANE), simd.load(array, at + 5 * LANE)),
        (simd.load(array, at + 6 * LANE), simd.load(array, at + 7 * LANE), simd.load(array, at + 8 * LANE)),
    )


@kernel(is_inlined=True)
def load_four(array, at):
    """Return four packs that stand 64 numbers apart."""
    return (
        simd.load(array, at),
        simd.load(array, at + LANE),
        simd.load(array, at + 2 * LANE),
        simd.load(array, at + 3 * LANE),
    )


@kernel(is_inlined=True)
def minus(a, b):
    """Return a - b of two vectors."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(is_inlined=True)
def dot(a, b):
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(is_inlined=True)
def cross(a, b):
    """Return a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(is_inlined=True)
def columns(m):
    """Return the transpose of a matrix given by rows."""
    return (
        (m[0][0], m[1][0], m[2][0]),
        (m[0][1], m[1][1], m[2][1]),
        (m[0][2], m[1][2], m[2][2]),
    )


@kernel(is_inlined=True)
def apply(m, v):
    """Return m v."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


@kernel(is_inlined=True)
def rotation_of(q):
    """Return the rotation matrix of a unit quaternion, by rows."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel(is_inlined=True)
def deformation(points, soft, at, g):
    """Return F of eight elements at some positions (4 slot_count,), by columns."""
    room = soft.rates.shape[0]
    x0 = simd.gather_rows(points, soft.corners, at)
    a = minus(simd.gather_rows(points, soft.corners, room + at), x0)
    b = minus(simd.gather_rows(points, soft.corners, 2 * room + at), x0)
    c = minus(simd.gather_rows(points, soft.corners, 3 * room + at), x0)
    return (
        (
            a[0] * g[0][0] + b[0] * g[1][0] + c[0] * g[2][0],
            a[1] * g[0][0] + b[1] * g[1][0] + c[1] * g[2][0],
            a[2] * g[0][0] + b[2] * g[1][0] + c[2] * g[2][0],
        ),
        (
            a[0] * g[0][1] + b[0] * g[1][1] + c[0] * g[2][1],
            a[1] * g[0][1] + b[1] * g[1][1] + c[1] * g[2][1],
            a[2] * g[0][1] + b[2] * g[1][1] + c[2] * g[2][1],
        ),
        (
            a[0] * g[0][2] + b[0] * g[1][2] + c[0] * g[2][2],
            a[1] * g[0][2] + b[1] * g[1][2] + c[1] * g[2][2],
            a[2] * g[0][2] + b[2] * g[1][2] + c[2] * g[2][2],
        ),
    )


@kernel(is_inlined=True)
def cofactors(m):
    """Return the six cofactors of a symmetric matrix xx, yy, zz, xy, xz, yz in the same order."""
    xx, yy, zz, xy, xz, yz = m
    return (
        yy * zz - yz * yz,
        xx * zz - xz * xz,
        xx * yy - xy * xy,
        xz * yz - xy * zz,
        xy * yz - xz * yy,
        xy * xz - xx * yz,
    )


@kernel(is_inlined=True)
def resistance(s):
    """Return cofactors and determinant of tr(S) 1 - S, and a number that is positive where it is positive definite."""
    m = (s[1] + s[2], s[0] + s[2], s[0] + s[1], 0.0 - s[3], 0.0 - s[4], 0.0 - s[5])
    c = cofactors(m)
    determinant = m[0] * c[0] + m[3] * c[3] + m[4] * c[4]
    size = simd.sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
    floor = determinant - SINGULAR * size * size * size
    sign = simd.where_positive(m[0], simd.where_positive(c[2], floor, 0.0 * floor - 1.0), 0.0 * floor - 1.0)
    return c, determinant, sign


@kernel(is_inlined=True)
def stretch(f, q):
    """Return S = sym(Rᵀ F) as xx, yy, zz, xy, xz, yz, and the axial vector of Rᵀ F; f holds columns."""
    r = columns(rotation_of(q))
    b0, b1, b2 = apply(r, f[0]), apply(r, f[1]), apply(r, f[2])  # columns of Rᵀ F
    s = (
        b0[0],
        b1[1],
        b2[2],
        0.5 * (b0[1] + b1[0]),
        0.5 * (b0[2] + b2[0]),
        0.5 * (b1[2] + b2[1]),
    )
    return s, (b1[2] - b2[1], b2[0] - b0[2], b0[1] - b1[0])


@kernel(is_inlined=True)
def turned(f, q, is_corotated):
    """Return the quaternion after one Newton step towards the rotation of F, see `forces.elasticity.turn_block`."""
    s, u = stretch(f, q)
    c, determinant, sign = resistance(s)
    trace = s[0] + s[1] + s[2]
    plain = simd.at_least(simd.sqrt(trace * trace), 1e-300)
    half = 0.5 * is_corotated / simd.where_positive(sign, determinant, plain)
    hx = half * simd.where_positive(sign, c[0] * u[0] + c[3] * u[1] + c[4] * u[2], u[0])
    hy = half * simd.where_positive(sign, c[3] * u[0] + c[1] * u[1] + c[5] * u[2], u[1])
    hz = half * simd.where_positive(sign, c[4] * u[0] + c[5] * u[1] + c[2] * u[2], u[2])
    w, x, y, z = q
    nw, nx = w - x * hx - y * hy - z * hz, x + w * hx + y * hz - z * hy
    ny, nz = y + w * hy + z * hx - x * hz, z + w * hz + x * hy - y * hx
    scale = 1.0 / simd.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    return scale * nw, scale * nx, scale * ny, scale * nz


@kernel(is_inlined=True)
def stress(s, before, mu, lam, phi, psi):
    """Return V (2 µ ε + λ tr(ε) 1) with what damping adds, xx, yy, zz, xy, xz, yz (N9, N11).

    Args:
        s: S, six packs
        before: sym(Rᵀ F) at the bases, with the same R, six packs
        mu: V µ
        lam: V λ
        phi: V φ / h
        psi: V ψ / h
    """
    d = (
        s[0] - before[0], s[1] - before[1], s[2] - before[2],
        s[3] - before[3], s[4] - before[4], s[5] - before[5],
    )  # fmt: skip
    pressure = lam * (s[0] + s[1] + s[2] - 3.0) + psi * (d[0] + d[1] + d[2])
    return (
        2.0 * (mu * (s[0] - 1.0) + phi * d[0]) + pressure,
        2.0 * (mu * (s[1] - 1.0) + phi * d[1]) + pressure,
        2.0 * (mu * (s[2] - 1.0) + phi * d[2]) + pressure,
        2.0 * (mu * s[3] + phi * d[3]),
        2.0 * (mu * s[4] + phi * d[4]),
        2.0 * (mu * s[5] + phi * d[5]),
    )


@kernel(is_inlined=True)
def turning_stiffness(s, mu, lam, is_corotated):
    """Return T of (N10), what resists turning an element against its stretches, made positive semi-definite."""
    c, determinant, sign = resistance(s)
    zero = 0.0 * mu
    scale = (lam * (s[0] + s[1] + s[2] - 3.0) - 2.0 * mu) / simd.where_positive(sign, determinant, zero + 1.0)
    xx, yy, zz = mu + scale * c[0], mu + scale * c[1], mu + scale * c[2]
    xy, xz, yz = scale * c[3], scale * c[4], scale * c[5]
    third = (xx + yy + zz) * (1.0 / 3.0)
    a, b, d = xx - third, yy - third, zz - third
    spread = a * a + b * b + d * d + 2.0 * (xy * xy + xz * xz + yz * yz)
    # No eigenvalue is less than this: the mean, and this share of the spread around it.
    least = third - simd.sqrt((2.0 / 3.0) * spread)
    lift = simd.at_least(0.0 - least, 0.0)
    factor = is_corotated * simd.where_positive(sign, zero + 1.0, zero)
    return (
        factor * (xx + lift),
        factor * (yy + lift),
        factor * (zz + lift),
        factor * xy,
        factor * xz,
        factor * yz,
    )


@kernel(is_inlined=True)
def symmetric_times(m, v):
    """Return m v with m as xx, yy, zz, xy, xz, yz."""
    return (
        m[0] * v[0] + m[3] * v[1] + m[4] * v[2],
        m[3] * v[0] + m[1] * v[1] + m[5] * v[2],
        m[4] * v[0] + m[5] * v[1] + m[2] * v[2],
    )


@kernel(is_inlined=True)
def rotated(r, m):
    """Return R m Rᵀ of a symmetric matrix xx, yy, zz, xy, xz, yz."""
    a, b, c = symmetric_times(m, r[0]), symmetric_times(m, r[1]), symmetric_times(m, r[2])
    return dot(r[0], a), dot(r[1], b), dot(r[2], c), dot(r[0], b), dot(r[0], c), dot(r[1], c)


@kernel(is_inlined=True)
def element_block(a, b, mu, lam, twist):
    """Return the block of two corners, nine packs (N10).

        µ ((a · b) 1 + b aᵀ) + λ a bᵀ + [a]×ᵀ T [b]×

    Args:
        a: gradient of the first corner, turned
        b: gradient of the second
        mu: V µ with damping
        lam: V λ with damping
        twist: T turned, xx, yy, zz, xy, xz, yz
    """
    # Column k of [b]× is b × e_k; [a]×ᵀ w is w × a.
    zero = 0.0 * mu
    u = cross(symmetric_times(twist, (zero, b[2], 0.0 - b[1])), a)
    v = cross(symmetric_times(twist, (0.0 - b[2], zero, b[0])), a)
    w = cross(symmetric_times(twist, (b[1], 0.0 - b[0], zero)), a)
    same = mu * dot(a, b)
    ma, la = (mu * a[0], mu * a[1], mu * a[2]), (lam * a[0], lam * a[1], lam * a[2])
    return (
        same + ma[0] * b[0] + la[0] * b[0] + u[0],
        ma[1] * b[0] + la[0] * b[1] + v[0],
        ma[2] * b[0] + la[0] * b[2] + w[0],
        ma[0] * b[1] + la[1] * b[0] + u[1],
        same + ma[1] * b[1] + la[1] * b[1] + v[1],
        ma[2] * b[1] + la[1] * b[2] + w[1],
        ma[0] * b[2] + la[2] * b[0] + u[2],
        ma[1] * b[2] + la[2] * b[1] + v[2],
        same + ma[2] * b[2] + la[2] * b[2] + w[2],
    )


@kernel(is_inlined=True)
def cofactor_columns(f):
    """Return the cofactors of F, ∂ det F / ∂ F, and det F; both matrices by columns."""
    c = (cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]))
    return c, dot(f[0], c[0])


@kernel(is_inlined=True)
def combined(m, v):
    """Return m v of a matrix given by columns."""
    return (
        m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2],
        m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2],
        m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2],
    )


@kernel(is_inlined=True)
def neo_hookean_pull(f, mu, lam, g):
    """Return the slope of the neo-Hookean energy (E14) at a corner with gradient g; f by columns, mu and lam times V."""
    c, volume = cofactor_columns(f)
    pressure = (lam + mu) * (volume - 1.0) - mu
    a, b = combined(f, g), combined(c, g)
    return mu * a[0] + pressure * b[0], mu * a[1] + pressure * b[1], mu * a[2] + pressure * b[2]


@kernel(is_inlined=True)
def bounded_pressure(f, c, volume, mu, lam):
    """Return the factor of the second derivatives of det F, so small that no direction is negative (N15).

    Negative factors, of elements that are pressed or at rest, are bounded by what µ resists of every twist and what λ' adds
    along the cofactors; positive ones, of elements that are swollen, by |F|.
    """
    pressure = (lam + mu) * (volume - 1.0) - mu
    xx, yy, zz = dot(f[0], f[0]), dot(f[1], f[1]), dot(f[2], f[2])
    xy, xz, yz = dot(f[0], f[1]), dot(f[0], f[2]), dot(f[1], f[2])
    third = (xx + yy + zz) * (1.0 / 3.0)
    a, b, d = xx - third, yy - third, zz - third
    spread = a * a + b * b + d * d + 2.0 * (xy * xy + xz * xz + yz * yz)
    longest = simd.sqrt(simd.at_least(third + simd.sqrt((2.0 / 3.0) * spread), 1e-60))
    size = simd.sqrt(simd.at_least(3.0 * third, 1e-60))
    squeeze = dot(c[0], c[0]) + dot(c[1], c[1]) + dot(c[2], c[2])
    # The smaller of two numbers is minus the larger of minus both.
    along = (mu + 0.5 * (lam + mu) * squeeze) / (2.0 * longest)
    low = 0.0 - simd.at_least(0.0 - mu / longest, 0.0 - along)
    low = simd.at_least(low, 0.866 * mu / size)
    low = simd.where_positive(volume, low, mu / size)
    pressed = simd.at_least(pressure, 0.0 - low)
    swollen = 0.0 - simd.at_least(0.0 - pressure, 0.0 - mu / size)
    return simd.where_positive(pressure, swollen, pressed)


@kernel(is_inlined=True)
def neo_hookean_block(f, c, pressure, mu, lam, a, b):
    """Return the block of two corners of a neo-Hookean element, nine packs (N15).

        µ (a · b) 1 + λ' (cof F a)(cof F b)ᵀ - p [F (a × b)]×

    Args:
        f: F by columns
        c: its cofactors by columns
        pressure: p, see `bounded_pressure`
        mu: V µ
        lam: V λ
        a: gradient of the first corner
        b: gradient of the second
    """
    same = mu * dot(a, b)
    u, v, w = combined(c, a), combined(c, b), combined(f, cross(a, b))
    stiff = lam + mu
    x, y, z = pressure * w[0], pressure * w[1], pressure * w[2]
    u = stiff * u[0], stiff * u[1], stiff * u[2]
    return (
        same + u[0] * v[0], u[0] * v[1] + z, u[0] * v[2] - y,
        u[1] * v[0] - z, same + u[1] * v[1], u[1] * v[2] + x,
        u[2] * v[0] + y, u[2] * v[1] - x, same + u[2] * v[2],
    )  # fmt: skip


@kernel(is_inlined=True)
def sum_of_three(a, b):
    """Return a + b of three packs each."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(is_inlined=True)
def sum_of_nine(a, b):
    """Return a + b of nine packs each."""
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8],
    )  # fmt: skip


@kernel(is_inlined=True)
def minus_sum(a, b, c):
    """Return -(a + b + c) of nine packs each: rows of an element add up to nothing."""
    return (
        0.0 - (a[0] + b[0] + c[0]), 0.0 - (a[1] + b[1] + c[1]), 0.0 - (a[2] + b[2] + c[2]),
        0.0 - (a[3] + b[3] + c[3]), 0.0 - (a[4] + b[4] + c[4]), 0.0 - (a[5] + b[5] + c[5]),
        0.0 - (a[6] + b[6] + c[6]), 0.0 - (a[7] + b[7] + c[7]), 0.0 - (a[8] + b[8] + c[8]),
    )  # fmt: skip


@kernel(is_inlined=True)
def transposed(m):
    """Return the transpose of nine packs."""
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


@kernel(is_inlined=True)
def store_three(buffer, at, v):
    """Write three packs one after the other."""
    simd.store(buffer, at, v[0])
    simd.store(buffer, at + WIDTH, v[1])
    simd.store(buffer, at + 2 * WIDTH, v[2])


@kernel
def add_tetrahedra(points, soft, rows, is_damped, has_blocks, buffer):
    """Add gradient and Hessian of tetrahedra at the guess.

    Args:
        points: `newton_system.Points`; `outer` is added to
        soft: `SoftElements`; rotations are brought up to date, compressions overwritten
        rows: `ElementRows`; blocks and diagonals are added to
        is_damped: whether any element is
        has_blocks: whether the Hessian is wanted, or the gradient alone
        buffer: (BUFFER,) scratch
    """
    for at in range(0, soft.element_count, WIDTH):
        begin = at // LANE * LANE
        values, turns = begin * VALUES + at - begin, begin * 4 + at - begin
        g = load_nine(soft.values, values)
        is_corotated = simd.load(soft.values, values + COROTATED * LANE)
        f = deformation(points.guess, soft, at, g)
        q = load_four(soft.rotations, turns)
        for _ in range(TURNS):
            q = turned(f, q, is_corotated)
        simd.store(soft.rotations, turns, q[0])
        simd.store(soft.rotations, turns + LANE, q[1])
        simd.store(soft.rotations, turns + 2 * LANE, q[2])
        simd.store(soft.rotations, turns + 3 * LANE, q[3])
        s, _ = stretch(f, q)
        c = cofactors(s)
        simd.store(soft.compressions, at, s[0] * c[0] + s[3] * c[3] + s[4] * c[4])
        mu, lam, phi, psi = load_four(soft.values, values + ELASTIC * LANE)
        rate = simd.load(soft.rates, at)
        phi, psi = rate * phi, rate * psi
        before = s
        if is_damped:
            before, _ = stretch(deformation(soft.bases, soft, at, g), q)
        r = rotation_of(q)
        is_neo = simd.load(soft.values, values + NEO_HOOKEAN * LANE)
        neo_mu, neo_lam = is_neo * mu, is_neo * lam
        mu, lam = mu - neo_mu, lam - neo_lam
        x = stress(s, before, mu, lam, phi, psi)
        pa = apply(r, symmetric_times(x, g[0]))
        pb = apply(r, symmetric_times(x, g[1]))
        pc = apply(r, symmetric_times(x, g[2]))
        if soft.has_neo_hookean:
            pa = sum_of_three(pa, neo_hookean_pull(f, neo_mu, neo_lam, g[0]))
            pb = sum_of_three(pb, neo_hookean_pull(f, neo_mu, neo_lam, g[1]))
            pc = sum_of_three(pc, neo_hookean_pull(f, neo_mu, neo_lam, g[2]))
        first = 0.0 - (pa[0] + pb[0] + pc[0]), 0.0 - (pa[1] + pb[1] + pc[1]), 0.0 - (pa[2] + pb[2] + pc[2])
        store_three(buffer, GRADIENT, first)
        store_three(buffer, GRADIENT + 3 * WIDTH, pa)
        store_three(buffer, GRADIENT + 6 * WIDTH, pb)
        store_three(buffer, GRADIENT + 9 * WIDTH, pc)
        if has_blocks:
            # Elements whose strain is averaged have the blocks of their whole material: more than patches resist.
            mu = simd.load(soft.values, values + STIFF * LANE) - neo_mu
            lam = simd.load(soft.values, values + (STIFF + 1) * LANE) - neo_lam
            twist = rotated(r, turning_stiffness(s, mu, lam, is_corotated))
            a, b, d = apply(r, g[0]), apply(r, g[1]), apply(r, g[2])
            mu, lam = mu + phi, lam + psi
            aa, ab = element_block(a, a, mu, lam, twist), element_block(a, b, mu, lam, twist)
            ad, bb = element_block(a, d, mu, lam, twist), element_block(b, b, mu, lam, twist)
            bd, dd = element_block(b, d, mu, lam, twist), element_block(d, d, mu, lam, twist)
            if soft.has_neo_hookean:
                cof, volume = cofactor_columns(f)
                p = bounded_pressure(f, cof, volume, neo_mu, neo_lam)
                aa = sum_of_nine(aa, neo_hookean_block(f, cof, p, neo_mu, neo_lam, g[0], g[0]))
                ab = sum_of_nine(ab, neo_hookean_block(f, cof, p, neo_mu, neo_lam, g[0], g[1]))
                ad = sum_of_nine(ad, neo_hookean_block(f, cof, p, neo_mu, neo_lam, g[0], g[2]))
                bb = sum_of_nine(bb, neo_hookean_block(f, cof, p, neo_mu, neo_lam, g[1], g[1]))
                bd = sum_of_nine(bd, neo_hookean_block(f, cof, p, neo_mu, neo_lam, g[1], g[2]))
                dd = sum_of_nine(dd, neo_hookean_block(f, cof, p, neo_mu, neo_lam, g[2], g[2]))
            oa = minus_sum(aa, transposed(ab), transposed(ad))
            ob = minus_sum(ab, bb, transposed(bd))
            od = minus_sum(ad, bd, dd)
            store_upper(buffer, DIAGONAL, minus_sum(oa, ob, od))
            store_upper(buffer, DIAGONAL + 6 * WIDTH, aa)
            store_upper(buffer, DIAGONAL + 12 * WIDTH, bb)
            store_upper(buffer, DIAGONAL + 18 * WIDTH, dd)
            store_nine(buffer, PAIRS, oa)
            store_nine(buffer, PAIRS + BLOCK, ob)
            store_nine(buffer, PAIRS + 2 * BLOCK, od)
            store_nine(buffer, PAIRS + 3 * BLOCK, ab)
            store_nine(buffer, PAIRS + 4 * BLOCK, ad)
            store_nine(buffer, PAIRS + 5 * BLOCK, bd)
            scatter_blocks(buffer, at, soft, rows)
        scatter_gradients(buffer, at, soft, points.outer)


@kernel
def scatter_gradients(buffer, at, soft, gradient):
    """Add the gradients of eight elements to their corners, (4 slot_count,) [N]."""
    room = soft.rates.shape[0]
    for lane in range(min(WIDTH, soft.element_count - at)):
        for c in range(4):
            slot = soft.corners[c * room + at + lane]
            for axis in range(3):
                gradient[ROW * slot + axis] += buffer[GRADIENT + (3 * c + axis) * WIDTH + lane]


@kernel
def scatter_blocks(buffer, at, soft, rows):
    """Add the blocks of eight elements to the rows of their corners."""
    room, n = soft.rates.shape[0], rows.diagonals.shape[0] // 6
    for lane in range(min(WIDTH, soft.element_count - at)):
        e = at + lane
        for c in range(4):
            slot = soft.corners[c * room + e]
            for k in range(6):
                rows.diagonals[k * n + slot] += buffer[DIAGONAL + (6 * c + k) * WIDTH + lane]
        for pair in range(6):
            to, back = soft.places[pair * room + e], soft.places[(6 + pair) * room + e]
            begin = PAIRS + pair * BLOCK + lane
            for r in range(3):
                for c in range(3):
                    value = np.float32(buffer[begin + (3 * r + c) * WIDTH])
                    rows.blocks[to + (3 * r + c) * WIDTH] -= value
                    rows.blocks[back + (3 * c + r) * WIDTH] -= value


class SoftShare:
    """The tetrahedra of a world as the Newton system needs them; nothing at all where there are none."""

    def __init__(
        self,
        order: PointOrder,
        elements: Tetrahedra,
        pairs: NDArray[np.int64],
        places: NDArray[np.int64],
    ) -> None:
        """Find where the blocks of the elements stand."""
        self._order, self._elements = order, elements
        self._soft = make_soft_elements(order, elements, pairs, places)
        self._buffer = np.zeros(BUFFER)
        self._rates, self._is_damped = np.zeros(order.slot_count), False

    @property
    def is_empty(self) -> bool:
        """Whether there are no tetrahedra."""
        return not self._soft.element_count

    def begin(self, bases: NDArray[np.float64], rates: NDArray[np.float64]) -> None:
        """Begin a substep: damping counts from (particle_count, 3) bases [m], with 1 / h of every particle [1/s]."""
        soft, slots = self._soft, self._order.slots
        self._is_damped = self._elements.is_damped
        if self._is_damped:
            soft.bases.reshape(-1, ROW)[slots, :3] = bases
            self._rates[slots] = rates
            np.take(self._rates, soft.corners[: len(soft.rates)], out=soft.rates)

    def add(self, points: object, rows: object, has_blocks: bool) -> None:
        """Add the gradient at the guess and, if wanted, the blocks."""
        if not self.is_empty:
            add_tetrahedra(points, self._soft, rows, self._is_damped, has_blocks, self._buffer)
