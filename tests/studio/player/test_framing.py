"""The camera stands so that everything which is to come will be in the picture."""

import numpy as np
import pytest

import supple
from supple.scene.files.toml_reader import find_scene
from supple.simulation import Simulation
from supple.studio.connection.rigid_meshes import solids_of
from supple.studio.player.framing import lowest_reach, places_along_motion, room_of
from supple.studio.player.preview import Preview


def room(scene):
    shown = Preview(scene)
    return room_of(shown, solids_of(shown))


@pytest.mark.parametrize("name", ["knot", "fold", "twist"])
def test_pins_on_paths_stay_in_the_room_of_their_scene(name):
    scene = find_scene(name)
    low, high = room(scene)
    (body,) = scene.bodies
    places = places_along_motion(body, scene.duration)
    assert len(places)
    assert (places >= low).all() and (places <= high).all()


def test_both_ends_of_the_knot_are_framed_where_they_are_pulled_to_and_the_ribbon_where_it_will_hang():
    low, high = room(find_scene("knot"))
    assert low[0] == pytest.approx(-1.68, abs=0.01) and high[0] == pytest.approx(1.68, abs=0.01)
    assert low[1] < -1.0  # one end is let go, the other holds 3.84 m of ribbon at a height of 1.25 m


def test_simulation_and_preview_have_the_same_room():
    scene = find_scene("twist")
    simulation = Simulation(scene)
    np.testing.assert_allclose(room(scene), room_of(simulation, solids_of(simulation)))


def test_what_comes_after_the_end_of_a_scene_is_not_framed():
    keys = [
        supple.Keyframe(time=time, offset=(x, 0.0, 0.0)) for time, x in ((0.0, 0.0), (1.0, 1.2), (50.0, 60.0))
    ]
    path = supple.Path(keyframes=tuple(keys))
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=3, rows=3).pinned("left", path=path)
    _, high = room(supple.Scene(sheet, duration=1.0))
    assert high[0] == pytest.approx(0.7)  # the left edge starts at -0.5 and has gone 1.2


def test_puppets_are_framed_wherever_they_walk():
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    samples = corners + np.array([[[0.0, 0.0, 0.0]], [[0.0, 2.0, 0.0]], [[0.0, 9.0, 0.0]]])
    puppet = supple.Puppet(moments=[0, 1, 50], samples=samples, triangles=[[0, 1, 2]], at=(0.0, 1.0, 0.0))
    sheet = supple.Cloth.rectangle(width=0.1, height=0.1, columns=2, rows=2).translated((0.0, 1.0, 0.0))
    _, high = room(supple.Scene(sheet, puppet, duration=1.0))
    assert 3.0 <= high[1] <= 10.0 + 1e-12


def test_a_chain_of_two_metres_hangs_two_metres_below_its_pin_and_one_between_two():
    points = np.stack([np.linspace(0.0, 2.0, 21), np.zeros(21), np.zeros(21)], axis=1)
    assert lowest_reach(points, np.array([0]), np.array([3.0])) == pytest.approx(1.0)
    assert lowest_reach(points, np.array([0, 20]), np.array([3.0, 3.0])) == pytest.approx(2.0)
