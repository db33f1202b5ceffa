"""A scene: bodies, gravity, air and how long and how to compute them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import PlainValidator, ValidationError

from supple.errors import Mistake, SceneError
from supple.scene.air import Fan, Wind
from supple.scene.bodies.body import Body
from supple.scene.bodies.chain import Chain
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.lattice import Lattice
from supple.scene.bodies.materials import Material, presets, unknown_material
from supple.scene.bodies.network import Network
from supple.scene.bodies.puppet import Puppet
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.camera import Camera
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.declared import Declared
from supple.scene.error_messages import checked_part, dotted_path, field_error, listed, shown, suggestion
from supple.scene.field_types import Number, Text, Vector, as_name, list_of
from supple.scene.files.pattern import Pattern, without_patterns
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.settings import Settings
from supple.scene.timeline.edits import EDITS, Cut, Seam, Tear, as_edits, edit_mistakes
from supple.scene.timeline.stitch import Stitch, stitch_mistakes
from supple.scene.timeline.timed_entry import Timed
from supple.scene.view import View
from supple.scene.water import Water

AnyBody = Cloth | Chain | Lattice | Network | SoftBody | Puppet

ITEM_FIELDS: dict[str, tuple[type, ...]] = {
    "bodies": (Cloth, Chain, Lattice, Network, SoftBody, Puppet),
    "obstacles": (Obstacle,),
    "stitches": (Stitch,),
    "wind": (Wind,),
    "fans": (Fan,),
    "waters": (Water,),
    "cameras": (Camera,),
    "edits": EDITS,
}
"""For each field of a scene that holds items, the classes of these items. New kinds are added here."""


def as_materials(value: Any) -> dict[str, Material]:
    """Return materials by name, or say what is wrong with them."""
    if not isinstance(value, Mapping):
        raise field_error(f"is {shown(value)}, but it must hold materials by name.")
    for name, material in value.items():
        checked_part(str(name), as_name, name)
        if not isinstance(material, Material):
            raise field_error(f"is {shown(material)}, but it must be a Material.", name)
    return dict(value)


def as_bodies(value: Any) -> tuple[AnyBody, ...]:
    """Return the bodies, or say which of them is none."""
    kinds = "a Cloth, a Chain, a Lattice, a Network, a SoftBody or a Puppet"
    return list_of(value, AnyBody, "bodies", kinds)


def as_obstacles(value: Any) -> tuple[Obstacle, ...]:
    """Return the obstacles, or say which of them is none."""
    return list_of(value, Obstacle, "obstacles", "an obstacle, such as a Sphere")


def as_stitches(value: Any) -> tuple[Stitch, ...]:
    """Return the stitches, or say which of them is none."""
    return list_of(value, Stitch, "stitches", "a Stitch")


NAMED = (Body, Obstacle, Fan, Water, Camera)
"""What gets a name of its own."""


def as_wind(value: Any) -> Wind | None:
    """Return the wind if there is one, or say that there is but one."""
    if value is None or isinstance(value, Wind):
        return value
    if isinstance(value, list | tuple) and all(isinstance(entry, Wind) for entry in value):
        if len(value) > 1:
            raise field_error(f"is given {len(value)} times. A scene has one wind; fans add to it.")
        return value[0] if value else None
    raise field_error(f"is {shown(value)}, but it must be a Wind.")


def as_fans(value: Any) -> tuple[Fan, ...]:
    """Return the fans, or say which of them is none."""
    return list_of(value, Fan, "fans", "a Fan")


def as_waters(value: Any) -> tuple[Water, ...]:
    """Return the waters, or say which of them is none."""
    return list_of(value, Water, "waters", "a Water")


def as_cameras(value: Any) -> tuple[Camera, ...]:
    """Return the cameras, or say which of them is none."""
    return list_of(value, Camera, "cameras", "a Camera")


class Scene(Declared):
    """Everything there is at the start, and how to compute it.

    Example:
        >>> sheet = Cloth.rectangle(width=1.0, height=1.0, columns=20, rows=20)
        >>> scene = Scene(sheet.pinned("top"), Chain(length=1.0, points=10))
        >>> [body.name for body in scene.bodies]
        ['cloth', 'chain']
    """

    kind: ClassVar[str] = "scene"

    title: Text = ""
    """One line on what it shows."""

    description: Text = ""
    """More lines on it."""

    paper: Text = ""
    """Which paper it repeats as printed, named like its page in docs/papers, such as "desbrun-1999"; usually none."""

    gravity: Annotated[tuple[float, float, float], PlainValidator(Vector(at_most=1.0e6))] = (0.0, -9.81, 0.0)
    """Acceleration of everything that falls, in world axes [m/s²]."""

    drag: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e6))] = 0.0
    """Rate at which still air slows every point [1/s]."""

    settings: Settings = Settings()
    """How to compute it."""

    duration: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e6))] = 4.0
    """How long it plays [s]."""

    view: View = View()
    """From where it is looked at when it opens."""

    materials: Annotated[dict[str, Material], PlainValidator(as_materials)] = {}  # noqa: RUF012
    """Materials of this scene by name, beside the presets; one named like a preset replaces it."""

    bodies: Annotated[tuple[AnyBody, ...], PlainValidator(as_bodies)]
    """What moves, each with a name of its own."""

    obstacles: Annotated[tuple[Obstacle, ...], PlainValidator(as_obstacles)] = ()
    """What is in the way, each with a name of its own."""

    stitches: Annotated[tuple[Stitch, ...], PlainValidator(as_stitches)] = ()
    """Which edges of cloth are sewn together, each with a name of its own."""

    wind: Annotated[Wind | None, PlainValidator(as_wind)] = None
    """Air that fills the scene; None is none, unless there are fans."""

    fans: Annotated[tuple[Fan, ...], PlainValidator(as_fans)] = ()
    """Jets of air, each with a name of its own."""

    waters: Annotated[tuple[Water, ...], PlainValidator(as_waters)] = ()
    """Regions of water, each with a name of its own; where two overlap, the later one counts."""

    cameras: Annotated[tuple[Camera, ...], PlainValidator(as_cameras)] = ()
    """Where `Simulation.image` looks from, each with a name of its own; the first one unless another is asked for."""

    edits: Annotated[tuple[Timed, ...], PlainValidator(as_edits)] = ()
    """What is cut, torn, sewn, shrunk, held, let go and changed while it plays."""

    def __init__(
        self,
        *items: AnyBody | Obstacle | Stitch | Pattern | Wind | Fan | Water | Camera | Timed,
        **values: Any,
    ) -> None:
        """Take what stands and happens in the scene by position and everything else by keyword."""
        found: list[Mistake] = []
        sorted_items = sort_items(without_patterns(items, found), found)
        for field, members in sorted_items.items():
            given = values.get(field, ())
            if field == "wind" and (given is None or isinstance(given, Wind)):
                given = (given,) if given else ()
            values[field] = (*given, *members) if isinstance(given, list | tuple) else given
        if isinstance(values["bodies"], tuple):
            groups = [
                field
                for field in ITEM_FIELDS
                if field not in ("wind", "stitches") and isinstance(values[field], tuple)
            ]
            named = tuple(item for field in groups for item in values[field])
            found += scene_mistakes(named, values.get("materials", {}))
            taken = {item.name for item in named if isinstance(item, NAMED)}
            for field in groups:
                values[field] = with_names(values[field], taken)
            if isinstance(values["stitches"], tuple):
                taken = {item.name for item in values["stitches"] if isinstance(item, Stitch)}
                values["stitches"] = with_names(values["stitches"], taken)
                found += stitch_mistakes([*values["bodies"], *values["stitches"]])
            if isinstance(values["edits"], tuple):
                found += edit_mistakes((*values["bodies"], *values["edits"]))
        if not items and values["bodies"] == ():
            found.append(
                Mistake("scene", "has no bodies. Add a cloth, a chain, a lattice, a network or a soft body.")
            )
        try:
            super(Declared, self).__init__(**values)
        except ValidationError as error:
            self.explain(error, values, self.kind, found)
        if found:
            raise SceneError(found)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    def obstacle(self, name: str) -> Obstacle:
        """Return the obstacle of that name."""
        for obstacle in self.obstacles:
            if obstacle.name == name:
                return obstacle
        raise SceneError([Mistake("scene", f"has no obstacle named {shown(name)}.")])

    def body(self, name: str) -> AnyBody:
        """Return the body of that name."""
        for body in self.bodies:
            if body.name == name:
                return body
        raise SceneError([Mistake("scene", f"has no body named {shown(name)}.")])

    @property
    def cloths(self) -> dict[str, Cloth]:
        """Every cloth by its name."""
        return {body.name or "": body for body in self.bodies if isinstance(body, Cloth)}

    @property
    def starts_sewn(self) -> bool:
        """Whether a garment is worn from the start; its folds may have to be untangled first."""
        return any(isinstance(c.shape, Panel) and c.shape.laid is not None for c in self.cloths.values())

    @property
    def may_reshape(self) -> bool:
        """Whether a body may be cut, torn or sewn while it plays, and so change its number of points."""
        return bool(self.stitches) or any(isinstance(edit, Cut | Tear | Seam) for edit in self.edits)

    def material_of(self, cloth: Cloth) -> Material:
        """Return what a cloth of this scene is made of."""
        if isinstance(cloth.material, Material):
            return cloth.material
        return {**presets(), **self.materials}[cloth.material]


def sort_items(items: Sequence[Any], found: list[Mistake]) -> dict[str, list[Any]]:
    """Return the items of a scene by the field that holds them; what fits nowhere is a mistake."""
    fields: dict[str, list[Any]] = {field: [] for field in ITEM_FIELDS}
    for index, item in enumerate(items):
        for field, types in ITEM_FIELDS.items():
            if isinstance(item, types):
                fields[field].append(item)
                break
        else:
            known = ", ".join(kind.__name__ for types in ITEM_FIELDS.values() for kind in types)
            message = f"is {shown(item)}, which is nothing a scene can hold. It holds: {known}."
            found.append(Mistake(dotted_path("scene", index), message))
    return fields


def with_names(items: Sequence[Any], taken: set[str | None]) -> tuple[Any, ...]:
    """Return the items with a name for each that has none: its kind, with a number if that is taken."""
    named = []
    for item in items:
        if isinstance(item, (*NAMED, Stitch)) and item.name is None:
            name, number = item.kind, 1
            while name in taken:
                number += 1
                name = f"{item.kind}-{number}"
            taken.add(name)
            item = item.model_copy(update={"name": name})
        named.append(item)
    return tuple(named)


def scene_mistakes(items: Sequence[Any], materials: Any) -> Iterator[Mistake]:
    """Yield what is wrong between the parts of a scene: names given twice, materials nobody defined."""
    owners: dict[str, str] = {}
    known = {**presets(), **materials} if isinstance(materials, Mapping) else dict(presets())
    for item in items:
        if not isinstance(item, NAMED):
            continue
        place = item.place_of({"name": item.name})
        if item.name is not None:
            if item.name in owners:
                yield Mistake(place, f'is called "{item.name}" like {owners[item.name]}. Names must differ.')
            owners.setdefault(item.name, f"`{place}`")
        if isinstance(item, Body):
            yield from _pin_mistakes(item, items, place)
        if isinstance(item, Cloth) and isinstance(item.material, str) and item.material not in known:
            yield Mistake(dotted_path(place, "material"), unknown_material(item.material, known))


def _pin_mistakes(body: Body, items: Sequence[Any], place: str) -> Iterator[Mistake]:
    """Yield pins to obstacles that the scene does not have, or that give way."""
    for number, pin in enumerate(body.pins):
        if pin.to is not None and (mistake := attachment_mistake(pin.to, items)) is not None:
            yield Mistake(dotted_path(place, "pins", number, "to"), mistake)


def attachment_mistake(to: Any, items: Sequence[Any]) -> str | None:
    """Return what is wrong with points that are pinned to the item of a scene called `to`, None if nothing is."""
    carriers = {
        item.name: item for item in items if isinstance(item, Obstacle | Puppet) and item.name is not None
    }
    bodies = {item.name for item in items if isinstance(item, Body)} - set(carriers)
    if isinstance(to, str) and to in carriers:
        if getattr(carriers[to], "mass", None) is not None:
            return f'is "{to}", which has a mass. Only obstacles that are led can carry points.'
        return None
    if isinstance(to, str) and to in bodies:
        return (
            f'is "{to}", a body that gives way: what hangs on it must pull it. Sew their points together, by '
            "`Simulation.seam` or a stitch of the scene."
        )
    names = tuple(carriers)
    known = f"Obstacles and puppets with a name: {listed(names)}." if names else "No obstacle has a name."
    return f'is "{to}", which is no obstacle. {known}{suggestion(str(to), names)}'
