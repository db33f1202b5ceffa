import json
import struct

import numpy as np
import pytest

import supple
from supple.record.pictures.vertex_strain import vertex_strains
from supple.scene.appearance import grid_columns
from supple.scene.colour import COLOURS
from supple.studio.connection import packing
from supple.studio.connection.packing import Packer, pack_positions
from supple.studio.connection.protocol import FRAME, GEOMETRY, HAS_STRAIN, STRAIN_UNIT
from tests.studio.pages import sheet_scene


def unpacked(message, body_count, solid_count=0):
    """Read a frame as the page does: head, boxes, poses and points."""
    head = struct.unpack_from("<4I d 2I", message)
    boxes = np.frombuffer(message, "<f4", 4 * body_count, 32).reshape(-1, 4)
    poses = np.frombuffer(message, "<f4", 7 * solid_count, 32 + 16 * body_count).reshape(-1, 7)
    start = 32 + 16 * body_count + 28 * solid_count
    points = np.frombuffer(message, "<i2", offset=start + -start % 8).reshape(-1, 4)
    return head, boxes, poses, points


def placed(points, box):
    return box[:3] + points[:, :3] * (float(box[3]) / 32767)


@pytest.mark.parametrize("pack", [pack_positions, pack_positions.py_func])
def test_packed_positions_are_exact_to_a_part_in_sixty_thousand(pack):
    rng = np.random.default_rng(0)
    positions = rng.normal(size=(50, 3)) * (1.0, 2.0, 0.5) + (100.0, -20.0, 3.0)
    box, packed = np.zeros(4), np.zeros((50, 4), np.int16)
    pack(positions, np.zeros(0), STRAIN_UNIT, box, packed)
    assert np.abs(placed(packed, box) - positions).max() <= box[3] / 32767
    assert -32767 <= packed[:, :3].min() and packed[:, :3].max() > 32750
    assert not packed[:, 3].any()


def test_a_body_in_one_point_can_be_packed():
    box, packed = np.zeros(4), np.zeros((3, 4), np.int16)
    pack_positions(np.full((3, 3), 7.0), np.zeros(0), STRAIN_UNIT, box, packed)
    assert np.allclose(placed(packed, box), 7.0)


@pytest.mark.parametrize("measure", [vertex_strains, vertex_strains.py_func])
def test_strain_of_a_vertex_is_that_of_its_longest_spring(measure):
    positions = np.array([[0.0, 0, 0], [1.2, 0, 0], [1.2, 0.9, 0]])
    strains = np.ones(3)
    measure(positions, np.array([[0, 1], [1, 2]]), np.ones(2), strains)
    assert np.allclose(strains, [0.2, 0.2, 0.0])


def test_strain_travels_beside_the_positions():
    strains = np.array([0.05, 100.0, -0.01])
    box, packed = np.zeros(4), np.zeros((3, 4), np.int16)
    pack_positions(np.eye(3), strains, STRAIN_UNIT, box, packed)
    assert packed[:, 3].tolist() == [500, 32767, -100]


def test_frame_holds_every_body_at_its_place():
    chain = supple.Chain(length=1.0, points=7, at=(3.0, 0.0, 0.0)).pinned("start")
    simulation = supple.Simulation(supple.Scene(*sheet_scene().bodies, chain))
    simulation.step()
    head, boxes, _, points = unpacked(Packer(simulation, 5).frame(with_strain=True), 2)
    assert head[:4] == (FRAME, 5, 1, 2)
    assert head[4] == pytest.approx(0.02)
    assert head[5:] == (0, HAS_STRAIN)
    assert np.allclose(placed(points[:64], boxes[0]), simulation.positions("cloth"), atol=1e-4)
    assert np.allclose(placed(points[64:], boxes[1]), simulation.positions("chain"), atol=1e-4)


def test_geometry_tells_triangles_edges_and_where_to_look():
    chain = supple.Chain(length=1.0, points=7, at=(3.0, 0.0, 0.0)).pinned("start")
    simulation = supple.Simulation(supple.Scene(*sheet_scene().bodies, chain))
    message = Packer(simulation, 2).geometry()
    kind, world, length, _ = struct.unpack_from("<4I", message)
    assert (kind, world) == (GEOMETRY, 2)
    shapes = json.loads(message[16 : 16 + length])
    arrays = message[16 + length + -(16 + length) % 8 :]
    cloth, rope = shapes["bodies"]
    place = cloth["triangles"]
    triangles = np.frombuffer(arrays, "<u4", place["count"], place["offset"]).reshape(-1, 3)
    assert np.array_equal(triangles, simulation.triangles("cloth"))
    place = rope["edges"]
    edges = np.frombuffer(arrays, "<u4", place["count"], place["offset"]).reshape(-1, 2)
    assert np.array_equal(edges, simulation.edges("chain"))
    place = cloth["coordinates"]
    flat = np.frombuffer(arrays, "<f4", place["count"], place["offset"]).reshape(-1, 2)
    assert np.allclose(flat.max(axis=0) - flat.min(axis=0), 1.0)
    assert cloth["edges"]["count"] == 0
    assert shapes["floor"] < -1.0
    assert shapes["radius"] > 1.5


def test_bodies_and_obstacles_have_the_colours_that_the_scene_chooses():
    sheet = sheet_scene().bodies[0].changed(colour="#204080")
    rope = supple.Chain(length=1.0, points=7, at=(3.0, 0.0, 0.0), colour="wood").pinned("start")
    ball, post = (
        supple.Sphere(radius=0.1, colour="steel"),
        supple.Box(size=(0.1, 0.1, 0.1), at=(2.0, 0.0, 0.0)),
    )
    message = Packer(supple.Simulation(supple.Scene(sheet, rope, ball, post)), 0).geometry()
    (length,) = struct.unpack_from("<I", message, 8)
    shapes = json.loads(message[16 : 16 + length])
    colours = [(body["colour"], body["back_colour"]) for body in shapes["bodies"]]
    assert colours[0] == ("#204080", "#a2a8b4")  # the back is paler
    assert colours[1] == (COLOURS["wood"], COLOURS["wood"])
    assert shapes["solids"][0]["colour"] == COLOURS["steel"] != shapes["solids"][1]["colour"]


class Ball:
    """An obstacle, as later parts will offer them."""

    name, kind, is_movable, is_free, colour, floor = "ball", "sphere", True, False, "#888888", None
    vertices = np.eye(3)
    triangles = np.array([[0, 1, 2]])

    def __init__(self):
        self.place = (0.0, 2.0, 0.0)

    def pose(self):
        return (*self.place, 0.0, 0.0, 0.0, 1.0)

    def placed_vertices(self):
        return self.vertices + self.place

    def rotation(self):
        return np.eye(3)

    def move(self, position, turn):
        self.place = position

    def release(self):
        self.place_left = self.place


def test_solids_travel_with_their_pose(monkeypatch):
    simulation = supple.Simulation(sheet_scene())
    ball = Ball()
    monkeypatch.setattr(packing, "solids_of", lambda simulation: [ball])
    packer = Packer(simulation, 1)
    ball.move((1.0, 3.0, 5.0), np.eye(3))
    head, boxes, poses, points = unpacked(packer.frame(with_strain=False), 1, 1)
    assert head[5] == 1
    assert poses[0].tolist() == [1.0, 3.0, 5.0, 0.0, 0.0, 0.0, 1.0]
    assert np.allclose(placed(points, boxes[0]), simulation.positions("cloth"), atol=1e-4)


def test_only_whole_grids_have_columns():
    sheet = supple.Cloth.rectangle(width=1.0, height=2.0, columns=4, rows=7)
    assert grid_columns(sheet, 2 * 3 * 6) == 4
    assert grid_columns(sheet, 2 * 3 * 6 - 1) == 0, "something was cut out of it"
    chain = supple.Chain(length=1.0, points=5)
    assert grid_columns(chain, 0) == 0


def test_ground_that_bodies_fall_onto_is_in_view():
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=4, rows=4, at=(0.0, 2.0, 0.0))
    ground = supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)
    falling, held = (
        Packer(supple.Simulation(supple.Scene(body, ground)), 1)
        for body in (sheet, sheet.pinned("top-left", "top-right"))
    )
    (_, height, _), radius = falling.extent()
    assert height == pytest.approx(1.25), "half way between the ground and the top"
    assert radius > held.extent()[1]


def test_what_is_held_above_the_ground_is_not_looked_for_below_it():
    ground = supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0)
    lying = supple.Cloth.rectangle(width=0.6, height=0.6, columns=5, rows=5, plane="xz", at=(0.0, 0.005, 0.0))
    scene = supple.Scene(lying.pinned("top-left"), ground)
    (_, height, _), radius = Packer(supple.Simulation(scene), 1).extent()
    assert 0.0 <= height < 0.01 and radius < 0.5


def test_a_body_of_several_levels_is_coloured_by_them():
    ball = supple.SoftBody.ball(0.1, 0.04, material="jelly", levels=2)
    table = supple.Plane(offset=-0.1)
    simulation = supple.Simulation(supple.Scene(ball, table))
    packer = Packer(simulation, 0)
    _, _, _, points = unpacked(packer.frame(with_strain=True), 1, len(packer.solids))
    assert not points[:, 3].any()
    for _ in range(3):
        report = simulation.step()
    assert report.level_nodes[1] > 0
    _, _, _, points = unpacked(packer.frame(with_strain=True), 1, len(packer.solids))
    shares = simulation.level_shares("soft")
    assert 0.0 < shares.mean() < 1.0
    np.testing.assert_array_equal(
        points[:, 3], np.round(packing.FULL_STRAIN * shares / STRAIN_UNIT).astype(int)
    )
    assert 0.0 < simulation.largest_tool_force() < 100.0
