"""The socket that a web server of the studio listens on."""

from __future__ import annotations

import os
import socket

from supple.errors import SuppleError

PORTS_TRIED = 50
"""How many ports are tried when the first are busy."""

LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
"""Names of this machine for itself."""


def clear_text_warning(host: str) -> str:
    """Return what to tell whoever opens a server to the network without encryption."""
    return (
        f"Listening on {host} without encryption: whoever can listen in on this network reads what passes, "
        "the token included."
    )


def open_listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port or the next that is free; 0 takes any.

    Raises:
        SuppleError: if none is free
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = port + (PORTS_TRIED if port else 1)
    trouble: OSError | None = None
    for candidate in range(port, min(last, 65536)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, candidate))
            listener.listen(64)
        except OSError as error:
            listener.close()
            trouble = error
            continue
        return listener
    reason = trouble.strerror if trouble else "no port is left"
    raise SuppleError(f"cannot listen on {host}, port {port} or those after it: {reason}.")
