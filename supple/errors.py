"""What supple raises. The library never prints and never exits; the command line does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class SuppleError(Exception):
    """Anything supple can explain: what was found, where, the rule, and the way out."""


@dataclass(frozen=True)
class Mistake:
    """One thing wrong in a scene."""

    place: str
    """Dotted path of the entry, such as `cloth.flag.pin[0]`."""

    message: str
    """What was found there, the rule it breaks and what to write instead."""

    def __str__(self) -> str:
        """Return the place and the message on one line."""
        return f"`{self.place}` {self.message}"


class SceneError(SuppleError):
    """A scene cannot be built. Holds every mistake found, not only the first."""

    def __init__(self, mistakes: Sequence[Mistake], source: str | None = None) -> None:
        """Collect the mistakes; `source` is the file they were found in."""
        self.mistakes = tuple(mistakes)
        self.source = source
        where = f"{source}: " if source else ""
        if len(self.mistakes) == 1:
            text = f"{where}{self.mistakes[0]}"
        else:
            head = f"{where}{len(self.mistakes)} mistakes in the scene"
            text = "\n".join([head, *(f"  - {mistake}" for mistake in self.mistakes)])
        super().__init__(text)

    def __reduce__(self) -> tuple[type[SceneError], tuple[tuple[Mistake, ...], str | None]]:
        """Let the error travel between processes whole."""
        return type(self), (self.mistakes, self.source)


class StateError(SuppleError):
    """A saved state cannot be read or does not belong to this scene."""
