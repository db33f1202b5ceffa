"""The repulsive potential of obstacles (Güdükbay, Özgüç and Tokad 1997, Eq. 9).

Theory: docs/theory/obstacles.md, eq. (O7), (O8), (O27).
"""

from __future__ import annotations

import math

from supple.collide.distance_map.distance_map import distance_anywhere
from supple.collide.obstacles.particle_contact import add_reaction, apply_friction
from supple.collide.obstacles.shapes import MAP, inside_outside
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.kernel import kernel

FEEBLE = -40.0
"""Logarithm of the displacement over the length of the potential below which it is nothing."""

LAMBERT_STEPS = 8
"""Newton steps that solve u + ln u = λ to the last digit."""


@kernel(counts_references=False)
def function_of(solids, o, x, y, z):
    """Return the inside-outside function of solid o and its gradient; for meshes the distance [m]."""
    if solids.kinds[o] == MAP:
        return distance_anywhere(solids.maps, int(solids.parameters[o, 0]), x, y, z)
    return inside_outside(solids.kinds[o], solids.parameters[o], x, y, z)


@kernel(counts_references=False)
def repulsion(solids, o, energy, reach, x, y, z):
    """Return the energy c exp(-f / ξ) [J] of a particle and the force on it [N], its negative gradient."""
    f, gx, gy, gz = function_of(solids, o, x, y, z)
    value = energy * math.exp(-f / reach)
    return value, value * gx / reach, value * gy / reach, value * gz / reach


@kernel(counts_references=False)
def solved_displacement(logarithm):
    """Return u > 0 with u + ln u = λ."""
    if logarithm < FEEBLE:
        return 0.0
    u = logarithm if logarithm > 1.0 else math.exp(min(logarithm, 0.0)) * 0.5
    for _ in range(LAMBERT_STEPS):
        # Newton on u + ln u - λ, which is concave: from the left it never passes the root.
        u = u * (1.0 + logarithm - math.log(u)) / (1.0 + u)
    return u


@kernel(counts_references=False)
def part_along(poses, o, normals, i, gx, gy, gz):
    """Return the part of a vector in the axes of solid o along the normal of particle i; the whole where it has none."""
    nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        return gx, gy, gz
    # A point beside the solid's own origin is the normal, turned into its axes.
    mx, my, mz = into_axes(poses, o, poses[o, 9] + nx, poses[o, 10] + ny, poses[o, 11] + nz)
    along = gx * mx + gy * my + gz * mz
    return along * mx, along * my, along * mz


@kernel(counts_references=False, is_entry=True)
def repel_particles(
    solids, properties, poses, normals, is_along_normal, starts, masses, is_fixed, step, reactions, targets
):
    """Move the inertial targets by what the potentials of repelling solids do in a substep.

    The force m s / h² = c |∇f| / ξ exp(-f / ξ) is taken where the particle arrives, s along the
    gradient from its target, with f linear on the way. So with the length l = ξ / |∇f|

        s / l + ln(s / l) = ln(h² c / (m l²)) - f / ξ

    which is h² F / m where the potential is weak, and grows with the logarithm of the force only:
    it stays finite at any depth and speed, and never throws a particle out. Fast particles may pass
    through thin solids all the same: that is the nature of a potential. Coulomb friction shortens
    the path along the surface by at most μ s; the paper has none.

    Args:
        solids: shapes of all solids, see `Solids`
        properties: see `SolidProperties`; c is `repulsion_energies`, ξ is `repulsion_ranges`
        poses: see `Poses`
        normals: (particle_count, 3) unit normals of the surfaces, 0 where there is none
        is_along_normal: (solid_count,) whether a solid pushes surfaces along their normals only: ∇f · n n for ∇f (O27)
        starts: (particle_count, 3) [m]
        masses: (particle_count,) what resists the force, m (1 + h γ) [kg]
        is_fixed: (particle_count,)
        step: substep [s]
        reactions: (solid_count, 6) reaction on each solid and its moment [kg·m, kg·m²], added to in place
        targets: (particle_count, 3) [m], moved in place
    """
    frictions = properties.frictions
    for o in range(solids.kinds.shape[0]):
        energy, reach = properties.repulsion_energies[o], properties.repulsion_ranges[o]
        if energy == 0.0:
            continue
        for i in range(targets.shape[0]):
            if is_fixed[i]:
                continue
            x, y, z = into_axes(poses.t1, o, targets[i, 0], targets[i, 1], targets[i, 2])
            f, gx, gy, gz = function_of(solids, o, x, y, z)
            if is_along_normal[o]:
                gx, gy, gz = part_along(poses.t1, o, normals, i, gx, gy, gz)
            steep = math.sqrt(gx * gx + gy * gy + gz * gz)
            if not steep > 0.0:
                continue
            length = reach / steep
            strength = step * step * energy / (masses[i] * length * length)
            push = length * solved_displacement(math.log(strength) - f / reach)
            if push == 0.0:
                continue
            if f < 0.0:
                # Deep inside f is far from linear: go no farther than out.
                depth = -distance_to(solids, o, x, y, z)[0]
                push = min(push, depth + length)
            push /= steep
            bx, by, bz = x + push * gx, y + push * gy, z + push * gz
            if frictions[o] > 0.0:
                ax, ay, az = into_axes(poses.t0, o, starts[i, 0], starts[i, 1], starts[i, 2])
                bx, by, bz, _ = apply_friction(
                    ax, ay, az, bx, by, bz, gx / steep, gy / steep, gz / steep, frictions[o] * push * steep
                )
            px, py, pz = out_of_axes(poses.t1, o, bx - x, by - y, bz - z)
            add_reaction(reactions, o, masses[i], targets[i, 0], targets[i, 1], targets[i, 2], px, py, pz)
            targets[i, 0] += px
            targets[i, 1] += py
            targets[i, 2] += pz
