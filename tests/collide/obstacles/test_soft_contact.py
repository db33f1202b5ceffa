"""Soft bodies meet each other and cloth through the same contact as cloth."""

from __future__ import annotations

import numpy as np
import pytest

import supple

STIFF = supple.SoftMaterial.like("jelly", young=2.0e4)


def block(size, at, name, **options):
    values = {"cell": 0.04, "material": STIFF, "self_contact": "exact", **options}
    return supple.SoftBody.box(size=size, at=at, name=name, **values)


def settled(*items, seconds=1.2):
    simulation = supple.Simulation(
        supple.Scene(*items, supple.Plane(friction=0.5), drag=1.0), substeps="auto"
    )
    crossings = 0
    for report in simulation.run(seconds):
        crossings += simulation.intersections()
        assert report.is_finite
    return simulation, report, crossings


def extent(simulation, name):
    heights = simulation.positions(name)[:, 1]
    return heights.min(), heights.max()


def test_three_jellies_stand_on_each_other():
    simulation, report, crossings = settled(
        block((0.16, 0.08, 0.16), (0.0, 0.041, 0.0), "low"),
        block((0.08, 0.06, 0.08), (0.01, 0.13, 0.005), "middle"),
        block((0.05, 0.04, 0.05), (0.0, 0.19, 0.0), "top"),
    )
    assert crossings == 0
    assert report.kinetic_energy < 1e-3
    assert report.self_contacts > 3
    (_, low), (middle, high), (top, _) = (extent(simulation, name) for name in ("low", "middle", "top"))
    assert middle == pytest.approx(low, abs=0.003)
    assert top == pytest.approx(high, abs=0.005)
    assert simulation.engine.soft_measures.smallest_volume() > 0.8


def test_without_contact_they_pass_through_each_other():
    simulation, _, _ = settled(
        block((0.16, 0.08, 0.16), (0.0, 0.041, 0.0), "low", self_contact="off"),
        block((0.08, 0.06, 0.08), (0.01, 0.13, 0.005), "middle", self_contact="off"),
    )
    assert extent(simulation, "middle")[0] < 0.01


def test_a_cloth_lies_on_a_jelly():
    cloth = supple.Cloth.rectangle(
        width=0.3, height=0.3, columns=13, rows=13, plane="xz", at=(0.0, 0.1, 0.0), name="cloth",
        self_contact="exact",
    )  # fmt: skip
    simulation, _, crossings = settled(
        block((0.16, 0.08, 0.16), (0.0, 0.041, 0.0), "low"), cloth, seconds=0.8
    )
    assert crossings == 0
    middle = simulation.positions("cloth")[84]
    assert middle[1] > extent(simulation, "low")[1] - 0.01
    assert simulation.engine.soft_measures.smallest_volume() > 0.6


def test_two_halves_of_a_cut_body_meet_without_passing_through_each_other():
    simulation, _, _ = settled(block((0.16, 0.08, 0.08), (0.0, 0.041, 0.0), "bar"), seconds=0.1)
    simulation.cut("bar", plane=((0.01, 0.04, 0.0), (1.0, 0.8, 0.2)))
    assert simulation.intersections() == 0
    for _ in simulation.run(0.6):
        assert simulation.intersections() == 0
    assert np.abs(simulation.positions("bar-piece-1")).max() < 0.3
    with pytest.raises(supple.SuppleError, match="needs flat cuts"):
        simulation.cut("bar", path=[(0.0, 0.08, -0.1), (0.02, 0.08, 0.0), (0.0, 0.08, 0.1)])


def test_a_slit_does_not_lock_the_body():
    simulation, _, _ = settled(block((0.16, 0.08, 0.08), (0.0, 0.1, 0.0), "bar"), seconds=0.02)
    simulation.cut("bar", path=[(0.01, 0.14, -0.06), (0.01, 0.14, 0.01)])
    *_, report = simulation.run(0.1)
    assert report.kinetic_energy > 0.1  # it falls
    assert simulation.intersections() == 0


def test_a_cushion_notices_itself():
    pillow = supple.Cloth.cushion(
        width=0.3,
        height=0.3,
        columns=9,
        rows=9,
        plane="xz",
        at=(0.0, 0.1, 0.0),
        name="pillow",
        self_contact="exact",
    )
    _, _, crossings = settled(pillow, seconds=0.6)
    assert crossings == 0


def test_a_thickness_too_large_for_the_surface_is_refused():
    with pytest.raises(supple.SceneError, match="smallest triangles are only"):
        block((0.1, 0.1, 0.1), (0.0, 0.0, 0.0), "cube", thickness=0.05)
