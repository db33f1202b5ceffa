"""Feasibility: what of a pattern cannot close, or cannot be put on, told before it is sewn."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from supple.scene.bodies.materials import Material, presets
from supple.scene.dressing.arrangement import Arrangement, FlatPanel, SewnEdges
from supple.scene.error_messages import shown
from supple.scene.placement import FloatArray, IndexArray

if TYPE_CHECKING:
    from supple.scene.files.pattern import Pattern

USUAL_GIVE = 0.08
"""How far a fabric gives if nothing is known of it [-]."""

GATHER = 0.03
"""Difference in length that any seam takes up as ease [-]."""


def warn_of_trouble(pattern: Pattern, arrangement: Arrangement) -> None:
    """Warn of everything that keeps a pattern from closing round a figure, with its place in the pattern."""
    give = fabric_give(pattern.material)
    for line in (
        *uneven_seams(arrangement.panels, arrangement.seams, give),
        *tight_places(arrangement, give),
        *tight_neck(arrangement, give),
    ):
        warnings.warn(f"{pattern.title}: {line}", stacklevel=2)


def fabric_give(material: str | Material) -> float:
    """Return how far a fabric can be stretched, as a fraction [-]."""
    found = presets().get(material) if isinstance(material, str) else material
    limit = found.stretch_limit if found is not None else None
    return USUAL_GIVE if limit is None else min(float(limit), 1.0)


def uneven_seams(panels: Sequence[FlatPanel], seams: Sequence[SewnEdges], give: float) -> Iterator[str]:
    """Yield the seams whose edges differ by more than the fabric gives."""
    for seam in seams:
        lengths = [
            _length(panels[n].points, chain) for n, chain in zip(seam.panels, seam.chains, strict=True)
        ]
        short, long = sorted(lengths)
        if long / short - 1.0 > give + GATHER:
            places = " and ".join(
                _edge(panels[n], chain) for n, chain in zip(seam.panels, seam.chains, strict=True)
            )
            yield (
                f"the seam {shown(seam.name)} joins {places}, {100 * lengths[0]:.1f} and {100 * lengths[1]:.1f} cm long: "
                f"{100 * (long / short - 1.0):.0f} % apart, but the fabric gives {100 * give:.0f} %. "
                "The longer edge will be gathered."
            )


def tight_places(arrangement: Arrangement, give: float) -> Iterator[str]:
    """Yield the height at which the garment is narrower than the trunk, if there is one."""
    rows, figure = arrangement.girths(), arrangement.figure
    # Borders of panels lie at slanting heights: what is told holds over a hand's breadth.
    window = round(0.03 / 0.01)
    widest = np.array([rows[max(0, k - window) : k + window + 1, 1].max() for k in range(len(rows))])
    faces = [{arrangement.faces[n] for n in arrangement.at_height(height)} for height in rows[:, 0]]
    is_closed = np.array([{"front", "back"} <= there for there in faces], bool)
    inside = is_closed & (rows[:, 0] > figure.crotch + 0.1) & (rows[:, 0] < figure.armpit - 0.06)
    if not inside.any():
        return
    heights, girths = rows[inside, 0], widest[inside]
    need = np.min([figure.trunk_girth(heights + shift) for shift in (-0.03, 0.0, 0.03)], axis=0)
    worst = int((need / girths).argmax())
    height, girth = heights[worst], girths[worst]
    if girth * (1.0 + give) < need[worst]:
        here = ", ".join(sorted(arrangement.panels[n].name for n in arrangement.at_height(float(height))))
        yield (
            f"it cannot close round the body at {height:.2f} m: {here} together measure {100 * girth:.1f} cm "
            f"there, the body {100 * need[worst]:.1f} cm, and the fabric gives {100 * give:.0f} %. "
            "Widen these panels, or take a smaller body."
        )


def tight_neck(arrangement: Arrangement, give: float) -> Iterator[str]:
    """Yield the opening at the neck if the head does not fit through it."""
    figure = arrangement.figure
    for names, length, height in openings(arrangement):
        if height > figure.armpit and length * (1.0 + give) < figure.head_girth:
            yield (
                f"the head does not fit through the opening of {names}: it is {100 * length:.1f} cm round, the head "
                f"{100 * figure.head_girth:.1f} cm, and the fabric gives {100 * give:.0f} %. Widen it, or leave a slit."
            )


def openings(arrangement: Arrangement) -> Iterator[tuple[str, float, float]]:
    """Yield every opening of the trunk's panels once they are sewn: its edges, the way round it and its height [m].

    Free edges that meet, at a corner of a panel or at the end of a seam, are one opening.
    """
    panels, seams = arrangement.panels, arrangement.seams
    sewn = {
        (n, *sorted((int(chain[0]), int(chain[-1]))))
        for s in seams
        for n, chain in zip(s.panels, s.chains, strict=True)
    }
    group: dict[tuple[int, int], tuple[int, int]] = {}

    def root(key: tuple[int, int]) -> tuple[int, int]:
        while group.setdefault(key, key) != key:
            key = group[key]
        return key

    for seam in seams:
        for end in (0, -1):
            a, b = ((n, int(chain[end])) for n, chain in zip(seam.panels, seam.chains, strict=True))
            group[root(a)] = root(b)
    free = []
    for n, panel in enumerate(panels):
        for name, chain in panel.edges.items():
            if (n, *sorted((int(chain[0]), int(chain[-1])))) not in sewn:
                free.append((n, name, chain))
                group[root((n, int(chain[0])))] = root((n, int(chain[-1])))
    rings: dict[tuple[int, int], list[tuple[int, str, IndexArray]]] = {}
    for n, name, chain in free:
        rings.setdefault(root((n, int(chain[0]))), []).append((n, name, chain))
    for members in rings.values():
        if not all(n in arrangement.heights and arrangement.regions[n] == "torso" for n, _, _ in members):
            continue
        # Armholes lie at the sides: the opening for the head goes across the middle.
        across = np.concatenate([arrangement.across[n][chain] for n, _, chain in members])
        if across.min() < 0.0 < across.max():
            names = " and ".join(f"`{panels[n].name}.{name}`" for n, name, _ in members)
            heights = np.concatenate([arrangement.heights[n][chain] for n, _, chain in members])
            yield (
                names,
                sum(_length(panels[n].points, chain) for n, _, chain in members),
                float(heights.mean()),
            )


def _length(points: FloatArray, chain: IndexArray) -> float:
    return float(np.linalg.norm(np.diff(points[chain], axis=0), axis=1).sum())


def _edge(panel: FlatPanel, chain: IndexArray) -> str:
    ends = {int(chain[0]), int(chain[-1])}
    names = [name for name, other in panel.edges.items() if {int(other[0]), int(other[-1])} == ends]
    return f"`{panel.name}.{names[0]}`" if names else f"`{panel.name}`"
