"""Desk: where what the pages ask for waits for the player. Imports nothing heavy, so that it can open early."""

from __future__ import annotations

import queue
from dataclasses import dataclass

from supple.studio.connection import protocol

QUEUE_LENGTH = 2000
"""Commands that may wait for the next frame."""


@dataclass(frozen=True)
class Left:
    """Command: a client is gone."""


@dataclass(frozen=True)
class Joined:
    """Command: a client has come and wants to know everything."""


Command = protocol.Message | Left | Joined


class Desk:
    """A bounded queue of commands and who gave them."""

    def __init__(self) -> None:
        """Open with nothing waiting."""
        self._commands: queue.Queue[tuple[int, Command]] = queue.Queue(QUEUE_LENGTH)
        self.is_open = True
        """Whether anybody will look at what is put here."""

    def put(self, client: int, command: Command) -> bool:
        """Queue a command; tell whether there was room for it."""
        try:
            self._commands.put_nowait((client, command))
        except queue.Full:
            return False
        return True

    def take_all(self) -> list[tuple[int, Command]]:
        """Return everything that waits, oldest first."""
        waiting: list[tuple[int, Command]] = []
        while len(waiting) < QUEUE_LENGTH:
            try:
                waiting.append(self._commands.get_nowait())
            except queue.Empty:
                break
        return waiting
