"""Questions of the pages that take long, answered beside the frames in a thread of their own."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from supple.studio.connection import protocol
from supple.studio.connection.player_output import PlayerOutput

_LOG = logging.getLogger(__name__)

LONGEST_REST = 1.0
"""Most time between two answers [s]."""

Question = tuple[int, str]
"""Client that asks, and name of the action."""


class Questions:
    """Questions that wait, oldest first, and the thread that answers them; it starts with the first one.

    A client waits for one answer of a kind at a time: whoever asks again meanwhile gets that one. After each answer the
    thread rests as long as it has worked, so that half a core is left to the frames, whatever is asked.
    """

    def __init__(self, output: PlayerOutput) -> None:
        """Start with nothing asked; answers go to `output`."""
        self._output = output
        self._waiting: OrderedDict[Question, Callable[[], protocol.Answer]] = OrderedDict()
        self._changed = threading.Condition()
        self._is_stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def is_waiting(self, client: int, name: str) -> bool:
        """Tell whether a client waits for this answer already."""
        with self._changed:
            return (client, name) in self._waiting

    def ask(self, client: int, name: str, answer: Callable[[], protocol.Answer]) -> None:
        """Have a question answered; `answer` must share nothing with what moves on."""
        with self._changed:
            self._waiting.setdefault((client, name), answer)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="supple-questions", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stop(self) -> None:
        """Answer nothing more."""
        self._is_stopping.set()
        with self._changed:
            self._waiting.clear()
            self._changed.notify()

    def _work(self) -> None:
        while not self._is_stopping.is_set():
            with self._changed:
                if not self._waiting:
                    self._changed.wait()
                    continue
                (client, name), answer = next(iter(self._waiting.items()))
            begin = time.perf_counter()
            word: protocol.Message
            try:
                word = answer()
            except Exception as error:
                _LOG.exception("a question failed: %s", name)
                word = protocol.Problem(about="act", text=f"{name} went wrong inside the server: {error!r}")
            with self._changed:
                self._waiting.pop((client, name), None)
            self._output.tell(word, client)
            self._is_stopping.wait(min(time.perf_counter() - begin, LONGEST_REST))
