"""Starts that are intersected: moved apart, with IPC Toolkit as the referee, or refused with the reason."""

import re

import numpy as np
import pytest

import supple
from supple.collide.untangle import intersection_contours, untangle
from supple.collide.untangle.untangle import LEAST_ROOM, MOST_STRETCH
from supple.errors import SuppleError
from supple.inspection import inspect_scene
from supple.kernel import is_kernel
from supple.scene.cloth_shapes.surface import Surface
from tests.collide.kernel_calls import assert_alike, copied
from tests.collide.referee import Referee

THICKNESS = 1.0e-3


def sheet(points, *, size=0.3, **options):
    options = {"self_contact": "exact", "plane": "xz", **options}
    return supple.Cloth.rectangle(width=size, height=size, columns=points, rows=points, **options)


def tilted():
    """Two sheets that lie in each other, one tilted by 20 degrees."""
    return sheet(12, name="flat"), sheet(
        12, name="tilted", at=(0.01, 0.0, 0.013), rotation_deg=(0.0, 10.0, 20.0)
    )


def poked():
    """A sheet whose corner has come through another."""
    return sheet(12, name="flat"), sheet(
        12, name="poking", at=(0.1, 0.09, 0.05), rotation_deg=(35.0, 10.0, 45.0)
    )


def upright():
    """A sheet that stands in another and reaches through it from rim to rim."""
    return sheet(10, name="flat"), sheet(10, name="upright", plane="xy", at=(0.01, 0.08, 0.013))


def through_itself():
    """A sheet whose end turns round and comes back through its own beginning."""
    flat = sheet(12)
    points = flat.local_points().copy()
    along, radius = points[:, 0] + 0.15, 0.03
    bent = along > 0.1
    angles = np.minimum((along[bent] - 0.1) / radius, 1.3 * np.pi)
    rest = along[bent] - 0.1 - angles * radius
    points[bent, 0] = -0.05 + radius * np.sin(angles) + rest * np.cos(angles)
    points[bent, 1] = radius * (1.0 - np.cos(angles)) + rest * np.sin(angles)
    points[:, 2] += 0.0003 * along
    shape = Surface(vertices=points, triangles=flat.surface_triangles())
    return (supple.Cloth(shape=shape, name="loop", self_contact="exact"),)


def same_height():
    """Three sheets at exactly the same height, one of them turned."""
    return (
        sheet(10, name="low"),
        sheet(10, name="same"),
        sheet(10, name="turned", rotation_deg=(0.0, 7.0, 0.0)),
    )


STARTS = [tilted, poked, upright, through_itself, same_height]


def lengths(simulation):
    """Lengths of all edges, body by body."""
    referee = Referee(simulation)
    x = referee.positions()
    return np.linalg.norm(x[referee.edges[:, 0]] - x[referee.edges[:, 1]], axis=1)


def ignoring(scene):
    """The same scene as it was declared, without contact."""
    return supple.Simulation(supple.Scene(*(body.changed(self_contact="off") for body in scene.bodies)))


@pytest.mark.parametrize("start", STARTS)
def test_a_tangled_start_is_moved_apart_without_velocity_and_hardly_stretched(start):
    scene = supple.Scene(*start(), gravity=(0.0, 0.0, 0.0))
    before = ignoring(scene)
    assert start is same_height or Referee(before).sees_intersections()
    simulation = supple.Simulation(scene, on_intersection="untangle")
    referee = Referee(simulation)
    assert simulation.intersections() == 0 and not referee.sees_intersections()
    assert (lengths(simulation) / lengths(before)).max() <= 1.0 + MOST_STRETCH
    assert all((simulation.velocities(name) == 0.0).all() for name in simulation.body_names)
    # Contact begins from here: nothing is stopped, and nothing passes through.
    for _ in range(3):
        assert simulation.step().is_finite
        assert not referee.sees_intersections()


def test_sheets_at_the_same_height_come_to_lie_a_thickness_apart():
    simulation = supple.Simulation(supple.Scene(*same_height()), on_intersection="untangle")
    heights = sorted(float(simulation.positions(name)[:, 1].mean()) for name in simulation.body_names)
    np.testing.assert_allclose(np.diff(heights), THICKNESS, rtol=0.2)


def test_held_points_stay_where_they_are_and_what_touches_nothing_does_not_move():
    flat, other = tilted()
    far = sheet(4, name="far", at=(0.0, 1.0, 0.0))
    scene = supple.Scene(flat.pinned("top-left", "top-right"), other, far)
    before = ignoring(scene)
    simulation = supple.Simulation(scene, on_intersection="untangle")
    assert not Referee(simulation).sees_intersections()
    pinned = flat.indices("top-left").tolist() + flat.indices("top-right").tolist()
    moved = np.abs(simulation.positions("flat") - before.positions("flat")).max(axis=1)
    assert (moved[pinned] == 0.0).all() and moved.max() > THICKNESS
    np.testing.assert_array_equal(simulation.positions("far"), before.positions("far"))


def test_obstacles_are_not_entered():
    low = sheet(8, name="low", at=(0.0, 0.004, 0.0))
    high = sheet(8, name="high", at=(0.01, 0.03, 0.013), rotation_deg=(0.0, 10.0, 9.0))
    ground = supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)
    simulation = supple.Simulation(supple.Scene(low, high, ground), on_intersection="untangle")
    assert not Referee(simulation).sees_intersections()
    assert min(simulation.positions(name)[:, 1].min() for name in ("low", "high")) >= 0.0


def test_a_start_that_is_free_is_not_touched_and_the_same_start_always_ends_the_same():
    free = supple.Scene(sheet(6, name="low"), sheet(6, name="high", at=(0.0, 0.0004, 0.0)))
    untouched = supple.Simulation(free, on_intersection="untangle")
    np.testing.assert_array_equal(untouched.positions("high"), ignoring(free).positions("high"))
    ends = [
        supple.Simulation(supple.Scene(*poked()), on_intersection="untangle").positions("flat").copy()
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*ends)


def test_the_refusal_names_the_way_out_and_check_says_what_will_be_done():
    scene = supple.Scene(*poked())
    with pytest.raises(SuppleError, match='on_intersection = "untangle"'):
        supple.Simulation(scene)
    asked = supple.Scene(*poked(), settings=supple.Settings(on_intersection="untangle"))
    told = inspect_scene(asked)["warnings"][0]
    assert re.search(
        r"\d+ edges pass through triangles, near \(.*It is untangled before the first frame", told
    )
    with pytest.raises(SuppleError, match="on_intersection"):
        supple.Settings(on_intersection="ignore")
    with pytest.raises(SuppleError, match="acts on the start only"):
        supple.Simulation(asked).set(on_intersection="refuse")


def test_what_cannot_be_untangled_is_refused_with_the_places(monkeypatch):
    monkeypatch.setattr(untangle, "MOST_ROUNDS", 20)
    everywhere = {"box": ((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))}
    scene = supple.Scene(*(body.pinned(**everywhere) for body in poked()))
    with pytest.raises(
        SuppleError, match=r"near \(.*could not be untangled in 20 rounds: \d+ edges still pass"
    ):
        supple.Simulation(scene, on_intersection="untangle")


def test_an_untangled_simulation_is_saved_and_goes_on_bit_for_bit(tmp_path):
    simulation = supple.Simulation(supple.Scene(*poked()), on_intersection="untangle")
    simulation.step()
    simulation.save(tmp_path / "start.npz")
    loaded = supple.Simulation.load(tmp_path / "start.npz")
    for one in (simulation, loaded):
        one.step()
    for name in simulation.body_names:
        np.testing.assert_array_equal(simulation.positions(name), loaded.positions(name))


def test_every_kernel_gives_in_python_what_it_gives_compiled(monkeypatch):
    own = [
        (module, name)
        for module in (untangle, intersection_contours)
        for name, value in vars(module).items()
        if is_kernel(value) and value.py_func.__module__ == module.__name__
    ]
    called_by_others = {"direction_apart", "find_leader", "triangle_normal"}
    calls = {name: [] for _, name in own if name not in called_by_others}

    def recorder(name, compiled):
        def call(*arguments):
            if len(calls[name]) < 2:
                calls[name].append(copied(arguments))
            return compiled(*arguments)

        return call

    originals = {name: getattr(module, name) for module, name in own}
    ground = supple.Plane(normal=(0.0, 1.0, 0.0), offset=-0.002)
    crossing = supple.Scene(
        sheet(4, size=0.05, name="flat"),
        sheet(4, size=0.05, name="tilted", rotation_deg=(5.0, 10.0, 20.0)),
        ground,
    )
    touching = supple.Scene(sheet(3, size=0.05, name="low"), sheet(3, size=0.05, name="same"))
    supple.Simulation(crossing, on_intersection="untangle")  # compiles
    for module, name in own:
        if name in calls:
            monkeypatch.setattr(module, name, recorder(name, originals[name]))
    for scene in (touching, crossing):
        supple.Simulation(scene, on_intersection="untangle")
    monkeypatch.undo()
    for name, recorded in calls.items():
        assert recorded, name
        for arguments in recorded:
            by_machine, by_hand = copied(arguments), copied(arguments)
            answer, expected = originals[name](*by_machine), originals[name].py_func(*by_hand)
            assert answer == expected or answer == pytest.approx(expected, rel=1e-9), name
            assert_alike(by_machine, by_hand, rtol=1e-9, atol=1e-15)


def test_layers_keep_the_room_that_contact_needs_to_begin():
    simulation = supple.Simulation(supple.Scene(*upright()), on_intersection="untangle")
    contact = simulation.engine.contact
    x = simulation.engine.world.particles.positions
    pairs = untangle.find_close_pairs(contact.bvh, contact.root_pairs, x, THICKNESS)
    is_held, layers = np.zeros(len(x)), np.zeros(len(x), dtype=np.int64)
    least = untangle.spread_apart(pairs, contact.radii, is_held, np.zeros_like(x), layers, 0.0, x)
    assert LEAST_ROOM <= least
