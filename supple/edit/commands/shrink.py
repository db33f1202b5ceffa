"""Shrink: rest lengths between some vertices change, at once or frame by frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.in_progress import Shrinking
from supple.edit.world.apply_edit import Workshop
from supple.errors import SuppleError
from supple.model.springs import Springs
from supple.model.world import BodyRange

Indices = NDArray[np.int64]


def shrink(shop: Workshop, body: BodyRange, points: Indices, ratio: float, seconds: float) -> None:
    """Let the springs between some vertices shrink or grow to `ratio` times their rest length."""
    members = np.zeros(shop.world.particles.count, np.bool_)
    members[points + body.particles.start] = True
    if not members[shop.world.springs.ends[body.springs]].all(axis=1).any():
        raise SuppleError(
            f"no spring of {body.name!r} joins two of these {len(points)} vertices, so nothing can shrink."
        )
    shop.note(f"shrink {body.name}")
    shrinking = Shrinking(members, ratio, seconds)
    if seconds == 0.0:
        _scale(shop.world.springs, members, ratio)
        shop.relength()
    else:
        shop.ongoing = replace(shop.ongoing, shrinkings=[*shop.ongoing.shrinkings, shrinking])


def shrink_on(shop: Workshop, seconds: float) -> None:
    """Let bands that are shrinking go on with it for some seconds."""
    if not shop.ongoing.shrinkings:
        return
    going = []
    for shrinking in shop.ongoing.shrinkings:
        later = replace(shrinking, elapsed=shrinking.elapsed + seconds)
        _scale(
            shop.world.springs,
            shrinking.members,
            later.factor(later.elapsed) / later.factor(shrinking.elapsed),
        )
        if later.elapsed < later.seconds:
            going.append(later)
    shop.ongoing = replace(shop.ongoing, shrinkings=going)
    shop.relength()


def _scale(springs: Springs, members: NDArray[np.bool_], factor: float) -> None:
    springs.rest_lengths[members[springs.ends].all(axis=1)] *= factor
