"""glTF in one binary file (`.glb`): for Unity, Unreal, Godot, three.js, Blender, and the viewers of every system.

Each body is a mesh whose shapes are morph targets, one for every frame kept, and an animation of their weights.
Frames that a straight line shows within `tolerance` are left out (`supple.record.formats.thinning`). Obstacles that
move have an animation of their place and rotation. glTF is in metres with Y up, as we are.
"""

from __future__ import annotations

import itertools
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.normals import vertex_normals
from supple.record.formats.thinning import kept_frames
from supple.record.frame import BodyShape
from supple.record.frame_folder import DeferredWriter
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan
from supple.render.colours import linear_colour
from supple.scene.rotations import quaternion_of

TOLERANCE = 0.0005
"""Largest distance of a point from where it was, unless said otherwise [m]."""

MOST_SHAPES = 2000
"""Morph targets a body may have: each key of the animation holds a weight for every one of them."""

FLOAT, UNSIGNED = 5126, 5125
ARRAY, ELEMENTS = 34962, 34963
TRIANGLES, LINES = 4, 1


class GlbFile(DeferredWriter):
    """Writer of `.glb` files."""

    takes_changes = False
    takes_conventions = False

    def __init__(self, path: Path, plan: Plan, *, tolerance: float = TOLERANCE) -> None:
        """See `Writer`.

        Args:
            path: the file to write
            plan: what will come
            tolerance: largest distance of a point from where it was, in frames left out [m]
        """
        if not 0.0 <= tolerance <= 1.0e3:
            raise SuppleError(f"the tolerance is {tolerance:g} m, but it must be 0 or more.")
        self._tolerance = tolerance
        super().__init__(path, plan)

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Write the arrays one after the other, and the text that tells of them in front."""
        if recording.shape_changes():
            raise SuppleError(
                f"cannot write {self.path}: a body was cut, torn or sewn, and morph targets have one number of points. "
                "Use .usd, .npz, .vtu, .ply or .obj."
            )
        part = self.path.with_name(self.path.name + ".tmp")
        try:
            with part.open("w+b") as file:
                _Builder(recording, self._tolerance, file, self).build()
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
            part.with_name(part.name + ".bin").unlink(missing_ok=True)
        return [self.path]


class _Builder:
    """Everything a `.glb` file holds, collected and written."""

    def __init__(
        self, recording: RecordingReader, tolerance: float, file: IO[bytes], writer: GlbFile
    ) -> None:
        self._recording = recording
        self._tolerance = tolerance
        self._file = file
        self._writer = writer
        self._length = 0
        self._moving: list[dict[str, Any]] = []
        self._samplers: list[dict[str, Any]] = []
        self.text: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "supple"},
            "scene": 0,
            "scenes": [{"nodes": []}],
            "nodes": [],
            "meshes": [],
            "materials": [],
            "accessors": [],
            "bufferViews": [],
        }

    def build(self) -> None:
        """Write the file: the arrays go into it behind room for the text, which is known last."""
        recording = self._recording
        first = recording[0]
        # The text has no length yet, so arrays go to a file of their own and are copied behind it.
        path = Path(self._file.name)
        with path.with_name(path.name + ".bin").open("w+b") as self._arrays:
            for name, shape in first.shapes.bodies.items():
                self._body(name, shape)
            for name in first.shapes.solids:
                self._solid(name)
            if self._moving:
                self.text["animations"] = [
                    {"name": "recording", "channels": self._moving, "samplers": self._samplers}
                ]
            self.text["asset"]["extras"] = {
                "frame_rate": recording.frame_rate,
                "frame_count": len(recording),
                "start": float(recording.times[0]),
                "tolerance": self._tolerance,
            }
            self.text["buffers"] = [{"byteLength": self._length}]
            self._assemble()

    def _assemble(self) -> None:
        text = json.dumps(self.text, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + self._length
        if total >= 1 << 32:
            raise SuppleError("a .glb cannot be larger than 4 GB. Raise the tolerance, or write .usd.")
        self._file.write(struct.pack("<4sII", b"glTF", 2, total))
        self._file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        self._file.write(struct.pack("<I4s", self._length, b"BIN\0"))
        self._arrays.seek(0)
        while block := self._arrays.read(1 << 20):
            self._file.write(block)

    # ------------------------------------------------------------------ bodies

    def _body(self, name: str, shape: BodyShape) -> None:
        """Add a body: its first frame, and the others as morph targets with an animation of their weights."""
        recording = self._recording
        shown = self._shown_frames(name)
        base = np.array(recording[0].points[name], dtype=np.float32)
        primitive, normals, corners = self._primitive(name, shape, base)
        targets = [
            self._morph_target(
                np.array(recording[number].points[name], dtype=np.float32), base, normals, corners
            )
            for number in shown[1:]
        ]
        extras = {"kind": shape.kind, "colour": shape.colour, "fabric": shape.fabric}
        mesh: dict[str, Any] = {"name": name, "primitives": [primitive], "extras": extras}
        if targets:
            primitive["targets"] = targets
            mesh["weights"] = [0.0] * len(targets)
        node = self._node({"name": name, "mesh": len(self.text["meshes"])})
        self.text["meshes"].append(mesh)
        if targets:
            # Key k has weight 1 for the k-th shape alone; the first key is the base itself.
            times = recording.times[shown] - recording.times[0]
            weights = np.eye(len(shown), len(targets), -1, dtype=np.float32)
            self._channel(node, "weights", times, weights.ravel())

    def _primitive(
        self, name: str, shape: BodyShape, base: npt.NDArray[Any]
    ) -> tuple[dict[str, Any], npt.NDArray[Any] | None, npt.NDArray[np.int64]]:
        """Return the primitive of a body's first frame, its normals (None without faces) and its corners."""
        has_faces = len(shape.triangles) > 0
        corners = np.ascontiguousarray(shape.triangles if has_faces else shape.edges, dtype=np.int64)
        attributes = {"POSITION": self._array(base, ARRAY, with_bounds=True)}
        normals = None
        if has_faces:
            normals = np.zeros_like(base)
            vertex_normals(base, corners, normals)
            attributes["NORMAL"] = self._array(normals, ARRAY)
            if len(shape.coordinates):
                flat = np.asarray(shape.coordinates, dtype=np.float32) * (1.0, -1.0)
                attributes["TEXCOORD_0"] = self._array(flat.astype(np.float32), ARRAY)
        primitive: dict[str, Any] = {
            "attributes": attributes,
            "indices": self._array(corners.astype("<u4").ravel(), ELEMENTS),
            "mode": TRIANGLES if has_faces else LINES,
            "material": self._material(name, shape.colour, is_thin=True),
        }
        return primitive, normals, corners

    def _morph_target(
        self,
        places: npt.NDArray[Any],
        base: npt.NDArray[Any],
        normals: npt.NDArray[Any] | None,
        corners: npt.NDArray[np.int64],
    ) -> dict[str, int]:
        """Return the morph target that takes the first frame to `places`."""
        target = {"POSITION": self._array(places - base, ARRAY, with_bounds=True)}
        if normals is not None:
            turned = np.zeros_like(base)
            vertex_normals(places, corners, turned)
            target["NORMAL"] = self._array(turned - normals, ARRAY)
        return target

    def _shown_frames(self, name: str) -> list[int]:
        """Return the frames of a body that become morph targets, or say that they are too many."""
        kept = self._kept(name)
        if len(kept) > MOST_SHAPES:
            raise SuppleError(
                f'"{name}" needs {len(kept)} shapes at a tolerance of {self._tolerance:g} m, and a .glb takes at most '
                f"{MOST_SHAPES}. Raise the tolerance, or write .usd or .pc2."
            )
        return kept

    def _kept(self, name: str) -> list[int]:
        recording = self._recording

        def frames() -> Iterator[npt.NDArray[Any]]:
            for number in range(len(recording)):
                self._writer.told(number + 1, len(recording))
                yield np.asarray(recording[number].points[name])

        return kept_frames(frames(), recording.times, self._tolerance)

    # ------------------------------------------------------------------ obstacles

    def _solid(self, name: str) -> None:
        recording = self._recording
        solid = recording[0].shapes.solids[name]
        poses = [recording[number].poses[name] for number in range(len(recording))]
        places = np.array([place for place, _ in poses], dtype=np.float32)
        turns = np.array([quaternion_of(turn) for _, turn in poses], dtype=np.float32)
        for before, after in itertools.pairwise(turns):
            if before @ after < 0.0:  # the same turn with the other sign, or players go the long way round
                after *= -1.0
        # Without normals viewers shade every triangle flat, which is right for edges and good enough for balls.
        vertices = np.asarray(solid.vertices, dtype=np.float32)
        mesh = {
            "name": name,
            "primitives": [
                {
                    "attributes": {"POSITION": self._array(vertices, ARRAY, with_bounds=True)},
                    "indices": self._array(np.asarray(solid.triangles).astype("<u4").ravel(), ELEMENTS),
                    "mode": TRIANGLES,
                    "material": self._material(name, solid.colour, is_thin=False),
                }
            ],
            "extras": {"kind": solid.kind, "colour": solid.colour, "obstacle": True},
        }
        node = self._node(
            {
                "name": name,
                "mesh": len(self.text["meshes"]),
                "translation": places[0].tolist(),
                "rotation": turns[0].tolist(),
            }
        )
        self.text["meshes"].append(mesh)
        times = recording.times - recording.times[0]
        if not (places == places[0]).all():
            self._channel(node, "translation", times, places)
        if not (turns == turns[0]).all():
            self._channel(node, "rotation", times, turns)

    # ------------------------------------------------------------------ pieces

    def _node(self, node: dict[str, Any]) -> int:
        self.text["nodes"].append(node)
        number = len(self.text["nodes"]) - 1
        self.text["scenes"][0]["nodes"].append(number)
        return number

    def _material(self, name: str, colour: str, *, is_thin: bool) -> int:
        red, green, blue = linear_colour(colour).tolist()
        roughness = 0.85 if is_thin else 0.55
        surface = {
            "baseColorFactor": [red, green, blue, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": roughness,
        }
        self.text["materials"].append({"name": name, "pbrMetallicRoughness": surface, "doubleSided": is_thin})
        return len(self.text["materials"]) - 1

    def _channel(self, node: int, path: str, times: npt.NDArray[Any], values: npt.NDArray[Any]) -> None:
        sampler = {
            "input": self._array(times.astype(np.float32), None, with_bounds=True),
            "output": self._array(values.astype(np.float32), None),
            "interpolation": "LINEAR",
        }
        self._samplers.append(sampler)
        self._moving.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})

    def _array(self, array: npt.NDArray[Any], target: int | None, *, with_bounds: bool = False) -> int:
        """Write an array and return the number of its accessor."""
        data = np.ascontiguousarray(array).tobytes()
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._length, "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        self._arrays.write(data + bytes(-len(data) % 4))
        self._length += len(data) + (-len(data) % 4)
        accessor: dict[str, Any] = {
            "bufferView": len(self.text["bufferViews"]),
            "componentType": UNSIGNED if array.dtype.kind == "u" else FLOAT,
            "count": len(array),
            "type": "SCALAR" if array.ndim == 1 else f"VEC{array.shape[1]}",
        }
        if with_bounds:
            accessor["min"] = np.atleast_1d(array.min(axis=0)).tolist()
            accessor["max"] = np.atleast_1d(array.max(axis=0)).tolist()
        self.text["bufferViews"].append(view)
        self.text["accessors"].append(accessor)
        return len(self.text["accessors"]) - 1
