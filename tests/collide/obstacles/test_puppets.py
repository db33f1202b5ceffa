"""Puppets: surfaces that deform as they are told, and cloth that gives way to them."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.collide.obstacles import puppets
from supple.constrain.kinematic_points import place_between
from supple.errors import SceneError, SuppleError
from supple.scene.obstacles.mesh_parts import rounded_box, turned_part
from tests.collide.inside import depth


def ball(radius, rings=14, segments=24):
    angles = np.linspace(0.0, np.pi, rings)
    profile = np.stack([radius * np.sin(angles), -radius * np.cos(angles)], axis=1)
    profile[[0, -1], 0] = 0.0
    return turned_part(profile, segments)


def breathing_ball(period=1.0, amount=0.25, **options):
    vertices, triangles = ball(0.2)
    moments = np.linspace(0.0, period, 51)
    sizes = 1.0 + amount * np.sin(2.0 * np.pi * moments / period)
    return supple.Puppet(
        moments=moments, samples=sizes[:, None, None] * vertices, triangles=triangles, loop=True, **options
    )


def bending_arm(turn=1.6, seconds=0.8, **options):
    """A rod that lies along x and bends upwards about z beyond its middle."""
    vertices, triangles = ball(0.08, rings=22, segments=16)
    x, y, z = (vertices[:, [1, 0, 2]] * (5.0, -1.0, 1.0)).T
    moments = np.linspace(0.0, seconds, 41)
    samples = []
    for moment in moments:
        angle = turn * np.sin(0.5 * np.pi * moment / seconds) * np.clip(x / 0.2, 0.0, 1.0)
        cos, sin = np.cos(angle), np.sin(angle)
        samples.append(np.stack([cos * x - sin * y, sin * x + cos * y, z], axis=1))
    return supple.Puppet(moments=moments, samples=samples, triangles=triangles, **options)


def gliding_slab(velocity, seconds=1.0, size=(1.2, 0.1, 0.8), **options):
    vertices, triangles = rounded_box(size, 0.3 * min(size), spacing=0.1)
    way = np.asarray(velocity, dtype=float) * seconds
    return supple.Puppet(
        moments=[0.0, seconds], samples=[vertices, vertices + way], triangles=triangles, **options
    )


def sheet(columns=21, width=0.6, at=(0.0, 0.26, 0.0), **options):
    return supple.Cloth.rectangle(
        width=width, height=width, columns=columns, rows=columns, plane="xz", at=at, **options
    )


def deepest_of(simulation):
    corners = simulation.positions("puppet")[simulation.triangles("puppet")]
    return depth(simulation.positions("cloth"), corners)


def test_a_puppet_is_where_its_samples_say_at_the_end_of_every_frame():
    puppet = breathing_ball(at=(0.0, 0.1, 0.3), rotation=(0.0, 0.4, 0.0))
    simulation = supple.Simulation(supple.Scene(puppet, sheet(columns=5, at=(0.0, 0.4, 0.3))))
    turned = simulation.positions("puppet") - (0.0, 0.1, 0.3)
    for report in simulation.run(1.2):
        size = np.interp(report.time % 1.0, puppet.moments, 1.0 + 0.25 * np.sin(2.0 * np.pi * puppet.moments))
        assert np.allclose(simulation.positions("puppet"), size * turned + (0.0, 0.1, 0.3), atol=1e-9)


@pytest.mark.parametrize("integrator", ["filter", "xpbd"])
@pytest.mark.parametrize("make", [breathing_ball, bending_arm])
def test_no_point_of_a_cloth_is_inside_a_puppet_that_deforms(make, integrator):
    simulation = supple.Simulation(supple.Scene(make(friction=0.3), sheet()), integrator=integrator)
    most = 0
    for report in simulation.run(1.2):
        assert report.is_finite
        most = max(most, report.contacts)
        if report.frame % 4 == 0:
            assert deepest_of(simulation) <= 1e-4
    assert most > 20


def test_with_xpbd_cloth_keeps_its_stretch_limit_on_a_ball_that_grows():
    """Cotton is limited to 8 %; a ball that grows by half under it must slip beneath, friction or not."""
    scene = supple.Scene(breathing_ball(amount=0.2, friction=0.5), sheet(width=0.7, at=(0.0, 0.21, 0.0)))
    simulation = supple.Simulation(scene, integrator="xpbd")
    assert max(report.max_stretch for report in simulation.run(1.2)) < 1.1


def test_the_test_of_depth_finds_what_is_inside():
    vertices, triangles = ball(0.2)
    assert depth(np.array([[0.0, 0.0, 0.0]]), vertices[triangles]) == pytest.approx(0.198, abs=0.003)
    assert depth(np.array([[0.0, 0.21, 0.0]]), vertices[triangles]) == 0.0


def test_friction_carries_what_lies_on_a_puppet_and_without_it_nothing_is_carried():
    ways = {}
    for friction in (0.0, 1.0):
        slab = gliding_slab((0.3, 0.0, 0.0), friction=friction)
        cloth = sheet(columns=9, width=0.3, at=(0.0, 0.052, 0.0))
        simulation = supple.Simulation(supple.Scene(slab, cloth))
        for _ in simulation.run(1.0):
            pass
        ways[friction] = float(simulation.positions("cloth")[:, 0].mean())
        assert simulation.positions("cloth")[:, 1].min() >= 0.05
    assert abs(ways[0.0]) < 1e-3
    assert ways[1.0] == pytest.approx(0.3, abs=0.02)


def test_what_friction_can_carry_ends_at_its_coefficient():
    """A slab that gets faster by 4 m/s² carries with μ = 0.2 no more than 0.2 g; in 0.4 s that is 0.157 m of 0.32 m."""
    vertices, triangles = rounded_box((1.6, 0.1, 0.8), 0.02, spacing=0.1)
    moments = np.linspace(0.0, 0.4, 81)
    samples = vertices + 0.5 * 4.0 * moments[:, None, None] ** 2 * np.array([1.0, 0.0, 0.0])
    slab = supple.Puppet(moments=moments, samples=samples, triangles=triangles, friction=0.2)
    cloth = sheet(columns=7, width=0.2, at=(0.0, 0.051, 0.0))
    simulation = supple.Simulation(supple.Scene(slab, cloth))
    for _ in simulation.run(0.4):
        pass
    assert float(simulation.positions("cloth")[:, 0].mean()) == pytest.approx(0.157, rel=0.05)


@pytest.mark.parametrize("speed", [3.0, 20.0, 60.0])
def test_a_fast_puppet_passes_nothing_by(speed):
    """A plate of 2 cm that comes from below at up to 60 m/s, 12 cm in a substep, takes the cloth with it."""
    plate = gliding_slab((0.0, speed, 0.0), seconds=0.2, size=(1.0, 0.02, 1.0), at=(0.0, -0.1, 0.0))
    simulation = supple.Simulation(supple.Scene(plate, sheet(columns=7, width=0.3, at=(0.0, 0.0, 0.0))))
    for _ in simulation.run(0.2):
        pass
    assert simulation.positions("cloth")[:, 1].min() > simulation.positions("puppet")[:, 1].max() - 1e-4


def test_vertices_that_a_file_has_split_along_seams_count_as_one():
    vertices, triangles = ball(0.2)
    split = supple.Puppet(
        moments=[0.0],
        samples=vertices[triangles.ravel()][None],
        triangles=np.arange(triangles.size).reshape(-1, 3),
    )
    simulation = supple.Simulation(supple.Scene(split, sheet(at=(0.0, 0.22, 0.0))))
    for _ in simulation.run(0.8):
        pass
    assert deepest_of(simulation) <= 1e-4
    assert np.ptp(simulation.positions("cloth")[:, 1]) > 0.1  # it lies over the ball and did not fall through


def test_a_run_with_a_puppet_is_saved_and_goes_on_bit_for_bit(tmp_path):
    simulation = supple.Simulation(supple.Scene(breathing_ball(), sheet(columns=9)))
    for _ in simulation.run(0.5):
        pass
    simulation.save(tmp_path / "half.state")
    again = supple.Simulation.load(tmp_path / "half.state")
    for _ in zip(simulation.run(0.4), again.run(0.4), strict=True):
        pass
    assert again.positions("cloth").tobytes() == simulation.positions("cloth").tobytes()
    assert again.positions("puppet").tobytes() == simulation.positions("puppet").tobytes()


def test_cutting_a_cloth_leaves_a_puppet_in_its_motion():
    simulation = supple.Simulation(supple.Scene(sheet(columns=9), breathing_ball()))
    for _ in simulation.run(0.2):
        pass
    simulation.cut("cloth", plane=((0.0, 0.2, 0.0), (1.0, 0.0, 0.0)))
    for report in simulation.run(0.4):
        assert report.is_finite
    size = 0.2 * (1.0 + 0.25 * np.sin(2.0 * np.pi * 0.6))
    assert np.allclose(np.linalg.norm(simulation.positions("puppet"), axis=1), size, atol=1e-3)


def test_nobody_can_hold_or_cut_a_puppet():
    simulation = supple.Simulation(supple.Scene(sheet(columns=5), breathing_ball()))
    with pytest.raises(SuppleError, match="is a puppet"):
        simulation.grab("puppet", vertex=0, target=(0.0, 1.0, 0.0))
    with pytest.raises(SuppleError, match="Only cloth can"):
        simulation.cut("puppet", plane=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert len(simulation.pinned("puppet")) == 0


CORNERS = [[0, 0, 0], [1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"moments": [0.0, 0.0], "samples": [CORNERS, CORNERS]}, "must ascend"),
        ({"moments": [0.0], "samples": [CORNERS, CORNERS]}, "holds 1 numbers, but there are 2 samples"),
        ({"moments": [0.0], "samples": CORNERS}, "must be rows of points"),
        ({"moments": [0.0], "samples": [CORNERS], "triangles": [[0, 1, 3]]}, "points run from 0 to 2"),
        ({"moments": [0.0], "samples": [CORNERS], "pins": [0]}, "goes where its samples say"),
        ({"moments": [0.0], "samples": [CORNERS], "velocity": (1, 0, 0)}, "goes where its samples say"),
        ({"moments": [float("nan")], "samples": [CORNERS]}, "moments"),
    ],
)
def test_what_is_wrong_with_a_puppet_is_told(values, words):
    with pytest.raises(SceneError, match=words):
        supple.Puppet(**{"triangles": [[0, 1, 2]], **values})


# ---------------------------------------------------------------- kernels, compiled and not


@pytest.fixture
def surface():
    """A ball of radius 0.2 that has just moved up by 1 cm, as arrays."""
    vertices, triangles = ball(0.2, rings=7, segments=8)
    scene = supple.Scene(
        supple.Puppet(moments=[0, 1], samples=[vertices, vertices], triangles=triangles), sheet(columns=2)
    )
    simulation = supple.Simulation(scene)
    found = simulation.engine.puppets
    particles = simulation.engine.world.particles
    particles.starts[:] = particles.positions
    particles.positions[: len(vertices), 1] += 0.01
    found.begin()
    return found, particles


def versions(kernel):
    return [kernel, kernel.py_func]


def test_the_distance_has_a_sign_and_a_direction(surface):
    found, particles = surface
    assert found.move == pytest.approx(0.01)
    rng = np.random.default_rng(1)
    for place in rng.normal(size=(20, 3)) * 0.2:
        answers = [
            measure(found.surface, particles.arrays, *place, found.scratch)
            for measure in versions(puppets.signed_distance)
        ]
        assert answers[0] == pytest.approx(answers[1])
        radius = np.linalg.norm(place - (0.0, 0.01, 0.0))
        assert answers[0][0] == pytest.approx(radius - 0.2, abs=0.03)  # the ball has flat faces
        assert np.dot(answers[0][1:4], place - (0.0, 0.01, 0.0)) > 0.7 * radius


@pytest.mark.parametrize(
    "name", ["box_distance2", "corner_angle", "face_normal", "outward", "nearest_triangle"]
)
def test_small_kernels_agree_with_their_source(surface, name):
    found, particles = surface
    triangles = found.surface.triangles
    arguments = {
        "box_distance2": (found.surface.boxes, 0, 1.0, 0.3, -2.0),
        "corner_angle": (triangles, 3, 1, particles.positions),
        "face_normal": (triangles, 5, particles.positions),
        "outward": (found.surface, 4, 5, particles.positions),
        "nearest_triangle": (found.surface, particles.arrays, 0.5, 0.1, 0.3, 0.0, found.scratch),
    }[name]
    compiled, plain = (version(*arguments) for version in versions(getattr(puppets, name)))
    assert compiled == pytest.approx(plain)


def test_a_sweep_finds_the_first_meeting(surface):
    found, particles = surface
    for sweep in versions(puppets.first_meeting):
        place = found.surface, particles.arrays
        share, _ = sweep(*place, (0.0, 0.61, 0.0), (0.0, -0.4, 0.0), 1.02, found.scratch)
        # From 0.61 m down by 1.01 m while the top of the ball comes up from 0.2 m by 1 cm.
        assert share == pytest.approx(0.41 / 1.02, abs=1e-3)
        share, triangle = sweep(*place, (0.5, 0.5, 0.0), (0.5, -0.5, 0.0), 1.01, found.scratch)
        assert (share, triangle) == (2.0, -1)


def test_weights_tell_the_place_they_came_from():
    corners = np.array([0.0, 0, 0, 1, 0, 0, 0, 0, 2])
    for weights in versions(puppets.barycentric_weights):
        assert weights(corners, 0.25, 0.0, 1.0) == pytest.approx((0.25, 0.25, 0.5))
        assert weights(np.zeros(9), 1.0, 0.0, 0.0) == (1.0, 0.0, 0.0)
    for weighted in versions(puppets.weighted_point):
        place = weighted(np.array([[0, 1, 2, 2]]), 0, 0.25, 0.25, 0.5, corners.reshape(3, 3))
        assert place == pytest.approx((0.25, 0.0, 1.0))


def test_particles_are_moved_the_same_compiled_or_not(surface):
    found, particles = surface
    particles.starts[-4:] = [[0.0, 0.22, 0.0], [0.3, 0.0, 0.0], [0.1, 0.19, 0.0], [0.0, 1.0, 0.0]]
    particles.positions[-4:] = [[0.02, 0.19, 0.0], [0.28, 0.0, 0.0], [0.1, 0.1, 0.0], [0.0, -0.1, 0.0]]
    ends = particles.positions.copy()
    results = []
    for collide in versions(puppets.collide_with_puppets):
        particles.positions[:] = ends
        found.reshape()
        found.begin()
        collide(
            found.surface, found.move, found.drift, particles.arrays, True, found.memory, found.scratch, found.contacts
        )  # fmt: skip
        displacements = found.contacts.displacements.copy()
        results.append((particles.positions.copy(), found.touched.copy(), displacements))
    for compiled, plain in zip(*results, strict=True):
        assert np.allclose(compiled, plain, rtol=0.0, atol=1e-12)
    assert results[0][1][-4:].tolist() == [0, -1, 0, 0]
    assert results[0][0][-1, 1] > 0.2  # it flew through the whole ball


def test_a_puppet_is_placed_between_its_samples_compiled_or_not():
    before, after = np.zeros((2, 3)), np.array([[1.0, 0, 0], [0, 2.0, 0]])
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    for place in versions(place_between):
        targets = np.full((4, 3), 9.0)
        place(np.array([1, 3]), before, after, 0.5, turn, np.array([0.0, 0, 1.0]), targets)
        assert targets[[1, 3]].tolist() == [[0.0, 0.5, 1.0], [-1.0, 0.0, 1.0]]
        assert (targets[[0, 2]] == 9.0).all()


def test_the_largest_move_is_found():
    starts, ends = np.zeros((3, 3)), np.array([[0.0, 0, 0], [3.0, 4.0, 0], [9.0, 0, 0]])
    for largest in versions(puppets.largest_move):
        assert largest(np.array([0, 1]), starts, ends) == 5.0


def test_corners_are_read_between_two_moments():
    for read in versions(puppets.read_corners):
        corners = np.zeros(9)
        read(np.array([[0, 1, 2, 2]]), 0, np.zeros((3, 3)), 2.0 * np.eye(3), 0.25, corners)
        assert corners.reshape(3, 3).tolist() == (0.5 * np.eye(3)).tolist()
