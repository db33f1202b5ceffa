"""What the pages ask of the player, queued by client, each with a budget. Imports nothing heavy, so that it can open early.

A page, or somebody who pretends to be one, can ask faster than can be done. Three rules keep that from the others:
a queue of each client is bounded, commands that a later one makes void are dropped, and what a client's commands
take is paid from a budget that grows with time. Whoever has spent it waits, while everybody else is served in turn.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from supple.studio.connection import protocol

QUEUE_LENGTH = 200
"""Commands of one client that may wait."""

MOVES_KEPT = 32
"""Moves of one hand that may wait: a throw looks back on the last few."""

SHARE = 0.5
"""Time that the commands of one client may take, over time that passes [-]."""

MOST_SAVED = 0.1
"""Most time that a client which asks for nothing saves up [s]."""

MOST_OWED = 0.5
"""Most time that a client owes after commands that took longer [s]."""

FRAME_SECONDS = 0.01
"""Time for commands of all clients between two frames; the one that exceeds it is the last [s]."""


@dataclass(frozen=True)
class Left:
    """Command: a client is gone."""


@dataclass(frozen=True)
class Joined:
    """Command: a client has come and wants to know everything."""


Command = protocol.Message | Left | Joined

_BY_HAND = protocol.Grab, protocol.Move, protocol.Release, protocol.Feel
_LIGHT = (*_BY_HAND, Joined, Left, protocol.Pause, protocol.Speed, protocol.Step)
"""Commands that cost next to nothing: they are done although their client has spent its budget."""


def _superseded_by(command: Command) -> tuple[object, int] | None:
    """Return what a command has in common with those it makes void, and how many of these are kept; None for others."""
    if isinstance(command, protocol.Set | protocol.Act):
        return (command.type, command.name), 1
    if isinstance(command, protocol.Reset | protocol.Load | protocol.Pause | protocol.Speed):
        return command.type, 1
    if isinstance(command, protocol.Move):
        return (command.type, command.hand), MOVES_KEPT
    return None


@dataclass
class _Waiting:
    """What one client has asked for, and the time it may still take."""

    commands: deque[Command] = field(default_factory=deque)
    budget: float = MOST_SAVED
    """[s]; below 0 it owes."""

    is_gone: bool = False

    def add(self, command: Command) -> bool:
        """Queue a command; tell whether there was room for it."""
        if isinstance(command, Left):
            # Hands let go at once, however much else waits.
            self.is_gone = True
            others = [other for other in self.commands if not isinstance(other, _BY_HAND)]
            self.commands = deque([command, *others])
            return True
        kind = _superseded_by(command)
        if kind is not None:
            # Back to the last command that must stay in its place: a slider moved before an undo is another change.
            alike = []
            for n in range(len(self.commands) - 1, -1, -1):
                other = _superseded_by(self.commands[n])
                if other is None:
                    break
                if other == kind:
                    alike.append(n)
            if len(alike) >= kind[1]:
                del self.commands[alike[-1]]
        if len(self.commands) >= QUEUE_LENGTH:
            return False
        self.commands.append(command)
        return True

    @property
    def is_ready(self) -> bool:
        """Whether its next command may be done now."""
        return bool(self.commands) and (self.budget > 0.0 or isinstance(self.commands[0], _LIGHT))


class CommandQueue:
    """Commands that wait for the player, by client; filled by one thread and emptied by another."""

    def __init__(self) -> None:
        """Open with nothing waiting."""
        self._clients: dict[int, _Waiting] = {}
        self._turn: deque[int] = deque()
        """Clients in the order in which they are served next."""

        self._lock = threading.Lock()
        self._filled_at: float | None = None
        self._left_of_frame = FRAME_SECONDS
        self.is_open = True
        """Whether the player will still take commands."""

    def put(self, client: int, command: Command) -> bool:
        """Queue a command; tell whether there was room for it."""
        with self._lock:
            if client not in self._clients:
                self._clients[client] = _Waiting()
                self._turn.append(client)
            return self._clients[client].add(command)

    def begin_frame(self, now: float) -> None:
        """Let budgets grow up to `now`, by any clock [s]."""
        with self._lock:
            passed = 0.0 if self._filled_at is None else now - self._filled_at
            self._filled_at, self._left_of_frame = now, FRAME_SECONDS
            for waiting in self._clients.values():
                waiting.budget = min(waiting.budget + SHARE * passed, MOST_SAVED)

    def take(self) -> tuple[int, Command] | None:
        """Return the next command and its client, None if none may be done before the next frame.

        Whoever has spent least is served first, and among equals the one who has waited longest.
        """
        with self._lock:
            ready = [client for client in self._turn if self._clients[client].is_ready]
            if not ready or self._left_of_frame <= 0.0:
                return None
            client = max(ready, key=lambda client: self._clients[client].budget)
            self._turn.remove(client)
            self._turn.append(client)
            return client, self._clients[client].commands.popleft()

    def spent(self, client: int, seconds: float) -> None:
        """Charge a client for what the last command of it has taken [s]."""
        with self._lock:
            self._left_of_frame -= seconds
            waiting = self._clients[client]
            waiting.budget = max(waiting.budget - seconds, -MOST_OWED)
            if waiting.is_gone and not waiting.commands:
                del self._clients[client]
                self._turn.remove(client)
