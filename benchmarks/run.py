"""What `supple bench` runs: every section, its table and its bars."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from benchmarks.bars import Bar, Say, Section


@dataclass(frozen=True)
class Deferred:
    """A section that is imported when it runs, so that one that lacks a package does not stop the others."""

    module: str
    """File of this folder that measures."""

    function: str
    """What to call in it."""

    needs: tuple[str, ...] = ()
    """Packages without which nothing of it can be measured."""

    def __call__(self, say: Say) -> Section:
        """Measure, or say in a note what is missing."""
        missing = [name for name in self.needs if importlib.util.find_spec(MODULES.get(name, name)) is None]
        if missing:
            packages = " ".join(missing)
            note = f"Left out: it needs what is not installed here. Run: pip install {packages}"
            return Section(title=self.function.replace("_", " ").capitalize(), notes=(note,))
        measure: Callable[[Say], Section] = getattr(
            importlib.import_module(f"benchmarks.{self.module}"), self.function
        )
        return measure(say)


MODULES = {"usd-core": "pxr", "imageio-ffmpeg": "imageio_ffmpeg"}
"""Packages that are imported by another name."""

SECTIONS: dict[str, Callable[[Say], Section]] = {
    "implicit": Deferred("against_implicit", "against_implicit"),
    "peer": Deferred("against_peer", "against_peer"),
    "curve": Deferred("cost_curve", "cost_curve"),
    "threads": Deferred("threads", "threads"),
    "peer-large": Deferred("against_peer", "against_peer_large"),
    "obstacles": Deferred("obstacles", "obstacles"),
    "air": Deferred("air", "air"),
    "contact": Deferred("contact", "contact", ("ipctk",)),
    "record": Deferred("record", "record", ("usd-core", "imageio-ffmpeg")),
    "soft": Deferred("soft", "soft"),
    "levels": Deferred("levels", "levels"),
    "edit": Deferred("edit", "edit"),
    "start": Deferred("start_up", "start_up"),
    "studio": Deferred("studio_stream", "studio_stream", ("playwright",)),
    "haptics": Deferred("haptics", "haptics"),
    "sweeps": Deferred("many_runs", "many_runs", ("pyarrow",)),
    "learn": Deferred("environments", "environments", ("gymnasium",)),
}
"""Sections by the name that selects them; `implicit` and `peer` alone take a few seconds."""


def run_benchmarks(as_json: bool, names: list[str] | None) -> int:
    """Run the named sections (all by default) and print them.

    Tables go to standard output, or one JSON document if `as_json`; progress goes to standard error.

    Returns:
        the exit code: 0 if every bar is met, 1 if one is missed, 2 for an unknown section
    """
    chosen = list(names or SECTIONS)
    unknown = [name for name in chosen if name not in SECTIONS]
    if unknown:
        known = ", ".join(SECTIONS)
        Console(stderr=True).print(
            f"There is no benchmark {', '.join(unknown)}. Benchmarks: {known}.", markup=False
        )
        return 2
    sections = _run_sections(chosen)
    if as_json:
        sys.stdout.write(json.dumps(_document(sections), indent=2) + "\n")
    else:
        _print_sections(Console(), list(sections.values()))
    return 0 if all(bar.is_met for section in sections.values() for bar in section.bars) else 1


def _run_sections(names: Sequence[str]) -> dict[str, Section]:
    columns = (
        SpinnerColumn(),
        MofNCompleteColumn(),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    sections = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(names))
        for name in names:

            def say(line: str, name: str = name) -> None:
                progress.update(task, description=f"{name}: {line}")

            say("building")
            sections[name] = SECTIONS[name](say)
            progress.advance(task)
    return sections


def _document(sections: dict[str, Section]) -> dict[str, object]:
    return {
        "machine": {
            "processors": os.cpu_count(),
            "load": _load(),
            "architecture": platform.machine(),
            "system": platform.system(),
            "python": platform.python_version(),
            **{name: _version(name) for name in ("supple", "numba", "numpy", "pypbd")},
        },
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "sections": {name: section.as_dict() for name, section in sections.items()},
    }


def _load() -> float | None:
    """Return how many processes wanted to run during the last minute, None where that is unknown."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


# ---------------------------------------------------------------- for people


def _print_sections(console: Console, sections: Sequence[Section]) -> None:
    for section in sections:
        console.print()
        if section.columns:
            table = Table(title=section.title, title_justify="left", title_style="bold")
            for number, column in enumerate(section.columns):
                table.add_column(Text(column), justify="left" if number == 0 else "right")
            for row in section.rows:
                table.add_row(*(Text(_text(value)) for value in row))
            console.print(table)
        else:
            console.print(section.title, style="bold")
        for bar in section.bars:
            console.print(_verdict(bar))
        for note in section.notes:
            console.print(f"  {note}", style="dim", markup=False, highlight=False)
    bars = [bar for section in sections for bar in section.bars]
    met = sum(bar.is_met for bar in bars)
    load, processors = _load(), os.cpu_count() or 1
    if load is not None and load > processors + 0.5:
        console.print(f"\nThe machine was busy: load {load:.1f} on {processors} processors.", style="yellow")
    console.print(
        f"\n{met} of {len(bars)} bars met. Frames in CPU milliseconds; `--json` has the same for machines."
    )


def _verdict(bar: Bar) -> str:
    verdict = "[green]met   [/green]" if bar.is_met else "[red]missed[/red]"
    unit = f" {bar.unit}" if bar.unit else ""
    return f"  {verdict} {bar.name}: {_text(bar.measured)}{unit} ({bar.rule} {bar.limit:g}{unit})"


def _text(value: str | float) -> str:
    """Return a number with about three digits that matter, a word as it is."""
    if isinstance(value, str | int):
        return str(value)
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.1f}" if abs(value) >= 10.0 else f"{value:.3f}"
