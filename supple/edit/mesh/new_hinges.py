"""New hinges: bending elements over the edges of triangles that an edit has split or joined.

Theory: docs/theory/bending.md, eq. (B3), with rest lengths only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import corner_of, opposite_corner
from supple.edit.mesh.mesh_change import MeshChange
from supple.edit.mesh.triangle_mesh import SPLIT, UNCHANGED, heron_area, read_triangle
from supple.edit.mesh.workspace import Workspace
from supple.kernel import kernel
from supple.model.bends import Bends

SLENDEREST = 0.05
"""Area over the square of an edge below which folding over it is left free: rest lengths may have shrunk unevenly."""


class Hinges(NamedTuple):
    """Bending elements over edges, their material still to be applied; see `Bends`."""

    points: NDArray[np.uint32]
    weights: NDArray[np.float64]
    shape: NDArray[np.float64]
    region: NDArray[np.int32]


@kernel
def weigh_hinge(mesh, t, u, c, row, weights):
    """Write the weights of the hinge between t and u, over the edge opposite corner c of t, into a row.

    Returns:
        the rest area of both triangles [m²], or -1 if one of them is too slender for a hinge
    """
    a, b = mesh.triangles[t, (c + 1) % 3], mesh.triangles[t, (c + 2) % 3]
    edge = mesh.lengths[t, c]
    weights[row, 0] = weights[row, 1] = 0.0
    area = 0.0
    for side in range(2):
        triangle = t if side == 0 else u
        to_a = mesh.lengths[triangle, corner_of(mesh.triangles, triangle, b)]
        to_b = mesh.lengths[triangle, corner_of(mesh.triangles, triangle, a)]
        own = heron_area(to_a, to_b, edge)
        if not (edge > 0.0 and own > SLENDEREST * edge * edge):
            return -1.0
        foot = (to_a**2 - to_b**2 + edge**2) / (2.0 * edge**2)
        weight = 0.5 * edge * edge / own
        weights[row, 2 + side] = weight
        weights[row, 0] -= weight * (1.0 - foot)
        weights[row, 1] -= weight * foot
        area += own
    return area


@kernel
def list_hinges(mesh, changed, is_joined, hinges):
    """List the hinges over edges of split triangles and over joined edges; return how many.

    Args:
        mesh: after the edit
        changed: (changed_count,) triangles that changed, ascending
        is_joined: (triangle_capacity, 3) edges that two triangles have come to share
        hinges: `Hinges`, written
    """
    count = 0
    for t in changed:
        for c in range(3):
            u = mesh.neighbours[t, c]
            if u < 0 or (u < t and mesh.changes[u] != UNCHANGED):
                continue
            if not (mesh.changes[t] == SPLIT or mesh.changes[u] == SPLIT or is_joined[t, c]):
                continue
            read_triangle(mesh, t)
            read_triangle(mesh, u)
            d = opposite_corner(mesh.neighbours, u, t)
            hinges.points[count, 0] = mesh.triangles[t, (c + 1) % 3]
            hinges.points[count, 1] = mesh.triangles[t, (c + 2) % 3]
            hinges.points[count, 2] = mesh.triangles[t, c]
            hinges.points[count, 3] = mesh.triangles[u, d]
            area = weigh_hinge(mesh, t, u, c, count, hinges.weights)
            if area < 0.0:
                continue
            hinges.shape[count] = 1.0 / area
            hinges.region[count] = mesh.regions[t, c]
            count += 1
    return count


@kernel
def template_bend(regions, region):
    """Return the first element of a region, else of none, else 0."""
    plain = -1
    for b in range(regions.shape[0]):
        if regions[b] == region:
            return b
        if plain < 0 and regions[b] == -1:
            plain = b
    return max(plain, 0)


@kernel
def copy_bending_moduli(regions, shapes, stiffness, templates, new_regions, new_shapes, new_stiffness):
    """Give new bending elements the modulus of old ones of their region.

    Args:
        regions: (bend_count,) of old elements
        shapes: (bend_count,)
        stiffness: (bend_count,) [N/m]
        templates: (new_count,) scratch: the old element that each new one is made like
        new_regions: (new_count,) of new elements
        new_shapes: (new_count,)
        new_stiffness: (new_count,) written [N/m]
    """
    for n in range(new_regions.shape[0]):
        m = n - 1
        while m >= 0 and new_regions[m] != new_regions[n]:
            m -= 1
        templates[n] = templates[m] if m >= 0 else template_bend(regions, new_regions[n])
        new_stiffness[n] = stiffness[templates[n]] / shapes[templates[n]] * new_shapes[n]


def new_hinges(
    change: MeshChange, bends: Bends, rest_positions: NDArray[np.float64] | None, workspace: Workspace
) -> dict[str, NDArray[Any]]:
    """Return the columns of new hinges with the stiffness of their region, curved at rest if the cloth is.

    Args:
        change: the triangles before and after the edit
        bends: of the body before, at least one
        rest_positions: (vertex_count, 3) after the edit [m]; None makes the hinges flat
        workspace: memory to work in
    """
    mesh, capacity, is_joined = change.after, 3 * len(change.triangles), change.is_joined
    if is_joined is None:
        is_joined = workspace.filled("is_joined", (len(mesh.triangles), 3), np.bool_, 0)
    hinges = Hinges(
        points=np.empty((capacity, 4), np.uint32),
        weights=np.empty((capacity, 4)),
        shape=np.empty(capacity),
        region=np.empty(capacity, np.int32),
    )
    found = list_hinges(mesh, change.triangles, is_joined, hinges)
    points, weights, shape, region = (array[:found] for array in hinges)
    rest_lengths = np.zeros(found)
    if rest_positions is not None and bends.rest_lengths.any():
        rest_lengths = np.linalg.norm(np.einsum("ba,bax->bx", weights, rest_positions[points]), axis=1)
    stiffness = np.empty(found)
    copy_bending_moduli(
        bends.region, bends.shape, bends.stiffness, np.empty(found, np.int64), region, shape, stiffness
    )
    return {
        "points": points, "weights": weights, "rest_lengths": rest_lengths, "stiffness": stiffness,
        "shape": shape, "region": region,
    }  # fmt: skip
