"""Levels: a soft body in several independent meshes, of which each part uses the one it needs (Debunne 2000, §3)."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field

import numpy as np
from numpy.typing import NDArray

from supple.model.levels.level_fields import follow, write_places
from supple.model.levels.level_weights import (
    ACTIVE,
    assign_roles,
    lead_lost,
    level_samples,
    list_nodes,
    pack_elements,
    share_masses,
    tie_borders,
    unpack_turns,
    weigh_elements,
)
from supple.model.levels.nesting import nested
from supple.model.tetrahedra import (
    VALUES,
    WIDTH,
    Tetrahedra,
    corner_volumes,
    join_tetrahedra,
    plain_tetrahedra,
)
from supple.scene.bodies.refinement import Refine
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.placement import placed

HELD_SHARE = 0.7
"""Weight of held finer nodes that makes a node held [-]."""

MOVED_MASS = 0.02
"""Share of a body's mass that may move to its smallest elements [-]."""

MOST_SHARES = 4**5
"""Room for the active nodes that a follower may be made up of."""


@dataclass
class Levels:
    """Nodes and tetrahedra of all levels, the coarsest first; the finest nodes are the particles of the body.

    Theory: docs/theory/levels.md. What is fixed for good comes first, then the state that moves, then what
    follows from which nodes are split; `rebuild` brings that up to date.
    """

    name: str
    """Of the body."""

    refine: Refine
    """Where it is computed finely."""

    cell: float
    """Of the finest level [m]."""

    density: InitVar[float]
    """[kg/m³] at the start."""

    node_firsts: NDArray[np.int64]
    """(level_count + 1,) first node of each level."""

    element_firsts: NDArray[np.int64]
    """(level_count + 1,) first element of each level."""

    rest: NDArray[np.float64]
    """(node_count, 3) where nodes are when nothing is strained [m]."""

    elements: Tetrahedra
    """Of all levels, each of the whole body."""

    sides: NDArray[np.int64]
    """(element_count,) on which side of all cuts each element lies, from zero: nodes hang on elements of their side."""

    parents: NDArray[np.int64] = field(init=False)
    """(node_count, 4) whom each node follows if it does: the corners of the coarser tetrahedron around it, or, where
    these lead nowhere, of an element that counts; -1 on the coarsest level."""

    parent_weights: NDArray[np.float64] = field(init=False)
    """(node_count, 4) [-]"""

    children: NDArray[np.int64] = field(init=False)
    """(node_count, 4) corners of the finer tetrahedron around each node; -1 on the finest level."""

    child_weights: NDArray[np.float64] = field(init=False)
    """(node_count, 4) [-]"""

    finer_nodes: NDArray[np.int64] = field(init=False)
    """(node_count, level_count, 4) corners of the tetrahedron of every finer level around each node; else -1."""

    finer_weights: NDArray[np.float64] = field(init=False)
    """(node_count, level_count, 4) [-]"""

    owners: NDArray[np.int64] = field(init=False)
    """(node_count,) the coarser node in whose Voronoi cell each node lies; -1 on the coarsest level."""

    spacings: NDArray[np.float64] = field(init=False)
    """(node_count,) mean distance to the neighbours in the mesh [m]."""

    sample_elements: NDArray[np.int64] = field(init=False)
    """(sample_count, level_count) element of each level that holds the middle of a finest element."""

    sample_owners: NDArray[np.int64] = field(init=False)
    """(sample_count, level_count - 1) nearest node of each level but the finest."""

    element_samples: NDArray[np.int64] = field(init=False)
    """(element_count,) one of the samples in an element, the nearest if none is inside."""

    positions: NDArray[np.float64] = field(init=False)
    """(node_count, 3) [m]"""

    velocities: NDArray[np.float64] = field(init=False)
    """(node_count, 3) [m/s]"""

    is_split: NDArray[np.bool_] = field(init=False)
    """(node_count,) whether a node is replaced by its children."""

    turns: NDArray[np.float64] = field(init=False)
    """(element_count, 4) unit quaternions: how each element had turned when it was last put away."""

    peaks: NDArray[np.float64] = field(init=False)
    """(node_count,) largest error lately [m]."""

    is_touched: NDArray[np.bool_] = field(init=False)
    """(particle_count,) whether a finest node has touched an obstacle in the last frame."""

    is_fixed: NDArray[np.bool_] = field(init=False)
    """(node_count,) whether a node is held."""

    starts: NDArray[np.float64] = field(init=False)
    """(node_count, 3) where active nodes were at the start of the substep [m]."""

    def __post_init__(self, density: float) -> None:
        """Start at rest on the coarsest level that is allowed."""
        self._nest()
        self.starts = self.rest.copy()
        count, element_count = len(self.rest), self.elements.count
        self.positions, self.velocities = self.rest.copy(), np.zeros_like(self.rest)
        self.is_split = np.zeros(count, dtype=np.bool_)
        self.is_split[: self.node_firsts[self.refine.floor]] = True
        self.turns = np.zeros((element_count, 4))
        self.turns[:, 0] = 1.0
        self.peaks, self.is_fixed = np.zeros(count), np.zeros(count, dtype=np.bool_)
        finest = slice(int(self.element_firsts[-2]), int(self.element_firsts[-1]))
        self.sample_volumes = self.elements.volumes[finest].copy()
        self.element_volumes = np.zeros(element_count)
        for level in range(self.count):
            np.add.at(self.element_volumes, self.sample_elements[:, level], self.sample_volumes)
        self.sample_levels = np.zeros(len(self.sample_volumes), dtype=np.int64)
        self.weights, self.has_coarser = np.zeros(element_count), np.zeros(element_count, dtype=np.bool_)
        self.roles, self._reaches_over = np.zeros(count, dtype=np.int8), np.zeros(count, dtype=np.bool_)
        self.finest, self.masses = np.zeros(count, dtype=np.int8), np.zeros(count)
        self._is_sound = np.zeros(count, dtype=np.bool_)
        self.actives, self.followers = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        self.counts = np.zeros(3, dtype=np.int64)
        self.stable_steps = np.zeros(self.count)
        self._support, self.stiffest = np.zeros((count, 2)), np.zeros(self.count)
        self.tied, self.tie_stiffness = np.zeros(count, dtype=np.int64), np.zeros(count)
        self.tie_nodes, self.tie_weights = np.zeros((count, 4), dtype=np.int64), np.zeros((count, 4))
        self.tie_firsts = np.zeros(self.count + 1, dtype=np.int64)
        sizes = -(-np.diff(self.element_firsts) // WIDTH) * WIDTH
        self.block_firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        room = int(self.block_firsts[-1])
        self.used = np.full(room, -1, dtype=np.int64)
        self.used_counts = np.zeros(self.count, dtype=np.int64)
        self.block_counts = np.zeros(self.count, dtype=np.int64)
        self.block_corners = np.zeros((room, 4), dtype=np.uint32)
        self.blocks, self.block_volumes = np.zeros(room * VALUES), np.zeros(room)
        self.rotations, self.compressions = np.zeros(room * 4), np.ones(room)
        self.is_touched = np.zeros(count - self.finest_nodes.start, dtype=np.bool_)
        self.forces = np.zeros_like(self.rest)
        """(node_count, 3) [N], scratch."""
        self.softening = np.ones(self.count)
        """(level_count,) what the moduli of a level are multiplied with where no step would be short enough [-]."""
        self.coarse_held, self.is_led = np.zeros(0, dtype=np.int64), np.zeros(count, dtype=np.bool_)
        self.rates = np.ones(self.count, dtype=np.int64)
        """(level_count,) how many times in a frame the elements of each level act; powers of two."""
        self.newton_steps = np.ones(self.count, dtype=np.int64)
        """(level_count,) steps by which the rotations of each level follow its elements before they act."""
        if len(self.elements.last_step) != self.count:  # cut, they remember how they moved
            self.elements.peak_strain, self.elements.last_step = np.zeros(self.count), np.zeros(self.count)
        self.held_back = 0
        """Nodes that the budget kept from being split before the last frame."""
        self.element_seconds = 0.0
        """Time that the forces of its elements have taken in this frame [s]."""
        self.switches = 0
        """Nodes that were split or merged before the last frame."""
        self.refresh(density * float(self.elements.volumes[finest].sum()))
        self.rebuild()

    def _nest(self) -> None:
        """Find where the nodes and elements of each level lie in the others."""
        slices = [level_slices(self, level) for level in range(self.count)]
        corners = self.elements.corners.astype(np.int64)
        found = nested(
            [self.rest[nodes] for nodes, _ in slices],
            [corners[span] - nodes.start for nodes, span in slices],
            [self.sides[span] for _, span in slices],
        )
        self.nested_parents, self.nested_weights = found.parents, found.parent_weights
        self.parents, self.parent_weights = found.parents.copy(), found.parent_weights.copy()
        self.children, self.child_weights = found.children, found.child_weights
        self.finer_nodes, self.finer_weights = found.finer_nodes, found.finer_weights
        self.owners, self.element_samples = found.owners, found.element_samples
        self.sample_elements, self.sample_owners = found.sample_elements, found.sample_owners
        self.spacings = _spacings(self.elements, self.rest)

    @property
    def count(self) -> int:
        """Number of levels."""
        return len(self.node_firsts) - 1

    @property
    def finest_nodes(self) -> slice:
        """The nodes that are the particles of the body."""
        return slice(int(self.node_firsts[-2]), int(self.node_firsts[-1]))

    def arrays(self) -> list[NDArray[np.generic]]:
        """Return its large arrays."""
        arrays = [array for array in vars(self).values() if isinstance(array, np.ndarray)]
        return [*arrays, self.elements.gradients, self.elements.blocks]

    def refresh(self, total_mass: float) -> None:
        """Take over changed materials and the mass of the whole body [kg]."""
        by_place = self.elements.blocks.reshape(-1, VALUES, WIDTH).transpose(0, 2, 1).reshape(-1, VALUES)
        self.table = np.ascontiguousarray(by_place[: self.elements.count])
        volumes, firsts = self.elements.volumes, self.element_firsts
        self.total_mass = total_mass
        self.stable_steps[:] = 0.0  # the integrator finds them anew
        self.element_masses = np.zeros(self.elements.count)
        for level in range(self.count):
            span = slice(firsts[level], firsts[level + 1])
            # A coarse mesh cuts corners off the body; its density makes up for it.
            shares = volumes[span] * heavier(self.elements.all_gradients()[span], volumes[span])
            self.element_masses[span] = self.total_mass * shares / float(shares.sum())

    def split_down_to(self, wanted: NDArray[np.integer]) -> None:
        """Split nodes so that the surroundings of every finest node are computed at its level of `wanted` or finer.

        Args:
            wanted: (particle_count,) levels, from 0
        """
        reach = np.full(len(self.rest), -1, dtype=np.int64)
        reach[self.finest_nodes] = wanted
        self.is_split[:] = False
        # A node may own samples and yet no node: then only these say how fine it is to be.
        corners = self.elements.corners[self.element_firsts[-2] :].astype(np.int64)
        of_samples = reach[corners].max(axis=1)
        for level in range(self.count - 1):
            np.maximum.at(reach, self.sample_owners[:, level], of_samples)
        for level in range(self.count - 1, 0, -1):
            own, _ = level_slices(self, level)
            np.maximum.at(reach, self.owners[own], reach[own])
        for level in range(self.count - 1):
            own, _ = level_slices(self, level)
            self.is_split[own] = reach[own] > level
        self.is_split[: self.node_firsts[self.refine.floor]] = True

    def take_up(
        self,
        positions: NDArray[np.float64],
        velocities: NDArray[np.float64],
        wanted: NDArray[np.integer],
    ) -> None:
        """Be where the particles are on all levels, and as fine as it is wanted.

        Args:
            positions: (particle_count, 3) [m]
            velocities: (particle_count, 3) [m/s]
            wanted: (particle_count,) see `split_down_to`
        """
        for own, given in ((self.positions, positions), (self.velocities, velocities)):
            own[self.finest_nodes] = given
            for level in range(self.count - 2, -1, -1):
                nodes, _ = level_slices(self, level)
                own[nodes] = (self.child_weights[nodes][:, :, None] * own[self.children[nodes]]).sum(axis=1)
        self.peaks[:], self.is_touched[:] = 0.0, False
        self.split_down_to(wanted)

    def turn_to_positions(self) -> None:
        """Let every element have the rotation that fits its deformation best, whether it counts or not."""
        self.elements.turn_to(self.positions)
        self.turns[:] = self.elements.turns()

    def put_away(self) -> None:
        """Let every element keep the rotation it has in its block."""
        unpack_turns(WIDTH, self.block_firsts, self.block_counts, self.used, self.rotations, self.turns)

    def rebuild(self) -> None:
        """Find out anew, from which nodes are split, what each element and node counts."""
        level_samples(self.sample_owners, self.is_split, self.sample_levels)
        weigh_elements(
            self.sample_levels, self.sample_elements, self.sample_volumes, self.element_volumes,
            self.has_coarser, self.weights,
        )  # fmt: skip
        corners = self.elements.corners
        assign_roles(
            corners, self.weights, self.has_coarser, self.node_firsts, self.nested_parents, self.nested_weights,
            self._reaches_over, self.roles,
        )  # fmt: skip
        share_masses(
            corners, self.weights, self.element_masses, self.total_mass, self.element_firsts, self.node_firsts,
            self.nested_parents, self.nested_weights, self.roles, self.finest, self.masses,
        )  # fmt: skip
        lead_lost(
            corners, self.elements.gradients, self.rest, int(self.element_firsts[-2]), self.node_firsts,
            self.sample_levels, self.sample_elements, self.roles, self.nested_parents, self.nested_weights,
            self._is_sound, self.parents, self.parent_weights,
        )  # fmt: skip
        list_nodes(self.node_firsts, self.roles, self.actives, self.followers, self.counts)
        np.not_equal(self.roles, ACTIVE, out=self.is_led)
        self.is_led |= self.is_fixed
        self.tie()
        self.pack()

    def tie(self) -> None:
        """Tie nodes that little holds to the finer field, sorted by the level whose turn is theirs.

        How stiff a tie may be depends on `stiffest`, which the integrator knows.
        """
        count = tie_borders(
            self.node_firsts, self.elements.corners, self.weights, self.element_masses, self.finer_nodes,
            self.finer_weights, self.roles, self.finest, self.masses, self.stiffest, self._support, self.tied,
            self.tie_stiffness, self.tie_nodes, self.tie_weights,
        )  # fmt: skip
        turns = self.finest[self.tied[:count]]
        order = np.argsort(turns, kind="stable")
        for array in (self.tied, self.tie_stiffness, self.tie_nodes, self.tie_weights):
            array[:count] = array[:count][order]
        self.tie_firsts[:] = np.searchsorted(turns[order], np.arange(self.count + 1))

    def refix(self, is_held: NDArray[np.bool_]) -> None:
        """Take over which particles are held, (particle_count,).

        A coarser node is held if finer ones around it are, by most of their weights: with fewer, the region that is held
        would grow from level to level.
        """
        fine = self.finest_nodes
        if np.array_equal(self.is_fixed[fine], is_held):
            return
        self.is_fixed[fine] = is_held
        for level in range(self.count - 2, -1, -1):
            own = slice(self.node_firsts[level], self.node_firsts[level + 1])
            held = np.where(self.is_fixed[self.children[own]], self.child_weights[own], 0.0)
            self.is_fixed[own] = held.sum(axis=1) > HELD_SHARE
        self.coarse_held = np.flatnonzero(self.is_fixed[: fine.start])[::-1].copy()
        np.not_equal(self.roles, ACTIVE, out=self.is_led)
        self.is_led |= self.is_fixed

    def pack(self) -> None:
        """Write the elements that count into blocks."""
        pack_elements(
            WIDTH, self.element_firsts, self.block_firsts, self.elements.corners, self.table, self.softening, self.weights,
            self.elements.volumes, self.turns, self.used, self.used_counts, self.block_counts,
            self.block_corners, self.blocks, self.block_volumes, self.rotations,
        )  # fmt: skip

    def lead_followers(self) -> None:
        """Put ghosts, and finest nodes in coarse regions, where the coarser field is."""
        for values in (self.positions, self.velocities):
            follow(self.followers, 0, int(self.counts[2]), self.parents, self.parent_weights, values)

    def show(self, ends: NDArray[np.float64]) -> None:
        """Lead followers and write where the particles are, (particle_count, 3) [m]; held ones stay."""
        follow(self.followers, 0, int(self.counts[2]), self.parents, self.parent_weights, self.positions)
        write_places(self.finest_nodes.start, self.is_fixed, self.positions, ends)

    def places(self, level: int) -> tuple[int, int]:
        """Return the first place of a level in the blocks, and the one after its last element that counts."""
        begin = int(self.block_firsts[level])
        return begin, begin + int(self.used_counts[level])

    def active_nodes(self) -> NDArray[np.int64]:
        """Return the active nodes, coarse ones first."""
        return self.actives[: self.counts[0]]

    def level_counts(self) -> tuple[int, ...]:
        """Return how many nodes of each level are active."""
        cuts = np.searchsorted(self.active_nodes(), self.node_firsts)
        return tuple(np.diff(cuts).tolist())

    def updates(self) -> int:
        """Return how many times in a frame the forces on any node are computed."""
        return int(self.rates[self.finest[self.active_nodes()]].sum())

    def all_updates(self) -> int:
        """Return the same for the finest mesh everywhere."""
        return int((self.node_firsts[-1] - self.node_firsts[-2]) * self.rates[-1])

    def finest_edges(self) -> NDArray[np.int64]:
        """Return the edges of the finest mesh, (edge_count, 2) particles of the body."""
        part, _ = level_elements(self, self.count - 1)
        return part.edges()

    def node_levels(self) -> NDArray[np.int8]:
        """Return the level at which the surroundings of every finest node are computed, (particle_count,)."""
        levels = np.full(len(self.rest), -1, dtype=np.int8)
        corners = self.elements.corners[self.element_firsts[-2] :]
        for corner in range(4):
            np.maximum.at(levels, corners[:, corner], self.sample_levels)
        return levels[self.finest_nodes]


def heavier(gradients: NDArray[np.float64], volumes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the factors by which the densities of small elements grow so that they do not dictate the step, all >= 1.

    Theory: docs/theory/levels.md, eq. (D10). What an element allows goes with Σ|α|²; a few small ones at the surface
    allow half of what all others do. The factors bring down the highest of these, as far as MOVED_MASS reaches.

    Args:
        gradients: (element_count, 4, 3) of the shape functions, α [1/m]
        volumes: (element_count,) [m³]
    """
    squares = np.sum(gradients**2, axis=(1, 2))
    order = np.argsort(-squares, kind="stable")
    high, mass = squares[order], volumes[order]
    # Mass that is added if everything above the square of entry n is brought down to it.
    added = np.cumsum(mass * high) / high - np.cumsum(mass)
    last = int(np.searchsorted(added, MOVED_MASS * float(volumes.sum()), side="right")) - 1
    factors: NDArray[np.float64] = np.maximum(1.0, squares / high[max(last, 0)])
    return factors


def level_slices(levels: Levels, level: int) -> tuple[slice, slice]:
    """Return where the nodes and the elements of a level are."""
    nodes, elements = levels.node_firsts, levels.element_firsts
    return (
        slice(int(nodes[level]), int(nodes[level + 1])),
        slice(int(elements[level]), int(elements[level + 1])),
    )


def level_elements(levels: Levels, level: int) -> tuple[Tetrahedra, NDArray[np.float64]]:
    """Return the elements of one level, their nodes numbered from zero, and the masses of its nodes if used alone."""
    span = slice(levels.element_firsts[level], levels.element_firsts[level + 1])
    first, end = int(levels.node_firsts[level]), int(levels.node_firsts[level + 1])
    whole = levels.elements
    corners = whole.corners[span] - np.uint32(first)
    part = Tetrahedra(
        corners=corners,
        gradients=whole.gradients[span],
        volumes=whole.volumes[span],
        shear_moduli=whole.shear_moduli[span],
        lame_moduli=whole.lame_moduli[span],
        shear_damping=whole.shear_damping[span],
        volume_damping=whole.volume_damping[span],
        is_corotated=whole.is_corotated[span],
    )
    shares = corner_volumes(levels.element_masses[span], corners.astype(np.int64), end - first)
    return part, shares


def build_levels(body: SoftBody, name: str) -> Levels:
    """Return the levels of a soft body at rest where the scene starts."""
    material = body.stuff
    places = [placed(points, body.at, body.rotation) for points, _ in body.level_meshes()]
    meshes = []
    for _, tetrahedra in body.level_meshes():
        # In the order of their first corners: elements that follow each other share what the cache holds.
        meshes.append(tetrahedra[np.argsort(tetrahedra.min(axis=1), kind="stable")])
    node_firsts = np.concatenate([[0], np.cumsum([len(points) for points in places])]).astype(np.int64)
    element_firsts = np.concatenate([[0], np.cumsum([len(corners) for corners in meshes])]).astype(np.int64)
    parts = [plain_tetrahedra(points, corners) for points, corners in zip(places, meshes, strict=True)]
    elements = join_tetrahedra(parts, node_firsts[:-1].tolist())
    elements.is_corotated[:] = body.elasticity == "corotated"
    elements.set_material(
        slice(0, elements.count),
        young=material.young,
        poisson=material.poisson,
        damping=material.damping,
        volume_damping=material.volume_damping,
    )
    levels = Levels(
        name=name,
        refine=body.refine,
        cell=float(body.shape.cell),  # type: ignore[attr-defined]
        density=material.density,
        node_firsts=node_firsts,
        element_firsts=element_firsts,
        rest=np.concatenate(places),
        elements=elements,
        sides=np.zeros(elements.count, dtype=np.int64),
    )
    levels.velocities[:] = body.velocity
    return levels


def _spacings(elements: Tetrahedra, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean length of the edges that meet in each node, (node_count,) [m]."""
    edges = elements.edges()
    lengths = np.linalg.norm(places[edges[:, 0]] - places[edges[:, 1]], axis=1)
    sums, counts = np.zeros(len(places)), np.zeros(len(places))
    for end in range(2):
        np.add.at(sums, edges[:, end], lengths)
        np.add.at(counts, edges[:, end], 1.0)
    return sums / counts


def is_active(levels: Levels) -> NDArray[np.bool_]:
    """Return which nodes are active, (node_count,)."""
    active: NDArray[np.bool_] = levels.roles == ACTIVE
    return active
