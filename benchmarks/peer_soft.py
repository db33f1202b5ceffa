"""The peers of the soft bar, each in a process of its own: MuJoCo's 3D flex and PositionBasedDynamics.

Run as a module, this file is the child: it reads one JSON request per line and answers with one JSON
line, so that blocks of frames can alternate and noise of the machine hits everybody. Imported, it offers `PeerBar`.

- `mujoco`: a flex grid of six tetrahedra a cell, integrator "discrete" (implicit), one step a frame: its own way for soft
  matter, and its cheapest.
- `pypbd`: our own tetrahedra, XPBD finite elements, ten substeps of one iteration.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peer_process import PeerProcess
from benchmarks.soft_bar import DENSITY, FRAME_RATE, POISSON, SIZE, YOUNG, BarLog, bar_mesh, summary

PBD_SUBSTEPS = 10
"""Substeps per frame of pypbd, one iteration each."""

PEERS = ("mujoco", "pypbd")


def is_available(peer: str) -> bool:
    """Return whether a peer can be imported here."""
    return importlib.util.find_spec(peer) is not None


class PeerBar(PeerProcess):
    """A peer's bar in a child process; close it when done."""

    def __init__(self, peer: str, cell: float) -> None:
        """Start the child on a bar with cells of `cell` metres, or as many points."""
        super().__init__(
            "benchmarks.peer_soft", peer, str(cell), errors=subprocess.DEVNULL, OMP_NUM_THREADS="1"
        )

    def advance(self, frames: int) -> BarLog:
        """Compute `frames` frames."""
        answer = self.ask({"frames": frames})
        cpu_ms, tip = tuple(answer.pop("cpu_ms")), tuple(answer.pop("tip"))
        return BarLog(cpu_ms=cpu_ms, tip=tip, **answer)


# ---------------------------------------------------------------- the child


class _MujocoBar:
    def __init__(self, cell: float) -> None:
        import mujoco

        self._mujoco = mujoco
        counts = _grid_counts(len(bar_mesh(cell)[0]))
        spacing = [extent / (count - 1) for extent, count in zip(SIZE, counts, strict=True)]
        text = f"""<mujoco>
          <option timestep="{1.0 / FRAME_RATE}" gravity="0 -9.81 0" integrator="discrete" solver="CG"/>
          <size memory="2G"/>
          <worldbody>
            <flexcomp name="bar" type="grid" dim="3" count="{_words(counts)}" spacing="{_words(spacing)}"
                mass="{DENSITY * float(np.prod(SIZE))}" radius="0.001">
              <elasticity young="{YOUNG}" poisson="{POISSON}" damping="0.01"/>
              <contact selfcollide="none" contype="0" conaffinity="0"/>
              <pin gridrange="0 0 0 0 {counts[1] - 1} {counts[2] - 1}"/>
            </flexcomp>
          </worldbody>
        </mujoco>"""
        self._model = mujoco.MjModel.from_xml_string(text)
        self._data = mujoco.MjData(self._model)
        mujoco.mj_forward(self._model, self._data)
        self._rest = self._positions()
        self._tetrahedra = np.array(self._model.flex_elem).reshape(-1, 4)

    def advance(self, frames: int) -> BarLog:
        cpu_ms = []
        for _ in range(frames):
            start = time.process_time()
            self._mujoco.mj_step(self._model, self._data)
            cpu_ms.append(1e3 * (time.process_time() - start))
        self._mujoco.mj_forward(self._model, self._data)
        return summary(self._positions(), self._rest, self._tetrahedra, cpu_ms)

    def _positions(self) -> NDArray[np.float64]:
        return np.array(self._data.flexvert_xpos).reshape(-1, 3)


def _grid_counts(points: int) -> tuple[int, int, int]:
    """Return the points along x, y and z of a grid of about as many points, with cells about as long as wide."""
    across = max(2, round((points / (SIZE[0] / SIZE[1])) ** (1.0 / 3.0)))
    return max(2, round(points / across**2)), across, across


def _words(numbers: Any) -> str:
    return " ".join(str(number) for number in numbers)


class _PbdBar:
    def __init__(self, cell: float) -> None:
        import pypbd

        self._rest, self._tetrahedra = bar_mesh(cell)
        self._simulation = pypbd.Simulation.getCurrent()
        self._simulation.initDefault()
        self._model = self._simulation.getModel()
        body = self._model.addTetModel(list(self._rest), self._tetrahedra.ravel().tolist())
        sides = self._rest[self._tetrahedra[:, 1:]] - self._rest[self._tetrahedra[:, :1]]
        masses = np.zeros(len(self._rest))
        np.add.at(masses, self._tetrahedra, DENSITY * np.linalg.det(sides)[:, None] / 24.0)
        is_fixed = np.isclose(self._rest[:, 0], self._rest[:, 0].min())
        particles = self._model.getParticles()
        for point, mass in enumerate(np.where(is_fixed, 0.0, masses).tolist()):
            particles.setMass(point, mass)
        finite_elements_xpbd = 3
        self._model.addSolidConstraints(body, finite_elements_xpbd, YOUNG, POISSON, YOUNG, False, False)
        self._time_step = self._simulation.getTimeStep()
        self._time_step.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, PBD_SUBSTEPS)
        self._time_step.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
        self._time_step.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS_V, 0)
        pypbd.TimeManager.getCurrent().setTimeStepSize(1.0 / FRAME_RATE)

    def advance(self, frames: int) -> BarLog:
        cpu_ms = []
        for _ in range(frames):
            start = time.process_time()
            self._time_step.step(self._model)
            cpu_ms.append(1e3 * (time.process_time() - start))
        vertices = np.asarray(self._model.getParticles().getVertices(), dtype=np.float64).reshape(-1, 3)
        return summary(vertices, self._rest, self._tetrahedra, cpu_ms)


def main() -> None:
    """Serve one bar on standard input and output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("cell", type=float)
    options = parser.parse_args()
    # The peers log to standard output, which carries our answers: give them the error stream instead.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    bar = _MujocoBar(options.cell) if options.peer == "mujoco" else _PbdBar(options.cell)
    answers.write(json.dumps({"ready": True}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(asdict(bar.advance(json.loads(line)["frames"]))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
