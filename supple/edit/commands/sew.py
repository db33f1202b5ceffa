"""Sewing: two chains of vertices are matched point by point, and seams begin between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.seam import Seam, list_steps, matched, refined
from supple.edit.world.apply_edit import Workshop
from supple.edit.world.change import Change
from supple.edit.world.reshape_body import Workpiece
from supple.errors import SuppleError
from supple.model.world import BodyRange, World

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sewing:
    """Two chains of vertices that are to be sewn together."""

    bodies: tuple[BodyRange, BodyRange]
    """Whose vertices they are; twice the same for a seam within a body."""

    chains: tuple[list[int], list[int]]
    """Vertices of each side, in order."""

    seconds: float
    """How long it takes to close [s]."""

    stiffness: float
    """Of a link [N/m]."""

    strength: float = math.inf
    """Force at which a link gives way [N]."""

    is_weldable: bool = True
    """Whether chains of one body become one in the end."""

    may_turn: bool = True
    """Whether the second chain is turned round if that makes both run alongside each other."""

    @property
    def is_one(self) -> bool:
        """Whether both chains belong to one body."""
        return self.bodies[0].name == self.bodies[1].name


def sew(shop: Workshop, label: str, sewings: list[Sewing]) -> list[int]:
    """Sew pairs of chains together, all as one edit, and return the numbers of the seams."""
    works: dict[str, Workpiece] = {}
    room = 8 + 2 * sum(len(chain) for sewing in sewings for chain in sewing.chains)
    sewn = [(sewing, *_paired(shop, sewing, works, room)) for sewing in sewings]
    finished = {name: work.finished() for name, work in works.items()}
    first = shop.ongoing.seam_count

    def begun(change: Change, starts: dict[str, int], places: Floats) -> list[Seam]:
        now = change.carried(places)
        seams: list[Seam] = []
        for sewing, pairs, is_whole in sewn:
            firsts = np.array([starts[body.name] for body in sewing.bodies])
            ends = np.array(pairs, dtype=np.int64) + firsts
            seams.append(
                Seam(
                    number=first + len(seams),
                    pairs=ends,
                    gaps=np.linalg.norm(now[ends[:, 0]] - now[ends[:, 1]], axis=1),
                    seconds=sewing.seconds,
                    stiffness=sewing.stiffness,
                    strength=sewing.strength,
                    is_weldable=(
                        sewing.is_weldable and sewing.is_one and is_whole and math.isinf(sewing.strength)
                    ),
                )
            )
        return seams

    shop.install(label, finished, begun)
    return list(range(first, first + len(sewings)))


def _paired(
    shop: Workshop, sewing: Sewing, works: dict[str, Workpiece], room: int
) -> tuple[list[tuple[int, int]], bool]:
    """Return which vertices of two chains meet, and whether that is every point of both.

    Points that lack a partner get one: the body is among `works` then, with room for `room` new points.
    """
    chains = _facing(sewing, shop.world.particles.positions) if sewing.may_turn else sewing.chains
    first, second = (_arc(shop.world, body, chain) for body, chain in zip(sewing.bodies, chains, strict=True))
    plan = matched(first, second)
    points: list[list[int]] = []
    for side, (body, chain) in enumerate(zip(sewing.bodies, chains, strict=True)):
        wanted = [marks[side] for marks in plan]
        if all(mark.share == 0.0 for mark in wanted):
            points.append([chain[mark.index] for mark in wanted])
            continue
        if body.name not in works:
            works[body.name] = Workpiece(shop.world, body, shop.woven(body), room)
        points.append(refined(works[body.name], chain, wanted))
    pairs = [
        (a, b) for a, b in zip(*points, strict=True) if a >= 0 and b >= 0 and not (sewing.is_one and a == b)
    ]
    if not pairs:
        raise SuppleError("the two chains are the same points, so there is nothing to sew.")
    return pairs, len(pairs) >= len(plan) - 1


def _facing(sewing: Sewing, positions: Floats) -> tuple[list[int], list[int]]:
    """Return the chains so that they run alongside each other."""
    bodies, chains = sewing.bodies, sewing.chains
    a, b = (
        positions[np.array([chain[0], chain[-1]]) + body.particles.start]
        for body, chain in zip(bodies, chains, strict=True)
    )
    straight = np.sum((a[0] - b[0]) ** 2) + np.sum((a[1] - b[1]) ** 2)
    turned = np.sum((a[0] - b[1]) ** 2) + np.sum((a[1] - b[0]) ** 2)
    is_meeting = sewing.is_one and chains[0][-1] == chains[1][0]
    return (chains[0], chains[1][::-1]) if turned < straight or is_meeting else chains


def _arc(world: World, body: BodyRange, chain: list[int]) -> Floats:
    """Return how far along the chain each vertex lies at rest, from 0 to 1."""
    points = world.particles.rest_positions[body.particles][chain]
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    # Springs know better than rest positions: a weld joins what lies apart at rest.
    place = np.full(world.particles.count, -1)
    place[np.array(chain) + body.particles.start] = np.arange(len(chain))
    springs, own = world.springs, body.springs
    list_steps(place, springs.ends[own], springs.rest_lengths[own], steps)
    steps = np.maximum(steps, 1e-12)
    arc: Floats = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    return arc
