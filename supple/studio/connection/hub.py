"""Connected clients: what each has been sent and what it has acknowledged.

The player's thread hands messages in; all else happens on the server's event loop. Each client has
a sender of its own, so one that is slow waits alone: it gets the newest frame when it is ready for
one, and what came between is never sent to it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from supple.studio.connection import protocol

LONGEST_BACKLOG = 400
"""Messages that may wait for a client before it is disconnected."""

MOST_CLIENTS = 16
"""Clients at a time."""


class Client:
    """One connected page."""

    def __init__(self, number: int) -> None:
        """Start with nothing sent."""
        self.number = number
        self.wants_strain = False
        self.wants_pressure = False
        self.sent_frames = 0
        self.acknowledged = 0
        self._messages: deque[str | bytes] = deque()
        self._frame: bytes | None = None
        self._wake = asyncio.Event()
        self.is_overrun = False
        """Whether so much is waiting that the client must go."""

    @property
    def in_flight(self) -> int:
        """Frames sent and not acknowledged."""
        return self.sent_frames - self.acknowledged

    def put_message(self, message: str | bytes) -> None:
        """Queue something that must arrive."""
        if len(self._messages) >= LONGEST_BACKLOG:
            self.is_overrun = True
        else:
            self._messages.append(message)
        self._wake.set()

    def put_frame(self, message: bytes) -> None:
        """Offer the newest frame; it replaces one that has not been sent yet."""
        self._frame = message
        self._wake.set()

    def drop_frame(self) -> None:
        """Forget a frame that has not been sent yet."""
        self._frame = None

    def acknowledge(self) -> bool:
        """Count a frame as taken in; tell whether there was one to take in."""
        if self.in_flight <= 0:
            return False
        self.acknowledged += 1
        if self._frame is not None:  # it waited for this
            self._wake.set()
        return True

    async def serve(
        self, send_text: Callable[[str], Awaitable[None]], send_bytes: Callable[[bytes], Awaitable[None]]
    ) -> None:
        """Send what is there to send, until cancelled or overrun."""
        while not self.is_overrun:
            await self._wake.wait()
            self._wake.clear()
            while self._messages:
                message = self._messages.popleft()
                await (send_text(message) if isinstance(message, str) else send_bytes(message))
            if self._frame is not None and self.in_flight < protocol.IN_FLIGHT:
                frame, self._frame = self._frame, None
                self.sent_frames += 1
                await send_bytes(frame)


class Hub:
    """All connected clients; the `PlayerOutput` of a studio."""

    def __init__(self) -> None:
        """Start with no client."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clients: dict[int, Client] = {}
        self._next = 1
        self._geometry: bytes | None = None
        self._newest: bytes | None = None
        self._last: bytes | None = None
        self._state: protocol.State | None = None
        # Nothing can be seen yet: whoever comes first is told so.
        self._compiling: protocol.Compiling | None = protocol.Compiling(
            stage="start", done=0, total=1, name=""
        )
        self._goodbye: protocol.Goodbye | None = None
        self._wants_strain = False
        self._wants_pressure = False
        self._client_count = 0

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Deliver on this event loop from now on."""
        self._loop = loop

    # ------------------------------------------------------------------ from the player's thread

    @property
    def wants_strain(self) -> bool:
        """Whether any client colours by strain."""
        return self._wants_strain

    @property
    def wants_pressure(self) -> bool:
        """Whether any client shows how cloth presses."""
        return self._wants_pressure

    @property
    def client_count(self) -> int:
        """Number of clients."""
        return self._client_count

    def frame(self, message: bytes) -> None:
        """Offer the newest frame to all."""
        # Frames that the loop has had no time for are replaced here, so they never pile up.
        is_scheduled = self._newest is not None
        self._newest = message
        if not is_scheduled:
            self._call(self._spread_frame)

    def geometry(self, message: bytes) -> None:
        """Send the shapes of a new world to all, and to everyone who comes later."""
        # A frame that still waits belongs to the world before; the next one must come after these shapes.
        self._newest = None
        self._call(self._spread_geometry, message)

    def tell(self, message: protocol.Message, client: int | None = None) -> None:
        """Send a message to one client, or to all."""
        self._call(self._spread, message, client)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(function, *arguments)
            except RuntimeError:  # closed in the meantime
                return

    # ------------------------------------------------------------------ on the event loop

    def _spread_frame(self) -> None:
        message, self._newest = self._newest, None
        if message is not None:
            self._last = message
            for client in self._clients.values():
                client.put_frame(message)

    def _spread_geometry(self, message: bytes) -> None:
        self._geometry, self._last = message, None
        for client in self._clients.values():
            client.drop_frame()
            client.put_message(message)

    def _spread(self, message: protocol.Message, client: int | None) -> None:
        if isinstance(message, protocol.Compiling):
            self._compiling = message if message.total else None
        if isinstance(message, protocol.State):
            self._state = message
        if isinstance(message, protocol.Goodbye):
            self._goodbye = message
        text = message.model_dump_json()
        for number, receiver in self._clients.items():
            if client is None or client == number:
                receiver.put_message(text)

    def join(self) -> Client | None:
        """Return a new client, already told what there is to see; None if it is too crowded."""
        if len(self._clients) >= MOST_CLIENTS:
            return None
        client = Client(self._next)
        self._next += 1
        self._clients[client.number] = client
        self._count()
        from supple import __version__

        welcome = protocol.Welcome(version=protocol.VERSION, client=client.number, software=__version__)
        client.put_message(welcome.model_dump_json())
        # The player may be busy with a compiler for minutes: what it showed last is there to be seen meanwhile.
        for message in (self._compiling, self._goodbye, self._state):
            if message is not None:
                client.put_message(message.model_dump_json())
        if self._geometry is not None:
            client.put_message(self._geometry)
        if self._last is not None:
            client.put_frame(self._last)
        return client

    def leave(self, client: Client) -> None:
        """Forget a client."""
        self._clients.pop(client.number, None)
        self._count()

    def view_changed(self) -> None:
        """Find out again what the clients want to see."""
        self._count()

    def _count(self) -> None:
        self._client_count = len(self._clients)
        self._wants_strain = any(client.wants_strain for client in self._clients.values())
        self._wants_pressure = any(client.wants_pressure for client in self._clients.values())
