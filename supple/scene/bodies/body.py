"""What all bodies share: a name, a place, masses, and points that are held or differ."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, TypedDict

from supple.errors import Mistake, SceneError
from supple.scene.array_fields import Drags, Masses
from supple.scene.bodies.pins import Anchor, Pin
from supple.scene.bodies.regions import Region
from supple.scene.bodies.selection import (
    BoxRegion,
    SelectionError,
    as_selection,
    naming_error,
    selected_indices,
)
from supple.scene.colour import Colour
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, checked, dotted_path
from supple.scene.field_types import FARTHEST, Name, Rotation, Vec3, Vector, Velocity
from supple.scene.placement import FloatArray, IndexArray, placed
from supple.scene.timeline.keyframes import Path

Triple = Sequence[float] | FloatArray


class BodyOptions(TypedDict, total=False):
    """Keywords that every body takes, for constructors that pass them on."""

    name: str | None
    at: Triple
    rotation: Triple
    rotation_deg: Triple
    velocity: Triple
    masses: Sequence[float] | FloatArray | None
    drag: float | Sequence[float] | FloatArray
    pins: Sequence[Any]
    anchors: Sequence[Anchor]
    regions: Sequence[Region]
    colour: str | None


class Body(Declared):
    """Something made of points and springs.

    A body gives its points twice: `local_points` in its own axes, which fix the lengths at rest, and
    `start_points` in the world, turned and moved to where the scene starts.
    """

    point_names: ClassVar[tuple[str, ...]] = ()

    name: Name | None = None
    """What the body is called; None takes its kind, with a number if that is taken."""

    at: Vec3 = (0.0, 0.0, 0.0)
    """Where its own origin stands in the world [m]."""

    rotation: Rotation = (0.0, 0.0, 0.0)
    """Turn about its own origin: fixed x, then y, then z axis [rad]; `rotation_deg` takes degrees."""

    velocity: Velocity = (0.0, 0.0, 0.0)
    """Velocity of every point at the start, in world axes [m/s]."""

    masses: Masses | None = None
    """(point_count,) mass of each point [kg], instead of what the material gives."""

    drag: Drags = 0.0
    """Rate at which dampers slow its points, beside the drag of the scene [1/s]: one number, or one for each point."""

    pins: tuple[Pin, ...] = ()
    """Points held exactly."""

    anchors: tuple[Anchor, ...] = ()
    """Points held softly."""

    regions: tuple[Region, ...] = ()
    """Parts with their own elasticity."""

    colour: Colour | None = None
    """What it looks like, "#rrggbb" or a name such as "blue"; None goes by its place in the scene."""

    @property
    @abstractmethod
    def point_count(self) -> int:
        """Number of points."""

    @abstractmethod
    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the body's own axes [m]."""

    @abstractmethod
    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles of its surface, counter-clockwise seen from outside."""

    def named(self, name: str) -> IndexArray:
        """Return the indices of the points behind one of `names`."""
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of points and edges that pins, anchors and regions may use."""
        return self.point_names

    def start_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the world at the start [m]."""
        return placed(self.local_points(), self.at, self.rotation)

    def indices(self, where: Any) -> IndexArray:
        """Return the indices meant by a name, an index, a list of these or a box, ascending.

        Raises:
            SceneError: if it means nothing on this body
        """
        try:
            return self._located(checked(as_selection, where, "where"))
        except SelectionError as error:
            raise SceneError([Mistake(self.place_of({"name": self.name}), str(error))]) from None

    def _located(self, where: str | int | tuple[int | str, ...] | BoxRegion) -> IndexArray:
        return selected_indices(where, self.names, self.named, self.point_count, self.start_points)

    def pinned(self, *where: Any, path: Path | None = None, box: Any = None) -> Self:
        """Return the body with more points held exactly: by name, index, list of these, or box.

        Args:
            where: each becomes one pin
            path: how all of them move; None is not at all
            box: low and high corner [m]; every point that starts inside is held
        """
        choices = self._choices(where, box, "pins")
        return self.changed(pins=(*self.pins, *({"where": choice, "path": path} for choice in choices)))

    def anchored(self, *where: Any, stiffness: float, target: Triple | None = None, box: Any = None) -> Self:
        """Return the body with more points held softly.

        Args:
            where: each becomes one anchor
            stiffness: pull per distance on each point [N/m]
            target: where to [m]; None is where each point starts
            box: low and high corner [m]; every point that starts inside is held
        """
        choices = self._choices(where, box, "anchors")
        more = ({"where": choice, "stiffness": stiffness, "target": target} for choice in choices)
        return self.changed(anchors=(*self.anchors, *more))

    def translated(self, offset: Triple) -> Self:
        """Return the body moved by an offset [m]."""
        x, y, z = checked(Vector(at_most=FARTHEST), offset, "offset")
        return self.changed(at=(self.at[0] + x, self.at[1] + y, self.at[2] + z))

    def _choices(self, where: tuple[Any, ...], box: Any, field: str) -> tuple[Any, ...]:
        choices = where if box is None else (*where, {"box": box})
        if not choices:
            place = dotted_path(self.place_of({"name": self.name}), field)
            raise SceneError([Mistake(place, "got no point. Name at least one: a name, an index or a box.")])
        return choices

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        count = self.point_count
        if self.masses is not None and len(self.masses) != count:
            yield ("masses",), f"holds {len(self.masses)} numbers, but the body has {count} points."
        if not isinstance(self.drag, float) and len(self.drag) != count:
            yield ("drag",), f"holds {len(self.drag)} numbers, but the body has {count} points."
        path_of: dict[int, Path | None] = {}
        for field in ("pins", "anchors", "regions"):
            for index, entry in enumerate(getattr(self, field)):
                try:
                    points = self._located(entry.where)
                except SelectionError as error:
                    yield (field, index), str(error)
                    continue
                if field == "pins" and any(pin.path for pin in self.pins):
                    shared = [p for p in points.tolist() if path_of.setdefault(p, entry.path) != entry.path]
                    if shared:
                        yield (
                            (field, index),
                            f"moves the point {shared[0]} otherwise than a pin before. Let one pin hold it.",
                        )

    @classmethod
    def _early_mistakes(cls, values: Mapping[str, Any]) -> Iterator[tuple[Steps, str]]:
        names, count = cls._expected_points(values)
        for field in ("pins", "anchors", "regions"):
            entries = values.get(field)
            for index, entry in enumerate(entries if isinstance(entries, list | tuple) else ()):
                where = entry.get("where") if isinstance(entry, Mapping) else getattr(entry, "where", entry)
                trouble = naming_error(where, names, count)
                if trouble:
                    yield (field, index), trouble

    @classmethod
    def _expected_points(cls, values: Mapping[str, Any]) -> tuple[Collection[str] | None, int | None]:
        """Return the names of points and their number, as far as `values` tell although some are wrong."""
        return cls.point_names, None
