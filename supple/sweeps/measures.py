"""Measures: what is kept of a run as numbers, by name or by a function of the caller's."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from supple.errors import SuppleError
from supple.report import StepReport
from supple.scene.error_messages import listed, suggestion
from supple.simulation import Simulation

Reports = Sequence[StepReport]
Measure = Callable[[Simulation, Reports], Any]


def _heights(simulation: Simulation) -> list[Any]:
    return [simulation.positions(name)[:, 1] for name in simulation.body_names]


MEASURES: dict[str, Measure] = {
    "max_stretch": lambda _, reports: max((r.max_stretch for r in reports), default=1.0),
    "last_stretch": lambda _, reports: reports[-1].max_stretch if reports else 1.0,
    "kinetic_energy": lambda _, reports: reports[-1].kinetic_energy if reports else 0.0,
    "most_kinetic_energy": lambda _, reports: max((r.kinetic_energy for r in reports), default=0.0),
    "potential_energy": lambda _, reports: reports[-1].potential_energy if reports else 0.0,
    "contacts": lambda _, reports: reports[-1].contacts if reports else 0,
    "lowest": lambda simulation, _: min(float(heights.min()) for heights in _heights(simulation)),
    "highest": lambda simulation, _: max(float(heights.max()) for heights in _heights(simulation)),
    "mean_height": lambda simulation, _: float(
        sum(heights.sum() for heights in _heights(simulation)) / simulation.particle_count
    ),
    "intersections": lambda simulation, _: simulation.intersections(),
}
"""Measures by name: largest stretch of any frame and of the last [-], energies [J], contacts, heights at the end [m]."""


def as_measures(measure: Any) -> dict[str, Measure]:
    """Return measures by name, from names, functions, a mapping or a list of them."""
    if isinstance(measure, Mapping):
        return {str(name): _one(value) for name, value in measure.items()}
    chosen = [measure] if isinstance(measure, str) or callable(measure) else list(measure)
    result: dict[str, Measure] = {}
    for each in chosen:
        name = each if isinstance(each, str) else getattr(each, "__name__", "")
        name = "measure" if name == "<lambda>" or not name else name
        if name in result:
            raise SuppleError(
                f"two measures are called {name!r}. Give them names: measure={{'a': ..., 'b': ...}}."
            )
        result[name] = _one(each)
    return result


def _one(measure: Any) -> Measure:
    if isinstance(measure, str):
        if measure not in MEASURES:
            known = tuple(MEASURES)
            raise SuppleError(
                f"`measure` is {measure!r}. Measures: {listed(known)}, or a function of the simulation."
                f"{suggestion(measure, known)}"
            )
        return MEASURES[measure]
    if not callable(measure):
        raise SuppleError(f"`measure` is {measure!r}, but it must be a name or a function of the simulation.")
    return measure  # type: ignore[no-any-return]


def taken(measures: Mapping[str, Measure], simulation: Simulation, reports: Reports) -> dict[str, float]:
    """Return the numbers of a run; a function that returns several by name gives several columns."""
    result: dict[str, float] = {}
    for name, measure in measures.items():
        value = measure(simulation, reports) if _takes_two(measure) else measure(simulation)  # type: ignore[call-arg]
        found = value if isinstance(value, Mapping) else {name: value}
        for column, number in found.items():
            if not isinstance(number, numbers.Real) and not hasattr(number, "item"):
                raise SuppleError(f"the measure {column!r} is {number!r}, but it must be a number.")
            result[str(column)] = float(number)
    return result


def _takes_two(measure: Measure) -> bool:
    try:
        parameters = list(inspect.signature(measure).parameters.values())
    except (TypeError, ValueError):
        return False
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return len(needed) >= 2 or any(p.kind is p.VAR_POSITIONAL for p in parameters)
