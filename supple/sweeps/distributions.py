"""Distributions of a parameter, each a map from a number between 0 and 1 to a value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from supple.errors import SuppleError


@dataclass(frozen=True)
class Distribution:
    """How likely a parameter has which value."""

    words: str
    """What it is, as it was written."""

    quantile: Callable[[float], Any]
    """The value below which a share u of all values lies, for 0 < u < 1."""

    def __repr__(self) -> str:
        """Return what was written."""
        return self.words


def uniform(low: float, high: float) -> Distribution:
    """Return numbers between two bounds, all alike."""
    _check_order("uniform", low, high)
    return Distribution(f"uniform({low!r}, {high!r})", lambda u: low + u * (high - low))


def log_uniform(low: float, high: float) -> Distribution:
    """Return positive numbers whose logarithms are all alike: as many between 1 and 10 as between 10 and 100."""
    _check_order("log_uniform", low, high)
    if not low > 0.0:
        raise SuppleError(f"log_uniform({low!r}, {high!r}): both bounds must be above 0.")
    ratio = math.log(high / low)
    return Distribution(f"log_uniform({low!r}, {high!r})", lambda u: low * math.exp(u * ratio))


def normal(mean: float, deviation: float, low: float = -math.inf, high: float = math.inf) -> Distribution:
    """Return numbers around a mean, cut off at two bounds."""
    if not (math.isfinite(mean) and math.isfinite(deviation) and deviation > 0.0 and low < high):
        raise SuppleError(
            f"normal({mean!r}, {deviation!r}): the deviation must be above 0, and `low` below `high`."
        )
    bell = NormalDist(mean, deviation)
    first, last = bell.cdf(low), bell.cdf(high)
    if not last > first:
        raise SuppleError(f"normal({mean!r}, {deviation!r}): nothing lies between {low!r} and {high!r}.")
    smallest = 1e-12
    return Distribution(
        f"normal({mean!r}, {deviation!r}, {low!r}, {high!r})",
        lambda u: bell.inv_cdf(min(max(first + u * (last - first), smallest), 1.0 - smallest)),
    )


def integers(low: int, high: int) -> Distribution:
    """Return whole numbers from `low` to `high`, both included."""
    if low != int(low) or high != int(high) or not low <= high:
        raise SuppleError(f"integers({low!r}, {high!r}): they must be whole numbers, the smaller one first.")
    return Distribution(
        f"integers({low!r}, {high!r})", lambda u: int(low) + min(int(u * (high - low + 1)), int(high - low))
    )


def choice(*values: Any) -> Distribution:
    """Return one of several values."""
    if not values:
        raise SuppleError("choice(): name one value or more.")
    return Distribution(
        f"choice({', '.join(map(repr, values))})",
        lambda u: values[min(int(u * len(values)), len(values) - 1)],
    )


def _check_order(name: str, low: float, high: float) -> None:
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise SuppleError(f"{name}({low!r}, {high!r}): the bounds must be finite, the lower one first.")
