"""A peer in a child process: the parent's end of a conversation of one JSON line each way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Self


class PeerProcess:
    """A module that runs as a child and answers every JSON line; close it, or use it in a `with` block."""

    def __init__(
        self, module: str, *words: str, errors: int | IO[Any] | None = None, **environment: str
    ) -> None:
        """Start the child and wait until it is ready.

        Args:
            module: what to run, from this checkout
            words: its arguments
            errors: where its error stream goes; None is that of this process
            environment: variables it sees beside those of this process
        """
        self._child = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            cwd=Path(__file__).resolve().parents[1],
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        self._answer()

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return the answer to it."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(request) + "\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            raise self._ended()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _ended(self) -> RuntimeError:
        return RuntimeError(f"the peer's process ended early with code {self._child.wait()}")

    def close(self) -> None:
        """End the child."""
        try:
            self._child.communicate(timeout=5.0)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.communicate()

    def __enter__(self) -> Self:
        """Return the running peer."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the child."""
        self.close()
