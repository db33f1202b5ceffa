"""Bodies that start inside of obstacles are told by `supple check`."""

from __future__ import annotations

import numpy as np

import supple
from supple.inspection import inspect_scene


def sheet(**options):
    return supple.Cloth.rectangle(
        width=0.4, height=0.4, columns=5, rows=5, plane="xz", name="sheet", **options
    )


def warnings_of(*items):
    return inspect_scene(supple.Scene(*items))["warnings"]


def test_a_body_inside_an_obstacle_is_told_with_how_many_points_and_how_deep():
    (line,) = warnings_of(sheet(at=(0.0, 0.05, 0.0)), supple.Sphere(radius=0.15, name="ball"))
    # Five points of the middle of a grid of 0.1 m are within 0.15 m of the centre; the deepest is the middle.
    near = [(x, z) for x in (-0.1, 0.0, 0.1) for z in (-0.1, 0.0, 0.1) if x * x + z * z + 0.05**2 < 0.15**2]
    assert (
        f"sheet: {len(near)} of its 25 points start inside `obstacle.ball`, up to about 100 mm deep" in line
    )
    assert "near (0, 0.05, 0) m" in line and "another `at`" in line


def test_meshes_and_parts_of_unions_count_too():
    mesh = supple.Mesh(supple.Box(size=(0.3, 0.3, 0.3)).surface(), name="block")
    (line,) = warnings_of(sheet(), mesh)
    assert "9 of its 25 points start inside `obstacle.block`, up to about 1" in line
    pair = supple.Union(
        supple.Sphere(radius=0.1, at=(-0.5, 0.0, 0.0)),
        supple.Sphere(radius=0.1, at=(0.2, 0.0, 0.2)),
        name="pair",
    )
    (line,) = warnings_of(sheet(), pair)
    assert "`obstacle.pair`" in line and "near (0.2, 0, 0.2) m" in line


def test_what_only_touches_or_is_held_or_is_repelled_is_not_told():
    plane = supple.Plane()
    assert warnings_of(sheet(at=(0.0, -0.5 * plane.shell, 0.0)), plane) == []
    middle = supple.Sphere(radius=0.05, name="ball")
    assert len(warnings_of(sheet(), middle)) == 1
    assert warnings_of(sheet().pinned([12]), middle) == []
    soft = supple.Sphere(radius=0.05, name="ball", response="repel")
    assert warnings_of(sheet(), soft) == []


def test_a_soft_body_in_the_ground_is_told():
    jelly = supple.SoftBody.box(size=(0.1, 0.1, 0.1), cell=0.05, at=(0.0, 0.0, 0.0), name="jelly")
    (line,) = warnings_of(jelly, supple.Plane(name="ground"))
    count = int(np.count_nonzero(jelly.start_points()[:, 1] < -1e-6))
    assert line.startswith(f"jelly: {count} of its ") and "up to about 50 mm deep" in line
