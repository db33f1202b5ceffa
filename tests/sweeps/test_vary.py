"""Distributions, samples and fields of scenes by path."""

import numpy as np
import pytest

import supple
from tests.physics.bodies import sheet

vary = supple.vary


def scene():
    return supple.Scene(
        supple.Cloth.rectangle(
            width=1.0, height=1.0, columns=3, rows=3, material="silk", name="sheet"
        ).pinned("top"),
        supple.SoftBody.box(
            size=(0.2, 0.2, 0.2), cell=0.2, material="jelly", name="cube", at=(2.0, 0.0, 0.0)
        ),
        supple.Sphere(radius=0.2, at=(0.0, -1.0, 0.0), name="ball"),
        supple.Wind(velocity=(1.0, 2.0, 3.0)),
        materials={"own": supple.Material.like("denim", damping=0.25)},
    )


@pytest.mark.parametrize(
    "path",
    [
        "cloth.sheet.material.stretch_stiffness",
        "sheet.material.stretch_stiffness",
        "cube.material.young",
        "sphere.ball.radius",
        "obstacle.ball.friction",
        "ball.at.1",
        "wind.velocity.0",
        "gravity.1",
        "drag",
        "sheet.shape.width",
        "materials.own.damping",
    ],
)
def test_a_field_is_changed_and_nothing_else(path):
    before = scene()
    after = vary.changed(before, {path: 0.125})
    assert vary.field_of(after, path) == 0.125 != vary.field_of(before, path)
    assert vary.changed(after, {path: vary.field_of(before, path)}).gravity == before.gravity
    if "material." not in path:
        assert vary.changed(after, {path: vary.field_of(before, path)}) == before
    else:
        assert after.obstacles == before.obstacles and after.wind == before.wind


def test_several_fields_of_one_entry_add_up():
    after = vary.changed(
        scene(), {"sheet.material.damping": 0.5, "sheet.material.area_density": 0.3, "settings.substeps": 3}
    )
    assert (after.bodies[0].material.damping, after.bodies[0].material.area_density) == (0.5, 0.3)
    assert after.settings.substeps == 3
    assert after.bodies[0].material.shear_stiffness == vary.field_of(
        scene(), "sheet.material.shear_stiffness"
    )


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("shet.material.damping", "Did you mean"),
        ("sheet.material.dampin", "Did you mean"),
        ("sheet.at.7", "no `7`"),
        ("sheet", "whole entry"),
        ("gravity.x", "no `x`"),
    ],
)
def test_paths_that_lead_nowhere_are_told(path, words):
    with pytest.raises(supple.SuppleError, match=words):
        vary.changed(scene(), {path: 1.0})


def test_values_that_make_no_sense_are_refused_by_the_scene():
    with pytest.raises(supple.SceneError, match="radius"):
        vary.changed(scene(), {"ball.radius": -1.0})


def test_samples_follow_their_distributions_and_their_seed():
    parameters = {
        "a": vary.uniform(2.0, 4.0),
        "b": vary.log_uniform(1.0, 1e4),
        "c": vary.normal(0.0, 1.0, low=-1.0),
        "d": vary.integers(1, 3),
        "e": vary.choice("x", "y"),
        "f": 7,
    }
    for method in ("latin", "sobol", "random"):
        drawn = vary.samples(parameters, 256, method=method, seed=3)
        assert (
            drawn
            == vary.samples(parameters, 256, method=method, seed=3)
            != vary.samples(parameters, 256, method=method, seed=4)
        )
        columns = {name: np.array([row[name] for row in drawn]) for name in parameters}
        assert (
            2.0 < columns["a"].min()
            and columns["a"].max() < 4.0
            and columns["a"].mean() == pytest.approx(3.0, abs=0.1)
        )
        assert np.median(columns["b"]) == pytest.approx(100.0, rel=0.6)
        assert -1.0 <= columns["c"].min() < -0.9 and 1.5 < columns["c"].max() < 5.0
        assert set(columns["d"]) == {1, 2, 3} and set(columns["e"]) == {"x", "y"} and set(columns["f"]) == {7}
    evenly = np.sort([row["a"] for row in vary.samples({"a": vary.uniform(0.0, 1.0)}, 50)])
    assert (np.floor(evenly * 50) == np.arange(50)).all()  # Latin: one in every fiftieth


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: vary.uniform(2.0, 1.0),
        lambda: vary.log_uniform(0.0, 1.0),
        lambda: vary.normal(0.0, -1.0),
        lambda: vary.integers(1.5, 2),
        lambda: vary.choice(),
        lambda: vary.samples({"a": 1}, 3),
        lambda: vary.samples({"a": vary.uniform(0, 1)}, 0),
        lambda: vary.samples({"a": vary.uniform(0, 1)}, 3, method="sobl"),
        lambda: vary.grid({"a": 3}),
    ],
)
def test_nonsense_is_refused(wrong):
    with pytest.raises(supple.SuppleError):
        wrong()


def test_a_randomised_scene_is_another_for_every_seed_and_moves():
    before = supple.Scene(sheet())
    parameters = {
        "cloth.material.area_density": vary.uniform(0.1, 0.3),
        "gravity.1": vary.uniform(-11.0, -9.0),
    }
    one, same, other = (vary.randomised(before, parameters, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    supple.Simulation(other).step()
