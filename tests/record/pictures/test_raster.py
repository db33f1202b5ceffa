import numpy as np
import pytest

from supple.record.pictures.raster import NO_PAINT, Canvas, Projected, fill_rods, fill_triangles

UP = np.array([0.0, 0.0, 1.0])


def projected(screen, nearness, lift=0.0):
    count = len(screen)
    return Projected(np.array(screen, dtype=np.float64), nearness, np.ones(count), np.full(count, lift))


def triangle(canvas, corners, nearness, paint, fill=fill_triangles):
    points = projected(corners, np.full(3, nearness))
    fill(points, np.tile(UP, (1, 3, 1)), np.array([[0, 1, 2]]), paint, canvas)


@pytest.mark.parametrize("fill", [fill_triangles, fill_triangles.py_func], ids=["compiled", "python"])
def test_triangle_covers_the_pixels_whose_centres_it_holds(fill):
    canvas = Canvas.blank(8, 8)
    triangle(canvas, [(0, 0), (0, 8), (8, 8)], 1.0, 0, fill)
    row, column = np.mgrid[0:8, 0:8]
    np.testing.assert_array_equal(canvas.paints >= 0, column <= row)
    assert canvas.depths[4, 2] == pytest.approx(1.0)
    assert canvas.depths[2, 4] == -np.inf


def test_nearer_surface_hides_the_farther_in_any_order():
    for order in [(0, 1), (1, 0)]:
        canvas = Canvas.blank(8, 8)
        for which in order:
            corners, nearness, paint = [
                ([(0, 0), (0, 8), (8, 8)], 1.0, 10),
                ([(0, 0), (0, 4), (4, 4)], 2.0, 20),
            ][which]
            triangle(canvas, corners, nearness, paint)
        assert canvas.paints[3, 1] == 20
        assert canvas.paints[6, 1] == 10
        assert canvas.paints[1, 6] == NO_PAINT


def test_back_of_a_triangle_has_the_next_paint_and_a_turned_normal():
    canvas = Canvas.blank(4, 4)
    triangle(canvas, [(0, 0), (0, 4), (4, 4)], 1.0, 6)
    assert canvas.paints[3, 0] == 6
    np.testing.assert_array_equal(canvas.normals[3, 0], UP)
    canvas = Canvas.blank(4, 4)
    triangle(canvas, [(0, 0), (4, 4), (0, 4)], 1.0, 6)
    assert canvas.paints[3, 0] == 7
    np.testing.assert_array_equal(canvas.normals[3, 0], -UP)


def test_neighbouring_triangles_leave_no_gap():
    canvas = Canvas.blank(64, 64)
    corners = [(1.3, 2.7), (60.1, 5.2), (3.9, 61.3), (62.2, 58.8)]
    triangle(canvas, [corners[0], corners[2], corners[1]], 1.0, 0)
    triangle(canvas, [corners[1], corners[2], corners[3]], 1.0, 0)
    filled = canvas.paints >= 0
    for row in filled[6:58]:
        inside = np.flatnonzero(row)
        assert len(inside) == inside[-1] - inside[0] + 1


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_triangle_with_a_point_that_is_not_finite_is_left_out(bad):
    canvas = Canvas.blank(8, 8)
    triangle(canvas, [(0, 0), (0, bad), (8, 8)], 1.0, 0)
    triangle(canvas, [(0, 0), (0, 8), (8, 8)], bad, 0)
    triangle(canvas, [(1, 1), (4, 4), (7, 7)], 1.0, 0)
    assert (canvas.paints == NO_PAINT).all()


def test_triangle_far_outside_draws_nothing_and_a_huge_one_fills_everything():
    canvas = Canvas.blank(8, 8)
    triangle(canvas, [(1e12, 1e12), (1e12, 2e12), (2e12, 2e12)], 1.0, 0)
    assert (canvas.paints == NO_PAINT).all()
    triangle(canvas, [(-1e6, -1e6), (-1e6, 1e7), (1e7, 1e6)], 1.0, 0)
    assert (canvas.paints == 0).all()


@pytest.mark.parametrize("fill", [fill_rods, fill_rods.py_func], ids=["compiled", "python"])
def test_rod_is_as_thick_as_asked_and_round_at_its_ends(fill):
    canvas = Canvas.blank(20, 10)
    points = projected([[5.0, 5.0], [15.0, 5.0]], np.ones(2))
    fill(points, np.full(2, 2.0), np.zeros(2), np.array([[0, 1]]), np.eye(3), 3, canvas)
    covered = canvas.paints == 3
    assert covered[:, 10].sum() == 4
    assert covered[5].sum() == 14
    assert not covered[3, 3]
    assert canvas.normals[3, 10, 1] > 0.0 > canvas.normals[6, 10, 1]


def test_rod_between_equal_points_is_a_ball_that_bulges_towards_the_eye():
    canvas = Canvas.blank(10, 10)
    points = projected([[5.0, 5.0]], np.ones(1), lift=0.125)
    canvas.draw_rods(points, np.array([[0, 0]]), np.eye(3), 1, radius=4.0, thinnest=0.5)
    assert (canvas.paints == 1).sum() == pytest.approx(np.pi * 16, rel=0.1)
    assert canvas.depths[4, 4] > canvas.depths[4, 1] > 1.0
