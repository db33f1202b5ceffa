"""Parts of a body with their own elasticity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from supple.scene.bodies.selection import Selection
from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Damping, Stiffness, ThreadStiffness


class Region(Declared):
    """Springs whose ends all lie among some points, with values of their own.

    What is None stays as the material says. Where regions overlap, the later one counts.
    """

    kind: ClassVar[str] = "region"

    where: Selection
    """Which points are meant."""

    stretch_stiffness: ThreadStiffness | None = None
    """Instead of the material's, in the same unit."""

    shear_stiffness: Stiffness | None = None
    """Instead of the material's, in the same unit."""

    bending_stiffness: ThreadStiffness | None = None
    """Instead of the material's, in the same unit."""

    damping: Damping | None = None
    """Instead of the material's, in the same unit."""

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        values = (self.stretch_stiffness, self.shear_stiffness, self.bending_stiffness, self.damping)
        if all(value is None for value in values):
            yield (
                (),
                "changes nothing. Give it stretch_stiffness, shear_stiffness, bending_stiffness or damping.",
            )
