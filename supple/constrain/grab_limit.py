"""Grab limit: how far a hand moves a point of a body that must not pass through itself.

Theory: docs/theory/contact.md, eq. (K25) and (K26). A hand is as strong as it likes: within a frame it would move a point
through the rest of its body, or stretch it a hundredfold, and where surfaces may not pass through each other it could never
return. So the hand waits until the body has followed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, difference, kernel, norm
from supple.model.tables.growable import resized
from supple.model.world import World

EASY_CLOTH, MOST_CLOTH = 1.3, 1.6
"""Lengths to which a hand stretches the springs that it holds at once, and at most, in lengths at rest [-]."""

EASY_SOFT, MOST_SOFT = 2.0, 6.0
"""The same for edges of soft bodies [-]: jelly that is lifted by one point needs three or four."""

CREEP = 4.0
"""How fast a hand does so in between, in multiples of the length to which it does so at once, per second [1/s]."""

ROUNDING = 1e-9
"""By how much a stride may be longer than planned [-]: a hand that nothing has stopped goes on as it would."""

LEAST_VOLUME = 0.03
"""Share of its volume to which a hand presses an element together [-]."""


@kernel(counts_references=False)
def share_by_length(starts, targets, i, j, easy, most, creep):
    """Return which share of its displacement point i may go until it is too far from where j goes.

    Args:
        starts: (particle_count, 3) [m]
        targets: (particle_count, 3) [m]
        i: point that a hand holds
        j: its neighbour
        easy: length to which a hand stretches the edge between them at once [m]
        most: length to which it stretches it in the end [m]
        creep: by how much an edge that is longer than `easy` may grow, in multiples of that [-]
    """
    ee = eu = uu = 0.0
    for axis in range(3):
        e, u = starts[i, axis] - targets[j, axis], targets[i, axis] - starts[i, axis]
        ee, eu, uu = ee + e * e, eu + e * u, uu + u * u
    now = math.sqrt(ee)
    longest = max(easy, min(now + creep * easy, most), now)
    room = longest * longest - ee
    if uu + 2.0 * eu <= room or not uu > 0.0:
        return 1.0
    return min(1.0, (math.sqrt(eu * eu + uu * room) - eu) / uu)


@kernel(counts_references=False)
def share_by_stride(starts, targets, i, stride):
    """Return which share of its displacement point i may go until that is as long as a stride [m]; see `share_by_length`."""
    square = 0.0
    for axis in range(3):
        square += (targets[i, axis] - starts[i, axis]) ** 2
    longest = stride * (1.0 + ROUNDING)
    return 1.0 if square <= longest * longest else stride / math.sqrt(square)


@kernel(counts_references=False)
def share_by_volume(starts, targets, i, j, k, m, volume):
    """Return which share of its displacement point i may go until its element, whose other corners are j, k, m, is crushed.

    Along a straight line the volume changes evenly.

    Args:
        starts: (particle_count, 3) [m]
        targets: (particle_count, 3) [m]
        i: point that a hand holds
        j: corner
        k: corner
        m: corner, in the order that makes (x_k - x_j) × (x_m - x_j) · (x_i - x_j) positive at rest
        volume: at rest [m³]
    """
    area = cross(difference(targets, k, j), difference(targets, m, j))
    before = after = 0.0
    for axis in range(3):
        before += area[axis] * (starts[i, axis] - targets[j, axis]) / 6.0
        after += area[axis] * (targets[i, axis] - targets[j, axis]) / 6.0
    least = min(before, LEAST_VOLUME * volume)
    if after >= least:
        return 1.0
    return (before - least) / (before - after)


OPPOSITE = ((1, 3, 2), (0, 2, 3), (0, 3, 1), (0, 1, 2))
"""The other three corners of a tetrahedron, in the order of `share_by_volume`."""


@kernel(counts_references=False)
def limit_grabs(is_hand, strides, springs, corners, volumes, rest_positions, creep, starts, shares, targets):
    """Shorten the displacements of hands so that they neither tear nor crush what hangs on the points that they hold.

    Args:
        is_hand: (particle_count,) whether a hand holds the point
        strides: (particle_count,) [m], what a hand goes in a substep if nothing is in its way, and so at most: one that
            has waited does not hurry after its goal
        springs: `SpringArrays`
        corners: (element_count, 4) of the tetrahedra
        volumes: (element_count,) at rest [m³]
        rest_positions: (particle_count, 3) [m]
        creep: by how much long edges may grow, in multiples of the length that is easy [-]
        starts: (particle_count, 3) [m], where the substep starts
        shares: (particle_count,) of its displacement that each hand goes, overwritten
        targets: (particle_count, 3) [m], where inertia or a hand leads; those of hands are changed in place
    """
    for i in range(shares.shape[0]):
        shares[i] = share_by_stride(starts, targets, i, strides[i]) if is_hand[i] else 1.0
    for s in range(springs.ends.shape[0]):
        i, j = springs.ends[s, 0], springs.ends[s, 1]
        if is_hand[i] or is_hand[j]:
            easy, most = EASY_CLOTH * springs.rest_lengths[s], MOST_CLOTH * springs.rest_lengths[s]
            if is_hand[i]:
                shares[i] = min(shares[i], share_by_length(starts, targets, i, j, easy, most, creep))
            if is_hand[j]:
                shares[j] = min(shares[j], share_by_length(starts, targets, j, i, easy, most, creep))
    for n in range(corners.shape[0]):
        for a, (b, c, d) in enumerate(OPPOSITE):
            i = corners[n, a]
            if not is_hand[i]:
                continue
            for other in (b, c, d):
                j = corners[n, other]
                length = norm(difference(rest_positions, i, j))
                easy, most = EASY_SOFT * length, MOST_SOFT * length
                shares[i] = min(shares[i], share_by_length(starts, targets, i, j, easy, most, creep))
            j, k, m = corners[n, b], corners[n, c], corners[n, d]
            shares[i] = min(shares[i], share_by_volume(starts, targets, i, j, k, m, volumes[n]))
    for i in range(shares.shape[0]):
        if shares[i] < 1.0:
            for axis in range(3):
                targets[i, axis] = starts[i, axis] + shares[i] * (targets[i, axis] - starts[i, axis])


class GrabLimiter:
    """Limits hands, and pins that hands move, on bodies that must not pass through themselves."""

    def __init__(self, world: World) -> None:
        """Start with no hands."""
        self._world = world
        self._is_hand = np.zeros(0, dtype=np.bool_)
        self._shares, self._strides = np.zeros(0), np.zeros(0)
        self._is_any = False

    def begin_frame(
        self,
        held: NDArray[np.int64],
        strides: NDArray[np.float64],
        members: NDArray[np.int64],
        tearing: list[slice],
    ) -> None:
        """Look which points hands hold.

        Args:
            held: (held_count,) particles that hands and pins hold
            strides: (held_count,) [m], how far each is from its goal now, over the substeps of the frame
            members: (member_count,) particles that must not pass through each other
            tearing: particles of bodies that give way where they are pulled too far: hands need not wait
        """
        count = self._world.particles.count
        self._is_hand, self._shares = resized(self._is_hand, count), resized(self._shares, count)
        self._strides = resized(self._strides, count)
        self._strides[held] = strides
        self._is_hand[:] = False
        self._is_hand[members] = True
        for particles in tearing:
            self._is_hand[particles] = False
        held = held[self._is_hand[held]]
        self._is_any = bool(len(held))
        self._is_hand[:] = False
        self._is_hand[held] = True

    def slow(self, step: float) -> None:
        """Let hands wait for what they pull, in a substep of `step` seconds."""
        if self._is_any:
            world, particles = self._world, self._world.particles
            limit_grabs(
                self._is_hand, self._strides, world.springs.arrays, world.tetrahedra.corners, world.tetrahedra.volumes,
                particles.rest_positions, CREEP * step, particles.starts, self._shares, particles.targets,
            )  # fmt: skip
