"""Levels of detail of a soft body: independent meshes, of which each part uses the one it needs (Debunne 2000, §3)."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field

import numpy as np
from numpy.typing import NDArray

from supple.model.levels.level_arrays import (
    Blocks,
    Elements,
    GhostWeights,
    LevelRanges,
    NodeLists,
    Nodes,
    Samples,
    Ties,
)
from supple.model.levels.level_fields import prolong, write_particles
from supple.model.levels.level_weights import (
    ACTIVE,
    assign_roles,
    level_samples,
    list_nodes,
    lump_masses,
    pack_elements,
    reattach_particles,
    tie_borders,
    unpack_rotations,
    weigh_elements,
)
from supple.model.levels.nesting import nest_meshes
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

FIXED_WEIGHT = 0.7
"""Weight of fixed finer nodes that makes a node fixed [-]."""

SCALED_MASS = 0.02
"""Share of a body's mass that may move to its smallest elements [-]."""

MOST_GHOST_WEIGHTS = 4**5
"""Room for the active nodes that a ghost node may be interpolated from."""


@dataclass
class Levels:
    """Nodes and tetrahedra of all levels of a body, the coarsest first; the finest nodes are its particles.

    Theory: docs/theory/levels.md. The meshes come first, then the state that moves, then what follows from which nodes
    are split; `rebuild` brings that up to date. Kernels take the arrays in bundles (`level_arrays`).
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
    """(element_count,) on which side of all cuts each element lies, from zero: nodes have parents on their own side."""

    parents: NDArray[np.int64] = field(init=False)
    """(node_count, 4) from which nodes each is interpolated if it is: the corners of the coarser tetrahedron around it, or,
    where these cannot serve, of an element that counts; -1 on the coarsest level."""

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

    samples: Samples = field(init=False)
    """The centres of the finest elements."""

    element_samples: NDArray[np.int64] = field(init=False)
    """(element_count,) one of the samples in an element, the nearest if none is inside."""

    positions: NDArray[np.float64] = field(init=False)
    """(node_count, 3) [m]"""

    velocities: NDArray[np.float64] = field(init=False)
    """(node_count, 3) [m/s]"""

    is_split: NDArray[np.bool_] = field(init=False)
    """(node_count,) whether a node is replaced by its children."""

    turns: NDArray[np.float64] = field(init=False)
    """(element_count, 4) unit quaternions: the rotation of each element at the last `store_rotations`."""

    peaks: NDArray[np.float64] = field(init=False)
    """(node_count,) largest error lately [m]."""

    is_touched: NDArray[np.bool_] = field(init=False)
    """(particle_count,) whether a finest node has touched an obstacle in the last frame."""

    is_fixed: NDArray[np.bool_] = field(init=False)
    """(node_count,) whether a node is fixed in space."""

    starts: NDArray[np.float64] = field(init=False)
    """(node_count, 3) where active nodes were at the start of the substep [m]."""

    def __post_init__(self, density: float) -> None:
        """Start at rest on the coarsest level that is allowed."""
        self._nest()
        self._start_at_rest()
        self._make_room()
        self._start_rates()
        self.update_material(density * float(self.samples.volumes.sum()))
        self.rebuild()

    def _nest(self) -> None:
        """Find where the nodes and elements of each level lie in the others."""
        slices = [level_slices(self, level) for level in range(self.count)]
        corners = self.elements.corners.astype(np.int64)
        found = nest_meshes(
            [self.rest[nodes] for nodes, _ in slices],
            [corners[span] - nodes.start for nodes, span in slices],
            [self.sides[span] for _, span in slices],
        )
        self.nested_parents, self.nested_weights = found.parents, found.parent_weights
        self.parents, self.parent_weights = found.parents.copy(), found.parent_weights.copy()
        self.children, self.child_weights = found.children, found.child_weights
        self.finer_nodes, self.finer_weights = found.finer_nodes, found.finer_weights
        self.owners, self.element_samples = found.owners, found.element_samples
        self.spacings = _spacings(self.elements, self.rest)
        finest = slice(int(self.element_firsts[-2]), int(self.element_firsts[-1]))
        self.samples = Samples(
            levels=np.zeros(finest.stop - finest.start, dtype=np.int64),
            elements=found.sample_elements,
            owners=found.sample_owners,
            volumes=self.elements.volumes[finest].copy(),
        )
        self._sample_volumes = np.zeros(self.elements.count)
        for level in range(self.count):
            np.add.at(self._sample_volumes, self.samples.elements[:, level], self.samples.volumes)

    def _start_at_rest(self) -> None:
        """Make the state that moves, and is saved."""
        count = len(self.rest)
        self.positions, self.velocities = self.rest.copy(), np.zeros_like(self.rest)
        self.starts = self.rest.copy()
        self.is_split = np.zeros(count, dtype=np.bool_)
        self.is_split[: self.node_firsts[self.refine.floor]] = True
        self.turns = np.zeros((self.elements.count, 4))
        self.turns[:, 0] = 1.0
        self.peaks, self.is_fixed = np.zeros(count), np.zeros(count, dtype=np.bool_)
        self.is_touched = np.zeros(count - self.finest_nodes.start, dtype=np.bool_)
        self.coarse_fixed = np.zeros(0, dtype=np.int64)
        """Fixed nodes of all levels but the finest, finer ones first."""

    def _make_room(self) -> None:
        """Make room for what follows from which nodes are split."""
        count = len(self.rest)
        self.weights = np.zeros(self.elements.count)
        """(element_count,) by what share each element counts [-]."""
        self._has_coarser = np.zeros(self.elements.count, dtype=np.bool_)
        self.roles = np.zeros(count, dtype=np.int8)
        """(node_count,) `UNUSED`, `ACTIVE` or `GHOST`."""
        self.finest = np.zeros(count, dtype=np.int8)
        """(node_count,) the finest level whose elements move a node."""
        self.masses = np.zeros(count)
        """(node_count,) of active nodes, 0 of all others [kg]."""
        self.lists = NodeLists.blank(count)
        self.ties = Ties.blank(count, self.count)
        self.blocks = Blocks.blank(self.element_firsts)
        self.is_constrained = np.zeros(count, dtype=np.bool_)
        """(node_count,) whether a node is fixed or not active: it does not move by itself."""
        self.forces = np.zeros_like(self.rest)
        """(node_count, 3) [N], scratch."""
        self._reaches_over = np.zeros(count, dtype=np.bool_)
        self._is_sound = np.zeros(count, dtype=np.bool_)
        self._support = np.zeros((count, 2))

    def _start_rates(self) -> None:
        """Make what says how often the levels act, and what they cost."""
        self.stable_steps = np.zeros(self.count)
        """(level_count,) longest step with which each level moved alone is stable [s]; 0 if it is not known."""
        self.stiffest = np.zeros(self.count)
        """(level_count,) square of the highest frequency of each level [1/s²]."""
        self.softening = np.ones(self.count)
        """(level_count,) what the moduli of a level are multiplied with where no step would be short enough [-]."""
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

    @property
    def count(self) -> int:
        """Number of levels."""
        return len(self.node_firsts) - 1

    @property
    def finest_nodes(self) -> slice:
        """The nodes that are the particles of the body."""
        return slice(int(self.node_firsts[-2]), int(self.node_firsts[-1]))

    @property
    def ranges(self) -> LevelRanges:
        """First node and first element of each level."""
        return LevelRanges(self.node_firsts, self.element_firsts)

    @property
    def nodes(self) -> Nodes:
        """The nodes of all levels in motion."""
        return Nodes(self.rest, self.is_fixed, self.masses, self.starts, self.positions, self.velocities)

    @property
    def ghosts(self) -> GhostWeights:
        """The parents of ghost nodes, and of finest nodes without elements."""
        return GhostWeights(self.roles, self.parents, self.parent_weights)

    @property
    def nested(self) -> GhostWeights:
        """The corners of the coarser tetrahedron around each node, whether they are in use or not."""
        return GhostWeights(self.roles, self.nested_parents, self.nested_weights)

    @property
    def weighed_elements(self) -> Elements:
        """The elements of all levels, and by what share each of them counts."""
        all_of = self.elements
        return Elements(
            corners=all_of.corners,
            gradients=all_of.gradients,
            volumes=all_of.volumes,
            sample_volumes=self._sample_volumes,
            table=self._table,
            masses=self.element_masses,
            weights=self.weights,
            has_coarser=self._has_coarser,
        )

    def arrays(self) -> list[NDArray[np.generic]]:
        """Return its large arrays."""
        arrays = [array for array in vars(self).values() if isinstance(array, np.ndarray)]
        bundles = (self.samples, self.lists, self.ties, self.blocks)
        arrays += [array for bundle in bundles for array in bundle]
        return [*arrays, self.elements.gradients, self.elements.blocks]

    def update_material(self, total_mass: float) -> None:
        """Follow changed materials and a changed mass of the whole body [kg]."""
        by_place = self.elements.blocks.reshape(-1, VALUES, WIDTH).transpose(0, 2, 1).reshape(-1, VALUES)
        self._table = np.ascontiguousarray(by_place[: self.elements.count])
        volumes, firsts = self.elements.volumes, self.element_firsts
        self.total_mass = total_mass
        self.stable_steps[:] = 0.0  # the integrator finds them anew
        self.element_masses = np.zeros(self.elements.count)
        for level in range(self.count):
            span = slice(firsts[level], firsts[level + 1])
            # A coarse mesh cuts corners off the body; its density makes up for it.
            shares = volumes[span] * mass_scaling(self.elements.all_gradients()[span], volumes[span])
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
            np.maximum.at(reach, self.samples.owners[:, level], of_samples)
        for level in range(self.count - 1, 0, -1):
            own, _ = level_slices(self, level)
            np.maximum.at(reach, self.owners[own], reach[own])
        for level in range(self.count - 1):
            own, _ = level_slices(self, level)
            self.is_split[own] = reach[own] > level
        self.is_split[: self.node_firsts[self.refine.floor]] = True

    def restart(
        self,
        positions: NDArray[np.float64],
        velocities: NDArray[np.float64],
        wanted: NDArray[np.integer],
    ) -> None:
        """Place the nodes of all levels where the particles are, and split them as wanted.

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

    def fit_rotations(self) -> None:
        """Give every element the rotation that fits its deformation best, whether it counts or not."""
        self.elements.turn_to(self.positions)
        self.turns[:] = self.elements.turns()

    def store_rotations(self) -> None:
        """Copy the rotations of the elements in use from their blocks to `turns`."""
        unpack_rotations(WIDTH, self.blocks, self.turns)

    def rebuild(self) -> None:
        """Find out anew, from which nodes are split, by what share each element counts and what each node does."""
        elements = self.weighed_elements
        level_samples(self.is_split, self.samples)
        weigh_elements(self.samples, elements)
        assign_roles(self.ranges, elements, self.nested, self._reaches_over)
        lump_masses(self.total_mass, self.ranges, elements, self.nested, self.finest, self.masses)
        reattach_particles(
            self.ranges, self.rest, self.samples, elements, self.nested, self._is_sound, self.ghosts
        )
        list_nodes(self.ranges, self.roles, self.lists)
        self._constrain()
        self.update_ties()
        self.pack()

    def _constrain(self) -> None:
        np.not_equal(self.roles, ACTIVE, out=self.is_constrained)
        self.is_constrained |= self.is_fixed

    def update_ties(self) -> None:
        """Tie border nodes with few elements to the finer field, sorted by the level they act together with.

        How stiff a tie may be depends on `stiffest`, which the integrator knows.
        """
        ties = self.ties
        count = tie_borders(
            self.ranges, self.weighed_elements, self.finer_nodes, self.finer_weights, self.roles, self.finest,
            self.masses, self.stiffest, self._support, ties,
        )  # fmt: skip
        acts_with = self.finest[ties.nodes[:count]]
        order = np.argsort(acts_with, kind="stable")
        for array in (ties.nodes, ties.stiffness, ties.finer_nodes, ties.finer_weights):
            array[:count] = array[:count][order]
        ties.firsts[:] = np.searchsorted(acts_with[order], np.arange(self.count + 1))

    def set_fixed(self, is_fixed: NDArray[np.bool_]) -> None:
        """Follow which particles are fixed, (particle_count,).

        A coarser node is fixed if finer ones around it are, by most of their weights: with fewer, the region that is fixed
        would grow from level to level.
        """
        fine = self.finest_nodes
        if np.array_equal(self.is_fixed[fine], is_fixed):
            return
        self.is_fixed[fine] = is_fixed
        for level in range(self.count - 2, -1, -1):
            own = slice(self.node_firsts[level], self.node_firsts[level + 1])
            fixed = np.where(self.is_fixed[self.children[own]], self.child_weights[own], 0.0)
            self.is_fixed[own] = fixed.sum(axis=1) > FIXED_WEIGHT
        self.coarse_fixed = np.flatnonzero(self.is_fixed[: fine.start])[::-1].copy()
        self._constrain()

    def pack(self) -> None:
        """Write the elements that count into blocks."""
        pack_elements(WIDTH, self.ranges, self.weighed_elements, self.softening, self.turns, self.blocks)

    def update_ghosts(self) -> None:
        """Interpolate ghost nodes, and finest nodes in coarse regions, from the coarser mesh."""
        for values in (self.positions, self.velocities):
            prolong(self.lists.interpolated, 0, int(self.lists.counts[2]), self.ghosts, values)

    def write_particles(self, ends: NDArray[np.float64]) -> None:
        """Interpolate ghost nodes and write where the particles are, (particle_count, 3) [m]; fixed ones stay."""
        write_particles(self.finest_nodes.start, self.lists, self.ghosts, self.nodes, ends)

    def block_range(self, level: int) -> tuple[int, int]:
        """Return the first place of a level in the blocks, and the one after its last element that counts."""
        begin = int(self.blocks.firsts[level])
        return begin, begin + int(self.blocks.used_counts[level])

    def padded_range(self, level: int) -> slice:
        """Return the places of a level in the blocks, whole blocks."""
        begin = int(self.blocks.firsts[level])
        return slice(begin, begin + int(self.blocks.counts[level]))

    def active_nodes(self) -> NDArray[np.int64]:
        """Return the active nodes, coarse ones first."""
        return self.lists.active[: self.lists.counts[0]]

    def level_counts(self) -> tuple[int, ...]:
        """Return how many nodes of each level are active."""
        cuts = np.searchsorted(self.active_nodes(), self.node_firsts)
        return tuple(np.diff(cuts).tolist())

    def updates(self) -> int:
        """Return how many times in a frame the forces on any node are computed."""
        return int(self.rates[self.finest[self.active_nodes()]].sum())

    def finest_edges(self) -> NDArray[np.int64]:
        """Return the edges of the finest mesh, (edge_count, 2) particles of the body."""
        part, _ = level_elements(self, self.count - 1)
        return part.edges()

    def node_levels(self) -> NDArray[np.int8]:
        """Return the level at which the surroundings of every finest node are computed, (particle_count,)."""
        levels = np.full(len(self.rest), -1, dtype=np.int8)
        corners = self.elements.corners[self.element_firsts[-2] :]
        for corner in range(4):
            np.maximum.at(levels, corners[:, corner], self.samples.levels)
        return levels[self.finest_nodes]


def mass_scaling(gradients: NDArray[np.float64], volumes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the factors, at least 1, by which the densities of small elements grow so that they do not dictate the step.

    Theory: docs/theory/levels.md, eq. (D10). What an element allows goes with Σ|α|²; a few small ones at the surface
    allow half of what all others do. The factors bring down the highest of these, as far as SCALED_MASS reaches.

    Args:
        gradients: (element_count, 4, 3) of the shape functions, α [1/m]
        volumes: (element_count,) [m³]
    """
    squares = np.sum(gradients**2, axis=(1, 2))
    order = np.argsort(-squares, kind="stable")
    high, mass = squares[order], volumes[order]
    # Mass that is added if everything above the square of entry n is brought down to it.
    added = np.cumsum(mass * high) / high - np.cumsum(mass)
    last = int(np.searchsorted(added, SCALED_MASS * float(volumes.sum()), side="right")) - 1
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
    rest = [placed(points, body.at, body.rotation) for points, _ in body.level_meshes()]
    meshes = []
    for _, tetrahedra in body.level_meshes():
        # In the order of their first corners: elements that follow each other share what the cache holds.
        meshes.append(tetrahedra[np.argsort(tetrahedra.min(axis=1), kind="stable")])
    node_firsts = np.concatenate([[0], np.cumsum([len(points) for points in rest])]).astype(np.int64)
    element_firsts = np.concatenate([[0], np.cumsum([len(corners) for corners in meshes])]).astype(np.int64)
    parts = [plain_tetrahedra(points, corners) for points, corners in zip(rest, meshes, strict=True)]
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
        rest=np.concatenate(rest),
        elements=elements,
        sides=np.zeros(elements.count, dtype=np.int64),
    )
    levels.velocities[:] = body.velocity
    return levels


def _spacings(elements: Tetrahedra, rest: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean length of the edges that meet in each node, (node_count,) [m]."""
    edges = elements.edges()
    lengths = np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=1)
    sums, counts = np.zeros(len(rest)), np.zeros(len(rest))
    for end in range(2):
        np.add.at(sums, edges[:, end], lengths)
        np.add.at(counts, edges[:, end], 1.0)
    return sums / counts
