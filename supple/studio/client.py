"""A client of the studio for programs: sees what moves, and has hands, from another process or thread.

    from supple.studio.client import StudioClient

    with StudioClient(link) as client:                      # the link that `supple play` prints
        client.grab("cloth", vertex=0, target=(0.0, 1.0, 0.0))
        for frame in client.frames(count=50):
            print(frame.time, frame.positions["cloth"].shape)
        client.release()

It speaks the protocol of the page (`supple.studio.connection.protocol`) over one WebSocket and needs neither Numba
nor a browser. What it asks for takes effect between two frames, like what pages ask for.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from supple.errors import SuppleError
from supple.studio.connection import protocol

_FRAME_HEAD = struct.Struct("<4I d 2I")
_GEOMETRY_HEAD = struct.Struct("<4I")
_SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(protocol.ServerMessage)


class Frame(NamedTuple):
    """Where everything is at one moment."""

    number: int
    """Frame of the simulation."""

    time: float
    """Simulated time [s]."""

    positions: dict[str, NDArray[np.float32]]
    """Points of every body (n, 3) [m], to 1/32767 of its half extent."""

    poses: dict[str, NDArray[np.float32]]
    """Of every obstacle (7,): position [m] and quaternion x, y, z, w."""


class Body(NamedTuple):
    """Shape of a body that deforms."""

    name: str
    kind: str
    """cloth, chain, lattice, network, ..."""

    triangles: NDArray[np.uint32]
    """(triangle_count, 3) vertices."""

    edges: NDArray[np.uint32]
    """(edge_count, 2) vertices; only for bodies without triangles."""


class Solid(NamedTuple):
    """Shape of an obstacle, in its own frame of reference."""

    name: str
    vertices: NDArray[np.float32]
    """(vertex_count, 3) [m]."""

    triangles: NDArray[np.uint32]
    """(triangle_count, 3) vertices."""


class StudioClient:
    """A connection to a running studio; use it in a `with` block, or close it."""

    bodies: dict[str, Body]
    """Bodies by name, with their triangles; they change when something is cut, or another scene is loaded."""

    solids: dict[str, Solid]
    """Obstacles by name, with their triangles."""

    state: protocol.State
    """Scene, clock, pins and undo, as last told."""

    parameters: dict[str, protocol.Parameter]
    """What can be changed by `set`, by name."""

    report: protocol.Report | None
    """What the last frames did and cost, as last told."""

    def __init__(self, link: str, *, seconds: float = 60.0) -> None:
        """Connect, and wait until the studio shows a world.

        Args:
            link: as printed by `supple play`, or `Studio.link`
            seconds: how long to wait for any answer [s]; the first start may compile kernels, and tells while it does

        Raises:
            SuppleError: nobody answers there, or the link is wrong
        """
        self._seconds = seconds
        self._newest: Frame | None = None
        self._world = -1
        self._point_counts: list[int] = []
        self._holding: set[int] = set()
        self.bodies, self.solids, self.parameters = {}, {}, {}
        self.report = None
        self._is_told_state = False
        self._open = ExitStack()
        address, token = _parts(link)
        try:
            self._socket: ClientConnection = self._open.enter_context(
                connect(address, max_size=None, compression=None, open_timeout=seconds, proxy=None)
            )
        except (OSError, InvalidHandshake, TimeoutError) as error:
            raise SuppleError(f"no studio answers at {address}: {error}. Is `supple play` running?") from None
        try:
            self.send(protocol.Hello(version=protocol.VERSION, token=token))
            while self._world < 0 or not self._is_told_state or not self.parameters:
                self._hear()
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------------ seeing

    def frame(self) -> Frame:
        """Return the newest frame that was not returned yet; wait for it if need be.

        While the clock stands still, none comes.

        Raises:
            SuppleError: the studio refused a command, has stopped, or said nothing for too long
        """
        self._hear_what_has_come()
        while self._newest is None:
            self._hear()
        frame, self._newest = self._newest, None
        return frame

    def frames(self, count: int) -> Iterator[Frame]:
        """Yield the next frames."""
        for _ in range(count):
            yield self.frame()

    # ------------------------------------------------------------------ hands

    def grab(self, body: str, vertex: int, target: tuple[float, float, float], *, hand: int = 0) -> None:
        """Take a point of a body, or with `vertex` -1 an obstacle, and pull it to a place [m]."""
        vertices, weights = ((), ()) if vertex < 0 else ((vertex,), (1.0,))
        self._holding.add(hand)
        self.send(
            protocol.Grab(
                hand=hand, body=body, vertices=vertices, weights=weights, target=target, time=_now()
            )
        )

    def move(self, target: tuple[float, float, float], *, hand: int = 0) -> None:
        """Lead what a hand holds to a place [m]."""
        if hand not in self._holding:
            raise SuppleError(f"hand {hand} holds nothing; call grab first.")
        self.send(protocol.Move(hand=hand, target=target, time=_now()))

    def release(self, *, hand: int = 0) -> None:
        """Let go; what was held flies on as fast as the hand moved."""
        self._holding.discard(hand)
        self.send(protocol.Release(hand=hand, time=_now()))

    def toggle_pin(self, body: str, vertex: int) -> None:
        """Pin a point where it is, or free it."""
        self.send(protocol.TogglePin(body=body, vertices=(vertex,)))

    # ------------------------------------------------------------------ settings and clock

    def set(self, name: str, value: protocol.Value) -> None:
        """Change one of `parameters`."""
        if name not in self.parameters:
            raise SuppleError(f"there is no parameter {name}. Parameters: {', '.join(self.parameters)}.")
        self.send(protocol.Set(name=name, value=value))

    def pause(self, value: bool = True) -> None:
        """Stop the clock, or with False let it run."""
        self.send(protocol.Pause(value=value))

    def step(self) -> None:
        """Compute one frame and pause."""
        self.send(protocol.Step())

    def reset(self) -> None:
        """Start the scene again, with the parameters as they are."""
        self.send(protocol.Reset())

    def load(self, scene: str) -> None:
        """Show another of `state.scenes`."""
        self.send(protocol.Load(scene=scene))

    def undo(self) -> None:
        """Take the last edit, pin or change of a parameter back."""
        self.send(protocol.Undo())

    def redo(self) -> None:
        """Do again what was taken back last."""
        self.send(protocol.Redo())

    def send(self, message: protocol.Message) -> None:
        """Send any message of the protocol that a page may send."""
        try:
            self._socket.send(message.model_dump_json())
        except ConnectionClosed as error:
            raise _ended(error) from None

    def close(self) -> None:
        """Leave; what was held is let go."""
        self._open.close()

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave."""
        self.close()

    # ------------------------------------------------------------------ hearing

    def _hear(self) -> None:
        """Wait for one message and take it in, whatever it is."""
        try:
            self._take(self._socket.recv(timeout=self._seconds))
        except TimeoutError:
            raise SuppleError(f"the studio said nothing for {self._seconds:g} s. Is it paused?") from None
        except ConnectionClosed as error:
            raise _ended(error) from None

    def _hear_within(self, seconds: float) -> None:
        """Take in the next message, if one comes within a time [s]."""
        try:
            self._take(self._socket.recv(timeout=seconds))
        except TimeoutError:
            return
        except ConnectionClosed as error:
            raise _ended(error) from None

    def _hear_what_has_come(self) -> None:
        """Take in what was received while the program was busy, so that the next frame is the newest."""
        with suppress(TimeoutError, ConnectionClosed):  # a closed connection is told by `_hear`
            while True:
                self._take(self._socket.recv(timeout=0.0))

    def _take(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            self._take_numbers(message)
        else:
            self._take_words(_SERVER_MESSAGE.validate_json(message))

    def _take_words(self, message: Any) -> None:
        if isinstance(message, protocol.Problem):
            raise SuppleError(f"the studio refused {message.about or 'something'}: {message.text}")
        if isinstance(message, protocol.Goodbye):
            raise SuppleError(f"the studio has ended: {message.text}")
        if isinstance(message, protocol.State):
            self.state, self._is_told_state = message, True
        elif isinstance(message, protocol.Report):
            self.report = message
        elif isinstance(message, protocol.Parameters):
            self.parameters = {parameter.name: parameter for parameter in message.parameters}
        elif isinstance(message, protocol.Values):
            for name, value in message.values.items():
                if name in self.parameters:
                    self.parameters[name] = self.parameters[name].model_copy(update={"value": value})

    def _take_numbers(self, message: bytes) -> None:
        kind, world = struct.unpack_from("<2I", message)
        if kind == protocol.GEOMETRY:
            self._world = world
            self._newest = None
            self._take_geometry(message)
        elif kind == protocol.FRAME:
            self.send(protocol.Ack(frame=_FRAME_HEAD.unpack_from(message)[2]))
            if world == self._world:
                self._newest = self._frame_of(message)

    def _take_geometry(self, message: bytes) -> None:
        _, _, length, _ = _GEOMETRY_HEAD.unpack_from(message)
        start = _GEOMETRY_HEAD.size
        geometry = protocol.Geometry.model_validate_json(message[start : start + length])
        arrays = start + length + (-(start + length)) % 8

        def array(place: protocol.ArrayPlace, kind: str, width: int) -> NDArray[Any]:
            found = np.frombuffer(message, kind, place.count, arrays + place.offset)
            return found.reshape(-1, width)

        self.bodies = {
            body.name: Body(
                body.name, body.kind, array(body.triangles, "<u4", 3), array(body.edges, "<u4", 2)
            )
            for body in geometry.bodies
        }
        self.solids = {
            solid.name: Solid(solid.name, array(solid.vertices, "<f4", 3), array(solid.triangles, "<u4", 3))
            for solid in geometry.solids
        }
        self._point_counts = [body.points for body in geometry.bodies]

    def _frame_of(self, message: bytes) -> Frame:
        """Return what a binary message of the kind FRAME shows."""
        _, _, number, body_count, moment, solid_count, _ = _FRAME_HEAD.unpack_from(message)
        place = _FRAME_HEAD.size
        boxes = np.frombuffer(message, "<f4", 4 * body_count, place).reshape(-1, 4)
        place += 16 * body_count
        poses = np.frombuffer(message, "<f4", 7 * solid_count, place).reshape(-1, 7)
        place += 28 * solid_count
        place += -place % 8
        positions = {}
        for name, count, box in zip(self.bodies, self._point_counts, boxes, strict=True):
            packed = np.frombuffer(message, "<i2", 4 * count, place).reshape(-1, 4)
            positions[name] = box[:3] + packed[:, :3] * (box[3] / np.float32(32767.0))
            place += 8 * count
        return Frame(number, moment, positions, dict(zip(self.solids, poses, strict=True)))


def _now() -> float:
    return time.monotonic()


def _parts(link: str) -> tuple[str, str]:
    """Return the address of the socket and the token of a link."""
    parts = urlsplit(link)
    token = parse_qs(parts.fragment).get("token", [""])[0]
    if parts.scheme not in ("http", "https") or not parts.netloc or not token:
        raise SuppleError(
            f"{link!r} is no link to a studio. It looks like http://127.0.0.1:8737/#token=..., as `supple play` prints it."
        )
    scheme = "wss" if parts.scheme == "https" else "ws"
    return f"{scheme}://{parts.netloc}/socket", token


def _ended(error: ConnectionClosed) -> SuppleError:
    reason = error.rcvd.reason if error.rcvd is not None else ""
    return SuppleError(f"the studio has closed the connection: {reason or 'it has ended'}.")
