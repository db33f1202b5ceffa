"""The relay under a body that has a mass: followed to the end, since what is left undone would come back as a blow.

Theory: docs/theory/obstacles.md, eq. (O14), (O20). A body that gives way feels what the cloth under it did. A few sweeps
leave a part of that out, and another one in every substep: a ball then gains energy from the sheet it fell on. Conjugate
gradients from nothing reach a hundredth within some twenty products.
"""

from __future__ import annotations

from supple.kernel import kernel

TOLERANCE = 0.01
"""Error at which the search ends, as a share of the first, in the norm of D⁻¹ [-]."""

MOST_PRODUCTS = 100
"""Products with the matrix after which the search ends at any rate."""


@kernel(counts_references=False)
def add_row(row_starts, columns, shares, diagonal, moves, i):
    """Return row i of A times moves, (A d)_i [kg·m], one number for each axis."""
    x, y, z = moves[i, 0], moves[i, 1], moves[i, 2]
    for e in range(row_starts[i], row_starts[i + 1]):
        j, share = columns[e], shares[e]
        x, y, z = x - share * moves[j, 0], y - share * moves[j, 1], z - share * moves[j, 2]
    return diagonal[i] * x, diagonal[i] * y, diagonal[i] * z


@kernel(counts_references=False)
def follow_firmly(
    row_starts, columns, shares, diagonal, follows, residuals, ways, products, moves, positions
):
    """Move the particles that follow until A_FF d_F = -A_FC d_C holds, and return how many products that took.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on, -A_ij / A_ii
        diagonal: (particle_count,) A_ii [kg]
        follows: (particle_count,) whether a particle follows; the moves of all others are given
        residuals: (particle_count, 3) scratch
        ways: (particle_count, 3) scratch
        products: (particle_count, 3) scratch
        moves: (particle_count, 3) [m], given where particles do not follow, else written
        positions: (particle_count, 3) [m], moved in place
    """
    count = follows.shape[0]
    for i in range(count):
        for axis in range(3):
            ways[i, axis] = 0.0
            if follows[i]:
                moves[i, axis] = 0.0
    left = 0.0
    for i in range(count):
        if follows[i]:
            row = add_row(row_starts, columns, shares, diagonal, moves, i)
            for axis in range(3):
                residuals[i, axis] = -row[axis]
                left += row[axis] * row[axis] / diagonal[i]
    for i in range(count):
        if follows[i]:
            for axis in range(3):
                ways[i, axis] = residuals[i, axis] / diagonal[i]
    enough = TOLERANCE * TOLERANCE * left
    taken = 0
    while taken < MOST_PRODUCTS and left > enough:
        curvature = 0.0
        for i in range(count):
            if follows[i]:
                row = add_row(row_starts, columns, shares, diagonal, ways, i)
                for axis in range(3):
                    products[i, axis] = row[axis]
                    curvature += row[axis] * ways[i, axis]
        if not curvature > 0.0:
            break
        length, before, left = left / curvature, left, 0.0
        for i in range(count):
            if follows[i]:
                for axis in range(3):
                    moves[i, axis] += length * ways[i, axis]
                    residuals[i, axis] -= length * products[i, axis]
                    left += residuals[i, axis] * residuals[i, axis] / diagonal[i]
        for i in range(count):
            if follows[i]:
                for axis in range(3):
                    ways[i, axis] = residuals[i, axis] / diagonal[i] + left / before * ways[i, axis]
        taken += 1
    for i in range(count):
        if follows[i]:
            for axis in range(3):
                positions[i, axis] += moves[i, axis]
    return taken


@kernel(counts_references=False)
def write_loads(row_starts, columns, shares, diagonal, is_wanted, moves, loads):
    """Write what moved particles that did not follow, (A d)_i [kg·m].

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) the part of its move that is passed on, -A_ij / A_ii
        diagonal: (particle_count,) A_ii [kg]
        is_wanted: (particle_count,) of which particles
        moves: (particle_count, 3) [m]
        loads: (particle_count, 3) [kg·m], written for those
    """
    for i in range(is_wanted.shape[0]):
        if is_wanted[i]:
            row = add_row(row_starts, columns, shares, diagonal, moves, i)
            for axis in range(3):
                loads[i, axis] = row[axis]
