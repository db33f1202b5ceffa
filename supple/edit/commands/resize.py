"""Resize: a panel is drawn anew at other sizes while it moves, with the points and triangles that it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from supple.edit.editor import Editor
from supple.model.builders.mesh import vertex_areas
from supple.model.world import BodyRange
from supple.scene.bodies.cloth import Cloth
from supple.scene.placement import placed

FARTHEST_OFF = 1.5
"""Ratio of a rest length to rest positions from which these say nothing of it [-]: one end was welded to another edge."""


def resize(editor: Editor, body: BodyRange, declared: Cloth, sizes: Mapping[str, float]) -> None:
    """Give a panel, or a piece of one, the rest lengths, areas and masses that it has at other sizes.

    Whoever calls lets others know. What was shrunk stays so: lengths change by the ratio of those drawn. Where its points
    are does not change.

    Args:
        editor: of the world
        body: a piece of the panel
        declared: the cloth it came from
        sizes: what each size is, all of them
    """
    world = editor.world
    flat = placed(declared.shape.sized_points(sizes), declared.at, declared.rotation)  # type: ignore[union-attr]
    record = editor.cloth_record(body)
    if record is None:
        rest = flat
    else:
        rest = np.einsum("nk,nkx->nx", record.ancestor_weights, flat[record.ancestors])
    before = world.particles.rest_positions
    after = before.copy()
    after[body.particles] = rest
    springs = world.springs
    ends = springs.ends[body.springs].astype(np.int64)
    old, new = (np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1) for points in (before, after))
    lengths = springs.rest_lengths[body.springs]
    is_known = (old > 0.0) & (new > 0.0) & (lengths > 0.0)
    off = np.where(is_known, lengths, 1.0) / np.where(is_known, old, 1.0)
    # Shrinking by hand goes farther than this only where little is left to be said of shapes.
    is_known &= (off < FARTHEST_OFF) & (off > 1.0 / FARTHEST_OFF)
    lengths[is_known] *= new[is_known] / old[is_known]
    if len(body.triangles):
        areas = [vertex_areas(points[body.particles], body.triangles) for points in (before, after)]
        growth = np.where(areas[0] > 0.0, areas[1] / np.where(areas[0] > 0.0, areas[0], 1.0), 1.0)
        world.particles.masses[body.particles] *= growth
        world.bodies[body.name] = replace(body, shares=body.shares * growth)
    world.particles.rest_positions = after  # those of before belong to the history too
