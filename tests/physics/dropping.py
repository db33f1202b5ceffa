"""Random sheets that fall on random solids."""

from __future__ import annotations

import numpy as np

import supple
from tests.physics.swinging import total_energy


def random_drop(seed: int, friction: float) -> supple.Scene:
    """Return a small sheet without damping, turned at random, over the ground and mostly over a solid too."""
    random = np.random.default_rng(seed)
    material = supple.Material.like(("silk", "cotton", "denim", "wool")[random.integers(4)], damping=0.0)
    points, size = int(random.integers(6, 11)), random.uniform(0.15, 0.4)
    angles = tuple(random.uniform(-180.0, 180.0, 3))
    turn, thickness = float(random.uniform(0.0, 90.0)), float(random.uniform(0.01, 0.05))
    solids = [
        supple.Sphere(radius=0.08, at=(0.0, 0.08, 0.0), friction=friction),
        supple.Box(
            size=(0.16, 0.12, 0.16), at=(0.0, 0.06, 0.0), rotation_deg=(0.0, turn, 0.0), friction=friction
        ),
        supple.Cylinder(start=(-0.3, 0.1, 0.0), end=(0.3, 0.1, 0.0), radius=thickness, friction=friction),
    ]
    chosen = [solids[random.integers(3)]] if random.random() < 0.75 else []
    height = size * random.uniform(0.6, 1.4)
    place = np.array((0.0, 0.45, 0.0)) + random.uniform(-0.06, 0.06, 3)
    cloth = supple.Cloth.rectangle(
        width=size, height=height, columns=points, rows=points, material=material,
        at=tuple(place), rotation_deg=angles,
    )  # fmt: skip
    return supple.Scene(cloth, supple.Plane(friction=friction), *chosen)


def largest_gain(scene: supple.Scene, seconds: float = 1.2) -> tuple[float, float]:
    """Return how far the energy ever rises above its least, over what moves at most [-], and the greatest depth [m]."""
    simulation = supple.Simulation(scene)
    assert simulation.engine.integrator.name == "descent"
    energies, moving, depth = [total_energy(simulation)], 0.0, 0.0
    for report in simulation.run(seconds):
        energies.append(total_energy(simulation))
        moving, depth = max(moving, report.kinetic_energy), max(depth, simulation.depth())
    gained = np.array(energies) - np.minimum.accumulate(energies)
    return float(gained.max()) / moving, depth
