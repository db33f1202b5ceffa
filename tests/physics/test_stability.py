"""Stability: whatever is built, pulled or changed, every number stays finite and bounded."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import supple
from tests.physics.bodies import INTEGRATORS, chain, sheet

HAND = 100.0  # m/s

FARTHEST = 100.0  # m; hands travel 10 m a frame at most, for up to 8 frames
FASTEST = 100.0 * HAND  # m/s; a limit left open by a long step closes in a short one

EXAMPLES = {"explicit": 30, "jacobi": 100, "filter": 100, "implicit": 60, "xpbd": 100}

decades = st.floats(-4.0, 6.0)
stiffnesses = st.one_of(st.just(0.0), decades.map(lambda power: 10.0**power))
masses = st.floats(-5.0, 0.0).map(lambda power: 10.0**power)
steps = st.floats(-4.0, -1.0).map(lambda power: 10.0**power)
changes = st.one_of(
    st.tuples(st.just("grab"), st.integers(0, 11)),
    st.tuples(st.just("release"), st.integers(0, 11)),
    st.tuples(st.just("stretch_stiffness"), stiffnesses),
    st.tuples(st.just("density"), masses),
    st.tuples(st.just("damping"), st.floats(0.0, 100.0)),
    st.tuples(st.just("stretch_limit"), st.floats(0.0, 1.0)),
    st.tuples(st.just("step"), steps),
    st.tuples(st.just("integrator"), st.sampled_from(INTEGRATORS[1:])),
    st.tuples(st.just("predictor"), st.sampled_from(["accelerated", "inertial", "current"])),
    st.tuples(st.just("sweeps"), st.integers(1, 5)),
    st.tuples(st.just("nothing"), st.none()),
)


@st.composite
def networks(draw):
    """Draw points that hang together by springs of many stiffnesses and masses."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(2, 12))
    points = generator.uniform(-0.5, 0.5, (count, 3))
    points[:, 0] += 0.05 * np.arange(count)
    pairs = {(int(generator.integers(0, i)), i) for i in range(1, count)}
    for _ in range(draw(st.integers(0, 2 * count))):
        i, j = sorted(generator.choice(count, 2, replace=False).tolist())
        pairs.add((i, j))
    springs = np.array(sorted(pairs))
    spread = draw(st.floats(0.0, 3.0))
    stiffness = draw(stiffnesses) * 10.0 ** generator.uniform(-spread, 0.0, len(springs))
    body = supple.Network(
        points=points,
        springs=springs,
        stiffness=stiffness,
        mass=draw(masses) * 10.0 ** generator.uniform(-draw(st.floats(0.0, 3.0)), 0.0, count),
        damping=draw(st.sampled_from([0.0, 0.1, 10.0])),
        stretch_limit=draw(st.sampled_from([None, 0.0, 0.1])),
    )
    pins = draw(st.integers(0, 2))
    return body.pinned(list(range(pins))) if pins else body


def time_step(step):
    """Return settings of one frame with substeps of `step` seconds, at most 0.1 s long."""
    substeps = max(1, min(20, int(0.02 / step)))
    return {"frame_rate": 1.0 / (substeps * step), "substeps": substeps}


def apply_change(simulation, change, generator):
    kind, value = change
    if kind in ("grab", "release"):
        vertex = value % simulation.particle_count
        if kind == "release":
            simulation.release("network", vertex)
            return
        direction = generator.standard_normal(3)
        reach = HAND * simulation.frame_seconds * direction / np.linalg.norm(direction)
        simulation.grab("network", vertex, simulation.positions("network")[vertex] + reach)
    elif kind == "step":
        simulation.set(**time_step(value))
    elif kind in ("integrator", "predictor", "sweeps"):
        simulation.set(**{kind: value})
    elif kind != "nothing":
        simulation.set("network", **{kind: value})


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_random_networks_stay_finite_and_bounded_whatever_happens_to_them(integrator):
    @settings(
        max_examples=EXAMPLES[integrator],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        body=networks(),
        step=steps,
        happenings=st.lists(changes, min_size=4, max_size=8),
        seed=st.integers(0, 1000),
    )
    def stays_bounded(body, step, happenings, seed):
        generator = np.random.default_rng(seed)
        simulation = supple.Simulation(supple.Scene(body), integrator=integrator, **time_step(step))
        for change in happenings:
            apply_change(simulation, change, generator)
            report = simulation.step()
            assert report.is_finite
            assert report.status != "diverged"
            assert np.abs(simulation.positions("network")).max() < FARTHEST
            assert np.abs(simulation.velocities("network")).max() < FASTEST

    stays_bounded()


@pytest.mark.parametrize("sweeps", [1, 2, 3, 4, 5, 7])
@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6])
def test_jacobi_is_bounded_with_any_number_of_sweeps(sweeps, stiffness):
    body = chain(stiffness, points=12, rotation=(0.0, 0.0, 0.3)).pinned("start")
    simulation = supple.Simulation(supple.Scene(body), integrator="jacobi", sweeps=sweeps, substeps=1)
    assert max(report.max_stretch for report in simulation.run(3.0)) < 4.0


@pytest.mark.parametrize("predictor", ["accelerated", "inertial", "current"])
@pytest.mark.parametrize("step", [0.005, 0.02, 0.1])
@pytest.mark.parametrize("stiffness", [1.0, 1e3, 1e6])
def test_filter_calms_down_at_any_stiffness_and_step(predictor, step, stiffness):
    body = sheet(stiffness).pinned("top-left", "top-right")
    simulation = supple.Simulation(
        supple.Scene(body), integrator="filter", predictor=predictor, substeps=1, frame_rate=1.0 / step
    )
    reports = [simulation.step() for _ in range(150)]
    energies = [report.kinetic_energy for report in reports]
    assert np.mean(energies[-20:]) <= 1.2 * max(energies[:60])
    limit = 1.3 if stiffness > 10.0 else 8.0  # 1 N/m carries 1.5 N a metre
    assert max(report.max_stretch for report in reports) < limit


@pytest.mark.parametrize("step", [0.002, 0.005, 0.02, 0.1])
@pytest.mark.parametrize("stiffness", [1.0, 1e3, 1e5, 1e6, 1e7])
def test_descent_stirs_nothing_up_at_any_stiffness_and_step(step, stiffness):
    """With one Newton step for every stiffness a sheet that hangs still gained 0.6 J at 1e6 N/m and 20 ms, and went on."""
    body = sheet(stiffness).pinned("top-left", "top-right")
    simulation = supple.Simulation(supple.Scene(body), substeps=1, frame_rate=1.0 / step)
    reports = [simulation.step() for _ in range(150)]
    if stiffness > 10.0:
        assert max(report.max_stretch for report in reports) < 1.3
        assert (
            max(report.kinetic_energy for report in reports) < 0.1
        )  # it weighs 0.15 kg, and could fall by 0.7 J
    else:
        assert max(report.max_stretch for report in reports) < 8.0  # 1 N/m carries 1.5 N a metre


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_two_points_on_one_spot_stay_finite(integrator):
    pair = supple.Network(points=[[0.0, 0.0], [1.0, 0.0]], springs=[[0, 1]], stiffness=100.0, mass=0.1)
    simulation = supple.Simulation(supple.Scene(pair.pinned(0)), integrator=integrator)
    simulation.grab("network", 1, (0.0, 0.0, 0.0))
    simulation.step()
    np.testing.assert_array_equal(simulation.positions("network"), 0.0)
    simulation.release("network", 1)
    for _ in range(10):
        assert simulation.step().is_finite


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_scene_of_free_points_only_runs(integrator):
    points = supple.Network(points=[[0.0, 0.0], [1.0, 0.0]], springs=[], stiffness=0.0, mass=0.1)
    simulation = supple.Simulation(supple.Scene(points), integrator=integrator, substeps="auto")
    assert simulation.step().status == "ok"


@pytest.mark.parametrize("metres", [1.0, 20.0])
def test_a_corner_of_a_soft_body_pulled_far_away_does_not_stir_explicit_steps_up(metres):
    ball = supple.SoftBody.ball(radius=0.15, cell=0.11, material="jelly")
    simulation = supple.Simulation(
        supple.Scene(ball, gravity=(0.0, 0.0, 0.0)), integrator="explicit", substeps=1
    )
    simulation.grab("soft", 0, tuple(simulation.positions("soft")[0] + (metres, 0.0, 0.0)))
    for _ in range(50):
        report = simulation.step()
    assert report.is_finite
    assert np.ptp(simulation.positions("soft"), axis=0).max() < 2.0 * metres
    simulation.release_all()
    for _ in range(50):
        simulation.step()
    assert np.ptp(simulation.positions("soft"), axis=0).max() < 2.0 * metres
