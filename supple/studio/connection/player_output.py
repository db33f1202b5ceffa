"""Where the messages and frames of the player go."""

from __future__ import annotations

from typing import Protocol

from supple.studio.connection.protocol import Message


class PlayerOutput(Protocol):
    """Receiver of the player's messages and frames. Called from the player's threads; must not block."""

    def frame(self, message: bytes) -> None:
        """Take the newest frame."""

    def geometry(self, message: bytes) -> None:
        """Take the shapes of a new world; frames of it follow."""

    def tell(self, message: Message, client: int | None = None) -> None:
        """Take a message for one client, or for all."""

    @property
    def wants_strain(self) -> bool:
        """Whether any client colours by strain."""

    @property
    def wants_pressure(self) -> bool:
        """Whether any client shows how cloth presses."""

    @property
    def client_count(self) -> int:
        """Number of clients."""
