"""A figure that walks: a trunk on two legs, each of a thigh and a shin, made here and written in several formats."""

from __future__ import annotations

import json
import math
import struct

import numpy as np

from supple.scene.obstacles.mesh_parts import rounded_box
from supple.scene.rotations import quaternion_of

BONES = ("trunk", "left thigh", "left shin", "right thigh", "right shin")
PARENTS = (None, 0, 1, 0, 3)
JOINTS = np.array([[0, 0.9, 0], [0.12, 0, 0], [0, -0.42, 0], [-0.12, 0, 0], [0, -0.42, 0]], dtype=float)
"""Where each bone begins, seen from its parent [m]."""

SIZES = ((0.4, 0.6, 0.24), (0.16, 0.46, 0.18), (0.13, 0.46, 0.14), (0.16, 0.46, 0.18), (0.13, 0.46, 0.14))
CENTRES = ((0, 0.28, 0), (0, -0.2, 0), (0, -0.2, 0), (0, -0.2, 0), (0, -0.2, 0))
SECONDS = 1.2


def about_x(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def turned_and_placed(turn, place):
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, place
    return matrix


def local_matrices(time):
    """Return the (bone_count, 4, 4) places of the bones in their parents at a moment [s]."""
    swing = 0.6 * math.sin(2 * math.pi * time / SECONDS)
    turns = [
        np.eye(3),
        about_x(swing),
        about_x(0.3 + 0.3 * math.sin(4.0 * time)),
        about_x(-swing),
        about_x(0.3),
    ]
    places = JOINTS.copy()
    places[0] += (0.0, 0.03 * math.cos(10.0 * time), 0.8 * time)
    return np.array([turned_and_placed(turn, place) for turn, place in zip(turns, places, strict=True)])


def world_matrices(time):
    local = local_matrices(time)
    world = []
    for bone, parent in enumerate(PARENTS):
        world.append(local[bone] if parent is None else world[parent] @ local[bone])
    return np.array(world)


def limbs():
    """Return vertices and triangles of every bone's piece, in the bone's own axes."""
    pieces = []
    for size, centre in zip(SIZES, CENTRES, strict=True):
        vertices, triangles = rounded_box(size, 0.04, spacing=0.12, segments=2)
        pieces.append((vertices + np.array(centre), triangles))
    return pieces


def bound_skin():
    """Return vertices, triangles and bone of every vertex of the whole figure, where it stands at the start."""
    rest = rest_matrices()
    vertices, triangles, owners, first = [], [], [], 0
    for bone, (points, corners) in enumerate(limbs()):
        vertices.append(points @ rest[bone][:3, :3].T + rest[bone][:3, 3])
        triangles.append(corners + first)
        owners.append(np.full(len(points), bone))
        first += len(points)
    return np.concatenate(vertices), np.concatenate(triangles), np.concatenate(owners)


def rest_matrices():
    world = []
    for parent, place in zip(PARENTS, JOINTS, strict=True):
        local = turned_and_placed(np.eye(3), place)
        world.append(local if parent is None else world[parent] @ local)
    return np.array(world)


class Glb:
    """Just enough to write a file."""

    def __init__(self):
        self.text = {"asset": {"version": "2.0"}, "scene": 0, "accessors": [], "bufferViews": []}
        self.data = b""

    def add(self, array, kind):
        array = np.ascontiguousarray(array)
        codes = {"f": 5126, "u4": 5125, "u2": 5123}
        code = codes["f"] if array.dtype.kind == "f" else codes[array.dtype.str[1:]]
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        self.data += array.tobytes() + bytes(-array.nbytes % 4)
        self.text["bufferViews"].append(view)
        entry = {"bufferView": len(self.text["bufferViews"]) - 1, "componentType": code, "type": kind}
        self.text["accessors"].append({**entry, "count": len(array)})
        return len(self.text["accessors"]) - 1

    def write(self, path):
        self.text["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.text).encode()
        text += b" " * (-len(text) % 4)
        head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(self.data))
        chunk = struct.pack("<I4s", len(text), b"JSON") + text
        path.write_bytes(head + chunk + struct.pack("<I4s", len(self.data), b"BIN\0") + self.data)


def write_glb(path, *, is_skinned):
    """Write the walk as a skinned figure, or as nodes that carry a rigid piece each."""
    file = Glb()
    times = np.linspace(0.0, SECONDS, 61, dtype="<f4")
    samples = np.array([local_matrices(float(time)) for time in times])
    nodes = [
        {
            "name": name,
            "translation": place.tolist(),
            "children": [c for c, p in enumerate(PARENTS) if p == bone],
        }
        for bone, (name, place) in enumerate(zip(BONES, JOINTS, strict=True))
    ]
    channels, samplers = [], []
    moments = file.add(times, "SCALAR")
    for bone in range(len(BONES)):
        turns = np.array([quaternion_of(matrix[:3, :3]) for matrix in samples[:, bone]], dtype="<f4")
        for word, values, kind in (
            ("rotation", turns, "VEC4"),
            ("translation", samples[:, bone, :3, 3].astype("<f4"), "VEC3"),
        ):
            samplers.append({"input": moments, "output": file.add(values, kind)})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": bone, "path": word}})
    meshes = []
    if is_skinned:
        vertices, triangles, owners = bound_skin()
        joints = np.zeros((len(vertices), 4), dtype="<u2")
        joints[:, 0] = owners
        weights = np.zeros((len(vertices), 4), dtype="<f4")
        weights[:, 0] = 1.0
        attributes = {
            "POSITION": file.add(vertices.astype("<f4"), "VEC3"),
            "JOINTS_0": file.add(joints, "VEC4"),
            "WEIGHTS_0": file.add(weights, "VEC4"),
        }
        indices = file.add(triangles.astype("<u4").ravel(), "SCALAR")
        meshes.append({"primitives": [{"attributes": attributes, "indices": indices}]})
        bound = np.linalg.inv(rest_matrices()).transpose(0, 2, 1).reshape(-1, 16).astype("<f4")
        file.text["skins"] = [{"joints": list(range(5)), "inverseBindMatrices": file.add(bound, "MAT4")}]
        nodes.append({"name": "skin", "mesh": 0, "skin": 0})
    else:
        for bone, (points, corners) in enumerate(limbs()):
            position = file.add(points.astype("<f4"), "VEC3")
            indices = file.add(corners.astype("<u4").ravel(), "SCALAR")
            meshes.append({"primitives": [{"attributes": {"POSITION": position}, "indices": indices}]})
            nodes[bone]["mesh"] = bone
    file.text |= {
        "nodes": nodes,
        "meshes": meshes,
        "scenes": [{"nodes": [0, *range(5, len(nodes))]}],
        "animations": [{"channels": channels, "samplers": samplers}],
    }
    file.write(path)


def write_usd(path, *, is_skinned, metres=0.01):
    """Write the walk with USD's own library, in centimetres with Z up."""
    from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, Vt

    turn = np.eye(4)
    turn[:3, :3] = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]) / metres
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, metres)
    stage.SetTimeCodesPerSecond(25.0)
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(30.0)

    def gf(matrix):
        return Gf.Matrix4d(*matrix.T.ravel().tolist())

    def fill(mesh, points, corners):
        mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(points, dtype=np.float32)))
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray([3] * len(corners)))
        mesh.CreateFaceVertexIndicesAttr(Vt.IntArray(corners.ravel().tolist()))

    if not is_skinned:
        root = UsdGeom.Xform.Define(stage, "/Walker")
        root.AddTransformOp().Set(gf(turn))
        for bone, (points, corners) in enumerate(limbs()):
            mesh = UsdGeom.Mesh.Define(stage, f"/Walker/{BONES[bone].replace(' ', '_')}")
            fill(mesh, points, corners)
            operation = mesh.AddTransformOp()
            for code in range(31):
                operation.Set(gf(world_matrices(code / 25.0)[bone]), float(code))
        stage.Save()
        return
    UsdSkel.Root.Define(stage, "/Walker")
    UsdGeom.Xformable(stage.GetPrimAtPath("/Walker")).AddTransformOp().Set(gf(turn))
    skeleton = UsdSkel.Skeleton.Define(stage, "/Walker/Skeleton")
    paths = []
    for bone, parent in enumerate(PARENTS):
        own = BONES[bone].replace(" ", "_")
        paths.append(own if parent is None else f"{paths[parent]}/{own}")
    skeleton.CreateJointsAttr(paths)
    skeleton.CreateBindTransformsAttr(Vt.Matrix4dArray([gf(matrix) for matrix in rest_matrices()]))
    skeleton.CreateRestTransformsAttr(
        Vt.Matrix4dArray([gf(turned_and_placed(np.eye(3), place)) for place in JOINTS])
    )
    animation = UsdSkel.Animation.Define(stage, "/Walker/Walk")
    animation.CreateJointsAttr(paths)
    for code in range(31):
        local = local_matrices(code / 25.0)
        turns = [quaternion_of(matrix[:3, :3]).tolist() for matrix in local]
        animation.CreateRotationsAttr().Set(
            Vt.QuatfArray([Gf.Quatf(w, x, y, z) for x, y, z, w in turns]), code
        )
        places = np.ascontiguousarray(local[:, :3, 3], dtype=np.float32)
        animation.CreateTranslationsAttr().Set(Vt.Vec3fArray.FromNumpy(places), code)
    animation.CreateScalesAttr(Vt.Vec3hArray([Gf.Vec3h(1, 1, 1)] * 5))
    vertices, triangles, owners = bound_skin()
    mesh = UsdGeom.Mesh.Define(stage, "/Walker/Skin")
    fill(mesh, vertices, triangles)
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateJointIndicesPrimvar(False, 1).Set(Vt.IntArray(owners.tolist()))
    binding.CreateJointWeightsPrimvar(False, 1).Set(Vt.FloatArray([1.0] * len(owners)))
    binding.CreateSkeletonRel().SetTargets([Sdf.Path("/Walker/Skeleton")])
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets(
        [Sdf.Path("/Walker/Walk")]
    )
    stage.Save()


def write_point_cache(path, *, deforms=False):
    """Write the walk as a point cache at 50 samples a second, with its rest mesh."""
    vertices, triangles, owners = bound_skin()
    rest = np.linalg.inv(rest_matrices())
    frames = []
    for n in range(61):
        moved = world_matrices(n / 50.0) @ rest
        points = np.einsum("nij,nj->ni", moved[owners, :3, :3], vertices) + moved[owners, :3, 3]
        if deforms:
            points[:, 0] *= 1.0 + 0.01 * n
        frames.append(points)
    head = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(vertices), 0.0, 1.0, len(frames))
    path.write_bytes(head + np.array(frames, dtype="<f4").tobytes())
    lines = [f"v {x} {y} {z}" for x, y, z in vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
    path.with_name(f"{path.stem}.rest.obj").write_text("\n".join(lines) + "\n", encoding="utf-8")
