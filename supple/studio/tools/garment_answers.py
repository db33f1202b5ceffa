"""What pages ask while a garment is worked on: which edges a needle takes, how long a tape is, how cloth presses."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.puppet import Puppet
from supple.scene.obstacles.solids import Plane
from supple.simulation import Simulation
from supple.studio.connection import protocol
from supple.studio.tools.cloth_strokes import BORDER_BONUS, ClothStrokes

ON_BORDER = 0.6
"""Share of the edges of a seam that lie on a border, below which it is told that it does not [-]."""

LEAST_PRESSURE = 10.0
"""Least pressure that the hottest colour stands for [Pa]: less is noise."""

COMMON = 0.98
"""Share of what is pressed at all that the colours reach; single points may be beyond [-]."""


def traced(strokes: ClothStrokes, simulation: Simulation, message: protocol.Trace) -> protocol.Traced:
    """Return the edges that a needle would take along a path, and what is wrong with them."""
    path, world = message.path, message.world
    try:
        chain = strokes.edge_chain(path, border=BORDER_BONUS)
    except SuppleError as error:
        return protocol.Traced(world=world, body=path.body, vertices=(), text=str(error))
    text = ""
    triangles = simulation.triangles(path.body)
    if len(triangles):
        sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        edges, counts = np.unique(sides, axis=0, return_counts=True)
        border = {(a, b) for a, b in edges[counts == 1].tolist()}
        steps = [(min(pair), max(pair)) for pair in itertools.pairwise(chain)]
        if sum(step in border for step in steps) < ON_BORDER * len(steps):
            text = "No border is near: this seam would run through the middle of the cloth."
    return protocol.Traced(world=world, body=path.body, vertices=tuple(chain), text=text)


def tape(simulation: Simulation, message: protocol.Measure) -> protocol.Tape:
    """Return how long a tape over some vertices of a body is, and where it lies."""
    measured = simulation.tape_measure(message.body, message.vertices)
    points = measured.points
    if len(points) > protocol.MOST_TAPE:
        points = points[np.linspace(0, len(points) - 1, protocol.MOST_TAPE).astype(np.int64)]
    return protocol.Tape(
        world=message.world,
        body=message.body,
        vertices=message.vertices,
        length=measured.length,
        points=tuple((x, y, z) for x, y, z in points.tolist()),
    )


def pressures(simulation: Simulation, world: int) -> Iterator[protocol.Pressure]:
    """Yield how cloth presses on everything that could wear some, if the scene has cloth."""
    scene = simulation.scene
    if not any(isinstance(body, Cloth) for body in scene.bodies):
        return
    wearers = [body.name or "" for body in scene.bodies if isinstance(body, Puppet)]
    wearers += [
        name
        for name, obstacle in zip(simulation.obstacle_names, scene.obstacles, strict=True)
        if not isinstance(obstacle, Plane)
    ]
    for wearer in wearers:
        values = simulation.pressure_map(wearer).pressures
        pressed = values[values > 0.0]
        most = max(LEAST_PRESSURE, float(np.quantile(pressed, COMMON))) if len(pressed) else LEAST_PRESSURE
        shades = np.clip(np.round(255.0 * values / most), 0, 255).astype(np.int64)
        yield protocol.Pressure(world=world, body=wearer, most=most, values=tuple(shades.tolist()))


def saved_pattern(simulation: Simulation, message: protocol.SavePattern, folder: Path) -> protocol.Saved:
    """Write the panels of a garment where a page can fetch them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise SuppleError(f"cannot write to {folder}: {trouble.strerror}.") from None
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in message.garment)
    stem, number = f"{safe}-pattern-{time.strftime('%Y%m%d-%H%M%S')}", 1
    path = folder / f"{stem}.{message.form}"
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.{message.form}"
    names = simulation.write_pattern(message.garment, path)
    count = f"{len(names)} panel{'' if len(names) == 1 else 's'}"
    return protocol.Saved(name=path.name, text=f"{count} of {message.garment}, in {path.name}.")
