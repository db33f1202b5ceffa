"""Friction: a piece of cloth on a board that is tilted until it slides (incline method, as in ASTM D3334 or D4518).

The tangent of the angle at which it begins to slide is the coefficient of friction. Gravity is tilted instead of the board.
"""

from __future__ import annotations

import math

import numpy as np

from supple.arguments import as_number
from supple.lab.outcome import Curve, Outcome, Row, material_of
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material
from supple.scene.obstacles.solids import Plane
from supple.scene.scene import Scene
from supple.simulation import Simulation

SIDE, SIZE = 0.1, 0.02
"""Of the piece, and of its triangles [m]."""

SHELL = 1e-3
"""Height above the board at which it lies [m]."""

SECONDS, SLIP = 0.5, 1e-3
"""Time that is waited at every angle [s], and the way from which it counts as sliding [m]."""

TURNS = 9
"""Angles that are tried: each halves the range in which the answer lies."""


def friction(fabric: str | Material, *, coefficient: float = 0.3, integrator: str = "explicit") -> Outcome:
    """Tilt a board until a piece of a fabric slides on it.

    Args:
        fabric: name of a material, or a Material
        coefficient: of the board against the fabric [-], as an obstacle's `friction`
        integrator: that moves it; with `descent` a piece slides from 2 to 3 % more than its coefficient on
    """
    material = material_of(fabric)
    coefficient = as_number("coefficient", coefficient, at_least=0.0)
    low, high = 0.0, 2.0 * coefficient + 0.1
    ways: list[tuple[float, float]] = []
    for _ in range(TURNS):
        middle = 0.5 * (low + high)
        way = _way(material, coefficient, middle, integrator)
        ways.append((math.degrees(math.atan(middle)), 1e3 * way))
        if way > SLIP:
            high = middle
        else:
            low = middle
    found = 0.5 * (low + high)
    angle = math.degrees(math.atan(found))
    rows = (
        Row("coefficient of friction", found, coefficient, ""),
        Row("angle at which it slides", angle, math.degrees(math.atan(coefficient)), "°"),
    )
    tilted = np.linspace(0.0, max(tilt for tilt, _ in ways), 101)
    pull = np.sin(np.radians(tilted)) - coefficient * np.cos(np.radians(tilted))
    curves = (
        Curve("measured", *np.array(ways).T),
        Curve(
            "½ g t² (sin α - µ cos α)",
            tilted,
            1e3 * 0.5 * 9.81 * SECONDS**2 * np.maximum(pull, 0.0),
            is_theory=True,
        ),
    )
    labels = "board tilted by [°]", f"way in {SECONDS:g} s [mm]"
    return Outcome("friction", rows, curves=curves, labels=labels)


def _way(material: Material, coefficient: float, slope: float, integrator: str) -> float:
    """Return how far a piece slides on a board of that slope, the tangent of its angle [m]."""
    half, angle = 0.5 * SIDE, math.atan(slope)
    outline = [[-half, -half], [half, -half], [half, half], [-half, half]]
    piece = Cloth.panel(
        outline=outline,
        size=SIZE,
        material=material,
        name="piece",
        at=(0, SHELL, 0),
        rotation_deg=(-90, 0, 0),
    )
    gravity = (9.81 * math.sin(angle), -9.81 * math.cos(angle), 0.0)
    board = Plane(normal=(0.0, 1.0, 0.0), friction=coefficient, shell=SHELL)
    simulation = Simulation(Scene(piece, obstacles=[board], gravity=gravity), integrator=integrator)
    start = simulation.positions("piece").mean(axis=0)
    while simulation.time < SECONDS:
        simulation.step()
    way = simulation.positions("piece").mean(axis=0) - start
    return float(np.hypot(way[0], way[2]))
