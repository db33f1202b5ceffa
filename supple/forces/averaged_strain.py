"""Averaged strain: energy and force of soft bodies from the mean deformation around every point.

Theory: docs/theory/soft-bodies.md, eq. (E16), (E17). Elements keep a share of their own resistance to shear, by the kernels
of `supple/forces/elasticity.py`; the rest, and all resistance to a change of volume, is here.
"""

from __future__ import annotations

import math

from supple.forces.elasticity import half_turn
from supple.kernel import kernel
from supple.model.tetrahedra import WIDTH

TURNS = 4
"""Most Newton steps from the rotation of one of its elements to that of a patch: half a radian is then gone."""


NEAR = 1e-14
"""Square of half a step of the rotation after which there is none [rad²]."""


@kernel
def mean_deformation(positions, patches, p):
    """Return F of patch p, by rows."""
    first = patches.firsts[p]
    middle = patches.points[first]
    xx = xy = xz = yx = yy = yz = zx = zy = zz = 0.0
    for n in range(first + 1, patches.firsts[p + 1]):
        i = patches.points[n]
        x = positions[i, 0] - positions[middle, 0]
        y = positions[i, 1] - positions[middle, 1]
        z = positions[i, 2] - positions[middle, 2]
        u, v, w = patches.weights[n, 0], patches.weights[n, 1], patches.weights[n, 2]
        xx, xy, xz = xx + x * u, xy + x * v, xz + x * w
        yx, yy, yz = yx + y * u, yy + y * v, yz + y * w
        zx, zy, zz = zx + z * u, zy + z * v, zz + z * w
    return (xx, xy, xz), (yx, yy, yz), (zx, zy, zz)


@kernel
def matrix_of(w, x, y, z):
    """Return the rotation matrix of a unit quaternion, by rows."""
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel
def turned_back(r, f):
    """Return Rᵀ F of two matrices, by rows."""
    return (
        (
            r[0][0] * f[0][0] + r[1][0] * f[1][0] + r[2][0] * f[2][0],
            r[0][0] * f[0][1] + r[1][0] * f[1][1] + r[2][0] * f[2][1],
            r[0][0] * f[0][2] + r[1][0] * f[1][2] + r[2][0] * f[2][2],
        ),
        (
            r[0][1] * f[0][0] + r[1][1] * f[1][0] + r[2][1] * f[2][0],
            r[0][1] * f[0][1] + r[1][1] * f[1][1] + r[2][1] * f[2][1],
            r[0][1] * f[0][2] + r[1][1] * f[1][2] + r[2][1] * f[2][2],
        ),
        (
            r[0][2] * f[0][0] + r[1][2] * f[1][0] + r[2][2] * f[2][0],
            r[0][2] * f[0][1] + r[1][2] * f[1][1] + r[2][2] * f[2][1],
            r[0][2] * f[0][2] + r[1][2] * f[1][2] + r[2][2] * f[2][2],
        ),
    )


@kernel
def rotation_of_patch(f, patches, rotations, p):
    """Return the rotation of patch p with deformation F, from that of its pivot (E4), and Rᵀ F; both by rows."""
    e = patches.pivots[p]
    at = e // WIDTH * 4 * WIDTH + e % WIDTH
    w, x, y, z = rotations[at], rotations[at + WIDTH], rotations[at + 2 * WIDTH], rotations[at + 3 * WIDTH]
    for _ in range(TURNS):
        b = turned_back(matrix_of(w, x, y, z), f)
        hx, hy, hz = half_turn(b[0], b[1], b[2], 1.0)
        nw, nx = w - x * hx - y * hy - z * hz, x + w * hx + y * hz - z * hy
        ny, nz = y + w * hy + z * hx - x * hz, z + w * hz + x * hy - y * hx
        scale = 1.0 / math.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
        w, x, y, z = scale * nw, scale * nx, scale * ny, scale * nz
        if hx * hx + hy * hy + hz * hz < NEAR:  # the next step would be the square of this one
            break
    r = matrix_of(w, x, y, z)
    return r, turned_back(r, f)


@kernel
def add_averaged_forces(positions, patches, rotations, factor, forces):
    """Add the elastic force of every patch to its points.

    Theory: docs/theory/soft-bodies.md, eq. (E17). The loop is serial: patches share points.

    Args:
        positions: (particle_count, 3) [m]
        patches: `StrainPatches`
        rotations: of `ElementBlocks`, which follow `positions` already
        factor: scale of what is added; 1 for forces
        forces: (particle_count, 3) [N], added to in place
    """
    for p in range(patches.moduli.shape[0]):
        f = mean_deformation(positions, patches, p)
        r, b = rotation_of_patch(f, patches, rotations, p)
        mu, lam = 2.0 * factor * patches.moduli[p, 0], factor * patches.moduli[p, 1]
        pressure = lam * (b[0][0] + b[1][1] + b[2][2] - 3.0)
        xx = mu * (b[0][0] - 1.0) + pressure
        yy = mu * (b[1][1] - 1.0) + pressure
        zz = mu * (b[2][2] - 1.0) + pressure
        xy, xz, yz = (
            0.5 * mu * (b[0][1] + b[1][0]),
            0.5 * mu * (b[0][2] + b[2][0]),
            0.5 * mu * (b[1][2] + b[2][1]),
        )
        first = patches.firsts[p]
        middle = patches.points[first]
        sx = sy = sz = 0.0
        for n in range(first + 1, patches.firsts[p + 1]):
            u, v, w = patches.weights[n, 0], patches.weights[n, 1], patches.weights[n, 2]
            s = xx * u + xy * v + xz * w, xy * u + yy * v + yz * w, xz * u + yz * v + zz * w
            x = r[0][0] * s[0] + r[0][1] * s[1] + r[0][2] * s[2]
            y = r[1][0] * s[0] + r[1][1] * s[1] + r[1][2] * s[2]
            z = r[2][0] * s[0] + r[2][1] * s[1] + r[2][2] * s[2]
            i = patches.points[n]
            forces[i, 0] -= x
            forces[i, 1] -= y
            forces[i, 2] -= z
            sx, sy, sz = sx + x, sy + y, sz + z
        forces[middle, 0] += sx
        forces[middle, 1] += sy
        forces[middle, 2] += sz


@kernel
def averaged_energy(positions, patches, rotations):
    """Return the elastic energy of all patches [J] (E16); arguments as those of `add_averaged_forces`."""
    energy = 0.0
    for p in range(patches.moduli.shape[0]):
        f = mean_deformation(positions, patches, p)
        _, b = rotation_of_patch(f, patches, rotations, p)
        xx, yy, zz = b[0][0] - 1.0, b[1][1] - 1.0, b[2][2] - 1.0
        xy, xz, yz = 0.5 * (b[0][1] + b[1][0]), 0.5 * (b[0][2] + b[2][0]), 0.5 * (b[1][2] + b[2][1])
        square = xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + xz * xz + yz * yz)
        trace = xx + yy + zz
        energy += patches.moduli[p, 0] * square + 0.5 * patches.moduli[p, 1] * trace * trace
    return energy
