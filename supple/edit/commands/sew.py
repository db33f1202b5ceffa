"""Sew: two chains of vertices are matched point by point, and seams begin between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.seam import Seam, list_steps, match_chains, refine_chain
from supple.edit.world.apply_edit import EditableWorld
from supple.edit.world.particle_change import ParticleChange
from supple.edit.world.reshape_body import BodyEdit
from supple.errors import SuppleError
from supple.model.world import BodyRange, World

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SeamRequest:
    """Two chains of vertices that are to be sewn together."""

    bodies: tuple[BodyRange, BodyRange]
    """Whose vertices they are; twice the same for a seam within a body."""

    chains: tuple[list[int], list[int]]
    """Vertices of either chain, in order."""

    seconds: float
    """How long it takes to close [s]."""

    stiffness: float
    """Of a link [N/m]."""

    strength: float = math.inf
    """Force at which a link gives way [N]."""

    name: str = ""
    """Of its stitch."""

    least_gap: float = 0.0
    """Length that is left of a link in the end [m]."""

    is_weldable: bool = True
    """Whether chains of one body become one in the end."""

    may_turn: bool = True
    """Whether the second chain is turned round if that makes both run alongside each other."""

    @property
    def is_one(self) -> bool:
        """Whether both chains belong to one body."""
        return self.bodies[0].name == self.bodies[1].name


def sew(editable: EditableWorld, label: str, requests: list[SeamRequest]) -> list[int]:
    """Sew pairs of chains together, all as one edit, and return the numbers of the seams."""
    body_edits: dict[str, BodyEdit] = {}
    capacity = 8 + 2 * sum(len(chain) for request in requests for chain in request.chains)
    sewn = [(request, *_paired(editable, request, body_edits, capacity)) for request in requests]
    edited_bodies = {name: body_edit.result() for name, body_edit in body_edits.items()}
    first = editable.in_progress.seam_count

    def start_seams(change: ParticleChange, starts: dict[str, int], positions: Floats) -> list[Seam]:
        now = change.interpolate(positions)
        seams: list[Seam] = []
        for request, pairs, is_whole in sewn:
            firsts = np.array([starts[body.name] for body in request.bodies])
            ends = np.array(pairs, dtype=np.int64) + firsts
            seams.append(
                Seam(
                    number=first + len(seams),
                    pairs=ends,
                    gaps=np.linalg.norm(now[ends[:, 0]] - now[ends[:, 1]], axis=1),
                    seconds=request.seconds,
                    stiffness=request.stiffness,
                    strength=request.strength,
                    least_gap=request.least_gap,
                    name=request.name,
                    is_weldable=(
                        request.is_weldable and request.is_one and is_whole and math.isinf(request.strength)
                    ),
                )
            )
        return seams

    editable.apply_edit(label, edited_bodies, start_seams)
    return list(range(first, first + len(requests)))


def _paired(
    editable: EditableWorld, request: SeamRequest, body_edits: dict[str, BodyEdit], capacity: int
) -> tuple[list[tuple[int, int]], bool]:
    """Return which vertices of two chains meet, and whether that is every point of both.

    Points that lack a partner get one: the body is among `body_edits` then, with capacity for so many new points.
    """
    if len(request.chains[0]) == len(request.chains[1]) == 1:
        return [(request.chains[0][0], request.chains[1][0])], False  # a thread between two points
    chains = _facing(request, editable.world.particles.positions) if request.may_turn else request.chains
    first, second = (
        _arc(editable.world, body, chain) for body, chain in zip(request.bodies, chains, strict=True)
    )
    plan = match_chains(first, second)
    points: list[list[int]] = []
    for side, (body, chain) in enumerate(zip(request.bodies, chains, strict=True)):
        wanted = [marks[side] for marks in plan]
        if all(mark.fraction == 0.0 for mark in wanted):
            points.append([chain[mark.index] for mark in wanted])
            continue
        if body.name not in body_edits:
            body_edits[body.name] = BodyEdit(
                editable.world, body, editable.require_cloth_record(body), capacity
            )
        points.append(refine_chain(body_edits[body.name], chain, wanted))
    pairs = [
        (a, b) for a, b in zip(*points, strict=True) if a >= 0 and b >= 0 and not (request.is_one and a == b)
    ]
    if not pairs:
        raise SuppleError("the two chains are the same points, so there is nothing to sew.")
    return pairs, len(pairs) >= len(plan) - 1


def _facing(request: SeamRequest, positions: Floats) -> tuple[list[int], list[int]]:
    """Return the chains so that they run alongside each other."""
    bodies, chains = request.bodies, request.chains
    a, b = (
        positions[np.array([chain[0], chain[-1]]) + body.particles.start]
        for body, chain in zip(bodies, chains, strict=True)
    )
    straight = np.sum((a[0] - b[0]) ** 2) + np.sum((a[1] - b[1]) ** 2)
    turned = np.sum((a[0] - b[1]) ** 2) + np.sum((a[1] - b[0]) ** 2)
    is_meeting = request.is_one and chains[0][-1] == chains[1][0]
    return (chains[0], chains[1][::-1]) if turned < straight or is_meeting else chains


def _arc(world: World, body: BodyRange, chain: list[int]) -> Floats:
    """Return how far along the chain each vertex lies at rest, from 0 to 1."""
    points = world.particles.rest_positions[body.particles][chain]
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    # Springs know better than rest positions: a weld joins what lies apart at rest.
    rank = np.full(world.particles.count, -1)
    rank[np.array(chain) + body.particles.start] = np.arange(len(chain))
    springs, own = world.springs, body.springs
    list_steps(rank, springs.ends[own], springs.rest_lengths[own], steps)
    steps = np.maximum(steps, 1e-12)
    arc: Floats = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    return arc
