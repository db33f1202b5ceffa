"""The studio on a simulation: player, server and browser tab."""

from __future__ import annotations

import asyncio
import html
import math
import os
import re
import socket
import ssl
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import uvicorn

from supple.errors import SuppleError
from supple.scene.scene import Scene
from supple.scene.timeline.script import Script, read_script
from supple.studio.beside import Comparison
from supple.studio.connection import protocol
from supple.studio.connection.command_queue import CommandQueue
from supple.studio.connection.door import Door
from supple.studio.connection.http_patience import MOST_CONNECTIONS, ImpatientProtocol
from supple.studio.connection.hub import Hub
from supple.studio.connection.listener import LOCAL_NAMES, clear_text_warning, open_listener
from supple.studio.connection.page_headers import HEADERS
from supple.studio.connection.protocol import LARGEST_MESSAGE
from supple.studio.connection.server import Server
from supple.studio.connection.share import read_share
from supple.studio.ctrl_c import CtrlC
from supple.studio.inline import studio_html
from supple.studio.player.pace import Pace
from supple.studio.player.warmth import Warmth
from supple.warm.warming import Told

if TYPE_CHECKING:  # both bring Numba in, which takes its time: the link is to be there before
    from supple.simulation import Simulation
    from supple.studio.player.player import Player

LOCAL_PAGES = tuple(
    f"{scheme}://{name}:*" for scheme in ("http", "https") for name in ("localhost", "127.0.0.1")
)
"""Pages of this machine, whatever their port."""

PORT = 8737
"""Where the studio is looked for first."""


class Studio:
    """A server, a player, and the link to them. Runs in the background from `start` to `stop`.

    Example:
        >>> import supple
        >>> sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=5, rows=5)
        >>> with Studio(supple.Scene(sheet), port=0) as studio:
        ...     studio.link.startswith("http://127.0.0.1:")
        True
    """

    def __init__(
        self,
        subject: Simulation | Scene | str,
        *,
        host: str = "127.0.0.1",
        port: int = PORT,
        certificate: str | os.PathLike[str] | None = None,
        key: str | os.PathLike[str] | None = None,
        token: str | None = None,
        record_folder: str | os.PathLike[str] = "output",
        is_paused: bool = False,
        share: str = "",
        edits: Script | str | os.PathLike[str] | None = None,
        is_warmed: bool = False,
        warmed: Told | None = None,
        framed_by: Sequence[str] = (),
    ) -> None:
        """Prepare a studio; nothing runs yet.

        Args:
            subject: a simulation, a scene, or the name of a scene in the gallery or of a file
            host: address to listen on; "0.0.0.0" lets headsets on the network in
            port: where to listen, or the next that is free; 0 takes any
            certificate: PEM file for HTTPS, which headsets demand
            key: PEM file of its private key, if that is not in the same file
            token: secret of the link; None makes one
            record_folder: where recordings go
            is_paused: whether to wait before the first frame
            share: part of a shared link behind the `#`, to begin with
            edits: a script, or the file of one, whose entries are made again at their times
            is_warmed: whether other processes compile the kernels that scenes of the gallery and tools need
            warmed: called with the share of what the first scene needs that is compiled, and the time left [s]
            framed_by: whose pages may show it in a frame, such as "http://localhost:8888"; any port is "http://localhost:*"
        """
        self._warmth = Warmth(hub_told=self._tell_warming, also_told=warmed) if is_warmed else None
        self._script = edits if edits is None or isinstance(edits, Script) else read_script(edits)
        self.host = host
        self._wanted_port = port
        self._certificate = _checked_file("certificate", certificate)
        self._key = _checked_file("key", key)
        _check_certificate(self._certificate, self._key)
        _check_share(share)
        self._door = Door(token, HEADERS)
        self._subject = subject
        self._record_folder = Path(record_folder).absolute()
        self._is_paused = is_paused
        self._share = share
        self.hub = Hub()
        """The connected pages."""

        self.comparison = Comparison(self._begin_beside, self._end_beside)
        """The second simulation, for pages that compare."""

        self._pace = Pace()
        self._commands = CommandQueue()
        self._player: Player | None = None
        self.server = Server(self._commands, self.hub, self._door, self._record_folder)
        self.server.beside = self.comparison
        self.server.framed_by = tuple(_checked_origin(origin) for origin in framed_by)
        self.port = port
        self._thread: threading.Thread | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_up = threading.Event()

    # ------------------------------------------------------------------ running

    def start(self, on_up: Callable[[], None] | None = None) -> Self:
        """Listen, and let the simulation run.

        Args:
            on_up: called as soon as pages are answered, before the simulation and its compiler are loaded
        """
        if self._warmth is not None and isinstance(self._subject, str):
            self._warmth.begin(self._subject)  # while this process still imports its own compiler
        listener = open_listener(self.host, self._wanted_port)
        self.port = listener.getsockname()[1]
        names = [*LOCAL_NAMES, self.host, socket.gethostname()]
        app = self.server.app(names, any_address=self.host in ("0.0.0.0", "::"))
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            http=ImpatientProtocol,
            limit_concurrency=MOST_CONNECTIONS,
            ws="websockets-sansio",
            ws_max_size=4 * LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            ssl_certfile=self._certificate,
            ssl_keyfile=self._key,
            timeout_graceful_shutdown=2,
            server_header=False,
        )
        self._uvicorn = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._serve, args=(listener,), name="supple-server", daemon=True
        )
        self._thread.start()
        self._is_up.wait()
        try:
            if on_up is not None:
                on_up()
            from supple.studio.player.player import Player

            self._player = Player(
                self._subject,
                self.hub,
                self._commands,
                record_folder=self._record_folder,
                is_paused=self._is_paused,
                share=self._share,
                script=self._script,
                pace=self._pace,
                warmth=self._warmth,
            )
            self.server.scene_file = self._player.playlist.file
            self._player.start()
        except BaseException:
            self.stop()
            raise
        return self

    @property
    def player(self) -> Player:
        """What runs the simulation; there from `start` on."""
        if self._player is None:
            raise SuppleError("the studio has not been started.")
        return self._player

    def _begin_beside(self, commands: CommandQueue, hub: Hub) -> Player:
        """Start a second player on the same subject, in step with the first."""
        from supple.simulation import Simulation
        from supple.studio.player.player import Player

        subject = self._subject.scene if isinstance(self._subject, Simulation) else self._subject
        player = Player(
            subject,
            hub,
            commands,
            record_folder=self._record_folder,
            is_paused=True,
            script=self._script,
            pace=self._pace,
        )
        for each in (self.player, player):
            self._pace.join(each)
        player.start()
        return player

    def _end_beside(self, player: Player) -> None:
        """Stop the second player; the first goes on alone."""
        for each in (self.player, player):
            self._pace.leave(each)
        player.stop()

    def _serve(self, listener: socket.socket) -> None:
        assert self._uvicorn is not None
        server = self._uvicorn

        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            self.hub.bind(self._loop)
            self.comparison.bind(self._loop)
            self._is_up.set()
            await server.serve(sockets=[listener])

        try:
            asyncio.run(serve())
        finally:
            self._is_up.set()
            listener.close()

    def stop(self, text: str = "The server was stopped.") -> None:
        """Say goodbye to the pages, end the simulation and stop listening."""
        self._commands.is_open = False
        self.comparison.stop()
        if self._warmth is not None:
            self._warmth.stop()
        if self._player is not None:
            self._player.stop()
        thread, loop = self._thread, self._loop
        if thread is not None and loop is not None and thread.is_alive():
            try:
                asyncio.run_coroutine_threadsafe(self.server.close_all(text), loop).result(timeout=5.0)
            except (TimeoutError, RuntimeError):
                pass
            assert self._uvicorn is not None
            self._uvicorn.should_exit = True
            thread.join(timeout=5.0)
            if thread.is_alive():
                self._uvicorn.force_exit = True
                thread.join(timeout=5.0)
        self._thread = None

    def wait(self, until: CtrlC | None = None) -> None:
        """Wait until the studio stops, or until Ctrl-C."""
        while self.player.is_running and not (until is not None and until.is_pressed):
            self.player.join(0.2)
        if self.player.failure is not None:
            raise self.player.failure

    def __enter__(self) -> Self:
        """Start."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def _tell_warming(self, share: float, seconds: float) -> None:
        """Tell the pages how far the kernels are that they wait for."""
        told = protocol.Compiling(
            stage="kernels", done=round(100.0 * share), total=100, name="", seconds=math.ceil(seconds)
        )
        self.hub.tell(told)

    # ------------------------------------------------------------------ the link

    @property
    def link(self) -> str:
        """Address to open in a browser, with its secret."""
        return f"{self._address()}#token={self._door.token}"

    def one_time_link(self) -> str:
        """Return an address that lets one browser in, once: other users of the machine may read it meanwhile."""
        return f"{self._address()}#code={self._door.new_code()}"

    def _address(self) -> str:
        scheme = "https" if self._certificate else "http"
        shown = _own_address() if self.host in ("0.0.0.0", "::") else self.host
        shown = f"[{shown}]" if ":" in shown else shown
        return f"{scheme}://{shown}:{self.port}/"

    def _repr_html_(self) -> str:
        """Return a frame with the studio in it, for notebooks; `play(..., inline=True)` lets them show it."""
        if not self.server.framed_by:
            own = html.escape(
                self.one_time_link()
            )  # notebooks are kept and passed on: nothing that works twice
            return f"<p>The studio runs: {own}. <code>supple.play(…, inline=True)</code> shows it here.</p>"
        here, other = self.one_time_link(), self.one_time_link()
        return studio_html((here, other.replace("//127.0.0.1:", "//localhost:", 1)))

    @property
    def is_readable_by_others(self) -> bool:
        """Whether it listens to the network without encryption."""
        return self._certificate is None and self.host not in LOCAL_NAMES

    @property
    def is_moved(self) -> bool:
        """Whether the port asked for was busy."""
        return self._wanted_port not in (0, self.port)


def play(
    subject: Simulation | Scene | str,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    open_browser: bool = True,
    blocking: bool = True,
    certificate: str | os.PathLike[str] | None = None,
    key: str | os.PathLike[str] | None = None,
    say: Callable[[str], None] | None = None,
    share: str = "",
    edits: Script | str | os.PathLike[str] | None = None,
    is_warmed: bool = False,
    warmed: Told | None = None,
    inline: bool = False,
) -> Studio:
    """Open the studio in a browser tab.

    The simulation belongs to the studio until it stops: do not step it elsewhere meanwhile.

    Args:
        subject: a simulation, a scene, or the name of a scene in the gallery or of a file
        host: address to listen on; "0.0.0.0" lets headsets on the network in
        port: where to listen, or the next that is free
        open_browser: whether to open a tab
        blocking: whether to return only when the studio stops (Ctrl-C); in a notebook, say False
            and keep what is returned: its `stop()` ends the studio
        certificate: PEM file for HTTPS, which headsets demand
        key: PEM file of its private key, if that is not in the same file
        say: takes each line for the user; None writes them to the error stream
        share: part of a shared link behind the `#`, to begin with
        edits: a script, or the file of one, whose entries are made again at their times
        is_warmed: whether other processes compile the kernels that scenes of the gallery and tools need
        warmed: called with the share of what the first scene needs that is compiled, and the time left [s]
        inline: whether to return at once a studio that a notebook on this machine shows below its cell

    Returns:
        The studio, stopped already if `blocking`.
    """
    if inline:
        open_browser = blocking = False
    tell = say or _say
    studio = Studio(
        subject,
        host=host,
        port=port,
        certificate=certificate,
        key=key,
        share=share,
        edits=edits,
        is_warmed=is_warmed,
        warmed=warmed,
        framed_by=LOCAL_PAGES if inline else (),
    )

    def announce() -> None:
        if studio.is_moved:
            tell(f"Port {port} is busy; using {studio.port} instead.")
        if studio.is_readable_by_others:
            tell(
                f"{clear_text_warning(host)} Give a certificate (--certificate) where you do not trust everybody."
            )
        if open_browser and not open_page(studio.one_time_link()):
            tell("No browser can be opened here. Open this link in one:")
        if not inline:
            tell(studio.link)
        if blocking:
            tell("Press Ctrl-C to stop.")

    if not blocking:
        return studio.start(announce)
    with CtrlC() as ctrl_c:
        try:
            studio.start(announce)
            studio.wait(until=ctrl_c)
            if ctrl_c.is_pressed:
                tell("Stopping.")
        finally:
            studio.stop()
    return studio


def open_page(link: str) -> bool:
    """Open a link in the user's browser; tell whether there is one."""
    has_screen = bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if sys.platform.startswith("linux") and not has_screen:
        # What is left without a screen are browsers for text, which would take the terminal over.
        return False
    try:
        return webbrowser.open(link)
    except (webbrowser.Error, OSError):
        return False


def _checked_origin(origin: str) -> str:
    """Return the origin of pages as a header takes it, or say what one looks like."""
    if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:(\d{1,5}|\*))?", origin):
        raise SuppleError(f'`framed_by` names {origin!r}, but it must look like "http://localhost:8888".')
    return origin


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _checked_file(name: str, path: str | os.PathLike[str] | None) -> str | None:
    if path is None:
        return None
    if not Path(path).is_file():
        raise SuppleError(f"the {name} {path} does not exist. Give a PEM file.")
    return str(path)


def _check_certificate(certificate: str | None, key: str | None) -> None:
    """Raise a `SuppleError` if no server can use a certificate and its key."""
    if certificate is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except (ssl.SSLError, OSError, ValueError) as error:
        why = getattr(error, "reason", None) or error
        raise SuppleError(
            f"{certificate} is no certificate that can be used ({why}). Give a PEM file with the certificate, and one with "
            "its private key by --key if that is not in the same file."
        ) from None


def _check_share(text: str) -> None:
    """Raise a `SuppleError` if the part of a shared link cannot be read."""
    try:
        read_share(text)
    except ValueError as error:
        raise SuppleError(f"--share cannot be read: {error}") from None


def _own_address() -> str:
    """Return the address of this machine on its network, as far as it can be told."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation; nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
