"""The model: what bodies are made of."""

import numpy as np
import pytest

import supple
from supple.model.builders.mesh import triangle_areas, triangle_edges, vertex_areas
from supple.model.couplings.colouring import MOST_COLOURS, colour_order, greedy_colours
from supple.model.couplings.couplings import linear_residual
from supple.model.motion_measures import measure_motion
from supple.model.springs import SHEAR, STRETCH
from supple.model.world import build_world
from tests.physics.bodies import chain, irregular_mesh, lattice, mesh, sheet
from tests.physics.energy import dense_step_matrix

BOTH = pytest.mark.parametrize("way", ["compiled", "python"])


def version(function, way):
    return function if way == "compiled" else function.py_func


def test_a_grid_has_threads_diagonals_and_bends():
    world = build_world(supple.Scene(sheet(points=4)))
    assert (world.springs.kind == STRETCH).sum() == 2 * 4 * 3
    assert (world.springs.kind == SHEAR).sum() == 2 * 9
    assert world.bends.count == 2 * 4 * 2 + 9


def test_border_threads_are_half_as_stiff():
    world = build_world(supple.Scene(sheet(100.0, points=4)))
    ends, stiffness = world.springs.ends, world.springs.stiffness
    by_pair = {(int(i), int(j)): k for (i, j), k in zip(ends, stiffness, strict=True)}
    assert by_pair[0, 1] == pytest.approx(50.0)
    assert by_pair[4, 5] == pytest.approx(100.0)


def test_a_mesh_has_a_spring_per_edge_and_a_bend_per_inner_edge():
    vertices, triangles = irregular_mesh()
    world = build_world(supple.Scene(mesh()))
    edges, opposite = triangle_edges(triangles)
    assert world.springs.count == len(edges)
    inner = (np.bincount(opposite.ravel()) == 2).sum()
    assert world.bends.count == inner
    assert triangle_areas(vertices, triangles).sum() == pytest.approx(1.0)
    assert vertex_areas(vertices, triangles).sum() == pytest.approx(1.0)


def test_an_edge_of_three_triangles_folds_freely():
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]]
    triangles = [[0, 1, 2], [1, 0, 3], [0, 1, 4]]
    fan = supple.Cloth.from_mesh(vertices, triangles)
    world = build_world(supple.Scene(fan))
    assert (world.springs.count, world.bends.count) == (7, 0)


def test_bending_weights_vanish_on_every_plane():
    for body in (sheet(), mesh(), chain()):
        world = build_world(supple.Scene(body))
        bends = world.bends
        np.testing.assert_allclose(bends.weights.sum(axis=1), 0.0, atol=1e-12)
        slanted = world.particles.positions @ np.random.default_rng(0).standard_normal((3, 3)) + 2.0
        vectors = np.einsum("ba,bax->bx", bends.weights, slanted[bends.points])
        assert np.abs(vectors).max() < 1e-12


def test_bodies_lie_one_after_the_other():
    world = build_world(supple.Scene(sheet(points=3), chain(), lattice()))
    assert [body.particles for body in world.bodies.values()] == [slice(0, 9), slice(9, 17), slice(17, 44)]
    for body in world.bodies.values():
        ends = world.springs.ends[body.springs]
        assert ends.min() >= body.particles.start
        assert ends.max() < body.particles.stop


def test_masses_given_by_the_user_count():
    masses = np.linspace(0.1, 0.9, 9)
    world = build_world(supple.Scene(sheet(points=3).changed(masses=masses)))
    np.testing.assert_array_equal(world.particles.masses, masses)


def test_a_region_has_its_own_stiffness_where_all_ends_lie_in_it():
    region = supple.Region(where={"box": ((-0.6, 0.1, -1.0), (0.6, 0.6, 1.0))}, stretch_stiffness=5.0)
    plain = build_world(supple.Scene(sheet(100.0, points=4)))
    world = build_world(supple.Scene(sheet(100.0, points=4).changed(regions=(region,))))
    is_high = world.particles.positions[:, 1] > 0.1
    inside = is_high[world.springs.ends].all(axis=1) & (world.springs.kind == STRETCH)
    np.testing.assert_allclose(world.springs.stiffness[inside], 0.05 * plain.springs.stiffness[inside])
    np.testing.assert_array_equal(world.springs.stiffness[~inside], plain.springs.stiffness[~inside])


@BOTH
@pytest.mark.parametrize("make", [sheet, mesh, chain, lattice])
def test_linear_residual_is_what_the_matrix_gives(way, make):
    world = build_world(supple.Scene(make()))
    c, h = world.couplings, 0.03
    generator = np.random.default_rng(0)
    guess, targets = generator.standard_normal((2, world.particles.count, 3))
    residual = np.zeros_like(guess)
    entries = c.stiffness_entries(world.springs, world.bends)
    masses = world.particles.masses
    version(linear_residual, way)(
        c.row_starts, c.row_ends, c.columns, entries, masses, targets, guess, h * h, residual
    )
    stiffness = dense_step_matrix(world, h) - np.diag(masses)
    expected = masses[:, None] * (targets - guess) - stiffness @ guess
    np.testing.assert_allclose(residual, expected, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("make", [sheet, mesh, chain, lattice])
def test_springs_of_one_colour_share_no_particle(make):
    world = build_world(supple.Scene(make()))
    ends = world.springs.ends
    colours = np.zeros(len(ends), dtype=np.int64)
    used = np.zeros(world.particles.count, dtype=np.uint64)
    greedy_colours(ends, np.ones(ends.shape), used, colours)
    for colour in range(colours.max() + 1):
        group = ends[colours == colour].ravel()
        assert len(np.unique(group)) == len(group)
    order = colour_order(ends, np.ones(ends.shape), world.particles.count)
    assert (np.diff(colours[order]) >= 0).all()


@BOTH
def test_more_elements_at_a_point_than_colours_share_the_last_one(way):
    count = MOST_COLOURS + 10
    star = np.stack([np.zeros(count), np.arange(1, count + 1)], axis=1).astype(np.uint32)
    colours = np.zeros(count, dtype=np.int64)
    version(greedy_colours, way)(star, np.ones(star.shape), np.zeros(count + 1, dtype=np.uint64), colours)
    assert colours[:MOST_COLOURS].tolist() == list(range(MOST_COLOURS))
    assert (colours[MOST_COLOURS:] == MOST_COLOURS - 1).all()


@BOTH
def test_motion_is_measured(way):
    generator = np.random.default_rng(0)
    x, v = generator.standard_normal((2, 5, 3))
    m, g = generator.uniform(0.1, 1.0, 5), np.array([0.5, -9.0, 1.0])
    measured = np.zeros(10)
    version(measure_motion, way)(x, v, m, g, measured)
    np.testing.assert_allclose(measured[:3], m @ v)
    np.testing.assert_allclose(measured[3:6], m @ np.cross(x, v))
    assert measured[6] == pytest.approx(0.5 * np.sum(m[:, None] * v * v))
    assert measured[7] == pytest.approx(-np.sum(m * (x @ g)))
    speeds = np.linalg.norm(v, axis=1)
    assert (measured[8], measured[9]) == (pytest.approx(speeds.max()), speeds.argmax())


@BOTH
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", ["positions", "velocities"])
def test_a_value_that_is_no_number_shows_in_the_measures(way, value, which):
    state = {"positions": np.ones((4, 3)), "velocities": np.ones((4, 3))}
    measured = np.zeros(10)
    version(measure_motion, way)(*state.values(), np.ones(4), np.zeros(3), measured)
    assert np.isfinite(measured).all()
    state[which][3, 2] = value
    with np.errstate(invalid="ignore"):
        version(measure_motion, way)(*state.values(), np.ones(4), np.zeros(3), measured)
    assert not np.isfinite(measured).all()
