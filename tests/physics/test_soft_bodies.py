"""Soft bodies against what is known of beams, bars and free motion."""

import numpy as np
import pytest

import supple
from supple.integrate.explicit import Explicit
from supple.model.world import build_world
from tests.physics.bodies import NO_GRAVITY, momenta, spin
from tests.physics.soft import block, elastic_forces, energy, sag, soft

EVERY = ("explicit", "jacobi", "filter", "implicit", "descent")
GRAVITY = 9.81


def cantilever_ratio(cell):
    """Return the sag of a cantilever under its own weight over that of Timoshenko's beam."""
    length, side, young, poisson = 1.0, 0.2, 1e6, 0.3
    body = supple.SoftBody.box((length, side, side), cell, material=soft(young, poisson)).pinned("left")
    _, moves = sag(body, (0.0, -GRAVITY, 0.0))
    tip = -moves[body.indices("right"), 1].mean()
    load = 1000.0 * GRAVITY * side**2
    bending = load * length**4 / (8.0 * young * side**4 / 12.0)
    shear_share = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson)
    shear = load * length**2 / (2.0 * shear_share * young / (2.0 * (1.0 + poisson)) * side**2)
    return body.point_count, tip / (bending + shear)


def test_a_cantilever_sags_as_timoshenko_says_and_the_better_the_finer():
    found = [cantilever_ratio(cell) for cell in (0.1, 0.067, 0.0334)]
    counts, ratios = zip(*found, strict=True)
    assert counts[-1] < 3400
    assert ratios[0] < ratios[1] < ratios[2] < 1.02
    assert ratios[-1] > 0.9


def test_a_hanging_bar_lengthens_by_half_its_weight():
    body = supple.SoftBody.box((0.2, 1.0, 0.2), 0.1, material=soft(1e6, 0.0)).pinned("top")
    _, moves = sag(body, (0.0, -GRAVITY, 0.0))
    expected = 1000.0 * GRAVITY * 1.0**2 / (2.0 * 1e6)
    assert -moves[body.indices("bottom"), 1].mean() == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("integrator, substeps", [("explicit", 1), ("filter", 40), ("descent", 10)])
def test_a_bar_swings_lengthwise_at_its_lowest_mode(integrator, substeps):
    length, young = 1.0, 1e5
    body = supple.SoftBody.box((length, 0.1, 0.1), 0.1, material=soft(young, 0.0)).pinned("left")
    simulation = supple.Simulation(
        supple.Scene(body, gravity=NO_GRAVITY), integrator=integrator, substeps=substeps
    )
    positions = simulation.engine.world.particles.positions
    along = positions[:, 0] + 0.5 * length
    positions[:, 0] += 0.01 * np.sin(0.5 * np.pi * along / length)
    end, start = body.indices("right"), 0.5 * length
    away = [positions[end, 0].mean() - start]
    for _ in simulation.run(2.0):
        away.append(simulation.positions("soft")[end, 0].mean() - start)
    away = np.array(away)
    crossings = np.flatnonzero(away[:-1] * away[1:] < 0.0)
    times = (crossings + away[crossings] / (away[crossings] - away[crossings + 1])) / simulation.frame_rate
    frequency = 0.5 / np.diff(times).mean()
    assert frequency == pytest.approx(np.sqrt(young / 1000.0) / (4.0 * length), rel=0.03)


def test_a_nearly_incompressible_bar_keeps_its_volume_where_cork_does_not():
    changes = {}
    for poisson in (0.0, 0.49):
        body = supple.SoftBody.box((0.2, 0.4, 0.2), 0.1, material=soft(4e4, poisson)).pinned("top")
        world, moves = sag(body, (0.0, -GRAVITY, 0.0))
        corners = world.tetrahedra.corners
        moved = world.particles.rest_positions + moves
        volume = np.linalg.det(moved[corners[:, 1:]] - moved[corners[:, :1]]).sum() / 6.0
        changes[poisson] = volume / world.tetrahedra.volumes.sum() - 1.0
    assert changes[0.0] == pytest.approx(1000.0 * GRAVITY * 0.4 / (2.0 * 4e4), rel=0.03)
    assert abs(changes[0.49]) < 0.06 * changes[0.0]


@pytest.mark.parametrize("integrator", EVERY)
def test_a_free_body_keeps_its_momentum(integrator):
    simulation = supple.Simulation(
        supple.Scene(block(), gravity=NO_GRAVITY), integrator=integrator, substeps=4, frame_rate=50.0
    )
    spin(simulation, (1.0, 2.0, -3.0), 0.05)
    linear, angular = momenta(simulation)
    for _ in simulation.run(0.2 if integrator == "implicit" else 1.0):
        pass
    now_linear, now_angular = momenta(simulation)
    np.testing.assert_allclose(now_linear, linear, atol=1e-12 * np.abs(angular).max())
    np.testing.assert_allclose(now_angular, angular, rtol=1e-10)


def all_energy(simulation, substeps):
    """Return the energy of a free body [J]; velocities lag positions by half a step and are brought up to them."""
    world, particles = simulation.engine.world, simulation.engine.world.particles
    half = 0.5 * simulation.frame_seconds / substeps
    pull = elastic_forces(world, particles.positions, rounds=3)
    velocities = particles.velocities + half * pull / particles.masses[:, None]
    kinetic = 0.5 * np.sum(particles.masses[:, None] * velocities**2)
    return kinetic + energy(world, particles.positions, rounds=3)


def test_undamped_motion_keeps_its_energy_near_the_limit_of_the_step():
    simulation = supple.Simulation(
        supple.Scene(block(young=2e4), gravity=NO_GRAVITY), integrator="explicit", substeps=1, frame_rate=30.0
    )
    spin(simulation, (2.0, 1.0, 0.0), 0.02)
    simulation.engine.world.particles.positions *= 1.05
    energies = []
    for report in simulation.run(20.0):
        energies.append(all_energy(simulation, report.substeps))
    assert report.substeps * simulation.engine.integrator.stable_step() < 1.6 * simulation.frame_seconds
    means = np.mean(np.array(energies).reshape(20, -1), axis=1)
    assert np.abs(means / means[0] - 1.0).max() < 0.02


@pytest.mark.parametrize("turning", [0.0, 1.0])
def test_undamped_motion_keeps_its_energy_for_a_minute_at_95_per_cent_of_the_limit(monkeypatch, turning):
    monkeypatch.setattr("supple.integrate.explicit.SAFETY", 1.0)
    monkeypatch.setattr("supple.integrate.explicit.ELEMENT_MARGIN", 1.0)
    monkeypatch.setattr("supple.integrate.explicit.lively_shortening", lambda strain: 1.0)
    scene = supple.Scene(block(young=2e4), gravity=NO_GRAVITY)
    limit = Explicit(build_world(scene)).stable_step()
    simulation = supple.Simulation(
        scene, integrator="explicit", substeps=4, frame_rate=1.0 / (4 * 0.95 * limit)
    )
    spin(simulation, (2.0 * turning, turning, 0.0), 0.0)
    x, y, z = simulation.positions("soft").T
    simulation.engine.world.particles.velocities += 1.6 * np.stack([z * y, 0.0 * y, -x * y], axis=1)  # twists
    energies = []
    for report in simulation.run(60.0):
        assert report.substeps == 4
        energies.append(all_energy(simulation, 4))
    means = np.array([part.mean() for part in np.array_split(np.array(energies), 30)])
    assert np.abs(means / means[0] - 1.0).max() < 0.02


@pytest.mark.parametrize("poisson, jolt", [(0.3, 0.1), (0.45, 0.05), (0.45, 0.1), (0.45, 0.2)])
def test_undamped_violent_motion_takes_shorter_steps_and_keeps_its_energy_for_a_minute(poisson, jolt):
    simulation = supple.Simulation(
        supple.Scene(block(young=2e4, poisson=poisson), gravity=NO_GRAVITY), integrator="explicit", substeps=1
    )
    quiet = simulation.engine.integrator.stable_step()
    simulation.engine.world.particles.positions *= 1.0 + jolt
    energies = []
    for report in simulation.run(60.0):
        energies.append(all_energy(simulation, report.substeps))
    assert simulation.engine.soft_measures.smallest_volume() < 0.95  # still at it
    assert simulation.engine.integrator.stable_step() < 0.8 * quiet
    means = np.array([part.mean() for part in np.array_split(np.array(energies[1:]), 12)])
    assert np.abs(means / means[0] - 1.0).max() < 0.02


def test_a_step_that_changes_to_and_fro_neither_adds_nor_takes_energy():
    simulation = supple.Simulation(
        supple.Scene(block(young=2e4), gravity=NO_GRAVITY), integrator="explicit", substeps=4
    )
    simulation.engine.world.particles.positions *= 1.03
    start = all_energy(simulation, 1e9)
    energies = []
    for frame in range(600):
        simulation.set(substeps=4 + 5 * (frame % 3 == 0))
        report = simulation.step()
        energies.append(all_energy(simulation, report.substeps))
    assert np.abs(np.array(energies) / start - 1.0).max() < 0.02


def test_damped_bodies_take_no_shorter_steps_when_strained():
    scene = supple.Scene(block(young=2e4, damping=50.0), gravity=NO_GRAVITY)
    simulation = supple.Simulation(scene, integrator="explicit", substeps=1)
    quiet = simulation.engine.integrator.stable_step()
    simulation.engine.world.particles.positions *= 1.1
    simulation.step()
    assert simulation.engine.integrator.stable_step() == quiet


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "implicit", "descent"])
def test_every_integrator_comes_to_rest_at_the_same_place(integrator):
    scene = supple.Scene(block(young=2e4, damping=30.0).pinned("top"), drag=4.0)
    ends = []
    for name in ("explicit", integrator):
        simulation = supple.Simulation(scene, integrator=name, substeps=1 if name == "implicit" else 10)
        for _ in simulation.run(1.5 if name == "implicit" else 4.0):
            pass
        ends.append(simulation.positions("soft").copy())
    sagged = np.abs(ends[0] - scene.bodies[0].start_points()).max()
    assert sagged > 0.02
    assert np.abs(ends[1] - ends[0]).max() < 0.02 * sagged


@pytest.mark.parametrize("young", [1e3, 1e6, 1e10])
@pytest.mark.parametrize("poisson", [0.0, 0.49])
@pytest.mark.parametrize("integrator", ["filter", "auto", "descent"])
def test_no_stiffness_is_too_much_for_the_filter(young, poisson, integrator):
    scene = supple.Scene(block(young=young, poisson=poisson).pinned("left"))
    simulation = supple.Simulation(scene, integrator=integrator, substeps=2)
    for report in simulation.run(2.0):
        assert report.is_finite
    reach = np.abs(simulation.positions("soft")).max()
    assert reach < (8.0 if young < 1e4 else 0.6)


def test_a_long_bar_hangs_down_with_no_element_inside_out():
    bar = supple.SoftBody.box((1.0, 0.3, 0.3), 0.1, material=soft(1e5)).pinned("left")
    simulation = supple.Simulation(supple.Scene(bar, drag=2.0), substeps="auto")
    for report in simulation.run(4.0):
        assert simulation.engine.soft_measures.smallest_volume() > 0.1
    tip = simulation.positions("soft")[bar.indices("right")].mean(axis=0)
    assert tip[1] < -0.8 and -0.1 < tip[0] < 0.15


def test_pokes_pinches_and_pins_leave_nothing_inside_out_and_the_body_returns_to_rest():
    body = block(young=5e3, damping=20.0).pinned("bottom")
    simulation = supple.Simulation(supple.Scene(body, gravity=NO_GRAVITY, drag=1.0), substeps=5)
    rest = simulation.positions("soft").copy()
    generator = np.random.default_rng(4)
    top = body.indices("top")
    for _ in range(12):
        held = generator.choice(top, 3, replace=False).tolist()
        for frame in range(8):
            for vertex in held:
                simulation.grab(
                    "soft", vertex, rest[vertex] + generator.uniform(-0.4, 0.3, 3) * (frame + 1) / 8
                )
            assert simulation.step().is_finite
        for vertex in held:
            simulation.release("soft", vertex)
        for _ in simulation.run(0.2):
            pass
    for report in simulation.run(8.0):
        pass
    assert simulation.engine.soft_measures.smallest_volume() > 0.95
    np.testing.assert_allclose(simulation.positions("soft"), rest, atol=1e-2)


def test_a_jelly_lands_on_the_ground_and_keeps_outside():
    jelly = supple.SoftBody.ball(0.1, 0.08, material="jelly", at=(0.0, 0.3, 0.0))
    simulation = supple.Simulation(supple.Scene(jelly, supple.Plane(friction=0.5)), substeps="auto")
    touched = 0
    for report in simulation.run(2.0):
        touched += report.contacts > 0
        assert simulation.depth() < 1e-9
    assert touched > 20
    height = np.ptp(simulation.positions("soft")[:, 1])
    assert 0.12 < height < 0.17


def test_two_runs_are_identical_to_the_bit_and_so_is_one_that_was_saved(tmp_path):
    scene = supple.Scene(block(young=5e3, damping=3.0).pinned("top"), supple.Plane(at=(0.0, -0.4, 0.0)))
    for integrator in ("auto", "filter", "explicit", "descent"):
        runs = [supple.Simulation(scene, integrator=integrator) for _ in range(2)]
        for run in runs:
            for _ in run.run(0.3):
                pass
        runs[0].save(tmp_path / "state.npz")
        loaded = supple.Simulation.load(tmp_path / "state.npz")
        for run in (*runs, loaded):
            for _ in run.run(0.3):
                pass
        for other in (runs[1], loaded):
            np.testing.assert_array_equal(other.positions("soft"), runs[0].positions("soft"))


def test_material_changes_while_it_runs():
    scene = supple.Scene(block(young=2e4).pinned("top"), drag=5.0)
    simulation = supple.Simulation(scene, substeps="auto")

    def sagged():
        for _ in simulation.run(3.0):
            pass
        return scene.bodies[0].start_points()[:, 1].min() - simulation.positions("soft")[:, 1].min()

    before = sagged()
    simulation.set("soft", young=4e4)
    assert sagged() == pytest.approx(0.5 * before, rel=0.1)
    simulation.set("soft", density=2000.0)
    assert sagged() == pytest.approx(before, rel=0.1)
    for name in ("stretch_stiffness", "shear_stiffness", "bending_stiffness", "stretch_limit"):
        with pytest.raises(supple.SuppleError, match="soft body has no springs"):
            simulation.set("soft", **{name: 0.5})
    cloth = supple.Simulation(supple.Scene(supple.Chain(length=1.0, points=4)))
    with pytest.raises(supple.SuppleError, match="no soft body"):
        cloth.set("chain", young=1e4)


def test_xpbd_says_that_it_moves_springs_only():
    scene = supple.Scene(block())
    with pytest.raises(supple.SuppleError, match="springs only"):
        supple.Simulation(scene, integrator="xpbd")
    simulation = supple.Simulation(scene)
    with pytest.raises(supple.SuppleError, match="springs only"):
        simulation.set(integrator="xpbd")
    assert simulation.settings.integrator == "auto" and simulation.step().is_finite


def test_the_integrator_is_chosen_by_stiffness_and_size():
    def chosen(young, cell):
        scene = supple.Scene(block(cell, young=young))
        return supple.Simulation(scene, substeps="auto").engine.integrator.name

    assert chosen(1e3, 0.25) == "explicit"
    assert chosen(1e7, 0.25) == "filter"
    assert chosen(1e4, 0.05) == "filter"


def test_edges_of_a_soft_body_are_those_of_its_tetrahedra():
    body = block(0.25)
    simulation = supple.Simulation(supple.Scene(supple.Chain(length=1.0, points=3), body))
    edges = simulation.edges("soft")
    expected = {tuple(sorted((a, b))) for t in body.tetrahedra().tolist() for a in t for b in t if a != b}
    assert {tuple(edge) for edge in edges.tolist()} == expected


@pytest.mark.parametrize("integrator", ["explicit", "filter", "descent"])
def test_a_table_feels_the_weight_of_what_lies_on_it(integrator):
    body = supple.SoftBody.box((0.2, 0.1, 0.2), 0.05, material="jelly", at=(0.0, 0.052, 0.0))
    scene = supple.Scene(body, supple.Plane(friction=0.5, name="table"), drag=2.0)
    simulation = supple.Simulation(scene, integrator=integrator, substeps=10)
    np.testing.assert_array_equal(simulation.tool_force("table"), 0.0)
    for _ in simulation.run(3.0):
        pass
    weight = GRAVITY * simulation.masses("soft").sum()
    np.testing.assert_allclose(simulation.tool_force("table"), [0.0, -weight, 0.0], atol=0.02 * weight)


def test_a_tool_feels_more_the_deeper_it_presses_and_nothing_when_it_is_away():
    body = supple.SoftBody.box((0.2, 0.1, 0.2), 0.05, material="liver").pinned("bottom")
    tool = supple.Sphere(radius=0.03, at=(0.0, 0.2, 0.0), name="tool")
    simulation = supple.Simulation(supple.Scene(body, tool, drag=2.0), substeps="auto")
    felt = []
    for height in (0.12, 0.06, 0.05, 0.12):
        simulation.move_obstacle("tool", (0.0, height, 0.0))
        for _ in simulation.run(1.5):
            pass
        felt.append(simulation.tool_force("tool"))
    pushes = np.array(felt)[:, 1]
    assert pushes[0] == 0.0 and pushes[3] == 0.0
    assert 0.1 < pushes[1] < 0.8 * pushes[2]
    assert np.abs(np.array(felt)[:, [0, 2]]).max() < 0.1 * pushes[2]
