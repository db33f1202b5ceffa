"""Fabrics that stiffen as they are pulled and rub inside: the curve, the loop, what is lost, and what is remembered."""

import numpy as np
import pytest

import supple
from supple.errors import SuppleError
from supple.forces.membrane import add_membrane_forces
from supple.forces.thread_laws import add_thread_laws, follow_slips, thread_law_energy
from supple.model.thread_laws import REACH
from tests.physics.test_membrane import MATERIAL, cloth

STIFFENING = MATERIAL.changed(stiffening=[[0.05, 3.0], [0.1, 6.0, 4.0]])
RUBBING = MATERIAL.changed(stretch_friction=(8.0, 4.0), shear_friction=2.0)
CREASING = MATERIAL.changed(bending_stiffness=2e-5, bending_friction=4e-4)
BOTH = pytest.mark.parametrize("integrator", ["explicit", "descent"])


def piece(material, **settings):
    body = cloth("irregular", material=material)
    return supple.Simulation(supple.Scene(body, gravity=(0, 0, 0)), integrator="explicit", **settings)


def forces_at(simulation, gradient):
    """Return the forces on a sheet deformed as a whole, friction following, (n, 3) [N]."""
    membrane = simulation.engine.world.membrane
    rest = simulation.engine.world.particles.positions
    positions = rest @ gradient.T
    follow_slips(positions, membrane.arrays, membrane.laws)
    forces = np.zeros_like(rest)
    add_membrane_forces(positions, np.zeros_like(rest), membrane.arrays, forces)
    add_thread_laws(positions, membrane.arrays, membrane.laws, forces)
    return forces


def work_on(simulation, forces, gradient):
    """Return the work per area [N/m] that forces take when a sheet is deformed by so much."""
    world = simulation.engine.world
    return -(forces * (world.particles.positions @ gradient.T)).sum() / world.membrane.arrays.areas.sum()


def pull_at(simulation, warp, weft=0.0):
    """Return the stress of warp and weft [N/m] of a sheet stretched as a whole."""
    forces = forces_at(simulation, np.diag([1.0 + weft, 1.0 + warp, 1.0]))
    return work_on(simulation, forces, np.diag([0.0, 1.0, 0.0])), work_on(
        simulation, forces, np.diag([1.0, 0.0, 0.0])
    )


def skewed(angle):
    """Return the gradient of a sheet in a picture frame, and its slope by the angle: threads turn and keep their lengths."""
    c, s = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return np.array([[c, s, 0], [s, c, 0], [0, 0, 1.0]]), 0.5 * np.array(
        [[-s, c, 0], [c, -s, 0], [0, 0, 0.0]]
    )


def test_threads_are_so_many_times_stiffer_at_the_points_of_the_curve():
    simulation = piece(STIFFENING)
    for strain, factor in ((0.0, 1.0), (0.025, 2.0), (0.05, 3.0), (0.075, 4.5), (0.1, 6.0), (0.15, 6.0)):
        step, pulls = 1e-5, []
        for way in (-step, step):
            # The weft as narrow as it gets by itself: C₂₂ ε₂ + C₁₂ ε₁ = 0, as nothing stiffens what is pressed.
            narrow = -0.25 * np.sqrt(1000.0 / 400.0) * (strain + way)
            pulls.append(pull_at(simulation, strain + way, narrow)[0])
        slope = (pulls[1] - pulls[0]) / (2.0 * step)
        assert slope == pytest.approx(1000.0 * factor, rel=0.01), strain


def test_warp_and_weft_stiffen_apart():
    simulation = piece(STIFFENING.changed(poisson_ratio=0.0))
    slopes = [
        (pull_at(simulation, 0.0, e + 1e-5)[1] - pull_at(simulation, 0.0, e - 1e-5)[1]) / 2e-5
        for e in (0.05, 0.1)
    ]
    np.testing.assert_allclose(slopes, [1200.0, 1600.0], rtol=0.01)


def test_a_loop_is_as_wide_as_twice_the_friction():
    simulation = piece(RUBBING)
    there = [pull_at(simulation, e) for e in np.linspace(0.0, 0.04, 81)]
    back = [pull_at(simulation, e) for e in np.linspace(0.04, 0.0, 81)]
    assert there[40][0] - back[40][0] == pytest.approx(16.0, rel=1e-6)
    again = piece(RUBBING)
    moments = {}
    for angle in (*np.linspace(0.0, 0.2, 81), *np.linspace(0.2, 0.1, 41)):
        gradient, slope = skewed(angle)
        moments.setdefault(round(angle, 6), []).append(work_on(again, forces_at(again, gradient), slope))
    assert moments[0.1][0] - moments[0.1][1] == pytest.approx(4.0 * np.cos(0.1), rel=1e-6)


def test_the_pull_of_laws_is_minus_the_slope_of_their_energy():
    generator = np.random.default_rng(1)
    # Friction has an energy as long as it holds.
    for material, size in (
        (STIFFENING.changed(stretch_friction=5.0, shear_friction=3.0), 1e-4),
        (STIFFENING, 0.05),
    ):
        world = piece(material).engine.world
        membrane, rest = world.membrane, world.particles.positions
        positions = rest + size * generator.standard_normal(rest.shape)
        forces = np.zeros_like(rest)
        add_thread_laws(positions, membrane.arrays, membrane.laws, forces)
        for i, axis in ((0, 0), (7, 1), (12, 2)):
            around = []
            for way in (-1e-7, 1e-7):
                moved = positions.copy()
                moved[i, axis] += way
                around.append(thread_law_energy(moved, membrane.arrays, membrane.laws))
            slope = (around[1] - around[0]) / 2e-7
            assert forces[i, axis] == pytest.approx(-slope, rel=1e-5, abs=1e-5)


def moving(material, integrator="descent", **settings):
    body = cloth("irregular", 2, material=material).pinned(0, 8).changed(rotation=(-np.pi / 2, 0.0, 0.0))
    return supple.Simulation(supple.Scene(body), integrator=integrator, substeps=10, **settings)


@BOTH
def test_a_load_hangs_where_the_curve_says(integrator):
    material = supple.Material(
        area_density=0.1, stretch_stiffness=100.0, shear_stiffness=20.0, bending_stiffness=1e-6,
        stiffening=[[0.05, 4.0], [0.2, 8.0]], damping=0.5,
    )  # fmt: skip
    strip = supple.Cloth.panel(
        outline=[[0, 0], [0.05, 0], [0.05, 0.3], [0, 0.3]], size=0.025, material=material, name="strip"
    )
    places = strip.local_points()
    top = np.flatnonzero(places[:, 1] > 0.2999).tolist()
    low = np.flatnonzero(places[:, 1] < 0.2999)
    masses = np.full(len(places), 1e-4)
    masses[places[:, 1] < 1e-4] = 0.1 / (places[:, 1] < 1e-4).sum()
    scene = supple.Scene(strip.pinned(top).changed(masses=masses.tolist()), drag=8.0)
    simulation = supple.Simulation(scene, integrator=integrator, substeps=10)
    for _ in simulation.run(2.0):
        pass
    lowest = simulation.positions("strip")[low, 1].min()
    found = -(lowest - places[:, 1].min() - 0.0) / 0.3
    # Pull per width of 0.1 kg on 5 cm: E (ε + 30 ε²) up to 5 %, then by the second ramp.
    wanted = 0.1 * 9.81 / 0.05
    curve = np.linspace(0.0, 0.2, 20001)
    slope = 100.0 * np.where(curve < 0.05, 1.0 + 60.0 * curve, 4.0 + (curve - 0.05) * 4.0 / 0.15)
    pull = np.concatenate([[0.0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * np.diff(curve))])
    assert found == pytest.approx(np.interp(wanted, pull, curve), rel=0.06)


@BOTH
def test_friction_takes_energy_and_never_gives_any(integrator):
    lost = []
    for material in (MATERIAL, RUBBING.changed(bending_friction=1e-3)):
        simulation = moving(material, integrator)
        energies = []
        for _ in range(40):
            report = simulation.step()
            energies.append(report.kinetic_energy + report.potential_energy)
        # A frame of explicit steps measures positions and speeds half a step apart.
        assert np.diff(energies).max() < 0.01 * np.ptp(energies) + 0.004
        lost.append(energies[0] - energies[-1])
    assert lost[1] > lost[0] + 0.01


@BOTH
def test_a_free_sheet_that_rubs_and_stiffens_keeps_its_momenta(integrator):
    material = STIFFENING.changed(stretch_friction=5.0, shear_friction=3.0, bending_friction=1e-3)
    body = cloth("irregular", material=material)
    simulation = supple.Simulation(supple.Scene(body, gravity=(0, 0, 0)), integrator=integrator, substeps=10)
    particles = simulation.engine.world.particles
    particles.velocities[:] = np.cross([1.0, 2.0, 0.5], particles.positions)
    particles.velocities[0] += 0.3
    first = simulation.step()
    for _ in range(20):
        last = simulation.step()
    np.testing.assert_allclose(first.linear_momentum, last.linear_momentum, atol=1e-9)
    np.testing.assert_allclose(first.angular_momentum, last.angular_momentum, atol=1e-7)


def bent_after_load(material, integrator):
    """Return how far the tip of a strip stays down when gravity is taken away again, over how far it hung [-]."""
    strip = supple.Cloth.panel(
        outline=[[0, 0], [0.08, 0], [0.08, 0.02], [0, 0.02]], size=0.01, material=material, name="strip",
        rotation_deg=(-90, 0, 0),
    )  # fmt: skip
    places = strip.local_points()
    held, tip = np.flatnonzero(places[:, 0] < 0.011).tolist(), places[:, 0] > 0.0799
    simulation = supple.Simulation(
        supple.Scene(strip.pinned(held), drag=10.0), integrator=integrator, substeps=10
    )
    for _ in simulation.run(1.0):
        pass
    loaded = simulation.positions("strip")[tip, 1].mean()
    simulation.set(gravity=(0.0, 0.0, 0.0))
    for _ in simulation.run(1.5):
        pass
    return simulation.positions("strip")[tip, 1].mean() / loaded


@BOTH
def test_bent_cloth_that_rubs_keeps_a_part_of_its_bend(integrator):
    assert bent_after_load(CREASING.changed(bending_friction=0.0), integrator) < 0.1
    assert 0.2 < bent_after_load(CREASING, integrator) < 0.9


def test_a_saved_run_remembers_where_friction_has_slipped_bit_for_bit(tmp_path):
    simulation = moving(RUBBING.changed(stiffening=[[0.03, 2.0]], bending_friction=1e-3))
    for _ in range(5):
        simulation.step()
    simulation.cut("cloth", path=[(-0.6, 0.0, 0.03), (0.1, 0.0, 0.05)])
    simulation.step()
    assert np.abs(simulation.engine.world.membrane.laws.slips).max() > REACH[0]
    snapshot = simulation.snapshot()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(3):
        simulation.step()
        again.step()
    expected = simulation.positions("cloth").copy()
    np.testing.assert_array_equal(expected, again.positions("cloth"))
    simulation.restore(snapshot)
    for _ in range(3):
        simulation.step()
    np.testing.assert_array_equal(expected, simulation.positions("cloth"))


def test_a_cut_leaves_the_slips_of_all_other_triangles():
    simulation = moving(RUBBING)
    for _ in range(8):
        simulation.step()
    before = simulation.engine.world.membrane
    slips = {key.tobytes(): slip for key, slip in zip(before.places, before.laws.slips.copy(), strict=True)}
    simulation.cut("cloth", path=[(-0.6, 0.0, 0.03), (0.1, 0.0, 0.05)])
    after = simulation.engine.world.membrane
    same = [
        (slip, slips[key.tobytes()])
        for key, slip in zip(after.places, after.laws.slips, strict=True)
        if key.tobytes() in slips
    ]
    assert len(slips) > len(same) > 0.6 * len(slips)
    np.testing.assert_array_equal(*map(np.array, zip(*same, strict=True)))
    for _ in range(5):
        assert simulation.step().is_finite


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"stiffening": [[0.05, 3.0], [0.02, 5.0]]}, "above 0.05"),
        ({"stiffening": [[0.05, 0.1]]}, "at least 0.5"),
        ({"stiffening": [[0.1, 2.0], [0.2, 3.0], [0.3, 4.0]]}, "one or two"),
        ({"stiffening": [[0.1]]}, r"must be \[elongation"),
        ({"stiffening": 3.0}, "must be a list"),
        ({"shear_friction": -1.0}, "at least 0"),
        ({"bending_friction": (1.0, -1.0)}, "at least 0"),
        ({"stretch_friction": 1e9}, "at most 100000"),
    ],
)
def test_impossible_laws_are_refused(values, told):
    with pytest.raises(SuppleError, match=told):
        MATERIAL.changed(**values)


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "implicit", "xpbd"])
def test_who_does_not_know_them_refuses_laws(integrator):
    body = cloth("irregular", membrane=None, material=RUBBING)
    with pytest.raises(SuppleError, match=r"internal friction.*does not know"):
        supple.Simulation(supple.Scene(body), integrator=integrator)
    with pytest.raises(SuppleError, match="springs do not know"):
        supple.Simulation(supple.Scene(cloth("grid", membrane=None, material=RUBBING)))
    with pytest.raises(SuppleError, match="rows and columns do not know"):
        supple.Simulation(supple.Scene(cloth("grid", material=CREASING)))


def test_a_file_declares_laws(tmp_path):
    (tmp_path / "scene.toml").write_text(
        '[material.knit]\nlike = "cotton"\nstiffening = [[0.05, 3], [0.1, 6, 4]]\nshear_friction = 1.5\n'
        "stretch_friction = [4, 2]\nbending_friction = 2e-4\n"
        '[cloth.sheet]\nmaterial = "knit"\npanel = { outline = [[0, 0], [1, 0], [0, 1]], size = 0.3 }\n'
    )
    material = supple.read_scene(tmp_path / "scene.toml").materials["knit"]
    assert material.stiffening == ((0.05, 3.0), (0.1, 6.0, 4.0))
    assert material.stretch_friction == (4.0, 2.0) and material.bending_friction == 2e-4
