"""Sheets that hang and swing: plucked in their modes, or let go level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.optimize import least_squares

import supple
from tests.physics.bodies import irregular_mesh
from tests.physics.energy import elastic_energy

Array = NDArray[np.float64]

COLUMNS, ROWS = 3, 16
"""Points of a hung sheet."""

FRAME = 0.02
"""Seconds between two measurements."""


def hung_modes(sheet: Array, material: supple.Material, count: int = 3) -> tuple[Array, Array, Array]:
    """Return the lowest modes of a sheet that hangs at rest: frequencies [Hz], shapes (rows, count), row masses per width.

    A string under its own weight, stretched as the sheet is, that resists bending: as fine as the sheet, so that
    what differs is the motion and not the resolution.
    """
    heights = sheet.reshape(ROWS, COLUMNS, 3)[:, :, 1].mean(axis=1)
    cell, lengths = 1.0 / (ROWS - 1), -np.diff(heights)
    masses = np.full(ROWS, material.area_density * cell)
    masses[[0, -1]] *= 0.5
    pull = 9.81 * np.cumsum(masses[::-1])[::-1][1:]
    steps, bends = np.diff(np.eye(ROWS), axis=0), np.diff(np.eye(ROWS), 2, axis=0)
    bending = np.max(material.bending_stiffness or 0.0)  # of two it is the warp, upright
    matrix = steps.T @ np.diag(pull / lengths) @ steps + bending / cell**3 * bends.T @ bends
    squares, shapes = eigh(matrix[1:, 1:], np.diag(masses[1:]))
    return np.sqrt(squares[:count]) / (2.0 * np.pi), np.pad(shapes[:, :count], ((1, 0), (0, 0))), masses


def plucked(name: str, seconds: float = 3.6) -> tuple[Array, Array, Array]:
    """Return of a hung sheet the frequencies of its modes [Hz], those in theory, and the amplitude kept in a period."""
    cloth = supple.Cloth.rectangle(width=0.15, height=1.0, columns=COLUMNS, rows=ROWS, material=name).pinned(
        "top"
    )
    calm, simulation = (
        supple.Simulation(supple.Scene(cloth, drag=8.0)),
        supple.Simulation(supple.Scene(cloth)),
    )
    assert simulation.engine.integrator.name == "descent"
    for _ in calm.run(2.0):
        pass
    rest = calm.positions("cloth").copy()
    expected, shapes, masses = hung_modes(rest, supple.Material.like(name))
    shapes /= np.abs(shapes).max(axis=0)
    begin = rest.reshape(ROWS, COLUMNS, 3).copy()
    begin[:, :, 2] += (shapes * (4e-3, 1.5e-3, 1e-3)).sum(axis=1)[:, None]
    simulation.engine.world.particles.positions[:] = begin.reshape(-1, 3)
    rows = [begin[:, 0, 2]]
    for _ in simulation.run(seconds):
        rows.append(simulation.positions("cloth").reshape(ROWS, COLUMNS, 3)[:, :, 2].mean(axis=1))
    amplitudes = np.array(rows) @ (masses[:, None] * shapes) / (masses @ shapes**2)
    times = FRAME * np.arange(len(rows))
    found, kept = np.zeros(3), np.zeros(3)
    for mode in range(3):
        motion = amplitudes[:, mode] / amplitudes[0, mode]
        fit = least_squares(
            lambda p, motion=motion: p[0] * np.exp(-p[1] * times) * np.cos(2.0 * np.pi * p[2] * times + p[3]) - motion,
            (1.0, 0.05, expected[mode], 0.0),
        )  # fmt: skip
        found[mode], kept[mode] = fit.x[2], np.exp(-fit.x[1] / fit.x[2])
    return found, expected, kept


def level_sheet(kind: str, points: int = 64) -> supple.Scene:
    """Return a level square metre held at two corners: a grid, or an irregular mesh of springs or elements."""
    material = supple.Material(
        area_density=0.15, stretch_stiffness=1000.0, shear_stiffness=300.0, bending_stiffness=1e-5
    )
    if kind == "grid":
        cloth = supple.Cloth.rectangle(
            width=1.0, height=1.0, columns=points, rows=points, plane="xz", material=material
        )
        return supple.Scene(cloth.pinned("top-left", "top-right"))
    flat, triangles = irregular_mesh(points)
    vertices = np.stack([flat[:, 0], np.zeros(len(flat)), -flat[:, 1]], axis=1)
    corners = [int(np.argmin(np.abs(flat[:, 0] - x) + np.abs(flat[:, 1] - 0.5))) for x in (-0.5, 0.5)]
    cloth = supple.Cloth.from_mesh(vertices, triangles, material=material, membrane=kind)
    return supple.Scene(cloth.pinned(corners))


def total_energy(simulation: supple.Simulation, body: str = "cloth") -> float:
    """Return the energy of motion, height and threads of the only body of a scene [J]; not of elements."""
    world = simulation.engine.world
    particles = world.particles
    moving = 0.5 * particles.masses @ (particles.velocities**2).sum(axis=1)
    return float(
        moving
        + 9.81 * particles.masses @ particles.positions[:, 1]
        + elastic_energy(world, particles.positions)
    )
