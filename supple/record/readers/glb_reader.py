"""Read the `.glb` files that supple writes: morph targets and their weights become frames again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.convention import OURS
from supple.record.frame import BodyShape, Frame, Shapes, SolidShape
from supple.record.readers.frame_check import checked_count
from supple.record.readers.recording_reader import RecordingReader
from supple.scene.files.gltf_file import Gltf, between
from supple.scene.rotations import quaternion_matrix

Array = npt.NDArray[Any]


class GlbReader(RecordingReader):
    """Frames of an animated `.glb`, at the frame rate it was recorded with."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Open one; see `RecordingReader`."""
        super().__init__(path, as_stored=as_stored)
        if not path.is_file():
            raise FileNotFoundError(path)
        self._file = Gltf(path)
        facts = self._file.text.get("asset", {}).get("extras", {})
        if "frame_rate" not in facts:
            raise SuppleError(f"{path} is no recording of supple: it does not tell its frame rate.")
        self.frame_rate = float(facts["frame_rate"])
        self.convention = OURS
        count = checked_count(int(facts["frame_count"]))
        self.times = float(facts["start"]) + np.arange(count) / self.frame_rate
        self.reports = {}
        self._channels: dict[tuple[int, str], tuple[Array, Array]] = {}
        for animation in self._file.entries("animations")[:1]:
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                key = (channel["target"]["node"], channel["target"]["path"])
                self._channels[key] = self._file.array(sampler["input"]), self._file.array(sampler["output"])
        self._read_shapes()

    def _read_shapes(self) -> None:
        file = self._file
        bodies: dict[str, BodyShape] = {}
        solids: dict[str, SolidShape] = {}
        self._nodes: dict[str, int] = {}
        self._targets: dict[str, list[int]] = {}
        self._bases: dict[str, Array] = {}
        for number, node in enumerate(file.entries("nodes")):
            mesh = file.text["meshes"][node["mesh"]]
            (primitive,) = mesh["primitives"]
            told = mesh.get("extras", {})
            name = str(node["name"])
            points = file.array(primitive["attributes"]["POSITION"])
            corners = file.array(primitive["indices"]).astype(np.int64)
            self._nodes[name] = number
            colour = told.get("colour", "#d2455c")
            if told.get("obstacle"):
                solids[name] = SolidShape(told["kind"], points, corners.reshape(-1, 3), colour)
                continue
            is_surface = primitive.get("mode", 4) == 4
            triangles = corners.reshape(-1, 3) if is_surface else np.zeros((0, 3), np.int64)
            edges = np.zeros((0, 2), np.int64) if is_surface else corners.reshape(-1, 2)
            flat = np.zeros((0, 2))
            if "TEXCOORD_0" in primitive["attributes"]:
                flat = file.array(primitive["attributes"]["TEXCOORD_0"]) * (1.0, -1.0)
            fabric = str(told.get("fabric", "cotton"))
            kind = told.get("kind", "cloth")
            bodies[name] = BodyShape(kind, len(points), triangles, edges, flat, colour, fabric)
            self._bases[name] = points
            self._targets[name] = [target["POSITION"] for target in primitive.get("targets", [])]
        self._shapes = Shapes(bodies, solids)

    def stored(self, number: int) -> Frame:
        """Return a frame: the shapes around its moment, mixed as players do."""
        moment = float(self.times[number] - self.times[0])
        points = {}
        for name, base in self._bases.items():
            points[name] = base
            channel = self._channels.get((self._nodes[name], "weights"))
            if channel is not None:
                times, flat = channel
                weights = between(times, flat.reshape(len(times), -1), moment, "LINEAR")
                for target in np.flatnonzero(weights).tolist():
                    points[name] = points[name] + weights[target] * self._file.array(
                        self._targets[name][target]
                    )
        poses = {}
        for name in self._shapes.solids:
            node = self._file.text["nodes"][self._nodes[name]]
            place = np.array(node.get("translation", (0.0, 0.0, 0.0)))
            turn = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)))
            for path in ("translation", "rotation"):
                channel = self._channels.get((self._nodes[name], path))
                if channel is not None:
                    value = between(*channel, moment, "LINEAR", is_turn=path == "rotation")
                    place, turn = (value, turn) if path == "translation" else (place, value)
            poses[name] = np.asarray(place, np.float64), quaternion_matrix(turn)
        return Frame(number, float(self.times[number]), self._shapes, points, poses)

    def shape_changes(self) -> bool:
        """Morph targets never do."""
        return False
