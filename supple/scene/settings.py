"""How a scene is computed: integrator, substeps, frame rate and their options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import PlainValidator

from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Choice, Number, Switch, Whole

Integrator = Literal["auto", "descent", "explicit", "jacobi", "filter", "implicit", "xpbd"]
Predictor = Literal["accelerated", "inertial", "current"]
Solver = Literal["auto", "factor", "multigrid"]
OnIntersection = Literal["refuse", "untangle"]


class Settings(Declared):
    """How to compute a scene.

    Example:
        >>> Settings(substeps=20).integrator
        'auto'
    """

    kind: ClassVar[str] = "settings"

    integrator: Annotated[Integrator, PlainValidator(Choice(get_args(Integrator)))] = "auto"
    """Scheme that advances a substep; "auto" is `descent`. Soft bodies that move alone take `explicit` where its substeps
    are few, and `filter` where there is nothing to touch."""

    substeps: Annotated[int | Literal["auto"], PlainValidator(Whole(1, 10_000, word="auto"))] = 10
    """Substeps in a frame, or "auto" to pick them frame by frame."""

    fixed_substeps: Switch = False
    """Whether `explicit` takes exactly `substeps`, stable or not, and softens nothing: so that it can be seen to diverge."""

    frame_rate: Annotated[float, PlainValidator(Number(at_least=0.1, at_most=1.0e5))] = 50.0
    """Frames per second [1/s]."""

    predictor: Annotated[Predictor, PlainValidator(Choice(get_args(Predictor)))] = "accelerated"
    """Where the filter takes the directions of springs."""

    solver: Annotated[Solver, PlainValidator(Choice(get_args(Solver)))] = "auto"
    """How the filter solves its system; "auto" goes by size."""

    sweeps: Annotated[int, PlainValidator(Whole(1, 1_000))] = 2
    """Jacobi sweeps in a substep."""

    limiter_iterations: Annotated[int, PlainValidator(Whole(0, 10_000))] = 10
    """Most passes of the over-stretch limiter in a substep; 0 turns it off."""

    limiter_tolerance: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0))] = 0.001
    """Elongation beyond the limit at which the limiter is content [-]."""

    limiter_ms: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e6))] | None = None
    """Most time the limiter may take in a frame [ms]; None is no bound."""

    momentum_correction: Switch = True
    """Whether angular momentum lost by the integrator is given back."""

    on_intersection: Annotated[OnIntersection, PlainValidator(Choice(get_args(OnIntersection)))] = "refuse"
    """What becomes of a start in which cloth with exact contact passes through cloth: "untangle" moves it apart."""

    budget_ms: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e6))] | None = None
    """Time a frame may take [ms]: soft bodies are refined, and substeps taken, as far as it reaches; None is no bound."""

    budget_updates: Annotated[int, PlainValidator(Whole(1, 10**12))] | None = None
    """Node updates of soft bodies that a frame may take; unlike a time, it gives the same result in every run."""

    seed: Annotated[int, PlainValidator(Whole(0, 2**63 - 1))] = 0
    """Start of every random sequence."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.budget_ms is not None and self.budget_updates is not None:
            yield ("budget_updates",), "is given beside `budget_ms`. Keep one of them."
