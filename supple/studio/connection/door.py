"""Who gets in: the token of the printed link, codes that work once, and the cookie that both are exchanged for.

Whoever knows the token may come in. What is passed to a browser on its command line, where every user of the machine can
read it, and what a page puts into a link to be passed on, is a code instead: it lets one browser in, once. Both stand
behind the `#` of a link, which browsers send to nobody; the page hands them over and takes them out of the address. What
lets it in from then on is a cookie that scripts cannot read and that no other site can send.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

MOST_CODES = 100
"""Codes that may be unused at a time; the oldest ones are forgotten beyond."""


class Door:
    """The secrets of one server, and the routes `/enter` and `/code`."""

    def __init__(self, token: str | None = None, headers: dict[str, str] | None = None) -> None:
        """Lock the door.

        Args:
            token: secret that lets anybody in who knows it; None makes one
            headers: what is sent with every answer
        """
        self.token = token or secrets.token_urlsafe(18)
        self._headers = headers or {}
        self._codes: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()
        # Follows from the token: a server that starts again with the same one knows its pages. Nothing leads back.
        self._cookie = hmac.new(self.token.encode(), b"cookie of a page", hashlib.sha256).hexdigest()

    def new_code(self) -> str:
        """Return a code that lets one browser in, once."""
        code = secrets.token_urlsafe(18)
        with self._lock:
            self._codes[code] = None
            while len(self._codes) > MOST_CODES:
                self._codes.popitem(last=False)
        return code

    def knows(self, token: str) -> bool:
        """Tell whether this is the token."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    def is_open_to(self, connection: HTTPConnection) -> bool:
        """Tell whether a request or a socket comes with the cookie, or with the token in its headers."""
        cookie = connection.cookies.get(_cookie_name(connection), "")
        is_known = hmac.compare_digest(cookie.encode(), self._cookie.encode())
        return self.knows(_bearer(connection)) or is_known

    def routes(self) -> list[Route]:
        """Return what answers `/enter` and `/code`."""
        return [
            Route("/enter", self._enter, methods=["POST"]),
            Route("/code", self._invite, methods=["POST"]),
        ]

    async def _enter(self, request: Request) -> Response:
        """Exchange the token or a code for the cookie."""
        if not (self.is_open_to(request) or self._take(_bearer(request))):
            return self.refusal()
        answer = PlainTextResponse("Come in.\n", headers=self._headers)
        answer.set_cookie(
            _cookie_name(request),
            self._cookie,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer

    async def _invite(self, request: Request) -> Response:
        """Tell a page that is in a code for another one."""
        if not self.is_open_to(request):
            return self.refusal()
        return PlainTextResponse(self.new_code(), headers=self._headers)

    def refusal(self) -> Response:
        """Return the answer to whoever must stay outside."""
        return PlainTextResponse("The link is wrong.\n", status_code=401, headers=self._headers)

    def _take(self, code: str) -> bool:
        with self._lock:
            if code not in self._codes:
                return False
            del self._codes[code]
            return True


def _bearer(connection: HTTPConnection) -> str:
    return connection.headers.get("authorization", "").removeprefix("Bearer ")


def _cookie_name(connection: HTTPConnection) -> str:
    """Return a name for each port: cookies do not tell servers of one host apart."""
    server = connection.scope.get("server")
    return f"supple-{server[1] if server else 0}"
