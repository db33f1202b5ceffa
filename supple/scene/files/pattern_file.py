"""Read sewing patterns in the JSON form of GarmentCode: panels with edges, and stitches between them.

What a file holds: `pattern.panels` by name, each with 2D `vertices`, `edges` (`endpoints` and perhaps a
`curvature`), a `translation` and a `rotation` (degrees about the fixed x, then y, then z axis);
`pattern.stitches`, pairs of panel and edge; `properties.units_in_meter`. The format is that of Korosteleva and
Sorkine-Hornung, *GarmentCode: programming parametric sewing patterns*, 2023.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from pydantic_core import PydanticCustomError

from supple.scene.cloth_shapes.outline import signed_area
from supple.scene.error_messages import (
    Steps,
    dotted_path,
    field_error,
    field_errors,
    listed,
    shown,
    suggestion,
)
from supple.scene.field_types import FARTHEST, Choice, Number, Vector, as_name, numbers_of
from supple.scene.files.limited import TooLargeError, bytes_of
from supple.scene.files.pattern_sizes import read_size

LARGEST_FILE = 64_000_000
"""Most bytes a pattern file may have."""

KNOWN = {
    (): ("pattern", "properties", "parameters", "parameter_order", "constraints", "constraint_order"),
    ("pattern",): ("panels", "stitches", "panel_order"),
    ("properties",): (
        "curvature_coords",
        "normalize_panel_translation",
        "normalized_edge_loops",
        "units_in_meter",
        "original_units_in_meter",
    ),
    ("panel",): ("vertices", "edges", "translation", "rotation", "label"),
    ("edge",): ("endpoints", "curvature", "label"),
    ("end",): ("panel", "edge"),
}
"""Fields we know by the kind of entry; others are told about and passed over."""

Value = TypeVar("Value")

DrawnStitch = tuple[tuple[str, str], tuple[str, str], Literal["opposite", "same"]]
"""Panel and edge, panel and edge, and how the edges run."""


@dataclass(frozen=True)
class DrawnPanel:
    """A panel as its file draws it, in metres."""

    loops: tuple[tuple[dict[str, Any], ...], ...]
    """Corners of the outline and of holes, as `Panel` takes them."""

    edges: tuple[tuple[int, ...], ...]
    """Place in the file of the edge that leaves each of these corners."""

    edge_names: tuple[str, ...]
    """What each edge of the file is called."""

    at: tuple[float, float, float]
    """Translation [m]."""

    rotation: tuple[float, float, float]
    """Angles about the fixed x, then y, then z axis [rad]."""

    label: str = ""
    """What part of the garment it is, such as "body", "arm" or "leg"."""

    vertices: tuple[tuple[int, ...], ...] = ()
    """Place in the file of each of these corners."""

    sizes: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Measures that are left open, as `Panel` takes them."""


@dataclass(frozen=True)
class DrawnPattern:
    """Everything a pattern file says that we use."""

    panels: dict[str, DrawnPanel]
    """By name, in the order of the file."""

    stitches: tuple[DrawnStitch, ...]
    """In the order of the file."""

    notes: tuple[str, ...]
    """What was passed over."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What is left open, as the file says it; empty if it cannot be written again as it was."""


def read_pattern(path: Path) -> DrawnPattern:
    """Return the pattern in a file, or raise every mistake in it, to be told by a validator."""
    name = shown(path.name)
    reader = _Reader()
    drawn = reader.pattern(_document(path))
    if reader.found:
        raise field_errors(
            ((), f"names the pattern file {name}, where `{dotted_path('', *steps) or 'the file'}` {message}")
            for steps, message in reader.found
        )
    return drawn


def _document(path: Path) -> Any:
    name = shown(path.name)
    try:
        if path.is_dir():
            raise field_error(f"names the pattern file {name}, which is a folder.")
        if not path.exists():
            near = [entry.name for entry in path.parent.glob("*.json")] if path.parent.is_dir() else []
            raise field_error(
                f"names the pattern file {name}, which does not exist.{suggestion(path.name, near)}"
            )
        return json.loads(bytes_of(path, LARGEST_FILE).decode("utf-8-sig"))
    except TooLargeError:
        raise field_error(
            f"names the pattern file {name}, which is larger than {LARGEST_FILE // 1_000_000} MB."
        ) from None
    except PydanticCustomError:
        raise  # it is a ValueError as well
    except UnicodeDecodeError:
        raise field_error(f"names the pattern file {name}, which is not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        reason = f"{error.msg[:1].lower()}{error.msg[1:]}"
        place = f"line {error.lineno}, column {error.colno}"
        raise field_error(
            f"names the pattern file {name}, which is not valid JSON: {reason} ({place})."
        ) from None
    except RecursionError:
        raise field_error(f"names the pattern file {name}, which is nested too deeply to be read.") from None
    except (OSError, ValueError) as error:
        reason = str(getattr(error, "strerror", None) or error).rstrip(".")
        raise field_error(f"names the pattern file {name}, which cannot be read: {reason}.") from None


@dataclass
class _Reader:
    """Collects mistakes and what was passed over while it walks through a document."""

    found: list[tuple[Steps, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    scale: float = 0.01
    """Length of the file's unit [m]."""
    is_relative: bool = True

    def pattern(self, document: Any) -> DrawnPattern:
        top = self.table(document, (), KNOWN[()])
        properties = self.table(top.get("properties", {}), ("properties",), KNOWN[("properties",)])
        self._properties(properties)
        if "pattern" not in top:
            self.found.append((("pattern",), "is missing: a pattern file has panels and stitches in it."))
            return DrawnPattern({}, (), ())
        body = self.table(top["pattern"], ("pattern",), KNOWN[("pattern",)])
        tables = self.table(body.get("panels", {}), ("pattern", "panels"), None)
        if not tables:
            self.found.append((("pattern", "panels"), "holds no panel."))
        drawn = {name: self._panel(name, table) for name, table in tables.items()}
        panels = {name: panel for name, panel in drawn.items() if panel is not None}
        stitches = self._stitches(body.get("stitches", []), drawn)
        parameters: Any = top.get("parameters", {})
        if not self.found and isinstance(parameters, dict):
            panels = self._with_sizes(panels, tables, parameters)
        is_in_order = all(
            [k for loop in panel.edges for k in loop] == list(range(len(panel.edge_names)))
            and [k for loop in panel.vertices for k in loop] == list(range(len(panel.edge_names)))
            for panel in panels.values()
        )
        has_sizes = any(panel.sizes for panel in panels.values())
        return DrawnPattern(
            panels, stitches, tuple(self.notes), parameters if has_sizes and is_in_order else {}
        )

    def _with_sizes(
        self, panels: dict[str, DrawnPanel], tables: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> dict[str, DrawnPanel]:
        """Return panels with the measures that the parameters of the file leave open; others are told of."""
        vertices = {name: [self._vertex(vertex) for vertex in tables[name]["vertices"]] for name in panels}
        edges = {name: [tuple(edge["endpoints"]) for edge in tables[name]["edges"]] for name in panels}
        for name, entry in parameters.items():
            try:
                as_name(name)
                size = read_size(entry, vertices, edges, self.scale)
            except PydanticCustomError:
                self.notes.append(f"the parameter {shown(name)} has no usable name and was passed over.")
                continue
            except (ValueError, TypeError) as error:
                self.notes.append(f"the parameter {shown(name)} {error}; it was passed over.")
                continue
            for panel, moves in size.moves.items():
                order = [k for loop in panels[panel].vertices for k in loop]
                table = {
                    "value": size.value,
                    "low": size.low,
                    "high": size.high,
                    "unit": size.unit,
                    "moves": moves[order].tolist(),
                }
                panels[panel] = replace(panels[panel], sizes={**panels[panel].sizes, name: table})
        return panels

    def table(self, value: Any, steps: Steps, known: Collection[str] | None) -> Mapping[str, Any]:
        """Return a table, telling if it is none and which of its fields we pass over."""
        if not isinstance(value, dict):
            self.found.append((steps, f"is {shown(value)}, but it must be a table."))
            return {}
        for key in value if known is not None else ():
            if known is not None and key not in known:
                near = suggestion(key, known)
                self.notes.append(f"`{dotted_path('', *steps, key)}` is not known and was passed over.{near}")
        return value

    def checked(self, check: Callable[[Any], Value], value: Any, steps: Steps, default: Value) -> Value:
        """Return `check(value)`, or tell what is wrong with it and return a default."""
        try:
            return check(value)
        except PydanticCustomError as error:
            mistakes = error.context["mistakes"] if error.context else []
            self.found += [((*steps, *more), message) for more, message in mistakes]
            return default

    def _properties(self, properties: Mapping[str, Any]) -> None:
        if "units_in_meter" in properties:
            units = self.checked(
                Number(at_least=1.0e-3, at_most=1.0e6),
                properties["units_in_meter"],
                ("properties", "units_in_meter"),
                100.0,
            )
            self.scale = 1.0 / units
        else:
            self.notes.append("`properties.units_in_meter` is missing; lengths were taken for centimetres.")
        coordinates = self.checked(
            Choice(("relative", "absolute")),
            properties.get("curvature_coords", "relative"),
            ("properties", "curvature_coords"),
            "relative",
        )
        self.is_relative = coordinates == "relative"
        if properties.get("normalize_panel_translation"):
            self.notes.append(
                "`properties.normalize_panel_translation` was passed over: vertices stay as they are."
            )

    def _panel(self, name: str, value: Any) -> DrawnPanel | None:
        steps: Steps = ("pattern", "panels", name)
        before = len(self.found)
        self.checked(as_name, name, steps, "")
        table = self._panel_table(value, steps)
        zero = (0.0, 0.0, 0.0)
        shift, (x, y, z) = (
            self.checked(Vector(at_most=at_most), table.get(key, list(zero)), (*steps, key), zero)
            for key, at_most in (("translation", FARTHEST / self.scale), ("rotation", 1.0e7))
        )
        if len(self.found) > before:
            return None
        vertices = [
            self.checked(self._vertex, vertex, (*steps, "vertices", k), (0.0, 0.0))
            for k, vertex in enumerate(table["vertices"])
        ]
        edges = [self._edge(edge, vertices, (*steps, "edges", k)) for k, edge in enumerate(table["edges"])]
        if len(self.found) > before:
            return None
        loops = self._loops([edge["ends"] for edge in edges], (*steps, "edges"))
        if loops is None:
            return None
        names = _edge_names([edge["label"] for edge in edges])
        corners = _corners(loops, vertices, edges, names)
        order = _outline_first(corners)
        return DrawnPanel(
            loops=tuple(corners[n] for n in order),
            edges=tuple(tuple(loops[n]) for n in order),
            edge_names=tuple(names),
            at=(self.scale * shift[0], self.scale * shift[1], self.scale * shift[2]),
            rotation=(math.radians(x), math.radians(y), math.radians(z)),
            label=table["label"] if isinstance(table.get("label"), str) else "",
            vertices=tuple(tuple(edges[k]["ends"][0] for k in loops[n]) for n in order),
        )

    def _panel_table(self, value: Any, steps: Steps) -> Mapping[str, Any]:
        """Return the table of a panel, telling if it lacks its lists."""
        table = self.table(value, steps, KNOWN[("panel",)])
        for key in ("vertices", "edges"):
            if isinstance(value, dict) and not isinstance(table.get(key), list):
                wrong = f"is {shown(table[key])}, but it must be a list." if key in table else "is missing."
                self.found.append(((*steps, key), wrong))
        return table

    def _vertex(self, value: Any) -> tuple[float, float]:
        x, y = numbers_of(value, "two numbers [x, y]", 2)
        if max(abs(x), abs(y)) * self.scale > FARTHEST:
            raise field_error(f"is {shown(value)}, farther out than {FARTHEST / 1000:g} km.")
        return self.scale * x, self.scale * y

    def _edge(self, value: Any, vertices: list[tuple[float, float]], steps: Steps) -> dict[str, Any]:
        table = self.table(value, steps, KNOWN[("edge",)])
        ends = table.get("endpoints")
        count = len(vertices)
        is_pair = isinstance(ends, list) and len(ends) == 2 and all(type(end) is int for end in ends)
        if not is_pair or ends is None or not all(0 <= end < count for end in ends) or ends[0] == ends[1]:
            found = f"is {shown(ends)}" if ends is not None else "is missing"
            rule = f"it must be two different vertices from 0 to {count - 1}"
            self.found.append(((*steps, "endpoints"), f"{found}, but {rule}."))
            return {}
        start, end = np.array(vertices[ends[0]]), np.array(vertices[ends[1]])
        along = end - start
        curvature = table.get("curvature")
        edge = {"ends": (ends[0], ends[1]), "curve": (), "arc": 0.0, "label": table.get("label")}
        if isinstance(curvature, dict) and curvature.get("type") == "circle":
            chord = float(np.hypot(*along)) / self.scale
            height = self.checked(
                partial(_height, chord), curvature.get("params"), (*steps, "curvature"), 0.0
            )
            return edge | {"arc": self.scale * height}
        controls = self.checked(_controls, curvature, (*steps, "curvature"), np.zeros((0, 2)))
        if self.is_relative:
            # Fractions of the edge: along it, and to its left.
            left = np.array([-along[1], along[0]])
            places = start + controls[:, :1] * along + controls[:, 1:] * left
        else:
            places = self.scale * controls
        return edge | {"curve": tuple((float(x), float(y)) for x, y in places)}

    def _loops(self, ends: list[tuple[int, int]], steps: Steps) -> list[list[int]] | None:
        """Return the edges in the order one walks along them, loop by loop."""
        leaving = {start: k for k, (start, _) in enumerate(ends)}
        arriving = Counter(end for _, end in ends)
        for k, (start, end) in enumerate(ends):
            if leaving[start] != k:
                other = f"so does edge {leaving[start]}"
                self.found.append(((*steps, k), f"starts at the vertex {start}, and {other}."))
                return None
            if end not in leaving or arriving[end] != 1:
                what = "no edge starts" if end not in leaving else "another edge ends as well"
                message = f"ends at the vertex {end}, where {what}. Edges must go round in one direction."
                self.found.append(((*steps, k), message))
                return None
        loops, is_walked = [], [False] * len(ends)
        for first in range(len(ends)):
            loop, k = [], first
            while not is_walked[k]:
                is_walked[k] = True
                loop.append(k)
                k = leaving[ends[k][1]]
            if loop:
                loops.append(loop)
        if not loops:
            self.found.append((steps, "is empty."))
            return None
        return loops

    def _stitches(self, value: Any, panels: Mapping[str, DrawnPanel | None]) -> tuple[DrawnStitch, ...]:
        steps: Steps = ("pattern", "stitches")
        if not isinstance(value, list):
            self.found.append((steps, f"is {shown(value)}, but it must be a list of pairs."))
            return ()
        stitches: list[DrawnStitch] = []
        for number, entry in enumerate(value):
            here = (*steps, number)
            if not isinstance(entry, list) or not 2 <= len(entry) <= 3:
                self.found.append((here, f"is {shown(entry)}, but a stitch is a pair of panel and edge."))
                continue
            direction: Literal["opposite", "same"] = "opposite"
            if len(entry) == 3:
                if entry[2] == "right_wrong":
                    direction = "same"
                else:
                    self.notes.append(f"`{dotted_path('', *here, 2)}` is not known and was passed over.")
            ends = [self._stitched(end, panels, (*here, side)) for side, end in enumerate(entry[:2])]
            if ends[0] is not None and ends[0] == ends[1]:
                self.found.append((here, "joins an edge to itself."))
            elif ends[0] is not None and ends[1] is not None:
                stitches.append((ends[0], ends[1], direction))
        return tuple(stitches)

    def _stitched(
        self, value: Any, panels: Mapping[str, DrawnPanel | None], steps: Steps
    ) -> tuple[str, str] | None:
        table = self.table(value, steps, KNOWN[("end",)])
        if not isinstance(value, dict):
            return None
        name, edge = table.get("panel"), table.get("edge")
        if not isinstance(name, str) or name not in panels:
            near = suggestion(name, panels)
            self.found.append(
                ((*steps, "panel"), f"is {shown(name)}, which is no panel. Panels: {listed(panels)}.{near}")
            )
            return None
        panel = panels[name]
        if panel is None:
            return None  # its own mistakes come first
        last = len(panel.edge_names) - 1
        if type(edge) is not int or not 0 <= edge <= last:
            message = f"is {shown(edge)}, but edges of {shown(name)} run from 0 to {last}."
            self.found.append(((*steps, "edge"), message))
            return None
        return name, panel.edge_names[edge]


def _corners(
    loops: Sequence[Sequence[int]],
    vertices: Sequence[tuple[float, float]],
    edges: Sequence[dict[str, Any]],
    names: Sequence[str],
) -> tuple[tuple[dict[str, Any], ...], ...]:
    """Return the corners of a panel loop by loop, each with the edge that leaves from it."""
    return tuple(
        tuple(
            {
                "at": vertices[edges[k]["ends"][0]],
                "edge": names[k],
                "curve": edges[k]["curve"],
                "arc": edges[k]["arc"],
            }
            for k in loop
        )
        for loop in loops
    )


def _outline_first(corners: Sequence[Sequence[dict[str, Any]]]) -> list[int]:
    """Return the order of the loops of a panel: the largest is its outline, the others are holes."""
    areas = [abs(signed_area(np.array([corner["at"] for corner in loop]))) for loop in corners]
    largest = max(range(len(areas)), key=areas.__getitem__)
    return [largest, *(n for n in range(len(areas)) if n != largest)]


def _controls(value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the (0, 1 or 2, 2) control points of an edge as the file gives them."""
    if value is None:
        return np.zeros((0, 2))
    rows: Any = [value]
    if isinstance(value, dict):
        kind = value.get("type")
        counts = {"quadratic": 1, "cubic": 2}
        if not isinstance(kind, str) or kind not in counts:
            raise field_error(f"has the type {shown(kind)}, but it must be quadratic, cubic or circle.")
        rows = value.get("params")
        if not isinstance(rows, list) or len(rows) != counts[kind]:
            wanted = "one control point" if counts[kind] == 1 else "two control points"
            raise field_error(f"has the params {shown(rows)}, but a {kind} edge has {wanted}.")
    points = [numbers_of(row, "two numbers [x, y]", 2) for row in rows]
    if np.abs(points).max() > 1.0e6:
        raise field_error("has a control point too far out.")
    # A control point on the straight line's own start means no curve at all in older files.
    return np.array([] if points == [[0.0, 0.0]] else points, dtype=np.float64).reshape(-1, 2)


def _height(chord: float, value: Any) -> float:
    """Return how far an arc stands out to the left of its chord, from its radius and two flags, in their unit."""
    wanted = "a radius and two flags, 0 or 1: the longer way round, and to the right"
    if isinstance(value, list):
        value = [int(entry) if isinstance(entry, bool) else entry for entry in value]
    radius, is_long, is_right = numbers_of(value, wanted, 3)
    if is_long not in (0.0, 1.0) or is_right not in (0.0, 1.0):
        raise field_error(f"has the params {shown(value)}, but they must be {wanted}.")
    if not (1.0 - 1.0e-6) * 0.5 * chord <= radius <= 1.0e6 * chord:
        raise field_error(f"has the radius {radius:g}, but the ends of the edge are {chord:g} apart.")
    beyond = math.sqrt(max(radius**2 - 0.25 * chord**2, 0.0))
    # The lower arc without the difference of two large numbers.
    height = radius + beyond if is_long else 0.25 * chord**2 / (radius + beyond)
    return -height if is_right else height


def _edge_names(labels: list[Any]) -> list[str]:
    """Return what the edges of a panel are called: by a label of their own, or by their number."""
    counts = Counter(label for label in labels if isinstance(label, str))
    names = []
    for number, label in enumerate(labels):
        name = f"edge-{number}"
        if isinstance(label, str) and counts[label] == 1 and _is_free_name(label):
            name = label
        names.append(name)
    return names


def _is_free_name(label: str) -> bool:
    """Tell whether a label can be the name of an edge and is not what other parts are called."""
    try:
        as_name(label)
    except PydanticCustomError:
        return False
    return label != "outline" and not label.startswith(("edge-", "corner-", "hole-"))
