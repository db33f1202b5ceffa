"""Parts that carry a body with a mass, and what such a body feels of them.

Theory: docs/theory/obstacles.md, eq. (O12), (O20).
"""

from __future__ import annotations

from supple.collide.obstacles.particle_contact import add_reaction
from supple.kernel import kernel
from supple.model.particles import PUSHED


@kernel(counts_references=False)
def mark_carriers(touched, bodies_of, leaders, is_fixed, follows, scratch, carries, is_borne, bears):
    """Find the connected parts that touch a body with a mass, and return if there are any.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        bodies_of: (solid_count,) body of each solid, -1 for none
        leaders: (particle_count,) first particle of the part that each belongs to
        is_fixed: (particle_count,)
        follows: (particle_count,) whether a particle follows its contacts; cleared for parts that carry
        scratch: (particle_count, 2) by leader
        carries: (particle_count,) whether its part touches a body with a mass, written
        is_borne: (particle_count,) whether that part is held by anything else, or stands on it, written
        bears: (particle_count,) what `follows` was in parts that carry, written
    """
    count = touched.shape[0]
    scratch[:] = False
    is_any = False
    for i in range(count):
        part = leaders[i]
        if touched[i] >= 0 and bodies_of[touched[i]] >= 0:
            scratch[part, 0] = is_any = True
        elif touched[i] >= 0 or is_fixed[i]:
            scratch[part, 1] = True
    for i in range(count):
        carries[i] = scratch[leaders[i], 0]
        is_borne[i] = carries[i] and scratch[leaders[i], 1]
        bears[i] = carries[i] and follows[i]
        if carries[i]:
            follows[i] = False
    return is_any


@kernel(counts_references=False)
def end_carrying(carries, is_borne, bears, follows, last):
    """Forget what parts that carry did, and let those that nothing else bears count as followers again.

    What such a part did comes back to the body whole, momentum for momentum. The body yields to it only at the end of the
    substep, so it is no guide to the next one.

    Args:
        carries: (particle_count,) of `mark_carriers`
        is_borne: (particle_count,) of `mark_carriers`
        bears: (particle_count,) of `mark_carriers`
        follows: (particle_count,) whether a particle follows its contacts, changed in place
        last: (particle_count, 4) moves of the last substep, cleared for parts that carry
    """
    for i in range(carries.shape[0]):
        if carries[i]:
            follows[i] = bears[i] and not is_borne[i]
            for lane in range(4):
                last[i, lane] = 0.0


@kernel(counts_references=False)
def add_loads(touched, is_wanted, is_weighed, masses, positions, moves, loads, reactions):
    """Let solids feel the loads of particles, of which they have felt the mass times the move already.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        is_wanted: (particle_count,) of which particles
        is_weighed: (solid_count,) whether anybody wants to know what the solid receives
        masses: (particle_count,) [kg]
        positions: (particle_count, 3) [m]
        moves: (particle_count, 3) [m]
        loads: (particle_count, 3) [kg·m]
        reactions: (solid_count, 6) [kg·m, kg·m²], added to in place
    """
    for i in range(touched.shape[0]):
        o = touched[i]
        if is_wanted[i] and o >= 0 and is_weighed[o]:
            add_reaction(
                reactions, o, 1.0, positions[i, 0], positions[i, 1], positions[i, 2],
                loads[i, 0] - masses[i] * moves[i, 0], loads[i, 1] - masses[i] * moves[i, 1],
                loads[i, 2] - masses[i] * moves[i, 2],
            )  # fmt: skip


@kernel(counts_references=False)
def expect_with_neighbours(carries, loads):
    """Mark every particle of a part that carries as one that contacts push."""
    for i in range(carries.shape[0]):
        if carries[i]:
            loads[i] = PUSHED
