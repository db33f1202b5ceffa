"""Preparing: what the first cut of a cloth begins with is made beside the first frames.

To link the triangles of a cloth and to set memory aside for its edits takes longer than the cut itself. Nobody waits
for that if a thread does it as soon as the cloth moves. It only saves time: a fabric that was prepared is taken if it was
woven from the very numbers that it would be woven from now, and then it is the same to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Bench, Fabric, weave
from supple.edit.world.rebuild_bodies import body_springs
from supple.errors import SuppleError
from supple.model.springs import Springs
from supple.model.world import BodyRange, World

MOST_TRIANGLES = 40_000
"""Triangles of the largest cloth that is prepared: in a larger one other things take most of the time of a cut."""


class Unedited(NamedTuple):
    """A cloth that was not edited yet."""

    name: str
    triangles: NDArray[np.int64]
    springs: Springs
    points: NDArray[np.float64]


class Prepared(NamedTuple):
    """What is ready for the first edit."""

    bench: Bench
    """Where the largest fabric lies already."""

    fabrics: dict[str, tuple[Unedited, Fabric]]


class Preparation:
    """Fabrics of cloths, in the making."""

    def __init__(self, world: World, bodies: Iterable[BodyRange]) -> None:
        """Begin to weave the fabrics of those bodies that are cloths, beside whatever happens next."""
        cloths = [
            Unedited(
                body.name,
                body.triangles,
                _copied(body_springs(world, body)),
                world.particles.positions[body.particles].copy(),
            )
            for body in bodies
            if 0 < len(body.triangles) <= MOST_TRIANGLES and body.springs.stop > body.springs.start
        ]
        worker = ThreadPoolExecutor(1, thread_name_prefix="preparing")
        self._prepared = worker.submit(_prepare, cloths)
        worker.shutdown(wait=False)

    def bench(self) -> Bench:
        """Return memory to work in."""
        return self._prepared.result().bench

    def fabric(self, name: str, triangles: NDArray[np.int64], springs: Springs) -> Fabric | None:
        """Return the fabric of a cloth if it is made of the same triangles and springs still; it is given away."""
        cloth, fabric = self._prepared.result().fabrics.pop(name, (None, None))
        if cloth is None or not (
            np.array_equal(cloth.triangles, triangles)
            and np.array_equal(cloth.springs.ends, springs.ends)
            and np.array_equal(cloth.springs.rest_lengths, springs.rest_lengths)
        ):
            return None
        return fabric


def _copied(springs: Springs) -> Springs:
    """Return springs whose ends and lengths nobody else can change; that is all a fabric is woven from."""
    return replace(springs, ends=springs.ends.copy(), rest_lengths=springs.rest_lengths.copy())


def _prepare(cloths: list[Unedited]) -> Prepared:
    """Weave what can be woven, and lay the largest fabric on a bench."""
    fabrics = {}
    for cloth in cloths:
        try:
            fabric = weave(cloth.name, cloth.triangles, len(cloth.points), cloth.springs, cloth.points)
        except SuppleError:
            continue  # whoever wants to cut it is told
        if (fabric.spring_of >= 0).all():  # or its lengths would depend on where points are
            fabrics[cloth.name] = cloth, fabric
    bench = Bench()
    if fabrics:
        cloth, fabric = max(fabrics.values(), key=lambda known: len(known[1].triangles))
        bench.set_aside(fabric)
        bench.lay_out(fabric, cloth.springs, cloth.points, 64 + 12 * math.isqrt(len(fabric.triangles)))
    return Prepared(bench, fabrics)
