"""Undo and redo of everything that people change in the studio: edits, pins and parameters.

Edits of bodies are taken back by the simulation itself; here stands in which order they, pins and parameters came.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.simulation import Simulation
from supple.studio.panel.parameters import Parameter

DEPTH = 200
"""Changes that can be taken back."""

SAME_CHANGE_SECONDS = 1.0
"""Changes of one parameter within this time are taken back together [s]."""


@dataclass
class ParameterChange:
    """Parameters before and after one change."""

    before: dict[str, Any]
    after: dict[str, Any]
    label: str
    moment: float
    """When it was made last [s]."""


@dataclass
class Edit:
    """Edits of bodies that belong together: one stroke may cut several."""

    label: str
    count: int
    """How many the simulation counts."""


Mark = tuple[str, tuple[int, ...], tuple[float, ...]]
"""A vertex by its birth: a declared body, three of its vertices and their weights. Edits do not change it."""


@dataclass
class PinChange:
    """Vertices that were pinned, or freed."""

    label: str
    marks: tuple[Mark, ...]
    is_pinned: bool
    """Whether they are pinned afterwards."""


Entry = ParameterChange | Edit | PinChange


class UndoHistory:
    """Entries that were done to a simulation, and those that were undone."""

    def __init__(self, simulation: Simulation, parameters: dict[str, Parameter]) -> None:
        """Begin with nothing done.

        Args:
            simulation: what is changed
            parameters: what of it can be set, by name
        """
        self._simulation = simulation
        self._parameters = parameters
        self.values = {name: parameter.value for name, parameter in parameters.items()}
        """What every parameter is now."""

        self._done: list[Entry] = []
        self._undone: list[Entry] = []
        self._edits = len(simulation.undoable)
        self._taken_back = len(simulation.redoable)

    # ------------------------------------------------------------------ doing

    def change(self, name: str, value: Any, moment: float) -> dict[str, Any]:
        """Change a parameter; return the values that have changed.

        Args:
            name: of the parameter
            value: what it is to be, not yet checked
            moment: when, by any clock [s]
        """
        parameter = self._parameters.get(name)
        if parameter is None:
            raise SuppleError(f"there is no parameter called {name!r}.")
        value = parameter.checked(value)
        if value == self.values[name]:
            return {}
        after = {name: value, **parameter.change(self._simulation, value)}
        before = {key: self.values[key] for key in after}
        self.values.update(after)
        last = self._done[-1] if self._done else None
        if (
            isinstance(last, ParameterChange)
            and last.after.keys() == after.keys()
            and moment - last.moment < SAME_CHANGE_SECONDS
        ):
            last.after, last.moment = after, moment
            self._undone.clear()
        else:
            self._add(ParameterChange(before, after, parameter.label, moment))
        return after

    def toggle_pins(self, body: str, vertices: Iterable[int], pinned: set[int]) -> None:
        """Free those of some vertices that are pinned, or pin the first if none is."""
        loose = [vertex for vertex in vertices if vertex in pinned]
        chosen = loose or list(vertices)[:1]
        marks = tuple(self._mark(body, vertex) for vertex in chosen)
        change = PinChange("unpin" if loose else "pin", marks, is_pinned=not loose)
        self._hold(change.marks, change.is_pinned)
        self._add(change)

    def follow(self) -> None:
        """Take note of edits that have been made since the last look, by a tool, a scene or a script."""
        undoable = self._simulation.undoable
        edits, taken_back = len(undoable), len(self._simulation.redoable)
        if taken_back > self._taken_back:
            self._undone_elsewhere(taken_back - self._taken_back)
        elif edits > self._edits:
            self._add(Edit(undoable[-1], edits - self._edits))
        self._edits, self._taken_back = edits, taken_back

    def _undone_elsewhere(self, count: int) -> None:
        for entry in [entry for entry in self._done if isinstance(entry, Edit)][::-1]:
            if count <= 0:
                break
            self._done.remove(entry)
            self._undone.append(entry)
            count -= entry.count

    def _add(self, entry: Entry) -> None:
        self._done.append(entry)
        del self._done[:-DEPTH]
        self._undone.clear()

    # ------------------------------------------------------------------ taking back

    @property
    def undo_label(self) -> str:
        """What `undo` takes back, "" if there is nothing."""
        return self._done[-1].label if self._done else ""

    @property
    def redo_label(self) -> str:
        """What `redo` does again, "" if there is nothing."""
        last = self._undone[-1] if self._undone else None
        if last is None or (isinstance(last, Edit) and len(self._simulation.redoable) < last.count):
            return ""  # cloth that changed by itself, tearing or being welded, cannot be led back there
        return last.label

    def undo(self) -> dict[str, Any]:
        """Take the last entry back; return the values that have changed."""
        if not self._done:
            raise SuppleError("there is nothing to take back.")
        entry = self._done.pop()
        if isinstance(entry, Edit):
            if len(self._simulation.undoable) < entry.count:
                raise SuppleError(f"“{entry.label}” is too long ago: it cannot be taken back any more.")
            for _ in range(entry.count):
                self._simulation.undo()
        changed = self._went(entry, self._done, is_back=True)
        self._undone.append(entry)
        return changed

    def redo(self) -> dict[str, Any]:
        """Do again what was taken back last; return the values that have changed."""
        if not self.redo_label:
            self._undone.clear()
            raise SuppleError("there is nothing to do again.")
        entry = self._undone.pop()
        if isinstance(entry, Edit):
            for _ in range(entry.count):
                self._simulation.redo()
        changed = self._went(entry, self._undone, is_back=False)
        self._done.append(entry)
        return changed

    def _went(self, entry: Entry, came_from: list[Entry], *, is_back: bool) -> dict[str, Any]:
        self._edits, self._taken_back = len(self._simulation.undoable), len(self._simulation.redoable)
        if isinstance(entry, PinChange):
            self._hold(entry.marks, entry.is_pinned != is_back)
        if not isinstance(entry, ParameterChange):
            return {}
        entry.moment = -math.inf
        values = entry.before if is_back else entry.after
        try:
            self.restore(values)
        except SuppleError:  # not as things are now; it can be tried again
            came_from.append(entry)
            raise
        return values

    # ------------------------------------------------------------------ parameters

    def restore(self, values: dict[str, Any]) -> None:
        """Set parameters in the order of their declaration; those that no longer exist are passed over."""
        for name, parameter in self._parameters.items():
            if name in values and self.values[name] != values[name]:
                also = parameter.change(self._simulation, values[name])
                self.values.update({name: values[name], **also})

    def restore_possible(self, values: dict[str, Any]) -> list[str]:
        """Set those parameters that can be set as things are now; return why the others cannot."""
        refusals = []
        for name in self._parameters:
            if name in values:
                try:
                    self.restore({name: values[name]})
                except SuppleError as error:
                    refusals.append(str(error))
        return refusals

    def changed_values(self) -> dict[str, Any]:
        """Return the parameters that are other than declared."""
        return {name: value for name, value in self.values.items() if value != self._parameters[name].value}

    def start_again(self, before: UndoHistory) -> list[str]:
        """Take over the parameters of an earlier run and their undo entries, which outlast a fresh start.

        Returns:
            Why some parameters could not be taken over; these are as declared
        """
        refusals = self.restore_possible(before.values)
        self._done = [entry for entry in before._done if isinstance(entry, ParameterChange)]
        self._undone = [entry for entry in before._undone if isinstance(entry, ParameterChange)]
        return refusals

    # ------------------------------------------------------------------ pins

    def _mark(self, body: str, vertex: int) -> Mark:
        origin, points, weights = self._simulation.origin(body)
        return origin, tuple(points[vertex].tolist()), tuple(weights[vertex].tolist())

    def _hold(self, marks: Iterable[Mark], is_pinned: bool) -> None:
        """Pin vertices where they are, or free them; all copies of a vertex that was cut through go together."""
        simulation = self._simulation
        for wanted, points, weights in marks:
            for body in simulation.body_names:
                origin, births, shares = simulation.origin(body)
                if origin != wanted:
                    continue
                is_meant = (births == points).all(axis=1) & (shares == weights).all(axis=1)
                for vertex in np.flatnonzero(is_meant).tolist():
                    if is_pinned:
                        simulation.pin(body, vertex)
                    else:
                        simulation.unpin(body, vertex)
