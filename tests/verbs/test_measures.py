"""Tape and pressure map: what a tailor measures on a garment and on whoever wears it."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.scene.files.toml_reader import GALLERY
from supple.scene.obstacles.mesh_parts import rounded_box


def hanging():
    cloth = supple.Cloth.rectangle(width=0.4, height=0.3, columns=9, rows=7).pinned("top-left", "top-right")
    return supple.Simulation(supple.Scene(cloth))


def test_a_tape_goes_over_its_vertices_along_the_cloth():
    simulation = hanging()
    straight = simulation.tape_measure("cloth", [0, 62])
    assert straight.length == pytest.approx(0.5, abs=5e-4)
    bent = simulation.tape_measure("cloth", [0, 8, 62])
    assert bent.length == pytest.approx(0.7, abs=5e-4) and len(bent.points) >= 3
    for _ in simulation.run(0.4):
        pass
    points = simulation.positions("cloth")
    assert simulation.tape_measure("cloth", [0, 62]).length > np.linalg.norm(points[0] - points[62])


@pytest.mark.parametrize(
    ("vertices", "message"),
    [([3], "two vertices at least"), ([0, 63], "vertices 0 to 62"), ([-1, 3], "vertices 0 to 62")],
)
def test_a_tape_says_what_it_needs(vertices, message):
    with pytest.raises(supple.SuppleError, match=message):
        hanging().tape_measure("cloth", vertices)


def test_a_chain_has_no_surface_for_a_tape():
    simulation = supple.Simulation(supple.Scene(supple.Chain(length=1.0, points=4)))
    with pytest.raises(supple.SuppleError, match="no surface"):
        simulation.tape_measure("chain", [0, 2])


def settled(wearer):
    pattern = supple.Pattern(file=GALLERY / "patterns" / "shirt.json", size=0.05, body="wearer")
    simulation = supple.Simulation(supple.Scene(pattern, wearer, drag=4.0))
    for _ in simulation.run(1.2):
        pass
    return simulation


@pytest.mark.parametrize("is_puppet", [False, True])
def test_the_pressure_on_a_figure_adds_up_to_the_weight_of_its_shirt(is_puppet):
    wearer = (
        supple.walking_mannequin(start=50.0, name="wearer", friction=0.5, shell=0.004)
        if is_puppet
        else supple.Mesh(shape="mannequin", name="wearer", friction=0.5, shell=0.004)
    )
    simulation = settled(wearer)
    weight = 9.81 * sum(simulation.masses(body).sum() for body in simulation.body_names if body != "wearer")
    found = simulation.pressure_map("wearer")
    assert found.forces[:, 1].sum() == pytest.approx(-weight, rel=0.03)
    assert np.abs(found.forces[:, [0, 2]].sum(axis=0)).max() < 0.03 * weight
    # It hangs from the shoulders: there it presses most.
    assert np.average(found.points[:, 1], weights=found.pressures) > 1.25
    assert found.areas.sum() == pytest.approx(1.75, abs=0.3)


def test_the_pressure_under_a_sheet_is_its_weight_over_its_area():
    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=11, rows=11, plane="xz", at=(0, 0.002, 0))
    table = supple.Mesh(*rounded_box((0.8, 0.2, 0.8), 0.01, spacing=0.05), at=(0.0, -0.1, 0.0), name="table")
    simulation = supple.Simulation(supple.Scene(sheet, table))
    for _ in simulation.run(0.5):
        pass
    found = simulation.pressure_map("table")
    weight = 9.81 * simulation.masses("cloth").sum()
    assert (found.pressures * found.areas).sum() == pytest.approx(weight, rel=0.03)


def test_the_name_of_the_wearer_is_checked():
    small = supple.Cloth.rectangle(width=0.1, height=0.1, columns=2, rows=2, at=(0.0, 1.0, 0.0))
    simulation = supple.Simulation(supple.Scene(small, supple.Sphere(radius=0.2, name="ball")))
    with pytest.raises(supple.SuppleError, match=r"no obstacle or puppet 'bal'.*Did you mean \"ball\""):
        simulation.pressure_map("bal")
