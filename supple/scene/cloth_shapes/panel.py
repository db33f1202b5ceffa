"""A flat piece of cloth cut along an outline of straight and curved edges, laid flat or bent round an axis."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator, model_validator

from supple.scene.array_fields import Vertices, frozen
from supple.scene.cloth_shapes.ear_clipping import CrossedOutlineError
from supple.scene.cloth_shapes.outline import Curve, Rim, first_crossing, sampled, signed_area
from supple.scene.cloth_shapes.outline_corners import Corner
from supple.scene.cloth_shapes.panel_mesh import FlatMesh, flat_mesh
from supple.scene.cloth_shapes.panel_sizes import (
    PanelSize,
    as_panel_sizes,
    corner_chains,
    edge_moves,
    filled_moves,
    moved_corner,
)
from supple.scene.cloth_shapes.triangle_check import triangle_mistakes
from supple.scene.cloth_shapes.wrap import Wrap
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import WIDEST, Number
from supple.scene.placement import FloatArray, IndexArray

PANEL_LIMIT = 100_000
"""Most points a panel may have; finer ones take too long to triangulate."""

RIM_LIMIT = 20_000
"""Most points around a panel and its holes."""

SMALLEST_SIZE = 1.0e-5
"""Least side of a panel's triangles [m]."""


class Panel(Declared):
    """A flat piece in the plane of its own x and y axes, triangulated at a given size.

    An outline drawn counter-clockwise shows its front to +z, one drawn clockwise to -z. Edges are called as
    their corners say; beside them there are corner-0, corner-1, ... and outline, and for holes hole-0, hole-1, ...
    with edges hole-0-edge-0 and so on.

    Example:
        >>> flag = Panel(outline=[[0, 0], [2, 0], [0, 1]], size=0.1)
        >>> flag.point_names[:3]
        ('edge-0', 'edge-1', 'edge-2')
    """

    kind: ClassVar[str] = "panel"

    outline: tuple[Corner, ...]
    """Corners around the piece, each [x, y] or a table with at, edge and curve."""

    size: Annotated[float, PlainValidator(Number(at_least=SMALLEST_SIZE, at_most=WIDEST))]
    """About the side of its triangles [m]."""

    holes: tuple[tuple[Corner, ...], ...] = ()
    """Corners around each hole, in either direction."""

    wrap: Wrap | None = None
    """How it is bent at the start; None leaves it flat."""

    sizes: Annotated[dict[str, PanelSize], PlainValidator(as_panel_sizes)] = {}  # noqa: RUF012
    """Measures that may change while it moves, by name, such as a length: how far its corners go with each."""

    laid: Vertices | None = None
    """(point_count, 3) where its points are at the start, in its own axes [m]; None is flat, or as `wrap` says."""

    @model_validator(mode="before")
    @classmethod
    def _arrays_become_lists(cls, values: Any) -> Any:
        """Let outlines be arrays of points."""
        if not isinstance(values, Mapping):
            return values
        loops = {key: values[key] for key in ("outline", "holes") if isinstance(values.get(key), np.ndarray)}
        return {**values, **{key: loop.tolist() for key, loop in loops.items()}}

    # ------------------------------------------------------------ points and triangles

    @property
    def point_count(self) -> int:
        """Number of points."""
        return len(self.mesh.points)

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points of the flat piece [m], read-only."""
        return self._flat_points

    def bent_points(self) -> FloatArray:
        """Return the (point_count, 3) points as the piece starts, in its own axes [m]."""
        if self.laid is not None:
            return self.laid
        return self.wrap.bent(self._flat_points) if self.wrap else self._flat_points

    def sized_points(self, values: Mapping[str, float]) -> FloatArray:
        """Return the (point_count, 3) points of the flat piece at other sizes [m], the same triangles between them."""
        points = self._flat_points.copy()
        for name, moves in self._size_moves.items():
            if name in values:
                points[:, :2] += (values[name] - self.sizes[name].value) * moves
        return points

    def sized(self, values: Mapping[str, float]) -> Panel:
        """Return the piece as it is drawn at other sizes, flat and with triangles of its own."""
        counts, moves = [len(loop) for loop in self._corner_loops], np.zeros((len(self.edge_names), 2))
        for name, size in self.sizes.items():
            moves += (values.get(name, size.value) - size.value) * np.array(size.moves)
        loops, first = [], 0
        for loop, count in zip(self._corner_loops, counts, strict=True):
            own = moves[first : first + count]
            loops.append(
                tuple(
                    moved_corner(corner, loop[(k + 1) % count], own[k], own[(k + 1) % count])
                    for k, corner in enumerate(loop)
                )
            )
            first += count
        sizes = {n: size.changed(value=values.get(n, size.value)) for n, size in self.sizes.items()}
        return self.changed(outline=loops[0], holes=tuple(loops[1:]), sizes=sizes, laid=None)

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles, turning like the outline, read-only."""
        return self.mesh.triangles

    @property
    def point_names(self) -> tuple[str, ...]:
        """Names of edges, corners, the outline and holes."""
        return tuple(self._named_points)

    @property
    def edge_names(self) -> tuple[str, ...]:
        """Names of edges, around the outline and then around each hole."""
        return tuple(name for loop in self._loop_names for name in loop)

    def named(self, name: str) -> IndexArray:
        """Return the points of an edge from its first corner to its last, of a loop, or one corner."""
        return self._named_points[name]

    @cached_property
    def mesh(self) -> FlatMesh:
        """The triangulated piece."""
        # Seen in a mirror a clockwise outline runs counter-clockwise, its edges in the same order; back again,
        # triangles turn like the outline.
        mirror = np.array([1.0 if self._is_counter_clockwise else -1.0, 1.0])
        loops = [
            [curve if self._is_counter_clockwise else curve.mirrored() for curve in loop]
            for loop in self._curves
        ]
        is_turned = [False] + [signed_area(_path(loop)) > 0.0 for loop in loops[1:]]
        mesh = flat_mesh([_turned(loop) if turn else loop for loop, turn in zip(loops, is_turned, strict=True)],
                         self.size)  # fmt: skip
        chains, first = list(mesh.chains), 0
        for loop, turn in zip(loops, is_turned, strict=True):
            last = first + len(loop)
            if turn:
                chains[first:last] = [chain[::-1] for chain in reversed(chains[first:last])]
            first = last
        return FlatMesh(
            points=frozen(mesh.points * mirror, np.float64),
            triangles=frozen(mesh.triangles, np.int64),
            chains=tuple(chains),
            loops=mesh.loops,
        )

    @cached_property
    def _flat_points(self) -> FloatArray:
        flat = self.mesh.points
        return frozen(np.column_stack([flat, np.zeros(len(flat))]), np.float64)

    @cached_property
    def _size_moves(self) -> dict[str, FloatArray]:
        """How far each point goes for every unit that a size grows, (point_count, 2) [m] by name."""
        points, found = self.mesh.points, {}
        for name, size in self.sizes.items():
            moves = np.array(size.moves)
            rim = np.zeros_like(points)
            for chain, one, other in corner_chains(
                self.mesh.chains, [len(loop) for loop in self._corner_loops]
            ):
                rim[chain] = edge_moves(points[chain], moves[one], moves[other])
            around = np.unique(np.concatenate(self.mesh.chains))
            found[name] = filled_moves(points, self.mesh.triangles, around, rim[around])
        return found

    @cached_property
    def _named_points(self) -> dict[str, IndexArray]:
        points = dict(zip(self.edge_names, self.mesh.chains, strict=True))
        points["outline"] = self.mesh.loops[0]
        for number, loop in enumerate(self.mesh.loops[1:]):
            points[f"hole-{number}"] = loop
        for number, chain in enumerate(self.mesh.chains[: len(self.outline)]):
            points[f"corner-{number}"] = chain[:1]
        return points

    # ------------------------------------------------------------ the outline

    @property
    def _corner_loops(self) -> tuple[tuple[Corner, ...], ...]:
        return (self.outline, *self.holes)

    @cached_property
    def _curves(self) -> tuple[tuple[Curve, ...], ...]:
        return tuple(
            tuple(
                Curve(np.array([corner.at, *corner.curve, after.at]), corner.arc)
                for corner, after in zip(loop, (*loop[1:], loop[0]), strict=True)
            )
            for loop in self._corner_loops
        )

    @cached_property
    def _loop_names(self) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(
                corner.edge or (f"hole-{number - 1}-" if number else "") + f"edge-{index}"
                for index, corner in enumerate(loop)
            )
            for number, loop in enumerate(self._corner_loops)
        )

    @cached_property
    def _is_counter_clockwise(self) -> bool:
        return signed_area(_path(self._curves[0])) > 0.0

    # ------------------------------------------------------------ mistakes

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        for check in (self._name_mistakes, self._edge_mistakes, self._size_mistakes, self._shape_mistakes):
            found = list(check())
            yield from found
            if found and check != self._name_mistakes:
                return
        yield from self._wrap_mistakes()
        for name, size in self.sizes.items():
            if len(size.moves) != len(self.edge_names):
                moved, count = len(size.moves), len(self.edge_names)
                yield ("sizes", name, "moves"), f"moves {moved} corners, but the piece has {count}."
        if self.laid is not None and len(self.laid) != self.point_count:
            yield ("laid",), f"places {len(self.laid)} points, but the piece has {self.point_count}."
        if self.laid is not None and self.wrap is not None:
            yield ("laid",), "is given beside wrap. Keep one of them."

    def _steps(self, edge: int) -> Steps:
        """Return the way to the corner an edge leaves from."""
        for number, loop in enumerate(self._corner_loops):
            if edge < len(loop):
                return ("outline", edge) if number == 0 else ("holes", number - 1, edge)
            edge -= len(loop)
        raise IndexError(edge)

    def _name_mistakes(self) -> Iterator[tuple[Steps, str]]:
        others = ["outline", *(f"hole-{number}" for number in range(len(self.holes)))]
        others += [f"corner-{number}" for number in range(len(self.outline))]
        counts = Counter([*self.edge_names, *others])
        for edge, name in enumerate(self.edge_names):
            if counts[name] > 1:
                yield (*self._steps(edge), "edge"), f'is "{name}", which is the name of another part as well.'
                return

    def _edge_mistakes(self) -> Iterator[tuple[Steps, str]]:
        for number, loop in enumerate(self._corner_loops):
            steps: Steps = ("outline",) if number == 0 else ("holes", number - 1)
            is_curved = any(corner.curve or corner.arc for corner in loop)
            if len(loop) < 2 or (len(loop) == 2 and not is_curved):
                count = "one corner" if len(loop) == 1 else f"{len(loop)} corners"
                yield steps, f"has {count}, but it needs at least three, or two and a curved edge."
                return
        for edge, curve in enumerate(curve for loop in self._curves for curve in loop):
            shortest = curve.length if len(curve.controls) > 2 else curve.chord
            if shortest < SMALLEST_SIZE:
                yield (
                    self._steps(edge),
                    f"starts an edge of {shortest:.2g} m, but edges must be at least {SMALLEST_SIZE:g} m "
                    "long. Leave out a corner that is given twice; lengths are in metres.",
                )
                return

    def _size_mistakes(self) -> Iterator[tuple[Steps, str]]:
        places = np.concatenate([_path(loop) for loop in self._curves])
        extent = float(np.ptp(places, axis=0).max())
        if extent > WIDEST:
            yield (
                ("outline",),
                f"spans {extent / 1000:.4g} km, but a body may span at most {WIDEST / 1000:g} km.",
            )
            return
        around = sum(curve.piece_count(self.size) for loop in self._curves for curve in loop)
        inside = abs(signed_area(_path(self._curves[0]))) / (math.sqrt(0.75) * self.size**2)
        if around > RIM_LIMIT or inside > PANEL_LIMIT:
            count = f"{inside:,.0f} points" if inside > PANEL_LIMIT else f"{around:,} points around it"
            limit = PANEL_LIMIT if inside > PANEL_LIMIT else RIM_LIMIT
            yield ("size",), f"is {self.size:g}, which makes {count}, but a panel may have {limit:,} of them."

    def _shape_mistakes(self) -> Iterator[tuple[Steps, str]]:
        rim = sampled(self._curves, self.size)
        crossing = first_crossing(rim)
        if crossing is not None:
            yield self._crossing_mistake(rim, crossing)
            return
        paths = [rim.points[loop] for loop in rim.loops]
        if abs(signed_area(paths[0])) < 1.0e-9 * float(np.ptp(paths[0], axis=0).max()) ** 2:
            yield ("outline",), "has no area: its corners lie on one line."
            return
        for number, path in enumerate(paths[1:]):
            if not _holds(paths[0], path[0]):
                yield ("holes", number), "lies outside of the outline."
                return
            for other, around in enumerate(paths[1:]):
                if other != number and _holds(around, path[0]):
                    yield ("holes", number), f"lies within the hole {other}."
                    return
        try:
            mesh = self.mesh
        except CrossedOutlineError as error:
            yield ("outline",), f"cannot be filled with triangles: {error}. Does it cross or touch itself?"
            return
        for _, message in triangle_mistakes(self._flat_points, mesh.triangles):
            yield ("outline",), f"is too thin in one place for triangles: one {message}"

    def _crossing_mistake(self, rim: Rim, crossing: tuple[int, int, FloatArray]) -> tuple[Steps, str]:
        one, other, where = min(crossing[:2]), max(crossing[:2]), crossing[2]
        names = self.edge_names
        near = f"near [{where[0]:.4g}, {where[1]:.4g}]"
        if one == other:
            return self._steps(one), f'starts the edge "{names[one]}", which crosses itself {near}.'
        return (
            self._steps(other),
            f'starts the edge "{names[other]}", which meets the edge "{names[one]}" {near}. '
            "An outline must not cross or touch itself, nor its holes.",
        )

    def _wrap_mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.wrap is None:
            return
        extent = float(np.ptp(self.mesh.points[:, 0 if self.wrap.axis == "y" else 1]))
        around = 2.0 * math.pi * abs(self.wrap.radius)
        if extent > (1.0 + 1.0e-9) * around:
            least = extent / (2.0 * math.pi)
            yield (
                ("wrap", "radius"),
                f"is {self.wrap.radius:g}, but a piece {extent:.4g} m wide goes round more than once. "
                f"It needs at least {least:.4g} m.",
            )


def panel_sizes(body: Any) -> dict[str, PanelSize]:
    """Return the sizes that a body offers, by name: those of its panel, if it is one."""
    shape = getattr(body, "shape", None)
    return shape.sizes if isinstance(shape, Panel) else {}


def _path(loop: Sequence[Curve]) -> FloatArray:
    """Return points close along a loop of edges, (n, 2) [m]."""
    shares = np.arange(16) / 16.0
    return np.concatenate([curve.point(shares[:1] if curve.is_straight else shares) for curve in loop])


def _turned(loop: Sequence[Curve]) -> list[Curve]:
    return [curve.reversed() for curve in reversed(loop)]


def _holds(path: FloatArray, point: FloatArray) -> bool:
    """Tell whether a point lies within a loop: a ray from it meets the loop an odd number of times."""
    a, b = path, np.roll(path, -1, axis=0)
    spans = (a[:, 1] > point[1]) != (b[:, 1] > point[1])
    a, b = a[spans], b[spans]
    x = a[:, 0] + (point[1] - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0])
    return int(np.count_nonzero(x > point[0])) % 2 == 1
