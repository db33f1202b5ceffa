"""StepReport: what a frame did, what it cost, what it kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a frame went."""

    OK = "ok"
    """As asked."""

    SUBSTEPPED = "substepped"
    """Took more substeps than asked, because the integrator needed them."""

    SOFTENED = "softened"
    """Even the most substeps would not have been stable: the stiffest springs were softened."""

    HELD_BACK = "held-back"
    """Parts of a soft body were to be computed more finely, or more substeps taken, but the budget did not allow it; or
    surfaces with exact contact stood still for a part of the frame, as to find a free way for them took too much work."""

    SEAMS_OPEN = "seams-open"
    """A seam that has had its time to close is more than 3 mm open; `Simulation.seam_gaps` says which."""

    DIVERGED = "diverged"
    """The frame left finite numbers and was taken back; the particles were stopped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StepReport:
    """One frame of a simulation."""

    time: float
    """Simulated time at the end of the frame [s]."""

    frame: int
    """Number of frames so far, 1 after the first."""

    milliseconds: float
    """Time the frame took to compute [ms]."""

    stage_milliseconds: dict[str, float]
    """The same by stage: prepare, predict, push, solve, constrain, collide, finish, report [ms]."""

    substeps: int
    """Substeps of this frame."""

    iterations: int
    """Inner iterations of the integrator and passes of the limiter, all substeps together."""

    max_stretch: float
    """Largest length over rest length among the stretch springs [-]."""

    linear_momentum: tuple[float, float, float]
    """Of all particles [kg·m/s]."""

    angular_momentum: tuple[float, float, float]
    """Of all particles about the origin [kg·m²/s]."""

    kinetic_energy: float
    """Of all particles [J]."""

    potential_energy: float
    """Of springs, bending, anchors and gravity [J]; heights count from the origin."""

    contacts: int
    """Particles that touch something."""

    self_contacts: int
    """Pairs of points, edges and triangles of cloth that press on each other."""

    self_contact: str = "off"
    """How cloth met cloth: "exact" (guaranteed), "points" (spheres on points, no guarantee), both, or "off"."""

    is_finite: bool
    """Whether every position and velocity is a finite number."""

    deadline_kept: bool
    """Whether the frame was computed within its time budget, or within its own duration."""

    status: Status
    """How the frame went."""

    worst_particle: int
    """The particle that moved fastest, counted over all bodies."""

    level_nodes: tuple[int, ...] = ()
    """Nodes in use of every level of detail, the coarsest first; empty if no body has several."""

    node_updates: int = 0
    """How often in this frame the forces on a node of these bodies were computed, all nodes together."""

    budget_used: float = 0.0
    """Share of the budget that the frame took, in time or in node updates [-]; 0 if there is none."""
