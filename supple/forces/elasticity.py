"""Elasticity of tetrahedra: stress, energy and damping of soft bodies.

Theory: docs/theory/soft-bodies.md. Debunne 2000 with the boundary terms that the paper drops, and with a
rotation per element (corotated) so that turning costs nothing; or neo-Hookean, after Smith and others 2018.

Elements are handled a block of `WIDTH` at a time, each step of the computation in a loop of its own over
the block: fetch the edges of the elements, turn their rotations, form the strain, form the stress, give the forces back. The
arithmetic is spelt out, number by number, because that is what the compiler turns into vector instructions.
"""

from __future__ import annotations

import math

from supple.kernel import kernel
from supple.model.tetrahedra import COROTATED, ELASTIC, NEO_HOOKEAN, VALUES, WIDTH


@kernel
def fetch_edges(points, corners, begin, work):
    """Write, for each element of a block, the difference of its last three corners to the first."""
    for k in range(WIDTH):
        e = begin + k
        i, j, m, n = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
        for axis in range(3):
            x = points[i, axis]
            work[axis * WIDTH + k] = points[j, axis] - x
            work[(3 + axis) * WIDTH + k] = points[m, axis] - x
            work[(6 + axis) * WIDTH + k] = points[n, axis] - x


@kernel
def scatter_forces(work, corners, begin, points):
    """Add what `work` holds for the last three corners to them, and minus their sum to the first."""
    for k in range(WIDTH):
        e = begin + k
        i, j, m, n = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
        for axis in range(3):
            a, b, c = work[axis * WIDTH + k], work[(3 + axis) * WIDTH + k], work[(6 + axis) * WIDTH + k]
            points[j, axis] += a
            points[m, axis] += b
            points[n, axis] += c
            points[i, axis] -= a + b + c


@kernel(is_inlined=True)
def nine_of(rows, k):
    """Return the first nine numbers of element k of a block as rows of a matrix: gradients, or edges."""
    return (
        (rows[k], rows[WIDTH + k], rows[2 * WIDTH + k]),
        (rows[3 * WIDTH + k], rows[4 * WIDTH + k], rows[5 * WIDTH + k]),
        (rows[6 * WIDTH + k], rows[7 * WIDTH + k], rows[8 * WIDTH + k]),
    )


@kernel(is_inlined=True)
def rotation_of(turns, k):
    """Return the rotation matrix of element k of a block of quaternions."""
    w, x, y, z = turns[k], turns[WIDTH + k], turns[2 * WIDTH + k], turns[3 * WIDTH + k]
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel(is_inlined=True)
def half_turn(b0, b1, b2, is_corotated):
    """Return half of the turn that is missing [rad], given the rows of B = Rᵀ F; see `turn_block`."""
    (b00, b01, b02), (b10, b11, b12), (b20, b21, b22) = b0, b1, b2
    ux, uy, uz = b21 - b12, b02 - b20, b10 - b01
    m00, m11, m22 = b11 + b22, b00 + b22, b00 + b11
    m01, m02, m12 = -0.5 * (b01 + b10), -0.5 * (b02 + b20), -0.5 * (b12 + b21)
    c00, c01, c02 = m11 * m22 - m12 * m12, m02 * m12 - m01 * m22, m01 * m12 - m02 * m11
    c11, c12, c22 = m00 * m22 - m02 * m02, m01 * m02 - m00 * m12, m00 * m11 - m01 * m01
    determinant = m00 * c00 + m01 * c01 + m02 * c02
    size = abs(m00) + abs(m11) + abs(m22)
    is_definite = (m00 > 0.0) & (c22 > 0.0) & (determinant > 1e-6 * size * size * size)
    # The last term keeps the division clean where an element has no size at all: fillers of a block.
    half = 0.5 / (determinant if is_definite else abs(b00 + b11 + b22) + 1e-12 * size + 1e-300)
    half *= is_corotated
    return (
        half * (c00 * ux + c01 * uy + c02 * uz if is_definite else ux),
        half * (c01 * ux + c11 * uy + c12 * uz if is_definite else uy),
        half * (c02 * ux + c12 * uy + c22 * uz if is_definite else uz),
    )


@kernel
def turn_block(work, values, turns):
    """Turn the rotations of a block towards those of its deformations: one step of Newton's method.

    Theory: docs/theory/soft-bodies.md, eq. (E4). The rotation R that fits F best makes B = Rᵀ F
    symmetric. To first order the turn w that is missing obeys

        (tr S · 1 - S) w = axial(B),    S = (B + Bᵀ) / 2

    Where that matrix is not positive definite (an element turned inside out) the step is
    w = axial(B) / |tr S|, which turns the right way. Elements that are not corotated never turn.

    Args:
        work: (10 · WIDTH,) edges of the elements [m]
        values: (VALUES · WIDTH,) of the block
        turns: (4 · WIDTH,) quaternions of the block, changed in place
    """
    for k in range(WIDTH):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = nine_of(work, k)
        (g00, g01, g02), (g10, g11, g12), (g20, g21, g22) = nine_of(values, k)
        f00, f01, f02 = (
            ax * g00 + bx * g10 + cx * g20, ax * g01 + bx * g11 + cx * g21, ax * g02 + bx * g12 + cx * g22,
        )  # fmt: skip
        f10, f11, f12 = (
            ay * g00 + by * g10 + cy * g20, ay * g01 + by * g11 + cy * g21, ay * g02 + by * g12 + cy * g22,
        )  # fmt: skip
        f20, f21, f22 = (
            az * g00 + bz * g10 + cz * g20, az * g01 + bz * g11 + cz * g21, az * g02 + bz * g12 + cz * g22,
        )  # fmt: skip
        (r00, r01, r02), (r10, r11, r12), (r20, r21, r22) = rotation_of(turns, k)
        b00, b11, b22 = (
            r00 * f00 + r10 * f10 + r20 * f20,
            r01 * f01 + r11 * f11 + r21 * f21,
            r02 * f02 + r12 * f12 + r22 * f22,
        )
        b01, b10 = r00 * f01 + r10 * f11 + r20 * f21, r01 * f00 + r11 * f10 + r21 * f20
        b02, b20 = r00 * f02 + r10 * f12 + r20 * f22, r02 * f00 + r12 * f10 + r22 * f20
        b12, b21 = r01 * f02 + r11 * f12 + r21 * f22, r02 * f01 + r12 * f11 + r22 * f21
        hx, hy, hz = half_turn(
            (b00, b01, b02), (b10, b11, b12), (b20, b21, b22), values[COROTATED * WIDTH + k]
        )  # fmt: skip
        w, x, y, z = turns[k], turns[WIDTH + k], turns[2 * WIDTH + k], turns[3 * WIDTH + k]
        nw, nx = w - x * hx - y * hy - z * hz, x + w * hx + y * hz - z * hy
        ny, nz = y + w * hy + z * hx - x * hz, z + w * hz + x * hy - y * hx
        scale = 1.0 / math.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
        turns[k] = scale * nw
        turns[WIDTH + k] = scale * nx
        turns[2 * WIDTH + k] = scale * ny
        turns[3 * WIDTH + k] = scale * nz


@kernel
def strain_block(values, turns, at_rest, work):
    """Replace the edges of a block by its strain, S - s 1 with S = sym(Rᵀ F).

    Theory: docs/theory/soft-bodies.md, eq. (E2).

    Args:
        values: (VALUES · WIDTH,) of the block
        turns: (4 · WIDTH,) quaternions of the block
        at_rest: s, stretch of the field where there is no strain: 1 for positions, 0 for rates of them
        work: (10 · WIDTH,) edges, overwritten: rows xx, yy, zz, xy, xz, yz, and the last row with det S, the share
            of its volume that is left
    """
    for k in range(WIDTH):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = nine_of(work, k)
        (g00, g01, g02), (g10, g11, g12), (g20, g21, g22) = nine_of(values, k)
        (r00, r01, r02), (r10, r11, r12), (r20, r21, r22) = rotation_of(turns, k)
        # Edges turned back into the axes of the element at rest.
        a0, a1, a2 = (
            r00 * ax + r10 * ay + r20 * az, r01 * ax + r11 * ay + r21 * az, r02 * ax + r12 * ay + r22 * az,
        )  # fmt: skip
        b0, b1, b2 = (
            r00 * bx + r10 * by + r20 * bz, r01 * bx + r11 * by + r21 * bz, r02 * bx + r12 * by + r22 * bz,
        )  # fmt: skip
        c0, c1, c2 = (
            r00 * cx + r10 * cy + r20 * cz, r01 * cx + r11 * cy + r21 * cz, r02 * cx + r12 * cy + r22 * cz,
        )  # fmt: skip
        s00, s11, s22 = (
            a0 * g00 + b0 * g10 + c0 * g20, a1 * g01 + b1 * g11 + c1 * g21, a2 * g02 + b2 * g12 + c2 * g22,
        )  # fmt: skip
        s01 = 0.5 * (a0 * g01 + b0 * g11 + c0 * g21 + a1 * g00 + b1 * g10 + c1 * g20)
        s02 = 0.5 * (a0 * g02 + b0 * g12 + c0 * g22 + a2 * g00 + b2 * g10 + c2 * g20)
        s12 = 0.5 * (a1 * g02 + b1 * g12 + c1 * g22 + a2 * g01 + b2 * g11 + c2 * g21)
        work[9 * WIDTH + k] = (
            s00 * (s11 * s22 - s12 * s12) + s01 * (s02 * s12 - s01 * s22) + s02 * (s01 * s12 - s02 * s11)
        )
        work[k] = s00 - at_rest
        work[WIDTH + k] = s11 - at_rest
        work[2 * WIDTH + k] = s22 - at_rest
        work[3 * WIDTH + k] = s01
        work[4 * WIDTH + k] = s02
        work[5 * WIDTH + k] = s12


@kernel
def stress_block(values, turns, moduli, factor, work):
    """Replace the strain of a block by the pull of its stress on the last three corners.

    Theory: docs/theory/soft-bodies.md, eq. (E3).

        f_a = factor · V R (2 µ ε + λ tr(ε) 1) α_a

    Args:
        values: (VALUES · WIDTH,) of the block
        turns: (4 · WIDTH,) quaternions of the block
        moduli: which pair of values stands for V µ and V λ: ELASTIC, or VISCOUS for rates
        factor: scale of the pull; -1 for forces
        work: (10 · WIDTH,) strain ε by `strain_block`, overwritten; the last row stays
    """
    for k in range(WIDTH):
        (g00, g01, g02), (g10, g11, g12), (g20, g21, g22) = nine_of(values, k)
        (r00, r01, r02), (r10, r11, r12), (r20, r21, r22) = rotation_of(turns, k)
        mu, lam = factor * values[moduli * WIDTH + k], factor * values[(moduli + 1) * WIDTH + k]
        e00, e11, e22 = work[k], work[WIDTH + k], work[2 * WIDTH + k]
        pressure = lam * (e00 + e11 + e22)
        t00, t11, t22 = 2.0 * mu * e00 + pressure, 2.0 * mu * e11 + pressure, 2.0 * mu * e22 + pressure
        t01, t02, t12 = (
            2.0 * mu * work[3 * WIDTH + k],
            2.0 * mu * work[4 * WIDTH + k],
            2.0 * mu * work[5 * WIDTH + k],
        )
        px, py, pz = (
            t00 * g00 + t01 * g01 + t02 * g02, t01 * g00 + t11 * g01 + t12 * g02, t02 * g00 + t12 * g01 + t22 * g02,
        )  # fmt: skip
        work[k] = r00 * px + r01 * py + r02 * pz
        work[WIDTH + k] = r10 * px + r11 * py + r12 * pz
        work[2 * WIDTH + k] = r20 * px + r21 * py + r22 * pz
        px, py, pz = (
            t00 * g10 + t01 * g11 + t02 * g12, t01 * g10 + t11 * g11 + t12 * g12, t02 * g10 + t12 * g11 + t22 * g12,
        )  # fmt: skip
        work[3 * WIDTH + k] = r00 * px + r01 * py + r02 * pz
        work[4 * WIDTH + k] = r10 * px + r11 * py + r12 * pz
        work[5 * WIDTH + k] = r20 * px + r21 * py + r22 * pz
        px, py, pz = (
            t00 * g20 + t01 * g21 + t02 * g22, t01 * g20 + t11 * g21 + t12 * g22, t02 * g20 + t12 * g21 + t22 * g22,
        )  # fmt: skip
        work[6 * WIDTH + k] = r00 * px + r01 * py + r02 * pz
        work[7 * WIDTH + k] = r10 * px + r11 * py + r12 * pz
        work[8 * WIDTH + k] = r20 * px + r21 * py + r22 * pz


@kernel
def has_neo_hookean(values):
    """Return whether any element of a block is neo-Hookean."""
    sum_of_marks = 0.0
    for k in range(WIDTH):
        sum_of_marks += values[NEO_HOOKEAN * WIDTH + k]
    return sum_of_marks > 0.0


@kernel(is_inlined=True)
def deformation_of(edges, values, k):
    """Return F of element k of a block, by rows, given its edges."""
    a, b, c = nine_of(edges, k)
    g0, g1, g2 = nine_of(values, k)
    return (
        (
            a[0] * g0[0] + b[0] * g1[0] + c[0] * g2[0],
            a[0] * g0[1] + b[0] * g1[1] + c[0] * g2[1],
            a[0] * g0[2] + b[0] * g1[2] + c[0] * g2[2],
        ),
        (
            a[1] * g0[0] + b[1] * g1[0] + c[1] * g2[0],
            a[1] * g0[1] + b[1] * g1[1] + c[1] * g2[1],
            a[1] * g0[2] + b[1] * g1[2] + c[1] * g2[2],
        ),
        (
            a[2] * g0[0] + b[2] * g1[0] + c[2] * g2[0],
            a[2] * g0[1] + b[2] * g1[1] + c[2] * g2[1],
            a[2] * g0[2] + b[2] * g1[2] + c[2] * g2[2],
        ),
    )


@kernel(is_inlined=True)
def cofactor_rows(f):
    """Return the cofactors of a matrix given by rows, ∂ det F / ∂ F: rows f₁ × f₂, f₂ × f₀, f₀ × f₁."""
    (a, b, c), (d, e, g), (h, i, j) = f
    return (
        (e * j - g * i, g * h - d * j, d * i - e * h),
        (i * c - j * b, j * a - h * c, h * b - i * a),
        (b * g - c * e, c * d - a * g, a * e - b * d),
    )


@kernel
def neo_hookean_block(values, edges, factor, work):
    """Overwrite the pull of neo-Hookean elements of a block on their last three corners; others stay.

    Theory: docs/theory/soft-bodies.md, eq. (E14).

        f_a = factor · V (µ F + (λ' (J - 1) - µ) cof F) α_a,    λ' = λ + µ

    Args:
        values: (VALUES · WIDTH,) of the block
        edges: (9 · WIDTH,) of its elements [m]
        factor: scale of the pull; -1 for forces
        work: (9 · WIDTH or more,) pulls by `stress_block`
    """
    for k in range(WIDTH):
        if values[NEO_HOOKEAN * WIDTH + k] == 0.0:
            continue
        f = deformation_of(edges, values, k)
        c = cofactor_rows(f)
        volume = f[0][0] * c[0][0] + f[0][1] * c[0][1] + f[0][2] * c[0][2]
        mu, lam = values[ELASTIC * WIDTH + k], values[(ELASTIC + 1) * WIDTH + k]
        pressure = (lam + mu) * (volume - 1.0) - mu
        g = nine_of(values, k)
        for corner in range(3):
            x, y, z = g[corner]
            for axis in range(3):
                pull = mu * (f[axis][0] * x + f[axis][1] * y + f[axis][2] * z)
                pull += pressure * (c[axis][0] * x + c[axis][1] * y + c[axis][2] * z)
                work[(3 * corner + axis) * WIDTH + k] = factor * pull


@kernel
def neo_hookean_energy(values, edges):
    """Return the elastic energy of the neo-Hookean elements of a block [J] (E14)."""
    energy = 0.0
    for k in range(WIDTH):
        if values[NEO_HOOKEAN * WIDTH + k] == 0.0:
            continue
        f = deformation_of(edges, values, k)
        c = cofactor_rows(f)
        grown = f[0][0] * c[0][0] + f[0][1] * c[0][1] + f[0][2] * c[0][2] - 1.0
        square = 0.0
        for axis in range(3):
            square += f[axis][0] * f[axis][0] + f[axis][1] * f[axis][1] + f[axis][2] * f[axis][2]
        mu, lam = values[ELASTIC * WIDTH + k], values[(ELASTIC + 1) * WIDTH + k]
        energy += mu * (0.5 * (square - 3.0) - grown) + 0.5 * (lam + mu) * grown * grown
    return energy


@kernel
def energy_block(values, work):
    """Return the elastic energy of a block without its neo-Hookean elements [J]; `work` holds strain and is used up.

    V (µ |ε|² + λ/2 tr(ε)²) each.
    """
    for k in range(WIDTH):
        e00, e11, e22 = work[k], work[WIDTH + k], work[2 * WIDTH + k]
        e01, e02, e12 = work[3 * WIDTH + k], work[4 * WIDTH + k], work[5 * WIDTH + k]
        square = e00 * e00 + e11 * e11 + e22 * e22 + 2.0 * (e01 * e01 + e02 * e02 + e12 * e12)
        trace = e00 + e11 + e22
        is_other = 1.0 - values[NEO_HOOKEAN * WIDTH + k]
        work[k] = is_other * (values[9 * WIDTH + k] * square + 0.5 * values[10 * WIDTH + k] * trace * trace)
    energy = 0.0
    for k in range(WIDTH):
        energy += work[k]
    return energy


@kernel(is_entry=True)
def add_elastic_forces(positions, elements, newton_steps, factor, forces):
    """Add the elastic force of every tetrahedron to its corners.

    Theory: docs/theory/soft-bodies.md, eq. (E3). The loop is serial: elements share corners, and
    sums must not depend on thread order.

    Args:
        positions: (particle_count, 3) [m]
        elements: `ElementBlocks`; rotations are brought up to date, compressions overwritten
        newton_steps: how far the rotations follow `positions` first; one is enough where motion is damped
        factor: scale of what is added; 1 for forces
        forces: (particle_count, 3) [N], added to in place
    """
    work = elements.work
    for begin in range(0, elements.corners.shape[0], WIDTH):
        values = elements.values[begin * VALUES : (begin + WIDTH) * VALUES]
        turns = elements.rotations[begin * 4 : (begin + WIDTH) * 4]
        fetch_edges(positions, elements.corners, begin, work)
        for _ in range(newton_steps):
            turn_block(work, values, turns)
        strain_block(values, turns, 1.0, work)
        stress_block(values, turns, ELASTIC, -factor, work)
        if has_neo_hookean(values):
            edges = work[10 * WIDTH :]
            fetch_edges(positions, elements.corners, begin, edges)
            neo_hookean_block(values, edges, -factor, work)
        scatter_forces(work, elements.corners, begin, forces)
        for k in range(WIDTH):
            elements.compressions[begin + k] = work[9 * WIDTH + k]


@kernel(is_entry=True)
def add_rate_forces(rates, elements, moduli, factor, forces):
    """Add what the rates of all corners make by the matrix of `moduli`, with the rotations as they are.

    Theory: docs/theory/soft-bodies.md, eq. (E5). With VISCOUS moduli and velocities this is damping: it
    stands inside sym(), so a body that turns as a whole is not braked. With ELASTIC moduli and a
    small displacement it is the change of the elastic force.

    Args:
        rates: (particle_count, 3) velocities [m/s] or displacements [m]
        elements: `ElementBlocks`
        moduli: ELASTIC or VISCOUS
        factor: scale of what is added; 1 for forces
        forces: (particle_count, 3) [N], added to in place
    """
    work = elements.work
    for begin in range(0, elements.corners.shape[0], WIDTH):
        values = elements.values[begin * VALUES : (begin + WIDTH) * VALUES]
        turns = elements.rotations[begin * 4 : (begin + WIDTH) * 4]
        fetch_edges(rates, elements.corners, begin, work)
        strain_block(values, turns, 0.0, work)
        stress_block(values, turns, moduli, -factor, work)
        scatter_forces(work, elements.corners, begin, forces)


@kernel
def elastic_energy(positions, elements):
    """Return the elastic energy of all tetrahedra [J]; their rotations follow `positions` first.

    Theory: docs/theory/soft-bodies.md, eq. (E2).
    """
    energy = 0.0
    work = elements.work
    for begin in range(0, elements.corners.shape[0], WIDTH):
        values = elements.values[begin * VALUES : (begin + WIDTH) * VALUES]
        turns = elements.rotations[begin * 4 : (begin + WIDTH) * 4]
        fetch_edges(positions, elements.corners, begin, work)
        turn_block(work, values, turns)
        strain_block(values, turns, 1.0, work)
        energy += energy_block(values, work)
        if has_neo_hookean(values):
            fetch_edges(positions, elements.corners, begin, work)
            energy += neo_hookean_energy(values, work)
    return energy


@kernel
def largest_strain(positions, elements):
    """Return the largest strain of any tetrahedron, the norm of S - 1 [-], with the rotations as they are."""
    largest = 0.0
    work = elements.work
    for begin in range(0, elements.corners.shape[0], WIDTH):
        fetch_edges(positions, elements.corners, begin, work)
        values = elements.values[begin * VALUES : (begin + WIDTH) * VALUES]
        strain_block(values, elements.rotations[begin * 4 : (begin + WIDTH) * 4], 1.0, work)
        for k in range(WIDTH):
            square = work[k] ** 2 + work[WIDTH + k] ** 2 + work[2 * WIDTH + k] ** 2
            square += 2.0 * (work[3 * WIDTH + k] ** 2 + work[4 * WIDTH + k] ** 2 + work[5 * WIDTH + k] ** 2)
            # Fillers of a block have no gradients and no moduli.
            if values[9 * WIDTH + k] > 0.0:
                largest = max(largest, square)
    return math.sqrt(largest)


@kernel
def largest_stiffening(positions, elements):
    """Return how many times stiffer than at rest the stiffest turn of any tetrahedron is [-]; 0 if none is pulled.

    Theory: docs/theory/soft-bodies.md, eq. (E13). Turning the stretches s_i and s_j into each other is resisted by
    2 µ + 2 (λ tr(S - 1) - 2 µ) / (s_i + s_j): much where an element is pulled long and has become thin. That is
    compared with 2 µ + 3 λ, the most at rest. A neo-Hookean element resists by at most µ + λ' |cof F|² and what its
    pressure adds (E15).

    Args:
        positions: (particle_count, 3) [m]
        elements: `ElementBlocks`
    """
    largest = 0.0
    work = elements.work
    for begin in range(0, elements.corners.shape[0], WIDTH):
        fetch_edges(positions, elements.corners, begin, work)
        values = elements.values[begin * VALUES : (begin + WIDTH) * VALUES]
        strain_block(values, elements.rotations[begin * 4 : (begin + WIDTH) * 4], 1.0, work)
        for k in range(WIDTH):
            mu, lam = values[ELASTIC * WIDTH + k], values[(ELASTIC + 1) * WIDTH + k]
            e00, e11, e22 = work[k], work[WIDTH + k], work[2 * WIDTH + k]
            trace = e00 + e11 + e22
            if values[NEO_HOOKEAN * WIDTH + k] > 0.0:
                square = 3.0 + 2.0 * trace + e00 * e00 + e11 * e11 + e22 * e22  # |S|²
                square += 2.0 * (
                    work[3 * WIDTH + k] ** 2 + work[4 * WIDTH + k] ** 2 + work[5 * WIDTH + k] ** 2
                )
                pressure = abs((lam + mu) * (work[9 * WIDTH + k] - 1.0) - mu)
                # |cof S|² is at most |S|⁴ / 3.
                most = mu + (lam + mu) * square * square / 3.0 + pressure * math.sqrt(square)
                largest = max(largest, most / (3.0 * lam + 6.0 * mu))
                continue
            pull = lam * trace - 2.0 * mu
            # One that is inside out has a stretch below nought: it gives way to turns instead of resisting them.
            if not (pull > 0.0 and work[9 * WIDTH + k] > 0.0):
                continue
            e01, e02, e12 = work[3 * WIDTH + k], work[4 * WIDTH + k], work[5 * WIDTH + k]
            # The largest stretch is at most the mean and this share of the spread.
            third = trace / 3.0
            square = (e00 - third) ** 2 + (e11 - third) ** 2 + (e22 - third) ** 2
            square += 2.0 * (e01 * e01 + e02 * e02 + e12 * e12)
            thin = 2.0 + 2.0 * third - math.sqrt(2.0 / 3.0 * square)
            resistance = 2.0 * mu + 2.0 * pull / max(thin, 0.05)
            largest = max(largest, resistance / (2.0 * mu + 3.0 * lam))
    return largest
