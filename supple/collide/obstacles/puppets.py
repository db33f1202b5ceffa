"""Contact of particles with puppets: surfaces that deform as they are told.

Theory: docs/theory/obstacles.md, eq. (O15) and (O16). An obstacle is rigid, so its distances are known beforehand.
A puppet is another surface in every substep: a bounding-volume hierarchy over its triangles is refitted to their motion,
and the triangle nearest to a particle is sought in it. The sign of the distance is that of the normals of what the nearest
place belongs to: a face, an edge or a corner. Particles that come fast are swept, so that nothing is jumped over.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import nodes_over, refit
from supple.collide.narrow_phase.point_triangle import closest_from
from supple.collide.obstacles.calm_components import CalmComponents
from supple.collide.obstacles.contact_sums import ContactSums
from supple.collide.obstacles.filtered_contact import FilteredContact, Filters
from supple.collide.obstacles.particle_contact import ParticleContacts, clear_contacts
from supple.kernel import kernel
from supple.model.world import World
from supple.scene.bodies.puppet import Puppet
from supple.scene.scene import Scene

STACK = 128
"""Nodes that may wait in a search; a tree over n triangles needs about log2 n."""

SWEPT = 4.0e-3
"""Relative motion in a substep from which on particles are swept [m]: limbs thinner than that are not looked for."""

SWEEP_STEPS = 32
"""Most steps of a sweep; running out of them counts as a touch."""

TOUCH = 1.0e-5
"""Distance at which a swept particle has arrived [m]."""

PROJECTIONS = 4
"""Most moves onto the shell in one pass; more than one only in folds."""

CLOSE_ENOUGH = 1.0e-7
"""How far inside its shell a particle may stay [m]."""

GUARDED = 0.7
"""Share of the shell that is guarded by passes after a solve that keeps the whole of it [-]."""

SAME_PLACE = 1.0e-6
"""Points of a puppet closer than this are one, in sizes of the puppet [-]: files split vertices along seams."""


NO_REACTION, NO_REACTIONS = np.zeros(1, dtype=np.bool_), np.zeros((1, 6))
"""Puppets go where they are told."""


class PuppetSurface(NamedTuple):
    """The triangles of all puppets, with the bounding-volume hierarchy over them."""

    children: NDArray[np.int32]
    """(node_count, 2) of the hierarchy."""

    boxes: NDArray[np.float32]
    """(node_count, 6) around the whole motion of the substep [m]."""

    triangles: NDArray[np.int32]
    """(triangle_count, 4) particles, the last repeated."""

    across: NDArray[np.int32]
    """(triangle_count, 3) triangle beyond the edges ab, bc, ca; -1 for none."""

    fan_firsts: NDArray[np.int64]
    """(vertex_count + 1,) where the triangles of each vertex start in `fans`."""

    fans: NDArray[np.int32]
    """(3 triangle_count, 3) triangle and corner number around each vertex; then the vertex of each corner."""

    frictions: NDArray[np.float64]
    """(triangle_count,) Coulomb coefficients [-]."""

    shells: NDArray[np.float64]
    """(triangle_count,) distance that particles keep [m]."""


class PuppetMemory(NamedTuple):
    """What is remembered of every particle from one distance test to the next."""

    seen: NDArray[np.float64]
    """(particle_count, 3) position at the last test [m]."""

    drifts_seen: NDArray[np.float64]
    """(particle_count,) how far puppets had moved by then [m]."""

    clearances: NDArray[np.float64]
    """(particle_count,) distance to the shell then [m]."""


class SearchScratch(NamedTuple):
    """Memory of a search in the hierarchy."""

    stack: NDArray[np.int64]
    """(STACK,) nodes that wait."""

    corners: NDArray[np.float64]
    """(9,) corners of one triangle [m]."""


@kernel(counts_references=False)
def box_distance2(boxes, node, x, y, z):
    """Return the squared distance of a place to a box [m²], 0 inside."""
    dx = max(max(boxes[node, 0] - x, x - boxes[node, 3]), 0.0)
    dy = max(max(boxes[node, 1] - y, y - boxes[node, 4]), 0.0)
    dz = max(max(boxes[node, 2] - z, z - boxes[node, 5]), 0.0)
    return dx * dx + dy * dy + dz * dz


@kernel(counts_references=False)
def read_corners(triangles, t, starts, ends, share, corners):
    """Write the nine coordinates of a triangle at a part of the way from `starts` to `ends` [m]."""
    for k in range(3):
        i = triangles[t, k]
        for axis in range(3):
            corners[3 * k + axis] = starts[i, axis] + share * (ends[i, axis] - starts[i, axis])


@kernel(counts_references=False)
def nearest_triangle(surface, particles, share, x, y, z, scratch):
    """Return the triangle nearest to a place, its squared distance [m²], its closest point [m] and the part that lies on.

    Args:
        surface: see `PuppetSurface`
        particles: see `ParticleArrays`; puppets move from starts to positions
        share: moment between them, 0 to 1
        x: the place [m]
        y: its second coordinate
        z: its third coordinate
        scratch: see `SearchScratch`
    """
    children, boxes, stack, corners = surface.children, surface.boxes, scratch.stack, scratch.corners
    best, least, part = -1, math.inf, 0
    cx, cy, cz = x, y, z
    stack[0], height = 0, 1
    while height > 0:
        height -= 1
        node = stack[height]
        if box_distance2(boxes, node, x, y, z) >= least:
            continue
        first, second = children[node, 0], children[node, 1]
        if first >= 0:
            # The nearer one is looked into first: then most of the other need not be.
            if box_distance2(boxes, first, x, y, z) < box_distance2(boxes, second, x, y, z):
                first, second = second, first
            if height + 2 <= stack.shape[0]:
                stack[height], stack[height + 1] = first, second
                height += 2
            continue
        read_corners(surface.triangles, second, particles.starts, particles.positions, share, corners)
        px, py, pz, where = closest_from(corners, 0, x, y, z)
        d = (x - px) * (x - px) + (y - py) * (y - py) + (z - pz) * (z - pz)
        if d < least:
            best, least, part = second, d, where
            cx, cy, cz = px, py, pz
    return best, least, cx, cy, cz, part


@kernel(counts_references=False)
def face_normal(triangles, t, ends):
    """Return the normal of a triangle, as long as twice its area."""
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    ux, uy, uz = ends[b, 0] - ends[a, 0], ends[b, 1] - ends[a, 1], ends[b, 2] - ends[a, 2]
    vx, vy, vz = ends[c, 0] - ends[a, 0], ends[c, 1] - ends[a, 1], ends[c, 2] - ends[a, 2]
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@kernel(counts_references=False)
def corner_angle(triangles, t, k, ends):
    """Return the angle of a triangle at its corner k [rad]."""
    a, b, c = triangles[t, k], triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
    uu = uv = vv = 0.0
    for axis in range(3):
        u, v = ends[b, axis] - ends[a, axis], ends[c, axis] - ends[a, axis]
        uu, uv, vv = uu + u * u, uv + u * v, vv + v * v
    return math.acos(max(-1.0, min(1.0, uv / math.sqrt(uu * vv)))) if uu * vv > 0.0 else 0.0


@kernel(counts_references=False)
def outward(surface, t, part, ends):
    """Return the unit normal of the part of a surface that a closest point lies on, eq. (O15).

    That of an edge is the mean of its two faces, that of a corner the mean of all faces there, each as heavy as its
    angle: the only choice that tells inside from outside right at every corner.

    Args:
        surface: see `PuppetSurface`
        t: triangle
        part: of it: 0 face, 1 to 3 edge, 4 to 6 corner
        ends: (particle_count, 3) [m]
    """
    triangles, fans = surface.triangles, surface.fans
    nx, ny, nz = 0.0, 0.0, 0.0
    if part >= 4:
        vertex = fans[3 * t + part - 4, 2]
        for n in range(surface.fan_firsts[vertex], surface.fan_firsts[vertex + 1]):
            mx, my, mz = face_normal(triangles, fans[n, 0], ends)
            length = math.sqrt(mx * mx + my * my + mz * mz)
            if length > 0.0:
                weight = corner_angle(triangles, fans[n, 0], fans[n, 1], ends) / length
                nx, ny, nz = nx + weight * mx, ny + weight * my, nz + weight * mz
    else:
        other = surface.across[t, part - 1] if part >= 1 else -1
        nx, ny, nz = face_normal(triangles, t, ends)
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        if length > 0.0:
            nx, ny, nz = nx / length, ny / length, nz / length
        if other >= 0:
            mx, my, mz = face_normal(triangles, other, ends)
            length = math.sqrt(mx * mx + my * my + mz * mz)
            if length > 0.0:
                nx, ny, nz = nx + mx / length, ny + my / length, nz + mz / length
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length == 0.0:
        return 0.0, 1.0, 0.0
    return nx / length, ny / length, nz / length


@kernel(counts_references=False)
def signed_distance(surface, particles, x, y, z, scratch):
    """Return the distance of a place to the surface at the end of the substep [m], negative inside.

    Then the unit vector outwards, the nearest triangle and its closest point [m].
    """
    t, square, cx, cy, cz, part = nearest_triangle(surface, particles, 1.0, x, y, z, scratch)
    nx, ny, nz = outward(surface, t, part, particles.positions)
    d = math.sqrt(square)
    dx, dy, dz = x - cx, y - cy, z - cz
    sign = 1.0 if dx * nx + dy * ny + dz * nz >= 0.0 else -1.0
    if d > 1e-9:
        nx, ny, nz = sign * dx / d, sign * dy / d, sign * dz / d
    return sign * d, nx, ny, nz, t, cx, cy, cz


@kernel(counts_references=False)
def barycentric_weights(corners, x, y, z):
    """Return the barycentric weights of a place on the triangle of nine coordinates; all is a's if it has no area."""
    ux, uy, uz = corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2]
    vx, vy, vz = corners[6] - corners[0], corners[7] - corners[1], corners[8] - corners[2]
    px, py, pz = x - corners[0], y - corners[1], z - corners[2]
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    up, vp = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    whole = uu * vv - uv * uv
    if not whole > 1e-30:
        return 1.0, 0.0, 0.0
    s, r = (vv * up - uv * vp) / whole, (uu * vp - uv * up) / whole
    return 1.0 - s - r, s, r


@kernel(counts_references=False)
def weighted_point(triangles, t, wa, wb, wc, points):
    """Return the place of barycentric weights on a triangle whose corners are in `points` [m]."""
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    return (
        wa * points[a, 0] + wb * points[b, 0] + wc * points[c, 0],
        wa * points[a, 1] + wb * points[b, 1] + wc * points[c, 1],
        wa * points[a, 2] + wb * points[b, 2] + wc * points[c, 2],
    )


@kernel(counts_references=False)
def first_meeting(surface, particles, a, b, way, scratch):
    """Return at which part of its path from a to b a particle meets the moving surface, 2 if it does not; the triangle met.

    Steps as far as the distance says is safe: within a part dt of the substep the two come closer by at most `way` dt.
    """
    ax, ay, az = a
    bx, by, bz = b
    s = 0.0
    t = -1
    for _ in range(SWEEP_STEPS):
        x, y, z = ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az)
        t, square, _, _, _, _ = nearest_triangle(surface, particles, s, x, y, z, scratch)
        d = math.sqrt(square)
        if d < TOUCH:
            return s, t
        s += d / way
        if s >= 1.0:
            return 2.0, -1
    return s, t


@kernel(counts_references=False, is_entry=True)
def collide_with_puppets(surface, move, drift, particles, is_first, memory, scratch, contacts):
    """Keep every free particle outside of every puppet, with friction.

    A particle in free air costs a comparison with what is remembered of its last test.

    Args:
        surface: see `PuppetSurface`
        move: how far any point of a puppet goes in this substep, at most [m]
        drift: the sum of these since the beginning [m]
        particles: see `ParticleArrays`; positions are moved in place
        is_first: whether this is the first pass of the substep
        memory: see `PuppetMemory`, changed in place
        scratch: see `SearchScratch`
        contacts: see `ParticleContacts`, changed in place; `touched` is 0 for particles in contact
    """
    triangles, frictions, shells, corners = (
        surface.triangles,
        surface.frictions,
        surface.shells,
        scratch.corners,
    )
    starts, positions, is_fixed = particles.starts, particles.positions, particles.is_fixed
    seen, drifts_seen, clear = memory
    touched, pushes, rubs, moves = contacts
    for i in range(positions.shape[0]):
        if is_fixed[i]:
            continue
        x, y, z = positions[i, 0], positions[i, 1], positions[i, 2]
        sx, sy, sz = x - seen[i, 0], y - seen[i, 1], z - seen[i, 2]
        square = sx * sx + sy * sy + sz * sz
        left = clear[i] - (drift - drifts_seen[i])
        if (left > 0.0 and square < left * left) or (square == 0.0 and not is_first):
            continue
        ax, ay, az = starts[i, 0], starts[i, 1], starts[i, 2]
        bx, by, bz = x, y, z
        way = move + math.sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay) + (z - az) * (z - az))
        d, nx, ny, nz, t, cx, cy, cz = signed_distance(surface, particles, x, y, z, scratch)
        if way > SWEPT and abs(d) < way:
            # Where it started counts as outside: whatever was inside was moved out before.
            s, met = first_meeting(surface, particles, (ax, ay, az), (x, y, z), way, scratch)
            if s < 1.0:
                read_corners(triangles, met, starts, positions, s, corners)
                hx, hy, hz, _ = closest_from(
                    corners, 0, ax + s * (x - ax), ay + s * (y - ay), az + s * (z - az)
                )
                wa, wb, wc = barycentric_weights(corners, hx, hy, hz)
                qx, qy, qz = weighted_point(triangles, met, wa, wb, wc, positions)
                nx, ny, nz = outward(surface, met, 0, positions)
                below = shells[met] - (x - qx) * nx - (y - qy) * ny - (z - qz) * nz
                if below > 0.0:
                    x, y, z = x + below * nx, y + below * ny, z + below * nz
                d, nx, ny, nz, t, cx, cy, cz = signed_distance(surface, particles, x, y, z, scratch)
        shell = shells[t]
        for _ in range(PROJECTIONS):
            if d >= shell - CLOSE_ENOUGH:
                break
            x, y, z = x + (shell - d) * nx, y + (shell - d) * ny, z + (shell - d) * nz
            d, nx, ny, nz, t, cx, cy, cz = signed_distance(surface, particles, x, y, z, scratch)
            shell = shells[t]
        pushed = (x - bx) * nx + (y - by) * ny + (z - bz) * nz
        if pushed > 0.0:
            pushes[i] += pushed
            touched[i] = 0
        hold = frictions[t] * pushes[i] - rubs[i]
        if touched[i] == 0 and hold > 0.0:
            read_corners(triangles, t, starts, positions, 1.0, corners)
            wa, wb, wc = barycentric_weights(corners, cx, cy, cz)
            fx, fy, fz = weighted_point(triangles, t, wa, wb, wc, starts)
            # Its way less that of the place of the puppet under it.
            gx, gy, gz = x - ax - (cx - fx), y - ay - (cy - fy), z - az - (cz - fz)
            along = gx * nx + gy * ny + gz * nz
            gx, gy, gz = gx - along * nx, gy - along * ny, gz - along * nz
            slip = math.sqrt(gx * gx + gy * gy + gz * gz)
            if slip > 0.0:
                held = min(slip, hold)
                rubs[i] += held
                x, y, z = x - held / slip * gx, y - held / slip * gy, z - held / slip * gz
                d, nx, ny, nz, t, cx, cy, cz = signed_distance(surface, particles, x, y, z, scratch)
                shell = shells[t]
                if d < shell - CLOSE_ENOUGH:
                    x, y, z, d = x + (shell - d) * nx, y + (shell - d) * ny, z + (shell - d) * nz, shell
        moves[i, 0] += x - bx
        moves[i, 1] += y - by
        moves[i, 2] += z - bz
        positions[i, 0], positions[i, 1], positions[i, 2] = x, y, z
        seen[i, 0], seen[i, 1], seen[i, 2] = x, y, z
        clear[i], drifts_seen[i] = d - shell, drift


@kernel(counts_references=False)
def largest_move(points, starts, ends):
    """Return the longest way of any of some particles [m]."""
    square = 0.0
    for n in range(points.shape[0]):
        i, own = points[n], 0.0
        for axis in range(3):
            own += (ends[i, axis] - starts[i, axis]) ** 2
        square = max(square, own)
    return math.sqrt(square)


class Puppets:
    """All puppets of a scene as one surface, and what is remembered of each particle."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Build a bounding-volume hierarchy over the triangles of all puppets."""
        self._puppets = [body for body in scene.bodies if isinstance(body, Puppet)]
        self._world = world
        self.is_active = bool(self._puppets)
        self._is_guard = False
        if self.is_active:
            self.drift = 0.0
            self.reshape()

    def set_guard(self, is_guard: bool) -> None:
        """Let the passes after the solve be a guard only, or not: if contact is part of the solve, it keeps the shell."""
        self._is_guard = is_guard
        if self.is_active:
            shells = self.surface.shells
            self._guarded = self.surface._replace(shells=GUARDED * shells) if is_guard else self.surface

    def reshape(self) -> None:
        """Take over the particles of the world, after an edit too."""
        if not self.is_active:
            return
        world, particles = self._world, self._world.particles
        triangles, vertices, frictions, shells = [], np.arange(particles.count), [], []
        for puppet in self._puppets:
            span = world.bodies[puppet.name or ""].particles
            triangles.append(puppet.triangles + span.start)
            vertices[span] = span.start + _merged_vertices(puppet)
            frictions.append(np.full(len(puppet.triangles), puppet.friction))
            shells.append(np.full(len(puppet.triangles), puppet.shell))
        corners = np.concatenate(triangles)
        fan_firsts, fans = _fans(vertices[corners])
        # Over the rest positions, not where an edit finds the points: a saved state could not tell.
        children = nodes_over(particles.rest_positions[corners].mean(axis=1), 0, 0)
        self.surface = PuppetSurface(
            children=children,
            boxes=np.zeros((len(children), 6), dtype=np.float32),
            triangles=np.concatenate([corners, corners[:, 2:]], axis=1).astype(np.int32),
            across=_across(vertices[corners]),
            fan_firsts=fan_firsts,
            fans=fans,
            frictions=np.concatenate(frictions),
            shells=np.concatenate(shells),
        )
        self.set_guard(self._is_guard)
        self._points = np.unique(corners)
        count = particles.count
        self.memory = PuppetMemory(np.zeros((count, 3)), np.zeros(count), np.full(count, -np.inf))
        self.contacts = ParticleContacts.of(count)
        self.sums = ContactSums(count)
        self._all_touched = np.zeros(count, dtype=np.int64)
        self._calm_components, self._filtered = CalmComponents(world), FilteredContact(world)
        self.scratch = SearchScratch(np.zeros(STACK, dtype=np.int64), np.zeros(9))
        self.move, self._is_first = 0.0, True

    @property
    def touched(self) -> NDArray[np.int64]:
        """(particle_count,) 0 for particles that touch a puppet in this substep, -1 for others."""
        return self.contacts.touched

    def surfaces(self) -> list[tuple[NDArray[np.float64], NDArray[np.int64]]]:
        """Return the points of every puppet where they are now, (n, 3) [m], and its triangles."""
        positions, bodies = self._world.particles.positions, self._world.bodies
        return [
            (positions[bodies[puppet.name or ""].particles], puppet.triangles) for puppet in self._puppets
        ]

    def begin_early(self) -> None:
        """Begin a substep before the solve, which is to know where the puppets go."""
        if self.is_active:
            particles = self._world.particles
            particles.positions[self._points] = particles.targets[self._points]
            self.begin()

    def begin(self) -> None:
        """Begin a substep: the puppets are where they are at its end, everything else is not yet."""
        if not self.is_active:
            return
        particles = self._world.particles
        self.move = largest_move(self._points, particles.starts, particles.positions)
        self.drift += self.move
        surface = self.surface
        refit(particles.starts, particles.positions, surface.children, surface.triangles, 0.0, surface.boxes)
        clear_contacts(self.contacts)
        self.sums.begin_substep()
        self._is_first = True

    def collide(self) -> None:
        """Keep particles outside; may be called several times in a substep."""
        if self.is_active:
            collide_with_puppets(
                self._guarded, self.move, self.drift, self._world.particles.arrays, self._is_first, self.memory,
                self.scratch, self.contacts,
            )  # fmt: skip
            self._is_first = False

    def answer(self, filters: Filters, step: float) -> None:
        """Keep particles outside for a first time, as far as the matrix of a filter does."""
        if self.is_active:
            self.collide()
            self._filtered.answer(filters, step, NO_REACTION, self.contacts, NO_REACTIONS)

    def calm(self) -> None:
        """End a substep: sum up contacts, and calm the components that touch a puppet, see `CalmComponents`."""
        if self.is_active:
            self.sums.end_substep(self._world.particles.masses, self.contacts)
            if not self._is_guard:
                self._calm_components.calm(self.touched)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what is remembered of particles: near an open surface it decides on which side a particle counts to be."""
        if not self.is_active:
            return {}
        return {**self.memory._asdict(), "drift": np.array([self.drift])}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned, if it is there; a ValueError or KeyError tells that it does not fit."""
        if not self.is_active or not saved:
            return
        for name, array in self.state().items():
            if (
                saved[name].shape != array.shape
                or saved[name].dtype != array.dtype
                or np.isnan(saved[name]).any()
            ):
                raise ValueError(name)
        for name, array in self.memory._asdict().items():
            array[:] = saved[name]
        self.drift = float(saved["drift"][0])

    def with_touched(self, touched: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what particles touch, obstacle or puppet, (particle_count,); -1 for nothing."""
        if not self.is_active:
            return touched
        return np.maximum(touched, self.touched, out=self._all_touched)

    @property
    def contact_count(self) -> int:
        """Particles that touched a puppet in the last substep."""
        return int(np.count_nonzero(self.touched >= 0)) if self.is_active else 0


def _merged_vertices(puppet: Puppet) -> NDArray[np.int64]:
    """Return for each point the first one at the same place in all samples, (point_count,)."""
    size = float(np.ptp(puppet.samples[0], axis=0).max()) or 1.0
    chosen = (
        puppet.samples[[0, len(puppet.samples) // 2, -1]].transpose(1, 0, 2).reshape(puppet.point_count, -1)
    )
    rounded = np.round(chosen / (SAME_PLACE * size))
    _, first, group = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    vertices: NDArray[np.int64] = first[group.ravel()]
    return vertices


def _across(corners: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the triangle beyond each edge of each triangle, (triangle_count, 3); -1 for none."""
    size = int(corners.max()) + 1
    start, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    key, other = start * size + end, end * size + start
    order = np.argsort(key, kind="stable")
    found = np.minimum(np.searchsorted(key[order], other), len(key) - 1)
    beyond = order[found]
    is_there = key[beyond] == other
    return np.where(is_there, beyond // 3, -1).reshape(-1, 3).astype(np.int32)


def _fans(corners: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the one-rings of all vertices: where each starts, and triangle, corner and the vertex of every corner."""
    flat = corners.ravel()
    order = np.argsort(flat, kind="stable")
    firsts = np.searchsorted(flat[order], np.arange(int(flat.max()) + 2))
    return firsts, np.stack([order // 3, order % 3, flat], axis=1).astype(np.int32)
