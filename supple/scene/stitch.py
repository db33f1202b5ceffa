"""Stitches: which edges of cloth are to be sewn together, and which of their points meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import PlainValidator

from supple.errors import Mistake
from supple.scene.cloth import Cloth
from supple.scene.declared import Declared
from supple.scene.mistakes import Steps, joined, listed, shown, suggestion, told
from supple.scene.placement import FloatArray, IndexArray
from supple.scene.quantities import Choice, Name


def as_edge(value: Any) -> tuple[str, str]:
    """Return a cloth and one of its edges by name, or say that these were wanted."""
    if isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(word, str) for word in value):
        return value[0], value[1]
    raise told(f'is {shown(value)}, but it must name a cloth and its edge: ["front", "edge-0"].')


EdgeOf = Annotated[tuple[str, str], PlainValidator(as_edge)]
"""A cloth and one of its edges, by name."""


class Stitch(Declared):
    """Two edges that belong together. They may be of unequal length and number of points."""

    kind: ClassVar[str] = "stitch"

    name: Name | None = None
    """What the stitch is called; None takes its kind, with a number if that is taken."""

    a: EdgeOf
    """A cloth and its edge."""

    b: EdgeOf
    """The cloth and the edge it is sewn to."""

    direction: Annotated[Literal["opposite", "same"], PlainValidator(Choice(("opposite", "same")))] = (
        "opposite"
    )
    """How the edges run where they meet. Pieces whose outlines turn alike, seen from outside, meet in opposite
    directions, like triangles of a surface."""

    def chains(self, cloths: Mapping[str, Cloth]) -> tuple[IndexArray, IndexArray]:
        """Return the points of both edges, each in its own cloth, in the order they meet.

        Args:
            cloths: by name
        """
        (one, edge), (other, other_edge) = self.a, self.b
        chain = cloths[other].edge_chain(other_edge)
        return cloths[one].edge_chain(edge), chain if self.direction == "same" else chain[::-1]

    def pairs(self, cloths: Mapping[str, Cloth]) -> IndexArray:
        """Return which points meet, (pair_count, 2), in order; see `matched`.

        Args:
            cloths: by name
        """
        one, other = self.chains(cloths)
        first, second = cloths[self.a[0]].local_points()[one], cloths[self.b[0]].local_points()[other]
        chosen = matched(shares_of_length(first), shares_of_length(second))
        return np.column_stack([one[chosen[:, 0]], other[chosen[:, 1]]])

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
                yield Mistake(joined(place, side), message + suggestion(name, cloths))
            elif edge not in cloths[name].edge_names:
                edges = cloths[name].edge_names
                known = (
                    f"Edges: {listed(edges)}.{suggestion(edge, edges)}" if edges else "Its shape has none."
                )
                message = f"names the edge {shown(edge)}, which {shown(name)} does not have. {known}"
                yield Mistake(joined(place, side), message)


def shares_of_length(points: FloatArray) -> FloatArray:
    """Return the share of a chain's length up to each of its (n, 3) points, from 0 to 1."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    shares: FloatArray = along / along[-1]
    return shares


def matched(one: FloatArray, other: FloatArray) -> IndexArray:
    """Pair the points of two chains by their share of the length.

    Theory: docs/theory/panels.md, eq. (P5).
    Pairs run from both first points to both last ones, never backwards, and leave no point out; the longer
    list meets some points of the shorter one more than once.

    Args:
        one: (n,) shares of the length, from 0 to 1
        other: (m,) the same of the other chain

    Returns:
        (pair_count, 2) places in the chains; n rows if n = m and both are spaced alike.

    Example:
        >>> matched(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0])).tolist()
        [[0, 0], [1, 1], [2, 1]]
    """
    i = j = 0
    pairs = [(0, 0)]
    while i < len(one) - 1 or j < len(other) - 1:
        ways = [(i + 1, j + 1), (i + 1, j), (i, j + 1)]
        i, j = min(
            ((p, q) for p, q in ways if p < len(one) and q < len(other)),
            key=lambda way: abs(one[way[0]] - other[way[1]]),
        )
        pairs.append((i, j))
    return np.array(pairs, dtype=np.int64)


def unsewn(stitches: Iterable[Stitch]) -> list[str]:
    """Return what to say about stitches that nothing sews."""
    names = [stitch.name or stitch.kind for stitch in stitches]
    if not names:
        return []
    count = "One stitch is" if len(names) == 1 else f"{len(names)} stitches are"
    return [f"{count} declared ({listed(names, most=4)}), but nothing sews yet: the pieces stay apart."]
