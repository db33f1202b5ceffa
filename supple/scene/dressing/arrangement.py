"""Arrangement: flat panels laid round the trunk, the arms and the legs of a figure, so that seams all but meet.

Theory: docs/theory/panels.md, eq. (P6). A panel of the trunk is bent round ellipses: up stays up, and the way across the
panel becomes the way along the ellipse from the centre in front or at the back. Each ellipse is that of the figure,
blown up until its girth is that of all panels at the height, or what the figure needs if that is more. A panel of an
arm or a leg goes round the limb's axis in the same way, with circles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.scene.dressing.figure import Figure, ellipse_girth
from supple.scene.placement import FloatArray, IndexArray

CLEARANCE = 0.012
"""Least distance of a panel from the figure when it is laid round it [m]."""

BLEND = 0.09
"""Height above the crotch over which a trouser leg becomes a part of the trunk [m]."""

WORDS = {
    "arm": ("arm", "sleeve", "cuff"),
    "leg": ("leg", "pant", "pants", "trouser", "trousers"),
    "torso": ("body", "torso", "trunk", "skirt", "bodice", "waistband", "wb", "collar", "hood"),
}
"""Words in labels and names of panels that tell the region."""

SIDES = {"left": ("left", "l"), "right": ("right", "r")}
FACES = {"front": ("front", "f", "ftorso"), "back": ("back", "b", "btorso")}


@dataclass(frozen=True)
class FlatPanel:
    """A panel that is to be laid round a figure."""

    name: str
    points: FloatArray
    """(point_count, 2) in its own plane [m]."""

    edges: Mapping[str, IndexArray]
    """Points along each edge, from end to end."""

    is_counter_clockwise: bool
    """Whether its front shows to +z of its own plane."""

    placed: FloatArray
    """(point_count, 3) as its file places it [m]."""

    label: str = ""
    """What its file says it is."""

    region: str | None = None
    """One of `REGIONS`, or None: its label, its name and its place tell."""

    @property
    def border(self) -> IndexArray:
        """(count, 2) neighbouring points along its edges."""
        return np.concatenate([np.column_stack([chain[:-1], chain[1:]]) for chain in self.edges.values()])

    @property
    def words(self) -> set[str]:
        """Words of its label and name."""
        return set(re.split(r"[^a-z]+", f"{self.label} {self.name}".lower()))

    @property
    def normal(self) -> FloatArray:
        """Direction to which its front shows where its file places it, (3,)."""
        flat, placed = self.points - self.points.mean(axis=0), self.placed - self.placed.mean(axis=0)
        axes = np.linalg.lstsq(flat, placed, rcond=None)[0]
        normal = np.cross(axes[0], axes[1])
        unit: FloatArray = normal / np.linalg.norm(normal) * (1.0 if self.is_counter_clockwise else -1.0)
        return unit


@dataclass(frozen=True)
class SewnEdges:
    """Two edges that are sewn together."""

    name: str
    panels: tuple[int, int]
    chains: tuple[IndexArray, IndexArray]
    """Points of either edge, in the order they meet."""


def region_of(panel: FlatPanel) -> str:
    """Return the region that a panel is laid round."""
    if panel.region is not None:
        return panel.region
    words = panel.words
    kind = next((kind for kind in ("arm", "leg", "torso") if words & set(WORDS[kind])), None)
    if kind is None:  # words without a gap, such as "leftsleeve"
        parts = [
            k for k in ("arm", "leg") if any(w.startswith(WORDS[k]) or w.endswith(WORDS[k]) for w in words)
        ]
        kind = parts[0] if parts else "torso"
    if kind == "torso":
        return kind
    for side, names in SIDES.items():
        if words & set(names):
            return f"{side}-{kind}"
    return f"{'left' if panel.placed[:, 0].mean() > 0.0 else 'right'}-{kind}"


def face_of(panel: FlatPanel) -> Literal["front", "back", "side"]:
    """Return whether a panel belongs in front or at the back: by where its file turns it, or else by its name."""
    ahead = float(panel.normal[2])
    if abs(ahead) > 0.3:
        return "front" if ahead > 0.0 else "back"
    for face, names in FACES.items():
        if panel.words & set(names):
            return "front" if face == "front" else "back"
    return "side"


class Arrangement:
    """Panels by region, and the heights at which they are put."""

    def __init__(self, panels: Sequence[FlatPanel], seams: Sequence[SewnEdges], figure: Figure) -> None:
        """Find out what goes where, and how high."""
        self.panels, self.seams, self.figure = panels, seams, figure
        self.regions = [region_of(panel) for panel in panels]
        self.faces = [face_of(panel) for panel in panels]
        self.upright = [n for n, region in enumerate(self.regions) if not region.endswith("-arm")]
        # Width and height of upright panels as their file turns them: x to the figure's left, y up.
        self.across = {n: self._flat(n)[:, 0] for n in self.upright}
        self.heights = {n: self._flat(n)[:, 1] for n in self.upright}
        self._stack()
        self._anchor()

    def _flat(self, n: int) -> FloatArray:
        panel = self.panels[n]
        placed = panel.placed
        level = np.array([panel.normal[2], -panel.normal[0]])
        length = np.linalg.norm(level)
        level = level / length if length > 0.1 else np.array([1.0, 0.0])
        # A way across that runs to the right of the figure at its back runs to its left in front.
        x = placed[:, [0, 2]] @ level
        is_back = self.faces[n] == "back"
        return np.column_stack([-x if is_back else x, placed[:, 1]])

    def _stack(self) -> None:
        """Move upright panels up and down until edges that are sewn together are level, in the least-squares sense."""
        rows, values = [], []
        index = {n: k for k, n in enumerate(self.upright)}
        for seam in self.seams:
            a, b = seam.panels
            if a in index and b in index and a != b:
                row = np.zeros(len(index))
                row[index[a]], row[index[b]] = 1.0, -1.0
                rows.append(row)
                values.append(self.heights[b][seam.chains[1]].mean() - self.heights[a][seam.chains[0]].mean())
        for k in range(len(index)):  # where nothing tells, they stay
            row = np.zeros(len(index))
            row[k] = 1e-4
            rows.append(row)
            values.append(0.0)
        if index:
            shifts = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)[0]
            for n, k in index.items():
                self.heights[n] = self.heights[n] + shifts[k]

    def _anchor(self) -> None:
        """Put the whole at its height: by the shoulder seams, or by the crotch, or by the waist."""
        figure = self.figure
        if not self.upright:
            return
        shoulders = [seam for seam in self.seams if self._is_shoulder(seam)]
        legs = [n for n in self.upright if self.regions[n].endswith("-leg")]
        crotches = [
            self.heights[seam.panels[0]][seam.chains[0]].min()
            for seam in self.seams
            if {self.regions[n] for n in seam.panels} == {"left-leg", "right-leg"}
        ]
        self.garment_crotch = min(crotches) if crotches else None
        if shoulders:
            top = max(self.heights[seam.panels[0]][seam.chains[0]].max() for seam in shoulders)
            lift = figure.neck + 0.012 - top
        elif self.garment_crotch is not None:
            lift = figure.crotch - 0.012 - self.garment_crotch
        else:
            lift = figure.waist + 0.01 - max(self.heights[n].max() for n in (legs or self.upright))
        for n in self.upright:
            self.heights[n] = self.heights[n] + lift
        if self.garment_crotch is not None:
            self.garment_crotch += lift

    def _is_shoulder(self, seam: SewnEdges) -> bool:
        a, b = seam.panels
        if (
            self.regions[a] != "torso"
            or self.regions[b] != "torso"
            or {self.faces[a], self.faces[b]} != {"front", "back"}
        ):
            return False
        x, y = self.across[a][seam.chains[0]], self.heights[a][seam.chains[0]]
        is_level = abs(x[-1] - x[0]) > abs(y[-1] - y[0])
        return bool(is_level and y.mean() > self.heights[a].min() + 0.6 * np.ptp(self.heights[a]))

    # ------------------------------------------------------------------ places

    def places(self) -> list[FloatArray]:
        """Return the places of all panels, (point_count, 3) each [m]."""
        torso = [n for n, region in enumerate(self.regions) if region == "torso"]
        legs = [n for n in self.upright if self.regions[n] != "torso"]
        found: dict[int, FloatArray] = {}
        trunk = _Trunk(self.figure, self.girths())
        for n in torso:
            found[n] = trunk.places(self.across[n], self.heights[n], self.faces[n] == "back")
        for n in legs:
            found[n] = self._leg(n, trunk)
        for region in ("left-arm", "right-arm"):
            members = [n for n, other in enumerate(self.regions) if other == region]
            if members:
                found |= self._arm(members, region)
        return [found[n] for n in range(len(self.panels))]

    def at_height(self, height: float) -> list[int]:
        """Return the upright panels that there are at a height [m]."""
        return [n for n, heights in self.heights.items() if heights.min() <= height <= heights.max()]

    def girths(self) -> FloatArray:
        """Return rows of height and the width of all panels of the trunk there together [m]; above the armpits none."""
        members = self.upright
        low = min((self.heights[n].min() for n in members), default=0.0)
        heights = np.arange(low, self.figure.armpit + 0.01, 0.01)
        girths = np.zeros(len(heights))
        for n in members:
            edge = _extent(self.across[n], self.heights[n], self.panels[n].border, heights)
            is_leg = self.regions[n] != "torso"
            counted = np.nan_to_num(edge[1] - edge[0])
            if is_leg and self.garment_crotch is not None:
                counted[heights < self.garment_crotch + BLEND] = 0.0
            girths += counted
        return np.column_stack([heights, girths])

    def _leg(self, n: int, trunk: _Trunk) -> FloatArray:
        region = self.regions[n]
        side = 1.0 if region.startswith("left") else -1.0
        x, y = side * self.across[n], self.heights[n]
        crotch = self.garment_crotch if self.garment_crotch is not None else self.figure.crotch
        partners = [m for m, other in enumerate(self.regions) if other == region]
        # Round the leg: by shares of the width, so that inseam and side seam meet.
        inner, outer = _extent(x, y, self.panels[n].border, y)
        share = np.clip((x - inner) / np.maximum(outer - inner, 1e-6), 0.0, 1.0)
        total = np.zeros(len(y))
        for m in partners:
            low, high = _extent(side * self.across[m], self.heights[m], self.panels[m].border, y)
            total += np.nan_to_num(high - low)
        limb = self.figure.limbs[region]
        _, reach = limb.coordinates(self.figure.vertices[limb.members])
        along_of = self.figure.vertices[limb.members, 1]
        radius = np.maximum(_reach_by(along_of, reach, y) + CLEARANCE, np.minimum(total, 1.0) / (2.0 * np.pi))
        axis = np.column_stack([np.interp(y, limb.middles[::-1, 1], limb.middles[::-1, k]) for k in range(3)])
        # Loose cloth stands off to the outside: between the legs there is no room for it.
        thigh = _reach_by(along_of, reach, y) + CLEARANCE
        axis += ((radius - thigh) * side)[:, None] * self.figure.left
        axis[:, 1] = y
        angle = np.pi * (1.0 - share)  # from the inside, half way round, to the outside
        depth = np.sin(angle) * (1.0 if self.faces[n] == "front" else -1.0)
        round_leg = (
            axis
            + (side * radius * np.cos(angle))[:, None] * self.figure.left
            + (radius * depth)[:, None] * self.figure.forward
        )
        round_trunk = trunk.places(side * np.maximum(x, 0.0), y, self.faces[n] == "back")
        blend = np.clip((y - crotch) / BLEND, 0.0, 1.0)[:, None]
        blend = blend * blend * (3.0 - 2.0 * blend)
        return (1.0 - blend) * round_leg + blend * round_trunk

    def _arm(self, members: Sequence[int], region: str) -> dict[int, FloatArray]:
        limb = self.figure.limbs[region]
        outward = self.figure.left if region.startswith("left") else -self.figure.left
        flat = {n: self._along_and_across(n) for n in members}
        widths = sum(np.ptp(across) for _, across in flat.values())
        points = self.figure.vertices[limb.members]
        along_of, reach = limb.coordinates(points)
        found = {}
        for n in members:
            along, across = flat[n]
            radius = np.maximum(_reach_by(along_of, reach, np.maximum(along, 0.02)) + CLEARANCE, 0.0)
            total = sum(self._girth_at(m, flat[m], along) for m in members)
            radius = np.maximum(radius, np.minimum(total, widths) / (2.0 * np.pi))
            # Beyond the armpit the cap opens towards the shoulder.
            direction = limb.direction(along)
            top = self._top(direction, outward)
            start = (
                top
                if len(members) == 1 or self.faces[n] == "side"
                else self.figure.forward * (1.0 if self.faces[n] == "front" else -1.0)
            )
            start = np.broadcast_to(start, direction.shape)
            round_axis = np.cross(direction, start)
            angle = across / radius
            found[n] = limb.at(along) + radius[:, None] * (
                np.cos(angle)[:, None] * start + np.sin(angle)[:, None] * round_axis
            )
        return found

    def _top(self, direction: FloatArray, outward: FloatArray) -> FloatArray:
        """Return the side of an arm that faces up and away from the trunk, (n, 3) unit vectors."""
        wanted = np.array([0.0, 1.0, 0.0]) + 0.3 * outward
        across = wanted - (direction @ wanted)[:, None] * direction
        unit: FloatArray = across / np.linalg.norm(across, axis=1, keepdims=True)
        return unit

    def _girth_at(self, n: int, flat: tuple[FloatArray, FloatArray], along: FloatArray) -> FloatArray:
        low, high = _extent(flat[1], flat[0], self.panels[n].border, np.maximum(along, 0.0))
        return np.nan_to_num(high - low)

    def _along_and_across(self, n: int) -> tuple[FloatArray, FloatArray]:
        """Return how far along the arm and across the middle of the sleeve each point lies [m].

        The seams of the sleeve itself run along the arm; what is sewn to other regions is its upper end.
        """
        panel, points = self.panels[n], self.panels[n].points
        inner: list[FloatArray] = []
        seams: list[FloatArray] = []
        for seam in self.seams:
            for side in (0, 1):
                if seam.panels[side] != n:
                    continue
                other = self.regions[seam.panels[1 - side]]
                (seams if other == self.regions[n] else inner).append(points[seam.chains[side]])
        middle = points.mean(axis=0)
        if not inner:
            upper = points[points[:, 1] > np.quantile(points[:, 1], 0.9)]
        else:
            upper = np.concatenate(inner)
        rough = middle - upper.mean(axis=0)
        direction = rough / np.linalg.norm(rough)
        runs = [chain[-1] - chain[0] for chain in seams]
        runs = [run if run @ rough > 0.0 else -run for run in runs]
        if runs:
            direction = sum(run / np.linalg.norm(run) for run in runs)
            direction = direction / np.linalg.norm(direction)
        # Seen from outside, across runs to the right of along: across x along is the front of the panel.
        across_axis = np.array([direction[1], -direction[0]]) * (1.0 if panel.is_counter_clockwise else -1.0)
        along = points @ direction
        # Where the seam along the arm begins is the armpit.
        begin = max((min(chain @ direction) for chain in seams), default=float(np.quantile(along, 0.1)))
        across = points @ across_axis
        low, high = np.quantile(across[along > begin], [0.0, 1.0])
        return along - begin + 0.012, across - 0.5 * (low + high)


class _Trunk:
    """Ellipses round the trunk at every height, wide enough for the garment and for the figure."""

    def __init__(self, figure: Figure, girths: FloatArray) -> None:
        self.figure = figure
        rows = figure.sections
        rows = rows[rows[:, 0] <= figure.armpit]
        # Above the armpits the panels lie between the arms: as wide as at the armpits.
        self.rows = np.vstack([rows, [figure.neck + 0.3, *rows[-1, 1:]]])
        # Below the crotch both legs count.
        feet = np.concatenate([figure.limbs["left-leg"].middles, figure.limbs["right-leg"].middles])
        spread = max(float(np.abs((feet - figure.centre) @ figure.left).max()), 0.5 * rows[0, 1])
        lowest = [0.0, max(rows[0, 1], spread + 0.06), rows[0, 2], *rows[0, 3:]]
        self.rows = np.vstack([lowest, self.rows])
        self.girths = girths if len(girths) else np.array([[0.0, 0.0]])

    def places(self, across: FloatArray, heights: FloatArray, is_back: bool) -> FloatArray:
        """Return where points go that lie so far across and so high, (n, 3) [m]."""
        figure = self.figure
        wide, deep, to_left, ahead = (
            np.interp(heights, self.rows[:, 0], self.rows[:, k]) for k in range(1, 5)
        )
        wide, deep = wide + CLEARANCE, deep + CLEARANCE
        own = np.array([ellipse_girth(a, b) for a, b in zip(wide, deep, strict=True)])
        wanted = np.interp(heights, self.girths[:, 0], self.girths[:, 1], right=0.0)
        more = np.maximum(wanted - own, 0.0) / (2.0 * np.pi)
        wide, deep = wide + more, deep + more
        angle = _angle_at(np.abs(across), wide, deep)
        # Over the shoulders front and back come together.
        rise = np.clip((heights - figure.armpit) / (figure.neck - figure.armpit), 0.0, 1.0)
        depth = deep * (1.0 - 0.85 * rise**2)
        sign = -1.0 if is_back else 1.0
        x = to_left + np.sign(across) * wide * np.sin(angle)
        z = ahead + sign * depth * np.cos(angle)
        base = figure.centre * (1.0, 0.0, 1.0)
        places: FloatArray = base + x[:, None] * figure.left + z[:, None] * figure.forward
        places[:, 1] = heights
        return places


def _angle_at(arc: FloatArray, wide: FloatArray, deep: FloatArray) -> FloatArray:
    """Return the angle, from the front, at which an ellipse has so much arc behind it, (n,) [rad]."""
    angles = np.linspace(0.0, np.pi, 65)
    middle = 0.5 * (angles[1:] + angles[:-1])
    speed = np.hypot(wide[:, None] * np.cos(middle), deep[:, None] * np.sin(middle))
    arcs = np.concatenate([np.zeros((len(arc), 1)), np.cumsum(speed, axis=1)], axis=1) * (
        angles[1] - angles[0]
    )
    return np.array([np.interp(s, row, angles) for s, row in zip(arc, arcs, strict=True)])


def _extent(
    across: FloatArray, heights: FloatArray, border: IndexArray, wanted: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return where a panel begins and ends across at some heights, (n,) each [m]; NaN above and below it.

    Args:
        across: (point_count,) of its points [m]
        heights: (point_count,) of its points [m]
        border: (count, 2) points along its edges
        wanted: (n,) heights [m]
    """
    levels = np.clip(wanted, heights.min(), heights.max())
    a, b = heights[border[:, 0]], heights[border[:, 1]]
    rise = np.where(np.abs(b - a) < 1e-9, 1e-9, b - a)
    share = (levels[:, None] - a) / rise
    is_met = (share >= -1e-6) & (share <= 1.0 + 1e-6)
    places = across[border[:, 0]] + np.clip(share, 0.0, 1.0) * (across[border[:, 1]] - across[border[:, 0]])
    low = np.where(is_met, places, np.inf).min(axis=1)
    high = np.where(is_met, places, -np.inf).max(axis=1)
    inside = (wanted >= heights.min() - 1e-9) & (wanted <= heights.max() + 1e-9) & np.isfinite(low)
    return np.where(inside, low, np.nan), np.where(inside, high, np.nan)


def _reach_by(along: FloatArray, reach: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return how far a limb's surface stands off its axis where `wanted` says, (n,) [m]."""
    edges = np.linspace(along.min(), along.max(), 25)
    band = np.clip(np.searchsorted(edges, along) - 1, 0, 23)
    most = np.zeros(24)
    np.maximum.at(most, band, reach)
    centres = 0.5 * (edges[1:] + edges[:-1])
    ok = most > 0.0
    result: FloatArray = np.interp(wanted, centres[ok], most[ok])
    return result
