"""Membrane: energy, force and Hessian of orthotropic triangles, written in the two threads of the weave.

Theory: docs/theory/membrane.md, eq. (M1) to (M6). With a = Σ α x and b = Σ β x, what a unit of warp and of weft thread has
become, the strains are ε₁ = |a| - 1, ε₂ = |b| - 1 and γ = a · b. The arithmetic works on numbers and on packs of eight
(`supple/simd.py`); lengths are arguments because their square roots differ.
"""

from __future__ import annotations

import math

from supple import simd
from supple.kernel import kernel

SHORTEST = 1e-12
"""Length of a unit of thread below which its direction is left alone [-]."""


@kernel
def thread(positions, corners, weights, e):
    """Return Σ w x over the corners of element e as a tuple."""
    x = y = z = 0.0
    for c in range(3):
        i, w = corners[e, c], weights[e, c]
        x += w * positions[i, 0]
        y += w * positions[i, 1]
        z += w * positions[i, 2]
    return x, y, z


@kernel(is_inlined=True)
def product(a, b):
    """Return a · b of two 3-vectors, of numbers or of packs."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def thread_strains(positions, elements, e):
    """Return ε₁, ε₂ and γ of element e (M1)."""
    a = thread(positions, elements.corners, elements.warp, e)
    b = thread(positions, elements.corners, elements.weft, e)
    return math.sqrt(product(a, a)) - 1.0, math.sqrt(product(b, b)) - 1.0, product(a, b)


@kernel
def membrane_energy(positions, elements):
    """Return the elastic energy of all elements [J].

    Theory: docs/theory/membrane.md, eq. (M2).

        W = A (½ C₁₁ ε₁² + ½ C₂₂ ε₂² + C₁₂ ε₁ ε₂ + ½ G γ²)
    """
    energy = 0.0
    for e in range(elements.corners.shape[0]):
        s, t, g = thread_strains(positions, elements, e)
        c = elements.moduli[e]
        energy += 0.5 * (c[0] * s * s + c[1] * t * t + c[3] * g * g) + c[2] * s * t
    return energy


@kernel(is_inlined=True)
def thread_forces(a, b, lengths, moduli, rate, before, pulls):
    """Return the slopes of W by a and by b (M5), as two 3-vectors [N·m].

    Args:
        a: what a unit of warp thread has become
        b: the same of the weft
        lengths: of a and b, above zero
        moduli: area times C₁₁, C₂₂, C₁₂, G
        rate: damping over the step
        before: strains from which damping counts: ε₁, ε₂, γ
        pulls: what thread laws add to the stresses of warp, weft and shear (M10)
    """
    s, t, g = lengths[0] - 1.0, lengths[1] - 1.0, product(a, b)
    warp = (moduli[0] * s + moduli[2] * t + rate * (s - before[0]) + pulls[0]) / lengths[0]
    weft = (moduli[1] * t + moduli[2] * s + rate * (t - before[1]) + pulls[1]) / lengths[1]
    shear = moduli[3] * g + 0.5 * rate * (g - before[2]) + pulls[2]
    return (
        (warp * a[0] + shear * b[0], warp * a[1] + shear * b[1], warp * a[2] + shear * b[2]),
        (weft * b[0] + shear * a[0], weft * b[1] + shear * a[1], weft * b[2] + shear * a[2]),
    )


@kernel
def add_membrane_forces(positions, velocities, elements, forces):
    """Add the pull of every element to its three particles, with its damping.

    Theory: docs/theory/membrane.md, eq. (M5).

    Args:
        positions: (particle_count, 3) [m]
        velocities: (particle_count, 3) [m/s]
        elements: `MembraneArrays`
        forces: (particle_count, 3) [N], added to in place
    """
    for e in range(elements.corners.shape[0]):
        a = thread(positions, elements.corners, elements.warp, e)
        b = thread(positions, elements.corners, elements.weft, e)
        lengths = max(math.sqrt(product(a, a)), SHORTEST), max(math.sqrt(product(b, b)), SHORTEST)
        c = elements.moduli[e]
        moduli = c[0], c[1], c[2], c[3]
        # Damping over a step of one second, from strains that are the rates of strain less: exactly c times the rate.
        da = thread(velocities, elements.corners, elements.warp, e)
        db = thread(velocities, elements.corners, elements.weft, e)
        before = (
            lengths[0] - 1.0 - product(a, da) / lengths[0],
            lengths[1] - 1.0 - product(b, db) / lengths[1],
            product(a, b) - product(da, b) - product(a, db),
        )
        warp, weft = thread_forces(a, b, lengths, moduli, c[4], before, (0.0, 0.0, 0.0))
        for corner in range(3):
            i, u, v = elements.corners[e, corner], elements.warp[e, corner], elements.weft[e, corner]
            for axis in range(3):
                forces[i, axis] -= u * warp[axis] + v * weft[axis]


@kernel(is_inlined=True)
def positive_part(p, q, g):
    """Return the matrix ((p, g), (g, q)) of packs without its negative eigenvalue: p, q, g anew."""
    middle, half = 0.5 * (p + q), 0.5 * (p - q)
    radius = simd.sqrt(simd.at_least(half * half + g * g, 1e-60))
    high, low = simd.at_least(middle + radius, 0.0), simd.at_least(middle - radius, 0.0)
    share, mean = 0.5 * (high - low) / radius, 0.5 * (high + low)
    return mean + share * half, mean - share * half, share * g


@kernel(is_inlined=True)
def thread_blocks(a, b, lengths, moduli, rate, before, pulls, stiffness):
    """Return the Hessian of W by a and b without negative directions (M6): six, nine and six packs.

    The stress acts across the threads as a matrix of two by two, of which only the positive part is kept; arguments as
    those of `thread_forces`, in packs, with the stiffness that thread laws add.
    """
    s, t, g = lengths[0] - 1.0, lengths[1] - 1.0, product(a, b)
    c1, c2, c3 = moduli[0] + rate + stiffness[0], moduli[1] + rate + stiffness[1], moduli[2]
    shear = moduli[3] + 0.5 * rate + stiffness[2]
    p, q, r = positive_part(
        (moduli[0] * s + c3 * t + rate * (s - before[0]) + pulls[0]) / lengths[0],
        (moduli[1] * t + c3 * s + rate * (t - before[1]) + pulls[1]) / lengths[1],
        moduli[3] * g + 0.5 * rate * (g - before[2]) + pulls[2],
    )
    # What acts across a thread acts along it as well: taken off there, but never so much that C is no longer positive.
    coupling = simd.sqrt(simd.at_least(c3 * c3, 0.0))
    scale1 = simd.sqrt(c1 / simd.at_least(c2, 1e-60))
    scale2 = simd.sqrt(c2 / simd.at_least(c1, 1e-60))
    along1 = simd.at_least(c1 - p, coupling * scale1) / (lengths[0] * lengths[0])
    along2 = simd.at_least(c2 - q, coupling * scale2) / (lengths[1] * lengths[1])
    cross = c3 / (lengths[0] * lengths[1])
    return (
        (
            p + along1 * a[0] * a[0] + shear * b[0] * b[0],
            along1 * a[0] * a[1] + shear * b[0] * b[1],
            along1 * a[0] * a[2] + shear * b[0] * b[2],
            p + along1 * a[1] * a[1] + shear * b[1] * b[1],
            along1 * a[1] * a[2] + shear * b[1] * b[2],
            p + along1 * a[2] * a[2] + shear * b[2] * b[2],
        ),
        (
            r + cross * a[0] * b[0] + shear * b[0] * a[0],
            cross * a[0] * b[1] + shear * b[0] * a[1],
            cross * a[0] * b[2] + shear * b[0] * a[2],
            cross * a[1] * b[0] + shear * b[1] * a[0],
            r + cross * a[1] * b[1] + shear * b[1] * a[1],
            cross * a[1] * b[2] + shear * b[1] * a[2],
            cross * a[2] * b[0] + shear * b[2] * a[0],
            cross * a[2] * b[1] + shear * b[2] * a[1],
            r + cross * a[2] * b[2] + shear * b[2] * a[2],
        ),
        (
            q + along2 * b[0] * b[0] + shear * a[0] * a[0],
            along2 * b[0] * b[1] + shear * a[0] * a[1],
            along2 * b[0] * b[2] + shear * a[0] * a[2],
            q + along2 * b[1] * b[1] + shear * a[1] * a[1],
            along2 * b[1] * b[2] + shear * a[1] * a[2],
            q + along2 * b[2] * b[2] + shear * a[2] * a[2],
        ),
    )


@kernel
def membrane_rows(elements, rows):
    """Add bounds of the absolute row sums of the stiffness matrix to `rows` (particle_count,), for explicit steps."""
    for e in range(elements.corners.shape[0]):
        c = elements.moduli[e]
        warp = weft = 0.0
        for corner in range(3):
            warp += abs(elements.warp[e, corner])
            weft += abs(elements.weft[e, corner])
        for corner in range(3):
            u, v = abs(elements.warp[e, corner]), abs(elements.weft[e, corner])
            rows[elements.corners[e, corner]] += (
                (c[0] + abs(c[2])) * u * warp + (c[1] + abs(c[2])) * v * weft + c[3] * (u + v) * (warp + weft)
            )
