"""Momentum: internal forces neither push nor turn a free body.

Theory: docs/theory/constraints.md, eq. (C2). Desbrun 1999 §3.6 corrects the torque of the
filtered forces without dividing by the inertia; we use the inertia tensor. Since
v' = (q - x) / h, the angular momentum after a substep is Σ m x × (q - x) / h: linear in q, so
one solve of a 3 x 3 system restores it exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, dot, kernel
from supple.model.couplings.connected_components import connected_components
from supple.model.world import World

SINGULAR = 1e-12
"""Pivots of the inertia tensor below this share of its trace count as zero."""


@kernel
def solve_inertia(inertia, torque):
    """Return ω with I ω = τ; axes about which nothing has inertia do not turn.

    Elimination with the largest pivot first. Points on a line, or a single point, have a
    singular tensor; the torque vanishes in the same directions, so skipping them is exact.
    """
    a = (
        (inertia[0, 0], inertia[0, 1], inertia[0, 2]),
        (inertia[1, 0], inertia[1, 1], inertia[1, 2]),
        (inertia[2, 0], inertia[2, 1], inertia[2, 2]),
    )
    floor = SINGULAR * (a[0][0] + a[1][1] + a[2][2])
    p = 0
    if a[1][1] > a[p][p]:
        p = 1
    if a[2][2] > a[p][p]:
        p = 2
    q, r = (p + 1) % 3, (p + 2) % 3
    if not a[p][p] > floor:
        return (0.0, 0.0, 0.0)
    lq, lr = a[q][p] / a[p][p], a[r][p] / a[p][p]
    qq, qr, rr = a[q][q] - lq * a[p][q], a[q][r] - lq * a[p][r], a[r][r] - lr * a[p][r]
    tq, tr = torque[q] - lq * torque[p], torque[r] - lr * torque[p]
    if rr > qq:
        q, r = r, q
        qq, rr = rr, qq
        tq, tr = tr, tq
    wq = 0.0
    wr = 0.0
    if qq > floor:
        last = rr - qr * qr / qq
        if last > floor:
            wr = (tr - qr * tq / qq) / last
        wq = (tq - qr * wr) / qq
    wp = (torque[p] - a[p][q] * wq - a[p][r] * wr) / a[p][p]
    x = wp if p == 0 else (wq if q == 0 else wr)
    y = wp if p == 1 else (wq if q == 1 else wr)
    z = wp if p == 2 else (wq if q == 2 else wr)
    return (x, y, z)


@kernel
def touches_anything(members, touched):
    """Tell whether any of these particles is in contact with something."""
    for n in range(members.shape[0]):
        if touched[members[n]] >= 0:
            return True
    return False


@kernel
def remove_drift(starts, targets, masses, members, centre, drift, positions):
    """Take Σ m (q - y) / Σ m out of the positions; write the centre of mass at the start, `centre` (3,) [m]."""
    total = 0.0
    for n in range(members.shape[0]):
        i = members[n]
        m = masses[i]
        total += m
        for axis in range(3):
            centre[axis] += m * starts[i, axis]
            drift[axis] += m * (positions[i, axis] - targets[i, axis])
    for axis in range(3):
        centre[axis] /= total
        drift[axis] /= total
    for n in range(members.shape[0]):
        for axis in range(3):
            positions[members[n], axis] -= drift[axis]


@kernel
def arm_from(centre, starts, i):
    """Return where a particle was at the start, relative to the centre of mass [m]."""
    return (starts[i, 0] - centre[0], starts[i, 1] - centre[1], starts[i, 2] - centre[2])


@kernel
def add_torque_and_inertia(starts, targets, masses, members, centre, positions, torque, inertia):
    """Add Σ m r × (q - y) to `torque` (3,) and Σ m (r² 1 - r rᵀ) to `inertia` (3, 3)."""
    for n in range(members.shape[0]):
        i = members[n]
        m = masses[i]
        r = arm_from(centre, starts, i)
        away = (
            positions[i, 0] - targets[i, 0],
            positions[i, 1] - targets[i, 1],
            positions[i, 2] - targets[i, 2],
        )
        turn = cross(r, away)
        square = dot(r, r)
        for a in range(3):
            torque[a] += m * turn[a]
            inertia[a, a] += m * square
            for b in range(3):
                inertia[a, b] -= m * r[a] * r[b]


@kernel
def restore_momentum(
    starts, targets, masses, members, touched, has_rotation, sums, inertia, positions
):  # fmt: skip
    """Remove the momentum and angular momentum that a substep gave to one free component; one in contact is not free.

        q_i -= Σ m (q - y) / Σ m,        q_i -= (I⁻¹ Σ m r × (q - y)) × r_i

    Symbols: r = x - x_G at the start of the substep, y inertial targets.

    Args:
        starts: (particle_count, 3) [m], x
        targets: (particle_count, 3) [m], y
        masses: (particle_count,) [kg]
        members: (member_count,) particles of the component
        touched: (particle_count,) what each is in contact with, -1 for nothing
        has_rotation: whether to restore the angular momentum too
        sums: (3, 3) scratch: centre of mass, drift and torque
        inertia: (3, 3) scratch
        positions: (particle_count, 3) [m], q, moved in place
    """
    if touches_anything(members, touched):
        return
    sums[:] = 0.0
    inertia[:] = 0.0
    centre, drift, torque = sums[0], sums[1], sums[2]
    remove_drift(starts, targets, masses, members, centre, drift, positions)
    if not has_rotation:
        return
    add_torque_and_inertia(starts, targets, masses, members, centre, positions, torque, inertia)
    omega = solve_inertia(inertia, torque)
    for n in range(members.shape[0]):
        i = members[n]
        turn = cross(omega, arm_from(centre, starts, i))
        for axis in range(3):
            positions[i, axis] -= turn[axis]


def components_of_several(world: World) -> list[NDArray[np.int64]]:
    """Return the particles of every connected component that has more than one."""
    parts = connected_components(world.couplings.component_labels)
    return [part for part in parts if len(part) > 1]


def free_components(world: World, components: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Return the components that no fixed and no anchored particle holds."""
    is_held = world.particles.is_fixed.copy()
    is_held[world.anchors.points[world.anchors.stiffness > 0.0]] = True
    return [part for part in components if not is_held[part].any()]


class MomentumKeeper:
    """Keeps the momentum of the connected components that nothing holds."""

    def __init__(self, world: World, has_rotation: bool) -> None:
        """Find the connected components once; `has_rotation` switches the angular correction on."""
        self.world = world
        self.has_rotation = has_rotation
        self._sums, self._inertia = np.zeros((3, 3)), np.zeros((3, 3))
        self._rigid, self._nowhere = np.zeros((0, 3)), np.zeros((0, 3))
        self._nothing = np.zeros(0, dtype=np.int64)
        self._components = components_of_several(world)
        self._links: NDArray[np.int64] | None = None
        self._linked_components: list[NDArray[np.int64]] = []
        self.refix()

    def refix(self) -> None:
        """Take over which particles are fixed or anchored: their components exchange momentum with the world."""
        self._free_components = free_components(self.world, self._components)
        self._links = None

    def _islands(self, links: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return the particles of all free components, those together that links join; one that is held holds them all."""
        if self._links is not None and np.array_equal(links, self._links):
            return self._linked_components
        leaders = self.world.couplings.component_labels
        roots = {int(leader): int(leader) for leader in np.unique(links)}

        def root_of(leader: int) -> int:
            while roots[leader] != leader:
                leader = roots[leader]
            return leader

        for a, b in links.tolist():
            first, second = sorted((root_of(a), root_of(b)))
            roots[second] = first
        is_free = np.zeros(len(leaders), dtype=np.bool_)
        for part in self._free_components:
            is_free[leaders[part[0]]] = True
        held = {root_of(leader) for leader in roots if not is_free[leader]}
        islands: dict[int, list[NDArray[np.int64]]] = {}
        for part in self._free_components:
            leader = int(leaders[part[0]])
            root = root_of(leader) if leader in roots else leader
            if root not in held:
                islands.setdefault(root, []).append(part)
        self._links, self._linked_components = links.copy(), [np.concatenate(p) for p in islands.values()]
        return self._linked_components

    def set_aside(self, pushes: NDArray[np.float64]) -> None:
        """Take from pushes (particle_count, 3) [kg·m] what moves every free component as one piece; see `give_back`.

        Theory: docs/theory/obstacles.md, eq. (O17). A matrix that bounds the stiffness from above resists turning as well,
        so what it makes of a push turns too little, and gets no more of its angular momentum than that.
        """
        masses = self.world.particles.masses[:, None]
        if self._rigid.shape != pushes.shape:
            self._rigid, self._nowhere = np.zeros(pushes.shape), np.zeros(pushes.shape)
            self._nothing = np.full(len(pushes), -1, dtype=np.int64)
        pushes /= masses
        np.copyto(self._rigid, pushes)
        self._keep_rest(pushes)
        self._rigid -= pushes
        pushes *= masses

    def give_back(self, moves: NDArray[np.float64]) -> None:
        """Add the moves [m] of free components, each as one piece, to what the rest of the pushes has led to, in place."""
        self._keep_rest(moves)
        moves += self._rigid

    def _keep_rest(self, moves: NDArray[np.float64]) -> None:
        """Take the momentum and angular momentum out of moves (particle_count, 3) [m] of free components."""
        particles = self.world.particles
        for part in self._free_components:
            restore_momentum(
                particles.starts, self._nowhere, particles.masses, part, self._nothing, self.has_rotation, self._sums,
                self._inertia, moves,
            )  # fmt: skip

    def restore(
        self, touched: NDArray[np.int64], arms: NDArray[np.float64], links: NDArray[np.int64] | None = None
    ) -> None:
        """Take back what internal forces changed in the momentum of every free component.

        Args:
            touched: (particle_count,) what each particle is in contact with, -1 for nothing. Turning a component
                as a whole would turn its contacts as well; these go back, and the rest of it has been thrown.
            arms: (particle_count, 3) what velocities at the end of the substep count from, see `Integrator.arms` [m]
            links: (link_count, 2) components, by their labels, that have pushed each other in the solve: they keep their
                momentum together
        """
        particles = self.world.particles
        parts = self._free_components if links is None or not len(links) else self._islands(links)
        for part in parts:
            restore_momentum(
                arms, particles.targets, particles.masses, part, touched, self.has_rotation, self._sums,
                self._inertia, particles.positions,
            )  # fmt: skip
