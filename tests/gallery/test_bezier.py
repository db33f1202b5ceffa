"""`bezier` (Güdükbay 1997): a Bézier surface whose regions have their own elasticity."""

from __future__ import annotations


def drops(played):
    """Return how far the middle row fell in the left, middle and right third [m]."""
    shape = (29, 49)
    start = played.starts["canopy"][:, 1].reshape(shape)[14]
    now = played.simulation.positions("canopy")[:, 1].reshape(shape)[14]
    fall = start - now
    return float(fall[:16].mean()), float(fall[20:29].mean()), float(fall[33:].mean())


def test_canopy_settles(play):
    assert play("bezier").reports[-1].kinetic_energy < 2e-3


def test_sag_differs_by_region_as_set(play):
    soft, plain, stiff = drops(play("bezier"))
    assert soft > 1.3 * plain > 0.0
    assert plain > 1.2 * stiff > 0.0
