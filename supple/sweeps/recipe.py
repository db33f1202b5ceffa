"""Recipe: everything that a run depends on but its parameters, and the run itself, a pure function of both."""

from __future__ import annotations

import hashlib
import inspect
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supple.errors import SuppleError
from supple.report import StepReport
from supple.scene.scene import Scene
from supple.simulation import Simulation
from supple.sweeps.fields import changed
from supple.sweeps.keep import Keep, KeptFrames
from supple.sweeps.measures import Measure, taken
from supple.sweeps.run_folder import RunFolder
from supple.sweeps.zarr_group import write_group

SEED = "seed"
"""Parameter that is the seed of the simulation, if `make_scene` does not take it."""


@dataclass(frozen=True)
class Recipe:
    """How a run is made."""

    make_scene: Callable[..., Scene] | Scene
    """A function of the parameters by name, or a scene whose fields they are."""

    measures: Mapping[str, Measure]
    """What is measured in the end."""

    seconds: float | None
    """Simulated time [s]; None is the duration of the scene."""

    settings: Mapping[str, Any]
    """Settings of the simulation that replace those of the scene."""

    keep: Keep | None
    """What is kept of the frames."""

    seed: int
    """Seed of the simulation, unless a parameter says otherwise."""

    def fingerprint(self) -> dict[str, Any]:
        """Return what runs must have in common to belong to one sweep, as plain words and numbers."""
        return {
            "make_scene": _fingerprint(self.make_scene),
            "measures": {name: _fingerprint(measure) for name, measure in self.measures.items()},
            "seconds": self.seconds,
            "settings": {name: repr(value) for name, value in self.settings.items()},
            "keep": repr(self.keep),
            "seed": self.seed,
        }

    def scene(self, parameters: Mapping[str, Any]) -> tuple[Scene, int]:
        """Return the scene of a run, and its seed."""
        values = dict(parameters)
        seed = self.seed
        if SEED in values and not (callable(self.make_scene) and SEED in _names(self.make_scene)):
            seed = int(values.pop(SEED))
        if isinstance(self.make_scene, Scene):
            return changed(self.make_scene, values), seed
        scene = self.make_scene(**values)
        if not isinstance(scene, Scene):
            raise SuppleError(f"`make_scene` returned {scene!r}, but it must return a Scene.")
        return scene, seed

    def run(self, folder: RunFolder, key: str, parameters: Mapping[str, Any]) -> bool:
        """Make a run and write what it leaves behind; return whether it ended well."""
        begun = time.perf_counter()
        try:
            measures = self._measured(folder, key, parameters)
        except Exception as error:
            self.note_failure(
                folder, key, parameters, f"{type(error).__name__}: {error}", traceback.format_exc()
            )
            return False
        elapsed = time.perf_counter() - begun
        row = {"key": key, "parameters": dict(parameters), "measures": measures, "elapsed": elapsed}
        folder.write(folder.rows / f"{key}.json", row)
        return True

    def note_failure(
        self, folder: RunFolder, key: str, parameters: Mapping[str, Any], error: str, trace: str = ""
    ) -> None:
        """Keep a run that failed, with its error and a script that makes it again."""
        folder.write(folder.failures / f"{key}.py", self.script(parameters, error))
        failure = {"key": key, "parameters": dict(parameters), "error": error, "traceback": trace}
        folder.write(folder.failures / f"{key}.json", failure)

    def _measured(self, folder: RunFolder, key: str, parameters: Mapping[str, Any]) -> dict[str, float]:
        scene, seed = self.scene(parameters)
        # Runs share the machine already, each on a core of its own.
        simulation = Simulation(scene, **{"seed": seed, "threads": 1, **self.settings})
        kept = None if self.keep is None else KeptFrames(self.keep, simulation)
        reports: list[StepReport] = []
        for report in simulation.run(scene.duration if self.seconds is None else self.seconds):
            if not report.is_finite:
                raise SuppleError(f"frame {report.frame} did not stay finite.")
            reports.append(report)
            if kept is not None:
                kept.add(report)
        measures = taken(self.measures, simulation, reports)
        if kept is not None:
            about = {"parameters": dict(parameters), "seed": seed, "measures": measures}
            write_group(folder.frames / f"{key}.zarr", kept.arrays(), about)
        return measures

    def script(self, parameters: Mapping[str, Any], error: str) -> str:
        """Return a Python script that makes the run of these parameters again."""
        if isinstance(self.make_scene, Scene):
            made = "scene = supple.vary.changed(supple.find_scene(...), parameters)  # name the scene of the sweep"
        else:
            module = getattr(self.make_scene, "__module__", "__main__")
            name = getattr(self.make_scene, "__qualname__", "make_scene")
            file = Path(
                getattr(inspect.getmodule(self.make_scene), "__file__", None) or "your_script.py"
            ).stem
            source = file if module == "__main__" else module
            made = f"from {source} import {name.partition('.')[0]}\n\nscene = {name}(**parameters)"
        first = " ".join(error.splitlines())
        return (
            f'"""A run that failed: {first.replace(chr(34), chr(39))}"""\n\nimport supple\n\n'
            f"parameters = {dict(parameters)!r}\n{made}\n"
            f"simulation = supple.Simulation(scene, **{ {'seed': self.seed, **self.settings}!r})\n"
            f"for report in simulation.run(seconds={self.seconds!r} or scene.duration):\n    print(report)\n"
        )


def _names(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def _fingerprint(value: Any) -> str:
    """Return a hash of a scene, or of the source of a function."""
    if isinstance(value, Scene):
        words = repr(value)
    else:
        try:
            words = inspect.getsource(value)
        except (OSError, TypeError):
            words = getattr(value, "__qualname__", repr(type(value)))
    return hashlib.sha256(words.encode()).hexdigest()[:20]
