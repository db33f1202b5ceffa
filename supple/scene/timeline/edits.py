"""Edits at set times: what a scene cuts, tears, sews and shrinks while it plays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.errors import Mistake
from supple.scene.bodies.body import Body
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.selection import BoxRegion, Selection
from supple.scene.error_messages import (
    Steps,
    checked_part,
    dotted_path,
    field_error,
    listed,
    shown,
    suggestion,
)
from supple.scene.field_types import FARTHEST, STIFFEST, Name, Number, Switch, Time, Vec3, Vector, list_of
from supple.scene.timeline.actions import Change, Free, Hold
from supple.scene.timeline.timed_entry import Edit, Timed


def as_path_points(value: Any) -> tuple[tuple[float, float, float], ...]:
    """Return the points of a path, or say what is wrong with them."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) < 2:
        raise field_error(
            f"is {shown(value)}, but a path is a list of two or more points: [[x, y, z], [x, y, z]]."
        )
    point = Vector(at_most=FARTHEST)
    return tuple(checked_part(index, point, entry) for index, entry in enumerate(value))


def as_strain(value: Any) -> float:
    """Return an elongation, infinite for "never", or say what is wrong with it."""
    if value == "never" or (isinstance(value, float) and value == math.inf):
        return math.inf
    return Number(above=0.0, at_most=STIFFEST)(value)


Strain = Annotated[float, PlainValidator(as_strain)]
PathPoints = Annotated[tuple[tuple[float, float, float], ...], PlainValidator(as_path_points)]
Positive = Annotated[float, PlainValidator(Number(above=0.0, at_most=STIFFEST))]


class Cut(Edit):
    """A cut through a cloth, along a path or by a plane.

    Example:
        >>> Cut(body="cloth", time=1.0, plane_point=(0.0, 0.0, 0.0), plane_normal=(1.0, 0.0, 0.0)).bodies
        ('cloth',)
    """

    kind: ClassVar[str] = "cut"

    path: PathPoints | None = None
    """Points near the cloth at that time [m]; the cut follows straight lines between them."""

    plane_point: Vec3 | None = None
    """A point in the plane [m]."""

    plane_normal: Vec3 | None = None
    """What the plane is perpendicular to."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        has_plane = self.plane_point is not None and self.plane_normal is not None
        has_part = self.plane_point is not None or self.plane_normal is not None
        if (self.path is None) == (not has_part):
            yield (), "needs either a path, or plane_point and plane_normal."
        elif has_part and not has_plane:
            yield (), "has half a plane: give both plane_point and plane_normal."
        elif self.plane_normal is not None and not any(self.plane_normal):
            yield ("plane_normal",), "is (0, 0, 0), which has no direction."


class Tear(Edit):
    """From its time on a body tears where it is stretched too far."""

    kind: ClassVar[str] = "tear"

    strain: Strain
    """Elongation at which it gives way [-]; "never" ends that."""

    @property
    def limit(self) -> float | None:
        """The elongation, None if it tears no more [-]."""
        return None if math.isinf(self.strain) else self.strain


class Shrink(Edit):
    """A band of a body shrinks, or stretches."""

    kind: ClassVar[str] = "shrink"

    points: Selection | None = None
    """The band; None is the whole body."""

    ratio: Positive
    """Rest lengths in the end over those before [-]."""

    seconds: Time = 1.0
    """How long it takes [s]."""


class Seam(Edit):
    """Two chains of points are sewn together."""

    kind: ClassVar[str] = "seam"

    points: Selection
    """The chain, in order."""

    other: Name | None = None
    """Body of the other chain; None is the same."""

    other_points: Selection
    """The other chain, in order."""

    seconds: Time = 0.8
    """How long it takes to close [s]."""

    stiffness: Positive = 1.0e4
    """Of the thread between two points [N/m]."""

    strength: Positive | None = None
    """Force at which a thread gives way [N]; None never."""

    weld: Switch = True
    """Whether chains of one body become one in the end."""

    turn: Switch = True
    """Whether the other chain is turned round if it then runs alongside the first one."""

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of all bodies it needs."""
        return (self.body,) if self.other is None else (self.body, self.other)


EDITS: tuple[type[Timed], ...] = (Cut, Tear, Shrink, Seam, Hold, Free, Change)
"""All kinds that a scene may hold."""


KINDS = "a Cut, a Tear, a Shrink, a Seam, a Hold, a Free or a Change"


def as_edits(value: Any) -> tuple[Timed, ...]:
    """Return the edits, or say which of them is none."""
    return list_of(value, EDITS, "edits", KINDS)


def edit_mistakes(items: Sequence[Any]) -> Iterator[Mistake]:
    """Yield what is wrong between edits and the bodies they are made on."""
    bodies = {item.name or item.kind: item for item in items if isinstance(item, Body)}
    for edit in items:
        if not isinstance(edit, Timed):
            continue
        place = edit.place_of({"name": edit.name})
        for field, name in zip(("body", "other"), edit.bodies, strict=False):
            if name not in bodies:
                near = suggestion(name, bodies)
                message = f"is {shown(name)}, which is no body of this scene. Bodies: {listed(bodies)}.{near}"
                yield Mistake(dotted_path(place, field), message)
                continue
            points = getattr(edit, "points" if field == "body" else "other_points", None)
            if points is not None:
                try:
                    chain(bodies[name], points)
                except ValueError as error:
                    word = "points" if field == "body" else "other_points"
                    yield Mistake(dotted_path(place, word), str(error).split(": ", 1)[-1])


def chain(body: Body, where: Any) -> list[int]:
    """Return the points meant by `where` in the order given: edges from end to end, boxes in ascending order."""
    if isinstance(where, str) and isinstance(body, Cloth) and where in body.edge_names:
        return [int(point) for point in body.edge_chain(where)]
    if isinstance(where, BoxRegion | str | int):
        return [int(point) for point in body.indices(where)]
    points = [point for part in where for point in chain(body, part)]
    return list(dict.fromkeys(points))  # two edges share the corner where they meet
