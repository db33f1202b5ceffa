"""Characters in USD: nodes that move, and skins on skeletons (UsdSkel)."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.scene.files.usd_stage import open_stage
from supple.scene.obstacles.character import Part, parts_of_skin
from supple.scene.obstacles.character_skin import Skin, skinned
from supple.scene.placement import FloatArray, IndexArray


def usd_parts(path: FilePath, deforms: bool = False) -> tuple[list[Part | Skin], FloatArray]:
    """Return the parts of a stage and the times they were sampled at [s], in metres with Y up.

    Samples are taken at whole time codes, where animations have theirs: between them USD mixes matrices, which
    shrinks what turns.
    """
    stage = open_stage(path)
    from pxr import Usd, UsdGeom, UsdSkel

    unit = float(UsdGeom.GetStageMetersPerUnit(stage))
    ours = np.eye(4) * (unit, unit, unit, 1.0)
    if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z:
        ours = ours @ np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])
    first, last, codes = stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetTimeCodesPerSecond()
    times = np.arange(max(round(last - first), 0) + 1) / codes
    moments = [Usd.TimeCode(first + n) for n in range(len(times))]
    cache = UsdSkel.Cache()
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Root):
            cache.Populate(UsdSkel.Root(prim), Usd.PrimDefaultPredicate)
    parts: list[Part | Skin] = []
    for prim in stage.Traverse():
        if not prim.IsA(UsdGeom.Mesh):
            continue
        mesh = UsdGeom.Mesh(prim)
        vertices = np.array(mesh.GetPointsAttr().Get(moments[0]), dtype=np.float64).reshape(-1, 3)
        triangles = _triangles(mesh, moments[0])
        if len(triangles) == 0:
            continue
        binding = cache.GetSkinningQuery(prim)
        if mesh.GetPointsAttr().GetNumTimeSamples() > 1:
            parts.append(_animated_points(mesh, vertices, triangles, moments, ours))
        elif binding and binding.HasJointInfluences():
            parts.extend(_skin(prim, binding, cache, vertices, triangles, moments, ours, deforms))
        else:
            world = np.array([_placed(prim, moment) for moment in moments])
            parts.append(Part(str(prim.GetName()), vertices, triangles, ours @ world))
    return parts, times


def _animated_points(
    mesh: Any, vertices: FloatArray, triangles: IndexArray, moments: list[Any], ours: FloatArray
) -> Skin:
    """Return a mesh whose points are animated one by one."""
    samples = np.empty((len(moments), *vertices.shape))
    for n, moment in enumerate(moments):
        points = np.array(mesh.GetPointsAttr().Get(moment), dtype=np.float64).reshape(-1, 3)
        if len(points) != len(vertices):
            raise SuppleError(
                f'"{mesh.GetPrim().GetName()}" changes its number of points, which no puppet can.'
            )
        matrix = ours @ _placed(mesh.GetPrim(), moment)
        samples[n] = points @ matrix[:3, :3].T + matrix[:3, 3]
    return Skin(str(mesh.GetPrim().GetName()), samples, triangles)


def _placed(prim: Any, moment: Any) -> FloatArray:
    """Return where a prim is, (4, 4), for column vectors."""
    from pxr import UsdGeom

    return np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(moment)).T


def _skin(
    prim: Any,
    binding: Any,
    cache: Any,
    vertices: FloatArray,
    triangles: IndexArray,
    moments: list[Any],
    ours: FloatArray,
    deforms: bool,
) -> list[Part | Skin]:
    from pxr import UsdSkel

    skeleton = UsdSkel.BindingAPI(prim).GetInheritedSkeleton()
    query = cache.GetSkelQuery(skeleton)
    order = list(query.GetJointOrder())
    numbers, shares = binding.ComputeJointInfluences(moments[0])
    width = binding.GetNumInfluencesPerComponent()
    numbers = np.array(numbers, dtype=np.int64).reshape(-1, width)
    shares = np.array(shares, dtype=np.float64).reshape(-1, width)
    if len(numbers) == 1:  # one set of weights for the whole mesh
        numbers, shares = np.tile(numbers, (len(vertices), 1)), np.tile(shares, (len(vertices), 1))
    weights = np.zeros((len(vertices), len(order)))
    np.add.at(weights, (np.arange(len(vertices))[:, None], numbers), shares)
    bound = np.array(binding.GetGeomBindTransform()).T
    matrices = []
    for moment in moments:
        joints = np.array(query.ComputeSkinningTransforms(moment)).reshape(-1, 4, 4).transpose(0, 2, 1)
        matrices.append(ours @ _placed(skeleton.GetPrim(), moment) @ joints @ bound)
    if deforms:
        return [Skin(str(prim.GetName()), skinned(vertices, weights, np.array(matrices)), triangles)]
    names = [str(joint).rpartition("/")[2] for joint in order]
    return list(parts_of_skin(str(prim.GetName()), vertices, triangles, weights, names, np.array(matrices)))


def _triangles(mesh: Any, moment: Any) -> IndexArray:
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get(moment), dtype=np.int64)
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get(moment), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)])[:-1]
    fans = [
        (corners[start], corners[start + n], corners[start + n + 1])
        for start, count in zip(starts.tolist(), counts.tolist(), strict=True)
        for n in range(1, count - 1)
    ]
    return np.array(fans, dtype=np.int64).reshape(-1, 3)
