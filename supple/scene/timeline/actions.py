"""Handling at set times: bodies held and let go, parameters changed; and what only a script holds, such as undo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from pydantic import PlainValidator

from supple.scene.air import Wind
from supple.scene.bodies.selection import Selection
from supple.scene.error_messages import Steps, checked_part, field_error, listed, shown
from supple.scene.field_types import Name, Number, Vec3, Vector, Whole
from supple.scene.timeline.parameter_changes import BodyChanges
from supple.scene.timeline.timed_entry import Edit, Timed

WORLD_CHANGES = ("gravity", "drag", "wind")
"""What `Change` may say of the whole scene."""


class Hold(Edit):
    """Points of a body are pinned where they are, or taken to a place.

    Example:
        >>> Hold(body="cloth", time=1.0, points=("top-left", 7)).bodies
        ('cloth',)
    """

    kind: ClassVar[str] = "hold"

    points: Selection
    """Which ones."""

    target: Vec3 | None = None
    """Where they are held [m], reached within a frame; None is where they are."""


class Free(Edit):
    """Pinned points of a body are let go."""

    kind: ClassVar[str] = "free"

    points: Selection | None = None
    """Which ones; None is every one that is pinned."""


class Change(Timed, BodyChanges):
    """Parameters of a body change, or those of the whole scene.

    Example:
        >>> Change(time=2.0, wind=Wind(velocity=(0.0, 0.0, 4.0))).values()
        {'wind': Wind(velocity=(0.0, 0.0, 4.0), gusts=0.0, gust_length=4.0, gust_time=2.0, density=1.2, shadow=True)}
    """

    kind: ClassVar[str] = "change"

    body: Name | None = None
    """Name of the body; None changes gravity, drag and wind."""

    gravity: Annotated[tuple[float, float, float], PlainValidator(Vector(at_most=1.0e6))] | None = None
    """As in `Scene` [m/s²]."""

    drag: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e6))] | None = None
    """As in `Scene` [1/s]."""

    wind: Wind | None = None
    """Air that blows from then on."""

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of all bodies it needs."""
        return () if self.body is None else (self.body,)

    def values(self) -> dict[str, Any]:
        """Return what changes, by name."""
        fields = self.fields()
        own = [*WORLD_CHANGES, *BodyChanges.model_fields]
        return {name: fields[name] for name in own if fields[name] is not None}

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        given = self.values()
        if not given:
            yield (), f"changes nothing. It may hold {listed([*WORLD_CHANGES, *BodyChanges.model_fields])}."
        for key in given:
            if self.body is None and key not in WORLD_CHANGES:
                yield (key,), 'belongs to a body, but none is named. Add body = "NAME".'
            if self.body is not None and key in WORLD_CHANGES:
                yield (key,), "belongs to the whole scene. Leave out body."


def as_numbers(value: Any) -> tuple[int, ...]:
    """Return numbers of vertices or triangles, or say what is wrong with them."""
    if not isinstance(value, list | tuple) or not value:
        raise field_error(f"is {shown(value)}, but it must be a list of one or more whole numbers.")
    number = Whole(at_least=0, at_most=100_000_000)
    return tuple(int(checked_part(index, number, entry)) for index, entry in enumerate(value))


Numbers = Annotated[tuple[int, ...], PlainValidator(as_numbers)]


class CutEdges(Edit):
    """A cloth was cut along its edges."""

    kind: ClassVar[str] = "cut_edges"

    vertices: Numbers
    """Of the body as it is then, each joined to the next by an edge."""


class Erase(Edit):
    """Triangles of a cloth were taken away."""

    kind: ClassVar[str] = "erase"

    triangles: Numbers
    """Of the body as it is then."""


class Grab(Edit):
    """A hand has taken a vertex, or leads it on."""

    kind: ClassVar[str] = "grab"

    vertex: Annotated[int, PlainValidator(Whole(at_least=0, at_most=100_000_000))]
    """Of the body as it is then."""

    target: Vec3
    """Where it is by the end of the frame [m]."""


class Release(Edit):
    """A hand has let go of a vertex."""

    kind: ClassVar[str] = "release"

    vertex: Annotated[int, PlainValidator(Whole(at_least=0, at_most=100_000_000))]
    """Of the body as it is then."""


class Unseam(Timed):
    """A seam is opened again."""

    kind: ClassVar[str] = "unseam"

    seam: Annotated[int, PlainValidator(Whole(at_least=0, at_most=100_000_000))]
    """Its number: seams are counted from 0."""


class Undo(Timed):
    """The last edit is taken back."""

    kind: ClassVar[str] = "undo"


class Redo(Timed):
    """The edit that was taken back last is made again."""

    kind: ClassVar[str] = "redo"
