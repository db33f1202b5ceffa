"""Characters: animated figures from other programs, as obstacles in motion.

    figure = supple.read_character("walk.glb", friction=0.5)
    scene = supple.Scene(cape, *figure)

Obstacles are rigid, so a figure comes as parts that each move as a whole: every node of an animated scene, and of
a skinned figure every bone with the skin it mainly carries. Parts overlap at the joints, so that no gap opens when
a limb bends; the skin between two bones is thereby a little simpler than drawn. With `deforms` a skin comes as one
puppet instead, as it is drawn. A point cache is split into its connected pieces; those that deform come as
puppets, and so do meshes with morph targets and USD meshes whose points are animated.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.scene.bodies.puppet import Puppet
from supple.scene.error_messages import checked
from supple.scene.files.damage import telling_damage
from supple.scene.files.gltf_file import Gltf, between
from supple.scene.files.mesh_file import read_mesh
from supple.scene.files.point_cache import read_cache
from supple.scene.obstacles.character_skin import Skin, morphed, skinned
from supple.scene.obstacles.mesh_obstacle import Mesh
from supple.scene.obstacles.motion_track import Track
from supple.scene.placement import FloatArray, IndexArray
from supple.scene.rotations import quaternion_matrix, quaternion_of, rigid_fit

ENDINGS = (".glb", ".gltf", ".usd", ".usdc", ".usda", ".pc2")

SHARE = 0.3
"""Smallest weight of a bone at a corner of a triangle for the triangle to be part of it."""

RATE = 50.0
"""Samples of an animation a second, unless said otherwise [1/s]."""


@dataclass(frozen=True)
class Part:
    """A piece of a figure and where it is at every sample."""

    name: str
    vertices: FloatArray
    """(n, 3) in axes of its own [m]."""

    triangles: IndexArray
    matrices: FloatArray
    """(k, 4, 4) from those axes into the world, at every sample."""


def read_character(
    file: str | os.PathLike[str],
    *,
    name: str | None = None,
    scale: float = 1.0,
    start: float = 0.0,
    speed: float = 1.0,
    loop: bool = False,
    sample_rate: float = RATE,
    tolerance: float = 0.002,
    deforms: bool = False,
    **obstacle: Any,
) -> tuple[Mesh | Puppet, ...]:
    """Return an animated figure as obstacles, a rigid part each, and as puppets where it deforms.

    Args:
        file: .glb, .gltf, .usd, .usdc or .usda with an animation, or a .pc2 point cache with its `.rest.obj` mesh
        name: what the parts are called, each with its own name behind it; None takes the file's
        scale: factor on all lengths, for files in other units; USD tells its own
        start: moment at which the animation begins [s]
        speed: 2 plays it twice as fast
        loop: whether it starts again when it has ended
        sample_rate: samples a second taken of a glTF animation, and those a point cache has [1/s]; USD tells its own
        tolerance: how far a piece of a point cache may deform and still count as rigid [m]
        deforms: whether a skin on bones is one puppet that deforms, instead of a rigid part for every bone
        obstacle: keywords of `Mesh`: `friction`, `shell`, `accuracy`, ...; puppets know the first two
    """
    path = FilePath(file)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise SuppleError(f"{path} is no character we read: it must end in one of {', '.join(ENDINGS)}.")
    if not path.is_file():
        raise SuppleError(f"there is no file {path}.")
    if not (speed > 0.0 and scale > 0.0 and sample_rate > 0.0):
        raise SuppleError("the speed, the scale and the sample rate of a character must be more than 0.")
    with telling_damage(str(path)):
        if ending == ".pc2":
            parts, times = _cached_parts(path, sample_rate, tolerance)
        elif ending in (".glb", ".gltf"):
            parts, times = _gltf_parts(path, sample_rate, deforms)
        else:
            from supple.scene.files.usd_character import usd_parts

            parts, times = usd_parts(path, deforms)
        if not parts:
            raise SuppleError(f"{path} holds no mesh with triangles, so nothing can collide with it.")
        title = name or path.stem
        moments = start + times / speed
        return tuple(
            part.puppet(_as_name(f"{title} {part.name}".strip()), moments, scale, loop, obstacle)
            if isinstance(part, Skin)
            else _obstacle(part, title, moments, scale, loop, path, obstacle)
            for part in parts
        )


def _obstacle(
    part: Part,
    title: str,
    moments: FloatArray,
    scale: float,
    loop: bool,
    path: FilePath,
    options: dict[str, Any],
) -> Mesh:
    """Return a part as a mesh in the world's axes about its own centre, with its motion from there."""
    linear, places = part.matrices[:, :3, :3], part.matrices[:, :3, 3]
    sizes = np.linalg.norm(linear, axis=1)
    if not np.allclose(sizes, sizes[0], rtol=1e-3, atol=1e-9):
        raise SuppleError(f'"{part.name}" in {path} changes its size in the animation; obstacles are rigid.')
    turns = np.array([_rotation(matrix) for matrix in linear])
    own = part.vertices @ (turns[0].T @ linear[0]).T
    centre = own.mean(axis=0)
    own = scale * (own - centre)
    centres = scale * (places + turns @ centre)
    spins = np.array([quaternion_of(turn @ turns[0].T) for turn in turns])
    is_still = np.allclose(centres, centres[0], atol=1e-9) and np.allclose(turns, turns[0], atol=1e-9)
    motion = None
    if not is_still:
        motion = Track(moments=moments, places=centres - centres[0], spins=spins, loop=loop)
    x, y, z = centres[0].tolist()
    label = f"{title} {part.name}".strip()
    return Mesh(
        (own @ turns[0].T, part.triangles), name=_as_name(label), at=(x, y, z), motion=motion, **options
    )


def _rotation(matrix: FloatArray) -> FloatArray:
    """Return the rotation nearest to a matrix that also scales."""
    u, _, v = np.linalg.svd(matrix)
    turn: FloatArray = u @ np.diag([1.0, 1.0, np.linalg.det(u @ v)]) @ v
    return turn


def _as_name(label: str) -> str:
    kept = "".join(c if c.isalnum() or c in " .-_" else "-" for c in label)[:80].strip()
    return kept if kept[:1].isalnum() else f"part {kept}".strip()


def parts_of_skin(
    name: str,
    vertices: FloatArray,
    triangles: IndexArray,
    weights: FloatArray,
    bones: list[str],
    matrices: FloatArray,
) -> Iterator[Part]:
    """Yield the pieces of a skin, one for each bone that carries any of it.

    Args:
        name: of the mesh
        vertices: (n, 3) where the skin was bound [m]
        triangles: (t, 3)
        weights: (n, bone_count) of every bone at every vertex
        bones: their names
        matrices: (k, bone_count, 4, 4) from the bound skin into the world, at every sample
    """
    for bone, label in enumerate(bones):
        carried = weights[triangles, bone]
        leader = weights[triangles].sum(axis=1).argmax(axis=1) == bone
        own = triangles[leader | (carried.max(axis=1) >= SHARE)]
        if not leader.any():
            continue
        used, corners = np.unique(own, return_inverse=True)
        yield Part(label or name, vertices[used], corners.reshape(-1, 3), matrices[:, bone])


# ---------------------------------------------------------------- glTF


def _gltf_parts(path: FilePath, rate: float, deforms: bool) -> tuple[list[Part | Skin], FloatArray]:
    file = Gltf(path)
    channels: dict[tuple[int, str], tuple[Any, Any, str]] = {}
    for animation in file.entries("animations")[:1]:
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            mode = sampler.get("interpolation", "LINEAR")
            times, values = file.array(sampler["input"]), file.array(sampler["output"])
            if mode == "CUBICSPLINE":
                values = values.reshape(len(times), 3, -1)
            target = channel["target"]
            if "node" in target:
                channels[target["node"], target["path"]] = times, values, mode
    last = max((float(times[-1]) for times, _, _ in channels.values()), default=0.0)
    times = np.arange(round(last * rate) + 1) / rate
    world = _world_matrices(file, channels, times)
    parts: list[Part | Skin] = []
    for number, node in enumerate(file.entries("nodes")):
        if "mesh" not in node:
            continue
        label = str(node.get("name") or f"node {number}")
        for primitive in file.text["meshes"][node["mesh"]]["primitives"]:
            if primitive.get("mode", 4) != 4:
                continue
            vertices = np.asarray(file.array(primitive["attributes"]["POSITION"]), dtype=np.float64)
            triangles = (
                file.array(primitive["indices"]).astype(np.int64).reshape(-1, 3)
                if "indices" in primitive
                else np.arange(len(vertices)).reshape(-1, 3)
            )
            if "skin" in node:
                parts.extend(_gltf_skin(file, node, primitive, vertices, triangles, world, label, deforms))
            elif (number, "weights") in channels:
                weights = channels[number, "weights"]
                parts.append(
                    Skin(
                        label,
                        morphed(file, primitive, vertices, weights, times, world[:, number]),
                        triangles,
                    )
                )
            else:
                parts.append(Part(label, vertices, triangles, world[:, number]))
    return parts, times


def _gltf_skin(
    file: Gltf,
    node: dict[str, Any],
    primitive: dict[str, Any],
    vertices: FloatArray,
    triangles: IndexArray,
    world: FloatArray,
    label: str,
    deforms: bool,
) -> Iterator[Part | Skin]:
    skin = file.text["skins"][node["skin"]]
    joints = list(skin["joints"])
    bound = np.tile(np.eye(4), (len(joints), 1, 1))
    if "inverseBindMatrices" in skin:
        # Matrices are written column by column.
        bound = (
            file.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
        )
    attributes = primitive["attributes"]
    numbers = file.array(attributes["JOINTS_0"]).astype(np.int64)
    shares = np.asarray(file.array(attributes["WEIGHTS_0"]), dtype=np.float64)
    weights = np.zeros((len(vertices), len(joints)))
    np.add.at(weights, (np.arange(len(vertices))[:, None], numbers), shares)
    if deforms:
        yield Skin(label, skinned(vertices, weights, world[:, joints] @ bound), triangles)
        return
    names = [str(file.text["nodes"][joint].get("name") or f"bone {joint}") for joint in joints]
    yield from parts_of_skin(label, vertices, triangles, weights, names, world[:, joints] @ bound)


def _world_matrices(
    file: Gltf, channels: dict[tuple[int, str], tuple[Any, Any, str]], times: FloatArray
) -> FloatArray:
    """Return the (k, node_count, 4, 4) places of all nodes at every sample."""
    nodes = file.entries("nodes")
    local = np.tile(np.eye(4), (len(times), max(len(nodes), 1), 1, 1))
    for number, node in enumerate(nodes):
        if "matrix" in node:
            local[:, number] = np.array(node["matrix"]).reshape(4, 4).T
            continue
        fixed = {
            "translation": np.array(node.get("translation", (0.0, 0.0, 0.0))),
            "rotation": np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0))),
            "scale": np.array(node.get("scale", (1.0, 1.0, 1.0))),
        }
        for n, time in enumerate(times.tolist()):
            now = {}
            for word, value in fixed.items():
                channel = channels.get((number, word))
                is_turn = word == "rotation"
                now[word] = (
                    value
                    if channel is None
                    else between(channel[0], channel[1], time, channel[2], is_turn=is_turn)
                )
            local[n, number, :3, :3] = quaternion_matrix(now["rotation"]) * now["scale"]
            local[n, number, :3, 3] = now["translation"]
    world = local.copy()
    waiting = [(child, number) for number, node in enumerate(nodes) for child in node.get("children", ())]
    parents = dict(waiting)

    def placed(number: int, depth: int = 0) -> FloatArray:
        if depth > len(nodes):
            raise SuppleError(f"{file.path} is broken: a node is its own ancestor.")
        parent = parents.get(number)
        own: FloatArray = local[:, number]
        return own if parent is None else placed(parent, depth + 1) @ own

    for number in range(len(nodes)):
        world[:, number] = placed(number)
    return world


# ---------------------------------------------------------------- point caches


def _cached_parts(path: FilePath, rate: float, tolerance: float) -> tuple[list[Part | Skin], FloatArray]:
    rest = path.with_name(f"{path.stem}.rest.obj")
    if not rest.is_file():
        raise SuppleError(f"{path} needs the mesh it moves beside it: {rest.name}.")
    cache = read_cache(path)
    vertices, triangles = checked(read_mesh, rest, "rest mesh")
    if not np.isfinite(cache).all():
        raise SuppleError(f"{path} is damaged: a point of it is at no place.")
    if len(vertices) != cache.shape[1]:
        raise SuppleError(f"{path} has {cache.shape[1]} points, but {rest.name} has {len(vertices)}.")
    parts: list[Part | Skin] = []
    for number, own in enumerate(_pieces(len(vertices), triangles)):
        used, corners = np.unique(own, return_inverse=True)
        first = np.asarray(cache[0, used], dtype=np.float64)
        matrices = np.tile(np.eye(4), (len(cache), 1, 1))
        centre = first.mean(axis=0)
        for n in range(len(cache)):
            turn, place, left = rigid_fit(first, np.asarray(cache[n, used], dtype=np.float64))
            if left > tolerance:
                samples = np.asarray(cache[:, used], dtype=np.float64)
                parts.append(Skin(f"piece {number + 1}", samples, corners.reshape(-1, 3)))
                break
            matrices[n, :3, :3], matrices[n, :3, 3] = turn, place - turn @ centre
        else:
            parts.append(Part(f"piece {number + 1}", first, corners.reshape(-1, 3), matrices))
    return parts, np.arange(len(cache)) / rate


def _pieces(vertex_count: int, triangles: IndexArray) -> Iterator[IndexArray]:
    """Yield the triangles of each connected piece of a mesh."""
    labels = np.arange(vertex_count)
    while True:
        lowest = labels[triangles].min(axis=1)
        before = labels.copy()
        np.minimum.at(labels, triangles, lowest[:, None])
        labels = labels[
            labels
        ]  # a label points at a vertex whose label is lower still: halves the way each time
        if np.array_equal(labels, before):
            break
    owners = labels[triangles[:, 0]]
    for owner in np.unique(owners).tolist():
        yield triangles[owners == owner]
