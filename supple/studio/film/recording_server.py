"""Web server that offers recordings to a page, which films or replays them."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from supple.errors import SuppleError
from supple.record.readers.recording_reader import RecordingReader
from supple.studio.connection.door import Door
from supple.studio.connection.http_patience import MOST_CONNECTIONS, ImpatientProtocol
from supple.studio.connection.listener import LOCAL_NAMES, open_listener
from supple.studio.connection.page_headers import HEADERS
from supple.studio.connection.server import PAGE, HostCheck, page_file
from supple.studio.film.recording_packing import RecordingPacker

LARGEST_PICTURE = 256_000_000
"""Most bytes of a picture that a page may send."""

Picture = Callable[[int, bytes], None]
"""Takes the number of a picture and its pixels, (height, width, 4) bytes from the lowest row up."""

_HEADERS = {**HEADERS, "Cache-Control": "no-store"}


class RecordingServer:
    """A server for one page and its recordings. Runs in the background from `start` to `stop`."""

    def __init__(
        self,
        page: str,
        recordings: Sequence[RecordingReader],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        picture: Picture | None = None,
    ) -> None:
        """Prepare a server; nothing runs yet.

        Args:
            page: HTML file of the built page to show
            recordings: the recordings
            host: address to listen on
            port: where to listen, or the next that is free; 0 takes any
            picture: takes the pictures that the page makes; None refuses them
        """
        if not (PAGE / page).is_file():
            raise SuppleError(
                "the studio's page has not been built. In a checkout, run `python scripts/build_page.py`."
            )
        for recording in recordings:
            if len(recording) == 0:
                raise SuppleError(f"{recording.path} holds no frame, so there is nothing to show.")
        self.host, self.port = host, port
        self._wanted_port = port
        self._page = page
        self._packers = [RecordingPacker(recording) for recording in recordings]
        self._names = [recording.path.name for recording in recordings]
        self._picture = picture
        self._door = Door(headers=_HEADERS)
        self._lock = threading.Lock()
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def link(self) -> str:
        """Address to open in a browser, with its secret."""
        return f"{self._address()}#token={self._door.token}"

    def one_time_link(self) -> str:
        """Return an address that lets one browser in, once: other users of the machine may read it meanwhile."""
        return f"{self._address()}#code={self._door.new_code()}"

    def _address(self) -> str:
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{self.port}/"

    # ------------------------------------------------------------------ running

    def start(self) -> Self:
        """Listen."""
        listener = open_listener(self.host, self._wanted_port)
        self.port = listener.getsockname()[1]
        routes = [
            Route("/", self._index),
            *self._door.routes(),
            Route("/about", self._about),
            Route("/frame/{recording:int}/{number:int}", self._frame),
            Route("/world/{recording:int}/{world:int}", self._world),
            Route("/picture/{number:int}", self._take, methods=["POST"]),
            Route("/{file}", self._file),
        ]
        app = HostCheck(
            Starlette(routes=routes),
            [*LOCAL_NAMES, self.host, socket.gethostname()],
            any_address=self.host in ("0.0.0.0", "::"),
        )
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            http=ImpatientProtocol,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=1,
            server_header=False,
        )
        server = uvicorn.Server(config)
        self._server = server
        self._thread = threading.Thread(
            target=lambda: asyncio.run(server.serve(sockets=[listener])),
            name="supple-recordings",
            daemon=True,
        )
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop listening."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(timeout=5.0)
            if self._thread.is_alive():
                self._server.force_exit = True
                self._thread.join(timeout=5.0)
        self._thread = None

    def wait(self) -> None:
        """Wait until it stops, or until Ctrl-C."""
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(0.2)

    def __enter__(self) -> Self:
        """Start."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    # ------------------------------------------------------------------ answers

    async def _index(self, request: Request) -> Response:
        return page_file(request, self._page)

    async def _file(self, request: Request) -> Response:
        return page_file(request, str(request.path_params["file"]))

    def _refusal(self, request: Request) -> Response | None:
        return None if self._door.is_open_to(request) else self._door.refusal()

    async def _about(self, request: Request) -> Response:
        if (refusal := self._refusal(request)) is not None:
            return refusal
        told = [
            {"name": name, "rate": packer.recording.frame_rate, "times": packer.recording.times.tolist()}
            for name, packer in zip(self._names, self._packers, strict=True)
        ]
        return JSONResponse(told, headers=_HEADERS)

    def _frame(self, request: Request) -> Response:
        # Not a coroutine, so that Starlette reads the disk in a thread of its own.
        if (refusal := self._refusal(request)) is not None:
            return refusal
        packer, number = request.path_params["recording"], request.path_params["number"]
        if packer >= len(self._packers) or number >= len(self._packers[packer].recording):
            return PlainTextResponse("There is nothing here.\n", status_code=404, headers=_HEADERS)
        with self._lock:
            return Response(
                self._packers[packer].frame(number), media_type="application/octet-stream", headers=_HEADERS
            )

    def _world(self, request: Request) -> Response:
        if (refusal := self._refusal(request)) is not None:
            return refusal
        packer, world = request.path_params["recording"], request.path_params["world"]
        try:
            with self._lock:
                data = self._packers[packer].geometry(world)
        except IndexError:
            return PlainTextResponse("There is nothing here.\n", status_code=404, headers=_HEADERS)
        return Response(data, media_type="application/octet-stream", headers=_HEADERS)

    async def _take(self, request: Request) -> Response:
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if self._picture is None or int(request.headers.get("content-length", "0")) > LARGEST_PICTURE:
            return PlainTextResponse("No picture is wanted.\n", status_code=403, headers=_HEADERS)
        self._picture(int(request.path_params["number"]), await request.body())
        return PlainTextResponse("taken\n", headers=_HEADERS)


def page_is_built(page: str) -> bool:
    """Tell whether the page is there."""
    return (Path(PAGE) / page).is_file()
