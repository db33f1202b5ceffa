"""Contact with obstacles: nothing goes through, and friction and bounce obey their laws."""

import math

import numpy as np
import pytest

import supple


def patch(**options):
    """Return a stiff little sheet lying flat."""
    options = {"columns": 6, "rows": 6, "plane": "xz", "material": "denim", **options}
    return supple.Cloth.rectangle(width=0.2, height=0.2, **options)


def on_slope(angle, friction, speed=0.0):
    """Return a patch that lies on a slope, moving downhill at `speed`, and the downhill direction."""
    downhill = np.array([math.cos(angle), -math.sin(angle), 0.0])
    up = np.array([math.sin(angle), math.cos(angle), 0.0])
    body = patch(at=0.001 * up, rotation=(0.0, 0.0, -angle), velocity=speed * downhill)
    plane = supple.Plane(rotation=(0.0, 0.0, -angle), friction=friction)
    return supple.Simulation(supple.Scene(body, plane)), downhill


def downhill_speed(simulation, downhill):
    return float((simulation.velocities("cloth") @ downhill).mean())


@pytest.mark.parametrize("friction", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("share", [0.98, 1.02])
def test_a_patch_slides_exactly_when_the_slope_exceeds_the_friction(friction, share):
    angle = math.atan(share * friction)
    simulation, downhill = on_slope(angle, friction)
    for _ in simulation.run(1.0):
        pass
    speed = downhill_speed(simulation, downhill)
    pull = 9.81 * (math.sin(angle) - friction * math.cos(angle))
    assert speed == pytest.approx(max(pull, 0.0), abs=0.02 * 9.81 * friction)
    if share < 1.0:
        assert abs(speed) < 1e-6


def test_a_sliding_patch_slows_down_by_friction_times_gravity():
    simulation, along = on_slope(0.0, 0.3, speed=2.0)
    for _ in simulation.run(0.4):
        pass
    assert (2.0 - downhill_speed(simulation, along)) / 0.4 == pytest.approx(0.3 * 9.81, rel=0.05)


@pytest.mark.parametrize("restitution", [0.3, 0.6, 0.9])
def test_a_bounce_reaches_the_square_of_the_restitution(restitution):
    body = patch(at=(0.0, 1.0, 0.0))
    simulation = supple.Simulation(supple.Scene(body, supple.Plane(restitution=restitution)))
    heights = [simulation.positions("cloth")[:, 1].mean() for _ in simulation.run(1.6)]
    lowest = int(np.argmin(heights[:30]))
    assert max(heights[lowest:]) == pytest.approx(restitution**2, rel=0.05)


def test_a_conveyor_carries_cloth_to_its_speed():
    belt = supple.Box(
        size=(8.0, 0.2, 1.0), at=(0.0, -0.1, 0.0), friction=0.5, motion=lambda t: ((0.8 * t, 0, 0), (0, 0, 0))
    )
    simulation = supple.Simulation(supple.Scene(patch(at=(0.0, 0.001, 0.0)), belt))
    for _ in simulation.run(1.0):
        pass
    assert simulation.velocities("cloth")[:, 0].mean() == pytest.approx(0.8, abs=0.01)


def test_a_turntable_does_not_fling_a_patch_with_enough_friction():
    # Turning at 3 rad/s, 0.3 m out: the pull outwards is 2.7 m/s², friction holds 0.8 g.
    table = supple.Cylinder(
        start=(0, -0.1, 0),
        end=(0, 0, 0),
        radius=1.0,
        friction=0.8,
        motion=lambda t: ((0, 0, 0), (0, 3.0 * t, 0)),
    )
    start = patch(at=(0.3, 0.001, 0.0)).changed(velocity=(0.0, 0.0, -0.9))
    simulation = supple.Simulation(supple.Scene(start, table))
    for _ in simulation.run(2.0):
        pass
    centre = simulation.positions("cloth").mean(axis=0)
    assert math.hypot(centre[0], centre[2]) == pytest.approx(0.3, abs=0.03)
    assert np.linalg.norm(simulation.velocities("cloth").mean(axis=0)) == pytest.approx(0.9, rel=0.05)


@pytest.mark.parametrize(("friction", "stays"), [(0.1, False), (0.6, True)])
def test_cloth_off_the_middle_of_a_ball_slides_or_stays_as_its_friction_says(friction, stays):
    # As with 40 substeps: with 0.1 it has left the ball after a second, with 0.6 it lies still.
    sheet = supple.Cloth.rectangle(
        width=0.8, height=0.8, columns=16, rows=16, plane="xz", at=(0.15, 0.26, 0.0), name="cloth"
    )
    ball = supple.Sphere(radius=0.25, friction=friction)
    simulation = supple.Simulation(supple.Scene(sheet, ball, drag=0.5), substeps=10)
    for report in simulation.run(1.2):
        pass
    assert (report.contacts > 30) == stays
    assert (simulation.positions("cloth")[:, 1].mean() > 0.0) == stays


def test_a_strip_over_a_rod_hangs_straight_down():
    # Contact lets the hanging ends follow at once: they were pulled under the rod at up to half a metre a second.
    rows, edge, radius = 90, 0.012, 0.15
    strip = supple.Cloth.rectangle(
        width=4 * edge, height=edge * (rows - 1), columns=5, rows=rows, material="silk", name="cloth"
    )
    rod = supple.Cylinder(start=(0, 0, -1), end=(0, 0, 1), radius=radius - 0.001, friction=3.0)
    simulation = supple.Simulation(supple.Scene(strip, rod, drag=0.5), substeps=10)
    way = edge * np.arange(rows) - 0.15  # 15 cm hang down on the left, the rest on the right
    angle = np.clip(way / radius, 0.0, np.pi)
    hanging = np.minimum(way, 0.0) + np.minimum(np.pi * radius - way, 0.0)
    particles = simulation.engine.world.particles
    particles.positions[:, 0] = np.repeat(-radius * np.cos(angle), 5)
    particles.positions[:, 1] = np.repeat(radius * np.sin(angle) + hanging, 5)
    particles.positions[:, 2] = np.tile(edge * np.arange(-2, 3), rows)
    for _ in simulation.run(0.8):
        assert np.abs(simulation.velocities("cloth")).max() < 0.1
        assert np.abs(simulation.positions("cloth")[:, 0]).max() < radius + 0.01
    points = simulation.positions("cloth").reshape(rows, 5, 3)
    np.testing.assert_allclose(points[0, :, 0], -radius, atol=0.01)
    np.testing.assert_allclose(points[-1, :, 0], radius, atol=0.02)


@pytest.mark.parametrize("integrator", ["filter", "xpbd", "jacobi", "explicit"])
def test_a_fast_sheet_does_not_jump_over_a_thin_plate(integrator):
    plate = supple.Box(size=(2.0, 0.001, 2.0))
    sheet = patch(at=(0.0, 0.5, 0.0), velocity=(0.0, -100.0, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet, plate), integrator=integrator, substeps=2)
    for report in simulation.run(0.2):
        assert simulation.positions("cloth")[:, 1].min() > 0.0005
    assert report.is_finite


def test_a_fast_plate_does_not_jump_over_a_resting_sheet():
    plate = supple.Box(
        size=(2.0, 0.002, 2.0), at=(0, -1, 0), motion=lambda t: ((0, min(50.0 * t, 3.0), 0), (0, 0, 0))
    )
    simulation = supple.Simulation(supple.Scene(patch(), plate, gravity=(0, 0, 0)))
    for _ in simulation.run(0.08):
        place, _ = simulation.obstacle_pose("box")
        assert simulation.positions("cloth")[:, 1].min() > place[1]


RANDOM_DROPS = 200


def random_solid(random):
    kind = random.integers(7)
    pose = {
        "at": random.uniform(-0.3, 0.3, 3),
        "rotation": random.uniform(-3, 3, 3),
        "friction": random.uniform(0, 1),
    }
    size = random.uniform(0.08, 0.35, 3)
    if kind == 0:
        return supple.Sphere(radius=size[0], **pose)
    if kind == 1:
        return supple.Ellipsoid(radii=size, **pose)
    if kind == 2:
        return supple.Box(size=2 * size, **pose)
    if kind == 3:
        return supple.Box(size=2 * size, rounding=0.5 * size.min(), **pose)
    if kind == 4:
        return supple.Capsule(start=-size, end=size, radius=0.3 * size[0], **pose)
    if kind == 5:
        return supple.Cylinder(start=-size, end=size, radius=size[1], **pose)
    return supple.Torus(radius=size[0] + 0.1, tube=0.3 * size[1] + 0.02, **pose)


@pytest.mark.parametrize("block", range(10))
def test_random_drops_end_every_frame_outside(block):
    for seed in range(block * RANDOM_DROPS // 10, (block + 1) * RANDOM_DROPS // 10):
        random = np.random.default_rng(seed)
        side = int(random.integers(10, 61)) if seed % 20 == 0 else int(random.integers(10, 22))
        direction = random.normal(size=3)
        speed = random.uniform(0.0, 20.0)
        sheet = supple.Cloth.rectangle(
            width=0.8,
            height=0.8,
            columns=side,
            rows=side,
            plane="xz",
            at=(0.0, 1.2, 0.0),
            velocity=speed * direction / np.linalg.norm(direction) - np.array([0.0, 2.0, 0.0]),
            material=["silk", "cotton", "denim"][seed % 3],
        )
        solids = [random_solid(random) for _ in range(int(random.integers(1, 4)))]
        ground = supple.Plane(at=(0.0, -1.0, 0.0), friction=0.5)
        simulation = supple.Simulation(
            supple.Scene(sheet, *solids, ground), substeps=int(random.integers(2, 9))
        )
        for report in simulation.run(0.7):
            assert report.is_finite
            assert simulation.depth() < 1e-4, f"drop {seed}, frame {report.frame}"


def test_cloth_dropped_on_the_ground_comes_to_rest():
    sheet = supple.Cloth.rectangle(
        width=0.6, height=0.6, columns=20, rows=20, plane="xz", at=(0.0, 0.3, 0.0), rotation=(0.4, 0.0, 0.2)
    )
    simulation = supple.Simulation(supple.Scene(sheet, supple.Plane(friction=0.5)))
    for report in simulation.run(3.0):
        pass
    assert report.contacts > 300
    assert report.kinetic_energy < 1e-6


def test_a_union_keeps_cloth_out_of_all_its_parts_and_moves_as_one():
    dumbbell = supple.Union(
        supple.Sphere(radius=0.2, at=(-0.3, 0.0, 0.0)),
        supple.Sphere(radius=0.2, at=(0.3, 0.0, 0.0)),
        supple.Capsule(start=(-0.3, 0.0, 0.0), end=(0.3, 0.0, 0.0), radius=0.05),
        motion=lambda t: ((0.0, 0.1 * t, 0.0), (0.0, t, 0.0)),
    )
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=30, rows=30, plane="xz", at=(0, 0.4, 0))
    simulation = supple.Simulation(supple.Scene(sheet, dumbbell))
    for report in simulation.run(1.5):
        assert simulation.depth() < 1e-4
    assert report.contacts > 20


def test_an_obstacle_led_by_hand_arrives_and_pushes():
    simulation = supple.Simulation(
        supple.Scene(patch(), supple.Sphere(radius=0.1, at=(0, -0.3, 0)), gravity=(0, 0, 0))
    )
    for height in np.linspace(-0.3, 0.1, 20):
        simulation.move_obstacle("sphere", at=(0.0, height, 0.0))
        simulation.step()
        place, turn = simulation.obstacle_pose("sphere")
        np.testing.assert_allclose(place, (0.0, height, 0.0), atol=1e-12)
        np.testing.assert_allclose(turn, np.eye(3), atol=1e-12)
        assert simulation.depth() < 1e-4
    assert simulation.positions("cloth")[:, 1].max() > 0.15


def test_runs_with_obstacles_are_bit_identical():
    def run():
        sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=15, rows=15, plane="xz", at=(0, 0.4, 0))
        simulation = supple.Simulation(
            supple.Scene(sheet, supple.Sphere(radius=0.2), supple.Plane(at=(0, -0.2, 0)))
        )
        for _ in simulation.run(1.0):
            pass
        return simulation.positions("cloth").copy()

    assert np.array_equal(run(), run())
