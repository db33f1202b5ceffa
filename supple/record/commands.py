"""The commands about recordings, for the command line to offer. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from supple.errors import SuppleError

SizeOption = Annotated[str, typer.Option(metavar="WxH", help="Size of each picture in pixels.")]


def picture_size(text: str) -> tuple[int, int]:
    """Return width and height written as 960x600."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise SuppleError(f'--size is "{text}", but it must be width x height in pixels, such as 960x600.')
    return int(width), int(height)


def convert(
    source: Annotated[Path, typer.Argument(metavar="A", help="Recording to read.")],
    target: Annotated[Path, typer.Argument(metavar="B", help="File to write, the format by its ending.")],
    up: Annotated[str, typer.Option(metavar="y|z", help="Axis that points up in B.")] = "y",
    unit: Annotated[str, typer.Option(help="Unit of B: m, cm, mm, ...")] = "m",
    from_up: Annotated[
        str | None, typer.Option(metavar="y|z", help="Axis up in A, if A does not tell.")
    ] = None,
    from_unit: Annotated[str | None, typer.Option(help="Unit of A, if A does not tell.")] = None,
    every: Annotated[int, typer.Option(min=1, help="Take every n-th frame only.")] = 1,
    tolerance: Annotated[float, typer.Option(help=r"Largest error of a .glb \[m].")] = 0.0005,
    size: SizeOption = "960x600",
    quality: Annotated[str, typer.Option(help="Of films: high, or low for speed.")] = "high",
    theme: Annotated[str, typer.Option(help="Of films: dark or light.")] = "dark",
    film_rate: Annotated[float | None, typer.Option(help="Pictures a second in films [1/s].")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace B if it exists.")] = False,
) -> None:
    """Write a recording in another format, with other axes or units.

    Example: supple convert drape.npz drape.usd --up z --unit cm
    """
    from supple.progress import RunProgress
    from supple.record.readers.convert import convert as convert_file

    with RunProgress(source.stem, 0) as progress, progress.compiling():
        files = convert_file(
            source,
            target,
            up=up,
            unit=unit,
            from_up=from_up,
            from_unit=from_unit,
            every=every,
            replace=force,
            tolerance=tolerance,
            size=picture_size(size),
            quality=quality,
            theme=theme,
            film_rate=film_rate,
            finished=progress.file_finished,
        )
    more = f" to {files[-1].name}, {len(files)} files" if len(files) > 1 else ""
    typer.echo(f"wrote {files[0]}{more}")
