"""A garment is one thing in the panel: fabric, colour and thickness of all its panels at once."""

from __future__ import annotations

import pytest

import supple
from supple.scene.colour import COLOURS
from supple.studio.panel.parameters import declare_parameters
from tests.scene.dressing.test_dress import pattern

PANELS = ("shirt-front", "shirt-back", "shirt-left_sleeve", "shirt-right_sleeve")


@pytest.fixture
def simulation():
    scarf = supple.Cloth.rectangle(width=0.2, height=0.2, columns=3, rows=3, name="scarf", at=(3.0, 0.0, 0.0))
    return supple.Simulation(supple.Scene(pattern("shirt", size=0.08, body=None), scarf))


def test_the_garment_stands_first_and_its_panels_are_folded_away(simulation):
    parameters = declare_parameters(simulation)
    groups = list(dict.fromkeys(each.group for each in parameters.values()))
    assert groups[:6] == ["shirt", *PANELS, "scarf"]
    own = [each for each in parameters.values() if each.group == "shirt"]
    assert [each.label for each in own] == [
        "Fabric",
        "Colour",
        "Length",
        "Width",
        "Sleeve length",
        "Thickness",
        "Friction",
    ]
    assert all(each.is_open for each in own)
    for panel in PANELS:
        assert not any(each.is_open for each in parameters.values() if each.group == panel)
    assert all(each.is_open for each in parameters.values() if each.group == "scarf")


def test_a_fabric_is_that_of_all_panels(simulation):
    before = simulation.masses("scarf").sum()
    weight = {panel: simulation.masses(panel).sum() for panel in PANELS}
    fabric = declare_parameters(simulation)["garment.shirt.material"]
    assert fabric.value == "cotton"
    also = fabric.change(simulation, fabric.checked("denim"))
    ratio = 0.324 / simulation.scene.material_of(simulation.scene.body("scarf")).area_density
    for panel in PANELS:
        assert also[f"{panel}.material"] == "denim" and also[f"{panel}.density"] == 0.324
        assert simulation.masses(panel).sum() == pytest.approx(ratio * weight[panel])
    assert simulation.masses("scarf").sum() == before


def test_colour_and_thickness_are_those_of_all_panels(simulation):
    parameters = declare_parameters(simulation)
    colour, thickness = parameters["garment.shirt.colour"], parameters["garment.shirt.thickness"]
    assert colour.value == "several"  # they are told apart
    colour.change(simulation, colour.checked("purple"))
    also = thickness.change(simulation, thickness.checked(5.0e-4))
    for panel in PANELS:
        assert simulation.scene.body(panel).colour == COLOURS["purple"]
        assert simulation.scene.body(panel).thickness == also[f"{panel}.thickness"] == 5.0e-4
    assert simulation.scene.body("scarf").colour is None
    colour.change(simulation, "several")
    assert len({simulation.scene.body(panel).colour for panel in PANELS}) == len(PANELS)


def test_a_panel_by_hand_may_belong_to_a_garment():
    outline = [[0.0, 0.0], [0.3, 0.0], [0.0, 0.4]]
    front = supple.Cloth.panel(outline=outline, size=0.1, garment="bib", name="front")
    assert "garment.bib.material" in declare_parameters(supple.Simulation(supple.Scene(front)))
