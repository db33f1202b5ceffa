"""Strips that lie over rails and edges, let go to slide."""

import math

import numpy as np

import supple

SHORT_LEG = 0.25
"""Leg of a scarf that is pulled up [m]."""


def scarf_over_a_rail(integrator, *, cell, leg, friction, radius=0.05, material="cotton"):
    """Return a scarf of 10 cm over a rail, one leg of 0.25 m and one of `leg`, and the points of its short end."""
    arc = math.pi * radius
    total = SHORT_LEG + arc + leg
    rows, columns = round(total / cell) + 1, round(0.1 / cell) + 1
    cloth = supple.Cloth.rectangle(width=0.1, height=total, columns=columns, rows=rows, material=material)
    rail = supple.Cylinder(start=(0, 0, -0.3), end=(0, 0, 0.3), radius=radius, friction=friction)
    simulation = supple.Simulation(supple.Scene(cloth, rail), integrator=integrator)
    way = np.linspace(0.0, total, rows)
    angle = np.clip(np.pi - (way - SHORT_LEG) / radius, 0.0, np.pi)
    height = np.where(way < SHORT_LEG, way - SHORT_LEG, np.minimum(0.0, SHORT_LEG + arc - way))
    x, y = (radius + 1e-3) * np.cos(angle), (radius + 1e-3) * np.sin(angle) + height
    places = np.stack(np.broadcast_arrays(x[:, None], y[:, None], np.linspace(-0.05, 0.05, columns)), axis=2)
    simulation.engine.world.particles.positions[:] = places.reshape(-1, 3)
    return simulation, slice(0, columns)


def slide_time(integrator, *, seconds=1.2, **rail):
    """Return when the short end has risen by 150 mm [s], inf if it has not."""
    simulation, end = scarf_over_a_rail(integrator, **rail)
    begin = simulation.positions("cloth")[end, 1].mean()
    before = 0.0
    for report in simulation.run(seconds):
        risen = simulation.positions("cloth")[end, 1].mean() - begin
        if risen > 0.15:
            return report.time - 0.02 * (risen - 0.15) / (risen - before)
        before = risen
    return math.inf


def level_strip(integrator, *obstacles, length, width, cell, begin, height, material, drag=0.0):
    """Return a strip that lies level along x from `begin` on, and its number of columns."""
    rows, columns = round(length / cell) + 1, round(width / cell) + 1
    cloth = supple.Cloth.rectangle(width=width, height=length, columns=columns, rows=rows, material=material)
    simulation = supple.Simulation(supple.Scene(cloth, *obstacles, drag=drag), integrator=integrator)
    x, z = begin + np.linspace(0.0, length, rows), np.linspace(-0.5 * width, 0.5 * width, columns)
    places = np.stack(np.broadcast_arrays(x[:, None], height, z), axis=2)
    simulation.engine.world.particles.positions[:] = places.reshape(-1, 3)
    return simulation, columns


def table(friction):
    """Return a table whose top is at the height 0 and whose edge is at x = 0."""
    return supple.Box(size=(1.0, 0.1, 1.0), at=(-0.5, -0.05, 0.0), friction=friction)
