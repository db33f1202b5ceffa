"""Stitches: which edges of cloth are to be sewn together, and which of their points meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import PlainValidator

from supple.errors import Mistake
from supple.scene.bodies.cloth import Cloth
from supple.scene.error_messages import Steps, dotted_path, field_error, listed, shown, suggestion
from supple.scene.field_types import STIFFEST, Choice, Number, Time
from supple.scene.placement import IndexArray
from supple.scene.timeline.timed_entry import Timed


def as_edge(value: Any) -> tuple[str, str]:
    """Return a cloth and one of its edges by name, or say that these were wanted."""
    if isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(word, str) for word in value):
        return value[0], value[1]
    raise field_error(f'is {shown(value)}, but it must name a cloth and its edge: ["front", "edge-0"].')


EdgeOf = Annotated[tuple[str, str], PlainValidator(as_edge)]
"""A cloth and one of its edges, by name."""


class Stitch(Timed):
    """Two edges that are sewn together. They may be of unequal length and number of points.

    The edges are pulled together over `seconds` from `time` on. Edges of one cloth are welded then; those of two
    are held by threads.
    """

    kind: ClassVar[str] = "stitch"

    a: EdgeOf
    """A cloth and its edge."""

    b: EdgeOf
    """The cloth and the edge it is sewn to."""

    direction: Annotated[Literal["opposite", "same"], PlainValidator(Choice(("opposite", "same")))] = (
        "opposite"
    )
    """How the edges run where they meet. Pieces whose outlines turn alike, seen from outside, meet in opposite
    directions, like triangles of a surface."""

    seconds: Time = 0.8
    """How long it takes to close [s]."""

    stiffness: Annotated[float, PlainValidator(Number(above=0.0, at_most=STIFFEST))] = 1.0e4
    """Of the thread between two points [N/m]."""

    strength: Annotated[float, PlainValidator(Number(above=0.0, at_most=STIFFEST))] | None = None
    """Force at which a thread gives way [N]; None never."""

    gap: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=0.01))] = 0.0
    """Length that is left of a thread once it is closed [m]: cloth with exact contact keeps its thickness there too."""

    def chains(self, cloths: Mapping[str, Cloth]) -> tuple[IndexArray, IndexArray]:
        """Return the points of both edges, each in its own cloth, in the order they meet.

        Args:
            cloths: by name
        """
        (one, edge), (other, other_edge) = self.a, self.b
        chain = cloths[other].edge_chain(other_edge)
        return cloths[one].edge_chain(edge), chain if self.direction == "same" else chain[::-1]

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.a == self.b:
            yield ("b",), "is the same edge as a. A stitch joins two edges."


def stitch_mistakes(items: Sequence[Any]) -> Iterator[Mistake]:
    """Yield what is wrong between the stitches and the cloths among the items of a scene."""
    cloths = {item.name: item for item in items if isinstance(item, Cloth) and item.name is not None}
    names: set[str] = set()
    for stitch in items:
        if not isinstance(stitch, Stitch):
            continue
        place = stitch.place_of({"name": stitch.name})
        if stitch.name in names:
            yield Mistake(place, "has the name of another stitch. Names must differ.")
        names |= {stitch.name} if stitch.name is not None else set()
        for side in ("a", "b"):
            name, edge = getattr(stitch, side)
            if name not in cloths:
                message = f"names the cloth {shown(name)}, which there is not. Cloths: {listed(cloths)}."
                yield Mistake(dotted_path(place, side), message + suggestion(name, cloths))
            elif edge not in cloths[name].edge_names:
                edges = cloths[name].edge_names
                known = (
                    f"Edges: {listed(edges)}.{suggestion(edge, edges)}" if edges else "Its shape has none."
                )
                message = f"names the edge {shown(edge)}, which {shown(name)} does not have. {known}"
                yield Mistake(dotted_path(place, side), message)
