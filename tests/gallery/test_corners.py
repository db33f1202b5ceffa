"""`corners` (Güdükbay 1997, figures 5 and 7): held at four corners."""

from __future__ import annotations

NAMES = ("rubber-band", "stretchy", "firm", "taut")


def test_sheets_settle(play):
    assert play("corners").reports[-1].kinetic_energy < 5e-4


def test_the_stiffer_a_sheet_the_less_it_sags(play):
    played = play("corners")
    sags = [played.sag(name) for name in NAMES]
    assert sags == sorted(sags, reverse=True)
    assert sags[0] > 2.0 * sags[-1] > 0.0
