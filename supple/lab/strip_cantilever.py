"""Cantilever: a strip pushed over an edge, and how far it bends under its own weight (ASTM D1388).

The bending length is half of the overhang at which the tip hangs 41.5° below the edge; Peirce's formula gives it from any
angle. The bending stiffness is its cube times the weight per area.
"""

from __future__ import annotations

import math

import numpy as np

from supple.errors import SuppleError
from supple.lab.outcome import Outcome, Row, material_of, pair
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material
from supple.scene.scene import Scene
from supple.simulation import Simulation

WIDTH = 0.025
"""Width of the strip [m]."""

GRAVITY = 9.81


def cantilever(fabric: str | Material) -> Outcome:
    """Measure the bending length of a fabric along warp and weft.

    Args:
        fabric: name of a material, or a Material
    """
    material = material_of(fabric).changed(stretch_limit=None)
    rows = []
    for name, grain, stiffness in zip(
        ("warp", "weft"), (90.0, 0.0), pair(material.bending_stiffness), strict=True
    ):
        if not stiffness > 0.0:
            raise SuppleError(
                f"the bending stiffness along the {name} is 0, so a strip has no bending length: it hangs straight down."
            )
        expected = (stiffness / (GRAVITY * material.area_density)) ** (1.0 / 3.0)
        rows.append(
            Row(
                f"bending length, {name}",
                100.0 * _bending_length(material, grain, expected),
                100.0 * expected,
                "cm",
            )
        )
    return Outcome("cantilever", tuple(rows))


def _bending_length(material: Material, grain: float, expected: float) -> float:
    """Return the bending length [m] that a strip with twice the expected one as overhang shows."""
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
    while simulation.time < 6.0:
        report = simulation.step()
        if simulation.time > 0.5 and 2.0 * report.kinetic_energy < mass * 1e-6:
            break
    tip = simulation.positions("strip")[places[:, 0] > overhang - 1e-9].mean(axis=0)
    angle = math.atan2(-float(tip[1]), float(tip[0]) - (overhang - length))
    found: float = length * (math.cos(0.5 * angle) / (8.0 * math.tan(angle))) ** (1.0 / 3.0)
    return found
