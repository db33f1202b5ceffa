"""Initial penetration: bodies that start inside of obstacles.

Contact would move every point to the nearest surface, which spoils their shape, so `supple check` tells of it.
"""

from __future__ import annotations

import numpy as np

from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.particle_contact import measure_depths
from supple.model.world import World
from supple.scene.bodies.puppet import Puppet
from supple.scene.scene import Scene


def initial_penetrations(scene: Scene, world: World, obstacles: Obstacles) -> list[str]:
    """Return a sentence for every body of which free points start deeper inside an obstacle than its shell is thick."""
    positions = world.particles.positions
    lines = []
    for n, obstacle in enumerate(scene.obstacles):
        if obstacle.response == "repel":  # it pushes gently, however deep
            continue
        is_own = obstacles.owners == n
        depths = np.zeros(len(positions))
        measure_depths(obstacles.solids.chosen(is_own), obstacles.poses.t1[is_own], positions, depths)
        for body in scene.bodies:
            if isinstance(body, Puppet):
                continue
            own = depths[world.bodies[body.name or ""].particles].copy()
            for pin in body.pins:  # what is held stays where it is
                own[body.indices(pin.where)] = -np.inf
            inside = np.flatnonzero(own > obstacle.shell)
            if len(inside):
                deepest = int(own.argmax())
                x, y, z = positions[world.bodies[body.name or ""].particles][deepest]
                where = f"{1e3 * own[deepest]:.3g} mm deep, near ({x:.3g}, {y:.3g}, {z:.3g}) m"
                lines.append(
                    f"{body.name}: {len(inside):,} of its {len(own):,} points start inside `obstacle.{obstacle.name}`, "
                    f"up to about {where}. They are led out at 1 m/s. Give the body or the obstacle "
                    f"another `at`."
                )
    return lines
