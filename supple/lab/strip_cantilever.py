"""Cantilever: a strip pushed over an edge, and how far it bends under its own weight (ASTM D1388).

The bending length is half of the overhang at which the tip hangs 41.5° below the edge; Peirce's formula gives it from any
angle. The bending stiffness is its cube times the weight per area.
"""

from __future__ import annotations

import math
import os

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.lab.filming import filmed
from supple.lab.outcome import Curve, Outcome, Row, material_of, pair
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material
from supple.scene.scene import Scene
from supple.simulation import Simulation

WIDTH = 0.025
"""Width of the strip [m]."""

GRAVITY = 9.81

SECONDS = 6.0
"""Simulated time after which the test ends in any case [s]."""


def cantilever(
    fabric: str | Material, *, record: str | os.PathLike[str] | None = None, replace: bool = False
) -> Outcome:
    """Measure the bending length of a fabric along warp and weft.

    Args:
        fabric: name of a material, or a Material
        record: file that the motion of the strip along the warp is recorded to, of any format of `supple.record`
        replace: whether a file that exists may be replaced
    """
    material = material_of(fabric).changed(stretch_limit=None)
    rows, curves = [], []
    for name, grain, stiffness in zip(
        ("warp", "weft"), (90.0, 0.0), pair(material.bending_stiffness), strict=True
    ):
        if not stiffness > 0.0:
            raise SuppleError(
                f"the bending stiffness along the {name} is 0, so a strip has no bending length: it hangs straight down."
            )
        expected = (stiffness / (GRAVITY * material.area_density)) ** (1.0 / 3.0)
        film = record if name == "warp" else None
        found, profile = _bending_length(material, grain, expected, film, replace)
        rows.append(Row(f"bending length, {name}", 100.0 * found, 100.0 * expected, "cm"))
        curves.append(Curve(name, *(100.0 * profile)))
    labels = "away from the edge [cm]", "height [cm]"
    return Outcome("cantilever", tuple(rows), curves=tuple(curves), labels=labels, is_shape=True)


def _bending_length(
    material: Material, grain: float, expected: float, record: str | os.PathLike[str] | None, replace: bool
) -> tuple[float, NDArray[np.float64]]:
    """Return the bending length [m] of a strip with twice the expected one as overhang, and how it hangs (2, n) [m]."""
    size = expected / 8.0
    overhang, held = 2.0 * expected, 3.0 * size
    half = max(0.5 * WIDTH, 2.0 * size)
    outline = [[-held, -half], [overhang, -half], [overhang, half], [-held, half]]
    # Lying: the strip along x, its normal up.
    strip = Cloth.panel(
        outline=outline, size=size, material=material, grain_deg=grain, name="strip", rotation_deg=(-90, 0, 0)
    )
    places = strip.local_points()
    is_held = places[:, 0] < 0.25 * size
    simulation = Simulation(
        Scene(strip.pinned(np.flatnonzero(is_held).tolist()), drag=6.0), integrator="descent", substeps=24
    )
    arrays = simulation.engine.world.membrane.arrays
    # The strip is free from where its triangles can move.
    is_free = ~is_held[arrays.corners].all(axis=1)
    length = float(arrays.areas[is_free].sum()) / (2.0 * half)
    mass = float(simulation.engine.world.particles.masses.sum())
    with filmed(simulation, record, SECONDS, replace) as film:
        while simulation.time < SECONDS:
            report = simulation.step()
            film()
            if simulation.time > 0.5 and 2.0 * report.kinetic_energy < mass * 1e-6:
                break
    tip = simulation.positions("strip")[places[:, 0] > overhang - 1e-9].mean(axis=0)
    angle = math.atan2(-float(tip[1]), float(tip[0]) - (overhang - length))
    found: float = length * (math.cos(0.5 * angle) / (8.0 * math.tan(angle))) ** (1.0 / 3.0)
    hangs = simulation.positions("strip")[np.argsort(places[:, 0], kind="stable")]
    starts = np.flatnonzero(np.diff(np.sort(places[:, 0]), prepend=-np.inf) > 0.4 * size)
    rows = [part.mean(axis=0) for part in np.split(hangs, starts[1:])]  # across the strip
    profile = np.array(rows)[:, :2].T - [[overhang - length], [0.0]]
    return found, profile
