"""The winding number of a triangle mesh: how often its surface goes round a point.

It is one inside a closed surface and zero outside. Where the surface has holes it changes
smoothly across them, so "above one half" is a sound inside test for meshes that are not
watertight (Jacobson 2013). Triangles far from the point act together as one dipole
(Barill 2018), which makes the cost grow with the logarithm of the number of triangles.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

LEAF_SIZE = 4
"""Triangles in a leaf of the tree."""

FAR = 2.5
"""Distance over radius from which a group of triangles is taken as a dipole [-]."""

QUARTER = 0.25 / math.pi


class WindingTree(NamedTuple):
    """A complete binary tree over triangles sorted along a space-filling curve.

    Node i has the children 2 i + 1 and 2 i + 2. Leaves that stand past the last triangle are
    empty: their radius is zero and so is their dipole.
    """

    corners: NDArray[np.float64]
    """(triangle_count, 9) corners in the order of the curve [m]."""

    nodes: NDArray[np.float64]
    """(node_count, 7) centre [m], radius round it that holds every triangle of the node [m], and
    dipole: the sum of area times normal [m²]."""


def curve_order(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the order of (n, 3) points along a Morton curve of 2^16 steps a side."""
    low = points.min(axis=0)
    extent = max(float((points.max(axis=0) - low).max()), 1.0e-300)
    steps = np.minimum((points - low) / extent * 65536.0, 65535.0).astype(np.uint64)
    key = np.zeros(len(points), dtype=np.uint64)
    for bit in range(16):
        for axis in range(3):
            key |= ((steps[:, axis] >> np.uint64(bit)) & np.uint64(1)) << np.uint64(3 * bit + axis)
    return np.argsort(key, kind="stable")


def winding_tree(corners: NDArray[np.float64]) -> WindingTree:
    """Build the tree of a mesh.

    Args:
        corners: (triangle_count, 9) the corners of every triangle [m]
    """
    ordered = np.ascontiguousarray(corners[curve_order(corners.reshape(-1, 3, 3).mean(axis=1))])
    a, b, c = ordered[:, 0:3], ordered[:, 3:6], ordered[:, 6:9]
    dipoles = 0.5 * np.cross(b - a, c - a)
    leaf_count = 1 << max(0, math.ceil(math.log2(max(1.0, len(ordered) / LEAF_SIZE))))
    node_count = 2 * leaf_count - 1
    nodes = np.zeros((node_count, 7))
    fill_tree(ordered, dipoles, leaf_count, nodes)
    return WindingTree(ordered, nodes)


@kernel(counts_references=False)
def fill_tree(corners, dipoles, leaf_count, nodes):
    """Fill the nodes of a winding tree, leaves first.

    The centre is the mean of the centroids weighted by area, where the dipole fits best.

    Args:
        corners: (triangle_count, 9) in the order of the curve [m]
        dipoles: (triangle_count, 3) area times normal [m²]
        leaf_count: a power of two
        nodes: (2 leaf_count - 1, 7) see `WindingTree`, all zero, written
    """
    for leaf in range(leaf_count):
        node = leaf_count - 1 + leaf
        for t in range(leaf * LEAF_SIZE, min((leaf + 1) * LEAF_SIZE, corners.shape[0])):
            dx, dy, dz = dipoles[t, 0], dipoles[t, 1], dipoles[t, 2]
            area = math.sqrt(dx * dx + dy * dy + dz * dz)
            nodes[node, 3] += area  # the area for now, the radius later
            for axis in range(3):
                nodes[node, 4 + axis] += dipoles[t, axis]
                mean = (corners[t, axis] + corners[t, 3 + axis] + corners[t, 6 + axis]) / 3.0
                nodes[node, axis] += area * mean
    for node in range(leaf_count - 2, -1, -1):
        for k in range(7):
            nodes[node, k] = nodes[2 * node + 1, k] + nodes[2 * node + 2, k]
    for node in range(nodes.shape[0]):
        area = nodes[node, 3]
        nodes[node, 3] = 0.0
        if area > 0.0:
            for axis in range(3):
                nodes[node, axis] /= area
    # From every triangle up to the root: the largest distance of a corner.
    for t in range(corners.shape[0]):
        node = leaf_count - 1 + t // LEAF_SIZE
        while True:
            for k in range(0, 9, 3):
                dx = corners[t, k] - nodes[node, 0]
                dy = corners[t, k + 1] - nodes[node, 1]
                dz = corners[t, k + 2] - nodes[node, 2]
                nodes[node, 3] = max(nodes[node, 3], math.sqrt(dx * dx + dy * dy + dz * dz))
            if node == 0:
                break
            node = (node - 1) // 2


@kernel(counts_references=False)
def solid_angle(corners, t, x, y, z):
    """Return the share of the sphere round a point that triangle t covers, with sign [-1/2 to 1/2]."""
    ax, ay, az = corners[t, 0] - x, corners[t, 1] - y, corners[t, 2] - z
    bx, by, bz = corners[t, 3] - x, corners[t, 4] - y, corners[t, 5] - z
    cx, cy, cz = corners[t, 6] - x, corners[t, 7] - y, corners[t, 8] - z
    a = math.sqrt(ax * ax + ay * ay + az * az)
    b = math.sqrt(bx * bx + by * by + bz * bz)
    c = math.sqrt(cx * cx + cy * cy + cz * cz)
    volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    below = (
        a * b * c
        + (ax * bx + ay * by + az * bz) * c
        + (bx * cx + by * cy + bz * cz) * a
        + (cx * ax + cy * ay + cz * az) * b
    )
    return 2.0 * QUARTER * math.atan2(volume, below)


@kernel(counts_references=False)
def winding_number(tree, x, y, z):
    """Return the winding number of a mesh at a point: 1 inside, 0 outside, between near holes.

    The tree is walked without a stack: after a node is done with, the next one is its right
    neighbour, or that of the first ancestor that is a left child.
    """
    corners, nodes = tree
    leaf_count = (nodes.shape[0] + 1) // 2
    total = 0.0
    node = 0
    while True:
        dx, dy, dz = nodes[node, 0] - x, nodes[node, 1] - y, nodes[node, 2] - z
        d2 = dx * dx + dy * dy + dz * dz
        reach = FAR * nodes[node, 3]
        if d2 > reach * reach:
            along = nodes[node, 4] * dx + nodes[node, 5] * dy + nodes[node, 6] * dz
            total += QUARTER * along / (d2 * math.sqrt(d2))
        elif node < leaf_count - 1:
            node = 2 * node + 1
            continue
        else:
            first = (node - leaf_count + 1) * LEAF_SIZE
            for t in range(first, min(first + LEAF_SIZE, corners.shape[0])):
                total += solid_angle(corners, t, x, y, z)
        while node > 0 and node % 2 == 0:
            node = (node - 1) // 2
        if node == 0:
            return total
        node += 1


@kernel(counts_references=False)
def winding_numbers(tree, points, numbers):
    """Write the winding number at every point.

    Args:
        tree: see `WindingTree`
        points: (point_count, 3) [m]
        numbers: (point_count,) [-], written
    """
    for i in range(points.shape[0]):
        numbers[i] = winding_number(tree, points[i, 0], points[i, 1], points[i, 2])
