"""Bounded queue of what the pages ask of the player. Imports nothing heavy, so that it can open early."""

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


class CommandQueue:
    """Bounded queue of commands, each with the client that gave it."""

    def __init__(self) -> None:
        """Open with nothing waiting."""
        self._commands: queue.Queue[tuple[int, Command]] = queue.Queue(QUEUE_LENGTH)
        self.is_open = True
        """Whether the player will still take commands."""

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
