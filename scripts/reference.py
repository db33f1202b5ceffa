"""Write docs/reference, a page for every group of public names, from their docstrings.

python scripts/reference.py           writes the pages
python scripts/reference.py --check   says which of them are not up to date
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import supple
import supple.haptics
from supple.scene.bodies.body import Body
from supple.scene.declared import Declared
from supple.scene.obstacles.obstacle import Obstacle
from supple.studio import client, haptic_client

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

PAGES = {
    "simulation": ("Simulation", ["Simulation", "Settings", "StepReport"]),
    "scene": (
        "Scenes and scripts",
        ["Scene", "read_scene", "find_scene", "gallery_names", "Script", "read_script"],
    ),
    "bodies": (
        "Bodies",
        [
            *(
                "Body",
                "Cloth",
                "Rectangle",
                "Course",
                "Surface",
                "Bezier",
                "Panel",
                "Corner",
                "Wrap",
                "Cushion",
            ),
            *("Chain", "Lattice", "Network", "SoftBody", "Puppet"),
        ],
    ),
    "materials": ("Materials", ["Material", "Region", "SoftMaterial", "Pressure"]),
    "holding": ("Holding and leading", ["Pin", "Anchor", "Path", "Keyframe", "Track"]),
    "obstacles": (
        "Obstacles",
        [
            *(
                "Obstacle",
                "Plane",
                "Sphere",
                "Ellipsoid",
                "Box",
                "Capsule",
                "Cylinder",
                "Torus",
                "Mesh",
                "Mannequin",
                "Union",
            ),
            "read_character",
            "walking_mannequin",
        ],
    ),
    "air-and-water": ("Air and water", ["Wind", "Fan", "Aerodynamics", "Water"]),
    "garments": ("Garments", ["Pattern", "Stitch", "write_pattern"]),
    "edits": (
        "What happens at set times",
        [
            *("Cut", "CutEdges", "Tear", "Seam", "Unseam", "Shrink", "Erase", "Undo", "Redo"),
            *("Hold", "Free", "Grab", "Release", "Change"),
        ],
    ),
    "recording": ("Recording and looking", ["record", "open", "convert", "play", "Camera"]),
    "sweeps": ("Many runs", ["sweep", "Sweep", "vary"]),
    "client": ("A client of the studio", ["StudioClient", "Frame"]),
    "haptics": (
        "Force feedback",
        ["HapticClient", "ForceLoop", "EnergyTank", "TouchedPlace", "LocalModel", "SimulatedDevice"],
    ),
    "laboratory": ("Laboratory", ["lab"]),
    "errors": ("Errors", ["SuppleError", "SceneError", "StateError", "Mistake"]),
}
"""Title and names of every page; `Body` and `Obstacle` stand for what all of their kind take."""

SHARED = {"Body": Body, "Obstacle": Obstacle}

BESIDE = {
    "StudioClient": client.StudioClient,
    "Frame": client.Frame,
    "HapticClient": haptic_client.HapticClient,
    **{name: getattr(supple.haptics, name) for name in supple.haptics.__all__ if name != "Device"},
}
"""Names of `supple.studio.client`, `supple.studio.haptic_client` and `supple.haptics`, beside `supple`."""

SECTION = re.compile(r"(Args|Returns|Raises|Yields|Example|Examples):(.*)")


def main() -> int:
    """Write the pages, or compare them."""
    pages = written()
    if "--check" in sys.argv[1:]:
        stale = [name for name, text in pages.items() if not _is_same(FOLDER / name, text)]
        stale += [path.name for path in FOLDER.glob("*.md") if path.name not in pages]
        for name in stale:
            print(f"docs/reference/{name} is not up to date: run make reference")
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(pages)} pages to docs/reference")
    return 0


def _is_same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def written() -> dict[str, str]:
    """Return the text of every page by its file name."""
    pages = {f"{page}.md": _page(title, names) for page, (title, names) in PAGES.items()}
    lines = ["# Reference", "", "Every public name, from `import supple`. Units are SI; Y is up.", ""]
    for page, (title, names) in PAGES.items():
        listed = ", ".join(f"[`{name}`]({page}.md#{name.lower()})" for name in names if name not in SHARED)
        lines.append(f"- [{title}]({page}.md): {listed}")
    pages["README.md"] = "\n".join(lines) + "\n"
    return pages


def _page(title: str, names: list[str]) -> str:
    lines = [f"# {title}", ""]
    for name in names:
        lines += [f"## {name}", ""]
        lines += _entry({**SHARED, **BESIDE}.get(name) or getattr(supple, name))
    return "\n".join(lines).rstrip() + "\n"


def _entry(thing: Any) -> Iterator[str]:
    if inspect.ismodule(thing) and not callable(thing):
        yield from _explained(inspect.getdoc(thing) or "")
        for name in thing.__all__:
            member = getattr(thing, name)
            yield from ("```python", _signature(f"supple.{_public(thing)}.{name}", member), "```", "")
            yield from _explained(inspect.getdoc(member) or "")
        return
    if not isinstance(thing, type):
        yield from ("```python", _signature(f"supple.{_public(thing)}", thing), "```", "")
        yield from _explained(inspect.getdoc(thing) or "")
        return
    yield from _explained(inspect.getdoc(thing) or "")
    if thing.__name__ in ("Simulation", *BESIDE) and thing not in (client.Frame, supple.haptics.LocalModel):
        home = "supple" if thing.__name__ in dir(supple) else thing.__module__
        yield from ("```python", _signature(f"{home}.{thing.__name__}", thing.__init__), "```", "")
        yield from _explained(inspect.getdoc(thing.__init__) or "")
    yield from _fields(thing)
    yield from _methods(thing)


def _public(function: Any) -> str:
    return next(name for name in dir(supple) if getattr(supple, name) is function)


def _fields(thing: type) -> Iterator[str]:
    """Yield a table of the fields of a class; what all bodies or obstacles share is told once."""
    shared = next((base for base in SHARED.values() if thing is not base and issubclass(thing, base)), None)
    known = set(shared.model_fields) if shared else set()
    rows = []
    if issubclass(thing, Declared):
        for name, field in thing.model_fields.items():
            if name not in known:
                default = (
                    "" if field.is_required() else _default(field.get_default(call_default_factory=True))
                )
                rows.append((name, _words(field.annotation), default, field.description or ""))
    else:
        for name, (annotation, default, meaning) in _declared_fields(thing).items():
            rows.append((name, annotation, default, meaning))
    if rows:
        yield from ("| field | type | default | |", "| --- | --- | --- | --- |")
        for name, kind, default, meaning in rows:
            cells = (f"`{name}`", kind, default, " ".join(meaning.split()))
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        yield ""
    if shared is not None:
        one = shared.__name__
        yield from (f"It also takes the fields of [every {one.lower()}](#{one.lower()}).", "")


def _declared_fields(thing: type) -> dict[str, tuple[str, str, str]]:
    """Return type, default and meaning of the annotated names of a plain class, as its source tells them."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for here, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not isinstance(here, ast.AnnAssign) or not isinstance(here.target, ast.Name):
            continue
        name = here.target.id
        if name.startswith("_"):
            continue
        said = after.value if isinstance(after, ast.Expr) else None
        meaning = said.value if isinstance(said, ast.Constant) and isinstance(said.value, str) else ""
        default = f"`{ast.unparse(here.value)}`" if here.value is not None else ""
        found[name] = (f"`{ast.unparse(here.annotation)}`", default, meaning)
    return found


def _methods(thing: type) -> Iterator[str]:
    """Yield every public method and property that a class or its own bases define."""
    hidden = set(dir(Declared)) | set(dir(BaseException))
    if thing not in SHARED.values():
        hidden |= {name for base in SHARED.values() if issubclass(thing, base) for name in dir(base)}
    # As in the source, nearest first: what a class is for stands before what it inherits.
    names = dict.fromkeys(name for base in thing.__mro__ for name in vars(base) if name not in hidden)
    for name in names:
        kept = inspect.getattr_static(thing, name)
        if name.startswith("_") or not _is_described(kept):
            continue
        if isinstance(kept, property):
            yield from (f"### {thing.__name__}.{name}", "")
            yield from _explained(inspect.getdoc(kept) or "")
        elif callable(getattr(thing, name)):
            yield from (f"### {thing.__name__}.{name}", "", "```python")
            yield from (_signature(f"{_owner(thing, kept)}.{name}", getattr(thing, name)), "```", "")
            yield from _explained(inspect.getdoc(getattr(thing, name)) or "")


def _owner(thing: type, kept: Any) -> str:
    is_of_class = isinstance(kept, classmethod | staticmethod)
    return (
        f"supple.{thing.__name__}"
        if is_of_class
        else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", thing.__name__).lower()
    )


def _is_described(kept: Any) -> bool:
    function = kept.__func__ if isinstance(kept, classmethod | staticmethod) else kept
    return isinstance(kept, property) or (inspect.isfunction(function) and bool(function.__doc__))


def _signature(name: str, function: Any) -> str:
    """Return a call as one would write it: names and defaults, without types."""
    parts, is_keyword_only = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword_only:
            is_keyword_only = True
            if not any(part.startswith("*") for part in parts):
                parts.append("*")
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parts.append(f"{stars}{parameter.name}{default}")
    line = f"{name}({', '.join(parts)})"
    return line if len(line) <= 110 else f"{name}(\n    " + ",\n    ".join(parts) + ",\n)"


def _words(kind: Any) -> str:
    """Return a type in words."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _words(inside[0])
    if origin is typing.Literal:
        return " or ".join(f'`"{word}"`' if isinstance(word, str) else f"`{word}`" for word in inside)
    if origin is typing.Union or type(kind).__name__ == "UnionType":
        return " or ".join(dict.fromkeys(_words(part) for part in inside))
    if origin is tuple and len(inside) == 3 and set(inside) == {float}:
        return "3 numbers"
    if origin is tuple and inside[-1:] == (Ellipsis,):
        return f"several {_words(inside[0])}"
    if origin is tuple:
        return "(" + ", ".join(_words(part) for part in inside) + ")"
    plain = {float: "number", int: "whole number", bool: "true or false", str: "text", type(None): "`None`"}
    if kind in plain:
        return plain[kind]
    name = getattr(origin or kind, "__name__", str(kind))
    if name == "ndarray":
        return "array"
    return f"`{name}`" if name not in ("Callable",) else "function"


def _default(value: Any) -> str:
    text = repr(value)
    if isinstance(value, Declared):
        text = f"{type(value).__name__}()"
    return f"`{text}`" if len(text) <= 40 else ""


def _explained(text: str) -> Iterator[str]:
    """Yield a docstring as Markdown: its sections become lists and code."""
    block: list[str] = []
    for line in [*inspect.cleandoc(text).splitlines(), "Returns:"]:
        if SECTION.fullmatch(line.rstrip()):
            yield from _section(block)
            block = [line]
        else:
            block.append(line)


def _section(block: list[str]) -> Iterator[str]:
    if not block:
        return
    opening = SECTION.fullmatch(block[0].rstrip())
    if not opening:
        yield from (*_prose(block), "")
        return
    title, first = opening.groups()
    body = textwrap.dedent("\n".join(block[1:])).strip("\n").splitlines()
    if title.startswith("Example"):
        yield from ("```python", *(line for line in body), "```", "")
    elif title in ("Args", "Raises"):
        entries: list[str] = []
        for line in body:
            if line.strip() and not line.startswith(" "):
                name, _, meaning = line.partition(":")
                entries.append(f"- `{name.strip()}`: {meaning.strip()}")
            elif line.strip():
                entries[-1] += " " + line.strip()
        yield from ([] if title == "Args" else ["Raises", ""])
        yield from (*entries, "")
    elif title in ("Returns", "Yields") and (first.strip() or body):
        yield from (f"{title}: " + " ".join([first.strip(), *(line.strip() for line in body)]).strip(), "")


def _prose(lines: list[str]) -> list[str]:
    """Return prose with code that is set in as Markdown code, and without blank lines at its ends."""
    return "\n".join(lines).strip("\n").splitlines()


if __name__ == "__main__":
    sys.exit(main())
