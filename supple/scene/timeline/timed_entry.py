"""What happens at a set time: the fields that all such entries share."""

from __future__ import annotations

from typing import ClassVar

from supple.scene.declared import Declared
from supple.scene.field_types import Name, Time


class Timed(Declared):
    """Something that is done at a set time."""

    kind: ClassVar[str] = "moment"

    name: Name | None = None
    """What messages call it."""

    time: Time = 0.0
    """When it is done [s]."""

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of all bodies it needs."""
        return ()


class Edit(Timed):
    """Something that is done to a body at a set time."""

    kind: ClassVar[str] = "edit"

    body: Name
    """Name of the body."""

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of all bodies it needs."""
        return (self.body,)
