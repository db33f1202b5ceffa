"""Fitting: materials come back out of what is measured on them, and impossible measurements are refused."""

import pytest

import supple
from supple import lab
from supple.errors import SuppleError

SYNTHETIC = {
    "even": {"stretch_stiffness": 800.0, "shear_stiffness": 60.0, "bending_stiffness": 1.0e-5},
    "limp": {"stretch_stiffness": (400.0, 300.0), "shear_stiffness": 12.0, "bending_stiffness": (4e-6, 2e-6)},
    "stiff": {"stretch_stiffness": 3000.0, "shear_stiffness": 200.0, "bending_stiffness": (9e-5, 4e-5)},
    "crosswise": {
        "stretch_stiffness": (200.0, 1500.0),
        "shear_stiffness": 20.0,
        "bending_stiffness": (1e-5, 4e-5),
    },
}


@pytest.mark.parametrize("name", SYNTHETIC)
def test_bending_both_ways_and_shear_come_back_out_of_measurements(name):
    truth = supple.Material.like("cotton", area_density=0.2, **SYNTHETIC[name])
    # As theory says: the simulated strip shows a bending length up to 3 % off, which is 8 % of the stiffness.
    bending = truth.bending_stiffness
    wanted = bending if isinstance(bending, tuple) else (bending, bending)
    lengths = tuple((each / (9.81 * 0.2)) ** (1 / 3) for each in wanted)
    pulls = tuple(row.measured for row in lab.tensile(truth).rows)
    found = lab.fit(weight=0.2, bending_length=lengths, tensile=pulls)
    assert not found.contradictions
    for side in (0, 1):
        assert found.material.bending_stiffness[side] == pytest.approx(wanted[side], rel=0.05)
    assert found.material.shear_stiffness == pytest.approx(truth.shear_stiffness, rel=0.05)


def test_a_drape_that_the_bending_length_does_not_allow_is_said_to_contradict():
    found = lab.fit(weight=0.15, bending_length=0.03, drape=25.0, tensile=800.0, points=300)
    assert "drape coefficient" in {met.quantity for met in found.contradictions}
    assert "contradicts the others" in found.told()
    assert "shear_stiffness" in found.chosen


def test_a_drape_that_fits_contradicts_nothing():
    truth = supple.Material.like("cotton", bending_stiffness=2.3e-5, stretch_limit=None)
    length = (2.3e-5 / (9.81 * 0.15)) ** (1 / 3)
    drape = lab.drape(truth, points=300).coefficient
    found = lab.fit(weight=0.15, bending_length=length, drape=drape, points=300)
    assert not found.contradictions
    assert found.material.bending_stiffness[0] == pytest.approx(2.3e-5, rel=0.1)


@pytest.mark.parametrize(
    ("measured", "told"),
    [
        ({"weight": 150.0, "bending_length": 0.02}, "150 g/m² is 0.15"),
        ({"weight": 0.0, "bending_length": 0.02}, "above 0"),
        ({"weight": 0.15}, "nothing tells how the fabric bends"),
        ({"weight": 0.15, "bending_length": 2.0}, "2 cm is 0.02"),
        ({"weight": 0.15, "bending_length": (0.02, 0.02, 0.02)}, "takes 1 or 2"),
        ({"weight": 0.15, "drape": 0.3}, "30, not 0.3"),
        ({"weight": 0.15, "drape": 100.0}, "no fabric has"),
        (
            {"weight": 0.15, "bending_length": 0.02, "tensile": (300.0, 900.0, 300.0)},
            "however stiff in shear",
        ),
        ({"weight": 0.15, "bending_length": 0.02, "tensile": -3.0}, "above 0"),
        ({"weight": "light", "bending_length": 0.02}, "finite number"),
    ],
)
def test_what_no_cloth_can_show_is_refused_in_words(measured, told):
    with pytest.raises(SuppleError, match=told):
        lab.fit(**measured)


@pytest.mark.parametrize("coefficient", [0.15, 0.5])
def test_a_piece_slides_from_the_angle_of_friction_on(coefficient):
    found, angle = lab.friction("cotton", coefficient=coefficient).rows
    assert found.measured == pytest.approx(coefficient, rel=0.03)
    assert angle.unit == "°"
