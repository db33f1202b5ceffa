"""The papers' algorithms, written out literally and compared with the engine."""

import numpy as np
import pytest
from PIL import Image

import supple
from scripts.figures.kang_figure_6 import agreement, draw, velocity_changes, waved_flag
from tests.physics.bodies import NO_GRAVITY, lowest, mesh, sheet, spin
from tests.physics.energy import dense_step_matrix

# ---------------------------------------------------------------- Desbrun 1999, Fig. 6


def desbrun_step(x, v, springs, masses, gravity, dt, has_correction):
    """One step of Fig. 6 with a full matrix W, the sign of the force and the inertia put right.

    For every mass point: spring forces and artificial viscosity, filtered by W, then the external
    force, then the torque of the filtered forces taken out of the positions.
    """
    ends, stiffness, lengths = springs
    n = len(x)
    h_matrix = np.zeros((n, n))
    force = np.zeros((n, 3))
    for (i, j), k, rest in zip(ends, stiffness, lengths, strict=True):
        h_matrix[i, j] += k
        h_matrix[j, i] += k
        h_matrix[i, i] -= k
        h_matrix[j, j] -= k
        d = x[j] - x[i]
        pull = k * (np.linalg.norm(d) - rest) * d / np.linalg.norm(d) + k * dt * (v[j] - v[i])
        force[i] += pull
        force[j] -= pull
    # W = (I - dt²/m H)⁻¹ acts on velocity changes dt F / m: with unequal masses W = (M - dt² H)⁻¹ M.
    filtered = np.linalg.solve(np.diag(masses) - dt * dt * h_matrix, force)  # = W F / m
    new_v = v + dt * (filtered + gravity)
    new_x = x + dt * new_v
    if has_correction:
        centre = masses @ x / masses.sum()
        r = x - centre
        torque = np.cross(r, masses[:, None] * filtered).sum(axis=0)
        inertia = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, r, strict=True))
        new_x = new_x - np.cross(np.linalg.solve(inertia, torque) * dt * dt, r)
    return new_x, (new_x - x) / dt


@pytest.mark.parametrize("has_correction", [True, False])
@pytest.mark.parametrize("body", [sheet, mesh])
@pytest.mark.parametrize("stiffness", [10.0, 1000.0])
def test_current_predictor_is_the_algorithm_of_desbrun_figure_6(body, stiffness, has_correction):
    scene = supple.Scene(body(stiffness, bending_stiffness=0.0))
    simulation = supple.Simulation(
        scene, predictor="current", substeps=1, momentum_correction=has_correction, integrator="filter"
    )
    spin(simulation, (1.0, 2.0, 3.0), shake=0.1)
    world = simulation.engine.world
    ends = [(int(i), int(j)) for i, j in world.springs.ends]
    springs = (ends, world.springs.stiffness.copy(), world.springs.rest_lengths.copy())
    masses = world.particles.masses.copy()
    x, v = world.particles.positions.copy(), world.particles.velocities.copy()
    for _ in range(50):
        simulation.step()
        x, v = desbrun_step(x, v, springs, masses, np.array([0.0, -9.81, 0.0]), 0.02, has_correction)
    assert np.abs(simulation.positions("cloth") - x).max() < 1e-11
    assert np.abs(simulation.velocities("cloth") - v).max() < 1e-9


# ---------------------------------------------------------------- Kang 2000, Eq. 4


def kang_step(x, v, ends, k, rest_lengths, masses, gravity, h):
    """One step of Eq. 4: uniform stiffness, F̃ of springs and viscosity, neighbours by their own F̃."""
    n = len(x)
    neighbours = [[] for _ in range(n)]
    force = np.zeros((n, 3))
    for (i, j), rest in zip(ends, rest_lengths, strict=True):
        neighbours[i].append(j)
        neighbours[j].append(i)
        d = x[j] - x[i]
        pull = k * (np.linalg.norm(d) - rest) * d / np.linalg.norm(d) + h * k * (v[j] - v[i])
        force[i] += pull
        force[j] -= pull
    count = np.array([len(found) for found in neighbours])
    denominator = (masses + h * h * k * count)[:, None]
    estimate = force * h / denominator
    change = np.array([(force[i] * h + h * h * k * estimate[neighbours[i]].sum(axis=0)) for i in range(n)])
    change /= denominator
    new_v = v + change + h * gravity
    return x + h * new_v, new_v


@pytest.mark.parametrize("stiffness", [1.0, 100.0, 1e4])
def test_jacobi_with_two_sweeps_is_kang_equation_4(stiffness):
    vertices = sheet(points=5).local_points()
    plain = supple.Simulation(supple.Scene(sheet(points=5)), integrator="filter")
    ends = plain.edges("cloth")
    generator = np.random.default_rng(0)
    masses = generator.uniform(0.005, 0.05, len(vertices))
    network = supple.Network(points=vertices, springs=ends, stiffness=stiffness, mass=masses)
    simulation = supple.Simulation(
        supple.Scene(network), integrator="jacobi", predictor="current", substeps=1, sweeps=2,
        momentum_correction=False,
    )  # fmt: skip
    spin(simulation, (1.0, 2.0, 3.0), shake=0.1)
    world = simulation.engine.world
    lengths = world.springs.rest_lengths.copy()
    x, v = world.particles.positions.copy(), world.particles.velocities.copy()
    gravity = np.array([0.0, -9.81, 0.0])
    for _ in range(20):
        simulation.step()
        x, v = kang_step(x, v, ends.tolist(), stiffness, lengths, masses, gravity, 0.02)
        # Kang's sum of internal changes is zero for equal masses only; the engine takes the drift out.
        drift = masses @ (v - world.particles.velocities) / masses.sum()
        v, x = v - drift, x - 0.02 * drift
    assert np.abs(simulation.positions("network") - x).max() < 1e-11


def test_many_sweeps_of_jacobi_are_the_filter():
    """The sweeps converge to what the factor gives at once."""
    after = {}
    for name, settings in {
        "filter": {"integrator": "filter"},
        "2": {"integrator": "jacobi", "sweeps": 2},
        "20": {"integrator": "jacobi", "sweeps": 20},
        "400": {"integrator": "jacobi", "sweeps": 400},
    }.items():
        simulation = supple.Simulation(supple.Scene(sheet(200.0).pinned("top")), substeps=4, **settings)
        spin(simulation, (1.0, 2.0, 3.0), shake=0.1)
        for _ in range(3):
            simulation.step()
        after[name] = simulation.positions("cloth").copy()
    error = {name: np.abs(positions - after["filter"]).max() for name, positions in after.items()}
    assert error["400"] < 1e-9
    assert error["400"] < error["20"] < error["2"]


# ---------------------------------------------------------------- Kang 2000, Fig. 6


@pytest.mark.parametrize(
    ("stiffness", "rate", "cosine", "ratio"),
    [
        (50.0, 500.0, 0.995, 0.907),
        (200.0, 500.0, 0.968, 0.778),
        (200.0, 100.0, 0.812, 0.527),  # 10 ms: two sweeps reach two rings of neighbours, the filter all
    ],
)
def test_velocity_changes_of_jacobi_resemble_those_of_the_filter_as_in_kang_figure_6(
    stiffness, rate, cosine, ratio
):
    changes = {name: velocity_changes(waved_flag(stiffness, rate), name) for name in ("filter", "jacobi")}
    assert agreement(changes["jacobi"], changes["filter"]) == pytest.approx((cosine, ratio), abs=0.03)
    more = velocity_changes(waved_flag(stiffness, rate), "jacobi", sweeps=40)
    assert agreement(more, changes["filter"]) == pytest.approx((1.0, 1.0), abs=0.05)


def test_the_picture_of_kang_figure_6_can_be_drawn(tmp_path):
    draw(tmp_path / "figure.png")
    with Image.open(tmp_path / "figure.png") as picture:
        assert picture.size == (1200, 760)
        assert len(picture.getcolors(maxcolors=2**20)) > 4


# ---------------------------------------------------------------- the fall of NUMERICS §2


def dropped(**settings):
    """Return the lowest point after 0.5 s of 20 x 20 points, two corners held, released level."""
    n = 20
    ticks = np.linspace(0.0, 1.0, n)
    points = np.stack(np.meshgrid(ticks, [0.0], ticks), axis=-1).reshape(-1, 3)
    index = np.arange(n * n).reshape(n, n)
    pairs = [
        (index[:, :-1], index[:, 1:], 1000.0), (index[:-1], index[1:], 1000.0),  # structural
        (index[:-1, :-1], index[1:, 1:], 1000.0), (index[:-1, 1:], index[1:, :-1], 1000.0),  # shear
        (index[:, :-2], index[:, 2:], 50.0), (index[:-2], index[2:], 50.0),  # two apart: bending
    ]  # fmt: skip
    springs = np.concatenate([np.stack([a.ravel(), b.ravel()], axis=1) for a, b, _ in pairs])
    stiffness = np.concatenate([np.full(a.size, k) for a, _, k in pairs])
    network = supple.Network(points=points, springs=springs, stiffness=stiffness, mass=0.15 / n**2)
    simulation = supple.Simulation(
        supple.Scene(network.pinned(0, n - 1)), **{"integrator": "filter", **settings}
    )
    for _ in simulation.run(0.5):
        pass
    return lowest(simulation, "network")


@pytest.fixture(scope="module")
def truth():
    return dropped(integrator="explicit")


def test_the_converged_fall_reaches_the_published_depth(truth):
    assert truth == pytest.approx(-0.925, abs=0.02)
    assert dropped(integrator="explicit", substeps=160) == pytest.approx(truth, abs=0.01)


@pytest.mark.parametrize(
    ("settings", "expected", "accuracy"),
    [
        ({"predictor": "current", "substeps": 1}, -0.014, 0.005),
        ({"predictor": "current", "substeps": 40}, -0.25, 0.03),
        ({"predictor": "inertial", "substeps": 1}, -0.14, 0.02),
        ({"predictor": "inertial", "substeps": 4}, -0.57, 0.03),
        ({"predictor": "inertial", "substeps": 10}, -0.86, 0.03),
        ({"predictor": "inertial", "substeps": 20}, -0.97, 0.04),
        ({"predictor": "accelerated", "substeps": 10}, -0.92, 0.05),
        ({"integrator": "implicit", "substeps": 1}, -1.00, 0.02),
        ({"integrator": "xpbd", "substeps": 20}, -0.95, 0.03),
    ],
    ids=lambda value: "-".join(str(part) for part in value.values()) if isinstance(value, dict) else None,
)
def test_the_fall_reaches_the_depth_of_the_table(settings, expected, accuracy):
    assert dropped(**settings) == pytest.approx(expected, abs=accuracy)


def test_predictors_come_closer_to_the_truth_one_after_the_other(truth):
    current, inertial, accelerated = (
        dropped(predictor=name, substeps=10) for name in ("current", "inertial", "accelerated")
    )
    assert abs(accelerated - truth) < abs(inertial - truth) < abs(current - truth)
    assert current > -0.15
    assert accelerated == pytest.approx(truth, rel=0.05)


def test_step_matrix_times_the_filter_of_desbrun_is_the_mass_matrix():
    """W = (I - dt²/m H)⁻¹ is A⁻¹ M, and its rows sum to one."""
    simulation = supple.Simulation(supple.Scene(sheet(), gravity=NO_GRAVITY), integrator="filter")
    world = simulation.engine.world
    matrix = dense_step_matrix(world, 0.02)
    w = np.linalg.solve(matrix, np.diag(world.particles.masses))
    np.testing.assert_allclose(w.sum(axis=1), 1.0, rtol=1e-10)
