import pytest

import supple
from supple.scene.bodies.refinement import Refine


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"levels": 0}, "`soft.levels` is 0, but it must lie between 1 and 5"),
        ({"levels": 2.5}, "`soft.levels` is 2.5, but it must be a whole number"),
        ({"levels": 5}, "`soft.levels` is 5, but a coarser mesh of it cannot be made"),
        ({"levels": 3, "refine": {"floor": 3}}, "`soft.refine.floor` is 3, but the finest level is 2"),
        ({"refine": {"floor": 1}}, "`soft.refine` is for bodies of several levels of detail"),
        ({"levels": 3, "masses": [1.0] * 1483}, "`soft.masses` cannot be given for a body of several levels"),
        ({"levels": 3, "refine": {"measure": "strein"}}, 'Did you mean "strain"?'),
        (
            {"levels": 3, "refine": {"above": 0.0}},
            "`soft.refine.above` is 0.0, but it must be greater than 0",
        ),
        ({"levels": 3, "refine": {"above": 0.01, "below": 0.009}}, "back and forth between two levels"),
        ({"levels": 3, "refine": {"abov": 0.01}}, "abov"),
    ],
)
def test_mistakes_are_told(values, words):
    with pytest.raises(supple.SceneError, match=None) as caught:
        supple.SoftBody.ball(0.1, 0.02, **values)
    assert words in str(caught.value)


def test_given_tetrahedra_have_one_level():
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    body = supple.SoftBody.from_tetrahedra(points, [[0, 1, 2, 3]])
    with pytest.raises(supple.SceneError, match="given tetrahedra cannot be made coarser"):
        body.changed(levels=2)


def test_thresholds_follow_the_cell_unless_given():
    assert Refine().upper(0.01) == pytest.approx(4e-4) and Refine().lower(0.01) == pytest.approx(2e-4)
    assert Refine(above=1e-3).lower(0.01) == pytest.approx(5e-4)
    assert Refine(above=1e-3, below=1e-4).lower(0.01) == 1e-4


def test_two_budgets_are_one_too_many():
    with pytest.raises(supple.SceneError, match="Keep one of them"):
        supple.scene.settings.Settings(budget_ms=15.0, budget_updates=1000)


def test_a_file_says_the_same_as_python(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(
        "[simulation]\nbudget_updates = 5000\n[soft.b]\nball = { radius = 0.1, cell = 0.02 }\nlevels = 3\n"
        'refine = { above = 0.001, measure = "laplacian", floor = 1, touched = false }\n'
    )
    refine = Refine(above=0.001, measure="laplacian", floor=1, touched=False)
    body = supple.SoftBody.ball(0.1, 0.02, name="b", levels=3, refine=refine)
    scene = supple.find_scene(str(path))
    assert scene.bodies == (body,) and scene.settings.budget_updates == 5000
