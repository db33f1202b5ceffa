"""How a cloth looks close by follows from what it is made of."""

from __future__ import annotations

import pytest

import supple
from supple.scene.appearance import FABRIC_WORDS, fabric_of


def fabric(material, **materials):
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=4, rows=4, material=material)
    scene = supple.Scene(cloth, materials=materials)
    return fabric_of(scene.bodies[0], scene)


@pytest.mark.parametrize(
    ("material", "look"),
    [("silk", "silk"), ("denim", "denim"), ("chain mail", "mail"), ("rubber", "rubber"), ("wool", "wool")],
)
def test_presets_look_like_themselves(material, look):
    assert fabric(material) == look


def test_a_material_of_the_scene_is_known_by_its_name():
    assert fabric("red-satin", **{"red-satin": supple.Material.like("denim")}) == "silk"


def test_a_material_without_a_telling_name_looks_like_what_weighs_and_bends_alike():
    assert fabric(supple.Material.like("denim", stretch_stiffness=100.0)) == "denim"
    assert fabric("curtain", curtain=supple.Material.like("silk", area_density=0.05)) == "silk"


def test_what_is_no_cloth_is_smooth():
    rope = supple.Chain(length=1.0, points=5)
    scene = supple.Scene(rope)
    assert fabric_of(scene.bodies[0], scene) == "rubber"
    assert "rubber" in FABRIC_WORDS
