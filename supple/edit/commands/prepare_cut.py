"""Prepare cut: what the first cut of a cloth needs is made in a thread, beside the first frames.

To link the triangles of a cloth and to allocate memory for its edits takes longer than the cut itself. Nobody waits for
that if a thread does it as soon as the cloth moves. It only saves time: a prepared cloth record is taken if it was made
from the very numbers that it would be made from now, and then it is the same to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord, build_cloth_record
from supple.edit.mesh.workspace import Workspace
from supple.edit.world.rebuild_bodies import body_springs
from supple.errors import SuppleError
from supple.model.springs import Springs
from supple.model.world import BodyRange, World

MOST_TRIANGLES = 40_000
"""Triangles of the largest cloth that is prepared: in a larger one other things take most of the time of a cut."""


class UneditedCloth(NamedTuple):
    """What the record of a cloth is made from."""

    name: str
    triangles: NDArray[np.int64]
    springs: Springs
    points: NDArray[np.float64]


class Prepared(NamedTuple):
    """What is ready for the first edit."""

    workspace: Workspace
    """The largest cloth is loaded there already."""

    cloth_records: dict[str, tuple[UneditedCloth, ClothRecord]]


class CutPreparation:
    """Cloth records that a thread is making."""

    def __init__(self, world: World, bodies: Iterable[BodyRange]) -> None:
        """Begin to make the records of those bodies that are cloths, beside whatever happens next."""
        cloths = [
            UneditedCloth(
                body.name,
                body.triangles,
                _copied(body_springs(world, body)),
                world.particles.positions[body.particles].copy(),
            )
            for body in bodies
            if 0 < len(body.triangles) <= MOST_TRIANGLES and body.springs.stop > body.springs.start
        ]
        worker = ThreadPoolExecutor(1, thread_name_prefix="prepare-cut")
        self._prepared = worker.submit(_prepare, cloths)
        worker.shutdown(wait=False)

    def workspace(self) -> Workspace:
        """Return the workspace, waiting for it if need be."""
        return self._prepared.result().workspace

    @property
    def prepared_bodies(self) -> tuple[str, ...]:
        """Names of the cloths whose records are ready, waiting for them if need be."""
        return tuple(self._prepared.result().cloth_records)

    def cloth_record(self, name: str, triangles: NDArray[np.int64], springs: Springs) -> ClothRecord | None:
        """Return the record of a cloth if it has the same triangles and springs still; it is given away."""
        cloth, cloth_record = self._prepared.result().cloth_records.pop(name, (None, None))
        if cloth is None or not (
            np.array_equal(cloth.triangles, triangles)
            and np.array_equal(cloth.springs.ends, springs.ends)
            and np.array_equal(cloth.springs.rest_lengths, springs.rest_lengths)
        ):
            return None
        return cloth_record


def _copied(springs: Springs) -> Springs:
    """Return springs whose ends and lengths nobody else can change; a record is made from nothing else of them."""
    return replace(springs, ends=springs.ends.copy(), rest_lengths=springs.rest_lengths.copy())


def _prepare(cloths: list[UneditedCloth]) -> Prepared:
    """Make the records that can be made, and load the largest into a workspace."""
    cloth_records = {}
    for cloth in cloths:
        try:
            cloth_record = build_cloth_record(
                cloth.name, cloth.triangles, len(cloth.points), cloth.springs, cloth.points
            )
        except SuppleError:
            continue  # whoever wants to cut it is told
        if (cloth_record.spring_of >= 0).all():  # or its lengths would depend on where points are
            cloth_records[cloth.name] = cloth, cloth_record
    workspace = Workspace()
    if cloth_records:
        cloth, cloth_record = max(cloth_records.values(), key=lambda known: len(known[1].triangles))
        workspace.reserve_for_pieces(cloth_record)
        workspace.preload(
            cloth_record, cloth.springs, cloth.points, 64 + 12 * math.isqrt(len(cloth_record.triangles))
        )
    return Prepared(workspace, cloth_records)
