"""Intersections that are counted on demand, and contact that is changed while cloth moves."""

import numpy as np
import pytest

import supple
from supple.collide.self_contact.self_contact import SelfContact
from supple.errors import SuppleError
from supple.inspection import inspect_scene
from supple.model.world import build_world
from tests.collide.referee import Referee


def sheet(points=6, *, size=0.3, **options):
    options = {"plane": "xz", **options}
    return supple.Cloth.rectangle(width=size, height=size, columns=points, rows=points, **options)


def crossed(**options):
    """Two sheets that cross along the line y = 0, z = 0.013."""
    upright = sheet(name="upright", plane="xy", at=(0.01, 0.02, 0.013), **options)
    return supple.Scene(sheet(name="flat", **options), upright, gravity=(0.0, 0.0, 0.0))


# ---------------------------------------------------------------- counting


@pytest.mark.parametrize("mode", ["off", "points"])
def test_intersections_are_counted_whether_cloth_notices_them_or_not(mode):
    simulation = supple.Simulation(crossed(self_contact=mode))
    assert Referee(simulation).sees_intersections()
    exact = crossed(self_contact="exact")
    assert simulation.intersections() == len(SelfContact(exact, build_world(exact)).crossings()) > 4
    places = simulation.intersection_places()
    assert places.shape == (simulation.intersections(), 3)
    # An edge that lies along one sheet passes through the other where both are.
    np.testing.assert_allclose(places[:, 1], 0.0, atol=1e-15)
    np.testing.assert_allclose(places[:, 2], 0.013, atol=1e-15)
    assert (np.abs(places[:, 0]) <= 0.161).all()


def test_what_does_not_cross_counts_as_nothing_and_chains_have_nothing_to_count():
    apart = supple.Scene(sheet(name="low"), sheet(name="high", at=(0.0, 1e-6, 0.01)))
    simulation = supple.Simulation(apart)
    assert simulation.intersections() == 0
    assert simulation.intersection_places().shape == (0, 3)
    chain = supple.Simulation(supple.Scene(supple.Chain(length=1.0, points=4).pinned("start")))
    assert chain.intersections() == 0
    assert chain.intersection_places().shape == (0, 3)


def test_a_sheet_that_passes_through_itself_and_cloth_in_a_soft_body_are_counted():
    twisted = sheet(2, name="twisted", plane="xy").local_points()
    points = np.concatenate([twisted, twisted @ np.diag([1.0, 1.0, -1.0]) + [0.05, 0.05, 0.0]])
    points[4:, 2] = [-0.1, 0.1, -0.1, 0.1]
    both = supple.Cloth.from_mesh(points, [[0, 1, 2], [1, 3, 2], [4, 5, 6], [5, 7, 6]], name="both")
    assert supple.Simulation(supple.Scene(both)).intersections() > 0
    block = supple.SoftBody.box((0.2, 0.2, 0.2), 0.1, name="block")
    simulation = supple.Simulation(supple.Scene(block, sheet(7, size=0.5, at=(0.013, 0.03, 0.007))))
    assert simulation.intersections() > 0
    assert Referee(simulation).sees_intersections()


def test_puppets_go_where_they_are_told_and_are_not_counted():
    flat = sheet(4)
    places = flat.local_points()
    puppet = supple.Puppet(
        moments=[0.0, 1.0], samples=[places, places], triangles=flat.surface_triangles(), name="doll"
    )
    scene = supple.Scene(puppet, sheet(4, name="upright", plane="xy", at=(0.01, 0.02, 0.013)))
    assert supple.Simulation(scene).intersections() == 0


def test_counting_follows_cuts():
    simulation = supple.Simulation(crossed())
    before = simulation.intersections()
    simulation.cut("upright", plane=((0.003, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert simulation.intersections() >= before
    fallen = [name for name in simulation.body_names if name != "flat"]
    assert len(fallen) == 2
    for name in fallen:
        first = simulation.engine.world.bodies[name].particles
        simulation.engine.world.particles.positions[first, 1] += 1.0
    assert simulation.intersections() == 0


def test_check_counts_when_asked():
    assert "intersections" not in inspect_scene(crossed())
    facts = inspect_scene(crossed(), count_intersections=True)
    assert facts["intersections"] == supple.Simulation(crossed()).intersections()
    assert facts["intersected"] == ["flat", "upright"]
    assert facts["warnings"] == []


# ---------------------------------------------------------------- changing contact in motion


def falling(**options):
    """A sheet above one that is held."""
    floor = sheet(name="floor", size=0.5, **options).pinned(box=((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)))
    return supple.Scene(floor, sheet(name="falling", at=(0.013, 0.01, 0.007), **options))


@pytest.mark.parametrize("mode", ["exact", "points"])
def test_contact_that_is_switched_on_in_motion_stops_a_sheet_that_would_fall_through(mode):
    heights = {}
    for switched in (False, True):
        simulation = supple.Simulation(falling())
        simulation.step()
        if switched:
            for name in simulation.body_names:
                simulation.set(name, self_contact=mode)
        for _ in range(20):
            report = simulation.step()
        heights[switched] = simulation.positions("falling")[:, 1].mean()
        assert report.self_contact == (mode if switched else "off")
    assert heights[False] < -0.2
    assert heights[True] > 0.0
    if mode == "exact":
        assert simulation.intersections() == 0 and not Referee(simulation).sees_intersections()


def test_what_is_intersected_cannot_become_exact_and_nothing_changes():
    simulation, untouched = (supple.Simulation(crossed()) for _ in range(2))
    simulation.set("flat", self_contact="exact")  # alone it is free
    simulation.set("flat", self_contact="off")
    scene = simulation.scene
    simulation.set("upright", self_contact="exact", friction=0.5)
    with pytest.raises(SuppleError, match=r"'flat' stays 'off': .* \d+ edges do now"):
        simulation.set("flat", self_contact="exact", density=3.0)
    assert simulation.scene.body("flat") == scene.body("flat")
    np.testing.assert_array_equal(simulation.masses("flat"), untouched.masses("flat"))
    simulation.set("upright", self_contact="off")
    for _ in range(3):
        simulation.step()
        untouched.step()
    np.testing.assert_array_equal(simulation.positions("flat"), untouched.positions("flat"))


def test_a_change_to_exact_while_intersected_is_left_out_with_a_warning_and_the_scene_goes_on():
    flat, upright = crossed().bodies
    change = supple.Change(time=0.04, body="flat", self_contact="exact")
    scene = supple.Scene(flat, upright.changed(self_contact="exact"), change, gravity=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(scene)
    simulation.step()
    simulation.step()
    with pytest.warns(
        RuntimeWarning, match=r"left out: 'flat' stays 'off': .* must not pass .* \d+ edges do now"
    ):
        report = simulation.step()
    assert report.is_finite and report.frame == 3
    assert simulation.scene.body("flat").self_contact == "off"


def test_sheets_that_begin_at_the_same_place_are_refused_as_nobody_knows_which_is_above():
    low = sheet(name="low", self_contact="exact")
    same = sheet(name="same", at=(0.013, 0.0, 0.007), self_contact="exact")
    with pytest.raises(SuppleError, match=r'low and same: .* touch, near \(.*on_intersection = "untangle"'):
        supple.Simulation(supple.Scene(low, same))
    apart = same.changed(at=(0.013, 1.0e-5, 0.007))
    assert supple.Simulation(supple.Scene(low, apart)).step().is_finite


def test_less_friction_lets_a_sheet_slide_that_lay_still():
    gravity = (9.81 * np.sin(0.2), -9.81 * np.cos(0.2), 0.0)  # tan 0.2 is less than 0.5
    scene = falling(self_contact="exact", friction=0.5).changed(gravity=gravity)
    lower = scene.body("falling").changed(at=(0.013, 0.00105, 0.007))
    simulation = supple.Simulation(scene.changed(bodies=(scene.body("floor"), lower)))
    for _ in range(20):
        simulation.step()
    assert abs(simulation.velocities("falling")[:, 0].mean()) < 0.005
    for name in simulation.body_names:
        simulation.set(name, friction=0.05)
    for _ in range(12):
        simulation.step()
    expected = 9.81 * (np.sin(0.2) - 0.05 * np.cos(0.2)) * 12 / simulation.frame_rate
    assert simulation.velocities("falling")[:, 0].mean() == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("mode", ["exact", "points"])
def test_more_thickness_lifts_what_lies_on_top(mode):
    simulation = supple.Simulation(falling(self_contact=mode))
    for _ in range(20):
        simulation.step()
    assert simulation.positions("falling")[:, 1].mean() < 0.002
    for name in simulation.body_names:
        simulation.set(name, thickness=0.006)
    for _ in range(30):
        simulation.step()
    assert simulation.positions("falling")[:, 1].mean() == pytest.approx(0.006, rel=0.1)
    assert simulation.intersections() == 0


def test_contact_that_does_not_fit_is_refused_with_the_reason():
    chain = supple.Chain(length=1.0, points=4, at=(5.0, 0.0, 0.0)).pinned("start")
    block = supple.SoftBody.box((0.2, 0.2, 0.2), 0.1, name="block", at=(9.0, 0.0, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet(), chain, block))
    with pytest.raises(SuppleError, match="`friction` does not apply to 'chain'"):
        simulation.set("chain", friction=0.1)
    with pytest.raises(SuppleError, match="points"):
        simulation.set("block", self_contact="points")
    with pytest.raises(SuppleError, match="exact"):
        simulation.set("cloth", self_contact="exakt")
    with pytest.raises(SuppleError, match="Make it at most"):
        simulation.set("cloth", self_contact="exact", thickness=0.1)
    with pytest.raises(SuppleError, match="friction"):
        simulation.set("cloth", friction=-1.0)
    assert simulation.step().self_contact == "off"


def test_contact_set_in_motion_outlasts_saving_though_the_start_was_intersected(tmp_path):
    scene = crossed()
    flying = scene.body("upright").changed(velocity=(0.0, 8.0, 0.0))
    simulation = supple.Simulation(scene.changed(bodies=(scene.body("flat"), flying)))
    for _ in range(3):
        simulation.step()
    for name in simulation.body_names:
        simulation.set(name, self_contact="exact")
    simulation.step()
    simulation.save(tmp_path / "state")
    loaded = supple.Simulation.load(tmp_path / "state")
    assert loaded.scene == simulation.scene
    for _ in range(3):
        assert simulation.step().self_contact == loaded.step().self_contact == "exact"
    for name in simulation.body_names:
        np.testing.assert_array_equal(loaded.positions(name), simulation.positions(name))
    with pytest.raises(SuppleError, match="the start is intersected"):
        supple.Simulation(simulation.scene)


def test_contact_set_in_motion_is_written_into_the_script_and_outlasts_undo():
    simulation = supple.Simulation(falling())
    simulation.cut("falling", plane=((0.02, 0.0, 0.0), (1.0, 0.0, 0.0)))
    for name in ("floor", "falling"):
        simulation.set(name, self_contact="exact", thickness=0.002)
    for _ in range(10):
        simulation.step()
    assert simulation.undo()
    assert simulation.scene.body("falling").self_contact == "exact"
    assert simulation.step().self_contact == "exact"
    again = supple.Simulation(falling())
    again.replay(simulation.script)
    for _ in range(11):
        again.step()
    np.testing.assert_array_equal(again.positions("falling"), simulation.positions("falling"))
    assert simulation.intersections() == 0


def test_lips_of_a_cut_come_apart_when_contact_is_switched_on_later():
    free = supple.Scene(sheet(8, name="sheet"), gravity=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(free)
    simulation.cut("sheet", plane=((0.003, 0.0, 0.0), (1.0, 0.0, 0.0)))
    simulation.set("sheet", self_contact="exact")
    piece = next(name for name in simulation.body_names if name != "sheet")
    for name, speed in (("sheet", -0.5), (piece, 0.5)):
        middle = simulation.positions(name)[:, 0].mean()
        span = simulation.engine.world.bodies[name].particles
        simulation.engine.world.particles.velocities[span, 0] = abs(speed) * np.sign(middle)
    for _ in range(5):
        simulation.step()
    gap = abs(simulation.positions(piece)[:, 0].mean() - simulation.positions("sheet")[:, 0].mean())
    assert gap > 0.15 + 0.5 * 5 / simulation.frame_rate
    assert simulation.intersections() == 0
