"""The Newton step itself: linearise, and reduce the residual by conjugate gradients, on one thread or several.

Theory: docs/theory/descent.md, eq. (N6). The passes of `newton_system` and `aggregates` go over packs, groups or numbers
that do not need each other, so each is a loop that threads may share (`supple/threads.py`): `run_loop` does a pass, on as many
threads as help, and the answer is the same to the bit on any number of them. Sweeps share one colour after the other.
"""

from __future__ import annotations

from typing import NamedTuple

from supple import atomics
from supple.integrate.descent.aggregates import (
    Hierarchy,
    cycle_groups,
    prolong_corrections,
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
    KIND,
    ROUND,
    Team,
    begin_loop,
    end_chunk,
    end_loop,
    make_team,
    take_chunk,
    wait,
)

ENOUGH = 1e-3
"""Energy that an iteration gains, in shares of what all have gained so far, at which it is the last one [-]."""

DAMP, LINEARISE, FORWARD, UPPER, RESTRICT, PROLONG, BACKWARD, PRODUCT, TURN, FOLLOW = range(10)
"""Passes that threads may share."""

SUM_PACKS = 64
"""Packs of a partial sum: scalar products are sums of these, in order, whoever computed them."""

LEAST_PACKS = 32
"""Packs that are worth a second thread: about two microseconds of a sweep."""


class Newton(NamedTuple):
    """All that a Newton step works on."""

    points: Points
    springs: SpringRows
    damping: Damping
    bending: BendingRows
    system: NewtonSystem
    hierarchy: Hierarchy
    vectors: SearchVectors
    team: Team


def make_newton_team(order: PointOrder) -> Team:
    """Return a team with room for the partial sums over all packs."""
    return make_team(-(-order.pack_count // SUM_PACKS))


@kernel(counts_references=False)
def run_range(newton, kind, first, end):
    """Do a pass over some packs; over groups of the finest level in RESTRICT."""
    n, v = newton, newton.vectors
    if kind == FORWARD:
        sweep_forward(n.springs, n.bending, n.system, v.z, first, end)
    elif kind == UPPER:
        upper_products(n.springs, n.bending, n.system, v.z, v.hz, first, end)
    elif kind == BACKWARD:
        sweep_backward(n.springs, n.bending, n.system, v.z, v.change, first, end)
    elif kind == RESTRICT:
        restrict_residual(n.hierarchy, v.hz, first, end)
    elif kind == PROLONG:
        prolong_corrections(n.hierarchy, v.z, WIDTH * first, WIDTH * end)
    elif kind == LINEARISE:
        linearise_packs(n.points, n.springs, n.bending, n.system, first, end)
    elif kind == DAMP:
        damp_packs(n.damping.material, n.springs, n.damping.bases, n.damping.rates, first, end)
    elif kind == FOLLOW:
        follow_direction(n.system, v, n.team.numbers[0], ROW * WIDTH * first, ROW * WIDTH * end)
    else:
        for begin in range(first, end, SUM_PACKS):
            sum_range(newton, kind, begin, min(end, begin + SUM_PACKS))


@kernel(counts_references=False)
def sum_range(newton, kind, first, end):
    """Do a pass over the packs of one partial sum, and write that."""
    n, v, number = newton, newton.vectors, first // SUM_PACKS
    begin, stop = ROW * WIDTH * first, ROW * WIDTH * end
    if kind == PRODUCT:
        product_after_sweep(n.springs, n.bending, n.system, v.change, v.hz, first, end)
        n.team.sums[number, 0] = scalar_product(v.z, v.hp, begin, stop)
    else:
        top, bottom = turn_direction(n.system, v, n.team.numbers[0], begin, stop)
        n.team.sums[number, 0], n.team.sums[number, 1] = top, bottom


@kernel(counts_references=False)
def run_loop(newton, kind, first, end, unit):
    """Do a pass over packs or groups, with all who help; chunks are multiples of `unit` long."""
    team = newton.team
    if team.words[HELPERS] == 0 or end - first < LEAST_PACKS:
        run_range(newton, kind, first, end)
        return
    begin_loop(team, kind, first, end, unit)
    take_part(newton, False)
    end_loop(team)


@kernel(counts_references=False)
def take_part(newton, is_helper):
    """Do chunks of the loop as long as there are any; return whether there was one."""
    team, found = newton.team, False
    while True:
        begin = take_chunk(team, is_helper)
        if begin < 0:
            return found
        run_range(newton, team.words[KIND], begin, min(begin + team.words[GRAIN], team.words[END]))
        end_chunk(team)
        found = True


@kernel(counts_references=False, is_entry=True)
def help_newton(newton, number):
    """Take part in one loop after the other, as long as round `number` lasts."""
    times = 0
    while atomics.load(newton.team.words, ROUND) == number:
        times = 0 if take_part(newton, True) else wait(times)


@kernel(counts_references=False)
def total_of(newton, column):
    """Return the sum of the partial sums of a pass over all packs."""
    total = 0.0
    for number in range((newton.points.inertia.shape[0] // WIDTH + SUM_PACKS - 1) // SUM_PACKS):
        total += newton.team.sums[number, column]
    return total


@kernel(is_entry=True)
def add_damping(newton):
    """Let springs be damped, from the bases on that `take_bases` has written."""
    run_loop(newton, DAMP, 0, newton.points.inertia.shape[0] // WIDTH, 1)


@kernel(is_entry=True)
def linearise(newton):
    """Write gradient and Hessian of Φ at the guess (N1, N2); the solution is to reduce the residual."""
    run_loop(newton, LINEARISE, 0, newton.points.inertia.shape[0] // WIDTH, 1)


@kernel
def sweep_colour(newton, kind, colour):
    """Sweep over the packs of a colour, which do not act on each other, unless it is the last that can be told apart."""
    first, end = newton.system.colour_firsts[colour], newton.system.colour_firsts[colour + 1]
    if colour == MOST_COLOURS - 1:
        run_range(newton, kind, first, end)
    else:
        run_loop(newton, kind, first, end, 1)


@kernel
def precondition(newton, couplings):
    """Write z ≈ H⁻¹ r by one symmetric multigrid cycle, and H z."""
    packs = newton.points.inertia.shape[0] // WIDTH
    colours = newton.system.colour_firsts.shape[0] - 1
    vectors = newton.vectors
    for colour in range(colours):
        sweep_colour(newton, FORWARD, colour)
    run_loop(newton, UPPER, 0, packs, 1)
    run_loop(newton, RESTRICT, 0, newton.hierarchy.node_firsts[1], 1)
    cycle_groups(newton.hierarchy)
    run_loop(newton, PROLONG, 0, packs, 1)
    for number in range(colours):
        sweep_colour(newton, BACKWARD, colours - 1 - number)
    run_loop(newton, PRODUCT, 0, packs, SUM_PACKS)
    for c in couplings:
        add_couplings(c.rows, c.first, c.end, c.slots, c.freedom, vectors.z, vectors.hz)


@kernel(is_entry=True)
def solve_newton(newton, couplings, iterations):
    """Reduce the residual by conjugate gradients; the solution is left in `vectors.solution`.

    Directions are made conjugate by H itself, β = -z·Hp / p·Hp, which does not mind a cycle that is a little different each
    time. Returned is r·d, by how much Φ falls along the solution d at its beginning, twice what the linear model gains [J].
    """
    packs, numbers = newton.points.inertia.shape[0] // WIDTH, newton.team.numbers
    newton.vectors.solution[:] = 0.0
    curvature = gained = 0.0
    for iteration in range(iterations):
        precondition(newton, couplings)
        numbers[0] = 0.0  # β
        if iteration > 0:
            numbers[0] = -total_of(newton, 0) / curvature
        run_loop(newton, TURN, 0, packs, SUM_PACKS)
        top, curvature = total_of(newton, 0), total_of(newton, 1)
        if not curvature > 0.0:
            break
        numbers[0] = top / curvature  # α
        run_loop(newton, FOLLOW, 0, packs, 1)
        gain = top * top / curvature
        gained += gain
        if gain < ENOUGH * gained:
            break
    return gained
