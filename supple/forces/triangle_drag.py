"""Drag of triangles: what air and water do to the triangles of a surface.

Theory: docs/theory/air.md, eq. (A1) to (A5), and docs/theory/water.md, eq. (H2). Every triangle feels the velocity of the
fluid relative to its own and answers with an impulse, shared among its corners. The impulse is
implicit in the relative velocity: a triangle of mass m that c would slow down within a substep gets
c / (1 + c / m) of it, so no wind, however strong, reverses what it blows against. The masses of the triangles at a
particle add up to no more than its own, which makes the sum of all impulses as harmless as each of
them: air at rest takes energy away and never gives any.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import add_scaled, cross, difference, dot, kernel
from supple.scene.air import Law

PLATE, KANG, MEYER = 0, 1, 2
SHARING_ROUNDS = 12
"""Rounds in which corners agree about the areas of their triangles."""

LAWS: dict[Law, int] = {"plate": PLATE, "kang": KANG, "meyer": MEYER}
"""Numbers that kernels know the laws by."""


class AirTriangles(NamedTuple):
    """The triangles of one body, as air and water see them."""

    corners: NDArray[np.uint32]
    """(triangle_count, 3) particle indices; unsigned, which spares kernels a test at each look-up."""

    weights: NDArray[np.float64]
    """(triangle_count, 3) share of each corner in the velocity and the impulse of its triangle [-]."""

    free_shares: NDArray[np.float64]
    """(triangle_count,) share that no pin or hand holds [-]."""

    areas: NDArray[np.float64]
    """(triangle_count,) at rest [m²]."""

    masses: NDArray[np.float64]
    """(triangle_count,) [kg]"""

    patches: NDArray[np.uint32]
    """(triangle_count,) wind patch that each triangle belongs to."""

    law: int
    """PLATE, KANG or MEYER."""

    drag: float
    """Coefficient of the law, [-] or [kg/m³]."""

    lift: float
    """K_L [kg/m³]"""

    skin: float
    """Friction along a plate [-]."""

    is_closed: bool
    """Whether the surface is that of a solid, which is pushed only from outside."""

    lead: float
    """How far ahead the centre of pressure lies edge-on, in halves of the width [-]."""

    ahead: NDArray[np.float64]
    """(triangle_count,) what the push on each triangle is multiplied by [-], see `centre_of_pressure`."""

    @property
    def is_plain(self) -> bool:
        """Whether it is cloth under the plate's law without friction along it, its centre of pressure in the middle."""
        return self.law == PLATE and self.skin == 0.0 and not self.is_closed and self.lead == 0.0


class Plate(NamedTuple):
    """One triangle within a substep, as the laws of drag see it."""

    normal: tuple[float, float, float]
    """Normal of the length of twice the area, either way [m²]; one of length 1 would cost a root for each triangle."""

    square: float
    """Square of its length [m⁴]."""

    mass: float
    """What resists the impulse [kg]."""

    free_share: float
    """Share of the triangle that is free to move [-]."""

    step: float
    """Substep [s]."""


@kernel
def minus(a, b):
    """Return the difference of two 3-tuples."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def weighted_row(points, i, j, k, weights):
    """Return the sum of three rows of an (n, 3) array, weighted by a 3-tuple."""
    p, q, r = weights
    return (
        p * points[i, 0] + q * points[j, 0] + r * points[k, 0],
        p * points[i, 1] + q * points[j, 1] + r * points[k, 1],
        p * points[i, 2] + q * points[j, 2] + r * points[k, 2],
    )


@kernel
def unit_normal_and_area(plate):
    """Return the normal of length 1 and the area [m²] of a plate."""
    doubled = math.sqrt(plate.square)
    n = plate.normal
    return (n[0] / doubled, n[1] / doubled, n[2] / doubled), 0.5 * doubled


@kernel
def plate_impulse(plate, w, lagged, density, drag, skin):
    """Return what a fluid does to a flat plate within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A2).

    Args:
        plate: `Plate`
        w: velocity of the fluid relative to the plate, gravity of this substep included [m/s]
        lagged: the same when the substep began [m/s]
        density: of the fluid [kg/m³]
        drag: coefficient face-on [-]
        skin: coefficient of friction along the plate [-]
    """
    normal, square, mass, share = plate.normal, plate.square, plate.mass, plate.free_share
    half = 0.25 * density * plate.step * math.sqrt(square * dot(lagged, lagged))
    r = dot(w, normal)
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
def kang_impulse(plate, w, lagged, drag, lift):
    """Return drag and lift of Kang 2000 on a triangle within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A3). The lift does no work, but a long step would let it: it is kept
    so small that the step neither gains energy nor reverses the relative normal velocity.

    Args:
        plate: `Plate`
        w: velocity of the air relative to the triangle, gravity of this substep included [m/s]
        lagged: the same when the substep began [m/s]
        drag: K_D [kg/m³]
        lift: K_L [kg/m³]
    """
    n, area = unit_normal_and_area(plate)
    mass, share = plate.mass, plate.free_share
    c = drag * area * abs(dot(lagged, n)) * plate.step
    braked = mass * c / (mass + share * c)
    length = math.sqrt(dot(w, w))
    r = dot(w, n)
    if r == 0.0:
        return 0.0, 0.0, 0.0
    sine = abs(r) / length
    cosine2 = max(0.0, 1.0 - sine * sine)
    pull = lift * area * dot(lagged, lagged) * plate.step  # times cos θ is the length of the lift
    if share > 0.0 and pull > 0.0 and cosine2 > 0.0:
        most2 = 2.0 * mass / share * braked * length * length - (braked * length) ** 2
        pull = min(pull, math.sqrt(max(0.0, most2) / cosine2))
        pull = min(pull, (mass / share - braked) * abs(r) / cosine2)
    # N - (N·ŵ) ŵ, with N on the side the air comes out at, has the length cos θ.
    side = math.copysign(pull, r)
    back = braked - pull * sine / length
    return side * n[0] + back * w[0], side * n[1] + back * w[1], side * n[2] + back * w[2]


@kernel
def meyer_impulse(plate, u, w, drag):
    """Return the push of Meyer 2000, Eq. 5, on a triangle within a substep [N·s].

    Theory: docs/theory/air.md, eq. (A4). The law knows the wind u only; what keeps the triangle from
    being blown faster than the wind is the relative velocity w.

    Args:
        plate: `Plate`
        u: velocity of the wind [m/s]
        w: the same relative to the triangle [m/s]
        drag: K_drag [kg/m³]
    """
    n, area = unit_normal_and_area(plate)
    push = drag * area * math.sqrt(dot(u, u)) * dot(u, n) * plate.step
    if plate.free_share > 0.0:
        most = plate.mass / plate.free_share * dot(w, n)
        push = min(max(push, 0.0), max(most, 0.0)) + max(min(push, 0.0), min(most, 0.0))
    return push * n[0], push * n[1], push * n[2]


@kernel
def water_impulse(plate, w, lagged, change, water):
    """Return what water does to a flat plate within a substep [N·s]: drag and added mass.

    Theory: docs/theory/water.md, eq. (H2). The water in front of and behind the plate has to move along, as if
    the plate had the mass of a layer more.

    Args:
        plate: `Plate`
        w: velocity of the water relative to the plate [m/s]
        lagged: the same when the substep began [m/s]
        change: what the substep has changed so far in the velocity of the plate [m/s]
        water: density [kg/m³], drag [-], skin [-] and thickness of the added layer [m]
    """
    density, drag, skin, layer = water
    normal, square, mass, share = plate.normal, plate.square, plate.mass, plate.free_share
    half = 0.25 * density * plate.step * math.sqrt(square * dot(lagged, lagged))
    added = 0.5 * density * layer * math.sqrt(square)
    r = dot(w, normal) / square
    c = half * drag
    across = mass * (c * r - added * dot(change, normal) / square) / (mass + share * (c + added))
    c = half * skin
    along = mass * c / (mass + share * c)
    across -= along * r
    return (
        along * w[0] + across * normal[0],
        along * w[1] + across * normal[1],
        along * w[2] + across * normal[2],
    )


@kernel
def lagged_velocity(u, v, free_share, fluids):
    """Return the velocity of the air u relative to a triangle of velocity v before gravity acted in this substep [m/s].

    With that speed in its drag a falling sheet ends at the speed it should.
    """
    growth, fall, g = fluids.inertia_factor, free_share * fluids.step, fluids.gravity
    return (
        u[0] - growth * v[0] + fall * g[0],
        u[1] - growth * v[1] + fall * g[1],
        u[2] - growth * v[2] + fall * g[2],
    )


@kernel(is_entry=True)
def add_plate_impulses(starts, moves, triangles, fluids, impulses):
    """Add the impulses of air on dry cloth under the plate's law without friction along it.

    What `add_triangle_impulses` would do, without all that most cloth does not need; arguments as there.
    """
    rate = 1.0 / fluids.step
    for t in range(triangles.corners.shape[0]):
        i, j, k = triangles.corners[t, 0], triangles.corners[t, 1], triangles.corners[t, 2]
        normal = cross(difference(starts, j, i), difference(starts, k, i))
        square = dot(normal, normal)
        weights = (triangles.weights[t, 0], triangles.weights[t, 1], triangles.weights[t, 2])
        share = triangles.free_shares[t]
        moved = weighted_row(moves, i, j, k, weights)
        v = (rate * moved[0], rate * moved[1], rate * moved[2])
        o = triangles.patches[t]
        u = (fluids.winds[o, 0], fluids.winds[o, 1], fluids.winds[o, 2])
        lagged = lagged_velocity(u, v, share, fluids)
        mass = fluids.inertia_factor * triangles.masses[t]
        if square > 0.0 and mass > 0.0:
            plate = Plate(normal, square, mass, share, fluids.step)
            push = plate_impulse(plate, minus(u, v), lagged, fluids.air_density, triangles.drag, 0.0)
            add_scaled(impulses, i, push, weights[0])
            add_scaled(impulses, j, push, weights[1])
            add_scaled(impulses, k, push, weights[2])


@kernel
def air_push(plate, v, t, triangles, fluids):
    """Return the impulse of the air on triangle t of velocity v [N·s], by the law of its body."""
    o = triangles.patches[t]
    u = (fluids.winds[o, 0], fluids.winds[o, 1], fluids.winds[o, 2])
    w = minus(u, v)
    lagged = lagged_velocity(u, v, plate.free_share, fluids)
    if triangles.is_closed and dot(w, plate.normal) > 0.0:  # the lee side of a solid
        return (0.0, 0.0, 0.0)
    if triangles.law == PLATE:
        drag = triangles.drag * triangles.ahead[t]
        return plate_impulse(plate, w, lagged, fluids.air_density, drag, triangles.skin)
    if triangles.law == KANG:
        return kang_impulse(plate, w, lagged, triangles.drag, triangles.lift)
    return meyer_impulse(plate, u, w, triangles.drag)


@kernel
def wettest_water(i, j, k, fluids):
    """Return the water that the corner of a triangle is in which is deepest under water."""
    wet_i, wet_j, wet_k = fluids.wet_shares[i], fluids.wet_shares[j], fluids.wet_shares[k]
    o = fluids.water_of[i] if wet_i >= wet_j and wet_i >= wet_k else fluids.water_of[j]
    return fluids.water_of[k] if wet_k > wet_i and wet_k > wet_j else o


@kernel
def water_push(plate, v, before, o, is_closed, waters):
    """Return the impulse of water o on a triangle of velocity v, and `before` at the start of the substep [N·s]."""
    current = (waters.currents[o, 0], waters.currents[o, 1], waters.currents[o, 2])
    w = minus(current, v)
    if is_closed and dot(w, plate.normal) > 0.0:  # the lee side of a solid
        return (0.0, 0.0, 0.0)
    # The layer weighs against the mass of the plate. Behind the face of a solid is more than its own share of mass.
    layer = 0.0 if is_closed else waters.added_layers[o]
    water = (waters.densities[o], waters.drags[o], waters.skins[o], layer)
    return water_impulse(plate, w, minus(current, before), minus(v, before), water)


@kernel(is_entry=True)
def add_triangle_impulses(starts, moves, velocities, triangles, fluids, impulses):
    """Add the impulses of air and water on every triangle of a body to its corners.

    Args:
        starts: (particle_count, 3) [m], where the substep began
        moves: (particle_count, 3) [m], from there to where inertia leads
        velocities: (particle_count, 3) [m/s], at the start
        triangles: `AirTriangles`
        fluids: `Fluids`
        impulses: (particle_count, 3) [N·s], added to
    """
    rate = 1.0 / fluids.step
    has_water = fluids.wet_shares.shape[0] > 0
    for t in range(triangles.corners.shape[0]):
        i, j, k = triangles.corners[t, 0], triangles.corners[t, 1], triangles.corners[t, 2]
        normal = cross(difference(starts, j, i), difference(starts, k, i))
        square = dot(normal, normal)
        mass = fluids.inertia_factor * triangles.masses[t]
        if not square > 0.0 or not mass > 0.0:
            continue
        weights = (triangles.weights[t, 0], triangles.weights[t, 1], triangles.weights[t, 2])
        p, q, r = weights
        moved = weighted_row(moves, i, j, k, weights)
        v = (rate * moved[0], rate * moved[1], rate * moved[2])
        plate = Plate(normal, square, mass, triangles.free_shares[t], fluids.step)
        wet = 0.0
        if has_water:
            wet = p * fluids.wet_shares[i] + q * fluids.wet_shares[j] + r * fluids.wet_shares[k]
        total = (0.0, 0.0, 0.0)
        if fluids.air_density > 0.0 and wet < 1.0:
            push = air_push(plate, v, t, triangles, fluids)
            total = ((1.0 - wet) * push[0], (1.0 - wet) * push[1], (1.0 - wet) * push[2])
        if wet > 0.0:
            before = weighted_row(velocities, i, j, k, weights)
            o = wettest_water(i, j, k, fluids)
            push = water_push(plate, v, before, o, triangles.is_closed, fluids.waters)
            total = (total[0] + wet * push[0], total[1] + wet * push[1], total[2] + wet * push[2])
        add_scaled(impulses, i, total, p)
        add_scaled(impulses, j, total, q)
        add_scaled(impulses, k, total, r)


@kernel
def share_masses(elements, weights, sizes, particle_masses, totals, masses):
    """Write the mass of every element (triangle or chain segment), so that those at a particle make up at most its own.

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
def share_freedom(elements, weights, is_fixed, free_shares):
    """Write which share of every element no pin or hand holds, (element_count,) [-]."""
    for e in range(elements.shape[0]):
        free = 0.0
        for c in range(elements.shape[1]):
            if not is_fixed[elements[e, c]]:
                free += weights[e, c]
        free_shares[e] = free


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
