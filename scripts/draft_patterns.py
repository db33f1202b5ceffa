"""Draft the sewing patterns that come with the package, and write them in the JSON form of GarmentCode.

Lengths are in centimetres, for the mannequin of 1.75 m: chest 86, waist 69, hips 96, head 55. Front pieces have the figure's
left at +x, back pieces are drawn as seen from behind. Edges that are sewn together have equal lengths: sleeve caps are
widened until they fit their armholes, inseams and side seams are drawn alike.

    python scripts/draft_patterns.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from supple.scene.cloth_shapes.outline import Curve

FOLDER = Path(__file__).parent.parent / "supple" / "gallery" / "patterns"
NECK = 148.0
"""Height of the base of the neck [cm]."""


class Piece:
    """A panel: corners in order, each with the name of the edge that leaves it and how that edge bends."""

    def __init__(self, label: str, at: tuple[float, float, float], turn: float) -> None:
        """Begin a panel of a kind, placed at [cm] and turned about the vertical by so many degrees."""
        self.label, self.at, self.turn = label, at, turn
        self.corners: list[tuple[float, float]] = []
        self.edges: list[tuple[str, tuple[tuple[float, float], ...]]] = []

    def corner(self, x: float, y: float, edge: str, *bend: tuple[float, float]) -> Piece:
        """Add a corner; `bend` are control points as fractions along the edge and to its left."""
        self.corners.append((x, y))
        self.edges.append((edge, bend))
        return self

    def length(self, edge: str) -> float:
        """Return the length of an edge."""
        k = [name for name, _ in self.edges].index(edge)
        start, end = np.array(self.corners[k]), np.array(self.corners[(k + 1) % len(self.corners)])
        along = end - start
        left = np.array([-along[1], along[0]])
        bend = [start + f * along + g * left for f, g in self.edges[k][1]]
        return float(Curve(np.array([start, *bend, end]), 0.0).length)

    def document(self) -> dict[str, Any]:
        """Return the panel as its file holds it."""
        edges: list[dict[str, Any]] = []
        for k, (name, bend) in enumerate(self.edges):
            edge: dict[str, Any] = {"endpoints": [k, (k + 1) % len(self.edges)]}
            if bend:
                kind = "quadratic" if len(bend) == 1 else "cubic"
                edge["curvature"] = {"type": kind, "params": [[round(c, 5) for c in point] for point in bend]}
            edges.append({**edge, "label": name})
        return {
            "translation": [round(c, 3) for c in self.at],
            "rotation": [0, self.turn, 0],
            "label": self.label,
            "vertices": [[round(c, 4) for c in corner] for corner in self.corners],
            "edges": edges,
        }


Stitches = list[tuple[str, str, str, str]]
"""Panel and edge, panel and edge."""


def bodice(
    *, chest: float, bottom: float, length: float, shoulder: float = 24.5, drop: float = 5.0, armhole: float = 28.0,
    neck: tuple[float, float, float] = (10.5, 11.0, 2.5), dart: float = 0.0, hem: str = "hem",
) -> tuple[dict[str, Piece], Stitches]:  # fmt: skip
    """Return front and back of an upper part, sewn at shoulders and sides.

    Args:
        chest: width of either piece below the armholes
        bottom: width of either piece at its lower edge, darts closed
        length: from the base of the neck to the lower edge
        shoulder: half the width from shoulder tip to shoulder tip
        drop: of the shoulder from the neck to the tip
        armhole: depth of the armholes, from the neck down
        neck: half its width, its depth in front and at the back
        dart: width of each of two darts in either piece, 0 for none
        hem: name of the lower edge
    """
    pieces = {}
    wide, front_deep, back_deep = neck
    for name, deep, z, turn in (("front", front_deep, 25.0, 0.0), ("back", back_deep, -25.0, 180.0)):
        piece = Piece("body", (0.0, NECK - length, z), turn)
        half, side = 0.5 * bottom + dart, 0.5 * chest
        high = length - armhole
        if dart:
            x = 0.52 * 0.5 * bottom  # of the dart's inner leg from the centre
            tip = high - 6.0 if name == "front" else high - 3.0
            piece.corner(-half, 0.0, f"{hem}-1").corner(-x - dart, 0.0, "dart-right-a")
            piece.corner(-x - 0.5 * dart, tip, "dart-right-b").corner(-x, 0.0, f"{hem}-2")
            piece.corner(x, 0.0, "dart-left-a").corner(x + 0.5 * dart, tip, "dart-left-b")
            piece.corner(x + dart, 0.0, f"{hem}-3")
        else:
            piece.corner(-half, 0.0, hem)
        piece.corner(half, 0.0, "side-left").corner(side, high, "armhole-left", (0.4, 0.2))
        piece.corner(shoulder, length - drop, "shoulder-left")
        piece.corner(wide, length, "neck", (0.08, deep / (1.5 * wide)), (0.92, deep / (1.5 * wide)))
        piece.corner(-wide, length, "shoulder-right").corner(
            -shoulder, length - drop, "armhole-right", (0.6, 0.2)
        )
        piece.corner(-side, high, "side-right")
        pieces[name] = piece
    stitches: Stitches = []
    for edge in ("side", "shoulder"):
        stitches += [
            ("front", f"{edge}-left", "back", f"{edge}-right"),
            ("front", f"{edge}-right", "back", f"{edge}-left"),
        ]
    if dart:
        for name in pieces:
            stitches += [(name, f"dart-{side}-a", name, f"dart-{side}-b") for side in ("left", "right")]
    return pieces, stitches


def sleeves(
    body: dict[str, Piece], *, length: float, cuff: float, cap: float = 14.0, ease: float = 1.01
) -> tuple[dict[str, Piece], Stitches]:
    """Return two sleeves, each of one piece; the cap is as wide as its armhole asks for.

    Args:
        body: front and back
        length: of the underarm seam
        cuff: width at the wrist
        cap: height of the cap
        ease: length of either half of the cap over that of its armhole
    """
    pieces, stitches = {}, []
    armhole = body["front"].length("armhole-left")
    for side, x in (("left", 1.0), ("right", -1.0)):
        low, high = 10.0, 30.0  # half width: longer with every step that the cap is too short
        for _ in range(60):
            half = 0.5 * (low + high)
            piece = Piece("arm", (45.0 * x, NECK - 40.0, 0.0), 90.0 * x)
            piece.corner(-0.5 * cuff, 0.0, "cuff").corner(0.5 * cuff, 0.0, "under-a")
            piece.corner(half, length, "cap-a", (0.38, 0.12), (0.60, -0.24)).corner(
                0.0, length + cap, "cap-b", (0.40, -0.24), (0.62, 0.12)
            )
            piece.corner(-half, length, "under-b")
            low, high = (half, high) if piece.length("cap-a") < ease * armhole else (low, half)
        name = f"{side}_sleeve"
        pieces[name] = piece
        # Drawn with the cuff down, its outside to the viewer: at the left arm +x is at the back, at the right in front.
        first, second = ("back", "front") if side == "left" else ("front", "back")
        # Seen from behind the back piece has its left edge at the figure's right.
        edge = {"front": f"armhole-{side}", "back": f"armhole-{'right' if side == 'left' else 'left'}"}
        stitches += [
            (name, "under-a", name, "under-b"),
            (name, "cap-a", first, edge[first]),
            (name, "cap-b", second, edge[second]),
        ]
    return pieces, stitches


def legs(
    *, waist: float, hip: float, rise: float, inseam: float, hem: float
) -> tuple[dict[str, Piece], Stitches]:
    """Return the four pieces of a pair of trousers.

    Args:
        waist: way round the upper edge
        hip: way round the hips
        rise: from the crotch to the upper edge
        inseam: from the crotch to the hem
        hem: way round either leg at the hem
    """
    pieces: dict[str, Piece] = {}
    crotch = 75.0  # height of the crotch of the garment, a little below the figure's
    for side in ("left", "right"):
        for face, out, z, turn in (("front", 6.5, 25.0, 0.0), ("back", 13.0, -25.0, 180.0)):
            # Drawn for the left half in front: the centre at x = 0, the side at +x.
            quarter, top = 0.25 * hip, 0.25 * waist
            middle = 0.5 * (quarter - out) + 0.5
            points = {
                "hem-in": (middle - 0.25 * hem, 0.0),
                "hem-out": (middle + 0.25 * hem, 0.0),
                "hip": (quarter, inseam + 0.3 * rise),
                "side": (top + 1.2, inseam + rise),
                "centre": (1.2, inseam + rise + (3.0 if face == "back" else 0.0)),
                "crotch": (-out, inseam),
            }
            bends: dict[str, tuple[tuple[float, float], ...]] = {
                "hem": (),
                "outseam": ((0.5, -0.005),),
                "hip-curve": ((0.45, -0.07),),
                "waist": (),
                "crotch-curve": ((0.55, 0.0), (0.98, 0.26 if face == "front" else 0.33)),
                "inseam": ((0.5, 0.0),),
            }
            order = ["hem-in", "hem-out", "hip", "side", "centre", "crotch"]
            piece = Piece("leg", (0.0, crotch - inseam, z), turn)
            is_mirrored = (side == "right") != (face == "back")
            names = list(bends)
            if not is_mirrored:
                for k, corner in enumerate(order):
                    piece.corner(*points[corner], names[k], *bends[names[k]])
            else:  # mirrored, so walked the other way round
                for k in range(len(order)):
                    corner = points[order[(1 - k) % len(order)]]
                    edge = names[-k % len(order)]
                    bend = tuple((1.0 - f, g) for f, g in reversed(bends[edge]))
                    piece.corner(-corner[0], corner[1], edge, *bend)
            pieces[f"{side}_{face}_leg"] = piece
    stitches: Stitches = []
    for side in ("left", "right"):
        for edge in ("outseam", "hip-curve", "inseam"):
            stitches.append((f"{side}_front_leg", edge, f"{side}_back_leg", edge))
    for face in ("front", "back"):
        stitches.append((f"left_{face}_leg", "crotch-curve", f"right_{face}_leg", "crotch-curve"))
    return pieces, stitches


def waistband(width: float, height: float, at: float) -> tuple[dict[str, Piece], Stitches]:
    """Return front and back of a waistband of some way round, its lower edge at a height."""
    pieces, stitches = {}, []
    for face, z, turn in (("front", 25.0, 0.0), ("back", -25.0, 180.0)):
        half = 0.25 * width
        piece = Piece("body", (0.0, at, z), turn)
        piece.corner(-half, 0.0, "lower-1").corner(0.0, 0.0, "lower-2").corner(half, 0.0, "end-left")
        piece.corner(half, height, "top").corner(-half, height, "end-right")
        pieces[f"waistband_{face}"] = piece
    stitches += [
        ("waistband_front", f"end-{one}", "waistband_back", f"end-{other}")
        for one, other in (("left", "right"), ("right", "left"))
    ]
    stitches += [
        ("waistband_front", "lower-1", "right_front_leg", "waist"),
        ("waistband_front", "lower-2", "left_front_leg", "waist"),
    ]
    stitches += [
        ("waistband_back", "lower-1", "left_back_leg", "waist"),
        ("waistband_back", "lower-2", "right_back_leg", "waist"),
    ]
    return pieces, stitches


def skirt(
    top: tuple[float, float, float], *, hem: float, length: float, waist: float
) -> tuple[dict[str, Piece], Stitches]:
    """Return front and back of a flared skirt whose upper edge has three parts.

    Args:
        top: lengths of the parts
        hem: width of either piece at the hem
        length: of the side seam
        waist: height of the upper edge
    """
    pieces: dict[str, Piece] = {}
    wide = sum(top)
    # A sector of a ring: its upper and lower edge are arcs about one centre.
    angle = (hem - wide) / length
    radius = wide / angle
    marks = np.cumsum([0.0, *top]) - 0.5 * wide
    for face, z, turn in (("front", 30.0, 0.0), ("back", -30.0, 180.0)):
        piece = Piece("body", (0.0, waist - length, z), turn)
        at = [
            (r * np.sin(s / radius), radius + length - r * np.cos(s / radius))
            for r in (radius, radius + length)
            for s in marks
        ]
        upper, lower = at[:4], at[4:]

        def sag(part: float) -> float:
            """Return how far the control point of an arc that turns by `part` stands off, as a fraction of its chord."""
            return float(0.5 * np.tan(0.25 * part) * 2.0)

        turns = [length_of / radius for length_of in top]
        piece.corner(*lower[0], "hem", (0.5, -sag(sum(turns))))
        piece.corner(*lower[3], "side-left")
        for k in (2, 1, 0):
            piece.corner(*upper[k + 1], f"top-{k + 1}", (0.5, sag(turns[k])))
        piece.corner(*upper[0], "side-right")
        pieces[f"skirt_{face}"] = piece
    stitches = [
        ("skirt_front", f"side-{one}", "skirt_back", f"side-{other}")
        for one, other in (("left", "right"), ("right", "left"))
    ]
    return pieces, stitches


Influence = tuple[str, list[str], str, tuple[float, float] | None]
"""Panel, edges that follow each other, which end moves, and along which line; None is from their first point to the last."""


def size(
    value: float, low: float, high: float, moved: list[Influence]
) -> tuple[float, float, float, list[Influence]]:
    """Return a measure that is left open [cm]: what it is as drafted, the least and the most, and what moves with it."""
    return value, low, high, moved


def body_sizes(length: float, width: float) -> dict[str, Any]:
    """Return the sizes of an upper part, `length` from the base of the neck and `width` at the armholes."""
    faces = ("front", "back")
    down = [
        (f, [edge], end, (0.0, 1.0))
        for f in faces
        for edge, end in (("side-left", "start"), ("side-right", "end"))
    ]
    around = [["side-right", "hem", "side-left"], ["shoulder-left", "neck", "shoulder-right"]]
    wide = [(f, edges, "both", (1.0, 0.0)) for f in faces for edges in around]
    return {
        "length": size(length, length - 14.0, length + 26.0, down),
        "width": size(width, width - 3.0, width + 14.0, wide),
    }


def sleeve_sizes(length: float, shorter: float, longer: float) -> dict[str, Any]:
    """Return the size of both sleeves, the length of the underarm seam."""
    names = ("left_sleeve", "right_sleeve")
    moved = [
        (n, [edge], end, (0.0, 1.0))
        for n in names
        for edge, end in (("under-a", "start"), ("under-b", "end"))
    ]
    return {"sleeve_length": size(length, length - shorter, length + longer, moved)}


def leg_sizes(pieces: dict[str, Piece], inseam: float) -> dict[str, Any]:
    """Return the size of all legs, the length from the crotch down."""
    moved = []
    for name, piece in pieces.items():
        if name.endswith("_leg"):
            # Mirrored pieces are walked the other way round.
            is_mirrored = [edge for edge, _ in piece.edges].index("outseam") != 1
            ends = {"outseam": "end" if is_mirrored else "start", "inseam": "start" if is_mirrored else "end"}
            moved += [(name, [edge], end, (0.0, 1.0)) for edge, end in ends.items()]
    return {"leg_length": size(inseam, inseam - 22.0, inseam + 4.0, moved)}


def influences(pieces: dict[str, Piece], moved: list[Influence]) -> list[dict[str, Any]]:
    """Return what moves with a size as the file holds it, panel by panel."""
    found: dict[str, list[dict[str, Any]]] = {}
    for panel, edges, end, along in moved:
        names = [edge for edge, _ in pieces[panel].edges]
        entry: dict[str, Any] = {"id": [names.index(edge) for edge in edges], "direction": end}
        if along is not None:
            entry["along"] = list(along)
        found.setdefault(panel, []).append(entry)
    return [{"panel": panel, "edge_list": entries} for panel, entries in found.items()]


def written(name: str, parts: list[tuple[dict[str, Piece], Stitches]], sizes: dict[str, Any]) -> None:
    """Write a pattern of several parts, and the sizes that it leaves open."""
    pieces = {key: piece for part, _ in parts for key, piece in part.items()}
    stitches = []
    for one, edge, other, other_edge in (stitch for _, part in parts for stitch in part):
        a, b = pieces[one].length(edge), pieces[other].length(other_edge)
        if abs(a - b) > 0.015 * max(a, b):
            raise SystemExit(f"{name}: {one}.{edge} has {a:.2f} cm, {other}.{other_edge} {b:.2f} cm")
        ends = ((one, edge), (other, other_edge))
        stitches.append([{"panel": p, "edge": [n for n, _ in pieces[p].edges].index(e)} for p, e in ends])
    document = {
        "pattern": {
            "panels": {key: piece.document() for key, piece in pieces.items()},
            "stitches": stitches,
            "panel_order": list(pieces),
        },
        "parameters": {
            key: {
                "type": "additive_length",
                "value": round(value, 3),
                "range": [round(low, 3), round(high, 3)],
                "influence": influences(pieces, moved),
            }
            for key, (value, low, high, moved) in sizes.items()
        },
        "parameter_order": list(sizes),
        "properties": {"curvature_coords": "relative", "units_in_meter": 100, "normalized_edge_loops": True},
    }  # fmt: skip
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Draft all five."""
    shirt = bodice(chest=54.0, bottom=54.0, length=68.0)
    written(
        "shirt",
        [shirt, sleeves(shirt[0], length=43.0, cuff=26.0)],
        {**body_sizes(68.0, 54.0), **sleeve_sizes(43.0, 28.0, 6.0)},
    )

    trousers = legs(waist=77.0, hip=117.0, rise=30.5, inseam=66.0, hem=50.0)
    written("trousers", [trousers, waistband(77.0, 4.0, 104.0)], leg_sizes(trousers[0], 66.0))

    top = bodice(chest=48.0, bottom=38.0, length=43.0, shoulder=17.5, drop=4.5, dart=3.0, hem="waist")
    front = top[0]["front"]
    parts = tuple(front.length(f"waist-{k}") for k in (1, 2, 3))
    flare = skirt(parts, hem=78.0, length=58.0, waist=105.0)
    waist = [
        (f"skirt_{face}", f"top-{k}", face, f"waist-{k}") for face in ("front", "back") for k in (1, 2, 3)
    ]
    sides = [
        (f"skirt_{face}", edge, end)
        for face in ("front", "back")
        for edge, end in (("side-left", "start"), ("side-right", "end"))
    ]
    skirts = [(panel, [edge], end, None) for panel, edge, end in sides]
    written("dress", [top, (flare[0], flare[1] + waist)], {"skirt_length": size(58.0, 34.0, 80.0, skirts)})

    upper = bodice(chest=51.0, bottom=48.0, length=45.0, hem="waist")
    lower = legs(waist=96.0, hip=112.0, rise=33.0, inseam=58.0, hem=50.0)
    for piece in upper[
        0
    ].values():  # the centre seam of the trousers meets the middle of the bodice's lower edge
        k = [name for name, _ in piece.edges].index("waist")
        piece.edges[k : k + 1] = [("waist-1", ()), ("waist-2", ())]
        piece.corners.insert(k + 1, (0.0, 0.0))
    waist = [("front", "waist-1", "right_front_leg", "waist"), ("front", "waist-2", "left_front_leg", "waist"),
             ("back", "waist-1", "left_back_leg", "waist"), ("back", "waist-2", "right_back_leg", "waist")]  # fmt: skip
    short = sleeves(upper[0], length=10.0, cuff=36.0, ease=1.0)
    written(
        "jumpsuit",
        [upper, short, (lower[0], lower[1] + waist)],
        {**sleeve_sizes(10.0, 5.0, 30.0), **leg_sizes(lower[0], 58.0)},
    )

    long = bodice(chest=56.0, bottom=66.0, length=86.0)
    written(
        "tunic",
        [long, sleeves(long[0], length=16.0, cuff=36.0)],
        {**body_sizes(86.0, 56.0), **sleeve_sizes(16.0, 8.0, 30.0)},
    )


if __name__ == "__main__":
    main()
