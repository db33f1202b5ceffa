"""The scenes that cut and tear do what their descriptions say."""

from __future__ import annotations

import numpy as np
import pytest

import supple


def played(name, seconds):
    simulation = supple.Simulation(supple.find_scene(name))
    mass = sum(simulation.masses(body).sum() for body in simulation.body_names)
    for report in simulation.run(seconds):
        assert report.is_finite
    assert sum(simulation.masses(body).sum() for body in simulation.body_names) == pytest.approx(
        mass, rel=1e-12
    )
    return simulation


def test_the_sheet_is_torn_from_border_to_border():
    simulation = played("tear", 2.0)
    left = [name for name in simulation.body_names if simulation.positions(name)[:, 0].min() < -0.49]
    right = [name for name in simulation.body_names if simulation.positions(name)[:, 0].max() > 0.7]
    assert len(left) == len(right) == 1 and left != right
    for name in (*left, *right):
        assert np.ptp(simulation.positions(name)[:, 1]) > 0.55
    # Both halves have sprung back: nothing is stretched by half of what tore it.
    assert simulation.step().max_stretch < 1.11


def test_the_banner_hangs_in_five_strips_after_four_cuts():
    simulation = played("banner-cut", 2.4)
    assert len(simulation.body_names) == 5
    assert all(len(simulation.pinned(name)) > 3 for name in simulation.body_names)


def gaps(simulation):
    """Return how far apart the points of each seam are at most [m]."""
    positions = simulation.engine.world.particles.positions
    ends = [positions[seam.pairs] for seam in simulation.engine.editor.seams]
    return [float(np.linalg.norm(pair[:, 0] - pair[:, 1], axis=1).max()) for pair in ends]


def test_the_tunic_is_sewn_and_hangs_from_the_shoulders():
    simulation = supple.Simulation(supple.find_scene("tunic"))
    simulation.step()
    assert min(gaps(simulation)) > 0.05
    mass = sum(simulation.masses(body).sum() for body in simulation.body_names)
    for report in simulation.run(2.8):
        assert report.is_finite
    assert len(gaps(simulation)) == 10 and max(gaps(simulation)) < 0.007
    assert sum(simulation.masses(body).sum() for body in simulation.body_names) == pytest.approx(
        mass, rel=1e-12
    )
    front, back = simulation.positions("tunic-front"), simulation.positions("tunic-back")
    for piece in (front, back):
        assert piece[:, 1].max() > 1.43  # on the shoulders
        assert 0.78 < piece[:, 1].min() < 0.90  # a hand below the waist
    for side in ("left", "right"):  # each sleeve is closed around its arm, which ends outside of it
        sleeve = simulation.positions(f"tunic-{side}_sleeve")
        assert np.ptp(sleeve[:, 1]) > 0.3 and np.abs(sleeve[:, 0]).max() < 0.5
    assert simulation.depth() < 0.0
    assert simulation.step().kinetic_energy < 2e-3


def test_the_skirt_stays_on_and_its_slit_opens_no_more_once_it_is_sewn():
    simulation = supple.Simulation(supple.find_scene("skirt"))
    piece = simulation.scene.cloths["skirt"]
    left, right, waist = (piece.edge_chain(name).tolist() for name in ("left", "right", "waist"))
    open_in_wind = sewn_in_wind = 0.0
    for report in simulation.run(9.0):
        assert report.is_finite
        points = simulation.positions("skirt")
        if simulation.time > 2.2:  # the pins are out; hips are widest at 0.88 m
            assert points[simulation.heirs("skirt", waist), 1].min() > 0.94
        a, b = simulation.heirs("skirt", left), simulation.heirs("skirt", right)
        if 3.0 < simulation.time < 5.0:
            b = b[::-1]
            gap = np.linalg.norm(points[a] - points[b], axis=1).max()
            open_in_wind = max(open_in_wind, gap)
        if simulation.time > 6.8:
            sewn_in_wind = max(sewn_in_wind, *gaps(simulation))
    assert open_in_wind > 0.1
    assert sewn_in_wind < 0.005
    assert all(seam.is_welded for seam in simulation.engine.editor.seams)
    assert set(a) == set(b)  # the edges have become one
    assert simulation.depth() < 0.0
