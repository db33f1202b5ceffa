"""Sewing patterns in DXF as clothing programs exchange them (AAMA, ASTM D6673): every block is a piece.

Layer 1 holds the cut line of a piece, layer 14 its sew line, which is taken where there is one; layers 2 and 3 mark turn
points, where edges meet, and points of curves. Lengths follow the header's units, or the remark `UNITS: METRIC` or
`UNITS: ENGLISH` that these files carry; runs of curve points become cubic edges.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from supple.scene.cloth_shapes.outline import signed_area
from supple.scene.error_messages import field_error, shown
from supple.scene.files.pattern_file import LARGEST_FILE, DrawnPanel, DrawnPattern
from supple.scene.files.pattern_placement import panel_by_name, with_names
from supple.scene.placement import FloatArray

UNITS = {1: 0.0254, 2: 0.3048, 4: 1e-3, 5: 1e-2, 6: 1.0, 14: 0.1}
"""Metres for a unit, by the number that the header's $INSUNITS gives."""

SEW_LINE, CUT_LINE, TURN_POINTS = "14", "1", "2"

TURN = np.radians(25.0)
"""Turn at which two edges meet where no turn points are marked [rad]."""

TOLERANCE = 2.0e-4
"""Distance within which a cubic follows the points of a curve [m]."""


def read_dxf(path: Path) -> DrawnPattern:
    """Return the pieces in a DXF file, or raise what is wrong with it, to be told by a validator."""
    name = shown(path.name)
    try:
        import ezdxf
    except ImportError:
        raise field_error(
            f'names the drawing {name}, which needs ezdxf to be read. Install it with\n  pip install "supple[garments]"'
        ) from None
    if not path.is_file():
        raise field_error(
            f"names the drawing {name}, which {'is a folder' if path.is_dir() else 'does not exist'}."
        )
    if path.stat().st_size > LARGEST_FILE:
        raise field_error(f"names the drawing {name}, which is larger than {LARGEST_FILE // 1_000_000} MB.")
    try:
        document = ezdxf.readfile(path)  # type: ignore[attr-defined]
    except (OSError, ezdxf.DXFError, ValueError, UnicodeDecodeError) as error:  # type: ignore[attr-defined]
        reason = str(error).split("\n")[0].rstrip(".") or type(error).__name__
        raise field_error(f"names the drawing {name}, which is not valid DXF: {reason}.") from None
    blocks = [block for block in document.blocks if not block.name.startswith("*")]
    scale, notes = _scale(document, blocks)
    panels: dict[str, DrawnPanel] = {}
    pieces: list[Any] = [*blocks] or [document.modelspace()]
    for block in pieces:
        loops = _loops(block, scale)
        title = (
            re.sub(r"[^\w-]+", "_", getattr(block, "name", "piece").strip("*")).strip("_")
            or f"piece-{len(panels)}"
        )
        if not loops:
            notes.append(f"block {shown(title)} has no closed line on layer 1 or 14 and was passed over.")
            continue
        if title in panels:
            raise field_error(
                f"names the drawing {name}, where two blocks are called {shown(title)}. Blocks name panels."
            )
        panels[title] = panel_by_name(title, with_names(loops, []))
    if not panels:
        raise field_error(
            f"names the drawing {name}, which holds no piece: a block with a closed line on layer 1 (cut) or 14 (sew)."
        )
    return DrawnPattern(panels, (), tuple(notes))


def _scale(document: Any, blocks: list[Any]) -> tuple[float, list[str]]:
    """Return the length of the file's unit [m], and a note if it had to be guessed."""
    texts = [e.dxf.text for b in (*blocks, document.modelspace()) for e in b if e.dxftype() == "TEXT"]
    for text in texts:
        if match := re.match(r"\s*UNITS\s*:\s*(METRIC|ENGLISH)", text, re.IGNORECASE):
            return (1e-3 if match[1].upper() == "METRIC" else 0.0254), []
    number = int(document.header.get("$INSUNITS", 0))
    if number in UNITS:
        return UNITS[number], []
    return 1e-3, ["the file does not say its units; lengths were taken for millimetres."]


def _loops(block: Any, scale: float) -> list[list[dict[str, Any]]]:
    """Return the outline of a piece and its holes as loops of corners [m]; none if there is no closed line."""
    lines = [entity for entity in block if entity.dxftype() in ("POLYLINE", "LWPOLYLINE")]
    marks = [
        entity.dxf.location
        for entity in block
        if entity.dxftype() == "POINT" and entity.dxf.layer == TURN_POINTS
    ]
    turns = scale * np.array([(mark[0], mark[1]) for mark in marks]).reshape(-1, 2)
    for layer in (SEW_LINE, CUT_LINE, "0"):
        paths = [_path(entity, scale) for entity in lines if entity.dxf.layer == layer]
        closed = [path for path in paths if path is not None]
        if closed:
            closed.sort(key=lambda path: -abs(signed_area(path)))
            if signed_area(closed[0]) < 0.0:
                closed[0] = closed[0][::-1]
            return [_corners(path, turns) for path in closed]
    return []


def _path(entity: Any, scale: float) -> FloatArray | None:
    """Return the points of a polyline (n, 2) [m] without its last one again; None if it is not closed."""
    if entity.dxftype() == "LWPOLYLINE":
        points = np.array([(x, y) for x, y, *_ in entity.get_points()])
    else:
        points = np.array([(vertex.dxf.location[0], vertex.dxf.location[1]) for vertex in entity.vertices])
    points = scale * points.reshape(-1, 2)
    keep = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1) > 1e-6
    is_closed = bool(entity.is_closed) or (len(points) > 2 and not keep[0])
    points = points[keep]
    return points if is_closed and len(points) >= 3 else None


def _corners(path: FloatArray, turns: FloatArray) -> list[dict[str, Any]]:
    """Return a closed path as corners, with curves between them."""
    if len(turns):
        near = np.linalg.norm(path[:, None] - turns[None], axis=2).min(axis=1)
        is_corner = near < 5e-4
    else:
        ahead, behind = np.roll(path, -1, axis=0) - path, path - np.roll(path, 1, axis=0)
        turn = np.arctan2(
            behind[:, 0] * ahead[:, 1] - behind[:, 1] * ahead[:, 0], np.einsum("ij,ij->i", behind, ahead)
        )
        is_corner = np.abs(turn) > TURN
    starts = np.flatnonzero(is_corner)
    if len(starts) < 2:  # a round piece: any two points will do
        starts = np.array([0, len(path) // 2])
    corners: list[dict[str, Any]] = []
    for first, last in zip(starts, [*starts[1:], starts[0] + len(path)], strict=True):
        run = path[np.arange(first, last + 1) % len(path)]
        corners += [
            {"at": tuple(c[0]), "curve": tuple(map(tuple, c[1:-1])), "arc": 0.0} for c in _cubics(run)
        ]
    return corners


def _cubics(run: FloatArray) -> list[FloatArray]:
    """Return Bézier control points, (2 or 4, 2) each [m], that follow a run of points; halved until they do."""
    chord = run[-1] - run[0]
    length = float(np.hypot(*chord))
    off = np.abs((run - run[0]) @ np.array([-chord[1], chord[0]])) / max(length, 1e-12)
    if off.max() < TOLERANCE / 4.0 and length > 0.0:
        return [run[[0, -1]]]
    if len(run) > 3:
        steps = np.linalg.norm(np.diff(run, axis=0), axis=1)
        t = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
        controls = np.zeros((4, 2))
        controls[0], controls[3] = run[0], run[-1]
        for _ in range(8):  # the parameter of each point follows the curve
            basis = np.column_stack([3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t)])
            rest = run - np.outer((1 - t) ** 3, run[0]) - np.outer(t**3, run[-1])
            controls[1:3] = np.linalg.lstsq(basis, rest, rcond=None)[0]
            fine = np.linspace(0.0, 1.0, 257)
            curve = _bezier(controls, fine)
            t = fine[np.linalg.norm(run[:, None] - curve[None], axis=2).argmin(axis=1)]
            t[0], t[-1] = 0.0, 1.0
        if np.linalg.norm(run[:, None] - curve[None], axis=2).min(axis=1).max() < TOLERANCE:
            return [controls]
        middle = len(run) // 2
        return [*_cubics(run[: middle + 1]), *_cubics(run[middle:])]
    return [run[k : k + 2] for k in range(len(run) - 1)]


def _bezier(controls: FloatArray, t: FloatArray) -> FloatArray:
    weights = np.column_stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    return weights @ controls
