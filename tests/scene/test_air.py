"""Wind, fans and water as users declare them, and what they are told."""

import numpy as np
import pytest

import supple
from supple.scene.files.toml_reader import parse_scene

SHEET = "[cloth.a]\nrectangle = { width = 1, height = 1, columns = 4, rows = 4 }\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[wind]\ngusts = 3.0", "`wind.gusts` is 3, but it must lie between 0 and 1: it is a fraction"),
        ("[wind]\nvelocity = 5.0", "`wind.velocity` is 5.0, but it must be three numbers"),
        ("[wind]\nvelocity = [1e9, 0, 0]", "no number may be larger than 100000"),
        ("[wind]\nvelocty = [1, 0, 0]", 'Did you mean "velocity"'),
        ("[wind]\ndensity = 0", "must be greater than 0"),
        ("[wind]\ngust_time = 0.0", "`wind.gust_time` is 0"),
        ("[wind]\nshadow = 1", "must be true or false"),
        ("[fan.a]\nat = [0, 0, 0]\nspeed = 1", "`fan.a.direction` is missing"),
        ("[fan.a]\nat = [0, 0, 0]\ndirection = [0, 0, 0]\nspeed = 1", "gives no direction"),
        ("[fan]\nspeed = 1", "Write [fan.NAME] above it"),
        ("[water]\nlevel = 1", "Write [water.NAME] above it"),
        ("[water.a]\nlevel = 1\nbox = [[0, 0, 0], [1, 1, 1]]", "Keep one of them"),
        ("[water.a]\nbox = [[0, 0, 0], [1, 0, 1]]", "has no extent along y"),
        ("[water.a]\nbox = [[0, 2, 0], [1, 1, 1]]", "Give the low corner first"),
        ("[water.a]\ndensity = -1", "must be greater than 0"),
    ],
)
def test_mistakes_are_told_with_the_rule(text, told):
    with pytest.raises(supple.SceneError) as caught:
        parse_scene(SHEET + text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("air", "told"),
    [
        ('"bird"', "must be one of plate, kang, meyer"),
        ('{ law = "plate", lift = 1 }', 'belongs to the law "kang"'),
        ('{ law = "meyer", skin = 1 }', 'belongs to the law "plate"'),
        ('{ law = "kang", drag = -1 }', "must be at least 0"),
        ("3", "must be a table"),
    ],
)
def test_mistakes_in_aerodynamics_are_told_at_their_place(air, told):
    with pytest.raises(supple.SceneError) as caught:
        parse_scene(f"{SHEET}aerodynamics = {air}\n")
    assert told in str(caught.value) and "cloth.a.aerodynamics" in str(caught.value)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(supple.SceneError) as caught:
        parse_scene(
            f"{SHEET}aerodynamics = 'bird'\n[wind]\ngusts = 2\n[fan.x]\nspeed = -1\n[water.w]\ndrag = -1"
        )
    assert len(caught.value.mistakes) == 6


def test_a_scene_has_one_wind():
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=4, rows=4)
    with pytest.raises(supple.SceneError, match="one wind; fans add to it"):
        supple.Scene(sheet, supple.Wind(), supple.Wind())
    with pytest.raises(supple.SceneError, match="must be a Wind"):
        supple.Scene(sheet, wind="strong")
    with pytest.raises(supple.SceneError, match="must be a Fan"):
        supple.Scene(sheet, fans=[supple.Wind()])
    with pytest.raises(supple.SceneError, match="must be a list of waters"):
        supple.Scene(sheet, waters=3)


def test_fans_and_waters_get_names_that_differ():
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=4, rows=4)
    fan = supple.Fan(at=(0, 0, 0), direction=(1, 0, 0), speed=1.0)
    scene = supple.Scene(sheet, fan, fan, supple.Water(), supple.Water(level=-1.0))
    assert [item.name for item in (*scene.fans, *scene.waters)] == ["fan", "fan-2", "water", "water-2"]
    with pytest.raises(supple.SceneError, match="Names must differ"):
        supple.Scene(sheet, fan.changed(name="x"), supple.Water(name="x"))


def test_a_changed_scene_keeps_its_air():
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=4, rows=4)
    scene = supple.Scene(sheet, supple.Wind(velocity=(1, 2, 3)), supple.Water())
    assert scene.changed(drag=0.5).wind == scene.wind
    assert scene.changed(drag=0.5).waters == scene.waters
    assert scene.changed(wind=None).wind is None


def test_a_path_that_repeats_begins_again_where_it_began():
    keys = (
        supple.Keyframe(time=1.0),
        supple.Keyframe(time=2.0, offset=(1.0, 0.0, 0.0)),
        supple.Keyframe(time=4.0),
    )
    path = supple.Path(keyframes=keys, repeat=True)
    offsets = [path.pose(time)[0][0] for time in (0.0, 1.5, 2.0, 3.0, 4.0, 4.5, 5.0, 31.5)]
    np.testing.assert_allclose(offsets, [0.0, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0, 0.5])
    with pytest.raises(supple.SceneError, match="no motion"):
        supple.Path(keyframes=(supple.Keyframe(time=0.0),), repeat=True)
