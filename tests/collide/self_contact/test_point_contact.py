"""Contact by discs on points: cheap, without a guarantee."""

import numpy as np
import pytest

import supple
from supple.collide.self_contact import point_contact
from supple.collide.self_contact.point_contact import HashGrid, fill_grid, list_near_points
from supple.kernel import is_kernel
from tests.collide.kernel_calls import assert_alike, copied
from tests.together import assert_go_on_alike


def sheet(points, *, size=0.3, **options):
    options = {"self_contact": "points", "plane": "xz", **options}
    return supple.Cloth.rectangle(width=size, height=size, columns=points, rows=points, **options)


def rms_speed(simulation):
    velocities = np.concatenate([simulation.velocities(name) for name in simulation.body_names])
    return float(np.sqrt((velocities**2).sum(axis=1).mean()))


def test_a_sheet_that_falls_on_a_sheet_stays_on_it_and_the_report_says_how():
    low = sheet(12, name="low", at=(0.0, 0.01, 0.0))
    high = sheet(12, name="high", at=(0.004, 0.05, 0.007), rotation_deg=(0.0, 20.0, 0.0), size=0.25)
    simulation = supple.Simulation(supple.Scene(low, high, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)))
    for _ in range(100):
        report = simulation.step()
    assert report.self_contact == "points"
    assert report.self_contacts > 50
    apart = simulation.positions("high")[:, 1].mean() - simulation.positions("low")[:, 1].mean()
    assert 0.7e-3 < apart < 1.6e-3  # thickness 1 mm
    assert rms_speed(simulation) < 5e-3


def test_without_it_the_upper_sheet_falls_into_the_lower():
    sheets = [
        sheet(12, name=n, at=(0.0, y, 0.0), self_contact="off") for n, y in (("low", 0.01), ("high", 0.05))
    ]
    simulation = supple.Simulation(supple.Scene(*sheets, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)))
    for _ in range(60):
        report = simulation.step()
    assert report.self_contact == "off"
    apart = simulation.positions("high")[:, 1].mean() - simulation.positions("low")[:, 1].mean()
    assert abs(apart) < 1e-4


def test_two_free_sheets_that_collide_keep_their_linear_momentum():
    simulation = supple.Simulation(
        supple.Scene(
            sheet(9, name="still"),
            sheet(
                9,
                name="flying",
                at=(0.05, 0.03, 0.04),
                rotation_deg=(4.0, 20.0, 3.0),
                velocity=(0.3, -1.0, 0.0),
            ),
            gravity=(0.0, 0.0, 0.0),
        )
    )
    start = simulation.step()
    contacts = 0
    for _ in range(15):
        report = simulation.step()
        contacts += report.self_contacts
    assert contacts > 0
    assert np.linalg.norm(simulation.velocities("still").mean(axis=0)) > 0.1
    linear = np.array(start.linear_momentum)
    np.testing.assert_allclose(report.linear_momentum, linear, atol=1e-12 * np.linalg.norm(linear))


def test_exact_cloth_and_cloth_of_points_may_share_a_scene():
    scene = supple.Scene(sheet(5, name="a"), sheet(5, name="b", at=(0.0, 0.1, 0.0), self_contact="exact"))
    assert supple.Simulation(scene).step().self_contact == "exact and points"


def test_near_points_are_those_that_brute_force_finds():
    rng = np.random.default_rng(5)
    count, size = 300, 0.09
    positions = rng.uniform(-0.3, 0.3, (count, 3))
    rests = rng.uniform(-0.3, 0.3, (count, 3))
    bodies = rng.integers(0, 2, count).astype(np.int32)
    points = np.flatnonzero(rng.random(count) < 0.8)
    radii = np.full(count, 0.05)
    cells, firsts = np.zeros((len(points), 3), dtype=np.int64), np.zeros(65, dtype=np.int64)
    members, pairs = np.zeros(len(points), dtype=np.int64), np.zeros((4000, 2), dtype=np.int32)
    grid = HashGrid(cells, firsts, members)
    fill_grid(positions, points, size, grid)
    assert sorted(members.tolist()) == list(range(len(points)))
    found = list_near_points(positions, rests, bodies, points, radii, size, grid, pairs)
    expected = {
        (i, j)
        for i in points.tolist()
        for j in points.tolist()
        if i < j
        and np.linalg.norm(positions[i] - positions[j]) <= size
        and (bodies[i] != bodies[j] or np.linalg.norm(rests[i] - rests[j]) >= point_contact.NEIGHBOURS * 0.05)
    }
    assert {tuple(pair) for pair in pairs[:found].tolist()} == expected
    assert found == len(expected) > 100


def test_a_saved_simulation_goes_on_bit_for_bit_with_its_pairs(tmp_path):
    sheets = [sheet(7, name=f"s{k}", at=(0.003 * k, 0.002 + 0.004 * k, 0.002 * k)) for k in range(3)]
    simulation = supple.Simulation(supple.Scene(*sheets, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)))
    for _ in range(9):
        report = simulation.step()
    assert report.self_contacts > 0
    simulation.save(tmp_path / "stack.npz")
    loaded = supple.Simulation.load(tmp_path / "stack.npz")
    assert_go_on_alike(simulation, loaded, 8)


def test_every_kernel_gives_in_python_what_it_gives_compiled(monkeypatch):
    names = [
        name
        for name, value in vars(point_contact).items()
        if is_kernel(value) and value.py_func.__module__ == point_contact.__name__ and name != "cell_of"
    ]
    calls = {}

    def recorder(name, compiled):
        def call(*arguments):
            calls[name] = copied(arguments)
            return compiled(*arguments)

        return call

    for name in names:
        monkeypatch.setattr(point_contact, name, recorder(name, getattr(point_contact, name)))
    sheets = [sheet(4, name=f"s{k}", size=0.1, at=(0.003 * k, 0.002 + 0.0015 * k, 0.0)) for k in range(2)]
    simulation = supple.Simulation(supple.Scene(*sheets, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)))
    simulation.step()
    monkeypatch.undo()
    assert sorted(calls) == sorted(names)
    for name, arguments in calls.items():
        compiled = getattr(point_contact, name)
        copies = [copied(arguments) for _ in range(2)]
        assert compiled(*copies[0]) == compiled.py_func(*copies[1])
        assert_alike(*copies, rtol=1e-12, atol=1e-15)
    assert point_contact.cell_of(3, -5, 7, 63) == point_contact.cell_of.py_func(3, -5, 7, 63)


@pytest.mark.slow
def test_a_sheet_that_crumples_on_the_ground_stays_calm_and_finite():
    upright = sheet(24, plane="xy", at=(0.0, 0.16, 0.0), rotation_deg=(4.0, 0.0, 0.0))
    simulation = supple.Simulation(
        supple.Scene(upright, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0, friction=0.5), drag=1.0)
    )
    fastest = 0.0
    for _ in range(150):
        report = simulation.step()
        assert report.is_finite
        fastest = max(fastest, rms_speed(simulation))
    assert fastest < 3.0  # it falls by 30 cm: nothing may burst apart
    assert rms_speed(simulation) < 0.2
