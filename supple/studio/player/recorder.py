"""Recorder: the button that starts and ends a tape, and what the pages hear of it."""

from __future__ import annotations

from pathlib import Path

from supple.errors import SuppleError
from supple.report import StepReport
from supple.simulation import Simulation
from supple.studio.connection import protocol
from supple.studio.connection.audience import Audience
from supple.studio.player.tape import Tape


class Recorder:
    """Keeps at most one tape running. Trouble with the disk ends the tape, never the simulation."""

    def __init__(self, audience: Audience, folder: Path) -> None:
        """Take no tape yet.

        Args:
            audience: who is told of finished tapes and of trouble
            folder: where tapes go
        """
        self._audience = audience
        self._folder = folder
        self._tape: Tape | None = None

    @property
    def is_running(self) -> bool:
        """Whether frames are being taken down."""
        return self._tape is not None

    def start(self, simulation: Simulation, name: str) -> None:
        """Start a tape whose name begins with `name`, and take down the present frame; one that runs goes on."""
        if self._tape is None:
            self._tape = Tape(simulation, self._folder, name)
            self.add(None)

    def add(self, report: StepReport | None) -> bool:
        """Take down the present frame, if a tape runs; return whether that has ended the tape."""
        if self._tape is None:
            return False
        try:
            self._tape.add(report)
        except SuppleError as trouble:
            self._complain(str(trouble))
            self.end()
            return True
        if self._tape.is_full:
            self.end()
            return True
        return False

    def end(self) -> None:
        """End the tape and offer what it holds, if one runs."""
        if self._tape is None:
            return
        tape, self._tape = self._tape, None
        try:
            path = tape.close()
            size = path.stat().st_size
        except (SuppleError, OSError) as trouble:
            self._complain(str(trouble))
            return
        word = protocol.Recorded(name=path.name, frames=tape.frame_count, size=size, also=tape.also())
        self._audience.tell(word)

    def _complain(self, text: str) -> None:
        self._audience.tell(protocol.Problem(about="record", text=f"the recording ended: {text}"))
