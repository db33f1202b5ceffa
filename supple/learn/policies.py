"""Scripted policies: each solves a task with pick-and-place, looking at the simulation itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from supple.learn.environment import DeformableEnvironment
from supple.learn.tasks import SIZE, Dress, Fold, Hang, Rope, Smooth
from supple.simulation import Simulation

Floats = NDArray[np.float64]
Move = tuple[Floats, Floats]
"""Where to pick and where to place, (3,) [m] each."""


def scripted_policy(environment: DeformableEnvironment) -> Iterator[NDArray[np.float32]]:
    """Yield action after action that solve the task of an environment with pick-and-place."""
    for pick, place in POLICIES[environment.task.name](environment):
        yield environment.action_for(pick, place)


def smooth(environment: DeformableEnvironment) -> Iterator[Move]:
    """Draw the corner that is farthest from its place to it, outwards, again and again."""
    count = environment.task.points
    corners = [(row, column) for row in (0, count - 1) for column in (0, count - 1)]
    while True:
        points = environment.simulation.positions("cloth").reshape(count, count, 3)
        goals = {c: SIZE * (np.array((c[1], 0.0, c[0])) / (count - 1) - (0.5, 0.0, 0.5)) for c in corners}
        farthest = max(corners, key=lambda c: float(np.linalg.norm((points[c] - goals[c])[[0, 2]])))
        outwards = goals[farthest] / np.linalg.norm(goals[farthest])
        yield points[farthest].copy(), goals[farthest] + 0.01 * outwards + (0.0, 0.01, 0.0)


def fold(environment: DeformableEnvironment) -> Iterator[Move]:
    """Lay the middle of one side onto that of the other, then what still lies apart: the corners."""
    count = environment.task.points
    while True:
        for row in (count // 2, 0, count - 1):
            points = environment.simulation.positions("cloth").reshape(count, count, 3)
            yield points[row, count - 1].copy(), points[row, 0] + (0.0, 0.02, 0.0)


def hang(environment: DeformableEnvironment) -> Iterator[Move]:
    """Draw the edge that is nearest to the rod over it, until as much hangs behind as in front."""
    task, count = environment.task, environment.task.points
    assert isinstance(task, Hang)
    while True:
        edge = environment.simulation.positions("cloth").reshape(count, count, 3)[0, count // 2]
        yield edge.copy(), np.array((0.0, task.rod_height - 0.5 * SIZE, task.rod_z - 0.09))


def dress(environment: DeformableEnvironment) -> Iterator[Move]:
    """Centre the opening before the arm, then draw it along the arm."""
    for x in (0.12, 0.05, -0.05, -0.15, -0.25, -0.3, -0.35, -0.4):
        yield np.zeros(3), np.array((x, 0.0, 0.0))
    while True:
        yield np.zeros(3), np.array((-0.42, 0.0, 0.0))


def rope(environment: DeformableEnvironment) -> Iterator[Move]:
    """Lay one end after the other where it belongs, stretching the rope."""
    task = environment.task
    assert isinstance(task, Rope)
    goal = task.goal()
    while True:
        ends = _ends(environment.simulation)
        goals = (
            goal[[0, -1]]
            if np.linalg.norm(ends - goal[[0, -1]]) <= np.linalg.norm(ends - goal[[-1, 0]])
            else goal[[-1, 0]]
        )
        for side in (0, 1):
            yield _ends(environment.simulation)[side], goals[side] * 1.02 + (0.0, 0.01, 0.0)


def _ends(simulation: Simulation) -> Floats:
    return simulation.positions("chain")[[0, -1]].copy()


POLICIES: dict[str, Callable[[DeformableEnvironment], Iterator[Move]]] = {
    Smooth.name: smooth,
    Fold.name: fold,
    Hang.name: hang,
    Dress.name: dress,
    Rope.name: rope,
}
