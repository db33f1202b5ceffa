"""What the panel can ask for besides changes, each with an answer for the page that asked.

Each source in `SOURCES` looks at the simulation and declares its actions. The page knows none of them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.simulation import Simulation
from supple.studio.connection import protocol

FARTHEST = 1.0e6
"""Largest coordinate that a page is told [m]."""


@dataclass(frozen=True, kw_only=True)
class Action:
    """Something to ask of a simulation."""

    name: str
    group: str
    label: str
    help: str

    prepare: Callable[[Simulation], Callable[[], protocol.Answer]]
    """Copies what it needs between two frames, and returns what finds the answer from that, in another thread."""

    def declared(self) -> protocol.Action:
        """Return what the page is told."""
        return protocol.Action(name=self.name, group=self.group, label=self.label, help=self.help)


def contact_actions(simulation: Simulation) -> Iterator[Action]:
    """Declare the count of intersections, where there are surfaces."""
    if any(len(simulation.triangles(body)) for body in simulation.body_names):
        yield Action(
            name="count_intersections",
            group="World",
            label="Count intersections",
            help="Find every edge that passes through cloth or the surface of a soft body, noticed or not.",
            prepare=_count_intersections,
        )


def _count_intersections(simulation: Simulation) -> Callable[[], protocol.Answer]:
    surfaces = simulation.engine.intersections.snapshot()
    return lambda: _intersections_told(surfaces.places())


def _intersections_told(places: NDArray[np.float64]) -> protocol.Answer:
    count = len(places)
    # Of very many those shown are spread evenly.
    shown = np.clip(places[:: max(1, -(-count // protocol.MOST_PLACES))], -FARTHEST, FARTHEST)
    text = "0 intersections: no edge passes through a surface."
    if count:
        text = f"{count:,} {'edge passes' if count == 1 else 'edges pass'} through cloth, where it is marked."
    return protocol.Answer(
        name="count_intersections", text=text, places=tuple((x, y, z) for x, y, z in shown.tolist())
    )


SOURCES: list[Callable[[Simulation], Iterable[Action]]] = [contact_actions]
"""Where actions come from, in the order of the panel."""


def declare_actions(simulation: Simulation) -> dict[str, Action]:
    """Return all actions of a simulation by name."""
    return {action.name: action for source in SOURCES for action in source(simulation)}
