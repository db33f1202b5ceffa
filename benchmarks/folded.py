"""Cloth of many points in the middle of `fold` and `twist`: what few points have folded is divided into more."""

from __future__ import annotations

import re
import time

import numpy as np
from numpy.typing import NDArray

import supple
from benchmarks.bars import Say
from supple.scene.reader import GALLERY, parse_scene

COARSE = 25
"""Points along each side of the cloth that is folded or wrung from the start, odd, so that it folds along a row of points:
three cells for one make 73 of it."""


def begun(name: str, seconds: float, thickness: float, say: Say) -> supple.Simulation:
    """Return a scene of the gallery with COARSE x COARSE points after some time."""
    simulation = supple.Simulation(sized(name, COARSE, thickness, "exact"))
    for frame in range(round(50 * seconds)):
        say(f"{name}, {COARSE} x {COARSE} points, frame {frame + 1} of {round(50 * seconds)}")
        simulation.step()
    return simulation


def sized(name: str, side: int, thickness: float, mode: str) -> supple.Scene:
    """Return a scene of the gallery with side x side points in its cloth."""
    text = (GALLERY / f"{name}.toml").read_text(encoding="utf-8")
    text = re.sub(r"columns = \d+, rows = \d+", f"columns = {side}, rows = {side}", text)
    text = re.sub(r"{ at = \d+,", f"{{ at = {side // 2},", text)  # the middle of the far edge
    text = re.sub(r"\nthickness = \S+", f"\nthickness = {thickness}", text)
    return parse_scene(text.replace('self_contact = "exact"', f'self_contact = "{mode}"'))


def divided(
    name: str, coarse: supple.Simulation, times: int, thickness: float, mode: str
) -> supple.Simulation:
    """Return the same cloth with `times` cells for one along each side, where the coarse one is and as fast."""
    side = times * (COARSE - 1) + 1
    simulation = supple.Simulation(sized(name, side, thickness, mode))
    particles, given = simulation._world.particles, coarse._world.particles
    particles.positions[:] = in_between(given.positions, times)
    particles.velocities[:] = in_between(given.velocities, times)
    simulation.time, simulation.frame = coarse.time, coarse.frame
    (body,) = simulation.body_names
    if not len(coarse.pinned(body)):  # let go long ago
        for vertex in simulation.pinned(body):
            simulation.unpin(body, int(vertex))
    simulation._contact.forget()
    if mode == "exact" and (count := len(simulation._contact.crossings())):
        raise RuntimeError(f"{count} edges pass through triangles where {name} is divided")
    return simulation


def in_between(values: NDArray[np.float64], times: int) -> NDArray[np.float64]:
    """Return values (COARSE², 3) at the points of a finer grid, linear on each of the two triangles of a cell."""
    grid = values.reshape(COARSE, COARSE, 3)
    place = np.arange(times * (COARSE - 1) + 1) / times
    cell = np.minimum(place.astype(int), COARSE - 2)
    row, column = np.meshgrid(cell, cell, indexing="ij")
    v, u = np.meshgrid(place - cell, place - cell, indexing="ij")
    v, u = v[..., None], u[..., None]
    a, b = grid[row, column], grid[row, column + 1]
    c, d = grid[row + 1, column], grid[row + 1, column + 1]
    is_falling = ((row + column) % 2 == 0)[..., None]  # from a to d, as in supple.scene.grid
    falling = np.where(u > v, a + u * (b - a) + v * (d - b), a + v * (c - a) + u * (d - c))
    rising = np.where(
        u + v < 1.0, a + u * (b - a) + v * (c - a), d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d)
    )
    return np.where(is_falling, falling, rising).reshape(-1, 3)


def frame_times(simulations: list[supple.Simulation], settling: int, frames: int, say: Say) -> list[float]:
    """Return the CPU time of a frame of each simulation in turn [ms]: the least over the mean of five frames."""
    for frame in range(settling):
        say(f"settling, frame {frame + 1} of {settling}")
        for simulation in simulations:
            simulation.step()
    taken = np.zeros((len(simulations), frames))
    for frame in range(frames):
        say(f"timed, frame {frame + 1} of {frames}")
        for n, simulation in enumerate(simulations):
            start = time.thread_time()
            simulation.step()
            taken[n, frame] = time.thread_time() - start
    return [1e3 * float(row.reshape(-1, 5).mean(axis=1).min()) for row in taken]
