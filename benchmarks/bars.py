"""Bars: what was asked, what was measured, met or missed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Say = Callable[[str], None]
"""Takes a short line about what is being measured."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One number that is asked for."""

    name: str
    """What is measured, in words."""

    measured: float
    """The value of this run."""

    rule: Literal["at most", "at least"]
    """Which side of the limit is good."""

    limit: float
    """The value asked for."""

    unit: str = ""
    """Unit of both values, empty for ratios."""

    @property
    def is_met(self) -> bool:
        """Whether the measured value keeps the limit; NaN never does."""
        if self.rule == "at most":
            return self.measured <= self.limit
        return self.measured >= self.limit


@dataclass(frozen=True, kw_only=True)
class Section:
    """One table of figures with its bars."""

    title: str
    """What was compared."""

    columns: tuple[str, ...] = ()
    """Headings of the table."""

    rows: tuple[tuple[str | float, ...], ...] = ()
    """One tuple per line of the table, as long as `columns`."""

    bars: tuple[Bar, ...] = ()
    """What was asked of these figures."""

    notes: tuple[str, ...] = field(default=())
    """How the figures came about, and what was left out."""

    def as_dict(self) -> dict[str, Any]:
        """Return the section as plain values, each bar with its verdict."""
        content = asdict(self)
        content["bars"] = [{**asdict(bar), "is_met": bar.is_met} for bar in self.bars]
        return content
