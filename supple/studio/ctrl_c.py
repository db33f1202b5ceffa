"""Ctrl-C and SIGTERM as a wish to stop, not as an exception, or an end, wherever the program happens to be."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class CtrlC:
    """While entered, the first Ctrl-C, or the signal to terminate, is only noted; the second acts as usual.

    An exception in the middle of an import or of a callback may be lost, or may be remembered by the interpreter as
    unhandled although it was handled. A note cannot.
    """

    def __init__(self) -> None:
        """Nothing is pressed yet."""
        self.is_pressed = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        """Listen, if this thread may: signals belong to the main one."""
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._note) for number in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave both as they were."""
        self._give_back()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.is_pressed = True
        self._give_back()

    def _give_back(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}
