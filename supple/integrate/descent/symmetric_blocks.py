"""Symmetric 3 x 3 blocks as six values, xx, xy, xz, yy, yz, zz: numbers, or packs of eight of them."""

from __future__ import annotations

from supple.kernel import kernel


@kernel(is_inlined=True)
def times(block, v):
    """Return the product of a symmetric block and a 3-vector, of packs or of numbers."""
    return (
        block[0] * v[0] + block[1] * v[1] + block[2] * v[2],
        block[1] * v[0] + block[3] * v[1] + block[4] * v[2],
        block[2] * v[0] + block[4] * v[1] + block[5] * v[2],
    )


@kernel(is_inlined=True)
def inverse_of(block):
    """Return the inverse of a symmetric positive definite block, of packs or of numbers."""
    a, b, c, d, e, f = block
    xx, xy, xz = d * f - e * e, c * e - b * f, b * e - c * d
    scale = 1.0 / (a * xx + b * xy + c * xz)
    return (
        xx * scale,
        xy * scale,
        xz * scale,
        (a * f - c * c) * scale,
        (b * c - a * e) * scale,
        (a * d - b * b) * scale,
    )


@kernel(is_inlined=True)
def block_of(blocks, i):
    """Return row i of an array (count, 6)."""
    return blocks[i, 0], blocks[i, 1], blocks[i, 2], blocks[i, 3], blocks[i, 4], blocks[i, 5]
