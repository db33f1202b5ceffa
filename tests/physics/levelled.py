"""Bodies of several levels of detail that several tests share."""

from __future__ import annotations

from typing import Any

import numpy as np

import supple
from supple.adapt.level_switch import switch
from supple.forces.elasticity import add_elastic_forces
from supple.model.levels.level_fields import add_tie_forces, restrict
from supple.model.levels.levels import Levels, build_levels
from supple.model.tetrahedra import VALUES, WIDTH, WORK, ElementBlocks
from tests.physics.soft import soft

LAYER = (0.2, 0.1, 0.2)
"""Extents of the block [m]."""


def levelled_block(cell: float = 0.025, damping: float = 0.0, **values: Any) -> supple.SoftBody:
    """Return a soft block of three levels."""
    material = soft(young=4e3, poisson=0.4, damping=damping)
    return supple.SoftBody.box(LAYER, cell, **{"material": material, "levels": 3, "name": "b", **values})


def levelled_ball(cell: float = 0.02, **values: Any) -> supple.SoftBody:
    """Return a soft ball of three levels whose meshes have nothing in common."""
    material = soft(young=4e3, poisson=0.4)
    return supple.SoftBody.ball(0.1, cell, **{"material": material, "levels": 3, "name": "b", **values})


def levels_of(body: supple.SoftBody) -> Levels:
    """Return the levels of a body."""
    return build_levels(body, "b")


def split_around(levels: Levels, place: Any, reaches: tuple[float, ...] = (0.11, 0.06)) -> np.ndarray:
    """Return which nodes are split if each level is refined within its reach of a place, (node_count,)."""
    away = np.linalg.norm(levels.rest - np.asarray(place), axis=1)
    flags = np.zeros(len(levels.rest), dtype=np.bool_)
    for level, reach in enumerate(reaches):
        own = slice(levels.node_firsts[level], levels.node_firsts[level + 1])
        flags[own] = away[own] < reach
    return flags


def forces_on(levels: Levels, positions: np.ndarray, rounds: int = 12) -> np.ndarray:
    """Return the forces on all nodes at `positions` of the active ones, rotations found exactly, (node_count, 3) [N]."""
    levels.positions[:] = positions
    levels.update_ghosts()
    forces = np.zeros_like(positions)
    for _ in range(rounds):
        forces[:] = 0.0
        for level in range(levels.count):
            span, blocks = levels.padded_range(level), levels.blocks
            elements = ElementBlocks(
                blocks.corners[span], blocks.values[span.start * VALUES : span.stop * VALUES],
                blocks.rotations[span.start * 4 : span.stop * 4], blocks.compressions[span], np.zeros(WORK * WIDTH),
            )  # fmt: skip
            add_elastic_forces(levels.positions, elements, 1, 1.0, forces)
        add_tie_forces(0, int(levels.ties.firsts[-1]), levels.ties, levels.positions, forces)
        restrict(levels.lists.interpolated, 0, int(levels.lists.counts[1]), levels.ghosts, forces)
    return forces


def frozen(scene: supple.Scene, flags: np.ndarray | None = None, **settings: Any) -> supple.Simulation:
    """Return a simulation whose only body, called b, keeps the levels it starts with, or those of `flags`."""
    simulation = supple.Simulation(scene, **settings)
    simulation.engine.level_of_detail.begin_frame = lambda frame: None
    if flags is not None:
        switch(simulation.engine.world.levels["b"], flags)
    return simulation


def stir(simulation: supple.Simulation, speed: float, seed: int = 0) -> None:
    """Give the active nodes of the body b a smooth motion with some noise, about `speed` [m/s] fast."""
    levels = simulation.engine.world.levels["b"]
    random = np.random.default_rng(seed)
    active = levels.active_nodes()
    waves = np.sin(30.0 * levels.rest[active] @ random.standard_normal((3, 3)))
    levels.velocities[:] = 0.0
    levels.velocities[active] = speed * (waves + 0.1 * random.standard_normal(waves.shape))
    levels.update_ghosts()
    simulation.engine.world.particles.velocities[:] = levels.velocities[levels.finest_nodes]
