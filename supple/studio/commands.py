"""The commands `play` and `shot`, for the command line to offer. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_SCENE = "scarf"
"""What `supple play` shows when no scene is named."""


def play(
    scene: Annotated[
        str, typer.Argument(metavar="[SCENE]", help="A gallery name or a TOML file.")
    ] = DEFAULT_SCENE,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets headsets in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port, or the next that is free.")] = 8737,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the link only.")] = False,
    certificate: Annotated[
        Path | None, typer.Option(metavar="PEM", help="Serve HTTPS, which headsets on the network demand.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="PEM", help="Private key, if it is not in the certificate's file.")
    ] = None,
    share: Annotated[
        str, typer.Option(metavar="TEXT", help="What stands behind the # of a shared link.")
    ] = "",
    edits: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A script of edits to make again, saved by the studio."),
    ] = None,
) -> None:
    """Open the studio: see a scene move, grab it, change it, in a browser tab or a headset.

    Example: supple play hanging-sheet
    """
    from supple.scene.reader import find_scene

    find_scene(scene)  # says what is wrong with it before a server is started
    from supple.studio.play import play as open_studio

    open_studio(
        scene,
        host=host,
        port=port,
        open_browser=not no_open,
        certificate=certificate,
        key=key,
        share=share,
        edits=edits,
        say=typer.echo,
    )


def shot(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A gallery name or a TOML file.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="PNG file to write.")] = Path("shot.png"),
    at: Annotated[float, typer.Option(metavar="SECONDS", help="Moment of the picture.")] = 2.0,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size in pixels.")] = "1600x1000",
    azimuth: Annotated[float, typer.Option(help="Direction to look from [degrees].")] = 28.0,
    elevation: Annotated[float, typer.Option(help="Height to look from [degrees].")] = 13.0,
    theme: Annotated[str, typer.Option(help="dark or light.")] = "dark",
    quality: Annotated[str, typer.Option(help="high, or low for speed.")] = "high",
) -> None:
    """Draw a scene at a moment with the studio's page, without a screen.

    Example: supple shot hanging-sheet --at 2.0 --out sheet.png
    """
    import math

    from supple.errors import SuppleError

    width, _, height = size.lower().partition("x")
    if not (
        width.isdecimal() and height.isdecimal() and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192
    ):
        raise SuppleError(f'--size is "{size}", but it must be width x height in pixels, such as 1600x1000.')
    for name, value, known in (("theme", theme, ("dark", "light")), ("quality", quality, ("high", "low"))):
        if value not in known:
            raise SuppleError(f'--{name} is "{value}", but it must be {known[0]} or {known[1]}.')
    from supple.studio.shot import shoot

    path = shoot(
        scene,
        out,
        at=at,
        size=(int(width), int(height)),
        azimuth=math.radians(azimuth),
        elevation=math.radians(elevation),
        theme=theme,
        quality=quality,
    )
    typer.echo(f"wrote {path}")
