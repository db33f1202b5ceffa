import pytest

import supple
from supple.studio.connection.share import read_share
from supple.studio.panel.parameters import declare_parameters
from tests.studio.pages import sheet_scene


@pytest.fixture
def simulation():
    chain = supple.Chain(length=1.0, points=5, at=(3.0, 0.0, 0.0)).pinned("start")
    box = supple.Lattice(size=(1.0, 1.0, 1.0), cells=(2, 2, 2), at=(-3.0, 0.0, 0.0)).pinned("bottom")
    net = supple.Network(points=[[0, 5], [1, 5]], springs=[[0, 1]], stiffness=10.0, mass=1.0)
    pillow = supple.Cloth.cushion(
        width=0.4, height=0.4, columns=5, rows=5, pressure=20.0, name="pillow", at=(0.0, 9.0, 0.0)
    )
    return supple.Simulation(supple.Scene(*sheet_scene().bodies, chain, box, net, pillow))


def test_every_declared_value_is_accepted_by_its_own_parameter(simulation):
    for parameter in declare_parameters(simulation).values():
        assert parameter.checked(parameter.value) == parameter.value
        parameter.change(simulation, parameter.value)
        told = parameter.declared(parameter.value)
        assert told.label and told.group
        if told.kind in ("number", "integer"):
            assert told.low < told.high


def test_both_ends_of_every_slider_are_accepted_by_the_engine(simulation):
    for parameter in declare_parameters(simulation).values():
        if parameter.kind in ("number", "integer"):
            for end in (parameter.low, parameter.high):
                parameter.change(simulation, parameter.checked(end))
    simulation.step()


def test_every_choice_is_accepted_by_the_engine(simulation):
    for parameter in declare_parameters(simulation).values():
        for choice in parameter.choices:
            parameter.change(simulation, parameter.checked(choice))


def test_a_material_brings_its_values_along(simulation):
    also = declare_parameters(simulation)["cloth.material"].change(simulation, "denim")
    assert also["cloth.stretch_stiffness"] == 3000.0
    assert also["cloth.density"] == 0.324
    assert simulation.masses("cloth").sum() == pytest.approx(0.324)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cloth.damping", -1.0), ("cloth.damping", 1e9), ("cloth.damping", "much"), ("cloth.damping", True),
        ("substeps", 2.5), ("substeps", 0), ("integrator", "magic"), ("momentum_correction", 1),
        ("gravity", (0.0, 0.0)), ("gravity", (0.0, 0.0, 1e5)), ("gravity", 3.0),
    ],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused_with_the_rule(simulation, name, value):
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        declare_parameters(simulation)[name].checked(value)


@pytest.mark.parametrize("name", ["drag", "substeps", "gravity"])
@pytest.mark.parametrize("value", ["1e999", "-1e999", "1" + "0" * 400, "1e308"])
def test_numbers_beyond_all_bounds_in_a_shared_link_are_refused_with_the_rule(simulation, name, value):
    values = read_share(f"p.{name}={f'[0, {value}, 0]' if name == 'gravity' else value}").values
    parameters = declare_parameters(simulation)
    with pytest.raises(ValueError, match=f"`{name}` is .*, but it goes from"):
        parameters[name].checked(values[name])


def test_no_limit_of_stretch_is_the_right_end_of_its_slider(simulation):
    parameter = declare_parameters(simulation)["chain.stretch_limit"]
    assert parameter.value == parameter.high
