"""HTTP connections that are closed if no request comes: a client that connects and is silent, or slow, holds nothing."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0
"""Time for the head of a request, from the connection or from its first byte on [s]."""

MOST_CONNECTIONS = 200
"""Connections at a time; more are answered that the server is busy."""


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 of uvicorn with a deadline for the head of every request; what follows has its own limits."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request, but not for ever."""
        super().connection_made(transport)
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        """Take data; while no request is complete, the deadline that was set with its first byte holds."""
        super().data_received(data)
        is_answering = self.cycle is not None and not self.cycle.response_complete
        is_upgraded = self.transport.get_protocol() is not self
        if is_answering or is_upgraded:
            self._clear_deadline()
        elif self._deadline is None and not self.transport.is_closing():
            self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._clear_deadline()
        super().connection_lost(exc)

    def _set_deadline(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
