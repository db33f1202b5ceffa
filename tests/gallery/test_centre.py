"""`centre` (Güdükbay 1997, figures 6 and 8): held in the middle."""

from __future__ import annotations

NAMES = ("limp", "soft", "stiff")


def test_sheets_settle(play):
    assert play("centre").reports[-1].kinetic_energy < 2e-3


def test_the_stiffer_a_sheet_the_less_it_sags(play):
    played = play("centre")
    sags = [played.sag(name) for name in NAMES]
    assert sags == sorted(sags, reverse=True)
    assert sags[0] > 1.1 * sags[-1] > 0.0


def test_the_limp_sheet_closes_and_the_stiff_one_stands_off(play):
    played = play("centre")

    def spread(name):
        points = played.simulation.positions(name)
        return float((points.max(axis=0) - points.min(axis=0))[[0, 2]].max())

    assert spread("limp") < spread("soft") < spread("stiff")
