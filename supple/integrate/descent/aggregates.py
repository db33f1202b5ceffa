"""Aggregates: coarser and coarser groups of points, and the system as it acts on groups that move as one.

Theory: docs/theory/descent.md, eq. (N6). Groups are found once, by halving the rest positions along their longer side,
sixteen points (then groups) to a group. On groups the Hessian is the plain sum of its blocks, PᵀHP with P constant on a
group: masses add up, and of the springs those that join two groups. Conjugate gradients make up for what constant groups
do badly.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.integrate.descent.element_rows import block_places
from supple.integrate.descent.packed_rows import Rows
from supple.integrate.descent.point_order import PointOrder, colour_points
from supple.integrate.descent.symmetric_blocks import block_of, inverse_of, times
from supple.kernel import kernel
from supple.simd import ROW, WIDTH

HALVINGS = 4
"""How many times groups are halved from one level to the next: 2⁴ = 16 members."""

FEWEST = 24
"""Groups that are solved for directly, at most."""

LAST_SWEEPS = 4
"""Sweeps over the last level where it has more groups than that; of unconnected bodies one is exact."""


class Hierarchy(NamedTuple):
    """All levels of groups, one after the other, the finest first."""

    group_of: NDArray[np.int64]
    """(slot_count,) group on the finest level of each slot, -1 for held points and empty slots."""

    members: NDArray[np.int64]
    """(free_point_count,) slots of the finest groups, group by group, ascending."""

    member_firsts: NDArray[np.int64]
    """(finest_group_count + 1,) first member of each."""

    colour_firsts: NDArray[np.int64]
    """(colour_count + 1,) first of the finest groups of each colour; those of one colour do not act on each other."""

    children: NDArray[np.int64]
    """(finest_group_count,) finest groups by their group on the next level, ascending; none if there is no such level."""

    child_firsts: NDArray[np.int64]
    """(second_group_count + 1,) where the children of each begin."""

    node_firsts: NDArray[np.int64]
    """(level_count + 1,) first group of each level."""

    parents: NDArray[np.int64]
    """(node_count,) group on the next level; -1 on the last."""

    row_firsts: NDArray[np.int64]
    """(node_count + 1,) first neighbour of each group."""

    row_middles: NDArray[np.int64]
    """(node_count,) first neighbour of each group with a lower number; those with higher ones come before."""

    columns: NDArray[np.int64]
    """(entry_count,) neighbouring groups."""

    pair_of_entry: NDArray[np.int64]
    """(entry_count,) which pair of groups an entry stands for."""

    pair_parents: NDArray[np.int64]
    """(pair_count,) pair on the next level; -1 if both lie in one group there, or on the last level."""

    spring_pairs: NDArray[np.int64]
    """(spring_link_count, 4) springs between groups: where the block stands, pair, and the groups (-1: held or none)."""

    bending_pairs: NDArray[np.int64]
    """(bending_link_count, 4) the same for entries of the bending matrix."""

    element_pairs: NDArray[np.int64]
    """(element_link_count, 4) the same for blocks of elements."""

    own: NDArray[np.float64]
    """(node_count, 6) part of the diagonal block that is no link between groups [N/m]."""

    diagonals: NDArray[np.float64]
    """(node_count, 6) [N/m]"""

    inverses: NDArray[np.float64]
    """(node_count, 6) [m/N]"""

    blocks: NDArray[np.float64]
    """(pair_count, 6) minus the off-diagonal blocks [N/m], their symmetric part"""

    twists: NDArray[np.float64]
    """(pair_count, 3) w of their antisymmetric part, w × e, for the lower group [N/m]; no rows without elements."""

    residuals: NDArray[np.float64]
    """(node_count, 3) [N]"""

    corrections: NDArray[np.float64]
    """(node_count, 3) [m]"""

    factor: NDArray[np.float64]
    """(3 m, 3 m) Cholesky factor of the last level's matrix, R with RᵀR = PᵀHP and the inverse of its diagonal in its
    place; empty if it has many groups, which are then relaxed."""

    last_solution: NDArray[np.float64]
    """(3 m,) scratch [m]"""


@kernel(is_inlined=True)
def add_element_link(h, t, blocks):
    """Add a block of nine numbers between two groups, or its symmetric part between a group and a held point.

    Antisymmetric parts of all blocks of a group add up to nothing, since elements do not mind being moved.
    """
    at, pair, a, b = (
        h.element_pairs[t, 0],
        h.element_pairs[t, 1],
        h.element_pairs[t, 2],
        h.element_pairs[t, 3],
    )
    xx, xy, xz = np.float64(blocks[at]), np.float64(blocks[at + WIDTH]), np.float64(blocks[at + 2 * WIDTH])
    yx, yy = np.float64(blocks[at + 3 * WIDTH]), np.float64(blocks[at + 4 * WIDTH])
    yz, zx = np.float64(blocks[at + 5 * WIDTH]), np.float64(blocks[at + 6 * WIDTH])
    zy, zz = np.float64(blocks[at + 7 * WIDTH]), np.float64(blocks[at + 8 * WIDTH])
    target, row = (h.blocks, pair) if pair >= 0 else (h.own, max(a, b))  # of the other one, held: -1
    target[row, 0] += xx
    target[row, 1] += 0.5 * (xy + yx)
    target[row, 2] += 0.5 * (xz + zx)
    target[row, 3] += yy
    target[row, 4] += 0.5 * (yz + zy)
    target[row, 5] += zz
    if pair >= 0:
        half = 0.5 if a < b else -0.5
        h.twists[pair, 0] += half * (zy - yz)
        h.twists[pair, 1] += half * (xz - zx)
        h.twists[pair, 2] += half * (yx - xy)


@kernel(is_entry=True)
def assemble_levels(points, system, hierarchy):
    """Sum up the blocks of the fine system level by level, and factor the last one."""
    h = hierarchy
    n = points.inertia.shape[0]
    h.own[:] = 0.0
    h.blocks[:] = 0.0
    for i in range(n):
        group = h.group_of[i]
        if group >= 0:
            m = points.inertia[i]
            h.own[group, 0] += m + points.outer_blocks[i]
            h.own[group, 1] += points.outer_blocks[n + i]
            h.own[group, 2] += points.outer_blocks[2 * n + i]
            h.own[group, 3] += m + points.outer_blocks[3 * n + i]
            h.own[group, 4] += points.outer_blocks[4 * n + i]
            h.own[group, 5] += m + points.outer_blocks[5 * n + i]
    for t in range(h.spring_pairs.shape[0]):
        at, pair = h.spring_pairs[t, 0], h.spring_pairs[t, 1]
        if pair >= 0:
            for c in range(6):
                h.blocks[pair, c] += system.blocks[at + c * WIDTH]
        else:  # one of the two is held: -1
            group = max(h.spring_pairs[t, 2], h.spring_pairs[t, 3])
            for c in range(6):
                h.own[group, c] += system.blocks[at + c * WIDTH]
    for t in range(h.bending_pairs.shape[0]):
        pair, value = h.bending_pairs[t, 1], np.float64(system.bending[h.bending_pairs[t, 0]])
        group = max(h.bending_pairs[t, 2], h.bending_pairs[t, 3])
        for c in (0, 3, 5):
            if pair >= 0:
                h.blocks[pair, c] -= value
            else:
                h.own[group, c] -= value
    if h.twists.shape[0] > 0:
        h.twists[:] = 0.0
        for t in range(h.element_pairs.shape[0]):
            add_element_link(h, t, system.elements.blocks)
        for pair in range(h.pair_parents.shape[0]):
            if h.pair_parents[pair] >= 0:
                for c in range(3):
                    h.twists[h.pair_parents[pair], c] += h.twists[pair, c]
    for node in range(h.parents.shape[0]):
        if h.parents[node] >= 0:
            for c in range(6):
                h.own[h.parents[node], c] += h.own[node, c]
    for pair in range(h.pair_parents.shape[0]):
        if h.pair_parents[pair] >= 0:
            for c in range(6):
                h.blocks[h.pair_parents[pair], c] += h.blocks[pair, c]
    for node in range(h.parents.shape[0]):
        for c in range(6):
            value = h.own[node, c]
            for t in range(h.row_firsts[node], h.row_firsts[node + 1]):
                value += h.blocks[h.pair_of_entry[t], c]
            h.diagonals[node, c] = value
        invert_block(h.diagonals, node, h.inverses)
    factor_last_level(h)


@kernel
def invert_block(blocks, i, inverses):
    """Write the inverse of one block; one that is not positive is left out of every correction."""
    a, b, c, d, e, f = block_of(blocks, i)
    if a * (d * f - e * e) + b * (c * e - b * f) + c * (b * e - c * d) > 0.0:
        inverse = inverse_of((a, b, c, d, e, f))
        for n in range(6):
            inverses[i, n] = inverse[n]
    else:
        for n in range(6):
            inverses[i, n] = 0.0


@kernel
def factor_last_level(h):
    """Write the Cholesky factor of the coarsest matrix."""
    levels = h.node_firsts.shape[0] - 1
    first = h.node_firsts[levels - 1]
    a = h.factor
    if a.shape[0] == 0:
        return
    a[:] = 0.0
    for node in range(first, h.node_firsts[levels]):
        i = 3 * (node - first)
        for r in range(3):
            for c in range(3):
                at = r + c if r == 0 or c == 0 else r + c + 1
                a[i + r, i + c] += h.diagonals[node, at]
                for t in range(h.row_firsts[node], h.row_firsts[node + 1]):
                    j = 3 * (h.columns[t] - first)
                    a[i + r, j + c] -= h.blocks[h.pair_of_entry[t], at]
                    if h.twists.shape[0] > 0 and r != c:
                        sign = 1.0 if (c - r) % 3 == 2 else -1.0  # of w in the matrix of w ×
                        sign = sign if node < h.columns[t] else -sign
                        a[i + r, j + c] -= sign * h.twists[h.pair_of_entry[t], 3 - r - c]
    # Row j of the upper factor is taken off all later rows: loops over rows, without sums, run in packs.
    for j in range(a.shape[0]):
        pivot = a[j, j]
        scale = 1.0 / math.sqrt(pivot) if pivot > 0.0 else 0.0
        for k in range(j, a.shape[0]):
            a[j, k] *= scale
        for i in range(j + 1, a.shape[0]):
            factor = a[j, i]
            for k in range(i, a.shape[0]):
                a[i, k] -= factor * a[j, k]
        a[j, j] = scale  # what the solution is multiplied with


@kernel(is_inlined=True)
def add_neighbour_groups(h, i, first, end, v):
    """Return v + Σ_j B_ij e_j over some neighbours of a group, e their corrections."""
    for t in range(first, end):
        j = h.columns[t]
        e = h.corrections[j, 0], h.corrections[j, 1], h.corrections[j, 2]
        w = times(block_of(h.blocks, h.pair_of_entry[t]), e)
        v = (v[0] + w[0], v[1] + w[1], v[2] + w[2])
        if h.twists.shape[0] > 0:
            sign, pair = 1.0 if i < j else -1.0, h.pair_of_entry[t]
            x, y, z = sign * h.twists[pair, 0], sign * h.twists[pair, 1], sign * h.twists[pair, 2]
            v = (v[0] + y * e[2] - z * e[1], v[1] + z * e[0] - x * e[2], v[2] + x * e[1] - y * e[0])
    return v


@kernel(is_inlined=True)
def relax_group(h, i, first, end):
    """Give a group the correction that some of its neighbours leave for it (block Gauss-Seidel)."""
    left = add_neighbour_groups(h, i, first, end, (h.residuals[i, 0], h.residuals[i, 1], h.residuals[i, 2]))
    correction = times(block_of(h.inverses, i), left)
    h.corrections[i, 0], h.corrections[i, 1], h.corrections[i, 2] = correction


@kernel
def solve_last_level(h, first):
    """Solve for the corrections of the coarsest groups."""
    a, count = h.factor, h.factor.shape[0]
    if count == 0:
        for sweep in range(LAST_SWEEPS):
            for n in range(h.parents.shape[0] - first):
                i = first + n if sweep % 2 == 0 else h.parents.shape[0] - 1 - n
                relax_group(h, i, h.row_firsts[i], h.row_firsts[i + 1])
        return
    x = h.last_solution
    for i in range(count):
        x[i] = h.residuals[first + i // 3, i % 3]
    for i in range(count):
        x[i] *= a[i, i]
        value = x[i]
        for k in range(i + 1, count):
            x[k] -= value * a[i, k]
    for n in range(count):
        i = count - 1 - n
        value = x[i]
        for k in range(i + 1, count):
            value -= a[i, k] * x[k]
        x[i] = value * a[i, i]
    for i in range(count):
        h.corrections[first + i // 3, i % 3] = x[i]


@kernel(is_inlined=True)
def pass_residual_on(h, i):
    """Add what a sweep from zero has left of a group's residual, U e, to that of its group on the next level."""
    left = add_neighbour_groups(h, i, h.row_firsts[i], h.row_middles[i], (0.0, 0.0, 0.0))
    group = h.parents[i]
    for axis in range(3):
        h.residuals[group, axis] += left[axis]


@kernel(counts_references=False)
def restrict_residual(h, left, first, end):
    """Sum up the residual that is left, (4 slot_count,) [N], over the members of some groups of the finest level."""
    for group in range(first, end):
        x = y = z = 0.0
        for t in range(h.member_firsts[group], h.member_firsts[group + 1]):
            at = ROW * h.members[t]
            x += np.float64(left[at])
            y += np.float64(left[at + 1])
            z += np.float64(left[at + 2])
        h.residuals[group, 0], h.residuals[group, 1], h.residuals[group, 2] = x, y, z


@kernel(counts_references=False)
def relax_finest(h, first, end):
    """Sweep over some of the finest groups of one colour, from zero, so that only lower colours count."""
    for i in range(first, end):
        relax_group(h, i, h.row_middles[i], h.row_firsts[i + 1])


@kernel(counts_references=False)
def relax_finest_again(h, first, end):
    """Sweep over some of the finest groups of one colour, the higher ones being done."""
    for i in range(first, end):
        relax_group(h, i, h.row_firsts[i], h.row_firsts[i + 1])


@kernel(counts_references=False)
def restrict_finest(h, first, end):
    """Sum up what a sweep from zero has left of the finest groups' residuals, U e, for some groups of the next level."""
    for group in range(first, end):
        left = (0.0, 0.0, 0.0)
        for t in range(h.child_firsts[group], h.child_firsts[group + 1]):
            i = h.children[t]
            left = add_neighbour_groups(h, i, h.row_firsts[i], h.row_middles[i], left)
        to = h.node_firsts[1] + group
        h.residuals[to, 0], h.residuals[to, 1], h.residuals[to, 2] = left


@kernel(counts_references=False)
def cycle_groups(h):
    """Correct the coarser groups by a V-cycle, and add that to the finest ones; solve for these if they are all."""
    levels = h.node_firsts.shape[0] - 1
    second = h.node_firsts[min(1, levels - 1)]
    h.residuals[h.node_firsts[min(2, levels)] :] = 0.0
    h.corrections[second:] = 0.0
    for level in range(1, levels - 1):
        for i in range(h.node_firsts[level], h.node_firsts[level + 1]):  # from zero: only lower ones count
            relax_group(h, i, h.row_middles[i], h.row_firsts[i + 1])
        for i in range(h.node_firsts[level], h.node_firsts[level + 1]):
            pass_residual_on(h, i)
    solve_last_level(h, h.node_firsts[levels - 1])
    for number in range(levels - 1):
        level = levels - 2 - number
        for i in range(h.node_firsts[level], h.node_firsts[level + 1]):
            for axis in range(3):
                h.corrections[i, axis] += h.corrections[h.parents[i], axis]
        for k in range(h.node_firsts[level + 1] - h.node_firsts[level] if level > 0 else 0):
            i = h.node_firsts[level + 1] - 1 - k
            relax_group(h, i, h.row_firsts[i], h.row_firsts[i + 1])


@kernel(counts_references=False)
def prolong_corrections(h, z, first, end):
    """Add to z, (4 slot_count,) [m], the corrections of the groups in the slots first..end."""
    for i in range(first, end):
        group = h.group_of[i]
        if group >= 0:
            z[ROW * i] += np.float32(h.corrections[group, 0])
            z[ROW * i + 1] += np.float32(h.corrections[group, 1])
            z[ROW * i + 2] += np.float32(h.corrections[group, 2])


@kernel
def halve_groups(points, members, firsts, ends, keys):
    """Sort the members of every group along its longest side, so that its halves are compact.

    Args:
        points: (point_count, 3) rest positions [m]
        members: (point_count,) points, group by group, sorted in place
        firsts: (group_count,) first member of each group
        ends: (group_count,) where they end
        keys: (point_count,) scratch
    """
    for g in range(firsts.shape[0]):
        begin, end = firsts[g], ends[g]
        if end - begin < 2:
            continue
        best, axis = -1.0, 0
        for a in range(3):
            least, most = math.inf, -math.inf
            for t in range(begin, end):
                value = points[members[t], a]
                least, most = min(least, value), max(most, value)
            if most - least > best:
                best, axis = most - least, a
        for t in range(begin, end):
            keys[t] = points[members[t], axis]
        order = np.argsort(keys[begin:end], kind="mergesort")
        sorted_members = members[begin:end][order]
        members[begin:end] = sorted_members


def nested_labels(points: NDArray[np.float64], parts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the groups of all points level by level, the finest first; no group reaches over two parts.

    Args:
        points: (point_count, 3) rest positions [m]
        parts: (point_count,) connected component of each point
    """
    count = len(points)
    members = np.argsort(parts, kind="stable")
    ordered = parts[members]
    firsts = (
        np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if count else np.zeros(0, dtype=np.int64)
    )
    ends = np.r_[firsts[1:], count] if count else firsts
    keys, stages = np.zeros(count), [(firsts, ends, members.copy())]
    largest = 1 << HALVINGS
    while (ends - firsts).max(initial=0) > largest:
        halve_groups(points, members, firsts, ends, keys)
        middles = (firsts + ends + 1) // 2
        is_split = ends - firsts > 1
        firsts = np.sort(np.r_[firsts, middles[is_split]])
        ends = np.r_[firsts[1:], count]
        stages.append((firsts, ends, members.copy()))
    chosen = stages[::-HALVINGS]
    if len(chosen[-1][0]) > FEWEST and chosen[-1] is not stages[0]:
        chosen.append(stages[0])
    found = []
    for firsts, ends, listed in chosen:
        labels = np.zeros(count, dtype=np.int64)
        labels[listed] = np.repeat(np.arange(len(firsts)), ends - firsts)
        found.append(labels)
        if len(firsts) <= FEWEST:
            break
    return found


def build_hierarchy(
    order: PointOrder,
    labels: list[NDArray[np.int64]],
    is_held: NDArray[np.bool_],
    springs: Rows,
    bending: Rows,
    elements: Rows,
) -> Hierarchy:
    """Return the groups of all levels and the links between them.

    Args:
        order: of the points
        labels: of `nested_labels`
        is_held: (slot_count,)
        springs: rows of the springs
        bending: rows of the bending matrix
        elements: rows of the elements
    """
    counts = [int(label.max(initial=-1)) + 1 for label in labels]
    node_firsts = np.cumsum([0, *counts])
    group_of = np.full(order.slot_count, -1, dtype=np.int64)
    group_of[order.slots] = labels[0]
    group_of[is_held] = -1
    parents = np.full(node_firsts[-1], -1, dtype=np.int64)
    for level in range(len(labels) - 1):
        parents[node_firsts[level] + labels[level]] = node_firsts[level + 1] + labels[level + 1]
    links = [_links(springs, group_of), _links(bending, group_of), _links(elements, group_of)]
    numbers, colour_firsts = _by_colour(np.concatenate([link[:, 1:] for link in links]), counts[0])
    group_of[group_of >= 0] = numbers[group_of[group_of >= 0]]
    parents[numbers] = parents[: counts[0]].copy()
    for link in links:
        link[:, 1:] = np.where(link[:, 1:] >= 0, numbers[link[:, 1:]], -1)
    ends = np.concatenate([link[:, 1:] for link in links])
    is_pair: NDArray[np.bool_] = np.all(ends >= 0, axis=1)
    all_pairs, pair_of, pair_firsts, pair_parents = [], [], [0], []
    pairs = np.sort(ends[is_pair], axis=1)
    for level in range(len(labels)):
        unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
        pair_of.append(inverse.ravel() + pair_firsts[-1])
        all_pairs.append(unique)
        pair_firsts.append(pair_firsts[-1] + len(unique))
        above = np.sort(parents[unique], axis=1) if level + 1 < len(labels) else np.zeros((0, 2), np.int64)
        keeps = above[:, 0] != above[:, 1]
        pair_parents.append((keeps, above))
        pairs = above[keeps]
    flat = np.full(pair_firsts[-1], -1, dtype=np.int64)
    for level in range(len(labels) - 1):
        keeps = pair_parents[level][0]
        flat[np.flatnonzero(keeps) + pair_firsts[level]] = pair_of[level + 1]
    offset = 0
    for number, link in enumerate(links):
        link_pairs = np.full(len(link), -1, dtype=np.int64)
        chosen = is_pair[offset : offset + len(link)]
        before = int(is_pair[:offset].sum())
        link_pairs[chosen] = pair_of[0][before : before + int(chosen.sum())]
        links[number] = np.column_stack([link[:, 0], link_pairs, link[:, 1:]])
        offset += len(link)
    links[0][:, 0] = block_places(links[0][:, 0], 6)
    links[2][:, 0] = block_places(links[2][:, 0])
    every = np.concatenate(all_pairs) if all_pairs else np.zeros((0, 2), np.int64)
    rows = np.concatenate([every[:, 0], every[:, 1]])
    columns = np.concatenate([every[:, 1], every[:, 0]])
    numbers = np.tile(np.arange(len(every)), 2)
    by_row = np.argsort(rows, kind="stable")
    row_firsts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=node_firsts[-1]))])
    row_middles = row_firsts[:-1] + np.bincount(every[:, 0], minlength=node_firsts[-1])
    nodes, last = int(node_firsts[-1]), 3 * counts[-1] if counts[-1] <= FEWEST else 0
    return Hierarchy(
        group_of, *_members(group_of, counts[0]), colour_firsts,
        *(_members(parents[: counts[0]] - node_firsts[1], counts[1]) if len(counts) > 1 else _members(group_of[:0], 0)),
        node_firsts, parents,
        row_firsts, row_middles, columns[by_row], numbers[by_row], flat,
        links[0], links[1], links[2], np.zeros((nodes, 6)), np.zeros((nodes, 6)), np.zeros((nodes, 6)),
        np.zeros((len(every), 6)), np.zeros((max(len(every), 1) if len(links[2]) else 0, 3)),
        np.zeros((nodes, 3)), np.zeros((nodes, 3)), np.zeros((last, last)), np.zeros(last),
    )  # fmt: skip


def _by_colour(ends: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return new numbers of groups, colour by colour, and the first of each colour.

    Args:
        ends: (link_count, 2) groups that act on each other; -1 is none
        count: number of groups
    """
    pairs = ends[np.all(ends >= 0, axis=1)]
    keys = np.unique(np.concatenate([pairs[:, 0] * count + pairs[:, 1], pairs[:, 1] * count + pairs[:, 0]]))
    firsts = np.searchsorted(keys, count * np.arange(count + 1))
    colours = np.zeros(count, dtype=np.int64)
    colour_points(firsts[:-1], firsts[1:], keys % max(count, 1), colours)
    order = np.argsort(colours, kind="stable")
    numbers = np.empty(count, dtype=np.int64)
    numbers[order] = np.arange(count)
    most = int(colours.max(initial=-1)) + 1
    return numbers, np.searchsorted(colours[order], np.arange(most + 1)).astype(np.int64)


def _members(group_of: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the slots of all groups, one after the other, and where those of each begin."""
    slots = np.flatnonzero(group_of >= 0)
    members: NDArray[np.int64] = slots[np.argsort(group_of[slots], kind="stable")]
    return members, np.searchsorted(group_of[members], np.arange(count + 1)).astype(np.int64)


def _links(rows: Rows, group_of: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the entries that join two groups, or a group and a held point, each once: place and both groups."""
    packs = np.repeat(np.arange(len(rows.middles)), rows.middles - rows.firsts[:-1])
    numbers = np.arange(len(packs)) - np.repeat(
        np.cumsum(rows.middles - rows.firsts[:-1]) - (rows.middles - rows.firsts[:-1]),
        rows.middles - rows.firsts[:-1],
    )
    entries = rows.firsts[packs] + numbers
    places = (WIDTH * entries[:, None] + np.arange(WIDTH)).ravel()
    slots = (WIDTH * packs[:, None] + np.arange(WIDTH)).ravel()
    others = rows.columns[places].astype(np.int64)
    a, b = group_of[slots], group_of[others]
    chosen = (slots != others) & (a != b)
    found: NDArray[np.int64] = np.column_stack([places, a, b])[chosen]
    return found
