"""The commands about sweeps, for the command line to offer. Imports nothing heavy."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.errors import SuppleError

if TYPE_CHECKING:
    from supple.sweeps.distributions import Distribution
    from supple.sweeps.sweep import SweepProgress

LINES = 10
"""Lines that a sweep leaves behind where there is no terminal."""


def values_of(text: str) -> tuple[str, list[Any]]:
    """Return a field and its values, written as `PATH=0:1:5`, `PATH=100:10000:log20` or `PATH=a,b,c`."""
    path, _, words = text.partition("=")
    if not path or not words:
        raise SuppleError(
            f'--vary is "{text}", but it must be a field and its values: cloth.sheet.material.damping=0:0.1:5.'
        )
    parts = words.split(":")
    if len(parts) == 1:
        return path, [_value(word) for word in words.split(",")]
    try:
        low, high = float(parts[0]), float(parts[1])
        is_log = len(parts) == 3 and parts[2].startswith("log")
        count = int(parts[2].removeprefix("log")) if len(parts) == 3 else 0
    except ValueError:
        count, is_log, low, high = 0, False, 0.0, 0.0
    if count < 1 or not (math.isfinite(low) and math.isfinite(high)) or (is_log and not 0.0 < low < high):
        raise SuppleError(
            f'--vary is "{text}", but a range is LOW:HIGH:COUNT or, above 0, LOW:HIGH:logCOUNT, such as 100:10000:log20.'
        )
    shares = [n / (count - 1) if count > 1 else 0.0 for n in range(count)]
    if is_log:
        return path, [low * (high / low) ** share for share in shares]
    return path, [low + share * (high - low) for share in shares]


def distribution_of(text: str) -> tuple[str, Distribution]:
    """Return a field and a distribution over its values, from the words of `values_of`; counts are left out."""
    from supple.sweeps.distributions import choice, log_uniform, uniform

    path, _, words = text.partition("=")
    parts = words.split(":")
    if len(parts) == 1:
        return path, choice(*values_of(text)[1])
    try:
        low, high = float(parts[0]), float(parts[1])
    except ValueError:
        raise SuppleError(
            f'--vary is "{text}", but with --samples a range is LOW:HIGH or LOW:HIGH:log.'
        ) from None
    return path, (log_uniform if len(parts) > 2 and parts[2].startswith("log") else uniform)(low, high)


def _value(word: str) -> Any:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(word, word)


class SweepBar:
    """Tells how far a sweep is: a bar with the time left on a terminal, a few lines elsewhere."""

    def __init__(self, title: str) -> None:
        """Say nothing yet."""
        self._title, self._lines = title, 0
        self._bar: Any = None
        self._task: Any = None

    def __call__(self, progress: SweepProgress) -> None:
        """Show how far it is."""
        failed = f", {progress.failed} failed" if progress.failed else ""
        if sys.stderr.isatty():
            if self._bar is None:
                from rich.console import Console
                from rich.progress import (
                    BarColumn,
                    MofNCompleteColumn,
                    Progress,
                    TextColumn,
                    TimeRemainingColumn,
                )

                columns = (
                    TextColumn("{task.description}"),
                    BarColumn(),
                    MofNCompleteColumn(),
                    TimeRemainingColumn(),
                )
                self._bar = Progress(*columns, console=Console(stderr=True))
                self._bar.start()
                self._task = self._bar.add_task(self._title, total=progress.total)
            self._bar.update(self._task, completed=progress.done, description=f"{self._title}{failed}")
        elif progress.done * LINES // progress.total > self._lines:
            self._lines = progress.done * LINES // progress.total
            typer.echo(f"{self._title}: run {progress.done} of {progress.total}{failed}", err=True)

    def close(self) -> None:
        """Take the bar down."""
        if self._bar is not None:
            self._bar.stop()


def sweep(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A gallery name or a TOML file.")],
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="FIELD=VALUES",
            help="LOW:HIGH:COUNT, LOW:HIGH:logCOUNT or A,B,C; may be given several times.",
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the runs are kept; goes on with what is there.")
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="max_stretch, lowest, ...; may be given several times."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Simulated seconds; the scene's own duration if not given.")
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(min=1, help="Draw this many sets of values instead of running every combination."),
    ] = None,
    method: Annotated[str, typer.Option(help="How samples are drawn: latin, sobol or random.")] = "latin",
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; all cores if not given.")] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Dask scheduler to use, such as tcp://10.0.0.1:8786."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the positions of every frame as well.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Make runs that failed before again.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the runs of another sweep.")] = False,
) -> None:
    """Run a scene many times with other values in its fields, and keep what is measured.

    Example: supple sweep flag --vary flag.material.stretch_stiffness=100:10000:log20 --measure max_stretch --out runs/
    """
    from supple.sweeps.samples import samples as drawn
    from supple.sweeps.sweep import sweep as run

    if samples is None:
        parameters: Any = dict(values_of(text) for text in vary)
    else:
        parameters = drawn(dict(distribution_of(text) for text in vary), samples, method=method, seed=seed)
    bar = SweepBar(scene)
    try:
        result = run(
            scene,
            parameters,
            measure=measure or ["max_stretch"],
            out=out,
            seconds=seconds,
            cluster=cluster or workers,
            seed=seed,
            keep=keep or None,
            retry=retry,
            replace=force,
            progress=bar,
        )
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on with the runs that are missing", err=True)
        raise typer.Exit(130) from None
    finally:
        bar.close()
    for failure in result.failures[:3]:
        typer.echo(
            f"run {failure.number} failed: {failure.error.splitlines()[0]} ({failure.script})", err=True
        )
    failed = f", {len(result.failures)} failed" if result.failures else ""
    typer.echo(f"{len(result)} runs in {out}{failed}; wrote {out / 'sweep.parquet'}")


def plot(
    recording: Annotated[
        Path,
        typer.Argument(
            metavar="RECORDING",
            help="A recording, a table of reports (.csv, .parquet), or the folder of a sweep.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Figure to write: .png, .pdf or .svg; beside it if not given."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the figure if it exists.")] = False,
) -> None:
    """Draw energy, momentum, stretch and cost of a run over time, or what the runs of a sweep have measured.

    Example: supple plot drape.npz --out drape.pdf
    """
    from supple.record.pictures.plot import plot as draw_run
    from supple.sweeps.plot import is_sweep, plot_sweep

    draw = plot_sweep if is_sweep(recording) else draw_run
    typer.echo(f"wrote {draw(recording, out, replace=force)}")
