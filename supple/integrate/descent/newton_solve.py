"""The Newton step itself: linearise, and reduce the residual by conjugate gradients, on one thread or several.

Theory: docs/theory/descent.md, eq. (N6). The passes of `newton_system` and `aggregates` go over packs, groups or numbers
that do not need each other, so each is a loop that threads may share (`supple/threads.py`), and the answer is the same to
the bit on any number of them. Sweeps share one colour after the other. What an iteration does is a list of such loops
(`Course`), so that there is one place where they are done: a call with all these arrays takes longer than some loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple import atomics
from supple.integrate.descent.aggregates import (
    Hierarchy,
    cycle_groups,
    prolong_corrections,
    relax_finest,
    relax_finest_again,
    restrict_finest,
    restrict_residual,
)
from supple.integrate.descent.contact_rows import add_couplings
from supple.integrate.descent.newton_system import (
    BendingRows,
    NewtonSystem,
    Points,
    SearchVectors,
    SpringRows,
    follow_direction,
    linearise_packs,
    product_after_sweep,
    scalar_product,
    sweep_backward,
    sweep_forward,
    turn_direction,
    upper_products,
)
from supple.integrate.descent.other_forces import Damping, damp_packs
from supple.integrate.descent.point_order import MOST_COLOURS, PointOrder
from supple.kernel import kernel
from supple.simd import ROW, WIDTH
from supple.threads import (
    END,
    GRAIN,
    HELPERS,
    INSIDE,
    KIND,
    Team,
    begin_loop,
    end_chunk,
    end_loop,
    is_needed,
    make_team,
    take_chunk,
    wait,
)

ENOUGH = 1e-3
"""Energy that an iteration gains, in shares of what all have gained so far, at which it is the last one [-]."""

DAMP, LINEARISE, FORWARD, UPPER, PROLONG, BACKWARD, PRODUCT, TURN, FOLLOW = range(9)
"""What is done to packs in a loop."""

RESTRICT, RELAX, PASS_ON, RELAX_AGAIN = range(9, 13)
"""What is done to the finest groups; to those of the next level in PASS_ON."""

GROUPS, COUPLE = range(13, 15)
"""What is not shared: the coarser levels, and contacts of several points."""

SUM_PACKS = 16
"""Packs of a partial sum: scalar products are sums of these, in order, whoever computed them."""

LEAST_PACKS = 32
"""Packs that are worth a second thread: about two microseconds of a sweep."""

LEAST_GROUPS = {RESTRICT: 64, RELAX: 96, PASS_ON: 16, RELAX_AGAIN: 64}
"""Groups that are."""


class Course(NamedTuple):
    """The loops of one iteration of conjugate gradients, in order."""

    kinds: NDArray[np.int64]
    """(loop_count,) FORWARD and so on."""

    firsts: NDArray[np.int64]
    """(loop_count,) first pack or group."""

    ends: NDArray[np.int64]
    """(loop_count,) where they end."""

    units: NDArray[np.int64]
    """(loop_count,) chunks are multiples of this; 0 if they cannot be shared."""


class Newton(NamedTuple):
    """All that a Newton step works on."""

    points: Points
    springs: SpringRows
    damping: Damping
    bending: BendingRows
    system: NewtonSystem
    hierarchy: Hierarchy
    vectors: SearchVectors
    course: Course
    team: Team


def make_course(order: PointOrder, hierarchy: Hierarchy) -> Course:
    """Return the loops of an iteration; packs of a colour do not act on each other, unless it is the last there can be."""
    packs, nodes = order.pack_count, hierarchy.node_firsts
    colours, groups = _colours(order.colour_firsts), _colours(hierarchy.colour_firsts)
    if len(nodes) == 2:  # all groups are solved for at once
        groups = []
    loops = [
        *((FORWARD, *colour) for colour in colours),
        (UPPER, 0, packs, 1),
        (RESTRICT, 0, int(nodes[1]), 1),
        *((RELAX, *colour) for colour in groups),
        *([(PASS_ON, 0, int(nodes[2] - nodes[1]), 1)] if groups else []),
        (GROUPS, 0, 0, 0),
        *((RELAX_AGAIN, *colour) for colour in reversed(groups)),
        (PROLONG, 0, packs, 1),
        *((BACKWARD, *colour) for colour in reversed(colours)),
        (PRODUCT, 0, packs, SUM_PACKS),
        (COUPLE, 0, 0, 0),
        (TURN, 0, packs, SUM_PACKS),
        (FOLLOW, 0, packs, 1),
    ]
    table = np.array(loops, dtype=np.int64)
    least = np.array([LEAST_GROUPS.get(kind, LEAST_PACKS) for kind in table[:, 0]])
    table[table[:, 2] - table[:, 1] < least, 3] = 0
    return Course(*table.T.copy())


def _colours(firsts: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Return begin, end and unit of every colour; the last that can be told apart may hold neighbours, and has no unit."""
    return [(int(firsts[c]), int(firsts[c + 1]), int(c < MOST_COLOURS - 1)) for c in range(len(firsts) - 1)]


def make_newton_team(order: PointOrder) -> Team:
    """Return a team with room for the partial sums over all packs."""
    return make_team(-(-order.pack_count // SUM_PACKS))


@kernel(counts_references=False, is_inlined=True)
def run_range(newton, kind, first, end):
    """Do what a loop does over some packs or groups."""
    n, v = newton, newton.vectors
    number = float(newton.team.numbers[0])  # α or β
    if kind == FORWARD:
        sweep_forward(n.springs, n.bending, n.system, v.z, first, end)
    elif kind == UPPER:
        upper_products(n.springs, n.bending, n.system, v.z, v.hz, first, end)
    elif kind == BACKWARD:
        sweep_backward(n.springs, n.bending, n.system, v.z, v.change, first, end)
    elif kind == RESTRICT:
        restrict_residual(n.hierarchy, v.hz, first, end)
    elif kind == RELAX:
        relax_finest(n.hierarchy, first, end)
    elif kind == PASS_ON:
        restrict_finest(n.hierarchy, first, end)
    elif kind == RELAX_AGAIN:
        relax_finest_again(n.hierarchy, first, end)
    elif kind == PROLONG:
        prolong_corrections(n.hierarchy, v.z, WIDTH * first, WIDTH * end)
    elif kind == FOLLOW:
        follow_direction(n.system, v, number, ROW * WIDTH * first, ROW * WIDTH * end)
    else:
        for begin in range(first, end, SUM_PACKS):
            stop, part = min(end, begin + SUM_PACKS), begin // SUM_PACKS
            if kind == PRODUCT:
                product_after_sweep(n.springs, n.bending, n.system, v.change, v.hz, begin, stop)
                n.team.sums[part, 0] = scalar_product(v.z, v.hp, ROW * WIDTH * begin, ROW * WIDTH * stop)
            else:
                top, bottom = turn_direction(n.system, v, number, ROW * WIDTH * begin, ROW * WIDTH * stop)
                n.team.sums[part, 0], n.team.sums[part, 1] = top, bottom


@kernel(counts_references=False, is_entry=True)
def help_newton(newton):
    """Take part in one loop after the other, until there has been none for long, or helpers are sent away."""
    n, team, words = newton, newton.team, newton.team.words
    atomics.add(words, INSIDE, 1)
    times = 0
    while is_needed(team, times):
        begin = take_chunk(team, True)
        if begin < 0:
            times = wait(times)
            continue
        times = 0
        kind, end = words[KIND], min(begin + words[GRAIN], words[END])
        if kind == DAMP:
            damp_packs(n.damping.material, n.springs, n.damping.bases, n.damping.rates, begin, end)
        elif kind == LINEARISE:
            linearise_packs(n.points, n.springs, n.bending, n.system, begin, end)
        else:
            run_range(n, kind, begin, end)
        end_chunk(team)
    atomics.add(words, INSIDE, -1)


@kernel(counts_references=False, is_entry=True)
def add_damping(newton):
    """Let springs be damped, from the bases on that `take_bases` has written."""
    n, team = newton, newton.team
    packs = n.points.inertia.shape[0] // WIDTH
    begin_loop(team, DAMP, 0, packs, 1)
    begin = own = 0
    while begin >= 0:
        end = min(begin + team.words[GRAIN], packs)
        damp_packs(n.damping.material, n.springs, n.damping.bases, n.damping.rates, begin, end)
        own += 1
        begin = take_chunk(team, False)
    end_loop(team, own)


@kernel(counts_references=False, is_entry=True)
def linearise(newton):
    """Write gradient and Hessian of Φ at the guess (N1, N2); the solution is to reduce the residual."""
    n, team = newton, newton.team
    packs = n.points.inertia.shape[0] // WIDTH
    begin_loop(team, LINEARISE, 0, packs, 1)
    begin = own = 0
    while begin >= 0:
        end = min(begin + team.words[GRAIN], packs)
        linearise_packs(n.points, n.springs, n.bending, n.system, begin, end)
        own += 1
        begin = take_chunk(team, False)
    end_loop(team, own)


@kernel(counts_references=False)
def total_of(sums, column):
    """Return the sum of partial sums, in order."""
    total = 0.0
    for number in range(sums.shape[0]):
        total += sums[number, column]
    return total


@kernel(counts_references=False, is_entry=True)
def solve_newton(newton, couplings, iterations):
    """Reduce the residual by conjugate gradients; the solution is left in `vectors.solution`.

    An iteration writes z ≈ H⁻¹ r by one symmetric multigrid cycle, and H z, before it turns the direction. Directions are
    made conjugate by H itself, β = -z·Hp / p·Hp, which does not mind a cycle that is a little different each time. Returned
    is r·d, by how much Φ falls along the solution d at its beginning, twice what the linear model gains [J].
    """
    team, course, words, vectors = newton.team, newton.course, newton.team.words, newton.vectors
    numbers, sums = team.numbers, team.sums
    vectors.solution[:] = 0.0
    curvature = gained = top = 0.0
    for iteration in range(iterations):
        for loop in range(course.kinds.shape[0]):
            kind, first, end, unit = (
                course.kinds[loop],
                course.firsts[loop],
                course.ends[loop],
                course.units[loop],
            )
            if kind == GROUPS:
                cycle_groups(newton.hierarchy)
                continue
            if kind == COUPLE:
                for c in couplings:
                    add_couplings(c.rows, c.first, c.end, c.slots, c.freedom, vectors.z, vectors.hz)
                numbers[0] = 0.0  # β
                if iteration > 0:
                    numbers[0] = -total_of(sums, 0) / curvature
                continue
            if kind == FOLLOW:
                top, curvature = total_of(sums, 0), total_of(sums, 1)
                if not curvature > 0.0:
                    return gained
                numbers[0] = top / curvature  # α
            is_shared = words[HELPERS] > 0 and unit > 0
            if is_shared:
                begin_loop(team, kind, first, end, unit)
            begin, own = first, 0
            while begin >= 0:
                run_range(newton, kind, begin, min(begin + words[GRAIN], end) if is_shared else end)
                own += 1
                begin = take_chunk(team, False) if is_shared else -1
            if is_shared:
                end_loop(team, own)
        gain = top * top / curvature
        gained += gain
        if gain < ENOUGH * gained:
            break
    return gained
