"""Write web/src/protocol.ts, the TypeScript twin of supple/studio/connection/protocol.py.

python scripts/protocol_twin.py           writes it
python scripts/protocol_twin.py --check   says whether it is up to date
"""

from __future__ import annotations

import sys
import types
import typing
from pathlib import Path
from typing import Annotated, Any, Literal, Union

from supple.studio.connection import protocol

TWIN = Path(__file__).parent.parent / "web" / "src" / "protocol.ts"

CONSTANTS = (
    "VERSION",
    "IN_FLIGHT",
    "LONGEST_STROKE",
    "GEOMETRY",
    "FRAME",
    "STRAIN_UNIT",
    "HAS_STRAIN",
    "CLOSE_BAD_LINK",
    "CLOSE_BAD_HELLO",
    "CLOSE_CROWDED",
)
PARTS = (
    protocol.SurfacePath,
    protocol.SceneChoice,
    protocol.Parameter,
    protocol.Action,
    protocol.ArrayPlace,
    protocol.BodyShape,
    protocol.SolidShape,
    protocol.WaterShape,
    protocol.Outlook,
    protocol.Geometry,
)


def typescript() -> str:
    """Return the whole file."""
    lines = [
        "// Written by scripts/protocol_twin.py from supple/studio/connection/protocol.py. Change that instead.",
        "",
    ]
    lines += [f"export const {name} = {getattr(protocol, name)!r};" for name in CONSTANTS]
    lines += ["", f"export type Value = {_type(protocol.Value)};"]
    for model in (*PARTS, *protocol.client_types(), *protocol.server_types()):
        lines += ["", *_interface(model)]
    for name, models in (
        ("ClientMessage", protocol.client_types()),
        ("ServerMessage", protocol.server_types()),
    ):
        lines += ["", f"export type {name} =", *(f"  | {model.__name__}" for model in models)]
        lines[-1] += ";"
    return "\n".join(lines) + "\n"


def _interface(model: type[protocol.Message]) -> list[str]:
    lines = [f"/** {(model.__doc__ or '').strip()} */", f"export interface {model.__name__} {{"]
    is_sent_by_page = model in protocol.client_types()
    for name, field in model.model_fields.items():
        if field.description:
            lines.append(f"  /** {' '.join(field.description.split())} */")
        is_optional = is_sent_by_page and not field.is_required() and name != "type"
        annotation = typing.get_type_hints(model)[name]
        is_value = annotation == protocol.Value
        kind = "Value" if is_value else _type(annotation)
        lines.append(f"  {name}{'?' if is_optional else ''}: {kind};")
    return [*lines, "}"]


def _type(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(_type(member) for member in arguments))
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            inner = _type(arguments[0])
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        return f"[{', '.join(map(_type, arguments))}]"
    if origin is dict:
        value = "Value" if arguments[1] == protocol.Value else _type(arguments[1])
        return f"Record<{_type(arguments[0])}, {value}>"
    if isinstance(annotation, type) and issubclass(annotation, protocol.Message):
        return annotation.__name__
    return {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null"}[annotation]


def main() -> int:
    """Write or check the twin."""
    text = typescript()
    if "--check" in sys.argv[1:]:
        is_current = TWIN.is_file() and TWIN.read_text(encoding="utf-8") == text
        print("up to date" if is_current else f"{TWIN} is out of date: run python scripts/protocol_twin.py")
        return 0 if is_current else 1
    TWIN.write_text(text, encoding="utf-8")
    print(f"wrote {TWIN.relative_to(TWIN.parent.parent.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
