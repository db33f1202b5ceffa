"""Drag of chains: what air and water do to the segments of a chain.

Theory: docs/theory/air.md, eq. (A6). Each segment is a round rod. What flows across it pushes it, by the square of
the speed across; what flows along it rubs. In water it also carries its own volume of water along. As for triangles the
impulse is implicit in the relative velocity.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import add_scaled, difference, dot, kernel, norm

ROD_DRAG = 1.1
"""Drag coefficient of a long round rod across the stream, over its diameter [-]."""

ROD_SKIN = 0.01
"""Coefficient of friction along a rod, over its whole surface [-]."""


class ChainSegments(NamedTuple):
    """The segments of one chain, as air and water see them."""

    ends: NDArray[np.uint32]
    """(segment_count, 2) particle indices."""

    weights: NDArray[np.float64]
    """(segment_count, 2) all a half."""

    free_shares: NDArray[np.float64]
    """(segment_count,) share that no pin or hand holds [-]."""

    lengths: NDArray[np.float64]
    """(segment_count,) at rest [m]."""

    masses: NDArray[np.float64]
    """(segment_count,) [kg]"""

    patches: NDArray[np.uint32]
    """(segment_count,) wind patch that each segment belongs to."""

    diameter: float
    """[m]"""


class Rod(NamedTuple):
    """One chain segment within a substep, as drag sees it."""

    axis: tuple[float, float, float]
    """Unit vector along it."""

    length: float
    """[m]"""

    diameter: float
    """[m]"""

    mass: float
    """What resists the impulse [kg]."""

    free_share: float
    """Share of the segment that is free to move [-]."""

    step: float
    """Substep [s]."""


@kernel
def rod_impulse(rod, w, lagged, density, added):
    """Return what a fluid does to a rod within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A6).

    Args:
        rod: `Rod`
        w: velocity of the fluid relative to the rod, with what this substep has changed so far [m/s]
        lagged: the same when the substep began [m/s]
        density: of the fluid [kg/m³]
        added: mass of the fluid that moves along [kg]
    """
    axis, mass, share = rod.axis, rod.mass, rod.free_share
    along = dot(w, axis)
    before = dot(lagged, axis)
    square = dot(lagged, lagged) - before * before
    half = 0.5 * density * rod.diameter * rod.length * rod.step
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
def flow_impulse(rod, u, v, before, density, added):
    """Return the same for a fluid of velocity u and a rod of velocity v, and `before` at the start of the substep."""
    w = (u[0] - v[0], u[1] - v[1], u[2] - v[2])
    lagged = (u[0] - before[0], u[1] - before[1], u[2] - before[2])
    return rod_impulse(rod, w, lagged, density, added)


@kernel
def mean_moves(starts, targets, i, j, rate):
    """Return the mean displacement of two particles from the starts to the targets, times twice `rate`."""
    return (
        rate * (targets[i, 0] + targets[j, 0] - starts[i, 0] - starts[j, 0]),
        rate * (targets[i, 1] + targets[j, 1] - starts[i, 1] - starts[j, 1]),
        rate * (targets[i, 2] + targets[j, 2] - starts[i, 2] - starts[j, 2]),
    )


@kernel
def mean_row(points, i, j):
    """Return the mean of two rows of an (n, 3) array."""
    return (
        0.5 * (points[i, 0] + points[j, 0]),
        0.5 * (points[i, 1] + points[j, 1]),
        0.5 * (points[i, 2] + points[j, 2]),
    )


@kernel(is_entry=True)
def add_segment_impulses(particles, segments, fluids, impulses):
    """Add the impulses of air and water on every segment of a chain to its two ends.

    Args:
        particles: `ParticleArrays`
        segments: `ChainSegments`
        fluids: `Fluids`
        impulses: (particle_count, 3) [N·s], added to
    """
    rate = 0.5 / fluids.step
    has_water = fluids.wet_shares.shape[0] > 0
    for s in range(segments.ends.shape[0]):
        i, j = segments.ends[s, 0], segments.ends[s, 1]
        d = difference(particles.starts, j, i)
        length = norm(d)
        mass = fluids.inertia_factor * segments.masses[s]
        if not length > 0.0 or not mass > 0.0:
            continue
        axis = (d[0] / length, d[1] / length, d[2] / length)
        rod = Rod(axis, length, segments.diameter, mass, segments.free_shares[s], fluids.step)
        v = mean_moves(particles.starts, particles.targets, i, j, rate)
        before = mean_row(particles.velocities, i, j)
        wet = 0.5 * (fluids.wet_shares[i] + fluids.wet_shares[j]) if has_water else 0.0
        if fluids.air_density > 0.0 and wet < 1.0:
            o = segments.patches[s]
            u = (fluids.winds[o, 0], fluids.winds[o, 1], fluids.winds[o, 2])
            push = flow_impulse(rod, u, v, before, fluids.air_density, 0.0)
            add_scaled(impulses, i, push, 0.5 * (1.0 - wet))
            add_scaled(impulses, j, push, 0.5 * (1.0 - wet))
        if wet > 0.0:
            o = fluids.water_of[i] if fluids.wet_shares[i] >= fluids.wet_shares[j] else fluids.water_of[j]
            waters = fluids.waters
            u = (waters.currents[o, 0], waters.currents[o, 1], waters.currents[o, 2])
            added = 0.25 * math.pi * rod.diameter * rod.diameter * length * waters.densities[o]
            push = flow_impulse(rod, u, v, before, waters.densities[o], added)
            add_scaled(impulses, i, push, 0.5 * wet)
            add_scaled(impulses, j, push, 0.5 * wet)
