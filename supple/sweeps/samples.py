"""Samples: which values the parameters of the runs of a sweep have."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.scene.error_messages import listed, suggestion
from supple.scene.scene import Scene
from supple.sweeps.distributions import Distribution
from supple.sweeps.fields import changed

METHODS = ("latin", "sobol", "random")


def grid(values: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return every combination of values, the last parameter changing fastest."""
    for name, choices in values.items():
        if (
            isinstance(choices, str | bytes)
            or not isinstance(choices, Sequence | np.ndarray)
            or not len(choices)
        ):
            raise SuppleError(f"the grid's `{name}` is {choices!r}, but it must list one value or more.")
    return [dict(zip(values, row, strict=True)) for row in itertools.product(*values.values())]


def samples(
    parameters: Mapping[str, Distribution | Any], count: int, *, method: str = "latin", seed: int = 0
) -> list[dict[str, Any]]:
    """Return `count` sets of values drawn from distributions; what is no distribution stays as it is.

    Args:
        parameters: distributions and fixed values by name
        count: number of sets
        method: "latin" (Latin hypercube: every parameter is spread evenly), "sobol" (low discrepancy; best with a power
            of two) or "random"
        seed: start of the random sequence; the same seed gives the same sets
    """
    if count != int(count) or not 1 <= count <= 10_000_000:
        raise SuppleError(f"`count` is {count!r}, but it must be a whole number from 1 to 10,000,000.")
    varied = [name for name, value in parameters.items() if isinstance(value, Distribution)]
    if not varied:
        raise SuppleError(
            "none of the parameters is a distribution, such as `supple.vary.uniform(1.0, 2.0)`."
        )
    shares = _shares(len(varied), int(count), method, seed)
    result = []
    for row in shares.tolist():
        drawn = dict(zip(varied, row, strict=True))
        result.append(
            {
                name: value.quantile(drawn[name]) if isinstance(value, Distribution) else value
                for name, value in parameters.items()
            }
        )
    return result


def randomised(scene: Scene, parameters: Mapping[str, Distribution | Any], *, seed: int) -> Scene:
    """Return a scene with fields drawn anew, for domain randomisation.

    Example:
        >>> from supple.scene.bodies.cloth import Cloth
        >>> from supple.sweeps.distributions import uniform
        >>> scene = Scene(Cloth.rectangle(width=1.0, height=1.0, columns=3, rows=3))
        >>> other = randomised(scene, {"cloth.material.area_density": uniform(0.1, 0.3)}, seed=1)
        >>> 0.1 < other.bodies[0].material.area_density < 0.3
        True
    """
    (values,) = samples(parameters, 1, method="random", seed=seed)
    return changed(scene, values)


def _shares(dimensions: int, count: int, method: str, seed: int) -> NDArray[np.float64]:
    """Return points in the unit cube, (count, dimensions)."""
    if method not in METHODS:
        raise SuppleError(f"`method` is {method!r}. Methods: {listed(METHODS)}.{suggestion(method, METHODS)}")
    if method == "random":
        return np.random.default_rng(seed).random((count, dimensions))
    if importlib.util.find_spec("scipy") is None:
        raise SuppleError(
            f'`method="{method}"` needs SciPy, which is not installed. Install it with\n  pip install "supple[sweep]"'
        )
    from scipy.stats import qmc

    if method == "latin":
        points: NDArray[np.float64] = qmc.LatinHypercube(dimensions, rng=seed).random(count)
        return points
    power = max(count - 1, 0).bit_length()
    drawn: NDArray[np.float64] = qmc.Sobol(dimensions, rng=seed).random_base2(power)[:count]
    return drawn
