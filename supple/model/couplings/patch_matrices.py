"""Patch matrices: the stiffness matrix and the matrix of a substep follow an edit where it has changed something.

Sums are taken over the same elements in the same order as for a matrix assembled anew, so they have the same bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.couplings.couplings import Couplings
from supple.model.couplings.update_couplings import ChangedParticles, coupled_elements, pair_rows
from supple.model.springs import Springs
from supple.model.tables.growable import resized

Floats = NDArray[np.float64]


@kernel
def clear_changed(changed, rows, values):
    """Set the values (pair_count,) of pairs between changed particles to zero."""
    for i in changed.points:
        for e in range(rows.starts[i], rows.ends[i]):
            if changed.is_changed[rows.columns[e]]:
                values[rows.pair_of_entry[e]] = 0.0


@kernel
def assemble_near_springs(near, is_changed, elements, stiffness, damping, scale, slope, diagonal, values):
    """Add what springs contribute to changed particles, and to pairs of them, to a matrix.

    Theory: docs/theory/integrators.md, eq. (I2). A spring has the weight scale (scale k + slope c).

    Args:
        near: (count,) springs at changed particles
        is_changed: (particle_count,)
        elements: `CoupledElements`
        stiffness: (spring_count,) k [N/m]
        damping: (spring_count,) c [N·s/m]
        scale: the step [s], or 1 for the stiffness alone
        slope: 1, or 0 for the stiffness alone
        diagonal: (particle_count,) added to
        values: (pair_count,) added to
    """
    for s in near:
        i, j = elements.ends[s, 0], elements.ends[s, 1]
        weight = scale * (scale * stiffness[s] + slope * damping[s])
        if is_changed[i]:
            diagonal[i] += weight
        if is_changed[j]:
            diagonal[j] += weight
        if is_changed[i] and is_changed[j]:
            values[elements.pair_of_spring[s]] -= weight


@kernel
def assemble_near_bends(near, is_changed, elements, stiffness, scale, diagonal, values):
    """Add what bending elements contribute to changed particles, and to pairs of them, to a matrix.

    Theory: docs/theory/integrators.md, eq. (I2).

    Args:
        near: (count,) bending elements at changed particles
        is_changed: (particle_count,)
        elements: `CoupledElements`
        stiffness: (bend_count,) [N/m]
        scale: the square of the step [s²], or 1 for the stiffness alone
        diagonal: (particle_count,) added to
        values: (pair_count,) added to
    """
    points, weights = elements.points, elements.weights
    for b in near:
        k = scale * stiffness[b]
        side = 0
        for a in range(4):
            if is_changed[points[b, a]]:
                diagonal[points[b, a]] += k * weights[b, a] * weights[b, a]
            for c in range(a + 1, 4):
                pair = elements.pairs_of_bend[b, side]
                if pair >= 0 and is_changed[points[b, a]] and is_changed[points[b, c]]:
                    values[pair] += k * weights[b, a] * weights[b, c]
                side += 1


@kernel
def refresh_rows(points, rows, values, entries):
    """Write the values of pairs into the entries of the rows of particles (count,)."""
    for i in points:
        for e in range(rows.starts[i], rows.ends[i]):
            entries[e] = values[rows.pair_of_entry[e]]


def patch_stiffness(
    couplings: Couplings,
    springs: Springs,
    bends: Bends,
    changed: ChangedParticles,
    values: Floats,
    entries: Floats,
) -> tuple[Floats, Floats]:
    """Return K off the diagonal after an edit, by pair and by row [N/m], given what it was before."""
    values = resized(values, len(couplings.pairs))
    entries = resized(entries, len(couplings.columns))
    _assemble(couplings, springs, bends, changed, 1.0, 0.0, np.zeros(len(changed.marks)), values)
    refresh_rows(changed.points, pair_rows(couplings), values, entries)
    return values, entries


def patch_step_matrix(
    couplings: Couplings,
    inertia: Floats,
    springs: Springs,
    bends: Bends,
    anchors: Anchors,
    changed: ChangedParticles,
    step: float,
    diagonal: Floats,
    values: Floats,
) -> tuple[Floats, Floats]:
    """Return A of a substep after an edit, its diagonal and its pairs [kg], given what it was before.

    Soft bodies are as they were.
    """
    diagonal, values = resized(diagonal, len(changed.marks)), resized(values, len(couplings.pairs))
    diagonal[changed.points] = inertia[changed.points]
    _assemble(couplings, springs, bends, changed, step, 1.0, diagonal, values)
    is_changed = changed.marks[anchors.points]
    np.add.at(diagonal, anchors.points[is_changed], step * step * anchors.stiffness[is_changed])
    return diagonal, values


def _assemble(
    couplings: Couplings,
    springs: Springs,
    bends: Bends,
    changed: ChangedParticles,
    scale: float,
    slope: float,
    diagonal: Floats,
    values: Floats,
) -> None:
    """Sum the elements of a matrix anew where an edit has changed it."""
    near, elements = changed.near(springs, bends), coupled_elements(couplings, springs, bends)
    clear_changed(changed.bundle, pair_rows(couplings), values)
    assemble_near_springs(
        near.springs, changed.marks, elements, springs.stiffness, springs.damping, scale, slope, diagonal, values
    )  # fmt: skip
    assemble_near_bends(near.bends, changed.marks, elements, bends.stiffness, scale * scale, diagonal, values)
