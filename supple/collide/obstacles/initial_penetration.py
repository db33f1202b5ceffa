"""Bodies that start inside of obstacles: contact leads every point to the nearest surface, which spoils their shape.

Told by `supple check`, before anybody wonders.
"""

from __future__ import annotations

import numpy as np

from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.particle_contact import measure_depths
from supple.model.world import World
from supple.scene.bodies.puppet import Puppet
from supple.scene.scene import Scene


def buried_starts(scene: Scene, world: World, obstacles: Obstacles) -> list[str]:
    """Return a sentence for every body of which free points start deeper inside an obstacle than its shell is thick."""
    kinds, parameters, *maps = obstacles.solids.shapes
    positions = world.particles.positions
    lines = []
    for n, obstacle in enumerate(scene.obstacles):
        if obstacle.response == "repel":  # it pushes gently, however deep
            continue
        of_it = obstacles.solids.owners == n
        depths = np.zeros(len(positions))
        measure_depths(kinds[of_it], parameters[of_it], *maps, obstacles.poses_t1[of_it], positions, depths)
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
