"""The Coulomb clamp: friction stays within its cone."""

import math

import pytest

from supple.collide.coulomb import clamp_friction, stuck_share


@pytest.mark.parametrize("function", [clamp_friction, clamp_friction.py_func])
def test_friction_within_the_cone_is_kept_and_beyond_it_shortened(function):
    assert function((0.3, 0.0, -0.4), 0.5) == (0.3, 0.0, -0.4)
    shortened = function((3.0, 0.0, -4.0), 0.5)
    assert shortened == pytest.approx((0.3, 0.0, -0.4))
    assert function((0.0, 0.0, 0.0), 0.0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("function", [stuck_share, stuck_share.py_func])
def test_friction_takes_back_all_of_a_short_slip_and_part_of_a_long_one(function):
    assert function(0.1, 0.2) == 1.0
    assert function(0.4, 0.1) == 0.25
    assert function(0.0, 0.1) == 0.0
    assert function(1.0, math.inf) == 1.0
