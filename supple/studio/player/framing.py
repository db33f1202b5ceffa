"""Box around all there will be to see of a scene, so that a camera stands well before anything moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from supple.constrain.kinematic_points import PathPin
from supple.scene.bodies.body import Body
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.puppet import Puppet
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.placement import placed
from supple.scene.scene import Scene
from supple.scene.timeline.actions import Free
from supple.studio.connection.rigid_meshes import Solid
from supple.studio.player.preview import Shown

FARTHEST_FALL = 2.0
"""Ground that is farther below than so many sizes of the scene is not kept in view."""

MOMENTS = 48
"""Moments at which a path is looked at; between two of them it turns by a few degrees."""

Points = NDArray[np.float64]


def room_of(simulation: Shown, solids: Sequence[Solid]) -> tuple[Points, Points]:
    """Return the corners of the box around all there will be to see, (3,) each [m].

    Paths and puppets go where they are told, so they count wherever they will be. Of all else it is known how low
    it can hang from its pins, also from those that are left when others were let go.
    """
    scene = simulation.scene
    parts = [body.start_points() for body in scene.bodies]
    parts += [places_along_motion(body, scene.duration) for body in scene.bodies]
    parts += [solid.placed_vertices() for solid in solids if solid.floor is None]
    everything = np.concatenate(parts)
    low, high = everything.min(axis=0), everything.max(axis=0)
    floor = lowest_floor(solids)
    for body in scene.bodies:
        start = body.start_points()
        held = simulation.pinned(body.name or "")
        held = held[held < len(start)]
        left = held_in_the_end(scene, body, held)
        lowest = min(_lowest_from(body, pins, scene.duration) for pins in (held, left))
        if floor is not None and floor <= start[:, 1].min():
            lowest = max(lowest, floor)  # what hangs from its pins lies down there
        low[1] = min(low[1], lowest)
        if (
            len(left) == 0
            and floor is not None
            and floor > low[1] - FARTHEST_FALL * float(np.ptp(everything))
        ):
            low[1] = min(low[1], floor)  # it will lie there
    return low, high


def lowest_floor(solids: Sequence[Solid]) -> float | None:
    """Return the height of the lowest plane that is ground [m], if there is one."""
    return min((solid.floor for solid in solids if solid.floor is not None), default=None)


def places_along_motion(body: Body, seconds: float) -> Points:
    """Return places that a body is led through within some time, (n, 3) [m]: by paths of its pins, or as a puppet."""
    if isinstance(body, Puppet):
        pairs = [body.sample(time)[:2] for time in np.linspace(0.0, seconds, MOMENTS).tolist()]
        return placed(body.samples[np.unique(pairs)].reshape(-1, 3), body.at, body.rotation)
    places = [pin.positions(time) for pin in _path_pins(body) for time in _moments(pin, seconds)]
    return np.concatenate([np.zeros((0, 3)), *places])


def held_in_the_end(scene: Scene, body: Body, held: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return which of the points held are still held when the scene has let go of others."""
    for edit in scene.edits:
        if isinstance(edit, Free) and edit.body == body.name and edit.time <= scene.duration:
            freed = held if edit.points is None else body.indices(edit.points)
            held = np.setdiff1d(held, freed)
    return held


def _path_pins(body: Body) -> list[PathPin]:
    start = body.start_points()
    return [PathPin.of(start, body.indices(pin.where), pin.path) for pin in body.pins if pin.path is not None]


def _moments(pin: PathPin, seconds: float) -> list[float]:
    times = pin.path.times()
    last = min(float(times[-1]), seconds)
    return [*np.linspace(0.0, last, MOMENTS).tolist(), *times[times <= seconds].tolist()]


def _lowest_from(body: Body, held: NDArray[np.int64], seconds: float) -> float:
    """Return the height [m] below which a body does not hang from the points held, wherever these are led."""
    start = body.start_points()
    if len(held) == 0:
        return float(start[:, 1].min())
    heights = start[:, 1].copy()
    for pin in _path_pins(body):
        for time in _moments(pin, seconds):
            heights[pin.points] = np.minimum(heights[pin.points], pin.positions(time)[:, 1])
    # A sheet that starts bent along a course is longer than it looks.
    is_sheet = isinstance(body, Cloth) and isinstance(body.shape, Rectangle)
    return lowest_reach(body.local_points() if is_sheet else start, held, heights[held])


def lowest_reach(points: Points, pinned: NDArray[np.int64], heights: Points) -> float:
    """Return the height [m] below which no point of a body hangs, if it does not stretch.

    A pin lets a point hang no lower than their distance below itself.

    Args:
        points: (point_count, 3) [m], at rest, in any axes
        pinned: (pin_count,) indices of the points held, at least one
        heights: (pin_count,) of these [m]
    """
    few = slice(None, None, max(1, len(pinned) // 40))
    sample = points[:: max(1, len(points) // 2000)]
    distances = np.linalg.norm(sample[:, None, :] - points[pinned[few]][None, :, :], axis=2)
    return float((heights[few] - distances).max(axis=1).min())
