"""Keep what happened: geometry, numbers and pictures on disk, the format chosen by the file's ending.

    supple.record(simulation, "drape.usd", "drape.mp4", seconds=4.0)
    for frame in supple.open("drape.usd"):
        ...

A format is one line in `FORMATS` and one class that follows `supple.record.writer.Writer`. Its
module is imported when the format is first asked for, so a heavy library costs only those who
use it.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from supple.errors import SuppleError
from supple.record.formats.convention import OURS, Convention
from supple.waiting import WAITING

if TYPE_CHECKING:
    from supple.record.frame import Frame, Indices, Shapes, Subject
    from supple.record.writer import Finished, Plan, Writer
    from supple.report import StepReport
    from supple.simulation import Simulation

__all__ = ["FORMATS", "Format", "RecordingWriter", "can_write", "open_recording", "record"]


@dataclass(frozen=True)
class Format:
    """A way to keep frames on disk."""

    module: str
    """Module of the writer."""

    writer: str
    """Name of the `Writer` class in it."""

    summary: str
    """What is written, in a few words."""

    options: frozenset[str] = frozenset()
    """Keywords the writer takes beside those of `Writer`."""

    extra: str | None = None
    """Extra of the package that brings the library it needs."""

    library: str | None = None
    """Module of that library."""

    is_picture: bool = False
    """Whether it shows the scene instead of holding it: axes and units are then not its matter."""

    instead: Format | None = None
    """How it is written where the studio's page cannot draw, because there is no Chromium or ffmpeg."""


FILM_OPTIONS = frozenset({"size", "quality", "theme", "azimuth", "elevation", "film_rate"})

_USD = Format(
    "supple.record.formats.usd",
    "UsdFile",
    "USD: points, normals, obstacles, materials, camera",
    extra="usd",
    library="pxr",
)
_VTU = Format(
    "supple.record.formats.vtu",
    "VtuSequence",
    "numbered VTU files and a PVD list, with strain, velocity and contact",
)
_FRAMES = Format(
    "supple.studio.film.film",
    "PictureSequence",
    "numbered pictures by the studio's page",
    FILM_OPTIONS,
    is_picture=True,
)

_LOOP = Format(
    "supple.record.formats.loop",
    "Loop",
    "a film in a loop, drawn without a browser",
    frozenset({"size", "azimuth", "elevation", "film_rate", "colour_by", "waters"}),
    is_picture=True,
)

FORMATS: dict[str, Format] = {
    ".npz": Format("supple.record.formats.npz", "NpzArchive", "a NumPy archive"),
    ".npy": Format("supple.record.frame_folder", "NpyFolder", "a folder of NumPy files, to be memory-mapped"),
    ".usd": _USD,
    ".usdc": _USD,
    ".usda": _USD,
    ".glb": Format(
        "supple.record.formats.glb",
        "GlbFile",
        "glTF with an animation of morph targets",
        frozenset({"tolerance"}),
    ),
    ".obj": Format("supple.record.formats.obj", "ObjSequence", "a numbered OBJ file for every frame"),
    ".ply": Format("supple.record.formats.ply", "PlySequence", "a numbered PLY file for every frame"),
    ".pc2": Format("supple.record.formats.pc2", "PointCache", "a point cache and its rest mesh"),
    ".vtu": _VTU,
    ".pvd": _VTU,
    ".csv": Format(
        "supple.record.formats.table", "CsvTable", "a row for every step: energy, momentum, stretch, time"
    ),
    ".parquet": Format(
        "supple.record.formats.table", "ParquetTable", "the same as Parquet", extra="table", library="pyarrow"
    ),
    ".html": Format(
        "supple.studio.film.replay_page",
        "ReplayPage",
        "the recording and its player in one page that opens from disk",
        is_picture=True,
    ),
    ".mp4": Format(
        "supple.studio.film.film",
        "Mp4Film",
        "a film by the studio's page",
        FILM_OPTIONS,
        "video",
        "imageio_ffmpeg",
        True,
    ),
    ".gif": Format(
        "supple.studio.film.film",
        "GifFilm",
        "the same in a loop",
        FILM_OPTIONS,
        "video",
        "imageio_ffmpeg",
        True,
        _LOOP,
    ),
    ".webp": Format(
        "supple.studio.film.film",
        "WebpFilm",
        "the same, a quarter of the size",
        FILM_OPTIONS,
        "video",
        "imageio_ffmpeg",
        True,
        _LOOP,
    ),
    ".png": Format(
        "supple.record.formats.still",
        "Still",
        "a picture of the last frame, or a sheet of several; name####.png is a picture of every frame",
        frozenset({"pictures", "size", "colour_by", "waters"}),
        is_picture=True,
    ),
}
"""Format by file ending."""


def format_of(path: Path, is_coloured: bool = False) -> Format:
    """Return the format of a file that is to be written, or say which there are and what is missing.

    Args:
        path: of the file
        is_coloured: whether bodies are coloured by a measure, which pictures drawn without a browser can show
    """
    ending = path.suffix.lower()
    if ending not in FORMATS:
        known = "\n".join(f"  {key:<9} {form.summary}" for key, form in FORMATS.items())
        close = get_close_matches(ending, FORMATS, n=1)
        hint = f' Did you mean "{path.with_suffix(close[0]).name}"?' if close else ""
        found = (
            f'"{ending}" is not a format supple writes'
            if ending
            else "it has no ending to tell the format by"
        )
        raise SuppleError(f"cannot write {path}: {found}.{hint}\nKnown endings:\n{known}")
    form = _FRAMES if ending == ".png" and "#" in path.stem else FORMATS[ending]
    if form.instead is not None and (is_coloured or not _page_can_film()):
        return form.instead
    if is_coloured and form.is_picture and "colour_by" not in form.options:
        raise SuppleError(
            f"cannot write {path}: colours that show a measure are drawn in .png, .gif and .webp files."
        )
    if form.library is not None and importlib.util.find_spec(form.library) is None:
        raise SuppleError(
            f"cannot write {path}: that needs {form.library}, which is not installed. Install it with\n"
            f'  pip install "supple[{form.extra}]"'
        )
    return form


def _page_can_film() -> bool:
    """Tell whether there are a browser and an encoder for films by the studio's page."""
    if importlib.util.find_spec("imageio_ffmpeg") is None:
        return False
    browsers = importlib.import_module("supple.studio.film.chromium")
    return browsers.chromium_path() is not None


def can_write(ending: str, *, reshapes: bool) -> bool:
    """Return whether a format can be written here, of bodies that are cut, torn or sewn if `reshapes`."""
    try:
        form = format_of(Path(f"any{ending}"))
    except SuppleError:
        return False
    return _writer_class(form).takes_changes or not reshapes


class RecordingWriter:
    """Several files written side by side from the same frames."""

    def __init__(self, writers: Iterable[Writer], plan: Plan, *, is_resumable: bool = False) -> None:
        """Take over opened writers."""
        self._writers = list(writers)
        self._is_resumable = is_resumable
        self._plan = plan
        self._shapes: Shapes | None = None
        self._pins: Mapping[str, Indices] | None = None
        self._looked_at: tuple[Subject, int | None] | None = None
        self._converted: dict[Convention, tuple[Shapes, Shapes]] = {}
        self._wants_fields = any(writer.wants_fields for writer in self._writers)
        self.frame_count = plan.kept
        """Frames taken down so far, those kept included."""

        self.files: list[Path] = []
        """Files written, once the recording is closed."""

    def add(self, subject: Subject, report: StepReport | None = None) -> None:
        """Take down the subject as it is now, in every file.

        Args:
            subject: a simulation, or a frame of another recording
            report: of the step that led here
        """
        from supple.record.frame import Frame, are_same_pins, frame_of, is_reshaped, shapes_of

        if not self._writers:
            return
        if isinstance(subject, Frame):
            frame = replace(subject, number=self.frame_count)
        else:
            # A simulation counts its edits; to compare every triangle would cost as much as to write the points.
            looked_at = subject, getattr(subject, "revision", None)
            is_known = looked_at == self._looked_at and looked_at[1] is not None
            if self._shapes is None or (not is_known and is_reshaped(self._shapes, subject)):
                self._shapes = shapes_of(subject)
            self._looked_at = looked_at
            pins = {name: subject.pinned(name) for name in subject.body_names}
            if self._pins is None or not are_same_pins(pins, self._pins):
                self._pins = pins
            frame = frame_of(
                subject,
                self.frame_count,
                self._shapes,
                report,
                pins=self._pins,
                with_fields=self._wants_fields,
            )
        for writer in self._writers:
            writer.add(self._as_wanted(frame, writer.plan.convention))
        self.frame_count += 1

    def _as_wanted(self, frame: Frame, convention: Convention) -> Frame:
        if convention.is_ours:
            return frame
        known = self._converted.get(convention)
        if known is None or known[0] is not frame.shapes:
            known = frame.shapes, frame.shapes.converted(convention)
            self._converted[convention] = known
        return frame.converted(convention, known[1])

    def close(self, *, is_whole: bool = False) -> list[Path]:
        """Finish every file and return all that were written.

        Trouble with one file does not keep the others from being finished; it is told in the end.

        Args:
            is_whole: whether all frames are there, so that nothing needs to be kept to go on later
        """
        troubles: list[SuppleError] = []
        while self._writers:
            writer = self._writers.pop(0)
            try:
                self.files.extend(writer.close())
                if is_whole or not self._is_resumable:
                    writer.forget()
            except SuppleError as trouble:
                troubles.append(trouble)
        if troubles:
            raise SuppleError("\n".join(map(str, troubles)))
        return self.files


@contextmanager
def open_recording(
    paths: Iterable[str | os.PathLike[str]],
    *,
    frame_count: int,
    frame_rate: float,
    kept: int | None = None,
    replace: bool = False,
    reshapes: bool = False,
    is_resumable: bool = False,
    convention: Convention = OURS,
    finished: Finished | None = None,
    **options: Any,
) -> Iterator[RecordingWriter]:
    """Open one writer for every path and close them all in the end, also after an interruption.

    Every ending and every folder is checked before the first frame.

    Args:
        paths: files to write, the format by the ending
        frame_count: frames that will follow, the start included
        frame_rate: frames per second [1/s]
        kept: frames of an interrupted run to go on after; None starts anew
        replace: whether files that exist may be replaced
        reshapes: whether bodies may be cut, torn or sewn on the way
        is_resumable: whether to keep, after an interruption, what is needed to go on with the files
        convention: up axis and unit of the files
        finished: told how far the finishing of files is
        options: keywords for the formats that know them
    """
    from supple.record.output_lock import locked
    from supple.record.writer import Plan

    plan = Plan(
        frame_count=frame_count,
        frame_rate=frame_rate,
        kept=kept or 0,
        is_resumed=kept is not None,
        replaces=replace,
        convention=convention,
        finished=finished,
    )
    chosen = _chosen_formats(paths, reshapes, options.get("colour_by", "body") != "body")
    with ExitStack() as locks:
        for path, _ in chosen:
            locks.enter_context(locked(path))
        writers = _opened_writers(chosen, plan, options)
        recording = RecordingWriter(writers, plan, is_resumable=is_resumable)
        try:
            yield recording
        except BaseException:
            try:
                recording.close()
            except SuppleError as trouble:
                error = sys.exc_info()[1]
                if error is not None:
                    error.add_note(str(trouble))
            raise
        recording.close(is_whole=True)


def _chosen_formats(
    paths: Iterable[str | os.PathLike[str]], reshapes: bool, is_coloured: bool = False
) -> list[tuple[Path, Format]]:
    """Return every path with its format, or say which cannot be written."""
    chosen = [(path, format_of(path, is_coloured)) for path in map(Path, paths)]
    twice = {path for path, _ in chosen if sum(other == path for other, _ in chosen) > 1}
    if twice:
        raise SuppleError(f"{min(twice)} is to be written twice. Give every output a name of its own.")
    for path, form in chosen:
        if reshapes and not _writer_class(form).takes_changes:
            raise SuppleError(
                f"cannot write {path}: bodies of this scene can be cut or torn, and a {path.suffix} file holds one "
                "number of points throughout. Use .usd, .npz, .npy, .vtu, .ply, .obj or a film."
            )
    return chosen


def _opened_writers(
    chosen: Iterable[tuple[Path, Format]], plan: Plan, options: Mapping[str, Any]
) -> list[Writer]:
    """Return an open writer for every path; those open already are closed if one cannot be opened."""
    writers: list[Writer] = []
    try:
        for path, form in chosen:
            known = {name: value for name, value in options.items() if name in form.options}
            make: Callable[..., Writer] = _writer_class(form)
            own = replace(plan, convention=OURS) if form.is_picture else plan
            writers.append(make(path, own, **known))
    except BaseException:
        for writer in writers:
            writer.close()
        raise
    return writers


def _writer_class(form: Format) -> type[Writer]:
    writer: type[Writer] = getattr(importlib.import_module(form.module), form.writer)
    return writer


def record(
    simulation: Simulation,
    *paths: str | os.PathLike[str],
    seconds: float,
    replace: bool = False,
    reshapes: bool | None = None,
    up: str = "y",
    unit: str = "m",
    **options: Any,
) -> list[Path]:
    """Run a simulation and write what it shows, frame by frame.

    The state before the first step is frame 0, so `seconds` at 50 frames/s give 50 `seconds` + 1
    frames.

    Args:
        simulation: is stepped on from where it stands
        paths: files to write; the ending of each chooses its format (`FORMATS`)
        seconds: simulated time to record [s]
        replace: whether files that exist may be replaced
        reshapes: whether bodies may be cut or torn on the way, so that formats which cannot hold that are
            refused at once; None asks the simulation
        up: axis that points up in the files, "y" or "z"
        unit: unit of length of the files: "m", "cm", "mm", ...
        options: keywords of the formats: `pictures` (how many on a sheet) and `size` (width and height
            [pixels]) for pictures; `colour_by` ("strain" or "level") for .png, .gif and .webp;
            `quality`, `theme`, `azimuth`, `elevation` and `film_rate` for films;
            `tolerance` (largest error [m]) for .glb

    Returns:
        The files written.
    """
    if not paths:
        raise SuppleError("there is nothing to write: name one file or more.")
    if not 0.0 <= seconds <= 86400.0:
        raise SuppleError(f"`seconds` is {seconds:g}, but it must lie between 0 and 86400, a day.")
    is_coloured = options.get("colour_by", "body") != "body"
    known = frozenset().union(*(format_of(Path(path), is_coloured).options for path in paths)) - {"waters"}
    unknown = sorted(set(options) - known)
    if unknown:
        offered = ", ".join(sorted(known)) or "none"
        raise SuppleError(f"`{unknown[0]}` is no option of these formats. They have: {offered}.")
    frame_count = 1 + round(seconds * simulation.frame_rate)
    with open_recording(
        paths,
        frame_count=frame_count,
        frame_rate=float(simulation.frame_rate),
        replace=replace,
        reshapes=simulation.may_reshape if reshapes is None else reshapes,
        convention=Convention.named(up, unit),
        waters=getattr(getattr(simulation, "scene", None), "waters", ()),  # stand-ins have no scene
        **options,
    ) as recording:
        recording.add(simulation)
        for number in range(1, frame_count):
            recording.add(simulation, simulation.step())
            WAITING.advanced(f"recording {Path(paths[0]).name}", number, frame_count - 1)
    WAITING.ended()
    return recording.files


class _CallableModule(ModuleType):
    """Lets `supple.record(...)` work although `supple.record` is also this folder.

    Python binds a subpackage to its parent under the folder's name the moment it is imported,
    so a function of the same name in `supple/__init__.py` would be replaced by the module.
    """

    def __call__(self, *args: Any, **keywords: Any) -> list[Path]:
        """Call `record`."""
        return record(*args, **keywords)


sys.modules[__name__].__class__ = _CallableModule
