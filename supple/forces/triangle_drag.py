"""Panels: what air and water do to the triangles of a surface.

Theory: docs/theory/air.md, eq. (A1) to (A5), and docs/theory/water.md, eq. (H2). Every panel feels the velocity of the
fluid relative to its own and answers with an impulse, shared among its corners. The impulse is
implicit in the relative velocity: a panel of mass m that c would slow down within a substep gets
c / (1 + c / m) of it, so no wind, however strong, reverses what it blows against. The masses of the panels at a
particle add up to no more than its own, which makes the sum of all impulses as harmless as each of
them: air at rest takes energy away and never gives any.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.kernel import add_scaled, kernel
from supple.scene.air import Law

PLATE, KANG, MEYER = 0, 1, 2
SHARING_ROUNDS = 12
"""Rounds in which corners agree about the areas of their triangles."""

LAWS: dict[Law, int] = {"plate": PLATE, "kang": KANG, "meyer": MEYER}
"""Numbers that kernels know the laws by."""


@kernel
def plate_impulse(normal, square, w, speed2, mass, share, step, density, drag, skin):
    """Return what a fluid does to a flat plate within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A2). The normal is not scaled to one: that would cost a root for each triangle.

    Args:
        normal: of twice the plate's area, either way [m²]
        square: its square [m⁴]
        w: velocity of the fluid relative to the plate, gravity of this substep included [m/s]
        speed2: square of the same when the substep began [m²/s²]
        mass: of the plate [kg]
        share: of the plate that is free to move [-]
        step: [s]
        density: of the fluid [kg/m³]
        drag: coefficient face-on [-]
        skin: coefficient of friction along the plate [-]
    """
    half = 0.25 * density * step * math.sqrt(square * speed2)
    r = w[0] * normal[0] + w[1] * normal[1] + w[2] * normal[2]
    c = half * drag
    across = mass * c * r / ((mass + share * c) * square)
    if skin == 0.0:
        return across * normal[0], across * normal[1], across * normal[2]
    c = half * skin
    along = mass * c / (mass + share * c)
    across -= along * r / square
    return (
        along * w[0] + across * normal[0],
        along * w[1] + across * normal[1],
        along * w[2] + across * normal[2],
    )


@kernel
def kang_impulse(n, w, across, speed2, area, mass, share, step, drag, lift):
    """Return drag and lift of Kang 2000 on a panel within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A3). The lift does no work, but a long step would let it: it is kept
    so small that the step neither gains energy nor reverses the relative normal velocity.

    Args:
        n: unit normal, either way
        w: velocity of the air relative to the panel, gravity of this substep included [m/s]
        across: part along n of the relative velocity when the substep began [m/s]
        speed2: square of all of it [m²/s²]
        area: [m²]
        mass: of the panel [kg]
        share: of the panel that is free to move [-]
        step: [s]
        drag: K_D [kg/m³]
        lift: K_L [kg/m³]
    """
    c = drag * area * abs(across) * step
    braked = mass * c / (mass + share * c)
    length = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    r = w[0] * n[0] + w[1] * n[1] + w[2] * n[2]
    if r == 0.0:
        return 0.0, 0.0, 0.0
    sine = abs(r) / length
    cosine2 = max(0.0, 1.0 - sine * sine)
    pull = lift * area * speed2 * step  # times cos θ is the length of the lift
    if share > 0.0 and pull > 0.0 and cosine2 > 0.0:
        most2 = 2.0 * mass / share * braked * length * length - (braked * length) ** 2
        pull = min(pull, math.sqrt(max(0.0, most2) / cosine2))
        pull = min(pull, (mass / share - braked) * abs(r) / cosine2)
    # N - (N·ŵ) ŵ, with N on the side the air comes out at, has the length cos θ.
    side = math.copysign(pull, r)
    back = braked - pull * sine / length
    return side * n[0] + back * w[0], side * n[1] + back * w[1], side * n[2] + back * w[2]


@kernel
def meyer_impulse(n, u, w, area, mass, share, step, drag):
    """Return the push of Meyer 2000, Eq. 5, on a panel within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A4). The law knows the wind u only; what keeps the panel from
    being blown faster than the wind is the relative velocity w.

    Args:
        n: unit normal, either way
        u: velocity of the wind [m/s]
        w: the same relative to the panel [m/s]
        area: [m²]
        mass: of the panel [kg]
        share: of the panel that is free to move [-]
        step: [s]
        drag: K_drag [kg/m³]
    """
    r = w[0] * n[0] + w[1] * n[1] + w[2] * n[2]
    blown = u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
    push = drag * area * math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * blown * step
    if share > 0.0:
        most = mass / share * r
        push = min(max(push, 0.0), max(most, 0.0)) + max(min(push, 0.0), min(most, 0.0))
    return push * n[0], push * n[1], push * n[2]


@kernel
def water_impulse(normal, square, w, change, speed2, mass, share, step, density, drag, skin, layer):
    """Return what water does to a flat plate within a substep [N·s]: drag and added mass.

    Theory: docs/theory/water.md, eq. (H2). The water in front of and behind the plate has to move along, as if
    the plate had the mass of a layer more. `change` is what the substep has changed so far in its
    velocity, times the normal [m³/s], and `layer` the thickness [m]. Other arguments as for `plate_impulse`.
    """
    half = 0.25 * density * step * math.sqrt(square * speed2)
    added = 0.5 * density * layer * math.sqrt(square)
    r = (w[0] * normal[0] + w[1] * normal[1] + w[2] * normal[2]) / square
    c = half * drag
    across = mass * (c * r - added * change / square) / (mass + share * (c + added))
    c = half * skin
    along = mass * c / (mass + share * c)
    across -= along * r
    return (
        along * w[0] + across * normal[0],
        along * w[1] + across * normal[1],
        along * w[2] + across * normal[2],
    )


@kernel
def add_plate_impulses(
    starts, moves, corners, weights, frees, masses, patches, winds, density, drag, gravity, growth,
    step, impulses,
):  # fmt: skip
    """Add the impulses of air on dry cloth under the plate's law without friction along it.

    What `add_panel_impulses` would do, without all that most cloth does not need. Arguments as there, but for
    `moves` (particle_count, 3) [m], the targets minus the starts.
    """
    rate = 1.0 / step
    g0, g1, g2 = gravity[0], gravity[1], gravity[2]
    for t in range(corners.shape[0]):
        i, j, k = corners[t, 0], corners[t, 1], corners[t, 2]
        x0, x1, x2 = starts[i, 0], starts[i, 1], starts[i, 2]
        y0, y1, y2 = starts[j, 0], starts[j, 1], starts[j, 2]
        z0, z1, z2 = starts[k, 0], starts[k, 1], starts[k, 2]
        a0, a1, a2 = y0 - x0, y1 - x1, y2 - x2
        b0, b1, b2 = z0 - x0, z1 - x1, z2 - x2
        normal = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0)
        square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]
        p, q, r = weights[t, 0], weights[t, 1], weights[t, 2]
        share = frees[t]
        v0 = rate * (p * moves[i, 0] + q * moves[j, 0] + r * moves[k, 0])
        v1 = rate * (p * moves[i, 1] + q * moves[j, 1] + r * moves[k, 1])
        v2 = rate * (p * moves[i, 2] + q * moves[j, 2] + r * moves[k, 2])
        o = patches[t]
        u0, u1, u2 = winds[o, 0], winds[o, 1], winds[o, 2]
        fall = share * step
        s0, s1, s2 = u0 - growth * v0 + fall * g0, u1 - growth * v1 + fall * g1, u2 - growth * v2 + fall * g2
        mass = growth * masses[t]
        if square > 0.0 and mass > 0.0:
            push = plate_impulse(
                normal, square, (u0 - v0, u1 - v1, u2 - v2), s0 * s0 + s1 * s1 + s2 * s2,
                mass, share, step, density, drag, 0.0,
            )  # fmt: skip
            add_scaled(impulses, i, push, p)
            add_scaled(impulses, j, push, q)
            add_scaled(impulses, k, push, r)


@kernel
def add_panel_impulses(
    starts, targets, velocities, corners, weights, frees, masses, patches, winds, density, law, drag, lift, skin,
    is_closed, gravity, growth, step, wets, places, waters, impulses,
):  # fmt: skip
    """Add the impulses of air and water on every panel of a body to its corners.

    Args:
        starts: (particle_count, 3) [m], where the substep began
        targets: (particle_count, 3) [m], where inertia leads
        velocities: (particle_count, 3) [m/s], at the start
        corners: (panel_count, 3) particle indices
        weights: (panel_count, 3) share of each corner in the velocity and the impulse of its panel [-]
        frees: (panel_count,) share of each panel that no pin or hand holds [-]
        masses: (panel_count,) [kg]
        patches: (panel_count,) patch of each panel
        winds: (patch_count, 3) velocity of the air [m/s]
        density: of the air [kg/m³]; 0 is none
        law: PLATE, KANG or MEYER
        drag: coefficient of the law, [-] or [kg/m³]
        lift: K_L [kg/m³]
        skin: friction along a plate [-]
        is_closed: whether the surface is that of a solid, which is pushed only from outside
        gravity: (3,) [m/s²]
        growth: 1 + h γ, by which the ambient drag raises what resists a force [-]
        step: [s]
        wets: (particle_count,) share of each particle that is under water [-], or empty: no water
        places: (particle_count,) water it is in
        waters: (water_count, 13) as `Waters` packs them
        impulses: (particle_count, 3) [N·s], added to
    """
    rate = 1.0 / step
    has_water = wets.shape[0] > 0
    g0, g1, g2 = gravity[0], gravity[1], gravity[2]
    for t in range(corners.shape[0]):
        i, j, k = corners[t, 0], corners[t, 1], corners[t, 2]
        x0, x1, x2 = starts[i, 0], starts[i, 1], starts[i, 2]
        y0, y1, y2 = starts[j, 0], starts[j, 1], starts[j, 2]
        z0, z1, z2 = starts[k, 0], starts[k, 1], starts[k, 2]
        a0, a1, a2 = y0 - x0, y1 - x1, y2 - x2
        b0, b1, b2 = z0 - x0, z1 - x1, z2 - x2
        n0, n1, n2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
        square = n0 * n0 + n1 * n1 + n2 * n2
        mass = growth * masses[t]
        if not square > 0.0 or not mass > 0.0:
            continue
        normal = (n0, n1, n2)
        p, q, r = weights[t, 0], weights[t, 1], weights[t, 2]
        share = frees[t]
        v0 = rate * (p * (targets[i, 0] - x0) + q * (targets[j, 0] - y0) + r * (targets[k, 0] - z0))
        v1 = rate * (p * (targets[i, 1] - x1) + q * (targets[j, 1] - y1) + r * (targets[k, 1] - z1))
        v2 = rate * (p * (targets[i, 2] - x2) + q * (targets[j, 2] - y2) + r * (targets[k, 2] - z2))
        wet = p * wets[i] + q * wets[j] + r * wets[k] if has_water else 0.0
        j0, j1, j2 = 0.0, 0.0, 0.0
        if density > 0.0 and wet < 1.0:
            u = (winds[patches[t], 0], winds[patches[t], 1], winds[patches[t], 2])
            w = (u[0] - v0, u[1] - v1, u[2] - v2)
            # The speed is that before gravity acted, so that a falling sheet ends at the speed it should.
            fall = share * step
            s0 = u[0] - growth * v0 + fall * g0
            s1 = u[1] - growth * v1 + fall * g1
            s2 = u[2] - growth * v2 + fall * g2
            speed2 = s0 * s0 + s1 * s1 + s2 * s2
            if not (is_closed and w[0] * n0 + w[1] * n1 + w[2] * n2 > 0.0):
                if law == PLATE:
                    push = plate_impulse(normal, square, w, speed2, mass, share, step, density, drag, skin)
                else:
                    doubled = math.sqrt(square)
                    n, area = (n0 / doubled, n1 / doubled, n2 / doubled), 0.5 * doubled
                    if law == KANG:
                        across = s0 * n[0] + s1 * n[1] + s2 * n[2]
                        push = kang_impulse(n, w, across, speed2, area, mass, share, step, drag, lift)
                    else:
                        push = meyer_impulse(n, u, w, area, mass, share, step, drag)
                j0, j1, j2 = (1.0 - wet) * push[0], (1.0 - wet) * push[1], (1.0 - wet) * push[2]
        if wet > 0.0:
            o = places[i] if wets[i] >= wets[j] and wets[i] >= wets[k] else places[j]
            o = places[k] if wets[k] > wets[i] and wets[k] > wets[j] else o
            c0, c1, c2 = waters[o, 6], waters[o, 7], waters[o, 8]
            w = (c0 - v0, c1 - v1, c2 - v2)
            b0 = p * velocities[i, 0] + q * velocities[j, 0] + r * velocities[k, 0]
            b1 = p * velocities[i, 1] + q * velocities[j, 1] + r * velocities[k, 1]
            b2 = p * velocities[i, 2] + q * velocities[j, 2] + r * velocities[k, 2]
            s0, s1, s2 = c0 - b0, c1 - b1, c2 - b2
            if not (is_closed and w[0] * n0 + w[1] * n1 + w[2] * n2 > 0.0):
                speed2 = s0 * s0 + s1 * s1 + s2 * s2
                change = (v0 - b0) * n0 + (v1 - b1) * n1 + (v2 - b2) * n2
                push = water_impulse(
                    normal, square, w, change, speed2, mass, share, step,
                    waters[o, 9], waters[o, 10], waters[o, 11], waters[o, 12],
                )  # fmt: skip
                j0, j1, j2 = j0 + wet * push[0], j1 + wet * push[1], j2 + wet * push[2]
        push = (j0, j1, j2)
        add_scaled(impulses, i, push, p)
        add_scaled(impulses, j, push, q)
        add_scaled(impulses, k, push, r)


@kernel
def share_masses(elements, weights, sizes, particle_masses, totals, masses):
    """Write the mass of every element (triangle or link), so that those at a particle make up at most its own.

        m_e = s_e min_i (m_i / S_i),    S_i = Σ w_ei s_e over the elements at particle i

    Args:
        elements: (element_count, c) particle indices
        weights: (element_count, c) share of each corner in its element [-], w
        sizes: (element_count,) area or length at rest
        particle_masses: (particle_count,) [kg]
        totals: (particle_count,) scratch, S_i
        masses: (element_count,) [kg], written
    """
    corners = elements.shape[1]
    for e in range(elements.shape[0]):
        for c in range(corners):
            totals[elements[e, c]] = 0.0
    for e in range(elements.shape[0]):
        for c in range(corners):
            totals[elements[e, c]] += weights[e, c] * sizes[e]
    for e in range(elements.shape[0]):
        least = math.inf
        for c in range(corners):
            i = elements[e, c]
            if totals[i] > 0.0:
                least = min(least, particle_masses[i] / totals[i])
        masses[e] = sizes[e] * least if sizes[e] > 0.0 else 0.0


@kernel
def share_freedom(elements, weights, is_fixed, frees):
    """Write which share of every element no pin or hand holds, (element_count,) [-]."""
    for e in range(elements.shape[0]):
        free = 0.0
        for c in range(elements.shape[1]):
            if not is_fixed[elements[e, c]]:
                free += weights[e, c]
        frees[e] = free


@dataclass
class Panels:
    """The triangles of one body, as air and water see them."""

    corners: NDArray[np.uint32]
    """(panel_count, 3) particle indices; unsigned, which spares kernels a test at each look-up."""

    weights: NDArray[np.float64]
    """(panel_count, 3) share of each corner in the velocity and the impulse of its panel [-]."""

    frees: NDArray[np.float64]
    """(panel_count,) share that no pin or hand holds [-]."""

    sizes: NDArray[np.float64]
    """(panel_count,) area at rest [m²]."""

    masses: NDArray[np.float64]
    """(panel_count,) [kg]"""

    patches: NDArray[np.uint32]
    """(panel_count,) patch whose wind each panel feels."""

    law: int
    drag: float
    lift: float
    skin: float
    is_closed: bool

    @property
    def is_plain(self) -> bool:
        """Whether it is cloth under the plate's law without friction along it."""
        return self.law == PLATE and self.skin == 0.0 and not self.is_closed


@kernel
def scale_weights(corners, areas, shares, rounds, felt, weights):
    """Scale weights in turn so that every particle feels its share, and so that those of every triangle add up to 1.

    Args:
        corners: (triangle_count, 3) particle indices
        areas: (triangle_count,) [m²]
        shares: (particle_count,) area that each particle stands for [m²]
        rounds: how often
        felt: (2, particle_count) scratch
        weights: (triangle_count, 3) changed in place
    """
    felt[:] = 0.0
    for t in range(corners.shape[0]):
        for c in range(3):
            felt[0, corners[t, c]] += weights[t, c] * areas[t]
    for n in range(rounds):
        now, later = felt[n % 2], felt[(n + 1) % 2]
        for i in range(now.shape[0]):
            now[i] = shares[i] / max(now[i], 1e-300)
            later[i] = 0.0
        for t in range(corners.shape[0]):
            i, j, k = corners[t, 0], corners[t, 1], corners[t, 2]
            a, b, c = weights[t, 0] * now[i], weights[t, 1] * now[j], weights[t, 2] * now[k]
            total = a + b + c
            a, b, c = a / total, b / total, c / total
            weights[t, 0], weights[t, 1], weights[t, 2] = a, b, c
            later[i] += a * areas[t]
            later[j] += b * areas[t]
            later[k] += c * areas[t]


def corner_weights(
    corners: NDArray[np.uint32], areas: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how triangles share their areas among corners, so that every particle gets its own share.

    A third for each would do on an even mesh. In a grid with alternating diagonals, though, every other
    point has eight triangles and its neighbours four: a steady wind would ripple it. Scaling rows
    and columns in turn finds weights under which each point feels the wind on the area that it weighs.

    Args:
        corners: (triangle_count, 3) particle indices
        areas: (triangle_count,) [m²]
        shares: (particle_count,) area that each particle stands for [m²]
    """
    weights = np.full(corners.shape, 1.0 / 3.0)
    scale_weights(corners, areas, shares, SHARING_ROUNDS, np.empty((2, len(shares))), weights)
    return weights


def triangle_areas(points: NDArray[np.float64], triangles: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return the area of every triangle, (triangle_count,) [m²]."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    areas: NDArray[np.float64] = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return areas
