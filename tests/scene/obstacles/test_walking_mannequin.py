"""The mannequin that walks: it stands, sets out, keeps its feet on the floor and never ends."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import supple
from supple.scene.files.toml_reader import parse_scene
from supple.scene.obstacles.mannequin import mannequin


@pytest.fixture(scope="module")
def walker():
    return supple.walking_mannequin(start=0.4, name="anna")


def test_it_begins_as_the_mannequin_that_stands(walker):
    vertices, triangles = mannequin(spacing=0.02)
    np.testing.assert_allclose(walker.start_points(), vertices, atol=1e-4)
    np.testing.assert_array_equal(walker.triangles, triangles)
    assert walker.sample(0.3)[0] in (0, 1)


def test_feet_stay_on_the_floor_and_take_turns_ahead(walker):
    lowest = walker.samples[:, :, 1].min(axis=1)
    assert -0.02 < lowest.min() and lowest.max() < 0.02
    first = walker.samples[0]
    soles = [np.flatnonzero((first[:, 1] < 0.05) & (sign * first[:, 0] > 0.0)) for sign in (1.0, -1.0)]
    cycle = walker.samples[walker.moments >= walker.loop_from]
    left, right = (cycle[:, sole, 2].mean(axis=1) for sole in soles)
    assert np.ptp(left) > 0.4 and np.ptp(right) > 0.4
    assert np.corrcoef(left, right)[0, 1] < -0.8
    hands = [np.flatnonzero(sign * first[:, 0] > 0.4) for sign in (1.0, -1.0)]
    assert np.corrcoef(left, cycle[:, hands[0], 2].mean(axis=1))[0, 1] < -0.5


def test_its_walk_goes_on_without_a_jump(walker):
    last = walker.moments[-1]
    cycle = last - walker.loop_from
    steps = []
    for time in np.arange(last - 0.1, last + 0.1, 0.02):
        before, after, share = walker.sample(time)
        points = walker.samples[before] + share * (walker.samples[after] - walker.samples[before])
        steps.append(points)
    moves = [np.linalg.norm(b - a, axis=1).max() for a, b in itertools.pairwise(steps)]
    assert max(moves) < 2.0 * min(moves) and max(moves) < 0.12
    assert walker.sample(last + 0.3 * cycle)[0] == walker.sample(walker.loop_from + 0.3 * cycle)[0]


def test_its_surface_is_never_torn(walker):
    edges = walker.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    lengths = [np.linalg.norm(np.diff(points[edges], axis=1)[:, 0], axis=1) for points in walker.samples[::9]]
    assert max((length / lengths[0]).max() for length in lengths) < 2.5


def test_a_scene_file_asks_for_it():
    scene = parse_scene(
        """
        [cloth.sheet]
        rectangle = { width = 0.1, height = 0.1, columns = 2, rows = 2 }
        [character.anna]
        mannequin = { height = 1.66 }
        start = 1.0
        friction = 0.4
        """
    )
    walker = scene.body("anna")
    assert walker == supple.walking_mannequin(
        supple.Mannequin(height=1.66), start=1.0, friction=0.4, name="anna"
    )
    assert walker.samples[0, :, 1].max() == pytest.approx(1.66, abs=0.01)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("mannequin = 3", "character.anna.mannequin.*must be a table"),
        ("mannequin = { heigth = 1.7 }", "character.anna.mannequin.heigth.*height"),
        ("mannequin = {}\nspeed = 0.0", "must be above 0"),
        ("mannequin = {}\nstart = -1.0", "from 0 to 60 s"),
        ("mannequin = {}\nfile = 'walk.glb'", "character.anna.file"),
        ("speed = 1.0", "mannequin = {}"),
    ],
)
def test_mistakes_are_told_where_they_stand(entry, message):
    with pytest.raises(supple.SceneError, match=message):
        parse_scene(f"[character.anna]\n{entry}\n")


def test_a_puppet_goes_back_only_to_a_moment_of_its_own():
    corners = [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
    with pytest.raises(supple.SceneError, match=r"loop_from.*its samples go from 0 to before 1 s"):
        supple.Puppet(moments=[0, 1], samples=[corners] * 2, triangles=[[0, 1, 2]], loop=True, loop_from=1.0)
