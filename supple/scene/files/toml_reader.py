"""Read a scene from a TOML file, with everything that is wrong in it reported at once."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from supple.errors import Mistake, SceneError
from supple.scene.bodies.materials import Material
from supple.scene.error_messages import dotted_path, listed, shown, suggestion, unknown_key
from supple.scene.files.limited import TooLargeError, bytes_of
from supple.scene.files.pattern import without_patterns
from supple.scene.files.toml_tables import (
    BODY_TABLES,
    ITEM_TABLES,
    SHAPES_OF_TABLES,
    SINGLE_TABLES,
    FileReader,
    file_steps,
    read_material,
)
from supple.scene.scene import Scene, scene_mistakes
from supple.scene.settings import Settings
from supple.scene.timeline.edits import edit_mistakes
from supple.scene.timeline.stitch import stitch_mistakes
from supple.scene.view import View

LARGEST_FILE = 64_000_000
"""Most bytes a scene file may have; large meshes belong into mesh files."""

GALLERY = Path(__file__).parents[2] / "gallery"
"""Folder of the scenes that come with the package."""

PLAIN_KEYS = ("title", "description", "paper", "gravity", "drag", "duration")
"""Entries of the file itself, outside any table."""


def gallery_names() -> tuple[str, ...]:
    """Return the names of the scenes that come with the package, sorted."""
    return tuple(sorted(path.stem for path in GALLERY.glob("*.toml")))


def find_scene(name_or_path: str | os.PathLike[str]) -> Scene:
    """Return a scene of the gallery by its name, or else the scene in a file.

    Raises:
        SceneError: if there is neither, or if the file has mistakes
    """
    name = str(name_or_path)
    if name in gallery_names():
        return read_scene(GALLERY / f"{name}.toml")
    is_word = re.fullmatch(r"[\w-]+", name) is not None
    if is_word and not _exists(Path(name)):
        names = gallery_names()
        message = f"is neither a scene of the gallery nor a file. Gallery: {listed(names, most=60)}."
        raise SceneError([Mistake(name[:80], message + suggestion(name, names))])
    return read_scene(name_or_path)


def read_scene(path: str | os.PathLike[str]) -> Scene:
    """Return the scene in a TOML file. Mesh files are sought beside it.

    Raises:
        SceneError: with every mistake in the file
    """
    path = Path(path)
    return parse_scene(_text_of(path), folder=path.parent, source=str(path))


def parse_scene(text: str, *, folder: str | os.PathLike[str] = ".", source: str | None = None) -> Scene:
    """Return the scene in a TOML text.

    Args:
        text: the document
        folder: where relative paths of mesh files start
        source: what to call the document in messages

    Raises:
        SceneError: with every mistake in the text
    """
    return build_scene(_document(text, source), folder=folder, source=source)


def build_scene(
    document: Mapping[str, Any], *, folder: str | os.PathLike[str] = ".", source: str | None = None
) -> Scene:
    """Return the scene in a document that was parsed already; arguments and errors as for `parse_scene`."""
    file = FileReader(folder=Path(folder))
    tables = ("simulation", "view", "material", *BODY_TABLES, *ITEM_TABLES, *SINGLE_TABLES)
    _tell_unknown(file, document, [*PLAIN_KEYS, *tables])
    values: dict[str, Any] = {key: document[key] for key in PLAIN_KEYS if key in document}
    if "simulation" in document:
        table = file.table(document["simulation"], "simulation") or {}
        values["settings"] = Settings.attempted(table, "simulation", file.found) or Settings()
    if "view" in document:
        table = file.table(document["view"], "view") or {}
        values["view"] = View.attempted(table, "view", file.found) or View()
    materials = _read_materials(file, document)
    items = _read_items(file, document)
    # A material with a mistake in it is still a material: the cloth that uses it made none.
    file.found.extend(scene_mistakes(items, materials))
    if not file.found:  # else a cloth with a mistake in it would be called missing as well
        file.found.extend(stitch_mistakes(items))
        file.found.extend(edit_mistakes(items))
    if not any(kind in document for kind in (*BODY_TABLES, "pattern")):
        file.tell("scene", "has no bodies. Add a table such as [cloth.NAME] or [chain.NAME].")
    values["materials"] = {name: material for name, material in materials.items() if material is not None}
    Scene.attempted({**values, "bodies": ()}, "", file.found, file_steps)
    if file.found:
        raise SceneError(file.found, source)
    return Scene(*items, **values)


def _tell_unknown(file: FileReader, document: Mapping[str, Any], known: list[str]) -> None:
    for key in document:
        kinds = [kind for kind, shapes in SHAPES_OF_TABLES.items() if key in shapes]
        if key not in known and kinds:
            tables = " or ".join(f"[{kind}.NAME]" for kind in kinds)
            file.tell(key, f"is a shape, which belongs into a table: write {key} = {{ ... }} below {tables}.")
        elif key not in known:
            file.tell(key, unknown_key(key, known))


def _read_materials(file: FileReader, document: Mapping[str, Any]) -> dict[str, Material | None]:
    """Return the materials by name, None for those with mistakes."""
    if "material" not in document:
        return {}
    tables = file.named_tables(document["material"], "material")
    return {
        name: read_material(file, name, table, dotted_path("material", name))
        for name, table in tables.items()
    }


def _read_items(file: FileReader, document: Mapping[str, Any]) -> list[Any]:
    """Return everything the tables of the document make, in its order, without what has mistakes."""
    items: list[Any] = []
    for kind, value in document.items():
        read_named = {**BODY_TABLES, **ITEM_TABLES}.get(kind)
        if read_named is not None:
            for name, table in file.named_tables(value, kind).items():
                made = read_named(file, name, table, dotted_path(kind, name))
                items.extend(made if isinstance(made, tuple) else [made])
        elif kind in SINGLE_TABLES:
            single = file.table(value, kind)
            items.append(SINGLE_TABLES[kind](file, single, kind) if single is not None else None)
    return without_patterns((item for item in items if item is not None), file.found)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _text_of(path: Path) -> str:
    place = path.name or str(path)
    try:
        if path.is_dir():
            raise SceneError([Mistake(place, "is a folder. Give a scene file, such as flag.toml.")])
        if not path.exists():
            near = [entry.name for entry in path.parent.glob("*.toml")] if path.parent.is_dir() else []
            raise SceneError(
                [Mistake(str(path), f"does not exist.{suggestion(path.name, [*near, *gallery_names()])}")]
            )
        data = bytes_of(path, LARGEST_FILE)
    except TooLargeError:
        message = f"is larger than {LARGEST_FILE // 1_000_000} MB. Keep large meshes in mesh files."
        raise SceneError([Mistake(place, message)]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SceneError([Mistake(shown(place), f"cannot be read: {reason}.")]) from None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = "is not UTF-8 text. Save the file as UTF-8."
        raise SceneError([Mistake(f"line {line}", message)], str(path)) from None


def _document(text: str, source: str | None) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SceneError([Mistake("scene", "is nested too deeply to be read.")], source) from None
    except ValueError as error:
        message = str(error)
        at = re.search(r"\(at line (\d+), column (\d+)\)", message)
        place = f"line {at[1]}, column {at[2]}" if at else f"line {text.count(chr(10)) + 1}"
        reason = re.sub(r"\s*\(at [^)]*\)", "", message).rstrip(".")
        if "digits" in reason:
            reason = "a number has too many digits"
        reason = reason[:1].lower() + reason[1:]
        raise SceneError([Mistake(place, f"is not valid TOML: {reason}.")], source) from None
