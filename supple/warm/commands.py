"""The command `warm`, for the command line to offer, and the bar that it and `play` show. Imports nothing heavy."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Self, TextIO

import typer

from supple.errors import SuppleError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PREPARING = "Preparing, once"


class WarmingBar:
    """Tells how far kernels are: a bar with the time left on a terminal, one line elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        """Say nothing yet; None is the error stream."""
        self._stream = stream or sys.stderr
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._is_told = False

    def told(self, share: float, seconds: float) -> None:
        """Show the share that is done, 0 to 1, and the time left [s]."""
        if not self._stream.isatty():
            if not self._is_told and share < 1.0:
                self._stream.write(f"{PREPARING}: kernels are compiled, about {seconds:.0f} s\n")
                self._stream.flush()
            self._is_told = True
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}")
            self._bar = Progress(*columns, console=Console(file=self._stream))
            self._bar.start()
            self._task = self._bar.add_task(PREPARING, total=100, left="")
        assert self._task is not None
        left = f"about {seconds:.0f} s" if share < 1.0 else "done"
        self._bar.update(self._task, completed=round(100.0 * share), left=left)
        if share >= 1.0:
            self.close()

    def close(self) -> None:
        """Take the bar down."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        self.close()


def warm(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SCENE]...", help="Gallery names; everything the studio needs."),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes at a time; one for each core if not given.")
    ] = None,
) -> None:
    """Compile now what the studio needs, in parallel, so that nothing has to wait for it later.

    Example: supple warm silk
    """
    from supple.warm.kernel_list import HANDS, TOOLS, kernel_list
    from supple.warm.warming import Warming

    known = kernel_list().sets
    unknown = [name for name in scenes or () if name not in known]
    if unknown:
        from supple.scene.error_messages import listed, suggestion

        names = sorted(set(known) - {HANDS, TOOLS})
        raise SuppleError(
            f"there is no scene {unknown[0]!r} in the gallery. Scenes: {listed(names, most=60)}."
            f"{suggestion(unknown[0], names)}"
        )
    begun = time.monotonic()
    with WarmingBar() as bar:
        warming = Warming([HANDS, TOOLS, *(scenes or known)], bar.told, processes=processes)
        warming.start()
        try:
            warming.wait()
        except KeyboardInterrupt:
            warming.stop()
            typer.echo("stopped; what is compiled so far is kept", err=True)
            raise typer.Exit(130) from None
    if warming.compiled:
        seconds = time.monotonic() - begun
        typer.echo(f"compiled {warming.compiled} kernels in {seconds:.0f} s; the studio starts at once now")
    else:
        typer.echo("everything is compiled already")
