"""Checkpoints: saved states from which an interrupted run goes on, bit for bit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from supple.errors import StateError, SuppleError
from supple.scene.scene import Scene
from supple.simulation import Simulation


class Checkpoints:
    """Saves the state of a run now and then, beside its first file.

    A state is saved when all frames up to it are on disk, so files are never behind it: on `--resume` they are cut
    back to it, and what follows is computed again.
    """

    def __init__(self, outputs: Sequence[Path], seconds: float) -> None:
        """Do nothing yet.

        Args:
            outputs: files of the run
            seconds: real time between two checkpoints [s]; 0 is one after every frame
        """
        self.path = outputs[0].with_name(outputs[0].name + ".checkpoint")
        self._seconds = seconds
        self._last = time.monotonic()
        self._is_possible = True

    def frame_done(self, simulation: Simulation, *, is_last: bool = False) -> None:
        """Save the state if it is time to, or if the run ends here too early."""
        if self._is_possible and (is_last or time.monotonic() - self._last >= self._seconds):
            self._save(simulation)

    def _save(self, simulation: Simulation) -> None:
        try:
            simulation.save(self.path)
        except StateError:
            # Python functions that move obstacles cannot be saved, and a full disk is told by the files
            # themselves: a checkpoint missed is no reason to stop.
            self._is_possible = False
        self._last = time.monotonic()

    def remove(self) -> None:
        """Take the checkpoint away, when the run is complete."""
        self.path.unlink(missing_ok=True)

    def resume(self, scene: Scene, settings: dict[str, Any]) -> Simulation | None:
        """Return the simulation of the last checkpoint, or None if there is none: the run then starts anew.

        Args:
            scene: what the run is to show
            settings: what replaces those of the scene

        Raises:
            SuppleError: if it is the checkpoint of another scene, or of other settings
        """
        if not self.path.exists():
            return None
        simulation = Simulation.load(self.path)
        if simulation.scene != scene or simulation.settings != scene.settings.changed(**settings):
            raise SuppleError(
                f"{self.path} belongs to another scene or other settings, or they were changed since. "
                "Start over with --force."
            )
        return simulation
