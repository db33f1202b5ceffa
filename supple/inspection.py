"""Facts that `supple check` tells of a scene without mistakes: its bodies in numbers."""

from __future__ import annotations

import math
import warnings
from typing import Any

from supple.collide.narrow_phase.intersection_query import Intersections
from supple.collide.obstacles.initial_penetration import initial_penetrations
from supple.collide.obstacles.obstacles import Obstacles, largest_extent
from supple.collide.obstacles.solid_arrays import Progress, doubts_about
from supple.collide.self_contact.self_contact import SelfContact
from supple.collide.untangle.soft_mesh_repairs import soft_repairs
from supple.integrate.explicit import Explicit
from supple.integrate.multirate import stable_step
from supple.model.world import BodyRange, World, build_world
from supple.scene.obstacles.mesh_obstacle import Mesh
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.scene import Scene


def inspect_scene(
    scene: Scene, *, count_intersections: bool = False, progress: Progress | None = None
) -> dict[str, Any]:
    """Return facts on a scene, ready for JSON.

    `bodies` is a list with a name, counts, the mass [kg] and the least and largest spring
    stiffness [N/m] of each; `obstacles` lists their names, kinds and triangles; `warnings` says what is
    doubtful about meshes, where cloth starts intersected, and which bodies start inside of obstacles; `refused` says
    why no simulation of the scene can begin, if none can; `stable_step` is the
    largest stable step of the explicit integrator [s], None if nothing limits it. If asked, `intersections` tells how
    many edges pass through triangles at the start, whatever the `self_contact` of their bodies, and `intersected` of
    which bodies. `progress` is told of distance maps of mesh obstacles being built, as by `Simulation`.
    """
    world = build_world(scene)
    step = min(
        Explicit(world).stable_step(),
        *(stable_step(levels, n) for levels in world.levels.values() for n in range(levels.count)),
        math.inf,
    )
    bodies = [_body_facts(world, body) for body in world.bodies.values()]
    troubles = SelfContact(scene, world).troubles(scene.settings.on_intersection)
    is_refused = scene.settings.on_intersection == "refuse"
    facts = {
        "bodies": bodies,
        "obstacles": [_obstacle_facts(obstacle) for obstacle in scene.obstacles],
        "warnings": [
            *doubts_about(scene.obstacles, largest_extent(world)),
            *soft_repairs(scene),
            *troubles,
            *_penetrating(scene, world, progress),
        ],
        "refused": troubles if is_refused else [],
        "stable_step": step if math.isfinite(step) else None,
    }
    if count_intersections:
        surfaces = Intersections(scene, world)
        found = surfaces.find()
        facts |= {"intersections": len(found), "intersected": surfaces.bodies_of(found)}
    return facts


def _penetrating(scene: Scene, world: World, progress: Progress | None) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is doubtful about meshes has been told
        return initial_penetrations(scene, world, Obstacles(scene.obstacles, world, progress))


def _obstacle_facts(obstacle: Obstacle) -> dict[str, Any]:
    facts: dict[str, Any] = {"obstacle": obstacle.name, "kind": obstacle.kind, "friction": obstacle.friction}
    return facts | {"triangles": len(obstacle.triangles)} if isinstance(obstacle, Mesh) else facts


def _tetrahedra(world: World, body: BodyRange) -> int:
    levels = world.levels.get(body.name)
    if levels is not None:
        return int(levels.element_firsts[-1] - levels.element_firsts[-2])
    return int(body.tetrahedra.stop - body.tetrahedra.start)


def _body_facts(world: World, body: BodyRange) -> dict[str, Any]:
    stiffness = world.springs.stiffness[body.springs]
    return {
        "body": body.name,
        "points": body.particles.stop - body.particles.start,
        "springs": body.springs.stop - body.springs.start,
        "bends": body.bends.stop - body.bends.start,
        "tetrahedra": _tetrahedra(world, body),
        "triangles": len(body.triangles),
        "mass": float(world.particles.masses[body.particles].sum()),
        "stiffness": [float(stiffness.min()), float(stiffness.max())] if len(stiffness) else [0.0, 0.0],
    }
