"""The model of a touched place: a plane that gives, or a spring."""

from __future__ import annotations

import pytest

from supple.haptics.local_model import LocalModel

FLOOR = LocalModel((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 300.0)


def test_a_plane_pushes_out_in_proportion_to_the_depth_and_not_at_all_outside():
    assert FLOOR.force((0.4, -0.01, 0.2)) == pytest.approx((0.0, 3.0, 0.0))
    assert FLOOR.force((0.4, 0.01, 0.2)) == (0.0, 0.0, 0.0)
    assert FLOOR.proxy((0.4, -0.01, 0.2)) == pytest.approx((0.4, 0.0, 0.2))


def test_what_is_held_pulls_to_every_side():
    held = LocalModel((1.0, 0.0, 0.0), None, 50.0)
    assert held.force((0.9, 0.0, 0.0)) == pytest.approx((5.0, 0.0, 0.0))
    assert held.force((1.1, 0.0, 0.0)) == pytest.approx((-5.0, 0.0, 0.0))


def test_halfway_between_two_models_lies_a_plane_between_them():
    wall = LocalModel((0.02, 0.0, 0.0), (1.0, 0.0, 0.0), 100.0, time=0.02)
    half = FLOOR.towards(wall, 0.5)
    assert half.point == pytest.approx((0.01, 0.0, 0.0))
    assert half.normal == pytest.approx((0.5**0.5, 0.5**0.5, 0.0))
    assert half.stiffness == pytest.approx(200.0)
    assert FLOOR.towards(wall, 1.0) == wall


def test_planes_that_face_each_other_change_over_without_a_normal_of_no_length():
    ceiling = FLOOR._replace(normal=(0.0, -1.0, 0.0))
    assert FLOOR.towards(ceiling, 0.5).normal == (0.0, -1.0, 0.0)
