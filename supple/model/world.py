"""World: everything that moves, built from a scene."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from supple.model.anchors import Anchors
from supple.model.bends import Bends, join_bends
from supple.model.builders.body_parts import BodyParts, body_parts
from supple.model.couplings.couplings import Couplings, Scratch, couple
from supple.model.couplings.patch_matrices import patch_step_matrix
from supple.model.couplings.update_couplings import ChangedParticles, update_couplings
from supple.model.elasticity import Elasticity, apply_elasticity
from supple.model.gas_volumes import GasVolumes, joined_gas_volumes
from supple.model.levels.levels import Levels, build_levels
from supple.model.membrane import (
    Fabric,
    Membrane,
    bend_along_threads,
    fabric_of,
    keep_slips,
    no_membrane,
    set_springs,
    woven,
)
from supple.model.particles import Particles
from supple.model.springs import Springs, join_springs
from supple.model.tables.ancestry import Ancestry
from supple.model.tables.growable import joined
from supple.model.tables.renumbering import (
    Renumbering,
    RowMover,
    renumber_couplings,
    renumber_elements,
    renumber_particles,
    renumbered_anchors,
)
from supple.model.tables.row_updates import RowUpdate
from supple.model.tetrahedra import Tetrahedra, join_tetrahedra
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.regions import Region
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.scene import Scene


@dataclass(frozen=True)
class BodyRange:
    """Where one body lies in the arrays of the world."""

    name: str
    particles: slice
    springs: slice
    bends: slice
    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertex indices of the body, from zero."""

    shares: NDArray[np.float64]
    """(vertex_count,) length, area or volume each vertex stands for."""

    regions: tuple[Region, ...]
    """Parts with their own elasticity, in the order that `Springs.region` counts them."""

    tetrahedra: slice

    origin: str
    """Name of the declared body that it is, or that it came off."""

    ancestry: Ancestry | None = None
    """Where the parts of an edited cloth come from; None for what is as it was declared, and for soft bodies."""

    soft_ancestors: NDArray[np.int64] | None = None
    """(vertex_count,) the declared vertex that each one of a cut soft body is or is a copy of; None if not cut."""

    @property
    def is_soft(self) -> bool:
        """Whether it is made of tetrahedra."""
        return bool(self.tetrahedra.stop > self.tetrahedra.start)


@dataclass
class World:
    """Particles, springs, bending elements, tetrahedra and anchors of all bodies, concatenated."""

    particles: Particles
    springs: Springs
    bends: Bends
    tetrahedra: Tetrahedra
    anchors: Anchors
    bodies: dict[str, BodyRange]
    gravity: NDArray[np.float64]
    """(3,) [m/s²]"""

    drag: float
    """Ambient damping rate [1/s]."""

    levels: dict[str, Levels] = field(default_factory=dict)
    """Bodies of several levels of detail by name; their tetrahedra are here and not among the others."""

    has_obstacles: bool = False
    """Whether there is anything to touch."""

    fabrics: dict[str, Fabric] = field(default_factory=dict)
    """What declared cloth is made of, by name."""

    membrane: Membrane = field(init=False)
    """Elements of cloth as they were woven last."""

    gas_volumes: GasVolumes = field(init=False, default_factory=lambda: joined_gas_volumes([]))
    couplings: Couplings = field(init=False)
    changed_particles: ChangedParticles | None = field(init=False, default=None)
    """What the last edit in place has changed, as long as particles have the numbers they had then."""

    scratch: Scratch = field(init=False, default_factory=Scratch)
    row_mover: RowMover = field(init=False)

    def __post_init__(self) -> None:
        """Find which particles are coupled."""
        self.row_mover = RowMover(self.scratch)
        self.membrane = no_membrane(self.springs.count)
        self.recouple()

    def weave(self) -> Membrane:
        """Make the elements of cloth anew, after an edit or a change of rest lengths or moduli, and return them."""
        for body in self.bodies.values():
            if body.origin in self.fabrics:
                fabric = self.fabrics[body.origin]
                bend_along_threads(self.bends, body, fabric, self.particles.rest_positions)
        before = self.membrane
        self.membrane = woven(
            self.bodies.values(), self.fabrics, self.springs, self.bends, self.particles.rest_positions
        )
        keep_slips(before, self.membrane, self.particles.positions)
        return self.membrane

    def use_elements(self, names: Iterable[str]) -> None:
        """Let elements act in the cloths of these names, springs in all others."""
        chosen = set(names)
        for body in self.bodies.values():
            fabric = self.fabrics.get(body.origin)
            if fabric is not None and fabric.has_elements != (body.origin in chosen):
                set_springs(
                    self.springs, self.bends, body, replace(fabric, has_elements=not fabric.has_elements)
                )
        for name, fabric in self.fabrics.items():
            fabric.has_elements = name in chosen

    @property
    def has_soft_bodies(self) -> bool:
        """Whether any body is made of tetrahedra."""
        return bool(self.tetrahedra.count or self.levels)

    def move_up_soft_bodies(self, before: Iterable[BodyRange]) -> None:
        """Let tetrahedra follow their particles after an edit that leaves soft bodies as they are.

        Args:
            before: the bodies as they were
        """
        for body in before:
            if body.tetrahedra.stop > body.tetrahedra.start:
                shift = self.bodies[body.name].particles.start - body.particles.start
                self.tetrahedra.move_up(body.tetrahedra, shift)

    def detail(self) -> NDArray[np.int64]:
        """Return at which level each particle's surroundings are computed, (particle_count,); 0 without levels."""
        detail = np.zeros(self.particles.count, dtype=np.int64)
        for name, levels in self.levels.items():
            detail[self.bodies[name].particles] = levels.node_levels()
        return detail

    def recouple(self) -> None:
        """Find which particles are coupled, anew."""
        self.changed_particles = None
        self.couplings = couple(self.particles.count, self.springs, self.bends, self.tetrahedra, self.scratch)

    def update_couplings(
        self,
        points: NDArray[np.int64],
        spring_update: RowUpdate,
        bend_update: RowUpdate,
        component_labels: NDArray[np.int64] | None,
    ) -> None:
        """Find which particles are coupled, where an edit has changed `points` (count,).

        `component_labels` (particle_count,) are the connected components without links, if known; None looks for them.
        """
        self.changed_particles = changed_particles = ChangedParticles(points, self.particles.count)
        update_couplings(
            self.couplings, self.springs, self.bends, changed_particles, spring_update, bend_update
        )
        if component_labels is not None:
            links = self.bends.points[bend_update.count :, :2]
            self.couplings.take_labels(component_labels, links.astype(np.int64))

    def renumber(self, renumbering: Renumbering) -> None:
        """Give particles, springs and bending elements other numbers; the ranges of bodies are the caller's to change.

        No snapshot may share the springs and bending elements.
        """
        renumber_particles(self.particles, renumbering, self.row_mover)
        renumber_elements(self.springs, self.bends, renumbering, self.row_mover)
        self.anchors = renumbered_anchors(self.anchors, renumbering)
        self.tetrahedra.rename(renumbering.new_of)
        renumber_couplings(self.couplings, renumbering, self.row_mover)
        self.changed_particles = None

    def changed_particles_at(self, points: NDArray[np.int64]) -> ChangedParticles:
        """Return particles (count,) that an edit has changed; what is known of them already is not looked for again."""
        known = self.changed_particles
        if known is None or not np.array_equal(known.points, points):
            known = ChangedParticles(points, self.particles.count)
        return known

    def inertia(self, step: float) -> NDArray[np.float64]:
        """Return m (1 + h γ), what resists a force within a substep, (particle_count,) [kg].

        The ambient drag acts on the velocity that a substep ends with, (q - x) / h. Leaving it out
        here would weaken gravity against the springs: cloth at rest would hang too high.
        """
        return self.particles.masses * (1.0 + step * self.drag)

    def step_matrix(self, step: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return A = (1 + h γ) M + h² K + h C of a substep: its diagonal and its pairs [kg]."""
        return self.couplings.step_matrix(
            self.inertia(step), self.springs, self.bends, self.anchors, self.tetrahedra, step
        )

    def patched_step_matrix(
        self,
        step: float,
        changed_particles: ChangedParticles,
        diagonal: NDArray[np.float64],
        values: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the same after an edit, given what it was before; those arrays are used up."""
        return patch_step_matrix(
            self.couplings, self.inertia(step), self.springs, self.bends, self.anchors,
            changed_particles, step, diagonal, values,
        )  # fmt: skip

    def set_elasticity(self, body: BodyRange, values: Elasticity) -> None:
        """Change a body's elasticity; its regions keep the values they have of their own."""
        fabric = self.fabrics.get(body.origin)
        for index, region in enumerate((None, *body.regions), start=-1):
            own = {} if region is None else region.fields()
            inherited = {name: value for name, value in vars(values).items() if own.get(name) is None}
            if fabric is not None:
                fabric.change(index + 1, Elasticity(**inherited))
                if fabric.has_elements:
                    inherited |= dict.fromkeys(("stretch_stiffness", "shear_stiffness", "damping"))
                if fabric.has_plates:
                    inherited["bending_stiffness"] = None
            spring_mask = np.zeros(self.springs.count, dtype=np.bool_)
            spring_mask[body.springs] = self.springs.region[body.springs] == index
            bend_mask = np.zeros(self.bends.count, dtype=np.bool_)
            bend_mask[body.bends] = self.bends.region[body.bends] == index
            apply_elasticity(Elasticity(**inherited), self.springs, self.bends, spring_mask, bend_mask)


def build_world(scene: Scene) -> World:
    """Turn a scene into a world at rest at its start."""
    built = [(body, body_parts(body, scene)) for body in scene.bodies]
    parts = [part for _, part in built]
    firsts = _firsts([len(part.positions) for part in parts])
    spring_firsts = _firsts([part.springs.count for part in parts])
    bend_firsts = _firsts([part.bends.count for part in parts])
    element_firsts = _firsts([part.tetrahedra.count for part in parts])
    masses = [
        np.array(body.masses) if body.masses is not None else part.density * part.shares
        for body, part in built
    ]
    # Everything that an edit lets grow has spare capacity from the start: the first cut does not wait for fresh memory.
    particles = Particles(
        positions=joined([part.positions for part in parts]),
        velocities=joined(
            [np.broadcast_to(np.array(body.velocity, float), part.positions.shape) for body, part in built]
        ),
        masses=np.concatenate(masses),
        rest_positions=joined([part.positions if part.flat is None else part.flat for part in parts]),
    )
    bodies = {}
    for n, (body, part) in enumerate(built):
        assert body.name is not None
        bodies[body.name] = BodyRange(
            name=body.name,
            particles=slice(firsts[n], firsts[n + 1]),
            springs=slice(spring_firsts[n], spring_firsts[n + 1]),
            bends=slice(bend_firsts[n], bend_firsts[n + 1]),
            triangles=body.surface_triangles(),
            shares=part.shares,
            regions=body.regions,
            tetrahedra=slice(element_firsts[n], element_firsts[n + 1]),
            origin=body.name,
        )
    return World(
        particles=particles,
        springs=join_springs([part.springs for part in parts], firsts[:-1]),
        bends=join_bends([part.bends for part in parts], firsts[:-1]),
        tetrahedra=join_tetrahedra([part.tetrahedra for part in parts], firsts[:-1]),
        anchors=_anchors(scene, parts, firsts),
        bodies=bodies,
        gravity=np.array(scene.gravity, dtype=np.float64),
        drag=scene.drag,
        has_obstacles=bool(scene.obstacles),
        fabrics={
            body.name: fabric_of(body, scene.material_of(body))
            for body in scene.bodies
            if isinstance(body, Cloth) and body.name
        },
        levels={
            body.name: build_levels(body, body.name)
            for body in scene.bodies
            if isinstance(body, SoftBody) and body.levels > 1 and body.name
        },
    )


def _firsts(counts: list[int]) -> list[int]:
    return [0, *np.cumsum(counts).tolist()]


def _anchors(scene: Scene, parts: list[BodyParts], firsts: list[int]) -> Anchors:
    points: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    stiffness: list[NDArray[np.float64]] = [np.zeros(0)]
    targets: list[NDArray[np.float64]] = [np.zeros((0, 3))]
    for body, part, first in zip(scene.bodies, parts, firsts[:-1], strict=True):
        for anchor in body.anchors:
            indices = body.indices(anchor.where)
            points.append(indices + first)
            stiffness.append(np.full(len(indices), anchor.stiffness))
            start = part.positions[indices]
            goal = start if anchor.target is None else np.broadcast_to(anchor.target, start.shape)
            targets.append(np.array(goal, dtype=np.float64))
    return Anchors(
        points=np.concatenate(points), stiffness=np.concatenate(stiffness), targets=np.concatenate(targets)
    )
