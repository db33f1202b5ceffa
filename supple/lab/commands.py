"""The commands about fabrics and their tests, for the command line to offer. Imports nothing heavy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from supple.errors import SuppleError

TESTS = ("drape", "cantilever", "tensile", "shear", "friction")
"""What the laboratory can do."""

MOVING = ("drape", "cantilever")
"""Tests that can be recorded."""


def fabrics(as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False) -> None:
    """List the ready materials with their figures, and who measured them."""
    from supple.scene.bodies.materials import fabrics as known

    if as_json:
        told = {
            name: {**fabric.material.fields(), "description": fabric.description, "source": fabric.source}
            for name, fabric in known().items()
        }
        typer.echo(json.dumps(told, indent=2))
        return
    typer.echo(f"{'name':<22}{'kg/m²':>7}{'stretch N/m':>16}{'shear':>7}{'bending µN·m':>15}  what")
    for name, fabric in known().items():
        m = fabric.material
        stretch, bending = _pair(m.stretch_stiffness, 1.0), _pair(m.bending_stiffness, 1e6)
        figures = f"{m.area_density:>7.3g}{stretch:>16}{m.shear_stiffness:>7.3g}{bending:>15}"
        typer.echo(f"{name:<22}{figures}  {fabric.description} ({fabric.source})")


def _pair(stiffness: float | tuple[float, float], scale: float) -> str:
    if isinstance(stiffness, tuple):
        return " / ".join(_figure(scale * value) for value in stiffness)
    return _figure(scale * stiffness)


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 100.0 else f"{value:.3g}"


def lab(
    test: Annotated[str, typer.Argument(metavar="TEST", help=f"{', '.join(TESTS[:-1])} or {TESTS[-1]}.")],
    fabric: Annotated[str, typer.Argument(metavar="FABRIC", help="One of `supple fabrics`.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Draw what was measured: .png, .pdf or .svg.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", help="Record the motion of the test, for `supple replay` and others."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Put a fabric through a standard test, and tell its numbers beside those expected.

    Example: supple lab drape black-denim --out drape.png
    """
    if test not in TESTS:
        raise SuppleError(f'the laboratory knows no test "{test}". Tests: {", ".join(TESTS)}.')
    if record is not None and test not in MOVING:
        raise SuppleError(
            f"`--record` is for the tests in which cloth moves, {' and '.join(MOVING)}; {test} has nothing to film."
        )
    from supple import lab as laboratory
    from supple.progress import RunProgress

    with RunProgress(f"{test} of {fabric}", 0) as progress, progress.compiling():
        if out is not None:
            from supple.lab.figure import save
            from supple.record.pictures.plot import figure_path

            figure_path(out, force)  # refused before the work
        options = {} if record is None else {"record": record, "replace": force}
        outcome = getattr(laboratory, test)(fabric, **options)
        if out is not None:
            save(outcome, out, title=fabric, replace=force)
    if as_json:
        rows = [row._asdict() for row in outcome.rows]
        typer.echo(json.dumps({"test": test, "fabric": fabric, "rows": rows}, indent=2))
    else:
        typer.echo(outcome.told())
