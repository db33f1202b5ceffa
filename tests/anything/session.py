"""Sessions of the random user, under the eyes of a referee; those that break something are shortened to a script."""

from __future__ import annotations

import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from supple import Simulation, SuppleError
from supple.kernel import compilation_watch
from tests.anything.user import act, random_simulation

FARTHEST = 1.0e5  # m; light pieces of what was stretched by hand fly far, but not beyond what numbers hold
DEEPEST = 1.0e-4  # m
SLOWEST = 5.0  # s of processor time for a frame in which nothing is compiled


class Found(Exception):
    """Something that must not be."""


@dataclass(frozen=True)
class Plan:
    """What is done in a session."""

    seed: int
    """Of the scene."""

    frames: int
    actions: dict[int, int] = field(default_factory=dict)
    """Number of the action, by the frame before which it is done."""

    saved_at: int = -1
    """Frame at which the state is saved and loaded; what was loaded goes on beside it. Below 0 for never."""

    @classmethod
    def random(cls, seed: int, frames: int) -> Plan:
        """Return the plan of a seed."""
        random = np.random.default_rng([seed, 1])
        actions = {frame: int(random.integers(1 << 40)) for frame in range(frames) if random.random() < 0.3}
        return cls(seed, frames, actions, int(random.integers(frames)))


def run(plan: Plan, *, is_timed: bool = False) -> int:
    """Run a session and return how many actions were done; `Found` tells of what must not be."""
    try:
        simulation = random_simulation(plan.seed)
    except SuppleError:
        return 0
    twin: Simulation | None = None
    done = 0
    is_outside = simulation.depth() <= DEEPEST  # what starts inside of an obstacle is on its way out
    for frame in range(plan.frames):
        if frame == plan.saved_at:
            twin = _loaded(simulation)
        for each in (simulation, twin):
            if each is not None and frame in plan.actions:
                try:
                    act(plan.actions[frame], each)
                    done += 1
                except SuppleError:
                    pass  # refused, in words, and nothing was done
        begin, compiled = time.process_time(), list[str]()
        with compilation_watch(compiled.append):
            report = simulation.step()
        took = time.process_time() - begin
        if is_timed and took > SLOWEST and not compiled:
            raise Found(f"frame {frame} takes {took:.1f} s")
        if not report.is_finite:
            raise Found(f"frame {frame} is not finite: {report.status}")
        is_outside |= simulation.depth() <= DEEPEST
        _judge(simulation, frame, DEEPEST if is_outside else np.inf)
        if twin is not None:
            twin.step()
            _compare(simulation, twin, frame)
    return done


def _loaded(simulation: Simulation) -> Simulation:
    with tempfile.TemporaryDirectory() as folder:
        simulation.save(Path(folder) / "state.npz")
        return Simulation.load(Path(folder) / "state.npz")


def _judge(simulation: Simulation, frame: int, deepest: float) -> None:
    """Make sure that everything is where it may be, no deeper in obstacles than `deepest` [m]."""
    for name in simulation.body_names:
        points = simulation.positions(name)
        if not (np.abs(points) < FARTHEST).all():
            raise Found(f"{name!r} is {np.abs(points).max():g} m away in frame {frame}")
    if simulation.depth() > deepest:
        raise Found(f"a point is {simulation.depth():g} m deep in an obstacle in frame {frame}")
    springs = simulation.engine.world.springs.ends
    if len(springs) and springs.max() >= simulation.particle_count:
        raise Found(f"a spring leads nowhere in frame {frame}")


def _compare(one: Simulation, other: Simulation, frame: int) -> None:
    """Make sure that what was loaded is the same to the last bit."""
    if one.body_names != other.body_names:
        raise Found(
            f"what was loaded has other bodies in frame {frame}: {other.body_names}, not {one.body_names}"
        )
    for name in one.body_names:
        if not np.array_equal(one.positions(name), other.positions(name)):
            raise Found(f"what was loaded differs in {name!r} in frame {frame}")


def trouble_of(plan: Plan, *, is_timed: bool = False) -> str:
    """Return what goes wrong in a session in a line, or nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run(plan, is_timed=is_timed)
        except Found as found:
            return str(found)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            return f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
    return ""


def shortened(plan: Plan, fails: Callable[[Plan], bool], seconds: float = 300.0) -> Plan:
    """Return a plan with as few frames and actions as still fail, found within some time.

    Args:
        plan: one that fails
        fails: tells whether another one does
        seconds: when to stop looking
    """
    end = time.monotonic() + seconds
    for frames in (plan.frames // 4, plan.frames // 2, 3 * plan.frames // 4):
        if frames and fails(shorter := replace(plan, frames=frames)):
            plan = shorter
            break
    if plan.saved_at >= 0 and fails(without := replace(plan, saved_at=-1)):
        plan = without
    size = max(1, len(plan.actions) // 2)
    while size and time.monotonic() < end:
        numbers = sorted(plan.actions)
        for first in range(0, len(numbers), size):
            left_out = set(numbers[first : first + size])
            fewer = replace(plan, actions={n: a for n, a in plan.actions.items() if n not in left_out})
            if time.monotonic() < end and fails(fewer):
                plan = fewer
        size = size // 2 if size > 1 or len(plan.actions) == len(numbers) else 1
    return plan


def script_of(plan: Plan, trouble: str) -> str:
    """Return a program that repeats a session, to be run from the checkout."""
    return (
        f'"""{trouble}"""\n\nfrom tests.anything.session import Plan, run\n\n'
        f"run(Plan(seed={plan.seed}, frames={plan.frames}, actions={plan.actions}, saved_at={plan.saved_at}))\n"
    )
