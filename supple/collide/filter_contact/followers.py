"""Followers: the particles of a part in contact that are not in contact themselves.

Theory: docs/theory/obstacles.md, eq. (O14). What contact does to some particles of a connected part is passed on
to the others; these functions say who they are, and what becomes of what was known of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.particle_contact import add_reaction
from supple.kernel import kernel


def part_spans(leaders: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return spans of particles that belong to one connected part, (span_count, 3): first, end, leader of the part.

    Particles of a part mostly stand together, so there are hardly more spans than parts.
    """
    firsts = np.flatnonzero(np.diff(leaders, prepend=-1))
    return np.column_stack([firsts, np.append(firsts, len(leaders))[1:], leaders[firsts]])


@kernel(counts_references=False)
def mark_touching_parts(touched, spans, is_touching):
    """Write which connected parts touch an obstacle.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        spans: (span_count, 3) see `part_spans`
        is_touching: (particle_count,) written for leaders only
    """
    for s in range(spans.shape[0]):
        is_touching[spans[s, 2]] = False
    for s in range(spans.shape[0]):
        for i in range(spans[s, 0], spans[s, 1]):
            if touched[i] >= 0:
                is_touching[spans[s, 2]] = True
                break


@kernel(counts_references=False)
def find_followers(touched, spans, is_fixed, is_touching, follows):
    """Write which particles are free in a connected part that touches an obstacle, and return if there are any.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        spans: (span_count, 3) see `part_spans`
        is_fixed: (particle_count,)
        is_touching: (particle_count,) by leader, written
        follows: (particle_count,) written
    """
    mark_touching_parts(touched, spans, is_touching)
    is_any = False
    for s in range(spans.shape[0]):
        is_in_touch = is_touching[spans[s, 2]]
        for i in range(spans[s, 0], spans[s, 1]):
            follows[i] = is_in_touch & (touched[i] < 0) & (not is_fixed[i])
            is_any |= follows[i]
    return is_any


@kernel(counts_references=False)
def add_passed_on(sources, follows, is_weighed, masses, positions, moves, reactions):
    """Let solids receive what particles that follow have been moved.

    Args:
        sources: (particle_count,) solid that moved each particle, -1 for none
        follows: (particle_count,) whether it followed
        is_weighed: (solid_count,) whether anybody wants to know what the solid receives
        masses: (particle_count,) [kg]
        positions: (particle_count, 3) [m]
        moves: (particle_count, 3) [m]
        reactions: (solid_count, 6) [kg·m, kg·m²], added to in place
    """
    for i in range(follows.shape[0]):
        o = sources[i]
        if follows[i] and o >= 0 and is_weighed[o]:
            add_reaction(
                reactions, o, masses[i], positions[i, 0], positions[i, 1], positions[i, 2],
                moves[i, 0], moves[i, 1], moves[i, 2],
            )  # fmt: skip


@kernel(counts_references=False)
def calm_touching_parts(touched, spans, is_touching, accelerations):
    """Clear the accelerations of every connected part that touches an obstacle.

    The accelerated predictor expects what springs did to go on. Contact is found after the springs
    have acted, so next to it the expectation is wrong in the same way in every substep, and keeps
    a draped cloth trembling: there the part is predicted by its inertia alone.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        spans: (span_count, 3) see `part_spans`
        is_touching: (particle_count,) scratch, by leader
        accelerations: (particle_count, 3) [m/s²], changed in place
    """
    mark_touching_parts(touched, spans, is_touching)
    for s in range(spans.shape[0]):
        if is_touching[spans[s, 2]]:
            for i in range(spans[s, 0], spans[s, 1]):
                for axis in range(3):
                    accelerations[i, axis] = 0.0
