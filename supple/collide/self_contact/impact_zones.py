"""Rigid impact zones: surfaces that impulses alone cannot keep apart move together for a substep.

Theory: docs/theory/contact.md, eq. (K13), after Provot 1997 (zones of impact). All points of pairs that would hit, and
all that are connected by such pairs, get the mean motion of their impact zone: its momentum and angular momentum stay what
they were, and no distance inside of it changes. So a tight fold goes where it is pulled, as a whole, instead of being
stopped point by point. Zones are the connected components of the pairs that hit, kept as a union-find forest.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.pair_table import Pairs
from supple.collide.inertia import solve_inertia_tensor
from supple.collide.self_contact.find_contacts import Hits
from supple.kernel import cross, dot, kernel, norm

FIRMNESS = 1.0e3
"""How much more than its mass a kinematic point counts in the motion of its zone [-]."""

THIN = 1e-9
"""Least moment of inertia about any axis, relative to their sum [-]: points on a line do not turn about it."""

WIDEST_TURN = 0.3
"""Largest turn of a zone in a substep [rad]: on a straight path its points would come too close in the middle."""


@kernel(counts_references=False)
def zone_of(zones, i):
    """Return the point that stands for the impact zone of point i (union-find, with path compression)."""
    root = i
    while zones[root] != root:
        root = zones[root]
    while zones[i] != root:
        zones[i], i = root, zones[i]
    return root


@kernel(counts_references=False)
def join_zones(hit_count, hits, pairs, zones, is_steady):
    """Join the impact zones of the points of every pair that hits; the lowest point stands for a zone.

    A zone that hits itself has turned too far for points that go straight on. From then on it only shifts, which
    changes no distance at all.

    Args:
        hit_count: how many hits there are
        hits: Hits
        pairs: Pairs
        zones: (point_count,) another point of the zone of each, itself if it stands for the zone; changed in place
        is_steady: (point_count,) whether the zone that a point stands for does not turn; changed in place
    """
    for n in range(hit_count):
        points = pairs.points[hits.pairs[n]]
        zone = zone_of(zones, points[0])
        is_one = True
        for corner in range(1, 4):
            is_one = is_one and zone_of(zones, points[corner]) == zone
        if is_one:
            is_steady[zone] = True
    for n in range(hit_count):
        points = pairs.points[hits.pairs[n]]
        first = zone_of(zones, points[0])
        for corner in range(1, 4):
            other = zone_of(zones, points[corner])
            if other != first:
                first, other = min(first, other), max(first, other)
                zones[other] = first
                is_steady[first] = is_steady[first] or is_steady[other]


@kernel(counts_references=False)
def turn_of(inertia, momentum):
    """Return ω with I ω = L for a symmetric I (xx, yy, zz, yz, xz, xy); points on a line do not turn about it."""
    least = THIN * (inertia[0] + inertia[1] + inertia[2])
    xx, yy, zz = inertia[0] + least, inertia[1] + least, inertia[2] + least
    return solve_inertia_tensor((xx, yy, zz, inertia[3], inertia[4], inertia[5]), momentum)


@kernel(counts_references=False)
def turned(arm, turn):
    """Return an arm turned about an axis by the length of `turn` [rad]."""
    angle = norm(turn)
    if angle == 0.0:
        return arm
    axis = (turn[0] / angle, turn[1] / angle, turn[2] / angle)
    along = dot(axis, arm) * (1.0 - math.cos(angle))
    side = cross(axis, arm)
    c, s = math.cos(angle), math.sin(angle)
    return (
        c * arm[0] + s * side[0] + along * axis[0],
        c * arm[1] + s * side[1] + along * axis[1],
        c * arm[2] + s * side[2] + along * axis[2],
    )


@kernel(counts_references=False)
def zone_arm(sums, zone, starts, i):
    """Return where point i is, seen from the centre of its impact zone [m]."""
    mass = sums[zone, 1]
    return (
        starts[i, 0] - sums[zone, 2] / mass,
        starts[i, 1] - sums[zone, 3] / mass,
        starts[i, 2] - sums[zone, 4] / mass,
    )


@kernel(counts_references=False)
def sum_zones(zones, masses, is_fixed, starts, displacements, sums):
    """Sum up masses, momenta and moments of every impact zone; the arguments are those of `move_zones`."""
    sums[:] = 0.0
    for i in range(zones.shape[0]):
        zone = zone_of(zones, i)
        mass = masses[i] * (FIRMNESS if is_fixed[i] else 1.0)
        sums[zone, 0] += 1.0
        sums[zone, 1] += mass
        for axis in range(3):
            sums[zone, 2 + axis] += mass * starts[i, axis]
            sums[zone, 5 + axis] += mass * displacements[i, axis]
    for i in range(zones.shape[0]):
        zone = zones[i]
        if sums[zone, 0] < 2.0:
            continue
        x, y, z = zone_arm(sums, zone, starts, i)
        mass = masses[i] * (FIRMNESS if is_fixed[i] else 1.0)
        spin = cross((x, y, z), (displacements[i, 0], displacements[i, 1], displacements[i, 2]))
        for axis in range(3):
            sums[zone, 8 + axis] += mass * spin[axis]
        sums[zone, 11] += mass * (y * y + z * z)
        sums[zone, 12] += mass * (x * x + z * z)
        sums[zone, 13] += mass * (x * x + y * y)
        sums[zone, 14] -= mass * y * z
        sums[zone, 15] -= mass * x * z
        sums[zone, 16] -= mass * x * y


@kernel(counts_references=False)
def zone_turn(sums, zone, is_steady):
    """Return by how much an impact zone turns, about which axis [rad]; not at all if it is steady."""
    turn = (0.0, 0.0, 0.0)
    if not is_steady[zone]:
        turn = turn_of(sums[zone, 11:17], (sums[zone, 8], sums[zone, 9], sums[zone, 10]))
    angle = norm(turn)
    if angle > WIDEST_TURN:
        less = WIDEST_TURN / angle
        turn = (less * turn[0], less * turn[1], less * turn[2])
    return turn


@kernel(counts_references=False)
def move_zones(zones, is_steady, masses, is_fixed, starts, displacements, sums, ends):
    """Give every point of an impact zone the mean motion of the zone; points that are alone stay as they are.

        c = Σ m x / M,    t = Σ m Δ / M,    ω = I⁻¹ Σ m (x - c) × Δ

    Args:
        zones: (point_count,) of `join_zones`
        is_steady: (point_count,) of `join_zones`
        masses: (point_count,) [kg]
        is_fixed: (point_count,) whether a point is kinematic: it leads its zone
        starts: (point_count, 3) [m], where the substep starts
        displacements: (point_count, 3) [m], Δ, where each point would go by itself
        sums: (point_count, 17) scratch: members, M, M c, M t, moment of Δ, moments of inertia
        ends: (point_count, 3) [m], overwritten for points of zones
    """
    sum_zones(zones, masses, is_fixed, starts, displacements, sums)
    for i in range(zones.shape[0]):
        zone = zones[i]
        if sums[zone, 0] < 2.0:
            continue
        arm = zone_arm(sums, zone, starts, i)
        after = turned(arm, zone_turn(sums, zone, is_steady))
        for axis in range(3):
            ends[i, axis] = starts[i, axis] + after[axis] - arm[axis] + sums[zone, 5 + axis] / sums[zone, 1]


class ImpactZones:
    """Which points move together in a substep, as rigid impact zones."""

    def __init__(self, count: int) -> None:
        """Make room for some points."""
        self.members: NDArray[np.int32] = np.arange(count, dtype=np.int32)
        """(point_count,) the point that stands for the zone of each; itself for points that are alone."""
        self._alone = np.arange(count, dtype=np.int32)
        self._is_steady = np.zeros(count, dtype=np.bool_)
        self._sums = np.zeros((count, 17))

    def clear(self) -> None:
        """Let every point be alone."""
        np.copyto(self.members, self._alone)
        self._is_steady[:] = False

    def join(self, hit_count: int, hits: Hits, pairs: Pairs) -> None:
        """Join the zones of the points of pairs that hit; see `join_zones`."""
        join_zones(hit_count, hits, pairs, self.members, self._is_steady)

    def move(
        self,
        masses: NDArray[np.float64],
        is_fixed: NDArray[np.bool_],
        starts: NDArray[np.float64],
        displacements: NDArray[np.float64],
        ends: NDArray[np.float64],
    ) -> None:
        """Give every point of a zone the mean motion of the zone; see `move_zones`."""
        move_zones(self.members, self._is_steady, masses, is_fixed, starts, displacements, self._sums, ends)
