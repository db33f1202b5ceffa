"""A force feedback device on a running studio: the tool follows the device, and the device feels what the tool touches.

    from supple.haptics import SimulatedDevice
    from supple.studio.haptic_client import HapticClient

    with HapticClient(link, device, tool="probe") as client:      # the link that `supple play` prints
        client.run(seconds=10.0)

The force loop runs here, in the process of the device, at 1 kHz (`supple.haptics.force_loop`). The studio says once per
frame what the place is like that the tool touches (`touch`), and is told a hundred times a second where the device is.
"""

from __future__ import annotations

import struct
import threading
import time
from typing import Any

from supple.errors import SuppleError
from supple.haptics.device import Device
from supple.haptics.force_loop import ForceLoop
from supple.haptics.local_model import LocalModel
from supple.studio.client import StudioClient
from supple.studio.connection import protocol

MOVE_SECONDS = 0.01
"""Time between two words on where the device is [s]."""


class HapticClient(StudioClient):
    """A device and the tool that it leads, connected to a studio; use it in a `with` block, or close it."""

    def __init__(
        self,
        link: str,
        device: Device,
        tool: str,
        *,
        vertex: int = -1,
        hand: int = 0,
        loop: ForceLoop | None = None,
        seconds: float = 60.0,
    ) -> None:
        """Connect, and take hold of a tool.

        Args:
            link: as printed by `supple play`, or `Studio.link`
            device: what is read and driven; it says where it is in the world [m]
            tool: an obstacle that the device leads, or with `vertex` a body that it holds by a point
            vertex: point of the body that is held; -1 leads an obstacle
            hand: which hand of this client it is
            loop: answers the device; None is one with the usual settings
            seconds: how long to wait for any answer of the studio [s]

        Raises:
            SuppleError: nobody answers, the link is wrong, or there is no such tool
        """
        self.loop = loop if loop is not None else ForceLoop()
        """What answers the device."""

        self.touch: protocol.Touch | None = None
        """What the studio told last about the touched place."""

        self.answer_seconds: list[float] = []
        """How long each answer to the device took in the last `run` [s]."""

        self._hand, self._device, self._is_looking = hand, device, True
        super().__init__(link, seconds=seconds)
        try:
            known: Any = self.solids if vertex < 0 else self.bodies
            if tool not in known:
                raise SuppleError(
                    f"there is no {'obstacle' if vertex < 0 else 'body'} called {tool!r}. "
                    f"There are: {', '.join(known) or 'none'}."
                )
            self.send(protocol.Feel(hand=hand, value=True))
            self.grab(tool, vertex, self._place_of(tool, vertex), hand=hand)
            self._is_looking = False
        except BaseException:
            self.close()
            raise

    def run(self, seconds: float) -> None:
        """Let the device lead the tool and feel what it touches, for so long by the clock of the machine [s].

        Raises:
            SuppleError: the studio has stopped or refused something, or the device failed
        """
        end = time.perf_counter() + seconds
        is_over = threading.Event()
        failure: list[BaseException] = []

        def answer() -> None:
            try:
                self.answer_seconds = self.loop.run(self._device, is_over.is_set)
            except BaseException as error:
                failure.append(error)

        thread = threading.Thread(target=answer, name="supple-force-loop", daemon=True)
        thread.start()
        try:
            told = 0.0
            while (now := time.perf_counter()) < end and not failure:
                if now - told >= MOVE_SECONDS and self.loop.place is not None:
                    told = now
                    self.move(self.loop.place, hand=self._hand)
                self._hear_for(MOVE_SECONDS)
        finally:
            is_over.set()
            thread.join()
        if failure:
            raise failure[0]

    def _place_of(self, tool: str, vertex: int) -> tuple[float, float, float]:
        """Return where the tool is, which is where the device takes it [m]."""
        frame = self.frame()
        place = frame.poses[tool][:3] if vertex < 0 else frame.positions[tool][vertex]
        x, y, z = map(float, place)
        return x, y, z

    def _hear_for(self, seconds: float) -> None:
        """Take in what comes within a time [s]."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0.0:
            self._hear_within(left)

    def _take_words(self, message: Any) -> None:
        if isinstance(message, protocol.Touch) and message.hand == self._hand:
            self.touch = message
            is_near = message.stiffness > 0.0
            model = LocalModel(message.point, message.normal, message.stiffness, message.time)
            self.loop.update(model if is_near else None)
        else:
            super()._take_words(message)

    def _take_numbers(self, message: bytes) -> None:
        # Frames are for eyes: once the tool is held they are not acknowledged, so that soon none comes.
        if self._is_looking or struct.unpack_from("<I", message)[0] == protocol.GEOMETRY:
            super()._take_numbers(message)
