"""The peer: PositionBasedDynamics (`pypbd`) dropping the same cloth, in a process of its own.

Run as a module, this file is the child: it reads one JSON request per line and answers with one
JSON line, so that the harness can alternate blocks of its frames with blocks of ours and noise of
the machine hits both. Imported, it offers `PeerCloth`, the parent's end of that conversation.

The peer gets the set of constraints its own cloth demo would give it: one XPBD distance constraint
per mesh edge (a single diagonal per cell, where our cloth has both, which is in its favour) and
one XPBD isometric bending constraint per inner edge, one iteration per substep.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import time
from dataclasses import asdict
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cloth import FRAME_RATE, MATERIAL, FrameLog, largest_stretch
from benchmarks.peer_process import PeerProcess

PEER_SUBSTEPS = 24
"""Substeps per frame of the peer, one solver iteration each."""

INSTALL_HINT = (
    "pypbd is not installed; `pip install supple[bench]` (or `pip install pypbd`) adds the comparison"
)


def is_available() -> bool:
    """Return whether `pypbd` can be imported here."""
    return importlib.util.find_spec("pypbd") is not None


class PeerCloth(PeerProcess):
    """A peer cloth in a child process; close it, or use it in a `with` block."""

    def __init__(self, points: int, *, substeps: int = PEER_SUBSTEPS) -> None:
        """Start the child on a cloth of `points` x `points` points."""
        # Two OpenMP threads collapse on a busy machine, so the peer gets one, which is its best case.
        super().__init__(
            "benchmarks.peer_pypbd", str(points), str(substeps), OMP_NUM_THREADS="1", OMP_PROC_BIND="false"
        )

    def reset(self) -> None:
        """Put the cloth back to its start, flat and at rest."""
        self.ask({"do": "reset"})

    def advance(self, frames: int) -> FrameLog:
        """Compute `frames` frames and return what they cost and where the cloth is."""
        answer = self.ask({"do": "advance", "frames": frames})
        cpu_ms, wall_ms = tuple(answer.pop("cpu_ms")), tuple(answer.pop("wall_ms"))
        return FrameLog(cpu_ms=cpu_ms, wall_ms=wall_ms, **answer)


# ---------------------------------------------------------------- the child


def grid_points(points: int) -> NDArray[np.float64]:
    """Return a 1 m x 1 m grid in the plane y = 0, row by row from the far left, (points², 3) [m]."""
    side = np.linspace(-0.5, 0.5, points)
    z, x = np.meshgrid(side, side, indexing="ij")
    return np.stack([x.ravel(), np.zeros(points * points), z.ravel()], axis=1)


def grid_masses(points: int) -> NDArray[np.float64]:
    """Return the mass each point stands for: half on the border, a quarter at corners, (points²,) [kg]."""
    share = np.full(points, 1.0 / (points - 1))
    share[[0, -1]] *= 0.5
    return MATERIAL["area_density"] * np.outer(share, share).ravel()


def grid_triangles(points: int) -> NDArray[np.int64]:
    """Return two triangles per cell, the diagonal alternating as in a union jack, (t, 3)."""
    index = np.arange(points * points).reshape(points, points)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]
    is_even = (np.add.outer(np.arange(points - 1), np.arange(points - 1)) % 2 == 0)[..., None]
    first = np.where(is_even, np.stack([a, c, b], axis=-1), np.stack([a, c, d], axis=-1))
    second = np.where(is_even, np.stack([b, c, d], axis=-1), np.stack([a, d, b], axis=-1))
    return np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])


def grid_edges(points: int) -> tuple[list[int], list[int], list[float]]:
    """Return the two ends and the stiffness [N/m] of every mesh edge.

    The values are those of our cloth: the stretch stiffness times the width an edge stands for over
    its length, and for the one diagonal of a cell the shear stiffness of both.
    """
    edges = np.sort(grid_triangles(points)[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    first, second = np.unique(edges, axis=0).T
    (row, column), (next_row, next_column) = np.divmod(first, points), np.divmod(second, points)
    is_row, is_column = row == next_row, column == next_column
    is_border = is_row & np.isin(row, (0, points - 1)) | is_column & np.isin(column, (0, points - 1))
    thread = np.where(is_border, 0.5, 1.0) * MATERIAL["stretch_stiffness"]
    stiffness = np.where(is_row | is_column, thread, 2.0 * MATERIAL["shear_stiffness"])
    return first.tolist(), second.tolist(), stiffness.tolist()


class _ChildCloth:
    """The cloth inside the child, on `pypbd`'s own model and time step."""

    def __init__(self, points: int, substeps: int) -> None:
        import pypbd

        self.points = points
        self.simulation = pypbd.Simulation.getCurrent()
        self.simulation.initDefault()
        self.model = self.simulation.getModel()
        start = grid_points(points)
        mesh = self.model.addTriangleModel(list(start), grid_triangles(points).ravel().tolist())
        particles = self.model.getParticles()
        for vertex, mass in enumerate(grid_masses(points)):
            particles.setMass(vertex, mass)
        for corner in (0, points - 1):
            particles.setMass(corner, 0.0)
        for first, second, stiffness in zip(*grid_edges(points), strict=True):
            self.model.addDistanceConstraint_XPBD(first, second, stiffness)
        isometric_xpbd = 3
        self.model.addBendingConstraints(mesh, isometric_xpbd, MATERIAL["bending_stiffness"])
        self.time_step = self.simulation.getTimeStep()
        self.time_step.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, substeps)
        self.time_step.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
        self.time_step.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS_V, 0)
        pypbd.TimeManager.getCurrent().setTimeStepSize(1.0 / FRAME_RATE)

    def reset(self) -> None:
        self.simulation.reset()

    def advance(self, frames: int) -> FrameLog:
        cpu_ms, wall_ms, max_stretch = [], [], 1.0
        for _ in range(frames):
            cpu, wall = time.process_time(), time.perf_counter()
            self.time_step.step(self.model)
            cpu_ms.append(1e3 * (time.process_time() - cpu))
            wall_ms.append(1e3 * (time.perf_counter() - wall))
            max_stretch = max(max_stretch, largest_stretch(self._positions(), self.points))
        lowest = float(self._positions()[:, 1].min())
        return FrameLog(cpu_ms=tuple(cpu_ms), wall_ms=tuple(wall_ms), lowest=lowest, max_stretch=max_stretch)

    def _positions(self) -> NDArray[np.float64]:
        vertices = np.asarray(self.model.getParticles().getVertices(), dtype=np.float64)
        return vertices.reshape(-1, 3)


def _serve(cloth: _ChildCloth, answers: IO[str]) -> None:
    def answer(content: dict[str, Any]) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    answer({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "reset":
            cloth.reset()
            answer({"ready": True})
        else:
            answer(asdict(cloth.advance(request["frames"])))


def main() -> None:
    """Serve one cloth on standard input and output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("points", type=int)
    parser.add_argument("substeps", type=int)
    options = parser.parse_args()
    # pypbd logs to standard output, which carries our answers: give it the error stream instead.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    _serve(_ChildCloth(options.points, options.substeps), answers)


if __name__ == "__main__":
    main()
