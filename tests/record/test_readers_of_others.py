"""What is written, read by programs that know nothing of us."""

import struct

import meshio
import numpy as np
import pyarrow.parquet
import pygltflib
import pytest
import trimesh
from pxr import Usd, UsdGeom, UsdShade

from tests.record.conftest import STEPS


@pytest.mark.parametrize("ending", [".usd", ".usdc", ".usda"])
def test_usd_core_finds_points_normals_units_and_samples(recorded, ending):
    stage = Usd.Stage.Open(str(recorded.path(ending)))
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0.0, float(STEPS))
    assert stage.GetTimeCodesPerSecond() == 50.0
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/World/cloth"))
    assert mesh.GetPointsAttr().GetNumTimeSamples() == STEPS + 1
    for number in (0, 5, STEPS):
        points = np.array(mesh.GetPointsAttr().Get(number))
        np.testing.assert_array_equal(points, recorded.positions["cloth"][number])
    normals = np.array(mesh.GetNormalsAttr().Get(STEPS))
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)
    triangles = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    np.testing.assert_array_equal(triangles, recorded.simulation.triangles("cloth"))
    assert mesh.GetNormalsInterpolation() == "vertex"


def test_usd_has_obstacles_in_motion_materials_camera_and_curves(recorded):
    stage = Usd.Stage.Open(str(recorded.path(".usd")))
    ball = UsdGeom.Xformable(stage.GetPrimAtPath("/World/ball"))
    matrix = np.array(ball.ComputeLocalToWorldTransform(STEPS))
    np.testing.assert_allclose(matrix[3, :3], recorded.poses[STEPS][0], atol=1e-12)
    np.testing.assert_allclose(matrix[:3, :3].T, recorded.poses[STEPS][1], atol=1e-12)
    # It stands still until frame 3; halfway between two samples it must not have begun to move.
    np.testing.assert_allclose(np.array(ball.ComputeLocalToWorldTransform(1.5))[3, :3], 0.0, atol=1e-12)
    bound = UsdShade.MaterialBindingAPI(stage.GetPrimAtPath("/World/cloth")).ComputeBoundMaterial()[0]
    assert bound.GetSurfaceOutput().HasConnectedSource()
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/World/Camera")).GetCamera(0)
    for point in recorded.positions["cloth"][0]:
        seen = camera.frustum.ComputeViewMatrix().Transform(tuple(map(float, point)))
        assert seen[2] < 0.0
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/World/chain"))
    assert list(curves.GetCurveVertexCountsAttr().Get()) == [2] * 4
    assert stage.GetDefaultPrim().GetPath() == "/World"


def test_pygltflib_finds_a_morph_animation_that_shows_the_last_frame(recorded):
    file = pygltflib.GLTF2().load(str(recorded.path(".glb")))
    data = file.binary_blob()

    def array(number):
        accessor = file.accessors[number]
        view = file.bufferViews[accessor.bufferView]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor.type]
        kind = {5126: "<f4", 5125: "<u4"}[accessor.componentType]
        return np.frombuffer(data, kind, accessor.count * width, view.byteOffset).reshape(-1, width)

    node = next(n for n, node in enumerate(file.nodes) if node.name == "cloth")
    primitive = file.meshes[file.nodes[node].mesh].primitives[0]
    animation = file.animations[0]
    channel = next(c for c in animation.channels if c.target.node == node and c.target.path == "weights")
    sampler = animation.samplers[channel.sampler]
    times, weights = array(sampler.input)[:, 0], array(sampler.output).reshape(-1, len(primitive.targets))
    assert times[0] == 0.0 and times[-1] == pytest.approx(STEPS / 50.0)
    assert len(times) == len(primitive.targets) + 1 <= STEPS + 1
    last = array(primitive.attributes.POSITION).copy()
    for weight, target in zip(weights[-1], primitive.targets, strict=True):
        last += weight * array(target["POSITION"])
    np.testing.assert_allclose(last, recorded.positions["cloth"][-1], atol=2e-7)
    corners = array(primitive.indices).reshape(-1, 3)
    np.testing.assert_array_equal(corners, recorded.simulation.triangles("cloth"))


def test_trimesh_reads_the_glb_the_ply_and_the_obj(recorded):
    scene = trimesh.load_scene(recorded.path(".glb"), process=False)
    np.testing.assert_allclose(
        np.asarray(scene.geometry["cloth"].vertices), recorded.positions["cloth"][0], atol=1e-7
    )
    ply = trimesh.load(recorded.path(".ply").with_name(f"über run-{STEPS:04d}.ply"), process=False)
    points = recorded.positions["cloth"][STEPS]
    np.testing.assert_array_equal(np.asarray(ply.vertices)[: len(points)], points)
    np.testing.assert_array_equal(ply.faces, recorded.simulation.triangles("cloth"))


def test_a_vtk_reader_finds_points_cells_and_fields(recorded):
    grid = meshio.read(recorded.path(".vtu").with_name(f"über run-{STEPS:04d}.vtu"))
    points = recorded.positions["cloth"][STEPS]
    np.testing.assert_array_equal(grid.points[: len(points)], points)
    np.testing.assert_array_equal(grid.cells[0].data, recorded.simulation.triangles("cloth"))
    np.testing.assert_allclose(
        grid.point_data["velocity"][: len(points)], recorded.simulation.velocities("cloth"), rtol=1e-6
    )
    touching = recorded.simulation.touching("cloth")
    np.testing.assert_array_equal(grid.point_data["contact"][: len(points)], touching)
    assert touching.any() and not touching.all()
    assert 0.0 < grid.point_data["strain"].max() < 0.2
    listed = (recorded.path(".vtu").with_suffix(".pvd")).read_text(encoding="utf-8")
    assert listed.count("<DataSet") == STEPS + 1 and 'timestep="0.0"' in listed


def test_strain_in_the_vtu_is_the_elongation_of_the_longest_spring(recorded):
    grid = meshio.read(recorded.path(".vtu").with_name(f"über run-{STEPS:04d}.vtu"))
    simulation = recorded.simulation
    x, edges, rest = (f("cloth") for f in (simulation.positions, simulation.edges, simulation.rest_lengths))
    strain = np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1) / rest - 1.0
    expected = np.zeros(len(x))
    np.maximum.at(expected, edges[:, 0], strain)
    np.maximum.at(expected, edges[:, 1], strain)
    np.testing.assert_allclose(grid.point_data["strain"][: len(x)], expected, atol=1e-6)


def test_point_cache_is_laid_out_byte_by_byte(recorded):
    path = recorded.path(".pc2").with_name("über run-cloth.pc2")
    data = path.read_bytes()
    count = len(recorded.positions["cloth"][0])
    assert data[:12] == b"POINTCACHE2\x00"
    assert struct.unpack("<i", data[12:16]) == (1,)
    assert struct.unpack("<i", data[16:20]) == (count,)
    assert struct.unpack("<f", data[20:24]) == (0.0,)
    assert struct.unpack("<f", data[24:28]) == (1.0,)
    assert struct.unpack("<i", data[28:32]) == (STEPS + 1,)
    expected = b"".join(
        struct.pack("<3f", *point) for frame in recorded.positions["cloth"] for point in frame.tolist()
    )
    assert data[32:] == expected


def test_rest_mesh_of_the_point_cache_has_its_points_in_order(recorded):
    path = recorded.path(".pc2").with_name("über run-cloth.rest.obj")
    mesh = trimesh.load(path, process=False, maintain_order=True)
    np.testing.assert_allclose(mesh.vertices, recorded.positions["cloth"][0], atol=1e-7)
    assert mesh.visual.uv.shape == (42, 2)


def test_parquet_and_csv_hold_the_reports(recorded):
    table = pyarrow.parquet.read_table(recorded.path(".parquet"))
    energies = [report.kinetic_energy for report in recorded.reports]
    np.testing.assert_array_equal(table["kinetic_energy"].to_numpy(), energies)
    lines = recorded.path(".csv").read_text(encoding="utf-8").splitlines()
    columns = lines[0].split(",")
    assert len(lines) == STEPS + 1
    for name in ("time", "frame", "milliseconds", "potential_energy", "angular_momentum_z", "contacts"):
        assert name in columns
    assert [float(line.split(",")[columns.index("kinetic_energy")]) for line in lines[1:]] == energies
