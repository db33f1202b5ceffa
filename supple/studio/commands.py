"""The commands `play`, `shot`, `film` and `replay`, for the command line to offer. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from supple.errors import SuppleError
from supple.record.commands import SizeOption, picture_size
from supple.thread_count import ThreadsOption

DEFAULT_SCENE = "silk"
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
    threads: ThreadsOption = None,
) -> None:
    """Open the studio: see a scene move, grab it, change it, in a browser tab or a headset.

    Example: supple play hanging-sheet
    """
    from supple.scene.files.toml_reader import find_scene

    find_scene(scene)  # says what is wrong with it before a server is started
    from supple.studio.play import play as open_studio
    from supple.warm.commands import WarmingBar

    with WarmingBar() as bar:
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
            is_warmed=True,
            warmed=bar.told,
        )


def shot(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A gallery name or a TOML file.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="PNG file to write.")] = Path("shot.png"),
    at: Annotated[float, typer.Option(metavar="SECONDS", help="Moment of the picture.")] = 2.0,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size in pixels.")] = "1600x1000",
    azimuth: Annotated[
        float | None, typer.Option(help=r"Direction to look from \[degrees]; the scene's own if not given.")
    ] = None,
    elevation: Annotated[
        float | None, typer.Option(help=r"Height to look from \[degrees]; the scene's own if not given.")
    ] = None,
    theme: Annotated[str, typer.Option(help="dark or light.")] = "dark",
    quality: Annotated[str, typer.Option(help="high, or low for speed.")] = "high",
    threads: ThreadsOption = None,
) -> None:
    """Draw a scene at a moment with the studio's page, without a screen.

    Example: supple shot hanging-sheet --at 2.0 --out sheet.png
    """
    import math

    width, _, height = size.lower().partition("x")
    if not (
        width.isdecimal() and height.isdecimal() and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192
    ):
        raise SuppleError(f'--size is "{size}", but it must be width x height in pixels, such as 1600x1000.')
    for name, value, known in (("theme", theme, ("dark", "light")), ("quality", quality, ("high", "low"))):
        if value not in known:
            raise SuppleError(f'--{name} is "{value}", but it must be {known[0]} or {known[1]}.')
    from supple.progress import RunProgress
    from supple.scene.files.toml_reader import find_scene
    from supple.studio.film.shot import frames_until, shoot

    declared = find_scene(scene)
    with RunProgress(Path(scene).stem, frames_until(declared, at)) as progress, progress.compiling():
        path = shoot(
            declared,
            out,
            at=at,
            size=(int(width), int(height)),
            azimuth=None if azimuth is None else math.radians(azimuth),
            elevation=None if elevation is None else math.radians(elevation),
            theme=theme,
            quality=quality,
            progress=progress,
        )
    typer.echo(f"wrote {path}")


def film(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SCENE]...", help="Gallery names or TOML files; all of the gallery."),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the films go.")] = Path("films"),
    seconds: Annotated[float | None, typer.Option(help="Length; each scene's own if not given.")] = None,
    size: SizeOption = "640x400",
    quality: Annotated[str, typer.Option(help="high, or low for speed.")] = "low",
    theme: Annotated[str, typer.Option(help="dark or light.")] = "dark",
    film_rate: Annotated[float, typer.Option(help="Pictures a second [1/s].")] = 25.0,
    ending: Annotated[str, typer.Option(help="mp4 or gif.")] = "mp4",
    pictures: Annotated[int, typer.Option(min=1, help="Moments on the contact sheet of each film.")] = 8,
    threads: ThreadsOption = None,
) -> None:
    """Film scenes with the studio's page, each with a contact sheet; without a name the whole gallery.

    Example: supple film scarf flag --seconds 4
    """
    from supple.studio.film.film_many import film_scenes

    if ending not in ("mp4", "gif"):
        raise SuppleError(f'--ending is "{ending}", but a film ends in mp4 or gif.')
    for line in film_scenes(
        scenes or None,
        out,
        seconds=seconds,
        size=picture_size(size),
        quality=quality,
        theme=theme,
        film_rate=film_rate,
        ending=ending,
        pictures=pictures,
    ):
        typer.echo(line)


def replay(
    recordings: Annotated[
        list[Path], typer.Argument(metavar="RECORDING [OTHER]", help="One recording, or two to compare.")
    ],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port, or the next that is free.")] = 8747,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the link only.")] = False,
) -> None:
    """Play a recording in the studio's look: scrub, loop, slow motion; two of them side by side.

    Example: supple replay stiff.npz soft.npz
    """
    from supple.studio.film.replay import replay as open_replay

    open_replay(recordings, host=host, port=port, open_browser=not no_open, say=typer.echo)
