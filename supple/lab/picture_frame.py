"""Shear: a square in a frame with hinges at its corners (picture frame), closed by up to 20°."""

from __future__ import annotations

import numpy as np

from supple.errors import SuppleError
from supple.forces.membrane import membrane_energy
from supple.lab.outcome import Curve, Outcome, Row, material_of
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material
from supple.scene.scene import Scene
from supple.simulation import Simulation

SIDE, SIZE = 0.1, 0.012
"""Of the frame, and of the triangles [m]."""

ANGLES = (5.0, 10.0, 20.0)
"""By which the frame is closed [°]."""


def shear(fabric: str | Material) -> Outcome:
    """Shear a square of a fabric in a picture frame.

    The moment of the frame per area is the slope of the energy by the angle: G sin φ cos φ if threads do not slip.

    Args:
        fabric: name of a material, or a Material
    """
    material = material_of(fabric).changed(stretch_limit=None)
    if not material.shear_stiffness > 0.0:
        raise SuppleError("the shear stiffness is 0, so the frame closes without a push.")
    half = 0.5 * SIDE
    outline = [[-half, -half], [half, -half], [half, half], [-half, half]]
    cloth = Cloth.panel(outline=outline, size=SIZE, material=material, name="square")
    simulation = Simulation(Scene(cloth, gravity=(0.0, 0.0, 0.0)), integrator="explicit")
    world = simulation.engine.world
    rows = []
    for angle in ANGLES:
        around = []
        for phi in np.radians([angle - 0.01, angle + 0.01]):
            # Both pairs of sides turn towards each other by half the angle; none of them changes its length.
            c, s = np.cos(0.5 * phi), np.sin(0.5 * phi)
            skewed = world.particles.positions @ np.array([[c, s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            around.append(membrane_energy(skewed, world.membrane.arrays))
        slope = (around[1] - around[0]) / np.radians(0.02) / SIDE**2
        phi = np.radians(angle)
        expected = material.shear_stiffness * np.sin(phi) * np.cos(phi)
        rows.append(Row(f"moment per area at {angle:g}°", float(slope), float(expected), "N/m"))
    turned = np.linspace(0.0, 1.25 * ANGLES[-1], 51)
    phi = np.radians(turned)
    expected_curve = material.shear_stiffness * np.sin(phi) * np.cos(phi)
    curves = (
        Curve("measured", np.array(ANGLES), np.array([row.measured for row in rows])),
        Curve("G sin φ cos φ", turned, expected_curve, is_theory=True),
    )
    return Outcome("shear", tuple(rows), curves=curves, labels=("closed by [°]", "moment per area [N/m]"))
