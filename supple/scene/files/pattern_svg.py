"""Sewing patterns drawn as SVG: every closed shape is a panel, named by its id.

Lengths are those of the page: a drawing whose width is given in mm, cm or in is read true to scale, one in pixels at 96 to
the inch. Shapes drawn inside another one are holes of it. `data-edges` may name the edges of a shape, in order.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from supple.scene.cloth_shapes.outline import signed_area
from supple.scene.error_messages import field_error, shown
from supple.scene.files.limited import TooLargeError, bytes_of
from supple.scene.files.pattern_file import LARGEST_FILE, DrawnPanel, DrawnPattern
from supple.scene.files.pattern_placement import panel_by_name, with_names

MILLIMETRES = 25.4
"""Pixels to the inch that make a pixel a millimetre."""

SHORTEST = 1.0e-5
"""Edges shorter than this are left out [m]."""


def read_svg(path: Path) -> DrawnPattern:
    """Return the panels in an SVG file, or raise what is wrong with it, to be told by a validator."""
    name = shown(path.name)
    try:
        import svgelements
    except ImportError:
        raise field_error(
            f'names the drawing {name}, which needs svgelements. Install it with\n  pip install "supple[garments]"'
        ) from None
    if not path.is_file():
        raise field_error(
            f"names the drawing {name}, which {'is a folder' if path.is_dir() else 'does not exist'}."
        )
    try:
        bytes_of(path, LARGEST_FILE)
        page = svgelements.SVG.parse(str(path), ppi=MILLIMETRES, reify=True)
        shapes = [element for element in page.elements() if isinstance(element, svgelements.Shape)]
        drawn = [
            (shape.id, shape.values.get("data-edges", ""), _loops(svgelements, shape)) for shape in shapes
        ]
    except TooLargeError:
        raise field_error(
            f"names the drawing {name}, which is larger than {LARGEST_FILE // 1_000_000} MB."
        ) from None
    except Exception as error:  # the library lets everything through that its parsers meet
        reason = str(error).rstrip(".") or type(error).__name__
        raise field_error(f"names the drawing {name}, which is not valid SVG: {reason}.") from None
    panels: dict[str, DrawnPanel] = {}
    notes = []
    for number, (own, edges, loops) in enumerate(drawn):
        title = re.sub(r"[^\w-]+", "_", own or "").strip("_") or f"panel-{number}"
        if not loops:
            notes.append(f"shape {number} ({title}) is not closed and was passed over.")
            continue
        if title in panels:
            raise field_error(
                f"names the drawing {name}, where two shapes have the id {shown(title)}. Ids name panels."
            )
        panels[title] = panel_by_name(title, with_names(loops, edges.split()))
    if not panels:
        raise field_error(
            f"names the drawing {name}, which holds no closed shape. A panel is a closed path, polygon or rectangle."
        )
    return DrawnPattern(panels, (), tuple(notes))


def _loops(svgelements: Any, shape: Any) -> list[list[dict[str, Any]]]:
    """Return the closed loops of a shape in metres, y up, the largest first; open ones are left out."""
    path = abs(svgelements.Path(shape))
    path.approximate_arcs_with_cubics()
    loops = []
    for part in path.as_subpaths():
        corners: list[dict[str, Any]] = []
        is_closed = False
        for segment in part:
            kind = type(segment).__name__
            if kind == "Move":
                continue
            is_closed |= kind == "Close"
            if segment.start is None or segment.end is None:
                continue
            ends = [_place(segment.start), _place(segment.end)]
            if np.hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]) < SHORTEST and kind in (
                "Line",
                "Close",
            ):
                continue
            controls = {"QuadraticBezier": ("control",), "CubicBezier": ("control1", "control2")}.get(
                kind, ()
            )
            curve = tuple(_place(getattr(segment, control)) for control in controls)
            corners.append({"at": ends[0], "curve": curve, "arc": 0.0, "end": ends[1]})
        if corners and np.hypot(*np.subtract(corners[-1]["end"], corners[0]["at"])) < SHORTEST:
            is_closed = True
        if is_closed and corners:
            loops.append([{key: corner[key] for key in ("at", "curve", "arc")} for corner in corners])
    loops.sort(key=lambda loop: -abs(signed_area(np.array([corner["at"] for corner in loop]))))
    if loops and signed_area(np.array([corner["at"] for corner in loops[0]])) < 0.0:
        # Drawn clockwise as seen on the page; panels show their front to the viewer.
        loops[0] = _turned(loops[0])
    return loops


def _turned(loop: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a loop walked the other way round."""
    count = len(loop)
    return [
        {
            "at": loop[-k % count]["at"],
            "curve": loop[(-k - 1) % count]["curve"][::-1],
            "arc": -loop[(-k - 1) % count]["arc"],
        }
        for k in range(count)
    ]


def _place(point: Any) -> tuple[float, float]:
    return 1e-3 * float(point.x), -1e-3 * float(point.y)
