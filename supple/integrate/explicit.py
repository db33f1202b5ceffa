"""`explicit`: mass and damping matrices, forces at the start (Güdükbay 1997, Eq. 4).

Theory: docs/theory/integrators.md, eq. (I6). Symplectic Euler: exact momenta, good energy,
and a step that must stay below 2 / ω_max. The integrator knows that step and asks for as
many substeps as it needs; where even MOST_SUBSTEPS would not do, it softens the stiffest
springs just enough, and the report says so. With `fixed_substeps` it does neither, and may diverge.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from supple.forces.anchors import add_anchor_forces
from supple.forces.averaged_strain import add_averaged_forces
from supple.forces.bending import add_bending_forces
from supple.forces.elasticity import add_elastic_forces, add_rate_forces, largest_stiffening, largest_strain
from supple.forces.gas import add_gas_forces
from supple.forces.membrane import add_membrane_forces, membrane_rows
from supple.forces.plates import add_plate_forces, plate_rows
from supple.forces.springs import add_spring_forces
from supple.forces.thread_laws import add_plate_friction, add_thread_laws, follow_plate_slips, follow_slips
from supple.integrate.highest_mode import highest_rate
from supple.integrate.integrator import Integrator
from supple.kernel import kernel
from supple.model.strain_patches import make_patches
from supple.model.tetrahedra import STIFF, VISCOUS, ElementBlocks
from supple.model.thread_laws import BENDING_REACH, stiffest_growth
from supple.model.world import World

if TYPE_CHECKING:
    from supple.collide.self_contact.self_contact import SelfContact

SAFETY = 0.8
"""Fraction of the stable step that is used."""

ELEMENT_MARGIN = 0.8
"""Weight of the highest mode of soft bodies [-]. It is computed, not bounded from above like that of
springs, so their step may come closer to the limit: 0.8 of SAFETY² makes it 0.9 of it."""

CALM = 0.05
"""Share of its critical damping from which the highest mode of soft bodies cannot be stirred up by the others [-]."""

MOST_STRAIN = 3.0
"""Largest strain that shortens steps of livelier bodies [-]."""

MOST_STIFFENING = 5.0
"""The same for bodies that are damped: by how much more than at rest elements pulled long ask for substeps [-]."""

FADING = 0.999
"""Share of a peak of the strain that is left after a frame [-]: in between the body swings through its rest."""

TAMING = 0.9
"""The same as FADING for bodies that are damped [-]."""

LIVELY = 0.89
"""Share of the step of small motion that livelier bodies take at most [-]: 0.8 of the limit."""

STEADY = 1.5
"""How much longer steps must be allowed to be before livelier bodies take them [-]."""

LIVELY_TURNS = 3
"""Newton steps for the rotations of livelier bodies: nothing takes away what a rotation that lags behind adds."""

LONGEST_KICK = 1.5
"""Most that the first push after a change of the step is longer than the others [-]."""

MOST_SUBSTEPS = 2000
"""Upper bound of substeps in a frame, so that no stiffness stalls the loop."""

LARGE_SUBSTEPS = 1200
"""The same from LARGE points on, in between points times substeps are bounded."""

LARGE_SOFT_SUBSTEPS = 700
"""The same for soft bodies, whose elements cost more than springs."""

LARGE_EXACT_SUBSTEPS = 350
"""The same where surfaces must not pass through each other: a substep takes three to four times as long."""

LARGE = 2000
"""Points from which on the bound does not become lower."""


@kernel
def stiffness_rows(springs, bends, rows):
    """Add the absolute row sums of the stiffness matrix to `rows` (particle_count,).

    By Gershgorin's theorem the largest row sum over its mass bounds ω² from above.
    """
    for s in range(springs.ends.shape[0]):
        rows[springs.ends[s, 0]] += 2.0 * springs.stiffness[s]
        rows[springs.ends[s, 1]] += 2.0 * springs.stiffness[s]
    for b in range(bends.points.shape[0]):
        total = 0.0
        for a in range(4):
            total += abs(bends.weights[b, a])
        for a in range(4):
            rows[bends.points[b, a]] += bends.stiffness[b] * abs(bends.weights[b, a]) * total


@kernel
def add_over_mass(targets, forces, inertia, is_fixed, step, positions):
    """Write q = y + h² f / m for free particles and q = y for fixed ones; m is `World.inertia`."""
    for i in range(targets.shape[0]):
        factor = 0.0 if is_fixed[i] else step * step / inertia[i]
        for axis in range(3):
            positions[i, axis] = targets[i, axis] + factor * forces[i, axis]


def is_lively(rate: float, square: float) -> bool:
    """Tell whether damping is too weak to keep the highest mode from being stirred up.

    Theory: docs/theory/soft-bodies.md, eq. (E10).

    Args:
        rate: largest eigenvalue of damping over mass [1/s]
        square: of stiffness over mass [1/s²]
    """
    return rate < 2.0 * CALM * math.sqrt(square)


def lively_shortening(strain: float) -> float:
    """Return how much shorter the steps of livelier bodies are for their largest strain [-].

    Theory: docs/theory/soft-bodies.md, eq. (E10). Grows faster than elements stiffen: a bounce off the compression limit
    (E12) changes the energy by the square of the step, and the larger the strain the more often elements bounce.
    """
    return (1.0 + strain) ** 2


def damped_shortening(stiffening: float) -> float:
    """Return the same for bodies whose damping calms the highest modes, for what strain adds to their highest frequency."""
    return 1.0 + stiffening


def strain_that_counts(is_lively: bool, positions: NDArray[np.float64], elements: ElementBlocks) -> float:
    """Return what shortens the steps of soft bodies as they are now [-].

    Livelier bodies: their largest strain. Others: by how much strain raises their highest frequency, over that at rest.

    Args:
        is_lively: whether damping is too weak, see `is_lively`
        positions: (particle_count, 3) [m]
        elements: of all soft bodies, or of one level of detail
    """
    if is_lively:
        strain, most = float(largest_strain(positions, elements)), MOST_STRAIN
    else:
        stiffening = float(largest_stiffening(positions, elements))
        strain, most = math.sqrt(stiffening) - 1.0, MOST_STIFFENING
    return max(0.0, strain if strain < most else most)  # the most also if it is no number


class Explicit(Integrator):
    """One force evaluation per substep."""

    name = "explicit"
    keeps_energy = True
    reports_substeps = True

    def __init__(self, world: World, *, is_fixed: bool = False) -> None:
        """Allocate the forces and the stiffness in use; with `is_fixed` take the substeps asked for, stable or not."""
        self.world = world
        self._is_fixed = is_fixed
        self._is_exact = False
        """Whether surfaces must not pass through each other."""
        self.forces = np.zeros_like(world.particles.positions)
        self._step: float | None = None
        self._kick = 1.0
        self._element_share = self._element_square = self._element_rate = 0.0
        self._rows: NDArray[np.float64] | None = None
        self._damping_rows: NDArray[np.float64] | None = None
        self._measure()

    def _measure(self) -> None:
        """Compute the row sums of stiffness and damping over mass."""
        world = self.world
        rows = np.zeros(world.particles.count)
        springs, bends = world.springs.arrays, world.bends.arrays
        membrane, plates = world.weave().arrays, world.membrane.plates
        self.membrane, self.plates = membrane, plates
        stiffness_rows(springs, bends, rows)
        self.laws, self.friction = world.membrane.laws, world.membrane.friction
        stiffest = membrane
        if len(self.laws.slips):
            growth = np.zeros_like(membrane.moduli)
            growth[:, [0, 1, 3]] = stiffest_growth(self.laws)
            stiffest = membrane._replace(moduli=membrane.moduli + growth)
        membrane_rows(stiffest, rows)
        bending = plates
        if len(self.friction.slips):
            bending = plates._replace(stiffness=plates.stiffness + self.friction.limits / BENDING_REACH)
        plate_rows(bending, rows)
        np.add.at(rows, world.anchors.points, world.anchors.stiffness)
        damping = np.zeros_like(rows)
        undamped = bends._replace(stiffness=np.zeros(world.bends.count))
        stiffness_rows(springs._replace(stiffness=springs.damping), undamped, damping)
        viscous = np.zeros_like(membrane.moduli)
        viscous[:, [0, 1, 3]] = membrane.moduli[:, 4, None] * [1.0, 1.0, 0.5]
        membrane_rows(membrane._replace(moduli=viscous), damping)
        self._rows = rows / world.particles.masses
        self._damping_rows = damping / world.particles.masses
        elements = world.tetrahedra
        self._patches = make_patches(elements)
        self._element_square = highest_rate(elements, STIFF, world.particles.masses)
        self._element_rate = (
            highest_rate(elements, VISCOUS, world.particles.masses) if elements.is_damped else 0.0
        )
        self._is_lively = bool(elements.is_corotated.any()) and is_lively(
            self._element_rate, self._element_square
        )
        self._newton_steps = LIVELY_TURNS if self._is_lively else 1

    def stable_step(self) -> float:
        """Return the largest stable substep [s], inf without forces.

        Theory: docs/theory/soft-bodies.md, eq. (E10). Elements that are strained are a little stiffer, and undamped
        their highest modes are stirred up by the others.
        """
        step = self._step_of_small_motion()
        strain = float(self.world.tetrahedra.peak_strain[0])
        if self._is_lively:
            return LIVELY * step / lively_shortening(strain)
        return step / damped_shortening(strain)

    def _step_of_small_motion(self) -> float:
        """Return the same for small motion: a mode of frequency ω and damping rate δ is stable while h² ω² + 2 h δ < 4."""
        assert self._rows is not None and self._damping_rows is not None
        frequency2 = float(self._rows.max(initial=0.0)) + ELEMENT_MARGIN * self._element_square
        rate = float(self._damping_rows.max(initial=0.0)) + ELEMENT_MARGIN * self._element_rate
        if frequency2 == 0.0 and rate == 0.0:
            return math.inf
        return SAFETY * 4.0 / (rate + math.sqrt(rate * rate + 4.0 * frequency2))

    def substeps(self, frame: float, wanted: int) -> int:
        """Return how many substeps a frame of `frame` seconds takes."""
        if self._is_fixed:
            return wanted
        if self.world.tetrahedra.count:
            self._watch_strain()
        needed = min(frame / self.stable_step(), self.most_substeps())
        count = max(wanted, math.ceil(needed))
        last = float(self.world.tetrahedra.last_step[0])
        if self._is_lively and last > 0.0:
            # To and fro between two steps in time with the motion would pump energy into it.
            count = max(count, min(round(frame / last), math.ceil(STEADY * needed)))
        return count

    def most_substeps(self) -> int:
        """Return how many substeps a frame may take before stiffness is softened instead."""
        large = LARGE_SOFT_SUBSTEPS if self.world.tetrahedra.count else LARGE_SUBSTEPS
        large = LARGE_EXACT_SUBSTEPS if self._is_exact else large
        return min(MOST_SUBSTEPS, large * LARGE // max(1, min(self.world.particles.count, LARGE)))

    def take_surfaces(self, contact: SelfContact) -> None:
        """Take fewer substeps at most where surfaces must not pass through each other."""
        self._is_exact = contact.is_active

    def prepare(self, step: float) -> None:
        """Soften what this step could not hold; normally nothing."""
        elements = self.world.tetrahedra
        elements.peak_strain *= FADING if self._is_lively else TAMING
        # Velocities lag half a substep behind: after a change of the step the first push reaches from the middle of the
        # last substep to the middle of the next.
        self._kick = min(0.5 * (1.0 + float(elements.last_step[0]) / step), LONGEST_KICK)
        elements.last_step[0] = step
        if step == self._step:
            return
        self._step = step
        self._inertia = self.world.inertia(step)
        springs, bends = self.world.springs, self.world.bends
        self.stiffness, self.damping = springs.stiffness, springs.damping
        self.bending, self.anchoring = bends.stiffness, self.world.anchors.stiffness
        self.membrane, self.plates = self.world.membrane.arrays, self.world.membrane.plates
        self.laws, self.friction = self.world.membrane.laws, self.world.membrane.friction
        self.softened = self._element_share = 1.0
        if self._is_fixed or step <= self._step_of_small_motion() / SAFETY:
            return
        assert self._rows is not None and self._damping_rows is not None
        load = step * step * self._rows + 2.0 * step * self._damping_rows
        share = np.minimum(1.0, 4.0 * SAFETY * SAFETY / np.maximum(load, 1e-300))
        of_spring = share[springs.ends].min(axis=1)
        self.stiffness = springs.stiffness * of_spring
        self.damping = springs.damping * of_spring
        self.bending = bends.stiffness * share[bends.points].min(axis=1)
        of_element = share[self.membrane.corners].min(axis=1, initial=1.0)
        self.membrane = self.membrane._replace(moduli=self.membrane.moduli * of_element[:, None])
        if len(self.laws.slips):
            self.laws = self.laws._replace(
                ramps=self.laws.ramps * of_element[:, None, None],
                limits=self.laws.limits * of_element[:, None],
            )
        of_plate = share[self.plates.points].min(axis=1, initial=1.0)
        if len(self.friction.slips):
            self.friction = self.friction._replace(limits=self.friction.limits * of_plate[:, None])
        self.plates = self.plates._replace(stiffness=self.plates.stiffness * of_plate[:, None])
        self.anchoring = self.world.anchors.stiffness * share[self.world.anchors.points]
        element_load = ELEMENT_MARGIN * step * (step * self._element_square + 2.0 * self._element_rate)
        self._element_share = min(1.0, 4.0 * SAFETY * SAFETY / max(element_load, 1e-300))
        self.softened = min(float(share.min(initial=1.0)), self._element_share)

    def parameters_changed(self) -> None:
        """Measure the stable step anew."""
        self._step = None
        self._measure()

    def lengths_changed(self) -> None:
        """Rest lengths of springs are read in every substep; elements are woven anew."""
        if self.world.membrane.element_count:
            self.parameters_changed()

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Nothing is kept that depends on what is fixed."""

    def _watch_strain(self) -> None:
        """Remember the largest strain of late; asking twice changes nothing."""
        elements = self.world.tetrahedra
        now = strain_that_counts(self._is_lively, self.world.particles.positions, elements.arrays)
        elements.peak_strain[0] = max(now, elements.peak_strain[0])

    def advance(self, step: float) -> int:
        """Evaluate the forces once and move."""
        world = self.world
        particles, springs, bends, anchors = world.particles, world.springs, world.bends, world.anchors
        self.forces[:] = 0.0
        softened_springs = springs.arrays._replace(stiffness=self.stiffness, damping=self.damping)
        add_spring_forces(particles.starts, particles.velocities, softened_springs, self.forces)
        add_bending_forces(particles.starts, bends.arrays._replace(stiffness=self.bending), self.forces)
        if len(self.membrane.corners):
            add_membrane_forces(particles.starts, particles.velocities, self.membrane, self.forces)
            add_plate_forces(particles.starts, self.plates, self.forces)
            follow_slips(particles.starts, self.membrane, self.laws)
            add_thread_laws(particles.starts, self.membrane, self.laws, self.forces)
            follow_plate_slips(particles.starts, self.plates, self.friction)
            add_plate_friction(particles.starts, self.plates, self.friction, False, self.forces)
        add_anchor_forces(
            particles.starts, anchors.arrays._replace(stiffness=self.anchoring), 1.0, self.forces
        )
        gas = world.gas_volumes
        if gas.count:
            add_gas_forces(particles.starts, gas.arrays, 1.0, self.forces)
        if world.tetrahedra.count:
            self._add_tetrahedra()
        add_over_mass(
            particles.targets, self.forces, self._inertia, particles.is_fixed, step, particles.positions
        )
        return 1

    def _add_tetrahedra(self) -> None:
        """Add the forces of soft bodies."""
        elements, particles = self.world.tetrahedra, self.world.particles
        factor = self._kick * self._element_share
        add_elastic_forces(particles.starts, elements.arrays, self._newton_steps, factor, self.forces)
        add_averaged_forces(particles.starts, self._patches, elements.rotations, factor, self.forces)
        self._kick = 1.0
        if self._element_rate > 0.0:
            add_rate_forces(particles.velocities, elements.arrays, VISCOUS, self._element_share, self.forces)

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Only inertia resists."""
        pushes /= self._inertia[:, None]
        pushes[self.world.particles.is_fixed] = 0.0
