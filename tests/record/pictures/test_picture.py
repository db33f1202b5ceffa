import numpy as np
import pytest
from PIL import Image

import supple
from supple.errors import SuppleError
from supple.record import record
from supple.record.pictures.camera import Camera
from supple.record.pictures.picture import contact_sheet, render, save_picture
from supple.record.pictures.shade import View, lit_fraction, sample, shade_pixels, smooth_step
from supple.record.pictures.stage import Figure, Stage
from supple.render.corner_normals import average_over_folds

SIZE = (120, 80)
CAMERA = Camera(eye=(0.0, 0.0, 10.0), azimuth=0.0, elevation=0.0)


def square(side, z=0.0, colour=None):
    h = side / 2
    corners = np.array([[-h, h, z], [h, h, z], [-h, -h, z], [h, -h, z]])
    return Figure(corners, np.array([[0, 2, 1], [1, 2, 3]]), colour=colour)


def test_square_stands_in_the_middle_and_background_around_it():
    empty = render([], SIZE, camera=CAMERA, floor=-100.0)
    image = render([square(2.0, colour="#ff0000")], SIZE, camera=CAMERA, floor=-100.0)
    pixels_per_metre = CAMERA.focal(80) / 10.0
    is_red = image[:, :, 0].astype(int) > image[:, :, 2].astype(int) + 60
    expected = (2.0 * pixels_per_metre) ** 2
    assert is_red.sum() == pytest.approx(expected, rel=0.1)
    assert is_red[40, 60]
    outside = np.ones((80, 120), dtype=bool)
    half = int(pixels_per_metre) + 2
    outside[40 - half : 40 + half, 60 - half : 60 + half] = False
    np.testing.assert_array_equal(image[outside], empty[outside])


def test_nearer_square_hides_the_farther():
    image = render(
        [square(3.0, 0.0, "#0000ff"), square(1.0, 1.0, "#ff0000")], SIZE, camera=CAMERA, floor=-100.0
    )
    assert image[40, 60, 0] > image[40, 60, 2]
    assert image[40, 45, 2] > image[40, 45, 0]


def test_two_renderings_are_the_same_to_the_last_pixel(drifting):
    np.testing.assert_array_equal(render(drifting, SIZE), render(drifting, SIZE))


def test_floor_is_darker_in_the_shadow():
    lying = Figure(
        np.array([[-1.0, 0, -1], [1, 0, -1], [-1, 0, 1], [1, 0, 1]]), np.array([[0, 2, 1], [1, 2, 3]])
    )
    stage = Stage.around([lying], SIZE, None, -1.0)
    shade = stage.shaded_floor().shade
    assert shade.min() < 0.65
    assert shade[0, 0] == pytest.approx(1.0, abs=0.02)


def test_surface_under_another_is_in_its_shadow():
    def lying(side, y, colour):
        h = side / 2
        corners = np.array([[-h, y, -h], [h, y, -h], [-h, y, h], [h, y, h]])
        return Figure(corners, np.array([[0, 2, 1], [1, 2, 3]]), colour=colour)

    below, above = lying(4.0, 0.0, "#888888"), lying(0.6, 1.0, "#888888")
    camera = Camera.framing(below.positions, SIZE, azimuth=0.0, elevation=1.4)
    towards = Stage.around([below, above], SIZE, camera, None).light.direction
    spot = -towards[[0, 2]] / towards[1]
    image = render([below, above], SIZE, camera=camera)
    alone = render([below], SIZE, camera=camera)
    screen, _ = camera.project(np.array([[spot[0], 0.0, spot[1]]]), SIZE)
    column, row = screen[0].astype(int)
    assert image[row, column].mean() < 0.8 * alone[row, column].mean()


def test_chain_and_pins_are_drawn(drifting):
    image = render(drifting, SIZE)
    bare = render([Figure(drifting.positions("sheet"))], SIZE)
    assert image.shape == (80, 120, 3) and image.dtype == np.uint8
    assert (image != bare).any()


def test_blown_up_state_still_gives_a_picture():
    figure = Figure(np.full((4, 3), np.nan), np.array([[0, 2, 1], [1, 2, 3]]))
    assert render([figure], SIZE).shape == (80, 120, 3)


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (100_000, 10)])
def test_absurd_sizes_are_refused(size):
    with pytest.raises(SuppleError, match="sides go from 1 to"):
        render([square(1.0)], size)


def test_contact_sheet_places_pictures_row_by_row():
    images = [np.full((10, 20, 3), shade, dtype=np.uint8) for shade in (10, 20, 30)]
    sheet = contact_sheet(images, columns=2, gap=4)
    assert sheet.shape == (24, 44, 3)
    assert sheet[0, 0, 0] == 10 and sheet[0, 24, 0] == 20 and sheet[14, 0, 0] == 30
    assert sheet[14, 30, 0] == 255


def test_contact_sheet_of_nothing_or_of_unequal_sizes_is_refused():
    with pytest.raises(SuppleError):
        contact_sheet([])
    with pytest.raises(SuppleError):
        contact_sheet([np.zeros((2, 2, 3), dtype=np.uint8), np.zeros((3, 2, 3), dtype=np.uint8)])


def test_caption_is_written_into_its_picture():
    images = [np.full((60, 90, 3), 255, dtype=np.uint8)] * 2
    sheet = contact_sheet(images, columns=2, gap=0, captions=["0.50 s"])
    assert (sheet[:, :90] < 255).any()
    assert (sheet[:, 90:] == 255).all()


def test_picture_comes_back_from_its_file(tmp_path):
    image = render([square(1.0)], SIZE)
    with Image.open(save_picture(image, tmp_path / "square.png")) as read:
        np.testing.assert_array_equal(np.asarray(read), image)


def test_recorded_sheet_holds_as_many_pictures_as_asked(drifting, tmp_path):
    (file,) = record(drifting, tmp_path / "sheet.png", seconds=1.0, pictures=4, size=(60, 40))
    with Image.open(file) as read:
        width, height = read.size
    assert (width + 8) // 68 * ((height + 8) // 48) == 4


def test_recorded_sheet_without_pictures_is_refused(drifting, tmp_path):
    with pytest.raises(SuppleError, match="at least one"):
        record(drifting, tmp_path / "sheet.png", seconds=1.0, pictures=0)


# ---------------------------------------------------------------- kernels as plain Python


@pytest.mark.parametrize(
    "average", [average_over_folds, average_over_folds.py_func], ids=["compiled", "python"]
)
def test_flat_square_has_one_normal_at_all_corners(average):
    faces = square(1.0).triangles.ravel()
    corners = np.argsort(faces, kind="stable")
    normals = np.zeros((6, 3))
    up = np.tile([0.0, 0.0, 1.0], (2, 1))
    average(faces[corners], corners, up, up, 0.5, normals)
    np.testing.assert_array_equal(normals[:, :2], 0.0)
    np.testing.assert_array_equal(normals[:, 2], [1.0, 2.0, 2.0, 2.0, 2.0, 1.0])


def folded(angle):
    """Return two triangles that meet along the y axis, folded by `angle` [rad]."""
    points = [[0, 0, 0], [0, 1, 0], [-1, 0, 0], [np.cos(angle), 0, -np.sin(angle)]]
    return Figure(np.array(points, dtype=np.float64), np.array([[0, 1, 2], [0, 3, 1]]))


def test_shallow_fold_is_smooth_and_a_box_edge_is_sharp():
    shallow, edge = folded(0.5).corner_normals, folded(np.pi / 2).corner_normals
    np.testing.assert_allclose(shallow[0, 0], shallow[1, 0])
    np.testing.assert_allclose(edge[0], np.tile([0.0, 0.0, 1.0], (3, 1)), atol=1e-15)
    np.testing.assert_allclose(edge[1], np.tile([1.0, 0.0, 0.0], (3, 1)), atol=1e-15)


def test_shading_agrees_compiled_and_not():
    stage = Stage.around([square(1.0)], (12, 8), None, None)
    camera, canvas = stage.camera, stage.view((12, 8), 1.0)
    view = View(np.array(camera.eye), camera.axes, camera.focal(8))
    images = []
    for shade in (shade_pixels, shade_pixels.py_func):
        image = np.zeros((8, 12, 3))
        shade(view, canvas, stage.albedos(), stage.shadow_map(), stage.shaded_floor(), image)
        images.append(image)
    np.testing.assert_allclose(images[0], images[1], rtol=1e-12)


def test_small_helpers_of_the_shader_agree_compiled_and_not():
    texture = np.arange(12.0).reshape(3, 4)
    for helper, arguments in [
        (smooth_step, (0.0, 1.0, 0.3)),
        (sample, (texture, 1.7, 2.2)),
        (lit_fraction, (texture, 2.0, 1.0, 4.0)),
    ]:
        assert helper(*arguments) == pytest.approx(helper.py_func(*arguments), rel=1e-14)
    assert sample(texture, 1.5, 0.5) == pytest.approx(1.0)
    assert sample(texture, -5.0, -5.0) == pytest.approx(0.0)


def test_a_body_is_drawn_in_the_colour_its_scene_chooses():
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=4, rows=4, colour="#0000ff").pinned("top")
    blue = render(supple.Simulation(supple.Scene(sheet)), SIZE)[40, 60].astype(int)
    red = render(supple.Simulation(supple.Scene(sheet.changed(colour="#ff0000"))), SIZE)[40, 60].astype(int)
    assert blue[2] > blue[0] + 60 and red[0] > red[2] + 60
