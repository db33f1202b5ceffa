"""Headers of everything the studio's servers answer: what a page of theirs may load, and whom it may talk to."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

HEADERS = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
"""Of every answer."""


def page_headers(connection: HTTPConnection) -> dict[str, str]:
    """Return the headers of a page or a script: it talks to the server it came from and to nobody else."""
    talk = "'self'"
    framing = ["'self'", *getattr(connection.app.state, "framed_by", ())]
    try:
        address = urlsplit(f"//{connection.headers.get('host', '')}")
        host = address.hostname or ""
        if all(part.replace("-", "").isalnum() for part in host.split(".")):
            # Not every browser counts sockets of the same host to 'self'.
            port = f":{address.port}" if address.port else ""
            scheme = "wss" if connection.url.scheme == "https" else "ws"
            talk += f" {scheme}://{host}{port}"
    except ValueError:  # a port that is none
        pass
    policy = (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data: blob:; connect-src {talk}; object-src 'none'; "
        f"base-uri 'none'; form-action 'none'; frame-ancestors {' '.join(framing)}"
    )
    return {**HEADERS, "Content-Security-Policy": policy}
