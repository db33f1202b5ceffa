"""`chainmail` (Desbrun 1999, section 6): stiffness zero behaves as a mesh of rods."""

from __future__ import annotations

import numpy as np

from supple import Simulation, find_scene

LIMIT = 1.03
"""Largest length over rest length that the scene promises [-]."""


def test_links_never_grow_past_the_limit(play):
    assert play("chainmail").largest_stretch < LIMIT


def test_limiter_alone_holds_the_sheet():
    without = Simulation(find_scene("chainmail"), limiter_iterations=0)
    for _ in without.run(1.0):
        pass
    fall = 0.5 * 9.81 * 1.0**2
    free = np.setdiff1d(np.arange(len(without.positions("mail"))), without.pinned("mail"))
    dropped = 1.2 - without.positions("mail")[free, 1]
    assert dropped.min() > 0.75 * fall  # nothing but air slows it


def test_mail_hangs_as_deep_as_its_links_reach(play):
    played = play("chainmail")
    depth = played.sag("mail")
    assert 0.7 < depth < LIMIT * (0.45 + 0.7)  # along the upper edge, then down: rings do not resist shear
