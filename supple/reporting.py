"""The report of a frame: what the step did, what it cost, and what it kept."""

from __future__ import annotations

import numpy as np

from supple.edit.commands.seam import OPEN_GAP, seam_gap
from supple.engine import Engine
from supple.forces.bending import bending_energy
from supple.forces.membrane import membrane_energy
from supple.forces.plates import plate_energy
from supple.forces.springs import largest_stretch, spring_energy
from supple.forces.thread_laws import plate_friction_energy, thread_law_energy
from supple.report import Status, StepReport
from supple.stopwatch import Stopwatch

MOST_ENERGY = 1.0e6
"""Kinetic energy from which a motion with fixed substeps has diverged [J]."""


def report_frame(engine: Engine, watch: Stopwatch, substeps: int, iterations: int) -> StepReport:
    """Measure a frame that has ended, take it back if it is not finite, and report.

    Args:
        engine: has computed the frame
        watch: has timed it
        substeps: of the frame
        iterations: of the integrator, with the passes of the strain limit
    """
    engine.measure()
    worst = int(engine.motion[9])
    is_finite = bool(np.isfinite(engine.motion).all())
    if (
        engine.settings.fixed_substeps
    ):  # what diverges on purpose is to be seen, not to be drawn light years away
        is_finite &= bool(engine.motion[6] < MOST_ENERGY)
    if not is_finite:
        engine.recover()
        engine.measure()
    potential, stretch = potential_energy(engine), max_stretch(engine)
    detail = engine.level_of_detail
    status = _status(engine, substeps) if is_finite else Status.DIVERGED
    watch.lap("report")
    updates, most_ms = detail.updates(), engine.settings.budget_ms
    budget = 1e3 * engine.frame_seconds if most_ms is None else most_ms
    once = watch.stages["prepare"] + watch.stages["report"]
    share = watch.own_share
    detail.end_frame(engine.obstacles.touched, substeps, watch.milliseconds, once, share)
    px, py, pz, lx, ly, lz = (float(value) for value in engine.motion[:6])
    return StepReport(
        time=engine.time,
        frame=engine.frame,
        milliseconds=watch.milliseconds,
        stage_milliseconds=watch.stages,
        substeps=substeps,
        iterations=iterations,
        max_stretch=stretch,
        linear_momentum=(px, py, pz),
        angular_momentum=(lx, ly, lz),
        kinetic_energy=float(engine.motion[6]),
        potential_energy=potential,
        contacts=engine.contact_count,
        self_contacts=engine.contact.contact_count,
        self_contact=engine.contact.mode,
        is_finite=is_finite,
        deadline_kept=watch.milliseconds <= budget,
        status=status,
        worst_particle=worst,
        level_nodes=detail.level_counts(),
        node_updates=updates,
        budget_used=detail.budget.used(watch.milliseconds, updates),
    )


def _status(engine: Engine, substeps: int) -> Status:
    """Return how a finite frame of so many substeps went."""
    if engine.integrator.softened < 1.0:
        return Status.SOFTENED
    if engine.integrator.reports_substeps and engine.settings.substeps not in (substeps, "auto"):
        return Status.SUBSTEPPED
    is_short = engine.integrator.is_held_back or engine.contact.is_stopped
    if is_short or engine.is_held_back or engine.level_of_detail.held_back() > 0:
        return Status.HELD_BACK
    return Status.SEAMS_OPEN if _has_open_seams(engine) else Status.OK


def _has_open_seams(engine: Engine) -> bool:
    """Return whether a seam that has had its time to close is still open."""
    positions = engine.world.particles.positions
    waiting = (seam for seam in engine.editor.seams if seam.is_closed and not seam.is_welded)
    return any(seam_gap(seam, positions).largest > OPEN_GAP for seam in waiting)


def potential_energy(engine: Engine) -> float:
    """Return the energy of springs, bending, anchors, gravity, gas and elements now [J]; see `Engine.measure`."""
    world = engine.world
    particles, springs, bends, anchors = world.particles, world.springs, world.bends, world.anchors
    anchored = anchors.targets - particles.positions[anchors.points]
    potential = (
        spring_energy(particles.positions, springs.arrays)
        + bending_energy(particles.positions, bends.arrays)
        + 0.5 * float(np.sum(anchors.stiffness[:, None] * anchored**2))
        + float(engine.motion[7])
        + engine.gas.energy()
    )
    if world.membrane.element_count:
        potential += membrane_energy(particles.positions, world.membrane.arrays)
        potential += plate_energy(particles.positions, world.membrane.plates)
        potential += thread_law_energy(particles.positions, world.membrane.arrays, world.membrane.laws)
        potential += plate_friction_energy(
            particles.positions, world.membrane.plates, world.membrane.friction
        )
    if world.has_soft_bodies:
        potential += engine.soft_measures.energy()
    if engine.level_of_detail:
        potential += engine.level_of_detail.energy()
    return float(potential)


def max_stretch(engine: Engine) -> float:
    """Return the largest length over rest length among stretch springs and edges of elements now [-]."""
    world, springs = engine.world, engine.world.springs
    stretch = float(
        largest_stretch(world.particles.positions, springs.ends, springs.rest_lengths, springs.kind)
    )
    if world.has_soft_bodies:
        stretch = max(stretch, float(engine.soft_measures.largest_stretch()))
    return stretch
