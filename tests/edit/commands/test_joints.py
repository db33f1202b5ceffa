"""Joints: a vertex of one body held at a vertex of another, while it runs."""

import numpy as np
import pytest

from supple import Chain, Cloth, Scene, Simulation, SoftBody, SuppleError

INTEGRATORS = ("filter", "descent", "implicit", "xpbd", "explicit")


def two_chains(*, is_held: bool, **settings) -> Simulation:
    """Return two chains, the second below the first, not joined yet."""
    rope = {
        "length": 0.5,
        "points": 6,
        "stretch_stiffness": 1.0e5 if is_held else 1.0e4,
        "damping": 50.0 * is_held,
    }
    upper = Chain(name="upper", **rope)
    lower = Chain(name="lower", at=(0.0, -0.5, 0.0), **rope)
    gravity = (0.0, -9.81, 0.0) if is_held else (0.0, 0.0, 0.0)
    return Simulation(Scene(upper.pinned("start") if is_held else upper, lower, gravity=gravity), **settings)


def gap(simulation: Simulation) -> float:
    """Return how far the ends are apart [m]."""
    return float(np.linalg.norm(simulation.positions("upper")[5] - simulation.positions("lower")[0]))


def momenta(simulation: Simulation) -> np.ndarray:
    """Return the linear and the angular momentum of both bodies, (6,)."""
    sums = np.zeros(6)
    for name in ("upper", "lower"):
        impulses = simulation.masses(name)[:, None] * simulation.velocities(name)
        sums[:3] += impulses.sum(axis=0)
        sums[3:] += np.cross(simulation.positions(name), impulses).sum(axis=0)
    return sums


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_joint_holds_a_kilonewton_within_a_tenth_of_a_millimetre(integrator):
    simulation = two_chains(is_held=True, integrator=integrator)
    simulation.attach(("upper", 5), ("lower", 0), seconds=0.0)
    largest = 0.0
    for frame in range(80):
        simulation.push("lower", 5, (0.0, -1000.0 * min(1.0, frame / 30), 0.0))
        simulation.step()
        largest = max(largest, gap(simulation))
    assert simulation.pin_forces("upper")[0, 1] > 990.0, "the load is there"
    assert 0.0 < largest < 1.0e-4


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_joint_keeps_both_momenta(integrator):
    simulation = two_chains(is_held=False, integrator=integrator)
    simulation.attach(("upper", 5), ("lower", 0), seconds=0.0)
    simulation.push("upper", 2, (3.0, 1.0, 0.0))
    simulation.push("lower", 3, (-1.0, 2.0, 4.0))
    for _ in range(4):  # velocities of second order know of a push after a few substeps
        simulation.step()
    before = momenta(simulation)
    for _ in range(20):
        simulation.step()
    assert np.linalg.norm(before[:3]) > 0.05
    np.testing.assert_allclose(momenta(simulation), before, rtol=0.0, atol=1.0e-10)
    assert gap(simulation) < 1.0e-6


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_bodies_that_are_apart_are_drawn_together_without_a_clash(integrator):
    rope = {"length": 0.5, "points": 6, "stretch_stiffness": 1.0e4, "damping": 5.0}
    upper, lower = Chain(name="upper", **rope), Chain(name="lower", at=(0.05, -0.5, 0.0), **rope)
    simulation = Simulation(Scene(upper.pinned("start"), lower), integrator=integrator)
    simulation.attach(("upper", 5), ("lower", 0), seconds=0.2)
    fastest = 0.0
    for _ in range(25):
        simulation.step()
        fastest = max(fastest, float(np.abs(simulation.velocities("lower")).max()))
    assert gap(simulation) < 1.0e-4
    assert fastest < 2.0, "5 cm in 0.2 s are 0.25 m/s on average"


def block(name: str, below: tuple[float, float, float]) -> tuple[SoftBody, int]:
    """Return a block of rubber whose corner is at a point, and the number of that corner."""
    x, y, z = below
    body = SoftBody.box(
        size=(0.1, 0.1, 0.1), cell=0.05, at=(x + 0.05, y - 0.05, z + 0.05), material="rubber", name=name
    )
    corners = Simulation(Scene(body)).positions(name)
    return body, int(np.argmin(np.linalg.norm(corners - below, axis=1)))


def test_a_soft_body_hangs_on_a_joint_that_carries_a_kilonewton():
    rope = Chain(name="upper", length=0.5, points=6, stretch_stiffness=1.0e5, damping=50.0).pinned("start")
    soft, corner = block("lower", (0.0, -0.5, 0.0))
    simulation = Simulation(Scene(rope, soft), integrator="descent")
    simulation.attach(("upper", 5), ("lower", corner), seconds=0.0)
    largest = carried = 0.0
    for frame in range(60):
        # At the joint: rubber would be torn out of shape by a kilonewton elsewhere.
        simulation.push("lower", corner, (0.0, -1000.0 * min(1.0, frame / 30), 0.0))
        simulation.step()
        apart = simulation.positions("upper")[5] - simulation.positions("lower")[corner]
        largest = max(largest, float(np.linalg.norm(apart)))
        carried = max(carried, float(simulation.pin_forces("upper")[0, 1]))  # the block swings
    assert carried > 990.0, "the load is there"
    assert 0.0 < largest < 1.0e-4


@pytest.mark.parametrize("integrator", ("filter", "descent", "explicit"))
def test_soft_bodies_that_are_joined_keep_both_momenta(integrator):
    upper, first = block("upper", (0.0, 0.0, 0.0))
    lower, second = block("lower", (-0.1, 0.0, -0.1))
    second = int(np.argmin(np.linalg.norm(Simulation(Scene(lower)).positions("lower"), axis=1)))
    simulation = Simulation(Scene(upper, lower, gravity=(0.0, 0.0, 0.0)), integrator=integrator)
    simulation.attach(("upper", first), ("lower", second), seconds=0.0)
    simulation.push("upper", 2, (30.0, 10.0, 0.0))
    simulation.push("lower", 3, (-10.0, 20.0, 40.0))
    for _ in range(4):
        simulation.step()
    before = momenta(simulation)
    for _ in range(20):
        simulation.step()
    assert np.linalg.norm(before[:3]) > 0.05
    np.testing.assert_allclose(momenta(simulation), before, rtol=0.0, atol=1.0e-10)
    apart = simulation.positions("upper")[first] - simulation.positions("lower")[second]
    assert np.linalg.norm(apart) < 1.0e-6


def test_a_joint_of_a_soft_body_is_undone_saved_and_refused_at_several_levels(tmp_path):
    rope = Chain(name="upper", length=0.5, points=6, stretch_stiffness=1.0e5, damping=50.0).pinned("start")
    soft, corner = block("lower", (0.0, -0.5, 0.0))
    simulation = Simulation(Scene(rope, soft))
    joint = simulation.attach(("upper", 5), ("lower", corner), seconds=0.0)
    script = simulation.script
    for _ in range(5):
        simulation.step()
    simulation.save(tmp_path / "joint.npz")
    other = Simulation.load(tmp_path / "joint.npz")
    again = Simulation(Scene(rope, soft))
    again.replay(script)
    for _ in range(5):
        again.step()
    np.testing.assert_array_equal(again.positions("lower"), simulation.positions("lower"))
    for each in (simulation, other):
        for _ in range(5):
            each.step()
    np.testing.assert_array_equal(other.positions("lower"), simulation.positions("lower"))
    simulation.detach(joint)
    for _ in range(5):
        simulation.step()
    assert np.linalg.norm(simulation.positions("upper")[5] - simulation.positions("lower")[corner]) > 0.03
    fine = SoftBody.box(size=(0.1, 0.1, 0.1), cell=0.05, levels=2, at=(1.0, 0.0, 0.0), name="fine")
    with pytest.raises(SuppleError, match="several levels"):
        Simulation(Scene(rope, fine)).attach(("upper", 5), ("fine", 0))
    with pytest.raises(SuppleError, match="only bodies of springs"):
        simulation.seam(("upper", [4, 5]), ("lower", [0, 1]))


def test_detached_bodies_part_and_undo_joins_them_again():
    simulation = two_chains(is_held=True)
    joint = simulation.attach(("upper", 5), ("lower", 0), seconds=0.0)
    for _ in range(5):
        simulation.step()
    simulation.detach(joint)
    for _ in range(5):
        simulation.step()
    assert gap(simulation) > 0.03
    simulation.undo()
    for _ in range(30):
        simulation.step()
    assert gap(simulation) < 1.0e-4


def test_a_joint_breaks_at_its_strength():
    simulation = two_chains(is_held=True)
    simulation.attach(("upper", 5), ("lower", 0), seconds=0.0, strength=100.0)
    for _ in range(10):
        simulation.step()
    assert simulation.seams == (0,)
    for _ in range(10):
        simulation.push("lower", 5, (0.0, -200.0, 0.0))
        simulation.step()
    assert simulation.seams == ()


@pytest.mark.parametrize("integrator", ("filter", "descent"))
def test_a_joint_between_cloth_and_chain_is_saved_bit_for_bit(tmp_path, integrator):
    cloth = Cloth.rectangle(width=0.4, height=0.4, columns=5, rows=5, name="banner")
    x, y, z = Simulation(Scene(cloth)).positions("banner")[0].tolist()
    rope = Chain(name="rope", length=0.5, points=6, at=(x, y + 0.5, z)).pinned("start")
    scene = Scene(rope, cloth)
    simulation = Simulation(scene, integrator=integrator)
    simulation.attach(("rope", 5), ("banner", 0), seconds=0.1)
    for _ in range(10):
        simulation.step()
    simulation.save(tmp_path / "joint.npz")
    others = [Simulation.load(tmp_path / "joint.npz"), simulation.copy()]
    for _ in range(10):
        simulation.step()
        for other in others:
            other.step()
    for other in others:
        np.testing.assert_array_equal(other.positions("banner"), simulation.positions("banner"))
        np.testing.assert_array_equal(other.positions("rope"), simulation.positions("rope"))
    assert np.linalg.norm(simulation.positions("rope")[5] - simulation.positions("banner")[0]) < 1.0e-4


def test_what_cannot_be_joined_is_refused():
    with pytest.raises(SuppleError, match="jacobi"):
        two_chains(is_held=True, integrator="jacobi").attach(("upper", 5), ("lower", 0))
    with pytest.raises(SuppleError, match="Use `seam`"):
        two_chains(is_held=True).attach(("upper", 5), ("upper", 0))
