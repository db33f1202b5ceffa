"""Convergence: every integrator approaches one and the same motion as its step shrinks."""

import numpy as np
import pytest

import supple
from tests.physics.bodies import sheet

SCHEMES = {
    "explicit": {"integrator": "explicit"},
    "implicit": {"integrator": "implicit"},
    "filter, accelerated": {"integrator": "filter", "predictor": "accelerated"},
    "filter, inertial": {"integrator": "filter", "predictor": "inertial"},
    "filter, multigrid": {"integrator": "filter", "solver": "multigrid"},
    "jacobi": {"integrator": "jacobi"},
    "xpbd": {"integrator": "xpbd"},
}


def swung(substeps, **settings):
    """Return where a soft sheet, tilted and held along its top, has swung to after 0.3 s."""
    body = sheet(60.0, bending_stiffness=1e-3).changed(rotation=(0.6, 0.0, 0.0)).pinned("top")
    simulation = supple.Simulation(supple.Scene(body), substeps=substeps, **settings)
    for _ in simulation.run(0.3):
        pass
    return simulation.positions("cloth").copy()


@pytest.fixture(scope="module")
def truth():
    """Return the motion extrapolated to a step of zero from two fine explicit runs."""
    coarse, fine = swung(500, integrator="explicit"), swung(1000, integrator="explicit")
    assert np.abs(coarse - fine).max() < 3e-5
    return 2.0 * fine - coarse


@pytest.mark.parametrize("scheme", SCHEMES)
def test_error_halves_with_the_step(scheme, truth):
    errors = [np.abs(swung(n, **SCHEMES[scheme]) - truth).max() for n in (20, 40, 80)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert orders == pytest.approx([1.0, 1.0], abs=0.2)
    assert errors[-1] < 3e-4


def test_current_predictor_converges_too_but_a_hundred_times_later(truth):
    errors = [np.abs(swung(n, integrator="filter", predictor="current") - truth).max() for n in (20, 40, 80)]
    assert 0.6 < np.log2(errors[1] / errors[2]) < 1.0
    assert errors[-1] > 50.0 * np.abs(swung(80, integrator="filter", predictor="accelerated") - truth).max()


@pytest.mark.parametrize("predictor", ["accelerated", "inertial"])
def test_filter_approaches_the_exact_integrator_with_the_square_of_the_step(predictor):
    distances = [
        np.abs(swung(n, integrator="filter", predictor=predictor) - swung(n, integrator="implicit")).max()
        for n in (20, 40, 80)
    ]
    orders = np.log2(np.divide(distances[:-1], distances[1:]))
    assert orders == pytest.approx([2.0, 2.0], abs=0.2)
    assert distances[-1] < 6e-5


def test_more_points_approach_one_motion():
    depths = []
    for points in (5, 9, 17):
        body = sheet(60.0, points=points, bending_stiffness=1e-3).changed(rotation=(0.6, 0.0, 0.0))
        simulation = supple.Simulation(supple.Scene(body.pinned("top")), integrator="implicit", substeps=4)
        for _ in simulation.run(0.3):
            pass
        depths.append(simulation.positions("cloth")[-1])
    assert np.linalg.norm(depths[2] - depths[1]) < 0.6 * np.linalg.norm(depths[1] - depths[0])
    assert np.linalg.norm(depths[2] - depths[1]) < 0.02
