"""Where a soft body with several levels of detail is computed finely, and where coarsely."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import PlainValidator

from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Choice, Length, Switch, Whole

MOST_LEVELS = 5
"""Most levels of detail of a body."""

ABOVE_SHARE = 0.04
"""Share of the finest cell above which a node is split, unless a scene says otherwise [-]."""

BELOW_SHARE = 0.5
"""Share of `above` below which nodes are merged, unless a scene says otherwise [-]."""

Measure = Literal["strain", "laplacian"]


class Refine(Declared):
    """When nodes of a soft body are replaced by finer ones, and when these are taken back.

    Two thresholds, one well below the other, so that nothing goes back and forth between two levels.

    Example:
        >>> Refine(above=0.0005).lower(cell=0.01)
        0.00025
    """

    kind: ClassVar[str] = "refine"

    above: Length | None = None
    """Error of the displacement above which a node is split [m]; None is 4 % of the finest cell."""

    below: Length | None = None
    """Error that merging may leave [m]; None is half of `above`."""

    measure: Annotated[Measure, PlainValidator(Choice(get_args(Measure)))] = "strain"
    """How the error is estimated: by how much the strain varies around a node, or by Debunne's h² |Δd|."""

    touched: Switch = True
    """Whether whatever touches an obstacle is computed as finely as possible."""

    floor: Annotated[int, PlainValidator(Whole(0, MOST_LEVELS - 1))] = 0
    """The level below which the body is never computed; 0 is the coarsest."""

    def upper(self, cell: float) -> float:
        """Return the error above which a node is split [m], for a finest cell [m]."""
        return ABOVE_SHARE * cell if self.above is None else self.above

    def lower(self, cell: float) -> float:
        """Return the error below which nodes are merged [m], for a finest cell [m]."""
        return BELOW_SHARE * self.upper(cell) if self.below is None else self.below

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.above is not None and self.below is not None and self.below > 0.8 * self.above:
            yield (
                ("below",),
                f"is {self.below:g} m, but it must be at most 0.8 of `above`, {self.above:g} m, or nodes would go "
                "back and forth between two levels.",
            )
