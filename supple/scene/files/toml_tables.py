"""What each table of a scene file says: bodies, materials, pins, anchors and regions in the file's words.

A file calls some things by shorter words than Python does: `pin` for `pins`, `at` for the `where` of a pin, a
plain list of keyframes for a path. Entries are rewritten into fields here, checked as in Python, and the
places of mistakes are turned back into the file's words.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from pydantic import BaseModel

from supple.errors import Mistake, SceneError, SuppleError
from supple.scene.air import Fan, Wind
from supple.scene.bodies.body import Body
from supple.scene.bodies.chain import Chain
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.lattice import Lattice
from supple.scene.bodies.materials import Material, presets, unknown_material
from supple.scene.bodies.network import Network
from supple.scene.bodies.pins import Anchor
from supple.scene.bodies.puppet import Puppet
from supple.scene.bodies.regions import Region
from supple.scene.bodies.soft_body import SOFT_SHAPES, SoftBody
from supple.scene.bodies.soft_materials import SoftMaterial, soft_presets, unknown_soft_material
from supple.scene.camera import Camera
from supple.scene.cloth_shapes.bezier import Bezier
from supple.scene.cloth_shapes.cushion import Cushion
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.cloth_shapes.surface import Surface
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, dotted_path, known_keys, shown, unknown_key
from supple.scene.files.pattern import PANEL_KEYS, Pattern
from supple.scene.obstacles.mannequin_figure import Mannequin
from supple.scene.obstacles.mesh_obstacle import Mesh, Union
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.obstacles.solids import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Torus
from supple.scene.timeline.edits import EDITS
from supple.scene.timeline.keyframes import Keyframe, Path
from supple.scene.timeline.stitch import Stitch
from supple.scene.water import Water

SHAPES: dict[str, type[Declared]] = {
    "rectangle": Rectangle,
    "mesh": Surface,
    "bezier": Bezier,
    "panel": Panel,
    "cushion": Cushion,
}
"""Keys that give the shape of a cloth; one of them must be there."""

FILE_WORDS = {"pins": "pin", "anchors": "anchor", "regions": "region", "materials": "material"}
"""Fields that a file calls by another word."""


@dataclass(frozen=True)
class FileReader:
    """What the readers of tables share: where the file lies and the mistakes found so far."""

    folder: FilePath
    """Where relative paths start."""

    found: list[Mistake] = field(default_factory=list)
    """Mistakes, in the order of the search."""

    def tell(self, place: str, message: str) -> None:
        """Add a mistake."""
        self.found.append(Mistake(place, message))

    def table(self, value: Any, place: str) -> Mapping[str, Any] | None:
        """Return a table, or tell that one was wanted."""
        if isinstance(value, Mapping):
            return value
        self.tell(place, f"is {shown(value)}, but it must be a table.")
        return None

    def named_tables(self, value: Any, kind: str) -> dict[str, Mapping[str, Any]]:
        """Return the tables `[kind.NAME]` by name, or tell that they have none."""
        if isinstance(value, list):
            self.tell(kind, f"is a list. Give each one a name instead: [{kind}.NAME].")
        elif not isinstance(value, Mapping) or not value:
            self.tell(kind, f"is {shown(value)}, but it must be a table with a name: [{kind}.NAME].")
        elif not all(isinstance(table, Mapping) for table in value.values()):
            key = next(key for key, table in value.items() if not isinstance(table, Mapping))
            self.tell(
                dotted_path(kind, key), f"stands in a table without a name. Write [{kind}.NAME] above it."
            )
        else:
            return dict(value)
        return {}

    def known(
        self,
        table: Mapping[str, Any],
        keys: Collection[str],
        place: str,
        shapes: Mapping[str, type[BaseModel]] | None = None,
    ) -> dict[str, Any]:
        """Return the entries with known keys and tell about the others, which may belong into one of the `shapes`."""
        shapes = {key: model for key, model in (shapes or {}).items() if key in table} or shapes
        for key in table:
            if key not in keys:
                self.tell(dotted_path(place, key), unknown_key(key, keys, shapes))
        return {key: value for key, value in table.items() if key in keys}


def read_material(file: FileReader, name: str, table: Mapping[str, Any], place: str) -> Material | None:
    """Read `[material.NAME]`. What it leaves out is taken from the preset of its name, or from `like`."""
    keys = [*known_keys(Material), "like"]
    values = file.known(table, keys, place)
    base = values.pop("like", name if name in presets() else None)
    if base is None:
        return Material.attempted(values, place, file.found)
    if not isinstance(base, str) or base not in presets():
        file.tell(dotted_path(place, "like"), unknown_material(base, presets()))
        base = "cotton"  # so that what `like` would have given is not reported as missing
    return Material.attempted({**presets()[base].fields(), **values}, place, file.found)


def read_cloth(file: FileReader, name: str, table: Mapping[str, Any], place: str) -> Body | None:
    """Read `[cloth.NAME]`."""
    keys = [*SHAPES, *(key for key in body_keys(Cloth) if key != "shape")]
    values = file.known(table, keys, place, SHAPES)
    given = {key: values.pop(key) for key in SHAPES if key in values}
    if len(given) == 1:
        ((key, value),) = given.items()
        values["shape"] = _read_shape(file, key, value, dotted_path(place, key)) or SHAPES[key]
    elif given:
        file.tell(place, f"has {len(given)} shapes: {' and '.join(given)}. Keep one of them.")
    else:
        advice = "Write [cloth.NAME] above it." if name in SHAPES else f"Give it one of {', '.join(SHAPES)}."
        file.tell(place, f"has no shape. {advice}")
    values |= _with_material(file, values, place)
    has_shape = isinstance(values.get("shape"), Declared)
    return _read_body(file, Cloth, name, values, place, ignore=() if has_shape else ("shape",))


def _read_shape(file: FileReader, key: str, value: Any, place: str) -> Declared | None:
    if key == "mesh":
        if not isinstance(value, str) or not value:
            file.tell(place, f"is {shown(value)}, but it must be the path of a mesh file in quotes.")
            return None
        return Surface.attempted({"file": str(file.folder / value)}, place, file.found)
    table = file.table(value, place)
    return SHAPES[key].attempted(table, place, file.found) if table is not None else None


BodyReader = Callable[[FileReader, str, Mapping[str, Any], str], Body | None]
"""Reads a table: the file, the name, the table, its place."""


def plain_reader(kind: type[Body]) -> BodyReader:
    """Return the reader of a body whose table holds the same fields as in Python."""

    def read(file: FileReader, name: str, table: Mapping[str, Any], place: str) -> Body | None:
        return _read_body(file, kind, name, file.known(table, body_keys(kind), place), place)

    return read


def read_soft_body(file: FileReader, name: str, table: Mapping[str, Any], place: str) -> Body | None:
    """Read `[soft.NAME]`."""
    others = [key for key in body_keys(SoftBody) if key not in ("shape", "region")]
    values = file.known(table, [*SOFT_SHAPES, *others], place, SOFT_SHAPES)
    given = {key: values.pop(key) for key in SOFT_SHAPES if key in values}
    if len(given) == 1:
        ((key, value),) = given.items()
        inner = dotted_path(place, key)
        entries = file.table(value, inner)
        if entries is not None and isinstance(entries.get("file"), str):
            entries = {**entries, "file": str(file.folder / entries["file"])}
        kind = SOFT_SHAPES[key]
        values["shape"] = (
            kind.attempted(entries, inner, file.found) if entries is not None else None
        ) or kind
    else:
        found = (
            f"has {len(given)} shapes: {' and '.join(given)}. Keep one"
            if given
            else "has no shape. Give it one"
        )
        file.tell(place, f"{found} of {', '.join(SOFT_SHAPES)}.")
    if isinstance(values.get("material"), Mapping):
        material = _read_soft_material(file, values.pop("material"), dotted_path(place, "material"))
        values |= {"material": material} if material else {}
    has_shape = isinstance(values.get("shape"), Declared)
    return _read_body(file, SoftBody, name, values, place, ignore=() if has_shape else ("shape",))


def _read_soft_material(file: FileReader, table: Mapping[str, Any], place: str) -> SoftMaterial | None:
    values = file.known(table, [*known_keys(SoftMaterial), "like"], place)
    base = values.pop("like", None)
    if base is not None and (not isinstance(base, str) or base not in soft_presets()):
        file.tell(dotted_path(place, "like"), unknown_soft_material(base))
        return None
    like = soft_presets()[base].fields() if base is not None else {}
    return SoftMaterial.attempted({**like, **values}, place, file.found)


BODY_TABLES: dict[str, BodyReader] = {
    "cloth": read_cloth,
    "chain": plain_reader(Chain),
    "lattice": plain_reader(Lattice),
    "network": plain_reader(Network),
    "soft": read_soft_body,
}
"""Tables `[KIND.NAME]` that make bodies."""

SOLIDS: dict[str, type[Obstacle]] = {
    kind.kind: kind for kind in (Plane, Sphere, Ellipsoid, Box, Capsule, Cylinder, Torus, Mesh)
}
"""Keys that give the shape of an obstacle; one of them, or `union`, must be there."""


SHAPES_OF_TABLES: dict[str, Collection[str]] = {"cloth": SHAPES, "obstacle": SOLIDS, "soft": SOFT_SHAPES}
"""Which shapes belong into tables of which kind."""


def read_obstacle(
    file: FileReader, name: str | None, table: Mapping[str, Any], place: str
) -> Obstacle | None:
    """Read `[obstacle.NAME]`, or a part of a union, which has no name."""
    shared = [key for key in known_keys(Obstacle) if key != "name"]
    values = file.known(table, [*SOLIDS, "union", *shared, "smooth", "centre", "repeat"], place, SOLIDS)
    given = [key for key in (*SOLIDS, "union") if key in values]
    if len(given) != 1:
        found = (
            f"has {len(given)} shapes: {' and '.join(given)}. Keep one"
            if given
            else "has no shape. Give it one"
        )
        file.tell(place, f"{found} of {', '.join((*SOLIDS, 'union'))}.")
        return None
    fields = {key: values[key] for key in shared if key in values}
    path = {key: values[key] for key in ("smooth", "centre", "repeat") if key in values}
    if "motion" in values:
        fields["motion"] = {
            **path,
            "keyframes": _keyframes(file, values["motion"], dotted_path(place, "motion")),
        }
        motion = Path.attempted(fields.pop("motion"), dotted_path(place, "motion"), file.found, file_steps)
        fields |= {"motion": motion} if motion else {}
    for word in path if "motion" not in values else ():
        file.tell(dotted_path(place, word), "belongs to a motion, but this obstacle has none.")
    (key,) = given
    inner = dotted_path(place, key)
    if key == "union":
        return _read_union(file, name, values[key], fields, place)
    shape = values[key]
    if key == "mesh" and isinstance(shape, str):
        shape = {"file": shape}
    entries = file.table(shape, inner)
    if entries is None:
        return None
    own = [field for field in known_keys(SOLIDS[key]) if field not in (*shared, "name")]
    aliases = ["from", "to"] if SOLIDS[key] in (Capsule, Cylinder) else []
    entries = file.known(entries, [*own, *aliases], inner)
    if isinstance(entries.get("file"), str):
        entries["file"] = str(file.folder / entries["file"])

    def words(steps: Steps) -> Steps:
        return (key, *steps) if steps and steps[0] in own else steps

    return SOLIDS[key].attempted({**fields, **entries, "name": name}, place, file.found, words)


def _read_union(
    file: FileReader, name: str | None, value: Any, fields: dict[str, Any], place: str
) -> Obstacle | None:
    inner = dotted_path(place, "union")
    if not isinstance(value, list):
        file.tell(inner, f"is {shown(value)}, but it must be a list of tables, each with a shape.")
        return None
    parts = [
        read_obstacle(file, None, entry, dotted_path(inner, index))
        for index, entry in enumerate(value)
        if file.table(entry, dotted_path(inner, index)) is not None
    ]
    kept = tuple(part for part in parts if part is not None)
    if len(kept) < len(value):
        return None
    return Union.attempted({**fields, "parts": kept, "name": name}, place, file.found)


def read_pattern(file: FileReader, name: str, table: Mapping[str, Any], place: str) -> Pattern | None:
    """Read `[pattern.NAME]` and what its tables `[pattern.NAME.panel.PANEL]` change."""
    keys = ["panel" if key == "panels" else key for key in known_keys(Pattern) if key != "name"]
    values = file.known(table, keys, place)
    if isinstance(values.get("file"), str):
        values["file"] = str(file.folder / values["file"])
    values |= _with_material(file, values, place)
    short: dict[str, set[tuple[str, int]]] = {}
    if "panel" in values:
        inner = dotted_path(place, "panel")
        values["panels"] = {}
        for panel, entries in (file.table(values.pop("panel"), inner) or {}).items():
            own, here = file.table(entries, dotted_path(inner, panel)), dotted_path(inner, panel)
            if own is not None:
                own = file.known(own, [FILE_WORDS.get(key, key) for key in PANEL_KEYS], here)
                own |= _with_material(file, own, here)
                values["panels"][panel], short[panel] = _body_values(file, own, here)

    def words(steps: Steps) -> Steps:
        if len(steps) > 1 and steps[0] == "panels":
            return ("panel", steps[1], *(file_steps(steps[2:], short.get(str(steps[1]), ()))))
        return file_steps(steps)

    return Pattern.attempted({**values, "name": name}, place, file.found, words)


def _with_material(file: FileReader, values: dict[str, Any], place: str) -> dict[str, Any]:
    """Return the material of an entry, if it is a table of its own."""
    if not isinstance(values.get("material"), Mapping):
        return {}
    material = Material.attempted(values.pop("material"), dotted_path(place, "material"), file.found)
    return {"material": material} if material else {}


def read_stitch(file: FileReader, name: str, table: Mapping[str, Any], place: str) -> Stitch | None:
    """Read `[stitch.NAME]`."""
    values = file.known(table, [key for key in known_keys(Stitch) if key != "name"], place)
    return Stitch.attempted({**values, "name": name}, place, file.found)


def named_reader(kind: type[Declared]) -> Callable[[FileReader, str, Mapping[str, Any], str], Any]:
    """Return the reader of a table `[KIND.NAME]` that holds the same fields as in Python."""

    def read(file: FileReader, name: str, table: Mapping[str, Any], place: str) -> Any:
        keys = [key for key in known_keys(kind) if key != "name"]
        return kind.attempted({**file.known(table, keys, place), "name": name}, place, file.found)

    return read


def read_wind(file: FileReader, table: Mapping[str, Any], place: str) -> Wind | None:
    """Read `[wind]`."""
    return Wind.attempted(file.known(table, known_keys(Wind), place), place, file.found)


def read_character_table(
    file: FileReader, name: str, table: Mapping[str, Any], place: str
) -> tuple[Obstacle | Puppet, ...]:
    """Read `[character.NAME]`: an animated figure, an obstacle for each rigid part and puppets where it deforms."""
    from supple.scene.obstacles.character import read_character

    if "mannequin" in table:
        return read_walker(file, name, table, place)
    own = ("file", "scale", "start", "speed", "loop", "sample_rate", "tolerance", "deforms")
    values = file.known(table, [*own, "friction", "restitution", "shell", "accuracy"], place)
    if not isinstance(values.get("file"), str):
        kinds = "must be the path of a .glb, .gltf, .usd or .pc2 file in quotes"
        file.tell(dotted_path(place, "file"), f"{kinds}; or say `mannequin = {{}}` for one that walks.")
        return ()
    try:
        return read_character(file.folder / values.pop("file"), name=name, **values)
    except SceneError as error:
        file.found.extend(error.mistakes)
    except (SuppleError, TypeError) as error:
        file.tell(place, f"cannot be read: {error}")
    return ()


def read_walker(
    file: FileReader, name: str, table: Mapping[str, Any], place: str
) -> tuple[Obstacle | Puppet, ...]:
    """Read `[character.NAME]` with `mannequin`: one that walks."""
    from supple.scene.obstacles.walking_mannequin import walking_mannequin

    own = ("mannequin", "start", "speed", "friction", "shell", "at", "rotation", "rotation_deg", "colour")
    values = file.known(table, own, place)
    inside = dotted_path(place, "mannequin")
    if not isinstance(values["mannequin"], Mapping):
        file.tell(inside, "must be a table with its size and pose, or an empty one: `mannequin = {}`.")
        return ()
    known = file.known(values.pop("mannequin"), known_keys(Mannequin), inside)
    figure = Mannequin.attempted(known, inside, file.found)
    try:
        return (walking_mannequin(figure, name=name, **values),) if figure is not None else ()
    except SceneError as error:
        file.found.extend(error.mistakes)
    except (SuppleError, TypeError) as error:
        file.tell(place, f"cannot be made: {error}")
    return ()


ITEM_TABLES: dict[str, Callable[[FileReader, str, Mapping[str, Any], str], Any]] = {
    "obstacle": read_obstacle,
    "pattern": read_pattern,
    "stitch": read_stitch,
    "fan": named_reader(Fan),
    "water": named_reader(Water),
    "camera": named_reader(Camera),
    "character": read_character_table,
    **{kind.kind: named_reader(kind) for kind in EDITS},
}
"""Tables `[KIND.NAME]` that make other items of a scene. Later parts add theirs."""

SINGLE_TABLES: dict[str, Callable[[FileReader, Mapping[str, Any], str], Any]] = {"wind": read_wind}
"""Tables `[KIND]` that stand once in a file and make an item. Later parts add theirs."""


def body_keys(kind: type[Body]) -> list[str]:
    """Return what may be written in the table of a body, in the file's words."""
    return [FILE_WORDS.get(key, key) for key in known_keys(kind) if key != "name"]


def _read_body(
    file: FileReader,
    kind: type[Body],
    name: str,
    values: dict[str, Any],
    place: str,
    ignore: Collection[str] = (),
) -> Body | None:
    values, short = _body_values(file, values, place)
    words = functools.partial(file_steps, short=short)
    return kind.attempted({**values, "name": name}, place, file.found, words, ignore)


def _body_values(
    file: FileReader, values: dict[str, Any], place: str
) -> tuple[dict[str, Any], set[tuple[str, int]]]:
    """Return the entries of a body by field, and which of its pins and the like were written without an `at`."""
    values = dict(values)
    short: set[tuple[str, int]] = set()
    readers = {"pins": _pin_values, "anchors": _entry_reader(Anchor), "regions": _entry_reader(Region)}
    for field_name, read in readers.items():
        word = FILE_WORDS[field_name]
        if word not in values:
            continue
        entries = values.pop(word)
        if isinstance(entries, list):
            numbered = list(enumerate(entries))
            values[field_name] = [read(file, entry, dotted_path(place, word, i)) for i, entry in numbered]
            short |= {(word, i) for i, entry in numbered if not isinstance(entry, dict) or "box" in entry}
        else:
            file.tell(
                dotted_path(place, word), f"is {shown(entries)}, but it must be a list: {word} = [...]."
            )
    return values, short


def file_steps(steps: Steps, short: Collection[tuple[str, int]] = ()) -> Steps:
    """Turn steps in field names into steps in the file's words; `short` lists entries without an `at`."""
    if not steps or steps[0] == "name":
        return ()
    first = FILE_WORDS.get(str(steps[0]), steps[0])
    rest = ["at" if step == "where" else step for step in steps[1:] if step != "keyframes"]
    if "at" in rest and (first, rest[0]) in short:
        rest.remove("at")
    if "path" in rest and rest[-1] in ("smooth", "centre", "repeat"):
        rest.remove("path")
    return (first, *rest)


def _pin_values(file: FileReader, entry: Any, place: str) -> Any:
    """Return the fields of a pin from its entry: a choice of points, or a table with a path."""
    if not isinstance(entry, Mapping):
        return {"where": entry}
    values = file.known(entry, ("at", "box", "path", "smooth", "centre", "repeat", "to"), place)
    fields = _where(file, values, place)
    if "to" in values:
        fields["to"] = values["to"]
    path = {key: values[key] for key in ("smooth", "centre", "repeat") if key in values}
    if "path" in values:
        fields["path"] = {**path, "keyframes": _keyframes(file, values["path"], dotted_path(place, "path"))}
    for key in path if "path" not in values else ():
        file.tell(dotted_path(place, key), "belongs to a path, but this pin has none.")
    return fields


def _keyframes(file: FileReader, entries: Any, place: str) -> Any:
    if not isinstance(entries, list):
        return entries
    keys = known_keys(Keyframe)
    return [
        file.known(entry, keys, dotted_path(place, index)) if isinstance(entry, Mapping) else entry
        for index, entry in enumerate(entries)
    ]


def _entry_reader(kind: type[Declared]) -> Callable[[FileReader, Any, str], Any]:
    keys = ["at", "box", *(key for key in kind.model_fields if key != "where")]

    def read(file: FileReader, entry: Any, place: str) -> Any:
        """Return the fields of an anchor or a region from its table."""
        if not isinstance(entry, Mapping):
            return entry
        values = file.known(entry, keys, place)
        others = {key: value for key, value in values.items() if key not in ("at", "box")}
        return {**_where(file, values, place), **others}

    return read


def _where(file: FileReader, values: Mapping[str, Any], place: str) -> dict[str, Any]:
    if "at" in values and "box" in values:
        file.tell(place, "has both at and box. Keep one of them.")
    if "at" in values:
        return {"where": values["at"]}
    return {"where": {"box": values["box"]}} if "box" in values else {}
