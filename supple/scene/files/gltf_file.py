"""The parts of glTF that every reader of it needs: the text, the arrays, and values between two keys."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.scene.rotations import slerp

Array = npt.NDArray[Any]

_KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    """A `.glb` or `.gltf` file, opened."""

    def __init__(self, path: Path) -> None:
        """Read the text; arrays are mapped when they are asked for."""
        self.path = path
        self._buffers: list[Array] = []
        with path.open("rb") as file:
            head = file.read(12)
            if head[:4] == b"glTF":
                chunk = file.read(8)
                length, kind = struct.unpack("<I4s", chunk) if len(chunk) == 8 else (0, b"")
                if kind != b"JSON":
                    raise SuppleError(f"{path} is broken: its text is missing.")
                text: bytes = file.read(length)
                start = 12 + 8 + length + 8
                size = path.stat().st_size
                if size > start:
                    self._buffers.append(np.memmap(path, np.uint8, "r", start))
            else:
                text = head + file.read()
        try:
            self.text: dict[str, Any] = dict(json.loads(text))
            for number, buffer in enumerate(self.text.get("buffers", [])):
                if number >= len(self._buffers):
                    self._buffers.append(self._outside(str(buffer["uri"])))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise SuppleError(f"{path} is no glTF file, or it is damaged.") from None

    def _outside(self, address: str) -> Array:
        if address.startswith("data:"):
            return np.frombuffer(base64.b64decode(address.partition(",")[2]), np.uint8)
        # Only files beside it: an address from elsewhere is never followed.
        name = Path(address).name
        return np.fromfile(self.path.parent / name, np.uint8)

    def entries(self, word: str) -> list[dict[str, Any]]:
        """Return the list of that name, empty if there is none."""
        return list(self.text.get(word, []))

    def array(self, number: int) -> Array:
        """Return the numbers behind an accessor: (count,) or (count, width), normalised integers as fractions."""
        try:
            accessor = self.text["accessors"][number]
            kind = np.dtype(_KINDS[accessor["componentType"]])
            width = _WIDTHS[accessor["type"]]
            if "sparse" in accessor or "bufferView" not in accessor:
                raise SuppleError(f"{self.path} holds sparse arrays, which we do not read.")
            view = self.text["bufferViews"][accessor["bufferView"]]
            buffer = self._buffers[view["buffer"]]
            row = width * kind.itemsize
            start = _size(view.get("byteOffset", 0)) + _size(accessor.get("byteOffset", 0))
            stride, count = _size(view.get("byteStride", row)), _size(accessor["count"])
            if stride < row:
                raise ValueError("stride")
            last = start + stride * max(count - 1, 0) + row
            if last > len(buffer):
                raise SuppleError(f"{self.path} is broken: an array ends behind the end of the file.")
            rows = np.lib.stride_tricks.as_strided(buffer[start:], (count, row), (stride, 1))
            values = np.ascontiguousarray(rows).view(kind).reshape(count, width)
        except (KeyError, IndexError, TypeError, ValueError):
            raise SuppleError(
                f"{self.path} is broken: array {number} is not described as it should be."
            ) from None
        if accessor.get("normalized") and kind.kind in "iu":
            values = np.maximum(values / np.float32(np.iinfo(kind).max), np.float32(-1.0))
        return values[:, 0] if width == 1 else values


def _size(value: Any) -> int:
    """Return a number of bytes or rows; a ValueError tells that it is none."""
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def between(
    times: Array, values: Array, moment: float, interpolation: str, *, is_turn: bool = False
) -> Array:
    """Return the value of an animation at a moment; it stands still before its first and after its last key.

    Args:
        times: (k,) of the keys [s]
        values: (k, n), or (k, 3, n) for splines: tangent in, value, tangent out
        moment: [s]
        interpolation: "LINEAR", "STEP" or "CUBICSPLINE"
        is_turn: whether values are quaternions x, y, z, w
    """
    is_spline = interpolation == "CUBICSPLINE"
    points = values[:, 1] if is_spline else values
    after = int(np.searchsorted(times, moment, side="right"))
    if after == 0 or after == len(times):
        return np.asarray(points[0 if after == 0 else -1])
    before = after - 1
    gap = float(times[after] - times[before])
    share = (moment - float(times[before])) / gap
    a, b = points[before], points[after]
    if interpolation == "STEP":
        return np.asarray(a)
    if is_spline:
        t, t2, t3 = share, share**2, share**3
        mixed = (
            (2 * t3 - 3 * t2 + 1) * a
            + gap * (t3 - 2 * t2 + t) * values[before, 2]
            + (3 * t2 - 2 * t3) * b
            + gap * (t3 - t2) * values[after, 0]
        )
        return np.asarray(mixed / np.linalg.norm(mixed) if is_turn else mixed)
    if not is_turn:
        return np.asarray(a + share * (b - a))
    return slerp(a, b, share)
