"""All parameters the panel offers for a simulation, where each ranges, and what a change does.

Each source in `SOURCES` looks at the simulation and declares its parameters; a part of the engine
that brings new ones adds a source. The page knows none of them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from supple.scene.bodies.chain import Chain
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.lattice import Lattice
from supple.scene.bodies.materials import Material, presets
from supple.scene.bodies.network import Network
from supple.scene.bodies.puppet import Puppet
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.settings import Integrator, Predictor, Settings, Solver
from supple.simulation import Simulation
from supple.studio.panel.air_parameters import air_parameters
from supple.studio.panel.contact_parameters import contact_parameters
from supple.studio.panel.garment import parameters_of_garment
from supple.studio.panel.parameter import Kind as Kind
from supple.studio.panel.parameter import Parameter as Parameter

NO_LIMIT = 1.0
"""Elongation at the right end of the slider, which stands for no limit [-]."""

LOOSEST_LIMIT = 1000.0
"""What the engine is told for no limit [-]."""

GROUND_UP = "Solver"


# ---------------------------------------------------------------- world and settings


def world_parameters(simulation: Simulation) -> Iterator[Parameter]:
    """Declare gravity and drag."""

    def gravity(target: Simulation, value: Any) -> dict[str, Any]:
        target.set(gravity=value)
        return {}

    def drag(target: Simulation, value: Any) -> dict[str, Any]:
        target.set(drag=value)
        return {}

    scene = simulation.scene
    yield Parameter(
        name="gravity", group="World", label="Gravity", kind="vector", value=scene.gravity, change=gravity,
        unit="m/s²", low=-30.0, high=30.0, help="Acceleration of everything that falls.",
    )  # fmt: skip
    yield Parameter(
        name="drag", group="World", label="Air damping", kind="number", value=scene.drag, change=drag,
        unit="1/s", low=0.0, high=max(10.0, scene.drag), help="Rate at which still air slows every point.",
    )  # fmt: skip


def setting_parameters(simulation: Simulation) -> Iterator[Parameter]:
    """Declare how the scene is computed."""
    settings = simulation.settings

    def setter(field: str) -> Callable[[Simulation, Any], dict[str, Any]]:
        def change(target: Simulation, value: Any) -> dict[str, Any]:
            target.set(**{field: value})
            return {}

        return change

    def declare(field: str, label: str, kind: Kind, **more: Any) -> Parameter:
        return Parameter(
            name=field,
            group=GROUND_UP,
            label=label,
            kind=kind,
            value=more.pop("value", getattr(settings, field)),
            change=more.pop("change", setter(field)),
            help=_meaning(field),
            **more,
        )

    yield declare("integrator", "Integrator", "choice", choices=_choices(Integrator))
    count = settings.substeps if isinstance(settings.substeps, int) else 10
    automatic = settings.substeps == "auto"

    def substeps(target: Simulation, value: Any) -> dict[str, Any]:
        target.set(substeps=value)
        return {"substeps_auto": False}

    def substeps_auto(target: Simulation, value: Any) -> dict[str, Any]:
        target.set(substeps="auto" if value else count)
        return {} if value else {"substeps": count}

    yield declare("substeps", "Substeps", "integer", value=count, change=substeps, low=1, high=max(60, count))
    yield Parameter(
        name="substeps_auto", group=GROUND_UP, label="Pick substeps", kind="switch", value=automatic,
        change=substeps_auto, help="Choose the number of substeps frame by frame.",
    )  # fmt: skip
    yield declare("fixed_substeps", "Fixed substeps", "switch")
    yield declare(
        "limiter_iterations", "Limiter passes", "integer", low=0, high=max(60, settings.limiter_iterations)
    )
    yield declare("momentum_correction", "Keep momentum", "switch")
    yield declare("predictor", "Predictor", "choice", choices=_choices(Predictor))
    yield declare("solver", "Linear solver", "choice", choices=_choices(Solver))
    yield declare("sweeps", "Jacobi sweeps", "integer", low=1, high=max(20, settings.sweeps))


def _choices(literal: Any) -> tuple[str, ...]:
    return tuple(literal.__args__)


def _meaning(field: str) -> str:
    return " ".join((Settings.model_fields[field].description or "").split())


# ---------------------------------------------------------------- bodies


@dataclass(frozen=True)
class _Slider:
    field: str
    label: str
    unit: str
    low: float
    high: float
    help: str
    is_logarithmic: bool = True


_CLOTH = (
    _Slider("stretch_stiffness", "Stretch", "N/m", 0.0, 1.0e5, "Pull per width at full elongation."),
    _Slider("shear_stiffness", "Shear", "N/m", 0.0, 1.0e4, "Resistance to skewing a square into a rhomb."),
    _Slider("bending_stiffness", "Bending", "N·m", 0.0, 1.0e-1, "Moment per width and curvature."),
    _Slider("damping", "Damping", "N·s/m", 0.0, 1.0, "Viscous damping along each spring."),
    _Slider("density", "Weight", "kg/m²", 0.01, 10.0, "Mass per area."),
)  # fmt: skip
_PRESSURE = _Slider("pressure", "Pressure", "Pa", 0.0, 5.0e3, "Overpressure of the gas inside.")
_CHAIN = (
    _Slider("stretch_stiffness", "Stretch", "N", 0.0, 1.0e6, "Pull at full elongation."),
    _Slider("bending_stiffness", "Bending", "N·m²", 0.0, 1.0e1, "Moment per curvature."),
    _Slider("damping", "Damping", "N·s", 0.0, 1.0e2, "Pull per rate of elongation."),
    _Slider("density", "Weight", "kg/m", 0.001, 10.0, "Mass per length."),
)
_LATTICE = (
    _Slider("stretch_stiffness", "Stiffness", "Pa", 0.0, 1.0e7, "Stress per strain."),
    _Slider("damping", "Damping", "Pa·s", 0.0, 1.0e4, "Stress per rate of strain."),
    _Slider("density", "Density", "kg/m³", 1.0, 1.0e4, "Mass per volume."),
)
_SOFT = (
    _Slider("young", "Stiffness", "Pa", 1.0e2, 1.0e8, "Stress per strain when pulled."),
    _Slider(
        "poisson", "Poisson's ratio", "", 0.0, 0.495, "How much it narrows when pulled.", is_logarithmic=False
    ),
    _Slider("damping", "Damping", "Pa·s", 0.0, 1.0e4, "Stress per rate of strain."),
    _Slider("volume_damping", "Volume damping", "Pa·s", 0.0, 1.0e4, "Pressure per rate of volume."),
    _Slider("density", "Density", "kg/m³", 1.0, 1.0e4, "Mass per volume."),
)
_LIMIT = _Slider(
    "stretch_limit", "Stretch limit", "", 0.0, NO_LIMIT,
    "Largest elongation allowed: 0.1 is 10 %; at the right end there is no limit.", is_logarithmic=False,
)  # fmt: skip


def body_parameters(simulation: Simulation) -> Iterator[Parameter]:
    """Declare what each body is made of."""
    scene = simulation.scene
    for body in scene.bodies:
        name = body.name or body.kind
        if isinstance(body, Cloth):
            material = scene.material_of(body)
            own = [
                _preset_parameter(name, body, scene.materials),
                *_sliders(name, (*_CLOTH, _LIMIT), _material_values(material)),
            ]
            if body.pressure is not None:
                own += _sliders(name, (_PRESSURE,), {"pressure": body.pressure.overpressure})
            own += contact_parameters(name, body)
            # A panel is a part of its garment, which stands above it; its own rows are folded away.
            yield from (replace(each, is_open=False) if body.garment is not None else each for each in own)
        elif isinstance(body, Chain):
            values = body.fields() | {"density": body.linear_density}
            yield from _sliders(name, (*_CHAIN, _LIMIT), values)
        elif isinstance(body, Lattice):
            values = body.fields() | {"stretch_stiffness": body.stiffness}
            yield from _sliders(name, _LATTICE, values)
        elif isinstance(body, SoftBody):
            yield from _sliders(name, _SOFT, body.stuff.fields())
            yield from contact_parameters(name, body)
        elif isinstance(body, Puppet):
            yield _tempo_parameter(name)
        elif isinstance(body, Network):
            yield from _sliders(name, (_LIMIT,), body.fields())


def _tempo_parameter(name: str) -> Parameter:
    def change(target: Simulation, value: Any) -> dict[str, Any]:
        target.set(name, tempo=value)
        return {}

    return Parameter(
        name=f"{name}.tempo", group=name, label="Tempo", kind="number", value=1.0, change=change, low=0.0, high=2.0,
        help="How fast its animation runs; at 0 it stands, and what it wears comes to rest.",
    )  # fmt: skip


def _material_values(material: Material) -> dict[str, Any]:
    values = material.fields()
    values["density"] = values.pop("area_density")
    del values["thickness"]  # buoyancy, which no slider changes
    for law in ("stiffening", "stretch_friction", "shear_friction", "bending_friction"):
        del values[law]  # how threads stiffen and rub stays as the cloth was woven
    return values


def _sliders(body: str, sliders: Iterable[_Slider], values: dict[str, Any]) -> Iterator[Parameter]:
    for slider in sliders:

        def change(target: Simulation, value: Any, field: str = slider.field) -> dict[str, Any]:
            is_open_end = field == "stretch_limit" and value >= NO_LIMIT
            target.set(body, **{field: LOOSEST_LIMIT if is_open_end else value})
            return {}

        value = _slider_value(slider.field, values[slider.field])
        yield Parameter(
            name=f"{body}.{slider.field}",
            group=body,
            label=slider.label,
            kind="number",
            value=value,
            change=change,
            unit=slider.unit,
            help=slider.help,
            low=min(slider.low, value),
            high=max(slider.high, value),
            is_logarithmic=slider.is_logarithmic,
        )


def _slider_value(field: str, value: float | tuple[float, float] | None) -> float:
    if isinstance(value, tuple):  # warp and weft, which a slider moves together
        value = 0.5 * (value[0] + value[1])
    if field == "stretch_limit":
        return NO_LIMIT if value is None else min(float(value), NO_LIMIT)
    return 0.0 if value is None else float(value)


def _preset_parameter(name: str, body: Cloth, own: dict[str, Material]) -> Parameter:
    known = {**presets(), **own}
    custom = "as declared"
    is_named = isinstance(body.material, str)

    def change(target: Simulation, value: Any) -> dict[str, Any]:
        material = target.scene.material_of(body) if value == custom else known[value]
        fields = _material_values(material)
        if fields["stretch_limit"] is None:
            fields["stretch_limit"] = LOOSEST_LIMIT
        target.set(name, **fields)
        shown = [slider.field for slider in (*_CLOTH, _LIMIT)]
        return {f"{name}.{field}": _slider_value(field, fields[field]) for field in shown}

    return Parameter(
        name=f"{name}.material",
        group=name,
        label="Material",
        kind="choice",
        value=str(body.material) if is_named else custom,
        change=change,
        choices=tuple(known) if is_named else (custom, *known),
        help="Take all values of a fabric at once.",
    )


def garment_parameters(simulation: Simulation) -> Iterator[Parameter]:
    """Declare what all panels of a garment have in common."""
    panels: dict[str, dict[int, Cloth]] = {}
    for number, body in enumerate(simulation.scene.bodies):
        if isinstance(body, Cloth) and body.garment is not None:
            panels.setdefault(body.garment, {})[number] = body
    materials = simulation.scene.materials
    for garment, members in panels.items():
        fabrics = {
            body.name or "": _preset_parameter(body.name or "", body, materials) for body in members.values()
        }
        yield from parameters_of_garment(garment, members, fabrics)


SOURCES: list[Callable[[Simulation], Iterable[Parameter]]] = [
    garment_parameters,
    body_parameters,
    air_parameters,
    world_parameters,
    setting_parameters,
]
"""Where parameters come from, in the order of the panel."""


def declare_parameters(simulation: Simulation) -> dict[str, Parameter]:
    """Return all parameters of a simulation by name, with the values it has now."""
    found = {}
    for source in SOURCES:
        for parameter in source(simulation):
            found[parameter.name] = parameter
    return found
