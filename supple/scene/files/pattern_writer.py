"""Write sewing patterns: JSON in the form of GarmentCode, SVG, and DXF as clothing programs exchange it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from supple.errors import SuppleError
from supple.scene.bodies.cloth import Cloth
from supple.scene.cloth_shapes.outline import Curve
from supple.scene.cloth_shapes.outline_corners import Corner
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.files.pattern import Pattern
from supple.scene.timeline.stitch import Stitch

GAP = 0.03
"""Distance between panels on a page [m]."""


def write_pattern(pattern: Pattern, file: str | os.PathLike[str]) -> None:
    """Write a pattern as .json (GarmentCode, with stitches), .svg or .dxf (AAMA; panels only).

    Args:
        pattern: what to write
        file: its ending says in which form
    """
    panels = {name: cloth for name, cloth in zip(pattern.panel_names, pattern.cloths, strict=True)}
    names = {cloth.name or "": name for name, cloth in panels.items()}
    labels = {name: pattern.label(name) for name in panels}
    write_panels(panels, [(s, names) for s in pattern.stitches], file, labels, pattern.parameters)


def write_panels(
    panels: Mapping[str, Cloth],
    stitches: Sequence[tuple[Stitch, Mapping[str, str]]],
    file: str | os.PathLike[str],
    labels: Mapping[str, str] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> None:
    """Write panels by name, and stitches with the names of their cloths' panels; `parameters` go into .json only."""
    path = Path(file)
    writers = {".json": _json_text, ".svg": _svg_text, ".dxf": _dxf_text}
    if path.suffix.lower() not in writers:
        raise SuppleError(f"a pattern is written as {', '.join(writers)}, but {path.name!r} ends otherwise.")
    for name, cloth in panels.items():
        if not isinstance(cloth.shape, Panel):
            raise SuppleError(f"{name!r} is no flat panel, so it has no place in a pattern.")
    text = writers[path.suffix.lower()](panels, stitches, labels or {})
    if parameters and path.suffix.lower() == ".json":
        document = {**json.loads(text), "parameters": dict(parameters), "parameter_order": list(parameters)}
        text = json.dumps(document, indent=1) + "\n"
    path.write_text(text, encoding="utf-8")


def _json_text(panels: Mapping[str, Cloth], stitches: Sequence[Any], labels: Mapping[str, str]) -> str:
    tables = {}
    for name, cloth in panels.items():
        vertices: list[list[float]] = []
        edges: list[dict[str, Any]] = []
        for loop, edge_names in _loops(cloth):
            first = len(vertices)
            vertices += [[100.0 * x for x in corner.at] for corner in loop]
            for k, (corner, edge) in enumerate(zip(loop, edge_names, strict=True)):
                after = loop[(k + 1) % len(loop)]
                entry: dict[str, Any] = {
                    "endpoints": [first + k, first + (k + 1) % len(loop)],
                    **_curvature(corner, after),
                }
                edges.append(entry if edge.startswith("edge-") else {**entry, "label": edge})
        tables[name] = {
            "translation": [100.0 * x for x in cloth.at],
            "rotation": [math.degrees(angle) for angle in cloth.rotation],
            **({"label": labels[name]} if labels.get(name) else {}),
            "vertices": vertices,
            "edges": edges,
        }
    sewn = []
    for stitch, names in stitches:
        ends: list[Any] = []
        for body, edge in (stitch.a, stitch.b):
            ends.append({"panel": names[body], "edge": panels[names[body]].edge_names.index(edge)})
        sewn.append([*ends, "right_wrong"] if stitch.direction == "same" else ends)
    document = {
        "pattern": {"panels": tables, "stitches": sewn, "panel_order": list(tables)},
        "parameters": {},
        "parameter_order": [],
        "properties": {"curvature_coords": "relative", "units_in_meter": 100, "normalized_edge_loops": True},
    }
    return json.dumps(document, indent=1) + "\n"


def _loops(cloth: Cloth) -> list[tuple[tuple[Corner, ...], list[str]]]:
    """Return the loops of a panel, with the names of their edges."""
    assert isinstance(cloth.shape, Panel)
    names, loops = list(cloth.shape.edge_names), []
    for loop in (cloth.shape.outline, *cloth.shape.holes):
        loops.append((loop, names[: len(loop)]))
        del names[: len(loop)]
    return loops


def _curvature(corner: Corner, after: Corner) -> dict[str, Any]:
    start, along = np.array(corner.at), np.array(after.at) - np.array(corner.at)
    chord = float(np.hypot(*along))
    if corner.arc:
        height = abs(corner.arc)
        radius = chord**2 / (8.0 * height) + 0.5 * height
        return {
            "curvature": {
                "type": "circle",
                "params": [100.0 * radius, int(2.0 * height > chord), int(corner.arc < 0.0)],
            }
        }
    if not corner.curve:
        return {}
    left = np.array([-along[1], along[0]])
    params = [
        [float((np.array(c) - start) @ along) / chord**2, float((np.array(c) - start) @ left) / chord**2]
        for c in corner.curve
    ]
    return {"curvature": {"type": "quadratic" if len(params) == 1 else "cubic", "params": params}}


def _svg_text(panels: Mapping[str, Cloth], stitches: Sequence[Any], labels: Mapping[str, str]) -> str:
    paths, right, top = [], GAP, 0.0
    for name, cloth in panels.items():
        points = cloth.local_points()[:, :2]
        shift = np.array([right - points[:, 0].min(), GAP - points[:, 1].min()])
        right += float(np.ptp(points[:, 0])) + GAP
        top = max(top, float(np.ptp(points[:, 1])) + 2.0 * GAP)
        paths.append((name, cloth, shift))

    def place(point: Any, shift: Any) -> str:
        return f"{1e3 * (point[0] + shift[0]):.6f} {1e3 * (top - point[1] - shift[1]):.6f}"

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{1e3 * right:.6f}mm" height="{1e3 * top:.6f}mm" '
        f'viewBox="0 0 {1e3 * right:.6f} {1e3 * top:.6f}">'
    ]
    for name, cloth, shift in paths:
        words, edges = [], []
        for loop, names in _loops(cloth):
            words.append(f"M {place(loop[0].at, shift)}")
            for k, corner in enumerate(loop):
                after = loop[(k + 1) % len(loop)]
                controls = _as_bezier(corner, after)
                letter = {0: "L", 1: "Q", 2: "C"}[len(controls)]
                words.append(" ".join([letter, *(place(c, shift) for c in (*controls, after.at))]))
            words.append("Z")
            edges += names
        names_of = quoteattr(" ".join(edges))
        lines.append(
            f'<path id={quoteattr(name)} data-edges={names_of} fill="none" stroke="black" d="{" ".join(words)}"/>'
        )
    return "\n".join([*lines, "</svg>\n"])


def _as_bezier(corner: Corner, after: Corner) -> Sequence[Any]:
    """Return the control points of an edge; an arc becomes the cubic next to it."""
    if not corner.arc:
        return corner.curve
    curve = Curve(np.array([corner.at, after.at]), corner.arc)
    a, b = (curve.point(np.array([t]))[0] for t in (1.0 / 3.0, 2.0 / 3.0))
    start, end = np.array(corner.at), np.array(after.at)
    # The cubic through both points at a third and two thirds.
    p = 27.0 * a - 8.0 * start - end
    q = 27.0 * b - start - 8.0 * end
    return [(2.0 * p - q) / 18.0, (2.0 * q - p) / 18.0]


def _dxf_text(panels: Mapping[str, Cloth], stitches: Sequence[Any], labels: Mapping[str, str]) -> str:
    try:
        import ezdxf
    except ImportError:
        raise SuppleError(
            'a DXF file needs ezdxf, which is not installed. Install it with\n  pip install "supple[garments]"'
        ) from None
    import io

    document = ezdxf.new("R12")  # type: ignore[attr-defined]
    document.header["$INSUNITS"] = 4
    space, right = document.modelspace(), 0.0
    for name, cloth in panels.items():
        block = document.blocks.new(name)
        block.add_text(f"PIECE NAME: {name}", dxfattribs={"layer": "1"})
        block.add_text("UNITS: METRIC", dxfattribs={"layer": "1"})
        for loop, _ in _loops(cloth):
            points: list[tuple[float, float]] = []
            for k, corner in enumerate(loop):
                after = loop[(k + 1) % len(loop)]
                curve = Curve(np.array([corner.at, *corner.curve, after.at]), corner.arc)
                count = 1 if curve.is_straight else max(8, int(curve.length / 0.004))
                run = 1e3 * curve.point(np.arange(count) / count)
                points += [(float(x), float(y)) for x, y in run]
                block.add_point(points[-count], dxfattribs={"layer": "2"})
                for point in points[len(points) - count + 1 :]:
                    block.add_point(point, dxfattribs={"layer": "3"})
            block.add_polyline2d(points, close=True, dxfattribs={"layer": "1"})
        space.add_blockref(name, (right, 0.0))
        right += 1e3 * (float(np.ptp(cloth.local_points()[:, 0])) + GAP)
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue()
