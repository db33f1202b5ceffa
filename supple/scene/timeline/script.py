"""A script: everything that was done to a running simulation, as a list that can be saved, read and replayed.

Entries are those of a scene (`Cut`, `Seam`, `Hold`, ...) and a few more (`Undo`, `Grab`, ...). They name bodies and
vertices as they are at that moment, pieces that came off and points of earlier cuts among them.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import PlainValidator

from supple.errors import Mistake, SceneError, SuppleError
from supple.scene.declared import Declared
from supple.scene.error_messages import (
    dotted_path,
    field_error,
    known_keys,
    listed,
    shown,
    suggestion,
    unknown_key,
)
from supple.scene.field_types import Switch
from supple.scene.files.limited import TooLargeError, bytes_of
from supple.scene.timeline.actions import CutEdges, Erase, Grab, Redo, Release, Undo, Unseam
from supple.scene.timeline.edits import EDITS, Cut, Seam, Tear
from supple.scene.timeline.timed_entry import Timed

ONLY_IN_SCRIPTS: tuple[type[Timed], ...] = (CutEdges, Erase, Grab, Release, Unseam, Undo, Redo)

SCRIPT_KINDS: dict[str, type[Timed]] = {kind.kind: kind for kind in (*EDITS, *ONLY_IN_SCRIPTS)}
"""What a script may hold, by the word that its file uses."""

LARGEST_FILE = 256_000_000
"""Most bytes a script may have."""


def as_entries(value: Any) -> tuple[Timed, ...]:
    """Return the entries of a script, or say which of them is none, or out of order."""
    if not isinstance(value, list | tuple):
        raise field_error(f"is {shown(value)}, but it must be a list of edits.")
    last = 0.0
    for index, entry in enumerate(value):
        if not isinstance(entry, Timed) or type(entry) not in SCRIPT_KINDS.values():
            raise field_error(f"is {shown(entry)}, but it must be one of {listed(SCRIPT_KINDS)}.", index)
        if entry.time < last:
            raise field_error(f"is done at {entry.time:g} s, but the entry before it at {last:g} s.", index)
        last = entry.time
    return tuple(value)


class Script(Declared):
    """What was done to a simulation, in order.

    Example:
        >>> from supple.scene.timeline.edits import Cut
        >>> script = Script(edits=[Cut(body="cloth", time=1.0, path=[(0, 0, 0), (1, 0, 0)]), Undo(time=2.0)])
        >>> [edit.kind for edit in script.edits]
        ['cut', 'undo']
    """

    kind: ClassVar[str] = "script"

    edits: Annotated[tuple[Timed, ...], PlainValidator(as_entries)] = ()
    """Its entries, in the order they are done."""

    is_complete: Switch = True
    """Whether nothing is missing: a script holds a million entries at most, and no Python function that moves things."""

    @property
    def may_reshape(self) -> bool:
        """Whether bodies may be cut, torn or sewn, and so change their number of points."""
        kinds = (Cut, CutEdges, Tear, Seam, Erase, Unseam, Undo, Redo)
        return any(isinstance(edit, kinds) for edit in self.edits)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the script to a file, as TOML, or as JSON if its name ends so."""
        target = Path(path)
        text = self.json_text() if target.suffix.lower() == ".json" else self.toml_text()
        part = target.with_name(target.name + ".part")
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(target)
        except OSError as error:
            raise SuppleError(f"cannot write {target}: {error.strerror}.") from None

    def tables(self) -> list[dict[str, Any]]:
        """Return the entries in plain words, numbers and lists; what says nothing is left out."""
        return [{"kind": entry.kind, **_plain(entry)} for entry in self.edits]

    def json_text(self) -> str:
        """Return the script as JSON, exact to the bit."""
        return json.dumps({"is_complete": self.is_complete, "edits": self.tables()}, indent=1) + "\n"

    def toml_text(self) -> str:
        """Return the script as TOML, exact to the bit."""
        lines = ["# What was done to a simulation. SI units throughout: m, kg, s, N."]
        if not self.is_complete:
            lines.append("is_complete = false")
        for table in self.tables():
            lines += ["", "[[edit]]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
        return "\n".join(lines) + "\n"


def read_script(path: str | os.PathLike[str]) -> Script:
    """Return the script in a file, TOML or, if its name ends so, JSON.

    Raises:
        SceneError: with every mistake in the file
    """
    source = Path(path)
    try:
        text = bytes_of(source, LARGEST_FILE).decode("utf-8-sig").replace("\r\n", "\n")
    except TooLargeError:
        raise SuppleError(f"{source} is larger than {LARGEST_FILE // 1_000_000} MB.") from None
    except OSError as error:
        raise SuppleError(f"cannot read {source}: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise SuppleError(f"{source} is not UTF-8 text.") from None
    return parse_script(text, is_json=source.suffix.lower() == ".json", source=str(source))


def parse_script(text: str, *, is_json: bool = False, source: str | None = None) -> Script:
    """Return the script in a text; arguments and errors as for `read_script`."""
    form = "JSON" if is_json else "TOML"
    try:
        document = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SceneError([Mistake("script", f"is not valid {form}: {error}.")], source) from None
    word = "edits" if is_json else "edit"
    found: list[Mistake] = []
    if not isinstance(document, Mapping):
        raise SceneError([Mistake("script", f"is {shown(document)}, but it must hold {word}.")], source)
    for key in document:
        if key not in (word, "is_complete"):
            found.append(Mistake(str(key), unknown_key(str(key), [word, "is_complete"])))
    if found:
        raise SceneError(found, source)
    return script_of(document.get(word, []), document.get("is_complete", True), word=word, source=source)


def script_of(
    tables: Any, is_complete: Any = True, *, word: str = "edits", source: str | None = None
) -> Script:
    """Return the script whose entries `Script.tables` has put into plain words; errors as for `read_script`."""
    if not isinstance(tables, list):
        raise SceneError([Mistake(word, f"is {shown(tables)}, but it must be a list of tables.")], source)
    found: list[Mistake] = []
    entries = [_entry(table, dotted_path(word, n), found) for n, table in enumerate(tables)]
    if found:
        raise SceneError(found, source)
    try:
        return Script(edits=tuple(entry for entry in entries if entry is not None), is_complete=is_complete)
    except SceneError as error:
        raise SceneError(error.mistakes, source) from None


def _entry(table: Any, place: str, found: list[Mistake]) -> Timed | None:
    if not isinstance(table, Mapping):
        found.append(Mistake(place, f"is {shown(table)}, but it must be a table."))
        return None
    word = table.get("kind")
    if not isinstance(word, str) or word not in SCRIPT_KINDS:
        message = f"is {shown(word)}, but it must be one of {listed(SCRIPT_KINDS)}."
        found.append(Mistake(dotted_path(place, "kind"), message + suggestion(word, SCRIPT_KINDS)))
        return None
    kind = SCRIPT_KINDS[word]
    values = {key: value for key, value in table.items() if key != "kind"}
    known = known_keys(kind)
    for key in [key for key in values if key not in known]:
        found.append(Mistake(dotted_path(place, key), unknown_key(key, known)))
        del values[key]
    return kind.attempted(values, place, found)


def _plain(value: Any) -> Any:
    if isinstance(value, Declared):
        return {name: _plain(entry) for name, entry in value.fields().items() if entry is not None}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    return value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(entry)}' for key, entry in value.items())} }}"
    if isinstance(value, Iterable):
        return f"[{', '.join(_toml(entry) for entry in value)}]"
    return repr(value)
