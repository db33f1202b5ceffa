"""USD: one stage with everything, for Blender, Houdini, Maya, Omniverse, usdview.

    /World                       root
    /World/NAME                  Mesh of a cloth or soft body: time-sampled points and normals, texture coordinates
    /World/NAME                  BasisCurves of a chain or network: a curve for each spring
    /World/NAME                  Mesh of an obstacle: its motion is a time-sampled transform
    /World/Materials/NAME        UsdPreviewSurface of each
    /World/Camera                sees everything in the first frame

A time code is a frame; `timeCodesPerSecond` is the frame rate. `.usdc` and `.usd` are binary, `.usda` is text.
When something is cut or torn, the topology is time-sampled too.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.convention import Convention
from supple.record.formats.normals import box_around, vertex_normals
from supple.record.formats.usd_arrays import vec3f_array
from supple.record.frame import BodyShape, Frame, Shapes, SolidShape
from supple.record.frame_folder import DeferredWriter
from supple.record.pictures.camera import Camera
from supple.record.readers.frame_check import checked_count
from supple.record.readers.recording_reader import RecordingReader, unit_of
from supple.scene.files.usd_stage import gist, open_stage

SAVED_FRAMES = 256
"""Frames between two saves; a saved sample lies in the file, no longer in memory."""

Floats = npt.NDArray[np.floating[Any]]


class UsdFile(DeferredWriter):
    """Writer of USD stages."""

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Write the stage under another name and put it in place when it is whole."""
        from pxr import Tf, Usd

        part = self.path.with_name(f"{self.path.stem}.tmp{self.path.suffix}")
        part.unlink(missing_ok=True)
        try:
            stage = Usd.Stage.CreateNew(str(part))
            scene = _StageWriter(stage, recording)
            for number in range(len(recording)):
                scene.add(recording[number])
                if number % SAVED_FRAMES == SAVED_FRAMES - 1 and self.path.suffix.lower() != ".usda":
                    stage.Save()
                self.told(number + 1, len(recording))
            stage.Save()
            del stage, scene
            part.replace(self.path)
        except Tf.ErrorException as trouble:
            raise SuppleError(f"cannot write {self.path}: {gist(trouble)}") from None
        finally:
            part.unlink(missing_ok=True)
        return [self.path]


class _StageWriter:
    """Fills a stage frame by frame."""

    def __init__(self, stage: Any, recording: RecordingReader) -> None:
        from pxr import UsdGeom

        self._stage = stage
        self._recording = recording
        self._names: dict[str, str] = {}
        self._shapes: Shapes | None = None
        self._last_poses: dict[str, tuple[Floats | None, float]] = {}
        self._attributes: dict[str, dict[str, Any]] = {}
        self._first_topology: dict[str, list[tuple[Any, Any]]] = {}
        self._normals: dict[str, npt.NDArray[np.float32]] = {}
        self._corners: dict[str, npt.NDArray[np.int64]] = {}
        convention = recording.convention
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z if convention.up == "z" else UsdGeom.Tokens.y)
        UsdGeom.SetStageMetersPerUnit(stage, convention.metres)
        stage.SetTimeCodesPerSecond(recording.frame_rate)
        stage.SetFramesPerSecond(recording.frame_rate)
        stage.SetStartTimeCode(0.0)
        stage.SetEndTimeCode(float(max(len(recording) - 1, 0)))
        root = UsdGeom.Xform.Define(stage, "/World")
        stage.SetDefaultPrim(root.GetPrim())
        root.GetPrim().SetCustomDataByKey("supple:times", _vt_doubles(recording.times))

    def add(self, frame: Frame) -> None:
        """Write the samples of a frame."""
        is_new = self._shapes is None or (
            frame.shapes is not self._shapes and not frame.shapes.are_like(self._shapes)
        )
        if is_new:
            self._declare(frame, is_first=self._shapes is None)
            self._shapes = frame.shapes
        now = float(frame.number)
        for name, shape in frame.shapes.bodies.items():
            points = np.ascontiguousarray(frame.points[name], dtype=np.float32)
            if len(shape.triangles) == 0:
                points = points[self._corners[name]]
            attributes = self._attributes[name]
            attributes["points"].Set(vec3f_array(points), now)
            attributes["extent"].Set(_extent(points), now)
            if len(shape.triangles):
                normals = self._normals[name]
                vertex_normals(points, self._corners[name], normals)
                attributes["normals"].Set(vec3f_array(normals), now)
        for name in frame.shapes.solids:
            self._place(name, frame, now)

    def _place(self, name: str, frame: Frame, now: float) -> None:
        place, turn = frame.poses[name]
        pose = np.concatenate([turn.ravel(), place])
        written, moment = self._last_poses.get(name, (None, 0.0))
        if written is not None and np.array_equal(written, pose):
            return
        operation = self._attributes[name]["transform"]
        if written is not None and moment < now - 1.0:
            # It stood still until the frame before this one; between two samples it would drift.
            operation.Set(_matrix(written), now - 1.0)
        operation.Set(_matrix(pose), now)
        self._last_poses[name] = pose, now

    # ------------------------------------------------------------------ prims

    def _declare(self, frame: Frame, *, is_first: bool) -> None:
        """Define what a frame shows, or give new topology to what is there."""
        now = float(frame.number)
        if is_first:
            for name, solid in frame.shapes.solids.items():
                self._solid(name, solid)
            self._camera(frame)
        for name, shape in frame.shapes.bodies.items():
            if len(shape.triangles):
                self._mesh(name, shape, now)
            else:
                self._curves(name, shape, now)

    def _path(self, name: str) -> str:
        from pxr import Tf

        if name not in self._names:
            valid = Tf.MakeValidIdentifier(name)
            taken = {*self._names.values(), "Materials", "Camera"}
            number, unique = 1, valid
            while unique in taken:
                number += 1
                unique = f"{valid}_{number}"
            self._names[name] = unique
        return f"/World/{self._names[name]}"

    def _mesh(self, name: str, shape: BodyShape, now: float) -> None:
        from pxr import UsdGeom, Vt

        is_known = name in self._attributes
        mesh = UsdGeom.Mesh.Define(self._stage, self._path(name))
        counts = Vt.IntArray.FromNumpy(np.full(len(shape.triangles), 3, np.int32))
        corners = Vt.IntArray.FromNumpy(np.ascontiguousarray(shape.triangles, np.int32).ravel())
        self._topology(
            name,
            [(mesh.CreateFaceVertexCountsAttr(), counts), (mesh.CreateFaceVertexIndicesAttr(), corners)],
            now,
        )
        if not is_known:
            mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
            mesh.CreateDoubleSidedAttr(True)
            mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
            self._attributes[name] = {
                "points": mesh.CreatePointsAttr(),
                "normals": mesh.CreateNormalsAttr(),
                "extent": mesh.CreateExtentAttr(),
            }
            if len(shape.coordinates):
                self._coordinates(mesh, shape.coordinates)
            self._finish_prim(mesh, name, shape.kind, shape.colour, is_cloth=True)
        self._corners[name] = np.ascontiguousarray(shape.triangles, dtype=np.int64)
        self._normals[name] = np.zeros((shape.point_count, 3), dtype=np.float32)

    def _topology(self, name: str, values: list[tuple[Any, Any]], now: float) -> None:
        """Write what does not change once; the first change makes time samples of it."""
        if name not in self._first_topology:
            self._first_topology[name] = values
            for attribute, value in values:
                attribute.Set(value)
            return
        for attribute, value in self._first_topology[name]:
            if attribute.GetNumTimeSamples() == 0:
                attribute.Set(value, 0.0)
        for attribute, value in values:
            attribute.Set(value, now)

    def _coordinates(self, mesh: Any, coordinates: Floats) -> None:
        from pxr import Sdf, UsdGeom, Vt

        flat = np.ascontiguousarray(coordinates, dtype=np.float32)
        primvar = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar(
            "st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex
        )
        primvar.Set(Vt.Vec2fArray.FromNumpy(flat))

    def _curves(self, name: str, shape: BodyShape, now: float) -> None:
        from pxr import Sdf, UsdGeom, Vt

        edges = np.ascontiguousarray(shape.edges, dtype=np.int64).reshape(-1, 2)
        # A point without a spring is a curve of no length, so that none is lost.
        lone = np.setdiff1d(np.arange(shape.point_count), edges)
        ends = np.concatenate([edges, np.stack([lone, lone], axis=1)]).ravel()
        curves = UsdGeom.BasisCurves.Define(self._stage, self._path(name))
        counts = Vt.IntArray.FromNumpy(np.full(len(ends) // 2, 2, np.int32))
        numbers = Vt.IntArray.FromNumpy(ends.astype(np.int32))
        is_known = name in self._attributes
        own = curves.GetPrim().CreateAttribute("supple:points", Sdf.ValueTypeNames.IntArray)
        self._topology(name, [(curves.CreateCurveVertexCountsAttr(), counts), (own, numbers)], now)
        if not is_known:
            curves.CreateTypeAttr(UsdGeom.Tokens.linear)
            width = 0.01 / self._recording.convention.metres
            curves.CreateWidthsAttr(Vt.FloatArray([width]))
            curves.SetWidthsInterpolation(UsdGeom.Tokens.constant)
            self._attributes[name] = {
                "points": curves.CreatePointsAttr(),
                "extent": curves.CreateExtentAttr(),
            }
            self._finish_prim(curves, name, shape.kind, shape.colour, is_cloth=False)
        self._corners[name] = ends

    def _solid(self, name: str, solid: SolidShape) -> None:
        from pxr import UsdGeom, Vt

        mesh = UsdGeom.Mesh.Define(self._stage, self._path(name))
        vertices = np.ascontiguousarray(solid.vertices, dtype=np.float32)
        mesh.CreatePointsAttr(vec3f_array(vertices))
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(solid.triangles), 3, np.int32)))
        mesh.CreateFaceVertexIndicesAttr(
            Vt.IntArray.FromNumpy(np.ascontiguousarray(solid.triangles, np.int32).ravel())
        )
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        mesh.CreateExtentAttr(_extent(vertices))
        self._attributes[name] = {"transform": mesh.AddTransformOp()}
        self._finish_prim(mesh, name, solid.kind, solid.colour, is_cloth=False, is_obstacle=True)

    def _finish_prim(
        self, prim: Any, name: str, kind: str, colour: str, *, is_cloth: bool, is_obstacle: bool = False
    ) -> None:
        from pxr import Gf, Sdf, UsdShade, Vt

        red, green, blue = _linear(colour)
        prim.CreateDisplayColorAttr(Vt.Vec3fArray([Gf.Vec3f(red, green, blue)]))
        held = prim.GetPrim()
        held.SetDisplayName(name)
        held.SetCustomDataByKey("supple:name", name)
        held.SetCustomDataByKey("supple:kind", kind)
        held.SetCustomDataByKey("supple:colour", colour)
        held.SetCustomDataByKey("supple:obstacle", is_obstacle)
        place = f"/World/Materials/{self._names[name]}"
        material = UsdShade.Material.Define(self._stage, place)
        shader = UsdShade.Shader.Define(self._stage, f"{place}/Surface")
        shader.CreateIdAttr("UsdPreviewSurface")
        shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(red, green, blue))
        shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.85 if is_cloth else 0.5)
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        UsdShade.MaterialBindingAPI.Apply(held).Bind(material)

    def _camera(self, frame: Frame) -> None:
        from pxr import Gf, UsdGeom

        convention = self._recording.convention
        points = [np.asarray(points, np.float64) @ convention.turn for points in frame.points.values()]
        for name, solid in frame.shapes.solids.items():
            if solid.kind != "plane":
                place, turn = frame.poses[name]
                points.append((solid.vertices @ turn.T + place) @ convention.turn)
        every = np.concatenate([np.zeros((0, 3)), *points]) * convention.metres
        view = Camera.framing(every, (1600, 1000), angle=0.6)
        camera = UsdGeom.Camera.Define(self._stage, "/World/Camera")
        camera.CreateVerticalApertureAttr(15.0)
        camera.CreateHorizontalApertureAttr(24.0)
        camera.CreateFocalLengthAttr(7.5 / math.tan(view.angle / 2.0))
        camera.CreateClippingRangeAttr(Gf.Vec2f(0.01 / convention.metres, 1000.0 / convention.metres))
        pose = np.concatenate(
            [(convention.turn @ view.axes.T).ravel(), convention.matrix @ np.array(view.eye)]
        )
        camera.AddTransformOp().Set(_matrix(pose))


def _matrix(pose: Floats) -> Any:
    """Return a pose, rotation by rows then place, as USD has it: for row vectors, transposed."""
    from pxr import Gf

    full = np.eye(4)
    full[:3, :3] = pose[:9].reshape(3, 3).T
    full[3, :3] = pose[9:]
    return Gf.Matrix4d(*full.ravel().tolist())


def _extent(points: npt.NDArray[np.float32]) -> Any:
    """Return the corners of the box around points, as USD has it."""
    from pxr import Vt

    box = np.zeros((2, 3), dtype=np.float32)
    if len(points):
        box_around(points, box)
    return Vt.Vec3fArray.FromNumpy(box)


def _linear(colour: str) -> tuple[float, float, float]:
    from supple.render.colours import linear_colour

    red, green, blue = linear_colour(colour).tolist()
    return red, green, blue


def _vt_doubles(values: npt.NDArray[np.float64]) -> Any:
    from pxr import Vt

    return Vt.DoubleArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float64))


# ---------------------------------------------------------------- reading


class UsdReader(RecordingReader):
    """Frames of a stage: every mesh and curve whose points or transform change, and what stands beside them."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Open one; see `RecordingReader`."""
        super().__init__(path, as_stored=as_stored)
        if not path.is_file():
            raise FileNotFoundError(path)
        stage = open_stage(path)
        from pxr import UsdGeom

        self._stage = stage
        up = "z" if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z else "y"
        self.convention = Convention(up, unit_of(UsdGeom.GetStageMetersPerUnit(stage)))
        self.frame_rate = float(stage.GetTimeCodesPerSecond())
        first, last = int(stage.GetStartTimeCode()), int(stage.GetEndTimeCode())
        self._first = first
        root = stage.GetDefaultPrim()
        told = root.GetCustomDataByKey("supple:times") if root else None
        count = checked_count(max(last - first + 1, 0))
        self.times = (
            np.array(told) if told is not None and len(told) == count else np.arange(count) / self.frame_rate
        )
        self.reports = {}
        self._bodies: dict[str, Any] = {}
        self._solids: dict[str, Any] = {}
        for prim in stage.Traverse():
            if not (prim.IsA(UsdGeom.Mesh) or prim.IsA(UsdGeom.BasisCurves)):
                continue
            name = str(prim.GetCustomDataByKey("supple:name") or prim.GetName())
            points = UsdGeom.PointBased(prim).GetPointsAttr()
            is_obstacle = prim.GetCustomDataByKey("supple:obstacle")
            if is_obstacle is None:
                is_obstacle = points.GetNumTimeSamples() == 0
            (self._solids if is_obstacle else self._bodies)[name] = prim
        self._known: Shapes | None = None
        self._changes = any(
            UsdGeom.Mesh(prim).GetFaceVertexIndicesAttr().GetNumTimeSamples() > 1
            for prim in self._bodies.values()
            if prim.IsA(UsdGeom.Mesh)
        )

    def stored(self, number: int) -> Frame:
        """Return a frame as it stands in the stage."""
        from pxr import Usd, UsdGeom

        code = Usd.TimeCode(self._first + number)
        if self._known is None or self._changes:
            shapes = Shapes(
                {name: _body_shape(prim, code) for name, prim in self._bodies.items()},
                {name: _solid_shape(prim, code) for name, prim in self._solids.items()},
            )
            if self._known is None or not self._known.are_like(shapes):
                self._known = shapes
        points = {}
        for name, prim in self._bodies.items():
            places = np.array(UsdGeom.PointBased(prim).GetPointsAttr().Get(code), dtype=np.float32).reshape(
                -1, 3
            )
            ends = prim.GetAttribute("supple:points")
            if ends:
                own = np.zeros((self._known.bodies[name].point_count, 3), dtype=np.float32)
                own[np.array(ends.Get(code))] = places
                places = own
            points[name] = places
        poses = {}
        for name, prim in self._solids.items():
            matrix = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code))
            poses[name] = matrix[3, :3], matrix[:3, :3].T
        return Frame(number, float(self.times[number]), self._known, points, poses)

    def shape_changes(self) -> bool:
        """Tell whether bodies gain or lose points or triangles on the way."""
        return self._changes


def _told(prim: Any, key: str, otherwise: str) -> str:
    return str(prim.GetCustomDataByKey(f"supple:{key}") or otherwise)


def _triangles(prim: Any, code: Any) -> npt.NDArray[np.int64]:
    """Return the faces of a mesh as triangles, fans of those that have more corners."""
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh(prim)
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get(code), dtype=np.int64)
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get(code), dtype=np.int64)
    if len(counts) and (counts == 3).all():
        return corners.reshape(-1, 3)
    starts = np.concatenate([[0], np.cumsum(counts)])[:-1]
    fans = [
        (corners[s], corners[s + k], corners[s + k + 1])
        for s, n in zip(starts.tolist(), counts.tolist(), strict=True)
        for k in range(1, n - 1)
    ]
    return np.array(fans, dtype=np.int64).reshape(-1, 3)


def _body_shape(prim: Any, code: Any) -> BodyShape:
    from pxr import UsdGeom

    colour = _told(prim, "colour", "#d2455c")
    count = len(UsdGeom.PointBased(prim).GetPointsAttr().Get(code))
    if prim.IsA(UsdGeom.Mesh):
        primvar = UsdGeom.PrimvarsAPI(prim).GetPrimvar("st")
        flat = primvar.Get(code) if primvar else None
        coordinates = (
            np.array(flat, dtype=np.float64).reshape(-1, 2) if flat is not None else np.zeros((0, 2))
        )
        if len(coordinates) != count:
            coordinates = np.zeros((0, 2))
        return BodyShape(
            _told(prim, "kind", "cloth"),
            count,
            _triangles(prim, code),
            coordinates=coordinates,
            colour=colour,
        )
    kind = _told(prim, "kind", "network")
    numbers = prim.GetAttribute("supple:points").Get(code)
    if numbers is not None:
        ends = np.array(numbers, dtype=np.int64).reshape(-1, 2)
        edges = ends[ends[:, 0] != ends[:, 1]]
        return BodyShape(kind, int(ends.max()) + 1, edges=edges, colour=colour)
    lengths = np.array(UsdGeom.BasisCurves(prim).GetCurveVertexCountsAttr().Get(code), dtype=np.int64)
    is_end = np.zeros(count, dtype=bool)
    is_end[np.cumsum(lengths) - 1] = True
    starts = np.flatnonzero(~is_end)
    return BodyShape(kind, count, edges=np.stack([starts, starts + 1], axis=1), colour=colour)


def _solid_shape(prim: Any, code: Any) -> SolidShape:
    from pxr import UsdGeom

    vertices = np.array(UsdGeom.PointBased(prim).GetPointsAttr().Get(code), dtype=np.float64).reshape(-1, 3)
    return SolidShape(
        _told(prim, "kind", "mesh"), vertices, _triangles(prim, code), _told(prim, "colour", "#a9b4c2")
    )
