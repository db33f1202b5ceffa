"""Cloth of many points in the middle of `fold` and `twist`, as such or divided from what fewer points did."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import supple
from benchmarks.bars import Say
from supple.scene.files.toml_reader import GALLERY, parse_scene


@dataclass(frozen=True)
class Sheet:
    """A sheet of a scene of the gallery, with as many points as asked for."""

    scene: str
    """Name of the scene."""

    columns: int
    """Points in a row."""

    rows: int
    """Rows of points."""

    thickness: float
    """Of the cloth [m]."""

    def divided(self, times: int) -> Sheet:
        """Return the sheet with `times` cells for one along each side."""
        return Sheet(self.scene, times * (self.columns - 1) + 1, times * (self.rows - 1) + 1, self.thickness)

    def in_mode(self, mode: str) -> supple.Simulation:
        """Return the scene from its start, with a mode of contact."""
        text = (GALLERY / f"{self.scene}.toml").read_text(encoding="utf-8")
        text = re.sub(r"columns = \d+, rows = \d+", f"columns = {self.columns}, rows = {self.rows}", text)
        text = re.sub(r"{ at = \d+,", f"{{ at = {self.columns // 2},", text)  # the middle of the far edge
        text = re.sub(r"\nthickness = \S+", f"\nthickness = {self.thickness}", text)
        return supple.Simulation(
            parse_scene(text.replace('self_contact = "exact"', f'self_contact = "{mode}"'))
        )

    def __str__(self) -> str:
        """Return its points in words."""
        return f"{self.columns} x {self.rows}"


def begun(sheet: Sheet, seconds: float, say: Say) -> supple.Simulation:
    """Return a sheet in exact contact after some time."""
    simulation = sheet.in_mode("exact")
    for frame in range(round(50 * seconds)):
        say(f"{sheet.scene}, {sheet} points, frame {frame + 1} of {round(50 * seconds)}")
        simulation.step()
    return simulation


def taken_over(sheet: Sheet, given: supple.Simulation, times: int, mode: str) -> supple.Simulation:
    """Return the sheet with `times` cells for one, where the given simulation of it is and as fast, in another mode."""
    simulation = sheet.divided(times).in_mode(mode)
    particles, coarse = simulation.engine.world.particles, given.engine.world.particles
    particles.positions[:] = in_between(coarse.positions, sheet, times)
    particles.velocities[:] = in_between(coarse.velocities, sheet, times)
    simulation.engine.time, simulation.engine.frame = given.time, given.frame
    (body,) = simulation.body_names
    if not len(given.pinned(body)):  # let go long ago
        for vertex in simulation.pinned(body):
            simulation.unpin(body, int(vertex))
    simulation.engine.contact.forget()
    if mode == "exact" and (count := len(simulation.engine.contact.crossings())):
        raise RuntimeError(f"{count} edges pass through triangles where {sheet.scene} is divided")
    return simulation


def in_between(values: NDArray[np.float64], sheet: Sheet, times: int) -> NDArray[np.float64]:
    """Return values (columns * rows, 3) at the points of a finer grid, linear on each of the two triangles of a cell."""
    grid = values.reshape(sheet.rows, sheet.columns, 3)
    rows = np.arange(times * (sheet.rows - 1) + 1) / times
    columns = np.arange(times * (sheet.columns - 1) + 1) / times
    row_cell, column_cell = (
        np.minimum(place.astype(int), count - 2)
        for place, count in ((rows, sheet.rows), (columns, sheet.columns))
    )
    row, column = np.meshgrid(row_cell, column_cell, indexing="ij")
    v, u = np.meshgrid(rows - row_cell, columns - column_cell, indexing="ij")
    v, u = v[..., None], u[..., None]
    a, b = grid[row, column], grid[row, column + 1]
    c, d = grid[row + 1, column], grid[row + 1, column + 1]
    is_falling = ((row + column) % 2 == 0)[..., None]  # from a to d, as in supple.scene.cloth_shapes.grid
    falling = np.where(u > v, a + u * (b - a) + v * (d - b), a + v * (c - a) + u * (d - c))
    rising = np.where(
        u + v < 1.0, a + u * (b - a) + v * (c - a), d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d)
    )
    finer: NDArray[np.float64] = np.where(is_falling, falling, rising)
    return finer.reshape(-1, 3)


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
