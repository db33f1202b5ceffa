"""Tensile test: strips cut along the warp, on the bias and along the weft, pulled by a little."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.forces.membrane import add_membrane_forces
from supple.lab.outcome import Curve, Outcome, Row, material_of, pair
from supple.model.membrane import MembraneArrays
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material
from supple.scene.scene import Scene
from supple.simulation import Simulation

LENGTH, WIDTH, SIZE = 0.2, 0.04, 0.01
"""Of the strip, and of its triangles [m]."""

STRAIN = 0.01
"""Elongation [-]."""


def bias_stiffness(material: Material, angle_deg: float) -> float:
    """Return the stretch stiffness of a strip at an angle to the warp [N/m], docs/theory/membrane.md, eq. (M7)."""
    warp, weft = pair(material.stretch_stiffness)
    c, s = np.cos(np.radians(angle_deg)) ** 2, np.sin(np.radians(angle_deg)) ** 2
    mixed = 1.0 / material.shear_stiffness - 2.0 * material.poisson_ratio / np.sqrt(warp * weft)
    return float(1.0 / (c * c / warp + s * s / weft + c * s * mixed))


def tensile(fabric: str | Material) -> Outcome:
    """Pull strips of a fabric along the warp, at 45° and along the weft.

    Args:
        fabric: name of a material, or a Material
    """
    material = material_of(fabric).changed(stretch_limit=None)
    if not min(*pair(material.stretch_stiffness), material.shear_stiffness) > 0.0:
        raise SuppleError("a stretch or shear stiffness is 0, so a strip gives way without a pull.")
    rows = []
    for name, angle in (("warp", 0.0), ("bias, 45°", 45.0), ("weft", 90.0)):
        measured = _pull(material, angle) / (WIDTH * STRAIN)
        rows.append(Row(f"stretch stiffness, {name}", measured, bias_stiffness(material, angle), "N/m"))
    angles = np.linspace(0.0, 90.0, 91)
    curves = (
        Curve("measured", np.array([0.0, 45.0, 90.0]), np.array([row.measured for row in rows])),
        Curve(
            "theory", angles, np.array([bias_stiffness(material, float(a)) for a in angles]), is_theory=True
        ),
    )
    labels = "angle to the warp [°]", "stretch stiffness [N/m]"
    return Outcome("tensile", tuple(rows), curves=curves, labels=labels)


def _pull(material: Material, angle: float) -> float:
    """Return the force with which a strip resists [N]; its ends are free to become narrower."""
    outline = [[-0.5 * WIDTH, 0.0], [0.5 * WIDTH, 0.0], [0.5 * WIDTH, LENGTH], [-0.5 * WIDTH, LENGTH]]
    strip = Cloth.panel(outline=outline, size=SIZE, material=material, grain_deg=angle, name="strip")
    simulation = Simulation(Scene(strip, gravity=(0.0, 0.0, 0.0)), integrator="explicit")
    world = simulation.engine.world
    points, elements = world.particles.positions, world.membrane.arrays
    stiffness = plane_matrix(points, elements)
    is_end = (points[:, 1] < 1e-9) | (points[:, 1] > LENGTH - 1e-9)
    given = np.zeros((len(points), 2))
    given[:, 1] = np.where(points[:, 1] > 0.5 * LENGTH, STRAIN * LENGTH, 0.0)
    is_given = np.zeros((len(points), 2), np.bool_)
    is_given[is_end, 1] = True
    is_given[np.flatnonzero(is_end)[0], 0] = True
    moved, is_free = np.where(is_given, given, 0.0).ravel(), ~is_given.ravel()
    moved[is_free] = np.linalg.solve(stiffness[np.ix_(is_free, is_free)], -(stiffness @ moved)[is_free])
    pulls = (stiffness @ moved).reshape(-1, 2)
    return float(pulls[points[:, 1] > LENGTH - 1e-9, 1].sum())


def plane_matrix(points: NDArray[np.float64], elements: MembraneArrays) -> NDArray[np.float64]:
    """Return the stiffness of a flat sheet against small displacements in its plane, (2 n, 2 n) [N/m]."""
    still = np.zeros_like(points)
    matrix = np.zeros((2 * len(points), 2 * len(points)))
    for i in range(len(points)):
        for axis in range(2):
            pulls = []
            for away in (-1e-7, 1e-7):
                moved, forces = points.copy(), np.zeros_like(points)
                moved[i, axis] += away
                add_membrane_forces(moved, still, elements, forces)
                pulls.append(forces[:, :2].ravel())
            matrix[:, 2 * i + axis] = (pulls[0] - pulls[1]) / 2e-7
    return matrix
