"""Starts and ends a recording of the running scene, and tells the pages of it."""

from __future__ import annotations

from pathlib import Path

from supple.errors import SuppleError
from supple.report import StepReport
from supple.simulation import Simulation
from supple.studio.connection import protocol
from supple.studio.connection.player_output import PlayerOutput
from supple.studio.player.session_recording import SessionRecording


class Recorder:
    """Keeps at most one recording running. Trouble with the disk ends the recording, never the simulation."""

    def __init__(self, output: PlayerOutput, folder: Path) -> None:
        """Take no recording yet.

        Args:
            output: who is told of finished recordings and of trouble
            folder: where recordings go
        """
        self._output = output
        self._folder = folder
        self._recording: SessionRecording | None = None

    @property
    def is_running(self) -> bool:
        """Whether frames are being taken down."""
        return self._recording is not None

    def start(self, simulation: Simulation, name: str) -> None:
        """Start a recording whose name begins with `name`, and take down the present frame; one that runs goes on."""
        if self._recording is None:
            self._recording = SessionRecording(simulation, self._folder, name)
            self.add(None)

    def add(self, report: StepReport | None) -> bool:
        """Take down the present frame, if a recording runs; return whether that has ended the recording."""
        if self._recording is None:
            return False
        try:
            self._recording.add(report)
        except SuppleError as trouble:
            self._complain(str(trouble))
            self.end()
            return True
        if self._recording.is_full:
            self.end()
            return True
        return False

    def end(self) -> None:
        """End the recording and offer what it holds, if one runs."""
        if self._recording is None:
            return
        recording, self._recording = self._recording, None
        try:
            path = recording.close()
            size = path.stat().st_size
        except (SuppleError, OSError) as trouble:
            self._complain(str(trouble))
            return
        message = protocol.Recorded(
            name=path.name, frames=recording.frame_count, size=size, also=recording.also()
        )
        self._output.tell(message)

    def _complain(self, text: str) -> None:
        self._output.tell(protocol.Problem(about="record", text=f"the recording ended: {text}"))
