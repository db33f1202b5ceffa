"""Images: depth, identity and place of every pixel against ray casting, and what a camera may be."""

import igl
import numpy as np
import pytest

import supple
from supple.render import z_buffer
from supple.render.corner_normals import corner_normals
from supple.render.rods import rod_surfaces
from supple.render.view import View, camera_for
from tests.physics.bodies import sheet


def drape():
    """Return cloth over a ball and a box on a floor, with a chain beside it."""
    scene = supple.Scene(
        supple.Cloth.rectangle(width=1.0, height=1.0, columns=20, rows=20, plane="xz", at=(0.0, 0.7, 0.0)),
        supple.Chain(length=0.5, points=8, at=(-0.6, 0.8, 0.0), diameter=0.03).pinned("start"),
        supple.Sphere(radius=0.3, at=(0.0, 0.3, 0.0)),
        supple.Box(size=(0.2, 0.3, 0.2), at=(0.6, 0.15, 0.2), rotation_deg=(0.0, 30.0, 0.0), colour="wood"),
        supple.Plane(),
        supple.Camera(at=(0.2, 0.8, 2.2), look_at=(0.0, 0.5, 0.0)),
        supple.Camera(at=(0.0, 3.0, 0.0), look_at=(0.0, 0.0, 0.0), fov_deg=50.0, name="above"),
    )
    simulation = supple.Simulation(scene)
    for _ in range(20):
        simulation.step()
    return simulation


def cast(simulation, camera, size):
    """Return depth and identity of every pixel by casting a ray through its centre."""
    meshes = []
    for name in simulation.body_names:
        points, triangles = simulation.surface(name)
        if len(triangles):
            meshes.append((name, points, triangles))
    for name in simulation.obstacle_names:
        points, triangles = simulation.obstacle_surface(name)
        at, turn = simulation.obstacle_pose(name)
        meshes.append((name, points @ turn.T + at, triangles))
    points = np.concatenate([mesh[1] for mesh in meshes])
    starts = np.cumsum([0, *(len(mesh[1]) for mesh in meshes)])
    faces = np.concatenate([mesh[2] + start for mesh, start in zip(meshes, starts, strict=False)])
    owners = np.repeat([mesh[0] for mesh in meshes], [len(mesh[2]) for mesh in meshes])
    width, height = size
    view, focal = View.of(camera), camera.focal(height)
    depth, names = np.full((height, width), np.inf), np.full((height, width), "", dtype=object)
    for row in range(height):
        for column in range(width):
            ray = (
                np.array([(column + 0.5 - width / 2) / focal, (height / 2 - row - 0.5) / focal, 1.0])
                @ view.axes
            )
            hits = igl.ray_mesh_intersect(view.eye, ray, points, faces.astype(np.int64))
            if len(hits):
                triangle, distance, *_ = min(hits, key=lambda hit: hit[1])
                depth[row, column], names[row, column] = distance, owners[triangle]
    return depth, names


@pytest.fixture(scope="module")
def simulation():
    return drape()


@pytest.mark.parametrize("camera", [0, 1])
def test_depth_and_identity_are_those_of_ray_casting(simulation, camera):
    seen_from = simulation.scene.cameras[camera]
    image = simulation.image(seen_from, size=(48, 36))
    depth, names = cast(simulation, seen_from, (48, 36))
    shown = np.array(["", *image.names], dtype=object)[image.ids]
    is_chain = shown == "chain"  # rods are surfaces of our own
    assert image.depth.shape == image.ids.shape == (36, 48) and image.rgb.shape == (36, 48, 3)
    far = depth > 8.0  # the drawn plane has no end, its mesh has
    compared = ~is_chain & ~far
    assert compared.mean() > 0.4
    assert (shown == names)[compared].mean() > 0.998  # a ray through an edge may fall on either side
    same = compared & (shown == names)
    np.testing.assert_allclose(image.depth[same], depth[same], atol=1e-4)


def test_points_lie_on_what_pixels_show(simulation):
    image = simulation.image()
    assert set(np.unique(image.ids)) == {0, 1, 2, 3, 4, 5} and image.names[-1] == "plane"
    floor = image.points[image.mask("plane")]
    np.testing.assert_allclose(floor[:, 1], 0.0, atol=1e-5)
    ball = image.points[image.mask("sphere")] - (0.0, 0.3, 0.0)
    assert np.abs(np.linalg.norm(ball, axis=1) - 0.3).max() < 0.004  # its surface is a mesh
    assert np.isnan(image.points[image.ids == 0]).all() and np.isinf(image.depth[image.ids == 0]).all()


def test_an_image_is_the_same_every_time_and_after_a_copy(simulation):
    first, again, other = simulation.image(), simulation.image(), simulation.copy().image()
    for name in ("rgb", "depth", "ids", "points"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
        np.testing.assert_array_equal(getattr(first, name), getattr(other, name))


def test_up_is_up_right_is_right_and_the_two_sides_differ():
    scene = supple.Scene(
        sheet(points=3).changed(at=(0.3, 0.3, 0.0), colour="red"), supple.Camera(at=(0, 0, 3))
    )
    simulation = supple.Simulation(scene)
    front = simulation.image(size=(40, 20))
    rows, columns = np.nonzero(front.ids)
    assert rows.mean() < 9 and columns.mean() > 20
    back = simulation.image(supple.Camera(at=(0, 0, -3)), size=(40, 20))
    assert np.nonzero(back.ids)[1].mean() < 20
    assert not np.array_equal(front.rgb[front.ids == 1][0], back.rgb[back.ids == 1][0])


def test_a_camera_inside_the_scene_sees_what_is_cut_by_its_own_plane():
    """A triangle that reaches behind the eye is drawn as far as it is in front."""
    floor = supple.Cloth.rectangle(width=8.0, height=8.0, columns=2, rows=2, plane="xz")
    simulation = supple.Simulation(supple.Scene(floor, gravity=(0.0, 0.0, 0.0)))
    image = simulation.image(
        supple.Camera(at=(0.1, 1.0, 0.0), look_at=(0.1, 0.5, -1.0), fov_deg=90.0), size=(33, 33)
    )
    seen = image.ids == 1
    assert seen[-1].all()
    np.testing.assert_allclose(image.points[seen][:, 1], 0.0, atol=1e-5)


def test_thin_chains_are_seen_and_thick_ones_as_thick_as_they_are():
    chain = supple.Chain(length=2.0, points=3, diameter=1e-4).pinned("start")
    camera = supple.Camera(at=(0.0, 0.0, 5.0))
    thin = supple.Simulation(supple.Scene(chain, gravity=(0, 0, 0))).image(camera)
    thick = supple.Simulation(supple.Scene(chain.changed(diameter=0.5), gravity=(0, 0, 0))).image(camera)
    assert 0 < thin.mask("chain").sum() < 0.2 * thick.mask("chain").sum()
    assert thick.depth.min() == pytest.approx(4.75, abs=0.04)


def test_bodies_that_blew_up_are_left_out():
    simulation = supple.Simulation(supple.Scene(sheet()))
    simulation.engine.world.particles.positions[0] = np.nan
    assert (simulation.image(supple.Camera(at=(0, 0, 3))).ids == 1).sum() > 10
    simulation.image()


@pytest.mark.parametrize("size", [(0, 10), (10.5, 10), "big", (10, 10, 10), (10, 100_000)])
def test_sizes_that_make_no_sense_are_refused(simulation, size):
    with pytest.raises(supple.SuppleError, match="size"):
        simulation.image(size=size)


def test_cameras_are_checked_and_found_by_name(simulation):
    assert simulation.image("above").camera.name == "above"
    assert simulation.image().camera.name == "camera"
    with pytest.raises(supple.SuppleError, match=r"abov.*Did you mean"):
        simulation.image("abov")
    with pytest.raises(supple.SceneError, match="no direction"):
        supple.Camera(at=(1, 2, 3), look_at=(1, 2, 3))
    with pytest.raises(supple.SceneError, match="fov_deg"):
        supple.Camera(at=(1, 2, 3), fov_deg=180.0)
    assert np.isfinite(View.of(camera_for(np.zeros((0, 3)))).axes).all()


def test_a_camera_in_a_file_is_the_same_as_in_python(tmp_path):
    (tmp_path / "scene.toml").write_text(
        "[cloth.flag]\nrectangle = { width = 1.0, height = 1.0, columns = 3, rows = 3 }\n"
        "[camera.front]\nat = [0.0, 1.0, 3.0]\nlook_at = [0.0, 0.5, 0.0]\nfov_deg = 30.0\n"
    )
    front = supple.Camera(at=(0.0, 1.0, 3.0), look_at=(0.0, 0.5, 0.0), fov_deg=30.0, name="front")
    assert supple.read_scene(tmp_path / "scene.toml").cameras == (front,)


def test_kernels_give_in_python_what_they_give_compiled(simulation):
    points, triangles = simulation.surface("cloth")
    view = View.of(simulation.scene.cameras[0])
    corners = view.into(points)[triangles[:60]]
    corners[3, 1, 2] = -0.5  # behind the eye
    lights = np.random.default_rng(0).uniform(size=(60, 3, 2))
    results = []
    for drawn, plane, painted, clip in (
        (z_buffer.draw_triangles, z_buffer.draw_plane, z_buffer.paint, None),
        (
            z_buffer.draw_triangles.py_func,
            z_buffer.draw_plane.py_func,
            z_buffer.paint.py_func,
            z_buffer.clip_near.py_func,
        ),
    ):
        buffers, polygon = z_buffer.Buffers.blank(40, 30, 50.0), np.zeros((4, 5))
        rgb = np.zeros((30, 40, 3), dtype=np.uint8)
        drawn(corners, lights, 1, buffers, polygon)
        plane(np.array((0.0, 0.9, 0.1)), -0.8, np.array((0.7, 0.2)), 2, buffers)
        painted(
            buffers,
            np.full((3, 2, 3), 0.5),
            np.array((1, 2, 3), dtype=np.uint8),
            np.arange(4096).astype(np.uint8),
            rgb,
        )
        if clip is not None:
            assert clip(corners, lights, 3, polygon) == 4
            assert (
                z_buffer.pixels_between.py_func(0.2, 3.4, 10)
                == z_buffer.pixels_between(0.2, 3.4, 10)
                == (0, 3)
            )
        results.append((*buffers[:4], rgb))
    for compiled, python in zip(*results, strict=True):
        np.testing.assert_array_equal(compiled, python)
    assert (results[0][1] == 1).any() and (results[0][1] == 2).any()


def test_rods_are_closed_prisms_around_their_lines():
    points = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5]])
    corners, normals = rod_surfaces(points, np.array([[0, 1], [1, 2]]), np.full(3, 0.1))
    np.testing.assert_allclose(np.linalg.norm(normals, axis=2), 1.0)
    first = corners[:12].reshape(-1, 3)
    np.testing.assert_allclose(np.hypot(first[:, 0], first[:, 2]), 0.1)
    flat = corner_normals(corners.reshape(-1, 3), np.arange(72).reshape(-1, 3))
    assert ((flat * normals).sum(axis=2) > 0.8).all()  # all outwards
