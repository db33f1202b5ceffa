"""A second simulation beside the one that plays, for pages that compare: there as long as one of them is open."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from supple.studio.connection.command_queue import CommandQueue
from supple.studio.connection.hub import Hub

if TYPE_CHECKING:
    from supple.studio.player.player import Player


class Comparison:
    """The second simulation: its queue and clients, and the player while somebody looks."""

    def __init__(self, make: Callable[[CommandQueue, Hub], Player], end: Callable[[Player], None]) -> None:
        """Start with nobody looking.

        Args:
            make: starts a player on a queue and clients
            end: stops it
        """
        self.commands, self.hub = CommandQueue(), Hub()
        self._make, self._end = make, end
        self._player: Player | None = None
        self._count = 0
        self._lock = threading.Lock()

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Deliver on this event loop."""
        self.hub.bind(loop)

    @property
    def player(self) -> Player | None:
        """What runs the second simulation; None while nobody looks."""
        return self._player

    def come(self) -> None:
        """Begin, if this is the first page."""
        with self._lock:
            self._count += 1
            if self._player is None:
                self.commands.is_open = True
                self._player = self._make(self.commands, self.hub)

    def go(self) -> None:
        """End, if this was the last page."""
        with self._lock:
            self._count -= 1
            if self._count == 0:
                self._stop()

    def stop(self) -> None:
        """End, whoever looks."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            self._end(player)
