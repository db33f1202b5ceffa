"""The peer MuJoCo: the same cloth as a flex of triangles, in a process of its own.

Run as a module, this file is the child, as in `peer_pypbd`: it reads one JSON request per line and answers with one
JSON line.

Triangles have the stretch and bending stiffness of our cloth; shear follows from Poisson's ratio 0, and is stiffer. The
integrator "discrete" (implicit) is the only one that holds such cloth at steps of a millisecond and more. With four
steps a frame the fall of the benchmark's cloth is as far from its converged motion as ours is with ten substeps of the
filter (lowest point after 0.7 s: -0.73 and -0.76 m, converged -0.46); with one it hangs still where it should swing
back.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import subprocess
import sys
import time
from typing import Any

from benchmarks.cloth import FRAME_RATE, MATERIAL
from benchmarks.peer_process import PeerProcess

STEPS = 4
"""Steps of the peer in a frame."""

INSTALL_HINT = (
    "mujoco is not installed; `pip install supple[bench]` (or `pip install mujoco`) adds the comparison"
)


def is_available() -> bool:
    """Return whether `mujoco` can be imported here."""
    return importlib.util.find_spec("mujoco") is not None


class PeerFlex(PeerProcess):
    """A flex in a child process; close it, or use it in a `with` block."""

    def __init__(self, points: int) -> None:
        """Start the child on a cloth of `points` x `points` points."""
        super().__init__("benchmarks.peer_flex", str(points), errors=subprocess.DEVNULL, OMP_NUM_THREADS="1")

    def advance(self, frames: int) -> list[float]:
        """Let the cloth fall from its start for some frames, and return what each took [ms]."""
        wall_ms: list[float] = self.ask({"frames": frames})["wall_ms"]
        return wall_ms


# ---------------------------------------------------------------- the child


class _ChildFlex:
    def __init__(self, points: int) -> None:
        import mujoco

        self._mujoco = mujoco
        stretch, bending = MATERIAL["stretch_stiffness"], MATERIAL["bending_stiffness"]
        thickness = math.sqrt(12.0 * bending / stretch)  # of a plate with both
        spacing = 1.0 / (points - 1)
        text = f"""<mujoco>
          <option timestep="{1.0 / (STEPS * FRAME_RATE)}" gravity="0 -9.81 0" integrator="discrete" solver="CG"/>
          <size memory="1G"/>
          <worldbody>
            <flexcomp name="cloth" type="grid" dim="2" count="{points} {points} 1" euler="90 0 0"
                spacing="{spacing} {spacing} {spacing}" mass="{MATERIAL["area_density"]}" radius="0.001">
              <elasticity young="{stretch / thickness}" poisson="0" thickness="{thickness}" elastic2d="both"/>
              <contact selfcollide="none" contype="0" conaffinity="0"/>
              <pin id="0 {points - 1}"/>
            </flexcomp>
          </worldbody>
        </mujoco>"""
        self._model = mujoco.MjModel.from_xml_string(text)
        self._data = mujoco.MjData(self._model)

    def advance(self, frames: int) -> list[float]:
        self._mujoco.mj_resetData(self._model, self._data)
        wall_ms = []
        for _ in range(frames):
            begun = time.perf_counter()
            for _ in range(STEPS):
                self._mujoco.mj_step(self._model, self._data)
            wall_ms.append(1e3 * (time.perf_counter() - begun))
        return wall_ms


def main() -> None:
    """Serve one cloth on standard input and output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("points", type=int)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(content: dict[str, Any]) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    cloth = _ChildFlex(parser.parse_args().points)
    answer({"ready": True})
    for line in sys.stdin:
        answer({"wall_ms": cloth.advance(json.loads(line)["frames"])})


if __name__ == "__main__":
    main()
