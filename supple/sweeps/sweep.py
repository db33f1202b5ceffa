"""`supple.sweep`: many runs of a scene with other parameters, and what came of them."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.arguments import as_number
from supple.errors import SuppleError
from supple.scene.files.toml_reader import find_scene
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.sweeps.executors import Task, compute
from supple.sweeps.keep import Keep
from supple.sweeps.measures import as_measures
from supple.sweeps.recipe import SEED, Recipe
from supple.sweeps.run_folder import RunFolder, key_of, plain
from supple.sweeps.samples import grid
from supple.sweeps.zarr_group import read_group

TABLE = "sweep.parquet"


@dataclass(frozen=True)
class Failure:
    """A run that failed."""

    number: int
    """Its place in the order asked."""

    parameters: dict[str, Any]
    """Its parameters by name."""

    error: str
    """What went wrong."""

    traceback: str
    """Where it did."""

    script: Path
    """A script that makes it fail again."""


@dataclass(frozen=True)
class SweepProgress:
    """How far a sweep is."""

    done: int
    """Runs that have ended, those of an earlier attempt included."""

    failed: int
    """How many of them failed."""

    total: int
    """Runs that were asked for."""


class Sweep:
    """The runs of a sweep, read from their folder, in the order asked."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Read a folder that `supple.sweep` wrote; runs that are still missing are left out of `measures` as NaN."""
        self.folder = Path(folder)
        """Where everything is kept."""

        self._files = RunFolder(folder)
        about = self._files.about()
        if about is None:
            raise SuppleError(f"{self.folder} is no folder of a sweep: it has no about.json.")
        self.parameters: list[dict[str, Any]] = about["parameters"]
        """The parameters of every run, by name."""

        self.keys: list[str] = about["keys"]
        """The name of every run."""

        rows = [self._files.row(key) for key in self.keys]
        columns = dict.fromkeys(name for row in rows if row is not None for name in row["measures"])
        columns = columns or dict.fromkeys(about["recipe"]["measures"])
        self.measures: dict[str, NDArray[np.float64]] = {
            name: np.array([np.nan if row is None else row["measures"].get(name, np.nan) for row in rows])
            for name in columns
        }
        """What was measured, by name: a number for every run, NaN where it failed."""

        self.elapsed: NDArray[np.float64] = np.array(
            [np.nan if row is None else row["elapsed"] for row in rows]
        )
        """Time every run took [s]."""

        self.failures: list[Failure] = []
        """The runs that failed."""

        for number, key in enumerate(self.keys):
            if rows[number] is None and (told := self._files.failure(key)) is not None:
                script = self._files.failures / f"{key}.py"
                self.failures.append(
                    Failure(number, told["parameters"], told["error"], told["traceback"], script)
                )

    def __len__(self) -> int:
        """Return how many runs were asked for."""
        return len(self.keys)

    def __repr__(self) -> str:
        """Return the sweep in a line."""
        return f"Sweep({len(self)} runs of {self.folder}, {len(self.failures)} failed)"

    def frames(self, number: int) -> dict[str, NDArray[Any]]:
        """Return what was kept of the frames of a run, by name, mapped into memory; see `keep` of `supple.sweep`."""
        path = self._files.frames / f"{self.keys[number]}.zarr"
        if not path.exists():
            raise SuppleError(f"nothing was kept of the frames of run {number}. Sweep with `keep=True`.")
        return read_group(path)

    def __iter__(self) -> Iterator[tuple[dict[str, Any], dict[str, float]]]:
        """Yield parameters and measures of every run."""
        for number, parameters in enumerate(self.parameters):
            yield parameters, {name: float(values[number]) for name, values in self.measures.items()}

    def write_table(self) -> Path:
        """Write `sweep.parquet`, one row for each run, and return its path."""
        import pyarrow
        import pyarrow.parquet

        names = dict.fromkeys(name for parameters in self.parameters for name in parameters)
        failed = {failure.number: failure.error for failure in self.failures}
        columns: dict[str, Any] = {"key": self.keys}
        columns |= {name: _column([parameters.get(name) for parameters in self.parameters]) for name in names}
        columns |= {
            name if name not in columns else f"measure_{name}": v for name, v in self.measures.items()
        }
        columns["error"] = pyarrow.array([failed.get(n) for n in range(len(self))], pyarrow.string())
        columns["elapsed"] = self.elapsed
        path = self.folder / TABLE
        part = path.with_name(f"{path.name}.part")
        pyarrow.parquet.write_table(pyarrow.table(columns), part)
        part.replace(path)
        return path


def _column(values: list[Any]) -> list[Any]:
    """Return values of one type: words if they are of several."""
    kinds = {
        bool if isinstance(v, bool) else float if isinstance(v, int | float) else type(v) for v in values
    }
    return values if len(kinds - {type(None)}) <= 1 else [None if v is None else str(v) for v in values]


def sweep(
    make_scene: Callable[..., Scene] | Scene | str,
    parameters: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]],
    *,
    measure: Any,
    out: str | os.PathLike[str],
    seconds: float | None = None,
    cluster: Any = None,
    seed: int = 0,
    keep: Any = None,
    replace: bool = False,
    retry: bool = False,
    progress: Callable[[SweepProgress], None] | None = None,
    **settings: Any,
) -> Sweep:
    """Make many runs of a scene with other parameters, and keep what was measured in a folder.

    A run is a pure function of its parameters and its seed, and computed on one thread. Killed and called again, a sweep
    goes on with the runs that are missing, and ends as if nothing had happened. A run that fails is kept with its error
    and a script that makes it fail again; the others go on.

    Args:
        make_scene: a function that takes the parameters by name and returns a `Scene`; or a scene, or the name or file of
            one, whose fields the parameters are: `"cloth.sheet.material.stretch_stiffness"`
        parameters: lists of values by name, of which every combination is run, or a list with the values of each run, as
            `supple.vary.samples` returns. A parameter `seed` that `make_scene` does not take is the seed of the run
        measure: what to keep of each run: the name of a measure ("max_stretch", "lowest", ...), a function of the
            simulation (and of the list of reports, if it takes two), or a mapping or list of them
        out: folder for the runs
        seconds: simulated time of each run [s]; None is the duration of its scene
        cluster: None for as many processes as there are cores, a number of processes, "serial" or 1 for this one alone, the
            address of a Dask scheduler ("tcp://..."), a Dask client or cluster, or any `concurrent.futures.Executor`.
            Workers must see the folder `out` by the same path
        seed: of all runs
        keep: what of its frames each run leaves behind: True for the positions, or a mapping with `every` (frames from one
            to the next), `positions`, `velocities` and `images` (width and height of images of the scene's cameras)
        replace: whether runs of another sweep in the folder may be replaced
        retry: whether runs that failed before are made again
        progress: called whenever a run has ended
        settings: fields of `Settings` for all runs, such as `integrator="xpbd"`

    Returns:
        The sweep, with `.parameters`, `.measures` and `.failures`.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise SuppleError(
            'a sweep needs pyarrow, which is not installed. Install it with\n  pip install "supple[sweep]"'
        )
    Settings().changed(**settings, seed=seed)  # refuses what makes no sense before anything is run
    recipe = Recipe(
        make_scene=find_scene(make_scene) if isinstance(make_scene, str) else make_scene,
        measures=as_measures(measure),
        seconds=None if seconds is None else as_number("seconds", seconds, at_least=0.0),
        settings=settings,
        keep=Keep.of(keep),
        seed=seed,
    )
    asked = _asked(parameters)
    keys = [key_of(values, values.get(SEED, seed)) for values in asked]
    if len(set(keys)) < len(keys):
        twice = next(n for n, key in enumerate(keys) if key in keys[:n])
        raise SuppleError(f"run {twice} has the same parameters as an earlier one: {asked[twice]!r}.")
    folder = RunFolder(out)
    folder.prepare({"recipe": recipe.fingerprint(), "keys": keys, "parameters": asked}, replace=replace)
    if retry:
        folder.forget_failures()
    ended = folder.done()
    tasks: list[Task] = [task for task in zip(keys, asked, strict=True) if task[0] not in ended]
    counts = {"done": len(keys) - len(tasks), "failed": sum(folder.failure(key) is not None for key in keys)}

    def told(key: str, is_well: bool) -> None:
        counts["done"] += 1
        counts["failed"] += not is_well
        if progress is not None:
            progress(SweepProgress(counts["done"], counts["failed"], len(keys)))

    compute(recipe, folder, tasks, cluster, told)
    result = Sweep(out)
    result.write_table()
    return result


def _asked(parameters: Any) -> list[dict[str, Any]]:
    """Return the parameters of every run, as plain values."""
    if isinstance(parameters, Mapping):
        rows = grid(parameters)
    elif isinstance(parameters, Sequence) and all(isinstance(row, Mapping) for row in parameters):
        rows = [dict(row) for row in parameters]
    else:
        raise SuppleError(
            "`parameters` must be lists of values by name, or a list with the values of each run by name."
        )
    if not rows:
        raise SuppleError("`parameters` asks for no run at all.")
    return [{str(name): plain(str(name), value) for name, value in row.items()} for row in rows]
