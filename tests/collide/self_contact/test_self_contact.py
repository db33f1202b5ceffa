"""Cloth against cloth: what contact keeps, gives and guarantees."""

import math
import re

import numpy as np
import pytest

import supple
from supple.collide.broad_phase import neighbour_list
from supple.collide.self_contact import ccd_guard, impact_zones, self_contact, strained_edges
from supple.collide.self_contact.contact_response import solve_contacts
from supple.collide.self_contact.contact_table import ContactPoints, ContactTable
from supple.errors import SuppleError
from supple.inspection import inspect_scene
from supple.kernel import is_kernel
from supple.model.world import build_world
from tests.collide.kernel_calls import assert_alike, copied
from tests.collide.referee import Referee
from tests.together import assert_go_on_alike


def sheet(points, *, size=0.3, **options):
    options = {"self_contact": "exact", "plane": "xz", **options}
    return supple.Cloth.rectangle(width=size, height=size, columns=points, rows=points, **options)


def rms_speed(simulation):
    velocities = np.concatenate([simulation.velocities(name) for name in simulation.body_names])
    return float(np.sqrt((velocities**2).sum(axis=1).mean()))


def test_what_touches_nothing_moves_exactly_as_without_contact():
    moved = []
    for mode in ("exact", "off"):
        hung = sheet(8, plane="xy", self_contact=mode).pinned("top-left", "top-right")
        simulation = supple.Simulation(supple.Scene(hung))
        for _ in range(10):
            report = simulation.step()
        assert report.self_contacts == 0
        moved.append(simulation.positions("cloth").copy())
    np.testing.assert_array_equal(*moved)


def colliding_sheets(**options):
    """Two free sheets that meet edge on face, off the middle, without gravity."""
    return supple.Scene(
        sheet(7, name="still", **options),
        sheet(
            7,
            name="flying",
            at=(0.07, 0.03, 0.04),
            rotation_deg=(4.0, 20.0, 3.0),
            velocity=(0.3, -1.0, 0.0),
            **options,
        ),
        gravity=(0.0, 0.0, 0.0),
    )


@pytest.mark.parametrize(("integrator", "lost"), [("filter", 1e-8), ("descent", 3e-3)])
def test_two_free_sheets_that_collide_keep_their_momentum(integrator, lost):
    """`descent` changes its order in time at the touch, which keeps the linear momentum only."""
    simulation = supple.Simulation(colliding_sheets(friction=0.0), integrator=integrator)
    start = simulation.step()
    contacts = 0
    for _ in range(25):
        report = simulation.step()
        contacts += report.self_contacts
    assert contacts > 0
    assert np.linalg.norm(simulation.velocities("still").mean(axis=0)) > 0.1
    linear = np.array(start.linear_momentum)
    np.testing.assert_allclose(report.linear_momentum, linear, atol=1e-12 * np.linalg.norm(linear))
    angular = np.array(start.angular_momentum)
    np.testing.assert_allclose(report.angular_momentum, angular, atol=lost * np.linalg.norm(angular))


def test_friction_between_free_sheets_keeps_the_linear_momentum():
    simulation = supple.Simulation(colliding_sheets(friction=0.8))
    start = simulation.step()
    for _ in range(15):
        report = simulation.step()
    linear = np.array(start.linear_momentum)
    np.testing.assert_allclose(report.linear_momentum, linear, atol=1e-12 * np.linalg.norm(linear))


def one_contact(weights, gap, line, *, friction=0.0):
    """Return a table with one contact of points 0 to 3, normal to y and with a thickness of 1 mm."""
    table = ContactTable(1)
    table.count = 1
    table.points[0], table.weights[0], table.normals[0] = np.arange(4), weights, (0.0, 1.0, 0.0)
    table.gaps[0], table.lines[0], table.thicknesses[0], table.frictions[0] = gap, line, 1.0e-3, friction
    return table


def solve(table, inverse_masses, ends):
    """Do one pass over a table; ends (4, 3) [m] are changed."""
    points = ContactPoints(np.zeros(4), np.zeros(4), inverse_masses, inverse_masses)
    table.due_travels[:] = 0.0
    return solve_contacts(table.count, table.arrays, points, False, 0.0, np.zeros(4), ends)


@pytest.mark.parametrize("struck_at", [0.5, 0.3, 0.9])
def test_an_edge_turns_about_where_it_is_struck_as_in_kang_equation_8(struck_at):
    """The edge (0, 1) falls onto the edge (2, 3), which nothing moves, and meets it at `struck_at`."""
    length, speed = 0.2, 0.001
    starts = np.array(
        [[0.0, 0.0, 0.0], [length, 0.0, 0.0], [struck_at * length, 0.0, -1.0], [struck_at * length, 0.0, 1.0]]
    )
    starts[:2, 1] = 1e-9
    ends = starts.copy()
    ends[:2, 1] -= speed
    masses = np.array([1.0, 1.0, 0.0, 0.0])
    weights = np.array([1.0 - struck_at, struck_at, -0.5, -0.5])
    solve(one_contact(weights, 1.0e-9, weights @ starts), masses, ends)
    hit = np.array([struck_at * length, 0.0, 0.0])
    arms = hit - starts[:2] * (1.0, 0.0, 0.0)
    fall = np.array([0.0, -speed, 0.0])
    omega = np.cross(arms, fall).sum(axis=0) / (arms**2).sum()
    expected = np.cross(omega, arms)
    np.testing.assert_allclose((ends - starts)[:2], expected, atol=1e-15)
    assert (abs(omega[2]) < 1e-12) == (struck_at == 0.5)


@pytest.mark.parametrize("tangential", [2.0e-4, 4.0e-4, 9.0e-4])
def test_friction_and_dissipation_at_a_blow_are_those_of_kang_equation_7(tangential):
    """A point strikes a triangle that nothing moves: k_f is the friction, and nothing of the normal speed comes back."""
    friction, normal = 0.4, 1.0e-3
    starts = np.array([[0.0, 1.0e-9, 0.0], [-1.0, 0.0, -1.0], [2.0, 0.0, -1.0], [-1.0, 0.0, 2.0]])
    ends = starts.copy()
    way = np.array([0.6 * tangential, -normal, 0.8 * tangential])
    ends[0] += way
    masses = np.array([1.0 / 0.003, 0.0, 0.0, 0.0])
    weights = np.array([1.0, -1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0])
    corrections = solve(one_contact(weights, 1.0e-9, weights @ starts, friction=friction), masses, ends)
    np.testing.assert_allclose(
        corrections, (normal, normal**2), rtol=1e-12
    )  # the largest, and the sum of squares
    slip = np.array([way[0], 0.0, way[2]])
    kept = max(0.0, 1.0 - friction * normal / tangential)
    np.testing.assert_allclose(ends[0] - starts[0], kept * slip, atol=1e-15)


@pytest.mark.parametrize("share", [0.5, 0.01])
def test_a_corner_does_not_fly_off_to_make_up_for_what_hands_hold(share):
    """A held point is 1 mm inside of an edge, of which one end is held too: the other has a small share in the place."""
    ends = np.array([[share, -1.0e-3, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    masses = np.array([0.0, 0.0, 1.0e4, 1.0e4])
    table = one_contact((1.0, share - 1.0, -share, 0.0), 0.0, np.zeros(3))
    for _ in range(12):
        solve(table, masses, ends)
    if share == 0.5:
        np.testing.assert_allclose(ends[2, 1], -2.0e-3, rtol=1e-12)  # as far as it takes
    else:
        assert (
            -12 * 4.0e-3 < ends[2, 1] < -0.5 * 12 * 4.0e-3
        )  # four times the lack in a pass, not a hundred times


@pytest.mark.parametrize("beyond", [-4.0, 4.0], ids=["below", "above"])
def test_a_sheet_slides_on_a_sheet_exactly_above_the_friction_angle(beyond):
    friction = 0.3
    angle = math.atan(friction) + math.radians(beyond)
    gravity = (9.81 * math.sin(angle), -9.81 * math.cos(angle), 0.0)
    floor = sheet(6, name="floor", size=0.5, friction=friction).pinned(
        box=((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    )
    slider = sheet(5, name="slider", size=0.15, at=(-0.05, 0.00105, 0.01), friction=friction)
    simulation = supple.Simulation(supple.Scene(floor, slider, gravity=gravity))
    for _ in range(15):
        simulation.step()
    speed = float(simulation.velocities("slider")[:, 0].mean())
    if beyond < 0.0:
        assert abs(speed) < 0.005
    else:
        expected = 9.81 * (math.sin(angle) - friction * math.cos(angle)) * 0.3
        assert speed == pytest.approx(expected, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "most"), [(0.0, 0.3e-3), (7.0, 0.2e-3)], ids=["straight", "turned"])
def test_a_stack_of_six_comes_to_rest_and_keeps_its_thickness(turn, most):
    sheets = [
        sheet(
            8, name=f"s{k}", at=(0.003 * k, 0.005 + 0.002 * k, 0.002 * k), rotation_deg=(0.0, turn * k, 0.0)
        )
        for k in range(6)
    ]
    simulation = supple.Simulation(supple.Scene(*sheets, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)))
    referee = Referee(simulation)
    for frame in range(150):
        simulation.step()
        if frame % 10 == 0:
            assert not referee.sees_intersections()
        if frame >= 120:
            assert rms_speed(simulation) < most
    heights = [float(simulation.positions(f"s{k}")[:, 1].mean()) for k in range(6)]
    np.testing.assert_allclose(np.diff(heights), 1.0e-3, rtol=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_sheet_thrown_into_a_corner_and_torn_about_never_intersects(seed):
    rng = np.random.default_rng(seed)
    thrown = sheet(
        9, size=0.4, plane="xy", at=(0.0, 0.35, 0.0), rotation=tuple(rng.uniform(-3.0, 3.0, 3)),
        velocity=tuple(rng.uniform(-4.0, 4.0, 3)),
    )  # fmt: skip
    walls = [
        supple.Plane(normal=normal, offset=offset)
        for normal, offset in (((0.0, 1.0, 0.0), -0.1), ((1.0, 0.0, 0.0), -0.25), ((-1.0, 0.0, 0.0), -0.25))
    ]
    simulation = supple.Simulation(supple.Scene(thrown, *walls))
    referee = Referee(simulation)
    for frame in range(40):
        if frame == 15:
            # A hand pulls one corner through the folds at 20 m/s and more.
            simulation.grab("cloth", 0, tuple(simulation.positions("cloth")[80] + rng.uniform(-0.2, 0.2, 3)))
        if frame == 20:
            simulation.release("cloth", 0)
        report = simulation.step()
        assert report.is_finite
        assert not referee.sees_intersections()
    assert simulation.intersections() == 0


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_of_a_hundred_random_crumples_none_ever_intersects(block):
    """Throws into a box, hands that pull through folds at 20 m/s, and a plate that squeezes what is left."""
    for seed in range(25 * block, 25 * block + 25):
        rng = np.random.default_rng(seed)
        thrown = sheet(
            6, size=0.3, plane="xy", at=(0.0, 0.2, 0.0), rotation=tuple(rng.uniform(-3.0, 3.0, 3)),
            velocity=tuple(rng.uniform(-6.0, 6.0, 3)), thickness=0.004,
        )  # fmt: skip
        press = supple.Path(
            keyframes=(supple.Keyframe(time=0.1), supple.Keyframe(time=0.3, offset=(0.0, -0.25, 0.0)))
        )
        walls = [
            supple.Plane(normal=(0.0, 1.0, 0.0), offset=-0.1),
            supple.Plane(normal=(1.0, 0.0, 0.0), offset=-0.2),
            supple.Plane(normal=(-1.0, 0.0, 0.0), offset=-0.2),
            supple.Box(size=(1.0, 0.1, 1.0), at=(0.0, 0.5, 0.0), motion=press),
        ]
        simulation = supple.Simulation(supple.Scene(thrown, *walls), substeps=5)
        referee = Referee(simulation)
        for frame in range(15):
            if frame == 6:
                simulation.grab(
                    "cloth", 0, tuple(simulation.positions("cloth")[35] + rng.uniform(-0.2, 0.2, 3))
                )
            if frame == 8:
                simulation.release("cloth", 0)
            assert simulation.step().is_finite, seed
            assert not referee.sees_intersections(), (seed, frame)


def test_a_scene_that_starts_intersected_is_refused_with_the_place():
    crossing = supple.Scene(
        sheet(5, name="flat"), sheet(5, name="upright", plane="xy", at=(0.01, 0.02, 0.013))
    )
    with pytest.raises(
        SuppleError, match=r"flat and upright: the start is intersected: \d+ edges .* near \("
    ):
        supple.Simulation(crossing)
    told = inspect_scene(crossing)["warnings"][0]
    assert "the start is intersected" in told
    places = re.findall(r"\(([-\d.e]+), ([-\d.e]+), ([-\d.e]+)\)", told)
    assert 2 <= len(places) <= 6  # all along the line where the two cross, z = 0.013
    assert all(abs(float(y)) < 0.05 and abs(float(z) - 0.013) < 0.05 for _, y, z in places)
    ignored = supple.Scene(*(body.changed(self_contact="off") for body in crossing.bodies))
    assert supple.Simulation(ignored).intersections() > 0, "what nobody notices is counted all the same"


def test_crossings_are_seen_where_the_referee_sees_them():
    for shift in (0.0, 0.2):
        scene = supple.Scene(
            sheet(5, name="flat"), sheet(5, name="upright", plane="xy", at=(0.01, 0.02, 0.013 + shift))
        )
        world = self_contact.SelfContact(scene, build_world(scene))
        simulation = supple.Simulation(supple.Scene(*(b.changed(self_contact="off") for b in scene.bodies)))
        assert bool(len(world.crossings())) == Referee(simulation).sees_intersections() == (shift == 0.0)


def test_thickness_beyond_the_triangles_is_a_mistake_with_advice():
    with pytest.raises(SuppleError, match="Make it at most"):
        sheet(30, thickness=0.02)
    assert sheet(100).contact_thickness() < 1.1e-3
    assert sheet(400).contact_thickness() < 0.5e-3


def test_a_saved_simulation_goes_on_bit_for_bit_with_its_contacts(tmp_path):
    sheets = [sheet(6, name=f"s{k}", at=(0.003 * k, 0.002 + 0.0015 * k, 0.002 * k)) for k in range(3)]
    simulation = supple.Simulation(supple.Scene(*sheets, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)))
    for _ in range(12):
        report = simulation.step()
    assert report.self_contacts > 0
    simulation.save(tmp_path / "stack.npz")
    loaded = supple.Simulation.load(tmp_path / "stack.npz")
    assert_go_on_alike(simulation, loaded, 5)


def heap(frames):
    """Return three sheets that fall on each other and on the floor, a chain beside them."""
    sheets = [
        sheet(
            7, name=f"s{k}", at=(0.02 * k, 0.05 + 0.06 * k, 0.01 * k), rotation=(0.05 * k, 0.5 * k, 0.0),
            velocity=(0.0, -1.0 - 2.0 * k, 0.0),
        )
        for k in range(3)
    ]  # fmt: skip
    chain = supple.Chain(length=0.3, points=6, at=(1.0, 0.5, 0.0))
    floor = supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)
    simulation = supple.Simulation(supple.Scene(*sheets, chain, floor))
    for _ in range(frames):
        report = simulation.step()
    assert report.self_contacts > 0
    return simulation


def test_after_an_edit_a_saved_simulation_looks_for_contacts_in_the_same_order(tmp_path):
    chain = supple.Chain(length=0.3, points=6, at=(1.0, 0.5, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet(7).pinned("bottom"), chain))
    before = simulation.engine.contact.bvh
    for _ in range(15):  # until the sheet has swung down
        simulation.step()
    simulation.cut("cloth", edges=[3, 10, 17])  # edits grow the tree anew, where cloth is
    simulation.step()
    simulation.save(tmp_path / "swung.npz")
    loaded = supple.Simulation.load(tmp_path / "swung.npz")
    tree, again = simulation.engine.contact.bvh, loaded.engine.contact.bvh
    assert not np.array_equal(tree.children, before.children)
    for name, array in tree._asdict().items():
        np.testing.assert_array_equal(getattr(again, name), array)


def test_how_much_room_there_is_for_contacts_changes_nothing():
    simulation, cramped = heap(6), heap(6)
    grown = 0
    for _ in range(10):
        contact = cramped.engine.contact
        for store in (contact.contacts, contact.spare_contacts):
            store.grow(max(store.count, 1))
        simulation.step()
        cramped.step()
        grown += contact.contacts.capacity > 1
        for name in simulation.body_names:
            np.testing.assert_array_equal(simulation.positions(name), cramped.positions(name))
    assert grown


CALLED_BY_KERNELS = {
    "add_fractions", "closest_line", "contact_time", "count_strained", "cross", "difference", "dot", "equalise_fractions",
    "gap_along", "kernel", "limit_lengths", "norm", "pair_vectors", "scale_fractions", "solve_inertia_tensor",
    "sum_zones", "turn_of", "turned",
    "zone_arm", "zone_of", "zone_turn",
}  # fmt: skip
"""Kernels that others call, or that have tests of their own."""


def test_every_kernel_of_contact_gives_in_python_what_it_gives_compiled(monkeypatch):
    kernels = {
        name: (module, value)
        for module in (self_contact, neighbour_list, ccd_guard, impact_zones, strained_edges)
        for name, value in vars(module).items()
        if is_kernel(value) and name not in CALLED_BY_KERNELS
    }
    calls = {name: [] for name in kernels}
    scene = supple.Scene(
        sheet(3, name="low", size=0.05).pinned("top"),
        sheet(3, name="high", size=0.05, at=(0.004, 0.0021, 0.003), velocity=(0.0, -3.0, 0.0)),
        supple.Plane(normal=(0.0, 1.0, 0.0), offset=-0.0005),
    )
    supple.Simulation(scene, substeps=1, integrator="filter").step()  # compiles, with the kernels themselves

    def recorder(name, compiled):
        def call(*arguments):
            if len(calls[name]) < 2:
                calls[name].append(copied(arguments))
            return compiled(*arguments)

        return call

    monkeypatch.setattr(neighbour_list, "MOST_REDIRECTED", 1.0)  # few points: one would be too many already
    monkeypatch.setattr(ccd_guard, "MOST_OUTSIDE", 1.0)
    for name, (module, compiled) in kernels.items():
        monkeypatch.setattr(module, name, recorder(name, compiled))
    simulation = supple.Simulation(scene, substeps=1, integrator="filter")
    for frame in range(8):
        if frame == 4:
            simulation.grab("high", 4, (0.0, -0.3, 0.0))  # faster than any list expects
        simulation.step()
    simulation.engine.contact.open_cuts(np.arange(9))  # as after an edit
    monkeypatch.undo()
    for name, (_, compiled) in kernels.items():
        assert calls[name], name
        for arguments in calls[name]:
            by_machine, by_hand = copied(arguments), copied(arguments)
            answer, expected = compiled(*by_machine), compiled.py_func(*by_hand)
            assert answer == expected or answer == pytest.approx(expected, rel=1e-9), name
            assert_alike(by_machine, by_hand, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("edit", ["cut", "slit"])
def test_cloth_that_is_cut_keeps_its_contact_and_its_banks_come_apart(edit):
    low = sheet(9, name="low", at=(0.0, 0.004, 0.0))
    high = sheet(9, name="high", at=(0.01, 0.012, 0.006))
    simulation = supple.Simulation(supple.Scene(low, high, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)))
    for _ in range(5):
        simulation.step()
    if edit == "cut":
        simulation.cut("high", plane=((0.023, 0.0, 0.0), (1.0, 0.3, 0.4)))
        assert len(simulation.body_names) == 3
    else:
        height = float(simulation.positions("high")[:, 1].mean())
        simulation.cut("high", path=[(-0.2, height, 0.02), (0.05, height, 0.03)])
    assert simulation.intersections() == 0
    piece = simulation.body_names[-1]
    simulation.grab(piece, 0, tuple(simulation.positions(piece)[0] + (0.0, 0.05, 0.0)))
    referee = Referee(simulation)
    for _ in range(15):
        report = simulation.step()
        assert report.is_finite
        assert not referee.sees_intersections()
    assert report.self_contact == "exact" and report.self_contacts > 10
    np.testing.assert_allclose(simulation.positions(piece)[0, 1], 0.055, atol=0.02)
    simulation.undo()
    assert not Referee(simulation).sees_intersections()
