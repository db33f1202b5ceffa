"""Rods: what air and water do to the links of a chain.

Theory: docs/theory/air.md, eq. (A6). Each link is a round rod. What flows across it pushes it, by the square of
the speed across; what flows along it rubs. In water it also carries its own volume of water along. As for panels the
impulse is implicit in the relative velocity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.kernel import add_scaled, kernel

ROD_DRAG = 1.1
"""Drag coefficient of a long round rod across the stream, over its diameter [-]."""

ROD_SKIN = 0.01
"""Coefficient of friction along a rod, over its whole surface [-]."""


@kernel
def rod_impulse(axis, w, lagged, length, diameter, mass, share, step, density, added):
    """Return what a fluid does to a rod within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A6).

    Args:
        axis: unit vector along the rod
        w: velocity of the fluid relative to the rod, with what this substep has changed so far [m/s]
        lagged: the same when the substep began [m/s]
        length: [m]
        diameter: [m]
        mass: of the rod [kg]
        share: of the rod that is free to move [-]
        step: [s]
        density: of the fluid [kg/m³]
        added: mass of the fluid that moves along [kg]
    """
    along = w[0] * axis[0] + w[1] * axis[1] + w[2] * axis[2]
    before = lagged[0] * axis[0] + lagged[1] * axis[1] + lagged[2] * axis[2]
    square = lagged[0] * lagged[0] + lagged[1] * lagged[1] + lagged[2] * lagged[2] - before * before
    half = 0.5 * density * diameter * length * step
    c = half * ROD_DRAG * math.sqrt(max(0.0, square))
    rub = half * math.pi * ROD_SKIN * abs(before)
    rub = mass * rub / (mass + share * rub)
    inertia = mass + share * (c + added)
    pull = mass * (c + added) / inertia
    hold = mass * added / inertia
    p0 = pull * (w[0] - along * axis[0]) - hold * (lagged[0] - before * axis[0]) + rub * along * axis[0]
    p1 = pull * (w[1] - along * axis[1]) - hold * (lagged[1] - before * axis[1]) + rub * along * axis[1]
    p2 = pull * (w[2] - along * axis[2]) - hold * (lagged[2] - before * axis[2]) + rub * along * axis[2]
    return p0, p1, p2


@kernel
def add_rod_impulses(
    starts, targets, velocities, links, frees, masses, patches, winds, density, diameter,
    growth, step, wets, places, waters, impulses,
):  # fmt: skip
    """Add the impulses of air and water on every link of a chain to its two ends.

    Args:
        starts: (particle_count, 3) [m], where the substep began
        targets: (particle_count, 3) [m], where inertia leads
        velocities: (particle_count, 3) [m/s], at the start
        links: (rod_count, 2) particle indices
        frees: (rod_count,) share of each link that no pin or hand holds [-]
        masses: (rod_count,) [kg]
        patches: (rod_count,) patch of each link
        winds: (patch_count, 3) velocity of the air [m/s]
        density: of the air [kg/m³]; 0 is none
        diameter: [m]
        growth: 1 + h γ [-]
        step: [s]
        wets: (particle_count,) share of each particle that is under water [-], or empty: no water
        places: (particle_count,) water it is in
        waters: (water_count, 13) as `Waters` packs them
        impulses: (particle_count, 3) [N·s], added to
    """
    rate = 0.5 / step
    has_water = wets.shape[0] > 0
    for r in range(links.shape[0]):
        i, j = links[r, 0], links[r, 1]
        a0, a1, a2 = starts[j, 0] - starts[i, 0], starts[j, 1] - starts[i, 1], starts[j, 2] - starts[i, 2]
        length = math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        mass = growth * masses[r]
        if not length > 0.0 or not mass > 0.0:
            continue
        axis = (a0 / length, a1 / length, a2 / length)
        share = frees[r]
        v0 = rate * (targets[i, 0] + targets[j, 0] - starts[i, 0] - starts[j, 0])
        v1 = rate * (targets[i, 1] + targets[j, 1] - starts[i, 1] - starts[j, 1])
        v2 = rate * (targets[i, 2] + targets[j, 2] - starts[i, 2] - starts[j, 2])
        b0 = 0.5 * (velocities[i, 0] + velocities[j, 0])
        b1 = 0.5 * (velocities[i, 1] + velocities[j, 1])
        b2 = 0.5 * (velocities[i, 2] + velocities[j, 2])
        wet = 0.5 * (wets[i] + wets[j]) if has_water else 0.0
        if density > 0.0 and wet < 1.0:
            u0, u1, u2 = winds[patches[r], 0], winds[patches[r], 1], winds[patches[r], 2]
            p = rod_impulse(
                axis, (u0 - v0, u1 - v1, u2 - v2), (u0 - b0, u1 - b1, u2 - b2),
                length, diameter, mass, share, step, density, 0.0,
            )  # fmt: skip
            add_scaled(impulses, i, p, 0.5 * (1.0 - wet))
            add_scaled(impulses, j, p, 0.5 * (1.0 - wet))
        if wet > 0.0:
            o = places[i] if wets[i] >= wets[j] else places[j]
            u0, u1, u2 = waters[o, 6], waters[o, 7], waters[o, 8]
            added = 0.25 * math.pi * diameter * diameter * length * waters[o, 9]
            p = rod_impulse(
                axis, (u0 - v0, u1 - v1, u2 - v2), (u0 - b0, u1 - b1, u2 - b2),
                length, diameter, mass, share, step, waters[o, 9], added,
            )  # fmt: skip
            add_scaled(impulses, i, p, 0.5 * wet)
            add_scaled(impulses, j, p, 0.5 * wet)


@dataclass
class Rods:
    """The links of one chain, as air and water see them."""

    links: NDArray[np.uint32]
    """(rod_count, 2) particle indices."""

    weights: NDArray[np.float64]
    """(rod_count, 2) all a half."""

    frees: NDArray[np.float64]
    """(rod_count,) share that no pin or hand holds [-]."""

    sizes: NDArray[np.float64]
    """(rod_count,) length at rest [m]."""

    masses: NDArray[np.float64]
    """(rod_count,) [kg]"""

    patches: NDArray[np.uint32]
    """(rod_count,) patch whose wind each link feels."""

    diameter: float
    """[m]"""
