"""`hanging-sheet`, the scene that plays by default."""

from __future__ import annotations

import numpy as np


def test_sheet_swings_past_the_vertical_and_comes_back(play):
    heights = np.array(play("hanging-sheet").lowest["sheet"])
    assert heights[:100].min() < 0.35  # 1.2 m of cloth below pins at 1.4 m
    bottom = int(heights[:100].argmin())
    assert heights[bottom : bottom + 60].max() > heights[bottom] + 0.2


def test_sheet_comes_to_hang(play):
    played = play("hanging-sheet")
    energies = [report.kinetic_energy for report in played.reports]
    assert np.mean(energies[-25:]) < 0.1 * np.max(energies)


def test_threads_stay_within_their_limit(play):
    assert play("hanging-sheet").largest_stretch < 1.07  # 1.051 with `explicit`
