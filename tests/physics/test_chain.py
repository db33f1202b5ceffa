"""The hanging chain: its modes and the shape it rests in are known in closed form."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.optimize import brentq
from scipy.special import j0, jn_zeros

import supple
from supple.model.world import build_world
from tests.physics.energy import stiffness_matrix

MODES = (0.5994, 1.3758, 2.1569)  # Hz, one metre


def test_published_modes_are_zeros_of_the_bessel_function():
    found = jn_zeros(0, 3) / (4.0 * np.pi) * np.sqrt(9.81)
    np.testing.assert_allclose(found, MODES, rtol=1e-4)


def hanging(points, tension):
    return supple.Chain(length=1.0, points=points, linear_density=0.1, stretch_stiffness=tension).pinned(
        "start"
    )


def test_linearised_chain_swings_with_the_published_frequencies():
    world = build_world(supple.Scene(hanging(121, 2e3)))
    masses, springs = world.particles.masses, world.springs
    below = np.cumsum(masses[::-1])[::-1][1:] * 9.81
    lengths = springs.rest_lengths + below / springs.stiffness
    positions = np.zeros_like(world.particles.positions)
    positions[1:, 1] = -np.cumsum(lengths)
    sideways = stiffness_matrix(world, positions)[3::3, 3::3]
    omega2 = eigh(sideways, np.diag(masses[1:]), eigvals_only=True)
    np.testing.assert_allclose(np.sqrt(omega2[:3]) / (2.0 * np.pi), MODES, rtol=2e-3)


def swing(chain, seconds, modes=3, **settings):
    """Return the sideways motion (frames, points) of a chain plucked in its first modes, and heights."""
    simulation = supple.Simulation(supple.Scene(chain), **settings)
    positions = simulation.engine.world.particles.positions
    height = np.clip(positions[:, 1] + 1.0, 0.0, 1.0)
    for n, zero in enumerate(jn_zeros(0, modes)):
        positions[:, 0] += 4e-3 / (n + 1) * j0(zero * np.sqrt(height))
    motion = []
    for _ in simulation.run(seconds):
        motion.append(simulation.positions("chain")[:, 0].copy())
    return np.array(motion), height


def first_frequency(chain, **settings):
    """Return the frequency of the first mode from its zero crossings [Hz]."""
    motion, height = swing(chain, 8.0, modes=1, **settings)
    amplitude = motion @ j0(jn_zeros(0, 1)[0] * np.sqrt(height))
    crossings = np.flatnonzero(np.diff(np.sign(amplitude)))
    exact = crossings + amplitude[crossings] / (amplitude[crossings] - amplitude[crossings + 1])
    return 0.5 * (len(exact) - 1) / (0.02 * (exact[-1] - exact[0]))


def test_simulated_chain_swings_with_the_published_frequencies():
    motion, _ = swing(hanging(31, 400.0), 20.0, integrator="explicit")
    window = np.hanning(len(motion))[:, None]
    spectrum = np.abs(np.fft.rfft(motion[:, -1:] * window, axis=0, n=16 * len(motion)))[:, 0]
    frequencies = np.fft.rfftfreq(16 * len(motion), 0.02)
    for expected, accuracy in zip(MODES, (0.005, 0.01, 0.02), strict=True):  # 31 points
        near = np.abs(frequencies - expected) < 0.25
        peak = frequencies[near][np.argmax(spectrum[near])]
        assert peak == pytest.approx(expected, rel=accuracy)


@pytest.mark.parametrize(
    ("settings", "accuracy"),
    [
        ({"integrator": "filter"}, 0.02),
        ({"integrator": "filter", "substeps": 40}, 0.005),
        ({"integrator": "filter", "predictor": "inertial", "substeps": 40}, 0.01),
        ({"integrator": "implicit"}, 0.005),
        ({"integrator": "xpbd", "substeps": 40}, 0.01),
        ({"integrator": "jacobi", "substeps": 40}, 0.01),
    ],
    ids=["filter", "filter-40", "filter-inertial-40", "implicit", "xpbd-40", "jacobi-40"],
)
def test_first_mode_swings_right_with_every_integrator(settings, accuracy):
    frequency = first_frequency(hanging(31, 400.0), **settings)
    assert frequency == pytest.approx(MODES[0], rel=accuracy)


@pytest.mark.parametrize("tension", [1e3, 1e4, 1e5])
def test_a_chain_of_any_stiffness_swings_with_the_published_frequency_at_default_settings(tension):
    assert first_frequency(hanging(31, tension)) == pytest.approx(MODES[0], rel=0.02)


@pytest.mark.parametrize(("substeps", "expected"), [(5, 0.38), (10, 0.58), (20, 0.78), (80, 0.97)])
def test_filter_adds_inertia_to_turning_springs_that_vanishes_with_the_step(substeps, expected):
    """Stiff springs turn slowly: half of h² k acts like mass that gravity does not pull.

    With directions at x + h v + ½ h² a a substep reads m a' + h² k (a' - ½ a) = f across each spring.
    The first mode of a chain of stiffness EA then has the effective mass m + ½ h² EA λ.
    """
    frequency = first_frequency(hanging(21, 4e4), integrator="filter", substeps=substeps)
    assert frequency / MODES[0] == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("predictor", ["accelerated", "inertial", "current"])
def test_a_swinging_chain_gains_no_energy(predictor):
    chain = hanging(21, 400.0).changed(rotation=(0.0, 0.0, 1.2))
    simulation = supple.Simulation(supple.Scene(chain), predictor=predictor)
    reports = list(simulation.run(4.0))
    energies = np.array([report.kinetic_energy + report.potential_energy for report in reports])
    height = 0.1 * 9.81 * 0.5 * (1.0 - np.cos(1.2))
    assert (energies - energies[0]).max() < 0.02 * height


# ---------------------------------------------------------------- at rest


def led_together(span, tension, points, **settings):
    """Return a level chain whose end has been led to `span` from its start, after five seconds."""
    lead = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=0.5, offset=(span - 1.0, 0.0, 0.0)))
    )
    chain = supple.Chain(
        length=1.0, points=points, stretch_stiffness=tension, rotation=(0.0, 0.0, 0.5 * np.pi)
    )
    scene = supple.Scene(chain.pinned("start").pinned("end", path=lead), drag=6.0)
    simulation = supple.Simulation(scene, **settings)
    for _ in simulation.run(5.0):
        pass
    return simulation


def catenary_error(points, span):
    """Return the largest distance from y = a cosh((x - span/2) / a) + c, over the sag."""
    a = brentq(lambda a: 2.0 * a * np.sinh(0.5 * span / a) - 1.0, 0.02, 10.0)
    height = a * (np.cosh((points[:, 0] - 0.5 * span) / a) - np.cosh(0.5 * span / a))
    return np.abs(points[:, 1] - height).max() / -height.min()


@pytest.mark.parametrize("span", [0.5, 0.8])
@pytest.mark.parametrize(
    ("tension", "settings"),
    [
        (1e4, {"integrator": "implicit", "substeps": 5}),
        (300.0, {"integrator": "filter", "substeps": 20}),
        (300.0, {"integrator": "explicit"}),
    ],
    ids=["implicit", "filter", "explicit"],
)
def test_a_chain_held_at_both_ends_rests_as_a_catenary(span, tension, settings):
    simulation = led_together(span, tension, 31, **settings)
    points = simulation.positions("chain")
    assert catenary_error(points, span) < 0.01
    assert np.abs(points[:, 2]).max() < 1e-9


def test_a_stiff_chain_at_rest_stays_at_rest_with_the_accelerated_predictor_only():
    """The inertial predictor looks for springs below the pins, where they never arrive."""
    moved = {}
    for predictor in ("accelerated", "inertial"):
        simulation = led_together(0.8, 1e4, 41, integrator="implicit", substeps=5)
        rest = simulation.positions("chain").copy()
        simulation.set(integrator="filter", predictor=predictor, substeps=10)
        for _ in simulation.run(2.0):
            pass
        moved[predictor] = np.abs(simulation.positions("chain") - rest).max()
    assert moved["accelerated"] < 1e-4
    assert 0.01 < moved["inertial"] < 0.05
