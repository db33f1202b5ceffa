"""The angular velocity that an angular momentum stands for: one small symmetric system."""

from __future__ import annotations

from supple.kernel import kernel


@kernel(counts_references=False)
def solve_inertia_tensor(inertia, momentum):
    """Return ω with I ω = L by Cramer's rule, as a 3-tuple; nothing turns if I is not positive definite.

    Args:
        inertia: the symmetric I as a tuple (xx, yy, zz, yz, xz, xy) [kg·m²]
        momentum: L, a 3-tuple [kg·m²/s]
    """
    xx, yy, zz, yz, xz, xy = inertia
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    determinant = xx * a + xy * b + xz * c
    if not determinant > 0.0:
        return 0.0, 0.0, 0.0
    d, e, f = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    lx, ly, lz = momentum
    return (
        (a * lx + b * ly + c * lz) / determinant,
        (b * lx + d * ly + e * lz) / determinant,
        (c * lx + e * ly + f * lz) / determinant,
    )
