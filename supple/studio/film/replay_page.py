"""Recording and player in one HTML file that opens from disk in any browser, without a server.

Points are kept as parts of a box around each body for all frames, on a grid of `STEPS` steps a side, as second
differences in time: motion is smooth, so most of them are small, and gzip makes little of them. The layout, before gzip
and base64:

    length of a JSON text (uint32), the text, zeros up to a multiple of 4
    for each world its geometry message (`supple.studio.connection.protocol`), padded with zeros to a multiple of 8
    for each segment of frames with the same world
        boxes of its bodies, 4 float32 each; poses of its solids, 7 float32 each, frame by frame
        low bytes, then high bytes of the second differences, (frame, axis, point) int16, padded to a multiple of 4
"""

from __future__ import annotations

import base64
import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.record.frame import Frame
from supple.record.frame_folder import DeferredWriter
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan
from supple.studio.connection.server import PAGE as STATIC
from supple.studio.film.recording_packing import RecordingPacker, pose_of
from supple.studio.film.recording_server import page_is_built

PAGE = "replay.html"

STEPS = 8191
"""Steps from the middle of a body's box to its side: a tenth of a millimetre on a body of two metres."""

STYLE = '<link rel="stylesheet" href="replay.css" />'
ICON = '<link rel="icon" href="icon.svg" />'
SCRIPT = '<script type="module" src="replay.js"></script>'


class ReplayPage(DeferredWriter):
    """Writer of `.html` replays."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        if not page_is_built(PAGE):
            raise SuppleError(
                f"cannot write {path}: the studio's page has not been built. Run `python scripts/build_page.py`."
            )
        super().__init__(path, plan)

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Write the page; it appears when it is whole."""
        part = self.path.with_name(self.path.name + ".tmp")
        try:
            name = self.path.stem
            part.write_text(replay_html(recording, name, told=self.told), encoding="utf-8")
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
        return [self.path]


def replay_html(recording: RecordingReader, name: str, told: Any = None) -> str:
    """Return a page that plays a recording.

    Args:
        recording: what to play
        name: what to call it
        told: called with frames done and all frames
    """
    data = base64.b64encode(gzip.compress(packed_recording(recording, name, told), mtime=0)).decode()
    page = (STATIC / PAGE).read_text(encoding="utf-8")
    style = (STATIC / "replay.css").read_text(encoding="utf-8")
    script = (STATIC / "replay.js").read_text(encoding="utf-8").replace("</script", "<\\/script")
    for place in (STYLE, ICON, SCRIPT):
        if page.count(place) != 1:
            raise SuppleError(
                "the studio's page does not fit this version. Run `python scripts/build_page.py`."
            )
    return (
        page.replace(ICON, "")
        .replace(STYLE, f"<style>{style}</style>")
        .replace(
            SCRIPT,
            f'<script type="application/gzip" id="recording">{data}</script>\n'
            f'    <script type="module">{script}</script>',
        )
    )


def packed_recording(recording: RecordingReader, name: str, told: Any = None) -> bytes:
    """Return a recording as the page reads it from its own file."""
    packer = RecordingPacker(recording)
    count = len(recording)
    worlds = []
    for number in range(count):
        worlds.append(packer.world_of(recording[number]))
    ends = [n for n in range(1, count) if worlds[n] != worlds[n - 1]]
    segments = list(zip([0, *ends], [*ends, count], strict=True))
    blocks: list[bytes] = []
    for first, last in segments:
        blocks += _segment([recording[number] for number in range(first, last)])
        if told is not None:
            told(last, count)
    geometries = [_padded(packer.geometry(world), 8) for world in range(max(worlds) + 1)]
    about = {
        "name": name,
        "rate": recording.frame_rate,
        "times": np.round(recording.times, 6).tolist(),
        "steps": STEPS,
        "worlds": [len(geometry) for geometry in geometries],
        "segments": [{"world": worlds[first], "frames": last - first} for first, last in segments],
    }
    text = json.dumps(about).encode()
    head = struct.pack("<I", len(text)) + text
    # Geometries begin at a multiple of eight bytes, as their arrays want it.
    return b"".join([_padded(head, 8), *geometries, *blocks])


def _segment(frames: list[Frame]) -> list[bytes]:
    """Return boxes, poses and points of frames whose bodies have the same vertices."""
    bodies, solids = frames[0].points, frames[0].shapes.solids
    boxes, differences = [], []
    for name in bodies:
        points = np.stack([np.asarray(frame.points[name], dtype=np.float64) for frame in frames])
        finite = np.isfinite(points).all(axis=2)
        seen = points[finite] if finite.any() else np.zeros((1, 3))
        low, high = seen.min(axis=0), seen.max(axis=0)
        centre = (0.5 * (low + high)).astype(np.float32).astype(np.float64)
        half = float(np.float32(0.5 * (high - low).max() * 1.0001 + 1e-6))
        boxes.append(np.append(centre, half))
        parts = np.nan_to_num(np.rint((points - centre) * (STEPS / half)), nan=0.0)
        differences.append(second_differences(np.clip(parts, -STEPS, STEPS).astype(np.int16)))
    poses = [pose_of(frame, name) for frame in frames for name in solids]
    joined = np.concatenate([block.transpose(0, 2, 1) for block in differences], axis=2)
    words = np.ascontiguousarray(joined).view(np.uint16)
    return [
        np.array(boxes, dtype="<f4").tobytes(),
        np.array(poses, dtype="<f4").tobytes(),
        _padded((words & 0xFF).astype(np.uint8).tobytes() + (words >> 8).astype(np.uint8).tobytes(), 4),
    ]


def second_differences(parts: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return what cannot be guessed from the two frames before, modulo 2¹⁶, (frame, point, axis)."""
    result = parts.copy()
    result[1:] -= parts[:-1]
    result[2:] -= parts[1:-1] - parts[:-2]
    return result


def _padded(data: bytes, multiple: int) -> bytes:
    return data + bytes(-len(data) % multiple)
