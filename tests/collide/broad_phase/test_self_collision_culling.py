"""What is too flat to touch itself, on any mesh: what is told flat keeps its distance, and little is not told."""

import ipctk
import numpy as np
import pytest
from scipy.spatial import Delaunay

from supple.collide.broad_phase import self_collision_culling
from supple.collide.broad_phase.bvh import Surface, build_bvh
from supple.collide.broad_phase.self_collision_culling import OneRingCulling, RingsBeforeEdit
from supple.scene.cloth_shapes.grid import grid_triangles
from tests.collide.broad_phase.test_primitive_pairs import near_by_hand, spread_out

CELL = 0.02
"""Typical length of an edge [m]."""


def irregular(seed, points=80):
    """Return a flat mesh of scattered points, (point_count, 3) [m] and its triangles, all facing up."""
    rng = np.random.default_rng(seed)
    side = CELL * np.sqrt(points)
    plane = rng.uniform(0.0, side, (4 * points, 2))
    kept = [plane[0]]
    for place in plane[1:]:
        if np.linalg.norm(np.array(kept) - place, axis=1).min() > 0.6 * CELL:
            kept.append(place)
    plane = np.array(kept)
    triangles = Delaunay(plane).simplices
    a, b, c = plane[triangles].transpose(1, 0, 2)
    area = np.cross(np.pad(b - a, ((0, 0), (0, 1))), np.pad(c - a, ((0, 0), (0, 1))))[:, 2]
    triangles[area < 0.0] = triangles[area < 0.0][:, ::-1]
    return np.pad(plane, ((0, 0), (0, 1))), triangles[np.abs(area) > 0.2 * CELL**2].astype(np.int64)


def rolled(rest, radius):
    """Return a flat mesh rolled up around a cylinder, without any stretch."""
    angle = rest[:, 0] / radius
    return np.stack([radius * np.sin(angle), rest[:, 1], radius * np.cos(angle)], axis=1)


def rings_of(rest, triangles):
    tree = build_bvh([Surface(triangles)], rest)
    return tree, OneRingCulling(rest, tree)


def faces_of_ring(tree, i):
    """Return the triangles of all leaves that have point i as a corner."""
    return [
        tree.corners[n, own].tolist()
        for n in np.flatnonzero((tree.corners == i).any(axis=1))
        for own in tree.leaf_triangles[n]
        if own[0] >= 0
    ]


def edges_of(faces):
    return {tuple(sorted((face[k], face[k - 1]))) for face in faces for k in range(3)}


@pytest.mark.parametrize("seed", range(4))
def test_nothing_around_a_flat_point_ever_comes_within_reach(seed):
    """A mesh that is rolled up, squeezed and shaken; all pairs by hand at moments of the motion."""
    rng = np.random.default_rng(seed)
    rest, triangles = irregular(seed)
    tree, rings = rings_of(rest, triangles)
    x0 = rolled(rest, 0.05) * (0.9, 0.8, 1.0) + 0.03 * CELL * rng.standard_normal(rest.shape)
    x1 = x0 * (1.1, 0.9, 1.0) + 0.05 * CELL * rng.standard_normal(rest.shape) + 2.0
    reach = 0.1 * CELL
    rings.find_flat(x0, x1, reach)
    assert 0.05 < rings.is_flat.mean() < 0.9
    near = near_by_hand(tree, x0, x1, reach)
    assert near
    for i in np.flatnonzero(rings.is_flat):
        faces = faces_of_ring(tree, i)
        edges, points = edges_of(faces), {p for face in faces for p in face}
        corners = {tuple(sorted(face)) for face in faces}
        for is_edges, one, other in near:
            is_inside = one in edges and other in edges if is_edges else one in points and other in corners
            assert not is_inside, (i, one, other)


def test_smooth_cloth_of_any_mesh_is_flat_nearly_everywhere():
    rest, triangles = irregular(1, points=300)
    used = np.unique(triangles)
    _, rings = rings_of(rest, triangles)
    smooth, sharp = rolled(rest, 6.0 * CELL), rolled(rest, 0.7 * CELL)
    rings.find_flat(smooth, smooth + 3.0, 0.1 * CELL)
    assert rings.is_flat[used].mean() > 0.8
    rings.find_flat(sharp, sharp + 3.0, 0.1 * CELL)
    assert rings.is_flat[used].mean() < 0.3


def test_the_end_of_a_cut_is_never_flat_and_its_sides_are():
    columns = rows = 7
    rest, triangles = spread_out(columns, rows), grid_triangles(columns, rows)
    # The points of the middle column up to row 3 are doubled for what lies to the right of them.
    middle = [columns * row + 3 for row in range(3)]
    twins = {i: len(rest) + n for n, i in enumerate(middle)}
    right = rest[triangles].mean(axis=1)[:, 0] > rest[3, 0]
    triangles[right] = np.vectorize(lambda i: twins.get(i, i))(triangles[right])
    rest = np.concatenate([rest, rest[middle]])
    _, rings = rings_of(rest, triangles)
    rings.find_flat(rest, rest, 0.1 * CELL)
    tip = columns * 3 + 3
    assert not rings.is_flat[tip]
    assert rings.is_flat[[*middle[:2], *list(twins.values())[:2]]].all()


def test_how_far_apart_things_on_a_map_are_is_what_the_referee_measures():
    rest, triangles = irregular(3, points=40)
    tree, rings = rings_of(rest, triangles)
    for i in np.unique(triangles):
        faces = faces_of_ring(tree, i)
        edges = edges_of(faces)
        points = sorted({p for f in faces for p in f})
        distances = [
            ipctk.edge_edge_distance(*rest[list(a)], *rest[list(b)])
            for a in edges
            for b in edges
            if a < b and not set(a) & set(b)
        ] + [ipctk.point_edge_distance(rest[p], *rest[list(e)]) for p in points for e in edges if p not in e]
        np.testing.assert_allclose(rings.maps.gaps[i], np.sqrt(min(distances)), rtol=1e-4)


def test_a_ring_that_overlaps_itself_on_its_map_is_never_flat():
    """A fan of triangles that goes around its middle more than once, like a spiral stair."""
    steps = 9
    angles = np.linspace(0.0, 2.6 * np.pi, steps)
    rim = np.stack([np.cos(angles), np.sin(angles), 0.02 * np.arange(steps)], axis=1)
    rest = CELL * np.concatenate([np.zeros((1, 3)), rim])
    triangles = np.array([[0, n, n + 1] for n in range(1, steps)])
    _, rings = rings_of(rest, triangles)
    rings.find_flat(rest, rest, 1e-3 * CELL)
    assert not rings.is_flat[0]


def test_kernels_give_in_python_what_they_give_compiled(monkeypatch):
    rest, triangles = irregular(0, points=12)
    bvh, compiled = rings_of(rest, triangles)
    compiled.find_flat(rest, rolled(rest, 0.03), 0.1 * CELL)
    for name, kernel in vars(self_collision_culling).copy().items():
        if hasattr(kernel, "py_func"):
            monkeypatch.setattr(self_collision_culling, name, kernel.py_func)
    python = rings_of(rest, triangles)[1]
    python.find_flat(rest, rolled(rest, 0.03), 0.1 * CELL)
    np.testing.assert_allclose(python.maps.gaps, compiled.maps.gaps, rtol=1e-9)
    np.testing.assert_allclose(python.maps.maps, compiled.maps.maps, rtol=1e-5, atol=1e-7)
    np.testing.assert_array_equal(python.is_flat, compiled.is_flat)
    again = OneRingCulling(rest, bvh, RingsBeforeEdit(python, np.arange(len(rest))))
    np.testing.assert_array_equal(again.maps.maps, python.maps.maps)


@pytest.mark.parametrize("seed", range(2))
def test_rings_that_an_edit_has_left_alone_keep_the_maps_they_had(seed):
    rest, triangles = irregular(seed)
    bvh, before = rings_of(rest, triangles)
    # Some triangles go, and most points are called differently.
    names = np.sort(np.random.default_rng(seed).permutation(len(rest) + 3)[: len(rest)])
    was = np.full(len(rest) + 3, -1)
    was[names] = np.arange(len(rest))
    moved = np.zeros((len(was), 3))
    moved[names] = rest
    edited = build_bvh([Surface(names[triangles[5:]])], moved)
    anew = OneRingCulling(moved, edited)
    patched = OneRingCulling(moved, edited, RingsBeforeEdit(before, was))
    for name, array in anew.maps._asdict().items():
        np.testing.assert_array_equal(getattr(patched.maps, name), array, name)
    known = RingsBeforeEdit(before, np.arange(len(rest)))
    for shape in (rest, 9.0 * rest):  # nothing is looked at a second time
        again = OneRingCulling(shape, bvh, known)
        np.testing.assert_array_equal(again.maps.maps, before.maps.maps)
        np.testing.assert_array_equal(again.maps.gaps, before.maps.gaps)
