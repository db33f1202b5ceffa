"""The command line. Says what is wrong, never how Python felt about it; no physics here.

Everything heavy is imported inside the command that needs it, so that `supple --help` answers
at once.
"""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.errors import SuppleError
from supple.lab.commands import fabrics, lab
from supple.record.commands import convert, picture_size
from supple.studio.commands import film, play, replay, shot
from supple.sweeps.commands import plot, sweep
from supple.thread_count import ThreadsOption
from supple.warm.commands import warm

if TYPE_CHECKING:
    from supple.progress import RunProgress
    from supple.record import RecordingWriter
    from supple.record.checkpoint import Checkpoints
    from supple.report import StepReport
    from supple.scene.scene import Scene
    from supple.scene.timeline.script import Script
    from supple.simulation import Simulation

PACKAGE = Path(__file__).parent
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

app = typer.Typer(
    help="Cloth and soft bodies in real time.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

SceneArgument = Annotated[str, typer.Argument(metavar="SCENE", help="A gallery name or a TOML file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


def main() -> None:
    """Run the command line and exit: 0 done, 1 done badly, 2 cannot be done, 130 interrupted."""
    warnings.showwarning = _show_warning
    try:
        app()
    except SuppleError as error:
        _tell("error", "\n".join([str(error), *getattr(error, "__notes__", ())]), typer.colors.RED)
        sys.exit(2)
    except OSError as error:  # names that are too long, folders that vanish, disks that fail
        where = f": {error.filename}" if error.filename else ""
        _tell("error", f"{error.strerror or error}{where}", typer.colors.RED)
        sys.exit(2)


def _tell(kind: str, message: str, colour: str) -> None:
    typer.secho(f"{kind}: ", fg=colour, bold=True, nl=False, err=True)
    typer.echo(message, err=True)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _tell("warning", str(message), typer.colors.YELLOW)


def _version(is_wanted: bool) -> None:
    if is_wanted:
        from importlib.metadata import version

        typer.echo(f"supple {version('supple')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


# ---------------------------------------------------------------- play

app.command()(play)
app.command()(warm)
app.command()(shot)
app.command()(replay)
app.command()(film)
app.command()(convert)
app.command()(plot)
app.command()(sweep)
app.command()(fabrics)
app.command()(lab)

# ---------------------------------------------------------------- run


@app.command()
def run(
    scene: SceneArgument,
    seconds: Annotated[
        float | None, typer.Option(help="Simulated seconds; the scene's own duration if not given.")
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Write FILE, format by its ending; may be given several times."),
    ] = None,
    integrator: Annotated[
        str | None, typer.Option(help="auto, descent, explicit, jacobi, filter, implicit or xpbd.")
    ] = None,
    substeps: Annotated[str | None, typer.Option(metavar="N|auto", help="Substeps per frame.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None,
    threads: ThreadsOption = None,
    script: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Replay the edits, pins and grabs in FILE.")
    ] = None,
    frames: Annotated[int, typer.Option(min=1, help="Pictures on a .png sheet; 1 is the last frame.")] = 1,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size of each picture in pixels.")] = "960x600",
    colour_by: Annotated[
        str, typer.Option(metavar="WHAT", help="Of .png, .gif and .webp: body, strain or level (of detail).")
    ] = "body",
    quality: Annotated[str, typer.Option(help="Of films: high, or low for speed.")] = "high",
    theme: Annotated[str, typer.Option(help="Of films: dark or light.")] = "dark",
    film_rate: Annotated[float | None, typer.Option(help="Pictures a second in films [1/s].")] = None,
    tolerance: Annotated[float, typer.Option(help=r"Largest error of a .glb \[m].")] = 0.0005,
    up: Annotated[str, typer.Option(metavar="y|z", help="Axis that points up in the files.")] = "y",
    unit: Annotated[str, typer.Option(help="Unit of the files: m, cm, mm, ...")] = "m",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")] = False,
    checkpoint: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, help="Real time between two checkpoints.")
    ] = 10.0,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Simulate a scene without a window, and write files if asked to.

    Example: supple run corners --seconds 4 --out drape.obj --out drape.png
    """
    from supple.progress import RunProgress
    from supple.record import open_recording
    from supple.record.formats.convention import Convention
    from supple.scene.timeline.script import read_script

    overrides = _overrides(integrator=integrator, substeps=substeps, seed=seed)
    pictures: dict[str, Any] = {
        "pictures": frames,
        "size": picture_size(size),
        "quality": quality,
        "theme": theme,
        "film_rate": film_rate,
        "tolerance": tolerance,
        "colour_by": colour_by,
    }
    declared = _read(scene)
    replayed = read_script(script) if script is not None else None
    span = declared.duration if seconds is None else seconds
    rate = declared.settings.frame_rate
    if not 0.0 < span <= 86400.0:
        raise SuppleError(f"--seconds is {span:g}, but it must be more than 0 and at most 86400, a day.")
    frame_count = max(1, round(span * rate))
    reports: list[StepReport] = []
    files: list[Path] = []
    begun = _begun(declared, out, checkpoint, resume, overrides, force, frame_count)
    progress = RunProgress(Path(scene).stem, frame_count - begun.done)
    try:
        with open_recording(
            out or [],
            frame_count=frame_count + 1,
            frame_rate=rate,
            kept=begun.kept,
            replace=force,
            reshapes=declared.may_reshape or (replayed is not None and replayed.may_reshape),
            is_resumable=True,
            convention=Convention.named(up, unit),
            finished=progress.file_finished,
            waters=declared.waters,
            **pictures,
        ) as recording:
            files = recording.files
            try:
                with progress:
                    _simulate(begun, declared, overrides, replayed, frame_count, recording, reports, progress)
            except KeyboardInterrupt:
                if out:
                    typer.echo("\nfinishing the files; press Ctrl-C again to stop at once", err=True)
                raise
    except KeyboardInterrupt:
        typer.echo(f"interrupted after frame {begun.done + len(reports)} of {frame_count}", err=True)
        for line in _listed(files) or (["nothing"] if out else []):
            typer.echo(f"wrote {line}", err=True)
        if begun.checkpoints is not None and begun.checkpoints.path.exists():
            typer.echo("the same command with --resume goes on from here", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if begun.checkpoints is not None:
        begun.checkpoints.remove()
    if not reports:
        typer.echo("the run was complete already")
        return
    summary = _summary(scene, declared, overrides, reports, files)
    if as_json:
        typer.echo(json.dumps(summary, indent=2))
    else:
        for line in _summary_lines(summary, files):
            typer.echo(line)
    if summary["diverged_frames"]:
        raise typer.Exit(1)


def _read(name: str) -> Scene:
    """Return the scene of that gallery name or file."""
    from supple.scene.files.toml_reader import find_scene

    return find_scene(name)


def _overrides(*, integrator: str | None, substeps: str | None, seed: int | None) -> dict[str, Any]:
    """Return the settings given on the command line; the scene checks their values."""
    counted: int | str | None = substeps
    if substeps is not None and substeps != "auto":
        try:
            counted = int(substeps)
        except ValueError:
            raise SuppleError(
                f'--substeps is "{substeps}", but it must be a whole number or "auto".'
            ) from None
    given = {"integrator": integrator, "substeps": counted, "seed": seed}
    return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class _Begun:
    """Where a run starts: at its beginning, or after the frames of an interrupted one."""

    checkpoints: Checkpoints | None
    simulation: Simulation | None = None
    kept: int | None = None

    @property
    def done(self) -> int:
        """Steps that need not be made again."""
        return self.simulation.frame if self.simulation is not None else 0


def _begun(
    declared: Scene,
    out: list[Path] | None,
    seconds: float,
    is_resumed: bool,
    overrides: dict[str, Any],
    is_forced: bool,
    frame_count: int,
) -> _Begun:
    if not out:
        if is_resumed:
            raise SuppleError(
                "--resume goes on with files, but none is named. Give the same --out as before."
            )
        return _Begun(None)
    from supple.record import format_of
    from supple.record.checkpoint import Checkpoints

    for path in out:
        format_of(path)
    checkpoints = Checkpoints(out, seconds)
    if not is_resumed:
        if is_forced:
            checkpoints.remove()
        return _Begun(checkpoints)
    simulation = checkpoints.resume(declared, overrides)
    if simulation is None:
        # Killed before its first checkpoint it begins again; a run that is complete is not touched.
        has_remains = any(path.with_name(f"{path.name}.part").exists() for path in out)
        return _Begun(checkpoints, kept=0 if has_remains else None)
    if simulation.frame > frame_count:
        raise SuppleError(
            f"the checkpoint comes after frame {simulation.frame}, but --seconds ends at {frame_count}."
        )
    return _Begun(checkpoints, simulation, simulation.frame + 1)


def _simulate(
    begun: _Begun,
    declared: Scene,
    overrides: dict[str, Any],
    script: Script | None,
    frame_count: int,
    recording: RecordingWriter,
    reports: list[StepReport],
    progress: RunProgress,
) -> None:
    """Step through all frames under a progress bar, adding to `recording` and `reports`."""
    from supple.progress import PatientInterrupt
    from supple.simulation import Simulation

    with progress.compiling():
        simulation = begun.simulation
        if simulation is None:
            simulation = Simulation(
                declared, progress=progress.map_built, untangled=progress.untangled, **overrides
            )
            if script is not None:  # a state to go on from has it already
                simulation.replay(script)
            recording.add(simulation)
        with PatientInterrupt() as interrupt:
            while simulation.frame < frame_count:
                report = simulation.step()
                reports.append(report)
                recording.add(simulation, report)
                progress.frame_done(f"{report.milliseconds:.1f} ms a frame")
                if begun.checkpoints is not None:
                    begun.checkpoints.frame_done(simulation, is_last=interrupt.is_wanted)
                interrupt.between_frames()
        progress.frames_are_done()
        recording.close(is_whole=True)


def _summary(
    name: str, declared: Scene, overrides: dict[str, Any], reports: list[StepReport], files: list[Path]
) -> dict[str, Any]:
    """Return what a run did, ready for JSON."""
    from statistics import median

    spent = [report.milliseconds for report in reports]
    return {
        "scene": name,
        "title": declared.title,
        "bodies": [body.name for body in declared.bodies],
        "integrator": overrides.get("integrator", declared.settings.integrator),
        "seconds": reports[-1].time,
        "frames": len(reports),
        "frame_rate": declared.settings.frame_rate,
        "milliseconds": {
            "first": spent[0],
            "median": median(spent),
            "largest_after_first": max(spent[1:], default=spent[0]),
        },
        "max_stretch": max(report.max_stretch for report in reports),
        "kinetic_energy": reports[-1].kinetic_energy,
        "late_frames": sum(not report.deadline_kept for report in reports),
        "diverged_frames": sum(report.status == "diverged" for report in reports),
        "files": [str(file) for file in files],
    }


def _summary_lines(summary: dict[str, Any], files: list[Path]) -> list[str]:
    took = summary["milliseconds"]
    lines = [
        f"{summary['frames']} frames, {summary['seconds']:g} s with {summary['integrator']}: "
        f"{took['median']:.2f} ms a frame (median), largest stretch {summary['max_stretch']:.3f}"
    ]
    if summary["diverged_frames"]:
        lines.append(
            f"{summary['diverged_frames']} frames diverged and were taken back; "
            "more substeps or another integrator may help"
        )
    return [*lines, *(f"wrote {line}" for line in _listed(files))]


def _listed(files: list[Path]) -> list[str]:
    """Return the files, a numbered sequence in one line."""
    groups: dict[tuple[Path, str, str], list[Path]] = {}
    for file in files:
        groups.setdefault((file.parent, file.stem.rstrip("0123456789"), file.suffix), []).append(file)
    return [
        str(group[0]) if len(group) == 1 else f"{group[0]} to {group[-1].name}, {len(group)} files"
        for group in groups.values()
    ]


# ---------------------------------------------------------------- scenes and check


@app.command()
def scenes(
    paper: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only scenes that repeat this paper as printed, or `all` papers."),
    ] = None,
) -> None:
    """List the gallery, one line each."""
    found = _gallery()
    if paper is not None:
        papers = sorted({told for _, told in found.values() if told})
        if paper != "all" and paper not in papers:
            from supple.scene.error_messages import listed, suggestion

            raise SuppleError(
                f'--paper is "{paper}". Papers: all, {listed(papers)}.{suggestion(paper, papers)}'
            )
        found = {name: entry for name, entry in found.items() if entry[1] and paper in ("all", entry[1])}
    width = max((len(name) for name in found), default=0)
    for name, (title, _) in found.items():
        typer.echo(f"{name:<{width}}  {title}")


def _gallery() -> dict[str, tuple[str, str]]:
    """Return the titles of the gallery's scenes by name, with the paper they repeat as printed or ""."""
    import tomllib

    found = {}
    for path in sorted((PACKAGE / "gallery").glob("*.toml"), key=lambda path: path.stem):
        with path.open("rb") as file:
            document = tomllib.load(file)
        found[path.stem] = str(document.get("title", "")), str(document.get("paper", ""))
    return found


@app.command()
def check(
    scene: SceneArgument,
    as_json: JsonOption = False,
    intersections: Annotated[
        bool,
        typer.Option("--intersections", help="Count where surfaces pass through each other at the start."),
    ] = False,
) -> None:
    """Read a scene and say everything that is wrong with it, or what it holds."""
    declared = _read(scene)
    from supple.inspection import inspect_scene
    from supple.progress import RunProgress

    with RunProgress(Path(scene).stem, 0) as bars, bars.compiling():
        facts = inspect_scene(declared, count_intersections=intersections, progress=bars.map_built)
    if as_json:
        typer.echo(json.dumps({"scene": scene, "title": declared.title, **facts}, indent=2))
        if facts["refused"]:
            raise typer.Exit(2)
        return
    verdict = "cannot begin" if facts["refused"] else "ok"
    typer.echo(f"{scene}: {verdict}" + (f" ({declared.title})" if declared.title else ""))
    rows = [[name.replace("_", " ") for name in facts["bodies"][0]]]
    rows += [[_shown(value) for value in body.values()] for body in facts["bodies"]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    for obstacle in facts["obstacles"]:
        triangles = f", {obstacle['triangles']:,} triangles" if "triangles" in obstacle else ""
        typer.echo(f"  obstacle {obstacle['obstacle']}: {obstacle['kind']}{triangles}")
    for line in facts["warnings"]:
        if line in facts["refused"]:
            continue
        _tell("warning", line, typer.colors.YELLOW)
    if intersections:
        names = " and ".join(facts["intersected"])
        typer.echo(f"intersections: {facts['intersections']:,}" + (f", of {names}" if names else ""))
    step = facts["stable_step"]
    typer.echo("largest stable explicit step: " + ("any" if step is None else f"{1e3 * step:.3g} ms"))
    if facts["refused"]:
        raise SuppleError("\n".join(facts["refused"]))


def _shown(value: str | int | float | list[float]) -> str:
    if isinstance(value, list):
        low, high = (f"{end:g}" for end in value)
        return low if low == high else f"{low} to {high}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


# ---------------------------------------------------------------- bench and doctor


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Which ones; all if none is named.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure milliseconds per frame, cost curves and ratios against other engines."""
    # Beside the package in a checkout, within it in a wheel (hatch_build.py).
    homes = [
        home for home in (PACKAGE.parent, PACKAGE / "bench") if (home / "benchmarks" / "run.py").is_file()
    ]
    if not homes:
        raise SuppleError(f"the benchmarks are missing from {PACKAGE}. Install supple again.")
    sys.path.insert(0, str(homes[0]))
    from benchmarks.run import run_benchmarks

    raise typer.Exit(run_benchmarks(as_json=as_json, names=names or None))


@app.command()
def doctor(as_json: JsonOption = False) -> None:
    """Say what is installed, where kernels are kept, and what is wrong if anything is."""
    from supple.doctor import examine

    facts = examine()
    if as_json:
        typer.echo(json.dumps(facts, indent=2))
    else:
        for name, value in _flat(facts):
            typer.echo(f"{name:<24} {value}")
        for problem in facts["problems"]:
            _tell("problem", problem, typer.colors.YELLOW)
    if facts["problems"]:
        raise typer.Exit(1)


def _flat(facts: dict[str, Any], above: str = "") -> list[tuple[str, str]]:
    """Return nested facts as rows of name and value, without the problems."""
    rows: list[tuple[str, str]] = []
    for name, value in facts.items():
        label = f"{above}{name.replace('_', ' ')}"
        if isinstance(value, dict):
            rows.extend(_flat(value, f"{label} "))
        elif isinstance(value, list):
            rows.extend([] if name == "problems" else [(label, ", ".join(value) or "none")])
        elif isinstance(value, bool):
            rows.append((label, "yes" if value else "no"))
        elif value is None:
            rows.append((label, "not installed"))
        else:
            rows.append((label, str(value)))
    return rows
