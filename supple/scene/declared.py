"""The base of everything a scene is made of: a frozen value that checks itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from supple.errors import Mistake, SceneError
from supple.scene.error_messages import Degrees, Steps, Words, dotted_path, field_errors, translated


class Declared(BaseModel):
    """A frozen value with named fields, equal to any other that says the same.

    Building one checks it whole; a `SceneError` lists everything that is wrong. Fields are given by
    keyword, and unknown ones are mistakes.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True
    )

    kind: ClassVar[str] = ""
    """What messages and files call such an entry."""

    def __init__(self, **values: Any) -> None:
        """Check the values and raise a `SceneError` that lists every mistake in them."""
        try:
            super().__init__(**values)
        except ValidationError as error:
            found: list[Mistake] = []
            self.explain(error, values, self.place_of(values), found)
            raise SceneError(found) from None

    # Tells pydantic that nested entries need not pass through __init__: their mistakes are then
    # collected with all others instead of ending the search.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def place_of(cls, values: Mapping[str, Any]) -> str:
        """Return what to call an entry built from `values`: its kind, and its name if it has one."""
        name = values.get("name")
        return dotted_path(cls.kind, name) if isinstance(name, str) and name else cls.kind

    @classmethod
    def attempted(
        cls,
        values: Mapping[str, Any],
        place: str,
        found: list[Mistake],
        words: Words = tuple,
        ignore: Collection[str] = (),
    ) -> Self | None:
        """Build one from `values`, or add what is wrong with them to `found` and return None.

        Args:
            values: fields by name
            place: dotted path of the entry
            found: mistakes so far, added to
            words: turns steps in field names into steps in the user's words
            ignore: fields whose mistakes were found before
        """
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            cls.explain(error, values, place, found, words, ignore)
            return None

    @classmethod
    def explain(
        cls,
        error: ValidationError,
        values: Mapping[str, Any],
        place: str,
        found: list[Mistake],
        words: Words = tuple,
        ignore: Collection[str] = (),
    ) -> None:
        """Add everything wrong with `values` to `found`, given what pydantic said about them."""
        found += translated(error, cls, place, words, ignore)
        if any(details["loc"] for details in error.errors(include_url=False)):
            early = cls._early_mistakes(values)
            found += [Mistake(dotted_path(place, *words(steps)), message) for steps, message in early]

    @classmethod
    def _early_mistakes(cls, values: Mapping[str, Any]) -> Iterator[tuple[Steps, str]]:
        """Yield what `_mistakes` would have said and can be told although some field is wrong by itself."""
        yield from ()

    @model_validator(mode="before")
    @classmethod
    def _degrees_become_radians(cls, values: Any) -> Any:
        if isinstance(values, Mapping) and "rotation_deg" in values and "rotation" in cls.model_fields:
            values = dict(values)
            values["rotation"] = Degrees(values.pop("rotation_deg"), is_double="rotation" in values)
        return values

    @model_validator(mode="after")
    def _has_no_mistakes(self) -> Self:
        mistakes = list(self._mistakes())
        if mistakes:
            raise field_errors(mistakes)
        return self

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        """Yield what is wrong with fields that are each fine by themselves."""
        yield from ()

    def changed(self, **values: Any) -> Self:
        """Return a copy with some fields replaced, checked like a new one."""
        if "rotation_deg" in values:
            kept = {name: value for name, value in self.fields().items() if name != "rotation"}
        else:
            kept = self.fields()
        return type(self)(**{**kept, **values})

    def fields(self) -> dict[str, Any]:
        """Return the fields by name, not copied."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    def __eq__(self, other: object) -> bool:
        """Tell whether the other is of the same class and every field holds the same."""
        if type(self) is not type(other) or not isinstance(other, Declared):
            return NotImplemented
        return all(_is_same(value, getattr(other, name)) for name, value in self.fields().items())


def _is_same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
            return False
        return a is b or np.array_equal(a, b)
    return a == b
