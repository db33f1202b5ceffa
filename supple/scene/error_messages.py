"""Error messages about the entries of a scene: what was found, the rule, the way out.

Entries are checked by pydantic, which collects errors instead of stopping at the first one. Our own
checks raise `told(...)`, which carries finished sentences; the few errors pydantic raises by itself
(a missing key, an unknown key, the wrong kind of entry) are put into words here.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from supple.errors import Mistake, SceneError

if TYPE_CHECKING:
    from pydantic import BaseModel

Value = TypeVar("Value")

Steps = tuple[int | str, ...]
"""A way down from an entry to a part of it, such as `("pins", 0)`."""

Words = Callable[[Steps], Steps]
"""Turns steps in field names into steps in the user's words."""

LONGEST_SHOWN = 60
"""How many characters of a wrong value a message repeats."""


@dataclass(frozen=True)
class Degrees:
    """Angles the user wrote as `rotation_deg`, on their way to radians."""

    value: Any
    """What was written."""

    is_double: bool
    """Whether `rotation` was written as well."""


_PLAIN_KEY = re.compile(r"[\w-]+")


def field_error(message: str, *steps: int | str) -> PydanticCustomError:
    """Return an error to raise inside a validator, about the part that `steps` lead to."""
    return field_errors([(steps, message)])


def field_errors(mistakes: Iterable[tuple[Steps, str]]) -> PydanticCustomError:
    """Return one error to raise inside a validator that carries several mistakes."""
    return PydanticCustomError("told", "see the mistakes", {"mistakes": list(mistakes)})


def checked_part(step: int | str, check: Callable[[Any], Value], value: Any) -> Value:
    """Return `check(value)` for a part of an entry; what it has to tell is about that part."""
    try:
        return check(value)
    except PydanticCustomError as error:
        mistakes = error.context["mistakes"] if error.context else []
        raise field_errors([((step, *steps), message) for steps, message in mistakes]) from None


def shown(value: object) -> str:
    """Return a wrong value as a message repeats it: strings in double quotes, long ones shortened."""
    try:
        text = f'"{value}"' if isinstance(value, str) else repr(value)
    except Exception:  # a number with too many digits, or an object whose repr fails
        return f"a {type(value).__name__} too long to show"
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def suggestion(word: object, known: Collection[str]) -> str:
    """Return ` Did you mean "...?"` for the nearest known word, or nothing if none is near."""
    if not isinstance(word, str):
        return ""
    by_lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower()[:100], by_lower, n=1, cutoff=0.6)
    return f' Did you mean "{by_lower[near[0]]}"?' if near else ""


def listed(names: Collection[str], most: int = 20) -> str:
    """Return names separated by commas, the first `most` of them."""
    names = list(names)
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def dotted_path(place: str, *steps: int | str) -> str:
    """Return the dotted path of a part of an entry, such as `cloth.flag.pin[0]`."""
    for step in steps:
        if isinstance(step, int):
            place += f"[{step}]"
        else:
            key = step if _PLAIN_KEY.fullmatch(step) else shown(step)
            place = f"{place}.{key}" if place else key
    return place


def owner(model: type[BaseModel], steps: Steps) -> tuple[type[BaseModel], str] | None:
    """Return the class and the field that `steps` lead to, or None if they lead to no field."""
    for index, step in enumerate(steps):
        if isinstance(step, int):
            continue
        if step not in model.model_fields:
            return None
        if all(isinstance(later, int) for later in steps[index + 1 :]):
            return model, step
        inner = _model_in(model.model_fields[step].annotation)
        if inner is None:
            return None
        model = inner
    return None


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


def meaning(model: type[BaseModel], steps: Steps) -> str:
    """Return the first sentence of a field's docstring, so that a message can say what was wanted."""
    found = owner(model, steps)
    description = found[0].model_fields[found[1]].description if found else None
    if not description:
        return ""
    first = re.split(r"(?<=\.)\s", " ".join(description.split()), maxsplit=1)[0].replace("`", "")
    return f" Meaning: {first}"


def translated(
    error: ValidationError,
    model: type[BaseModel],
    place: str,
    words: Words = tuple,
    ignore: Collection[str] = (),
) -> list[Mistake]:
    """Return every mistake that pydantic collected while checking `model`.

    Args:
        error: what pydantic raised
        model: the class that was being built
        place: dotted path of the entry
        words: turns steps in field names into steps in the user's words
        ignore: fields whose mistakes were found before
    """
    found: list[Mistake] = []
    for details in error.errors(include_url=False):
        steps = details["loc"]
        if steps and steps[0] in ignore:
            continue
        if details["type"] == "told":
            told_here = [((*steps, *more), message) for more, message in details["ctx"]["mistakes"]]
        else:
            told_here = [(steps, _sentence(details, model))]
        for where, message in told_here:
            hint = meaning(model, steps) if details["type"] == "told" and where == steps else ""
            if isinstance(details["input"], Degrees):
                where = (*where[:-1], "rotation_deg")
            found.append(Mistake(dotted_path(place, *words(where)), message + hint))
    return found


def _sentence(details: ErrorDetails, model: type[BaseModel]) -> str:
    steps, kind, value = details["loc"], details["type"], details["input"]
    hint = meaning(model, steps)
    if kind == "missing":
        return f"is missing.{hint}"
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        above = owner(model, steps[:-1])
        holder = _model_in(above[0].model_fields[above[1]].annotation) if above else model
        return unknown_key(str(steps[-1]), known_keys(holder or model))
    if kind in ("tuple_type", "list_type"):
        return f"is {shown(value)}, but it must be a list.{hint}"
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        return f"is {shown(value)}, but it must be a table of named entries.{hint}"
    return f"is {shown(value)}: {details['msg'][:1].lower()}{details['msg'][1:]}.{hint}"


def known_keys(model: type[BaseModel]) -> list[str]:
    """Return what may be written in an entry, in Python's words."""
    fields = list(model.model_fields)
    if "rotation" in fields:
        fields.insert(fields.index("rotation") + 1, "rotation_deg")
    return fields


def unknown_key(key: str, known: Collection[str], shapes: Mapping[str, type[BaseModel]] | None = None) -> str:
    """Return what to say about a key that means nothing at its place, but perhaps in one of the `shapes` there."""
    homes = [shape for shape, model in (shapes or {}).items() if key in known_keys(model)]
    if homes:
        return f"belongs into the shape: write {homes[0]} = {{ {key} = ... }}."
    return f"is not known here. Known: {listed(known, most=40)}.{suggestion(key, known)}"


def checked(check: Callable[[Any], Value], value: Any, place: str) -> Value:
    """Return `check(value)` outside of any model; what it has to tell becomes a `SceneError`."""
    try:
        return check(value)
    except PydanticCustomError as error:
        mistakes = error.context["mistakes"] if error.context else []
        raise SceneError(
            [Mistake(dotted_path(place, *steps), message) for steps, message in mistakes]
        ) from None
