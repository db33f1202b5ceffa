"""Between Blender and supple: a scene file with its meshes goes out, point caches come back.

Nothing here needs Blender. supple runs as a program of its own, with whatever Python has it installed, so Blender's Python
needs only NumPy, which it has. Blender's Z is up, supple's Y; lengths are metres in both.
"""

from __future__ import annotations

import re
import shlex
import struct
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

HEAD = struct.Struct("<12siiffi")
MAGIC = b"POINTCACHE2\0"
CACHE = "cache.pc2"
SCENE = "scene.toml"

TO_SUPPLE = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""From Z up to Y up: what Blender calls -y, the viewer's side, is +z."""


class BridgeError(RuntimeError):
    """What went wrong, in words for the status bar."""


@dataclass(frozen=True)
class ClothObject:
    """A mesh that moves as cloth."""

    name: str
    points: Floats
    """(vertex_count, 3) in the world, Z up [m]."""

    triangles: Indices
    """(triangle_count, 3)"""

    matrix: Floats = field(default_factory=lambda: np.eye(4))
    """(4, 4) from the object's own axes to the world."""

    material: str = "cotton"
    pinned: tuple[int, ...] = ()
    """Vertices that are held where they are."""

    self_contact: bool = True


@dataclass(frozen=True)
class BodyObject:
    """A mesh that cloth meets, standing still or animated."""

    name: str
    samples: Sequence[Floats]
    """(vertex_count, 3) in the world for every frame, Z up [m]; one stands still."""

    triangles: Indices
    friction: float = 0.4
    shell: float = 0.004


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """Return for names of objects those they have in the scene file: letters, digits, - and _, each another one."""
    found: dict[str, str] = {}
    for name in names:
        base = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-_") or "object"
        safe, number = base, 2
        while safe in found.values():
            safe, number = f"{base}-{number}", number + 1
        found[name] = safe
    return found


def write_scene(
    folder: Path,
    cloths: Sequence[ClothObject],
    bodies: Sequence[BodyObject],
    *,
    frames: int,
    frame_rate: float,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    ground: float | None = None,
) -> dict[str, str]:
    """Write a scene file with its meshes; return the names that objects have in it.

    Args:
        folder: where to; made if it is not there
        cloths: what moves
        bodies: what they meet
        frames: how many are wanted after the first one
        frame_rate: of the animation [1/s]
        gravity: in Blender's axes [m/s²]
        ground: height of a floor [m]; None for none
    """
    if not cloths:
        raise BridgeError("no mesh is marked as cloth.")
    folder.mkdir(parents=True, exist_ok=True)
    names = safe_names([each.name for each in (*cloths, *bodies)])
    pull = TO_SUPPLE @ np.asarray(gravity, dtype=float)
    lines = [
        'title = "From Blender"',
        f"duration = {max(frames, 1) / frame_rate:.9g}",
        f"gravity = {_numbers(pull)}",
        "",
        "[simulation]",
        f"frame_rate = {frame_rate:.9g}",
    ]
    for cloth in cloths:
        own = names[cloth.name]
        if len(np.unique(cloth.triangles)) != len(cloth.points):
            raise BridgeError(f'"{cloth.name}" has vertices without a face: delete the loose ones.')
        _write_obj(folder / f"{own}.obj", cloth.points, cloth.triangles)
        lines += ["", f"[cloth.{own}]", f'mesh = "{own}.obj"', f'material = "{cloth.material}"']
        lines += [f'self_contact = "{"exact" if cloth.self_contact else "off"}"']
        if cloth.pinned:
            lines += [f"pin = [[{', '.join(map(str, cloth.pinned))}]]"]
    for body in bodies:
        own = names[body.name]
        if len(body.samples) == 1:
            _write_obj(folder / f"{own}.obj", body.samples[0], body.triangles)
            lines += ["", f"[obstacle.{own}]", f'mesh = "{own}.obj"']
        else:
            _write_obj(folder / f"{own}.rest.obj", body.samples[0], body.triangles)
            write_cache(folder / f"{own}.pc2", [points @ TO_SUPPLE.T for points in body.samples])
            lines += ["", f"[character.{own}]", f'file = "{own}.pc2"', f"sample_rate = {frame_rate:.9g}"]
        lines += [f"friction = {body.friction:.9g}", f"shell = {body.shell:.9g}"]
    if ground is not None:
        lines += ["", "[obstacle.ground]", f"plane = {{ offset = {ground:.9g} }}", "friction = 0.5"]
    (folder / SCENE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return names


def command(program: str, folder: Path) -> list[str]:
    """Return how supple is called; `program` is "supple", or another command line such as "python -m supple"."""
    words = shlex.split(program, posix=True)
    if not words:
        raise BridgeError("the command of supple is empty. Set it in the preferences of the add-on.")
    return [*words, "run", str(folder / SCENE), "--out", str(folder / CACHE), "--up", "z", "--force"]


def run(program: str, folder: Path, tell: Callable[[str], None] = lambda line: None) -> None:
    """Let supple compute the scene in a folder; `tell` hears each line that it says.

    Raises:
        BridgeError: if supple is not there, or refuses, with its own words
    """
    try:
        process = subprocess.Popen(
            command(program, folder), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
    except OSError as error:
        raise BridgeError(
            f"{program!r} cannot be started: {error.strerror or error}. Is supple installed?"
        ) from error
    said = []
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            said.append(line.rstrip())
            tell(said[-1])
    if process.wait() != 0:
        told = [line for line in said if line.startswith("error")] or said[-3:] or ["it said nothing."]
        raise BridgeError(f"supple could not compute the scene. {' '.join(told)}")


def collect(folder: Path, cloths: Sequence[ClothObject], names: dict[str, str]) -> dict[str, Path]:
    """Return the point cache of every cloth, in the object's own axes, as the modifier Mesh Cache wants it."""
    found = {}
    for cloth in cloths:
        own = folder / f"cache-{names[cloth.name]}.pc2"
        whole = folder / CACHE
        source = own if own.is_file() else whole
        if not source.is_file():
            raise BridgeError(f'supple has written no cache for "{cloth.name}".')
        samples = read_cache(source)
        if samples.shape[1] != len(cloth.points):
            raise BridgeError(
                f'the cache of "{cloth.name}" has {samples.shape[1]} points, the mesh {len(cloth.points)}.'
            )
        back = np.linalg.inv(cloth.matrix)
        target = folder / f"{names[cloth.name]}.blender.pc2"
        write_cache(target, [points @ back[:3, :3].T + back[:3, 3] for points in samples])
        found[cloth.name] = target
    return found


def read_cache(path: Path) -> Floats:
    """Return the (samples, points, 3) positions of a point cache."""
    data = path.read_bytes()
    if len(data) < HEAD.size or not data.startswith(MAGIC):
        raise BridgeError(f"{path.name} is no PC2 point cache.")
    _, _, points, _, _, samples = HEAD.unpack_from(data)
    if points <= 0 or samples <= 0 or len(data) < HEAD.size + 12 * points * samples:
        raise BridgeError(f"{path.name} is broken: it holds less than its head says.")
    numbers = np.frombuffer(data, "<f4", 3 * points * samples, HEAD.size)
    return numbers.reshape(samples, points, 3).astype(np.float64)


def write_cache(path: Path, samples: Sequence[Floats]) -> None:
    """Write positions, (points, 3) for each sample, as a point cache."""
    head = HEAD.pack(MAGIC, 1, len(samples[0]), 0.0, 1.0, len(samples))
    path.write_bytes(head + np.ascontiguousarray(samples, dtype="<f4").tobytes())


def _write_obj(path: Path, points: Floats, triangles: Indices) -> None:
    """Write a mesh in supple's axes."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in (np.asarray(points) @ TO_SUPPLE.T).tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (np.asarray(triangles) + 1).tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _numbers(values: Iterable[float]) -> str:
    return "[" + ", ".join(f"{value + 0.0:.9g}" for value in values) + "]"
