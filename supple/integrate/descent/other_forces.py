"""What acts at the guess beside springs and flat bending: damping, anchors, curved bending and gas.

Theory: docs/theory/descent.md, eq. (N5). Damping along a spring is a spring itself, to the length at the start of the
substep; anchors have their exact Hessian; curved bending elements are in the constant matrix but for the pull k L along
their direction, and gas presses as it does at the guess.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple import simd
from supple.kernel import kernel
from supple.simd import ROW, WIDTH

SOFTEST = 1e-200
"""Stiffness below which a spring, or room that holds none, has no length of its own [N/m]."""


class Material(NamedTuple):
    """Springs as their material says, entry by entry like `SpringRows`."""

    stiffness: NDArray[np.float64]
    """(8 entry_count,) [N/m]"""

    lengths: NDArray[np.float64]
    """(8 entry_count,) at rest [m]"""

    damping: NDArray[np.float64]
    """(8 entry_count,) [N·s/m]"""


class Damping(NamedTuple):
    """What damping of springs counts from."""

    material: Material

    bases: NDArray[np.float64]
    """(4 slot_count,) where points were [m]."""

    rates: NDArray[np.float64]
    """(slot_count,) one over the effective step of each point [1/s]."""


@kernel(is_entry=True)
def clear_outer(points):
    """Let nothing but springs and bending act."""
    points.outer[:] = 0.0
    points.outer_blocks[:] = 0.0


@kernel(is_entry=True)
def take_bases(slots, past, bases, rates):
    """Write (4 slot_count,) bases [m] and (slot_count,) effective rates [1/s] of the particles, slot by slot."""
    for i in range(slots.shape[0]):
        at = ROW * slots[i]
        bases[at], bases[at + 1], bases[at + 2] = past.bases[i, 0], past.bases[i, 1], past.bases[i, 2]
        rates[slots[i]] = past.rates[i]


@kernel(counts_references=False)
def damp_packs(material, springs, bases, rates, first, end):
    """Write springs of some packs with their damping: k + c / h, and a length between rest and base (N5).

        k (l - L) + c (l - l₀) / h = (k + c / h) (l - (k L + (c / h) l₀) / (k + c / h))

    Args:
        material: springs as they are without damping
        springs: `SpringRows`, stiffness and lengths overwritten
        bases: (4 slot_count,) [m]
        rates: (slot_count,) [1/s]
        first: first pack
        end: where the packs end
    """
    for pack in range(first, end):
        x = simd.load_rows(bases, WIDTH * pack)
        rate = simd.load(rates, WIDTH * pack)
        for entry in range(springs.firsts[pack], springs.firsts[pack + 1]):
            e = WIDTH * entry
            other = simd.gather_rows(bases, springs.columns, e)
            dx, dy, dz = x[0] - other[0], x[1] - other[1], x[2] - other[2]
            length = simd.sqrt(dx * dx + dy * dy + dz * dz)
            k, damped = simd.load(material.stiffness, e), simd.load(material.damping, e) * rate
            stiffness = k + damped
            pulls = k * simd.load(material.lengths, e) + damped * length
            simd.store(springs.stiffness, e, stiffness)
            simd.store(springs.lengths, e, pulls / simd.at_least(stiffness, SOFTEST))


@kernel
def add_anchors(anchors, slots, points):
    """Add the pull of anchors: k (x - x₀), with its Hessian k."""
    n = points.inertia.shape[0]
    for a in range(anchors.points.shape[0]):
        s = slots[anchors.points[a]]
        for axis in range(3):
            points.outer[ROW * s + axis] += anchors.stiffness[a] * (
                points.guess[ROW * s + axis] - anchors.targets[a, axis]
            )
        points.outer_blocks[s] += anchors.stiffness[a]
        points.outer_blocks[3 * n + s] += anchors.stiffness[a]
        points.outer_blocks[5 * n + s] += anchors.stiffness[a]


@kernel
def add_curvature(bends, curved, slots, points):
    """Add what curved bending elements pull less than flat ones: - k L w d / |d|, with d = Σ w x."""
    for t in range(curved.shape[0]):
        b = curved[t]
        dx = dy = dz = 0.0
        for a in range(4):
            at = ROW * slots[bends.points[b, a]]
            w = bends.weights[b, a]
            dx += w * points.guess[at]
            dy += w * points.guess[at + 1]
            dz += w * points.guess[at + 2]
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        if length == 0.0:
            continue
        pull = bends.stiffness[b] * bends.rest_lengths[b] / length
        for a in range(4):
            at = ROW * slots[bends.points[b, a]]
            w = pull * bends.weights[b, a]
            points.outer[at] -= w * dx
            points.outer[at + 1] -= w * dy
            points.outer[at + 2] -= w * dz


@kernel
def subtract_forces(forces, slots, points):
    """Add forces (particle_count, 3) [N] that act on the particles, whatever they depend on."""
    for i in range(slots.shape[0]):
        for axis in range(3):
            points.outer[ROW * slots[i] + axis] -= forces[i, axis]


@kernel
def read_guess(slots, guess, positions):
    """Write the guess into (particle_count, 3) positions [m]."""
    for i in range(slots.shape[0]):
        for axis in range(3):
            positions[i, axis] = guess[ROW * slots[i] + axis]
