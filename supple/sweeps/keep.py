"""Keep: what of its frames a run leaves behind, as arrays in a Zarr group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.report import StepReport
from supple.scene.camera import Camera
from supple.scene.error_messages import listed, suggestion
from supple.simulation import Simulation
from supple.sweeps.zarr_group import Dimensions

REPORT_COLUMNS = ("max_stretch", "kinetic_energy", "potential_energy", "contacts")
"""Numbers of every report that are kept with the frames."""


@dataclass(frozen=True)
class Keep:
    """What is kept of the frames of a run."""

    every: int = 1
    """Frames from one that is kept to the next; the start is always kept."""

    positions: bool = True
    """Points of all bodies, (frame, vertex, 3) float32 [m], and their triangles."""

    velocities: bool = False
    """(frame, vertex, 3) float32 [m/s]."""

    images: tuple[int, int] | None = None
    """Width and height of images from every camera of the scene [pixels]: colours and depth."""

    @classmethod
    def of(cls, value: Any) -> Keep | None:
        """Return what a caller wants: None is nothing, True the positions, a mapping the fields of a `Keep`."""
        if value is None or value is False or isinstance(value, Keep):
            return value or None
        if value is True:
            return cls()
        known = tuple(field.name for field in fields(cls))
        if not isinstance(value, Mapping):
            raise SuppleError(f"`keep` is {value!r}, but it must be True or name fields: {listed(known)}.")
        for name in value:
            if name not in known:
                raise SuppleError(
                    f"`keep` has no `{name}`. It has: {listed(known)}.{suggestion(name, known)}"
                )
        keep = cls(**value)
        if keep.every != int(keep.every) or keep.every < 1:
            raise SuppleError(
                f"`every` of `keep` is {keep.every!r}, but it must be a whole number, 1 or more."
            )
        return keep


class KeptFrames:
    """The frames of a run that is under way."""

    def __init__(self, keep: Keep, simulation: Simulation) -> None:
        """Begin with the start."""
        self._keep, self._simulation = keep, simulation
        self._frames: dict[str, list[NDArray[Any]]] = {}
        self._dimensions: dict[str, Dimensions] = {}
        self._cameras: tuple[Camera, ...] = simulation.scene.cameras if keep.images else ()
        self._counts = {name: len(simulation.positions(name)) for name in simulation.body_names}
        self._add(None)

    def add(self, report: StepReport) -> None:
        """Take a frame down if it is to be kept."""
        if report.frame % self._keep.every == 0:
            self._add(report)

    def _add(self, report: StepReport | None) -> None:
        simulation, keep = self._simulation, self._keep
        counts = {name: len(simulation.positions(name)) for name in simulation.body_names}
        if counts != self._counts:
            raise SuppleError(
                "a body was cut, torn or sewn, and the frames of a run hold one number of points throughout. "
                "Keep no frames of this sweep."
            )
        self._put("time", np.array(simulation.time), ())
        for column in REPORT_COLUMNS:
            self._put(column, np.array(float(getattr(report, column)) if report else np.nan), ())
        for name in simulation.body_names:
            vertex = (f"vertex_{name}", "axis")
            if keep.positions:
                self._put(f"positions_{name}", simulation.positions(name).astype(np.float32), vertex)
            if keep.velocities:
                self._put(f"velocities_{name}", simulation.velocities(name).astype(np.float32), vertex)
        for camera in self._cameras:
            assert keep.images is not None
            image = simulation.image(camera, keep.images)
            self._put(f"rgb_{camera.name}", image.rgb, ("row", "column", "channel"))
            self._put(f"depth_{camera.name}", image.depth, ("row", "column"))
            self._put(f"ids_{camera.name}", image.ids, ("row", "column"))

    def _put(self, name: str, array: NDArray[Any], dimensions: Dimensions) -> None:
        self._frames.setdefault(name, []).append(array)
        self._dimensions[name] = ("frame", *dimensions)

    def arrays(self) -> dict[str, tuple[NDArray[Any], Dimensions]]:
        """Return everything that was kept."""
        result = {name: (np.stack(rows), self._dimensions[name]) for name, rows in self._frames.items()}
        for name in self._simulation.body_names if self._keep.positions else ():
            triangles = self._simulation.triangles(name).astype(np.int32)
            result[f"triangles_{name}"] = (triangles, (f"triangle_{name}", "corner"))
        return result
