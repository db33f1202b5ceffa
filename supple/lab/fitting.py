"""Fitting: the material that measurements of a real fabric ask for, and how well each of them is met.

Scales, a ruler and a camera are enough: the weight, the bending length of strips over an edge of a table, the area of a
draped disc. Unknown numbers are sought by least squares on their logarithms, every measurement weighted by how well such
things are measured; what nobody measured stays at the value of the preset cotton. The drape coefficient has no formula:
discs are draped at several bending stiffnesses, and a smooth curve through them answers while the search runs.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.arguments import as_number
from supple.errors import SuppleError
from supple.lab.disc_drape import drape as drape_test
from supple.lab.strip_cantilever import GRAVITY
from supple.lab.strip_tension import bias_stiffness
from supple.scene.bodies.materials import Material, presets

Pair = float | tuple[float, float]

LENGTH_ERROR, TENSILE_ERROR, DRAPE_ERROR = 0.03, 0.05, 3.0
"""How well such things are measured: shares of a bending length and of a stiffness [-], points of a drape coefficient."""

CONTRADICTION = 2.0
"""Errors from which a measurement is said to contradict the others [-]."""

LOOSE = 3.0
"""Error of the guess that stands for what nobody measured, as a logarithm [-]: it yields to any measurement."""

LENGTHS = (0.008, 0.012, 0.017, 0.023, 0.031, 0.045)
"""Bending lengths at which discs are draped where none was measured [m]."""

AROUND = (0.8, 1.0, 1.25)
"""Multiples of the bending length around which drape is looked at more closely [-]."""

SEEDS = 0, 1
"""Starts of draped discs whose mean counts."""


class Met(NamedTuple):
    """One measurement, and what the fitted material shows in its place."""

    quantity: str
    wanted: float
    found: float
    unit: str
    misfit: float
    """Difference in units of the error of such a measurement [-]."""

    @property
    def contradicts(self) -> bool:
        """Whether the other measurements do not let it be met."""
        return abs(self.misfit) > CONTRADICTION


@dataclass(frozen=True)
class Fit:
    """A material made from measurements."""

    material: Material
    measurements: tuple[Met, ...]
    chosen: tuple[str, ...]
    """Fields that nothing was measured about: they are those of the preset cotton."""

    @property
    def contradictions(self) -> tuple[Met, ...]:
        """Measurements that the others contradict."""
        return tuple(met for met in self.measurements if met.contradicts)

    def told(self) -> str:
        """Return how well each measurement is met, as lines of text."""
        lines = []
        for met in self.measurements:
            note = "   contradicts the others" if met.contradicts else ""
            lines.append(
                f"{met.quantity:<28} measured {met.wanted:9.4g} {met.unit}, fitted {met.found:9.4g}{note}"
            )
        if self.chosen:
            lines.append(f"not measured, as cotton: {', '.join(self.chosen)}")
        return "\n".join(lines)


class _Measured(NamedTuple):
    """What the search compares, in order: names, values, errors (logarithms, drape apart), and a model of each."""

    quantity: str
    wanted: float
    unit: str
    error: float
    model: Callable[[Material], float]


def fit(
    *,
    weight: float,
    bending_length: Pair | None = None,
    drape: float | None = None,
    tensile: Pair | tuple[float, float, float] | None = None,
    points: int = 1500,
) -> Fit:
    """Return the material that measurements ask for, with a statement of how well each is met. Needs the extra `lab`.

    Args:
        weight: mass per area [kg/m²]
        bending_length: from strips over an edge (ASTM D1388) [m]: one number, or (warp, weft)
        drape: Cusick's drape coefficient, 30 cm on 18 cm [%]
        tensile: stretch stiffness, pull per width over elongation [N/m]: one number, (warp, weft), or (warp, bias, weft)
        points: about how many points draped discs have; discs are draped only if `drape` is given
    """
    if importlib.util.find_spec("scipy") is None:
        raise SuppleError(
            'fitting needs SciPy, which is not installed. Install it with\n  pip install "supple[lab]"'
        )
    weight = as_number("weight", weight, above=0.0)
    if weight > 10.0:
        raise SuppleError(
            f"`weight` is {weight:g}, but cloth has between 0 and 10 kg/m². "
            "It is the mass of a piece over its area: 150 g/m² is 0.15."
        )
    lengths = _numbers("bending_length", bending_length, (1, 2))
    pulls = _numbers("tensile", tensile, (1, 2, 3))
    _check(lengths, drape, pulls)
    measured = _along_threads(lengths, pulls)
    guess = _first_guess(weight, lengths, pulls)
    if drape is not None:
        curve = _drape_curve(guess, drape, bool(lengths), points)
        measured.append(_Measured("drape coefficient", drape, "%", DRAPE_ERROR, curve))
    material = _searched(guess, measured)
    met = []
    for each in measured:
        is_drape = each.unit == "%"
        found = _draped(material, points) if is_drape else each.model(material)
        difference = found - each.wanted if is_drape else np.log(found / each.wanted)
        met.append(Met(each.quantity, each.wanted, found, each.unit, float(difference) / each.error))
    chosen = ["damping", "thickness"]
    if len(pulls) < 3:
        chosen.insert(0, "shear_stiffness")
    if not pulls:
        chosen.insert(0, "stretch_stiffness")
    return Fit(material, tuple(met), tuple(chosen))


def _numbers(name: str, value: object, counts: tuple[int, ...]) -> tuple[float, ...]:
    """Return a measurement of one or more numbers as a tuple, empty for None."""
    if value is None:
        return ()
    values = tuple(value) if isinstance(value, tuple | list) else (value,)
    if len(values) not in counts:
        raise SuppleError(
            f"`{name}` has {len(values)} numbers, but takes {' or '.join(str(count) for count in counts)}."
        )
    return tuple(as_number(name, each, above=0.0) for each in values)


def _check(lengths: tuple[float, ...], drape: float | None, pulls: tuple[float, ...]) -> None:
    """Refuse what no cloth can show."""
    if not lengths and drape is None:
        raise SuppleError(
            "nothing tells how the fabric bends: give `bending_length` (a strip over an edge), `drape`, or both."
        )
    for length in lengths:
        if not 1e-3 <= length <= 0.3:
            raise SuppleError(
                f"`bending_length` is {length:g} m, but that of cloth lies between 0.001 and 0.3. "
                "It is in metres, and half of the overhang at 41.5°: 2 cm is 0.02."
            )
    if drape is not None and not 5.0 <= as_number("drape", drape, above=0.0) <= 98.0:
        raise SuppleError(
            f"`drape` is {drape:g} %, which no fabric has: 100 is a board that does not hang at all, and below 5 the "
            "ring would hang straight down without a fold. It is in per cent of the ring's area: 30, not 0.3."
        )
    for pull in pulls:
        if not 0.1 <= pull <= 1e7:
            raise SuppleError(
                f"`tensile` is {pull:g} N/m, but that of cloth lies between 0.1 and 1e7: the pull per width over the "
                "elongation, so 5 N on 5 cm for 1 % is 10000."
            )
    if len(pulls) == 3:
        warp, bias, weft = pulls
        most = 4.0 / (1.0 / warp + 1.0 / weft)
        if bias >= most:
            raise SuppleError(
                f"`tensile` has {bias:g} N/m on the bias, but threads of {warp:g} and {weft:g} allow less than {most:.4g}, "
                "however stiff in shear. Were the strips mixed up? The order is warp, bias, weft."
            )


def _along_threads(lengths: tuple[float, ...], pulls: tuple[float, ...]) -> list[_Measured]:
    """Return the measurements that have a formula."""
    found = []
    names = ("",) if len(lengths) == 1 else (", warp", ", weft")
    for side, (name, length) in enumerate(zip(names, lengths, strict=False)):

        def bends(material: Material, side: int = side) -> float:
            return float(
                (_two(material.bending_stiffness)[side] / (GRAVITY * material.area_density)) ** (1 / 3)
            )

        found.append(_Measured(f"bending length{name}", length, "m", LENGTH_ERROR, bends))
    angles = {0: (), 1: (0.0,), 2: (0.0, 90.0), 3: (0.0, 45.0, 90.0)}[len(pulls)]
    for angle, pull in zip(angles, pulls, strict=True):

        def pulls_back(material: Material, angle: float = angle) -> float:
            return bias_stiffness(material, angle)

        found.append(_Measured(f"stretch stiffness at {angle:g}°", pull, "N/m", TENSILE_ERROR, pulls_back))
    return found


def _first_guess(weight: float, lengths: tuple[float, ...], pulls: tuple[float, ...]) -> Material:
    """Return a material that formulas give where they can, else cotton."""
    cotton = presets()["cotton"]
    stretch = (pulls[0], pulls[-1]) if pulls else _two(cotton.stretch_stiffness)
    shear = cotton.shear_stiffness
    if len(pulls) == 3:
        shear = 1.0 / (4.0 / pulls[1] - 1.0 / pulls[0] - 1.0 / pulls[2])
    bending = _two(cotton.bending_stiffness)
    if lengths:
        bending = weight * GRAVITY * lengths[0] ** 3, weight * GRAVITY * lengths[-1] ** 3
    return cotton.changed(
        area_density=weight,
        stretch_stiffness=stretch,
        shear_stiffness=shear,
        bending_stiffness=bending,
        stretch_limit=None,
        poisson_ratio=0.0,
    )


def _draped(material: Material, points: int) -> float:
    """Return the mean drape coefficient of a few discs [%]."""
    return float(np.mean([drape_test(material, points=points, seed=seed).coefficient for seed in SEEDS]))


def _drape_curve(guess: Material, wanted: float, is_known: bool, points: int) -> Callable[[Material], float]:
    """Return drape as a function of the mean bending length, from discs draped around the answer."""
    if is_known:
        tried = _mean_length(guess) * np.array((0.5, *AROUND, 2.0))
    else:
        tried = np.array(LENGTHS)
    drapes = np.array([_draped(_with_length(guess, length), points) for length in tried])
    if not is_known:
        # The coarse curve says where to look; closer by, three discs more.
        rising = np.maximum.accumulate(drapes)
        near = float(np.exp(np.interp(wanted, rising, np.log(tried))))
        more = near * np.array(AROUND)
        tried = np.concatenate([tried, more])
        drapes = np.concatenate([drapes, [_draped(_with_length(guess, length), points) for length in more]])
    logs = np.log(tried)
    middle = logs[len(logs) // 2] if is_known else float(np.log(near))
    nearness = np.exp(-(((logs - middle) / 0.6) ** 2))
    parabola = np.polynomial.Polynomial.fit(logs - middle, drapes, 2, w=np.sqrt(nearness))

    def curve(material: Material) -> float:
        return float(parabola(np.log(_mean_length(material)) - middle))

    return curve


def _searched(guess: Material, measured: list[_Measured]) -> Material:
    """Return the material whose logarithms meet the measurements best."""
    from scipy.optimize import least_squares

    start = np.log([*_two(guess.bending_stiffness), *_two(guess.stretch_stiffness), guess.shear_stiffness])
    shared = _two(guess.bending_stiffness)[0] == _two(guess.bending_stiffness)[1]

    def made(values: NDArray[np.float64]) -> Material:
        numbers = np.exp(np.clip(values, start - 5.0, start + 5.0))
        weft = numbers[0] if shared else numbers[1]
        return guess.changed(
            bending_stiffness=(float(numbers[0]), float(weft)),
            stretch_stiffness=(float(numbers[2]), float(numbers[3])),
            shear_stiffness=float(numbers[4]),
        )

    def misfits(values: NDArray[np.float64]) -> NDArray[np.float64]:
        material = made(values)
        found = []
        for each in measured:
            value = each.model(material)
            difference = value - each.wanted if each.unit == "%" else np.log(value / each.wanted)
            found.append(difference / each.error)
        return np.concatenate([found, (values - start) / LOOSE])

    result = least_squares(misfits, start, diff_step=1e-4)
    return made(result.x)


def _mean_length(material: Material) -> float:
    warp, weft = _two(material.bending_stiffness)
    return float((np.sqrt(warp * weft) / (GRAVITY * material.area_density)) ** (1.0 / 3.0))


def _with_length(material: Material, length: float) -> Material:
    """Return a material with another mean bending length [m]; warp and weft keep their ratio."""
    share = (length / _mean_length(material)) ** 3
    warp, weft = _two(material.bending_stiffness)
    return material.changed(bending_stiffness=(float(share * warp), float(share * weft)))


def _two(stiffness: Pair) -> tuple[float, float]:
    return stiffness if isinstance(stiffness, tuple) else (stiffness, stiffness)
